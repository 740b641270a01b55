"""Ways 1 to 8 of `test_lost_work` to lose work: baking, and baking again under corrections."""

import bpy
import numpy as np
import pytest
from blender.action_hash import digest
from blender.bakes_to_lose import DONE, END, arm_of, baked_biped, bend, key_arm, keyed, mine_for, otherwise, seen
from blender.losses import again, gone, lost, of_action, of_object, only, owned
from blender.performance import OPS, biped_with_graph
from blender.stage import go_to, walking_biped


@pytest.fixture
def baked():
    """The biped with a baked performance, assigned."""
    return baked_biped()


def test_a_bake_takes_neither_the_name_nor_the_last_user_of_an_action_of_mine(tmp_path, tell):
    armature = walking_biped()
    mine_for(armature)
    before = owned(armature)
    assert OPS.bake(name="mine") == DONE
    assert OPS.bake(name="mine") == DONE
    armature = again(tmp_path)
    assert gone(before) == []
    assert of_action(bpy.data.actions["mine"]) == before["action", "mine"]
    tell("ways 1 and 2, a bake with the name, and in the place, of my action: nothing lost")


OTHERWISE = [pytest.param(one, marks=pytest.mark.long) for one in ("ASK", "NEW", "REPLACE")]


@pytest.mark.parametrize("edits", ["LAYER", *OTHERWISE])
def test_edits_of_a_bake_are_in_the_file_whatever_is_chosen(baked, tmp_path, tell, edits):
    before_edits = keyed(bpy.data.actions["baked"])
    bend(bpy.data.actions["baked"])
    before, shown = owned(baked), seen(baked)
    otherwise(baked)
    if edits == "ASK":
        with pytest.raises(RuntimeError, match="edited by hand"):
            OPS.bake_again()
    else:
        assert OPS.bake_again(edits=edits) == DONE
    assert OPS.bake_performance(name="baked", frame_start=1, frame_end=END) == DONE
    armature = again(tmp_path)
    if edits != "LAYER":
        assert [name for name in gone(before) if "director" not in name] == []
    else:
        assert keyed(bpy.data.actions["baked"]) != before_edits
        layer = bpy.data.actions["baked edits"]
        assert layer.use_fake_user and min(key[0] for keys in keyed(layer).values() for key in keys) <= 20
        armature.animation_data.action, armature.animation_data.use_nla = None, True
        assert np.abs(seen(armature)[1:3] - shown[1:3]).max() > 0.01
    tell(f"way 3, edits of a bake, {edits}: nothing lost")


def test_a_correction_layer_and_my_strips_stay_when_the_bake_becomes_shorter(baked, tmp_path, tell):
    assert OPS.bake_correct() == DONE
    for frame, degrees in ((20, 0.0), (30, 30.0), (47, 20.0)):
        key_arm(baked, frame, degrees)
    (track,) = baked.animation_data.nla_tracks
    strip = track.strips[0]
    strip.use_animated_influence = True
    strip.influence = 0.75
    assert strip.keyframe_insert("influence", frame=15)
    above = baked.animation_data.nla_tracks.new()
    above.strips.new("face", 12, bpy.data.actions["Walk happy"]).blend_type = "ADD"
    above.mute = True
    baked = again(tmp_path)
    before = owned(baked)
    record = bpy.data.actions["baked"].verbs_adverbs.bake
    record.options = record.options.replace(f'"end": {END}', '"end": 36')
    assert OPS.bake_again() == DONE
    baked = again(tmp_path)
    changed = [name for name in gone(before) if name != "baked"]
    after = owned(baked)
    assert changed == []
    tracks = baked.animation_data.nla_tracks
    assert [one.name for one in tracks] == ["baked", "NlaTrack"] and tracks[1].mute
    assert (15.0, 0.75) in [tuple(key.co) for key in tracks[0].strips[0].fcurves[0].keyframe_points]
    assert tracks[1].strips[0].frame_start == 12.0 and tracks[1].strips[0].blend_type == "ADD"
    assert {key[0] for key in lost(before, after)} <= {"action", "animation", "pose"}
    tell("way 4, corrections, keyed influence and strips of mine over a bake that becomes shorter: nothing lost")


def _waving_in_strips() -> bpy.types.Object:
    """Return the biped that walks and waves in a layer, baked to NLA strips."""
    armature = biped_with_graph()
    assert OPS.live_on(verb="walk") == DONE
    assert OPS.layer_add(verb=armature.verbs_adverbs.verbs["wave"].uid) == DONE
    go_to(5)
    assert OPS.layer_ask(wish="start", layer="wave") == DONE
    assert OPS.bake_performance(frame_start=1, frame_end=30, strips="COMBINE") == DONE
    return armature


