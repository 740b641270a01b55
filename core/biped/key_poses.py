"""Key-framed motions of the biped: key poses of body, hands and feet, and curves through them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ..figure import quaternion as quat
from ..figure.chain_inverse_kinematics import middle_joint
from .figure import (
    ANKLE_FROM_BALL,
    BALL_HEIGHT,
    BONES,
    JOINTS,
    SIDES,
    Generated,
    Plant,
    bone_head,
    bone_length,
    foot_turn,
    frame_times,
    hip_joint,
    lean_rotation,
    leg_lengths,
    local_rotations,
    place_collar,
    place_leg,
    quintic,
    rest_point,
    turned_to,
)

Array = NDArray[np.float64]
Keys = list[tuple[float, Array]]
"""Keys of one part of the body: times in seconds with values (C,)."""
Tracks = dict[str, Keys]

PARTS = ("pelvis", "hips", "chest", "head", "hand_L", "hand_R", "foot_L", "foot_R")
_X, _Y, _Z = np.eye(3)
_LONGEST_LEG = 0.992
_LONGEST_ARM = 0.9985
_FOREARM_ROLL = 0.6
_ROUNDS, _SAMPLES = 30, 300
_NUDGE, _DAMPING = 1e-5, 1e-3
_SOFT = 0.006
_THERE = 1e-6


def trunk(yaw: float = 0.0, left: float = 0.0, forward: float = 0.0) -> Array:
    """Return the key (3,) of hips, chest or head: turn, lean to the left, and lean forward, in degrees."""
    return np.radians([yaw, left, forward])


def hips_at(x: float = 0.0, y: float = 0.0, z: float = -0.022) -> Array:
    """Return the key (3,) of the pelvis: metres from its rest position."""
    return np.array([x, y, z])


def hand(place: Sequence[float], elbow: Sequence[float], roll: float = 0.0, bend: float = 6.0) -> Array:
    """Return the key (8,) of a hand, in the frame of the chest.

    Parameters
    ----------
    place : (3,) the wrist in metres, in the frame of the chest, which is armature space when the chest is at rest.
    elbow : (3,) direction in which the elbow points.
    roll : degrees by which the palm is turned down.
    bend : degrees by which the hand is bent towards the palm.
    """
    return np.array([*place, *(np.asarray(elbow) / np.linalg.norm(elbow)), np.radians(roll), np.radians(bend)])


def foot(
    ball: Sequence[float], heading: float = 0.0, pitch: float = 0.0, toes: float = 0.0, knee: float = 0.0
) -> Array:
    """Return the key (7,) of a foot.

    Parameters
    ----------
    ball : (3,) position of the ball of the foot, metres.
    heading : direction of the foot, degrees to the left.
    pitch : degrees by which the foot points down, with the heel up.
    toes : degrees by which the toes point down, with the heel up.
    knee : degrees to the left by which the knee's direction differs from the foot's.
    """
    return np.array([*ball, *np.radians([heading, pitch, toes, knee])])


def standing_foot(side: str) -> Array:
    """Return the key (7,) of a foot of the standing figure."""
    left = 1.0 if side == "L" else -1.0
    ankle = rest_point(f"Foot_{side}") + left * np.array([0.03, 0.0, 0.0])
    ball = ankle - quat.rotate(quat.from_yaw(np.radians(left * 10.0)), ANKLE_FROM_BALL)
    return foot((float(ball[0]), float(ball[1]), BALL_HEIGHT), left * 10.0)


def shoulders(lift: float = 0.0) -> Array:
    """Return the key (1,) of both shoulders: degrees by which they are raised beyond what the hands cause.

    Motions do not need a track for them.
    """
    return np.radians([lift])


def mirrored(key: Array) -> Array:
    """Return the key (8,) of the other hand in the mirrored pose."""
    return key * np.array([-1.0, 1.0, 1.0, -1.0, 1.0, 1.0, 1.0, 1.0])


HANGING_R: Array = hand((-0.222, -0.055, 0.92), (-0.25, 1.0, 0.0), bend=8.0)
STANDING: Mapping[str, Array] = {
    "pelvis": hips_at(),
    "hips": trunk(forward=1.2),
    "chest": trunk(forward=2.0),
    "head": trunk(forward=3.4),
    "hand_L": mirrored(HANGING_R),
    "hand_R": HANGING_R,
    "foot_L": standing_foot("L"),
    "foot_R": standing_foot("R"),
}


def curve(keys: Keys, times: Array) -> Array:
    """Return values (T, C) at `times` (T,) of a curve through `keys`, at rest before the first and after the last.

    The curve is smooth up to its accelerations, which are 0 at the keys, and has extrema only at keys.
    """
    instants = np.array([time for time, _ in keys])
    values = np.array([value for _, value in keys])
    if len(keys) == 1:
        return np.tile(values[0], (len(times), 1))
    spans = np.diff(instants)
    rates = np.diff(values, axis=0) / spans[:, None]
    slopes = np.zeros_like(values)
    before, after = rates[:-1], rates[1:]
    along = before * after > 0.0
    shares = (np.stack([2.0 * spans[1:] + spans[:-1], spans[1:] + 2.0 * spans[:-1]]) / 3.0)[..., None]
    slow = np.where(along, shares[0] / np.where(along, before, 1.0) + shares[1] / np.where(along, after, 1.0), 1.0)
    slopes[1:-1] = np.where(along, (spans[:-1] + spans[1:])[:, None] / slow, 0.0)
    row = np.clip(np.searchsorted(instants, times, side="right") - 1, 0, len(spans) - 1)
    span = spans[row][:, None]
    still = np.zeros((len(times), values.shape[1]))
    u = np.clip((times - instants[row]) / spans[row], 0.0, 1.0)
    return quintic(u, values[row], slopes[row] * span, still, values[row + 1], slopes[row + 1] * span, still)


@dataclass(frozen=True, eq=False)
class Posed:
    """Poses of the biped: rotations (T, J, 4) of the bones from rest in performance space, and the pelvis (T, 3)."""

    turns: Array
    pelvis: Array

    def head(self, bone: str) -> Array:
        """Return the position (T, 3) of the head of a bone."""
        return bone_head(self.turns, self.pelvis, bone)

    def tip(self, bone: str) -> Array:
        """Return the position (T, 3) of the tail of a bone."""
        made = BONES[JOINTS[bone]]
        along = np.subtract(made.tail, made.head)
        return self.head(bone) + quat.rotate(self.turns[:, JOINTS[bone]], along)

    def in_chest(self, points: Array) -> Array:
        """Convert points (T, 3) from performance space to the frame of the chest."""
        moved = points - self.head("Chest")
        return rest_point("Chest") + quat.rotate(quat.conjugate(self.turns[:, JOINTS["Chest"]]), moved)


def posed(tracks: Tracks, times: Array, bearing: Sequence[str] = ("L", "R")) -> Posed:
    """Return the poses at `times` (T,) of keyed `tracks`; the pelvis sinks until the legs in `bearing` are in reach."""
    values = {part: curve(tracks[part], times) for part in PARTS}
    turns = np.tile(quat.IDENTITY, (len(times), len(BONES), 1))
    lift = curve(tracks["shoulders"], times)[:, 0] if "shoulders" in tracks else np.zeros(len(times))
    middles = {"Spine": ("hips", "chest"), "Neck": ("chest", "head")}
    for bone, key in (("Hips", "hips"), ("Chest", "chest"), ("Head", "head")):
        turns[:, JOINTS[bone]] = lean_rotation(*values[key].T)
    for bone, (below, above) in middles.items():
        turns[:, JOINTS[bone]] = lean_rotation(*(0.5 * (values[below] + values[above])).T)
    feet = {side: _foot_of(values[f"foot_{side}"]) for side, _ in SIDES}
    pelvis = rest_point("Hips") + values["pelvis"]
    pelvis[:, 2] = _sunk(pelvis, turns[:, JOINTS["Hips"]], {side: feet[side][0] for side in bearing})
    for side, left in SIDES:
        ankle, sole, toes, across = feet[side]
        forward = np.cross(ankle - hip_joint(pelvis, turns[:, JOINTS["Hips"]], side), across)
        place_leg(turns, side, pelvis, ankle, sole, toes, forward)
        _place_hand(turns, pelvis, side, left, values[f"hand_{side}"], lift)
    return Posed(turns, pelvis)


def _foot_of(values: Array) -> tuple[Array, Array, Array, Array]:
    """Return ankle (T, 3), rotations (T, 4) of foot and toes, and the direction (T, 3) of the knee's axis."""
    heading, pitch, toes, knee = values[:, 3:].T
    sole = foot_turn(heading, pitch, 0.0)
    ankle = values[:, :3] + quat.rotate(sole, ANKLE_FROM_BALL)
    return ankle, sole, foot_turn(heading, toes, 0.0), quat.rotate(quat.from_yaw(heading + knee), _X)


