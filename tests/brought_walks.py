"""Walks of a figure of our own, whose contacts, speed and height are known: feet first, then legs that reach them.

They share nothing with what is tested. A foot is rigid up to its ball: it lands on the heel, rolls onto the sole, rises
over the ball, and swings to its next place. The pelvis goes on evenly, and the knees bend as the ankles ask. Lengths
are metres, Y is up, the figure faces +Z, and its left is +X.
"""

from dataclasses import dataclass

import numpy as np
from scipy.spatial.transform import Rotation

Array = np.ndarray
HIPS = 0.95
SOLE = {"heel": np.array([0.0, -0.08, -0.05]), "ball": np.array([0.0, -0.055, 0.125])}
"""Points of a foot seen from its ankle, while it is flat."""
THIGH, SHIN = 0.43, 0.41
BODY = {
    "Hips": ("", (0.0, HIPS, 0.0)),
    "Spine": ("Hips", (0.0, 0.1, 0.0)),
    "Chest": ("Spine", (0.0, 0.2, 0.0)),
    "Neck": ("Chest", (0.0, 0.22, 0.0)),
    "Head": ("Neck", (0.0, 0.08, 0.0)),
    **{
        f"{side}{name}": (above if above in ("Hips", "Chest") else f"{side}{above}", (way * x, y, z))
        for side, way in (("Left", 1.0), ("Right", -1.0))
        for name, above, (x, y, z) in (
            ("Shoulder", "Chest", (0.05, 0.16, 0.0)),
            ("Arm", "Shoulder", (0.13, 0.0, 0.0)),
            ("ForeArm", "Arm", (0.28, 0.0, 0.0)),
            ("Hand", "ForeArm", (0.25, 0.0, 0.0)),
            ("UpLeg", "Hips", (0.09, -0.03, 0.0)),
            ("Leg", "UpLeg", (0.0, -THIGH, 0.0)),
            ("Foot", "Leg", (0.0, -SHIN, 0.0)),
            ("Toe", "Foot", tuple(SOLE["ball"])),
        )
    },
}
"""For each joint the one that carries it, and its offset from that in a T-pose."""
ROLLED, RISING, PUSH, RESET = 0.1, 0.36, 0.2, 0.7
"""Shares of a cycle when the sole is down and when the heel rises, for which it rises at least, and of a swing when the
foot is level."""
BOB, STRETCH, BEHIND = 0.02, 0.995, 0.04


@dataclass(frozen=True)
class Gait:
    """How somebody walks.

    Parameters
    ----------
    speed, period : metres a second, and seconds of a cycle.
    duty : share of a cycle in which a foot is down.
    landing : speed of a foot as it lands, as a share of the body's.
    strike, leave : degrees of the sole as the heel strikes, and as the ball leaves.
    width : metres of each foot from the middle line; below 0 the feet cross.
    heading : degrees to the left.
    """

    speed: float
    period: float
    duty: float = 0.62
    landing: float = 0.3
    strike: float = 15.0
    leave: float = 52.0
    width: float = 0.08
    heading: float = 0.0


@dataclass(frozen=True, eq=False)
class Walked:
    """A walk: its local rotations (T, 4) by joint, xyzw, root (T, 3), and seconds of strikes and lifts by foot."""

    turns: dict[str, Array]
    root: Array
    downs: dict[str, Array]
    ups: dict[str, Array]


@dataclass(frozen=True, eq=False)
class _Steps:
    """Stands of one foot: seconds of strikes and lifts, endless at rest, places along the way, and how far it rolls."""

    downs: Array
    ups: Array
    places: Array
    rolls: Array


def walk(
    gait: Gait, times: Array, begin: float = 0.0, rest: tuple[float, float] | None = None, raised: Array | float = 0.0
) -> Walked:
    """Walk for some seconds, or run, where each foot is down for less than half of a cycle.

    Parameters
    ----------
    times : (T,) seconds.
    begin : share of the cycle from the right foot's strike at which second 0 is.
    rest : seconds at which it sets out from standing, and about which it stands again; None if it goes all the time.
    raised : (T,) metres by which the hips are higher than those of a walk.
    """
    if rest is None:
        way = gait.speed * times
        stands = {side: _going(gait, times[-1], begin, side) for side in ("Left", "Right")}
        phase = times / gait.period + begin
    else:
        stands, way, phase = _there_and_back_to_rest(gait, times, *rest)
    feet = {side: _foot(gait, times, steps, side) for side, steps in stands.items()}
    pelvis = _pelvis(gait, times, way, phase, feet, raised)
    turns, root = _figure(gait, phase, pelvis, feet)
    heading = Rotation.from_euler("y", gait.heading, degrees=True)
    turns["Hips"] = heading * turns["Hips"]
    until = times[-1] if rest else times[-1] + 2.0 * (times[1] - times[0])
    inside = {
        what: {
            side[0]: found[(found > times[0]) & (found < until)]
            for side, steps in stands.items()
            for found in [getattr(steps, what)]
        }
        for what in ("downs", "ups")
    }
    return Walked({name: turn.as_quat() for name, turn in turns.items()}, heading.apply(root), **inside)


