"""Strikes of the biped at a target to the side and up: a punch of the right hand, a kick of the right foot."""

import numpy as np
from numpy.typing import NDArray

from ..figure import quaternion as quat
from .figure import ANKLE_FROM_BALL, BALL_HEIGHT, JOINTS, Generated, bone_length, foot_turn, hip_joint, leg_lengths
from .key_poses import (
    STANDING,
    Tracks,
    facing_ahead,
    foot,
    hand,
    hand_along,
    hips_at,
    keyed_motion,
    led,
    meeting_on_frame,
    mirrored,
    posed,
    standing_foot,
    step,
    trunk,
)

Array = NDArray[np.float64]

STRIKE_KEYTIMES: tuple[str, ...] = ("start", "ready", "strike", "back", "end")
PUNCH_ADVERBS = ("punch_x", "punch_z")
KICK_ADVERBS = ("kick_x", "kick_z")
PUNCH_END, KICK_END = ("Hand_R", "TAIL"), ("Foot_R", "TAIL")
"""The striking point: a bone and its end."""
PUNCH_RANGES = np.array([[-0.40, 0.25], [1.05, 1.60]])
KICK_RANGES = np.array([[-0.40, 0.15], [0.55, 1.15]])
"""Ranges of the strike in metres, to the left and up, relative to the standing figure, which faces -Y."""
PUNCH_EXAMPLES: tuple[tuple[float, float], ...] = tuple((x, z) for x in (-0.40, -0.08, 0.25) for z in (1.05, 1.60))
KICK_EXAMPLES: tuple[tuple[float, float], ...] = tuple((x, z) for x in (-0.40, -0.12, 0.15) for z in (0.55, 1.15))

_GUARD_R = hand((-0.15, -0.22, 1.36), (-0.7, 0.1, -1.0), 10.0, 10.0)
_GUARD_L = mirrored(hand((-0.13, -0.30, 1.40), (-0.6, 0.1, -1.0), 10.0, 10.0))
_WOUND_R = hand((-0.22, 0.02, 1.27), (-0.45, 1.0, -0.35), -5.0, 4.0)
_STRIKES = 0.75
"""Seconds until a strike, the same for all, so that every strike is on a frame."""
_STEP = np.array([0.02, -0.34, 0.0])


def punch(x: float, z: float, rate: float = 30.0) -> Generated:
    """Generate a punch: a step of the left foot, a turn of hips and chest, and the right hand at the strike.

    Parameters
    ----------
    x, z : position of the tip of the hand at the strike in metres, to the left and up.
    rate : frames a second.
    """
    high = (z - 1.325) / 0.275
    seconds = np.array([0.0, 0.53, _STRIKES, _STRIKES + 0.24, _STRIKES + 0.90 + 0.05 * high])
    seconds = meeting_on_frame(seconds, STRIKE_KEYTIMES.index("strike"), rate)
    start, ready, strike, back, end = seconds
    aim = float(np.degrees(np.arctan2(x + 0.08, 0.95)))
    low = max(0.0, -high)
    poses = {
        "start": STANDING,
        "ready": _pose(
            hips_at(0.02, -0.06, -0.045 - 0.03 * low),
            trunk(-14.0 + 0.4 * aim, 2.0, 3.0),
            trunk(-34.0 + 0.6 * aim, -2.0, 5.0 + 4.0 * low),
            trunk(0.8 * aim, 0.0, 6.0 - 4.0 * high),
            _GUARD_L,
            _WOUND_R,
        ),
        "strike": _pose(
            hips_at(0.03 + 0.10 * x, -0.20, -0.062 - 0.08 * low),
            trunk(26.0 + 0.5 * aim, -1.0, 5.0 + 5.0 * low),
            trunk(46.0 + 0.8 * aim, 1.0, 8.0 - 5.0 * high + 10.0 * low),
            trunk(0.9 * aim, 0.0, 6.0 - 9.0 * high),
            mirrored(hand((-0.20, -0.06, 1.28), (-0.45, 1.0, -0.6), 10.0, 10.0)),
            _WOUND_R,
        ),
        "back": _pose(
            hips_at(0.025, -0.14, -0.050 - 0.03 * low),
            trunk(4.0 + 0.4 * aim, 0.0, 4.0),
            trunk(6.0 + 0.5 * aim, 0.0, 6.0 + 3.0 * low),
            trunk(0.7 * aim, 0.0, 6.0 - 4.0 * high),
            _GUARD_L,
            _GUARD_R,
        ),
        "end": STANDING,
    }
    instants = dict(zip(STRIKE_KEYTIMES, seconds, strict=True))
    leads = {"pelvis": 0.06, "hips": 0.05, "chest": 0.02, "head": 0.04}
    tracks = led([(instants[name], pose) for name, pose in poses.items()], leads)
    tracks["hips"] = facing_ahead(tracks["hips"])
    here, there = STANDING["foot_L"], STANDING["foot_L"].copy()
    there[:3] += _STEP
    there[3] = np.radians(aim * 0.5 + 4.0)
    tracks["foot_L"] = [*step((0.10, here), (ready - 0.06, there)), *step((back + 0.08, there), (end - 0.12, here))]
    tracks["foot_R"] = _pivot("R", [start + 0.1, ready - 0.05, strike - 0.01, back + 0.1, end - 0.15], 26.0, 30.0)
    tracks["hand_R"] = _thrown(tracks, instants, np.array([x, 0.0, z]))
    name = f"Punch {x:g} {z:g}"
    return keyed_motion(name, dict(zip(PUNCH_ADVERBS, (x, z), strict=True)), tracks, instants, rate)


