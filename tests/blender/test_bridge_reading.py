"""Actions are read as Blender plays them, whatever they are keyed in and wherever the travel is."""

import bpy
import numpy as np
import pytest
from blender.bridge_scenes import (
    MODES,
    angle,
    bridge,
    in_mode,
    joints_of,
    key_figure,
    make_figure,
    put_keys,
    seen_joints,
    take_of,
    travelling,
    wandering,
)
from mathutils import Euler, Matrix, Quaternion

START, END = 6.0, 34.0
FRAMES = np.arange(3.0, 38.0)


def _same(first: object, second: object, distance: float = 1e-5, degrees: float = 0.1) -> None:
    assert np.allclose(first.times, second.times, atol=1e-9)
    assert angle(first.rotations, second.rotations) < degrees
    assert np.abs(first.root - second.root).max() < distance


@pytest.fixture
def armature():
    return make_figure()


@pytest.fixture
def action(armature):
    return key_figure(armature, "walk")


def test_joints_are_where_blender_shows_them(armature):
    channels, take, complaints = take_of(armature, key_figure(armature, "walk", "YZX"), START, END)
    assert complaints == ()
    assert np.allclose(take.times * 30.0 + START, FRAMES)
    assert np.abs(joints_of(channels, take) - seen_joints(armature, channels, FRAMES)).max() < 1e-5


@pytest.mark.parametrize("mode", MODES)
def test_one_motion_in_any_encoding_at_its_worst_gives_the_same_take(mode: str):
    plain = make_figure("Plain")
    _, expected, _ = take_of(plain, key_figure(plain, "plain"), START, END)
    other = make_figure("Other")
    worst = key_figure(other, "worst", mode, np.random.default_rng(5))
    channels, take, complaints = take_of(other, worst, START, END)
    assert complaints == ()
    _same(take, expected)
    steps = np.einsum("frc,frc->fr", take.rotations[1:], take.rotations[:-1])
    assert steps.min() > 0.0


def test_an_armature_under_any_parent_gives_the_same_take(armature, action):
    _, expected, _ = take_of(armature, action, START, END)
    parent = bpy.data.objects.new("Parent", None)
    bpy.context.collection.objects.link(parent)
    parent.matrix_basis = Matrix.LocRotScale((3.0, -2.0, 7.0), Euler((0.4, 1.2, -2.0)), (0.5, 2.0, 3.0))
    armature.parent = parent
    armature.matrix_parent_inverse = Matrix.LocRotScale((1.0, 0.0, 0.0), Euler((1.0, 0.0, 0.0)), (2.0, 2.0, 2.0))
    bpy.context.view_layer.update()
    _same(take_of(armature, action, START, END)[1], expected, 1e-9, 1e-6)


def test_a_scaled_and_turned_object_is_read_in_the_units_of_its_parent(armature, action):
    put_keys(armature, action, 'pose.bones["Head"].location', np.arange(1.0, 41.0), travelling(40))
    armature.rotation_euler, armature.scale, armature.location = (np.pi / 2.0, 0.0, 0.3), (0.01,) * 3, (5.0, 6.0, 7.0)
    armature.delta_location, armature.delta_rotation_euler = (0.1, 0.2, 0.3), (0.0, 0.5, 0.0)
    armature.delta_scale = (2.0, 2.0, 2.0)
    bpy.context.view_layer.update()
    channels, take, _ = take_of(armature, action, START, END)
    assert np.abs(joints_of(channels, take) - seen_joints(armature, channels, FRAMES)).max() < 1e-6
    assert channels.skeleton.tails[0, 1] == pytest.approx(0.02 * armature.data.bones["Hips"].length)


def test_an_action_that_scales_the_object_otherwise_is_read_at_the_objects_scale_with_a_complaint(armature):
    action = key_figure(armature, "imported")
    put_keys(armature, action, "scale", np.array([1.0]), np.full((1, 3), 0.01))
    armature.animation_data.action = None
    armature.scale = (0.01, 0.01, 0.01)
    assert take_of(armature, action, START, END)[2] == ()
    armature.scale = (1.0, 1.0, 1.0)
    (complaint,) = take_of(armature, action, START, END)[2]
    assert "'imported' scales the object to 0.01, but the object's scale is 1" in complaint


def _key_travel_elsewhere(armature: bpy.types.Object, carrier: str) -> bpy.types.Action:
    """What the hips do in space in the usual motion, done by the object ('') or a bone (its path) over resting hips."""
    action = key_figure(armature, f"by {carrier}", turning=("Spine", "Head", "Leg", "Foot"))
    bag = bridge.blender.versions.bag_for_write(armature, action)
    frames = np.arange(1.0, 41.0)
    rotations, locations = wandering(0, 40), travelling(40)
    for index in range(3):
        bag.fcurves.remove(bag.fcurves.find('pose.bones["Hips"].location', index=index))
    hips = armature.data.bones["Hips"].matrix_local
    above = armature.data.bones["Base"].matrix_local if carrier else Matrix()
    rest = above.inverted() @ hips
    moved = [
        rest @ Matrix.LocRotScale(location, Quaternion(rotation), None) @ rest.inverted()
        for location, rotation in zip(locations, rotations, strict=True)
    ]
    put_keys(armature, action, carrier + "location", frames, np.array([m.to_translation() for m in moved]))
    turned = np.array([m.to_quaternion() for m in moved])
    owner = armature.pose.bones["Base"] if carrier else armature
    owner.rotation_mode = "XYZ"
    put_keys(armature, action, carrier + "rotation_euler", frames, in_mode(turned, "XYZ", np.random.default_rng(1)))
    return action


