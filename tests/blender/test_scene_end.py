"""How far the timeline is played: to the scene's end, or the preview range's where that is longer."""

import bpy
import numpy as np
import pytest
from blender.stage import go_to, live_biped, part, pose_of


@pytest.fixture
def armature():
    return live_biped()


def _preview(end: int) -> None:
    scene = bpy.context.scene
    scene.use_preview_range, scene.frame_preview_start, scene.frame_preview_end = True, 1, end


def _come_to_rest(tmp_path) -> None:
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "rest.blend"))


def test_a_preview_range_that_is_longer_than_the_scene_is_played_to_its_end(armature, tmp_path):
    scene = bpy.context.scene
    scene.frame_end = 120
    _come_to_rest(tmp_path)
    go_to(100)
    expected = pose_of(armature)
    scene.frame_end = 60
    _preview(110)
    _come_to_rest(tmp_path)
    go_to(100)
    assert np.abs(pose_of(armature) - expected).max() < 1e-5
    _preview(30)
    _come_to_rest(tmp_path)
    assert armature.animation_data.action.frame_range[1] == 60.0


def test_after_the_last_frame_it_is_said_why_the_figure_stands_still(armature):
    told, director = part("bridge.data.frames.counting").beyond_end, armature.verbs_adverbs.director
    go_to(60)
    assert told(director, bpy.context.scene) == ""
    go_to(61)
    assert "after the last played frame, 60" in told(director, bpy.context.scene)
    _preview(70)
    assert told(director, bpy.context.scene) == ""
