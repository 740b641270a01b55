"""Rest pose of an armature's bones when its verbs were last built or edited, to recognize renamed bones.

The bone names in the curves of each example's action are recorded too: their order shows later whether Blender has
renamed them, which it does if the action is assigned.
"""

from array import array
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from bpy.types import Action, Object, PropertyGroup

from ...blender.animation import keyed_in, nla_strips
from ...blender.store import digest_of
from ..content import ActionContent, called_now, read_content
from ..current import is_linked
from .names import NOTHING, BoneNames, Names, keyed_names

if TYPE_CHECKING:
    from ....core.detect.corresponding_bones import Lying

Lain = tuple[str, str, tuple[float, ...]]
"""Name, parent and rest frame of a bone, as they are stored."""


def note_bones(armature: Object, rows: Iterable[PropertyGroup]) -> None:
    """Record the rest pose of an armature's bones, and the bone names in its examples.

    Records of missing bones are kept, and so is everything if bones seem to have swapped names, until
    the user maps them. Nothing is recorded for data that cannot be edited.

    Parameters
    ----------
    rows : rows of its verbs' example lists.
    """
    if is_linked(armature) or armature.pose is None:
        return
    from ....core.detect.corresponding_bones import exchanged

    present, seen = lying_now(armature), seen_before(armature)
    if not exchanged(seen, present):
        note_anew(armature, {name for name in seen if name not in present}, rows)


def note_anew(armature: Object, kept: Collection[str], rows: Iterable[PropertyGroup] | None = None) -> None:
    """Record the current rest pose, and keep of earlier records only the names in `kept`; see `note_bones`.

    `rows` is by default all rows of the verbs' lists.
    """
    now = _rests(armature)
    there = {name for name, *_ in now}
    store_lying(armature, now + [one for one in lain(armature) if one[0] in kept and one[0] not in there])
    every = (row for verb in armature.verbs_adverbs.verbs for row in verb.examples)
    _note_actions(armature, every if rows is None else rows)


def lain(armature: Object) -> list[Lain]:
    """Return the recorded rest pose of an armature's bones."""
    return [(one.name, one.parent, tuple(one.rest)) for one in armature.verbs_adverbs.bone_names.seen]


def store_lying(armature: Object, rows: Sequence[Lain]) -> None:
    """Store a recorded rest pose of an armature's bones, unless it is already stored."""
    if rows == lain(armature):
        return
    seen = armature.verbs_adverbs.bone_names.seen
    seen.clear()
    for name, parent, rest in rows:
        one = seen.add()
        one.name, one.parent, one.rest = name, parent, rest


def _note_actions(armature: Object, rows: Iterable[PropertyGroup]) -> None:
    told: dict[Action, str] = {}
    for row in rows:
        action = row.action
        if action is not None:
            told[action] = told.get(action) or digest_of(keyed_names(action, armature))
            if row.bones != told[action]:
                row.bones = told[action]


def _rests(armature: Object) -> list[Lain]:
    """Return the bones' rest frames, in the armature's space and row by row."""
    bones = armature.data.bones
    flat = array("f", bytes(4 * 16 * len(bones)))
    bones.foreach_get("matrix_local", flat)
    columns = [flat[16 * row : 16 * row + 16] for row in range(len(bones))]
    parents = [bone.parent.name if bone.parent else "" for bone in bones]
    rests = (tuple(column[4 * c + r] for r in range(4) for c in range(4)) for column in columns)
    return list(zip(bones.keys(), parents, rests, strict=True))


def lying_now(armature: Object) -> "dict[str, Lying]":
    """Return the bones of an armature in their current rest pose."""
    return _lying(_rests(armature))


def seen_before(armature: Object) -> "dict[str, Lying]":
    """Return the bones of an armature in the recorded rest pose; none if it was never recorded."""
    return _lying(lain(armature))


def _lying(rows: Sequence[Lain]) -> "dict[str, Lying]":
    import numpy as np

    from ....core.detect.corresponding_bones import Lying

    return {name: Lying(parent, np.array(rest, dtype=np.float64).reshape(4, 4)) for name, parent, rest in rows}


def content_before(armature: Object, action: Action, before: Mapping[str, str]) -> ActionContent:
    """Return an action's content before bones were renamed, whether or not Blender has renamed its curves with them.

    Parameters
    ----------
    before : earlier names of renamed bones, by their current names.
    """
    kept = is_before(armature, action, {name: bone for bone, name in before.items()})
    content = read_content(action, armature, NOTHING if kept else Names(before))
    return called_now(content, BoneNames(armature).of_curves(action))


def is_before(armature: Object, action: Action, mapped: Mapping[str, str]) -> bool:
    """Return whether an action's curves still have the names from before bones were renamed.

    If those were not recorded, an action that the armature plays, directly or in a strip, counts as renamed by Blender.

    Parameters
    ----------
    mapped : current name of the bone for each earlier name.
    """
    rows = [row for verb in armature.verbs_adverbs.verbs for row in verb.examples if row.action == action and row.bones]
    names = keyed_names(action, armature)
    if rows and digest_of(names) == rows[0].bones:
        return True
    back = {bone: name for name, bone in mapped.items()}
    if rows and digest_of(tuple(back.get(name, name) for name in names)) == rows[0].bones:
        return False
    return action not in {keyed_in(armature), *(strip.action for strip in nla_strips(armature))}
