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


def _ease(armature, name: str, value: object) -> None:
    key = nodding(armature).keyframe_points[0]
    assert key.interpolation == "ELASTIC"
    setattr(key, name, value)


def _tilt_about_an_axis(armature) -> None:
    armature.rotation_mode = "AXIS_ANGLE"
    armature.rotation_axis_angle = (0.3, 1.0, 0.0, 0.0)


def _pose(armature, bone: str, name: str, value: tuple[float, ...]) -> None:
    setattr(armature.pose.bones[bone], name, value)


def _lengthen_a_bone(armature) -> None:
    bpy.ops.object.mode_set(mode="EDIT")
    armature.data.edit_bones["Foot"].length *= 2.0
    bpy.ops.object.mode_set(mode="OBJECT")


CHANGES: dict[str, Callable[..., object]] = {
    "a group is muted": lambda armature: setattr(nodding(armature).group, "mute", True),
    "another easing": lambda armature: _ease(armature, "easing", "EASE_IN"),
    "another amplitude": lambda armature: _ease(armature, "amplitude", 0.9),
    "another period": lambda armature: _ease(armature, "period", 9.0),
    "another interpolation": lambda armature: _ease(armature, "interpolation", "SINE"),
    "the object is moved up": lambda armature: setattr(armature.location, "z", 0.5),
    "the object is tilted": lambda armature: setattr(armature, "rotation_euler", (0.1, 0.2, 0.0)),
    "the object is tilted about an axis": _tilt_about_an_axis,
    "the object is lifted by its delta": lambda armature: setattr(armature.delta_location, "z", 0.5),
    "the object is tilted by its delta": lambda armature: setattr(armature.delta_rotation_euler, "x", 0.2),
    "the object is scaled by its delta": lambda armature: setattr(armature, "delta_scale", (1.5, 1.5, 1.5)),
    "the carrier is posed": lambda armature: _pose(armature, "Carrier", "location", (0.0, 0.2, 0.3)),
    "the carrier is turned": lambda armature: _pose(armature, "Carrier", "rotation_quaternion", (0.9, 0.3, 0.0, 0.0)),
    "the carrier is scaled": lambda armature: _pose(armature, "Carrier", "scale", (1.2, 1.2, 1.2)),
    "a bone that nothing keys": lambda armature: _pose(armature, "Tail", "rotation_quaternion", (0.9, 0.3, 0.0, 0.0)),
    "a root that nothing turns": lambda armature: _pose(armature, "Root", "rotation_quaternion", (0.9, 0.0, 0.3, 0.2)),
    "a bone is lengthened": _lengthen_a_bone,
}


def _fold_a_modifier(armature) -> None:
    nodding(armature).modifiers[0].show_expanded ^= True


def _rename_a_modifier(armature) -> None:
    if "name" in bpy.types.FModifier.bl_rna.properties:
        nodding(armature).modifiers[0].name = "another"


def _change_what_elastic_keys_do_not_heed(armature) -> None:
    curves = part("bridge.blender.versions").curves_of(armature.animation_data.action, armature)
    key = curves[0].keyframe_points[3]
    assert key.interpolation == "LINEAR"
    key.amplitude, key.back, key.easing = 3.0, 4.0, "EASE_IN"


def _take_the_action_away(armature) -> None:
    bpy.context.scene.frame_set(9)
    armature.animation_data.action = None


def _show_another_example(armature) -> None:
    assign(armature, bpy.data.actions["stride 0"])
    bpy.context.scene.frame_set(5)


def _pose_what_the_examples_key(armature) -> None:
    armature.animation_data.action = None
    leg = armature.pose.bones["Leg"]
    leg.rotation_quaternion[0], leg.rotation_quaternion[1] = 0.8, 0.6


def _play_it(armature) -> None:
    part("bridge.session.switching").switch_on(armature, "stride", bpy.context.scene)
    bpy.context.scene.frame_set(7)


def _play_it_and_stop(armature) -> None:
    _play_it(armature)
    part("bridge.session.switching").switch_off(armature.verbs_adverbs.director)


NO_CHANGES: dict[str, Callable[..., object]] = {
    "the object slides": lambda armature: setattr(armature.location, "xy", (3.0, -2.0)),
    "a modifier is folded": _fold_a_modifier,
    "another modifier is chosen": lambda armature: setattr(nodding(armature).modifiers[1], "active", True),
    "a modifier is renamed": _rename_a_modifier,
    "what elastic keys do not heed": _change_what_elastic_keys_do_not_heed,
    "the action is taken away": _take_the_action_away,
    "another example is shown": _show_another_example,
    "a pose of what the examples key": _pose_what_the_examples_key,
    "the mode of a bone at rest": lambda armature: setattr(armature.pose.bones["Tail"], "rotation_mode", "ZYX"),
    "it is played": _play_it,
    "it is played and stopped": _play_it_and_stop,
}


@pytest.mark.parametrize("change", CHANGES)
def test_what_changes_a_verb_puts_it_out_of_date(armature, verb, change: str):
    OPS.verb_build()
    before = figures(armature, verb)
    CHANGES[change](armature)
    assert state(armature, verb) == "OUT_OF_DATE"
    after = figures(armature, verb)
    assert before.shape != after.shape or np.abs(before - after).max() > 1e-4


@pytest.mark.parametrize("change", NO_CHANGES)
@pytest.mark.parametrize("kept", [True, False], ids=["kept", "loaded"])
def test_what_does_not_change_a_verb_leaves_it_up_to_date(armature, verb, change: str, kept: bool):
    for kind in ("NOISE", "STEPPED"):
        nodding(armature).modifiers.new(kind)
    OPS.verb_build()
    before = figures(armature, verb)
    if not kept:
        part("bridge.blender.store").forget()
    NO_CHANGES[change](armature)
    assert state(armature, verb) == "UP_TO_DATE"
    assert np.allclose(before, figures(armature, verb), atol=1e-5)
