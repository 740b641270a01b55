"""The last millimetres of a reach, met by turning joints within their limits."""

from collections.abc import Callable

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from verbs_adverbs.bench.reach_figures import space_reach
from verbs_adverbs.bench.reach_scenes import arm_reach
from verbs_adverbs.core.figure.joint_limits import JointLimits, joint_limits
from verbs_adverbs.core.reach.last_millimetres import TouchingVerb, touching
from verbs_adverbs.core.reach.measures import Aim
from verbs_adverbs.core.reach.search import exact
from verbs_adverbs.core.verb.verb import Verb

from .reached import ARM, IN_SPACE, Region, drawn, misses

COUNT = 200
SCENES = {"arm": (ARM, arm_reach), "space": (IN_SPACE, space_reach)}
MARGIN = 0.05
"""Radians that limits leave beyond all examples of the figure."""
PLANE = np.radians([[-170.0, 0.0, -150.0], [170.0, 175.0, 150.0]])
"""Limits of shoulder, elbow and wrist of the arm."""
MILLIMETRE = 1e-3
ROUNDING = 1e-4


def _angles(rotations: np.ndarray) -> np.ndarray:
    """SciPy's angles about x, y, z, x applied first, of quaternions (..., 4) written w x y z."""
    flat = Rotation.from_quat(np.roll(rotations.reshape(-1, 4), -1, axis=1))
    return flat.as_euler("xyz").reshape(rotations.shape[:-1] + (3,))


def _rotations(verb: Verb, values: np.ndarray) -> np.ndarray:
    return values[:, 6 : 6 + 4 * len(verb.channels.rotating)].reshape(len(values), -1, 4)


def _limits(name: str, verb: Verb) -> JointLimits:
    """Limits of the arm in its plane; those of a figure a little wider than where its examples' joints go."""
    count = len(verb.channels.skeleton.names)
    low, high = np.full((count, 3), -np.inf), np.full((count, 3), np.inf)
    joints = verb.channels.rotating[1:]
    if name == "arm":
        low[joints], high[joints] = 0.0, 0.0
        low[joints, 2], high[joints, 2] = PLANE
    else:
        phases = np.linspace(0.0, 1.0, 60)
        every = np.eye(len(verb.example_names))
        angles = [_angles(_rotations(verb, verb.sample_phases(phases, weights))) for weights in every]
        low[joints] = np.min(angles, axis=(0, 1))[1:] - MARGIN
        high[joints] = np.max(angles, axis=(0, 1))[1:] + MARGIN
    return joint_limits(verb.channels.skeleton.names, low, high, ["XYZ"] * count)


@pytest.fixture(scope="module", params=SCENES)
def scene(request: pytest.FixtureRequest) -> tuple[str, Region, Verb, Aim, JointLimits]:
    region, make = SCENES[request.param]
    verb, aim = make(1)
    return request.param, region, verb, aim, _limits(request.param, verb)


@pytest.mark.parametrize("searched", [True, False])
def test_every_target_is_met_within_a_millimetre_and_no_joint_is_beyond_its_limits(
    scene: tuple[str, Region, Verb, Aim, JointLimits], searched: bool, tell: Callable[[str], None]
):
    name, region, verb, aim, limits = scene
    made = touching(exact(verb, aim) if searched else verb, aim, limits, everywhere=True)
    points = drawn(region, 1)[:COUNT]
    left, before = (
        np.linalg.norm(misses(region, made, points, mixing), axis=1)
        for mixing in (made.mixing(points), made.weights(points))
    )
    tell(f"{name}, searched {searched}: {1e3 * before.max():.2f} mm before, {1e3 * left.max():.3f} mm left")
    phase = np.full(len(points), verb.phrasing.generic[1])
    angles, own = (
        _angles(_rotations(verb, made.sample_phases(phase, m))) for m in (made.mixing(points), made.weights(points))
    )
    joints = verb.channels.rotating[1:]
    low, high = limits.low[joints], limits.high[joints]
    beyond, already = (np.maximum(a[:, 1:] - high, low - a[:, 1:]).max() for a in (angles, own))
    tell(f"{name}: farthest beyond a limit {beyond:.5f} rad, without correction {already:.5f}")
    assert left.max() < MILLIMETRE
    assert beyond < ROUNDING


def _speeds(verb: TouchingVerb, adverbs: np.ndarray, rate: int = 480) -> float:
    """Largest speed of a joint, from differences of rotations in time."""
    motion = verb.motion(adverbs)
    times = np.arange(0.0, motion.duration, 1.0 / rate)
    turns = _rotations(verb, motion.sample(times))[:, 1:]
    most = 0.0
    for joint in range(turns.shape[1]):
        one = Rotation.from_quat(np.roll(turns[:, joint], -1, axis=1))
        most = max(most, float((one[:-1].inv() * one[1:]).magnitude().max()) * rate)
    return most


def test_no_joint_turns_faster_than_13_tenths_of_the_examples(
    scene: tuple[str, Region, Verb, Aim, JointLimits], tell: Callable[[str], None]
):
    name, region, verb, aim, limits = scene
    made = touching(exact(verb, aim), aim, limits, everywhere=True)
    examples = max(_speeds(made.searched, place) for place in verb.places)
    fastest = max(_speeds(made, point) for point in drawn(region, 2)[:25])
    tell(f"{name}: examples {examples:.3f} rad/s, corrected {fastest:.3f}")
    assert fastest <= 1.3 * examples + 1e-3


def test_limits_that_bind_leave_it_to_the_other_joints(tell: Callable[[str], None]):
    verb, aim = arm_reach(1)
    points = drawn(ARM.part(0.3), 3)[:COUNT]
    own = _angles(_rotations(verb, verb.sample_phases(np.full(COUNT, 0.4), verb.weights(points))))
    free, elbow = _limits("arm", verb), int(verb.channels.rotating[2])
    low, high = free.low.copy(), free.high.copy()
    low[elbow, 2], high[elbow, 2] = np.quantile(own[:, 2, 2], [0.0, 1.0])
    bound = joint_limits(verb.channels.skeleton.names, low, high, free.orders)
    beyond = {}
    for name, limits in (("free", free), ("bound", bound)):
        made = touching(verb, aim, limits)
        angles = _angles(_rotations(verb, made.sample_phases(np.full(COUNT, 0.4), made.mixing(points))))[:, 2, 2]
        beyond[name] = float(np.maximum(angles - high[elbow, 2], low[elbow, 2] - angles).max())
        left = np.linalg.norm(misses(ARM, made, points, made.mixing(points)), axis=1)
        tell(f"{name}: elbow {beyond[name]:.4f} rad beyond, {1e3 * left.max():.3f} mm left")
        assert left.max() < MILLIMETRE
    assert beyond["bound"] < ROUNDING < 100.0 * ROUNDING < beyond["free"]
