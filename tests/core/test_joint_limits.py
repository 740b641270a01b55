"""Limits of joints: what is allowed stays, what is not goes to the nearest rotation that is."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize
from scipy.spatial.transform import Rotation
from verbs_adverbs.core.errors import RigError
from verbs_adverbs.core.figure.joint_limits import JointLimits, joint_limits, nearest_allowed

ORDERS = st.sampled_from(["XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX"])
ANGLES = st.lists(st.floats(-3.1, 3.1), min_size=3, max_size=3).map(np.array)
MIDDLES = st.lists(st.floats(-1.5, 1.5), min_size=3, max_size=3).map(np.array)
HALVES = st.lists(st.floats(0.0, 1.2), min_size=3, max_size=3).map(np.array)
AS_NEAR = 2e-3
"""Radians by which the oracle may be nearer: it has a tolerance as well."""


def _rotation(wxyz: np.ndarray) -> Rotation:
    return Rotation.from_quat(np.roll(wxyz, -1))


def _wxyz(rotation: Rotation) -> np.ndarray:
    return np.roll(rotation.as_quat(), 1)


def _euler(angles: np.ndarray, order: str) -> Rotation:
    """SciPy's turns about fixed axes, which lower-case letters stand for, in the order of their application."""
    return Rotation.from_euler(order.lower(), [angles["XYZ".index(letter)] for letter in order])


def _nearest_by_scipy(wanted: Rotation, low: np.ndarray, high: np.ndarray, order: str) -> float:
    """Smallest angle to a rotation in the ranges, from many beginnings."""

    def off(angles: np.ndarray) -> float:
        return float(1.0 - np.dot((wanted.inv() * _euler(angles, order)).as_quat()[3:], [1.0]).item() ** 2)

    grid = np.stack(np.meshgrid(*np.linspace(low, high, 3).T, indexing="ij"), axis=-1).reshape(-1, 3)
    starts = sorted(grid, key=off)[:4]
    found = [minimize(off, start, bounds=list(zip(low, high, strict=True)), method="L-BFGS-B").fun for start in starts]
    return 2.0 * float(np.arcsin(np.sqrt(np.clip(min(found), 0.0, 1.0))))


@settings(max_examples=60, deadline=None)
@given(ANGLES, MIDDLES, HALVES, ORDERS)
def test_no_rotation_in_the_ranges_is_nearer(angles: np.ndarray, middle: np.ndarray, half: np.ndarray, order: str):
    wanted, low, high = _euler(angles, order), middle - half, middle + half
    made = _rotation(nearest_allowed(_wxyz(wanted)[None], low, high, order)[0])
    assert (wanted.inv() * made).magnitude() <= _nearest_by_scipy(wanted, low, high, order) + AS_NEAR
    back = _nearest_by_scipy(made, low, high, order)
    assert back < AS_NEAR


@settings(max_examples=100, deadline=None)
@given(MIDDLES, HALVES, ORDERS, st.lists(st.floats(0.0, 1.0), min_size=3, max_size=3).map(np.array))
def test_what_is_allowed_stays_as_it_is(middle: np.ndarray, half: np.ndarray, order: str, shares: np.ndarray):
    inside = _wxyz(_euler(middle + (2.0 * shares - 1.0) * half, order))
    found = nearest_allowed(inside[None], middle - half, middle + half, order)[0]
    assert abs(float(found @ inside)) == pytest.approx(1.0, abs=1e-12)


def test_a_hinge_is_only_bent_about_its_axis():
    limits = joint_limits(["elbow"], [[0.0, 0.0, 0.0]], [[2.4, 0.0, 0.0]], ["XYZ"])
    turned = np.array([_wxyz(Rotation.from_rotvec(v)) for v in ([1.0, 0.3, 0.0], [-0.4, 0.0, 0.0], [3.0, 0.0, 0.0])])
    found = [_rotation(q).as_rotvec() for q in limits.nearest(turned[:, None])[:, 0]]
    assert np.abs(np.array(found)[:, 1:]).max() < 1e-9
    assert found[1][0] == pytest.approx(0.0, abs=1e-9)
    assert found[2][0] == pytest.approx(2.4, abs=1e-9)


def test_joints_without_limits_turn_freely_and_a_whole_turn_is_no_limit():
    limits = joint_limits(["a", "b"], [[-np.inf] * 3, [-np.pi] * 3], [[np.inf] * 3, [np.pi] * 3], ["XYZ", "ZYX"])
    turned = np.random.default_rng(3).normal(size=(50, 2, 4))
    turned /= np.linalg.norm(turned, axis=-1, keepdims=True)
    assert not limits.limited.any()
    assert np.array_equal(limits.nearest(turned), turned)


def test_where_a_motion_goes_beyond_a_limit_by_itself_it_may_stay_but_not_go_farther():
    limits = JointLimits(np.array([[-0.1, -0.1, -0.1]]), np.array([[0.5, 0.1, 0.1]]), ("XYZ",))
    own = _wxyz(_euler(np.array([0.8, 0.0, 0.0]), "XYZ"))
    more = _wxyz(_euler(np.array([1.1, 0.0, 0.0]), "XYZ"))
    assert limits.nearest(own[None, None], own[None, None])[0, 0] @ own == pytest.approx(1.0)
    assert limits.nearest(more[None, None], own[None, None])[0, 0] @ own == pytest.approx(1.0)
    assert limits.beyond(own[None, None])[0, 0] == pytest.approx(0.3)


@pytest.mark.parametrize(
    ("low", "high", "order", "said"),
    [
        (
            [0.7, 0.0, 0.0],
            [0.35, 0.0, 0.0],
            "XYZ",
            "'elbow' about its X axis contradict each other: the minimum 40.11°",
        ),
        ([0.0, np.nan, 0.0], [1.0, 1.0, 1.0], "XYZ", "about its Y axis is not a number"),
        ([0.0, 0.0, 0.0], [1.0, 1.0, 1.0], "XXY", "invalid rotation order 'XXY'"),
    ],
)
def test_limits_that_are_none_are_refused_in_words(low: list[float], high: list[float], order: str, said: str):
    with pytest.raises(RigError, match=said):
        joint_limits(["elbow"], [low], [high], [order])
