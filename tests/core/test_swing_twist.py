"""Laws of swing and twist, and of the nearest point of an ellipse, against SciPy's rotations and minimiser."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar
from scipy.spatial.transform import Rotation
from verbs_adverbs.core.figure import quaternion as quat
from verbs_adverbs.core.figure.joint_limits import nearest_angle
from verbs_adverbs.core.figure.swing_twist import (
    from_swing_and_twist,
    limb_frame,
    nearest_in_ellipse,
    swing_and_twist,
    swing_towards,
)

from .synthetic import random_rotations

ANGLES = st.floats(-np.pi, np.pi)
TINY_ANGLES = st.one_of(ANGLES, st.sampled_from([0.0, 5e-324, 1e-300, 1e-160, -1e-13, 1e-8, np.pi, -np.pi]))
HALF_AXES = st.one_of(st.floats(0.0, np.pi), st.sampled_from([0.0, 1e-300, 1e-13, 1e-9, 1e-4, np.pi]))


def _scipy(q: np.ndarray) -> Rotation:
    return Rotation.from_quat(q[..., [1, 2, 3, 0]])


def _apart(a: np.ndarray, b: np.ndarray) -> float:
    return float(quat.angle_between(a, b).max())


def test_a_hundred_thousand_rotations_are_what_their_swings_and_twists_make():
    rng = np.random.default_rng(4)
    rotations, frames = random_rotations(rng, 100_000), random_rotations(rng, 100_000)
    for frame in (quat.IDENTITY, frames[0], frames):
        swings, twists = swing_and_twist(rotations, frame)
        assert np.linalg.norm(swings, axis=-1).max() <= np.pi + 1e-12
        assert np.abs(twists).max() <= np.pi + 1e-12
        assert _apart(from_swing_and_twist(swings, twists, frame), rotations) < 1e-7


def test_swing_and_twist_are_rotations_of_scipy_about_level_axes_and_about_the_limb():
    rng = np.random.default_rng(5)
    swings, twists = rng.uniform(-2.0, 2.0, (500, 2)), rng.uniform(-np.pi, np.pi, 500)
    aside = Rotation.from_rotvec(np.concatenate([swings, np.zeros((500, 1))], axis=1))
    about = Rotation.from_rotvec(twists[:, None] * [0.0, 0.0, 1.0])
    frame = random_rotations(rng, 1)[0]
    whole = _scipy(frame) * aside * about * _scipy(frame).inv()
    made = from_swing_and_twist(swings, twists, frame)
    assert (_scipy(made).inv() * whole).magnitude().max() < 1e-12
    found_swings, found_twists = swing_and_twist(whole.as_quat()[:, [3, 0, 1, 2]], frame)
    assert np.abs(found_swings - swings).max() < 1e-9
    assert np.abs(found_twists - twists).max() < 1e-9


def test_the_swing_alone_decides_where_the_limb_points():
    rng = np.random.default_rng(6)
    frame, directions = random_rotations(rng, 300), rng.normal(size=(300, 3))
    made = from_swing_and_twist(swing_towards(directions), rng.uniform(-3.0, 3.0, 300), frame)
    limb = quat.rotate(made, quat.rotate(frame, [0.0, 0.0, 1.0]))
    wanted = quat.rotate(frame, directions / np.linalg.norm(directions, axis=-1, keepdims=True))
    assert np.abs(limb - wanted).max() < 1e-12


@pytest.mark.parametrize(("axis", "side"), [([0.0, 1.0, 0.0], None), ([0.0, -3.0, 0.0], [2.0, 1.0, 0.0])])
def test_the_z_axis_of_a_limbs_frame_lies_along_the_limb(axis: list[float], side: list[float] | None):
    turned = quat.to_matrix(limb_frame(axis, side))
    assert np.abs(turned[:, 2] - np.array(axis) / np.linalg.norm(axis)).max() < 1e-15
    assert np.abs(turned[:, 0] - [1.0, 0.0, 0.0]).max() < 1e-15


def test_frames_of_opposite_limbs_are_half_a_turn_about_x():
    assert np.abs(limb_frame([0.0, 0.0, -2.0]) - [0.0, 1.0, 0.0, 0.0]).max() < 1e-15
    assert np.abs(limb_frame([0.0, 0.0, 2.0]) - quat.IDENTITY).max() == 0.0


@given(TINY_ANGLES, TINY_ANGLES, TINY_ANGLES, st.booleans())
def test_singular_rotations_are_put_together_again_and_signs_of_quaternions_do_not_matter(
    angle: float, bearing: float, twist: float, flipped: bool
):
    swing = angle * np.array([np.cos(bearing), np.sin(bearing)])
    made = from_swing_and_twist(swing, twist)
    swings, twists = swing_and_twist(-made if flipped else made)
    assert np.all(np.isfinite(swings))
    assert -np.pi <= twists <= np.pi
    assert _apart(from_swing_and_twist(swings, twists), made) < 1e-7
    assert np.abs(swings).max() <= abs(angle) + 1e-9
    other_swings, other_twists = swing_and_twist(made if flipped else -made)
    assert np.array_equal(swings, other_swings)
    assert abs(np.sin(0.5 * (twists - other_twists))) < 1e-12 or abs(abs(twists) - np.pi) < 1e-9


@pytest.mark.parametrize("bearing", [0.0, 0.7, 2.0, np.pi, -1.0, -3.0])
@pytest.mark.parametrize("twist", [0.0, 1.0, np.pi])
def test_a_swing_by_half_a_turn_has_no_twist_and_a_positive_axis(bearing: float, twist: float):
    rotation = np.array([0.0, np.cos(bearing), np.sin(bearing), 0.0])
    made = quat.multiply(rotation, quat.from_yaw(twist))
    for q in (made, -made):
        swing, found = swing_and_twist(q)
        assert found == 0.0
        assert abs(np.linalg.norm(swing) - np.pi) < 1e-12
        assert swing[0] > 0.0 or (abs(swing[0]) < 1e-12 and swing[1] > 0.0)
        assert _apart(from_swing_and_twist(swing, found), made) < 1e-7


@given(st.floats(0.0, 1e-6), ANGLES, st.floats(-1e-6, 1e-6))
def test_near_the_identity_swing_and_twist_are_half_the_components(size: float, bearing: float, twist: float):
    swing = size * np.array([np.cos(bearing), np.sin(bearing)])
    q = from_swing_and_twist(swing, twist)
    found, about = swing_and_twist(q)
    assert np.abs(found - 2.0 * q[1:3]).max() < 1e-12
    assert abs(about - 2.0 * q[3]) < 1e-12


def _by_minimiser(point: np.ndarray, axes: np.ndarray) -> float:
    """Distance of a point from an ellipse's rim: the least over brackets of the angle along the rim."""

    def square(angle: float) -> float:
        return float(np.sum((axes * [np.cos(angle), np.sin(angle)] - point) ** 2))

    starts = np.linspace(0.0, 2.0 * np.pi, 9)
    found = [
        minimize_scalar(square, bounds=(a, b), method="bounded", options={"xatol": 1e-12})
        for a, b in zip(starts[:-1], starts[1:], strict=True)
    ]
    return float(np.sqrt(min(one.fun for one in found)))


