"""Height and slope of the floor, and heights of points over it."""

import numpy as np
from numpy.typing import NDArray

from .smooth import averaged, quantile
from .treadmill import STEADY

Array = NDArray[np.float64]

_ROUNDS = 4
_RIDGE = 0.05


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
    for _ in range(_ROUNDS):
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
