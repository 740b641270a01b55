"""Inverse kinematics of any chain of joints by J dq = dx, and of a thigh and a shank in closed form.

Legs that are locked while something plays have code of their own, in `leg_inverse_kinematics`.
"""

import numpy as np
from numpy.typing import NDArray

from . import quaternion as quat
from .channels import Channels, all_locations, all_rotations, rotations_of, with_rotations, world_points
from .skeleton import forward_kinematics, point_positions

Array = NDArray[np.float64]

LARGEST_TURN = 0.5
"""Radians that a joint turns by at most in one linear step."""


def chain_columns(channels: Channels, joint: int, offset: Array) -> NDArray[np.intp]:
    """Return which of the rotating joints are turned to move the point at `offset` (3,) from `joint`.

    These are the joints above it but the root. The joint that carries the point keeps its own rotation, so that a foot
    stays as flat as it was. It is turned only where no other joint lies between it and the root, and only for a point
    off its origin, since it moves no other.
    """
    chain = channels.skeleton.chain(joint)
    columns = _columns(channels, chain[1:])
    return columns if len(columns) or not np.any(offset) else _columns(channels, chain[:1])


def _columns(channels: Channels, joints: tuple[int, ...]) -> NDArray[np.intp]:
    """Return the places, among the rotating joints, of those `joints` that rotate, without the root."""
    return np.array([c for c, j in enumerate(channels.rotating) if int(j) in joints and j != 0], dtype=np.intp)


def reach(
    channels: Channels,
    values: Array,
    joint: int,
    offset: Array,
    targets: Array,
    tolerance: float = 1e-5,
    damping: float = 1e-3,
    iterations: int = 30,
) -> Array:
    """Turn the joints above `joint` a little, or itself where there are none, so that its point is at `targets`.

    J dq = dx ([Rose1998] eq. 2), solved by damped least squares in every frame at once and repeated, since the paper's
    single linear step leaves an error of second order. A point that the travelling set carries is moved with its
    control instead, and no joint is turned.

    Parameters
    ----------
    channels : Channels
    values : (T, width) the motion, travel included.
    joint, offset : the point: (3,) in the joint's frame.
    targets : (T, 3) in performance space.
    tolerance : a frame is done as soon as no coordinate is farther off than this, performance units.
    damping : of the least squares, relative to the squared length of the chain.
    iterations : largest number of linear steps.

    Returns
    -------
    (T, width)
    """
    control = channels.traveller_of(joint)
    if control is not None:
        return moved(channels, values, control, targets - world_points(channels, values, joint, offset))
    columns = chain_columns(channels, joint, offset)
    if not len(columns):
        return values
    chain = channels.skeleton.chain(joint)[::-1]
    skeleton = channels.skeleton.part(chain)
    joints = np.searchsorted(chain, channels.rotating[columns])
    rotations = all_rotations(channels, values)[:, chain]
    locations = all_locations(channels, values)[:, chain]
    frames = np.arange(len(values))
    for _ in range(iterations):
        positions, orientations = forward_kinematics(skeleton, rotations[frames], locations[frames])
        point = point_positions(positions, orientations, -1, offset)
        error = targets[frames] - point
        off = np.abs(error).max(axis=1) >= tolerance
        if not off.any():
            break
        frames, point, error = frames[off], point[off], error[off]
        turns = damped_turns(point[:, None] - positions[off][:, joints], error, damping)
        above = quat.multiply(orientations[off][:, skeleton.parents[joints]], skeleton.rests[joints])
        local = quat.rotate(quat.conjugate(above), turns)
        turned = quat.multiply(quat.exp(local), rotations[frames[:, None], joints])
        rotations[frames[:, None], joints] = quat.normalize(turned)
    solved = rotations_of(channels, values).copy()
    solved[:, columns] = rotations[:, joints]
    return with_rotations(channels, values, solved)


def moved(channels: Channels, values: Array, control: int, displacements: Array) -> Array:
    """Return rows (T, width) with a travelling control moved by `displacements` (T, 3) in performance space."""
    changed = values.copy()
    back = quat.from_yaw(-values[:, 2])
    changed[:, channels.travelling_places[control]] += quat.rotate(back, displacements)
    return changed


def damped_turns(arms: Array, error: Array, damping: float) -> Array:
    """Return rotation vectors (T, C, 3) of C joints that move a point by about `error` (T, 3).

    Parameters
    ----------
    arms : (T, C, 3) from each joint to the point.
    error : (T, 3) by which the point should move.
    damping : relative to the squared length of the arms.

    Notes
    -----
    No joint turns by more than half a radian: beyond that the linear step says nothing, and a target out of reach would
    throw the chain about.
    """
    x, y, z = arms[..., 0], arms[..., 1], arms[..., 2]
    zero = np.zeros_like(x)
    jacobian = np.stack(
        [np.stack([zero, z, -y], axis=-1), np.stack([-z, zero, x], axis=-1), np.stack([y, -x, zero], axis=-1)], axis=1
    ).reshape(len(arms), 3, -1)
    square: Array = np.matmul(jacobian, jacobian.transpose(0, 2, 1))
    floor: Array = damping * np.trace(square, axis1=1, axis2=2) + 1e-12
    system = square + floor[:, None, None] * np.eye(3)
    solution = np.asarray(np.linalg.solve(system, error[..., None]), dtype=np.float64)
    turns = np.matmul(jacobian.transpose(0, 2, 1), solution).reshape(len(arms), -1, 3)
    largest = np.linalg.norm(turns, axis=-1).max(axis=1, initial=0.0)
    return turns * np.minimum(1.0, LARGEST_TURN / np.maximum(largest, LARGEST_TURN))[:, None, None]


def middle_joint(start: Array, end: Array, upper: float, lower: float, bend: Array) -> Array:
    """Return where (T, 3) the knee is when hip and ankle are given, by the law of cosines.

    An ankle out of reach counts as if the stretched limb ended there.

    Parameters
    ----------
    start, end : (T, 3) hip and ankle.
    upper, lower : lengths of the two bones.
    bend : (T, 3) direction to which the knee bends, not along the limb.
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
    """Return the orientation (T, 4) of a bone: Y from `head` to `tail`, X as near as can be to `hinge`, all (T, 3)."""
    along = tail - head
    y = along / np.linalg.norm(along, axis=-1, keepdims=True)
    x = hinge - np.sum(hinge * y, axis=-1, keepdims=True) * y
    x /= np.linalg.norm(x, axis=-1, keepdims=True)
    return quat.from_matrix(np.stack([x, y, np.cross(x, y)], axis=-1))
