"""Examples of a verb are united into channels and takes; what does not fit is said in a sentence."""

from types import ModuleType

import bpy
import numpy as np
import pytest
from blender.bridge_scenes import MODES, angle, bridge, figure, in_mode, key_figure, make_figure, put_keys, wandering
from blender.figurine import build_refused

FRAMES = np.arange(1.0, 41.0)


def mark(action: bpy.types.Action, value: float, start: float = 6.0, end: float = 34.0) -> object:
    """Annotate an example with one keytime between its ends, a contact and one adverb."""
    item = bridge.data.annotate.add_example(action, action.name, start, end, 30.0)
    item.cyclic = True
    bridge.data.annotate.add_keytime(action, item, "middle", 0.5 * (start + end))
    contact = bridge.data.annotate.add_contact(action, item, "Foot", "TAIL")
    bridge.data.annotate.add_window(action, item, contact, start + 3.0, start + 9.0)
    bridge.data.annotate.set_value(action, item, "mood", value)
    return item


def make_verb(armature: bpy.types.Object, actions: list[bpy.types.Action]) -> object:
    """A verb of one adverb on all the examples of some actions."""
    bridge.authoring.definitions.add_adverb(armature, "mood")
    verb = bridge.authoring.definitions.add_verb(armature, "walk")
    verb.adverbs.add().name = "mood"
    for action in actions:
        for item in action.verbs_adverbs.examples:
            bridge.authoring.definitions.add_reference(verb, action, item)
    return verb


@pytest.fixture
def armature() -> bpy.types.Object:
    return make_figure()


@pytest.fixture
def actions(armature: bpy.types.Object) -> list[bpy.types.Action]:
    found = [key_figure(armature, name, "QUATERNION") for name in ("sad", "happy")]
    for value, action in zip((-1.0, 1.0), found, strict=True):
        mark(action, value)
    return found


@pytest.fixture
def verb(armature: bpy.types.Object, actions: list[bpy.types.Action]) -> object:
    return make_verb(armature, actions)


@pytest.fixture
def errors(extension: ModuleType) -> ModuleType:
    return __import__(f"{extension.__name__}.core.errors", fromlist=["errors"])


def test_an_example_is_told_in_seconds_from_its_start(armature, verb):
    sad, happy = bridge.action.examples.read_examples(armature, verb).examples
    assert (sad.name, happy.name) == ("sad", "happy")
    assert sad.keytime_names == ("start", "middle", "end")
    assert np.allclose(sad.keytimes, [0.0, 14.0 / 30.0, 28.0 / 30.0])
    assert np.allclose(sad.adverbs, [-1.0]) and np.allclose(happy.adverbs, [1.0])
    assert sad.take.times[0] == pytest.approx(-3.0 / 30.0) and sad.take.times[-1] == pytest.approx(31.0 / 30.0)
    assert (sad.kind, sad.cyclic) == ("travelling", True)


def test_a_contact_at_a_tail_is_at_the_tail_of_its_bone(armature, verb):
    source = bridge.action.examples.read_examples(armature, verb)
    (contact,) = source.examples[0].contacts
    assert source.channels.skeleton.names[contact.joint] == "Foot"
    assert np.allclose(contact.offset, [0.0, armature.data.bones["Foot"].length, 0.0])
    assert np.allclose(contact.windows, [(3.0 / 30.0, 9.0 / 30.0)])


def test_frames_keep_their_seconds_when_the_scenes_rate_changes(armature, verb):
    before = bridge.action.examples.read_examples(armature, verb).examples[0]
    bpy.context.scene.render.fps = 60
    after = bridge.action.examples.read_examples(armature, verb).examples[0]
    assert np.allclose(before.keytimes, after.keytimes)
    assert np.allclose(before.take.times, after.take.times)
    item = verb.examples[0].action.verbs_adverbs.examples[0]
    assert any("Made at 30 fps" in line for line in bridge.data.structure.complaints(item, verb))


