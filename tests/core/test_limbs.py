"""Hip and knee bring a foot where it is wanted; one frame with plain numbers is the same as many at once."""

import numpy as np
import pytest
from verbs_adverbs.core.biped.figure import JOINTS
from verbs_adverbs.core.figure import quaternion as quat
from verbs_adverbs.core.figure.alike_legs import leg_solver
from verbs_adverbs.core.figure.leg_kinematics import chain_rotations, in_space, positions
from verbs_adverbs.core.figure.legs import make_legs
from verbs_adverbs.core.figure.lock_point import LockPoint
from verbs_adverbs.core.figure.two_bone_limbs import bend_limb, foot_move, limbs_of, pelvis_drop, posed_limb
from verbs_adverbs.core.figure.vector_components import arc, larger, product, smaller, turned

from .walks import biped_channels

CHANNELS = biped_channels()
NAMES = ("Foot_L", "Toes_L")


def _places(knee: float | np.ndarray, points: tuple[str, ...] = ("Toes_L",)):
    """The limb of the left leg, and places of its joints and points with the knee bent by `knee` radians."""
    bends = np.atleast_1d(knee)
    rows = np.zeros((len(bends), CHANNELS.width))
    rotations = np.tile(quat.IDENTITY, (len(bends), len(CHANNELS.rotating), 1))
    rotations[:, JOINTS["LowerLeg_L"]] = quat.exp(np.stack([bends, 0 * bends, 0 * bends], axis=-1))
    rotations[:, 0] = quat.exp(np.array([0.5 * np.pi, 0.0, 0.0]))
    rows[:, CHANNELS.rotation_columns] = rotations.reshape(len(bends), -1)
    offsets = {"Foot_L": np.array([0.0, -0.05, -0.02])}
    legs = make_legs(CHANNELS, [LockPoint(n, JOINTS[n], offsets.get(n, np.zeros(3))) for n in points])
    limb = limbs_of(legs)[0]
    assert limb is not None
    return limb, _places_of(legs, rows)


def _places_of(legs, rows):
    """Places of the joints and points of the first leg."""
    flat = positions(legs, in_space(legs, chain_rotations(legs, rows)), None)
    return leg_solver(legs).groups(len(rows)).parted(flat.reshape(len(rows), len(legs.members), -1, 3))[0]


def _bent(limb, places, way):
    upper, lower = bend_limb(posed_limb(limb, places), way)
    thigh = np.subtract(places[limb.knee], places[limb.hip])
    shin = np.subtract(places[limb.end], places[limb.knee])
    return np.array(places[limb.hip]) + turned(upper, tuple(thigh)) + np.array(turned(lower, tuple(shin)))


def test_a_leg_is_hip_knee_and_foot():
    limb, places = _places(0.3, NAMES)
    assert limb.has_foot and limb.rigid and len(limb.points) == 2
    lengths = [np.linalg.norm(np.subtract(places[a], places[b])) for a, b in ((1, 2), (2, 3))]
    assert abs(sum(lengths) - limb.length) < 1e-12


@pytest.mark.parametrize("points", [1, 2])
def test_points_of_the_root_itself_hang_on_no_limb(points):
    places = np.eye(3)[:points] * 0.1 * np.arange(points)[:, None]
    legs = make_legs(CHANNELS, [LockPoint(f"root {row}", 0, place) for row, place in enumerate(places)])
    assert set(limbs_of(legs)) == {None}


@pytest.mark.parametrize("way", [(0.05, 0.0, 0.0), (0.0, -0.1, 0.02), (0.02, 0.05, 0.2), (0.0, 0.0, 0.0)])
@pytest.mark.parametrize("knee", [0.0, 0.1, 0.8])
def test_a_foot_goes_exactly_where_the_leg_reaches(way, knee):
    limb, places = _places(knee)
    hip, foot = np.array(places[limb.hip]), np.array(places[limb.end])
    wanted = foot + way
    if np.linalg.norm(wanted - hip) < limb.length:
        assert np.abs(_bent(limb, places, way) - wanted).max() < 1e-9


def test_a_foot_out_of_reach_is_stretched_for():
    limb, places = _places(0.4)
    hip, made = np.array(places[limb.hip]), _bent(limb, places, (0.0, -1.0, 0.0))
    assert abs(np.linalg.norm(made - hip) - limb.length) < 1e-9


def test_a_straight_knee_bends_forwards():
    limb, places = _places(0.0)
    upper, _ = bend_limb(posed_limb(limb, places), (0.0, 0.0, 0.05))
    knee = np.array(places[limb.hip]) + turned(upper, tuple(np.subtract(places[limb.knee], places[limb.hip])))
    toes = np.subtract(places[limb.points[0]], places[limb.end])
    assert (knee - places[limb.knee]) @ toes > 0.05 * np.linalg.norm(toes)


