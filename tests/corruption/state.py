"""Everything that a file contains, piece by piece, read without the extension's code."""

import hashlib
from collections.abc import Iterator

import bpy
import numpy as np

from .stored import GROUP, written

MARK = "source"
"""Custom property that marks data of the user, whose keys, bones and vertices the extension must not change."""
Name = tuple[str, str]
BEZIER = 2


def _sum(*parts: object) -> str:
    found = hashlib.md5(usedforsecurity=False)
    for part in parts:
        found.update(part if isinstance(part, bytes) else repr(part).encode("utf-8", "surrogatepass"))
    return found.hexdigest()


def curves(action: bpy.types.Action) -> Iterator[tuple[str, bpy.types.FCurve]]:
    """Yield F-curves, each with a text that says in which layer, strip and slot it is."""
    if not hasattr(action, "layers"):
        yield from (("", curve) for curve in action.fcurves)
        return
    for layer in action.layers:
        for strip in layer.strips:
            for bag in strip.channelbags:
                yield from ((str(bag.slot_handle), curve) for curve in bag.fcurves)


def curve_lists(action: bpy.types.Action) -> list[object]:
    """The collections that hold an action's F-curves."""
    if not hasattr(action, "layers"):
        return [action.fcurves]
    return [bag.fcurves for layer in action.layers for strip in layer.strips for bag in strip.channelbags]


def _keys(action: bpy.types.Action) -> str:
    """Digest of what an action plays, with handles only for keys that use them."""
    parts: list[object] = [[(slot.identifier, slot.handle) for slot in getattr(action, "slots", ())]]
    for place, curve in curves(action):
        points = curve.keyframe_points
        modifiers = [(one.type, one.mute, one.influence) for one in curve.modifiers]
        parts.append((place, curve.data_path, curve.array_index, curve.mute, curve.extrapolation, modifiers))
        numbers, kinds = np.empty(2 * len(points), dtype=np.float32), np.empty(len(points), dtype=np.int32)
        points.foreach_get("interpolation", kinds)
        parts.append(kinds.tobytes())
        for name in ("co", "handle_left", "handle_right") if BEZIER in kinds else ("co",):
            points.foreach_get(name, numbers)
            parts.append(numbers.tobytes())
    return _sum(*parts)


def _value(value: object) -> object:
    if hasattr(value, "to_dict"):
        return value.to_dict()
    if hasattr(value, "to_list"):
        return value.to_list()
    return getattr(value, "name_full", value)


def _custom(one: bpy.types.ID) -> str:
    return repr([(key, _value(one[key])) for key in sorted(one.keys()) if key != GROUP])


def _playing(one: bpy.types.ID) -> object:
    """What animates a data-block, apart from keys: its action, slot, NLA and drivers."""
    data = one.animation_data
    if data is None:
        return None
    tracks = [
        (track.name, track.mute, [(strip.name, getattr(strip.action, "name_full", ""), strip.frame_start, strip.mute)
                                  for strip in track.strips])
        for track in data.nla_tracks
    ]  # fmt: skip
    drivers = [(one.data_path, one.array_index, one.driver.expression) for one in data.drivers]
    slot = getattr(data, "action_slot", None)
    return getattr(data.action, "name_full", ""), slot and slot.identifier, data.use_tweak_mode, tracks, drivers


def _pose(one: bpy.types.Object) -> str:
    bones = one.pose.bones if one.pose else ()
    return _sum(*(np.array(bone.matrix_basis).tobytes() + bone.rotation_mode.encode() for bone in bones))


def _links(one: bpy.types.Object) -> object:
    bones = one.pose.bones if one.pose else ()
    held = [(bone.name, [(c.type, c.name, c.mute) for c in bone.constraints]) for bone in bones]
    added = [(m.type, m.name) for m in one.modifiers], [(c.type, c.name, c.mute) for c in one.constraints]
    data = getattr(one.data, "name_full", "")
    parent = getattr(one.parent, "name_full", "")
    return data, parent, one.parent_type, one.parent_bone, held, added, one.hide_viewport


