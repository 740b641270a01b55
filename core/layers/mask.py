"""Masks: the weight of a layer on each joint, and suggestions of bones for a verb in a layer."""

from collections.abc import Collection, Sequence

import numpy as np
from numpy.typing import NDArray

from ..errors import LayerError, quoted
from ..figure import quaternion as quat
from ..figure.channels import all_rotations, world_points
from ..figure.skeleton import Skeleton
from ..verb.verb import Verb
from .layer import POSES, PlaysVerb, can_keep_apart

Array = NDArray[np.float64]


def mask_of(skeleton: Skeleton, chosen: Collection[str], taper: int = 0, with_children: bool = True) -> Array:
    """Return the weights (J,) of the joints, from 0, which leaves a joint to the motion below, to 1.

    Parameters
    ----------
    skeleton : Skeleton of J joints.
    chosen : names of joints with full weight.
    taper : number of joints above the chosen ones with partial weight, decreasing towards the root, so that a waving
        arm also moves the shoulder and the spine a little. The root is never among them.
    with_children : whether all descendants of the chosen joints are included.

    Raises
    ------
    LayerError
        If nothing is chosen, or the skeleton has no joint of that name.
    """
    missing = [name for name in chosen if name not in skeleton.names]
    if missing or not chosen:
        told = f"names {quoted(missing)}, which the figure does not have" if missing else "has no bones"
        raise LayerError(f"A mask {told}. Choose bones that the armature has; a bone may have been renamed.")
    weights = np.zeros(len(skeleton.names))
    tops = [skeleton.index(name) for name in chosen]
    weights[hanging_on(skeleton, tops) if with_children else tops] = 1.0
    for top in tops:
        above = skeleton.chain(top)[1:]
        for step, joint in enumerate(joint for joint in above[:taper] if joint != 0):
            weights[joint] = max(weights[joint], 1.0 - (step + 1.0) / (taper + 1.0))
    return weights


def hanging_on(skeleton: Skeleton, tops: Collection[int]) -> list[int]:
    """Return some joints of a skeleton and all their descendants, in the order of the hierarchy."""
    found: set[int] = set()
    for joint, parent in enumerate(skeleton.parents.tolist()):
        if joint in tops or parent in found:
            found.add(joint)
    return sorted(found)


def joints_of(skeleton: Skeleton, mask: Array) -> frozenset[str]:
    """Return the names of the joints with full weight in a mask (J,)."""
    return frozenset(name for name, weight in zip(skeleton.names, mask, strict=True) if weight >= 1.0)


LEAST = np.radians(20.0)
"""Angle by which a bone of a limb must differ from the motion below, or move, for the limb to count."""
FAINT = np.radians(7.0)
"""Used for a verb that moves no limb by `LEAST` with its adverbs at the middle: angle by which it must rotate a bone
over all its examples for the limb to count, such as the head in a nod or a look to one side."""
MINOR = 0.4
"""Share of the largest such angle below which a limb does not count."""
STEADY = 0.02
"""Share by which the distance between two hands may vary while they hold an object."""


def suggested_bones(verb: Verb, below: Verb, hands: Sequence[int]) -> tuple[str, ...]:
    """Return the first bones of the limbs that a verb moves differently from the motion below.

    Legs, which carry the planted points, and the trunk, which carries both arms, are excluded. If the verb moves no
    limb far, the bones are those of limbs that it rotates even slightly (`FAINT`).

    Parameters
    ----------
    verb, below : verbs of one figure.
    hands : joints of the hands, if known.
    """
    skeleton = verb.channels.skeleton
    feet = [contact.joint for one in (verb, below) for contact in one.contacts]
    legs = {joint for foot in feet for joint in skeleton.chain(foot)}
    arms = [set(skeleton.chain(hand)) for hand in hands]
    trunk: set[int] = set[int]().union(*arms[:1]).intersection(*arms[1:]) if len(arms) > 1 else {0}
    tops = [
        joint
        for joint, parent in enumerate(skeleton.parents.tolist())
        if parent in trunk and joint not in trunk and joint not in legs
    ]
    for angles, least in ((_turned_otherwise(verb, below), LEAST), (_turned(verb), FAINT)):
        moved = {top: max(angles[joint] for joint in hanging_on(skeleton, [top])) for top in tops}
        most = max(moved.values(), default=0.0)
        if most >= least:
            return tuple(skeleton.names[top] for top, angle in moved.items() if angle >= max(least, MINOR * most))
    return ()


def held_between(verb: Verb, hands: Sequence[int], mask: Array) -> bool:
    """Return whether the distance between the hands is constant in a verb, so that they hold an object in a layer.

    Parameters
    ----------
    verb : verb that the layer plays.
    hands : joints of the hands, if known.
    mask : (J,) mask of the layer, which holds nothing without bones of an arm.
    """
    if len(hands) != 2 or not can_keep_apart(verb.channels.skeleton, mask, hands):
        return False
    rows = PlaysVerb(verb).usual
    one, other = (world_points(verb.channels, rows, hand, np.zeros(3)) for hand in hands)
    apart = np.linalg.norm(one - other, axis=-1)
    return bool(np.ptp(apart) < STEADY * apart.mean())


def keeps_step(verb: Verb, below: Verb) -> bool:
    """Return whether a verb has the same keytimes in each cycle as the verb below it."""
    return verb.cyclic and below.cyclic and verb.keytime_names == below.keytime_names and len(verb.keytime_names) > 2


def _turned_otherwise(verb: Verb, below: Verb) -> Array:
    """Return for each joint (J,) its rotation in a verb, or its difference from the motion below, in radians."""
    rows = [all_rotations(one.channels, PlaysVerb(one).usual) for one in (verb, below)]
    means = [quat.mean(turns) for turns in rows]
    spread = quat.angle_between(rows[0], means[0]).max(axis=0)
    return np.maximum(quat.angle_between(*means), spread)


def _turned(verb: Verb) -> Array:
    """Return for each joint (J,) its range of rotation over the examples of a verb, in radians."""
    phases = np.linspace(0.0, 1.0, POSES, endpoint=False)
    rows = np.concatenate([verb.sample_phases(phases, weights) for weights in np.eye(len(verb.example_names))])
    turns = all_rotations(verb.channels, rows)
    return quat.angle_between(turns, quat.mean(turns)).max(axis=0)


def upper_body(verb: Verb, hands: Sequence[int]) -> tuple[str, ...]:
    """Return the bone that carries both arms, as near to the root as possible without carrying a leg.

    Without hands, or if every bone above them carries legs, return the suggested bones of the verb over itself.

    Parameters
    ----------
    verb : a verb of the figure.
    hands : joints of the hands, if known.
    """
    skeleton = verb.channels.skeleton
    legs = {joint for contact in verb.contacts for joint in skeleton.chain(contact.joint)}
    chains = [[joint for joint in skeleton.chain(hand) if joint not in legs and joint != 0] for hand in hands]
    common = [joint for joint in chains[0] if all(joint in chain for chain in chains)] if chains else []
    return (skeleton.names[common[-1]],) if common else suggested_bones(verb, verb, hands)
