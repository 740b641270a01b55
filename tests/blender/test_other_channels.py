"""Locations, scales and properties are played, baked and given back like rotations."""

import bpy
import numpy as np
import pytest
from blender.stage import drag, go_to, part, state_of, walking_biped

LIFT, SWELL = 'pose.bones["Hand_L"].location', 'pose.bones["Head"].scale'
GLOW, SIDE = 'pose.bones["Head"]["glow"]', '["side"]'


def _key(bag, path: str, index: int, group: str, values: dict[float, float]) -> None:
    curve = part("bridge.blender.versions").fcurve_ensure(bag, path, index, group)
    for frame, value in values.items():
        curve.keyframe_points.insert(frame, value).interpolation = "LINEAR"


def _seen(armature) -> np.ndarray:
    bones = armature.pose.bones
    told = [*bones["Hand_L"].location, *bones["Head"].scale, bones["Head"]["glow"], armature["side"]]
    return np.array(told, dtype=np.float64)


@pytest.fixture(params=[1.0, 2.0])
def armature(request):
    """A biped with the verb 'breathe' over 'depth' that moves, swells and glows; scaled."""
    armature = walking_biped()
    armature.scale = (request.param,) * 3
    armature.pose.bones["Head"]["glow"], armature["side"] = 0.0, 3
    annotate, definitions, versions = (
        part("bridge.data.annotate"),
        part("bridge.authoring.definitions"),
        part("bridge.blender.versions"),
    )
    bpy.ops.object.mode_set(mode="EDIT")
    armature.data.edit_bones["Hand_L"].use_connect = False
    bpy.ops.object.mode_set(mode="OBJECT")
    verb = definitions.add_verb(armature, "breathe")
    definitions.add_adverb(armature, "depth", 0.0, 1.0)
    definitions.use_adverb(verb, "depth", True)
    for depth in (0.0, 1.0):
        action = bpy.data.actions.new(f"breathe {depth:g}")
        bag = versions.bag_for_write(armature, action)
        _key(bag, 'pose.bones["Hips"].rotation_quaternion', 1, "Hips", {1: 0.0, 15: 0.1, 31: 0.0})
        _key(bag, LIFT, 1, "Hand_L", {1: 0.0, 15: 0.1 + 0.1 * depth, 31: 0.0})
        _key(bag, SWELL, 0, "Head", {1: 1.0, 15: 1.2 + 0.2 * depth, 31: 1.0})
        _key(bag, GLOW, 0, "Head", {1: 0.0, 15: 0.5 + 0.5 * depth, 31: 0.0})
        _key(bag, SIDE, 0, "Object Transforms", {1: 3.0, 31: 3.0})
        example = annotate.add_example(action, action.name, 1.0, 31.0, 24.0)
        example.kind = "STATIONARY"
        annotate.set_value(action, example, "depth", depth)
        definitions.add_reference(verb, action, example)
    armature.verbs_adverbs.root = "Hips"
    return armature


def _expected(depth: float) -> np.ndarray:
    return np.array([0.0, 0.1 + 0.1 * depth, 0.0, 1.2 + 0.2 * depth, 1.0, 1.0, 0.5 + 0.5 * depth, 3.0])


def test_they_follow_sliders_and_timeline_and_come_back(armature):
    go_to(1)
    armature.pose.bones["Head"]["glow"], armature["side"] = 0.125, 3
    armature.update_tag()
    before, told = state_of(armature), _seen(armature)
    assert bpy.ops.verbs_adverbs.live_on(verb="breathe") == {"FINISHED"}
    director = armature.verbs_adverbs.director
    go_to(15)
    assert np.abs(_seen(armature) - _expected(0.0)).max() < 0.03
    drag(director, depth=1.0)
    assert np.abs(_seen(armature) - _expected(1.0)).max() < 0.03
    part("bridge.session.live").flush()
    go_to(15)
    assert np.abs(_seen(armature) - _expected(1.0)).max() < 0.03
    go_to(1)
    bpy.ops.verbs_adverbs.live_off()
    assert state_of(armature) == before
    assert np.abs(_seen(armature) - told).max() == 0.0


def test_they_are_baked_and_switches_are_held(armature):
    bpy.ops.verbs_adverbs.director_add()
    drag(armature.verbs_adverbs.director, depth=0.5)
    assert bpy.ops.verbs_adverbs.bake(verb="breathe") == {"FINISHED"}
    go_to(15)
    assert np.abs(_seen(armature) - _expected(0.5)).max() < 0.03
    curves = {c.data_path: c for c in part("bridge.blender.versions").curves_of(armature.animation_data.action)}
    assert {key.interpolation for key in curves[SIDE].keyframe_points} == {"CONSTANT"}
    assert len(curves[SIDE].keyframe_points) == 1
