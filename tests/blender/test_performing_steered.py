"""Characters that are performed go to objects, along curves and onto marks; the score goes the same way."""

from itertools import product

import bpy
import numpy as np
import pytest
from blender.performance import OPS, begin_with
from blender.performer import begin, character, command, end, play, session, shown_root, take, walker
from blender.stage import FPS, go_to, part
from mathutils import Vector

STOOD, PATIENT = 0.1, 26.0
HAIR = 1e-5
NEAR, ON_CURVE, ON_MARK, SAME, STRAIGHT, ROUNDED = 0.6, 0.35, 0.05, 1e-3, 0.15, 0.015


@pytest.fixture
def armature():
    yield from walker(directed=True)


def steer(armature, kind: str, target, **options):
    performance = armature.verbs_adverbs.director.verbs_adverbs.performance
    performance.steer, performance.target = kind, target
    for name, value in options.items():
        setattr(performance, name, value)
    bpy.context.view_layer.update()


def empty_at(x: float, y: float):
    made = bpy.data.objects.new("Goal", None)
    bpy.context.scene.collection.objects.link(made)
    made.location = x, y, 0.0
    return made


def curve_through(*points):
    data = bpy.data.curves.new("Way", "CURVE")
    data.dimensions = "3D"
    spline = data.splines.new("POLY")
    spline.points.add(len(points) - 1)
    for point, (x, y) in zip(spline.points, points, strict=True):
        point.co = x, y, 0.0, 1.0
    made = bpy.data.objects.new("Way", data)
    bpy.context.scene.collection.objects.link(made)
    return made


def places(clock, armature, seconds: float) -> dict[float, np.ndarray]:
    """Root by frame of what is shown meanwhile."""
    seen = {}

    def see() -> None:
        seen[1.0 + session().frames.shown[-1].time * FPS] = shown_root(armature)

    assert play(clock, seconds, each=see)
    return seen


def replayed(armature, seen: dict[float, np.ndarray]) -> float:
    """Largest distance over the floor between what was performed and the timeline, at whole frames."""
    assert end() == []
    if OPS.fit_scene.poll():
        OPS.fit_scene()
    missed = [0.0]
    for frame, place in seen.items():
        if abs(frame - round(frame)) < 1e-6:
            go_to(round(frame))
            missed.append(np.abs(shown_root(armature) - place)[:2].max())
    assert len(missed) > 20
    return max(missed)


def test_to_an_object_that_is_moved_meanwhile(armature):
    goal = empty_at(2.5, -3.0)
    steer(armature, "TARGET", goal)
    clock = begin(armature)
    seen = places(clock, armature, 4.0)
    assert min(np.hypot(*(place[:2] - (2.5, -3.0))) for place in seen.values()) < NEAR
    goal.location = -1.0, -5.5, 0.0
    bpy.context.view_layer.update()
    seen |= places(clock, armature, 6.0)
    assert min(np.hypot(*(place[:2] - (-1.0, -5.5))) for place in seen.values()) < NEAR
    assert replayed(armature, seen) < SAME


def test_along_a_curve(armature):
    points = np.array([(0.0, 0.0), (0.0, -1.5), (1.5, -4.0), (1.5, -8.0)])
    steer(armature, "CURVE", curve_through(*points))
    clock = begin(armature)
    seen = places(clock, armature, 6.0)
    assert max(_aside(place[:2], points) for place in seen.values()) < ON_CURVE
    assert max(place[0] for place in seen.values()) > 1.0
    assert replayed(armature, seen) < SAME


def test_onto_a_mark_at_a_frame(armature):
    stand = armature.verbs_adverbs.verbs["stand"].uid
    steer(armature, "TARGET", empty_at(0.3, -6.0), stops=True, stop_verb=stand, stop_frame=round(1 + 6.5 * FPS))
    clock = begin(armature)
    seen = places(clock, armature, 8.0)
    assert take().player.verb == "stand" and take().guide.problem == ""
    assert np.hypot(*(np.array(take().player.travel[:2]) - (0.3, -6.0))) < ON_MARK
    assert [name for _, name in take().player.heard] == ["stand"]
    assert replayed(armature, seen) < SAME


