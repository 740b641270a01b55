"""In a window, everything that a user may do while the biped is performed: it goes on, or ends cleanly."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import bpy
import numpy as np
from hand import Hand
from performance import add_performing_biped, begin_walking, goes_on, in_view, player, root, session, turn, verb_is
from sidebar import expect
from stage import MODULE, biped, director, part

Steps = Iterator[float]
FAR = 0.3


def _begin(gui: Hand) -> Steps:
    yield from add_performing_biped(gui, "walk")
    yield from begin_walking(gui)
    yield 1.0


def _walks_on(gui: Hand) -> Steps:
    """It still walks, and Esc keeps the score."""
    before = root()
    yield from expect(lambda: float(np.abs(root() - before).max()) > FAR, "the biped walks on")
    yield from _ends(gui)


def _ends(gui: Hand) -> Steps:
    yield from in_view(gui)
    yield from gui.key("ESC")
    yield from expect(lambda: not goes_on(), "Esc ends the performance")
    own = director().verbs_adverbs
    assert own.live and own.performance.active and not own.performance.in_hand
    assert biped().animation_data.action == own.generated


def _action() -> str:
    return biped().animation_data.action.name


def test_one_undo_brings_back_what_was_before_though_a_slider_was_dragged(gui: Hand) -> Steps:
    yield from _begin(gui)
    assert biped().animation_data.action is None
    turn(0.3)
    yield 1.0
    turn(0.6)
    yield 1.0
    yield 0.5
    yield from _ends(gui)
    yield from gui.key("Z", ctrl=True)
    yield from expect(lambda: not director().verbs_adverbs.live, "the armature is as it was before")
    assert _action().startswith("Walk") and not director().verbs_adverbs.performance.in_hand
    yield 0.5
    yield from gui.key("Z", ctrl=True, shift=True)
    yield from expect(_plays_score, "redo brings the score back")


def _plays_score() -> bool:
    own = director().verbs_adverbs
    scored = own.live and own.performance.active and not own.performance.in_hand
    return scored and biped().animation_data.action == own.generated


def test_undo_while_performing_undoes_a_slider_or_ends_it(gui: Hand) -> Steps:
    yield from _begin(gui)
    turn(0.4)
    yield 1.0
    turn(-0.4)
    yield 1.0
    yield from in_view(gui)
    yield from gui.key("Z", ctrl=True)
    yield 1.0
    assert goes_on() and director()["turn"] > 0.0
    yield from gui.key("Z", ctrl=True)
    yield from gui.key("Z", ctrl=True)
    yield from expect(lambda: not goes_on(), "undoing its beginning ends it")
    yield 1.0
    assert _action().startswith("Walk") and not director().verbs_adverbs.live


def test_undo_in_a_second_performance_keeps_the_first(gui: Hand) -> Steps:
    yield from _begin(gui)
    yield from in_view(gui)
    yield from gui.key("TWO")
    yield 1.0
    yield from _ends(gui)
    first = [key.frame for key in part("bridge.data.commands").command_keys(director())]
    assert first
    yield 0.5
    yield from begin_walking(gui)
    yield from in_view(gui)
    yield from gui.key("ONE")
    yield 1.0
    yield from gui.key("Z", ctrl=True)
    yield from expect(lambda: not goes_on(), "undo ends the second performance")
    yield 1.0
    assert _plays_score()
    assert [key.frame for key in part("bridge.data.commands").command_keys(director())] == first


def test_moving_another_object_goes_on(gui: Hand) -> Steps:
    yield from _begin(gui)
    cube = bpy.data.objects.new("Cube", bpy.data.meshes.new("Cube"))
    bpy.context.scene.collection.objects.link(cube)
    yield from in_view(gui)
    yield from gui.key("G")
    gui.move(gui.at[0] + 80, gui.at[1])
    yield 0.3
    yield from gui.key("ESC")
    yield 0.5
    assert goes_on()
    yield from _walks_on(gui)


def test_saving_and_loading(gui: Hand) -> Steps:
    yield from _begin(gui)
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "performed.blend")
        bpy.ops.wm.save_as_mainfile(filepath=path)
        yield 0.5
        assert goes_on()
        before = root()
        yield from expect(lambda: float(np.abs(root() - before).max()) > FAR, "the biped walks on")
        bpy.ops.wm.open_mainfile(filepath=path)
        yield 1.0
        assert not goes_on() and director().verbs_adverbs.live
        assert biped().animation_data.action == director().verbs_adverbs.generated
        with gui.context():
            assert bpy.ops.verbs_adverbs.take_discard() == {"FINISHED"}
        yield from begin_walking(gui)
        yield from _walks_on(gui)


def test_renaming_armature_example_and_verb(gui: Hand) -> Steps:
    yield from _begin(gui)
    armature = biped()
    armature.name = "Ada"
    bpy.data.actions["Walk plain"].name = "Stroll"
    armature.verbs_adverbs.verbs["wave"].name = "greet"
    bpy.ops.ed.undo_push(message="renamed")
    yield 1.0
    assert goes_on()
    armature.name = "Biped"
    yield from in_view(gui)
    yield from gui.key("TWO")
    yield from expect(lambda: verb_is("wave"), "the renamed verb is heard")
    yield from _ends(gui)


def test_deleting_the_armature(gui: Hand) -> Steps:
    yield from _begin(gui)
    yield from in_view(gui)
    yield from gui.key("DEL")
    yield from expect(lambda: not goes_on(), "the performance ends")
    yield 0.5
    gui.picture("perform-deleted")
    assert "Biped" not in bpy.context.scene.objects


def test_disabling_the_extension(gui: Hand) -> Steps:
    yield from _begin(gui)
    bpy.ops.preferences.addon_disable(module=MODULE)
    yield 1.0
    assert _action().startswith("Walk")
    bpy.ops.preferences.addon_enable(module=MODULE)
    yield 0.5
    assert not goes_on()
    yield from in_view(gui)
    yield from begin_walking(gui)
    yield from _walks_on(gui)


def test_changing_the_frame_and_playing_the_timeline(gui: Hand) -> Steps:
    yield from _begin(gui)
    bpy.context.scene.frame_set(40)
    yield 0.5
    with gui.context():
        bpy.ops.screen.animation_play()
    yield 2.0
    assert goes_on()
    with gui.context():
        bpy.ops.screen.animation_cancel()
    yield from _walks_on(gui)


def test_a_render_keeps_the_score(gui: Hand) -> Steps:
    yield from _begin(gui)
    scene = bpy.context.scene
    scene.camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    scene.collection.objects.link(scene.camera)
    scene.render.engine, scene.render.resolution_percentage, scene.cycles.samples = "CYCLES", 2, 1
    bpy.ops.render.render("INVOKE_DEFAULT")
    yield from expect(lambda: not goes_on() and not bpy.app.is_job_running("RENDER"), "the render ends the performance")
    yield 1.0
    own = director().verbs_adverbs
    assert own.live and own.performance.active and not own.performance.in_hand
    gui.area().type = "INFO"
    yield 0.5
    with gui.context("INFO"):
        bpy.ops.info.select_all(action="SELECT")
        bpy.ops.info.report_copy()
    assert "The take was saved as action" in bpy.context.window_manager.clipboard, "what was kept is told"


def test_closing_the_area(gui: Hand) -> Steps:
    yield from _begin(gui)
    area = gui.area()
    area.type = "TEXT_EDITOR"
    yield 1.0
    assert goes_on() and player().time > 0.0
    gui.area("TEXT_EDITOR").type = "VIEW_3D"
    yield 0.5
    yield from _walks_on(gui)
    assert session() is None
