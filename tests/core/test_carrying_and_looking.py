"""Laws of the box in both hands, whose cycle is a walk's, and of the look at a place."""

from collections.abc import Callable
from functools import cache

import numpy as np
import pytest
from verbs_adverbs.core.biped.carrying import CARRY_EXAMPLES, carry
from verbs_adverbs.core.biped.figure import JOINTS, Generated, biped_skeleton
from verbs_adverbs.core.biped.gestures import LOOK_EXAMPLES, look
from verbs_adverbs.core.biped.walk import walk
from verbs_adverbs.core.figure import quaternion as quat
from verbs_adverbs.core.figure.skeleton import forward_kinematics

SKELETON = biped_skeleton()
MILLIMETRE = 1e-3
WALL = 0.2
"""Metres that forearms keep from the axis of the trunk, which is 0.35 m wide."""
TRUNK = ("Hips", "Spine", "Chest")
CARRIES = pytest.mark.parametrize(("weight", "width"), [*CARRY_EXAMPLES, (0.0, 0.375)])
LOOKS = pytest.mark.parametrize(("side", "height"), LOOK_EXAMPLES)


class Seen:
    """Where the bones of a motion are in each of its frames."""

    def __init__(self, motion: Generated) -> None:
        locations = np.zeros((*motion.rotations.shape[:2], 3))
        locations[:, 0] = motion.root
        self.heads, self.turns = forward_kinematics(SKELETON, motion.rotations, locations)
        self.tails = self.heads + quat.rotate(self.turns, SKELETON.tails)

    def head(self, bone: str) -> np.ndarray:
        return self.heads[:, JOINTS[bone]]

    def tail(self, bone: str) -> np.ndarray:
        return self.tails[:, JOINTS[bone]]

    def along(self, bone: str) -> np.ndarray:
        return self.tail(bone) - self.head(bone)

    def axis(self, bone: str, number: int) -> np.ndarray:
        return quat.rotate(self.turns[:, JOINTS[bone]], np.eye(3)[number])


@cache
def carried(weight: float, width: float, rate: float = 60.0) -> tuple[Generated, Seen]:
    made = carry(weight, width, rate=rate)
    return made, Seen(made)


