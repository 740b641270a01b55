"""Laws of the generated walk and wave: feet that stand, knees that bend one way, a cycle that closes."""

import numpy as np
import pytest
from verbs_adverbs.core.biped.figure import BALL_HEIGHT, JOINTS, biped_skeleton, heel, rest_orientations, rest_point
from verbs_adverbs.core.biped.standing import WAVE_EXAMPLES, wave
from verbs_adverbs.core.biped.walk import KEYTIME_NAMES, WALK_EXAMPLES, Gait, build_gait, walk, walk_pose
from verbs_adverbs.core.figure import quaternion as quat
from verbs_adverbs.core.figure.skeleton import forward_kinematics

SKELETON = biped_skeleton()
WALKS = [*WALK_EXAMPLES, (0.4, -0.7, 0.3), (-0.6, 0.5, -0.8)]
SIDES = ("L", "R")


def frames_of(rotations: np.ndarray, root: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    locations = np.zeros(rotations.shape[:2] + (3,))
    locations[:, 0] = root
    return forward_kinematics(SKELETON, rotations, locations)


def point(positions: np.ndarray, orientations: np.ndarray, name: str, rest: np.ndarray) -> np.ndarray:
    """Path (T, 3) of what is at `rest` in the rest pose and moves with bone `name`."""
    turn = quat.multiply(orientations[:, JOINTS[name]], quat.conjugate(rest_orientations()[JOINTS[name]]))
    return positions[:, JOINTS[name]] + quat.rotate(turn, rest - rest_point(name))


def toe_ends(positions: np.ndarray, orientations: np.ndarray, side: str) -> tuple[np.ndarray, np.ndarray]:
    joint = JOINTS[f"Toes_{side}"]
    ball = positions[:, joint]
    return ball, ball + quat.rotate(orientations[:, joint], SKELETON.tails[joint])


def knee_bend(positions: np.ndarray, side: str) -> np.ndarray:
    """Degrees (T,) by which the shank is bent against the thigh."""
    hip, knee, ankle = (positions[:, JOINTS[f"{name}_{side}"]] for name in ("UpperLeg", "LowerLeg", "Foot"))
    thigh, shank = knee - hip, ankle - knee
    cosine = np.sum(thigh * shank, axis=-1) / np.linalg.norm(thigh, axis=-1) / np.linalg.norm(shank, axis=-1)
    return np.degrees(np.arccos(np.clip(cosine, -1.0, 1.0)))


def cycle_of(adverbs: tuple[float, float, float], count: int = 400) -> tuple[Gait, np.ndarray, np.ndarray]:
    gait = build_gait(*adverbs)
    return gait, *frames_of(*walk_pose(gait, np.arange(count) / count))


@pytest.mark.parametrize("adverbs", WALKS, ids=str)
def test_planted_toes_stand_still_between_their_marks(adverbs):
    motion = walk(*adverbs, rate=120.0, margin=120)
    positions, orientations = frames_of(motion.rotations, motion.root)
    for plant, side in zip(motion.plants, SIDES, strict=True):
        assert plant.bone == f"Toes_{side}"
        (start, end) = plant.windows[0]
        inside = (motion.times >= start) & (motion.times <= end)
        assert np.sum(inside) > 30
        for end_of_bone in toe_ends(positions, orientations, side):
            assert np.max(np.ptp(end_of_bone[inside], axis=0)) < 1e-3


@pytest.mark.parametrize("adverbs", WALKS, ids=str)
def test_the_pose_is_exactly_cyclic(adverbs):
    gait = build_gait(*adverbs)
    phases = np.linspace(-0.4, 0.9, 40)
    rotations, root = walk_pose(gait, phases)
    later, root_later = walk_pose(gait, phases + 1.0)
    assert np.max(np.abs(quat.align(later, rotations)[:, 1:] - rotations[:, 1:])) < 1e-9
    turn = quat.from_yaw(gait.path.curvature * gait.style.stride)
    step = gait.path.place(np.array([[gait.style.stride, 0.0, 0.0]]))
    assert np.max(np.abs(root_later - step - quat.rotate(turn, root))) < 1e-9
    assert np.max(quat.angle_between(later[:, 0], quat.multiply(turn, rotations[:, 0]))) < 1e-7


@pytest.mark.parametrize("adverbs", WALKS, ids=str)
def test_knees_bend_backwards_and_never_stretch_out(adverbs):
    _, positions, orientations = cycle_of(adverbs)
    for side in SIDES:
        bend = knee_bend(positions, side)
        assert np.min(bend) > 8.0
        assert np.max(bend) < 115.0
        hip, knee, ankle = (positions[:, JOINTS[f"{name}_{side}"]] for name in ("UpperLeg", "LowerLeg", "Foot"))
        pelvis = quat.multiply(orientations[:, 0], quat.conjugate(rest_orientations()[0]))
        front = quat.rotate(pelvis, np.array([0.0, -1.0, 0.0]))
        assert np.min(np.sum((knee - 0.5 * (hip + ankle)) * front, axis=-1)) > 0.0


@pytest.mark.parametrize("adverbs", WALKS, ids=str)
def test_knees_do_not_pop(adverbs):
    gait, positions, _ = cycle_of(adverbs)
    for side in SIDES:
        bend = knee_bend(positions, side)
        speed = np.abs(np.diff(bend, append=bend[:1])) * len(bend) / gait.style.period
        assert np.max(speed) < 750.0


@pytest.mark.parametrize("adverbs", WALKS, ids=str)
def test_feet_stay_above_the_floor(adverbs):
    gait, positions, orientations = cycle_of(adverbs)
    for side in SIDES:
        ends = [end - [0.0, 0.0, BALL_HEIGHT] for end in toe_ends(positions, orientations, side)]
        for foot in [*ends, point(positions, orientations, f"Foot_{side}", heel(side))]:
            assert np.min(gait.path.course(foot)[:, 2]) > -2e-3


@pytest.mark.parametrize("adverbs", WALKS, ids=str)
def test_feet_come_down_and_leave_at_the_keytimes(adverbs):
    motion = walk(*adverbs, rate=240.0, margin=240)
    gait = build_gait(*adverbs)
    positions, orientations = frames_of(motion.rotations, motion.root)
    down, up = motion.keytimes[KEYTIME_NAMES.index("R_down")], motion.keytimes[KEYTIME_NAMES.index("R_up")]
    sole = point(positions, orientations, "Foot_R", heel("R"))
    ball, _ = toe_ends(positions, orientations, "R")
    lowest = np.minimum(gait.path.course(sole)[:, 2], gait.path.course(ball)[:, 2] - BALL_HEIGHT)
    inside = (motion.times >= down) & (motion.times <= up)
    assert np.max(np.abs(lowest[inside])) < 3e-3
    before = (motion.times > down - 0.12) & (motion.times < down - 0.04)
    after = (motion.times > up + 0.04) & (motion.times < up + 0.12)
    assert np.min(lowest[before]) > 5e-4
    assert np.min(lowest[after]) > 5e-4


def test_the_sad_are_slow_and_the_happy_are_fast():
    sad, plain, happy = (walk(mood=mood) for mood in (-1.0, 0.0, 1.0))
    assert sad.duration > plain.duration > happy.duration
    speeds = [build_gait(mood, 0.0, 0.0).style for mood in (-1.0, 0.0, 1.0)]
    assert np.all(np.diff([style.stride / style.period for style in speeds]) > 0.4)


def test_the_sad_slump_and_the_happy_throw_out_their_chest():
    leans = []
    for mood in (-1.0, 0.0, 1.0):
        _, positions, _ = cycle_of((mood, 0.0, 0.0))
        trunk = positions[:, JOINTS["Head"]] - positions[:, JOINTS["Hips"]]
        leans.append(np.degrees(np.mean(np.arctan2(-trunk[:, 1], trunk[:, 2]))))
    assert leans[0] > leans[1] + 10.0
    assert leans[1] > leans[2] + 3.0


def test_a_hill_carries_the_root_up_and_a_turn_turns_it():
    up, left = walk(slope=1.0), walk(turn=1.0)
    gait = build_gait(0.0, 1.0, 0.0)
    start, end = (np.interp([0.0, up.duration], up.times, up.root[:, 2])).tolist()
    assert end - start == pytest.approx(gait.style.stride * np.tan(np.radians(12.0)), abs=5e-3)
    first, last = walk_pose(build_gait(0.0, 0.0, 1.0), np.array([0.0, 1.0]))[0][:, 0]
    assert np.degrees(quat.angle_between(first, last)) == pytest.approx(45.0 * left.duration, abs=1e-6)


def test_keytimes_rise_and_have_their_names():
    for adverbs in WALK_EXAMPLES:
        motion = walk(*adverbs)
        assert motion.keytime_names == ("R_down", "L_up", "L_down", "R_up", "R_down")
        assert motion.keytimes[0] == 0.0
        assert np.all(np.diff(motion.keytimes) > 0.05)
        assert motion.times[0] < 0.0 and motion.times[-1] > motion.duration
        assert np.max(np.abs(np.linalg.norm(motion.rotations, axis=-1) - 1.0)) < 1e-12


def test_a_right_turn_mirrors_a_left_turn():
    phases = np.arange(40) / 40
    left, _ = frames_of(*walk_pose(build_gait(0.3, 0.2, 0.7), phases))
    right, _ = frames_of(*walk_pose(build_gait(0.3, 0.2, -0.7), phases + 0.5))
    other = [JOINTS[n[:-1] + {"L": "R", "R": "L"}[n[-1]] if n[-2] == "_" else n] for n in SKELETON.names]
    mirrored = left[:, other] * np.array([-1.0, 1.0, 1.0])

    def distances(joints: np.ndarray) -> np.ndarray:
        return np.linalg.norm(joints[:, :, None] - joints[:, None, :], axis=-1)

    assert np.max(np.abs(distances(mirrored) - distances(right))) < 1e-9


@pytest.mark.parametrize("adverbs", WAVE_EXAMPLES, ids=str)
def test_a_wave_begins_and_ends_standing_with_both_feet_planted(adverbs):
    motion = wave(*adverbs)
    positions, orientations = frames_of(motion.rotations, motion.root)
    for side in SIDES:
        for end in toe_ends(positions, orientations, side):
            assert np.max(np.ptp(end, axis=0)) < 1e-9
        assert np.min(knee_bend(positions, side)) > 5.0
    assert np.max(np.abs(positions[0] - positions[-1])) < 1e-9
    assert np.all(np.diff(motion.keytimes) > 0.2)
    assert not motion.cyclic


def test_height_raises_the_waving_hand_and_energy_hurries_it():
    def hand_height(height: float) -> float:
        motion = wave(0.0, height)
        positions, _ = frames_of(motion.rotations, motion.root)
        return float(np.max(positions[:, JOINTS["Hand_R"], 2]))

    assert hand_height(-1.0) < hand_height(0.0) - 0.15 < hand_height(1.0) - 0.3
    assert wave(1.0, 0.0).duration < wave(0.0, 0.0).duration < wave(-1.0, 0.0).duration
