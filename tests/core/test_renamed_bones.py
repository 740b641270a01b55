"""Guesses which bones are meant by names that are none any more: by where bones lie, by their names, or not at all."""

import numpy as np
import pytest
from verbs_adverbs.core.detect.corresponding_bones import Lying, exchanged, guess_bones

NAMES = ("hips", "spine", "head", "thigh.L", "foot.L", "thigh.R", "foot.R", "hand.L", "hand.R")
PARENTS = {"spine": "hips", "head": "spine", "thigh.L": "hips", "thigh.R": "hips", "foot.L": "thigh.L",
           "foot.R": "thigh.R", "hand.L": "spine", "hand.R": "spine"}  # fmt: skip


def lying(called: dict[str, str] | None = None, moved: tuple[str, ...] = ()) -> dict[str, Lying]:
    """A figure at rest, its bones called otherwise as `called` has it."""
    called, rng = called or {}, np.random.default_rng(7)
    found = {}
    for name in NAMES:
        rest = np.eye(4)
        rest[:3, 3] = rng.normal(size=3) + (name in moved)
        parent = PARENTS.get(name, "")
        found[called.get(name, name)] = Lying(called.get(parent, parent), rest)
    return found


def guessed(names, seen, present, beside=None) -> dict[str, str]:
    return {name: guess.bone for name, guess in guess_bones(names, seen, present, beside or {}).items()}


def test_bones_are_known_again_by_where_they_lie_whatever_they_are_called():
    called = dict(zip(NAMES, "qzxwvkjyb", strict=True))
    assert guessed(NAMES, lying(), lying(called)) == called


def test_an_exchange_is_found_by_where_bones_lie_and_an_edit_of_the_rest_is_none():
    swap = {"hand.L": "hand.R", "hand.R": "hand.L"}
    assert exchanged(lying(), lying(swap)) == swap
    assert exchanged(lying(), lying(moved=("hand.L",))) == {}
    assert exchanged(lying(), lying()) == {}


@pytest.mark.parametrize(
    "called",
    [
        {name: f"rig:{name}" for name in NAMES},
        {name: f"Hero_{name}" for name in NAMES},
        {"foot.L": "foot_left", "hand.R": "R_hand"},
        {"thigh.L": "LeftUpLeg", "thigh.R": "RightUpLeg"},
    ],
    ids=["a namespace", "a prefix", "other words", "another kind of rig"],
)
def test_names_alone_are_enough_where_it_was_never_noted_how_bones_lay(called):
    assert guessed(tuple(called), {}, lying(called)) == called


def test_sides_are_never_crossed_and_a_bone_that_is_mentioned_beside_a_name_is_not_guessed():
    present = lying({"hand.L": "palm.L"})
    del present["palm.L"]
    assert guessed(("hand.L",), {}, present) == {}
    assert guessed(("fot.L",), {}, lying()) == {"fot.L": "foot.L"}
    assert guessed(("fot.L",), {}, lying(), {"fot.L": {"foot.L"}}) == {}


def test_a_bone_that_still_lies_where_it_lay_is_not_guessed_for_one_that_is_gone():
    present = lying()
    del present["foot.L"]
    assert guessed(("foot.L",), lying(), present) == {}
