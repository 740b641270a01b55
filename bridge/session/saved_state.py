"""What an armature was before a verb moved it, kept on the director as text, and given back exactly.

The text may have come through other hands: what cannot be understood of it is told, and all else is given back.
"""

import json
from array import array
from collections.abc import Iterable, Iterator

import bpy
from bpy.types import Action, AnimData, Object, Scene

from ...core.errors import listed
from ..blender.versions import assigned_slot_name, curves_of, is_slotless
from ..data.curves import OBJECT, parse_path
from ..data.kept import replace_action
from ..rig.parts import REST
from .live_directors import scene_of

SETTINGS = ("use_nla", "action_blend_type", "action_extrapolation", "action_influence")
WHILE_LIVE = {
    "use_nla": False,
    "action_blend_type": "REPLACE",
    "action_extrapolation": "HOLD",
    "action_influence": 1.0,
}
AT_FIRST = {**WHILE_LIVE, "use_nla": True}
LARGEST = 3e38


def leave_tweak_mode(armature: Object) -> None:
    """End the editing of an NLA strip, so that an action can be assigned."""
    data = armature.animation_data
    if data is not None and data.use_tweak_mode:
        data.use_tweak_mode = False


def save_state(armature: Object, director: Object) -> None:
    """Keep on the director what the armature is now: action, slot, settings, pose, own transform and properties."""
    data, saved = armature.animation_data, director.verbs_adverbs
    saved.saved_action = data.action if data else None
    saved.saved_slot = assigned_slot_name(armature)
    saved.saved_pose = json.dumps(state_of(armature))
    armature.verbs_adverbs.kept = None
    _keep_on(armature, director)


