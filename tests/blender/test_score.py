"""Commands are keys of the director, each operator one step to undo; the whole score is baked to plain keyframes."""

import bpy
import numpy as np
import pytest
from blender.figurine import refused
from blender.performance import END, OPS, begin_with, biped_with_graph, performing_biped, recorded
from blender.stage import FPS, go_to, part, poses_at

COMMANDS = {"walk": 20, "wave": 110}


def _keys(armature) -> list[tuple[float, str]]:
    commands = part("bridge.data.commands")
    return [
        (key.frame, commands.verb_of_number(armature, key.number).name)
        for key in commands.command_keys(armature.verbs_adverbs.director)
    ]


def _curves(action, owner=None) -> list:
    return part("bridge.blender.versions").curves_of(action, owner)


@pytest.fixture
def armature():
    return biped_with_graph()


def test_a_command_is_a_key_that_is_held_at_the_current_frame(armature):
    bpy.context.scene.frame_set(37)
    assert OPS.command_add(verb="walk") == {"FINISHED"}
    assert OPS.command_add(verb="walk", frame=50.0) == {"FINISHED"}
    assert armature.verbs_adverbs.director.verbs_adverbs.performance.active_command == 1
    assert _keys(armature) == [(37.0, "walk"), (50.0, "walk")]
    director = armature.verbs_adverbs.director
    performance = director.verbs_adverbs.performance
    for frame in (20.5, 37.0):
        performance.command_frame = frame
        assert _keys(armature) == [(20.5, "walk"), (37.0, "walk")] and performance.active_command == 0
    performance.command_frame = 50.0
    assert _keys(armature) == [(37.0, "walk"), (50.0, "walk")] and performance.command_frame == 50.0
    (curve,) = _curves(director.animation_data.action, director)
    assert curve.data_path == '["command"]' and {key.interpolation for key in curve.keyframe_points} == {"CONSTANT"}
    described = director.id_properties_ui("command").as_dict()["description"]
    assert all(verb.name in described for verb in armature.verbs_adverbs.verbs)


def test_a_command_at_the_same_frame_replaces_the_one_that_was_there(armature):
    for verb in ("walk", "wave"):
        OPS.command_add(verb=verb, frame=30.0)
    assert _keys(armature) == [(30.0, "wave")]


def test_commands_are_read_from_the_slot_of_the_director_beside_its_other_curves(armature):
    OPS.command_add(verb="walk", frame=30.0)
    director = armature.verbs_adverbs.director
    director.keyframe_insert("location", frame=10)
    OPS.adverbs_key()
    versions = part("bridge.blender.versions")
    other = bpy.data.objects.new("Other", None)
    bpy.context.collection.objects.link(other)
    action = director.animation_data.action
    other["command"] = 1
    if versions.has_slots():
        other.animation_data_create().action = action
        other.animation_data.action_slot = action.slots.new(id_type="OBJECT", name="Other")
    other.keyframe_insert('["command"]', frame=70)
    assert _keys(armature) == [(30.0, "walk")]
    OPS.score_clear()
    assert _keys(armature) == [] and len(_curves(action, director)) > 3
    assert len(_curves(other.animation_data.action, other)) == 1


def test_a_verb_that_is_not_there_is_refused(capfd):
    biped_with_graph()
    assert "no verb 'swim'" in refused(lambda: OPS.command_add(verb="swim", frame=3.0), capfd)


def test_numbers_of_removed_verbs_are_not_used_again(armature):
    OPS.command_add(verb="walk", frame=30.0)
    armature.verbs_adverbs.active_verb = armature.verbs_adverbs.verbs.find("walk")
    OPS.verb_remove()
    OPS.verb_add(name="run")
    (key,) = part("bridge.data.commands").command_keys(armature.verbs_adverbs.director)
    assert part("bridge.data.commands").verb_of_number(armature, key.number) is None
    assert "No verb has the number" in part("bridge.authoring.graph").unheard(armature.verbs_adverbs.director, key)


def test_a_baked_performance_is_what_the_timeline_shows():
    armature = performing_biped(**COMMANDS)
    frames = (1, 25, 90, 140, END)
    shown = poses_at(armature, frames)
    assert OPS.bake_performance(frame_end=END, name="Act") == {"FINISHED"}
    action = armature.animation_data.action
    assert action.name == "Act" and not armature.verbs_adverbs.director.verbs_adverbs.live
    assert np.abs(poses_at(armature, frames) - shown).max() < 1e-5
    for curve in _curves(action, armature):
        assert f'"{curve.group.name}"' in curve.data_path


def test_a_bake_before_the_start_and_in_steps_holds_and_skips():
    armature = performing_biped(**COMMANDS)
    director = armature.verbs_adverbs.director
    director.verbs_adverbs.start_frame = 21
    part("bridge.session.live").flush()
    shown = poses_at(armature, (21, 21, 81, 141))
    OPS.bake_performance(frame_start=1, frame_end=161, step=20)
    assert np.abs(poses_at(armature, (1, 21, 81, 141)) - shown).max() < 1e-5
    keys = {key.co[0] for curve in _curves(armature.animation_data.action, armature) for key in curve.keyframe_points}
    assert keys == set(range(1, 162, 20))


def test_reduced_keys_stay_within_what_was_allowed():
    armature = performing_biped(**COMMANDS)
    frames = range(1, END, 11)
    shown = poses_at(armature, frames)
    OPS.bake_performance(frame_end=END, reduce=True, degrees=0.5, centimetres=0.2)
    action = armature.animation_data.action
    counts = [len(curve.keyframe_points) for curve in _curves(action, armature)]
    assert np.mean(counts) < 0.6 * END
    assert np.abs(poses_at(armature, frames) - shown)[..., :3, 3].max() < 0.03