@pytest.mark.parametrize("carrier", ["", 'pose.bones["Base"].'])
def test_travel_on_the_object_or_on_a_bone_above_gives_the_same_take(armature, carrier: str):
    _, expected, _ = take_of(armature, key_figure(armature, "by hips"), START, END, "Hips")
    action = _key_travel_elsewhere(armature, carrier)
    _, take, _ = take_of(armature, action, START, END, "Hips")
    assert angle(take.rotations[:, 0], expected.rotations[:, 0]) < 0.1
    assert np.abs(take.root - expected.root).max() < 1e-5


def test_the_root_is_guessed_where_the_travel_is(armature):
    spans = {}
    for carrier in ("", 'pose.bones["Base"].'):
        spans[carrier] = (bridge.data.curves.gather(_key_travel_elsewhere(armature, carrier), armature), START, END)
    hips = (bridge.data.curves.gather(key_figure(armature, "hips"), armature), START, END)
    assert bridge.rig.rig.guess_root(armature, [spans[""]]) == "<object>"
    assert bridge.rig.rig.guess_root(armature, [spans['pose.bones["Base"].']]) == "Base"
    assert bridge.rig.rig.guess_root(armature, [hips]) == "Hips"
    assert bridge.rig.rig.guess_root(armature, [hips, *spans.values()]) == "Hips"


@pytest.mark.parametrize("root", ["<object>", "Base", "Spine"])
def test_any_root_gives_the_same_joints(armature, root: str):
    action = key_figure(armature, "walk", "XZY")
    put_keys(armature, action, "location", np.arange(1.0, 41.0), travelling(40))
    channels, take, _ = take_of(armature, action, START, END, root)
    found = joints_of(channels, take)
    if root == "<object>":
        found = found[:, 1:]
    under = [joint for joint, name in enumerate(channels.skeleton.names) if name != "<object>"]
    seen = seen_joints(armature, channels, FRAMES)
    kept = [row for row, joint in enumerate(under) if channels.skeleton.chain(joint)[-1] == 0]
    assert len(kept) >= 2
    assert np.abs(found[:, kept] - seen[:, kept]).max() < 1e-5


def test_another_armature_of_the_same_build_can_read_the_action():
    maker, other = make_figure("Maker"), make_figure("Other")
    action = key_figure(maker, "walk")
    _, expected, _ = take_of(maker, action, START, END)
    _same(take_of(other, action, START, END)[1], expected, 1e-9, 1e-6)
    assert other.animation_data is None


def test_keys_between_frames_are_read_where_they_are(armature):
    frames = 1.0 + 0.8 * np.arange(50.0)
    action = key_figure(armature, "from 30 to 24", "XYZ", np.random.default_rng(2), frames)
    channels, take, _ = take_of(armature, action, START, END)
    times = take.times * 30.0 + START
    assert np.abs(times[:, None] - frames).min(axis=0)[(frames > 3.0) & (frames < 37.0)].max() < 1e-3
    assert np.diff(times).max() <= 1.0 + 1e-6
    rows, keys = np.nonzero(np.abs(times[:, None] - frames) < 1e-3)
    spine = list(channels.rotating).index(channels.skeleton.names.index("Spine"))
    assert len(rows) > 30
    assert angle(take.rotations[rows, spine], wandering(1, 50)[keys]) < 0.1


@pytest.mark.parametrize("mode", ["YXZ", "QUATERNION"])
def test_keys_that_wrap_over_more_than_a_frame_are_not_evaluated_in_between(mode: str):
    frames = 1.0 + 1.5 * np.arange(27.0)
    plain, other = make_figure("Plain"), make_figure("Other")
    _, expected, _ = take_of(plain, key_figure(plain, "plain", frames=frames), START, END)
    worst = key_figure(other, "worst", mode, np.random.default_rng(3), frames)
    _, take, _ = take_of(other, worst, START, END)
    rows, others = np.nonzero(np.abs(take.times[:, None] - expected.times) < 1e-6)
    assert len(rows) > 40 and np.diff(take.times).max() <= 1.0 / 30.0 + 1e-6
    assert angle(take.rotations[rows], expected.rotations[others]) < 0.1


