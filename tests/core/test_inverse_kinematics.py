"""Small corrections reach their targets, and their Jacobian is the difference quotient."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from verbs_adverbs.core.figure import quaternion as quat
from verbs_adverbs.core.figure.chain_inverse_kinematics import chain_columns, damped_turns, reach
from verbs_adverbs.core.figure.channels import Channels, rotations_of, with_rotations, world_frames, world_points
from verbs_adverbs.core.figure.lock_point import LockPoint
from verbs_adverbs.core.figure.skeleton import Skeleton

from .synthetic import random_channels, random_rotations

SEEDS = st.integers(0, 10_000)


def _arm(rng: np.random.Generator) -> Channels:
    """A chain of five joints, all of which rotate."""
    offsets = np.zeros((5, 3))
    offsets[1:, 1] = [0.1, 0.45, 0.4, 0.15]
    rests = np.concatenate([[quat.IDENTITY], random_rotations(rng, 4)])
    parents = np.arange(-1, 4, dtype=np.intp)
    skeleton = Skeleton(tuple("abcde"), parents, offsets, rests, np.zeros((5, 3)))
    return Channels(skeleton, np.arange(5, dtype=np.intp), (), np.tile(quat.IDENTITY, (5, 1)))


def _pose(rng: np.random.Generator, channels: Channels, rows: int = 4) -> np.ndarray:
    values = rng.normal(size=(rows, channels.width))
    values[:, channels.rotation_columns] = random_rotations(rng, rows, len(channels.rotating)).reshape(rows, -1)
    return values


@settings(max_examples=15)
@given(SEEDS)
def test_the_jacobian_is_the_quotient_of_differences(seed: int):
    rng = np.random.default_rng(seed)
    channels = _arm(rng)
    values = _pose(rng, channels, 1)
    joint, offset = 4, np.array([0.05, 0.1, 0.0])
    columns = chain_columns(channels, joint, offset)
    positions, orientations = world_frames(channels, values)
    point = world_points(channels, values, joint, offset)
    arms = point[:, None] - positions[:, channels.rotating[columns]]
    step = rng.normal(size=(1, 3)) * 1e-6
    turns, _ = damped_turns(arms[:, None], step[:, None], 1e-9)
    for column, turn in zip(columns, turns[0], strict=True):
        parent = channels.skeleton.parents[channels.rotating[column]]
        frame = quat.multiply(orientations[:, parent], channels.skeleton.rests[channels.rotating[column]])
        rotations = rotations_of(channels, values).copy()
        rotations[:, column] = quat.multiply(quat.exp(quat.rotate(quat.conjugate(frame), turn)), rotations[:, column])
        moved = world_points(channels, with_rotations(channels, values, rotations), joint, offset) - point
        arm = point - positions[:, channels.rotating[column]]
        assert np.abs(moved - np.cross(turn, arm)).max() < 1e-10
    assert np.abs(np.cross(turns, arms).sum(axis=1) - step).max() < 1e-3 * np.abs(step).max()


@settings(max_examples=15)
@given(SEEDS)
def test_near_targets_are_reached_by_the_joints_between_root_and_point_alone(seed: int):
    rng = np.random.default_rng(seed)
    channels = _arm(rng)
    start = _pose(rng, channels)
    bent = rotations_of(channels, start).copy()
    bent[:, 1:4] = quat.multiply(quat.exp(rng.normal(size=(4, 3, 3)) * 0.1), bent[:, 1:4])
    offset = np.array([0.0, 0.05, 0.0])
    targets = world_points(channels, with_rotations(channels, start, bent), 4, offset)
    solved = reach(channels, start, [LockPoint("point", 4, offset)], targets[None], iterations=200)
    assert np.abs(world_points(channels, solved, 4, offset) - targets).max() < 1e-5
    changed = np.flatnonzero(np.abs(rotations_of(channels, solved) - rotations_of(channels, start)).max(axis=(0, 2)))
    assert set(changed) <= {1, 2, 3}
    assert np.abs(np.linalg.norm(rotations_of(channels, solved), axis=-1) - 1.0).max() < 1e-12


@settings(max_examples=10)
@given(SEEDS, st.floats(1.02, 4.0))
def test_a_target_out_of_reach_is_approached_and_its_neighbour_alike(seed: int, far: float):
    rng = np.random.default_rng(seed)
    channels = _arm(rng)
    values = np.repeat(_pose(rng, channels, 1), 2, axis=0)
    shoulder = world_frames(channels, values)[0][:, 1]
    away = world_points(channels, values, 4, np.zeros(3)) - shoulder
    targets = shoulder + away / np.linalg.norm(away, axis=-1, keepdims=True) * np.array([[far], [far + 1e-4]])
    solved = reach(channels, values, [LockPoint("point", 4, np.zeros(3))], targets[None])
    points = world_points(channels, solved, 4, np.zeros(3))
    assert np.linalg.norm(points - shoulder, axis=-1).min() > 0.9
    assert np.linalg.norm(np.diff(points, axis=0)) < 0.01


def _leg(rng: np.random.Generator) -> Channels:
    """A root with one joint, such as a leg of one bone."""
    offsets = np.array([[0.0, 0.0, 0.0], [0.1, 0.0, -0.1]])
    rests = np.concatenate([[quat.IDENTITY], random_rotations(rng, 1)])
    skeleton = Skeleton(("hip", "leg"), np.array([-1, 0], dtype=np.intp), offsets, rests, np.zeros((2, 3)))
    return Channels(skeleton, np.arange(2, dtype=np.intp), (), np.tile(quat.IDENTITY, (2, 1)))


@settings(max_examples=15)
@given(SEEDS)
def test_a_joint_right_below_the_root_turns_itself_to_bring_its_tail_there(seed: int):
    rng = np.random.default_rng(seed)
    channels = _leg(rng)
    start, tail = _pose(rng, channels), np.array([0.0, 0.9, 0.0])
    bent = rotations_of(channels, start).copy()
    bent[:, 1] = quat.multiply(quat.exp(rng.normal(size=(4, 3)) * 0.1), bent[:, 1])
    targets = world_points(channels, with_rotations(channels, start, bent), 1, tail)
    assert np.abs(world_points(channels, start, 1, tail) - targets).max() > 1e-3
    solved = reach(channels, start, [LockPoint("point", 1, tail)], targets[None])
    assert np.abs(world_points(channels, solved, 1, tail) - targets).max() < 1e-5
    assert (rotations_of(channels, solved)[:, 0] == rotations_of(channels, start)[:, 0]).all()


@pytest.mark.parametrize(("made", "joint", "seed"), [(random_channels, 0, 5), (_leg, 1, 6)])
def test_the_root_and_the_origin_of_a_joint_right_below_it_stay_where_they_are(made, joint: int, seed: int):
    rng = np.random.default_rng(seed)
    channels = made(rng)
    values = _pose(rng, channels)
    assert (reach(channels, values, [LockPoint("point", joint, np.zeros(3))], np.ones((4, 3))[None]) == values).all()