def _going(gait: Gait, last: float, begin: float, side: str) -> _Steps:
    """Stands of a foot that has always walked, and goes on."""
    shift = begin + (0.5 if side == "Left" else 0.0)
    downs = (np.arange(np.floor(shift) - 2.0, np.ceil(shift + last / gait.period) + 3.0) - shift) * gait.period
    places = gait.speed * (downs + 0.5 * gait.duty * gait.period) - BEHIND
    return _Steps(downs, downs + gait.duty * gait.period, places, np.ones(len(downs)))


def _there_and_back_to_rest(
    gait: Gait, times: Array, out: float, stop: float
) -> tuple[dict[str, _Steps], Array, Array]:
    """Stands of both feet, the way (T,) and the phase (T,) of a body that stands, walks, and stands again."""
    period, swing = gait.period, (1.0 - gait.duty) * gait.period
    first = out + 0.1 * period + swing
    count = 2 * max(int((stop - first) / period), 2)
    strikes = first + 0.5 * period * np.arange(count)
    fine = np.linspace(0.0, strikes[-1] + period, 4000)
    pace = gait.speed * _ease((fine - out) / (0.6 * period)) * _ease((strikes[-1] - fine) / (0.6 * period))
    passed = np.concatenate([[0.0], np.cumsum(0.5 * (pace[1:] + pace[:-1]) * np.diff(fine))])

    def at(seconds: Array) -> Array:
        return np.interp(seconds, fine, passed)

    stands: dict[str, _Steps] = {}
    for side, own in (("Right", strikes[0::2]), ("Left", strikes[1::2])):
        downs, ups = np.append(-np.inf, own), np.append(own - swing, np.inf)
        places = np.append(0.0, at(own + 0.5 * gait.duty * period) - BEHIND)
        places[-1] = passed[-1]
        rolls = np.ones(len(downs))
        rolls[[0, -1]] = 0.4
        stands[side] = _Steps(downs, ups, places, rolls)
    phase = np.clip((times - first) / period, -0.5, (strikes[-1] - first) / period + 0.5)
    return stands, at(times), phase


def _ease(share: Array) -> Array:
    share = np.clip(share, 0.0, 1.0)
    return share * share * (3.0 - 2.0 * share)


def _foot(gait: Gait, times: Array, steps: _Steps, side: str) -> tuple[Array, Array, Array]:
    """Ankle (T, 3), pitch (T,) of the sole, toes up, and of the toes against it, in radians."""
    ankle, pitch, toes = np.zeros((len(times), 3)), np.zeros(len(times)), np.zeros(len(times))
    for index in range(len(steps.downs)):
        rows = (times >= steps.downs[index]) & (times < steps.ups[index])
        ankle[rows], pitch[rows] = _standing(gait, times[rows], steps, index)
        toes[rows] = np.maximum(-pitch[rows], 0.0)
        if index + 1 < len(steps.downs):
            rows = (times >= steps.ups[index]) & (times < steps.downs[index + 1])
            ankle[rows], pitch[rows], toes[rows] = _swinging(gait, times[rows], steps, index)
    ankle[:, 0] = gait.width if side == "Left" else -gait.width
    return ankle, pitch, toes


def _standing(gait: Gait, times: Array, steps: _Steps, index: int) -> tuple[Array, Array]:
    """Ankle and pitch while a foot stands: it rolls about its heel, lies flat, and rises about its ball."""
    roll, (down, up) = steps.rolls[index], (steps.downs[index], steps.ups[index])
    pitch = np.zeros(len(times))
    if np.isfinite(down):
        left = np.clip(1.0 - (times - down) / (ROLLED * gait.period), 0.0, 1.0)
        pitch += np.radians(gait.strike) * roll * left**2
    if np.isfinite(up):
        rises = max(gait.duty - RISING, PUSH)
        gone = np.clip(1.0 - (up - times) / (rises * gait.period), 0.0, 1.0)
        pitch -= np.radians(gait.leave) * roll * gone**3
    ankle = np.zeros((len(times), 3))
    for point, rows in (("heel", pitch >= 0.0), ("ball", pitch < 0.0)):
        cosine, sine, (_, y, z) = np.cos(pitch[rows]), np.sin(pitch[rows]), SOLE[point]
        ankle[rows, 1] = 0.08 + y - y * cosine - z * sine
        ankle[rows, 2] = steps.places[index] + z + y * sine - z * cosine
    return ankle, pitch