def state_of(armature: Object) -> dict[str, object]:
    """What an armature is now, apart from its action and slot, as JSON can hold it."""
    data = armature.animation_data
    return {
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


def _keep_on(armature: Object, director: Object) -> None:
    """Keep it on the armature too: a director can be removed from the file while its verb plays."""
    own, saved = armature.verbs_adverbs, director.verbs_adverbs
    own.saved_action, own.saved_slot, own.saved_pose = saved.saved_action, saved.saved_slot, saved.saved_pose


def forget_state(holder: Object) -> None:
    """Keep no longer what an armature was before."""
    own = holder.verbs_adverbs
    own.saved_action, own.saved_slot, own.saved_pose = None, "", ""


def save_values(armature: Object, director: Object, paths: Iterable[str]) -> None:
    """Keep also what single properties are, unless they were kept before."""
    saved = director.verbs_adverbs
    saved.saved_pose = json.dumps(with_values(armature, _parsed(saved.saved_pose), paths))
    _keep_on(armature, director)


def with_values(armature: Object, state: dict[str, object], paths: Iterable[str]) -> dict[str, object]:
    """A state that says also what single properties are, unless it did."""
    values = _group(state, "values")
    for path in paths:
        if path not in values:
            value = armature.path_resolve(path)
            values[path] = value if isinstance(value, bool | int | float | str) else list(value)
    return {**state, "values": values}


def _parsed(text: str) -> dict[str, object]:
    """What was kept, by name; nothing where the text is none of ours."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _group(state: dict[str, object], name: str) -> dict[str, object]:
    found = state.get(name)
    return found if isinstance(found, dict) else {}


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


def play_alone(armature: Object) -> str:
    """Let the assigned action play as the verb did: without NLA strips, in place of everything and with all its weight.

    Returns a sentence of what was set for that, empty if nothing had to be.
    """
    data = armature.animation_data
    heard = any(track.strips and (track.is_solo or not track.mute) for track in data.nla_tracks)
    changed = []
    for name, value in WHILE_LIVE.items():
        before = getattr(data, name)
        if before == value or (name == "use_nla" and not heard):
            continue
        setattr(data, name, value)
        prop = data.bl_rna.properties[name]
        told = prop.enum_items[before].name if prop.type == "ENUM" else f"{before:g}"
        changed.append("its NLA strips are switched off" if name == "use_nla" else f"{prop.name} was {told}")
    if not changed:
        return ""
    return (
        f"So that it plays what was seen, other settings of '{armature.name}' in the NLA Editor were changed:"
        f" {', '.join(changed)}."
    )


def give_back(armature: Object, holder: Object) -> str:
    """Make the armature what it was when `save_state` was called; returns a sentence of what could not be given back.

    A setting of the armature's animation that was not kept becomes what it is in a new file.

    Parameters
    ----------
    holder : who keeps it, as `holder_of` says.
    """
    saved = holder.verbs_adverbs
    lost = put_back(armature, _parsed(saved.saved_pose), saved.saved_action, saved.saved_slot)
    for one in {armature, holder}:
        forget_state(one)
    return f"'{armature.name}' did not get back {listed(lost)}: it was not kept in full. Look it over." if lost else ""


def put_back(armature: Object, state: dict[str, object], action: Action | None, slot: str) -> list[str]:
    """Make an armature what it was when `state_of` was asked, with the action and slot that it had then.

    Returns what could not be given back.
    """
    scene = scene_of(armature, bpy.context.scene)
    data = replace_action(armature, action, slot, state.get("slotless") is True)
    lost = [] if state.get("animated") is False else _give_settings(data, _group(state, "settings"))
    told = isinstance(state.get("last_slot"), str) and hasattr(data, "last_slot_identifier")
    if told and assigned_slot_name(armature) == "":
        data.last_slot_identifier = state["last_slot"]
    if state.get("animated") is False and not data.drivers and not data.nla_tracks:
        armature.animation_data_clear()
    evaluate(scene)
    lost += _restore(armature, state)
    moved_on = state.get("frame") != scene.frame_current_final
    armature.update_tag(refresh={"OBJECT", "DATA", "TIME"} if moved_on else {"OBJECT", "DATA"})
    evaluate(scene)
    return lost


def _give_settings(data: AnimData, settings: dict[str, object]) -> list[str]:
    lost = []
    for name in SETTINGS:
        prop, value = data.bl_rna.properties[name], settings.get(name)
        if prop.type == "ENUM":
            fits = value in prop.enum_items.keys()
        else:
            fits = isinstance(value, bool) if prop.type == "BOOLEAN" else _is_number(value)
        setattr(data, name, value if fits else AT_FIRST[name])
        lost += [] if fits else [prop.name]
    return lost


def evaluate(scene: Scene) -> None:
    """Bring all view layers of a scene up to date."""
    for layer in scene.view_layers:
        layer.update()


def _floats(armature: Object, prop: str) -> array:
    values = array("f", bytes(4 * len(REST[prop]) * len(armature.pose.bones)))
    armature.pose.bones.foreach_get(prop, values)
    return values


def _restore(armature: Object, state: dict[str, object]) -> list[str]:
    """Give back pose, transform and properties; returns names of what could not be."""
    lost = []
    names, pose, own = state.get("bones"), _group(state, "pose"), _group(state, "object")
    names = names if isinstance(names, list) and all(isinstance(name, str) for name in names) else []
    for prop in REST:
        lost += _restore_bones(armature, names, prop, pose.get(prop))
    for prop, rest in REST.items():
        if _are_numbers(own.get(prop), len(rest)):
            setattr(armature, prop, own[prop])
        else:
            lost.append(f"{prop} of the object")
    values = state.get("values")
    lost += [] if isinstance(values, dict) else ["its properties"]
    return lost + [path for path, value in _group(state, "values").items() if not set_value(armature, path, value)]


def _restore_bones(armature: Object, names: list[str], prop: str, flat: object) -> list[str]:
    bones, width = armature.pose.bones, len(REST[prop])
    if not names or not isinstance(flat, list) or len(flat) != width * len(names):
        return [f"{prop} of its bones"]
    if names == [bone.name for bone in bones] and _are_numbers(flat, len(flat)):
        bones.foreach_set(prop, array("f", flat))
        return []
    lost = []
    for name, values in zip(names, _rows(flat, width), strict=True):
        if name in bones and _are_numbers(values, width):
            setattr(bones[name], prop, values)
        else:
            lost.append(f"{prop} of bone {name}")
    return lost


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and -LARGEST <= value <= LARGEST


def _are_numbers(values: object, count: int) -> bool:
    return isinstance(values, list) and len(values) == count and all(_is_number(value) for value in values)


def _rows(flat: list[float], width: int) -> Iterator[list[float]]:
    yield from (flat[start : start + width] for start in range(0, len(flat), width))


def set_value(armature: Object, path: str, value: object, index: int | None = None) -> bool:
    """Set a property, a component of it when `index` is given, by its data path; returns whether that was possible.

    Integers and switches get the nearest whole number. Nothing happens where there is no such property, or where the
    value is not of its kind.
    """
    owner_path, name, is_key = _split(path)
    try:
        owner = armature.path_resolve(owner_path) if owner_path else armature
        present = owner[name] if is_key else getattr(owner, name)
    except (ValueError, KeyError, AttributeError, TypeError):
        return False
    if index is not None and hasattr(present, "__len__"):
        if index >= len(present):
            return False
        present[index] = _like(present[index], value)
        return True
    if hasattr(present, "__len__") and not isinstance(present, str):
        return _set_array(present, value)
    fits = isinstance(present, bool | int | float) and (isinstance(value, bool) or _is_number(value))
    if fits and is_key:
        owner[name] = _like(present, value)
    elif fits:
        setattr(owner, name, _like(present, value))
    return fits


def _like(present: bool | int | float, value: float) -> bool | int | float:
    return value if isinstance(present, float) else type(present)(round(value))


def _set_array(present: object, values: object) -> bool:
    fits = isinstance(values, list) and len(values) == len(present) and not hasattr(present, "keys")
    fits = fits and all(isinstance(value, bool) or _is_number(value) for value in values)
    for index, value in enumerate(values if fits else ()):
        present[index] = _like(present[index], value)
    return fits


def _split(path: str) -> tuple[str, str, bool]:
    """Owner's path, name, and whether the name is a key in brackets."""
    if path.endswith('"]'):
        owner, _, key = path[:-2].rpartition('["')
        return owner, bpy.utils.unescape_identifier(key), True
    owner, _, name = path.rpartition(".")
    return owner, name, False
