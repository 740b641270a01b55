"""Knees of locked legs are hinges: they bend as the examples bend them, never backwards, and never with a jerk."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from verbs_adverbs.core.biped.figure import JOINTS
from verbs_adverbs.core.feet.constrained_player import ConstrainedPlayer, Knees
from verbs_adverbs.core.figure import quaternion as quat
from verbs_adverbs.core.figure.channels import rotations_of
from verbs_adverbs.core.figure.knee_hinges import ExamplePoses, knee_hinges
from verbs_adverbs.core.figure.leg_kinematics import chain_rotations, in_space, positions
from verbs_adverbs.core.figure.legs import make_legs
from verbs_adverbs.core.figure.lock_point import LockPoint
from verbs_adverbs.core.figure.two_bone_limbs import bend_limb, eased_lift, limbs_of, posed_limb, straighten_limb
from verbs_adverbs.core.figure.vector_components import turned
from verbs_adverbs.core.graph.verb_graph import graph_of
from verbs_adverbs.core.play.graph_player import GraphPlayer
from verbs_adverbs.core.verb.build import build_verb
from verbs_adverbs.core.verb.verb import Verb

from .knee_bends import bends, captured_verb
from .locked_walks import walk
from .walks import ADVERBS, biped_channels, walk_examples

CHANNELS = biped_channels()
LEGS = make_legs(CHANNELS, [LockPoint("ball", JOINTS["Toes_L"], np.zeros(3))])
HINGE = (1.0, 0.0, 0.0)
RATE = 30.0
STRAIGHT = 1e-3
"""Degrees by which a straight knee may seem bent backwards by rounding."""
SIDES = [("UpperLeg_L", "LowerLeg_L", "Foot_L"), ("UpperLeg_R", "LowerLeg_R", "Foot_R")]


def _rows(knee: np.ndarray) -> np.ndarray:
    """Rows (T, width) of a figure whose left knee is turned by rotation vectors (T, 3)."""
    rows = np.zeros((len(knee), CHANNELS.width))
    rotations = np.tile(quat.IDENTITY, (len(knee), len(CHANNELS.rotating), 1))
    rotations[:, JOINTS["LowerLeg_L"]] = quat.exp(knee)
    rotations[:, 0] = quat.exp(np.array([0.5 * np.pi, 0.0, 0.0]))
    rows[:, CHANNELS.rotation_columns] = rotations.reshape(len(knee), -1)
    return rows


def _hinge_of(knee: np.ndarray):
    return knee_hinges(LEGS, ExamplePoses(_rows(knee), CHANNELS.scalar_columns))[0]


def _posed(bend: float, hinge=HINGE, aside: float = 0.0):
    """The left limb with its knee turned by `bend` about a hinge, and `aside` across; its places, and that axis."""
    across = np.cross(hinge, (0.0, 1.0, 0.0))
    rows = _rows((bend * np.array(hinge) + aside * across)[None])
    space = in_space(LEGS, chain_rotations(LEGS, rows))
    limb = limbs_of(LEGS)[0]
    bearer = tuple(space[0, LEGS.carriers[limb.knee]].tolist())
    places = positions(LEGS, space, None).reshape(-1, 3).tolist()
    return limb, places, turned(bearer, tuple(hinge))


def _made(limb, places, upper, lower):
    """Places of hip, knee and ankle after both bones were turned."""
    hip, knee, ankle = (np.array(places[place]) for place in (limb.hip, limb.knee, limb.end))
    bent = hip + turned(upper, tuple(knee - hip))
    return hip, bent, bent + turned(lower, tuple(ankle - knee))


def _bend(hip, knee, ankle, axis) -> float:
    thigh, shin = knee - hip, ankle - knee
    return float(np.degrees(np.arctan2(np.cross(thigh, shin) @ axis, thigh @ shin)))


@pytest.mark.parametrize("axis", [(1.0, 0.0, 0.0), (0.8, 0.0, 0.6)])
def test_a_hinge_is_learnt_from_bent_knees_and_straight_ones_tell_nothing(axis):
    bent, loose = np.outer([0.5, 0.9, 1.4], axis), [[-0.1, 0.0, 0.0], [0.0, 0.0, 0.15], [0.0, 0.0, -0.2]]
    assert np.abs(np.subtract(_hinge_of(np.concatenate([bent, loose])), axis)).max() < 0.03


def test_knees_that_never_bend_or_bend_all_ways_are_no_hinges():
    assert _hinge_of(np.array([[0.0, 0.0, 0.0], [0.15, 0.0, 0.0], [-0.1, 0.0, 0.1]])) is None
    assert _hinge_of(np.array([[0.8, 0.0, 0.0], [-0.8, 0.0, 0.0], [0.0, 0.0, 0.8], [0.0, 0.0, -0.8]])) is None


@pytest.mark.parametrize("bend", [-0.12, -0.01, 0.0, 0.01, 0.04])
@pytest.mark.parametrize("aside", [0.0, 0.03])
def test_a_knee_that_is_straight_or_over_stretched_bends_forwards_about_its_hinge(bend, aside):
    limb, places, axis = _posed(bend, aside=aside)
    way = (0.0, 0.0, 0.05)
    hip, knee, ankle = _made(limb, places, *bend_limb(posed_limb(limb, places, axis), way))
    assert np.abs(ankle - places[limb.end] - way).max() < 1e-9
    assert _bend(hip, knee, ankle, np.array(axis)) > 20.0


@pytest.mark.parametrize("aside", [-0.3, 0.0, 0.4])
def test_a_knee_that_is_clearly_bent_keeps_its_own_plane(aside):
    limb, places, axis = _posed(0.6, aside=aside)
    way = (0.03, 0.05, 0.01)
    free, hinged = bend_limb(posed_limb(limb, places), way), bend_limb(posed_limb(limb, places, axis), way)
    for mine, theirs in zip(_made(limb, places, *hinged), _made(limb, places, *free), strict=True):
        assert np.abs(mine - theirs).max() < 1e-3 * limb.length


def test_between_its_hinge_and_its_own_plane_nothing_jumps():
    knees = []
    for bend in np.radians(np.arange(-6.0, 30.0, 0.05)):
        limb, places, axis = _posed(float(bend), aside=0.08)
        knees.append(_made(limb, places, *bend_limb(posed_limb(limb, places, axis), (0.0, 0.0, 0.06)))[1])
    assert np.linalg.norm(np.diff(knees, axis=0), axis=1).max() < 0.002 * limb.length


@pytest.mark.parametrize(("bend", "backwards"), [(-0.6, True), (-0.1, True), (0.0, False), (0.3, False), (2.0, False)])
def test_a_knee_that_bends_backwards_is_straightened_and_others_stay(bend, backwards):
    limb, places, axis = _posed(bend)
    before = [np.array(places[place]) for place in (limb.hip, limb.knee, limb.end)]
    assert (_bend(*before, np.array(axis)) < 0.0) == backwards
    hip, knee, ankle = _made(limb, places, *straighten_limb(posed_limb(limb, places, axis)))
    if backwards:
        assert abs(_bend(hip, knee, ankle, np.array(axis))) < 1e-6
        assert np.linalg.norm(np.cross(before[2] - hip, ankle - hip)) < 1e-9
    else:
        assert np.abs([knee - before[1], ankle - before[2]]).max() < 1e-9


def test_a_free_foot_keeps_its_height_where_its_knee_is_bent_and_a_straight_knee_bends_by_little_for_it():
    limb, places, axis = _posed(0.6)
    lift = 0.01 * limb.length
    assert eased_lift(posed_limb(limb, places), lift) == pytest.approx(lift, rel=1e-9)
    bent = []
    for lift in np.linspace(0.0, 0.01, 101) * limb.length:
        limb, places, axis = _posed(0.0)
        eased = eased_lift(posed_limb(limb, places), float(lift))
        assert 0.0 <= eased <= lift
        turns = bend_limb(posed_limb(limb, places, axis), (0.0, 0.0, eased))
        bent.append(_bend(*_made(limb, places, *turns), np.array(axis)))
    assert max(bent) - bent[0] < 7.0 and np.diff(bent).max() < 0.1
    plain = _bend(*_made(limb, places, *bend_limb(posed_limb(limb, places, axis), (0.0, 0.0, lift))), np.array(axis))
    assert plain > 15.0


@cache
def _stiff_walk() -> Verb:
    """The generated walk with knees stretched by 25 degrees more, so that some are bent backwards."""
    examples = []
    for example in walk_examples():
        rotations = example.take.rotations.copy()
        for side in "LR":
            joint = JOINTS[f"LowerLeg_{side}"]
            rotations[:, joint] = quat.multiply(rotations[:, joint], quat.exp(np.radians([-25.0, 0.0, 0.0])))
        examples.append(replace(example, take=replace(example.take, rotations=rotations)))
    return build_verb("stiff walk", CHANNELS, examples, ADVERBS, [[-1, 1], [-1, 1]])


def _played(verb: Verb, place: np.ndarray, knees: Knees = "hinge") -> tuple[np.ndarray, np.ndarray]:
    """Rows of a walk without locks and with them."""
    adverbs, times = dict(zip(verb.adverb_names, place.tolist(), strict=True)), np.arange(int(4.0 * RATE)) / RATE
    free, held = (GraphPlayer(graph_of(verb), adverbs, np.random.default_rng(0), verb.name) for _ in range(2))
    return free.advance(times).values, ConstrainedPlayer(held, steps=False, knees=knees).advance(times).values


def _added(verb: Verb, free: np.ndarray, held: np.ndarray) -> float:
    """Degrees by which a joint turns more in a frame with locks than without, at most."""
    before, after = (rotations_of(verb.channels, rows) for rows in (free, held))
    dots = [np.abs(np.sum(turns[1:] * turns[:-1], axis=-1)).clip(0.0, 1.0) for turns in (before, after)]
    angles = [2.0 * np.degrees(np.arccos(dot)) for dot in dots]
    return float((angles[1] - angles[0]).max())


def _places(verb: Verb, beyond: float, count: int) -> np.ndarray:
    """Adverbs between neighbouring examples; or, with `beyond` over 1, on the edge of so many times their range."""
    rng, places = np.random.default_rng(4), verb.places
    if beyond > 1.0:
        middle, half = 0.5 * (places.max(axis=0) + places.min(axis=0)), 0.5 * np.ptp(places, axis=0)
        ways = rng.uniform(-1.0, 1.0, (count, places.shape[1]))
        return middle + beyond * half * ways / np.abs(ways).max(axis=1, keepdims=True)
    near = [
        np.argsort(np.linalg.norm(places - place, axis=1))[:3]
        for place in places[rng.integers(len(places), size=count)]
    ]
    return np.array([rng.dirichlet(np.ones(3)) @ places[three] for three in near])


@pytest.mark.parametrize(("beyond", "most"), [(1.0, 3.0), (1.5, 6.0)])
def test_locks_add_no_pop_to_the_generated_walk(beyond, most):
    for place in _places(walk(), beyond, 12):
        free, held = _played(walk(), place)
        assert _added(walk(), free, held) < most
        assert min(bends(walk(), held, side).min() for side in SIDES) > -STRAIGHT


@pytest.mark.parametrize("beyond", [1.0, 1.5])
def test_knees_of_a_stiff_walk_never_bend_backwards_and_jerk_far_less_than_without_hinges(beyond):
    verb, hinged, loose = _stiff_walk(), [], []
    for place in _places(verb, beyond, 8):
        free, held = _played(verb, place)
        _, flung = _played(verb, place, knees="free")
        hinged.append(_added(verb, free, held))
        loose.append(_added(verb, free, flung))
        assert min(bends(verb, held, side).min() for side in SIDES) > -STRAIGHT
        assert min(bends(verb, rows, side).min() for rows in (free, flung) for side in SIDES) < -3.0
    assert max(hinged) < 0.5 * max(loose)


@pytest.mark.parametrize(("beyond", "most"), [(1.0, 3.0), (1.5, 6.0)])
@pytest.mark.parametrize("name", ["walk_energy_turn", "walk_energy_speed", "walk_turn"])
def test_knees_of_captured_walks_never_bend_backwards_and_locks_add_no_pop(mocap, tell, name, beyond, most):
    verb, added, least = captured_verb(mocap, name), [], []
    for place in _places(verb, beyond, 16):
        free, held = _played(verb, place)
        least.append(min(bends(verb, held, side).min() for side in SIDES))
        added.append(_added(verb, free, held))
    tell(f"{name}, {beyond:g} times: locks add {np.median(added):.2f} degrees a frame, {max(added):.2f} at most")
    assert min(least) > -STRAIGHT and max(added) < most
