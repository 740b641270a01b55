"""The state of an armature before a verb or performance moves it: stored as text on the director, restored exactly.

The text may have been edited: what cannot be parsed is reported, and everything else is restored.
"""

import json
from array import array
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import bpy
from bpy.types import Action, AnimData, Object, PropertyGroup, Scene

from ...core.errors import listed, quoted
from ..action.generated_action import is_generated, replace_action
from ..authoring.definitions import verb_to_play
from ..authoring.graph import waits_in
from ..blender.animation import REST
from ..blender.undo import Block, Reference
from ..blender.versions import assign_action, assigned_slot_name, curves_of, is_slotless
from ..data.current import scene_of
from ..data.curves import OBJECT, is_storable, parse_path, set_property
from ..data.director import director_of, ensure_director, remove_made

SETTINGS = ("use_nla", "action_blend_type", "action_extrapolation", "action_influence")
WHILE_LIVE = {
    "use_nla": False,
    "action_blend_type": "REPLACE",
    "action_extrapolation": "HOLD",
    "action_influence": 1.0,
}
"""Settings of the armature's animation while a verb moves it."""
AT_FIRST = {**WHILE_LIVE, "use_nla": True}
"""Blender's default settings."""
OWN = ("live", "verb", "saved_pose", "saved_slot")
"""Properties of a director that a performance changes and that may have to be restored."""


def leave_tweak_mode(armature: Object) -> None:
    """Leave NLA tweak mode, since Blender assigns no action in it."""
    data = armature.animation_data
    if data is not None and data.use_tweak_mode:
        data.use_tweak_mode = False


def save_state(armature: Object, director: Object) -> None:
    """Store the armature's current state on the director: action, slot, settings, pose and the object's transform."""
    data, saved = armature.animation_data, director.verbs_adverbs
    saved.saved_action = data.action if data else None
    saved.saved_slot = assigned_slot_name(armature)
    saved.saved_pose = json.dumps(state_of(armature))
    armature.verbs_adverbs.kept = None
    _keep_on(armature, director)


def state_of(armature: Object) -> dict[str, object]:
    """Return an armature's current state, except its action and slot, in a form that can be written as JSON."""
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
    """Store the state on the armature too, since a director can be removed from the file while its verb plays."""
    own, saved = armature.verbs_adverbs, director.verbs_adverbs
    own.saved_action, own.saved_slot, own.saved_pose = saved.saved_action, saved.saved_slot, saved.saved_pose


def forget_state(holder: Object) -> None:
    """Clear the saved state of an armature; `holder` is the director or the armature."""
    own = holder.verbs_adverbs
    own.saved_action, own.saved_slot, own.saved_pose = None, "", ""


def save_values(armature: Object, director: Object, paths: Iterable[str]) -> None:
    """Also store the values of single properties, unless they are stored already."""
    saved = director.verbs_adverbs
    saved.saved_pose = json.dumps(with_values(armature, _parsed(saved.saved_pose), paths))
    _keep_on(armature, director)


def with_values(armature: Object, state: dict[str, object], paths: Iterable[str]) -> dict[str, object]:
    """Return a state with the values of single properties added where missing."""
    values = _group(state, "values")
    for path in paths:
        if path not in values:
            value: Any = armature.path_resolve(path)
            values[path] = value if isinstance(value, bool | int | float | str) else list(value)
    return {**state, "values": values}


