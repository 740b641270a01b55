"""Inverse kinematics of legs: limbs are solved in closed form, other chains by J dq = dx ([Rose1998] eq. 2).

All rotations and positions are in the heading's frame, positions relative to the root.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .alike_legs import LegGroups, LegSolver
from .leg_kinematics import points_of, positions
from .legs import Legs
from .quaternion_products import multiply
from .two_bone_limbs import (
    PosedLimb,
    bend_limb,
    bends_backward,
    eased_lift,
    foot_move,
    pelvis_drop,
    posed_limb,
    straighten_limb,
)
from .vector_components import NO_TURN, NOWHERE, Quaternion, Vector, add, smaller, turned

Array = NDArray[np.float64]
TOLERANCE = 1e-5
"""Error, as a share of the longest step of a chain, below which a point counts as at its target."""
STEPS = 20
"""Maximum number of linear steps."""
AT_REST = 1e-4
"""Largest joint rotation in radians below which iteration stops, since the target is out of reach."""
LARGEST_TURN = 0.5
"""Largest component, in radians, of a joint's rotation vector in one step."""
DAMPING = 0.15
"""Damping of the least squares per unit of distance to the target."""
LEAST_DAMPING = 1e-9
"""Damping at the target, which keeps the system regular."""

_QUATERNION = np.concatenate([np.zeros((3, 1)), 0.5 * np.eye(3)], axis=1)
"""Factor from a small rotation vector to the vector part of its quaternion."""
_SUM = np.ones((4, 4))
_UNIT = np.array([1.0, 0.0, 0.0, 0.0])

FootMove = tuple[Quaternion, Vector]
"""Rotation of a leg's foot, and displacement of the foot's joint."""
LimbTurns = tuple[Quaternion, Quaternion, Quaternion]
"""Rotations of a limb's upper bone, its lower bone and its foot."""
STILL: LimbTurns = (NO_TURN, NO_TURN, NO_TURN)
"""The rotations of a limb that is not changed."""


@dataclass(frozen=True, eq=False)
class PosedLegs:
    """Legs in a pose, group by group: see `LegGroups`.

    Parameters
    ----------
    groups : the groups of the legs.
    rotations : (T, G C, 4) in the heading's frame.
    flat : result of `positions` for these rotations.
    places : positions of each group's joints and points, as vectors.
    limbs : the posed limb of each group, None if its legs are not limbs.
    """

    groups: LegGroups
    rotations: Array
    flat: Array
    places: Sequence[Sequence[Vector]]
    limbs: Sequence[PosedLimb | None]


@dataclass(frozen=True, eq=False)
class PointTargets:
    """Targets of the legs' points, relative to the root, group by group: see `LegGroups`.

    Parameters
    ----------
    targets : (K,) vectors for each group.
    asked : (K,) for each group: 1 for points that have a target, 0 for the others.
    tilts : for each group, the rotation of a foot with a single point about this point; none by default.
    """

    targets: Sequence[Sequence[Vector]]
    asked: Sequence[Sequence[Any]]
    tilts: Sequence[Quaternion] = ()


def foot_moves(posed: PosedLegs, wanted: PointTargets) -> list[FootMove]:
    """Return the rotation and displacement of each group's feet that bring their points to their targets.

    Legs that are not limbs, and feet without a target, are not moved.
    """
    found: list[FootMove] = []
    for index, (limb, asked) in enumerate(zip(posed.limbs, wanted.asked, strict=True)):
        held = sum(asked)
        if limb is None or (isinstance(held, float) and not held):
            found.append((NO_TURN, NOWHERE))
        else:
            found.append(foot_move(limb, wanted.targets[index], asked, *wanted.tilts[index : index + 1]))
    return found


def pelvis_drops(posed: PosedLegs, found: Sequence[FootMove]) -> list[Any]:
    """Return how much the root must sink for the foot moves of each group; see `pelvis_drop`."""
    return [
        0.0 if limb is None or way is NOWHERE else pelvis_drop(limb, way)
        for limb, (_, way) in zip(posed.limbs, found, strict=True)
    ]