def _sunk(pelvis: Array, hips: Array, ankles: Mapping[str, Array]) -> Array:
    """Return heights (T,) of the pelvis at which the legs reach their `ankles`, with smooth transitions."""
    height = pelvis[:, 2]
    for side, ankle in ankles.items():
        hip = hip_joint(pelvis, hips, side)
        away = np.sum((ankle - hip)[:, :2] ** 2, axis=-1)
        longest = (_LONGEST_LEG * sum(leg_lengths())) ** 2
        room = pelvis[:, 2] + ankle[:, 2] + np.sqrt(np.maximum(longest - away, 1e-4)) - hip[:, 2]
        height = -_SOFT * np.logaddexp(-height / _SOFT, -room / _SOFT)
    return height


def _place_hand(turns: Array, pelvis: Array, side: str, left: float, values: Array, lift: Array) -> None:
    """Pose shoulder, arm and hand of one side in `turns` (T, J, 4) from the values (T, 8) of its track.

    The shoulder is raised by `lift` (T,) radians in addition to the effect of the hand.
    """
    chest = turns[:, JOINTS["Chest"]]
    place, elbow, (roll, bend) = values[:, :3], values[:, 3:6], values[:, 6:].T
    upper, lower = (bone_length(f"{name}_{side}") for name in ("UpperArm", "LowerArm"))
    out = (place - rest_point(f"UpperArm_{side}")) / (upper + lower)
    place_collar(turns, side, left, 0.16 + 0.16 * out[:, 2] + lift, np.clip(-0.32 * out[:, 1], -0.1, 0.4))
    shoulder = bone_head(turns, pelvis, f"UpperArm_{side}")
    wrist = bone_head(turns, pelvis, "Chest") + quat.rotate(chest, place - rest_point("Chest"))
    span = wrist - shoulder
    length = np.linalg.norm(span, axis=-1, keepdims=True)
    wrist = shoulder + span * np.minimum(1.0, _LONGEST_ARM * (upper + lower) / length)
    place_arm_to(turns, side, left, shoulder, wrist, quat.rotate(chest, elbow))
    joint = JOINTS[f"LowerArm_{side}"]
    straight = turns[:, joint].copy()
    turns[:, joint] = quat.multiply(straight, quat.exp((_FOREARM_ROLL * roll)[:, None] * _X))
    rolled = quat.multiply(straight, quat.exp(roll[:, None] * _X))
    turns[:, JOINTS[f"Hand_{side}"]] = quat.multiply(rolled, quat.exp((left * bend)[:, None] * _Y))


