"""Everything that differs between Blender 4.2 and 5.2; no other file checks the version."""

from collections.abc import Iterator
from functools import cache
from typing import Any

import bpy
from bpy.types import Action, AnimData, FCurve, PoseBone

MADE_WITHOUT_SLOTS = "OBLegacy Slot"
"""Identifier of the slot that Blender gives to an action of a file that was saved before actions had slots."""


@cache
def has_slots() -> bool:
    """Return whether actions have slots (Blender 4.4 and up)."""
    return "slots" in bpy.types.Action.bl_rna.properties


def slot_of(action: Action, owner: bpy.types.ID | None = None) -> object | None:
    """Return the slot of `action` to read for `owner`.

    The slot assigned to the owner, else one named after it, else the first one that an object can use: an
    action made on another armature with the same bones has only that armature's slot.
    """
    if not has_slots():
        return None
    data = getattr(owner, "animation_data", None)
    if data and data.action == action and data.action_slot:
        return data.action_slot
    wanted = owner.id_type if owner else "OBJECT"
    suitable = [slot for slot in action.slots if slot.target_id_type in {wanted, "UNSPECIFIED"}]
    named = [slot for slot in suitable if owner and slot.name_display == owner.name]
    return next(iter(named or suitable), None)


def users_may_be_miscounted() -> bool:
    """Return whether data-blocks that stored properties of older files point at may count too many users, since 5.0.

    After an undo `bpy.data.version` no longer says that a file is an older one.
    """
    return bpy.app.version >= (5, 0, 0)


def slot_number(action: Action, owner: bpy.types.ID) -> int:
    """Return the handle of the slot of `action` to read for `owner`, 0 for an action that was made without slots.

    It keeps digests made in one version of Blender valid when a later version opens the file.
    """
    slot = slot_of(action, owner)
    return 0 if slot is None or slot.identifier == MADE_WITHOUT_SLOTS else slot.handle


def curves_of(action: Action, owner: bpy.types.ID | None = None) -> list[FCurve]:
    """Return F-curves of `action` that move `owner`; without an owner, those of its first slot for an object."""
    return curves_in(action, slot_of(action, owner))


def all_curves_of(action: Action) -> Iterator[FCurve]:
    """Yield the F-curves of `action`, whatever they move."""
    strips = (strip for layer in action.layers for strip in layer.strips) if has_slots() else ()
    for bag in (bag for strip in strips for bag in strip.channelbags) if has_slots() else (action,):
        yield from bag.fcurves


def assign_action(owner: bpy.types.ID, action: Action | None, slot_name: str = "", slotless: bool = False) -> AnimData:
    """Assign `action` to `owner` together with a slot that plays, without ever creating a slot.

    Parameters
    ----------
    owner : object or other data-block.
    action : None unassigns the action.
    slot_name : identifier of the slot to assign; the best match if empty or missing.
    slotless : assign no slot, so that the action moves nothing.
    """
    data = owner.animation_data_create()
    data.action = action
    if slotless and has_slots():
        data.action_slot = None
    elif action is not None and has_slots():
        named = next((slot for slot in action.slots if slot.identifier == slot_name), None)
        if named is not None or data.action_slot is None:
            data.action_slot = named or slot_of(action, owner)
    return data  # pyright: ignore[reportReturnType]


def assigned_slot_name(owner: bpy.types.ID) -> str:
    """Return the identifier of the slot that is assigned to `owner`, empty when there is none."""
    slot = getattr(owner.animation_data, "action_slot", None)
    return slot.identifier if slot else ""


def is_slotless(owner: bpy.types.ID) -> bool:
    """Return whether an action is assigned to `owner` without a slot, so that it does not move it."""
    data = owner.animation_data
    return has_slots() and data is not None and data.action is not None and data.action_slot is None


def bag_for_write(owner: bpy.types.ID, action: Action) -> object:
    """Assign `action`, which the extension has made, to `owner` and return the container of its F-curves.

    That is the action itself before Blender 4.4 and a channelbag since; both have `fcurves` and `groups`.
    """
    data = owner.animation_data_create()
    data.action = action
    if not has_slots():
        return action
    if data.action_slot is None:
        found = next(iter(data.action_suitable_slots), None)
        data.action_slot = found or action.slots.new(id_type=owner.id_type, name=owner.name)
    return bag_of(action, data.action_slot)


def bag_unassigned(owner: bpy.types.ID, action: Action) -> object:
    """Return the container for F-curves of a new `action` that fits `owner`, without assigning it."""
    slot = action.slots.new(id_type=owner.id_type, name=owner.name) if has_slots() else None
    return bag_of(action, slot)


def slot_with(action: Action, owner: bpy.types.ID, handle: int) -> object | None:
    """Return the slot of an action with what `slot_number` returned for `owner`; None if it was removed."""
    if not handle or not has_slots():
        return slot_of(action, owner)
    return next((slot for slot in action.slots if slot.handle == handle), None)


def curves_in(action: Action, slot: object | None) -> list[FCurve]:
    """Return F-curves of an action in a slot that `slot_with` returned."""
    if not has_slots():
        return list(action.fcurves)
    bags = (strip.channelbag(slot) for layer in action.layers for strip in layer.strips) if slot is not None else ()
    return [curve for bag in bags if bag for curve in bag.fcurves]


