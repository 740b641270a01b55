"""Inverse kinematics of arbitrary joint chains by J dq = dx, and of a thigh and a shank in closed form.

Legs that are locked during playback have their own code in `leg_inverse_kinematics`.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from . import quaternion as quat
from .channels import (
    ROOT_LOCATION,
    Channels,
    all_locations,
    all_rotations,
    rotations_of,
    with_rotations,
    world_points,
)
from .joint_limits import JointLimits
from .lock_point import LockPoint
from .skeleton import forward_kinematics, point_positions

Array = NDArray[np.float64]

DAMPING = 1e-3
"""Damping of the least squares, relative to the squared length of the chains."""
LARGEST_TURN = 0.5
"""Maximum rotation of a joint in radians in one linear step."""
CUT = 1e-7
"""Rotation in radians lost to a limit above which the other joints compensate for it."""


def chain_columns(channels: Channels, joint: int, offset: Array) -> NDArray[np.intp]:
    """Return which of the rotating joints move the point at `offset` (3,) from `joint`.

    These are the joints above it except the root. The joint that carries the point keeps its own rotation, so that a
    foot stays as flat as it was. It rotates only if there is no other joint between it and the root, and only for a
    point off its origin, since its rotation does not move the origin.
    """
    chain = channels.skeleton.chain(joint)
    columns = _columns(channels, chain[1:])
    return columns if len(columns) or not np.any(offset) else _columns(channels, chain[:1])


def _columns(channels: Channels, joints: tuple[int, ...]) -> NDArray[np.intp]:
    """Return the indices, among the rotating joints, of the `joints` that rotate, without the root."""
    return np.array([c for c, j in enumerate(channels.rotating) if int(j) in joints and j != 0], dtype=np.intp)


def reach(
    channels: Channels,
    values: Array,
    points: Sequence[LockPoint],
    targets: Array,
    root: float = 0.0,
    tolerance: float = 1e-5,
    iterations: int = 30,
    limits: JointLimits | None = None,
) -> Array:
    """Move points to targets by rotating the joints above them, or if there are none, the joints that carry them.

    J dq = dx ([Rose1998] eq. 2), solved by damped least squares in every frame at once and iterated, since the paper's
    single linear step leaves an error of second order. All points are solved together, since joints above more than one
    of them, such as a pelvis below the root, would undo earlier corrections. A point that the travelling set carries is
    moved with its control instead, and no joint is rotated.

    Parameters
    ----------
    channels : Channels
    values : (T, width) the motion, including travel.
    points : P points.
    targets : (P, T, 3) in performance space.
    root : how readily the root moves along, where 1 is how readily joints rotate; 0 leaves it where it is. Rotations
        hardly lengthen a leg that is already stretched, so a slight move of the root saves large ones.
    tolerance : a frame is done as soon as no coordinate is farther off than this, performance units.
    iterations : largest number of linear steps.
    limits : limits of all joints of the skeleton, which no rotating joint exceeds; a joint that already exceeds its
        limits goes no farther. None if there are no limits.

    Returns
    -------
    (T, width)
    """
    hanging = [place for place, point in enumerate(points) if channels.traveller_of(point.joint) is None]
    for place, point in enumerate(points):
        control = channels.traveller_of(point.joint)
        if control is not None:
            there = world_points(channels, values, point.joint, point.offset)
            values = moved(channels, values, control, targets[place] - there)
    above = {place: chain_columns(channels, points[place].joint, points[place].offset) for place in hanging}
    wanted = [place for place in hanging if len(above[place])]
    if not wanted:
        return values
    columns = np.unique(np.concatenate([above[place] for place in wanted]))
    turning = np.array([np.isin(columns, above[place]) for place in wanted])
    return _reached(
        channels,
        values,
        [points[place] for place in wanted],
        targets[wanted],
        columns,
        turning,
        (root, tolerance, iterations),
        limits,
    )


def _reached(
    channels: Channels,
    values: Array,
    points: Sequence[LockPoint],
    targets: Array,
    columns: NDArray[np.intp],
    turning: NDArray[np.bool_],
    how: tuple[float, float, int],
    limits: JointLimits | None,
) -> Array:
    """Return rows (T, width) with `points` on their `targets` (P, T, 3); see `reach`.

    Parameters
    ----------
    columns : (C,) indices, among the rotating joints, of those that turn.
    turning : (P, C) whether each of these joints moves each point.
    how : root, tolerance and iterations of `reach`.
    limits : as for `reach`.
    """
    root, tolerance, iterations = how
    needed = tuple(sorted({joint for point in points for joint in channels.skeleton.chain(point.joint)}))
    skeleton = channels.skeleton.part(needed)
    joints = np.searchsorted(needed, channels.rotating[columns])
    places = np.searchsorted(needed, [point.joint for point in points])
    rotations = all_rotations(channels, values)[:, needed]
    locations = all_locations(channels, values)[:, needed]
    before = locations[:, 0].copy()
    own, bounds = rotations[:, joints], None if limits is None else limits.part(channels.rotating[columns])
    frames = np.arange(len(values))
    for _ in range(iterations):
        positions, orientations = forward_kinematics(skeleton, rotations[frames], locations[frames])
        there = np.stack(
            [point_positions(positions, orientations, j, p.offset) for j, p in zip(places, points, strict=True)], axis=1
        )
        error = np.swapaxes(targets[:, frames], 0, 1) - there
        off = np.abs(error).max(axis=(1, 2)) >= tolerance
        if not off.any():
            break
        frames, there, error = frames[off], there[off], error[off]
        arms = (there[:, :, None] - positions[off][:, None, joints]) * turning[..., None]
        above = quat.multiply(orientations[off][:, skeleton.parents[joints]], skeleton.rests[joints])
        now = rotations[frames[:, None], joints]
        if bounds is None:
            turns, shift = damped_turns(arms, error, DAMPING, root)
            turned = quat.multiply(quat.exp(quat.rotate(quat.conjugate(above), turns)), now)
        else:
            turned, shift = _bounded(arms, error, above, now, (bounds, own[frames]), root)
        rotations[frames[:, None], joints] = quat.normalize(turned)
        locations[frames, 0] += shift
    solved = rotations_of(channels, values).copy()
    solved[:, columns] = rotations[:, joints]
    result = with_rotations(channels, values, solved)
    result[:, ROOT_LOCATION] += quat.rotate(quat.from_yaw(-values[:, 2]), locations[:, 0] - before)
    return result


def _bounded(
    arms: Array, error: Array, above: Array, now: Array, within: tuple[JointLimits, Array], root: float
) -> tuple[Array, Array]:
    """Return rotations (T, C, 4) from rest after one linear step, within limits, and the shift (T, 3) of the figure.

    Joints that reach a limit stay there, and the step is solved again for the other joints with the remaining error,
    until no other joint reaches a limit.

    Parameters
    ----------
    arms, error, root : as for `damped_turns`.
    above : (T, C, 4) orientations in which the joints are at rest.
    now : (T, C, 4) rotations before the step.
    within : limits of the C joints, and their rotations (T, C, 4) in the original motion.
    """
    limits, own = within
    back, stuck = quat.conjugate(above), np.zeros(now.shape[:2], dtype=np.bool_)
    made, left, shift = now, error, np.zeros((len(now), 3))
    for _ in range(now.shape[1]):
        turns, shift = damped_turns(arms * ~stuck[:, None, :, None], left, DAMPING, root)
        wanted = quat.multiply(quat.exp(quat.rotate(back, turns)), now)
        made = np.where(stuck[..., None], made, limits.nearest(wanted, own))
        cut = ~stuck & (quat.angle_between(wanted, made) > CUT)
        if not cut.any():
            break
        stuck |= cut
        kept = quat.rotate(above, quat.log(quat.multiply(made, quat.conjugate(now)))) * stuck[..., None]
        left = error - np.cross(kept[:, None], arms).sum(axis=2)
    return made, shift


def moved(channels: Channels, values: Array, control: int, displacements: Array) -> Array:
    """Return rows (T, width) with a travelling control moved by `displacements` (T, 3) in performance space."""
    changed = values.copy()
    back = quat.from_yaw(-values[:, 2])
    changed[:, channels.travelling_places[control]] += quat.rotate(back, displacements)
    return changed


def damped_turns(arms: Array, error: Array, damping: float, root: float = 0.0) -> tuple[Array, Array]:
    """Return rotation vectors (T, C, 3) of C joints, and a shift (T, 3) of the figure, that move P points by `error`.

    Parameters
    ----------
    arms : (T, P, C, 3) vectors from each joint to each point, 0 if the joint does not move the point.
    error : (T, P, 3) desired displacements of the points.
    damping : relative to the squared length of the arms of one point.
    root : weight of the shift relative to the rotations; see `reach`.

    Notes
    -----
    No joint rotates by more than half a radian: beyond that the linearisation is invalid, and an unreachable target
    would make the chain swing wildly.
    """
    frames, points, joints, _ = arms.shape
    x, y, z = arms[..., 0], arms[..., 1], arms[..., 2]
    zero = np.zeros_like(x)
    jacobian = np.stack(
        [np.stack([zero, z, -y], axis=-1), np.stack([-z, zero, x], axis=-1), np.stack([y, -x, zero], axis=-1)], axis=2
    ).reshape(frames, 3 * points, -1)
    square: Array = np.matmul(jacobian, jacobian.transpose(0, 2, 1))
    size = np.trace(square, axis1=1, axis2=2) / points
    lever = root * np.sqrt(np.square(arms).sum(axis=(1, 2, 3)) / np.maximum(np.any(arms, axis=-1).sum(axis=(1, 2)), 1))
    square += np.square(lever)[:, None, None] * np.tile(np.eye(3), (points, points))
    system = square + (damping * size + 1e-12)[:, None, None] * np.eye(3 * points)
    solution = np.asarray(np.linalg.solve(system, error.reshape(frames, -1, 1)), dtype=np.float64)
    turns = np.matmul(jacobian.transpose(0, 2, 1), solution).reshape(frames, joints, 3)
    shift = np.square(lever)[:, None] * solution.reshape(frames, points, 3).sum(axis=1)
    largest = np.linalg.norm(turns, axis=-1).max(axis=1, initial=0.0)
    share = np.minimum(1.0, LARGEST_TURN / np.maximum(largest, LARGEST_TURN))
    return turns * share[:, None, None], shift * share[:, None]


def middle_joint(start: Array, end: Array, upper: float, lower: float, bend: Array) -> Array:
    """Return the position (T, 3) of the knee from hip and ankle by the law of cosines.

    If the ankle is out of reach, the limb is straight.

    Parameters
    ----------
    start, end : (T, 3) hip and ankle.
    upper, lower : lengths of the two bones.
    bend : (T, 3) direction in which the knee bends, not along the limb.
    """
    span = end - start
    distance = np.linalg.norm(span, axis=-1, keepdims=True)
    along = span / distance
    distance = np.clip(distance, abs(upper - lower), upper + lower)
    forward = (upper**2 - lower**2 + distance**2) / (2.0 * distance)
    side = bend - np.sum(bend * along, axis=-1, keepdims=True) * along
    side /= np.linalg.norm(side, axis=-1, keepdims=True)
    return start + forward * along + np.sqrt(np.maximum(upper**2 - forward**2, 0.0)) * side


def bone_orientation(head: Array, tail: Array, hinge: Array) -> Array:
    """Return the orientation (T, 4) of a bone: Y from `head` to `tail`, X nearest to `hinge`, all (T, 3)."""
    along = tail - head
    y = along / np.linalg.norm(along, axis=-1, keepdims=True)
    x = hinge - np.sum(hinge * y, axis=-1, keepdims=True) * y
    x /= np.linalg.norm(x, axis=-1, keepdims=True)
    return quat.from_matrix(np.stack([x, y, np.cross(x, y)], axis=-1))