def test_a_foot_that_is_lifted_keeps_its_direction():
    limb, places = _places(0.5)
    x, y, z = places[limb.points[0]]
    turn, way = foot_move(posed_limb(limb, places), [(x, y, z + 0.1)], [1.0])
    assert np.abs(np.subtract(turn, (1.0, 0.0, 0.0, 0.0))).max() < 1e-12
    assert np.abs(np.subtract(way, (0.0, 0.0, 0.1))).max() < 1e-12


@pytest.mark.parametrize("asked", [[1.0, 1.0], [1.0, 0.0], [0.0, 1.0]])
def test_the_points_asked_for_come_to_their_targets(asked):
    limb, places = _places(0.5, NAMES)
    turn = quat.exp(np.array([0.1, 0.05, 0.02]))
    foot = np.array(places[limb.end])
    targets = [tuple(foot + (0.03, 0.01, 0.0) + turned(tuple(turn), tuple(places[p] - foot))) for p in limb.points]
    found, way = foot_move(posed_limb(limb, places), targets, asked)
    for point, target, chosen in zip(limb.points, targets, asked, strict=True):
        made = foot + way + turned(found, tuple(places[point] - foot))
        if chosen:
            assert np.abs(made - target).max() < 1e-12


def test_a_foot_with_one_point_is_tilted_about_it_and_one_with_two_by_them_alone():
    tilt = (0.995, 0.06, 0.08, 0.0)
    limb, places = _places(0.5)
    turn, way = foot_move(posed_limb(limb, places), [places[limb.points[0]]], [1.0], tilt)
    arm = np.subtract(places[limb.points[0]], places[limb.end])
    assert np.abs(np.subtract(turn, tilt)).max() < 1e-12
    assert np.abs(way + np.array(turned(turn, tuple(arm))) - arm).max() < 1e-12
    limb, places = _places(0.5, NAMES)
    turn, _ = foot_move(posed_limb(limb, places), [places[point] for point in limb.points], [1.0, 1.0], tilt)
    assert np.abs(np.subtract(turn, (1.0, 0.0, 0.0, 0.0))).max() < 1e-12


def test_a_pose_that_a_second_point_agrees_with_stays():
    limb, places = _places(0.5, NAMES)
    first = limb.points[0]
    targets = [tuple(np.add(places[first], (0.02, 0.03, 0.004))), (0.0, 0.0, 0.0)]
    turn, way = foot_move(posed_limb(limb, places), targets, [1.0, 0.0])
    foot = np.array(places[limb.end])
    targets[1] = tuple(foot + way + turned(turn, tuple(places[limb.points[1]] - foot)))
    again = foot_move(posed_limb(limb, places), targets, [1.0, 1.0])
    assert np.abs(np.subtract(again[0], turn)).max() < 1e-12
    assert np.abs(np.subtract(again[1], way)).max() < 1e-12


def test_the_root_sinks_only_for_what_is_out_of_reach_and_begins_gently():
    limb, places = _places(0.4)
    sunk = [pelvis_drop(posed_limb(limb, places), (0.0, -float(y), 0.0)) for y in np.linspace(0.0, 0.6, 601)]
    assert sunk[0] == 0.0 and sunk[-1] > 0.05
    assert np.diff(sunk).min() >= 0.0 and np.abs(np.diff(sunk, 2)).max() < 5e-4
    straight, stretched = _places(0.0)
    assert pelvis_drop(posed_limb(straight, stretched), (0.0, 0.0, 0.0)) == 0.0


def test_many_frames_are_as_one():
    knees = np.linspace(0.0, 1.0, 7)
    limb, many = _places(knees)
    way = (0.03, 0.05, 0.01)
    upper, lower = bend_limb(posed_limb(limb, many), way)
    for row, knee in enumerate(knees):
        _, one = _places(float(knee))
        for found, alone in zip((upper, lower), bend_limb(posed_limb(limb, one), way), strict=True):
            assert np.abs(np.array([c[row] for c in found]) - alone).max() < 1e-10
        assert abs(pelvis_drop(posed_limb(limb, many), way)[row] - pelvis_drop(posed_limb(limb, one), way)) < 1e-10


def test_quaternions_by_component_are_quaternions():
    rng = np.random.default_rng(2)
    a, b = (tuple(quat.normalize(rng.normal(size=4))) for _ in range(2))
    v, w = (tuple(rng.normal(size=3)) for _ in range(2))
    assert np.abs(np.array(product(a, b)) - quat.multiply(np.array(a), np.array(b))).max() < 1e-12
    assert np.abs(np.array(turned(a, v)) - quat.rotate(np.array(a), np.array(v))).max() < 1e-12
    aimed = np.array(turned(arc(v, w), v))
    assert np.abs(aimed / np.linalg.norm(aimed) - np.array(w) / np.linalg.norm(w)).max() < 1e-12
    assert (larger(2.0, 3.0), smaller(2.0, 3.0)) == (3.0, 2.0)
