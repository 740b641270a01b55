"""The floor that the feet stand on: how high, how steep, how fast it passes under a figure, and heights over it."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .observed import Observed
from .smooth import averaged, quantile, smooth
from .treadmill import STEADY, Drift, first_drift, in_heading_frame, refined_drift, stands_still

Array = NDArray[np.float64]

SLOWEST = 0.2
"""Leg lengths a second: whoever goes slower stands, and what moves slower rests."""
LOW = 0.05
"""Leg lengths over its height at rest: a point that is lower may touch the floor. The ankle rises by four times as
much while a foot rolls over its ball."""
_ROUNDS = 5
_FITS = 4
_RIDGE = 0.05


@dataclass(frozen=True, eq=False)
class Ground:
    """A floor and what moves over it.

    Parameters
    ----------
    speed : units a second at which the body goes over the floor while it goes.
    grade : (2,) rise of the floor along x and y; as the floor's motion in the heading's frame where that is steadier.
    drift : of the floor, None where it stands still.
    heights : (F,) of each foot's points (P, T) over their heights at rest.
    speeds : (F,) of each foot's points (P, T) against the floor.
    body : (T, 3) velocity of the root against the floor.
    """

    speed: float
    grade: Array
    drift: Drift | None
    heights: tuple[Array, ...]
    speeds: tuple[Array, ...]
    body: Array


def find_ground(observed: Observed) -> Ground:
    """Fit a plane, and where the feet pass by a body in place its motion, to the points while they rest.

    What rests is found in a few rounds from what is slow and low by the last one.
    """
    places, velocities = _smoothed(observed)
    drift: Drift | None = None
    if not stands_still(velocities, SLOWEST * observed.leg):
        turned = in_heading_frame(observed)
        seen = [(observed, places, velocities), (turned, *_smoothed(turned))]
        drifts = [first_drift(*one, SLOWEST * observed.leg) for one in seen]
        best = int(drifts[1][1] >= drifts[0][1])
        if not _carries(drifts[best][0], seen[best][0]):
            (observed, places, velocities), (drift, _) = seen[best], drifts[best]
    root, body = smooth(observed.times, observed.root)
    grade, heights = np.zeros(2), np.zeros(places.shape[:2])
    for turn in range(_ROUNDS):
        over = _against(drift, root, body, grade)
        speed = _body_speed(over)
        limit = speed_limit(speed, observed.leg) / (1.0 if turn == 0 else 2.0)
        speeds = np.linalg.norm(_against(drift, places, velocities, grade), axis=-1)
        resting = (speeds < limit) & (heights < LOW * observed.leg)
        along = along_the_way(observed.times, root, over, places)
        grade, heights = level_of(places, along, resting, observed.leg, LOW * observed.leg)
        if drift is not None:
            drift = refined_drift(drift, observed.times, places, velocities, resting, observed.leg)
    over = _against(drift, root, body, grade)
    speeds = np.linalg.norm(_against(drift, places, velocities, grade), axis=-1)
    cuts = np.cumsum([len(path) for path in observed.paths])[:-1]
    high, fast = (tuple(np.split(values, cuts)) for values in (heights, speeds))
    return Ground(_body_speed(over), grade, drift, high, fast, over)


def speed_limit(speed: float, leg: float) -> float:
    """Speed against the floor below which a point may be in contact: half the body's, midway from rest to its pace.

    Parameters
    ----------
    speed : of the body over the floor.
    leg : length of a leg.
    """
    return max(0.5 * speed, SLOWEST * leg)


def _carries(drift: Drift, observed: Observed) -> bool:
    """Whether a floor would take the root along: who glides in the air with still feet does not stand on such a one."""
    way = observed.root[-1, :2] - observed.root[0, :2]
    gone = drift.velocity[0] * float(observed.times[-1] - observed.times[0])
    return float(way @ gone) > 0.5 * float(gone @ gone)


def _smoothed(observed: Observed) -> tuple[Array, Array]:
    """Places and velocities (P, T, 3) of the points of all feet."""
    paths = np.concatenate(observed.paths)
    places, velocities = smooth(observed.times, np.moveaxis(paths, 1, 0))
    return np.moveaxis(places, 0, 1), np.moveaxis(velocities, 0, 1)


def _against(drift: Drift | None, places: Array, velocities: Array, grade: Array) -> Array:
    """Velocities (..., T, 3) against a floor that moves along its slope."""
    if drift is None:
        return velocities
    flat = drift.at(places)
    return velocities - np.concatenate([flat, flat @ grade[:, None]], axis=-1)


def _body_speed(velocity: Array) -> float:
    """Typical horizontal speed of a body while it goes, of `velocity` (T, 3)."""
    speeds = np.linalg.norm(velocity[:, :2], axis=1)
    return quantile(speeds[speeds >= 0.5 * quantile(speeds, 0.9)], 0.5)


def along_the_way(times: Array, root: Array, body: Array, places: Array) -> Array:
    """How far along the body's way over the floor points (P, T) are: a ramp that winds rises with it, as no plane does.

    Parameters
    ----------
    times : (T,)
    root, body : (T, 3) place of the root, and its velocity against the floor.
    places : (P, T, 3) of the points.
    """
    velocity = averaged(times, body[:, :2], STEADY)
    speed = np.linalg.norm(velocity, axis=1)
    passed = np.concatenate([[0.0], np.cumsum(0.5 * (speed[1:] + speed[:-1]) * np.diff(times))])
    forward = velocity / np.maximum(speed, 1e-12)[:, None]
    return passed + np.einsum("ptc,tc->pt", places[..., :2] - root[:, :2], forward)


def level_of(places: Array, along: Array, resting: NDArray[np.bool_], leg: float, low: float) -> tuple[Array, Array]:
    """Grade (2,) of the floor, and heights (P, T) of points over the height at which each rests.

    The floor rises along x, along y, and along the way. Points count while they rest; those that turn out high over the
    others are left out. A grade that few steps tell is drawn to level, as if each place were unsure by a twentieth of a
    leg.

    Parameters
    ----------
    places : (P, T, 3) of the points.
    along : (P, T) how far along the way they are.
    resting : (P, T)
    leg : length of a leg.
    low : height over which a point cannot be in contact.
    """
    rows, columns = np.nonzero(resting)
    spread = np.concatenate([places[..., :2], along[..., None], places[..., 2:]], axis=-1)
    grade = np.zeros(3)
    used = np.ones(len(rows), dtype=bool)
    for _ in range(_FITS):
        if not used.any():
            break
        around = _around_middles(spread[rows[used], columns[used]], rows[used], len(places))
        ridge = _RIDGE * leg * np.sqrt(len(around)) * np.eye(3)
        system = np.concatenate([around[:, :3], ridge])
        grade = np.linalg.lstsq(system, np.concatenate([around[:, 3], np.zeros(3)]), rcond=None)[0]
        used = _over(spread, resting, grade)[rows, columns] < 0.5 * low
    return grade[:2], _over(spread, resting, grade)


def _around_middles(chosen: Array, owners: NDArray[np.intp], count: int) -> Array:
    """Rows (N, 4) counted from the mean row of the point that each belongs to."""
    sums = np.zeros((count, chosen.shape[1]))
    np.add.at(sums, owners, chosen)
    shares = np.maximum(np.bincount(owners, minlength=count), 1)
    return chosen - (sums / shares[:, None])[owners]


def _over(spread: Array, resting: NDArray[np.bool_], grade: Array) -> Array:
    """Heights (P, T) over the floor through each point's lower rests; a point that never rests counts from its low."""
    heights = spread[..., 3] - spread[..., :3] @ grade
    levels = [
        quantile(mine[rests], 0.25) if rests.any() else quantile(mine, 0.05)
        for mine, rests in zip(heights, resting, strict=True)
    ]
    return heights - np.array(levels)[:, None]
