"""Curves fitted to examples in canonical form ([Rose1998] sec. 3.1), and their errors."""

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
"""Error in degrees above which a bone is reported, so that none is 3 degrees off unreported, even between samples."""
FOLLOWED_DEGREES = 2.5
"""Error in degrees within which a recommended number of control points must keep every bone."""
MORE = (1.25, 1.5, 2.0)
"""Factors by which the control points of an example are increased if its bones are far from their keys."""


def fit_canonical(canonical: Canonical, example: Example, control_points: int) -> Curve:
    """Return the curve of the pose columns of one example, over the curves' own time.

    [Rose1998] section 3.1 does not say how its B-splines were fitted. Least squares is used here, on which a single
    frame that is off has little effect.

    Parameters
    ----------
    canonical : the example; the last row of a cycle, which repeats its first, is left out.
    example : supplies the encoding, and the number of control points if it has its own.
    control_points : NumCP for an example that has no number of its own.
    """
    times = np.linspace(0.0, 1.0, len(canonical.values))
    rows = slice(None, -1) if example.cyclic else slice(None)
    count = example.control_points or control_points
    return fit_curve(times[rows], canonical.values[rows, 3:], count, example.cyclic, example.encoding)


def bent_told(channels: Channels, canonical: Canonical, curve: Curve, example: Example) -> str:
    """Report which bones of an example play far from their keys, and how many control points would avoid this.

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
        f"Example '{example.name}' plays bones differently from how they were keyed, since its cycle is closed, its "
        f"feet are held and curves follow it: {listed(named, len(named))}."
    )
    return f"{told} {_more_told(channels, canonical, curve, example, [labels[row] for row in order], order)}"


def _more_told(
    channels: Channels, canonical: Canonical, curve: Curve, example: Example, bones: list[str], rows: list[int]
) -> str:
    """Return a sentence on how many control points would keep bones near their keys, if any number would.

    Up to twice the present number is tried; beyond that, the samples would not show the error.

    Parameters
    ----------
    channels, canonical, curve, example : as in `bent_told`.
    bones : names of the joints that are far from their keys.
    rows : indices of these joints among the rotating joints.
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
            return f"With {count} control points of its own, {them} would stay within {FOLLOWED_DEGREES:g} degrees."
    return f"Even {max(counts, default=curve.control_points)} control points of its own would not be enough."


def _turned_from_keys(channels: Channels, canonical: Canonical, poses: Array) -> Array:
    """Return the largest rotation (R,) in degrees of each joint from its keyed rotation.

    This includes the effects of closing the cycle and of holding the contacts.

    Parameters
    ----------
    channels : meaning of the columns.
    canonical : the example.
    poses : (G + 1, width - 3) pose columns at its samples.
    """
    turns = quat.normalize(rotations_of(channels, np.concatenate([canonical.values[:, :3], poses], axis=-1)))
    return np.degrees(quat.angle_between(turns, canonical.keyed)).max(axis=0)


def fit_errors(channels: Channels, canonical: Canonical, curve: Curve) -> tuple[float, float]:
    """Return the largest errors of a curve: of joint rotations in degrees, and of joint positions in performance units.

    A rotation is taken relative to the joint's parent.
    """
    times = np.linspace(0.0, 1.0, len(canonical.values))
    fitted = np.concatenate([canonical.values[:, :3], curve.sample(times)], axis=-1)
    fitted = with_rotations(channels, fitted, quat.normalize(rotations_of(channels, fitted)))
    distance = np.linalg.norm(world_joints(channels, fitted) - world_joints(channels, canonical.values), axis=-1)
    angles = quat.angle_between(rotations_of(channels, fitted), rotations_of(channels, canonical.values))
    return float(np.degrees(angles.max())), float(distance.max())
