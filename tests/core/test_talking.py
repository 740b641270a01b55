"""Laws of the gestures of the talking biped: their phases, the stroke's extremum, limbs and feet."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation
from verbs_adverbs.core.biped.figure import BONES, Generated, joint_ranges
from verbs_adverbs.core.biped.gestures import nod
from verbs_adverbs.core.biped.talking import beat

from .talkers import MADE, ends_of, examples_of

SYNC_POINTS = ("start", "ready", "stroke_start", "stroke", "stroke_end", "relax", "end")
FRAME = 1.0 / 240.0
FINE = 960.0
JOLT = 0.2
"""Largest change of a joint's turn from one sixtieth of a second to the next, in radians."""
EACH = pytest.mark.parametrize("gesture", MADE)


def at(motion: Generated, point: str) -> float:
    return float(motion.keytimes[SYNC_POINTS.index(point)])


def hands_of(motion: Generated) -> dict[str, np.ndarray]:
    """Paths (T, 3) of both wrists and of both hands' tips."""
    ends = ends_of(motion)
    return {f"{end}_{side}": ends[f"Hand_{side}"][row] for side in "LR" for row, end in enumerate(("wrist", "tip"))}


def speed_of(path: np.ndarray, motion: Generated) -> np.ndarray:
    return np.linalg.norm(np.gradient(path, motion.times, axis=0), axis=-1)


def strokes_of(motion: Generated) -> list[str]:
    """Points of the hands that stroke: the right one, and the left one where it moves as far."""
    paths = hands_of(motion)
    moved = {name: np.ptp(path, axis=0).max() for name, path in paths.items()}
    return [name for name in paths if moved[name] > 0.8 * max(moved.values())]


def assert_stroke_is_extreme(motion: Generated):
    struck, begun, ended = (at(motion, point) for point in ("stroke", "stroke_start", "stroke_end"))
    inside = (motion.times >= begun) & (motion.times <= ended)
    points = strokes_of(motion)
    assert any(name.endswith("_R") for name in points)
    for name in points:
        path = hands_of(motion)[name]
        here, there = (path[int(np.argmin(np.abs(motion.times - when)))] for when in (begun, struck))
        along = path @ ((there - here) / np.linalg.norm(there - here))
        farthest = motion.times[inside][int(np.argmax(along[inside]))]
        assert farthest == pytest.approx(struck, abs=FRAME), (motion.name, name)
        last = along[inside][-1]
        assert along[inside].max() - last > 0.006, (motion.name, name)
        speeds = speed_of(path, motion)
        near = np.abs(motion.times - struck) < 0.5 * FRAME
        assert speeds[near].max() < 0.02 * speeds[inside].max(), (motion.name, name)


def assert_joints_can(motion: Generated):
    for joint, bone in enumerate(BONES):
        about = joint_ranges(bone.name)
        if about:
            low, high = np.transpose(about)
            angles = Rotation.from_quat(motion.rotations[:, joint][:, [1, 2, 3, 0]]).as_euler("xyz", degrees=True)
            assert (angles >= low - 0.01).all() and (angles <= high + 0.01).all(), (motion.name, bone.name)


@EACH
def test_keytimes_are_the_sync_points_and_phases_last_as_a_persons(gesture: str):
    for rate in (24.0, 30.0, 240.0):
        for motion in examples_of(gesture, rate):
            assert motion.keytime_names == SYNC_POINTS
            assert motion.keytimes[0] == 0.0 and not motion.cyclic and motion.kind == "stationary"
            assert np.diff(motion.keytimes).min() > 0.03
    for motion in examples_of(gesture, 240.0):
        lengths = dict(zip(SYNC_POINTS[1:], np.diff(motion.keytimes), strict=True))
        assert 0.35 - FRAME <= lengths["ready"] <= 0.6
        assert 0.15 - FRAME <= lengths["stroke"] <= 0.35
        assert 0.5 <= lengths["end"] <= 0.8


@EACH
def test_examples_are_at_their_places_within_the_ranges(gesture: str):
    _, places, names, ranges = MADE[gesture]
    for place, motion in zip(places, examples_of(gesture, 24.0), strict=True):
        assert motion.adverbs == dict(zip(names, place, strict=True))
        assert (ranges[:, 0] <= place).all() and (np.array(place) <= ranges[:, 1]).all()


@EACH
@pytest.mark.parametrize("rate", [24.0, 25.0, 30.0])
def test_a_frame_shows_the_stroke(gesture: str, rate: float):
    for motion in examples_of(gesture, rate):
        assert np.abs(motion.times - at(motion, "stroke")).min() < 1e-9


@EACH
def test_the_hand_is_farthest_along_its_stroke_and_stands_still_at_that_keytime(gesture: str):
    for motion in examples_of(gesture, FINE):
        assert_stroke_is_extreme(motion)


@EACH
def test_the_hold_after_the_stroke_is_nearly_still_but_not_frozen(gesture: str):
    for motion in examples_of(gesture, 240.0):
        for name in strokes_of(motion):
            speeds = speed_of(hands_of(motion)[name], motion)
            begin, struck, ended, relax = (
                int(np.argmin(np.abs(motion.times - at(motion, point))))
                for point in ("stroke_start", "stroke", "stroke_end", "relax")
            )
            held = speeds[ended : relax + 1]
            assert held.max() < 0.1 * speeds[begin:struck].max(), (motion.name, name)
            assert held.mean() > 0.01, (motion.name, name)


