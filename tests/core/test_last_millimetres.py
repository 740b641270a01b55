"""The last millimetres of a reach, met by turning joints within their limits."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from verbs_adverbs.bench.reach_figures import board_reach, space_reach
from verbs_adverbs.bench.reach_scenes import arm_channels, arm_point, arm_reach, held_pose
from verbs_adverbs.core.biped.figure import JOINTS
from verbs_adverbs.core.errors import VerbError
from verbs_adverbs.core.figure import quaternion as quat
from verbs_adverbs.core.figure.channels import Channels, Traveller, world_points
from verbs_adverbs.core.figure.joint_limits import JointLimits, joint_limits
from verbs_adverbs.core.graph.verb_graph import graph_of, in_common
from verbs_adverbs.core.reach.last_millimetres import touching
from verbs_adverbs.core.reach.measures import Aim, Measure, aim_at_adverbs, end_effector, speed
from verbs_adverbs.core.reach.missed_targets import what_remains
from verbs_adverbs.core.reach.refine import lattice
from verbs_adverbs.core.reach.search import exact
from verbs_adverbs.core.verb.build import build_verb
from verbs_adverbs.core.verb.verb import Verb

from .reached import ARM, IN_SPACE, ON_BOARD, Region, drawn, misses
from .stepping import played, stepped

Scene = tuple[str, Region, Verb, Aim, JointLimits]
COUNT = 200
SCENES = {"arm": (ARM, arm_reach), "board": (ON_BOARD, board_reach), "space": (IN_SPACE, space_reach)}
MARGIN, TIGHT = 0.05, -0.1
"""Radians that limits leave beyond all examples of the figure, and by which they are narrower than these."""
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


def _limits(name: str, verb: Verb, margin: float = MARGIN) -> JointLimits:
    """Limits of the arm in its plane; those of a figure wider by `margin` than where its examples' joints go."""
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
        least, most = np.min(angles, axis=(0, 1))[1:], np.max(angles, axis=(0, 1))[1:]
        room = np.maximum(margin, -0.49 * (most - least))
        low[joints], high[joints] = least - room, most + room
    return joint_limits(verb.channels.skeleton.names, low, high, ["XYZ"] * count)


@pytest.fixture(scope="module", params=SCENES)
def scene(request: pytest.FixtureRequest) -> Scene:
    region, make = SCENES[request.param]
    verb, aim = make(1)
    return request.param, region, verb, aim, _limits(request.param, verb)


@pytest.mark.parametrize("searched", [True, False])
def test_every_target_is_met_within_a_millimetre_and_no_joint_is_taken_beyond_its_limits(
    scene: Scene, searched: bool, tell: Callable[[str], None]
):
    """Off the board the mixture by itself goes beyond limits that are as narrow as its four examples."""
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
    beyond, already = (np.maximum(np.maximum(a[:, 1:] - high, low - a[:, 1:]), 0.0) for a in (angles, own))
    tell(f"{name}: farthest beyond a limit {beyond.max():.5f} rad, without correction {already.max():.5f}")
    assert left.max() < MILLIMETRE
    assert (beyond - already).max() < ROUNDING
    assert beyond.max() < ROUNDING or name == "board"


def _speeds(verb: Verb, adverbs: np.ndarray, rate: int = 480) -> float:
    """Largest speed of a joint, from differences of rotations in time."""
    motion = verb.motion(adverbs)
    times = np.arange(0.0, motion.duration, 1.0 / rate)
    turns = _rotations(verb, motion.sample(times))[:, 1:]
    most = 0.0
    for joint in range(turns.shape[1]):
        one = Rotation.from_quat(np.roll(turns[:, joint], -1, axis=1))
        most = max(most, float((one[:-1].inv() * one[1:]).magnitude().max()) * rate)
    return most


