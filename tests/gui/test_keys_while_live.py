"""Auto keying in Pose Mode, and editors that show the played action, while a verb is live."""

from collections.abc import Iterator

import bpy
import numpy as np
from hand import BLINK, Hand
from sidebar import expect
from stage import (
    FRAME,
    Waiting,
    add_live_biped,
    as_computed,
    biped,
    director,
    drag_slider,
    hover_viewport,
    is_live,
    part,
    press_button,
    written,
)

SCALE = 'pose.bones["Head"].scale'
TURN = 'pose.bones["Head"].rotation_quaternion'


def curves(action: bpy.types.Action) -> list[bpy.types.FCurve]:
    if not hasattr(action, "layers"):
        return list(action.fcurves)
    return [c for layer in action.layers for strip in layer.strips for bag in strip.channelbags for c in bag.fcurves]


def keyed(action: bpy.types.Action, path: str) -> list[float]:
    """Values of a property's keys at the frame, in the order of its components."""
    found = sorted((curve for curve in curves(action) if curve.data_path == path), key=lambda curve: curve.array_index)
    return [key.co[1] for curve in found for key in curve.keyframe_points if abs(key.co[0] - FRAME) < 0.01]


def head_scale() -> float:
    return biped().evaluated_get(bpy.context.view_layer.depsgraph).pose.bones["Head"].scale.x


def test_what_kept_a_live_verb_from_playing_is_forgotten_once_it_is_mended(gui: Hand) -> Waiting:
    yield from add_live_biped(gui)
    yield from hover_viewport(gui)
    problem, ops = part("bridge.session.live_characters").problem_of, bpy.ops.verbs_adverbs
    with gui.context():
        assert ops.adverb_add(name="energy") == {"FINISHED"}
    yield from expect(lambda: "energy" in problem(director()), "the verb cannot be played without values")
    with gui.context():
        assert ops.verb_values_set(part="", adverb="energy", value=0.0) == {"FINISHED"}
        assert ops.verb_values_set(part="happy", adverb="energy", value=1.0) == {"FINISHED"}
    yield from expect(lambda: not problem(director()), "the verb is played again")


def auto_key_the_head(gui: Hand) -> Waiting:
    """Pose Mode with the head selected and auto keying on, also of what has no curve; the mouse is over the view."""
    yield from hover_viewport(gui)
    bpy.context.preferences.edit.use_keyframe_insert_available = False
    bpy.context.scene.tool_settings.use_keyframe_insert_auto = True
    with gui.context():
        bpy.ops.object.mode_set(mode="POSE")
        bpy.ops.pose.select_all(action="DESELECT")
    bone = biped().pose.bones["Head"]
    owner = bone if "select" in bone.bl_rna.properties else bone.bone
    owner.select = True
    biped().data.bones.active = bone.bone
    bpy.ops.ed.undo_push(message="head selected")
    yield BLINK


def transform(gui: Hand, letter: str) -> Waiting:
    """Scale or turn what is selected by the mouse, and confirm with a click."""
    yield from hover_viewport(gui)
    yield from gui.key(letter)
    x, y = gui.at
    for step in range(1, 6):
        gui.move(x + 30 * step, y + 12 * step)
        yield BLINK
    yield from gui.click(*gui.at)


def show_in_editors(gui: Hand) -> Waiting:
    """The played action in the Action Editor and the Graph Editor; to look at it is not to take it."""
    timeline = gui.area("DOPESHEET_EDITOR")
    timeline.ui_type = "DOPESHEET"
    timeline.spaces.active.ui_mode = "ACTION"
    next(area for area in gui.window.screen.areas if area.type == "OUTLINER").type = "GRAPH_EDITOR"
    yield 0.5
    made, actions = written(), sorted(bpy.data.actions.keys())
    yield from drag_slider(gui, pixels=-30)
    yield from expect(lambda: written() not in {made, ""}, "the action follows when the hand rests")
    assert sorted(bpy.data.actions.keys()) == actions