def bend_limbs(posed: PosedLegs, found: Sequence[FootMove]) -> Array:
    """Return rotations (T, G C, 4) in the heading's frame with each limb bent and each foot rotated and displaced.

    `found` is the result of `foot_moves`, possibly raised.
    """
    turns = [
        STILL if limb is None or way is NOWHERE else (*bend_limb(limb, way), turn)
        for limb, (turn, way) in zip(posed.limbs, found, strict=True)
    ]
    return _turn_limbs(posed, turns)


def straighten_knees(solver: LegSolver, rotations: Array, steps: Array | None) -> PosedLegs:
    """Return rotations (T, G C, 4) in which knees that bend backwards are straightened, if their hinges are known.

    `steps` is as for `positions`.
    """
    posed = _posed(solver, rotations, steps)
    turns = [(*straighten_limb(limb), NO_TURN) if limb and bends_backward(limb) else STILL for limb in posed.limbs]
    if all(turn is STILL for turn in turns):
        return posed
    return _posed(solver, _turn_limbs(posed, turns), steps)


def _posed(solver: LegSolver, rotations: Array, steps: Array | None) -> PosedLegs:
    """Return legs with rotations (T, G C, 4) in the heading's frame; `steps` is as for `positions`."""
    groups, shape = solver.groups(len(rotations)), (len(rotations), len(solver.limbs), -1)
    flat = positions(solver.legs, rotations, steps)
    places, turns = groups.parted(flat.reshape(*shape, 3)), groups.parted(rotations.reshape(*shape, 4))
    limbs: list[PosedLimb | None] = []
    for group, own, joints in zip(groups.groups, places, turns, strict=True):
        hinge = None if group.hinge is None else turned(joints[group.bearer], group.hinge)
        limbs.append(None if group.limb is None else posed_limb(group.limb, own, hinge))
    return PosedLegs(groups, rotations, flat, places, limbs)


def _turn_limbs(posed: PosedLegs, turns: Sequence[LimbTurns]) -> Array:
    """Return rotations (T, G C, 4) with the bones of limbs rotated by the `turns` of each group."""
    rotations, groups = posed.rotations, posed.groups
    if len(rotations) == 1:
        chosen = np.array([NO_TURN, *chain(*turns)])[groups.roles]
    else:
        stack = np.empty((4, 1 + 3 * sum(group.count for group in groups.groups), len(rotations)))
        stack[:, 0], first = _UNIT[:, None], 1
        for group, own in zip(groups.groups, turns, strict=True):
            for turn in own:
                for component, value in enumerate(turn):
                    stack[component, first : first + group.count] = value
                first += group.count
        chosen = stack[:, groups.roles].T.reshape(-1, 4)
    return multiply(chosen, rotations.reshape(-1, 4)).reshape(rotations.shape)


def raise_feet(found: Sequence[FootMove], lifts: Sequence[Any]) -> list[FootMove]:
    """Return foot moves with the feet of each group raised by `lifts`."""
    return [
        (turn, way if isinstance(lift, float) and not lift else (way[0], way[1], way[2] + lift))
        for (turn, way), lift in zip(found, lifts, strict=True)
    ]


def eased_lifts(posed: PosedLegs, lifts: Sequence[Any]) -> list[Any]:
    """Return how much of `lifts` the free feet of each group are raised; see `eased_lift`.

    Legs with unknown hinges are not eased.
    """
    return [
        eased_lift(limb, lift) if limb and limb.hinge and not (isinstance(lift, float) and not lift) else lift
        for limb, lift in zip(posed.limbs, lifts, strict=True)
    ]


