"""What the user is looking at: the armature, the action, the example, the verb."""

from collections.abc import Sequence
from typing import TypeVar

import bpy
from bpy.types import Action, Context, Object, PropertyGroup, Struct

from ..blender.versions import dope_sheet_action, stored_numbers
from .schema import SCHEMA

Item = TypeVar("Item", bound=PropertyGroup)
Shape = tuple[tuple[tuple[str, set[int | None]], ...], tuple[str, ...], tuple[str, ...]]

OURS = "VERBS_ADVERBS_"
REMARKS = {"VERBS_ADVERBS_TextItem"}
_shapes: dict[str, Shape] = {}


def current_armature(context: Context) -> Object | None:
    """Armature of the active object: itself, or the one that it directs, is a target of, or is a body of."""
    active = context.object
    if active is None or active.type == "ARMATURE":
        return active
    own, above = active.verbs_adverbs, active.parent
    if own.directs is not None:
        return own.directs
    found = active.find_armature() if active.type == "MESH" else None
    found = found or (above if above is not None and above.type == "ARMATURE" else None)
    return found or _wanting(active, bpy.data.objects.get((own.wanted_by, None)))


def _wanting(target: Object, armature: Object | None) -> Object | None:
    """The armature, if that object is a target of it still."""
    if armature is None or armature.type != "ARMATURE":
        return None
    own = armature.verbs_adverbs
    led = own.director.verbs_adverbs.performance.target if own.director is not None else None
    return armature if target in (led, *(one.object for verb in own.verbs for one in verb.targets)) else None


def current_action(context: Context) -> Action | None:
    """Action that is being annotated: the one in the Dope Sheet, else the armature's."""
    space = context.space_data
    if space is not None and space.type == "DOPESHEET_EDITOR":
        return dope_sheet_action(context)
    armature = current_armature(context)
    data = armature.animation_data if armature else None
    return data.action if data else None


def at(items: Sequence[Item], index: int) -> Item | None:
    """Item of a list, None where the list has no such row."""
    return items[index] if 0 <= index < len(items) else None


def current_example(context: Context) -> PropertyGroup | None:
    """Example that is chosen in the current action's list."""
    action = current_action(context)
    return at(action.verbs_adverbs.examples, action.verbs_adverbs.active_example) if action else None


def current_verb(context: Context) -> PropertyGroup | None:
    """Verb that is chosen in the armature's list."""
    armature = current_armature(context)
    return at(armature.verbs_adverbs.verbs, armature.verbs_adverbs.active_verb) if armature else None


def current_transition(context: Context) -> PropertyGroup | None:
    """Transition that is chosen in the armature's list."""
    armature = current_armature(context)
    return at(armature.verbs_adverbs.transitions, armature.verbs_adverbs.active_transition) if armature else None


def is_newer(data: PropertyGroup) -> bool:
    """Whether an annotation or definition was made by a later version, and so must not be edited or played.

    It says so by its schema, or holds a choice that this version does not know: read as it is, that is no choice.
    """
    return data.schema > SCHEMA or _holds_unknown(data)


def newer_told(kind: str, owner: Action | Object) -> str:
    """Why a data-block with newer data is left alone, the words in front of its name first; empty when it has none."""
    newer = "was made by a newer version of Verbs & Adverbs: it is kept, and neither edited nor played"
    return f"{kind} '{owner.name}' {newer}" if is_newer(owner.verbs_adverbs) else ""


def _holds_unknown(group: PropertyGroup) -> bool:
    shape = group.bl_rna.identifier
    if shape not in _shapes:
        _shapes[shape] = _shape_of(group)
    choices, lists, groups = _shapes[shape]
    stored = stored_numbers(group) if choices else None
    if stored is not None and any(stored.get(name) not in known for name, known in choices):
        return True
    inner = (item for name in lists for item in getattr(group, name))
    return any(map(_holds_unknown, inner)) or any(_holds_unknown(getattr(group, name)) for name in groups)


def _shape_of(group: PropertyGroup) -> Shape:
    """Choices of a group with what can be stored of them, its lists and its groups that have choices in them."""
    choices, lists, groups = [], [], []
    for prop in group.bl_rna.properties:
        inner = getattr(prop, "fixed_type", None)
        ours = inner is not None and inner.identifier.startswith(OURS) and inner.identifier not in REMARKS
        if prop.type == "ENUM":
            choices.append((prop.identifier, {None, *(item.value for item in prop.enum_items)}))
        elif ours and _has_choices(inner):
            (lists if prop.type == "COLLECTION" else groups).append(prop.identifier)
    return tuple(choices), tuple(lists), tuple(groups)


def _has_choices(shape: Struct) -> bool:
    """Whether a kind of group has choices, or groups or lists that have."""
    inner = [one for prop in shape.properties if (one := getattr(prop, "fixed_type", None)) is not None]
    ours = (one for one in inner if one.identifier.startswith(OURS) and one.identifier not in REMARKS)
    return any(prop.type == "ENUM" for prop in shape.properties) or any(map(_has_choices, ours))


def is_linked(owner: Action | Object) -> bool:
    """Whether a data-block comes from another file, overridden or not, and so cannot be edited here.

    What is stored on a library override is not saved with it.
    """
    return owner.library is not None or owner.override_library is not None


def origin_told(owner: Action | Object) -> str:
    """Where a data-block comes from that cannot be edited here, to follow its name; empty when it can."""
    if owner.library is not None:
        return "is linked from another file: make it local first"
    if owner.override_library is not None:
        return (
            "is a library override, whose verbs Blender would not save: make it local first (Object > Relations >"
            " Make Local), or work in the file that it comes from"
        )
    return ""


Facing = tuple[Object, tuple[float, ...], str]


def facings() -> list[Facing]:
    """How the verbs of every armature face, which building the first of them decides."""
    found = ((one, one.verbs_adverbs) for one in bpy.data.objects if one.type == "ARMATURE")
    return [(one, tuple(own.reference), own.reference_root) for one, own in found]


def face_again(kept: list[Facing]) -> None:
    """Let verbs face as they did before something was built for what was refused then."""
    for one, reference, root in kept:
        own = one.verbs_adverbs
        if (tuple(own.reference), own.reference_root) != (reference, root):
            own.reference, own.reference_root = reference, root
