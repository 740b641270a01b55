"""Curves fitted to examples in canonical form ([Rose1998] sec. 3.1), and how far they miss them."""

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ..bounds import CONTROL_POINTS
from ..errors import listed, quoted
from ..figure import quaternion as quat
from ..figure.channels import Channels, rotations_of, with_rotations, world_joints
from ..motion.bspline import Curve, design_matrix, fit_curve
from .canonical import Canonical
from .example import Example

Array = NDArray[np.float64]
Fitting = Literal["least_squares", "least_largest"]

GOAL_DEGREES = 0.8
"""Error of a joint's rotation below which its curve is good enough."""
GOAL_SHARE = 0.0025
"""Error of a joint's place, as a share of the figure's size, below which the curves are good enough."""
ROUNDS = 12
"""Largest number of rounds of re-weighted least squares."""
LEAST_WEIGHT = 0.05
"""Least weight of a sample in re-weighted least squares; the mean weight is 1."""
TURNED_DEGREES = 2.75
"""Degrees from its keys from which on a bone is named, so that none is 3 degrees off unnamed, between samples too."""
FOLLOWED_DEGREES = 2.5
"""Degrees from its keys within which a bone stays that more control points are said to keep there."""
MORE = (1.25, 1.5, 2.0)
"""How many times as many control points are tried as an example has whose bones are far from their keys."""


def fit_canonical(
    channels: Channels,
    canonical: Canonical,
    example: Example,
    control_points: int,
    fitting: Fitting = "least_squares",
) -> Curve:
    """Return the curve, over the curves' own time, of the pose columns of one example.

    [Rose1998] section 3.1 does not say how its B-splines were fitted. Here it is least squares, which a single frame
    that is off moves little. Verbs of the first version go on to make the largest error small; see `_least_largest`.

    Parameters
    ----------
    channels : what the columns mean.
    canonical : the example; the last row of a cycle, which repeats its first, is left out.
    example : gives the encoding, and the number of control points if it has one of its own.
    control_points : NumCP otherwise.
    fitting : ``'least_squares'`` or ``'least_largest'``.
    """
    times = np.linspace(0.0, 1.0, len(canonical.values))
    rows = slice(None, -1) if example.cyclic else slice(None)
    count = example.control_points or control_points
    values = canonical.values[rows]
    curve = fit_curve(times[rows], values[:, 3:], count, example.cyclic, example.encoding)
    if fitting == "least_squares":
        return curve
    matrix = design_matrix(times[rows], count, example.cyclic, example.encoding)
    controls = _least_largest(channels, matrix, values, curve.controls[:count].copy())
    closed = np.concatenate([controls, controls[:3]]) if example.cyclic else controls
    return Curve(closed, example.cyclic, example.encoding)


def _least_largest(channels: Channels, matrix: Array, values: Array, controls: Array) -> Array:
    """Return control points (C, columns) with smaller largest errors than those of least squares.

    For joints that are missed by about a degree or more it is least squares again with more weight where the error is
    large (Lawson's iteration): a quick turn of one joint is then spread over its surroundings rather than cut off. The
    same is done for all joints above the one that is farthest from where it should be, as long as that is more than
    0.25 % of the figure's size.

    Parameters
    ----------
    channels : what the columns mean.
    matrix : (G, C) from control points to samples.
    values : (G, width) that are wanted.
    controls : (C, columns) to begin with.
    """
    weights = np.ones((len(values), len(channels.rotating)))
    wanted = rotations_of(channels, values)
    fitted = (matrix @ controls[:, 3 : 3 + 4 * wanted.shape[1]]).reshape(wanted.shape)
    missed = np.degrees(quat.angle_between(quat.normalize(fitted), wanted)).max(axis=0)
    for joint in np.flatnonzero(missed >= GOAL_DEGREES):
        columns = slice(3 + 4 * joint, 7 + 4 * joint)
        controls[:, columns] = _fit_rotations(
            matrix, values[:, 3:][:, columns], controls[:, columns], weights[:, joint]
        )
    return _fit_places(channels, matrix, values, controls, weights)


def _fit_rotations(matrix: Array, rotations: Array, controls: Array, weights: Array) -> Array:
    """Return control points (C, 4) of one joint for which its largest error against `rotations` (G, 4) is small.

    Parameters
    ----------
    matrix : (G, C) from control points to samples.
    rotations : (G, 4) that are wanted.
    controls : (C, 4) to begin with.
    weights : (G,) of the samples; changed in place to those that gave the result.
    """
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
        weights[:] = _reweighted(weights, errors)
        controls = _weighted_least_squares(matrix, rotations, weights)
    weights[:] = kept
    return best


def _fit_places(channels: Channels, matrix: Array, values: Array, controls: Array, weights: Array) -> Array:
    """Return control points (C, columns) for which the largest error in the place of any joint is small.

    Parameters
    ----------
    channels : what the columns mean.
    matrix : (G, C) from control points to samples.
    values : (G, width) that are wanted.
    controls : (C, columns) to begin with.
    weights : (G, R) of the samples, for each rotating joint; changed in place.
    """
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
                weights[:, column] = _reweighted(weights[:, column], errors[:, farthest])
                controls[:, columns] = _weighted_least_squares(matrix, values[:, 3:][:, columns], weights[:, column])
    return best