def _swinging(gait: Gait, times: Array, steps: _Steps, index: int) -> tuple[Array, Array, Array]:
    """Ankle, pitch of the sole and of the toes while a foot swings from one stand to the next."""
    up, down, step = steps.ups[index], steps.downs[index + 1], 1e-4
    lasts = down - up
    (before, there), (tilt_before, tilt) = _standing(gait, np.array([up - step, up - 1e-9]), steps, index)
    (here,), (landed,) = _standing(gait, np.array([down]), steps, index + 1)
    leaving = (there - before) / (step - 1e-9)
    arriving = np.array([0.0, -0.15 * gait.landing, gait.landing]) * gait.speed
    share = np.clip((times - up) / lasts, 0.0, 1.0)
    ankle = _hermite(share[:, None], there, here, lasts * leaving, lasts * arriving)
    clear = 0.03 + 0.03 * max(steps.rolls[index], steps.rolls[index + 1])
    ankle[:, 1] += clear * 16.0 * (share * (1.0 - share)) ** 2
    turning = RESET * lasts * (tilt - tilt_before) / (step - 1e-9)
    pitch = _hermite(np.clip(share / RESET, 0.0, 1.0), tilt, landed, turning, 0.0)
    return ankle, pitch, max(-tilt, 0.0) * _ease(1.0 - share / (0.5 * RESET))


def _hermite(share: Array, first, last, leaving, arriving) -> Array:
    s2, s3 = share**2, share**3
    return (
        (2 * s3 - 3 * s2 + 1) * first + (s3 - 2 * s2 + share) * leaving
        + (3 * s2 - 2 * s3) * last + (s3 - s2) * arriving
    )  # fmt: skip


def _pelvis(gait: Gait, times: Array, way: Array, phase: Array, feet, raised: Array | float) -> Array:
    """Places (T, 3) of the hips: as high as the legs let them be, and up and down twice a cycle."""
    going = np.gradient(way, times) / gait.speed
    sway = 0.015 * going * np.cos(2.0 * np.pi * (phase - 0.31))
    places = np.stack([-sway, HIPS + raised - BOB * going * np.cos(4.0 * np.pi * (phase - 0.06)), way], axis=1)
    lack = 0.0
    for side, (ankle, _, _) in feet.items():
        hip = places + BODY[f"{side}UpLeg"][1]
        flat = np.linalg.norm((ankle - hip)[:, [0, 2]], axis=1)
        highest = ankle[:, 1] + np.sqrt((STRETCH * (THIGH + SHIN)) ** 2 - flat**2)
        lack = max(lack, float((hip[:, 1] - highest).max()))
    places[:, 1] -= lack
    return places


def _figure(gait: Gait, phase: Array, pelvis: Array, feet) -> tuple[dict[str, Rotation], Array]:
    """Local rotations of all joints, and the root's places."""
    around, still = 2.0 * np.pi * phase, np.zeros(len(phase))

    def turn(x=still, y=still, z=still) -> Rotation:
        return Rotation.from_euler("YXZ", np.stack([still + y, still + x, still + z], axis=1), degrees=True)

    hips = turn(x=2.0, y=4.0 * np.cos(around), z=2.0 * np.sin(around))
    turns = {
        "Hips": hips,
        "Spine": turn(x=2.0, y=-4.0 * np.cos(around)),
        "Chest": turn(y=-4.0 * np.cos(around)),
        "Neck": turn(x=3.0),
        "Head": turn(x=-5.0, y=4.0 * np.cos(around)),
    }
    for side, way in (("Left", 1.0), ("Right", -1.0)):
        swing = 18.0 * gait.speed * way * np.cos(around)
        turns[f"{side}Shoulder"] = turn(z=-4.0 * way)
        turns[f"{side}Arm"] = turn(x=swing) * turn(z=-72.0 * way)
        turns[f"{side}ForeArm"] = turn(y=-(20.0 - 0.3 * swing) * way)
        turns[f"{side}Hand"] = turn(z=-5.0 * way)
        thigh, shin = _leg(pelvis, hips, feet[side][0], side)
        _, pitch, toes = feet[side]
        foot = turn(x=-np.degrees(pitch))
        turns[f"{side}UpLeg"], turns[f"{side}Leg"] = hips.inv() * thigh, thigh.inv() * shin
        turns[f"{side}Foot"] = shin.inv() * foot
        turns[f"{side}Toe"] = turn(x=-np.degrees(toes))
    return turns, pelvis


def _leg(pelvis: Array, hips: Rotation, ankle: Array, side: str) -> tuple[Rotation, Rotation]:
    """World rotations of thigh and shin that bring an ankle (T, 3) where it is to be, the knee to the front."""
    top = pelvis + hips.apply(BODY[f"{side}UpLeg"][1])
    away = ankle - top
    length = np.minimum(np.linalg.norm(away, axis=1), 0.9999 * (THIGH + SHIN))
    down = away / np.linalg.norm(away, axis=1, keepdims=True)
    aside = np.array([1.0, 0.0, 0.0]) - down[:, :1] * down
    aside /= np.linalg.norm(aside, axis=1, keepdims=True)
    front = np.cross(down, aside)
    front *= np.sign(front[:, 2:])
    bend = np.arccos((THIGH**2 + length**2 - SHIN**2) / (2.0 * THIGH * length))[:, None]
    upper = down * np.cos(bend) + front * np.sin(bend)
    lower = (length[:, None] * down - THIGH * upper) / SHIN
    return tuple(Rotation.from_matrix(np.stack([aside, -one, np.cross(aside, -one)], axis=2)) for one in (upper, lower))