def place_arm_to(turns: Array, side: str, left: float, shoulder: Array, wrist: Array, pole: Array) -> None:
    """Pose upper arm and forearm in `turns` (T, J, 4) from `shoulder` to `wrist`, elbow towards `pole`, (T, 3)."""
    upper, lower = (bone_length(f"{name}_{side}") for name in ("UpperArm", "LowerArm"))
    middle = middle_joint(shoulder, wrist, upper, lower, pole)
    upwards = -left * np.cross(pole, wrist - shoulder)
    for name, head, tail in (("UpperArm", shoulder, middle), ("LowerArm", middle, wrist)):
        hinge = np.cross(tail - head, upwards)
        turns[:, JOINTS[f"{name}_{side}"]] = turned_to(f"{name}_{side}", head, tail, hinge)


def hold_hand(turns: Array, side: str, held: Array) -> None:
    """Set the rotation of an arm's hand in `turns` (T, J, 4) to `held` (T, 4) from rest; the forearm rolls with it.

    The wrist stays where it is.
    """
    bone, joint = BONES[JOINTS[f"LowerArm_{side}"]], JOINTS[f"LowerArm_{side}"]
    along = np.subtract(bone.tail, bone.head) / bone_length(bone.name)
    between = quat.align(quat.multiply(quat.conjugate(turns[:, joint]), held), quat.IDENTITY)
    roll = 2.0 * np.arctan2(between[:, 1:] @ along, between[:, 0])
    turns[:, joint] = quat.multiply(turns[:, joint], quat.exp((_FOREARM_ROLL * roll)[:, None] * along))
    turns[:, JOINTS[f"Hand_{side}"]] = held


def hand_to(tracks: Tracks, side: str, time: float, tip: Array, key: Array) -> Array:
    """Return a hand key (8,) like `key` with the finger tips at `tip` (3,) in performance space at `time`.

    The body is posed by the other tracks. A position out of reach is reached as nearly as possible.
    """
    return hand_along(tracks, side, time, lambda _shoulder: tip, key)


def hand_along(tracks: Tracks, side: str, time: float, way: Callable[[Array], Array], key: Array) -> Array:
    """Return a hand key (8,) like `key` with the finger tips where `way` puts them for the upper arm's origin (3,).

    The shoulder moves with the hand, so both are found by iteration; see `hand_to`.
    """
    body = posed(tracks | {f"hand_{side}": [(time, key)]}, np.array([time]))
    chest, turned = body.head("Chest")[0], body.turns[0, JOINTS["Chest"]]
    found, nudges = key.copy(), np.eye(4, 8, -1) * _NUDGE
    for _ in range(_ROUNDS):
        shoulders, tips = _arms_in_chest(side, found + nudges)
        asked = way(chest + quat.rotate(turned, shoulders[0] - rest_point("Chest")))
        missing = body.in_chest(asked[None])[0] - tips[0]
        if np.max(np.abs(missing)) < _THERE:
            break
        gains = (tips[1:] - tips[0]) / _NUDGE
        step = np.asarray(np.linalg.solve(gains @ gains.T + _DAMPING * np.eye(3), gains @ missing), dtype=np.float64)
        found[:3] += step * min(1.0, float(np.linalg.norm(missing) / np.linalg.norm(step)))
    return found


