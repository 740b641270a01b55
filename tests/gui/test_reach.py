"""Reaching in a window: a target that is dragged with the mouse, refining with Esc and to the end, and the heat map."""

from collections.abc import Iterator

import bpy
import numpy as np
from hand import BLINK, Hand
from sidebar import SET_UP, expect, show_mode
from stage import biped, changed_pixels, director, part, picture_of

NEAR, MILLIMETRE = 0.01, 0.001
PIXELS = ((60, 20), (40, 90), (-30, 120), (-90, 60), (-60, -40), (20, -60))
COUNT = 12


def _verb() -> bpy.types.PropertyGroup:
    return biped().verbs_adverbs.verbs["reach"]


def _target() -> bpy.types.Object:
    return _verb().targets[0].object


def _hand() -> np.ndarray:
    """Tip of the hand in the world as the window's own evaluation last had it; updates nothing."""
    seen = biped().evaluated_get(bpy.context.view_layer.depsgraph)
    return np.array(seen.matrix_world @ seen.pose.bones["Hand_R"].tail)


def _miss() -> float:
    return float(np.linalg.norm(_hand() - np.array(_target().matrix_world.translation)))


def _go_to_the_keytime() -> None:
    """Show the frame at which the hand is to be there, for what the sliders say now."""
    verb = part("bridge.authoring.verbs").verb_for(biped(), _verb())
    scene = bpy.context.scene
    seconds = float(verb.keytimes(np.array([director()[name] for name in verb.adverb_names]))[1])
    frame = director().verbs_adverbs.start_frame + seconds * scene.render.fps
    scene.frame_set(int(frame), subframe=frame % 1.0)


def _add_reaching_biped(gui: Hand) -> Iterator[float]:
    """The biped with its reach, seen from its right and before it; a new target is selected, the verb plays."""
    bpy.ops.object.select_all(action="SELECT")
    bpy.ops.object.delete()
    assert bpy.ops.verbs_adverbs.add_biped(walk=False, reach=True) == {"FINISHED"}
    assert bpy.ops.verbs_adverbs.measure() == {"FINISHED"}
    assert bpy.ops.verbs_adverbs.verb_build() == {"FINISHED"}
    bpy.context.scene.frame_end = 48
    _verb().refinement.count = COUNT
    with gui.context():
        bpy.ops.view3d.view_selected()
    assert bpy.ops.verbs_adverbs.target_add() == {"FINISHED"}
    yield 0.3


def _look_closely(gui: Hand) -> Iterator[float]:
    """The box that is reached for fills the view, seen a little from the side and from above."""
    view = gui.area().spaces.active.region_3d
    view.view_perspective = "ORTHO"
    view.view_location, view.view_distance = (-0.2, -0.4, 1.15), 1.9
    view.view_rotation = (0.8002, 0.4619, 0.1913, 0.3314)
    gui.area().tag_redraw()
    yield 0.6


def test_the_hand_is_where_the_target_is_dragged_to(gui: Hand) -> Iterator[float]:
    yield from _add_reaching_biped(gui)
    assert bpy.ops.verbs_adverbs.refine() == {"FINISHED"}
    _verb().refinement.exactly = True
    assert bpy.ops.verbs_adverbs.live_on() == {"FINISHED"}
    _select_the_target()
    yield from _look_closely(gui)
    region = gui.region()
    x, y = region.x + region.width // 3, region.y + region.height // 2
    gui.move(x, y)
    yield BLINK
    yield from gui.key("G")
    misses, places = [], []
    for across, up in PIXELS:
        gui.move(x + across, y + up)
        yield 2 * BLINK
        _go_to_the_keytime()
        yield from expect(lambda: _miss() < NEAR, "the hand is within a centimetre of the target", 4.0)
        misses.append(_miss())
        places.append(np.array(_target().matrix_world.translation))
        if len(misses) == 3:
            gui.picture("reach-dragged")
    gui.press()
    yield BLINK
    gui.release()
    yield BLINK
    apart = np.linalg.norm(np.diff(places, axis=0), axis=1)
    most, mean = 1000.0 * max(misses), 1000.0 * float(np.mean(misses))
    print(f"the hand was {most:.1f} mm off at most, {mean:.1f} mm on average", flush=True)
    assert apart.min() > 0.02
    made = part("bridge.session.timeline").made_from(director().verbs_adverbs.generated)
    yield from expect(lambda: made is not None and _is_written(places[-1]), "the timeline agrees when the hand rests")
    _go_to_the_keytime()
    assert _miss() < NEAR