def _pose(pelvis: Array, hips: Array, chest: Array, head: Array, left: Array, right: Array) -> dict[str, Array]:
    """Return a key pose of everything above the feet."""
    above = {"pelvis": pelvis, "hips": hips, "chest": chest, "head": head, "hand_L": left, "hand_R": right}
    return above | {"foot_L": STANDING["foot_L"], "foot_R": STANDING["foot_R"]}


def _pivot(side: str, times: list[float], turned: float, heel: float) -> list[tuple[float, Array]]:
    """Return keys of a foot that turns on its ball and lifts its heel at the third of five times."""
    flat = standing_foot(side)
    tipped, half = flat.copy(), flat.copy()
    tipped[3:5] += np.radians([turned, heel])
    half[3:5] += np.radians([0.6 * turned, 0.55 * heel])
    ready = flat.copy()
    ready[4] += np.radians(0.25 * heel)
    return list(zip(times, (flat, ready, tipped, half, flat), strict=True))


def _thrown(tracks: Tracks, instants: dict[str, float], place: Array) -> list[tuple[float, Array]]:
    """Return the keys of the right hand: its tip strikes at `place`, except for y, straight ahead of the shoulder."""
    strike = instants["strike"]
    arm = 0.99 * sum(bone_length(f"{name}_R") for name in ("UpperArm", "LowerArm", "Hand"))

    def before(shoulder: Array) -> Array:
        """Return the position at arm's length in front of the shoulder."""
        away = float(np.sum((place - shoulder)[[0, 2]] ** 2))
        return np.array([place[0], shoulder[1] - np.sqrt(arm**2 - away), place[2]])

    hit = hand_along(tracks, "R", strike, before, hand((-0.15, -0.5, 1.4), (-0.5, 0.0, -1.0), 62.0, 0.0))
    drawn = tracks["hand_R"]
    begins, ready, back = (instants[name] for name in ("start", "ready", "back"))
    return [
        drawn[0],
        (begins + 0.55 * ready, _GUARD_R),
        (ready + 0.02, drawn[1][1]),
        (strike, hit),
        (back, drawn[3][1]),
        drawn[4],
    ]


