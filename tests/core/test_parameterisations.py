"""Laws of how joints are written as numbers, against SciPy's rotations; limits; bad input."""

from math import inf, pi

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize
from scipy.spatial.transform import Rotation
from verbs_adverbs.core.errors import RigError
from verbs_adverbs.core.figure import quaternion as quat
from verbs_adverbs.core.figure.joint_limits import ORDERS
from verbs_adverbs.core.figure.parameterisations import (
    PAIRS,
    PROPER,
    Euler,
    Location,
    Parameterisation,
    Quaternion,
    Swing,
    SwingTwist,
    Turn,
    Turning,
)

from .synthetic import random_rotations

TILTED = tuple(random_rotations(np.random.default_rng(1), 1)[0].tolist())
WHOLE: tuple[Turning, ...] = (
    Quaternion(),
    SwingTwist(),
    SwingTwist(TILTED),
    SwingTwist(TILTED, centre=(0.6, 0.0, 0.8, 0.0)),
    *(Euler(order) for order in (*ORDERS, *PROPER)),
)
PARTLY: tuple[Turning, ...] = (Swing(), Swing(TILTED), Turn((0.36, 0.48, -0.8)), *(Euler(order) for order in PAIRS))
ANGLES = st.one_of(st.floats(-pi, pi), st.sampled_from([0.0, pi / 2, -pi / 2, pi, -pi, 1e-9, 1e-300]))


def _named(one: Parameterisation) -> str:
    return " ".join(str(part) for part in one.key if isinstance(part, str))  # type: ignore[attr-defined]


def _scipy(q: np.ndarray) -> Rotation:
    return Rotation.from_quat(q[..., [1, 2, 3, 0]])


@pytest.mark.parametrize("one", WHOLE, ids=_named)
def test_any_rotation_is_had_back_from_its_numbers(one: Turning):
    q = random_rotations(np.random.default_rng(2), 30, 40)
    values = one.values(q)
    assert values.shape == (30, 40, one.count)
    assert quat.angle_between(one.rotations(values), q).max() < 1e-7


@pytest.mark.parametrize("one", PARTLY, ids=_named)
def test_numbers_of_fewer_degrees_of_freedom_are_had_back_from_their_rotation(one: Turning):
    values = np.random.default_rng(3).uniform(-0.49 * pi, 0.49 * pi, (30, 40, one.count))
    for sign in (1.0, -1.0):
        assert np.abs(one.values(sign * one.rotations(values)) - values).max() < 1e-9


@pytest.mark.parametrize("order", [*ORDERS, *PROPER, *PAIRS])
def test_euler_angles_are_those_of_scipy(order: str):
    one, rng = Euler(order), np.random.default_rng(4)
    values = rng.uniform(-pi, pi, (500, len(order)))
    theirs = Rotation.from_euler(order.lower(), values)
    assert (_scipy(one.rotations(values)).inv() * theirs).magnitude().max() < 1e-12
    if len(order) == 3:
        found = one.values(theirs.as_quat()[:, [3, 0, 1, 2]])
        assert np.abs(np.sin(0.5 * (found - theirs.as_euler(order.lower())))).max() < 1e-7


@pytest.mark.parametrize("one", [Turn((0.36, 0.48, -0.8)), Euler("XZ"), Euler("YX")], ids=_named)
def test_what_is_left_of_a_rotation_is_the_nearest_one(one: Turning):
    for q in random_rotations(np.random.default_rng(5), 30):

        def off(values: np.ndarray, q: np.ndarray = q) -> float:
            return -abs(float(one.rotations(values) @ q))

        starts = np.random.default_rng(6).uniform(-pi, pi, (12, one.count))
        best = min(float(minimize(off, start, tol=1e-12).fun) for start in starts)
        assert off(one.values(q)) <= best + 1e-9


def test_a_swing_keeps_the_direction_of_the_limb_whatever_the_twist():
    one, q = Swing(TILTED), random_rotations(np.random.default_rng(7), 200)
    limb = quat.rotate(np.array(TILTED), [0.0, 0.0, 1.0])
    assert np.abs(quat.rotate(one.rotations(one.values(q)), limb) - quat.rotate(q, limb)).max() < 1e-12


def test_a_turn_is_scipys_rotation_about_its_axis():
    axis, angles = (0.36, 0.48, -0.8), np.linspace(-3.0, 3.0, 50)
    theirs = Rotation.from_rotvec(angles[:, None] * axis)
    assert (_scipy(Turn(axis).rotations(angles[:, None])).inv() * theirs).magnitude().max() < 1e-12


@given(ANGLES, ANGLES, ANGLES, st.sampled_from([*ORDERS, *PROPER]), st.booleans())
def test_euler_angles_in_gimbal_lock_and_at_whole_turns_give_the_same_rotation(
    a: float, b: float, c: float, order: str, flipped: bool
):
    one = Euler(order)
    q = one.rotations([a, b, c])
    found = one.values(-q if flipped else q)
    assert np.all(np.isfinite(found))
    assert quat.angle_between(one.rotations(found), q) < 1e-7


@pytest.mark.parametrize("order", ["XYZ", "ZXY", "ZXZ", "YXY"])
def test_of_both_triples_of_euler_angles_the_one_within_the_limits_is_found(order: str):
    low, high = (2.0, -2.5, -4.5), (3.5, -1.7, -3.0)
    one, rng = Euler(order, low, high), np.random.default_rng(8)
    values = rng.uniform(low, high, (300, 3))
    assert np.abs(one.values(one.rotations(values)) - values).max() < 1e-7


