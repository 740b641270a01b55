"""For each operator a file and a state in which it is willing, and what it is given."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import bpy
from blender.figurine import MIDDLE, striding_figurine
from blender.installed import USER_FOLDER
from blender.small_bvh import write_bvh
from corruption.state import curves
from fixtures import held

OPS = bpy.ops.verbs_adverbs
FIXTURES = Path(__file__).resolve().parents[1] / "fixtures"
SAVED_IN = FIXTURES / "before-0.2.0" / "blender-4.2.23"
Options = dict[str, object]


class Recipe(NamedTuple):
    """How an operator is made to run.

    Parameters
    ----------
    file : name of the file of `FILES` that is opened.
    options : what the operator is given, or a function of the open file that tells it.
    before : what is done to the open file first.
    """

    file: str
    options: Options | Callable[[], Options] = {}
    before: Callable[[], object] = lambda: None


def _strides() -> None:
    armature = striding_figurine()
    OPS.contact_add(bone="Foot")
    OPS.window_add(start=3.0, end=9.0)
    OPS.adverb_add(name="slope")
    armature.verbs_adverbs.active_adverb = 0
    bpy.context.scene.frame_set(MIDDLE - 2)
    armature.animation_data.action.verbs_adverbs.examples[0].active_keytime = 1


def _two() -> None:
    """Make two armatures with an action each, whose joints have other rest poses."""
    for name, swing in (("first", 20.0), ("second", 30.0)):
        bpy.ops.import_anim.bvh(filepath=str(write_bvh(USER_FOLDER / f"{name}.bvh", swing=swing)), global_scale=0.01)


def _walk() -> None:
    """Make a biped that is baked three cycles of its walk, in which cycles can be found."""
    OPS.add_biped(wave=True)
    OPS.bake(cycles=3, annotate=False, loop=False, animated=False)


MADE: dict[str, Callable[[], None]] = {"strides": _strides, "two": _two, "walk": _walk}
SAVED = {name: SAVED_IN / f"{name}.blend" for name in ("layers", "talking", "reach", "timeline")}
FILES = (*MADE, *SAVED)
"""Files of the recipes: what is made once, and what was saved; an older Blender's file can be opened in all."""


def opened(name: str) -> bpy.types.Object:
    """Open a file, which is made if need be; returns its armature, which is active."""
    path = SAVED.get(name, USER_FOLDER / f"every operator {name}.blend")
    if not path.is_file():
        bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
        MADE[name]()
        bpy.ops.wm.save_as_mainfile(filepath=str(path), copy=True)
    bpy.ops.wm.open_mainfile(filepath=str(path), load_ui=False)
    if name in SAVED:
        bpy.context.view_layer.objects.active = held.armature()
        _anew()
    return bpy.context.object


def _anew() -> None:
    """Let what is live be computed here: what another machine wrote into the file may differ in its last digits."""
    if OPS.live_off.poll() and OPS.live_off() == {"FINISHED"}:
        OPS.live_on()


def _rig() -> bpy.types.PropertyGroup:
    return bpy.context.object.verbs_adverbs


def _director() -> bpy.types.Object:
    return _rig().director


def _uid(verb: str) -> str:
    return _rig().verbs[verb].uid


def _picked(*names: str) -> Options:
    return {"choices": [{"name": name, "action": name, "chosen": True} for name in names]}


def _left_out(*names: str) -> Options:
    return {"choices": [{"name": name, "action": name, "uid": "", "chosen": True} for name in names]}


def _example(name: str) -> Callable[[], None]:
    """Switch off what plays, and assign an example."""

    def assign() -> None:
        if held.armature().animation_data.action == held.generated():
            OPS.live_off()
        held.armature().animation_data.action = bpy.data.actions[name]
        bpy.context.view_layer.update()

    return assign


def _at(frame: int, **sliders: float) -> Callable[[], None]:
    def go() -> None:
        bpy.context.scene.frame_set(frame)
        for name, value in sliders.items():
            _director()[name] = value
        _director().update_tag()

    return go


def _set(owner: Callable[[], object], **values: object) -> Callable[[], None]:
    def change() -> None:
        for name, value in values.items():
            setattr(owner(), name, value)
        bpy.context.view_layer.update()

    return change