@pytest.mark.long
@pytest.mark.parametrize("searched", [True, False])
def test_no_joint_turns_faster_than_13_tenths_of_the_examples(
    scene: Scene, searched: bool, tell: Callable[[str], None]
):
    name, region, verb, aim, limits = scene
    made = touching(exact(verb, aim) if searched else verb, aim, limits, everywhere=True)
    examples = max(_speeds(made.searched, place) for place in verb.places)
    points = np.concatenate([drawn(region, 2)[:20], drawn(region.part(1.6), 3)[:20]])
    fastest = max(_speeds(made, point) for point in points)
    tell(f"{name}: examples {examples:.3f} rad/s, corrected {fastest:.3f}")
    assert fastest <= 1.3 * examples + 1e-3


def test_turns_are_made_smaller_where_they_would_hurry_a_joint(tell: Callable[[str], None]):
    """The speed of the examples is taken for a fifth of what it is, since few targets ask for so much by themselves."""
    verb, aim = space_reach(1)
    free = touching(verb, aim, None, everywhere=True)
    slow = replace(free, fastest=0.2 * free.fastest)
    points = drawn(IN_SPACE.part(2.5), 3)[:16]
    own, wanted, bounded = (np.array([_speeds(one, point) for point in points]) for one in (verb, free, slow))
    most = np.maximum(own + 0.1 * slow.fastest, 1.3 * slow.fastest)
    tell(f"beyond what is allowed by {(wanted - most).max():.3f} rad/s, bounded by {(bounded - most).max():.3f}")
    assert (bounded - most).max() < 0.02
    assert (wanted - most).max() > 0.2


def test_a_correction_comes_and_goes_without_a_corner(tell: Callable[[str], None]):
    """Differences of speed between frames shrink with the frames."""
    verb, aim = space_reach(1)
    made, point = touching(verb, aim, None), drawn(IN_SPACE, 4)[0]
    jumps: list[float] = []
    for rate in (120, 480):
        motion = made.motion(point)
        times = np.arange(0.0, motion.duration, 1.0 / rate)
        turns = [_rotations(verb, verb.sample_phases(motion.phase(times), m)) for m in (motion.weights,)]
        turns.append(_rotations(verb, motion.sample(times)))
        given, found = (Rotation.from_quat(np.roll(t.reshape(-1, 4), -1, axis=1)) for t in turns)
        extra = (found * given.inv()).as_rotvec().reshape(len(times), -1)
        jumps.append(float(np.abs(np.diff(extra, n=2, axis=0)).max() * rate))
        assert np.abs(extra).max() > 0.02
        assert max(np.abs(extra[0]).max(), np.abs(extra[-1]).max()) < 2e-3
    tell(f"largest jump of speed {jumps[0]:.4f} rad/s at 120 frames a second, {jumps[1]:.4f} at 480")
    assert jumps[1] < 0.4 * jumps[0]


def test_beyond_the_hull_nothing_is_turned_unless_it_is_wanted():
    verb, aim = space_reach(1)
    low, high = verb.places.min(axis=0), verb.places.max(axis=0)
    middle, outside = 0.5 * (low + high), 0.5 * (low + high) + np.array([0.45, 0.0, 0.0])
    between, everywhere = touching(verb, aim, None), touching(verb, aim, None, everywhere=True)
    path = middle + np.linspace(0.0, 1.0, 2001)[:, None] * (outside - middle)
    count = len(verb.example_names)
    turns = between.mixing(path)[:, count:]
    assert np.abs(turns[0] - everywhere.mixing(middle)[count:]).max() < 1e-6
    assert np.abs(turns[0]).max() > 1e-3
    assert np.abs(turns[-1]).max() == 0.0
    assert np.abs(everywhere.mixing(outside)[count:]).max() > 1e-3
    assert np.abs(np.diff(turns, axis=0)).max() < 5e-3


def test_examples_stay_as_they_are():
    verb, aim = space_reach(1)
    made = touching(verb, aim, None)
    assert np.abs(made.mixing(verb.places)[:, len(verb.example_names) :]).max() < 1e-3


