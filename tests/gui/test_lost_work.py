"""Ways to lose work in which the window matters: each is tried as an animator would, and none may lose anything."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import bpy
from blender.losses import gone, lost, owned
from hand import Hand
from performance import add_performing_biped, begin_walking, goes_on, in_view
from sidebar import expect
from stage import add_biped, add_live_biped, biped, director, drag_slider, hover_viewport, is_live, part

Steps = Iterator[float]
OPS = bpy.ops.verbs_adverbs


def _told(way: str, missing: list) -> None:
    print(f"{way}: {f'LOST {missing}' if missing else 'nothing lost'}")
    assert not missing


def _baked_and_edited(gui: Hand) -> Iterator[float]:
    """A bake of the walk, one of whose keys was moved by hand."""
    yield from add_biped(gui)
    assert OPS.live_on() == {"FINISHED"}
    bpy.context.scene.frame_end = 40
    assert OPS.bake_performance(name="baked", frame_start=1, frame_end=40) == {"FINISHED"}
    curve = _arm(bpy.data.actions["baked"])
    for key in curve.keyframe_points:
        key.co[1] += 0.3
    curve.update()
    bpy.ops.ed.undo_push(message="edited by hand")
    yield 0.3


def test_bake_again_asks_before_it_touches_my_edits_and_keeps_them_in_a_layer(gui: Hand) -> Steps:
    yield from _baked_and_edited(gui)
    before, edited = owned(biped()), _keys()
    yield from _ask_to_bake_again(gui)
    gui.picture("lost-asked")
    yield from gui.key("ESC")
    yield 0.5
    _told("an edited bake is baked again, and the question is left by Esc", lost(before, owned(biped())))
    yield from _ask_to_bake_again(gui)
    yield from gui.key("RET")
    yield from expect(lambda: bool(biped().animation_data.nla_tracks), "the edits are a layer above the bake")
    gui.picture("lost-layer")
    yield from hover_viewport(gui)
    yield from gui.key("Z", ctrl=True)
    yield from expect(lambda: not biped().animation_data.nla_tracks, "undo takes the layer back")
    _told("the edits become a layer, and that is undone", [] if _keys() == edited else ["the edited keys"])


def _ask_to_bake_again(gui: Hand) -> Iterator[float]:
    yield from hover_viewport(gui)
    with gui.context():
        OPS.bake_again("INVOKE_DEFAULT", True)
    yield 1.0


def _keys() -> list[tuple[float, ...]]:
    return [tuple(key.co) for key in _arm(bpy.data.actions["baked"]).keyframe_points]


def _arm(action: bpy.types.Action) -> bpy.types.FCurve:
    curves = part("bridge.blender.versions").curves_of(action)
    return next(one for one in curves if "UpperArm_L" in one.data_path and one.array_index == 1)


def test_undo_and_redo_by_keys_after_switching_dragging_and_baking(gui: Hand) -> Steps:
    yield from add_biped(gui)
    before = owned(biped())
    yield from _add_and_bake(gui)
    after = owned(biped())
    yield from hover_viewport(gui)
    for _ in range(3):
        yield from gui.key("Z", ctrl=True)
        yield 0.5
    _told("switched on, a slider dragged, baked, and all undone by keys", lost(before, owned(biped())))
    for _ in range(3):
        yield from gui.key("Z", ctrl=True, shift=True)
        yield 0.5
    _told("all of it done again by keys", gone(after))


def _add_and_bake(gui: Hand) -> Iterator[float]:
    """Switch the walk on, drag a slider and bake, as three steps to undo."""
    with gui.context():
        assert OPS.live_on("EXEC_DEFAULT", True) == {"FINISHED"}
    yield from drag_slider(gui)
    yield 1.0
    with gui.context():
        assert OPS.bake("EXEC_DEFAULT", True, name="baked") == {"FINISHED"}
    yield 0.5


def test_the_action_that_plays_is_unlinked_in_the_action_editor(gui: Hand) -> Steps:
    yield from add_biped(gui)
    before = owned(biped())
    assert OPS.live_on() == {"FINISHED"}
    timeline = gui.area("DOPESHEET_EDITOR")
    timeline.ui_type = "DOPESHEET"
    timeline.spaces.active.ui_mode = "ACTION"
    yield 0.5
    with gui.context("DOPESHEET_EDITOR"):
        bpy.ops.action.unlink("INVOKE_DEFAULT")
    bpy.ops.ed.undo_push(message="unlinked")
    yield 0.5
    yield from drag_slider(gui)
    yield 1.0
    assert OPS.live_off() == {"FINISHED"}
    yield 0.5
    _told("the action that plays is unlinked in its editor, and the verb is switched off", lost(before, owned(biped())))


def test_the_file_is_reverted_while_a_slider_is_dragged(gui: Hand) -> Steps:
    yield from add_live_biped(gui)
    with tempfile.TemporaryDirectory() as folder:
        bpy.ops.wm.save_as_mainfile(filepath=str(Path(folder) / "work.blend"))
        before = owned(biped())
        yield from drag_slider(gui)
        bpy.ops.wm.revert_mainfile()
        yield 1.0
        assert is_live()
        _told("the file is reverted right after a slider was dragged", gone(before))
        assert OPS.live_off() == {"FINISHED"}
        assert biped().animation_data.action.name.startswith("Walk")


def test_another_workspace_and_a_second_window_while_i_perform(gui: Hand) -> Steps:
    yield from add_performing_biped(gui, "walk")
    before = owned(biped(), scene=False)
    yield from begin_walking(gui)
    yield 1.0
    bpy.ops.wm.window_new()
    yield 1.0
    second = bpy.context.window_manager.windows[-1]
    with bpy.context.temp_override(window=second):
        bpy.ops.wm.window_close()
    yield 0.5
    gui.window.workspace = bpy.data.workspaces["Animation"]
    yield 1.5
    gui.window.workspace = bpy.data.workspaces["Layout"]
    yield 1.0
    if goes_on():
        yield from in_view(gui)
        yield from gui.key("RET")
    yield from expect(lambda: not goes_on(), "the performance has ended")
    keys = part("bridge.data.commands").command_keys(director())
    _told("another workspace and a second window while I perform", [] if keys else ["the take"])
    _told("my actions after that", gone(before))
