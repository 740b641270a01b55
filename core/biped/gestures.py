"""Motions of the biped on the spot: lifting an object, pointing, looking, sitting down and getting up, and nodding."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from .figure import Generated, bone_length
from .key_poses import (
    HANGING_R,
    STANDING,
    Tracks,
    hand,
    hand_along,
    hand_to,
    hips_at,
    keyed_motion,
    led,
    meeting_on_frame,
    mirrored,
    posed,
    trunk,
)

Array = NDArray[np.float64]
Pose = Mapping[str, Array]

LIFT_KEYTIMES: tuple[str, ...] = ("start", "grasp", "up", "down", "end")
LIFT_ADVERBS = ("lift_y", "lift_weight")
LIFT_END = ("Hand_R", "TAIL")
"""The grasping point: a bone and its end."""
LIFT_RANGES = np.array([[-0.62, -0.36], [-1.0, 1.0]])
"""Ranges of the lift: position of the object in metres, in front of the figure at -Y, and from light to heavy."""
LIFT_EXAMPLES: tuple[tuple[float, float], ...] = ((-0.36, -1.0), (-0.36, 1.0), (-0.62, -1.0), (-0.62, 1.0))
POINT_KEYTIMES: tuple[str, ...] = ("start", "point", "held", "end")
POINT_ADVERBS = ("point_side", "point_height")
POINT_RANGES = np.array([[-1.0, 1.0], [-1.0, 1.0]])
"""Ranges of pointing: from 60 degrees to the right to 30 to the left, and from 40 degrees down to 40 up."""
POINT_EXAMPLES: tuple[tuple[float, float], ...] = tuple((s, h) for s in (-1.0, 0.0, 1.0) for h in (-1.0, 1.0))
LOOK_KEYTIMES: tuple[str, ...] = ("start", "look", "held", "end")
LOOK_ADVERBS = ("look_side", "look_height")
LOOK_RANGES = np.array([[-1.0, 1.0], [-1.0, 1.0]])
"""Ranges of looking: from 70 degrees to the right to 70 to the left, and from 30 degrees down to 30 up."""
LOOK_EXAMPLES: tuple[tuple[float, float], ...] = tuple((s, h) for s in (-1.0, 0.0, 1.0) for h in (-1.0, 0.0, 1.0))
SIT_KEYTIMES: tuple[str, ...] = ("start", "seated", "rises", "end")
NOD_KEYTIMES: tuple[str, ...] = ("start", "down", "end")

_GRIP, _THING, _LIFTED = 0.15, 0.26, 0.012
"""Half the width of the lifted object, the height at which it is held, and how far it is up while the body strains, in
metres."""
_SETTLED = 0.4
"""Seconds of standing at the end of a lift."""


def lift(y: float, weight: float, rate: float = 30.0) -> Generated:
    """Generate a lift: the figure bends to a thing on the floor, takes it up, and puts it back.

    Parameters
    ----------
    y : position in metres of the finger tips at the grasp; the object is in front of the figure, which faces -Y.
    weight : from -1, light, to 1, heavy.
    rate : frames a second.
    """
    heavy = 0.5 * (1.0 + weight)
    far = (-y - 0.36) / 0.26
    down, up = 0.85 + 0.15 * heavy + 0.08 * far, 0.70 + 0.65 * heavy + 0.08 * far
    seconds = np.cumsum([0.0, down, up, 0.75 * up + 0.25, 0.75 + 0.15 * heavy + _SETTLED])
    seconds = meeting_on_frame(seconds, LIFT_KEYTIMES.index("grasp"), rate)
    instants = dict(zip(LIFT_KEYTIMES, seconds, strict=True))
    bent = _above(
        hips_at(0.0, 0.13 - 0.07 * far - 0.02 * heavy, -0.225 - 0.175 * heavy - 0.02 * far),
        trunk(forward=46.0 - 6.0 * heavy + 4.0 * far),
        trunk(forward=66.0 - 20.0 * heavy + 12.0 * far),
        trunk(forward=52.0 - 28.0 * heavy + 4.0 * far),
        hand((-_GRIP, -0.5, 1.1), (-0.45, 1.0, 0.3), 10.0, 0.0),
    )
    high = 1.10 - 0.13 * heavy
    held = _above(
        hips_at(0.0, -0.02 - 0.04 * heavy, -0.022 - 0.028 * heavy),
        trunk(forward=1.0 - 5.0 * heavy),
        trunk(forward=2.0 - 11.0 * heavy),
        trunk(forward=8.0 - 4.0 * heavy),
        hand((-0.19, -0.27 + 0.10 * heavy, high), (-0.55, 1.0, -0.35), 5.0, 4.0),
    )
    taken, put, ends = instants["grasp"], instants["down"], instants["end"] - _SETTLED
    moments = (0.0, taken, instants["up"], put, ends, instants["end"])
    poses = (STANDING, bent, held, bent, STANDING, STANDING)
    tracks = led(list(zip(moments, poses, strict=True)), {"pelvis": 0.05, "hips": 0.03})
    strain = 0.10 + 0.22 * heavy
    for part, share in (("hips", 0.12 * heavy), ("chest", -0.10 * heavy), ("pelvis", 0.0)):
        here, there = bent[part], held[part]
        tracks[part] = sorted(
            [*tracks[part], (taken + strain, here + share * (here - there) * 0.5)], key=lambda key: key[0]
        )
    for side in ("L", "R"):
        aside = -_GRIP if side == "R" else _GRIP
        tip, raised = np.array([aside, y, _THING]), np.array([aside, y, _THING + _LIFTED])
        keys = tracks[f"hand_{side}"]
        grip = hand_to(tracks, side, taken, tip, keys[1][1])
        again = hand_to(tracks, side, taken + strain, raised, keys[1][1])
        back = hand_to(tracks, side, put, tip, keys[3][1])
        tracks[f"hand_{side}"] = [
            keys[0], (0.5 * taken, 0.5 * (keys[0][1] + grip)), (taken, grip), (taken + strain, again), keys[2],
            (put, back), (0.5 * (put + ends), 0.5 * (keys[0][1] + back)), *keys[4:],
        ]  # fmt: skip
    name = f"Lift {y:g} weight {weight:g}"
    return keyed_motion(name, dict(zip(LIFT_ADVERBS, (y, weight), strict=True)), tracks, instants, rate)


def _above(pelvis: Array, hips: Array, chest: Array, head: Array, right: Array) -> Pose:
    """Return a key pose in which the figure stands on both feet and both hands are symmetric."""
    above = {"pelvis": pelvis, "hips": hips, "chest": chest, "head": head, "hand_L": mirrored(right), "hand_R": right}
    return {**STANDING, **above}


def point(side: float, height: float, rate: float = 30.0) -> Generated:
    """Generate pointing with the right hand, which stays there for a while; the head looks first.

    Parameters
    ----------
    side : from -1, 60 degrees to the right, to 1, 30 to the left.
    height : from -1, 40 degrees down, to 1, 40 up.
    rate : frames a second.
    """
    aim, rise = -15.0 + 45.0 * side, 40.0 * height
    seconds = np.cumsum([0.0, 0.62 + 0.05 * abs(height), 0.55, 0.75]).tolist()
    instants = dict(zip(POINT_KEYTIMES, seconds, strict=True))
    there = {
        **STANDING,
        "pelvis": hips_at(0.018, -0.01, -0.024),
        "hips": trunk(0.0, 0.8, 1.2),
        "chest": trunk(0.34 * aim + 6.0, 2.0 + 1.5 * height, 3.0 - 0.07 * rise),
        "head": trunk(0.75 * aim, 0.0, 4.0 - 0.35 * rise),
        "hand_L": mirrored(hand((-0.225, -0.04, 0.925), (-0.3, 1.0, 0.0), bend=8.0)),
        "hand_R": hand((-0.2, -0.5, 1.4), (-0.6, 0.1, -1.0), 55.0, 0.0),
    }
    tracks = led(
        [(instants[name], pose) for name, pose in zip(POINT_KEYTIMES, (STANDING, there, there, STANDING), strict=True)],
        {"head": 0.14, "chest": 0.05, "pelvis": 0.06},
    )
    across, up = np.radians(aim), np.radians(rise)
    way = np.array([np.sin(across) * np.cos(up), -np.cos(across) * np.cos(up), np.sin(up)])
    arm = 0.985 * sum(bone_length(f"{name}_R") for name in ("UpperArm", "LowerArm", "Hand"))
    shown, still = (
        hand_along(tracks, "R", instants[name], lambda shoulder: shoulder + arm * way, there["hand_R"])
        for name in ("point", "held")
    )
    drawn = hand((-0.24, -0.30, 1.22 + 0.05 * height), (-0.7, 0.7, -0.7), 30.0, 14.0)
    tracks["hand_R"] = [
        (0.08, HANGING_R), (0.60 * instants["point"], drawn), (instants["point"], shown), (instants["held"], still),
        (instants["held"] + 0.42 * 0.75, drawn), (instants["end"] - 0.02, HANGING_R),
    ]  # fmt: skip
    name = f"Point side {side:g} height {height:g}"
    return keyed_motion(name, dict(zip(POINT_ADVERBS, (side, height), strict=True)), tracks, instants, rate)


def look(side: float, height: float, rate: float = 30.0) -> Generated:
    """Generate a look at a place: the head turns first, the chest follows, both stay for a while and turn back ahead.

    Parameters
    ----------
    side : from -1, 70 degrees to the right, to 1, as much to the left.
    height : from -1, 30 degrees down, to 1, 30 up.
    rate : frames a second.
    """
    aim, rise = 70.0 * side, 30.0 * height
    seconds = np.cumsum([0.0, 0.55 + 0.10 * abs(side), 0.90, 0.65 + 0.10 * abs(side)]).tolist()
    instants = dict(zip(LOOK_KEYTIMES, seconds, strict=True))
    there = {
        **STANDING,
        "pelvis": hips_at(0.012 * side, 0.0, -0.024),
        "chest": trunk(0.2 * aim, 1.0 * side, 2.0 - 0.06 * rise),
        "head": trunk(aim, 0.0, -rise),
    }
    tracks = led(
        [(instants[name], pose) for name, pose in zip(LOOK_KEYTIMES, (STANDING, there, there, STANDING), strict=True)],
        {"chest": -0.10},
    )
    shifts = (0.0, instants["look"] + 0.12, instants["held"] - 0.15, instants["end"] - 0.25)
    tracks["pelvis"] = [(time, key) for time, (_, key) in zip(shifts, tracks["pelvis"], strict=True)]
    name = f"Look side {side:g} height {height:g}"
    return keyed_motion(name, dict(zip(LOOK_ADVERBS, (side, height), strict=True)), tracks, instants, rate)


def sit(rate: float = 30.0) -> Generated:
    """Generate sitting down on a seat behind the figure and getting up again; the seat's top is at 0.45 m."""
    seconds = [0.0, 1.35, 2.25, 3.55]
    instants = dict(zip(SIT_KEYTIMES, seconds, strict=True))
    knees = hand((-0.17, -0.42, 1.03), (-0.35, 1.0, 0.1), 40.0, 10.0)
    bowed = _above(hips_at(0.0, 0.20, -0.26), trunk(forward=34.0), trunk(forward=48.0), trunk(forward=26.0), knees)
    seated = _above(hips_at(0.0, 0.40, -0.425), trunk(forward=-2.0), trunk(forward=7.0), trunk(forward=6.0), knees)
    leant = _above(hips_at(0.0, 0.39, -0.42), trunk(forward=30.0), trunk(forward=44.0), trunk(forward=20.0), knees)
    first = {**STANDING, "chest": trunk(forward=8.0), "hips": trunk(forward=6.0), "pelvis": hips_at(0.0, 0.02, -0.04)}
    poses = [
        (0.0, STANDING), (0.25, first), (0.85, bowed), (1.35, seated), (1.75, seated), (2.25, leant), (2.75, bowed),
        (3.25, first), (3.55, STANDING),
    ]  # fmt: skip
    tracks = led(poses, {"head": 0.04, "hips": 0.03})
    for side in ("L", "R"):
        keys = tracks[f"hand_{side}"]
        tracks[f"hand_{side}"] = [keys[0], *_on_knee(tracks, side, [keys[n] for n in (2, 3, 4, 5, 6)]), keys[8]]
    return keyed_motion("Sit", {}, tracks, instants, rate)


