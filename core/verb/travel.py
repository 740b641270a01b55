"""Travel: the root's path as displacement, turn and climb per generic time, in the heading's frame.

A path has four columns: x, y and heading on the floor, and the height climbed. A drift has the same four: displacement
in the heading's frame, turn, climb.
"""

import numpy as np
from numpy.typing import NDArray

from ..figure import quaternion as quat

Array = NDArray[np.float64]


def rotate_plane(vectors: Array, headings: Array) -> Array:
    """Turn (..., 2) by `headings` (...) in radians."""
    cosine, sine = np.cos(headings), np.sin(headings)
    x, y = vectors[..., 0], vectors[..., 1]
    return np.stack([cosine * x - sine * y, sine * x + cosine * y], axis=-1)


def headings_of(rotations: Array, reference: Array) -> Array:
    """Heading (T,) in radians, without jumps, of root rotations (T, 4): their twist about +Z from `reference` (4,)."""
    return np.unwrap(quat.yaw_of(quat.multiply(rotations, quat.conjugate(reference))))


def integrate(increments: Array, start: Array | None = None) -> Array:
    """Path (T + 1, 4) from `increments` (T, 4) and, where it begins, `start` (4,).

    Each step is an arc: the displacement is turned by the heading at its middle and shortened to the chord.
    """
    origin = np.zeros(4) if start is None else start
    others = np.cumsum(np.concatenate([origin[None, 2:], increments[:, 2:]]), axis=0)
    middle = 0.5 * (others[1:, 0] + others[:-1, 0])
    steps = rotate_plane(increments[:, :2], middle) * np.sinc(0.5 * increments[:, 2:3] / np.pi)
    places = np.cumsum(np.concatenate([origin[None, :2], steps]), axis=0)
    return np.concatenate([places, others], axis=-1)


def compose(first: Array, second: Array) -> Array:
    """Travel (..., 4) of `second`, begun where `first` (..., 4) ends; both may be without height, (..., 3)."""
    place = first[..., :2] + rotate_plane(second[..., :2], first[..., 2])
    return np.concatenate([place, first[..., 2:] + second[..., 2:]], axis=-1)


def arc(drift: Array, times: Array) -> Array:
    """Path (..., 4) from the origin after `times` (...) of even `drift` (..., 4) per unit: an arc in closed form."""
    turn = drift[..., 2] * times
    place = rotate_plane(drift[..., :2] * (times * np.sinc(0.5 * turn / np.pi))[..., None], 0.5 * turn)
    return np.concatenate([place, drift[..., 2:] * times[..., None]], axis=-1)


def repeat(cycle: Array, counts: Array) -> Array:
    """Travel (..., 4) of `cycle` (4,) done `counts` (...) times over, whole numbers; negative ones go back."""
    half = 0.5 * np.arctan2(np.sin(cycle[2]), np.cos(cycle[2]))
    shrunk, whole = (np.asarray(np.sinc(angle / np.pi), dtype=np.float64) for angle in (counts * half, half))
    place = rotate_plane(cycle[:2] * (counts * shrunk / whole)[..., None], (counts - 1.0) * half)
    return np.concatenate([place, counts[..., None] * cycle[2:]], axis=-1)


def segment_path(drifts: Array, generic: Array, phases: Array, cyclic: bool) -> Array:
    """Path (T, 4) of a motion that drifts evenly within each segment.

    Parameters
    ----------
    drifts : (S, 4) of each whole segment.
    generic : (S + 1,) generic times of the keytimes.
    phases : (T,) generic times; those of a cyclic motion may lie anywhere.
    """
    knots = np.zeros((len(generic), 4))
    for segment, drift in enumerate(drifts):
        knots[segment + 1] = compose(knots[segment], arc(drift, np.ones(())))
    cycles = np.floor(phases) if cyclic else np.zeros_like(phases)
    within = np.clip(phases - cycles, 0.0, 1.0)
    segment = np.clip(np.searchsorted(generic, within, side="right") - 1, 0, len(drifts) - 1)
    fraction = (within - generic[segment]) / (generic[segment + 1] - generic[segment])
    return compose(repeat(knots[-1], cycles), compose(knots[segment], arc(drifts[segment], fraction)))
