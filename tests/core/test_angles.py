"""Euler angles and axis-angles are the rotations they came from, and go from row to row without flips."""

from itertools import permutations

import numpy as np
import pytest
from verbs_adverbs.core.figure import quaternion as quat
from verbs_adverbs.core.figure.quaternion import euler_pose, to_axis_angle, to_euler

ORDERS = ["".join(p) for p in permutations("XYZ")]


def _wild_path(count: int = 400, seed: int = 3) -> np.ndarray:
    """Smooth rotations (count, 5, 4) that turn more than once about changing axes."""
    rng = np.random.default_rng(seed)
    t = np.linspace(0.0, 1.0, count)[:, None, None]
    size, speed, phase = rng.uniform(0.5, 3.0, (5, 3)), rng.uniform(2.0, 9.0, (5, 3)), rng.uniform(0.0, 6.0, (5, 3))
    return quat.multiply(quat.exp(size * np.sin(speed * t + phase)), quat.from_yaw(9.0 * t[..., 0]))


@pytest.mark.parametrize("order", ORDERS)
def test_euler_angles_give_the_same_rotation(order: str):
    q = _wild_path()
    assert quat.angle_between(quat.from_euler(to_euler(q, order), order), q).max() < 1e-7


@pytest.mark.parametrize("order", ORDERS)
def test_quick_euler_angles_of_a_pose_give_the_same_rotation(order: str):
    q = _wild_path().reshape(-1, 4)
    assert quat.angle_between(quat.from_euler(euler_pose(3.0 * q, order), order), q).max() < 1e-7
    i, j, k = ("XYZ".index(letter) for letter in order)
    locked = np.zeros((3, 3))
    locked[:, i], locked[:, j], locked[:, k] = 0.4, (np.pi / 2, -np.pi / 2, 0.0), 0.3
    q = quat.from_euler(locked, order)
    assert quat.angle_between(quat.from_euler(euler_pose(q, order), order), q).max() < 1e-6


@pytest.mark.parametrize("order", ORDERS)
def test_euler_angles_of_a_smooth_path_are_the_angles_it_was_made_of(order: str):
    t = np.linspace(0.0, 1.0, 300)[:, None]
    made = np.concatenate([9.0 * t, -7.0 * t + 0.1, 8.0 * np.sin(3.0 * t)], axis=-1)
    q = quat.from_euler(made, order) * np.where(np.arange(300) % 3 == 0, -1.0, 1.0)[:, None]
    assert np.abs(to_euler(q, order) - made).max() < 1e-6


@pytest.mark.parametrize("order", ORDERS)
def test_euler_angles_keep_the_first_angle_in_gimbal_lock(order: str):
    i, j, k = ("XYZ".index(letter) for letter in order)
    made = np.zeros((20, 3))
    made[:, i], made[:, j], made[:, k] = 0.4, np.pi / 2, np.linspace(0.0, 1.0, 20)
    made[:5, j] -= np.linspace(0.2, 0.01, 5)
    found = to_euler(quat.from_euler(made, order), order)
    assert np.abs(found - made).max() < 1e-6


def test_the_first_row_is_nearest_to_the_reference():
    made = np.array([[0.3, 2.8, -0.2]])
    q = quat.from_euler(made, "XYZ")
    assert np.abs(to_euler(q, "XYZ", made[0] + 4.0 * np.pi) - made - 4.0 * np.pi).max() < 1e-9


def test_axis_angles_give_the_same_rotation():
    q = _wild_path()
    found = to_axis_angle(q)
    assert quat.angle_between(quat.from_axis_angle(found[..., 1:], found[..., 0]), q).max() < 1e-7
    assert np.abs(np.linalg.norm(found[..., 1:], axis=-1) - 1.0).max() < 1e-12


def test_the_axis_does_not_turn_over_where_the_rotation_passes_the_rest():
    angle = np.linspace(-1.0, 14.0, 200)
    axis = np.array([0.6, 0.0, 0.8])
    signs = np.where(np.arange(200) % 2 == 0, -1.0, 1.0)[:, None]
    found = to_axis_angle(quat.from_axis_angle(np.broadcast_to(axis, (200, 3)), angle) * signs, np.array([-1.0, *axis]))
    assert np.abs(found[:, 1:] - axis).max() < 1e-6
    assert np.abs(found[:, 0] - angle).max() < 1e-9