def angle(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Degrees between vectors (T, 3)."""
    return np.degrees(np.arctan2(np.linalg.norm(np.cross(a, b), axis=-1), np.sum(a * b, axis=-1)))


def box(seen: Seen) -> np.ndarray:
    """Place (T, 3) of the middle between both hands."""
    return 0.25 * sum(end(f"Hand_{side}") for side in "LR" for end in (seen.head, seen.tail))


@pytest.mark.parametrize("rate", [24.0, 30.0, 60.0])
@CARRIES
def test_hands_are_as_far_apart_as_asked_in_every_frame(weight: float, width: float, rate: float):
    _, seen = carried(weight, width, rate)
    for end in (seen.head, seen.tail):
        apart = np.linalg.norm(end("Hand_L") - end("Hand_R"), axis=-1)
        assert np.abs(apart - width).max() < MILLIMETRE


@CARRIES
def test_palms_face_each_other_on_the_sides_of_the_box(weight: float, width: float):
    _, seen = carried(weight, width)
    for side, other in ("LR", "RL"):
        palm, across = -seen.axis(f"Hand_{side}", 2), seen.head(f"Hand_{other}") - seen.head(f"Hand_{side}")
        assert angle(palm, across).max() < 5.0
        assert angle(seen.along(f"Hand_{side}"), np.array([0.0, -1.0, 0.0])).max() < 20.0
    assert np.abs(seen.head("Hand_L") - seen.head("Hand_R"))[:, 1:].max() < MILLIMETRE


@CARRIES
def test_the_box_is_before_the_belly_and_the_arms_are_beside_the_trunk(weight: float, width: float):
    _, seen = carried(weight, width)
    belly = seen.head("Spine")
    ahead = belly[:, 1] - box(seen)[:, 1]
    assert ahead.min() > 0.2 and ahead.max() < 0.5
    assert (box(seen)[:, 2] > seen.head("Hips")[:, 2]).all() and (box(seen)[:, 2] < seen.tail("Chest")[:, 2]).all()
    for side in "LR":
        bent = angle(seen.along(f"UpperArm_{side}"), seen.along(f"LowerArm_{side}"))
        assert bent.min() > 78.0 and bent.max() < 92.0
        assert angle(seen.along(f"LowerArm_{side}"), seen.along(f"Hand_{side}")).max() < 60.0
        for bone in TRUNK:
            assert _nearest(seen, f"LowerArm_{side}", bone) > WALL


def _nearest(seen: Seen, limb: str, bone: str) -> float:
    """Smallest distance of points along a limb to the axis of a bone."""
    shares = np.linspace(0.0, 1.0, 11)[:, None, None]
    points = seen.head(limb) + shares * seen.along(limb) - seen.head(bone)
    axis = seen.along(bone)
    part = np.clip(np.sum(points * axis, axis=-1) / np.sum(axis**2, axis=-1), 0.0, 1.0)
    return float(np.linalg.norm(points - part[..., None] * axis, axis=-1).min())


@CARRIES
def test_the_cycle_is_that_of_the_plain_walk(weight: float, width: float):
    made, step = carried(weight, width)[0], walk()
    assert made.cyclic and made.kind == "stationary"
    assert made.keytime_names == step.keytime_names
    assert made.keytimes == pytest.approx(step.keytimes, rel=0.1, abs=1e-9)


@CARRIES
def test_the_loop_closes_without_a_corner(weight: float, width: float):
    made = carry(weight, width, rate=100.0, margin=6)
    (beginning,), (end,) = (np.flatnonzero(np.abs(made.times - at) < 1e-9) for at in (0.0, made.duration))
    for row in range(-6, 7):
        turned = quat.angle_between(made.rotations[beginning + row], made.rotations[end + row])
        assert turned.max() < 1e-6
        assert made.root[end + row] == pytest.approx(made.root[beginning + row], abs=1e-9)


@CARRIES
def test_the_box_dips_when_a_foot_lands_and_bobs_about_a_centimetre(weight: float, width: float):
    made, seen = carried(weight, width, 200.0)
    height = box(seen)[:, 2]
    assert 0.006 < np.ptp(height) < 0.025
    for name in ("R_down", "L_down"):
        landing = made.keytimes[made.keytime_names.index(name)]
        soon = (made.times >= landing) & (made.times <= landing + 0.1 * made.duration)
        lowest = made.times[soon][int(np.argmin(height[soon]))]
        assert height[soon].min() == pytest.approx(height.min(), abs=0.1 * MILLIMETRE)
        assert landing < lowest < landing + 0.1 * made.duration
        assert np.diff(height)[made.times[1:] > landing][0] < 0.0


def test_a_heavy_box_is_lower_and_nearer_and_bends_the_figure_more():
    for width in (0.25, 0.5):
        (_, light), (_, heavy) = carried(-1.0, width), carried(1.0, width)
        (low, near), (high, far) = ((box(seen).mean(axis=0)[2], -box(seen).mean(axis=0)[1]) for seen in (heavy, light))
        assert low < high - 0.05 and near < far - 0.05
        assert np.ptp(box(heavy)[:, 2]) > 1.5 * np.ptp(box(light)[:, 2])
        for seen, leans in ((light, (-1.0, 4.0)), (heavy, (7.0, 13.0))):
            back = np.degrees(np.arctan2(seen.along("Chest")[:, 1], seen.along("Chest")[:, 2]))
            assert leans[0] < back.min() and back.max() < leans[1]
        for upper, lower in (("UpperLeg_L", "LowerLeg_L"), ("UpperArm_R", "LowerArm_R")):
            bent = [angle(seen.along(upper), seen.along(lower)).mean() for seen in (light, heavy)]
            assert bent[1] > bent[0] + 3.0


@pytest.mark.parametrize(
    "make", [*(lambda at=at: carry(*at) for at in CARRY_EXAMPLES), *(lambda at=at: look(*at) for at in LOOK_EXAMPLES)]
)
def test_both_feet_stand_all_the_time(make: Callable[[], Generated]):
    made = make()
    seen = Seen(made)
    for side in "LR":
        for bone in (f"Foot_{side}", f"Toes_{side}"):
            assert np.ptp(seen.head(bone), axis=0).max() < 1e-6
            assert np.ptp(seen.tail(bone), axis=0).max() < 1e-6
    for plant in made.plants:
        ((begin, end),) = plant.windows
        assert begin <= 0.0 and end >= made.duration
    assert {plant.bone for plant in made.plants} == {"Toes_L", "Toes_R"}


@pytest.mark.parametrize(("made", "fastest"), [(carry(1.0, 0.25, rate=60.0), 60.0), (look(1.0, 1.0, rate=60.0), 200.0)])
def test_nothing_is_hurried(made: Generated, fastest: float):
    turned = np.degrees(quat.angle_between(made.rotations[1:], made.rotations[:-1])) * 60.0
    assert 10.0 < turned.max() < fastest


def gaze(seen: Seen) -> np.ndarray:
    """Degrees (T, 2) to the left and up to which the face looks, which looks to -Y at rest."""
    ahead = seen.axis("Head", 2)
    return np.degrees(np.stack([np.arctan2(ahead[:, 0], -ahead[:, 1]), np.arcsin(ahead[:, 2])], axis=-1))


@LOOKS
def test_the_face_looks_at_the_place_for_as_long_as_it_is_held(side: float, height: float):
    made = look(side, height, rate=60.0)
    looks = gaze(Seen(made))
    assert made.keytime_names == ("start", "look", "held", "end") and not made.cyclic
    _, begins, ends, _ = made.keytimes
    there = (made.times >= begins) & (made.times <= ends)
    assert ends - begins > 0.5
    assert np.abs(looks[there] - [70.0 * side, 30.0 * height]).max() < 0.5
    assert np.abs(looks[:, 0]).max() < 70.0 * abs(side) + 0.5
    assert np.abs(looks[:, 1]).max() < max(30.0 * abs(height), 3.5) + 0.5


@LOOKS
def test_a_look_begins_and_ends_straight_ahead_in_one_pose(side: float, height: float):
    made = look(side, height, rate=60.0)
    assert quat.angle_between(made.rotations[0], made.rotations[-1]).max() < 1e-6
    assert np.abs(gaze(Seen(made))[[0, -1]]).max() < 4.0


@pytest.mark.parametrize("side", [-1.0, 1.0])
def test_the_chest_turns_a_bit_and_after_the_head(side: float):
    made = look(side, 0.0, rate=240.0)
    seen = Seen(made)
    chest = np.degrees(np.arctan2(*(seen.axis("Chest", 2)[:, :2] * [1.0, -1.0]).T))
    assert 5.0 < np.abs(chest).max() < 25.0 and np.sign(chest[np.argmax(np.abs(chest))]) == side
    halves = [int(np.argmax(np.abs(turned) > 0.5 * np.abs(turned).max())) for turned in (gaze(seen)[:, 0], chest)]
    assert made.times[halves[1]] > made.times[halves[0]] + 0.03