def test_keyed_influence_of_a_strip_stays_when_strips_are_baked_anew(tmp_path, tell):
    armature = _waving_in_strips()
    strip = armature.animation_data.nla_tracks[1].strips[0]
    strip.use_animated_influence = True
    strip.influence = 0.5
    assert strip.keyframe_insert("influence", frame=9)
    bend(armature.animation_data.nla_tracks[0].strips[0].action, "UpperLeg_L")
    before = owned()
    assert OPS.bake_performance(frame_start=1, frame_end=30, strips="COMBINE") == DONE
    armature = again(tmp_path)
    assert [name for name in gone(before) if "performance" not in name] == []
    keys = [
        [tuple(key.co) for key in strip.fcurves[0].keyframe_points]
        for track in armature.animation_data.nla_tracks for strip in track.strips if len(strip.fcurves)
    ]  # fmt: skip
    assert len(keys) == 1 and (9.0, 0.5) in keys[0]
    heard = [
        any(len(strip.fcurves) for strip in track.strips) == track.mute for track in armature.animation_data.nla_tracks
    ]
    assert heard == [True, True, True]
    tell("way 4, keyed influence of a strip that is baked anew: nothing lost")


def test_a_copy_of_a_baked_strip_s_action_that_is_kept_aside_stays_and_the_strip_follows(tmp_path, tell):
    armature = _waving_in_strips()
    played = armature.animation_data.nla_tracks[0].strips[0].action
    kept, named = played.copy(), played.name
    kept.name, kept.use_fake_user = f"{named} kept aside", True
    before, then = owned(), digest(played)
    armature.verbs_adverbs.director["mood"] = 0.9
    assert OPS.bake_again() == DONE
    armature = again(tmp_path)
    assert f"{named} kept aside" not in gone(before)
    assert digest(armature.animation_data.nla_tracks[0].strips[0].action) != then
    tell("way 46, a copy of a strip's action that is kept aside when the bake is made again: nothing lost")


def test_a_second_character_that_plays_the_bake_is_named_when_it_is_baked_again(baked, tell, capfd):
    other = baked.copy()
    bpy.context.scene.collection.objects.link(other)
    other.name = "Extra"
    other.verbs_adverbs.director = None
    before = of_object(other)
    otherwise(baked)
    only(baked)
    capfd.readouterr()
    assert OPS.bake_again() == DONE
    assert lost(before, of_object(other)) in ([], [("pose", "Extra")])
    said = "".join(capfd.readouterr())
    assert "Extra" in said
    tell("way 5, a second character plays the bake: it is named")


def test_keys_on_what_the_verb_did_not_move_stay_when_it_moves_that_later(baked, tmp_path, tell):
    action, path = bpy.data.actions["baked"], 'pose.bones["Head"]["blink"]'
    head = baked.pose.bones["Head"]
    for frame, value in ((2, 0.0), (20, 0.75)):
        head["blink"] = value
        assert head.keyframe_insert('["blink"]', frame=frame)
    mine = keyed(action)[path, 0]
    examples = [one for one in bpy.data.actions if one.verbs_adverbs.examples and one != action]
    for example in examples:
        baked.animation_data.action = example
        for frame in example.frame_range:
            head["blink"] = 0.01 * frame
            assert head.keyframe_insert('["blink"]', frame=frame)
    baked.animation_data.action = action
    assert OPS.bake_again() == DONE
    assert keyed(action)[path, 0] != mine
    again(tmp_path)
    assert mine in [keyed(one).get((path, 0)) for one in bpy.data.actions]
    tell("way 6, my keys in a bake, on what the verb moves only later: nothing lost")


def test_modifiers_markers_and_settings_of_a_bake_stay(baked, tmp_path, tell):
    action = bpy.data.actions["baked"]
    arm = arm_of(action)
    cycles = arm.modifiers.new("CYCLES")
    cycles.mode_after = "MIRROR"
    arm.modifiers.new("NOISE").strength = 0.2
    action.pose_markers.new("breath").frame = 17
    action["shot"], action.use_frame_range, action.frame_end = "sq010", True, 40.0
    arm.color_mode, arm.mute = "CUSTOM", True
    otherwise(baked)
    assert OPS.bake_again() == DONE
    again(tmp_path)
    action = bpy.data.actions["baked"]
    arm = arm_of(action)
    assert [modifier.type for modifier in arm.modifiers] == ["CYCLES", "NOISE"]
    assert arm.modifiers[0].mode_after == "MIRROR" and arm.mute and arm.color_mode == "CUSTOM"
    assert [marker.frame for marker in action.pose_markers if marker.name == "breath"] == [17]
    assert (action["shot"], action.use_frame_range, action.frame_end) == ("sq010", True, 40.0)
    tell("way 6, modifiers, markers and settings of a bake: nothing lost")


def test_a_bake_that_is_refused_or_is_edited_in_the_nla_stays_as_it_is(baked, tell):
    assert OPS.bake_correct() == DONE
    data = baked.animation_data
    data.nla_tracks[0].strips[0].select = True
    data.action = None
    data.nla_tracks.active = data.nla_tracks[0]
    data.use_tweak_mode = True
    assert data.use_tweak_mode
    before = owned(baked)
    with pytest.raises(RuntimeError):
        OPS.bake_again()
    assert data.use_tweak_mode and lost(before, owned(baked)) == []
    data.use_tweak_mode = False
    baked.verbs_adverbs.verbs["walk"].examples.clear()
    before = owned(baked)
    with pytest.raises(RuntimeError, match="walk"):
        OPS.bake_again()
    assert lost(before, owned(baked)) == []
    tell("ways 7 and 8, baking again that is refused, or while a strip is edited: nothing lost")
