"""Curves fitted to examples in canonical form ([Rose1998] sec. 3.1), and how far they miss them."""

import numpy as np
from numpy.typing import NDArray

from ..bounds import CONTROL_POINTS
from ..errors import listed, quoted
from ..figure import quaternion as quat
from ..figure.channels import Channels, rotations_of, with_rotations, world_joints
from ..motion.bspline import Curve, fit_curve
from .canonical import Canonical
from .example import Example

Array = NDArray[np.float64]

TURNED_DEGREES = 2.75
"""Degrees from its keys from which on a bone is named, so that none is 3 degrees off unnamed, between samples too."""
FOLLOWED_DEGREES = 2.5
"""Degrees from its keys within which a bone stays that more control points are said to keep there."""
MORE = (1.25, 1.5, 2.0)
"""How many times as many control points are tried as an example has whose bones are far from their keys."""


def fit_canonical(canonical: Canonical, example: Example, control_points: int) -> Curve:
    """Return the curve, over the curves' own time, of the pose columns of one example.

    [Rose1998] section 3.1 does not say how its B-splines were fitted. Here it is least squares, which a single frame
    that is off moves little.

    Parameters
    ----------
    canonical : the example; the last row of a cycle, which repeats its first, is left out.
    example : gives the encoding, and the number of control points if it has one of its own.
    control_points : NumCP otherwise.
    """
    times = np.linspace(0.0, 1.0, len(canonical.values))
    rows = slice(None, -1) if example.cyclic else slice(None)
    count = example.control_points or control_points
    return fit_curve(times[rows], canonical.values[rows, 3:], count, example.cyclic, example.encoding)


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
