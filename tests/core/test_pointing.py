"""Laws of pointing at a place: it is met, the arm is straight, limits are kept, nothing jumps; bad input."""

from functools import cache
from math import pi

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from verbs_adverbs.core.aim.pointing import Arm, arm_of, point_at
from verbs_adverbs.core.biped.figure import JOINTS, biped_skeleton, bone_length, rest_orientations
from verbs_adverbs.core.errors import RigError
from verbs_adverbs.core.figure import quaternion as quat
from verbs_adverbs.core.figure.channels import world_frames
from verbs_adverbs.core.figure.parameterisations import SwingTwist
from verbs_adverbs.core.figure.swing_twist import limb_frame

from .walks import biped_channels, scattered_walk

LIMITS = np.radians([75.0, 95.0])
BONES = ("UpperArm_L", "LowerArm_L", "Hand_L")
LENGTH = sum(bone_length(bone) for bone in BONES)


def _along(bone: str, half_axes: tuple[float, float], twist: float, ahead: float = 0.0) -> SwingTwist:
    """A bone that swings about where it points when it is turned ahead, about the vertical, from rest."""
    rest = Rotation.from_quat(np.roll(rest_orientations()[JOINTS[bone]], -1))
    centre = rest.inv() * Rotation.from_rotvec([0.0, 0.0, -ahead]) * rest
    frame = limb_frame(centre.apply([0.0, 1.0, 0.0]), centre.apply(rest.inv().apply([0.0, 0.0, 1.0])))
    middle = np.roll(centre.as_quat(), 1)
    return SwingTwist(tuple(frame.tolist()), half_axes, -twist, twist, tuple(middle.tolist()))  # type: ignore[arg-type]


@cache
def _arm(collar: float = 0.0) -> Arm:
    """The left arm, whose upper part has its middle ahead and aside; `collar` is the share of the collarbone."""
    upper = ("UpperArm_L", _along("UpperArm_L", (LIMITS[1], LIMITS[0]), 1.0, ahead=0.9), 1.0 - collar)
    first = [("Shoulder_L", _along("Shoulder_L", (0.35, 0.35), 0.1), collar)] if collar else []
    below = [("LowerArm_L", _along("LowerArm_L", (2.7, 2.7), 1.5)), ("Hand_L", _along("Hand_L", (0.9, 1.3), 0.3))]
    return arm_of(biped_skeleton(), [*first, upper], below)