def _select(*bones: str) -> Callable[[], None]:
    """Select bones in Pose Mode, which Blender keeps elsewhere since 5.0."""

    def choose() -> None:
        bpy.ops.object.mode_set(mode="POSE")
        for bone in bpy.context.object.pose.bones:
            (bone if hasattr(bone, "select") else bone.bone).select = bone.name in bones

    return choose


def _unsorted() -> None:
    example = bpy.context.object.animation_data.action.verbs_adverbs.examples[0]
    example.keytimes.move(1, 0)


def _without_markers() -> None:
    action = bpy.context.object.animation_data.action
    for marker in list(action.pose_markers):
        action.pose_markers.remove(marker)


def _without_an_example() -> None:
    OPS.verb_example_remove()


def _without_a_transition() -> None:
    OPS.transition_remove()


def _subtitles() -> Options:
    path = USER_FOLDER / "said.srt"
    path.write_text("1\n00:00:00,500 --> 00:00:01,000\n<beat>So\n", encoding="utf-8")
    return {"filepath": str(path)}


def _walks() -> Options:
    folder = USER_FOLDER / "walks"
    for name, swing in (("slow", 20.0), ("fast", 30.0)):
        write_bvh(folder / f"{name}.bvh", swing=swing)
    return {"directory": str(folder)}


def _text_strip() -> None:
    editor = bpy.context.scene.sequence_editor_create()
    newer = hasattr(editor, "strips")
    strips, length = (editor.strips, {"length": 5}) if newer else (editor.sequences, {"frame_end": 15})
    strips.new_effect(name="Mine", type="TEXT", channel=9, frame_start=10, **length).text = "<beat>So"


def _take_choosing() -> None:
    bpy.context.scene.frame_end = 5
    OPS.take_choose(take=held.takes()[0])


def _move_a_key(action: str) -> None:
    """Move the left thigh of an example by a key, as if it had been animated otherwise."""
    path = 'pose.bones["UpperLeg_L"].rotation_quaternion'
    curve = next(one for _, one in curves(bpy.data.actions[action]) if one.data_path == path)
    curve.keyframe_points[5].co.y += 0.1
    curve.update()


def _transition() -> bpy.types.PropertyGroup:
    return _rig().transitions[_rig().active_transition]


def _target() -> bpy.types.Object:
    return _rig().verbs[0].targets[0].object


def _a_camera() -> None:
    camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    bpy.context.collection.objects.link(camera)
    bpy.context.scene.camera = camera


