"""Baking again leaves alone who uses a bake and how, and refuses in a sentence what it could not do without loss."""

import bpy
import numpy as np
import pytest
from blender.action_hash import keys_in
from blender.figurine import everything, refused
from blender.layering import add_layer, ask
from blender.performance import performing_biped
from blender.stage import opened_again, part, poses_at, saved_and_loaded, walking_biped

OPS = bpy.ops.verbs_adverbs
BONE = "UpperArm_L"


def _make() -> None:
    walking_biped()
    assert OPS.director_add() == {"FINISHED"}
    assert OPS.bake(name="baked", cycles=2) == {"FINISHED"}


@pytest.fixture
def armature():
    """The biped with two cycles of its walk baked and assigned."""
    return opened_again("baked walk", _make)


def _curves(action) -> dict:
    return {(curve.data_path, curve.array_index): curve for curve in part("bridge.blender.versions").curves_of(action)}


def _arm(action):
    return _curves(action)[f'pose.bones["{BONE}"].rotation_quaternion', 1]


def _mood(armature, value: float) -> None:
    armature.verbs_adverbs.director["mood"] = value


def _strip(owner, action, start: int = 1):
    track = owner.animation_data_create().nla_tracks.new()
    strip = track.strips.new(action.name, start, action)
    return track, strip


def _assign(owner, action) -> None:
    part("bridge.blender.versions").assign_action(owner, action)


def _nla() -> list:
    """All that the NLA of each object has."""
    names = ("name", "frame_start", "frame_end", "action_frame_start", "action_frame_end", "scale", "repeat")
    names += ("influence", "blend_type", "extrapolation", "mute")
    found = []
    for owner in bpy.data.objects:
        data = owner.animation_data
        for track in data.nla_tracks if data else ():
            strips = [[strip.action.name, *(getattr(strip, name) for name in names)] for strip in track.strips]
            found.append((owner.name, track.name, track.mute, track.is_solo, strips))
        if data:
            found.append((owner.name, data.use_nla, data.action_blend_type, data.action_influence))
    return found


def test_strips_keep_their_time_and_influence_and_their_ends_follow(armature):
    action = armature.animation_data.action
    _assign(armature, None)
    _, plain = _strip(armature, action)
    _, other = _strip(armature, action, 200)
    other.scale, other.influence, other.blend_type = 2.0, 0.6, "ADD"
    other.use_animated_influence = True
    other.influence = 0.4
    other.keyframe_insert("influence", frame=210)
    influenced = [tuple(key.co) for key in other.fcurves[0].keyframe_points]
    _, cut = _strip(armature, action, 500)
    cut.action_frame_end = 20.0
    beside = armature.animation_data.nla_tracks[1].strips.new("beside", 400, bpy.data.actions["Walk happy"])
    last = action.frame_range[1]
    _mood(armature, -1.0)
    assert OPS.bake_again() == {"FINISHED"}
    longer = action.frame_range[1] - last
    assert longer > 1.0
    assert (plain.frame_start, plain.scale) == (1.0, 1.0) and abs(plain.frame_end - action.frame_range[1]) < 1e-3
    assert (other.frame_start, other.scale, other.blend_type) == (200.0, 2.0, "ADD")
    assert abs(other.frame_end - (200.0 + 2.0 * (action.frame_range[1] - 1.0))) < 1e-3
    assert [tuple(key.co) for key in other.fcurves[0].keyframe_points] == influenced
    assert (cut.frame_start, cut.action_frame_end, cut.frame_end) == (500.0, 20.0, 519.0)
    assert beside.frame_start == 400.0


