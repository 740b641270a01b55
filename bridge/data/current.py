"""What the user works on: the current armature, action, example, verb and transition; and what must not be edited."""

from collections.abc import Sequence
from typing import Any, TypeAlias, TypeVar

import bpy
from bpy.types import Action, Context, Object, PropertyGroup, Scene, Struct

from ..blender.animation import keyed_in
from ..blender.store import made, while_unchanged
from ..blender.versions import dope_sheet_action, may_hold
from .schema import SCHEMA

Item = TypeVar("Item")
Shape = tuple[tuple[tuple[str, set[int | None]], ...], tuple[str, ...], tuple[str, ...]]

MaybeNone: TypeAlias = Any
"""None, typed as the value that callers may have checked before, as operators and panels do in their `poll`."""

OURS = "VERBS_ADVERBS_"
OWN = "verbs_adverbs"
REMARKS = {"VERBS_ADVERBS_TextItem", "VERBS_ADVERBS_ReportLine"}


def current_armature(context: Context | None) -> Object | MaybeNone:
    """Return the active object if it is an armature, else the armature of which it is the director, a target or a body.

    A context without a window, such as in a timer after another file was opened, has no active object.
    """
    active = getattr(context, "object", None)
    return armature_for(active) if active is not None else None


def selected_armatures(context: Context) -> list[Object]:
    """Return the armatures of all selected objects, found as by `armature_for`."""
    found = (armature_for(one) for one in context.selected_objects)
    return list(dict.fromkeys(one for one in found if one is not None))


def armature_for(active: Object) -> Object | MaybeNone:
    """Return an object if it is an armature, else the armature of which it is the director, a target or a body."""
    if active.type == "ARMATURE":
        return active
    own, above = active.verbs_adverbs if may_hold(active, OWN) else None, active.parent
    if own is not None and own.directs is not None:
        return counterpart(own.directs, active)
    found = active.find_armature() if active.type == "MESH" else None
    found = found or (above if above is not None and above.type == "ARMATURE" else None)
    if found is None and own is not None:
        return _wanting(active, bpy.data.objects.get((own.wanted_by, None)))
    return found


def ours() -> list[Object]:
    """Return the objects that may have data of this extension; reading it on others would create it there."""
    return [one for one in bpy.data.objects if may_hold(one, OWN)]


def counterpart(thing: Object | None, beside: Object) -> Object | MaybeNone:
    """Return a linked object's override in the hierarchy of `beside`, else its only override, else itself."""
    if thing is None or thing.library is None:
        return thing
    found = [one for one in bpy.data.objects if one.override_library and one.override_library.reference == thing]
    root = beside.override_library.hierarchy_root if beside.override_library is not None else None
    near = [one for one in found if root is not None and one.override_library.hierarchy_root == root]
    return next(iter(near), found[0] if len(found) == 1 else thing)


def _wanting(target: Object, armature: Object | None) -> Object | None:
    """Return the armature if the object is still one of its targets, else None."""
    if armature is None or armature.type != "ARMATURE":
        return None
    own = armature.verbs_adverbs
    led = own.director.verbs_adverbs.performance.target if own.director is not None else None
    return armature if target in (led, *(one.object for verb in own.verbs for one in verb.targets)) else None


def current_action(context: Context | None) -> Action | MaybeNone:
    """Return the action to annotate: the one in the Dope Sheet, else the armature's."""
    space = context.space_data if context is not None else None
    if context is not None and space is not None and space.type == "DOPESHEET_EDITOR":
        return dope_sheet_action(context)
    armature = current_armature(context)
    return keyed_in(armature) if armature else None


def at(items: Sequence[Item], index: int) -> Item | MaybeNone:
    """Return an item of a list, or None if the list has no such row."""
    return items[index] if 0 <= index < len(items) else None


def current_example(context: Context | None) -> PropertyGroup | MaybeNone:
    """Return the active example in the current action's list, or None."""
    action = current_action(context)
    return at(action.verbs_adverbs.examples, action.verbs_adverbs.active_example) if action else None


def current_verb(context: Context | None) -> PropertyGroup | MaybeNone:
    """Return the active verb in the current armature's list, or None."""
    armature = current_armature(context)
    return at(armature.verbs_adverbs.verbs, armature.verbs_adverbs.active_verb) if armature else None


