"""Where the points of legs are, and the small turns that bring them where they should be ([Rose1998] eq. 2).

One frame is a batch of one: what is played and what is computed at once go through the same arithmetic. Everything is
in the heading's frame: rotations are seen from it, and positions are counted from the root's.
"""

import numpy as np
from numpy.typing import NDArray

from .legs import Legs
from .products import LEFT, MANY, ROTATION, difference, multiply, outer

Array = NDArray[np.float64]

TOLERANCE = 1e-5
"""Share of the longest step of a chain."""
STEPS = 20
AT_REST = 1e-4
"""A step that turns no joint by more than this is the last, wherever the point is: its target is out of reach."""
LARGEST_TURN = 0.5
DAMPING = 0.15
LEAST_DAMPING = 1e-9

_QUATERNION = np.concatenate([np.zeros((3, 1)), 0.5 * np.eye(3)], axis=1)
_SUM = np.ones((4, 4))
_UNIT = np.array([1.0, 0.0, 0.0, 0.0])


def lifted(legs: Legs, values: Array) -> Array:
    """Rotations (T, G C, 4) of the legs' joints, seen from the joint before, in rows of values (T, width)."""
    return (values.dot(legs.lift) + legs.idle).reshape(len(values), -1, 4)


def with_lifted(legs: Legs, values: Array, rotations: Array) -> Array:
    """Copy of rows (T, width) with the turned joints' rotations (T, G C, 4)."""
    changed = values.copy()
    changed[:, legs.columns] = rotations.reshape(len(values), -1).dot(legs.settle)
    return changed


def in_space(legs: Legs, rotations: Array) -> Array:
    """Rotations (T, G C, 4) seen from the heading's frame, of lifted ones."""
    chains = rotations.reshape(-1, legs.turning.shape[1], 4)
    if len(chains) > MANY:
        return _in_space_at_once(chains).reshape(rotations.shape)
    factors = chains.dot(LEFT).reshape(*chains.shape, 4)
    found = chains.copy()
    whole = factors[:, 0]
    for depth in range(1, chains.shape[1]):
        whole = whole @ factors[:, depth]
        found[:, depth] = whole[:, :, 0]
    return found.reshape(rotations.shape)


def _in_space_at_once(chains: Array) -> Array:
    found = chains.copy()
    for depth in range(1, chains.shape[1]):
        found[:, depth] = multiply(found[:, depth - 1], chains[:, depth])
    return found


def from_space(legs: Legs, rotations: Array) -> Array:
    """Lifted rotations (T, G C, 4) of those seen from the heading's frame."""
    chains = rotations.reshape(-1, legs.turning.shape[1], 4)
    found = chains.copy()
    below = difference(chains[:, :-1].reshape(-1, 4), chains[:, 1:].reshape(-1, 4))
    found[:, 1:] = below.reshape(len(chains), -1, 4)
    return found.reshape(rotations.shape)


def moved_steps(legs: Legs, values: Array, scalars: slice) -> Array | None:
    """Steps (T, n, 3) where scalars of the rows (T, width) move joints, None where nothing does."""
    if not len(legs.steps_by_scalar):
        return None
    return legs.steps + (values[:, scalars] @ legs.steps_by_scalar).reshape(len(values), -1, 3)


def positions(legs: Legs, rotations: Array, steps: Array | None) -> Array:
    """Joints and points (T, G (C + K) 3) from rotations (T, G C, 4) in space and what `moved_steps` says."""
    products = outer(rotations.reshape(-1, 4), rotations.reshape(-1, 4)).reshape(len(rotations), -1)
    if steps is None:
        return products.dot(legs.reach)
    axes = (products.reshape(len(rotations), -1, 16) @ ROTATION)[:, legs.carriers].reshape(*steps.shape, 3)
    return (axes @ steps[..., None]).reshape(len(rotations), -1) @ legs.sums


def points_of(legs: Legs, places: Array) -> Array:
    """Points (T, G, 3 K) among `positions`."""
    count, length = legs.turning.shape
    return places.reshape(len(places), count, -1)[:, :, 3 * length :]


def reach_points(legs: Legs, rotations: Array, steps: Array | None, targets: Array, asked: Array) -> Array:
    """Turn joints as little as can be so that points lie at targets.

    J dq = dx by damped least squares, repeated, all points of a leg together. The damping goes with what is still
    missing: it vanishes where a target can be reached, and where it cannot it is about what the leg's curvature asks
    for, so that a stretched leg comes to rest instead of swinging about. Rows are dropped as they are done.

    Parameters
    ----------
    legs : Legs
    rotations : (T, G C, 4) in space.
    steps : as for `positions`.
    targets : (T, G, 3 K) counted from the root.
    asked : (T, G, 3 K) 1 for points that have a target, 0 for the others.

    Returns
    -------
    (T, G C, 4) in space.
    """
    solved = rotations.copy()
    rows = np.arange(len(rotations))
    moved, size = np.ones(len(rotations)), float(np.abs(legs.steps).max(initial=0.0))
    for _ in range(STEPS):
        places = positions(legs, rotations, steps)
        error = (targets - points_of(legs, places)) * asked
        going = (np.abs(error).reshape(len(rows), -1).max(axis=1) > TOLERANCE * size) & (moved > AT_REST)
        if not going.all():
            rows, error, places, rotations = rows[going], error[going], places[going], rotations[going]
            targets, asked = targets[going], asked[going]
            steps = None if steps is None else steps[going]
            if not len(rows):
                break
        turns = _turns(legs, places, error, asked, size)
        rotations = _turned(turns, rotations)
        solved[rows] = rotations
        moved = np.abs(turns).reshape(len(rows), -1).max(axis=1)
    return solved


def _turned(turns: Array, rotations: Array) -> Array:
    """Rotations (T, G C, 4) turned in space by rotation vectors (T, G, C, 3) each."""
    turned = multiply(turns.reshape(-1, 3).dot(_QUATERNION) + _UNIT, rotations.reshape(-1, 4))
    turned /= np.sqrt((turned * turned).dot(_SUM))
    return turned.reshape(rotations.shape)


def _turns(legs: Legs, places: Array, error: Array, asked: Array, length: float) -> Array:
    """Rotation vectors (T, G, C, 3) in space that move the points by about `error` (T, G, 3 K)."""
    count, length = legs.turning.shape
    jacobian = places.dot(legs.jacobian).reshape(len(places), count, 3 * length, -1)
    if error.shape[-1] > 3:
        jacobian = jacobian * asked[:, :, None]
    size = error.shape[-1]
    missing = np.sqrt((error * error).dot(np.ones(size)))[..., None, None]
    system = jacobian.swapaxes(-1, -2) @ jacobian + (DAMPING * missing + LEAST_DAMPING * length) * length * np.eye(size)
    solution = np.asarray(np.linalg.solve(system, error[..., None]), dtype=np.float64)
    turns: Array = np.matmul(jacobian, solution).reshape(len(places), count, length, 3)
    turns /= np.maximum(np.abs(turns).max(axis=(-1, -2), keepdims=True) / LARGEST_TURN, 1.0)
    return turns.cumsum(axis=2)