def _ends(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Places of shoulder, elbow, wrist and the tip of the hand."""
    heads, turns = world_frames(biped_channels(), rows)
    shoulder, elbow, wrist = (heads[:, JOINTS[bone]] for bone in BONES)
    return (
        shoulder,
        elbow,
        wrist,
        wrist + quat.rotate(turns[:, JOINTS["Hand_L"]], biped_skeleton().tails[JOINTS["Hand_L"]]),
    )


def _angle(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return np.arctan2(np.linalg.norm(np.cross(a, b), axis=-1), np.sum(a * b, axis=-1))


def _places(rows: np.ndarray, aside: np.ndarray, rise: np.ndarray, distance: np.ndarray) -> np.ndarray:
    """Places around left shoulders, by the angle to the left of straight ahead, and by height."""
    angle = rows[:, 2] + aside
    way = np.stack([np.sin(angle) * np.cos(rise), -np.cos(angle) * np.cos(rise), np.sin(rise)], axis=-1)
    return _ends(rows)[0] + distance[:, None] * way


def _somewhere(
    count: int, low: float, high: float, rise: float, near: float, far: float
) -> tuple[np.ndarray, np.ndarray]:
    rng, rows = np.random.default_rng(2), scattered_walk(count)
    return rows, _places(
        rows,
        np.radians(rng.uniform(low, high, count)),
        np.radians(rng.uniform(-rise, rise, count)),
        rng.uniform(near, far, count),
    )


@pytest.mark.parametrize("collar", [0.0, 0.2])
def test_the_line_from_the_shoulder_to_the_tip_of_the_hand_meets_the_place(collar: float):
    rows, places = _somewhere(400, -10.0, 80.0, 35.0, 1.0, 8.0)
    made = point_at(_arm(collar), biped_channels(), rows, places)
    shoulder, elbow, wrist, tip = _ends(made.rows)
    assert _angle(tip - shoulder, places - shoulder).max() < 1e-6
    assert made.missed.max() < 1e-6
    assert np.degrees(_angle(elbow - shoulder, wrist - elbow)).max() < 22.0
    assert _angle(tip - wrist, wrist - shoulder).max() < 1e-6
    assert np.linalg.norm(tip - shoulder, axis=1).min() > 0.98 * LENGTH


def test_the_hand_stays_before_a_place_that_is_nearer_than_it_reaches():
    rows, places = _somewhere(300, 0.0, 70.0, 25.0, 0.42, 0.65)
    made = point_at(_arm(), biped_channels(), rows, places)
    shoulder, _, _, tip = _ends(made.rows)
    assert made.missed.max() < 1e-6
    short = np.linalg.norm(places - shoulder, axis=1) - np.linalg.norm(tip - shoulder, axis=1)
    assert short.min() > 0.01
    assert short.max() < 0.04


def test_limits_are_kept_and_what_cannot_be_reached_is_reported():
    rows, places = _somewhere(800, -180.0, 180.0, 89.0, 0.3, 8.0)
    made = point_at(_arm(0.2), biped_channels(), rows, places)
    assert np.abs(made.values - _arm(0.2).own.limited(made.values)).max() < 1e-12
    shoulder, _, _, tip = _ends(made.rows)
    missed = _angle(tip - shoulder, places - shoulder)
    assert np.abs(missed - made.missed).max() < 1e-6
    assert 0.3 < np.mean(missed < 1e-6) < 0.95
    rest = Rotation.from_quat(np.roll(rest_orientations()[JOINTS["UpperArm_L"]], -1))
    columns = slice(6 + 4 * JOINTS["UpperArm_L"], 10 + 4 * JOINTS["UpperArm_L"])
    turn = rest * Rotation.from_quat(np.roll(made.rows[:, columns], -1, axis=1)) * rest.inv()
    limb, middle = turn.apply([1.0, 0.0, 0.0]), Rotation.from_rotvec([0.0, 0.0, -0.9])
    swung = middle.inv().apply(limb)
    size = np.arctan2(np.hypot(swung[:, 1], swung[:, 2]), swung[:, 0]) / np.hypot(swung[:, 1], swung[:, 2])
    assert np.hypot(swung[:, 1] * size / LIMITS[1], swung[:, 2] * size / LIMITS[0]).max() < 1.0 + 1e-6


@pytest.mark.parametrize("rise", [-80.0, -30.0, 0.0, 40.0, 75.0])
def test_nothing_jumps_while_a_place_goes_round_the_shoulder(rise: float):
    count = 1441
    rows = np.repeat(scattered_walk(1), count, axis=0)
    places = _places(rows, np.linspace(-pi, pi, count), np.full(count, np.radians(rise)), np.full(count, 3.0))
    made = point_at(_arm(), biped_channels(), rows, places)
    quats = made.rows[:, 6:].reshape(count, -1, 4)
    cosines = np.abs(np.sum(quats[1:] * quats[:-1], axis=-1))
    assert np.degrees(2.0 * np.arccos(np.minimum(cosines, 1.0))).max() < 2.5


def test_only_the_arm_turns_and_it_points_alike_from_whatever_it_did_before():
    rows, places = _somewhere(60, 0.0, 70.0, 25.0, 1.0, 5.0)
    made = point_at(_arm(), biped_channels(), rows, places)
    other = rows.copy()
    first = 6 + 4 * JOINTS["UpperArm_L"]
    other[:, first : first + 4] = Rotation.random(60, random_state=3).as_quat()
    assert np.abs(point_at(_arm(), biped_channels(), other, places).rows - made.rows).max() < 1e-12
    turned = [6 + 4 * JOINTS[bone] + n for bone in BONES for n in range(4)]
    assert np.array_equal(np.delete(made.rows, turned, axis=1), np.delete(rows, turned, axis=1))


@pytest.mark.parametrize(
    ("bones", "told"),
    [
        (("UpperArm_L", "Hand_L", "LowerArm_L"), "'Hand_L' does not hang on 'UpperArm_L'"),
        (("UpperArm_L", "LowerArm_R", "Hand_R"), "'LowerArm_R' does not hang on 'UpperArm_L'"),
        (("UpperArm_L", "LowerArm_L"), "has a lower arm and a hand"),
        (("Hips", "UpperArm_L", "LowerArm_L"), "'Hips' is the root"),
        (("Wing", "LowerArm_L", "Hand_L"), "no joint 'Wing'"),
    ],
)
def test_an_arm_that_cannot_be_is_refused_in_a_sentence(bones: tuple[str, ...], told: str):
    first, *rest = bones
    with pytest.raises(RigError) as caught:
        arm_of(biped_skeleton(), [(first, SwingTwist(), 1.0)], [(name, SwingTwist()) for name in rest])
    assert told in str(caught.value)
