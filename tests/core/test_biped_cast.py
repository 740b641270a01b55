"""Laws of the biped's further motions: feet on the floor, strikes where they are asked, limbs as a person's."""

from functools import cache

import numpy as np
import pytest
from verbs_adverbs.core.biped.cast import CAST, GAITS, Role, ways
from verbs_adverbs.core.biped.figure import JOINTS, Generated, biped_skeleton, heel, joint_ranges, rest_point
from verbs_adverbs.core.biped.strikes import kick, punch
from verbs_adverbs.core.figure import quaternion as quat
from verbs_adverbs.core.figure.skeleton import forward_kinematics

SKELETON = biped_skeleton()
SOLE = 0.025
"""Height of the balls of flat feet."""
MILLIMETRE = 1e-3
JOLT = 0.2
"""Largest change of a joint's turn from one sixtieth of a second to the next, in radians."""
ALL = pytest.mark.parametrize("role", CAST, ids=lambda role: role.verb)


@cache
def examples(verb: str, rate: float) -> list[Generated]:
    (role,) = (one for one in CAST if one.verb == verb)
    return role.examples(rate)


def frames_of(motion: Generated) -> tuple[np.ndarray, np.ndarray]:
    locations = np.zeros((*motion.rotations.shape[:2], 3))
    locations[:, 0] = motion.root
    return forward_kinematics(SKELETON, motion.rotations, locations)


def end_of(motion: Generated, bone: str) -> np.ndarray:
    """Path (T, 3) of the tail of a bone."""
    places, turns = frames_of(motion)
    return places[:, JOINTS[bone]] + quat.rotate(turns[:, JOINTS[bone]], SKELETON.tails[JOINTS[bone]])


def euler_degrees(rotations: np.ndarray) -> np.ndarray:
    """Angles (T, 3) about X, then Y, then Z, of rotations (T, 4), which make the same rotation as these."""
    w, x, y, z = np.moveaxis(rotations, -1, 0)
    about_x = np.arctan2(2.0 * (w * x + y * z), 1.0 - 2.0 * (x * x + y * y))
    about_y = np.arcsin(np.clip(2.0 * (w * y - z * x), -1.0, 1.0))
    about_z = np.arctan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z))
    return np.degrees(np.stack([about_x, about_y, about_z], axis=-1))


@ALL
def test_balls_of_feet_stand_still_flat_on_the_floor_where_they_are_planted(role: Role):
    for motion in examples(role.verb, 60.0):
        places, _ = frames_of(motion)
        planted = 0
        for plant in motion.plants:
            ball = places[:, JOINTS[plant.bone]]
            for start, end in plant.windows:
                inside = ball[(motion.times >= start) & (motion.times <= end)]
                planted += len(inside)
                if len(inside):
                    assert np.ptp(inside, axis=0).max() < 1e-6, motion.name
                    assert np.abs(inside[:, 2] - SOLE).max() < 1e-6, motion.name
        assert planted > 0.4 * len(motion.times), motion.name


@ALL
def test_no_foot_goes_into_the_floor(role: Role):
    for motion in examples(role.verb, 60.0):
        places, turns = frames_of(motion)
        for side in "LR":
            joint = JOINTS[f"Foot_{side}"]
            unrolled = quat.rotate(quat.conjugate(_rest(joint)), heel(side) - rest_point(f"Foot_{side}"))
            heels = places[:, joint] + quat.rotate(turns[:, joint], unrolled)
            assert heels[:, 2].min() > -2.0 * MILLIMETRE, motion.name
            assert places[:, JOINTS[f"Toes_{side}"], 2].min() > SOLE - 1e-6, motion.name
            assert end_of(motion, f"Toes_{side}")[:, 2].min() > SOLE - 2.0 * MILLIMETRE, motion.name


def _rest(joint: int) -> np.ndarray:
    """Orientation of a bone at rest in the armature's space."""
    turned = quat.IDENTITY
    while joint >= 0:
        turned, joint = quat.multiply(SKELETON.rests[joint], turned), int(SKELETON.parents[joint])
    return turned if len(turned) == 4 else turned[0]


@ALL
def test_joints_stay_within_what_the_arms_and_legs_can_do(role: Role):
    for motion in examples(role.verb, 30.0):
        for name, joint in JOINTS.items():
            about = joint_ranges(name)
            if about:
                low, high = np.transpose(about)
                angles = euler_degrees(motion.rotations[:, joint])
                assert (angles >= low - 0.01).all() and (angles <= high + 0.01).all(), (motion.name, name)


@ALL
def test_no_joint_is_thrown_about(role: Role):
    for motion in examples(role.verb, 60.0):
        turns = quat.log(quat.multiply(motion.rotations[1:], quat.conjugate(motion.rotations[:-1])))
        assert np.linalg.norm(np.diff(turns, axis=0), axis=-1).max() < JOLT, motion.name


@ALL
def test_keytimes_are_named_alike_and_ranges_hold_the_examples(role: Role):
    made = examples(role.verb, 24.0)
    assert len({motion.keytime_names for motion in made}) == 1
    for motion in made:
        assert (np.diff(motion.keytimes) > 0.1).all()
        assert motion.adverbs.keys() == role.ranges.keys()
        for name, value in motion.adverbs.items():
            low, high = role.ranges[name]
            assert low <= value <= high


@pytest.mark.parametrize("rate", [24.0, 30.0, 25.0])
@pytest.mark.parametrize("role", [role for role in CAST if role.place], ids=lambda role: role.verb)
def test_a_frame_shows_what_measured_adverbs_ask_for(role: Role, rate: float):
    for motion in examples(role.verb, rate):
        seconds = motion.keytimes[motion.keytime_names.index(role.place.keytime)]
        row = int(np.argmin(np.abs(motion.times - seconds)))
        assert motion.times[row] == pytest.approx(seconds, abs=1e-9)
        place = end_of(motion, role.place.bone)[row]
        for adverb, axis in role.place.axes.items():
            assert place["XYZ".index(axis)] == pytest.approx(motion.adverbs[adverb], abs=0.01 * MILLIMETRE), motion.name


@pytest.mark.parametrize(("make", "bone"), [(punch, "Hand_R"), (kick, "Foot_R")])
def test_a_strike_is_farthest_out_at_its_keytime(make, bone: str):
    motion = make(-0.1, 1.1, rate=240.0)
    ahead = -end_of(motion, bone)[:, 1]
    struck = motion.keytimes[motion.keytime_names.index("strike")]
    assert motion.times[int(np.argmax(ahead))] == pytest.approx(struck, abs=0.03)
    assert ahead.max() > 0.8


@pytest.mark.parametrize("rate", [1.0, 5.0, 12.0])
def test_motions_can_be_made_for_few_frames_a_second(rate: float):
    for role in CAST:
        for motion in examples(role.verb, rate):
            assert (np.diff(motion.keytimes) > 0.0).all()
            assert np.isfinite(motion.rotations).all()


def test_ways_lead_to_and_from_standing_and_between_gaits():
    verbs = ["stand", "walk", "run", "punch"]
    pairs = set(ways(verbs))
    assert {pair for pair in pairs if "punch" in pair} == {("punch", "stand"), ("stand", "punch")}
    assert ("walk", "run") in pairs and ("run", "walk") in pairs
    assert len(pairs) == 8
    assert ways([]) == [] and ways(["stand"]) == []
    assert {source for source, _ in ways(["wave", "punch"])} == {"wave", "punch"}
    assert set(GAITS) >= {"walk", "run"}