def test_what_is_played_is_what_the_verb_is_at_its_adverbs_and_meets_the_target(scene: Scene):
    name, region, verb, aim, limits = scene
    made = touching(verb, aim, limits, everywhere=True)
    for point in drawn(region, 5)[:5]:
        motion = made.motion(point)
        times = motion.clock(np.array([0.3, 1.0]) * verb.phrasing.generic[1])
        shown = played(made, times, point)
        assert np.abs(shown.values - motion.sample(times)).max() < 1e-5
        effector = 4 if name == "arm" else verb.channels.skeleton.names.index(region.joint)
        tip = world_points(verb.channels, shown.values[-1:], effector, region.point)[0]
        assert np.linalg.norm(tip[list(region.axes)] - point) < MILLIMETRE


def test_performed_frame_by_frame_the_hand_is_where_the_adverbs_went_on_the_way():
    verb, aim = space_reach(1)
    made = touching(verb, aim, None)
    begin, goal = drawn(IN_SPACE, 8)[:2]
    shown = stepped(graph_of(made), made.name, dict(zip("xyz", begin, strict=True)), settle=0.1)
    shown.set_adverbs(dict(zip("xyz", goal, strict=True)))
    for _ in range(20):
        shown.step(1.0 / 60.0)
    motion = made.motion(goal)
    shown.step(float(np.subtract(*motion.clock([verb.phrasing.generic[1], shown.phase]))))
    tip = world_points(verb.channels, shown.values()[None], JOINTS[IN_SPACE.joint], IN_SPACE.point)[0]
    assert np.linalg.norm(tip - goal) < MILLIMETRE
    assert np.linalg.norm(misses(IN_SPACE, made, goal[None])) > 10.0 * MILLIMETRE


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


@pytest.mark.long
def test_joints_stay_within_limits_all_the_way_or_go_no_farther_beyond_than_by_themselves(tell: Callable[[str], None]):
    verb, aim = space_reach(1)
    limits = _limits("space", verb, TIGHT)
    made, points, phases = touching(verb, aim, limits, everywhere=True), drawn(IN_SPACE, 6)[:100], np.linspace(0, 1, 41)
    mixing = np.repeat(made.mixing(points), len(phases), axis=0)
    joints, moments = verb.channels.rotating[1:], np.tile(phases, len(points))
    corrected, own = (
        _angles(_rotations(verb, made.sample_phases(moments, m)))[:, 1:]
        for m in (mixing, mixing[:, : len(verb.example_names)])
    )
    beyond, already = (
        np.maximum(np.maximum(angles - limits.high[joints], limits.low[joints] - angles), 0.0)
        for angles in (corrected, own)
    )
    left = np.linalg.norm(misses(IN_SPACE, made, points, made.mixing(points)), axis=1)
    tell(
        f"limits inside the examples: {already.max():.4f} rad beyond without correction, "
        f"{(beyond - already).max():.6f} farther with it; {1e3 * left.max():.2f} mm left at most"
    )
    assert already.max() > 100.0 * ROUNDING
    assert (beyond - already).max() < ROUNDING


def test_in_a_graph_with_a_verb_of_more_joints_the_same_joints_turn_by_as_much():
    """The upper arm is keyed in the other verb alone, which counts headings from another direction."""
    skeleton, axis = arm_channels().skeleton, np.array([0.0, 0.0, 1.0])
    rests = np.tile(quat.IDENTITY, (len(skeleton.names), 1))
    channels = Channels(skeleton, np.array([0, 2, 3], dtype=np.intp), (), rests)
    turns = lattice(np.array([[0.4, 1.2], [-0.3, 0.5]]), 2)
    places = [arm_point(np.array([0.0, *pair])) for pair in turns]
    examples = [held_pose(f"{i}", place, pair, axis) for i, (place, pair) in enumerate(zip(places, turns, strict=True))]
    ranges = np.stack([np.min(places, axis=0), np.max(places, axis=0)], axis=-1)
    verb = build_verb("lower", channels, examples, ("x", "y"), ranges)
    aim = aim_at_adverbs(verb, end_effector(4, np.zeros(3), 0.4, axes=(0, 1)), ("x", "y"))
    made = touching(verb, aim, None)
    other = replace(arm_reach(1)[0], name="whole", reference=quat.from_yaw(np.array(0.7)))
    point = np.mean(places, axis=0)
    joined = in_common((other, made))[1]
    alone, together = (one.sample_phases(np.array([0.4]), one.mixing(point)) for one in (made, joined))
    assert np.linalg.norm(misses(ARM, made, point[None], made.mixing(point[None]))) < MILLIMETRE
    assert np.linalg.norm(misses(ARM, made, point[None])) > 10.0 * MILLIMETRE
    assert np.abs(_rotations(joined, together)[0, 2:] - _rotations(made, alone)[0, 1:]).max() < 1e-6
    assert np.abs(_rotations(joined, together)[0, 1] - quat.IDENTITY).max() < 1e-6