RECIPES: dict[str, Recipe] = {
    "action_blend": Recipe("strides", {"other": "stride 0", "frames": 4}),
    "action_embed": Recipe("strides", {"other": "stride 0", "begin": 1.0, "frames": 3}),
    "action_loop": Recipe("strides"),
    "action_mirror": Recipe("layers", _picked("Walk left"), _example("Walk left")),
    "action_revert": Recipe("strides"),
    "action_smooth": Recipe("strides"),
    "action_warp": Recipe(
        "strides", {"keys": [{"name": "a", "own": 1.0, "moved": 1.0}, {"name": "b", "own": 25.0, "moved": 30.0}]}
    ),
    "actions_conform": Recipe("two", lambda: _picked("first")),
    "add_biped": Recipe("strides", {"walk": False}),
    "adverb_add": Recipe("strides", {"name": "turn"}),
    "adverb_move": Recipe("strides", {"direction": "DOWN"}),
    "adverb_remove": Recipe("strides"),
    "adverb_rename": Recipe("strides", {"name": "mood"}),
    "adverbs_key": Recipe("layers", {}, _at(20, mood=0.3)),
    "adverbs_reset": Recipe("layers", {}, _at(20, mood=0.3)),
    "keys_show": Recipe("layers", {}),
    "bake": Recipe("layers", {"verb": "walk", "length": "RANGE", "frame_end": 8.0}),
    "bake_again": Recipe("walk", {}, lambda: _move_a_key("Walk plain")),
    "bake_correct": Recipe("walk"),
    "bake_performance": Recipe("layers", {"frame_start": 1, "frame_end": 8}),
    "camera_follow": Recipe("layers", {}, _a_camera),
    "command_add": Recipe("layers", {"verb": "wave", "frame": 20.0}),
    "command_go": Recipe("layers", {}, _set(lambda: _director().verbs_adverbs.performance, active_command=1)),
    "command_remove": Recipe("layers"),
    "contact_add": Recipe("strides", {"bone": "Leg"}),
    "contact_remove": Recipe("strides"),
    "curve_edit": Recipe("layers"),
    "curve_reset": Recipe("talking"),
    "cycle_choose": Recipe("walk", {}, lambda: OPS.keytimes_find(choices=_picked(_playing())["choices"])),
    "director_add": Recipe("strides"),
    "director_verb": Recipe("layers", {"verb": "wave"}),
    "example_add": Recipe("strides", {"name": "another"}),
    "example_remove": Recipe("strides"),
    "example_span": Recipe("strides", {"side": "END"}),
    "examples_check": Recipe("walk"),
    "feet_find": Recipe("strides"),
    "feet_forget": Recipe("strides", {}, lambda: OPS.feet_find()),
    "fit_scene": Recipe("layers", {}, _take_choosing),
    "foot_take": Recipe("walk", {"side": "L"}, lambda: OPS.feet_find() and _select("Foot_L", "Toes_L", "UpperLeg_L")()),
    "generated_keep": Recipe("layers", {"name": "mine"}),
    "graph_check": Recipe("layers"),
    "keytime_add": Recipe("strides", {"name": "new"}),
    "keytime_jump": Recipe("strides"),
    "keytime_move": Recipe("strides"),
    "keytime_remove": Recipe("strides"),
    "keytime_rename": Recipe("strides", {"name": "renamed"}),
    "keytimes_find": Recipe("walk", lambda: _picked(_playing())),
    "keytimes_sort": Recipe("strides", {}, _unsorted),
    "layer_add": Recipe("layers", lambda: {"verb": _uid("wave")}),
    "layer_ask": Recipe("layers", {"wish": "stop", "layer": "wave"}, _at(25)),
    "layer_beside": Recipe("layers", lambda: {"other": _rig().layers[0].uid, "held": "REPLACE"}),
    "layer_bones": Recipe("layers", {}, _select("UpperArm_R")),
    "layer_clear": Recipe("layers"),
    "layer_move": Recipe("layers"),
    "layer_remove": Recipe("layers"),
    "layer_verb": Recipe("layers", lambda: {"verb": _uid("walk")}),
    "live_off": Recipe("layers"),
    "live_on": Recipe("layers", {}, lambda: OPS.live_off()),
    "markers_sync": Recipe("strides", {}, _without_markers),
    "measure": Recipe("reach", {}, _set(lambda: _rig().adverbs[0], minimum=-5.0)),
    "measure_place": Recipe("strides", {"bone": "Foot", "keytime": "middle", "x": "", "y": "foot_y", "z": ""}),
    "measure_travel": Recipe("walk"),
    "nodes_show": Recipe("layers"),
    "pad_drag": Recipe("walk", {"place": (0.25, 0.75)}, lambda: OPS.live_on(verb="walk")),
    "performance_write": Recipe("layers", {}, lambda: _set(_director, location=(0.5, 0.0, 0.0))()),
    "phases_find": Recipe("talking", {"replace": True}, _example("Beat size 0.5 energy 0")),
    "plan_strips": Recipe("talking", {"show": False}),
    "reach_there": Recipe("reach", lambda: {"verb": _uid("reach")}),
    "refine": Recipe("reach", {}, lambda: OPS.refinement_remove()),
    "refinement_remove": Recipe("reach"),
    "root_set": Recipe("strides", {"root": "Root"}),
    "say": Recipe("talking", {}, lambda: _at(60)() or _set(_speech, next_text="<beat>So")()),
    "score_clear": Recipe("layers"),
    "start_verb": Recipe("layers", lambda: {"verb": _uid("walk")}),
    "stop_verb": Recipe("layers", lambda: {"verb": _uid("stand")}),
    "structure_copy": Recipe("strides", _picked("stride 0")),
    "take_choose": Recipe("layers", lambda: {"take": held.takes()[0]}),
    "talk": Recipe("talking", {}, lambda: OPS.layer_remove()),
    "target_add": Recipe("reach", {}, lambda: OPS.target_remove()),
    "target_remove": Recipe("reach"),
    "to_scene_rate": Recipe("layers", {}, lambda: _set(lambda: bpy.context.scene.render, fps=30)()),
    "transition_add": Recipe(
        "layers", lambda: {"source": _uid("stand"), "target": _uid("walk"), "suggest": False}, _without_a_transition
    ),
    "transition_end_here": Recipe("layers", {"end": "leaves_begin"}, lambda: _example("Walk sad")() or _at(7)()),
    "transition_keytime": Recipe("layers", lambda: {"end": "leaves_begin", "keytime": _keytime()}, OPS.graph_check),
    "transition_place": Recipe("layers", {"place": (0.3, 0.6)}),
    "transition_remove": Recipe("layers"),
    "transition_suggest": Recipe("layers", {"choice": 1}, lambda: _set(_transition, enters_begin=0.05)()),
    "transitions_suggest": Recipe("layers", {}, _without_a_transition),
    "value_set": Recipe("strides", {"adverb": "energy", "value": 0.7}),
    "values_fill": Recipe("strides"),
    "verb_add": Recipe("strides", {"name": "another"}),
    "verb_adverb_toggle": Recipe("strides", {"index": 0}),
    "verb_asset_clear": Recipe("walk", before=lambda: OPS.verb_asset_mark()),
    "verb_asset_mark": Recipe("walk"),
    "verb_build": Recipe("walk"),
    "verb_example_remove": Recipe("strides"),
    "verb_example_show": Recipe("strides"),
    "verb_examples_add": Recipe("strides", lambda: _left_out("stride 0", "stride 1", "stride 2"), _without_an_example),
    "verb_mend": Recipe("strides", {"mend": "UNTICK", "row": 1}),
    "verb_remove": Recipe("strides"),
    "verb_rename": Recipe("strides", {"name": "march"}),
    "verb_values_fill": Recipe("strides"),
    "verb_values_set": Recipe("strides", {"part": "0", "adverb": "energy", "value": 0.7}),
    "window_add": Recipe("strides", {"start": 18.0, "end": 20.0}),
    "window_edge": Recipe("strides", {"edge": "UP"}),
    "window_from_keytimes": Recipe("strides", {"first": "1", "last": "2"}, lambda: OPS.window_remove(index=0)),
    "window_remove": Recipe("strides", {"index": 0}),
    "walks_import": Recipe("strides", _walks),
    "word_gesture": Recipe("talking", {"gesture": "NONE"}, lambda: _set(_speech, active_word=1)()),
    "word_nudge": Recipe("talking", {"frames": -0.5}, lambda: _set(_speech, active_word=0)()),
    "words_file": Recipe("talking", _subtitles),
    "words_markers": Recipe("talking", {}, lambda: bpy.context.scene.timeline_markers.new("So", frame=12)),
    "words_strips": Recipe("talking", {}, _text_strip),
}