def test_a_bone_that_only_some_examples_key_is_at_rest_in_the_others(armature, actions):
    partial = key_figure(armature, "partial", turning=("Hips", "Spine", "Leg", "Foot"))
    mark(partial, 0.0)
    source = bridge.action.examples.read_examples(armature, make_verb(armature, [*actions, partial]))
    row = list(source.channels.rotating).index(source.channels.skeleton.names.index("Head"))
    assert angle(source.examples[2].take.rotations[:, row], figure.quaternion.IDENTITY) == 0.0
    assert source.complaints == (
        "Example 'partial' does not key 'Head', but other examples do: the rest pose is used there.",
    )


@pytest.mark.parametrize("count", [1, 2], ids=["some", "all"])
def test_a_bone_held_still_away_from_rest_in_examples_is_a_channel(armature, actions, count: int):
    still = np.tile(wandering(7, 1), (40, 1))
    for action in actions[:count]:
        put_keys(armature, action, 'pose.bones["Prop"].rotation_quaternion', FRAMES, still)
    source = bridge.action.examples.read_examples(armature, make_verb(armature, actions))
    row = list(source.channels.rotating).index(source.channels.skeleton.names.index("Prop"))
    assert angle(source.examples[0].take.rotations[:, row], still[0]) < 0.01
    missing = ("Example 'happy' does not key 'Prop', but other examples do: the rest pose is used there.",)
    assert source.complaints == missing[: 2 - count]


def test_what_stays_at_rest_in_all_examples_is_not_a_channel(armature, actions):
    still = np.tile([1.0, 0.0, 0.0, 0.0], (40, 1))
    for action in actions:
        put_keys(armature, action, 'pose.bones["Prop"].rotation_quaternion', FRAMES, still)
        put_keys(armature, action, 'pose.bones["Head"].location', FRAMES, np.zeros((40, 3)))
        put_keys(armature, action, 'pose.bones["Spine"].scale', FRAMES, np.ones((40, 3)))
    channels = bridge.action.examples.read_examples(armature, make_verb(armature, actions)).channels
    prop = channels.skeleton.names.index("Prop")
    assert prop not in channels.rotating and channels.scalars == ()
    assert angle(channels.static[prop], still[0]) < 0.01


def test_a_constant_that_differs_between_examples_is_blended_and_a_switch_is_held(armature, actions):
    armature["lean"], armature["ik"] = 0.0, 0.0
    for value, action in enumerate(actions):
        put_keys(armature, action, '["lean"]', FRAMES, np.full(40, 0.3 + 0.2 * value))
        put_keys(armature, action, '["ik"]', FRAMES, np.full(40, float(value)))
    channels = bridge.action.examples.read_examples(armature, make_verb(armature, actions)).channels
    assert {scalar.label: scalar.held for scalar in channels.scalars} == {'["ik"]': True, '["lean"]': False}


@pytest.mark.parametrize("mode", MODES)
def test_examples_of_different_rotation_modes_go_together(armature, actions, mode: str):
    other = bpy.data.actions.new("other")
    armature.animation_data.action = None
    armature.pose.bones["Spine"].rotation_mode = mode
    prop = {"QUATERNION": "rotation_quaternion", "AXIS_ANGLE": "rotation_axis_angle"}.get(mode, "rotation_euler")
    put_keys(armature, other, f'pose.bones["Spine"].{prop}', FRAMES, in_mode(wandering(1, 40), mode))
    mark(other, 0.0)
    source = bridge.action.examples.read_examples(armature, make_verb(armature, [actions[0], other]))
    row = list(source.channels.rotating).index(source.channels.skeleton.names.index("Spine"))
    assert angle(source.examples[0].take.rotations[:, row], source.examples[1].take.rotations[:, row]) < 0.1


def _no_examples(armature, verb):
    verb.examples.clear()


def _deleted_action(armature, verb):
    bpy.data.actions.remove(verb.examples[0].action)


