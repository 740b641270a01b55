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
ROUNDS = 12
LEAST_WEIGHT = 0.05


def fit_canonical(channels: Channels, canonical: Canonical, example: Example, control_points: int) -> Curve:
    """Curve of the pose columns of one example.

    [Rose1998] section 3.1 does not say how its B-splines were fitted. Least squares, and for joints that it misses by
    more than a degree or so, least squares again with more weight where the error is large (Lawson's iteration): a
    quick turn of one joint is then spread over its surroundings rather than cut off.

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
    values = canonical.values[rows, 3:]
    curve = fit_curve(times[rows], values, count, example.cyclic, example.encoding)
    controls = curve.controls[:count].copy()
    matrix = design_matrix(times[rows], count, example.cyclic, example.encoding)
    for joint in range(len(channels.rotating)):
        columns = slice(3 + 4 * joint, 7 + 4 * joint)
        controls[:, columns] = _weighted(matrix, values[:, columns], controls[:, columns])
    return Curve(
        np.concatenate([controls, controls[:3]]) if example.cyclic else controls, example.cyclic, example.encoding
    )


def _weighted(matrix: Array, rotations: Array, controls: Array) -> Array:
    """Control points (C, 4) of one joint whose largest error against `rotations` (G, 4) is smaller."""
    weights = np.ones(len(rotations))
    best, least = controls, np.inf
    for _ in range(ROUNDS):
        errors = np.degrees(quat.angle_between(quat.normalize(matrix @ controls), rotations))
        largest = float(errors.max())
        if largest < least:
            best, least = controls, largest
        if least < GOAL_DEGREES:
            break
        weights *= errors / largest + LEAST_WEIGHT
        weights = np.maximum(weights / weights.mean(), LEAST_WEIGHT)
        rows = np.sqrt(weights)[:, None]
        controls = np.asarray(np.linalg.lstsq(matrix * rows, rotations * rows, rcond=None)[0], dtype=np.float64)
    return best


def fit_errors(channels: Channels, canonical: Canonical, curve: Curve) -> tuple[float, float]:
    """Largest error of a curve: degrees of a joint from its parent, and distance of a joint in performance units."""
    times = np.linspace(0.0, 1.0, len(canonical.values))
    fitted = np.concatenate([canonical.values[:, :3], curve.sample(times)], axis=-1)
    fitted = with_rotations(channels, fitted, quat.normalize(rotations_of(channels, fitted)))
    distance = np.linalg.norm(world_joints(channels, fitted) - world_joints(channels, canonical.values), axis=-1)
    angles = quat.angle_between(rotations_of(channels, fitted), rotations_of(channels, canonical.values))
    return float(np.degrees(angles.max())), float(distance.max())
