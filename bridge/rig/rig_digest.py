"""A digest of everything verbs read from an armature: its bones at rest, and the present pose where it is not keyed.

It also covers which bone carries which: a bone's parent, or the bone an Armature constraint makes it follow.

`rig.read_rig`, `parts.read_object` and `channels.read_channels` decide what that is. What is not read does not count: a
pose that the examples key, and the object's position on its floor.
"""

from array import array
from collections.abc import Iterator, Mapping, Sequence
from math import inf
from typing import Any

from bpy.types import Object, PoseBone

from ...core.errors import RigError
from ..blender.animation import REST, assigned_curves, rotation_property
from ..blender.store import digest_of
from ..data.bones.names import OBJECT, Names, parse_path
from ..data.content import ActionContent
from ..data.schema import ROOT_IS_OBJECT

WHOLE = 0.999
ORDERS = "XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX"


def carriers_of(armature: Object) -> dict[str, str]:
    """Return for each bone the name of the bone that carries it, `OBJECT` if none does.

    Control rigs let the animator choose what a control follows, by an Armature constraint on a bone without parent.
    Such a constraint counts if at present it follows a single bone of the same armature with full weight.

    Raises
    ------
    RigError
        If bones are being edited, so that Blender has no pose for them yet.
    """
    bones = armature.data.bones
    carriers = {bone.name: bone.parent.name if bone.parent else OBJECT for bone in bones}
    for name in [name for name, carrier in carriers.items() if carrier == OBJECT]:
        followed = _followed(armature, _posed(armature, name))
        if followed is not None and not _carried_by(carriers, followed, name):
            carriers[name] = followed
    return carriers


def _posed(armature: Object, name: str) -> PoseBone:
    """Return the pose bone of a name."""
    bone = armature.pose.bones.get(name)
    if bone is None:
        raise RigError(f"Bone '{name}' of '{armature.name}' is being edited. Leave Edit Mode first.")
    return bone


def _followed(armature: Object, bone: PoseBone) -> str | None:
    """Return the bone that an Armature constraint makes `bone` follow, if that is its only active constraint."""
    acting = [constraint for constraint in bone.constraints if not constraint.mute]
    if len(acting) != 1 or acting[0].type != "ARMATURE" or acting[0].influence < WHOLE:
        return None
    weights = {t.subtarget: t.weight for t in acting[0].targets if t.target == armature and t.weight > 0.0}
    name, weight = max(weights.items(), key=lambda pair: pair[1], default=(OBJECT, 0.0))
    return name if name in armature.data.bones and weight >= WHOLE * sum(weights.values()) else None


def is_held(bone: PoseBone) -> bool:
    """Return whether constraints act on a bone."""
    return any(not constraint.mute and constraint.influence > 0.0 for constraint in bone.constraints)


def _carried_by(carriers: dict[str, str], bone: str, carrier: str) -> bool:
    """Return whether `carrier` is `bone` itself or one of those that carry it."""
    while bone != OBJECT:
        if bone == carrier:
            return True
        bone = carriers[bone]
    return False


def rig_digest(
    armature: Object, root: str, examples: Sequence[ActionContent], before: Mapping[str, str] | None = None
) -> str:
    """Return a digest of what verbs read from an armature; it changes when a verb would be built differently.

    Parameters
    ----------
    root : bone that carries the travel, or `ROOT_IS_OBJECT`. Empty while the root is unknown; then everything that any
        root would need counts.
    examples : what the actions of the verb's examples contain.
    before : former names of renamed bones, to get the digest from before; the root and the examples then use those
        names.
    """
    told = Names(before or {})
    carriers = {told.bone(name): told.bone(carrier) for name, carrier in carriers_of(armature).items()}
    above, loose = _above(carriers, root), _loose(carriers, root)
    now = Names({name: bone for bone, name in (before or {}).items()})
    paths = sorted(frozenset().union(*(content.paths for content in examples)))
    return digest_of(
        *_rest(armature, carriers),
        (armature.verbs_adverbs.root, list(_of_object(armature, bool(loose)))),
        *_pose(armature, root, examples, above, loose, told),
        *(f"{path} {_kind(armature, now.path(path))}".encode() for path in paths),
    )


def _rest(armature: Object, carriers: dict[str, str]) -> tuple[object, ...]:
    """Return the bones' rest frames, which carries which, and which of them have constraints."""
    bones = armature.data.bones
    rests, lengths = array("f", bytes(4 * 16 * len(bones))), array("f", bytes(4 * len(bones)))
    bones.foreach_get("matrix_local", rests)
    bones.foreach_get("length", lengths)
    named = zip(carriers.items(), bones, strict=True)
    bound = [(name, carrier, bone.use_connect, bone.use_inherit_rotation) for (name, carrier), bone in named]
    held = [is_held(bone) for bone in armature.pose.bones]
    return rests.tobytes(), lengths.tobytes(), (bound, held)


def _of_object(armature: Object, loose: bool) -> Iterator[object]:
    """Yield what is read of the object's scale and delta transform; the rotation only if there is one."""
    yield armature.scale[:], armature.delta_scale[:]
    yield armature.delta_location[:][0 if loose else 2 :]
    prop = rotation_property(armature.rotation_mode)
    if prop != "rotation_axis_angle" and tuple(getattr(armature, "delta_" + prop)) != REST[prop]:
        yield armature.rotation_mode, tuple(getattr(armature, "delta_" + prop))


