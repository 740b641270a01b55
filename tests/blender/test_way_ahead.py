"""Where a character goes next, as it is told while it is performed and on the timeline, is where it then goes."""

import bpy
import numpy as np
import pytest
from blender.performance import OPS, begin_with, biped_with_graph
from blender.performer import begin, command, play, session, shown_root, take, walker
from blender.stage import FPS, go_to, part

WITHIN, FRAME = 0.03, 1.0 / 24.0
"""Metres and seconds by which a foot may come down elsewhere or at another time than it was drawn."""
LOW, SLOW = 0.012, 0.12
"""Metres over the lowest place of a ball, and metres a second, below which a foot is seen to stand."""


@pytest.fixture
def armature(extension):
    yield from walker()


def ahead(armature):
    (found,) = part("bridge.session.view.way_ahead").all_ahead(armature, bpy.context.scene)
    return found


def look_on() -> None:
    if session() is not None:
        part("bridge.session.view.way_ahead").look_ahead(session())


def balls(armature) -> np.ndarray:
    """Places (2, 3) of the balls of the left and the right foot in the world, as Blender has evaluated them."""
    seen = armature.evaluated_get(bpy.context.evaluated_depsgraph_get())
    return np.array([seen.matrix_world @ seen.pose.bones[name].head for name in ("Toes_L", "Toes_R")])


def come_down(times: np.ndarray, paths: np.ndarray) -> list[tuple[float, int, np.ndarray]]:
    """Time, foot and place of each foot that comes to be low and slow in paths (T, 2, 3)."""
    found = []
    for foot in range(2):
        path = paths[:, foot]
        speed = np.linalg.norm(np.diff(path, axis=0), axis=-1) / np.diff(times)
        still = np.r_[False, speed < SLOW] & (path[:, 2] < path[:, 2].min() + LOW)
        for row in np.flatnonzero(still[1:] & ~still[:-1]) + 1:
            found.append((times[row - 1], foot, path[row]))
    return sorted(found, key=lambda one: one[0])


def missed(told: list, times: np.ndarray, paths: np.ndarray) -> np.ndarray:
    """Metres over the ground and seconds (n, 2) by which feet came down elsewhere than told two steps before.

    `told` holds the seconds and the footprints of each frame at which these were looked at.
    """
    falls, found = come_down(times, paths), []
    for before, between, (time, foot, place) in zip(falls, falls[1:], falls[2:], strict=False):
        side = 1 if foot == 0 else -1
        own = [one for seen, prints in told if before[0] <= seen < between[0] for one in prints]
        own = [one for one in own if one.side == side and one.time > before[0] + 0.25]
        if own:
            found.append((np.hypot(*(place - own[0].place)[:2]), abs(time - own[0].time)))
    return np.array(found)


def test_performed_feet_come_down_where_they_were_drawn_two_steps_before(armature):
    clock, told, times, paths = begin(armature), [], [], []

    def see() -> None:
        look_on()
        bpy.context.view_layer.update()
        found = ahead(armature)
        told.append((found.time, found.way.prints))
        times.append(found.time)
        paths.append(balls(armature))

    assert play(clock, 3.5, each=see)
    fresh = np.flatnonzero(np.diff(times, prepend=-1.0) > 0.0)
    misses = missed(told, np.array(times)[fresh], np.array(paths)[fresh])
    assert len(misses) >= 3 and misses[:, 0].max() < WITHIN and misses[:, 1].max() < FRAME


def test_what_was_foretold_is_kept_until_something_is_asked_and_then_thrown_away(armature):
    clock = begin(armature)
    assert play(clock, 1.0, each=look_on)
    before = ahead(armature).way
    assert play(clock, 0.1, each=look_on)
    assert ahead(armature).way.prints[0] is next(one for one in before.prints if one.time > ahead(armature).time)
    command(armature, "stand")
    assert play(clock, 1.0, each=look_on)
    told = ahead(armature).way
    assert play(clock, 3.0, each=look_on)
    assert np.hypot(*(told.places[-1] - before.places[-1])[:2]) > 0.5
    assert np.hypot(*(told.places[-1][:2] - take().player.travel[:2])) < 0.01
    assert take().asks == 1 and not ahead(armature).way.prints


def test_the_way_is_known_where_frames_take_seconds(armature):
    clock = begin(armature)
    assert play(clock, 9.0, each=look_on, tick=1.5)
    known = ahead(armature)
    assert known.way.times[0] - known.time < 0.1 and known.way.times[-1] - known.time > 2.5 and known.way.prints


def test_a_steered_character_goes_where_it_was_foretold_and_its_goal_is_told(armature):
    clock, guide = begin(armature), take().guide
    assert play(clock, 0.5) and ahead_of_nobody(armature)
    guide.pointed = (0.8, -2.5)
    assert play(clock, 1.2, each=look_on)
    told, goal = ahead(armature).way, ahead(armature).goal
    assert goal.distance == pytest.approx(np.hypot(*(np.subtract((0.8, -2.5), shown_root(armature)[:2]))), abs=0.05)
    assert np.array(goal.place) == pytest.approx((0.8, -2.5, 0.0), abs=1e-3)
    assert play(clock, told.times[-1] - clock.now() + 0.05)
    assert np.hypot(*(told.places[-1][:2] - take().player.travel[:2])) < WITHIN
    assert take().asks == 0


def ahead_of_nobody(armature) -> bool:
    """Whether nothing is told of a character that nobody has looked ahead of."""
    return part("bridge.session.view.way_ahead").all_ahead(armature, bpy.context.scene) == []


def test_on_the_timeline_feet_come_down_where_they_were_drawn_two_steps_before():
    armature = biped_with_graph()
    begin_with(armature, "walk")
    part("bridge.data.director").ensure_director(armature).verbs_adverbs.performance.active = True
    assert OPS.live_on() == {"FINISHED"}
    told, paths, frames = [], [], np.arange(1, 71)
    for frame in frames:
        go_to(frame)
        found = ahead(armature)
        told.append((found.time, found.way.prints))
        paths.append(balls(armature))
    misses = missed(told, (frames - 1) / FPS, np.array(paths))
    assert len(misses) >= 3 and misses[:, 0].max() < WITHIN and misses[:, 1].max() < FRAME
    OPS.live_off()
    assert ahead_of_nobody(armature)


def view():
    return next(
        area.spaces.active.region_3d
        for window in bpy.context.window_manager.windows
        for area in window.screen.areas
        if area.type == "VIEW_3D"
    )


def test_views_go_with_the_root_and_are_the_users_again_at_once(armature):
    follow, clock = part("bridge.session.view.following"), begin(armature)
    camera, seen = bpy.context.scene.camera, view()
    kept = None if camera is None else camera.matrix_world.copy()
    begun, place = shown_root(armature), seen.view_location.copy()
    follow.follow(armature)
    assert play(clock, 1.0, each=lambda: follow.follow(armature))
    gone = shown_root(armature) - begun
    assert abs(gone[1]) > 1.0 and np.array(seen.view_location - place)[:2] == pytest.approx(gone[:2], abs=0.03)
    seen.view_location = (5.0, 5.0, 5.0)
    follow.rest()
    assert play(clock, 0.2)
    follow.follow(armature)
    assert tuple(seen.view_location) == (5.0, 5.0, 5.0)
    seen.view_perspective = "CAMERA"
    assert play(clock, 0.2, each=lambda: follow.follow(armature))
    assert tuple(seen.view_location) == (5.0, 5.0, 5.0)
    assert camera is None or camera.matrix_world == kept
    seen.view_perspective = "PERSP"
