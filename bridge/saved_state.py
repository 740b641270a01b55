"""What an armature was before a verb moved it, kept on the director as text, and given back exactly."""

import json
from array import array
from collections.abc import Iterable, Iterator

import bpy
from bpy.types import Object, Scene

from ..core.errors import RigError
from .curves import OBJECT, parse_path
from .kept import replace_action
from .live_directors import scene_of
from .parts import REST
from .versions import assigned_slot_name, curves_of, is_slotless

SETTINGS = ("use_nla", "action_blend_type", "action_extrapolation", "action_influence")
WHILE_LIVE = {
    "use_nla": False,
    "action_blend_type": "REPLACE",
    "action_extrapolation": "HOLD",
    "action_influence": 1.0,
}


def check_free(armature: Object) -> None:
    """Check that an armature can be given an action.

    Raises
    ------
    RigError
        If an NLA strip is being edited: Blender lets no action be assigned then.
    """
    data = armature.animation_data
    if data is not None and data.use_tweak_mode:
        raise RigError(
            f"An NLA strip of '{armature.name}' is being edited. Leave its tweak mode (Tab in the NLA) first."
        )


def leave_tweak_mode(armature: Object) -> None:
    """End the editing of an NLA strip, so that an action can be assigned."""
    data = armature.animation_data
    if data is not None and data.use_tweak_mode:
        data.use_tweak_mode = False


def save_state(armature: Object, director: Object) -> None:
    """Keep on the director what the armature is now: action, slot, settings, pose, own transform and properties."""
    data = armature.animation_data
    saved = director.verbs_adverbs
    saved.saved_action = data.action if data else None
    saved.saved_slot = assigned_slot_name(armature)
    state = {
        "frame": scene_of(armature, bpy.context.scene).frame_current_final,
        "animated": data is not None,
        "slotless": is_slotless(armature),
        "settings": {name: getattr(data, name) for name in SETTINGS} if data else {},
        "last_slot": getattr(data, "last_slot_identifier", ""),
        "bones": [bone.name for bone in armature.pose.bones],
        "pose": {name: _floats(armature, name).tolist() for name in REST},
        "object": {name: list(getattr(armature, name)) for name in REST},
        "values": {},
    }
    saved.saved_pose = json.dumps(state)


def save_values(armature: Object, director: Object, paths: Iterable[str]) -> None:
    """Keep also what single properties are, unless they were kept before."""
    saved = director.verbs_adverbs
    state = json.loads(saved.saved_pose)
    for path in paths:
        if path not in state["values"]:
            value = armature.path_resolve(path)
            state["values"][path] = value if isinstance(value, bool | int | float | str) else list(value)
    saved.saved_pose = json.dumps(state)


def prepare(armature: Object) -> None:
    """Put at rest what the assigned action keys, and let nothing but the next action move the armature."""
    data = armature.animation_data_create()
    curves = curves_of(data.action, armature) if data.action else []
    for owner, prop in {parse_path(curve.data_path) for curve in curves}:
        bone = armature if owner == OBJECT else armature.pose.bones.get(owner)
        if bone is not None and prop in REST and not (owner == OBJECT and prop == "scale"):
            setattr(bone, prop, REST[prop])
    for name, value in WHILE_LIVE.items():
        setattr(data, name, value)


def give_back(armature: Object, director: Object) -> None:
    """Make the armature what it was when `save_state` was called."""
    saved = director.verbs_adverbs
    if not saved.saved_pose:
        return
    state = json.loads(saved.saved_pose)
    scene = scene_of(armature, bpy.context.scene)
    data = replace_action(armature, saved.saved_action, saved.saved_slot, state.get("slotless", False))
    for name, value in state["settings"].items():
        setattr(data, name, value)
    if assigned_slot_name(armature) == "" and hasattr(data, "last_slot_identifier"):
        data.last_slot_identifier = state["last_slot"]
    if not state["animated"] and not data.drivers and not data.nla_tracks:
        armature.animation_data_clear()
    _evaluate(scene)
    _restore(armature, state)
    moved_on = state["frame"] != scene.frame_current_final
    armature.update_tag(refresh={"OBJECT", "DATA", "TIME"} if moved_on else {"OBJECT", "DATA"})
    _evaluate(scene)
    saved.saved_pose, saved.saved_slot, saved.saved_action = "", "", None


def _evaluate(scene: Scene) -> None:
    for layer in scene.view_layers:
        layer.update()


def _floats(armature: Object, prop: str) -> array:
    values = array("f", bytes(4 * len(REST[prop]) * len(armature.pose.bones)))
    armature.pose.bones.foreach_get(prop, values)
    return values


def _restore(armature: Object, state: dict) -> None:
    bones = armature.pose.bones
    same = state["bones"] == [bone.name for bone in bones]
    for prop, flat in state["pose"].items():
        if same:
            bones.foreach_set(prop, array("f", flat))
            continue
        for name, values in zip(state["bones"], _rows(flat, len(REST[prop])), strict=True):
            if name in bones:
                setattr(bones[name], prop, values)
    for prop, values in state["object"].items():
        setattr(armature, prop, values)
    for path, value in state["values"].items():
        set_value(armature, path, value)


def _rows(flat: list[float], width: int) -> Iterator[list[float]]:
    yield from (flat[start : start + width] for start in range(0, len(flat), width))


def set_value(armature: Object, path: str, value: object, index: int | None = None) -> None:
    """Set a property, a component of it when `index` is given, by its data path; nothing happens where there is none.

    Integers and switches get the nearest whole number.
    """
    owner_path, name, is_key = _split(path)
    try:
        owner = armature.path_resolve(owner_path) if owner_path else armature
        present = owner[name] if is_key else getattr(owner, name)
    except (ValueError, KeyError, AttributeError):
        return
    if isinstance(present, str):
        if isinstance(value, str):
            setattr(owner, name, value)
        return
    if index is not None and hasattr(present, "__len__"):
        present[index] = type(present[index])(value if isinstance(present[index], float) else round(value))
        return
    if isinstance(present, bool | int):
        value = type(present)(round(value))
    if is_key:
        owner[name] = value
    else:
        setattr(owner, name, value)


def _split(path: str) -> tuple[str, str, bool]:
    """Owner's path, name, and whether the name is a key in brackets."""
    if path.endswith('"]'):
        owner, _, key = path[:-2].rpartition('["')
        return owner, bpy.utils.unescape_identifier(key), True
    owner, _, name = path.rpartition(".")
    return owner, name, False