def _pose(
    armature: Object, root: str, examples: Sequence[ActionContent], carriers: set[str], loose: set[str], told: Names
) -> Iterator[object]:
    """Yield the present values that are read, except those at rest, and the rotation modes of what is keyed."""
    keyed = (parse_path(curve.data_path) for curve in assigned_curves(armature))
    moved = {(told.bone(name), prop) for name, prop in keyed}
    owners = {OBJECT: armature, **{told.bone(bone.name): bone for bone in armature.pose.bones}}
    for name, prop, index in _read_components(armature, root, examples, owners, carriers, loose):
        value = REST[prop] if (name, prop) in moved else tuple(getattr(owners[name], prop))
        chosen = slice(None) if index is None else slice(index, index + 1)
        if value[chosen] != REST[prop][chosen]:
            yield name, prop, index, owners[name].rotation_mode, value[chosen]
    for name in sorted({name for content in examples for name, kind in content.keyed if kind == "rotation"}):
        yield name, owners[name].rotation_mode if name in owners else None


def _read_components(
    armature: Object,
    root: str,
    examples: Sequence[ActionContent],
    owners: dict[str, Object | PoseBone],
    carriers: set[str],
    loose: set[str],
) -> Iterator[tuple[str, str, int | None]]:
    """Yield owner, property and component of every value that is read; the component is None for all of them."""
    keyed = [content.keyed for content in examples]
    somewhere, everywhere = frozenset().union(*keyed), frozenset.intersection(*keyed) if keyed else frozenset()
    still = loose or (root != ROOT_IS_OBJECT and armature.verbs_adverbs.reference_root != root)
    for name, owner in owners.items():
        rotation = rotation_property(owner.rotation_mode)
        if name not in carriers:
            if (name, "rotation") not in (everywhere if name in loose else somewhere):
                yield name, rotation, None
            if name in loose:
                yield from ((name, prop, None) for prop in ("location", "scale") if (name, prop) not in everywhere)
            continue
        above = name != root
        if (above and still) or (name, "rotation") not in everywhere:
            yield name, rotation, None
        if (above and loose) or (name, "location") not in everywhere:
            yield from ((name, "location", index) for index in range(3) if index == 2 or name != OBJECT or loose)
        if above and name != OBJECT:
            yield name, "scale", None
    for name, prop, index in sorted(frozenset().union(*(content.lacking for content in examples))):
        if name in owners and (name, prop) != (OBJECT, "scale") and (name or prop != "location" or index == 2):
            yield name, prop, index


def _above(carriers: dict[str, str], root: str) -> set[str]:
    """Return the object, the root and the bones above it; all bones when the root is unknown."""
    if root == ROOT_IS_OBJECT:
        return {OBJECT}
    if root not in carriers:
        return {OBJECT, *carriers}
    found = {OBJECT}
    while root != OBJECT:
        found.add(root)
        root = carriers[root]
    return found


def _loose(carriers: dict[str, str], root: str) -> set[str]:
    """Return bones that neither carry the root nor follow it: their positions are read in performance space."""
    if root == ROOT_IS_OBJECT:
        return set()
    if root not in carriers:
        return set(carriers)
    known = {**dict.fromkeys(_above(carriers, root), False), root: True}
    for name in carriers:
        way: list[str] = []
        while name not in known:
            way.append(name)
            name = carriers[name]
        known.update(dict.fromkeys(way, known[name]))
    return {name for name, follows in known.items() if not follows} - _above(carriers, root)


def _kind(armature: Object, path: str) -> str:
    """Return the type name of a property that an example animates, with its length if any; 'gone' if it is missing."""
    try:
        found: Any = armature.path_resolve(path)
    except ValueError:
        return "gone"
    return f"{type(found).__name__} {len(found) if hasattr(found, '__len__') else ''}"


Range = tuple[str, tuple[float, ...], tuple[float, ...], str]


def bone_limits(armature: Object) -> list[Range]:
    """Return rotation limits of bones: name, least and largest angles about x, y and z in radians, and their order.

    That is the range allowed by both their IK limits and Limit Rotation constraints in local space. IK limits have no
    order, so they use that of the constraint, or else of the bone's rotation mode, or else XYZ. Bones without limits
    are left out.
    """
    found: list[Range] = []
    for bone in armature.pose.bones:
        low, high, order = [-inf] * 3, [inf] * 3, bone.rotation_mode if bone.rotation_mode in ORDERS else "XYZ"
        for axis, letter in enumerate("xyz"):
            if getattr(bone, f"lock_ik_{letter}"):
                low[axis] = high[axis] = 0.0
            elif getattr(bone, f"use_ik_limit_{letter}"):
                low[axis], high[axis] = getattr(bone, f"ik_min_{letter}"), getattr(bone, f"ik_max_{letter}")
        for limit in bone.constraints:
            if limit.type != "LIMIT_ROTATION" or limit.mute or limit.influence == 0.0 or limit.owner_space != "LOCAL":
                continue
            order = limit.euler_order if limit.euler_order in ORDERS else order
            for axis, letter in enumerate("xyz"):
                if getattr(limit, f"use_limit_{letter}"):
                    low[axis] = max(low[axis], getattr(limit, f"min_{letter}"))
                    high[axis] = min(high[axis], getattr(limit, f"max_{letter}"))
        if any(value > -inf for value in low):
            found.append((bone.name, tuple(low), tuple(high), order))
    return found