def test_the_panels_of_a_reach_are_drawn_open(gui: Hand) -> Iterator[float]:
    _let_them_begin_open()
    yield from _add_reaching_biped(gui)
    assert bpy.ops.verbs_adverbs.refine() == {"FINISHED"}
    _verb().refinement.heat_map = True
    _target().location.x = -0.7
    with gui.context():
        bpy.ops.screen.screen_full_area()
    yield 1.0
    yield from show_mode(gui, SET_UP)
    region = gui.region("UI")
    for page in range(3):
        gui.picture(f"reach-panels-{page + 1}")
        gui.move(region.x + region.width / 2, region.y + region.height / 2)
        yield BLINK
        with gui.context("VIEW_3D", "UI"):
            bpy.ops.view2d.scroll_down(deltay=1, page=True)
        region.tag_redraw()
        yield 0.5


def _let_them_begin_open() -> None:
    for cls in part("panels.reach").CLASSES:
        if issubclass(cls, bpy.types.Panel):
            bpy.utils.unregister_class(cls)
            cls.bl_options = set()
            bpy.utils.register_class(cls)


def _select_the_target() -> None:
    bpy.ops.object.select_all(action="DESELECT")
    _target().select_set(True)
    bpy.context.view_layer.objects.active = _target()


def _is_written(place: np.ndarray) -> bool:
    session = part("bridge.session.live_characters").characters.get(director().session_uid)
    return session is not None and bool(np.abs(session.played.adverbs[0] - place).max() < 1e-4)


def test_the_heat_map_cools_down_when_the_verb_is_refined(gui: Hand) -> Iterator[float]:
    yield from _add_reaching_biped(gui)
    yield from _look_closely(gui)
    plain = gui.picture("reach-without-map")
    _verb().refinement.heat_map = True
    yield 1.0
    before = gui.picture("reach-heat-before")
    assert changed_pixels(gui, plain, before) > 2000
    bpy.ops.ed.undo_push(message="ready")
    yield from _begin_to_refine(gui)
    yield 4 * BLINK
    yield from gui.key("ESC")
    yield from expect(lambda: "refine" not in _running(), "Esc gives the refinement up")
    assert not _verb().refinement.text
    yield from _begin_to_refine(gui)
    yield from expect(lambda: bool(_verb().refinement.text), "the refinement comes to its end", 120.0)
    yield 1.0
    after = gui.picture("reach-heat-after")
    assert changed_pixels(gui, before, after) > 1000
    own = _verb().refinement
    assert own.maximum_after < 0.5 * own.maximum_before
    _save_a_picture(gui)
    yield from _undo(gui)
    yield from expect(lambda: not _verb().refinement.text, "one step of undo takes the refinement back")


def _save_a_picture(gui: Hand) -> None:
    """What is saved has the map at the left, and at the right a curve of each error, the larger one above the other."""
    saved, images = gui.folder / "errors of the reach.png", len(bpy.data.images)
    with gui.context():
        told = bpy.ops.verbs_adverbs.reach_render(filepath=str(saved), width=800, height=600)
    assert told == {"FINISHED"} and len(bpy.data.images) == images
    seen = picture_of(saved)
    red, green, blue = (seen[..., channel] for channel in range(3))
    plot = np.s_[120:480, 530:780]
    average, largest = ((blue > red + 0.3) & (blue > 0.6))[plot], ((red > blue + 0.4) & (red > 0.6))[plot]
    heights = [float(np.nonzero(curve)[0].mean()) for curve in (average, largest)]
    assert min(average.sum(), largest.sum()) > 200 and heights[0] < heights[1]
    spread = np.abs(seen[:, :480, :3] - seen[0, 0, :3]).max(axis=2) > 0.2
    assert spread.sum() > 5000


