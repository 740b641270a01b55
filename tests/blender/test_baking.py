"""Bakes are the verb's motion as plain keyframes, and can be examples again."""

import bpy
import numpy as np
import pytest
from blender.action_hash import digests
from blender.stage import FPS, built_verb, core_joints, go_to, joints_of, part, planted, walking_biped

EXAMPLE = {"mood": -1.0, "slope": 1.0, "turn": 0.0}


def _curves(action) -> list:
    return part("bridge.blender.versions").curves_of(action)


def _bake(armature, **options):
    assert bpy.ops.verbs_adverbs.bake(**options) == {"FINISHED"}
    return armature.animation_data.action


def _set(director, **sliders: float) -> None:
    for name, value in sliders.items():
        director[name] = value


def _angles(armature) -> np.ndarray:
    """Local rotations (J, 4) of all bones as Blender shows them."""
    return np.array([bone.matrix_basis.to_quaternion() for bone in armature.pose.bones])


@pytest.fixture
def armature():
    return walking_biped()


@pytest.fixture
def director(armature):
    assert bpy.ops.verbs_adverbs.director_add() == {"FINISHED"}
    return armature.verbs_adverbs.director


def _played_joints(armature, verb, frames) -> np.ndarray:
    found = []
    for frame in frames:
        go_to(float(frame))
        found.append(joints_of(armature, verb.channels.skeleton.names))
    return np.array(found)


@pytest.mark.parametrize("step", [1.0, 3.0])
def test_a_bake_is_the_verbs_motion_with_its_feet_held_at_every_key(armature, director, step):
    _set(director, mood=0.4, slope=-0.3, turn=0.6)
    verb = built_verb(armature)
    action = _bake(armature, cycles=2, frame_start=5.0, step=step)
    frames = part("bridge.session.bake").key_frames(5.0, action.frame_range[1], step)
    values = planted(verb, [0.4, -0.3, 0.6], (frames - 5.0) / FPS)
    assert np.abs(_played_joints(armature, verb, frames) - core_joints(verb, values)).max() < 1e-4


def test_a_bake_lasts_as_long_as_the_verb(armature, director):
    _set(director, mood=0.37)
    verb = built_verb(armature)
    action = _bake(armature, cycles=3)
    duration = (action.frame_range[1] - action.frame_range[0]) / FPS
    assert abs(duration - 3.0 * verb.duration([0.37, 0.0, 0.0])) < 1e-4


@pytest.mark.parametrize("mode", ["QUATERNION", "XYZ", "ZXY", "AXIS_ANGLE"])
def test_a_bake_is_in_the_rigs_rotation_modes_and_does_not_flip(mode):
    armature = walking_biped()
    for bone in armature.pose.bones:
        bone.rotation_mode = mode
    action = _bake(armature, cycles=3)
    prop = {"QUATERNION": "rotation_quaternion", "AXIS_ANGLE": "rotation_axis_angle"}.get(mode, "rotation_euler")
    turning = [curve for curve in _curves(action) if "rotation" in curve.data_path]
    assert turning and all(curve.data_path.endswith(prop) for curve in turning)
    for curve in turning:
        keys = np.array([key.co[1] for key in curve.keyframe_points])
        assert np.abs(np.diff(keys)).max(initial=0.0) < 1.5, curve.data_path
    verb = built_verb(armature)
    expected = core_joints(verb, planted(verb, [0.0, 0.0, 0.0], np.arange(40) / FPS))
    assert np.abs(_played_joints(armature, verb, np.arange(1, 41)) - expected).max() < 1e-4


def test_curves_are_grouped_by_bone_in_a_slot_of_the_armature(armature, director):
    action = _bake(armature)
    for curve in _curves(action):
        assert f'"{curve.group.name}"' in curve.data_path
    if part("bridge.blender.versions").has_slots():
        assert armature.animation_data.action_slot is not None
        assert [slot.name_display for slot in action.slots] == [armature.name]


def test_a_bake_that_is_not_assigned_leaves_the_armature_alone(armature, director):
    before = armature.animation_data.action
    bpy.ops.verbs_adverbs.bake(assign=False, name="aside")
    assert armature.animation_data.action == before
    assert bpy.data.actions["aside"].use_fake_user
    part("bridge.blender.versions").assign_action(armature, bpy.data.actions["aside"])
    verb = built_verb(armature)
    expected = core_joints(verb, planted(verb, [0.0, 0.0, 0.0], [0.5]))
    assert np.abs(_played_joints(armature, verb, [13]) - expected).max() < 1e-4


def test_a_bake_in_place_stays_where_it_starts_and_loops(armature, director):
    _set(director, turn=0.7)
    action = _bake(armature, root="IN_PLACE")
    verb, end = built_verb(armature), action.frame_range[1]
    first, last = _played_joints(armature, verb, [1.0, end])
    assert np.abs(first - last).max() < 1e-3
    later = _played_joints(armature, verb, [9.0, 9.0 + 3.0 * (end - 1.0)])
    assert np.abs(later[0] - later[1]).max() < 2e-2
    assert action.verbs_adverbs.examples[0].kind == "IN_PLACE"


def test_a_straight_walk_goes_on_by_its_modifiers_and_a_turning_one_has_none(armature, director):
    action = _bake(armature)
    verb, length = built_verb(armature), action.frame_range[1] - 1.0
    values = verb.motion([0.0, 0.0, 0.0]).sample(np.array([8.0, 8.0 + 2.0 * length]) / FPS)
    played = _played_joints(armature, verb, [9.0, 9.0 + 2.0 * length])
    assert np.abs(played - core_joints(verb, values)).max() < 2e-2
    _set(director, turn=0.5)
    turning = _bake(armature)
    assert not any(len(curve.modifiers) for curve in _curves(turning))


