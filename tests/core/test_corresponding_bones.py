"""Bones of two programs' skeletons correspond as the joints do that they are, whatever they are called."""

import numpy as np
import pytest
from brought_files import Switches, joints_of
from brought_names import MORE_NAMED, NAMED, names_in
from verbs_adverbs.core.detect.bone_roles import FigureBones
from verbs_adverbs.core.detect.corresponding_bones import corresponding_bones
from verbs_adverbs.core.detect.find_roles import find_roles

PROGRAMS = (*NAMED, *MORE_NAMED)


def figure_of(switches: Switches) -> tuple[FigureBones, dict[str, str]]:
    """A figure in a T-pose that stands along Z, and the joints that its bones are."""
    joints = joints_of(switches)
    order = sorted(joints, key=lambda name: depth(joints, name))
    heads = {"": np.zeros(3)}
    for name in order:
        heads[name] = heads[joints[name][0]] + joints[name][1]
    names = names_in(switches.named, list(joints))
    below = {name: next((one for one in order if joints[one][0] == name), None) for name in order}
    tails = [heads[below[name] or name] + (0.0 if below[name] else 0.3 * np.array(joints[name][1])) for name in order]
    upright = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]])
    parents = tuple(order.index(joints[name][0]) if joints[name][0] else -1 for name in order)
    places = np.array([heads[name] for name in order]) @ upright
    figure = FigureBones(tuple(names[name] for name in order), parents, places, np.array(tails) @ upright)
    return figure, {names[name]: name for name in order}


def depth(joints, name: str) -> int:
    return 0 if not name else 1 + depth(joints, joints[name][0])


def wrong_pairs(one: Switches, other: Switches) -> list[str]:
    """Bones that correspond to others than they should, and such as correspond to none though they should."""
    (own, mine), (theirs, its) = figure_of(one), figure_of(other)
    found = corresponding_bones(own, theirs, find_roles(own), find_roles(theirs), {})
    joints = {mine[name]: its[mate] for name, mate in found.items()}
    shared = set(mine.values()) & set(its.values())
    return [f"{joint} is {joints.get(joint)}" for joint in sorted(shared) if joints.get(joint) != joint]


@pytest.mark.parametrize("own", PROGRAMS)
def test_bones_of_all_programs_correspond(own: str):
    wrong = {other: wrong_pairs(Switches(own), Switches(other, trunk=1.1)) for other in PROGRAMS}
    assert not {other: found for other, found in wrong.items() if found}


@pytest.mark.parametrize("between", [("spine",), ("hip joints",), ("thigh twists",), ("top",)])
@pytest.mark.parametrize("swapped", [False, True])
def test_a_bone_more_does_not_shift_the_others(between: tuple[str, ...], swapped: bool):
    pairs = [("MotionBuilder", "numbered"), ("Biped", "CMU"), ("Unreal", "Bandai-Namco"), ("CMU", "numbered")]
    wrong: dict[str, list[str]] = {}
    for own, other in pairs:
        pair = Switches(own, between=between), Switches(other, toe=False)
        wrong[own] = wrong_pairs(*(pair[::-1] if swapped else pair))
    assert not {own: found for own, found in wrong.items() if found}
