"""Driven adverbs are heard at every frame, and nothing of the user's is touched for that."""

import bpy
import numpy as np
import pytest
from blender.stage import go_to, live_biped, part, pose_of


@pytest.fixture
def armature():
    return live_biped()


@pytest.fixture
def lever():
    """An object that goes from -1 to 1 between frames 0 and 60."""
    found = bpy.data.objects.new("lever", None)
    bpy.context.collection.objects.link(found)
    for frame, value in ((0, -1.0), (60, 1.0)):
        found.location.x = value
        found.keyframe_insert("location", frame=frame)
    for curve in part("bridge.blender.versions").curves_of(found.animation_data.action, found):
        for key in curve.keyframe_points:
            key.interpolation = "LINEAR"
    return found


def drive(director, source, path: str, name: str = "mood", kind: str = "OBJECT"):
    """Drive an adverb by a property."""
    driver = director.driver_add(f'["{name}"]').driver
    driver.expression = "value"
    variable = driver.variables.new()
    variable.name = "value"
    if kind != "OBJECT":
        variable.targets[0].id_type = kind
    variable.targets[0].id, variable.targets[0].data_path = source, path
    return driver


def written(armature) -> list[float]:
    """What was written last as the mood at frames 1, 31 and 60."""
    session = part("bridge.session.live_characters").characters[armature.verbs_adverbs.director.session_uid]
    column = session.sliders.names.index("mood")
    return np.interp([1.0, 31.0, 60.0], session.played.frames, session.played.adverbs[:, column]).round(4).tolist()


LEVER = [-0.9667, 0.0333, 1.0]


def test_a_driven_adverb_plays_as_a_keyed_one(armature, director, lever):
    go_to(13)
    drive(director, lever, "location.x")
    assert part("bridge.session.live").flush(force=True) == 1
    go_to(47)
    driven = pose_of(armature)
    director.driver_remove('["mood"]')
    for frame, value in ((0, -1.0), (60, 1.0)):
        director["mood"] = value
        director.keyframe_insert('["mood"]', frame=frame)
    for curve in part("bridge.data.adverb_values").adverb_curves(director).values():
        for key in curve.keyframe_points:
            key.interpolation = "LINEAR"
    assert part("bridge.session.live").flush() == 1
    go_to(47)
    assert np.abs(pose_of(armature) - driven).max() < 1e-4


def _rest() -> None:
    part("bridge.session.live").flush(listen=True)


def _save(tmp_path) -> None:
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "driven.blend"))


def _compute() -> None:
    assert bpy.ops.verbs_adverbs.performance_write() == {"FINISHED"}


def _bake() -> None:
    assert bpy.ops.verbs_adverbs.bake(cycles=1, animated=True, assign=False) == {"FINISHED"}


@pytest.mark.parametrize("act", ["rest", "save", "compute", "bake"])
def test_edits_that_are_not_keyed_yet_stay_when_driven_adverbs_are_heard(armature, director, lever, tmp_path, act):
    scene, data = bpy.context.scene, sorted(bpy.data.user_map(), key=lambda one: one.session_uid)
    go_to(13)
    drive(director, lever, "location.x")
    lever.location = (0.5, 3.0, -2.0)
    scene["mood"] = 0.25
    bpy.context.view_layer.update()
    {"rest": _rest, "save": lambda: _save(tmp_path), "compute": _compute, "bake": _bake}[act]()
    bpy.context.view_layer.update()
    assert tuple(lever.location) == (0.5, 3.0, -2.0)
    assert (scene.frame_current, bpy.context.scene) == (13, scene)
    assert part("bridge.session.live_characters").problem_of(director) == ""
    if act != "bake":
        assert written(armature) == LEVER
        left = sorted(bpy.data.user_map(), key=lambda one: one.session_uid)
        assert left == data


def test_what_a_driver_reads_of_its_scene_or_director_is_heard_too(armature, director):
    scene = bpy.context.scene
    drive(director, scene, "frame_current", kind="SCENE").expression = "(value - 30) / 30"
    assert part("bridge.session.live").flush(force=True) == 1
    assert written(armature) == LEVER
    director.driver_remove('["mood"]')
    drive(director, director, '["slope"]').expression = "value / 2"
    director["slope"] = 0.5
    assert part("bridge.session.live").flush(force=True) == 1
    assert written(armature) == [0.25, 0.25, 0.25]
    director.driver_remove('["mood"]')
    for frame, value in ((0, -1.0), (60, 1.0)):
        scene["master"] = value
        scene.keyframe_insert('["master"]', frame=frame)
    for curve in part("bridge.blender.versions").curves_of(scene.animation_data.action, scene):
        for key in curve.keyframe_points:
            key.interpolation = "LINEAR"
    drive(director, scene, '["master"]', kind="SCENE")
    assert part("bridge.session.live").flush(force=True) == 1
    assert written(armature) == LEVER


def test_a_source_that_changed_at_another_frame_is_heard_before_saving(armature, director, lever, tmp_path):
    go_to(0)
    drive(director, lever, "location.x")
    part("bridge.session.live").flush(force=True)
    (curve, *_) = part("bridge.blender.versions").curves_of(lever.animation_data.action, lever)
    curve.keyframe_points[1].co.y = 0.0
    curve.update()
    bpy.context.view_layer.update()
    _save(tmp_path)
    assert written(armature) == [-0.9833, -0.4833, 0.0]
    assert part("bridge.session.live").flush(listen=True) == 0


def test_a_driver_that_never_says_the_same_twice_is_not_computed_without_end(armature, director):
    drive(director, bpy.context.scene, "frame_current", kind="SCENE").expression = "noise.random()"
    live = part("bridge.session.live")
    live.flush(force=True)
    bpy.context.view_layer.update()
    assert [live.flush() for _ in range(4)][1:] == [0, 0, 0]