def _standing(values: np.ndarray) -> np.ndarray:
    """Values with the travel taken away."""
    return np.concatenate([np.zeros_like(values[:, :3]), values[:, 3:]], axis=1)


def test_a_bake_can_be_an_example_again(armature, director):
    _set(director, **EXAMPLE)
    verb = built_verb(armature)
    expected = verb.motion(list(EXAMPLE.values()))
    action = _bake(armature, cycles=2, loop=False)
    definitions = part("bridge.authoring.definitions")
    item = definitions.add_verb(armature, "again")
    definitions.add_reference(item, action, action.verbs_adverbs.examples[1])
    item.control_points = 64
    again = part("bridge.authoring.verbs").verb_for(armature, item)
    assert again.keytime_names == verb.keytime_names and again.cyclic
    assert np.abs(again.keytimes([]) - verb.keytimes(list(EXAMPLE.values()))).max() < 1e-3
    assert [c.point for c in again.contacts] == [c.point for c in verb.contacts]
    for mine, theirs in zip(again.motion([]).windows, expected.windows, strict=True):
        assert np.abs(again.motion([]).clock(mine) - expected.clock(theirs)).max() < 1e-3
    times = np.linspace(0.0, expected.duration, 40)
    joints_of_values = part("core.figure.channels").world_joints
    played = joints_of_values(again.channels, _standing(again.motion([]).sample(times)))
    wanted = joints_of_values(verb.channels, _standing(expected.sample(times)))
    centred = [joints - joints[:, :1] for joints in (played, wanted)]
    assert np.linalg.norm(centred[0] - centred[1], axis=-1).max() < 0.02


def test_keytimes_of_every_cycle_are_marked_with_the_adverbs_of_the_bake(armature, director):
    _set(director, mood=0.5)
    action = _bake(armature, cycles=3)
    verb, examples = built_verb(armature), action.verbs_adverbs.examples
    keytimes = verb.keytimes([0.5, 0.0, 0.0])
    assert len(examples) == 3
    for cycle, example in enumerate(examples):
        frames = 1.0 + FPS * (cycle * keytimes[-1] + keytimes)
        assert np.allclose([keytime.frame for keytime in example.keytimes], frames, atol=1e-3)
        assert {value.name: round(value.value, 6) for value in example.values} == {
            "mood": 0.5,
            "slope": 0.0,
            "turn": 0.0,
        }
        assert example.fps == FPS and example.cyclic


def test_animated_adverbs_are_baked_as_the_timeline_plays_them(armature):
    bpy.ops.verbs_adverbs.live_on()
    director = armature.verbs_adverbs.director
    for frame, value in ((1, -1.0), (30, 1.0)):
        director["mood"] = value
        director.keyframe_insert('["mood"]', frame=frame)
    part("bridge.session.live").flush()
    verb = built_verb(armature)
    played = _played_joints(armature, verb, range(1, 61))
    action = _bake(armature, length="RANGE", frame_start=1.0, frame_end=60.0)
    assert not director.verbs_adverbs.live and armature.animation_data.action == action
    assert np.abs(_played_joints(armature, verb, range(1, 61)) - played).max() < 1e-5
    examples = action.verbs_adverbs.examples
    assert len(examples) >= 2
    assert examples[0].values["mood"].value < examples[1].values["mood"].value


def test_whole_cycles_of_animated_adverbs_end_where_the_cycle_ends(armature, director):
    for frame, value in ((1, -1.0), (30, 1.0)):
        director["mood"] = value
        director.keyframe_insert('["mood"]', frame=frame)
    action = _bake(armature, cycles=2)
    examples = action.verbs_adverbs.examples
    assert len(examples) == 2
    assert abs(examples[1].end - action.frame_range[1]) < 1e-3


def test_reduced_keys_stay_within_their_tolerance(armature, director):
    full = _bake(armature, cycles=2, loop=False)
    frames = np.arange(1.0, np.floor(full.frame_range[1]))
    rotations, hips = [], []
    for frame in frames:
        go_to(frame)
        rotations.append(_angles(armature))
        hips.append(armature.pose.bones["Hips"].location.copy())
    fewer = _bake(armature, cycles=2, loop=False, reduce=True, degrees=1.0, centimetres=0.5)
    counts = [sum(len(curve.keyframe_points) for curve in _curves(action)) for action in (full, fewer)]
    assert counts[1] < 0.6 * counts[0]
    quat = part("core.figure.quaternion")
    for row, frame in enumerate(frames):
        go_to(frame)
        assert np.degrees(quat.angle_between(_angles(armature), rotations[row])).max() < 1.01
        assert (armature.pose.bones["Hips"].location - hips[row]).length < 0.00501


def test_source_actions_stay_as_they_are(armature, director):
    before = digests()
    _bake(armature, cycles=2)
    after = digests()
    assert {name: after[name] for name in before} == before


def test_a_bake_that_fails_leaves_no_action(armature, director):
    before = sorted(bpy.data.actions.keys())
    with pytest.raises(RuntimeError, match="no frames"):
        bpy.ops.verbs_adverbs.bake(length="RANGE", frame_start=10.0, frame_end=10.0)
    armature.pose.bones["Head"].name = "Skull"
    with pytest.raises(RuntimeError, match="Head"):
        bpy.ops.verbs_adverbs.bake()
    assert sorted(bpy.data.actions.keys()) == before
