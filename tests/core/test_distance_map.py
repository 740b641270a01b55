"""The distance map of two verbs: what it holds is found independently, and what is suggested is least on it."""

from functools import cache

import numpy as np
import pytest
from scipy.spatial.distance import cdist
from verbs_adverbs.core.figure import quaternion as quat
from verbs_adverbs.core.figure.channels import world_joints
from verbs_adverbs.core.graph.distance_map import DistanceMap, distance_map, suggestions_on
from verbs_adverbs.core.graph.verb_graph import in_common
from verbs_adverbs.core.verb.verb import Verb

from .graphs import generated_verbs

FRAME, PACE = 1.0 / 30.0, 0.15
"""Seconds between the instants that are compared, and those in which a difference in velocity counts as a distance."""


@cache
def _pair(source: str, target: str) -> tuple[Verb, Verb, DistanceMap]:
    """Two verbs, with headings counted as in the first, and their map."""
    verbs = {verb.name: verb for verb in generated_verbs()}
    left, entered = in_common([verbs[source], verbs[target]])
    return left, entered, distance_map(verbs[source], verbs[target])


def _poses(verb: Verb, instants: np.ndarray, step: float) -> np.ndarray:
    """Places and paces of all joints (T, 6 J) of a verb in the mean of its examples, each seen from its own root."""
    motion, count = verb.motion(verb.places.mean(axis=0)), len(instants)
    around = np.array([instants - step, instants, instants + step])
    around = around if verb.cyclic else np.clip(around, 0.0, motion.duration)
    values = motion.sample(around.ravel())
    early, now, late = world_joints(verb.channels, values).reshape(3, count, -1, 3)
    found = []
    for row in range(count):
        heading = quat.from_yaw(-values[count + row, 2])
        places = quat.rotate(heading, now[row] - [*now[row, 0, :2], 0.0])
        paces = quat.rotate(heading, (late[row] - early[row]) / (around[2, row] - around[0, row]))
        found.append(np.concatenate([places.ravel(), PACE * paces.ravel()]))
    return np.array(found)


def _down(verb: Verb, instants: np.ndarray) -> np.ndarray:
    """Which points (T, P), in order of their names, are planted at instants of a verb."""
    motion = verb.motion(verb.places.mean(axis=0))
    phases = motion.phase(instants)
    columns = {}
    for contact, windows in zip(verb.contacts, motion.windows, strict=True):
        turns = (-1.0, 0.0, 1.0, 2.0) if verb.cyclic else (0.0,)
        columns[contact.point] = [
            any(begin + turn <= phase <= end + turn for begin, end in windows for turn in turns) for phase in phases
        ]
    return np.array([columns[name] for name in sorted(columns)]).T


@pytest.mark.parametrize(("source", "target"), [("walk", "wave"), ("wave", "stand")])
def test_it_holds_the_distances_between_windows_of_poses_and_how_often_contacts_differ(source: str, target: str):
    left, entered, found = _pair(source, target)
    steps, windows = [], []
    for axis, verb in ((found.leaves, left), (found.enters, entered)):
        begins = verb.motion(verb.places.mean(axis=0)).clock(axis.begins)
        steps.append(float(np.diff(begins).mean()))
        windows.append(np.arange(len(begins) + axis.steps) * steps[-1])
        assert abs(steps[-1] - FRAME) < 0.05 * FRAME and np.allclose(begins, windows[-1][: len(begins)])
        assert abs(axis.steps * steps[-1] - 0.4) < FRAME
    poses = [_poses(verb, *one) for verb, one in zip((left, entered), zip(windows, steps, strict=True), strict=True)]
    squares = cdist(*poses, "sqeuclidean") / len(left.channels.skeleton.names)
    down = [_down(verb, instants) for verb, instants in zip((left, entered), windows, strict=True)]
    differ = cdist(*(one.astype(float) for one in down), "hamming")
    for row, column in np.random.default_rng(1).integers(0, found.distances.shape, (40, 2)):
        window = np.arange(found.leaves.steps)
        distance = np.sqrt(squares[row + window, column + window].mean())
        assert found.distances[row, column] == pytest.approx(distance, abs=1e-6)
        assert found.differs[row, column] == pytest.approx(differ[row + window, column + window].mean(), abs=1e-9)


@pytest.mark.parametrize(("source", "target"), [("walk", "stand"), ("walk", "wave"), ("wave", "walk")])
def test_the_best_place_is_the_least_of_those_where_a_transition_may_be(source: str, target: str):
    left, entered, found = _pair(source, target)
    best = suggestions_on(found, 1)[0].transition
    rows, columns = (
        (axis.begins >= (0.5 - 1e-9 if halved else 0.0)) & (axis.begins <= latest)
        for axis, halved, latest in (
            (found.leaves, not left.cyclic, 1.0),
            (found.enters, False, 1.0 if entered.cyclic else 0.5),
        )
    )
    least = found.differences[np.ix_(rows, columns)].min()
    at = found.leaves.row(best.leaves.begin), found.enters.row(best.enters.begin)
    assert (found.leaves.begins[at[0]], found.enters.begins[at[1]]) == (best.leaves.begin, best.enters.begin)
    assert found.differences[at] == pytest.approx(least, rel=2e-3)
    assert found.differences[at] <= found.differences[found.usual].mean()


def test_a_region_begins_where_it_is_asked_to_and_lasts_as_long_as_others_over_the_seam_too():
    _, _, found = _pair("walk", "wave")
    cycle, wave = found.leaves.motion, found.enters.motion
    for begin in (0.0, 0.123, 0.97):
        region = found.leaves.region_from(begin)
        seconds = float(np.diff(cycle.clock([region.begin, region.end]))[0])
        assert region.begin == begin and abs(seconds - 0.4) < FRAME
    assert found.leaves.region_from(0.97).end > 1.0
    late = found.enters.region_from(0.99)
    assert late.end == pytest.approx(1.0) and abs(float(np.diff(wave.clock([late.begin, late.end]))[0]) - 0.4) < FRAME