def kick(x: float, z: float, rate: float = 30.0) -> Generated:
    """Generate a kick to the front: the knee comes up, the ball of the right foot strikes, and goes back.

    Parameters
    ----------
    x, z : position of the ball of the foot at the strike in metres, to the left and up.
    rate : frames a second.
    """
    high = (z - 0.85) / 0.30
    seconds = np.array([0.0, 0.56, _STRIKES, _STRIKES + 0.22, _STRIKES + 0.88 + 0.05 * high])
    seconds = meeting_on_frame(seconds, STRIKE_KEYTIMES.index("strike"), rate)
    _, ready, strike, back, end = seconds
    aim = float(np.degrees(np.arctan2(x + 0.10, 0.9)))
    over = 0.098
    poses = {
        "start": STANDING,
        "ready": _pose(
            hips_at(over, -0.01, -0.022),
            trunk(-4.0 + 0.3 * aim, 3.0, -2.0),
            trunk(-8.0 + 0.4 * aim, 4.0, 6.0),
            trunk(0.6 * aim, 0.0, 12.0 - 4.0 * high),
            mirrored(hand((-0.16, -0.30, 1.34), (-0.8, 0.2, -1.0), 10.0, 10.0)),
            hand((-0.24, -0.14, 1.24), (-0.8, 0.6, -0.8), 10.0, 10.0),
        ),
        "strike": _pose(
            hips_at(over - 0.005, -0.05 + 0.015 * high, -0.008),
            trunk(14.0 + 0.6 * aim, 5.0, -14.0 - 6.0 * high),
            trunk(10.0 + 0.5 * aim, 6.0, -9.0 - 8.0 * high),
            trunk(0.8 * aim, 2.0, 8.0 - 2.0 * high),
            mirrored(hand((-0.20, -0.30, 1.30), (-0.8, 0.3, -1.0), 10.0, 10.0)),
            hand((-0.40, 0.10, 1.08), (-0.8, 0.9, -0.2), 10.0, 10.0),
        ),
        "back": _pose(
            hips_at(over, -0.03, -0.022),
            trunk(4.0 + 0.4 * aim, 4.0, -4.0),
            trunk(2.0 + 0.4 * aim, 4.0, 3.0),
            trunk(0.7 * aim, 0.0, 9.0 - 3.0 * high),
            mirrored(hand((-0.18, -0.28, 1.28), (-0.8, 0.2, -1.0), 10.0, 10.0)),
            hand((-0.30, -0.06, 1.16), (-0.8, 0.8, -0.6), 10.0, 10.0),
        ),
        "end": STANDING,
    }
    instants = dict(zip(STRIKE_KEYTIMES, seconds, strict=True))
    leads = {"pelvis": 0.05, "hips": 0.03, "chest": 0.01, "head": 0.03}
    tracks = led([(instants[name], pose) for name, pose in poses.items()], leads)
    tracks["hips"] = facing_ahead(tracks["hips"])
    tracks["pelvis"].insert(1, (0.30, hips_at(over - 0.01, 0.0, -0.030)))
    tracks["foot_L"] = _pivot("L", [0.05, ready - 0.1, strike + 0.02, back + 0.15, end - 0.2], -0.0, 0.0)
    tracks["foot_R"] = _kicked(tracks, instants, np.array([x, 0.0, z]), aim)
    name = f"Kick {x:g} {z:g}"
    return keyed_motion(name, dict(zip(KICK_ADVERBS, (x, z), strict=True)), tracks, instants, rate, bearing=("L",))


def _kicked(tracks: Tracks, instants: dict[str, float], place: Array, aim: float) -> list[tuple[float, Array]]:
    """Return the keys of the right foot, whose ball is at `place` at the strike, except for its y."""
    start, ready, strike, back, end = instants.values()
    there = posed(tracks, np.array([strike]), ("L",))
    hip = hip_joint(there.pelvis, there.turns[:, JOINTS["Hips"]], "R")[0]
    high = (place[2] - 0.85) / 0.30
    leg = 0.955 * sum(leg_lengths())
    hit = foot((0.0, 0.0, 0.0), aim, -38.0 - 16.0 * high, -72.0 - 16.0 * high, -4.0)
    sole = foot_turn(hit[3:4], hit[4:5], 0.0)
    ankle = place + quat.rotate(sole, ANKLE_FROM_BALL)[0]
    away = float(np.sum((ankle - hip)[[0, 2]] ** 2))
    hit[:3] = place[0], place[1] + hip[1] - np.sqrt(leg**2 - away) - (ankle[1] - place[1]), place[2]
    stand = STANDING["foot_R"]
    aside = np.array([hip[0] + 0.25 * (place[0] - hip[0]), 0.0, 0.0])
    knee_up = 0.80 + 0.07 * high
    chamber = foot((aside[0], -0.26, knee_up - 0.37), 0.5 * aim, 32.0, -8.0, -4.0)
    again = foot((aside[0], -0.36, knee_up - 0.32), 0.6 * aim, 18.0, -18.0, -4.0)
    off = foot((stand[0] + 0.01, stand[1] + 0.05, BALL_HEIGHT + 0.09), -8.0, 42.0, 16.0)
    down = foot((stand[0] + 0.0, stand[1] - 0.06, BALL_HEIGHT + 0.10), -8.0, 14.0, 0.0)
    tipped = stand.copy()
    tipped[4] = np.radians(16.0)
    return [
        (start + 0.06, stand), (0.20, tipped), (0.33, off), (ready, chamber), (strike, hit), (back, again),
        (0.55 * back + 0.45 * end, down), (end - 0.14, stand),
    ]  # fmt: skip