def test_what_the_user_has_set_on_curves_and_examples_stays(armature):
    action = armature.animation_data.action
    arm = _arm(action)
    arm.mute, arm.color_mode, arm.color = True, "CUSTOM", (1.0, 0.0, 0.0)
    noise = arm.modifiers.new("NOISE")
    noise.strength = 0.1
    arm.group.color_set = "THEME03"
    bag = part("bridge.blender.versions").bag_of(action, part("bridge.blender.versions").slot_of(action, armature))
    added = part("bridge.blender.versions").fcurve_ensure(bag, f'pose.bones["{BONE}"].scale', 0, BONE)
    added.keyframe_points.insert(5, 1.5)
    known = [(item.uid, item.name) for item in action.verbs_adverbs.examples]
    ends = [item.end for item in action.verbs_adverbs.examples]
    _mood(armature, -1.0)
    assert OPS.bake_again() == {"FINISHED"}
    arm = _arm(action)
    assert arm.mute and tuple(arm.color) == (1.0, 0.0, 0.0) and arm.group.color_set == "THEME03"
    assert [modifier.type for modifier in arm.modifiers] == ["CYCLES", "NOISE"]
    assert keys_in(action)[f'pose.bones["{BONE}"].scale', 0] == [(5.0, 1.5)]
    assert [(item.uid, item.name) for item in action.verbs_adverbs.examples] == known
    assert all(new.end > old for new, old in zip(action.verbs_adverbs.examples, ends, strict=True))
    action.verbs_adverbs.examples[0].values["mood"].value = 0.25
    _mood(armature, 1.0)
    assert OPS.bake_again() == {"FINISHED"}
    assert action.verbs_adverbs.examples[0].values["mood"].value == 0.25


def test_a_copy_of_the_character_has_its_own_bake_and_a_renamed_one_keeps_it(armature, tmp_path):
    director = armature.verbs_adverbs.director
    copy, other = armature.copy(), director.copy()
    for one in (copy, other):
        bpy.context.scene.collection.objects.link(one)
    own = armature.animation_data.action.copy()
    _assign(copy, own)
    copy.verbs_adverbs.director, other.verbs_adverbs.directs = other, copy
    before = keys_in(own)
    _mood(armature, 1.0)
    assert OPS.bake_again() == {"FINISHED"}
    assert keys_in(own) == before != keys_in(armature.animation_data.action)
    bpy.context.view_layer.objects.active = copy
    other["mood"] = -1.0
    assert OPS.bake_again() == {"FINISHED"}
    assert keys_in(own) != before
    with pytest.raises(RuntimeError, match="'baked' is a bake of 'Biped', not of"):
        OPS.bake_again(action="baked")
    name = copy.name
    bpy.data.objects.remove(copy)
    assert name != "Biped"
    armature = saved_and_loaded(tmp_path)
    armature.name = "Hero"
    assert OPS.bake_again(action="baked") == {"FINISHED"}
    assert armature.animation_data.action.verbs_adverbs.bake.armature == "Hero"


def _lock(armature) -> None:
    _arm(armature.animation_data.action).lock = True


def _lock_track(armature) -> None:
    track, _ = _strip(armature, armature.animation_data.action)
    track.lock = True


def _lose_director(armature) -> None:
    bpy.data.objects.remove(armature.verbs_adverbs.director)


def _lose_verb(armature) -> None:
    armature.verbs_adverbs.verbs[0].uid = "another"


def _damage(armature) -> None:
    armature.animation_data.action.verbs_adverbs.bake.options = '{"cycles": "two"}'


def _come_from_later(armature) -> None:
    armature.animation_data.action.verbs_adverbs.schema = 99


HINDRANCES = {
    _lock: "Curves of 'UpperArm_L' in 'baked' are locked",
    _lock_track: "in which 'baked' plays, is locked",
    _lose_director: "cannot be baked again: the director 'Biped director' of 'Biped' and its score no longer exist",
    _lose_verb: "no longer has the verb that 'baked' was baked from",
    _damage: "The bake settings of 'baked' cannot be read",
    _come_from_later: "newer version",
}


@pytest.mark.parametrize("hinder", HINDRANCES)
def test_what_hinders_is_told_and_nothing_is_changed(armature, hinder, capfd):
    hinder(armature)
    assert HINDRANCES[hinder] in refused(OPS.bake_again, capfd, action="baked")


def test_a_deleted_bake_and_a_linked_one_are_told(armature, capfd, tmp_path):
    assert "There is no action 'gone'" in refused(OPS.bake_again, capfd, action="gone")
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "library.blend"), copy=True)
    own = armature.animation_data.action
    with bpy.data.libraries.load(str(tmp_path / "library.blend"), link=True) as (_there, wanted):
        wanted.actions = ["baked"]
    (linked,) = wanted.actions
    assert [one.type for one in bpy.data.objects if one.library] == []
    own.name = "mine"
    _assign(armature, linked)
    assert "'baked' is linked from" in refused(OPS.bake_again, capfd)


