"""Which bone carries which: a bone's parent, or the bone that an Armature constraint makes it follow like a parent."""

from bpy.types import Object, PoseBone

from ...core.errors import RigError
from ..data.curves import OBJECT

WHOLE = 0.999


def carriers_of(armature: Object) -> dict[str, str]:
    """Return for each bone the name of the bone that carries it, `OBJECT` if none does.

    Control rigs let the animator choose what a control follows, by an Armature constraint on a bone without parent.
    Such a constraint counts if at present it follows a single bone of the same armature with full weight.

    Raises
    ------
    RigError
        If bones are being edited, and Blender does not pose them yet.
    """
    bones = armature.data.bones
    carriers = {bone.name: bone.parent.name if bone.parent else OBJECT for bone in bones}
    for name in [name for name, carrier in carriers.items() if carrier == OBJECT]:
        followed = _followed(armature, _posed(armature, name))
        if followed is not None and not _carried_by(carriers, followed, name):
            carriers[name] = followed
    return carriers


def _posed(armature: Object, name: str) -> PoseBone:
    """The bone of a name as it is posed."""
    bone = armature.pose.bones.get(name)
    if bone is None:
        raise RigError(f"Bone '{name}' of '{armature.name}' is being edited. Leave Edit Mode first.")
    return bone


def _followed(armature: Object, bone: PoseBone) -> str | None:
    """The bone that an Armature constraint makes `bone` follow, if that is its only active constraint."""
    acting = [constraint for constraint in bone.constraints if not constraint.mute]
    if len(acting) != 1 or acting[0].type != "ARMATURE" or acting[0].influence < WHOLE:
        return None
    weights = {t.subtarget: t.weight for t in acting[0].targets if t.target == armature and t.weight > 0.0}
    name, weight = max(weights.items(), key=lambda pair: pair[1], default=(OBJECT, 0.0))
    return name if name in armature.data.bones and weight >= WHOLE * sum(weights.values()) else None


def _carried_by(carriers: dict[str, str], bone: str, carrier: str) -> bool:
    """Whether `carrier` is `bone` itself or one of those that carry it."""
    while bone != OBJECT:
        if bone == carrier:
            return True
        bone = carriers[bone]
    return False