ELSEWHERE = {
    "transition_map": "shows and hides what the view draws, and no undo step: test_distance_map.py",
    "perform": "goes on until Esc: tests/gui/test_perform.py; its take: test_performing.py",
    "perform_command": "while performing alone, and no undo step: tests/gui/test_perform.py",
    "perform_say": "while performing alone, and no undo step: test_said_live.py, tests/gui/test_talking.py",
    "stop": "while a window computes alone, and no undo step: tests/gui/test_jobs.py",
    "tell": "tells the end of what a window computed, and no undo step: tests/gui/test_jobs.py",
    "bones_map": "wants bones that were renamed; undone and redone in test_renamed_bones.py",
    "reach_render": "draws with the graphics card of a window, and no undo step: tests/gui/test_reach.py",
    "sheet_render": "draws with the graphics card of a window, and no undo step: test_ghosts.py, tests/gui/test_pad.py",
    "verbs_copy": "wants two characters whose bones correspond; undone and redone in test_copied_verbs.py",
    "verb_put": "wants an asset and a character; undone and redone in test_verb_assets.py",
    "take_keep": "after a Blender that ended while performing: test_performing_crash.py",
    "take_discard": "after a Blender that ended while performing: test_performing_crash.py",
    "walks_choose": "opens the file browser of a window, and no undo step: tests/gui/test_importing.py",
    "walks_confirm": "asks in a window, and no undo step: tests/gui/test_importing.py",
}
"""Operators whose state a prepared file cannot hold, and the tests in which they are used."""


def _playing() -> str:
    return bpy.context.object.animation_data.action.name


def _speech() -> bpy.types.PropertyGroup:
    return _director().verbs_adverbs.speech


def _keytime() -> str:
    """Name of a keytime of the verb that the chosen transition leaves."""
    verb = next(one for one in _rig().verbs if one.uid == _transition().source)
    return verb.examples[0].action.verbs_adverbs.examples[0].keytimes[-1].name