def test_where_the_mouse_points(armature):
    clock = begin(armature)
    seen = places(clock, armature, 0.5)
    take().point(Vector((0.0, 3.0, 4.0)), Vector((-2.0, -6.0, -4.0)))
    assert np.allclose(take().guide.pointed, (-2.0, -3.0), atol=1e-5)
    seen |= places(clock, armature, 6.0)
    assert np.hypot(*(np.array(take().player.travel[:2]) - (-2.0, -3.0))) < STOOD
    take().point(Vector((0.0, 0.0, 4.0)), Vector((0.0, -1.0, 0.1)))
    assert np.allclose(take().guide.pointed, (-2.0, -3.0), atol=1e-5)
    command(armature, "wave")
    seen |= places(clock, armature, 2.0)
    assert replayed(armature, seen) < SAME


def test_the_slider_is_never_a_hair_from_straight_on(armature):
    director, told = armature.verbs_adverbs.director, []
    clock = begin(armature)
    take().point(Vector((0.0, -8.0, 4.0)), Vector((0.0, 0.0, -1.0)))
    assert play(clock, 10.0, each=lambda: told.append(abs(director["turn"])))
    assert max(told) > HAIR and all(value == 0.0 or value > HAIR for value in told)


GOALS = ((0.3, -6.0), (0.4, 0.3), (-3.0, 2.0), (0.0, 5.0))
OFTEN = (((0.4, 0.3), "walk"), ((-3.0, 2.0), "stand"))
"""Goals and first verbs that every change is tried with."""


@pytest.mark.parametrize(
    ("goal", "begins"),
    [
        pytest.param(*case, marks=() if case in OFTEN else pytest.mark.long)
        for case in product(GOALS, ("walk", "stand"))
    ],
    ids=str,
)
def test_it_stands_where_the_mouse_points_without_a_verb_chosen_for_that(armature, goal, begins: str):
    begin_with(armature, begins)
    clock = begin(armature)
    assert play(clock, 0.5)
    x, y = goal
    take().point(Vector((x, y, 4.0)), Vector((0.0, 0.0, -1.0)))
    assert play(clock, PATIENT)
    stands_at(armature, clock, goal)


@pytest.mark.parametrize(
    "goal",
    [pytest.param((0.3, -6.0), marks=pytest.mark.long), (0.4, 0.3), pytest.param((0.0, 5.0), marks=pytest.mark.long)],
    ids=str,
)
def test_it_stops_at_its_target_without_a_verb_chosen_for_that(armature, goal):
    steer(armature, "TARGET", empty_at(*goal), stops=True)
    clock = begin(armature)
    assert play(clock, PATIENT)
    stands_at(armature, clock, goal)


def stands_at(armature, clock, goal) -> None:
    """It stands there, plays on, and the timeline agrees."""
    before = shown_root(armature)
    assert np.hypot(*(np.array(take().player.travel[:2]) - goal)) < STOOD and character().problem == ""
    assert play(clock, 1.0) and np.abs(shown_root(armature) - before).max() < 0.05
    last = 1 + int(session().frames.shown[-1].time * FPS)
    assert end() == []
    OPS.fit_scene()
    go_to(last)
    assert np.hypot(*(shown_root(armature)[:2] - before[:2])) < 0.05


@pytest.mark.parametrize("begins", ["walk", "stand"])
def test_what_nothing_turns_goes_straight_on_to_what_lies_ahead_and_nowhere_else(armature, begins: str):
    begin_with(armature, begins)
    director = armature.verbs_adverbs.director
    director.verbs_adverbs.performance.steer_by, director["mood"] = "mood", 0.25
    clock = begin(armature)
    take().point(Vector((0.4, -5.0, 4.0)), Vector((0.0, 0.0, -1.0)))
    assert play(clock, PATIENT)
    assert "it goes straight on" in character().problem
    assert take().player.verb == "stand" and director["mood"] == 0.25
    assert np.hypot(*(np.array(take().player.travel[:2]) - (0.4, -5.0))) < 0.6
    before = take().player.travel
    take().point(Vector((0.0, 5.0, 4.0)), Vector((0.0, 0.0, -1.0)))
    assert play(clock, 4.0)
    assert "it cannot go there" in character().problem and take().player.travel == before
    take().command(armature.verbs_adverbs.verbs["walk"].uid)
    assert play(clock, 4.0) and character().problem == "" and take().player.travel != before


