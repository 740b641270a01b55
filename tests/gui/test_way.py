"""Where a biped goes next, drawn in a window: its feet come down on the footprints, its goal is under the mouse."""

from collections.abc import Iterator

import bpy
import numpy as np
from bpy_extras.view3d_utils import location_3d_to_region_2d
from hand import BLINK, Hand
from mathutils import Euler
from performance import add_performing_biped, begin_walking, fit_scene, goes_on, in_view, look_at_root, root, session
from sidebar import expect, find
from stage import biped, changed_pixels, director, part

Steps = Iterator[float]
WITHIN, FRAME, PIXEL = 0.03, 1.0 / 24.0, 1.0
LOW, SLOW, AGAIN = 0.012, 0.12, 0.3
"""Metres over its lowest place and metres a second below which a ball stands, and seconds before it lands again."""
FAR = 2.5
"""Metres for which it is looked at what is drawn."""
FAINT = 200
"""Fewest pixels that the way, footprints and goal take."""

STEADY, BEGUN = 0.06, 2
"""Metres by which a root sways in a view that follows it, and number of drawings after which it does."""

_drawn: list[tuple[float, tuple]] = []
_roots: list[tuple[np.ndarray, np.ndarray]] = []
"""Root in the world, and the same as seen from what the view looks at, in each drawing of a view that follows."""


def _choice() -> object:
    return bpy.context.window_manager.verbs_adverbs_way


def _ahead() -> list:
    return part("bridge.session.view.way_ahead").all_ahead(biped(), bpy.context.scene)


def _note() -> None:
    for one in _ahead():
        _drawn.append((one.time, one.way.prints))
    if _choice().follow:
        _roots.append((root(), root() - np.array(_view().view_location)))


def _gone() -> float:
    """Metres that the root has gone since the view follows it."""
    return np.hypot(*(_roots[-1][0] - _roots[0][0])[:2]) if _roots else 0.0


def _swayed() -> float:
    """Metres by which the root has come out of its place in the view that follows it."""
    return np.ptp(np.array([seen for _, seen in _roots[BEGUN:]])[:, :2], axis=0).max()


def _view() -> bpy.types.RegionView3D:
    areas = bpy.context.window_manager.windows[0].screen.areas
    return next(area.spaces.active.region_3d for area in areas if area.type == "VIEW_3D")


def _look_from_above() -> None:
    """Let the view show some metres of floor before the biped."""
    view = _view()
    view.view_rotation, view.view_location = Euler(np.radians((52.0, 0.0, 130.0))).to_quaternion(), (0.0, -2.0, 0.0)
    view.view_distance = 8.0


def _falls(frames: np.ndarray, paths: np.ndarray) -> list[tuple[float, int, np.ndarray]]:
    """Seconds, side (1 for the left) and place of each foot that comes to be low and slow in paths (T, 2, 3)."""
    seconds, found = (frames - 1.0) / bpy.context.scene.render.fps, []
    for foot, side in ((0, 1), (1, -1)):
        path = paths[:, foot]
        speed = np.linalg.norm(np.diff(path, axis=0), axis=-1) / np.diff(seconds)
        stands = (speed < SLOW) & (path[1:, 2] < path[:, 2].min() + LOW)
        for row in np.flatnonzero(stands[1:] & ~stands[:-1]) + 1:
            if not any(side == one[1] and seconds[row] - one[0] < AGAIN for one in found):
                found.append((seconds[row], side, path[row + 1]))
    return sorted(found, key=lambda one: one[0])


def _balls() -> np.ndarray:
    seen = biped().evaluated_get(bpy.context.view_layer.depsgraph)
    return np.array([seen.matrix_world @ seen.pose.bones[name].head for name in ("Toes_L", "Toes_R")])


def _missed(until: float) -> np.ndarray:
    """Metres and seconds (n, 2) by which the feet come down on the timeline elsewhere than drawn two steps before."""
    frames, paths = np.arange(1.0, 1.0 + 24.0 * (until + 1.5), 0.5), []
    for frame in frames:
        bpy.context.scene.frame_set(int(frame), subframe=frame % 1.0)
        paths.append(_balls())
    falls, found = _falls(frames, np.array(paths)), []
    for between, (time, side, place) in zip(falls[1:], falls[2:], strict=False):
        drawn = [one for seen, prints in _drawn if seen < between[0] for one in prints if one.side == side]
        own = [one for one in drawn if abs(one.time - time) < AGAIN]
        if own:
            found.append((np.hypot(*(place - own[-1].place)[:2]), abs(time - own[-1].time)))
    return np.array(found)