def bag_of(action: Action, slot: object | None) -> object:
    """Return the container for F-curves of an action in a slot that `slot_with` returned."""
    if not has_slots():
        return action
    layer = action.layers[0] if action.layers else action.layers.new("Layer")
    strip = layer.strips[0] if layer.strips else layer.strips.new(type="KEYFRAME")
    return strip.channelbag(slot, ensure=True)


def fcurve_ensure(bag: object, path: str, index: int, group: str) -> FCurve:
    """Find or make the F-curve of one component in what `bag_for_write` returned.

    Parameters
    ----------
    bag : an action or a channelbag.
    path, index : RNA data path and component.
    group : name of the group of a new curve, such as the bone's name.
    """
    curve = bag.fcurves.find(path, index=index)
    if curve:
        return curve
    if isinstance(bag, bpy.types.Action):
        return bag.fcurves.new(path, index=index, action_group=group)
    curve = bag.fcurves.new(path, index=index)
    curve.group = bag.groups.get(group) or bag.groups.new(group)
    return curve


def strips_of(scene: bpy.types.Scene) -> list[Any]:
    """Return all strips of a scene's sequencer, nested ones too; they were called sequences before Blender 5.0."""
    editor: Any = scene.sequence_editor
    if editor is None:
        return []
    return list(editor.strips_all if hasattr(editor, "strips_all") else editor.sequences_all)


def strip_span(strip: Any) -> tuple[float, float]:
    """Return first frame of a strip and the one after its last; their names changed in Blender 5.2."""
    if hasattr(strip, "left_handle"):
        return strip.left_handle, strip.right_handle
    return strip.frame_final_start, strip.frame_final_end


def new_strip(
    scene: bpy.types.Scene, kind: str, name: str, channel: int, start: int, end: int, within: Any = None
) -> Any:
    """Add a strip to a scene's sequencer, from a frame to the one after its last.

    Parameters
    ----------
    kind : type of an effect strip, such as ``'TEXT'``, or ``'META'`` for a meta strip.
    within : the meta strip that contains it; None for the sequencer itself.
    """
    holder: Any = within or scene.sequence_editor or scene.sequence_editor_create()
    strips = strips_within(holder)
    if kind == "META":
        return strips.new_meta(name, channel, start)
    by_length = "length" in strips.bl_rna.functions["new_effect"].parameters
    lasting = {"length": end - start} if by_length else {"frame_end": end}
    return strips.new_effect(name=name, type=kind, channel=channel, frame_start=start, **lasting)


def end_strip(strip: Any, end: int) -> None:
    """Set the end of a strip to before a frame."""
    setattr(strip, "right_handle" if hasattr(strip, "right_handle") else "frame_final_end", end)


def place_strip(strip: Any, channel: int, start: int, end: int) -> None:
    """Place a strip in a channel, from a frame to the one after its last; names changed in Blender 5.2."""
    content = "content_start" if hasattr(strip, "content_start") else "frame_start"
    setattr(strip, content, getattr(strip, content) + start - strip_span(strip)[0])
    end_strip(strip, end)
    strip.channel = channel


def inputs_of(strip: Any) -> list[Any]:
    """Return the input strips of an effect strip."""
    inputs = (getattr(strip, name, None) for name in ("input_1", "input_2"))
    return [one for one in inputs if one is not None]


def strips_within(holder: Any) -> Any:
    """Return the strips directly in a sequencer or in a meta strip."""
    return holder.strips if hasattr(holder, "strips") else holder.sequences


def remove_strip(scene: bpy.types.Scene, strip: Any) -> None:
    """Remove a strip from a scene's sequencer, or from its meta strip."""
    holders = [scene.sequence_editor, *(one for one in strips_of(scene) if one.type == "META")]
    held = next(strips for holder in holders if strip in (strips := strips_within(holder)).values())
    held.remove(strip)


def renders_muted_strips() -> bool:
    """Return whether a scene whose strips are all muted is rendered as an empty image, as before Blender 4.5."""
    return bpy.app.version < (4, 5, 0)


def show_sequencer_of(scene: bpy.types.Scene) -> None:
    """Make the window's sequencers show a scene's strips; since Blender 5.0 the workspace says which they show."""
    workspace = bpy.context.workspace
    if workspace is not None and getattr(workspace, "sequencer_scene", scene) is None:
        workspace.sequencer_scene = scene  # pyright: ignore[reportAttributeAccessIssue]


def bone_selected(bone: PoseBone) -> bool:
    """Return whether a bone is selected in pose mode."""
    return bone.select if "select" in bone.bl_rna.properties else bone.bone.select


def dope_sheet_action(context: bpy.types.Context) -> Action | None:
    """Return the action shown in the Dope Sheet of `context`, else the active object's."""
    space = context.space_data
    if space is not None and space.type == "DOPESHEET_EDITOR":
        shown = getattr(space, "action", None) or getattr(context, "active_action", None)
        if shown is not None:
            return shown
    data = context.object.animation_data if context.object else None
    return data.action if data else None


def may_hold(thing: bpy.types.ID, group: str) -> bool:
    """Return whether a data-block may store a registered property group. Before Blender 5.0 reading it stores it."""
    return bpy.app.version >= (5, 0, 0) or group in thing  # pyright: ignore[reportOperatorIssue]
