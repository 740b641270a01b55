"""How an armature's bones lay when its verbs were last built or edited, by which renamed bones are known again.

Of each example's action the names in its curves are noted too: by their order one sees later whether Blender has
renamed them, which it does where the action is assigned.
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
    """Note how the bones of an armature lie, and which names its examples have.

    What was noted of a bone that is gone is kept, and so is everything where bones seem to have exchanged names, until
    the user maps them. Nothing is noted of what cannot be edited.

    Parameters
    ----------
    rows : rows of its verbs' lists of examples.
    """
    if is_linked(armature) or armature.pose is None:
        return
    from ....core.detect.corresponding_bones import exchanged

    present, seen = lying_now(armature), seen_before(armature)
    if not exchanged(seen, present):
        note_anew(armature, {name for name in seen if name not in present}, rows)


def note_anew(armature: Object, kept: Collection[str], rows: Iterable[PropertyGroup] | None = None) -> None:
    """Note how the bones lie now, and keep of what was noted before only the names in `kept`; see `note_bones`.

    Without `rows` all rows of the verbs' lists are meant.
    """
    now = _rests(armature)
    there = {name for name, *_ in now}
    store_lying(armature, now + [one for one in lain(armature) if one[0] in kept and one[0] not in there])
    every = (row for verb in armature.verbs_adverbs.verbs for row in verb.examples)
    _note_actions(armature, every if rows is None else rows)


def lain(armature: Object) -> list[Lain]:
    """Return what is stored of how the bones of an armature lay."""
    return [(one.name, one.parent, tuple(one.rest)) for one in armature.verbs_adverbs.bone_names.seen]


def store_lying(armature: Object, rows: Sequence[Lain]) -> None:
    """Store how the bones of an armature lay, unless that is what is stored."""
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
    """How the bones lie at rest, their frames in the armature's space and row by row."""
    bones = armature.data.bones
    flat = array("f", bytes(4 * 16 * len(bones)))
    bones.foreach_get("matrix_local", flat)
    columns = [flat[16 * row : 16 * row + 16] for row in range(len(bones))]
    parents = [bone.parent.name if bone.parent else "" for bone in bones]
    rests = (tuple(column[4 * c + r] for r in range(4) for c in range(4)) for column in columns)
    return list(zip(bones.keys(), parents, rests, strict=True))


def lying_now(armature: Object) -> "dict[str, Lying]":
    """The bones of an armature as they lie at rest."""
    return _lying(_rests(armature))


def seen_before(armature: Object) -> "dict[str, Lying]":
    """The bones of an armature as they lay when that was noted; none if it never was."""
    return _lying(lain(armature))


def _lying(rows: Sequence[Lain]) -> "dict[str, Lying]":
    import numpy as np

    from ....core.detect.corresponding_bones import Lying

    return {name: Lying(parent, np.array(rest, dtype=np.float64).reshape(4, 4)) for name, parent, rest in rows}


def content_before(armature: Object, action: Action, before: Mapping[str, str]) -> ActionContent:
    """Return what an action held before bones were renamed, whether or not Blender has renamed its curves with them.

    Parameters
    ----------
    before : for bones that were renamed what they were called before.
    """
    kept = is_before(armature, action, {name: bone for bone, name in before.items()})
    content = read_content(action, armature, NOTHING if kept else Names(before))
    return called_now(content, BoneNames(armature).of_curves(action))


def is_before(armature: Object, action: Action, mapped: Mapping[str, str]) -> bool:
    """Whether the names in an action's curves are from before bones were renamed, not renamed by Blender with them.

    Where that was not noted, an action that the armature plays, by itself or in a strip, counts as renamed.

    Parameters
    ----------
    mapped : for each name what the bone is called now.
    """
    rows = [row for verb in armature.verbs_adverbs.verbs for row in verb.examples if row.action == action and row.bones]
    names = keyed_names(action, armature)
    if rows and digest_of(names) == rows[0].bones:
        return True
    back = {bone: name for name, bone in mapped.items()}
    if rows and digest_of(tuple(back.get(name, name) for name in names)) == rows[0].bones:
        return False
    return action not in {keyed_in(armature), *(strip.action for strip in nla_strips(armature))}