def _deleted_example(armature, verb):
    action = verb.examples[0].action
    bridge.data.annotate.remove_example(action, action.verbs_adverbs.examples[0])


def _renamed_adverb(armature, verb):
    armature.verbs_adverbs.adverbs[0].name = "temper"


def _no_value(armature, verb):
    verb.examples[0].action.verbs_adverbs.examples[0].values.clear()


def _huge_value(armature, verb):
    verb.examples[0].action.verbs_adverbs.examples[0].values[0].value = 1e30


def _renamed_bone(armature, verb):
    armature.data.bones["Spine"].name = "Backbone"
    for curve in bridge.blender.versions.curves_of(verb.examples[0].action, armature):
        curve.data_path = curve.data_path.replace("Backbone", "Spine")


def _other_armature(armature, verb):
    for curve in bridge.blender.versions.curves_of(verb.examples[0].action, armature):
        curve.data_path = curve.data_path.replace('bones["', 'bones["Their')


def _root_gone(armature, verb):
    armature.verbs_adverbs.root = "Pelvis"


def _contact_bone_gone(armature, verb):
    verb.examples[0].action.verbs_adverbs.examples[0].contacts[0].bone = "Toe"


def _empty_action(armature, verb):
    for curve in list(bridge.blender.versions.curves_of(verb.examples[0].action, armature)):
        bridge.blender.versions.bag_for_write(armature, verb.examples[0].action).fcurves.remove(curve)


def _key(armature, verb, value: float, frame: float | None = None):
    curve = next(
        c for c in bridge.blender.versions.curves_of(verb.examples[0].action, armature) if "Spine" in c.data_path
    )
    keys = np.empty(2 * len(curve.keyframe_points), dtype=np.float32)
    curve.keyframe_points.foreach_get("co", keys)
    keys[22:24] = keys[22] if frame is None else frame, value
    curve.keyframe_points.foreach_set("co", keys)


def _not_a_number(armature, verb):
    _key(armature, verb, float("nan"))


def _infinite(armature, verb):
    _key(armature, verb, float("inf"))


def _infinitely_negative(armature, verb):
    _key(armature, verb, -float("inf"))


def _huge_key(armature, verb):
    _key(armature, verb, 1e30)


def _key_at_no_frame(armature, verb):
    _key(armature, verb, 0.0, float("nan"))


def _no_keys_in_span(armature, verb):
    bridge.data.annotate.set_span(
        verb.examples[0].action, verb.examples[0].action.verbs_adverbs.examples[0], 100.0, 130.0
    )


def _two_frames(armature, verb):
    action = verb.examples[0].action
    _empty_action(armature, verb)
    put_keys(armature, action, 'pose.bones["Hips"].location', np.array([1.0, 2.0]), np.eye(3)[:2])
    bridge.data.annotate.set_span(action, action.verbs_adverbs.examples[0], 1.0, 2.0)


def _keytime_outside(armature, verb):
    action = verb.examples[0].action
    next(marker for marker in action.pose_markers if marker.name.startswith("middle")).frame = 50


def _zero_scale(armature, verb):
    armature.scale = (0.0, 0.0, 0.0)


def _uneven_scale(armature, verb):
    armature.scale = (1.0, 2.0, 1.0)


def _mirrored(armature, verb):
    armature.scale = (-1.0, -1.0, -1.0)


