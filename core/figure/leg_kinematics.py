"""Forward kinematics of legs: from rows of values to rotations and positions of their joints and points, and back.

One frame is a batch of one, so that live playback and batch computation use the same arithmetic. Everything is in the
heading's frame, and positions are relative to the root's. The small rotations that bring points to targets are in
`leg_inverse_kinematics`.
"""

import numpy as np
from numpy.typing import NDArray

from .legs import Legs
from .quaternion_products import ROTATION, difference, multiply, outer

Array = NDArray[np.float64]


def chain_rotations(legs: Legs, values: Array) -> Array:
    """Return the rotations (T, G C, 4) of the legs' joints relative to the joint before, of rows (T, width)."""
    return (values.take(legs.inputs, axis=1).dot(legs.to_chains) + legs.constant).reshape(len(values), -1, 4)


def with_chain_rotations(legs: Legs, values: Array, rotations: Array) -> Array:
    """Return a copy of rows (T, width) with the chain rotations (T, G C, 4) of the joints that may rotate."""
    changed = values.copy()
    changed[:, legs.columns] = rotations.reshape(len(values), -1).dot(legs.from_chains)
    return changed


def in_space(legs: Legs, rotations: Array) -> Array:
    """Return rotations (T, G C, 4) in the heading's frame from chain rotations (T, G C, 4)."""
    chains = rotations.reshape(-1, legs.turning.shape[1], 4)
    found = chains.copy()
    above = found[:, 0]
    for depth in range(1, chains.shape[1]):
        above = found[:, depth] = multiply(above, chains[:, depth])
    return found.reshape(rotations.shape)


def from_space(legs: Legs, rotations: Array) -> Array:
    """Return chain rotations (T, G C, 4) from rotations (T, G C, 4) in the heading's frame."""
    chains = rotations.reshape(-1, legs.turning.shape[1], 4)
    found = chains.copy()
    found[:, 1:] = difference(chains[:, :-1], chains[:, 1:])
    return found.reshape(rotations.shape)


def moved_steps(legs: Legs, values: Array, scalars: slice) -> Array | None:
    """Return the legs' steps (T, G (C + K), 3) in rows (T, width); None if no scalar changes them.

    `scalars` are the columns of the scalars.
    """
    if not len(legs.steps_by_scalar):
        return None
    return legs.steps + (values[:, scalars] @ legs.steps_by_scalar).reshape(len(values), -1, 3)


def positions(legs: Legs, rotations: Array, steps: Array | None) -> Array:
    """Return positions (T, G (C + K) 3) of joints and points relative to the root, in performance units.

    Parameters
    ----------
    legs : Legs
    rotations : (T, G C, 4) in the heading's frame.
    steps : result of `moved_steps`.
    """
    products = outer(rotations.reshape(-1, 4), rotations.reshape(-1, 4)).reshape(len(rotations), -1)
    if steps is None:
        return products.dot(legs.reach)
    axes = (products.reshape(len(rotations), -1, 16) @ ROTATION)[:, legs.carriers].reshape(*steps.shape, 3)
    return (axes @ steps[..., None]).reshape(len(rotations), -1) @ legs.sums


def points_of(legs: Legs, places: Array) -> Array:
    """Return those of `positions` (T, G (C + K) 3) that belong to points, (T, G, 3 K)."""
    count, length = legs.turning.shape
    return places.reshape(len(places), count, -1)[:, :, 3 * length :]