def _parsed(text: str) -> dict[str, object]:
    """Return the stored state, by name; empty if the text cannot be read."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _group(state: dict[str, object], name: str) -> dict[str, object]:
    found = state.get(name)
    return found if isinstance(found, dict) else {}


def prepare(armature: Object) -> None:
    """Reset to rest what the assigned action keys, and set up the animation so that only an action moves it."""
    data = armature.animation_data_create()
    curves = curves_of(data.action, armature) if data.action else []
    for owner, prop in {parse_path(curve.data_path) for curve in curves}:
        bone = armature if owner == OBJECT else armature.pose.bones.get(owner)
        if bone is not None and prop in REST and not (owner == OBJECT and prop == "scale"):
            setattr(bone, prop, REST[prop])
    for name, value in WHILE_LIVE.items():
        setattr(data, name, value)


def give_back(armatures: Mapping[Object, Object]) -> list[str]:
    """Restore armatures to their state from `save_state`; return for each a message on what is missing.

    It is empty where nothing is missing. A setting of an armature's animation that was not stored is reset to Blender's
    default.

    Parameters
    ----------
    armatures : each with the object that stores its state, as returned by `holder_of`.
    """
    saved = {armature: holder.verbs_adverbs for armature, holder in armatures.items()}
    states = {one: (_parsed(own.saved_pose), own.saved_action, own.saved_slot) for one, own in saved.items()}
    lost = put_back(states)
    for one in {*armatures, *armatures.values()}:
        forget_state(one)
    return [_told_lost(one, what, states[one][0]) for one, what in zip(armatures, lost, strict=True)]


def _told_lost(armature: Object, lost: list[str], state: dict[str, object]) -> str:
    """Return messages on what could not be restored to an armature, and on its keys with former bone names."""
    said = (
        (
            f"Could not restore {listed(lost)} of '{armature.name}', because the saved state is incomplete. Check the "
            "armature."
        )
        if lost
        else ""
    )
    return f"{said} {_renamed_told(armature, state)}".strip()


def _renamed_told(armature: Object, state: dict[str, object]) -> str:
    """Return a message on which bones the restored action keys by their former names."""
    data, before = armature.animation_data, state.get("bones")
    action = data.action if data is not None else None
    if action is None or not isinstance(before, list):
        return ""
    keyed = {parse_path(curve.data_path)[0] for curve in curves_of(action, armature)}
    gone = sorted(name for name in keyed.intersection(before) if name not in armature.data.bones)
    if not gone:
        return ""
    return (
        f"Action '{action.name}' keys {quoted(gone)}, but bones were renamed or removed while the verb was on, and "
        "Blender only renames keys in the assigned action. Give the bones their old names back, then rename them "
        "again."
    )


def put_back(states: Mapping[Object, tuple[dict[str, object], Action | None, str]]) -> list[list[str]]:
    """Restore armatures to their state from `state_of`; return for each the names of what could not be restored.

    Parameters
    ----------
    states : for each armature its state, and the action and slot it had then.
    """
    context, lost = bpy.context.scene, list[list[str]]()
    scenes = {armature: scene_of(armature, context) for armature in states}
    moved = {armature: _transforms_moved(armature, action) for armature, (_, action, _) in states.items()}
    for armature, (state, action, slot) in states.items():
        data = replace_action(armature, action, slot, state.get("slotless") is True)
        lost.append([] if state.get("animated") is False else _give_settings(data, _group(state, "settings")))
        told = isinstance(state.get("last_slot"), str) and hasattr(data, "last_slot_identifier")
        if told and assigned_slot_name(armature) == "":
            data.last_slot_identifier = state["last_slot"]
        if state.get("animated") is False and not data.drivers and not data.nla_tracks:
            armature.animation_data_clear()
    for scene in dict.fromkeys(scenes.values()):
        evaluate(scene)
    for (armature, (state, _, _)), missing in zip(states.items(), lost, strict=True):
        missing += _restore(armature, state, moved[armature])
        moved_on = state.get("frame") != scenes[armature].frame_current_final
        armature.update_tag(refresh={"OBJECT", "DATA", "TIME"} if moved_on else {"OBJECT", "DATA"})
    for scene in dict.fromkeys(scenes.values()):
        evaluate(scene)
    return lost


def _transforms_moved(armature: Object, action: Action | None) -> set[str]:
    """Return the object transforms moved by what plays now, or by the former action: others are set by the user."""
    data = armature.animation_data
    now = data.action if data is not None else None
    if now is None and (action is None or not is_generated(action)):
        return set(REST)
    played = [curve for one in (now, action) if one is not None for curve in curves_of(one, armature)]
    return {prop for owner, prop in (parse_path(curve.data_path) for curve in played) if owner == OBJECT}


def _give_settings(data: AnimData, settings: dict[str, object]) -> list[str]:
    lost = []
    for name in SETTINGS:
        prop, value = data.bl_rna.properties[name], settings.get(name)
        if prop.type == "ENUM":
            fits = value in prop.enum_items.keys()
        else:
            fits = isinstance(value, bool) if prop.type == "BOOLEAN" else is_storable(value)
        setattr(data, name, value if fits else AT_FIRST[name])
        lost += [] if fits else [prop.name]
    return lost


def evaluate(scene: Scene) -> None:
    """Update all view layers of a scene."""
    for layer in scene.view_layers:
        layer.update()


def _floats(armature: Object, prop: str) -> array:
    values = array("f", bytes(4 * len(REST[prop]) * len(armature.pose.bones)))
    armature.pose.bones.foreach_get(prop, values)
    return values


def _restore(armature: Object, state: dict[str, object], moved: set[str]) -> list[str]:
    """Restore pose, moved transforms and properties; return the names of what could not be restored."""
    lost = []
    names, pose, own = state.get("bones"), _group(state, "pose"), _group(state, "object")
    names = names if isinstance(names, list) and all(isinstance(name, str) for name in names) else []
    for prop in REST:
        lost += _restore_bones(armature, names, prop, pose.get(prop))
    for prop, rest in REST.items():
        if not _are_numbers(own.get(prop), len(rest)):
            lost.append(f"{prop} of the object")
        elif prop in moved:
            setattr(armature, prop, own[prop])
    values = state.get("values")
    lost += [] if isinstance(values, dict) else ["its properties"]
    return lost + [path for path, value in _group(state, "values").items() if not set_property(armature, path, value)]


def _restore_bones(armature: Object, names: list[str], prop: str, flat: object) -> list[str]:
    bones, width = armature.pose.bones, len(REST[prop])
    if not names or not isinstance(flat, list) or len(flat) != width * len(names):
        return [f"{prop} of its bones"]
    if _are_the_same(names, [bone.name for bone in bones]) and _are_numbers(flat, len(flat)):
        bones.foreach_set(prop, array("f", flat))
        return []
    lost = []
    for name, values in zip(names, _rows(flat, width), strict=True):
        if name in bones and _are_numbers(values, width):
            setattr(bones[name], prop, values)
        else:
            lost.append(f"{prop} of bone {name}")
    return lost


def _are_the_same(before: list[str], now: list[str]) -> bool:
    """Return whether the names are those of the same bones in order, some of which may have been renamed since."""
    known, there = set(before), set(now)
    pairs = zip(before, now, strict=False)
    return len(before) == len(now) and all(a == b or (a not in there and b not in known) for a, b in pairs)


def _are_numbers(values: object, count: int) -> bool:
    return isinstance(values, list) and len(values) == count and all(is_storable(value) for value in values)


def _rows(flat: list[float], width: int) -> Iterator[list[float]]:
    yield from (flat[start : start + width] for start in range(0, len(flat), width))


@dataclass(frozen=True)
class Before:
    """The state of an armature and its director before a performance began.

    Parameters
    ----------
    had_director : whether there was a director.
    named : the director that the armature referred to, in this file or another.
    words : number of its words.
    own : values of the director's properties in `OWN`, by name.
    start_verb : identifier of the verb with which its performances start.
    state, action, slot : state of the armature, as input for `put_back`.
    saved_action : action stored on the director, if a verb moved the armature.
    kept : pose, slot and action stored on the armature, and the generated action handed over to the user.
    """

    had_director: bool
    named: Reference[Object] | None
    words: int
    own: dict[str, object]
    start_verb: str
    state: dict[str, object]
    action: Reference[Action] | None
    slot: str
    saved_action: Reference[Action] | None
    kept: tuple[str, str, Reference[Action] | None, Reference[Action] | None]

    @property
    def played_action(self) -> Action | None:
        """The action that the armature played, None if there was none or it is gone."""
        return _found(self.action)


def take_over(armature: Object, paths: Iterable[str]) -> tuple[Object, Before]:
    """Hand an armature over to a performance; return its director, created if needed, and the state of both before.

    Parameters
    ----------
    paths : data paths of the properties that the performance sets.
    """
    paths = tuple(paths)
    start, before = waits_in(armature), _before(armature, paths)
    director = ensure_director(armature)
    own = director.verbs_adverbs
    own.performance.start_verb = start.uid
    if not own.live:
        own.verb = verb_to_play(armature)
        save_state(armature, director)
        prepare(armature)
        own.live = True
    _note_placed(armature, own)
    own.performance.in_hand = True
    save_values(armature, director, paths)
    assign_action(armature, None)
    return director, before


def _note_placed(armature: Object, own: PropertyGroup) -> None:
    """Store on a live director where the user has moved the object since it went live, unless it is animated."""
    state, moved = _parsed(own.saved_pose), _transforms_moved(armature, own.saved_action)
    placed = {prop: list(getattr(armature, prop)) for prop in REST if prop not in moved}
    own.saved_pose = json.dumps({**state, "object": {**_group(state, "object"), **placed}})


def _before(armature: Object, paths: tuple[str, ...]) -> Before:
    director, data, rig = director_of(armature), armature.animation_data, armature.verbs_adverbs
    own = director.verbs_adverbs if director is not None else None
    state = with_values(armature, state_of(armature), paths)
    return Before(
        had_director=own is not None,
        named=_reference(rig.director),
        words=len(own.speech.words) if own is not None else 0,
        own={name: getattr(own, name) for name in OWN} if own is not None else {},
        start_verb=own.performance.start_verb if own is not None else "",
        state=state,
        action=_reference(data.action) if data is not None else None,
        slot=assigned_slot_name(armature),
        saved_action=_reference(own.saved_action) if own is not None else None,
        kept=(rig.saved_pose, rig.saved_slot, _reference(rig.saved_action), _reference(rig.kept)),
    )


def _reference(block: Block | None) -> Reference[Block] | None:
    return Reference(block) if block is not None else None


def _found(block: Reference[Block] | None) -> Block | None:
    return block.find() if block is not None else None


def take_back(director: Object, before: Before) -> None:
    """Restore an armature and its director to their state before the performance; nothing of it remains."""
    armature = director.verbs_adverbs.directs
    put_back({armature: (before.state, before.played_action, before.slot)})
    rig = armature.verbs_adverbs
    rig.saved_pose, rig.saved_slot, saved, kept = before.kept
    rig.saved_action, rig.kept = _found(saved), _found(kept)
    if not before.had_director:
        remove_made(director, _found(before.named))
        return
    own = director.verbs_adverbs
    for name, value in before.own.items():
        setattr(own, name, value)
    own.saved_action = _found(before.saved_action)
    own.performance.start_verb = before.start_verb