def current_transition(context: Context | None) -> PropertyGroup | MaybeNone:
    """Return the active transition in the current armature's list, or None."""
    armature = current_armature(context)
    return at(armature.verbs_adverbs.transitions, armature.verbs_adverbs.active_transition) if armature else None


def action_of(item: PropertyGroup) -> Action:
    """Return the action on which an example or a part of one is stored."""
    return item.id_data  # pyright: ignore[reportReturnType]


def armature_of(item: PropertyGroup) -> Object:
    """Return the armature on which a verb, an adverb or a part of one is stored."""
    return item.id_data  # pyright: ignore[reportReturnType]


def is_newer(data: PropertyGroup) -> bool:
    """Return whether an annotation or definition was made by a later version, and so must not be edited or played.

    It was if its schema version is higher, or if it stores an enum value that this version does not know.
    """
    question = "unknown choices", data.id_data.session_uid
    return data.schema > SCHEMA or while_unchanged(question, lambda: _holds_unknown(data))


def newer_told(kind: str, owner: Action | Object) -> str:
    """Return a sentence that says why a data-block with newer data is not edited; empty if its data is not newer.

    `kind` is the first word of the sentence, such as 'Action'.
    """
    newer = "was made by a newer version of Verbs & Adverbs, so it is neither edited nor played here"
    return f"{kind} '{owner.name}' {newer}" if is_newer(owner.verbs_adverbs) else ""


def _holds_unknown(group: PropertyGroup) -> bool:
    choices, lists, groups = made(("choices", group.bl_rna.identifier), lambda: _shape_of(group))
    stored: Any = group  # as a mapping it gives the stored enum numbers; as an attribute an unknown one reads as empty
    if any(stored.get(name) not in known for name, known in choices):
        return True
    inner = (item for name in lists for item in getattr(group, name))
    return any(map(_holds_unknown, inner)) or any(_holds_unknown(getattr(group, name)) for name in groups)


def _shape_of(group: PropertyGroup) -> Shape:
    """Return the enums of a group with the numbers they may store, and the lists and groups that contain enums."""
    choices, lists, groups = [], [], []
    for prop in group.bl_rna.properties:
        inner = getattr(prop, "fixed_type", None)
        if prop.type == "ENUM":
            choices.append((prop.identifier, {None, *(item.value for item in prop.enum_items)}))
        elif inner is not None and _is_ours(inner) and _has_choices(inner):
            (lists if prop.type == "COLLECTION" else groups).append(prop.identifier)
    return tuple(choices), tuple(lists), tuple(groups)


def _is_ours(shape: Struct) -> bool:
    return shape.identifier.startswith(OURS) and shape.identifier not in REMARKS


def _has_choices(shape: Struct) -> bool:
    """Return whether a type of group has enums, or contains groups or lists that have."""
    inner = (one for prop in shape.properties if (one := getattr(prop, "fixed_type", None)) is not None)
    return any(prop.type == "ENUM" for prop in shape.properties) or any(map(_has_choices, filter(_is_ours, inner)))


def is_linked(owner: Action | Object) -> bool:
    """Return whether a data-block is linked from another file, with an override or not: most edits are not saved."""
    return owner.library is not None or owner.override_library is not None


Facing = tuple[Object, tuple[float, ...], str]


def facings() -> list[Facing]:
    """Return the reference heading of each armature's verbs, which is set when the first of them is built."""
    found = ((one, one.verbs_adverbs) for one in bpy.data.objects if one.type == "ARMATURE")
    return [(one, tuple(own.reference), own.reference_root) for one, own in found]


def face_again(kept: list[Facing]) -> None:
    """Restore what `facings` returned, after something was built for an edit that was then rejected."""
    for one, reference, root in kept:
        own = one.verbs_adverbs
        if (tuple(own.reference), own.reference_root) != (reference, root):
            own.reference, own.reference_root = reference, root


def scene_of(director: Object, preferred: Scene) -> Scene:
    """Return the scene that sets the frame rate of a director: the preferred one if it is in that, else its first."""
    if preferred.objects.get(director.name) == director:
        return preferred
    scenes = director.users_scene
    return preferred if preferred in scenes or not scenes else scenes[0]