def refine_points(
    solver: LegSolver, rotations: Array, steps: Array | None, wanted: PointTargets, sunk: Sequence[Any]
) -> Array:
    """Bring points to targets that `bend_limbs` cannot meet, by J dq = dx; return rotations (T, G C, 4).

    These are the points of legs that are not limbs, and of feet in several parts with more than one target.

    Parameters
    ----------
    solver : solver of the legs.
    rotations : (T, G C, 4) in the heading's frame.
    steps : as for `positions`.
    wanted : targets of the points.
    sunk : for each group, how much higher than the targets the points are brought, because the root will sink.
    """
    if solver.exact:
        return rotations
    count, most = solver.legs.members.shape
    asked = np.zeros((most, 3, count, len(rotations)))
    targets = np.zeros_like(asked)
    for index, group in enumerate(solver.groups(len(rotations)).groups):
        own, limb = wanted.asked[index], group.limb
        if limb is not None and limb.rigid:
            continue
        several = smaller(sum(own) - 1.0, 1.0) if limb else 1.0
        for slot in range(group.points):
            asked[slot, :, group.legs] = several * own[slot]
            for axis, value in enumerate(add(wanted.targets[index][slot], (0.0, 0.0, sunk[index]))):
                targets[slot, axis, group.legs] = value
    if not asked.any():
        return rotations
    asked, targets = (
        values.transpose(3, 2, 0, 1).reshape(len(rotations), count, -1) for values in (np.maximum(asked, 0.0), targets)
    )
    return reach_points(solver.legs, rotations, steps, targets, asked)


def reach_points(legs: Legs, rotations: Array, steps: Array | None, targets: Array, asked: Array) -> Array:
    """Rotate joints as little as possible to bring points to targets: J dq = dx ([Rose1998] eq. 2), iterated.

    All points of a leg are solved together, by damped least squares. The damping grows with the remaining distance: it
    vanishes for reachable targets. For others it is about as large as the leg's curvature requires, so that a stretched
    leg comes to rest instead of swinging. Rows are dropped as soon as they are solved.

    Parameters
    ----------
    legs : Legs
    rotations : (T, G C, 4) in the heading's frame.
    steps : as for `positions`.
    targets : (T, G, 3 K) relative to the root.
    asked : (T, G, 3 K) 1 for points that have a target, 0 for the others.

    Returns
    -------
    (T, G C, 4) in the heading's frame.
    """
    solved = rotations.copy()
    rows = np.arange(len(rotations))
    moved, size = np.ones(len(rotations)), float(np.abs(legs.steps).max(initial=0.0))
    for _ in range(STEPS if size > 0.0 else 0):
        places = positions(legs, rotations, steps)
        error = (targets - points_of(legs, places)) * asked
        going = (np.abs(error).reshape(len(rows), -1).max(axis=1) > TOLERANCE * size) & (moved > AT_REST)
        if not going.all():
            rows, error, places, rotations = rows[going], error[going], places[going], rotations[going]
            targets, asked = targets[going], asked[going]
            steps = None if steps is None else steps[going]
            if not len(rows):
                break
        turns = _jacobian_step(legs, places, error, asked, size)
        rotations = _turn_joints(turns, rotations)
        solved[rows] = rotations
        moved = np.abs(turns).reshape(len(rows), -1).max(axis=1)
    return solved


def _turn_joints(turns: Array, rotations: Array) -> Array:
    """Return rotations (T, G C, 4) rotated by rotation vectors (T, G, C, 3), both in the heading's frame."""
    made = multiply(turns.reshape(-1, 3).dot(_QUATERNION) + _UNIT, rotations.reshape(-1, 4))
    made /= np.sqrt((made * made).dot(_SUM))
    return made.reshape(rotations.shape)


def _jacobian_step(legs: Legs, places: Array, error: Array, asked: Array, longest: float) -> Array:
    """Return rotation vectors (T, G, C, 3), in the heading's frame, that move points by about `error` (T, G, 3 K).

    The rotation of a joint includes those of the joints above it. The damping grows with the `longest` step of a leg,
    so that figures of any size behave the same.
    """
    count, length = legs.turning.shape
    jacobian = places.dot(legs.jacobian).reshape(len(places), count, 3 * length, -1)
    if error.shape[-1] > 3:
        jacobian = jacobian * asked[:, :, None]
    size = error.shape[-1]
    missing = np.sqrt((error * error).dot(np.ones(size)))[..., None, None]
    system = jacobian.swapaxes(-1, -2) @ jacobian + (DAMPING * missing + LEAST_DAMPING * longest) * longest * np.eye(
        size
    )
    solution = np.asarray(np.linalg.solve(system, error[..., None]), dtype=np.float64)
    turns: Array = np.matmul(jacobian, solution).reshape(len(places), count, length, 3)
    turns /= np.maximum(np.abs(turns).max(axis=(-1, -2), keepdims=True) / LARGEST_TURN, 1.0)
    return turns.cumsum(axis=2)
