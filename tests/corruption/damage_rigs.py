"""Damages to armatures, data-blocks and scenes, each chosen by chance."""

from pathlib import Path
from random import Random

import bpy

from .damage import NUMBERS, TEXTS, CannotDamage, names_in_file, one_of
from .stored import GROUP, owners, places


def _armature(rng: Random) -> bpy.types.Object:
    return one_of(rng, [one for one in bpy.data.objects if one.type == "ARMATURE" and one.data.bones])


def _edit(armature: bpy.types.Object) -> None:
    if bpy.context.mode != "OBJECT":
        bpy.ops.object.mode_set(mode="OBJECT")
    if armature.name not in bpy.context.view_layer.objects:
        raise CannotDamage
    bpy.context.view_layer.objects.active = armature
    bpy.ops.object.mode_set(mode="EDIT")


def bones(rng: Random) -> str:
    """Rename, delete, move, reparent or add a bone."""
    armature = _armature(rng)
    how = rng.choice(("rename", "delete", "parent", "place", "add"))
    told = f"bones of {armature.name}: {how}"
    if how == "rename":
        bone = one_of(rng, armature.data.bones)
        bone.name = rng.choice(("Other", "x" * 60, "\U0001f600", 'quo"te', bone.name.swapcase()))
        return told
    active = bpy.context.view_layer.objects.active
    _edit(armature)
    edited = armature.data.edit_bones
    bone = one_of(rng, edited)
    if how == "delete":
        edited.remove(bone)
    elif how == "parent":
        bone.parent = rng.choice([None, *(other for other in edited if other != bone)])
    elif how == "place":
        bone.head.z += rng.choice((0.3, 1e6, -50.0))
    else:
        edited.new("Added").tail = (0, 0, 1)
    if rng.random() < 0.9:
        bpy.ops.object.mode_set(mode="OBJECT")
        bpy.context.view_layer.objects.active = active
    return told


def rig(rng: Random) -> str:
    """Change an armature: other data, a constraint, another rotation mode, a bone at a place that is no number, ..."""
    armature = _armature(rng)
    bone = one_of(rng, armature.pose.bones)
    how = rng.choice(("data", "constraint", "bone constraint", "mode", "all modes", "nowhere", "lock", "rest", "own"))
    if how == "data":
        armature.data = rng.choice([bpy.data.armatures.new("Empty"), *bpy.data.armatures])
    elif how == "constraint":
        made = armature.constraints.new(rng.choice(("COPY_LOCATION", "CHILD_OF", "LIMIT_SCALE", "FOLLOW_PATH")))
        if hasattr(made, "target"):
            made.target = rng.choice(list(bpy.data.objects))
    elif how == "bone constraint":
        made = bone.constraints.new(rng.choice(("IK", "COPY_ROTATION", "COPY_TRANSFORMS", "STRETCH_TO")))
        made.target = rng.choice(list(bpy.data.objects))
    elif how in {"mode", "all modes"}:
        mode = rng.choice(("XYZ", "ZXY", "AXIS_ANGLE", "QUATERNION"))
        for one in armature.pose.bones if how == "all modes" else [bone]:
            one.rotation_mode = mode
    elif how == "nowhere":
        bone.location.x = rng.choice(NUMBERS)
    elif how == "lock":
        bone.lock_location = bone.lock_rotation = bone.lock_scale = (True, True, True)
    elif how == "rest":
        armature.data.pose_position = "REST"
    else:
        bone["own"] = 1.0
    return f"{armature.name}: {how}"


def place(rng: Random) -> str:
    """Change an object's transform: a scale of zero or below, a place that is no number, a parent, ..."""
    one = one_of(rng, [found for found in bpy.data.objects if found.type in {"ARMATURE", "EMPTY", "MESH"}])
    how = rng.choice(("scale", "location", "rotation", "parent", "bone parent", "mode", "delta"))
    if how == "scale":
        one.scale = rng.choice(((0, 0, 0), (-1, 1, 1), (1, 2, 3), (1e-20, 1, 1), (1e20, 1e20, 1e20)))
    elif how == "location":
        one.location[rng.randrange(3)] = rng.choice(NUMBERS)
    elif how == "rotation":
        one.rotation_euler[rng.randrange(3)] = rng.choice(NUMBERS)
    elif how == "mode":
        one.rotation_mode = rng.choice(("QUATERNION", "AXIS_ANGLE", "ZYX"))
    elif how == "delta":
        one.delta_scale = (0, 0, 0)
    else:
        one.parent = rng.choice(list(bpy.data.objects))
        if how == "bone parent":
            one.parent_type, one.parent_bone = "BONE", names_in_file(rng)
    return f"{one.name}: {how}"