def test_a_bake_is_an_example_with_a_keytime_for_each_verb_and_its_contacts():
    armature = performing_biped(**COMMANDS)
    OPS.bake_performance(frame_end=END)
    (example,) = armature.animation_data.action.verbs_adverbs.examples
    names = [keytime.name for keytime in example.keytimes]
    assert names[:2] == ["stand", "walk"] and "wave" in names and names[-1] == "end"
    assert (example.start, example.end, example.kind, example.fps) == (1.0, END, "TRAVELLING", FPS)
    (foot,) = (contact for contact in example.contacts if contact.bone == "Toes_L")
    assert len(foot.windows) > 2
    window = foot.windows[len(foot.windows) // 2]
    places = []
    for frame in np.linspace(window.start, window.end, 5):
        go_to(float(frame))
        places.append(np.array(armature.matrix_world @ armature.pose.bones["Toes_L"].head))
    assert np.ptp(places, axis=0)[:2].max() < 0.01


def test_a_bake_that_is_not_assigned_leaves_the_performance_on():
    armature = performing_biped(**COMMANDS)
    generated = armature.animation_data.action
    OPS.bake_performance(frame_end=40, assign=False, name="aside")
    assert armature.animation_data.action == generated and bpy.data.actions["aside"].use_fake_user


def test_a_performance_that_goes_wrong_leaves_no_action(armature, capfd):
    begin_with(armature, "stand")
    armature.verbs_adverbs.transitions[0].leaves_end = 2.0
    assert "longer than a whole cycle" in refused(OPS.bake_performance, capfd)


def test_a_bake_of_later_frames_begins_with_the_verb_that_plays_then():
    performing_biped(**COMMANDS)
    OPS.bake_performance(frame_end=END, assign=False, name="whole")
    OPS.bake_performance(frame_start=END // 2, frame_end=END, assign=False, name="rest")
    whole, rest = (bpy.data.actions[name].verbs_adverbs.examples[0].keytimes for name in ("whole", "rest"))
    assert rest[0].name == [keytime.name for keytime in whole if keytime.frame <= END // 2][-1]


def test_a_command_that_still_waits_when_the_next_one_comes_is_told():
    armature = performing_biped(walk=20, wave=100, stand=102)
    part("bridge.session.live").flush()
    director = armature.verbs_adverbs.director
    told = [part("bridge.session.live_characters").unheeded(director, key) for key in _command_keys(director)]
    assert [bool(text) for text in told] == [False, True, False]
    assert "'wave' never starts" in told[1] and "frame 102" in told[1]
    asked = {"walk": 20.0, "wave": 100.0, "stand": 102.0}
    assert "wave" not in recorded(armature, asked).verbs


def test_the_frame_at_which_the_verb_of_a_command_begins_is_told():
    armature = performing_biped(walk=20, wave=100, stand=102)
    part("bridge.session.live").flush()
    director, told = armature.verbs_adverbs.director, part("bridge.session.live_characters")
    begins = [told.begins_at(director, key) for key in _command_keys(director)]
    assert begins[1] is None
    verbs = recorded(armature, {"walk": 20.0, "wave": 100.0, "stand": 102.0}).verbs
    for frame, verb in zip((begins[0], begins[2]), ("walk", "stand"), strict=True):
        row = round(frame - bpy.context.scene.frame_start)
        assert verb in verbs[row : row + 3] and verb not in verbs[row - 10 : row - 1]


def test_a_score_that_begins_with_a_command_to_walk_stands_before_it(armature):
    verbs, start_of = armature.verbs_adverbs.verbs, part("bridge.authoring.graph").start_of
    assert OPS.director_add() == OPS.verb_build(every=True) == {"FINISHED"}
    armature.verbs_adverbs.director.verbs_adverbs.verb = "walk"
    assert start_of(armature).name == "walk"
    assert OPS.command_add(verb="walk", frame=20.0) == {"FINISHED"}
    assert start_of(armature).name == "stand"
    assert OPS.start_verb(verb=verbs["walk"].uid) == {"FINISHED"}
    assert OPS.command_add(verb="walk", frame=30.0) == {"FINISHED"}
    assert start_of(armature).name == "walk"


def test_a_score_that_begins_with_another_command_begins_as_before(armature):
    assert OPS.director_add() == OPS.verb_build(every=True) == {"FINISHED"}
    armature.verbs_adverbs.director.verbs_adverbs.verb = "walk"
    assert OPS.command_add(verb="walk", frame=1.0) == {"FINISHED"} and OPS.score_clear() == {"FINISHED"}
    assert OPS.command_add(verb="wave", frame=20.0) == {"FINISHED"}
    assert OPS.command_add(verb="walk", frame=60.0) == {"FINISHED"}
    assert not armature.verbs_adverbs.director.verbs_adverbs.performance.start_verb


@pytest.mark.parametrize("size", [6.0, 200.0])
def test_where_a_character_leaves_its_floor_is_told(size: float):
    armature = performing_biped(walk=2)
    bpy.ops.mesh.primitive_plane_add(size=size)
    armature.verbs_adverbs.director.verbs_adverbs.performance.floor = bpy.context.object
    go_to(END)
    part("bridge.session.live").flush()
    leaves = part("bridge.session.live_characters").leaves_floor_at(armature)
    roots = poses_at(armature, range(1, END + 1))[:, 0, :2, 3]
    beyond = np.flatnonzero(np.abs(roots).max(axis=1) > 0.5 * size + 0.3)
    assert (leaves is None) == (len(beyond) == 0) == (size > 100.0)
    assert leaves is None or abs(leaves - (beyond[0] + 1)) <= 4


def _command_keys(director):
    return part("bridge.data.commands").command_keys(director)
