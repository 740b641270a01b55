"""A verb is out of date when something is changed that it is built from, and only then."""

from collections.abc import Callable

import bpy
import numpy as np
import pytest
from blender.figurine import FIRST, LAST, add_to_verb, annotate, assign, figurine, part, state, stride

OPS = bpy.ops.verbs_adverbs


@pytest.fixture
def armature():
    """A figurine on a carrying bone, with a nodding foot in a group of its own, and a tail that nothing keys."""
    made = figurine()
    bpy.ops.object.mode_set(mode="EDIT")
    bones = made.data.edit_bones
    for name, parent, head, tail in (
        ("Carrier", None, (0, 0, 0), (0, 0.3, 0)),
        ("Tail", "Root", (0, 0.1, 1.0), (0, 0.5, 1.0)),
        ("Tip", "Tail", (0, 0.5, 1.0), (0, 0.7, 1.0)),
    ):
        bone = bones.new(name)
        bone.head, bone.tail, bone.parent = head, tail, bones.get(parent or "")
    bones["Root"].parent = bones["Carrier"]
    bpy.ops.object.mode_set(mode="OBJECT")
    OPS.verb_add(name="stride")
    OPS.adverb_add(name="energy")
    for index in range(2):
        action = stride(made, f"stride {index}", 0.4 + 0.1 * index)
        _nod(made, action)
        annotate(made, action, energy=2.0 * index - 1.0)
        add_to_verb(action)
    OPS.root_set(root="Root")
    return made


def _nod(armature, action) -> None:
    versions = part("bridge.blender.versions")
    bag = versions.bag_for_write(armature, action)
    curve = versions.fcurve_ensure(bag, 'pose.bones["Foot"].rotation_quaternion', 1, "Foot")
    for frame, value in ((FIRST, 0.0), (12, 0.3), (LAST, 0.0)):
        key = curve.keyframe_points.insert(frame, value)
        key.interpolation = "ELASTIC"
        key.amplitude, key.period = 0.4, 5.0
    curve.update()


def nodding(armature):
    """Curve of the foot in the action that is assigned."""
    curves = part("bridge.blender.versions").curves_of(armature.animation_data.action, armature)
    return next(curve for curve in curves if "Foot" in curve.data_path)


def figures(armature, verb) -> np.ndarray:
    """All numbers that a verb, built anew, plays and measures with."""
    built = part("bridge.authoring.refinement").build(armature, verb)[0]
    skeleton = built.channels.skeleton
    played = built.motion([0.3]).sample(np.linspace(0.0, 1.0, 41))
    static = np.delete(built.channels.static, built.channels.rotating, axis=0)
    parts = (skeleton.offsets, skeleton.rests, skeleton.tails, static, played)
    return np.concatenate([np.ravel(numbers) for numbers in parts])


def mute_a_group(armature) -> None:
    nodding(armature).group.mute = True


def _ease(name: str, interpolation: str, value: object) -> Callable[..., None]:
    def change(armature) -> None:
        key = nodding(armature).keyframe_points[0]
        assert key.interpolation == interpolation
        setattr(key, name, value)

    change.__name__ = f"another_{name}"
    return change


def move_the_object_up(armature) -> None:
    armature.location.z = 0.5


def tilt_the_object(armature) -> None:
    armature.rotation_euler = (0.1, 0.2, 0.0)


def tilt_the_object_about_an_axis(armature) -> None:
    armature.rotation_mode = "AXIS_ANGLE"
    armature.rotation_axis_angle = (0.3, 1.0, 0.0, 0.0)


def lift_the_object_by_its_delta(armature) -> None:
    armature.delta_location.z = 0.5


def tilt_the_object_by_its_delta(armature) -> None:
    armature.delta_rotation_euler.x = 0.2


def scale_the_object_by_its_delta(armature) -> None:
    armature.delta_scale = (1.5, 1.5, 1.5)


def pose_the_carrier(armature) -> None:
    armature.pose.bones["Carrier"].location = (0.0, 0.2, 0.3)


def turn_the_carrier(armature) -> None:
    armature.pose.bones["Carrier"].rotation_quaternion = (0.9, 0.3, 0.0, 0.0)


def scale_the_carrier(armature) -> None:
    armature.pose.bones["Carrier"].scale = (1.2, 1.2, 1.2)