def _begin_to_refine(gui: Hand) -> Iterator[float]:
    """Press Refine; where reading the examples lasts, that goes on in slices first."""
    with gui.context():
        bpy.ops.verbs_adverbs.refine("INVOKE_DEFAULT")
    yield from expect(lambda: "refine" in _running() or bool(_verb().refinement.text), "the refinement begins", 60.0)


def _running() -> str:
    return " ".join(operator.bl_idname for operator in bpy.context.window_manager.windows[0].modal_operators)


def _undo(gui: Hand) -> Iterator[float]:
    region = gui.region()
    gui.move(region.x + region.width // 3, region.y + region.height // 3)
    yield BLINK
    yield from gui.key("Z", ctrl=True)


def test_a_target_out_of_reach_is_told_over_the_view(gui: Hand) -> Iterator[float]:
    yield from _add_reaching_biped(gui)
    assert bpy.ops.verbs_adverbs.live_on() == {"FINISHED"}
    yield from gui.sidebar("Verbs")
    yield from _look_closely(gui)
    plain = gui.picture("reach-in-reach")
    _target().location.z = 2.4
    bpy.context.view_layer.update()
    yield 1.5
    assert changed_pixels(gui, plain, gui.picture("reach-out-of-reach")) > 200
    said = part("bridge.authoring.reach_report").target_problem(biped(), _verb(), _verb().targets[0])
    assert "add an example there" in said


def test_a_target_is_met_to_the_millimetre_and_beyond_the_examples_the_reason_is_told(gui: Hand) -> Iterator[float]:
    _let_them_begin_open()
    yield from _add_reaching_biped(gui)
    _verb().refinement.last_millimetres = "BETWEEN"
    assert bpy.ops.verbs_adverbs.verb_build() == {"FINISHED"}
    assert bpy.ops.verbs_adverbs.live_on() == {"FINISHED"}
    _select_the_target()
    yield from show_mode(gui, SET_UP)
    yield from _look_closely(gui)
    region = gui.region()
    x, y = region.x + region.width // 3, region.y + region.height // 2
    gui.move(x, y)
    yield BLINK
    yield from gui.key("G")
    for step, (across, up) in enumerate(((20, 10), (-15, 25), (25, -20))):
        gui.move(x + across, y + up)
        yield 2 * BLINK
        _go_to_the_keytime()
        yield from expect(lambda: _miss() < MILLIMETRE, "the hand is within a millimetre of the target", 4.0)
        assert _told() == ""
        print(f"place {step + 1}: the hand was {1000.0 * _miss():.3f} mm off", flush=True)
    near = gui.picture("reach-met-to-the-millimetre")
    gui.move(x - 120, y + 40)
    yield 2 * BLINK
    yield from expect(lambda: "is outside the region of the examples" in _told(), "the reason is told", 4.0)
    yield 1.0
    print(_told(), flush=True)
    assert "set With IK to Everywhere" in _told()
    assert changed_pixels(gui, near, gui.picture("reach-beyond-the-examples")) > 200
    gui.press()
    yield BLINK
    gui.release()
    yield BLINK
    _verb().refinement.last_millimetres = "EVERYWHERE"
    assert bpy.ops.verbs_adverbs.verb_build() == {"FINISHED"}
    yield 2 * BLINK
    _go_to_the_keytime()
    yield from expect(lambda: _miss() < MILLIMETRE, "everywhere the hand comes to that target, too", 4.0)
    gui.picture("reach-everywhere")


def _told() -> str:
    return part("bridge.authoring.reach_report").target_problem(biped(), _verb(), _verb().targets[0])