BAD_INPUT = [
    (_no_examples, "VerbError", "Verb 'walk' has no examples. Add some to its list, or tick one."),
    (_deleted_action, "ExampleError", "The action 'sad' of verb 'walk' no longer exists. Bring it back, or remove"),
    (_deleted_example, "ExampleError", "Action 'sad' no longer has an example 'sad'. Mark it again"),
    (_renamed_adverb, "VerbError", "uses the adverb 'mood', which 'Figure' does not have. Add it"),
    (_no_value, "ExampleError", "no value for the adverb 'mood' of verb 'walk'. Give it one, press Fill In Values"),
    (_huge_value, "ExampleError", "Example 'sad' has the invalid value 1e+30 for 'mood'. Set a usable value."),
    (
        _renamed_bone,
        "ActionError",
        "'sad' animates bones that 'Figure' does not have: 'Spine'. Press Map Bones if they were renamed",
    ),
    (_other_armature, "ActionError", "'sad' was made for another armature: 'Figure' has none of its bones"),
    (_root_gone, "RigError", "Armature 'Figure' has no root bone 'Pelvis'. Choose another root"),
    (_contact_bone_gone, "RigError", "The contact point 'Toe' of example 'sad' is not a bone of 'Figure'"),
    (_empty_action, "ActionError", "Action 'sad' has no keys for 'Figure'. Choose an action that animates"),
    (_not_a_number, "ActionError", "rotation_quaternion of bone 'Spine' in action 'sad' is nan at frame 12. Delete"),
    (_infinite, "ActionError", "rotation_quaternion of bone 'Spine' in action 'sad' is inf at frame 12. Delete"),
    (_infinitely_negative, "ActionError", "rotation_quaternion of bone 'Spine' in action 'sad' is -inf at frame 12."),
    (_huge_key, "ActionError", "rotation_quaternion of bone 'Spine' in action 'sad' is 1e+30 at frame 12. Delete"),
    (_key_at_no_frame, "ActionError", "bone 'Spine' in action 'sad' has a key at an invalid frame. Delete it"),
    (_no_keys_in_span, "ActionError", "'sad' has no keys in frames 100 to 130: its keys are in frames 1 to 40. Move"),
    (_two_frames, "ActionError", "Frames 1 to 2 of action 'sad' are too few: a motion needs at least 3 frames."),
    (
        _keytime_outside,
        "ExampleError",
        "'middle' of example 'sad' is at frame 50, outside the example's frames 6 to 34. Drag",
    ),
    (_zero_scale, "RigError", "Armature 'Figure' has the scale 0, 0, 0. Set a positive scale"),
    (_mirrored, "RigError", "Armature 'Figure' has the scale -1, -1, -1. Set a positive scale"),
    (_uneven_scale, "RigError", "Armature 'Figure' is scaled unevenly, 1, 2, 1. Apply its scale"),
]


@pytest.mark.parametrize(("spoil", "kind", "sentence"), BAD_INPUT, ids=[case[0].__name__[1:] for case in BAD_INPUT])
def test_bad_input_after_the_build_is_named_with_where_it_is_and_how_to_mend_it(
    armature, verb, errors, capfd, spoil, kind, sentence
):
    for reference in verb.examples:
        reference.action.verbs_adverbs.examples[0].cyclic = False
    assert bpy.ops.verbs_adverbs.verb_build() == {"FINISHED"}
    spoil(armature, verb)
    with pytest.raises(getattr(errors, kind)) as caught:
        bridge.action.examples.read_examples(armature, verb)
    assert sentence in str(caught.value)
    if spoil != _no_examples:  # where the button is greyed out
        assert sentence in build_refused(capfd)


def test_a_linked_action_is_read_like_a_local_one(armature, verb, actions, tmp_path, errors):
    expected = bridge.action.examples.read_examples(armature, verb).examples[0]
    library = tmp_path / "library.blend"
    bpy.data.libraries.write(str(library), {actions[0]}, fake_user=True)
    with bpy.data.libraries.load(str(library), link=True) as (_, loaded):
        loaded.actions = ["sad"]
    linked = loaded.actions[0]
    assert linked.library is not None
    verb.examples[0].action = linked
    found = bridge.action.examples.read_examples(armature, verb).examples[0]
    assert angle(found.take.rotations, expected.take.rotations) < 1e-6
    assert found.keytime_names == expected.keytime_names
    with pytest.raises(errors.ActionError, match="linked from .*library.blend, so its examples cannot be edited here"):
        bridge.data.annotate.set_value(linked, linked.verbs_adverbs.examples[0], "mood", 0.5)