def _arms_in_chest(side: str, keys: Array) -> tuple[Array, Array]:
    """Return the upper arm's origin and the finger tips (T, 3), in the chest's frame, for keys (T, 8)."""
    turns, pelvis = np.tile(quat.IDENTITY, (len(keys), len(BONES), 1)), np.tile(rest_point("Hips"), (len(keys), 1))
    _place_hand(turns, pelvis, side, dict(SIDES)[side], keys, np.zeros(len(keys)))
    pose = Posed(turns, pelvis)
    return pose.head(f"UpperArm_{side}"), pose.tip(f"Hand_{side}")


def meeting_on_frame(seconds: Array, met: int, rate: float) -> list[float]:
    """Return keytimes (M,) in seconds, those up to number `met` scaled to put it on a frame, later ones shifted."""
    frame = max(1.0, float(round(float(seconds[met]) * rate))) / rate
    return [
        *(seconds[: met + 1] * frame / seconds[met]).tolist(),
        *(seconds[met + 1 :] + frame - seconds[met]).tolist(),
    ]


def led(poses: Sequence[tuple[float, Mapping[str, Array]]], leads: Mapping[str, float]) -> Tracks:
    """Return tracks through whole poses; parts named in `leads` reach each pose that many seconds earlier.

    All parts begin at the first pose and end at the last pose together.
    """
    last = len(poses) - 1
    return {
        part: [
            (time - (leads.get(part, 0.0) if 0 < row < last else 0.0), pose[part])
            for row, (time, pose) in enumerate(poses)
        ]
        for part in poses[0][1]
    }


def facing_ahead(keys: Keys) -> Keys:
    """Return keys of the hips that face ahead on average; all but the first and the last key are turned equally.

    The average heading of the hips determines the direction of a character that stays in place.
    """
    times, (first, *inner, last) = np.linspace(keys[0][0], keys[-1][0], _SAMPLES), keys
    for _ in range(_ROUNDS):
        away = float(np.mean(curve([first, *inner, last], times)[:, 0]))
        inner = [(time, key - np.array([away, 0.0, 0.0])) for time, key in inner]
    return [first, *inner, last]


def step(start: tuple[float, Array], end: tuple[float, Array], lift: float = 0.07) -> list[tuple[float, Array]]:
    """Return the keys of a foot that steps from one key to another, lifting the heel first."""
    (begins, here), (ends, there) = start, end
    over = 0.5 * (here + there)
    over[2] += lift
    over[4:6] += np.radians([16.0, 6.0])
    return [(begins, here), (0.5 * (begins + ends), over), (ends, there)]


def plants_of(tracks: Tracks, times: Array) -> tuple[Plant, ...]:
    """Return when the balls of the feet are planted: between successive keys of a foot at one position on the floor."""
    plants: list[Plant] = []
    for side, _ in SIDES:
        keys = tracks[f"foot_{side}"]
        windows: list[tuple[float, float]] = []
        edges = [(float(times[0]), keys[0][1]), *keys, (float(times[-1]), keys[-1][1])]
        for (begin, here), (end, there) in zip(edges[:-1], edges[1:], strict=True):
            if not np.allclose(here[:3], there[:3], atol=1e-9) or here[2] > BALL_HEIGHT + 1e-6 or end <= begin:
                continue
            if windows and abs(windows[-1][1] - begin) < 1e-9:
                begin = windows.pop()[0]
            windows.append((begin, end))
        plants.append(Plant(f"Toes_{side}", "HEAD", tuple(windows)))
    return tuple(plants)


def keyed_motion(
    name: str,
    adverbs: dict[str, float],
    tracks: Tracks,
    keytimes: Mapping[str, float],
    rate: float,
    bearing: Sequence[str] = ("L", "R"),
    kind: Literal["travelling", "stationary"] = "stationary",
) -> Generated:
    """Generate a motion from its tracks; `keytimes` are times in seconds by name, the first of which is 0."""
    instants = np.array(list(keytimes.values()))
    times = frame_times(float(instants[-1]), rate)
    poses = posed(tracks, times, bearing)
    rotations, plants = local_rotations(poses.turns), plants_of(tracks, times)
    return Generated(
        name, adverbs, times, rotations, poses.pelvis, tuple(keytimes), instants, plants, kind, cyclic=False
    )