def _edited(armature) -> None:
    arm = _arm(armature.animation_data.action)
    arm.keyframe_points[3].co[1] += 0.1
    arm.update()


STEPS = {
    "again": lambda: OPS.bake_again("EXEC_DEFAULT", True),
    "layer": lambda: OPS.bake_again("EXEC_DEFAULT", True, edits="LAYER"),
    "new": lambda: OPS.bake_again("EXEC_DEFAULT", True, edits="NEW"),
    "replace": lambda: OPS.bake_again("EXEC_DEFAULT", True, edits="REPLACE"),
    "correct": lambda: OPS.bake_correct("EXEC_DEFAULT", True),
}


RARE = ("new", "replace")


@pytest.mark.parametrize("step", [pytest.param(one, marks=pytest.mark.long) if one in RARE else one for one in STEPS])
def test_each_is_one_step_to_undo_and_to_redo(armature, step):
    if step in ("layer", "new", "replace"):
        _edited(armature)
    _mood(armature, 1.0)
    bpy.ops.ed.undo_push(message="prepared")
    before = everything(), _nla()
    assert STEPS[step]() == {"FINISHED"}
    after = everything(), _nla()
    assert after != before
    bpy.ops.ed.undo()
    assert (everything(), _nla()) == before
    bpy.ops.ed.redo()
    assert (everything(), _nla()) == after


@pytest.mark.parametrize("strips", [pytest.param("OVERRIDE", marks=pytest.mark.long), "COMBINE"])
def test_nla_strips_are_baked_again_into_the_same_ones_and_their_ends_follow(strips):
    armature = performing_biped(walk=20.0)
    layer = add_layer(armature, "wave", times=1)
    ask(layer, "start", 40)
    assert OPS.bake_performance(frame_start=1, frame_end=140, strips=strips) == {"FINISHED"}
    data = armature.animation_data
    base, wave = (track.strips[0] for track in data.nla_tracks)
    actions = base.action, wave.action
    wave.influence = 0.5
    begins = wave.frame_start
    before = keys_in(base.action)
    assert OPS.layer_clear() == {"FINISHED"}
    ask(layer, "start", 60)
    assert OPS.bake_again() == {"FINISHED"}
    assert [track.strips[0].action for track in data.nla_tracks] == list(actions)
    assert keys_in(base.action) == before
    assert wave.frame_start > begins + 15.0 and wave.influence == 0.5
    assert wave.frame_start == wave.action.frame_range[0] and wave.frame_end == wave.action.frame_range[1]
    wave.influence = 1.0
    frames = (10, 55, 70, 90, 130)
    seen = poses_at(armature, frames)
    assert OPS.live_on() == {"FINISHED"}
    OPS.performance_write()
    assert np.abs(poses_at(armature, frames) - seen).max() < 1e-3
    layer.name = "greeting"
    part("bridge.data.director").keep_in_step(armature)
    assert OPS.bake_again() == {"FINISHED"}
    assert [track.strips[0].action for track in data.nla_tracks] == list(actions)


def test_it_is_baked_again_while_the_verb_plays_and_then_the_bake_plays(armature):
    assert OPS.bake_correct() == {"FINISHED"}
    corrections = armature.animation_data.action
    assert OPS.live_on() == {"FINISHED"}
    _mood(armature, 1.0)
    OPS.performance_write()
    seen = poses_at(armature, (5, 20))
    assert OPS.bake_again() == {"FINISHED"}
    assert armature.animation_data.action == corrections
    assert np.abs(poses_at(armature, (5, 20)) - seen).max() < 1e-4


def test_strips_of_a_copied_character_are_its_own():
    armature = performing_biped(walk=20.0)
    ask(add_layer(armature, "wave", times=1), "start", 40)
    assert OPS.bake_performance(frame_start=1, frame_end=140, strips="COMBINE") == {"FINISHED"}
    copy = armature.copy()
    bpy.context.scene.collection.objects.link(copy)
    for track in copy.animation_data.nla_tracks:
        track.strips[0].action = track.strips[0].action.copy()
    own = [track.strips[0].action for track in copy.animation_data.nla_tracks]
    before = [keys_in(action) for action in own]
    mine = [keys_in(track.strips[0].action) for track in armature.animation_data.nla_tracks]
    _mood(armature, 1.0)
    assert OPS.bake_again() == {"FINISHED"}
    assert [keys_in(action) for action in own] == before
    assert keys_in(armature.animation_data.nla_tracks[0].strips[0].action) != mine[0]


