"""Legs stand where the whole skeleton's forward kinematics put them, and turn as little as can be."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from verbs_adverbs.core.biped.figure import JOINTS
from verbs_adverbs.core.figure import quaternion as quat
from verbs_adverbs.core.figure.channels import Channels, world_joints, world_points
from verbs_adverbs.core.figure.leg_inverse_kinematics import reach_points
from verbs_adverbs.core.figure.leg_kinematics import (
    chain_rotations,
    from_space,
    in_space,
    moved_steps,
    points_of,
    positions,
    with_chain_rotations,
)
from verbs_adverbs.core.figure.legs import make_legs
from verbs_adverbs.core.figure.lock_point import LockPoint

from .synthetic import random_channels, random_rotations
from .walks import biped_channels

SEEDS = st.integers(0, 10_000)
HEEL_AND_BALL = ("Foot_L", "Toes_L")


def _rows(rng: np.random.Generator, channels: Channels, count: int = 3) -> np.ndarray:
    values = rng.normal(size=(count, channels.width))
    rotations = random_rotations(rng, count, len(channels.rotating))
    values[:, channels.rotation_columns] = rotations.reshape(count, -1)
    return values


def _check_points(channels: Channels, points: list[LockPoint], values: np.ndarray) -> None:
    legs = make_legs(channels, points)
    turned = chain_rotations(legs, values)
    space = in_space(legs, turned)
    places = points_of(legs, positions(legs, space, moved_steps(legs, values, channels.scalar_columns)))
    local = places.reshape(len(values), *legs.members.shape, 3)
    root = world_joints(channels, values)[:, 0]
    heading = quat.from_yaw(values[:, 2])
    for index, point in enumerate(points):
        leg, slot = legs.place(index)
        wanted = world_points(channels, values, point.joint, point.offset)
        assert np.abs(root + quat.rotate(heading, local[:, leg, slot]) - wanted).max() < 1e-10
    assert np.abs(from_space(legs, space) - turned).max() < 1e-12
    assert np.abs(with_chain_rotations(legs, values, turned) - values).max() < 1e-12


@settings(max_examples=30)
@given(SEEDS)
def test_points_of_any_skeleton_are_where_forward_kinematics_put_them(seed: int):
    rng = np.random.default_rng(seed)
    channels = random_channels(rng)
    joints = rng.integers(0, len(channels.skeleton.names), 5)
    points = [LockPoint(str(i), int(j), rng.normal(size=3) * (i % 2)) for i, j in enumerate(joints)]
    _check_points(channels, points, _rows(rng, channels))


def test_heel_and_ball_of_both_feet_are_two_legs():
    rng = np.random.default_rng(1)
    channels = biped_channels()
    names = ("Foot_L", "Toes_L", "Foot_R", "Toes_R")
    points = [LockPoint(n, JOINTS[n], np.array([0.0, -0.03, 0.0]) * n.startswith("Foot")) for n in names]
    legs = make_legs(channels, points)
    assert sorted(sorted(row) for row in legs.members.tolist()) == [[0, 1], [2, 3]]
    assert (legs.turning.sum(axis=1) == 3).all()
    _check_points(channels, points, _rows(rng, channels))


def test_what_carries_several_legs_is_not_turned():
    channels = biped_channels()
    hands = [LockPoint(n, JOINTS[n], np.zeros(3)) for n in ("Hand_L", "Hand_R")]
    turned = make_legs(channels, hands).turning.sum(axis=1)
    assert turned.tolist() == [3, 3]  # shoulder, upper and lower arm, but no spine


@pytest.mark.parametrize("names", [("Toes_L", "Toes_R"), ("Toes_L", "Toes_R", "Foot_L", "Foot_R")])
@settings(max_examples=10)
@given(seed=SEEDS)
def test_near_targets_are_reached(names: tuple[str, ...], seed: int):
    rng = np.random.default_rng(seed)
    channels = biped_channels()
    values = _rows(rng, channels)
    columns = channels.rotation_columns
    bent = quat.exp(0.25 * rng.normal(size=(3, len(channels.rotating), 3)))
    values[:, columns] = bent.reshape(3, -1)
    legs = make_legs(channels, [LockPoint(n, JOINTS[n], np.zeros(3)) for n in names])
    near = values.copy()
    moved = quat.multiply(bent, quat.exp(0.05 * rng.normal(size=(*bent.shape[:2], 3))))
    moved[:, 0] = bent[:, 0]
    near[:, columns] = moved.reshape(3, -1)
    space = in_space(legs, chain_rotations(legs, values))
    targets = points_of(legs, positions(legs, in_space(legs, chain_rotations(legs, near)), None))
    solved = reach_points(legs, space, None, targets, np.ones(targets.shape))
    assert np.abs(points_of(legs, positions(legs, solved, None)) - targets).max() < 1e-5


def test_turns_are_the_smallest_that_reach():
    rng = np.random.default_rng(3)
    channels = biped_channels()
    values = np.zeros((1, channels.width))
    bent = quat.exp(0.3 * rng.normal(size=(1, len(channels.rotating), 3)))
    values[:, channels.rotation_columns] = bent.reshape(1, -1)
    legs = make_legs(channels, [LockPoint("ball", JOINTS["Toes_L"], np.zeros(3))])
    space = in_space(legs, chain_rotations(legs, values))
    places = positions(legs, space, None)
    error = np.array([[[1e-5, -2e-5, 1.5e-5]]])
    solved = reach_points(legs, space, None, points_of(legs, places) + error, np.ones(error.shape))
    turns = quat.log(quat.multiply(solved, quat.conjugate(space)))[0]
    own = np.diff(turns, axis=0, prepend=np.zeros((1, 3))).reshape(-1)
    jacobian = (places @ legs.jacobian).reshape(len(own), 3)
    wanted = np.linalg.pinv(jacobian.T) @ error[0, 0]
    assert np.abs(own - wanted).max() < 1e-3 * np.abs(wanted).max()


@pytest.mark.parametrize("scale", [1.0 / 128.0, 128.0])
def test_figures_of_any_size_turn_alike(scale: float):
    rng = np.random.default_rng(5)
    channels = biped_channels()
    values = _rows(rng, channels)
    near = quat.exp(0.3 * rng.normal(size=(3, len(channels.rotating), 3)))
    values[:, channels.rotation_columns] = near.reshape(3, -1)
    move = rng.normal(scale=0.1, size=(3, 1, 6))
    solved = []
    for size in (1.0, scale):
        skeleton = replace(channels.skeleton, offsets=size * channels.skeleton.offsets)
        legs = make_legs(
            replace(channels, skeleton=skeleton), [LockPoint(n, JOINTS[n], np.zeros(3)) for n in HEEL_AND_BALL]
        )
        space = in_space(legs, chain_rotations(legs, values))
        targets = points_of(legs, positions(legs, space, None)) + size * move
        solved.append(reach_points(legs, space, None, targets, np.ones(targets.shape)))
    assert np.abs(solved[0] - space).max() > 0.01
    assert np.abs(solved[1] - solved[0]).max() < 1e-6
