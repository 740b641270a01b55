"""Strikes and lifts of feet as gait laboratories find them. They share nothing with the detection that they judge, but
that a foot which is still slow and low after the hips have begun to fall has left.

Kinematic events [Zeni2008]_: a foot comes down where its leading end is farthest ahead of the hip, and leaves where
its trailing end is farthest behind. Events of acceleration [Hreljac2000]_: the greatest upward acceleration of the end
that comes down, and the greatest forward acceleration of the end that leaves last. Neither holds for the lifts of a
run, whose feet go on backward in the air: there the body itself tells, since without a foot on the floor it falls.

.. [Zeni2008] Zeni, Richards, Higginson, "Two simple methods for determining gait events during treadmill and overground
   walking using kinematic data", Gait & Posture 27, 2008.
.. [Hreljac2000] Hreljac, Marshall, "Algorithms to determine event timing during normal walking using kinematic data",
   Journal of Biomechanics 33, 2000.
"""

from dataclasses import dataclass

import numpy as np
from scipy.interpolate import CubicSpline
from scipy.signal import butter, filtfilt, find_peaks

CUTOFF = 10.0
"""Hz above which gait laboratories take the motion of markers for noise."""
FINE = 600.0
"""Instants a second among which an event is looked for."""
STEP = 0.3
"""Seconds to either side between which the way of the body is measured."""
LEAST_STRIDE = 0.45
"""Seconds between two strikes of one foot at least."""
AROUND = 0.12
"""Seconds around a kinematic event within which the event of acceleration is looked for."""
GRAVITY = 9.81
MASSES = {
    "Hips": 0.142, "Spine": 0.139, "Chest": 0.216, "Head": 0.081, "UpperArm": 0.028, "LowerArm": 0.016, "Hand": 0.006,
    "UpperLeg": 0.1, "LowerLeg": 0.0465, "Foot": 0.0145,
}  # fmt: skip
"""Share of the body's mass of each segment, of limbs twice: Winter, Biomechanics of Human Movement, 2009."""


@dataclass(frozen=True, eq=False)
class FootEvents:
    """Seconds of the strikes and lifts of one foot, by both methods; NaN where acceleration has no maximum."""

    strikes: np.ndarray
    lifts: np.ndarray
    jolts: np.ndarray
    kicks: np.ndarray


def low_passed(paths: np.ndarray, times: np.ndarray) -> CubicSpline:
    """Paths (T, C) without what is faster than 10 Hz, unshifted, as a curve over time."""
    share = 2.0 * CUTOFF * (times[-1] - times[0]) / (len(times) - 1) / 0.802
    if share >= 1.0:
        return CubicSpline(times, paths)
    return CubicSpline(times, filtfilt(*butter(2, share), paths, axis=0))


def foot_events(hip: np.ndarray, leading: np.ndarray, trailing: np.ndarray, times: np.ndarray) -> FootEvents:
    """Find the events of a foot from the paths (T, 3) of the hip and of the foot's ends that come first on its way."""
    fine = np.arange(times[0], times[-1], 1.0 / FINE)
    root, front, back = (low_passed(path, times) for path in (hip, leading, trailing))
    gone = root(np.minimum(fine + STEP, times[-1])) - root(np.maximum(fine - STEP, times[0]))
    way = gone[:, :2] / np.linalg.norm(gone[:, :2], axis=1, keepdims=True)

    def along(values: np.ndarray) -> np.ndarray:
        return np.einsum("tc,tc->t", values[:, :2], way)

    strikes = fine[_peaks(along(front(fine) - root(fine)))]
    lifts = fine[_peaks(-along(back(fine) - root(fine)))]
    upward, forward = front(fine, 2)[:, 2], along(back(fine, 2))
    jolts = np.array([_greatest(upward, fine, time) for time in strikes])
    kicks = np.array([_greatest(forward, fine, time) for time in lifts])
    return FootEvents(strikes, lifts, jolts, kicks)


def _peaks(values: np.ndarray) -> np.ndarray:
    return find_peaks(values, distance=int(LEAST_STRIDE * FINE), prominence=0.25 * np.ptp(values))[0]


def _greatest(values: np.ndarray, fine: np.ndarray, time: float) -> float:
    """Second of the highest peak of `values` around a time."""
    tops = find_peaks(values)[0]
    tops = tops[np.abs(fine[tops] - time) < AROUND]
    return float(fine[tops[np.argmax(values[tops])]]) if len(tops) else np.nan


def centre_of_mass(names: tuple[str, ...], parents: np.ndarray, places: np.ndarray) -> np.ndarray:
    """Path (T, 3) of the body's centre of mass from the places (T, J, 3) of its joints."""
    total, mass = np.zeros((len(places), 3)), 0.0
    for joint, name in enumerate(names):
        share = MASSES.get(name.removesuffix("_L").removesuffix("_R"), 0.0)
        children = np.flatnonzero(np.asarray(parents) == joint)
        ends = [joint, int(children[0])] if len(children) == 1 else [joint]
        total += share * places[:, ends].mean(axis=1)
        mass += share
    return total / mass


def flights(centre: np.ndarray, times: np.ndarray, shortest: float = 0.09) -> list[tuple[float, float]]:
    """Spans in seconds in which the floor bears less than half of the weight of a body with this centre (T, 3)."""
    fine = np.arange(times[0], times[-1], 1.0 / FINE)
    falling = low_passed(centre, times)(fine, 2)[:, 2] < -0.5 * GRAVITY
    edges = np.flatnonzero(np.diff(np.concatenate([[False], falling, [False]]).astype(int))).reshape(-1, 2)
    joined: list[list[int]] = []
    for first, after in edges:
        if joined and first - joined[-1][1] < 0.05 * FINE:
            joined[-1][1] = after
        else:
            joined.append([first, after])
    spans = [(fine[a], fine[min(b, len(fine) - 1)]) for a, b in joined]
    return [(a, b) for a, b in spans if b - a > shortest and a > times[0] and b < fine[-1]]