def block(rng: Random) -> str:
    """Change a data-block as a whole: delete, rename, copy, hide it, or take it out of the scene."""
    data = bpy.data
    often = (data.objects, data.actions) * 3
    kinds = (*often, data.armatures, data.meshes, data.curves, data.collections)
    kind = one_of(rng, [found for found in kinds if len(found)])
    one = one_of(rng, kind)
    how = rng.choice(("remove", "remove", "rename", "copy", "unlink", "hide", "no users"))
    told = f"{how} {one.name}"
    if how == "remove":
        kind.remove(one)
    elif how == "rename":
        one.name = rng.choice((*(text for text in TEXTS if text.isprintable()), one_of(rng, kind).name))
    elif how == "copy":
        copied = one.copy()
        if isinstance(one, bpy.types.Object):
            bpy.context.collection.objects.link(copied)
    elif how == "no users":
        one.use_fake_user = False
        one.user_clear() if isinstance(one, bpy.types.Action) else None
    elif not isinstance(one, bpy.types.Object):
        raise CannotDamage
    elif how == "hide":
        one.hide_viewport = True
    else:
        for collection in list(one.users_collection):
            collection.objects.unlink(one)
    return told


def assigned(rng: Random) -> str:
    """Change what animates an object: another action, another slot or none, a strip in the NLA, ..."""
    one = one_of(rng, [found for found in bpy.data.objects if found.animation_data])
    data = one.animation_data
    how = rng.choice(("action", "none", "slot", "strip", "tweak", "clear", "influence", "no nla", "blend"))
    if how == "action":
        data.action = one_of(rng, bpy.data.actions)
    elif how == "none":
        data.action = None
    elif how == "slot":
        data.action_slot = None
    elif how in {"strip", "tweak"}:
        track = data.nla_tracks.new()
        track.strips.new("strip", rng.randrange(-20, 60), one_of(rng, bpy.data.actions))
        if how == "tweak":
            data.action = None
            for strip in track.strips:
                strip.select = True
            data.nla_tracks.active = track
            data.use_tweak_mode = True
    elif how == "clear":
        one.animation_data_clear()
    elif how == "influence":
        data.action_influence = 0.0
    elif how == "no nla":
        data.use_nla = False
    else:
        data.action_blend_type = "ADD"
    return f"assigned to {one.name}: {how}"


def driver(rng: Random) -> str:
    """Add a driver to a stored value, a slider or a location, with an expression that may fail."""
    one = one_of(rng, owners())
    stored = [(g, p) for there in places().values() for g, p in there if g.id_data == one]
    numbers = [(g, p) for g, p in stored if p.type in {"FLOAT", "INT"}]
    paths = [f"{g.path_from_id()}.{p.identifier}" for g, p in numbers] if rng.random() < 0.5 else []
    if not paths and isinstance(one, bpy.types.Object):
        paths = ["location", *(f'["{key}"]' for key in one.keys() if key != GROUP)]
    made = one.driver_add(one_of(rng, paths))
    for found in made if isinstance(made, list) else [made]:
        found.driver.expression = rng.choice(("1/0", "?", "nothing", "frame * 0.01", "float('nan')", ""))
    return f"driven: {one.name} {found.data_path} by {found.driver.expression!r}"


def scene(rng: Random) -> str:
    """Change the scene's frame rate or its range of frames, or show another scene."""
    one = bpy.context.scene
    how = rng.choice(("fps", "base", "range", "start", "current", "unit", "preview", "step", "another", "markers"))
    if how == "fps":
        one.render.fps = rng.choice((1, 12, 25, 120, 1000))
    elif how == "base":
        one.render.fps_base = rng.choice((1.001, 0.01, 100.0))
    elif how == "range":
        one.frame_start, one.frame_end = 200, rng.choice((1, 100, 199))
    elif how == "start":
        one.frame_start = rng.choice((0, 59, 60))
    elif how == "current":
        one.frame_set(rng.choice((-50, 0, 10**6, 1048574)), subframe=rng.choice((0.0, 0.37)))
    elif how == "unit":
        one.unit_settings.scale_length = rng.choice((0.01, 100.0, 1e-6))
    elif how == "preview":
        one.use_preview_range, one.frame_preview_start, one.frame_preview_end = True, 30, 20
    elif how == "step":
        one.frame_step = 7
    elif how == "another":
        other = bpy.data.scenes.new("Another")
        other.collection.objects.link(one_of(rng, bpy.data.objects))
    else:
        for action in bpy.data.actions:
            for marker in action.pose_markers:
                marker.frame, marker.name = rng.choice((-5, 3, 10**5)), rng.choice(TEXTS)
    return f"scene: {how}"


def linked(rng: Random) -> str:
    """Link a character from another file, perhaps with an override, and make it active."""
    folder = Path(bpy.data.filepath).parent
    open_already = {"case", Path(bpy.data.filepath).stem}
    source = rng.choice(sorted(path for path in folder.glob("*.blend") if path.stem not in open_already))
    override = rng.random() < 0.5
    with bpy.data.libraries.load(str(source), link=True) as (there, here):
        here.objects = [name for name in there.objects if name in {"Biped", "Little", "Biped director"}]
    brought = [one for one in here.objects if one is not None]
    for one in brought:
        bpy.context.collection.objects.link(one)
    first = one_of(rng, brought)
    if override:
        first.override_hierarchy_create(bpy.context.scene, bpy.context.view_layer)
    else:
        bpy.context.view_layer.objects.active = first
    return f"linked {source.stem}{' overridden' if override else ''}"