def test_at_a_curves_end_it_stands_too(armature):
    steer(armature, "CURVE", curve_through((0.0, 0.0), (0.0, -3.0), (1.5, -6.0)), stops=True)
    clock = begin(armature)
    assert play(clock, PATIENT)
    stands_at(armature, clock, (1.5, -6.0))


def test_where_no_verb_stands_it_goes_straight_on_and_that_is_said(armature):
    for name in ("stand", "wave"):
        armature.verbs_adverbs.active_verb = armature.verbs_adverbs.verbs.find(name)
        assert OPS.verb_remove() == {"FINISHED"}
    clock = begin(armature)
    take().point(Vector((-2.0, -3.0, 4.0)), Vector((0.0, 0.0, -1.0)))
    assert play(clock, 8.0)
    assert "The graph has no standing verb" in character().problem
    before = take().player.travel[2]
    assert play(clock, 2.0) and abs(take().player.travel[2] - before) < STRAIGHT


@pytest.mark.parametrize("kind", ["POLY", "NURBS", "BEZIER"])
@pytest.mark.parametrize("cyclic", [False, True])
def test_a_tube_round_a_curve_changes_nothing(armature, kind: str, cyclic: bool):
    way = curve_through((0.0, 0.0), (0.0, -3.0), (2.0, -6.0), (4.0, -5.0), (5.0, -2.0))
    spline = way.data.splines[0]
    spline.type, spline.use_cyclic_u, spline.use_endpoint_u = kind, cyclic, True
    steer(armature, "CURVE", way)
    director, asked = armature.verbs_adverbs.director, part("bridge.session.destination").destination_of
    thin = np.array(asked(director, None).places)
    way.data.bevel_depth, way.data.extrude, way.data.use_fill_caps = 0.5, 0.2, True
    bpy.context.view_layer.update()
    tube = np.array(asked(director, None).places)
    assert len(tube) >= len(thin) >= 5 + cyclic
    assert max(_aside(place, tube) for place in thin) < ROUNDED
    assert max(_aside(place, thin) for place in tube) < ROUNDED
    assert (thin[0] == thin[-1]).all() == (tube[0] == tube[-1]).all() == cyclic


def _elsewhere(way) -> None:
    bpy.context.scene.collection.objects.unlink(way)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda way: setattr(way, "hide_viewport", True), "disabled in viewports"),
        (_elsewhere, "no longer in any scene"),
    ],
    ids=["hidden", "deleted"],
)
def test_why_a_curve_cannot_be_followed_is_told_and_it_is_not(armature, change, told: str):
    way = curve_through((0.0, 0.0), (3.0, -3.0), (6.0, -3.0))
    steer(armature, "CURVE", way)
    clock = begin(armature)
    assert play(clock, 0.5) and character().problem == ""
    change(way)
    bpy.context.view_layer.update()
    assert play(clock, 1.0)
    assert told in character().problem
    before = take().player.adverbs["turn"]
    assert play(clock, 1.0)
    assert take().player.adverbs["turn"] == before


def test_nobody_goes_to_an_object_that_was_deleted(armature):
    goal = empty_at(3.0, -1.0)
    steer(armature, "TARGET", goal)
    bpy.context.scene.collection.objects.unlink(goal)
    clock = begin(armature)
    assert play(clock, 2.0)
    assert "no longer in any scene" in character().problem
    assert abs(take().player.travel[2]) < STRAIGHT


def test_what_is_no_curve_is_a_problem_that_is_told(armature):
    steer(armature, "CURVE", empty_at(0.0, 0.0))
    clock = begin(armature)
    assert play(clock, 0.5)
    assert "is not a curve" in character().problem
    assert shown_root(armature)[1] < -0.2


def _aside(place: np.ndarray, points: np.ndarray) -> float:
    """Distance of a place from a polyline."""
    steps, away = np.diff(points, axis=0), place - points[:-1]
    steps, away = steps[steps.any(axis=1)], away[steps.any(axis=1)]
    share = np.clip((away * steps).sum(axis=1) / (steps**2).sum(axis=1), 0.0, 1.0)
    return float(np.linalg.norm(away - share[:, None] * steps, axis=1).min())
