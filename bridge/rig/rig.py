"""An armature object as core sees it: a skeleton in performance space, and what is needed to write poses back.

Performance space is the space of the object's own transform: a parent of the object is ignored.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from bpy.types import Object
from numpy.typing import NDArray

from ...core.errors import RigError, quoted
from ...core.figure.joint_limits import JointLimits, joint_limits
from ...core.figure.skeleton import Skeleton
from ..blender.animation import ROTATIONS
from ..data.curves import OBJECT, Keyed
from ..data.schema import ROOT_IS_OBJECT
from .parts import Part, read_bones, read_object, rotation_of
from .rig_digest import bone_limits

Array = NDArray[np.float64]

STILL = 1e-6
CARRIES = 0.5
BODY = 3


@dataclass(frozen=True, eq=False)
class Rig:
    """An armature object with a chosen root.

    Parameters
    ----------
    armature : name of the object.
    object : the object as a part.
    bones : every bone by name, parents before children.
    root : name of the root bone or `ROOT_IS_OBJECT`.
    above_root : (4, 4) frame in performance space in which the root's own transform acts while everything above it is
        still.
    scale : performance units per unit of the armature.
    skeleton : the skeleton that core works with; its joints have the bones' names.
    complaints : messages on features of the armature that are not read.
    """

    armature: str
    object: Part
    bones: dict[str, Part]
    root: str
    above_root: Array
    scale: float
    skeleton: Skeleton
    complaints: tuple[str, ...]

    @cached_property
    def ancestors(self) -> tuple[str, ...]:
        """Bones above the root, topmost first; motion that is keyed on them becomes part of the root's motion."""
        return () if self.root == ROOT_IS_OBJECT else above(self.bones, self.root)

    @cached_property
    def joints(self) -> dict[str, int]:
        """Index of the joint of each bone that has one."""
        return {name: joint for joint, name in enumerate(self.skeleton.names) if name != ROOT_IS_OBJECT}

    def point(self, bone: str, end: str) -> tuple[int, Array]:
        """Return the joint of a bone, and its ``'HEAD'`` or ``'TAIL'`` (3,) in the joint's frame."""
        joint = self.joints[bone]
        return joint, self.skeleton.end_of(joint, end)

    @cached_property
    def loose(self) -> tuple[str, ...]:
        """Bones that neither carry the root nor follow it."""
        names, parents = self.skeleton.names, self.skeleton.parents
        free = np.zeros(len(names), dtype=np.bool_)
        for joint in range(1, len(names)):
            free[joint] = parents[joint] < 0 or free[parents[joint]]
        return tuple(name for name, is_free in zip(names, free, strict=True) if is_free)

    def place_at_rest(self, name: str) -> Array:
        """Return the position (3,) in performance space of a bone or the root at rest, all above it as posed now."""
        frame = self.object.basis if name == ROOT_IS_OBJECT else still_frame(self.object, self.bones, name)
        return frame[:3, 3]

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        """The bone, or the object, of each joint (J)."""
        names = self.skeleton.names
        return tuple(self.object if name == ROOT_IS_OBJECT else self.bones[name] for name in names)


def read_rig(armature: Object, root: str) -> Rig:
    """Read an armature object.

    Parameters
    ----------
    armature : armature object.
    root : name of a bone or `ROOT_IS_OBJECT`.

    Raises
    ------
    RigError
        If it is not an armature, has no bones, has an uneven or zero scale, or has no such root.
    """
    own, bones = read_object(armature), read_bones(armature)
    if root == ROOT_IS_OBJECT:
        frame, scale = np.eye(4), float(own.values["scale"].max())
    elif root in bones:
        frame = still_frame(own, bones, root)
        scale = float(np.cbrt(np.linalg.det(frame[:3, :3])))
    else:
        raise RigError(
            f"Armature '{armature.name}' has no root bone '{root}'. Choose another root, or press Map Bones."
        )
    if scale <= STILL:
        raise RigError(f"A parent of bone '{root}' in '{armature.name}' has zero scale. Clear its scale (Alt S).")
    skeleton = _skeleton(own, bones, root, scale)
    return Rig(armature.name, own, bones, root, frame, scale, skeleton, _complaints(armature))


def limits_of(armature: Object, rig: Rig, ends: Sequence[int]) -> JointLimits | None:
    """Return the rotation limits of some joints and all that carry them; None if none of them has limits.

    Raises
    ------
    RigError
        If a lower limit exceeds its upper limit.
    """
    names, above = rig.skeleton.names, {joint for end in ends for joint in rig.skeleton.chain(end)}
    low, high, orders = np.full((len(names), 3), -np.inf), np.full((len(names), 3), np.inf), ["XYZ"] * len(names)
    told = [limits for limits in bone_limits(armature) if rig.joints.get(limits[0]) in above]
    for name, least, most, order in told:
        joint = rig.joints[name]
        low[joint], high[joint], orders[joint] = least, most, order
    return joint_limits(names, low, high, orders) if told else None


def above(bones: dict[str, Part], name: str) -> tuple[str, ...]:
    """Return the names of the bones above a bone, topmost first."""
    found: list[str] = []
    parent = bones[name].parent
    while parent != OBJECT:
        found.append(parent)
        parent = bones[parent].parent
    return tuple(reversed(found))


