"""Legs that are alike are computed at once; many rows come out as each by itself, whatever legs there are."""

import numpy as np
import pytest
from verbs_adverbs.core.biped.figure import JOINTS
from verbs_adverbs.core.feet.joint_locks import JointLocks
from verbs_adverbs.core.feet.lock_numbers import alone, states_of
from verbs_adverbs.core.feet.terrain_pose import TerrainPose
from verbs_adverbs.core.figure import quaternion as quat
from verbs_adverbs.core.figure.alike_legs import leg_solver
from verbs_adverbs.core.figure.knee_hinges import ExamplePoses
from verbs_adverbs.core.figure.legs import legs_for
from verbs_adverbs.core.figure.lock_point import LockPoint
from verbs_adverbs.core.figure.vector_components import UP

from .standing_rows import CHANNELS, HEEL, gliding, standing

SAME = 1e-12
RELEASED, COUNT = 10, 30
TOES = ("Toes_L", "Toes_R")
FIGURES = {
    "both feet": (TOES, (2,)),
    "four feet": ((*TOES, "Hand_L", "Hand_R"), (2, 2)),
    "one foot": (("Toes_L",), (1,)),
    "a chest on no limb": ((*TOES, "Chest"), (2, 1)),
    "a heel besides": ((*TOES, "heel"), (1, 1)),
}


def _points(names) -> tuple[LockPoint, ...]:
    return tuple(HEEL if name == "heel" else LockPoint(name, JOINTS[name], np.zeros(3)) for name in names)


def _poses() -> ExamplePoses:
    return ExamplePoses(np.array([standing(0.6), standing(0.9)]), CHANNELS.scalar_columns)


def _moving() -> tuple[np.ndarray, np.ndarray]:
    """Times and rows of a figure that glides forward while its bent arms and legs swing, none of which is straight."""
    times, rows = gliding(standing(0.7), COUNT, 0.1)
    swings = {"LowerLeg_L": 0.0, "LowerLeg_R": 0.0, "LowerArm_L": 1.0, "LowerArm_R": 0.8, "Spine": 0.1}
    for name, bent in swings.items():
        swing = np.outer(bent + 0.2 * np.sin(9.0 * times), [1.0, 0.2, 0.1])
        columns = CHANNELS.rotation_columns.start + 4 * JOINTS[name] + np.arange(4)
        rows[:, columns] = quat.multiply(rows[:, columns], quat.exp(swing))
    return times, rows


@pytest.mark.parametrize("hinged", [True, False])
@pytest.mark.parametrize("figure", FIGURES)
def test_many_rows_are_corrected_as_each_by_itself(figure, hinged):
    points = _points(FIGURES[figure][0])
    locks = JointLocks(CHANNELS, points, _poses() if hinged else None)
    times, rows = _moving()
    for point in range(len(points)):
        locks.hold(point, float(times[0]), rows[0], float(locks.given_places([point], rows[:1])[0, 0, 2]) - 0.01)
    before = locks.copy()
    locks.note(float(times[RELEASED]) - 0.005, rows[RELEASED])
    locks.release(0, float(times[RELEASED]), rows[RELEASED])
    states = states_of([before.state, locks.state], (np.arange(COUNT) >= RELEASED).astype(np.intp))
    made = locks.apply_all(times, rows, states)
    assert np.abs(made - rows).max() > 0.01
    for row, own in enumerate(times):
        state = alone((before if row < RELEASED else locks).state)
        one = locks.apply_all(np.array([own]), rows[row : row + 1], state)
        assert np.abs(one[0] - made[row]).max() < SAME


@pytest.mark.parametrize("figure", FIGURES)
def test_many_rows_are_lifted_over_a_floor_as_each_by_itself(figure):
    points = _points(FIGURES[figure][0])
    pose, (times, rows) = TerrainPose(CHANNELS, legs_for(CHANNELS, points), _poses()), _moving()
    rises = np.zeros((COUNT, 1 + len(points), 8))
    rises[:, :, 2] = 0.05 * np.sin(7.0 * times[:, None] + np.arange(1 + len(points)))
    rises[:, :, 3], rises[:, :, 4], rises[:, :, 5:] = 0.6, 0.01, UP
    rises[:, 1:, 5] = 0.2 * np.sin(5.0 * times)[:, None]
    made, sunk = pose.lift(rows, rises), np.array(pose.sunk(rows, rises))
    for row in range(COUNT):
        one = slice(row, row + 1)
        assert np.abs(pose.lift(rows[one], rises[one])[0] - made[row]).max() < SAME
        assert np.abs(np.array(pose.sunk(rows[one], rises[one])) - sunk[:, row]).max() < SAME


@pytest.mark.parametrize("figure", FIGURES)
def test_legs_with_joints_in_the_same_places_are_one_group(figure):
    names, groups = FIGURES[figure]
    solver = leg_solver(legs_for(CHANNELS, _points(names)))
    assert tuple(group.count for group in solver.alike.groups) == groups
    assert [group.count for group in solver.apart.groups] == [1] * sum(groups)