@EACH
def test_gestures_begin_and_end_standing(gesture: str):
    standing = nod(rate=24.0)
    for motion in examples_of(gesture, 24.0):
        for row in (0, -1):
            assert np.abs(np.abs(np.sum(motion.rotations[row] * standing.rotations[0], axis=-1)) - 1.0).max() < 1e-9
            assert motion.root[row] == pytest.approx(standing.root[0], abs=1e-9)


@EACH
def test_head_and_trunk_take_part(gesture: str):
    for motion in examples_of(gesture, 60.0):
        ends = ends_of(motion)
        for bone, least in (("Head", 0.008), ("Chest", 0.004), ("Hips", 0.001)):
            assert np.ptp(ends[bone][1], axis=0).max() > least, (motion.name, bone)
        assert np.ptp(motion.root, axis=0).max() < 0.05


@EACH
def test_feet_stand_still_flat_on_the_floor(gesture: str):
    for motion in examples_of(gesture, 60.0):
        assert {plant.bone for plant in motion.plants} == {"Toes_L", "Toes_R"}
        moved = dict(zip((bone.name for bone in BONES), np.moveaxis(motion.rotations, 1, 0), strict=True))
        assert set(moved) >= {"Foot_L", "Foot_R"}
        ends = ends_of(motion)
        over = motion.root * np.array([1.0, 1.0, 0.0])
        for side in "LR":
            for path in (*ends[f"Foot_{side}"], ends[f"Toes_{side}"][1]):
                assert np.ptp(path + over, axis=0).max() < 1e-6, motion.name
            assert ends[f"Foot_{side}"][1][:, 2] == pytest.approx(0.025, abs=1e-6)


@EACH
def test_joints_stay_within_what_the_arms_and_legs_can_do(gesture: str):
    for motion in examples_of(gesture, 30.0):
        assert_joints_can(motion)


@EACH
def test_no_joint_is_thrown_about(gesture: str):
    for motion in examples_of(gesture, 60.0):
        for joint, bone in enumerate(BONES):
            turned = Rotation.from_quat(motion.rotations[:, joint][:, [1, 2, 3, 0]])
            steps = (turned[1:] * turned[:-1].inv()).as_rotvec()
            assert np.linalg.norm(np.diff(steps, axis=0), axis=-1).max() < JOLT, (motion.name, bone.name)


@pytest.mark.parametrize("energy", [0.0, 1.0])
def test_a_smaller_beat_is_shorter_in_time_and_way(energy: float):
    made = [beat(size, energy, rate=240.0) for size in np.linspace(0.0, 1.0, 6)]
    for small, large in pairwise(made):
        assert (np.diff(small.keytimes) < np.diff(large.keytimes) + 1e-9).all()
        assert small.duration < large.duration - 0.05
        ways = [np.ptp(hands_of(motion)["tip_R"], axis=0).max() for motion in (small, large)]
        assert ways[0] < ways[1]


@pytest.mark.parametrize("size", [0.0, 1.0])
def test_a_beat_of_more_energy_strokes_faster_and_recoils_farther(size: float):
    fastest, back = [], []
    for energy in (0.0, 0.5, 1.0):
        motion = beat(size, energy, rate=240.0)
        path = hands_of(motion)["tip_R"]
        rows = [int(np.argmin(np.abs(motion.times - at(motion, p)))) for p in ("stroke_start", "stroke", "stroke_end")]
        fastest.append(speed_of(path, motion)[rows[0] : rows[1]].max())
        back.append(np.linalg.norm(path[rows[2]] - path[rows[1]]))
    assert (np.diff(fastest) > 0.05).all() and (np.diff(back) > 0.002).all()


@EACH
def test_a_gesture_of_more_energy_is_sharper_though_its_stroke_goes_as_far(gesture: str):
    make, _, _, ranges = MADE[gesture]
    middle = ranges.mean(axis=1)[:-1]
    fastest, back, lasts, ends = [], [], [], []
    for energy in (0.0, 0.5, 1.0):
        motion = make(*middle, energy, rate=240.0)
        path = hands_of(motion)["tip_R"]
        rows = [int(np.argmin(np.abs(motion.times - at(motion, p)))) for p in ("stroke_start", "stroke", "stroke_end")]
        fastest.append(speed_of(path, motion)[rows[0] : rows[1]].max())
        back.append(np.linalg.norm(path[rows[1] : rows[2] + 1] - path[rows[1]], axis=-1).max())
        lasts.append(at(motion, "stroke") - at(motion, "stroke_start"))
        ends.append(path[rows[1]])
    assert (np.diff(fastest) > 0.05).all() and (np.diff(lasts) < -0.01).all()
    assert (
        np.diff(back) > 0.002
    ).all() or gesture == "greet"  # It swings back by its whole stroke, whatever its energy.
    assert np.ptp(ends, axis=0).max() < 0.05


@EACH
@given(shares=st.lists(st.floats(0.0, 1.0), min_size=2, max_size=2))
@settings(max_examples=12, deadline=None)
def test_wherever_the_adverbs_are_the_stroke_is_extreme_and_joints_can_do_it(gesture: str, shares: list[float]):
    make, _, _, ranges = MADE[gesture]
    motion = make(*(low + share * (high - low) for (low, high), share in zip(ranges, shares, strict=False)), rate=480.0)
    assert_stroke_is_extreme(motion)
    assert_joints_can(motion)
    assert np.diff(motion.keytimes).min() > 0.03
