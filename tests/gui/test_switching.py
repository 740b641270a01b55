"""A live verb while the extension, the file or the character changes under it."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import bpy
import numpy as np
from hand import Hand
from sidebar import SET_UP, expect, show_mode
from stage import (
    CLOSE,
    MODULE,
    add_biped,
    add_live_biped,
    as_computed,
    biped,
    director,
    drag_slider,
    hover_viewport,
    is_live,
    joints,
    part,
    press_button,
    written,
)

EXAMPLE = "Walk plain"
UNRELEASED = Path(__file__).parents[1] / "fixtures" / "before-0.2.0" / "blender-4.2.23" / "timeline.blend"


def _assigned() -> str:
    return biped().animation_data.action.name


def _all_joints() -> np.ndarray:
    return joints(list(biped().pose.bones.keys()))


def _is_back(pose: np.ndarray) -> bool:
    return _assigned() == EXAMPLE and float(np.abs(_all_joints() - pose).max()) < CLOSE


def test_the_switch_gives_the_armature_back(gui: Hand) -> Iterator[float]:
    yield from add_biped(gui)
    pose, actions = _all_joints(), sorted(bpy.data.actions.keys())
    yield from press_button(gui, "verbs_adverbs.live_on", "the biped is live", is_live)
    yield from drag_slider(gui)
    assert _assigned() != EXAMPLE
    yield from press_button(gui, "verbs_adverbs.live_off", "the biped is not live", lambda: not is_live())
    yield from expect(lambda: _is_back(pose), "the armature is as it was")
    assert sorted(bpy.data.actions.keys()) == actions
    gui.picture("switched-off")


def test_disabling_the_extension_while_live_gives_the_armature_back_and_enabling_it_works(gui: Hand) -> Iterator[float]:
    yield from add_biped(gui)
    pose, actions = _all_joints(), sorted(bpy.data.actions.keys())
    for _ in range(2):
        yield from press_button(gui, "verbs_adverbs.live_on", "the biped is live", is_live)
        yield from drag_slider(gui, pixels=30)
        bpy.ops.preferences.addon_disable(module=MODULE)
        yield from expect(lambda: _is_back(pose), "the armature is as it was")
        assert sorted(bpy.data.actions.keys()) == actions
        assert not hasattr(bpy.types.Object, "verbs_adverbs")
        bpy.context.scene.frame_set(bpy.context.scene.frame_current + 1)
        bpy.context.scene.frame_set(bpy.context.scene.frame_current - 1)
        yield 0.5
        gui.picture("disabled")
        bpy.ops.preferences.addon_enable(module=MODULE)
        yield from expect(lambda: not is_live(), "the extension is there again")
    yield from press_button(gui, "verbs_adverbs.live_on", "the biped is live", is_live)
    yield from drag_slider(gui, pixels=30)
    yield from as_computed()


def test_a_live_file_is_saved_and_loaded_and_goes_on(gui: Hand) -> Iterator[float]:
    yield from add_live_biped(gui)
    yield from drag_slider(gui)
    value = director()["mood"]
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "live.blend")
        bpy.ops.wm.save_as_mainfile(filepath=path)
        bpy.ops.wm.open_mainfile(filepath=path)
        yield 0.5
        assert is_live() and director()["mood"] == value
        yield from as_computed()
        bpy.context.scene.frame_set(31)
        yield from as_computed()
        yield from drag_slider(gui, pixels=-40)
        yield from as_computed()
        yield from press_button(gui, "verbs_adverbs.live_off", "the biped is not live", lambda: not is_live())
        assert _assigned() == EXAMPLE


def test_renamed_armature_and_director_stay_live(gui: Hand) -> Iterator[float]:
    yield from add_live_biped(gui)
    armature, held = biped(), director()
    armature.name, armature.data.name, held.name = "Ada", "Ada's bones", "Ada's director"
    bpy.ops.ed.undo_push(message="renamed")
    yield 0.5
    armature.name = "Biped"
    held.name = "who moves it"
    made = written()
    yield from drag_slider(gui)
    yield from as_computed()
    yield from expect(lambda: written() != made, "the generated action follows")
    bpy.context.scene.frame_set(44)
    yield from as_computed()


def test_a_deleted_armature_ends_the_session(gui: Hand) -> Iterator[float]:
    yield from add_live_biped(gui)
    yield from hover_viewport(gui)
    yield from gui.key("DEL")
    yield from expect(lambda: "Biped" not in bpy.context.scene.objects, "the armature is deleted")
    bpy.context.scene.frame_set(20)
    yield 1.0
    gui.picture("deleted")
    yield from gui.key("Z", ctrl=True)
    yield from expect(lambda: "Biped" in bpy.context.scene.objects and is_live(), "undo brings the live armature back")
    yield from drag_slider(gui)
    yield from as_computed()


def test_a_deleted_director_ends_the_session_and_undo_goes_on(gui: Hand) -> Iterator[float]:
    yield from add_live_biped(gui)
    yield from drag_slider(gui)
    yield from as_computed()
    bpy.ops.object.select_all(action="DESELECT")
    director().select_set(True)
    bpy.context.view_layer.objects.active = director()
    bpy.ops.ed.undo_push(message="director selected")
    yield from hover_viewport(gui)
    yield from gui.key("DEL")
    yield from expect(lambda: "Biped director" not in bpy.context.scene.objects, "the director is deleted")
    bpy.context.scene.frame_set(20)
    yield 0.5
    yield from gui.key("Z", ctrl=True)
    yield from expect(lambda: "Biped director" in bpy.context.scene.objects and is_live(), "undo brings it back, live")
    yield from as_computed()


def test_a_file_from_before_the_first_release_says_that_its_verbs_are_built_anew(gui: Hand) -> Iterator[float]:
    bpy.ops.wm.open_mainfile(filepath=str(UNRELEASED), load_ui=False)
    yield from expect(_has_computed, "the motion of the file is computed")
    bpy.context.view_layer.objects.active = biped()
    yield from gui.sidebar("Verbs")
    yield from show_mode(gui, SET_UP)
    yield from gui.drawn("UI")
    assert part("bridge.data.schema").is_unreleased(biped().verbs_adverbs)
    gui.picture("file from before the first release")


def _has_computed() -> bool:
    found = part("bridge.session.live").characters.values()
    return part("bridge.blender.jobs").going() is None and any(one.played is not None for one in found)