def turn_a_bone_that_nothing_keys(armature) -> None:
    armature.pose.bones["Tail"].rotation_quaternion = (0.9, 0.3, 0.0, 0.0)


def turn_the_root_that_nothing_turns(armature) -> None:
    armature.pose.bones["Root"].rotation_quaternion = (0.9, 0.0, 0.3, 0.2)


def lengthen_a_bone(armature) -> None:
    bpy.ops.object.mode_set(mode="EDIT")
    armature.data.edit_bones["Foot"].length *= 2.0
    bpy.ops.object.mode_set(mode="OBJECT")


CHANGES = (
    mute_a_group,
    _ease("easing", "ELASTIC", "EASE_IN"),
    _ease("amplitude", "ELASTIC", 0.9),
    _ease("period", "ELASTIC", 9.0),
    _ease("interpolation", "ELASTIC", "SINE"),
    move_the_object_up,
    tilt_the_object,
    tilt_the_object_about_an_axis,
    lift_the_object_by_its_delta,
    tilt_the_object_by_its_delta,
    scale_the_object_by_its_delta,
    pose_the_carrier,
    turn_the_carrier,
    scale_the_carrier,
    turn_a_bone_that_nothing_keys,
    turn_the_root_that_nothing_turns,
    lengthen_a_bone,
)


def slide_the_object(armature) -> None:
    armature.location.xy = (3.0, -2.0)


def fold_a_modifier(armature) -> None:
    nodding(armature).modifiers[0].show_expanded ^= True


def choose_another_modifier(armature) -> None:
    nodding(armature).modifiers[1].active = True


def rename_a_modifier(armature) -> None:
    if "name" in bpy.types.FModifier.bl_rna.properties:
        nodding(armature).modifiers[0].name = "another"


def change_what_elastic_keys_do_not_heed(armature) -> None:
    curves = part("bridge.blender.versions").curves_of(armature.animation_data.action, armature)
    key = curves[0].keyframe_points[3]
    assert key.interpolation == "LINEAR"
    key.amplitude, key.back, key.easing = 3.0, 4.0, "EASE_IN"


def take_the_action_away(armature) -> None:
    bpy.context.scene.frame_set(9)
    armature.animation_data.action = None


def show_another_example(armature) -> None:
    assign(armature, bpy.data.actions["stride 0"])
    bpy.context.scene.frame_set(5)


def pose_what_the_examples_key(armature) -> None:
    armature.animation_data.action = None
    leg = armature.pose.bones["Leg"]
    leg.rotation_quaternion[0], leg.rotation_quaternion[1] = 0.8, 0.6


def change_the_mode_of_a_bone_at_rest(armature) -> None:
    armature.pose.bones["Tail"].rotation_mode = "ZYX"


def play_it(armature) -> None:
    part("bridge.session.switching").switch_on(armature, "stride", bpy.context.scene)
    bpy.context.scene.frame_set(7)


def play_it_and_stop(armature) -> None:
    play_it(armature)
    part("bridge.session.switching").switch_off(armature.verbs_adverbs.director)


NO_CHANGES = (
    slide_the_object,
    fold_a_modifier,
    choose_another_modifier,
    rename_a_modifier,
    change_what_elastic_keys_do_not_heed,
    take_the_action_away,
    show_another_example,
    pose_what_the_examples_key,
    change_the_mode_of_a_bone_at_rest,
    play_it,
    play_it_and_stop,
)


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_what_changes_a_verb_puts_it_out_of_date(armature, verb, change: Callable[..., None]):
    OPS.verb_build()
    before = figures(armature, verb)
    change(armature)
    assert state(armature, verb) == "OUT_OF_DATE"
    after = figures(armature, verb)
    assert before.shape != after.shape or np.abs(before - after).max() > 1e-4


@pytest.mark.parametrize("change", NO_CHANGES, ids=lambda change: change.__name__)
@pytest.mark.parametrize("kept", [True, False], ids=["kept", "loaded"])
def test_what_does_not_change_a_verb_leaves_it_up_to_date(armature, verb, change: Callable[..., None], kept: bool):
    for kind in ("NOISE", "STEPPED"):
        nodding(armature).modifiers.new(kind)
    OPS.verb_build()
    before = figures(armature, verb)
    if not kept:
        part("bridge.blender.store").forget()
    change(armature)
    assert state(armature, verb) == "UP_TO_DATE"
    assert np.allclose(before, figures(armature, verb), atol=1e-5)