def test_bones_that_are_posed_with_auto_keying_lose_no_keys_to_a_slider(gui: Hand) -> Iterator[float]:
    yield from add_live_biped(gui)
    yield from show_in_editors(gui)
    before = director()["mood"]
    plain = keyed(biped().animation_data.action, TURN)
    yield from auto_key_the_head(gui)
    yield from transform(gui, "S")
    yield from expect(lambda: bool(keyed(biped().animation_data.action, SCALE)), "the head's size is keyed")
    yield from transform(gui, "R")
    yield from expect(lambda: keyed(biped().animation_data.action, TURN) != plain, "the head's turn is keyed")
    size, turn = keyed(biped().animation_data.action, SCALE), keyed(biped().animation_data.action, TURN)
    assert abs(size[0] - 1.0) > 0.05
    gui.picture("auto-keyed")
    made = written()
    yield from drag_slider(gui)
    yield from expect(lambda: written() not in {made, ""}, "the action follows when the hand rests")
    playing = biped().animation_data.action
    assert keyed(playing, TURN) != turn and keyed(playing, SCALE) == size
    yield from expect(lambda: abs(head_scale() - size[0]) < 1e-4, "the head keeps its size")
    kept = [action for action in bpy.data.actions if action != playing and keyed(action, TURN) == turn]
    assert [action.use_fake_user for action in kept] == [True] and keyed(kept[0], SCALE) == size
    gui.picture("keys-kept")
    name, value = kept[0].name, director()["mood"]
    yield from hover_viewport(gui)
    yield from gui.key("Z", ctrl=True)
    yield from expect(lambda: director()["mood"] == before, "the slider is back")
    assert any(keyed(action, TURN) == turn for action in bpy.data.actions)
    yield from gui.key("Z", ctrl=True, shift=True)
    yield from expect(lambda: director()["mood"] == value, "the slider is moved again")
    yield from expect(lambda: name in bpy.data.actions, "the keys are kept again")
    assert keyed(bpy.data.actions[name], TURN) == turn
    with gui.context():
        bpy.ops.object.mode_set(mode="OBJECT")
    yield from press_button(gui, "verbs_adverbs.live_off", "the biped is not live", lambda: not is_live())
    assert keyed(bpy.data.actions[name], TURN) == turn
    gui.picture("switched-off-with-keys")


def test_what_is_played_is_kept_with_the_button(gui: Hand) -> Iterator[float]:
    yield from add_live_biped(gui)
    yield from drag_slider(gui)
    yield from as_computed()
    with gui.context():
        bpy.ops.verbs_adverbs.generated_keep("INVOKE_DEFAULT")
    yield 0.5
    gui.picture("keep-as-action")
    yield from gui.key("RET")
    yield from expect(lambda: "Biped walk" in bpy.data.actions, "the action is kept")
    kept = bpy.data.actions["Biped walk"]
    assert kept.use_fake_user and biped().animation_data.action != kept
    poses = _poses(kept)
    assert np.array_equal(_poses(biped().animation_data.action), poses)
    yield from drag_slider(gui, pixels=-80)
    yield from as_computed()
    assert np.array_equal(_poses(bpy.data.actions["Biped walk"]), poses)
    yield from press_button(gui, "verbs_adverbs.live_off", "the biped is not live", lambda: not is_live())
    assert "Biped walk" in bpy.data.actions


def _poses(action: bpy.types.Action) -> np.ndarray:
    """Values of all keys of an action."""
    return np.array([key.co[1] for curve in curves(action) for key in curve.keyframe_points])


def test_undo_right_after_edited_keys_were_kept(gui: Hand) -> Iterator[float]:
    yield from add_live_biped(gui)
    yield from as_computed()
    bpy.ops.ed.undo_push(message="live")
    edited = curves(director().verbs_adverbs.generated)[5]
    edited.keyframe_points[3].co.y += 0.25
    edited.update()
    bpy.context.scene.frame_end += 10
    bpy.ops.ed.undo_push(message="edited")
    yield from expect(lambda: director().verbs_adverbs.kept is not None, "the edited keys are kept")
    with gui.context():
        assert bpy.ops.ed.undo() == {"FINISHED"}
    yield BLINK
    generated, actions = director().verbs_adverbs.generated, set(bpy.data.actions)
    assert generated in actions and biped().animation_data.action == generated
    assert director().verbs_adverbs.kept in {None, *actions}
