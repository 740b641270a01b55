"""Corrections of a bake by hand, in layers that Blender combines with it: they are kept when baking again."""

from __future__ import annotations

import bpy
from bpy.types import Action, Object

from ....core.bounds import FARTHEST_FRAME
from ....core.errors import ActionError, quoted
from ...action.bake_record import record_of
from ...action.baked_curves import EditedProperty, Edits
from ...action.generated_action import keep
from ...action.nla_strips import Span, Use, layer_above, push_down, quieten, uses_of
from ...action.tracks import COMBINED, Track, difference, keys_of, new_action, write_keys
from ...blender.naming import free_action_name
from ...blender.versions import bag_for_write, bag_unassigned, curves_of
from ...data.director import check_free, holder_of

COMBINES = "COMBINE"


def correct_in_layer(armature: Object, action: Action) -> tuple[Action, list[str]]:
    """Assign a new empty action above an armature's bake, combined with it by Blender; return it with messages.

    The bake is put into an NLA strip if it is not in one. An earlier layer that is assigned becomes a strip above it.

    Raises
    ------
    ActionError
        If the bake is not used by the armature, or something else is assigned over it. Nothing is changed then.
    """
    _check_correctable(armature, action)
    data = armature.animation_data
    if data.action is not None:
        former = data.action
        push_down(armature, span_of(former))
        keep(former)
    quiet = quieten(armature, action)
    made = bpy.data.actions.new(free_action_name(f"{action.name} corrections"))
    bag_for_write(armature, made)
    data.action_blend_type, data.action_extrapolation, data.action_influence = COMBINES, "HOLD", 1.0
    armature.update_tag(refresh={"OBJECT", "DATA", "TIME"})
    told = [f"NLA tracks {', '.join(quiet)} had no effect before and are now muted."] if quiet else []
    return made, told


def _check_correctable(armature: Object, action: Action) -> None:
    check_free(armature)
    if holder_of(armature) is not None:
        raise ActionError(f"A verb is moving '{armature.name}'. Switch it off under Direct, so that the bake plays.")
    data = armature.animation_data
    if not any(use.owner == armature for use in uses_of(action)):
        raise ActionError(f"'{armature.name}' does not play '{action.name}'. Assign it, or put it in an NLA strip.")
    above = data.action
    if above is None or above == action:
        return
    if not curves_of(above, armature) and data.action_blend_type == COMBINES:
        raise ActionError(f"There already is an empty layer '{above.name}'. Key bones in it.")
    if data.action_blend_type == "REPLACE" and data.action_influence > 0.0:
        raise ActionError(
            f"Action '{above.name}' is assigned on top of '{action.name}' and replaces it. Unassign it first, or push "
            "it down in the NLA below the bake."
        )


def span_of(action: Action) -> Span:
    """Return the first and last frame for a strip of an action; the whole scene, too, if modifiers repeat it."""
    curves, record, scene = curves_of(action), record_of(action), bpy.context.scene
    ends = [frame for curve in curves for frame in curve.range() if abs(frame) <= FARTHEST_FRAME]
    first, last = (min(ends), max(ends)) if ends else (record.first, record.last)
    if any(modifier.type == "CYCLES" and not modifier.mute for curve in curves for modifier in curve.modifiers):
        first, last = min(first, scene.frame_start), max(last, scene.frame_end)
    return first, last if last > first else first + 1.0


def check_can_layer(armature: Object, action: Action, edits: Edits | None) -> None:
    """Check that edits of a bake can be kept as a layer above it.

    Raises
    ------
    ActionError
        If nothing plays the bake, the edits cannot be determined, or a verb replaces it on another armature.
    """
    uses = _local_uses(action)
    others = [use.owner for use in uses if use.strip is None and use.owner != armature]
    held = [one.name for one in others if one.animation_data.action != action]
    why = "The edits can no longer be identified" if edits is None else "" if uses else "It is not assigned anywhere"
    if held:
        why = f"{quoted(held)} also uses it and is playing a verb now. Switch that verb off, or instead"
    if why:
        raise ActionError(
            f"The edits of '{action.name}' cannot be moved to a layer. {why}: bake to a new action, or keep a copy."
        )


def _local_uses(action: Action) -> list[Use]:
    return [use for use in uses_of(action) if use.owner.library is None]


def keep_as_layer(armature: Object, action: Action, edits: Edits) -> list[str]:
    """Keep the edits of a bake as strips just above those of the bake; return the names of their actions.

    What Blender can combine is stored as differences; other properties get strips that replace those below. The bake is
    put into an NLA strip wherever it is assigned.
    """
    pairs = [(one, *one.tracks) for one in edits.properties]
    poses = [(one, difference(*pair)) for one, *pair in pairs if len(pair[0].frames) and one.path.endswith(COMBINED)]
    others = [(one, now) for one, before, now in pairs if len(before.frames) and not one.path.endswith(COMBINED)]
    uses = [_in_strip(use, action) for use in _local_uses(action)]
    made: list[str] = []
    for rows, combines, ending in ((others, False, "values"), (poses, True, "edits")):
        if rows:
            layer = _layer(armature, f"{action.name} {ending}", rows, action)
            for use in uses:
                layer_above(use, layer, combines)
            made.append(layer.name)
    return made


def _in_strip(use: Use, action: Action) -> Use:
    if use.strip is not None:
        return use
    pushed = push_down(use.owner, span_of(action))
    quieten(use.owner, action)
    return pushed


def _layer(armature: Object, name: str, rows: list[tuple[EditedProperty, Track]], action: Action) -> Action:
    repeated = {
        (curve.data_path, curve.array_index)
        for curve in curves_of(action, armature)
        if any(modifier.type == "CYCLES" for modifier in curve.modifiers)
    }
    with new_action(name) as layer:
        for curve in write_keys(bag_unassigned(armature, layer), keys_of(track for _, track in rows), handles=True):
            if (curve.data_path, curve.array_index) in repeated and len(curve.keyframe_points) > 1:
                curve.modifiers.new("CYCLES")
    layer.use_fake_user = True
    return layer
