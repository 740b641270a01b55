"""What somebody has in a file, by an own walk over Blender's data, and what of it is gone or otherwise later."""

from collections.abc import Iterable
from pathlib import Path

import bpy
from blender.action_hash import digest

Owned = dict[tuple[str, ...], object]


def _plain(owner: bpy.types.bpy_struct, leave: Iterable[str] = ()) -> str:
    """All values of something that point to nothing else, as text."""
    kinds = {"BOOLEAN", "INT", "FLOAT", "STRING", "ENUM"}
    names = sorted(p.identifier for p in owner.bl_rna.properties if p.type in kinds and not p.is_readonly)
    values = ((name, getattr(owner, name)) for name in names if name not in {*leave, "select", "is_active"})
    return repr([(name, one if isinstance(one, str | int | float | set) else list(one)) for name, one in values])


def _curves(curves: Iterable[bpy.types.FCurve]) -> str:
    return repr([(c.data_path, c.array_index, [tuple(key.co) for key in c.keyframe_points]) for c in curves])


def _named(one: bpy.types.ID | None) -> str:
    return "" if one is None else one.name_full


def _custom(owner: bpy.types.bpy_struct) -> str:
    """Custom properties that are not the extension's."""
    own = {key: owner[key] for key in sorted(owner.keys()) if not key.startswith("verbs_adverbs")}
    return repr({key: str(one.to_dict() if hasattr(one, "to_dict") else one) for key, one in own.items()})


def _animation(data: bpy.types.AnimData) -> str:
    tracks = [
        (_plain(track), [(_plain(strip), _named(strip.action), _curves(strip.fcurves)) for strip in track.strips])
        for track in data.nla_tracks
    ]
    drivers = [(one.data_path, one.array_index, one.mute, one.driver.expression) for one in data.drivers]
    slot = getattr(data, "action_slot", None)
    settings = data.use_nla, data.action_blend_type, data.action_extrapolation, data.action_influence
    return repr((_named(data.action), slot and slot.identifier, settings, tracks, drivers))


def of_action(action: bpy.types.Action) -> str:
    """What an action holds: curves, markers and custom properties."""
    markers = sorted((marker.name, marker.frame) for marker in action.pose_markers if "\u2009" not in marker.name)
    return repr((digest(action), markers, _custom(action)))


def of_object(one: bpy.types.Object) -> Owned:
    """What an object has: animation, constraints, custom properties, pose and place."""
    bones = one.pose.bones if one.pose else ()
    every = [("", one), *((bone.name, bone) for bone in bones)]
    place = [tuple(getattr(one, name)) for name in ("location", "rotation_euler", "rotation_quaternion", "scale")]
    held = {name: [(c.name, c.type, c.mute, c.influence) for c in owner.constraints] for name, owner in every}
    modes = {bone.name: bone.rotation_mode for bone in bones}
    pose = {bone.name: [round(value, 6) for row in bone.matrix_basis for value in row] for bone in bones}
    return {
        ("animation", one.name): _animation(one.animation_data) if one.animation_data else "",
        ("constraints", one.name): {name: told for name, told in held.items() if told},
        ("custom", one.name): {name: _custom(owner) for name, owner in every if _custom(owner) != "{}"},
        ("pose", one.name): (modes, pose),
        ("place", one.name): repr((place, _named(one.parent))),
    }


def of_scene(scene: bpy.types.Scene) -> Owned:
    """What a scene is set to, and its strips in the sequencer."""
    render, view = scene.render, bpy.context.view_layer
    editor = scene.sequence_editor
    strips = getattr(editor, "strips_all", None) or getattr(editor, "sequences_all", ())
    frames = scene.frame_start, scene.frame_end, scene.frame_current_final, scene.frame_step
    chosen = sorted(one.name for one in bpy.context.selected_objects)
    return {
        ("settings", scene.name): repr((frames, render.fps, render.fps_base, scene.use_preview_range)),
        ("markers", scene.name): repr([(marker.name, marker.frame) for marker in scene.timeline_markers]),
        ("strips", scene.name): repr(sorted((s.name, s.type, s.channel, s.frame_final_start, s.mute) for s in strips)),
        ("seen", scene.name): repr((bpy.context.mode, _named(view.objects.active), chosen)),
    }


def owned(*objects: bpy.types.Object, scene: bool = True) -> Owned:
    """What there is: all actions by their names, some objects, and the scene."""
    found: Owned = {("action", one.name_full): of_action(one) for one in bpy.data.actions}
    for one in objects:
        found |= of_object(one)
    return found | (of_scene(bpy.context.scene) if scene else {})


def lost(before: Owned, after: Owned) -> list[tuple[str, ...]]:
    """Names of what is gone or otherwise."""
    return sorted(key for key, told in before.items() if after.get(key) != told)


def gone(before: Owned) -> list[str]:
    """Names of the actions whose content is in no action of the file now, whatever they are called."""
    now = {of_action(one) for one in bpy.data.actions}
    return [key[1] for key, told in before.items() if key[0] == "action" and told not in now]


def opened(path: Path, active: str = "Biped") -> bpy.types.Object:
    """Open a file and return an object of it, active and selected."""
    bpy.ops.wm.open_mainfile(filepath=str(path), load_ui=False)
    found = bpy.data.objects[active, None]
    only(found)
    return found


def again(folder: Path, active: str = "Biped") -> bpy.types.Object:
    """Save the file, open it again and return an object of it, active and selected."""
    bpy.ops.wm.save_as_mainfile(filepath=str(folder / "work.blend"))
    return opened(folder / "work.blend", active)


def only(thing: bpy.types.Object) -> None:
    """Select one object alone and make it active."""
    for other in bpy.context.selected_objects:
        other.select_set(False)
    thing.select_set(True)
    bpy.context.view_layer.objects.active = thing