def _reweighted(weights: Array, errors: Array) -> Array:
    """Return weights (G,) that are larger where `errors` (G,) are; their mean is about 1."""
    changed = weights * (errors / errors.max() + LEAST_WEIGHT)
    return np.maximum(changed / changed.mean(), LEAST_WEIGHT)


def _weighted_least_squares(matrix: Array, data: Array, weights: Array) -> Array:
    """Return control points (C, n) with ``matrix @ controls`` nearest to `data` (G, n) by `weights` (G,)."""
    rows = np.sqrt(weights)[:, None]
    return np.asarray(np.linalg.lstsq(matrix * rows, data * rows, rcond=None)[0], dtype=np.float64)


def bent_told(channels: Channels, canonical: Canonical, curve: Curve, example: Example) -> str:
    """Say which bones an example plays far from their keys, and with how many control points it would not.

    Returns
    -------
    Two sentences; empty if there is no such bone.
    """
    turned = _turned_from_keys(channels, canonical, curve.sample(np.linspace(0.0, 1.0, len(canonical.values))))
    order = [int(row) for row in np.argsort(-turned) if turned[row] > TURNED_DEGREES]
    if not order:
        return ""
    labels = [channels.skeleton.names[int(joint)] for joint in channels.rotating]
    named = [f"'{labels[row]}' by {turned[row]:.1f} degrees" for row in order]
    told = (
        f"Example '{example.name}' plays bones otherwise than they were keyed, since its cycle is closed, its feet are"
        f" held and curves follow it: {listed(named, len(named))}."
    )
    return f"{told} {_more_told(channels, canonical, curve, example, [labels[row] for row in order], order)}"


def _more_told(
    channels: Channels, canonical: Canonical, curve: Curve, example: Example, bones: list[str], rows: list[int]
) -> str:
    """Return a sentence that says how many control points would keep bones near their keys, if any number would.

    Numbers are tried up to twice as many as there are now: beyond, the samples at hand could not tell.

    Parameters
    ----------
    channels, canonical, curve, example : as in `bent_told`.
    bones, rows : names of the joints that are far from their keys, and where they are among those that rotate.
    """
    moved = _turned_from_keys(channels, canonical, canonical.values[:, 3:]) > FOLLOWED_DEGREES
    others = [bone for bone, row in zip(bones, rows, strict=True) if moved[row]]
    if len(others) == len(bones):
        return "More control points would not change that."
    times = np.linspace(0.0, 1.0, len(canonical.values))
    span = slice(None, -1) if example.cyclic else slice(None)
    turning = slice(channels.rotation_columns.start - 3, channels.rotation_columns.stop - 3)
    counts = [count for more in MORE if (count := round(more * curve.control_points)) <= CONTROL_POINTS]
    for count in counts:
        poses = canonical.values[:, 3:].copy()
        found = fit_curve(times[span], poses[span, turning], count, example.cyclic, example.encoding)
        poses[:, turning] = found.sample(times)
        if _turned_from_keys(channels, canonical, poses)[~moved].max() <= FOLLOWED_DEGREES:
            them = f"all but {quoted(others, len(others))}" if others else "them"
            return f"{count} control points of its own would keep {them} within {FOLLOWED_DEGREES:g} degrees."
    return f"Even {max(counts, default=curve.control_points)} control points of its own would not be enough."


def _turned_from_keys(channels: Channels, canonical: Canonical, poses: Array) -> Array:
    """Return by how many degrees (R,) each joint is turned at most from how the example was keyed.

    What closing the cycle and holding the contacts has turned is part of it.

    Parameters
    ----------
    channels, canonical : what the columns mean, and the example.
    poses : (G + 1, width - 3) pose columns at its samples.
    """
    turns = quat.normalize(rotations_of(channels, np.concatenate([canonical.values[:, :3], poses], axis=-1)))
    return np.degrees(quat.angle_between(turns, canonical.keyed)).max(axis=0)


def fit_errors(channels: Channels, canonical: Canonical, curve: Curve) -> tuple[float, float]:
    """Return the largest errors of a curve: of a joint's rotation in degrees, and of its place in performance units.

    A rotation is taken relative to the joint's parent.
    """
    times = np.linspace(0.0, 1.0, len(canonical.values))
    fitted = np.concatenate([canonical.values[:, :3], curve.sample(times)], axis=-1)
    fitted = with_rotations(channels, fitted, quat.normalize(rotations_of(channels, fitted)))
    distance = np.linalg.norm(world_joints(channels, fitted) - world_joints(channels, canonical.values), axis=-1)
    angles = quat.angle_between(rotations_of(channels, fitted), rotations_of(channels, canonical.values))
    return float(np.degrees(angles.max())), float(distance.max())
