"""Travel: the root's path over the floor as displacement, turn and climb.

Travel is a row (x, y, heading, height): performance units, and radians to the left.
"""

import numpy as np
from numpy.typing import NDArray

from ..figure import quaternion as quat

Array = NDArray[np.float64]


def rotate_plane(vectors: Array, headings: Array) -> Array:
    """Return `vectors` (..., 2) rotated to the left by `headings` (...) in radians."""
    cosine, sine = np.cos(headings), np.sin(headings)
    x, y = vectors[..., 0], vectors[..., 1]
    return np.stack([cosine * x - sine * y, sine * x + cosine * y], axis=-1)


def rotate_over_floor(vectors: Array, headings: Array) -> Array:
    """Rotate the horizontal part of vectors (..., 3) by headings that broadcast against (...)."""
    return np.concatenate([rotate_plane(vectors[..., :2], headings), vectors[..., 2:]], axis=-1)


def headings_of(rotations: Array, reference: Array) -> Array:
    """Return the headings (T,) in radians of root rotations (T, 4), without jumps.

    A heading is the twist about +Z of the rotation from `reference` (4,) to the root's.
    """
    return np.unwrap(quat.yaw_of(quat.multiply(rotations, quat.conjugate(reference))))


def compose(first: Array, second: Array) -> Array:
    """Return the travel (..., 4) of `first` followed by `second` from its end, both (..., 4).

    Both may lack the height, (..., 3).
    """
    place = first[..., :2] + rotate_plane(second[..., :2], first[..., 2])
    return np.concatenate([place, first[..., 2:] + second[..., 2:]], axis=-1)


def relative(origin: Array, travel: Array) -> Array:
    """Return `travel` (..., 3) relative to `origin` (..., 3): the inverse of ``compose(origin, ...)``."""
    place = rotate_plane(travel[..., :2] - origin[..., :2], -origin[..., 2])
    return np.concatenate([place, travel[..., 2:] - origin[..., 2:]], axis=-1)


def arc(drift: Array, times: Array) -> Array:
    """Return the travel (..., 4) from the origin after `times` (...) of constant `drift` (..., 4) per unit of time.

    The path is a circular arc, in closed form; x and y of a drift are in the heading's frame.
    """
    turn = drift[..., 2] * times
    place = rotate_plane(drift[..., :2] * (times * np.sinc(0.5 * turn / np.pi))[..., None], 0.5 * turn)
    return np.concatenate([place, drift[..., 2:] * times[..., None]], axis=-1)


def repeat(cycle: Array, counts: Array) -> Array:
    """Return the travel (..., 4) of `cycle` (..., 4) repeated `counts` (...) times, in closed form.

    The counts are whole numbers; negative ones go back.
    """
    half = 0.5 * np.arctan2(np.sin(cycle[..., 2]), np.cos(cycle[..., 2]))
    shrunk, whole = (np.asarray(np.sinc(angle / np.pi), dtype=np.float64) for angle in (counts * half, half))
    place = rotate_plane(cycle[..., :2] * (counts * shrunk / whole)[..., None], (counts - 1.0) * half)
    return np.concatenate([place, counts[..., None] * cycle[..., 2:]], axis=-1)


def segment_path(drifts: Array, generic: Array, phases: Array, cyclic: bool) -> Array:
    """Return the travel (..., T, 4) since generic time 0 of motions with constant drift within each segment.

    Parameters
    ----------
    drifts : (..., S, 4) drift of each whole segment.
    generic : (S + 1,) generic times of the keytimes.
    phases : (T,) generic times; those of a cycle are unlimited, others are clamped to [0, 1].
    cyclic : whether the motion is a cycle.
    """
    several, segments = drifts.shape[:-2], drifts.shape[-2]
    if not drifts.any():
        return np.zeros((*several, len(phases), 4))
    knots = np.zeros((*several, segments + 1, 4))
    for row in range(segments):
        knots[..., row + 1, :] = compose(knots[..., row, :], arc(drifts[..., row, :], np.ones(several)))
    cycles = np.floor(phases) if cyclic else np.zeros_like(phases)
    within = np.clip(phases - cycles, 0.0, 1.0)
    segment = np.clip(np.searchsorted(generic, within, side="right") - 1, 0, segments - 1)
    fraction = (within - generic[segment]) / (generic[segment + 1] - generic[segment])
    travel = compose(knots[..., segment, :], arc(drifts[..., segment, :], fraction))
    return compose(repeat(knots[..., -1:, :], cycles), travel)


def path_of(moves: Array) -> Array:
    """Return the path (F, 3) from the origin of `moves` (F - 1, 3), each in the heading reached before it."""
    headings = np.concatenate([[0.0], np.cumsum(moves[:, 2])])
    steps = rotate_plane(moves[:, :2], headings[:-1])
    return np.concatenate([np.concatenate([np.zeros((1, 2)), np.cumsum(steps, axis=0)]), headings[:, None]], axis=-1)
