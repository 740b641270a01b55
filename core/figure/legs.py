"""Legs: the chains of joints that carry contact points, prepared once so that a frame takes a few matrix products."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from . import quaternion as quat
from .channels import FIRST_ROTATION, Channels
from .lock_point import LockPoint
from .quaternion_products import CROSS, ROTATION, left_matrix
from .skeleton import Skeleton

Array = NDArray[np.float64]
Indices = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Legs:
    """G legs, each a chain of C rotating joints from the root to the last joint that moves one of the leg's K points.

    Shorter chains are padded behind the root with joints that do nothing, and legs of fewer points with points that
    never have a target. Joints that do not rotate are folded into constants. A joint's *chain rotation* is its rotation
    relative to the previous joint in the chain (for the root: in the heading's frame). In flat arrays legs come first,
    then joints or steps, then components. A *step* is the vector from the previous joint to a joint, or from a joint to
    a point that it carries.

    Parameters
    ----------
    members : (G, K) index of each point, -1 where there is none.
    turning : (G, C) whether a joint may rotate: not the root, nor a joint that carries several legs.
    inputs : (M,) columns of a row that determine the chain rotations.
    to_chains, constant : (M, G C 4) and (G C 4,): the values in `inputs` times `to_chains`, plus `constant`, are the
        chain rotations.
    from_chains : (G C 4, N): chain rotations times this are the values in `columns`.
    columns : (N,) columns of a row that the chain rotations determine.
    steps : (G (C + K), 3) in the frame of the joint that carries the step, performance units.
    steps_by_scalar : (S, G (C + K) 3) change of the steps by locations among the scalars; empty if there is none.
    carriers : (G (C + K),) index, among the G C joints, of the joint that carries each step.
    sums : (G (C + K) 3, G (C + K) 3) from steps in the heading's frame to positions relative to the root.
    reach : (G C 16, G (C + K) 3) from the products of the components of the joints' rotations in the heading's frame to
        positions relative to the root, if no scalar changes a step.
    jacobian : (G (C + K) 3, G C 3 K 3) from positions to the derivative of each point's position by the rotation of
        each joint about each axis.
    """

    members: Indices
    turning: NDArray[np.bool_]
    inputs: Indices
    to_chains: Array
    constant: Array
    from_chains: Array
    columns: Indices
    steps: Array
    steps_by_scalar: Array
    carriers: Indices
    sums: Array
    reach: Array
    jacobian: Array

    def place(self, point: int) -> tuple[int, int]:
        """Return the leg of the point with this index, and the index of the point within that leg."""
        leg, slot = np.argwhere(self.members == point)[0]
        return int(leg), int(slot)


@dataclass(frozen=True, eq=False)
class _Chain:
    """The chain of one leg: which of its joints rotate, and the constants between them.

    Parameters
    ----------
    points : indices of the points that the chain carries.
    joints : (C,) rotating joints, the root first.
    columns : (C,) indices of these joints among the channels' rotations.
    before : (C, 4) constant rotation between the joint before and each joint.
    steps : (C, 3) step from the joint before to each joint.
    moved : (S, C, 3) change of these steps by each scalar.
    carriers : (K,) index in the chain of the joint that carries each point.
    arms : (K, 3) step from that joint to each point.
    arms_moved : (S, K, 3) change of these steps by each scalar.
    """

    points: list[int]
    joints: list[int]
    columns: list[int]
    before: list[Array]
    steps: list[Array]
    moved: list[Array]
    carriers: list[int]
    arms: list[Array]
    arms_moved: list[Array]


def make_legs(channels: Channels, points: Sequence[LockPoint]) -> Legs:
    """Group `points` into legs by `leg_groups`, and prepare the chains that carry them."""
    groups = leg_groups(channels, points)
    chains = [_chain_of(channels, points, group) for group in groups]
    turned = [_turning_joints(chain, [c for c in chains if c is not chain]) for chain in chains]
    length = max((len(c.joints) for c in chains), default=1)
    most = max((len(c.points) for c in chains), default=1)
    count, scalars, stride = len(chains), len(channels.scalars), length + most
    members = np.full((count, most), -1, dtype=np.intp)
    turning = np.zeros((count, length), dtype=np.bool_)
    to_chains, constant = np.zeros((channels.width, count, length, 4)), np.tile(quat.IDENTITY, (count, length, 1))
    steps, by_scalar = np.zeros((count, stride, 3)), np.zeros((scalars, count, stride, 3))
    carriers = np.zeros((count, stride), dtype=np.intp)
    turned_joints: list[tuple[int, int, int, Array]] = []
    for leg, chain in enumerate(chains):
        pad = length - len(chain.joints)
        places = [0, *range(1 + pad, length)]
        carriers[leg, 1:length] = leg * length + np.arange(length - 1)
        for index, place in enumerate(places):
            column = FIRST_ROTATION + 4 * chain.columns[index]
            to_chains[column : column + 4, leg, place] = left_matrix(chain.before[index]).T
            constant[leg, place] = 0.0
            turning[leg, place] = chain.joints[index] in turned[leg]
            steps[leg, place], by_scalar[:, leg, place] = chain.steps[index], chain.moved[index]
            if turning[leg, place]:
                turned_joints.append((leg, place, column, left_matrix(quat.conjugate(chain.before[index])).T))
        members[leg, : len(chain.points)] = chain.points
        for slot, carrier in enumerate(chain.carriers):
            carriers[leg, length + slot] = leg * length + places[carrier]
            steps[leg, length + slot] = chain.arms[slot]
            by_scalar[:, leg, length + slot] = chain.arms_moved[slot]
    from_chains, columns = _from_chains(turned_joints, count, length)
    sums, inputs = _sums_of_steps(carriers, length), np.flatnonzero(to_chains.any(axis=(1, 2, 3)))
    flat = by_scalar.reshape(scalars, steps.size)
    return Legs(
        members=members,
        turning=turning,
        inputs=inputs,
        to_chains=to_chains[inputs].reshape(len(inputs), -1),
        constant=constant.reshape(-1),
        from_chains=from_chains,
        columns=columns,
        steps=steps.reshape(-1, 3),
        steps_by_scalar=flat if flat.any() else flat[:0],
        carriers=carriers.reshape(-1),
        sums=sums,
        reach=_steps_by_products(steps.reshape(-1, 3), carriers.reshape(-1), count * length) @ sums,
        jacobian=_jacobian(turning, carriers, members),
    )


@lru_cache(maxsize=16)
def legs_for(channels: Channels, points: tuple[LockPoint, ...]) -> Legs:
    """Return the result of `make_legs`, cached for the same channels and points."""
    return make_legs(channels, points)


def leg_groups(channels: Channels, points: Sequence[LockPoint]) -> list[list[int]]:
    """Return the indices of the points of each leg.

    Two points belong to the same leg if a joint that carries one lies on the chain of the other, unless it is the root.
    """
    chains = [channels.skeleton.chain(p.joint) for p in points]
    groups: list[list[int]] = []
    for point in sorted(range(len(points)), key=lambda p: -len(chains[p])):
        joint = points[point].joint
        home = next((g for g in groups if joint in chains[g[0]] and joint != 0), None)
        if home is None:
            groups.append([point])
        else:
            home.append(point)
    return groups


def limbs(points: Sequence[LockPoint], skeleton: Skeleton) -> list[list[int]]:
    """Return the indices of `points` grouped by limb: the joint of one point of a limb carries that of another."""
    found: list[list[int]] = []
    for index, point in enumerate(points):
        own = _joints_above(point.joint, skeleton)
        for limb in found:
            other = points[limb[0]].joint
            if other in own or point.joint in _joints_above(other, skeleton):
                limb.append(index)
                break
        else:
            found.append([index])
    return found


def _joints_above(joint: int, skeleton: Skeleton) -> set[int]:
    """Return the joints from `joint` up, without the root."""
    return set(skeleton.chain(joint)) - {0}


def _chain_of(channels: Channels, points: Sequence[LockPoint], group: list[int]) -> _Chain:
    """Return the chain from the root to the last joint that moves one of the points in `group`."""
    skeleton = channels.skeleton
    column_of = {int(joint): column for column, joint in enumerate(channels.rotating)}
    none = np.zeros((len(channels.scalars), 3))
    chain = _Chain([], [0], [0], [quat.IDENTITY], [np.zeros(3)], [none], [], [], [])
    path = skeleton.chain(points[group[0]].joint)[::-1]
    turn, step, moved = quat.IDENTITY, np.zeros(3), none
    for joint in path:
        if joint != 0:
            step = step + quat.rotate(turn, skeleton.offsets[joint])
            turn = quat.multiply(turn, skeleton.rests[joint])
            moved = moved + _scalar_steps(channels, joint, turn)
        here = [p for p in group if points[p].joint == joint]
        ends = [p for p in here if not points[p].offset.any()]
        _attach_points(chain, ends, [step for _ in ends], moved)
        if len(ends) == len(here) and joint == path[-1]:
            break
        if joint in column_of and joint != 0:
            for known, new in zip(
                (chain.joints, chain.columns, chain.before, chain.steps, chain.moved),
                (joint, column_of[joint], turn, step, moved),
                strict=True,
            ):
                known.append(new)  # type: ignore[arg-type]
            turn, step, moved = quat.IDENTITY, np.zeros(3), none
        elif joint != 0:
            turn = quat.multiply(turn, channels.static[joint])
        others = [p for p in here if points[p].offset.any()]
        _attach_points(chain, others, [step + quat.rotate(turn, points[p].offset) for p in others], moved)
    return chain


def _attach_points(chain: _Chain, chosen: list[int], arms: list[Array], moved: Array) -> None:
    """Attach points to the last joint of a chain so far, at offsets `arms`."""
    for point, arm in zip(chosen, arms, strict=True):
        chain.points.append(point)
        chain.carriers.append(len(chain.joints) - 1)
        chain.arms.append(arm)
        chain.arms_moved.append(moved)


def _scalar_steps(channels: Channels, joint: int, turn: Array) -> Array:
    """Return the displacement (S, 3) of `joint` by each scalar; its rest frame is rotated by `turn` (4,)."""
    axes = quat.to_matrix(turn).T
    rows = [axes[s.axis] if s.kind == "location" and s.joint == joint else np.zeros(3) for s in channels.scalars]
    return np.array(rows).reshape(-1, 3)


def _turning_joints(chain: _Chain, others: list[_Chain]) -> set[int]:
    """Return the joints of a chain that may rotate: rotating ones that no other leg shares, without the root."""
    return set(chain.joints[1:]) - {joint for other in others for joint in other.joints}


def _from_chains(turned_joints: list[tuple[int, int, int, Array]], count: int, length: int) -> tuple[Array, Indices]:
    """Return the matrix (G C 4, N) from chain rotations to columns of values, and these columns (N,)."""
    matrix = np.zeros((count, length, 4, len(turned_joints), 4))
    columns = np.zeros((len(turned_joints), 4), dtype=np.intp)
    for index, (leg, place, column, turn) in enumerate(turned_joints):
        matrix[leg, place, :, index] = turn
        columns[index] = np.arange(column, column + 4)
    return matrix.reshape(count * length * 4, -1), columns.reshape(-1)


def _sums_of_steps(carriers: Indices, length: int) -> Array:
    """Return the matrix from steps to positions: the position of a joint or point is the sum of the steps to it."""
    count, stride = carriers.shape
    hangs = np.zeros((count, stride, count, stride))
    for leg in range(count):
        for step in range(stride):
            first = carriers[leg, step] - leg * length if step else 0
            hangs[leg, 1 : first + 1, leg, step] = 1.0
            hangs[leg, step, leg, step] = 1.0
    return np.kron(hangs.reshape(count * stride, -1), np.eye(3))


def _steps_by_products(steps: Array, carriers: Indices, joints: int) -> Array:
    """Return the matrix (joints 16, steps 3) from products of quaternion components to steps in the heading's frame."""
    steps_by_products = np.zeros((joints, 16, len(steps), 3))
    rotations = ROTATION.reshape(16, 3, 3)
    for index, (step, carrier) in enumerate(zip(steps, carriers, strict=True)):
        steps_by_products[carrier, :, index] = rotations @ step
    return steps_by_products.reshape(joints * 16, -1)


def _jacobian(turning: NDArray[np.bool_], carriers: Indices, members: Indices) -> Array:
    """Return the matrix from positions to Jacobians, as described in `Legs.jacobian` ([Rose1998] eq. 2)."""
    (count, length), most = turning.shape, members.shape[1]
    matrix = np.zeros((count, length + most, 3, count, length, 3, most, 3))
    for leg in range(count):
        for joint in np.flatnonzero(turning[leg]):
            for slot in np.flatnonzero(members[leg] >= 0):
                if joint <= carriers[leg, length + slot] - leg * length:
                    matrix[leg, length + slot, :, leg, joint, :, slot] += CROSS
                    matrix[leg, joint, :, leg, joint, :, slot] -= CROSS
    return matrix.reshape(count * (length + most) * 3, -1)
