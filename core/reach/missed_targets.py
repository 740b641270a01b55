"""Messages about targets that the final correction does not reach, or reaches in a doubtful way."""

import numpy as np
from numpy.typing import NDArray

from ..errors import quoted
from ..figure.channels import all_rotations, world_joints, world_points
from ..figure.skeleton import Skeleton
from .last_millimetres import FASTER, Touch, TouchingVerb, in_hull, reached, targets_of
from .measures import MeasuredPlace, values_at

Array = NDArray[np.float64]

AT_LIMIT = 1e-3
"""Tolerance in radians within which a joint counts as at its limit."""
INSIDE = 0.12
"""Distance from a bone of the trunk, in lengths of the chain, below which a target counts as inside the body."""
LIMB = 0.6
"""Distance from the reaching point within which bones belong to the limb, in lengths of the chain; others are trunk."""


def without_limits(verb: TouchingVerb) -> tuple[str, ...]:
    """Return a sentence for each place whose chain has no joint limits, since it may bend the wrong way."""
    names, said = verb.channels.skeleton.names, dict[str, None]()
    for touch in verb.touches:
        if verb.limits is None or not verb.limits.limited[touch.joints].any():
            said[
                f"None of the parents of {quoted(dict.fromkeys(names[p.joint] for p in touch.places))} has rotation "
                "limits, so IK may bend elbows and knees the wrong way. Give them IK limits or Limit Rotation "
                "constraints."
            ] = None
    return tuple(said)


def what_remains(verb: TouchingVerb, point: Array, tolerance: float) -> str:
    """Return a sentence that says why the target of `point` (D,) is missed, or that the target lies inside the body.

    It is empty if every target is met within `tolerance`, in performance units, and lies outside the body.
    """
    asks, mixing = point[None], verb.mixing(point)[None]
    weights, names = mixing[:, : len(verb.example_names)], verb.channels.skeleton.names
    for touch in verb.touches:
        values = values_at(verb, mixing, touch.phase, touch.world)
        targets = targets_of(verb, touch, asks, values)[:, 0]
        best = reached(verb, touch, values_at(verb, weights, touch.phase, touch.world), targets[:, None])
        for place, target in zip(touch.places, targets, strict=True):
            missed, nearest = (
                float(np.linalg.norm(world_points(verb.channels, rows, place.joint, place.offset)[0] - target))
                for rows in (values, best)
            )
            said = _why(verb, touch, place, target, best, (missed, nearest), tolerance, float(in_hull(verb, asks)[0]))
            if said:
                return f"The target of '{names[place.joint]}' at {_amounts(target)} {said}"
    return ""


def _why(
    verb: TouchingVerb,
    touch: Touch,
    place: MeasuredPlace,
    target: Array,
    best: Array,
    off: tuple[float, float],
    tolerance: float,
    counts: float,
) -> str:
    """Return the rest of the sentence of `what_remains`; empty if there is nothing to say.

    Parameters
    ----------
    target : (3,) the target of the place.
    best : (1, width) row in which the chain comes nearest to the target.
    off : distances from the target as played, and in `best`.
    counts : result of `in_hull`.
    """
    missed, nearest = off
    skeleton, joints = verb.channels.skeleton, world_joints(verb.channels, best)[0]
    within = _inside(skeleton, joints, place, target, touch.length)
    if within:
        return f"is inside the body, at '{within}'. Move it out."
    if missed <= tolerance:
        return ""
    if counts < 1.0 and nearest <= tolerance:
        return (
            f"is outside the region of the examples and is missed by {missed:.2g} m, because With IK is set to Between "
            "Examples. Move it closer, add an example there, or set With IK to Everywhere."
        )
    chain = skeleton.chain(place.joint)
    top = max(set(touch.joints.tolist()) & set(chain), key=chain.index)
    away = float(np.linalg.norm(target - joints[top])) - touch.length
    if away > 0.0:
        return (
            f"is {away:.2g} m out of reach from '{skeleton.names[top]}'. Move it closer, or let the character stand "
            "closer."
        )
    if nearest <= tolerance:
        return (
            f"is missed by {missed:.2g} m, because joints would have to rotate more than {FASTER:g} times as fast as "
            "in the examples. Move it closer, or add an example there."
        )
    stuck = _at_limits(verb, touch, best)
    if stuck:
        return (
            f"is missed by {missed:.2g} m, because {quoted(stuck)} reached the joint limits. Move it closer, or widen "
            "the limits."
        )
    return f"is missed by {missed:.2g} m, because the bones cannot get closer. Move it closer, or add an example there."


def _inside(skeleton: Skeleton, joints: Array, place: MeasuredPlace, target: Array, length: float) -> str:
    """Return the trunk bone that a target (3,) is too close to, or an empty name.

    Parameters
    ----------
    joints : (J, 3) positions of the joints.
    length : length of the reaching chain.
    """
    along = float(np.linalg.norm(place.offset))
    for joint in skeleton.chain(place.joint):
        parent = int(skeleton.parents[joint])
        if parent <= 0:
            break
        if along > LIMB * length and _apart(target, joints[parent], joints[joint]) < INSIDE * length:
            return skeleton.names[parent]
        along += float(np.linalg.norm(skeleton.offsets[joint]))
    return ""


def _at_limits(verb: TouchingVerb, touch: Touch, row: Array) -> list[str]:
    """Return the names of the joints that are at a limit in a row (1, width)."""
    if verb.limits is None:
        return []
    joints = touch.joints
    limits, rotations = verb.limits.part(joints), all_rotations(verb.channels, row)[:, joints]
    tight = limits.narrowed(AT_LIMIT).beyond(rotations)[0] > 0.1 * AT_LIMIT
    return [verb.channels.skeleton.names[joint] for joint in joints[tight & limits.limited]]


def _apart(point: Array, begin: Array, end: Array) -> float:
    """Return the distance of a point from the segment between two others, all (3,)."""
    along = end - begin
    share = np.clip(np.dot(point - begin, along) / max(float(np.dot(along, along)), 1e-12), 0.0, 1.0)
    return float(np.linalg.norm(point - begin - share * along))


def _amounts(place: Array) -> str:
    return "(" + ", ".join(f"{value:.3g}" for value in place) + ")"
