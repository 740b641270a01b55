"""Gaits of which nothing but the feet is made, with known contacts: feet that still move when they touch the floor."""

from dataclasses import dataclass

import numpy as np
from verbs_adverbs.core.detect.observed import Observed

LEG = 0.85
HEEL, BALL, TOE = np.array([-0.05, 0.0]), np.array([0.13, 0.0]), np.array([0.20, 0.0])
"""Places on the sole, ahead of the point below the ankle and above the floor."""


@dataclass(frozen=True)
class Gait:
    """A manner of going. Angles in degrees, lengths in metres, instants as shares of the cycle.

    Parameters
    ----------
    speed, period, duty : of the body, of a cycle, and the share of it for which a foot is down.
    way : direction of the travel from where the feet point, to the left.
    strike, push : pitch of the foot where it comes down and where it leaves, positive with the heel up.
    landing, rising : share of the contact in which the foot comes to lie flat, and from which on the heel rises.
    impact : speed with which the foot comes down, as a share of the body's.
    leaving : speed with which it leaves.
    """

    speed: float = 1.3
    period: float = 1.08
    duty: float = 0.62
    way: float = 0.0
    strike: float = -20.0
    push: float = 45.0
    landing: float = 0.12
    rising: float = 0.6
    impact: float = 0.4
    leaving: float = 0.4


GAITS = {
    "heel first": Gait(),
    "flat": Gait(speed=1.0, strike=0.0, push=15.0),
    "toe first": Gait(speed=1.0, strike=20.0, push=35.0),
    "run": Gait(speed=2.8, period=0.74, duty=0.36, strike=-8.0, push=40.0, impact=0.3, leaving=0.2),
    "run on the toes": Gait(speed=3.5, period=0.68, duty=0.32, strike=12.0, push=40.0, impact=0.3, leaving=0.2),
    "sideways": Gait(speed=0.7, period=1.1, duty=0.66, way=90.0, strike=0.0, push=10.0),
    "backward": Gait(speed=1.0, period=1.1, duty=0.64, way=180.0, strike=20.0, push=-15.0),
}


def footfalls(gait: Gait, rate: float = 30.0, cycles: float = 3.75) -> tuple[Observed, list[tuple[str, float]]]:
    """Return some cycles of a gait, and the times at which its feet come down and leave."""
    times = np.arange(int(round(cycles * gait.period * rate)) + 1) / rate
    events: list[tuple[str, float]] = []
    paths: list[np.ndarray] = []
    for side, left, shift in (("L", 0.09, 0.13), ("R", -0.09, 0.63)):
        paths.append(_foot(gait, times, left, shift))
        for cycle in range(-2, int(cycles) + 2):
            down = (cycle + shift) * gait.period
            events += [(f"{side}_down", down), (f"{side}_up", down + gait.duty * gait.period)]
    root = _way(gait) * gait.speed * times[:, None] + np.array([0.0, 0.0, LEG + 0.05])
    joints = np.stack([root, *(path[0] for path in paths)], axis=1)
    names = (("heel", "ball", "toe"),) * 2
    seen = Observed("gait", times, ("L", "R"), names, tuple(paths), joints, np.zeros(len(times)), LEG, (0.09, -0.09))
    return seen, events


def _way(gait: Gait) -> np.ndarray:
    return np.array([np.cos(np.radians(gait.way)), np.sin(np.radians(gait.way)), 0.0])


def _foot(gait: Gait, times: np.ndarray, left: float, shift: float) -> np.ndarray:
    """Paths (3, T, 3) of heel, ball and toe of a foot that faces along X."""
    own = times / gait.period - shift
    cycle = np.floor(own)
    phase = (own - cycle)[:, None]
    stance, swing = phase / gait.duty, (phase - gait.duty) / (1.0 - gait.duty)
    place = (cycle[:, None] + shift + 0.5 * gait.duty) * gait.period * gait.speed
    down, up = np.radians(gait.strike), np.radians(gait.push)
    span = (1.0 - gait.duty) * gait.period
    u = np.clip(swing, 0.0, 1.0)
    rolling = (
        down * np.clip(1.0 - stance / gait.landing, 0.0, None)
        + up * np.clip((stance - gait.rising) / (1.0 - gait.rising), 0.0, None) ** 2
    )
    pitch = np.where(
        swing < 0.0,
        rolling,
        _between(
            u,
            up,
            2.0 * up * (1 - gait.duty) / gait.duty / (1 - gait.rising),
            down,
            -down * (1 - gait.duty) / gait.duty / gait.landing,
        ),
    )
    toes = np.where(swing < 0.0, np.minimum(pitch, 0.0), pitch * np.clip(swing / 0.5, 0.0, 1.0))
    reach, pace = gait.speed * gait.period, gait.speed * span
    gone = np.where(swing < 0.0, 0.0, _between(u, 0.0, gait.leaving * pace, reach, gait.impact * pace))
    lift = np.where(swing < 0.0, 0.0, _between(u, 0.0, 0.4 * span, 0.0, -0.3 * span) + 0.5 * (u * (1.0 - u)) ** 2)
    base = _way(gait) * (place + gone) + np.array([0.0, left, 0.0]) + lift * np.array([0.0, 0.0, 1.0])
    pivot = np.where(pitch > 0.0, BALL, HEEL)
    heel, ball = (base + _forward(pivot + _pitched(point - pivot, pitch)) for point in (HEEL, BALL))
    toe = ball + _forward(_pitched(TOE - BALL, toes))
    return np.stack([heel, ball, toe])


def _forward(flat: np.ndarray) -> np.ndarray:
    return np.stack([flat[:, 0], np.zeros(len(flat)), flat[:, 1]], axis=-1)


def _pitched(points: np.ndarray, pitch: np.ndarray) -> np.ndarray:
    """Points (T, 2), ahead and up, turned by pitches (T, 1), positive with the heel up."""
    ahead, height = points[..., :1], points[..., 1:]
    return np.concatenate(
        [ahead * np.cos(pitch) + height * np.sin(pitch), height * np.cos(pitch) - ahead * np.sin(pitch)], axis=-1
    )


def _between(u: np.ndarray, p0: float, v0: float, p1: float, v1: float) -> np.ndarray:
    """Return the cubic at `u` from `p0` at speed `v0` to `p1` at speed `v1`."""
    return (
        (2.0 * u**3 - 3.0 * u**2 + 1.0) * p0
        + (u**3 - 2.0 * u**2 + u) * v0
        + (3.0 * u**2 - 2.0 * u**3) * p1
        + (u**3 - u**2) * v1
    )
