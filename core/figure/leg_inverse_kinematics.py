"""Inverse kinematics of legs: limbs bend in closed form, other chains turn by J dq = dx ([Rose1998] eq. 2).

All rotations and positions are in the heading's frame, positions relative to the root.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .knee_hinges import ExamplePoses, knee_hinges
from .leg_kinematics import points_of, positions
from .legs import Legs
from .quaternion_products import multiply
from .two_bone_limbs import (
    Limb,
    bend_limb,
    bends_backward,
    eased_lift,
    foot_move,
    limbs_of,
    pelvis_drop,
    straighten_limb,
)
from .vector_components import NO_TURN, NOWHERE, Quaternion, Vector, add, smaller, turned

Array = NDArray[np.float64]
TOLERANCE = 1e-5
"""Error, as a share of the longest step of a chain, below which a point counts as being at its target."""
STEPS = 20
"""Largest number of linear steps."""
AT_REST = 1e-4
"""A step that turns no joint by more than this (radians) is the last: the target is then out of reach."""
LARGEST_TURN = 0.5
"""Largest component, in radians, of the rotation vector by which a joint turns in one step."""
DAMPING = 0.15
"""Damping of the least squares for each unit of distance to the target."""
LEAST_DAMPING = 1e-9
"""Damping at the target, so that the system stays regular."""

_QUATERNION = np.concatenate([np.zeros((3, 1)), 0.5 * np.eye(3)], axis=1)
"""From a small rotation vector to the vector part of its quaternion."""
_SUM = np.ones((4, 4))
_UNIT = np.array([1.0, 0.0, 0.0, 0.0])

FootMove = tuple[Quaternion, Vector]
"""Rotation of a leg's foot, and displacement of the foot's joint."""


@dataclass(frozen=True, eq=False)
class LegSolver:
    """Legs, and how each of them is brought to its targets.

    Parameters
    ----------
    legs : Legs
    limbs : (G,) the limb of each leg, None where a leg is no limb.
    roles : (G C,) index of the rotation that each joint takes: 0 for none, or three times the leg's index and 1, 2 or 3
        for its upper bone, lower bone or foot.
    exact : whether `bend_limbs` alone brings all points to targets that are within reach.
    hinges : (G,) axis about which each knee bends, in the frame of the bone above it; None where it is not known.
    bearers : (G,) index, among the G C joints, of the joint in whose frame that is.
    """

    legs: Legs
    limbs: Sequence[Limb | None]
    roles: NDArray[np.intp]
    exact: bool
    hinges: Sequence[Vector | None]
    bearers: Sequence[int]


@dataclass(frozen=True, eq=False)
class PointTargets:
    """Targets of the legs' points, relative to the root, in numbers for one frame or arrays (T,) for many.

    Parameters
    ----------
    targets : (G, K) vectors.
    asked : (G, K) 1 for points that have a target, 0 for the others.
    tilts : (G,) rotations about its point of a foot that has one point alone; none by default.
    """

    targets: Sequence[Sequence[Vector]]
    asked: Sequence[Sequence[Any]]
    tilts: Sequence[Quaternion] = ()


@lru_cache(maxsize=16)
def leg_solver(legs: Legs, poses: ExamplePoses | None = None) -> LegSolver:
    """Find out how each of the `legs` is brought to its targets; computed once for the same legs and poses.

    `poses` tell how knees bend. Without them straight knees bend as their feet point.
    """
    limbs, carriers = limbs_of(legs), legs.carriers.reshape(len(legs.members), -1)
    roles = np.zeros(legs.turning.shape, dtype=np.intp)
    for leg, limb in enumerate(limbs):
        if limb is not None:
            roles[leg, limb.hip :] = 3 * leg + 1
            roles[leg, limb.knee :] = 3 * leg + 2
            if limb.has_foot:
                roles[leg, limb.end :] = 3 * leg + 3
    exact = all(limb is not None and limb.rigid for limb in limbs)
    hinges = [None] * len(limbs) if poses is None else knee_hinges(legs, poses)
    bearers = [int(own[limb.knee]) if limb else 0 for own, limb in zip(carriers, limbs, strict=True)]
    return LegSolver(legs, limbs, roles.reshape(-1), exact, hinges, bearers)


def by_component(legs: Legs, places: Array) -> list[list[Vector]]:
    """Return `positions` of joints and points leg by leg, as vectors: of numbers for one frame, else of arrays (T,)."""
    count = len(legs.members)
    if len(places) == 1:
        return places[0].reshape(count, -1, 3).tolist()
    rows = np.ascontiguousarray(places.T).reshape(count, -1, 3, len(places))
    return [[(x, y, z) for x, y, z in leg] for leg in rows]


def foot_moves(solver: LegSolver, places: Sequence[Sequence[Vector]], wanted: PointTargets) -> list[FootMove]:
    """Return the rotation and displacement of each leg's foot by which its points come to their targets.

    Legs that are no limbs, and feet without a target, are not moved.

    Parameters
    ----------
    solver : of the legs.
    places : of each leg's joints and points, as `by_component` returns them.
    wanted : targets of the points.
    """
    found: list[FootMove] = []
    for leg, limb in enumerate(solver.limbs):
        asked = wanted.asked[leg]
        held = sum(asked)
        if limb is None or (isinstance(held, float) and not held):
            found.append((NO_TURN, NOWHERE))
        else:
            found.append(foot_move(limb, places[leg], wanted.targets[leg], asked, *wanted.tilts[leg : leg + 1]))
    return found


def pelvis_drops(solver: LegSolver, places: Sequence[Sequence[Vector]], found: Sequence[FootMove]) -> list[Any]:
    """Return for each leg (G,) how much the root must sink for its foot to be moved so; see `pelvis_drop`."""
    return [
        0.0 if limb is None or way is NOWHERE else pelvis_drop(limb, leg, way, hinge is not None)
        for limb, leg, hinge, (_, way) in zip(solver.limbs, places, solver.hinges, found, strict=True)
    ]


def bend_limbs(
    solver: LegSolver, places: Sequence[Sequence[Vector]], found: Sequence[FootMove], rotations: Array
) -> Array:
    """Return rotations (T, G C, 4) in the heading's frame with each limb bent and each foot rotated and displaced.

    Parameters
    ----------
    solver : of the legs.
    places : of each leg's joints and points, as `by_component` returns them.
    found : what `foot_moves` returned, perhaps raised.
    rotations : (T, G C, 4) before.
    """
    turns: list[Quaternion] = [NO_TURN]
    for index, (limb, leg, (turn, way)) in enumerate(zip(solver.limbs, places, found, strict=True)):
        if limb is None or way is NOWHERE:
            turns += [NO_TURN, NO_TURN, NO_TURN]
        else:
            turns += [*bend_limb(limb, leg, way, _hinge_in_space(solver, index, rotations)), turn]
    return _turn_limbs(solver, turns, rotations)


def straighten_knees(
    solver: LegSolver, rotations: Array, steps: Array | None
) -> tuple[Array, Array, list[list[Vector]]]:
    """Straighten knees that bend backwards, as far as their hinges are known.

    Parameters
    ----------
    solver : of the legs.
    rotations : (T, G C, 4) in the heading's frame.
    steps : as for `positions`.

    Returns
    -------
    rotations : (T, G C, 4)
    flat : what `positions` returns for them.
    places : these, as `by_component` returns them.
    """
    flat = positions(solver.legs, rotations, steps)
    places = by_component(solver.legs, flat)
    turns, bent = [NO_TURN], False
    for index, (limb, leg) in enumerate(zip(solver.limbs, places, strict=True)):
        hinge = _hinge_in_space(solver, index, rotations)
        if limb is not None and hinge is not None and bends_backward(limb, leg, hinge):
            turns += [*straighten_limb(limb, leg, hinge), NO_TURN]
            bent = True
        else:
            turns += [NO_TURN, NO_TURN, NO_TURN]
    if bent:
        rotations = _turn_limbs(solver, turns, rotations)
        flat = positions(solver.legs, rotations, steps)
        places = by_component(solver.legs, flat)
    return rotations, flat, places


def _turn_limbs(solver: LegSolver, turns: Sequence[Quaternion], rotations: Array) -> Array:
    """Return `rotations` (T, G C, 4) with the bones of limbs turned; `turns` (1 + 3 G) are those that `roles` name."""
    if len(rotations) == 1:
        chosen = np.array(turns)[solver.roles]
    else:
        stack = np.empty((len(turns), 4, len(rotations)))
        for index, turn in enumerate(turns):
            for component in range(4):
                stack[index, component] = turn[component]
        chosen = stack[solver.roles].transpose(2, 0, 1).reshape(-1, 4)
    return multiply(chosen, rotations.reshape(-1, 4)).reshape(rotations.shape)


def _hinge_in_space(solver: LegSolver, leg: int, rotations: Array) -> Vector | None:
    """Return the axis of a leg's knee in the heading's frame, if it is known, for rotations (T, G C, 4)."""
    hinge = solver.hinges[leg]
    if hinge is None:
        return None
    bearer = rotations[:, solver.bearers[leg]]
    w, x, y, z = bearer[0].tolist() if len(bearer) == 1 else bearer.T
    return turned((w, x, y, z), hinge)


def raise_feet(found: Sequence[FootMove], lifts: Sequence[Any]) -> list[FootMove]:
    """Return foot moves with each foot displaced by `lifts` (G,) more upwards."""
    return [
        (turn, way if isinstance(lift, float) and not lift else add(way, (0.0, 0.0, lift)))
        for (turn, way), lift in zip(found, lifts, strict=True)
    ]


def eased_lifts(solver: LegSolver, places: Sequence[Sequence[Vector]], lifts: Sequence[Any]) -> list[Any]:
    """Return how far each leg's free foot is to be lifted, of `lifts` (G,); see `eased_lift`.

    Legs whose hinges are not known are not eased. `places` are of each leg's joints and points.
    """
    return [
        lift if limb is None or hinge is None or (isinstance(lift, float) and not lift) else eased_lift(limb, leg, lift)
        for limb, hinge, leg, lift in zip(solver.limbs, solver.hinges, places, lifts, strict=True)
    ]


def refine_points(
    solver: LegSolver, rotations: Array, steps: Array | None, wanted: PointTargets, sunk: Sequence[Any]
) -> Array:
    """Bring the points to targets that `bend_limbs` cannot meet, by J dq = dx; return rotations (T, G C, 4).

    These are the points of legs that are no limbs, and of feet in several parts of which more than one point is asked
    for.

    Parameters
    ----------
    solver : of the legs.
    rotations : (T, G C, 4) in the heading's frame.
    steps : as for `positions`.
    wanted : targets of the points.
    sunk : (G,) by how much higher than the targets the points are brought, because the root is going to sink.
    """
    if solver.exact:
        return rotations
    asked = np.zeros((len(rotations), *solver.legs.members.shape, 3))
    targets = np.zeros_like(asked)
    for leg, limb in enumerate(solver.limbs):
        slots = len(limb.points) if limb else int((solver.legs.members[leg] >= 0).sum())
        if limb is not None and limb.rigid:
            continue
        several = smaller(sum(wanted.asked[leg]) - 1.0, 1.0) if limb else 1.0
        for slot in range(slots):
            asked[:, leg, slot] = np.reshape(several * wanted.asked[leg][slot], (-1, 1))
            for axis, value in enumerate(add(wanted.targets[leg][slot], (0.0, 0.0, sunk[leg]))):
                targets[:, leg, slot, axis] = value
    if not asked.any():
        return rotations
    shape = len(rotations), len(solver.limbs), -1
    return reach_points(solver.legs, rotations, steps, targets.reshape(shape), np.maximum(asked, 0.0).reshape(shape))


def reach_points(legs: Legs, rotations: Array, steps: Array | None, targets: Array, asked: Array) -> Array:
    """Turn joints as little as possible so that points lie at targets: J dq = dx ([Rose1998] eq. 2), repeated.

    All points of a leg are solved together, by damped least squares. The damping grows with the distance that is left:
    it vanishes where a target can be reached; where it cannot, it is about what the leg's curvature asks for, so that a
    stretched leg comes to rest instead of swinging about. Rows are dropped as soon as they are solved.

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
    """Return rotations (T, G C, 4) turned by rotation vectors (T, G, C, 3), both in the heading's frame."""
    turned = multiply(turns.reshape(-1, 3).dot(_QUATERNION) + _UNIT, rotations.reshape(-1, 4))
    turned /= np.sqrt((turned * turned).dot(_SUM))
    return turned.reshape(rotations.shape)


def _jacobian_step(legs: Legs, places: Array, error: Array, asked: Array, longest: float) -> Array:
    """Return rotation vectors (T, G, C, 3), in the heading's frame, that move points by about `error` (T, G, 3 K).

    The turn of a joint includes the turns of the joints above it. The damping grows with the `longest` step of a leg,
    so that figures of any size turn alike.
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