def test_a_bake_of_the_score_stays_one_and_so_does_that_of_a_verb():
    armature = performing_biped(walk=20.0)
    performance = armature.verbs_adverbs.director.verbs_adverbs.performance
    assert OPS.bake_performance(name="score", frame_start=1, frame_end=60) == {"FINISHED"}
    performance.active = False
    assert OPS.live_on(verb="walk") == {"FINISHED"}
    assert OPS.bake_performance(name="verb", frame_start=1, frame_end=60) == {"FINISHED"}
    before = {name: keys_in(bpy.data.actions[name]) for name in ("score", "verb")}
    assert before["score"] != before["verb"]
    for active in (False, True):
        performance.active = active
        for name in before:
            assert OPS.live_on(verb="wave") == {"FINISHED"}
            assert OPS.bake_again(action=name) == {"FINISHED"}
            assert keys_in(bpy.data.actions[name]) == before[name], (name, active)


def test_a_lowest_strip_whose_action_was_deleted_comes_back_below_the_others(capfd):
    """The action alone is deleted, then its track too, with another track below and without, then all of the NLA."""
    armature = performing_biped(walk=20.0)
    ask(add_layer(armature, "wave", times=1), "start", 40)
    for _ in range(2):  # the strips of the second bake are called base.001 and wave.001
        assert OPS.bake_performance(frame_start=30, frame_end=70, strips="COMBINE") == {"FINISHED"}
    tracks = armature.animation_data.nla_tracks
    seen = poses_at(armature, (40, 55, 65))

    def again(name: str) -> list[str]:
        assert OPS.bake_again(action=name) == {"FINISHED"}
        assert np.abs(poses_at(armature, (40, 55, 65)) - seen).max() < 1e-4
        return [track.strips[0].name.removesuffix(".001") for track in armature.animation_data.nla_tracks]

    wave = tracks[1].strips[0].action.name
    tracks[0].strips[0].influence = 1.0
    tracks[0].strips[0].extrapolation = "HOLD_FORWARD"
    bpy.data.actions.remove(tracks[0].strips[0].action)
    assert again(wave) == ["base", "wave"]
    assert tracks[0].strips[0].extrapolation == "HOLD_FORWARD"

    strip = tracks[0].strips[0]
    action, strip.name = strip.action, "mine"
    strip.action = bpy.data.actions["Walk happy"]
    bpy.data.actions.remove(action)
    assert again(wave) == ["mine", "base", "wave"]

    bpy.data.actions.remove(tracks[1].strips[0].action)
    for track in list(tracks)[:2]:
        tracks.remove(track)
    capfd.readouterr()
    assert OPS.bake_again(action=wave) == {"FINISHED"}
    assert "below the others" in "".join(capfd.readouterr())
    assert [(track.strips[0].name[:4], track.mute) for track in tracks] == [("wave", False), ("base", True)]

    bpy.data.actions.remove(tracks[1].strips[0].action)
    armature.animation_data_clear()
    assert OPS.bake_again(action=wave) == {"FINISHED"}
    assert [track.strips[0].name for track in armature.animation_data.nla_tracks] == ["base"]


def test_an_adverb_that_is_renamed_makes_no_bake_one_that_was_edited_by_hand(armature, capfd):
    action = armature.animation_data.action
    armature.verbs_adverbs.active_adverb = armature.verbs_adverbs.adverbs.find("mood")
    assert OPS.adverb_rename(name="joy") == {"FINISHED"}
    armature.verbs_adverbs.director["joy"] = -1.0
    assert OPS.bake_again() == {"FINISHED"}
    assert "were edited" not in "".join(capfd.readouterr())
    assert action.verbs_adverbs.examples[0].values["joy"].value == -1.0
    action.verbs_adverbs.examples[0].values["joy"].value = 0.25
    assert OPS.adverb_rename(name="mood") == {"FINISHED"}
    assert OPS.bake_again() == {"FINISHED"}
    assert "were edited" in "".join(capfd.readouterr())
    assert action.verbs_adverbs.examples[0].values["mood"].value == 0.25