LIMITED: tuple[Turning, ...] = (
    SwingTwist(TILTED, (0.7, 0.2), -0.4, 1.1),
    SwingTwist(TILTED, (0.0, 0.9), 0.3, 0.3),
    Swing(TILTED, (1.2, 0.5)),
    Turn((0.0, 0.6, 0.8), -0.1, 2.4),
    Euler("XZ", (-0.2, 0.0), (1.0, 2.0)),
    Euler("YXZ", (-0.2, 0.0, 3.0), (1.0, 2.0, 4.0)),
    Euler("ZYZ", (-0.2, 0.1, -inf), (1.0, 2.0, inf)),
)


def _within(one: Turning, values: np.ndarray) -> np.ndarray:
    """By how much values (T, count) are beyond limits, in words of the limits themselves."""
    if isinstance(one, SwingTwist | Swing):
        a, b = (half if half > 0.0 else 1e-15 for half in one.half_axes)
        over = np.hypot(values[:, 0] / a, values[:, 1] / b) - 1.0
        if isinstance(one, Swing):
            return over
        return np.max([over, one.low - values[:, 2], values[:, 2] - one.high], axis=0)
    low, high = (np.array(ends) for ends in (one.low, one.high))  # type: ignore[attr-defined]
    return np.max(np.concatenate([low - values, values - high], axis=1), axis=1)


@pytest.mark.parametrize("one", LIMITED, ids=_named)
def test_limits_are_kept_and_what_is_within_them_stays(one: Turning):
    values = np.random.default_rng(9).uniform(-3.0, 3.0, (2000, one.count))
    kept, inside = one.limited(values), _within(one, values) <= 0.0
    assert _within(one, kept).max() < 1e-9
    assert np.abs(kept[inside] - values[inside]).max(initial=0.0) == 0.0
    assert np.abs(one.limited(kept) - kept).max() < 1e-12


def test_places_are_kept_in_their_box():
    box = Location("XZ", (-1.0, 0.0), (1.0, 2.0))
    assert box.count == 2
    assert np.array_equal(box.limited([[3.0, 1.0], [-3.0, -1.0]]), [[1.0, 1.0], [-1.0, 0.0]])


def test_limits_do_not_change_what_the_numbers_mean():
    assert Swing(TILTED, (0.1, 0.2)).key == Swing(TILTED).key != Swing().key
    assert len({one.key for one in (*WHOLE, *PARTLY, Location(), Location("X"))}) == len(WHOLE) + len(PARTLY) + 2


@pytest.mark.parametrize(
    ("one", "told"),
    [
        (Euler("XYW"), "'Head' have the invalid order 'XYW'"),
        (Euler("XXY"), "'Head' have the invalid order 'XXY'"),
        (Euler("XYZ", (0.0,), (1.0,)), "3 values (angle about X, Y, Z), but 1 minima"),
        (
            Euler("XZY", (0.0, 0.5, 0.0), (1.0, 0.25, 1.0)),
            "angle about Z of joint 'Head' contradict each other: the minimum 28.65°",
        ),
        (Turn((0.0, 0.0, 2.0)), "axis of joint 'Head' has length 2"),
        (Turn((0.0, 0.0, 1.0), 1.0, -1.0), "turn of joint 'Head' contradict each other"),
        (Turn((0.0, 0.0, 1.0), float("nan"), 1.0), "turn of joint 'Head' is not a number"),
        (
            Swing(half_axes=(-0.5, 1.0)),
            "swing limit of joint 'Head' is invalid: the ellipse has a half-axis of -28.65°",
        ),
        (SwingTwist(half_axes=(0.5, inf)), "half-axis of inf° about y"),
        (SwingTwist((1.0, 1.0, 0.0, 0.0)), "frame of joint 'Head' is not a rotation"),
        (SwingTwist(centre=(0.0, 0.0, 0.0, 0.0)), "frame of joint 'Head' is not a rotation"),
        (SwingTwist(low=0.5, high=0.2), "twist of joint 'Head' contradict each other"),
        (Location("ZX"), "invalid axes 'ZX'"),
        (Location("X", (2.0,), (1.0,)), "place along X of joint 'Head' contradict each other: the minimum 2 is above"),
    ],
    ids=str,
)
def test_what_is_no_parameterisation_is_refused_in_a_sentence(one: Parameterisation, told: str):
    with pytest.raises(RigError) as caught:
        one.check("Head")
    assert told in str(caught.value)


@pytest.mark.parametrize("one", [*WHOLE, *PARTLY, *LIMITED, Location(), Location("YZ")], ids=_named)
def test_what_is_one_passes(one: Parameterisation):
    one.check("Head")
    assert one.limited(np.zeros((1, one.count))).shape == (1, one.count)


def test_the_ellipse_of_a_swing_lies_about_its_centre():
    centre = Rotation.from_rotvec([0.0, 0.0, -0.6])
    one = SwingTwist((1.0, 0.0, 0.0, 0.0), (0.5, 0.5), 0.0, 0.0, tuple(np.roll(centre.as_quat(), 1).tolist()))
    assert quat.angle_between(one.rotations(np.zeros(3)), np.roll(centre.as_quat(), 1)) < 1e-12
    turned = _scipy(one.rotations(one.limited(np.random.default_rng(11).normal(size=(400, 3)) * 2.0)))
    limb = (turned * centre.inv()).apply([0.0, 0.0, 1.0])
    assert abs(np.arccos(limb[:, 2].min()) - 0.5) < 1e-9