def _on_knee(tracks: Tracks, side: str, keys: list[tuple[float, Array]]) -> list[tuple[float, Array]]:
    """Return the keys of a hand resting on the thigh of its side, slightly behind the knee."""
    found: list[tuple[float, Array]] = []
    for time, key in keys:
        poses = posed(tracks, np.array([time]))
        knee, hip = (poses.head(f"{bone}_{side}")[0] for bone in ("LowerLeg", "UpperLeg"))
        tip = knee + 0.08 * (hip - knee) + np.array([0.0, 0.0, 0.085])
        found.append((time, hand_to(tracks, side, time, tip, key)))
    return found


def nod(rate: float = 30.0) -> Generated:
    """Generate a nod of the head: slightly up, down, and a second smaller nod."""
    down, end = 0.45, 1.5
    instants = dict(zip(NOD_KEYTIMES, (0.0, down, end), strict=True))
    angles = ((0.0, 3.4), (0.18, -4.0), (down, 24.0), (0.72, 1.0), (0.95, 14.0), (1.2, 2.0), (end, 3.4))
    tracks = {part: [(0.0, key), (end, key)] for part, key in STANDING.items()}
    tracks["head"] = [(time, trunk(forward=angle)) for time, angle in angles]
    tracks["pelvis"] = [(time, hips_at(0.0, -0.0008 * (angle - 3.4), -0.022)) for time, angle in angles]
    tracks["chest"] = [
        (0.0 if time == 0.0 else time + 0.05 if time < end else end, trunk(forward=2.0 + 0.14 * (angle - 3.4)))
        for time, angle in angles
    ]
    return keyed_motion("Nod", {}, tracks, instants, rate)