def test_sparse_keys_are_read_as_their_curves_run(armature):
    action = key_figure(armature, "blocked", "ZXY", None, np.array([1.0, 9.0, 22.0, 40.0]))
    channels, take, _ = take_of(armature, action, START, END)
    frames = take.times * 30.0 + START
    assert np.diff(frames).max() <= 1.0 + 1e-6
    assert np.abs(joints_of(channels, take) - seen_joints(armature, channels, frames)).max() < 1e-5


def test_cycles_modifiers_carry_the_motion_beyond_its_keys(armature):
    action = key_figure(armature, "loop")
    for curve in bridge.blender.versions.curves_of(action, armature):
        curve.modifiers.new("CYCLES")
        curve.update()
    channels, take, _ = take_of(armature, action, 30.0, 60.0)
    frames = take.times * 30.0 + 30.0
    assert frames[0] == 27.0 and frames[-1] == 63.0
    assert np.abs(joints_of(channels, take) - seen_joints(armature, channels, frames)).max() < 1e-5


def test_modifiers_that_change_what_is_keyed_are_heeded(armature):
    action = key_figure(armature, "shaky")
    for curve in bridge.blender.versions.curves_of(action, armature):
        if "Hips" in curve.data_path:
            noise = curve.modifiers.new("NOISE")
            noise.strength, noise.scale = 0.2, 2.0
            curve.update()
    channels, take, _ = take_of(armature, action, START, END)
    assert np.abs(joints_of(channels, take) - seen_joints(armature, channels, FRAMES)).max() < 1e-5


def test_bones_of_any_name_are_found(armature, action):
    armature.data.bones["Spine"].name = 'a "back" \\ bone.001'
    channels, take, complaints = take_of(armature, action, START, END)
    assert complaints == () and len(channels.rotating) == 5
    assert np.abs(joints_of(channels, take) - seen_joints(armature, channels, FRAMES)).max() < 1e-5


def test_muted_curves_are_not_read(armature, action):
    for curve in bridge.blender.versions.curves_of(action, armature):
        curve.mute = "Spine" in curve.data_path
    channels, _, _ = take_of(armature, action, START, END)
    assert channels.skeleton.names.index("Spine") not in channels.rotating


def test_keys_of_another_rotation_mode_are_used_with_a_complaint(armature, action):
    _, expected, _ = take_of(armature, action, START, END)
    armature.pose.bones["Spine"].rotation_mode = "XYZ"
    _, take, complaints = take_of(armature, action, START, END)
    _same(take, expected)
    assert len(complaints) == 1
    assert "'walk' keys rotation_quaternion of bone 'Spine', whose rotation mode is XYZ" in complaints[0]


def test_switches_are_held_and_sliders_are_blended(armature, action):
    armature["ik"], armature["count"] = True, 3
    armature.pose.bones["Head"]["smile"] = 0.0
    armature.pose.bones["Head"]['it\'s "odd"'] = 0.0
    frames = np.array([1.0, 20.0, 40.0])
    for path, values in {
        '["ik"]': [0, 1, 1],
        '["count"]': [1, 2, 3],
        'pose.bones["Head"]["smile"]': [0.1, 0.7, 0.3],
        'pose.bones["Head"]["it\'s \\"odd\\""]': [0.4, 0.4, 0.4],
        'pose.bones["Head"].scale': [[1, 1, 1], [1, 2, 1], [1, 1, 1]],
    }.items():
        put_keys(armature, action, path, frames, np.array(values, dtype=float))
    channels, take, complaints = take_of(armature, action, START, END)
    found = {scalar.label: (scalar.kind, scalar.held, scalar.joint) for scalar in channels.scalars}
    head = channels.skeleton.names.index("Head")
    assert complaints == ()
    assert found == {
        "Head scale Y": ("scale", False, head),
        '["count"]': ("value", True, -1),
        '["ik"]': ("value", True, -1),
        'pose.bones["Head"]["it\'s \\"odd\\""]': ("value", True, head),
        'pose.bones["Head"]["smile"]': ("value", False, head),
    }
    assert take.scalars.shape == (len(FRAMES), 5)


def test_nothing_in_the_file_is_changed_by_reading(armature, action):
    armature.animation_data.action = None
    users, pose = action.users, [tuple(bone.matrix_basis.col[3]) for bone in armature.pose.bones]
    take_of(armature, action, START, END)
    assert armature.animation_data.action is None and action.users == users
    assert pose == [tuple(bone.matrix_basis.col[3]) for bone in armature.pose.bones]


def test_an_action_of_an_arm_alone_does_not_make_the_arm_the_root(armature):
    action = key_figure(armature, "nod", turning=("Head",))
    for index in range(3):
        bag = bridge.blender.versions.bag_for_write(armature, action)
        bag.fcurves.remove(bag.fcurves.find('pose.bones["Hips"].location', index=index))
    put_keys(armature, action, 'pose.bones["Head"].location', np.arange(1.0, 41.0), travelling(40))
    nod = (bridge.data.curves.gather(action, armature), START, END)
    walk = (bridge.data.curves.gather(key_figure(armature, "walk"), armature), START, END)
    assert bridge.rig.rig.guess_root(armature, [walk, nod]) == "Hips"