def test_nearest_points_of_ellipses_are_those_that_a_minimiser_finds():
    rng = np.random.default_rng(7)
    axes = rng.uniform(0.0, 2.0, (400, 2)) * 10.0 ** rng.integers(-3, 1, (400, 2))
    points = np.where(np.arange(400)[:, None] % 2, rng.uniform(-1.5, 1.5, (400, 2)) * axes, rng.normal(size=(400, 2)))
    near = nearest_in_ellipse(points, axes)
    inside = np.square(points / axes).sum(axis=1) <= 1.0
    assert 20 < inside.sum() < 380
    assert np.array_equal(near[inside], points[inside])
    for point, half, found in zip(points[~inside], axes[~inside], near[~inside], strict=True):
        assert abs(np.linalg.norm(point - found) - _by_minimiser(point, half)) < 1e-9
        assert abs(np.square(found / half).sum() - 1.0) < 1e-12


@settings(max_examples=300)
@given(st.floats(-10.0, 10.0), st.floats(-10.0, 10.0), HALF_AXES, HALF_AXES)
def test_no_point_of_a_thin_flat_or_round_ellipse_is_nearer(x: float, y: float, a: float, b: float):
    point, axes = np.array([x, y]), np.array([a, b])
    found = nearest_in_ellipse(point, axes)
    kept = np.where(axes < 1e-12, 0.0, axes)
    assert np.all(np.abs(found) <= kept + 1e-15)
    if np.all(kept > 0.0):
        assert np.square(found / kept).sum() <= 1.0 + 1e-12 or np.array_equal(found, point)
    angles = np.linspace(0.0, 2.0 * np.pi, 2001)
    rim = kept * np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    everywhere = np.concatenate([rim, 0.5 * rim, [[0.0, 0.0]], np.clip(point, -kept, kept)[None] * (min(kept) == 0.0)])
    assert np.linalg.norm(found - point) <= np.linalg.norm(everywhere - point, axis=-1).min() + 1e-12


def test_an_ellipse_of_one_limb_bounds_many_swings_and_many_ellipses_bound_one():
    rng = np.random.default_rng(8)
    swings, axes = rng.uniform(-3.0, 3.0, (6, 5, 2)), rng.uniform(0.0, 1.0, (5, 2))
    together = nearest_in_ellipse(swings, axes)
    assert together.shape == (6, 5, 2)
    one_by_one = [[nearest_in_ellipse(swings[i, j], axes[j]) for j in range(5)] for i in range(6)]
    assert np.array_equal(together, one_by_one)
    assert nearest_in_ellipse(swings[0, 0], axes).shape == (5, 2)
    assert nearest_in_ellipse(np.zeros((0, 2)), axes[0]).shape == (0, 2)


@pytest.mark.parametrize(
    ("angle", "low", "high", "nearest"),
    [(0.2, -0.5, 0.5, 0.2), (0.9, -0.5, 0.5, 0.5), (-3.0, 2.5, 4.0, -3.0 + 2.0 * np.pi), (3.0, -1.0, 0.5, -1.0),
     (-3.0, -1.0, 0.5, -1.0), (3.0, -1.0, 0.8, 0.8), (1.0, -np.inf, np.inf, 1.0), (2.0, 0.3, 0.3, 0.3)],
)  # fmt: skip
def test_a_twist_beyond_its_range_goes_to_the_nearer_end(angle: float, low: float, high: float, nearest: float):
    assert abs(float(nearest_angle(angle, low, high)) - nearest) < 1e-12