def _object(one: bpy.types.Object) -> Iterator[tuple[Name, object]]:
    name = one.name_full
    place = [tuple(getattr(one, n)) for n in ("location", "rotation_euler", "rotation_quaternion", "scale")]
    yield ("place", name), repr((place, one.rotation_mode))
    yield ("links", name), repr(_links(one))
    yield ("playing", name), repr(_playing(one))
    yield ("pose", name), _pose(one)
    yield ("custom", name), _custom(one)
    yield ("stored", name), repr(written(getattr(one, GROUP))) if hasattr(one, GROUP) else ""


def _bones(one: bpy.types.Armature) -> str:
    if one.is_editmode:
        return _sum([(bone.name, tuple(bone.head), tuple(bone.tail), bone.roll) for bone in one.edit_bones])
    rows = [(b.name, getattr(b.parent, "name", ""), tuple(b.head_local), tuple(b.tail_local)) for b in one.bones]
    return _sum(rows)


def _vertices(one: bpy.types.Mesh) -> str:
    numbers = np.empty(3 * len(one.vertices), dtype=np.float32)
    one.vertices.foreach_get("co", numbers)
    return _sum(numbers.tobytes(), len(one.polygons))


def _settings(scene: bpy.types.Scene) -> str:
    names = ("frame_start", "frame_end", "frame_step", "use_preview_range")
    units = scene.unit_settings.scale_length, scene.unit_settings.system
    return repr(([getattr(scene, name) for name in names], scene.render.fps, scene.render.fps_base, units))


def everything(keys: bool = True) -> dict[Name, object]:
    """Return everything that an operator could change, by kind and owner; keys of actions only if `keys` is set."""
    found: dict[Name, object] = {}
    for action in bpy.data.actions:
        name = action.name_full
        markers = sorted((marker.name, marker.frame) for marker in action.pose_markers)
        if keys:
            found["keys", name] = _keys(action)
        found["notes", name] = repr(markers), repr(written(getattr(action, GROUP))) if hasattr(action, GROUP) else ""
        found["custom action", name] = _custom(action), action.use_fake_user
    for one in bpy.data.objects:
        found.update(_object(one))
    for one in bpy.data.armatures:
        found["edited bones" if one.is_editmode else "bones", one.name_full] = _bones(one)
    found.update({("vertices", one.name_full): _vertices(one) for one in bpy.data.meshes})
    for one in bpy.data.collections:
        found["collection", one.name_full] = repr(sorted(member.name_full for member in one.objects))
    for scene in bpy.data.scenes:
        members = sorted(member.name_full for member in scene.objects)
        found["settings", scene.name_full] = _settings(scene)
        found["scene", scene.name_full] = repr((members, scene.frame_current_final, _custom(scene)))
    active = bpy.context.view_layer.objects.active
    found["context", ""] = repr((bpy.context.mode, getattr(active, "name_full", "")))
    return found


def bake_names() -> set[Name]:
    """Names of the keys of bakes, which are there to be baked again."""
    return {("keys", one.name_full) for one in bpy.data.actions if one.verbs_adverbs.bake.kind != "NONE"}


def source_names() -> set[Name]:
    """Names of what no operator may change: keys of marked actions, bones, vertices, settings and places."""
    found = {("keys", one.name_full) for one in bpy.data.actions if one.get(MARK) and not one.library}
    found |= {("bones", one.name_full) for one in bpy.data.armatures if one.get(MARK) and not one.is_editmode}
    found |= {("vertices", one.name_full) for one in bpy.data.meshes if one.get(MARK)}
    found |= {("settings", one.name_full) for one in bpy.data.scenes}
    rest = [one for one in bpy.data.objects if one.get(MARK) and one.type != "ARMATURE"]
    still = [one for one in rest if not one.animation_data]
    return found | {(kind, one.name_full) for one in still for kind in ("place", "links", "custom")}
