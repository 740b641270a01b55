"""A camera that follows a character: from its own place, over the ground alone, with its keys, and back again."""

import bpy
import numpy as np
import pytest
from blender.figurine import refused
from blender.stage import go_to, walking_biped
from mathutils import Euler

OPS = bpy.ops.verbs_adverbs
PLACE, TURN = (3.0, -5.0, 1.7), (1.2, 0.1, 0.4)


@pytest.fixture
def camera(extension):
    walking_biped()
    made = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    bpy.context.collection.objects.link(made)
    made.location, made.rotation_euler = PLACE, Euler(TURN)
    bpy.context.scene.camera = made
    return made


def seen(camera: bpy.types.Object, armature: bpy.types.Object) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Place and rotation of the camera, and place of the character's hips, as Blender evaluates them."""
    graph = bpy.context.evaluated_depsgraph_get()
    frame, rig = np.array(camera.evaluated_get(graph).matrix_world), armature.evaluated_get(graph)
    return frame[:3, 3], frame[:3, :3], np.array(rig.matrix_world @ rig.pose.bones["Hips"].head)


def test_it_goes_along_over_the_ground_and_stays_where_it_was_once_it_is_let_go(camera):
    armature = bpy.context.object
    assert OPS.live_on() == {"FINISHED"}
    go_to(5)
    place, turned, before = seen(camera, armature)
    assert OPS.camera_follow() == {"FINISHED"}
    now, still, _ = seen(camera, armature)
    assert np.allclose(now, place, atol=1e-5) and np.allclose(still, turned, atol=1e-6)
    go_to(60)
    now, still, after = seen(camera, armature)
    gone = after - before
    assert np.hypot(*gone[:2]) > 1.0
    assert np.allclose(now - place, (*gone[:2], 0.0), atol=1e-4) and np.allclose(still, turned, atol=1e-6)
    assert tuple(camera.location) == pytest.approx(PLACE)
    assert OPS.camera_follow() == {"FINISHED"}
    assert not camera.constraints and np.allclose(seen(camera, armature)[0], PLACE, atol=1e-5)


def test_without_a_camera_or_a_character_that_plays_it_says_what_to_do(camera, capfd):
    assert "Switch the verb on first" in refused(OPS.camera_follow, capfd)
    bpy.context.scene.camera = None
    assert "no camera" in refused(OPS.camera_follow, capfd)