def test_feet_come_down_on_the_footprints_and_the_view_follows(gui: Hand) -> Steps:
    _drawn.clear()
    _roots.clear()
    yield from add_performing_biped(gui, "walk")
    _look_from_above()
    yield from begin_walking(gui)
    handler = bpy.types.SpaceView3D.draw_handler_add(_note, (), "WINDOW", "POST_VIEW")
    try:
        _choice().shown = _choice().follow = True
        yield from expect(lambda: bool(_drawn and len(_drawn[-1][1]) > 3), "footprints are drawn")
        gui.picture("way-footprints")
        _roots.clear()
        yield from look_at_root(gui)
        yield from expect(lambda: _gone() > FAR, "the biped walks on")
        gui.picture("way-followed")
    finally:
        bpy.types.SpaceView3D.draw_handler_remove(handler, "WINDOW")
    assert _swayed() < STEADY
    _choice().follow = False
    stays = _view().view_location.copy()
    yield 0.5
    assert _view().view_location == stays
    until = session().frames.shown[-1].time
    yield from gui.key("ESC")
    yield from expect(lambda: not goes_on(), "Esc ends the performance")
    yield from fit_scene(gui)
    misses = _missed(until)
    print(
        f"{len(misses)} footfalls, at most {100 * misses[:, 0].max():.2f} cm and {24 * misses[:, 1].max():.2f} frames"
    )
    assert len(misses) >= 2 and misses[:, 0].max() < WITHIN and misses[:, 1].max() < FRAME


def test_the_goal_is_where_the_mouse_points_and_follows_a_drag(gui: Hand) -> Steps:
    yield from add_performing_biped(gui, "walk")
    _choice().shown = True
    _look_from_above()
    yield from begin_walking(gui)
    yield from in_view(gui, 0.35, 0.3)
    gui.press(ctrl=True)
    yield BLINK
    for spot in ((0.45, 0.3), (0.2, 0.35)):
        yield from in_view(gui, *spot)
        yield from expect(lambda: _off(gui) <= PIXEL, "the goal is under the mouse")
    gui.picture("way-goal")
    gui.release(ctrl=True)
    yield from expect(lambda: bool(_ahead()[0].way.prints), "the way there is known")
    gui.picture("way-to-goal")
    yield from gui.key("ESC")
    yield from expect(lambda: not goes_on(), "Esc ends the performance")


def _off(gui: Hand) -> float:
    """Pixels between the goal that is drawn and the mouse."""
    found, region = _ahead(), gui.region()
    if not found or found[0].goal is None:
        return np.inf
    spot = location_3d_to_region_2d(region, _view(), found[0].space @ found[0].goal.place)
    return max(abs(spot.x + region.x - gui.at[0]), abs(spot.y + region.y - gui.at[1]))


def test_on_the_timeline_the_switches_work_at_once(gui: Hand) -> Steps:
    yield from add_performing_biped(gui, "walk")
    _look_from_above()
    with gui.context():
        bpy.ops.verbs_adverbs.live_on(verb="walk")
    yield from expect(lambda: bool(_ahead()), "the way is known")
    yield from hide_and_show(gui)
    _choice().follow = True
    _roots.clear()
    handler = bpy.types.SpaceView3D.draw_handler_add(_note, (), "WINDOW", "POST_VIEW")
    try:
        with gui.context():
            bpy.ops.screen.animation_play()
        yield from expect(lambda: _gone() > 0.6, "the timeline plays")
        with gui.context():
            bpy.ops.screen.animation_cancel(restore_frame=False)
    finally:
        bpy.types.SpaceView3D.draw_handler_remove(handler, "WINDOW")
    assert _swayed() < STEADY
    yield 0.2
    stays = _view().view_location.copy()
    bpy.context.scene.frame_set(bpy.context.scene.frame_current + 10)
    yield 0.3
    assert _view().view_location == stays


def hide_and_show(gui: Hand) -> Steps:
    """Press the switch in the sidebar, and look that footprints are drawn then, and are not before and after."""
    # Before Blender 5.0 all that a window's overlays show is called "shown" there; the switch is beside "follow".
    told = "verbs_adverbs_way.follow" if bpy.app.version >= (5, 0, 0) else "follow"
    _, y = yield from find(gui, told, across=0.6)
    x = gui.region("UI").x + 0.25 * gui.region("UI").width
    bare = gui.picture("way-hidden")
    for shown in (True, False):
        yield from gui.click(x, y)
        yield from expect(lambda wanted=shown: _choice().shown == wanted, "the switch in the sidebar is pressed")
        yield 0.4
        pixels = changed_pixels(gui, bare, gui.picture(f"way-{'shown' if shown else 'hidden again'}"))
        assert (pixels > FAINT) == shown
    assert director().verbs_adverbs.live