def still_frame(own: Part, bones: dict[str, Part], name: str) -> Array:
    """Return the rest frame (4, 4) of a bone in performance space, everything above it in its present transform."""
    frame = own.basis
    for ancestor in above(bones, name):
        frame = frame @ bones[ancestor].rest @ bones[ancestor].basis
    return frame @ bones[name].rest


def _skeleton(own: Part, bones: dict[str, Part], root: str, scale: float) -> Skeleton:
    carried = set() if root == ROOT_IS_OBJECT else set(above(bones, root))
    under = {root}
    for name, part in bones.items():
        if part.parent in under or root == ROOT_IS_OBJECT:
            under.add(name)
    loose = [name for name in bones if name not in under and name not in carried]
    names = [root, *(name for name in bones if name in under and name != root), *loose]
    index = {name: joint for joint, name in enumerate(names)}
    if root == ROOT_IS_OBJECT:
        index[OBJECT] = 0
    parents = np.full(len(names), -1, dtype=np.intp)
    offsets, tails = np.zeros((len(names), 3)), np.zeros((len(names), 3))
    frames = np.tile(np.eye(4), (len(names), 1, 1))
    for joint, name in enumerate(names):
        part = own if name == ROOT_IS_OBJECT else bones[name]
        tails[joint, 1] = part.length * scale
        if joint == 0:
            continue
        parents[joint] = index.get(part.parent, -1)
        frames[joint] = part.rest if parents[joint] >= 0 else still_frame(own, bones, name)
        offsets[joint] = frames[joint, :3, 3] * (scale if parents[joint] >= 0 else 1.0)
    rests = rotation_of(frames)
    return Skeleton(tuple(names), parents, offsets, rests, tails)


def _complaints(armature: Object) -> tuple[str, ...]:
    free = [bone.name for bone in armature.data.bones if bone.parent and not bone.use_inherit_rotation]
    said = f"Bone {quoted(free)} does not inherit rotation. Contacts are computed as if it did, so check them."
    return (said,) if free else ()


def guess_root(armature: Object, spans: Iterable[tuple[Keyed, float, float]]) -> str:
    """Guess which bone, or the object itself, carries the character's travel in all given spans of actions.

    Candidates are bones that carry a body, which is at least a third of all bones that are keyed. In each span the
    topmost candidate is chosen that travels about as far as the farthest; where spans differ, the lowest of those is
    taken, since it moves along with the others. On a control rig, whose feet and hands do not follow the body, there
    may be no such bone; then a body is a third of all bones of the armature.

    Parameters
    ----------
    armature : armature object.
    spans : the curves of an action, with the first and last frame of the span.
    """
    own, bones = read_object(armature), read_bones(armature)
    spans = list(spans)
    body = _body(bones, {name for keyed, _, _ in spans for name in keyed.transforms if name in bones})
    unit = float(own.values["scale"].max())
    travels = [
        {name: _travel(keyed, name, start, end) * (1.0 if name == OBJECT else unit) for name in body}
        for keyed, start, end in spans
    ]
    found = [
        next(name for name in body if travel[name] >= CARRIES * farthest)
        for travel in travels
        if (farthest := max(travel.values())) > STILL
    ]
    if not found and (carrier := _carrier_of_all(bones, spans)):
        return carrier
    if not found:
        turning = (n for n in body for keyed, _, _ in spans if any(keyed.curves(n, prop) for prop in ROTATIONS))
        found = [next(turning, next(iter(bones)))]
    lowest = max(found, key=lambda name: len(above(bones, name)) if name else -1)
    return lowest or ROOT_IS_OBJECT


def _body(bones: dict[str, Part], keyed: set[str]) -> list[str]:
    """Return the object and the bones that carry a body and can be moved, from the top down.

    Several that do not carry each other may qualify, such as the feet of a control rig where little else is keyed. Then
    the one that carries the most bones is chosen, with those above it.
    """
    carried = dict.fromkeys([OBJECT, *bones], 0)
    for name in keyed:
        for carrier in (OBJECT, *above(bones, name), name):
            carried[carrier] += 1
    body = {name for name, count in carried.items() if BODY * count >= len(keyed)}
    ends = body - {carrier for name in body - {OBJECT} for carrier in (OBJECT, *above(bones, name))}
    sizes = _carried(bones)
    last = max(sorted(ends), key=lambda name: (carried[name], sizes.get(name, 0)))
    chain = {OBJECT, last, *(above(bones, last) if last else ())}
    return [name for name in carried if name in chain and (name == OBJECT or not bones[name].connected)]


def _carried(bones: dict[str, Part]) -> dict[str, int]:
    """Return the number of bones that each bone carries, itself included."""
    carried = dict.fromkeys(bones, 0)
    for name in bones:
        for carrier in (*above(bones, name), name):
            carried[carrier] += 1
    return carried


def _carrier_of_all(bones: dict[str, Part], spans: list[tuple[Keyed, float, float]]) -> str | None:
    """Return the moving bone that carries the most bones in some span, if it carries a third of all bones."""
    carried = _carried(bones)
    moving = [n for n in bones if any(n in k.transforms and _travel(k, n, a, b) > STILL for k, a, b in spans)]
    best = max(moving, key=carried.__getitem__, default=None)
    return best if best and BODY * carried[best] >= len(bones) else None


def _travel(keyed: Keyed, name: str, start: float, end: float) -> float:
    """Return the diagonal of the box that a part's own location spans."""
    frames = np.linspace(start, end, 9)
    return float(np.linalg.norm([np.ptp(curve.at(frames)) for curve in keyed.curves(name, "location").values()]))
