"""In a window Left leads to the left, what stops stands where it was told, and a take begins with a command."""

import math
from collections.abc import Callable, Iterator

import bpy
import numpy as np
from bpy_extras.view3d_utils import location_3d_to_region_2d
from hand import BLINK, Hand
from mathutils import Quaternion, Vector
from performance import add_performing_biped, begin_at_once, goes_on, in_view, player, root, session
from sidebar import expect
from stage import biped, director

Steps = Iterator[float]
ASIDE, STOOD, REPETITIONS = 20.0, 0.1, 150


def _from_behind(gui: Hand) -> None:
    """Look along the way that the biped goes, from behind and above."""
    view = gui.area().spaces.active.region_3d
    view.view_perspective = "PERSP"
    view.view_rotation = Quaternion((0.0, 0.0, 1.0), math.pi) @ Quaternion((1.0, 0.0, 0.0), math.radians(65.0))
    view.view_location, view.view_distance = (0.0, -2.5, 0.8), 11.0


def _across(gui: Hand, place: np.ndarray) -> float:
    """Where a place lies on the screen, in pixels from the left."""
    region, view = gui.region(), gui.area().spaces.active.region_3d
    return location_3d_to_region_2d(region, view, Vector(place)).x


def _hold(gui: Hand, key: str, until: Callable[[], bool]) -> Steps:
    """Hold a key until something is so, however slowly the window draws; give up after many repetitions of the key."""
    for _ in range(REPETITIONS):
        if until():
            break
        gui.press(key)
        yield 0.1
    gui.release(key)
    yield BLINK


def _went(gui: Hand, key: str) -> Steps:
    """Pixels to the right by which the biped, seen from behind, has gone when an arrow has led it aside."""
    yield from add_performing_biped(gui, "walk")
    _from_behind(gui)
    yield 0.3
    yield from begin_at_once(gui)
    yield from in_view(gui)
    yield from gui.key("THREE")
    before = _across(gui, root())
    yield from _hold(gui, key, lambda: abs(_across(gui, root()) - before) > 1.5 * ASIDE)
    gui.picture(f"perform-behind-{key.lower()}")
    went = _across(gui, root()) - before
    print(f"{key}: {went:.0f} pixels to the right")
    yield from gui.key("ESC")
    yield from expect(lambda: not goes_on(), "Esc ends the performance")
    return went


def test_seen_from_behind_left_goes_left(gui: Hand) -> Steps:
    went = yield from _went(gui, "LEFT_ARROW")
    assert went < -ASIDE


def test_seen_from_behind_right_goes_right(gui: Hand) -> Steps:
    went = yield from _went(gui, "RIGHT_ARROW")
    assert went > ASIDE


def test_ctrl_click_stands_where_it_was_clicked(gui: Hand) -> Steps:
    yield from add_performing_biped(gui, "stand")
    yield from begin_at_once(gui)
    yield from in_view(gui, 0.35, 0.25)
    gui.press(ctrl=True)
    yield BLINK
    gui.release(ctrl=True)
    steered = session().take_of(biped()).guide
    yield from expect(lambda: steered.pointed is not None, "the mouse points at the floor")
    goal = np.array(steered.pointed)
    yield from expect(lambda: player().verb == "walk", "the biped sets out", 20.0)
    yield from expect(lambda: player().verb == "stand" and player().transition is None, "the biped stands", 40.0)
    gui.picture("perform-stood")
    assert math.dist(player().travel[:2], goal) < STOOD
    yield 2.0
    assert math.dist(player().travel[:2], goal) < STOOD
    yield from gui.key("ESC")
    yield from expect(lambda: not goes_on(), "Esc ends the performance")


def test_stop_there_stands_at_the_target(gui: Hand) -> Steps:
    yield from add_performing_biped(gui, "walk")
    goal = bpy.data.objects.new("Goal", None)
    bpy.context.scene.collection.objects.link(goal)
    goal.location = 0.4, 0.6, 0.0
    bpy.ops.verbs_adverbs.live_on()
    own = director().verbs_adverbs.performance
    own.steer, own.target, own.stops = "TARGET", goal, True
    yield 0.5
    yield from begin_at_once(gui)
    yield from in_view(gui)
    yield from gui.key("THREE")
    yield from expect(lambda: player().verb == "stand" and player().transition is None, "the biped stands", 40.0)
    assert math.dist(player().travel[:2], (0.4, 0.6)) < STOOD
    yield from gui.key("ESC")
    yield from expect(lambda: not goes_on(), "Esc ends the performance")


def test_the_take_begins_with_the_first_command_and_esc_before_it_changes_nothing(gui: Hand) -> Steps:
    yield from add_performing_biped(gui, "walk")
    director_before = director().name if director() is not None else ""
    action, names = biped().animation_data.action.name, set(bpy.data.objects.keys())
    yield from begin_at_once(gui)
    yield 0.5
    before = root()
    yield 2.0
    gui.picture("perform-waits")
    assert np.abs(root() - before).max() == 0.0
    yield from in_view(gui)
    yield from gui.key("ESC")
    yield from expect(lambda: not goes_on(), "Esc ends the performance")
    assert biped().animation_data.action.name == action and set(bpy.data.objects.keys()) == names
    assert (director().name if director() is not None else "") == director_before
    yield 0.3
    yield from begin_at_once(gui)
    yield 1.5
    yield from in_view(gui)
    yield from gui.key("THREE")
    yield from expect(lambda: float(np.abs(root() - before).max()) > 0.5, "the biped walks")
    yield from gui.key("ESC")
    yield from expect(lambda: not goes_on(), "Esc ends the performance")
    bpy.context.scene.frame_set(director().verbs_adverbs.start_frame)
    yield 0.3
    assert np.abs(root() - before).max() < 0.01
    bpy.context.scene.frame_set(director().verbs_adverbs.start_frame + 12)
    yield 0.3
    assert np.abs(root() - before).max() > 0.2
