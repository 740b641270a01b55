"""Quaternions against SciPy's rotations."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation
from verbs_adverbs.core.figure import quaternion as quat

from .synthetic import random_rotations

SEEDS = st.integers(0, 10_000)


def _scipy(q: np.ndarray) -> Rotation:
    return Rotation.from_quat(q[..., [1, 2, 3, 0]])


def _apart(q: np.ndarray, rotation: Rotation) -> float:
    return float(np.max((_scipy(q).inv() * rotation).magnitude()))


@settings(max_examples=20)
@given(SEEDS)
def test_products_rotate_by_the_second_then_the_first(seed: int):
    rng = np.random.default_rng(seed)
    a, b, v = random_rotations(rng, 9), random_rotations(rng, 9), rng.normal(size=(9, 3))
    assert _apart(quat.multiply(a, b), _scipy(a) * _scipy(b)) < 1e-12
    assert np.abs(quat.rotate(a, v) - _scipy(a).apply(v)).max() < 1e-12
    assert np.abs(quat.rotate(quat.multiply(a, b), v) - quat.rotate(a, quat.rotate(b, v))).max() < 1e-12
    assert np.abs(quat.rotate(quat.conjugate(a), quat.rotate(a, v)) - v).max() < 1e-12


@settings(max_examples=20)
@given(SEEDS)
def test_exp_and_log_are_scipys_and_each_others_inverse(seed: int):
    rng = np.random.default_rng(seed)
    vectors = rng.normal(size=(9, 3)) * 10.0 ** rng.uniform(-9, 0.2, (9, 1))
    q = quat.exp(vectors)
    assert _apart(q, Rotation.from_rotvec(vectors)) < 1e-12
    assert np.abs(quat.log(q) - _scipy(q).as_rotvec()).max() < 1e-12
    assert np.abs(quat.exp(quat.log(q)) - quat.align(q, quat.IDENTITY)).max() < 1e-12


@pytest.mark.parametrize("angle", [0.0, 1e-300, 1e-13, np.pi - 1e-9, np.pi])
def test_log_is_exact_where_it_could_be_singular(angle: float):
    axis = np.array([0.36, 0.48, -0.8])
    for sign in (1.0, -1.0):
        found = quat.log(sign * quat.from_axis_angle(axis, angle))
        assert min(np.abs(found - angle * axis).max(), np.abs(found + angle * axis).max()) < 1e-15 + 1e-9 * (
            angle > 3.0
        )
        assert np.abs(quat.exp(found) @ quat.from_axis_angle(axis, angle)) > 1.0 - 1e-15


@pytest.mark.parametrize("order", ["".join(p) for p in permutations("XYZ")])
def test_euler_angles_turn_about_the_first_letter_first(order: str):
    angles = np.random.default_rng(5).uniform(-7.0, 7.0, (50, 3))
    ordered = angles[:, ["XYZ".index(letter) for letter in order]]
    assert _apart(quat.from_euler(angles, order), Rotation.from_euler(order.lower(), ordered)) < 1e-12


@settings(max_examples=20)
@given(SEEDS)
def test_matrices_are_scipys(seed: int):
    q = random_rotations(np.random.default_rng(seed), 4, 3)
    matrices = quat.to_matrix(q)
    assert np.abs(matrices.reshape(-1, 3, 3) - _scipy(q.reshape(-1, 4)).as_matrix()).max() < 1e-12
    assert quat.angle_between(quat.from_matrix(matrices), q).max() < 1e-12


@pytest.mark.parametrize("axis", [*np.eye(3), np.array([0.6, 0.0, 0.8])])
def test_matrices_of_half_turns_come_back(axis: np.ndarray):
    q = quat.from_axis_angle(axis, np.pi)
    assert quat.angle_between(quat.from_matrix(quat.to_matrix(q)), q) < 1e-12


@settings(max_examples=20)
@given(SEEDS)
def test_the_mean_is_scipys_whatever_the_signs(seed: int):
    rng = np.random.default_rng(seed)
    q = quat.multiply(quat.exp(rng.normal(size=(12, 2, 3)) * 0.4), random_rotations(rng, 2))
    flipped = q * rng.choice([-1.0, 1.0], (12, 2, 1))
    for column in range(2):
        assert _apart(quat.mean(flipped)[column], _scipy(q[:, column]).mean()) < 1e-9


@settings(max_examples=20)
@given(st.floats(-20.0, 20.0), SEEDS)
def test_yaw_is_the_twist_about_the_vertical(heading: float, seed: int):
    rng = np.random.default_rng(seed)
    tilt = np.append(rng.normal(size=2), 0.0)
    swing = quat.exp(tilt / np.linalg.norm(tilt) * rng.uniform(0.0, 2.5))
    found = quat.yaw_of(quat.multiply(quat.from_yaw(heading), swing))
    assert abs(np.angle(np.exp(1j * (found - heading)))) < 1e-12
    assert _apart(quat.from_yaw(heading), Rotation.from_euler("z", heading)) < 1e-12


@settings(max_examples=20)
@given(SEEDS)
def test_flipped_signs_become_continuous_and_stay_the_same_rotation(seed: int):
    rng = np.random.default_rng(seed)
    turning = quat.exp(np.cumsum(rng.normal(size=(60, 2, 3)) * 0.1, axis=0))
    flipped = turning * rng.choice([-1.0, 1.0], (60, 2, 1))
    smooth = quat.continuous(flipped)
    assert (np.sum(smooth[1:] * smooth[:-1], axis=-1) > 0.0).all()
    assert quat.angle_between(smooth, turning).max() < 1e-12


def test_the_zero_quaternion_normalises_to_the_identity():
    assert (quat.normalize(np.zeros((2, 4))) == quat.IDENTITY).all()
    assert (quat.from_axis_angle(np.zeros(3), 0.0) == quat.IDENTITY).all()
