"""Curves of the examples over generic time: least squares, then more weight where a joint is missed most."""

import numpy as np
from numpy.typing import NDArray

from ..figure import quaternion as quat
from ..figure.channels import Channels, rotations_of, with_rotations, world_joints
from ..motion.bspline import Curve, design_matrix, fit_curve
from .canonical import Canonical
from .example import Example

Array = NDArray[np.float64]

GOAL_DEGREES = 0.8
GOAL_SHARE = 0.0025
ROUNDS = 12
LEAST_WEIGHT = 0.05


def fit_canonical(channels: Channels, canonical: Canonical, example: Example, control_points: int) -> Curve:
    """Curve of the pose columns of one example.

    [Rose1998] section 3.1 does not say how its B-splines were fitted. Least squares, and for joints that it misses by
    about a degree or more, least squares again with more weight where the error is large (Lawson's iteration): a quick
    turn of one joint is then spread over its surroundings rather than cut off. The same for all joints above the one
    that is farthest from where it should be, as long as that is more than 0.25 % of the figure's size.

    Parameters
    ----------
    channels : what the columns mean.
    canonical : the example over generic time; a cycle's last row, which repeats its first, is left out.
    example : its encoding, and its number of control points if it has one of its own.
    control_points : NumCP otherwise.
    """
    times = np.linspace(0.0, 1.0, len(canonical.values))
    rows = slice(None, -1) if example.cyclic else slice(None)
    count = example.control_points or control_points
    values = canonical.values[rows]
    curve = fit_curve(times[rows], values[:, 3:], count, example.cyclic, example.encoding)
    matrix = design_matrix(times[rows], count, example.cyclic, example.encoding)
    controls = curve.controls[:count].copy()
    weights = np.ones((len(values), len(channels.rotating)))
    wanted = rotations_of(channels, values)
    fitted = (matrix @ controls[:, 3 : 3 + 4 * wanted.shape[1]]).reshape(wanted.shape)
    missed = np.degrees(quat.angle_between(quat.normalize(fitted), wanted)).max(axis=0)
    for joint in np.flatnonzero(missed >= GOAL_DEGREES):
        columns = slice(3 + 4 * joint, 7 + 4 * joint)
        controls[:, columns] = _turned(matrix, values[:, 3:][:, columns], controls[:, columns], weights[:, joint])
    controls = _placed(channels, matrix, values, controls, weights)
    closed = np.concatenate([controls, controls[:3]]) if example.cyclic else controls
    return Curve(closed, example.cyclic, example.encoding)


def _turned(matrix: Array, rotations: Array, controls: Array, weights: Array) -> Array:
    """Control points (C, 4) of one joint, its largest error against `rotations` (G, 4) small; `weights` (G,) change."""
    best, least = controls, np.inf
    kept = weights.copy()
    for _ in range(ROUNDS):
        errors = np.degrees(quat.angle_between(quat.normalize(matrix @ controls), rotations))
        largest = float(errors.max())
        if largest < least:
            best, least = controls, largest
            kept[:] = weights
        if least < GOAL_DEGREES:
            break
        weights[:] = _raised(weights, errors)
        controls = _solved(matrix, rotations, weights)
    weights[:] = kept
    return best


def _placed(channels: Channels, matrix: Array, values: Array, controls: Array, weights: Array) -> Array:
    """Control points (C, columns) whose largest error in the place of any joint is small."""
    wanted = world_joints(channels, values)
    goal = GOAL_SHARE * float(np.ptp(wanted[0], axis=0).max())
    column_of = {int(joint): column for column, joint in enumerate(channels.rotating)}
    best, least = controls, np.inf
    for _ in range(ROUNDS):
        fitted = np.concatenate([values[:, :3], matrix @ controls], axis=-1)
        fitted = with_rotations(channels, fitted, quat.normalize(rotations_of(channels, fitted)))
        errors = np.linalg.norm(world_joints(channels, fitted) - wanted, axis=-1)
        farthest = int(errors.max(axis=0).argmax())
        largest = float(errors.max())
        if largest < least:
            best, least = controls, largest
        if least <= goal:
            break
        controls = controls.copy()
        for joint in channels.skeleton.chain(farthest)[1:]:
            if joint in column_of:
                column = column_of[joint]
                columns = slice(3 + 4 * column, 7 + 4 * column)
                weights[:, column] = _raised(weights[:, column], errors[:, farthest])
                controls[:, columns] = _solved(matrix, values[:, 3:][:, columns], weights[:, column])
    return best


def _raised(weights: Array, errors: Array) -> Array:
    raised = weights * (errors / errors.max() + LEAST_WEIGHT)
    return np.maximum(raised / raised.mean(), LEAST_WEIGHT)


def _solved(matrix: Array, data: Array, weights: Array) -> Array:
    rows = np.sqrt(weights)[:, None]
    return np.asarray(np.linalg.lstsq(matrix * rows, data * rows, rcond=None)[0], dtype=np.float64)


def fit_errors(channels: Channels, canonical: Canonical, curve: Curve) -> tuple[float, float]:
    """Largest error of a curve: degrees of a joint from its parent, and distance of a joint in performance units."""
    times = np.linspace(0.0, 1.0, len(canonical.values))
    fitted = np.concatenate([canonical.values[:, :3], curve.sample(times)], axis=-1)
    fitted = with_rotations(channels, fitted, quat.normalize(rotations_of(channels, fitted)))
    distance = np.linalg.norm(world_joints(channels, fitted) - world_joints(channels, canonical.values), axis=-1)
    angles = quat.angle_between(rotations_of(channels, fitted), rotations_of(channels, canonical.values))
    return float(np.degrees(angles.max())), float(distance.max())
