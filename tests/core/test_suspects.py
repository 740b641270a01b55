"""Mistakes that are seeded into the examples of a generated walk are named first."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from verbs_adverbs.core.biped.figure import JOINTS
from verbs_adverbs.core.biped.walk import WALK_EXAMPLES, build_gait, walk, walk_pose
from verbs_adverbs.core.verb.build import VerbOptions, build_verb
from verbs_adverbs.core.verb.example import Contact, Example, Take
from verbs_adverbs.core.verb.suspects import Suspicion, can_judge, suspicions
from verbs_adverbs.core.verb.verb import Verb

from .walks import biped_channels

NAMES, RANGES = ("mood", "slope", "turn"), [[-1.0, 1.0]] * 3
FRAMES, RATE = 4.0, 30.0
COARSE = VerbOptions(control_points=24, hold_contacts=False)


@cache
def example(row: int, begins: float = 0.0) -> Example:
    """An example of the biped's walk that begins a part of a cycle late, although its keytimes are as of the others."""
    place = WALK_EXAMPLES[row]
    made = walk(*place)
    gait, period = build_gait(*place), float(made.keytimes[-1])
    rotations, root = walk_pose(gait, made.times / period + begins)
    take = Take(made.times, rotations, root, np.zeros((len(made.times), 0)))
    contacts = [Contact(p.bone, JOINTS[p.bone], np.zeros(3), p.windows) for p in made.plants] if not begins else []
    at = np.array(place, dtype=float)
    return Example(made.name, at, made.keytime_names, made.keytimes, take, tuple(contacts), "travelling", True)


def built(changed: dict[int, Example]) -> Verb:
    examples = [replace(changed.get(row, example(row)), contacts=()) for row in range(len(WALK_EXAMPLES))]
    return build_verb("walk", biped_channels(), examples, NAMES, RANGES, COARSE)


@cache
def plain() -> Verb:
    return built({})


def suspected(verb: Verb) -> tuple[Suspicion, ...]:
    return suspicions(verb, COARSE.kernel, COARSE.degree, COARSE.radius_factor)


def exchanged(verb: Verb, pair: tuple[int, int]) -> Verb:
    places = verb.places.copy()
    places[list(pair)] = places[list(pair[::-1])]
    return replace(verb, places=places)


def retimed(row: int, keytime: int, frames: float) -> Verb:
    keytimes = np.array(example(row).keytimes)
    keytimes[keytime] += frames / RATE
    return built({row: replace(example(row), keytimes=keytimes)})


def test_nothing_is_suspected_where_nothing_is_wrong():
    assert suspected(plain()) == ()


@pytest.mark.parametrize("pair", [(0, 4), (3, 14)])
def test_two_examples_with_each_others_adverbs_are_named(pair: tuple[int, int]):
    first, *rest = suspected(exchanged(plain(), pair))
    assert first.mistake == "adverbs" and set(first.examples) == set(pair) and not rest
    assert first.error > 2.0 * first.mended


SEEDED = [(0, 2, -FRAMES), (8, 3, FRAMES), (12, 2, -FRAMES)]
EVERY = [(row, *moved) for row in (0, 3, 8, 12) for moved in ((1, FRAMES), (2, -FRAMES), (2, FRAMES), (3, FRAMES))]


@pytest.mark.parametrize(
    ("row", "keytime", "frames"), [*SEEDED, *(pytest.param(*one, marks=pytest.mark.long) for one in EVERY)]
)
def test_a_keytime_that_was_moved_by_four_frames_is_named_and_brought_back(row: int, keytime: int, frames: float):
    keytimes = example(row).keytimes
    if not keytimes[keytime - 1] < keytimes[keytime] + frames / RATE < keytimes[keytime + 1]:
        pytest.skip("the keytime would pass the next one")
    verb = retimed(row, keytime, frames)
    first, *_ = suspected(verb)
    assert (first.mistake, first.examples, first.keytime) == ("keytime", (row,), keytime)
    segment = keytime if first.shift > 0.0 else keytime - 1
    rate = verb.phrasing.segments[row, segment] / np.diff(verb.phrasing.generic)[segment]
    assert abs(first.shift * rate * RATE + frames) < 1.0


@pytest.mark.parametrize("row", [0, 7])
def test_a_clip_that_begins_on_the_other_foot_is_named(row: int):
    first, *rest = suspected(built({row: example(row, 0.5)}))
    assert (first.mistake, first.examples, first.keytime) == ("start", (row,), 2) and not rest


def test_two_mistakes_are_named_one_after_the_other():
    found = suspected(exchanged(built({6: example(6, 0.5)}), (1, 9)))
    assert {(one.mistake, frozenset(one.examples)) for one in found} == {
        ("start", frozenset({6})), ("adverbs", frozenset({1, 9}))
    }  # fmt: skip


def test_few_examples_say_nothing():
    few = replace(plain(), places=plain().places[:4])
    assert not can_judge(few) and suspected(few) == ()


def test_what_is_done_is_told_from_nothing_to_nearly_all():
    told: list[float] = []
    suspicions(plain(), COARSE.kernel, COARSE.degree, COARSE.radius_factor, lambda part, _text: told.append(part))
    assert told == sorted(told) and told[0] == 0.0 and 0.75 < told[-1] < 1.0