@pytest.mark.long
@pytest.mark.parametrize("searched", [True, False])
@pytest.mark.parametrize("everywhere", [True, False])
def test_a_little_beyond_the_examples_a_target_is_met_or_there_is_a_word(
    scene: Scene, everywhere: bool, searched: bool, tell: Callable[[str], None]
):
    """Up to a tenth of the region's size beyond it on every side."""
    name, region, verb, aim, limits = scene
    made = touching(exact(verb, aim) if searched else verb, aim, limits, everywhere=everywhere)
    low, high = region.ranges.T
    points = drawn(region.part(1.2), 7)[:120]
    points = points[np.any((points < low) | (points > high), axis=1)]
    left = np.linalg.norm(misses(region, made, points, made.mixing(points)), axis=1)
    far = left > 5.0 * MILLIMETRE
    told = [what_remains(made, point, 5.0 * MILLIMETRE) for point in points[far]]
    tell(f"{name}, everywhere {everywhere}, searched {searched}: {far.sum()} of {len(points)} missed by over 5 mm")
    assert all(told)
    assert far.sum() <= 0.1 * len(points) or not (everywhere or searched)


@pytest.mark.long
def test_every_target_that_is_missed_has_a_sentence_that_says_why():
    verb, aim = space_reach(1)
    middle = verb.places.mean(axis=0)
    free, between = touching(verb, aim, None, everywhere=True), touching(verb, aim, None)
    assert what_remains(free, middle, MILLIMETRE) == ""
    far = what_remains(free, np.array([-0.25, -2.0, 1.2]), MILLIMETRE)
    assert "(-0.25, -2, 1.2) is 0.89 m out of reach from 'Spine'. Move it closer" in far
    assert "is inside the body, at 'Chest'. Move it out." in what_remains(free, np.array([0.0, 0.0, 1.3]), MILLIMETRE)
    outside = middle + np.array([0.4, 0.0, 0.0])
    assert "is outside the region of the examples" in what_remains(between, outside, MILLIMETRE)
    assert "or set With IK to Everywhere" in what_remains(between, outside, MILLIMETRE)
    slow = replace(free, fastest=1e-3)
    assert "would have to rotate more than 1.3 times as fast" in what_remains(slow, middle, MILLIMETRE)
    stiff = touching(verb, aim, _limits("space", verb, -np.inf), everywhere=True)
    assert "reached the joint limits. Move it closer, or widen the limits." in what_remains(stiff, outside, MILLIMETRE)


def _both_ways(aim: Aim) -> Measure:
    """The measure of a reach with its place measured from the root as well."""
    (place,) = aim.measure.places
    return replace(aim.measure, places=(place, replace(place, world=not place.world)))


def test_where_no_joint_can_be_turned_that_is_refused_with_what_to_do():
    verb, aim = space_reach(1)
    controlled = replace(verb, channels=replace(verb.channels, travelling=(Traveller(0, 1.0),)))
    at_root = end_effector(0, np.zeros(3), 0.4)
    cases = {
        "'Hand_R' of verb 'reach' .* follows a separately keyed control.* Measure a bone whose parents rotate": (
            controlled,
            aim,
        ),
        "'Hips' of verb 'reach' .* has no parent that the examples rotate": (verb, replace(aim, measure=at_root)),
        "do not measure a position.* set With IK to Off": (verb, replace(aim, measure=speed())),
        "at one keytime both From the Start and From the Root": (verb, replace(aim, measure=_both_ways(aim))),
    }
    for said, (one, asked) in cases.items():
        with pytest.raises(VerbError, match=said):
            touching(one, asked, None)
