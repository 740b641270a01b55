"""Ways 9 to 15 of `test_lost_work` to lose work: library overrides that are directed in the shot."""

import hashlib

import bpy
import numpy as np
import pytest
from blender.bakes_to_lose import DONE, END, WALK, key_arm, keyed, mine_for, otherwise, seen
from blender.library_shot import rig_file, shot_of
from blender.losses import again, gone, lost, only, opened, owned
from blender.performance import OPS
from blender.stage import go_to


def _shot(tmp_path, directed: str = ""):
    path = rig_file(tmp_path, directed)
    return path, shot_of(path)


def _hash(path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def test_directing_an_override_leaves_its_file_and_my_edits_of_the_override_alone(tmp_path, tell):
    path, armature = _shot(tmp_path)
    library = _hash(path)
    armature.pose.bones["Head"].constraints.new("LIMIT_ROTATION").name = "shot limit"
    armature["shot"] = "sq010"
    armature.pose.bones["Head"]["note"] = 3.0
    armature.location = (0.25, 0.0, 0.0)
    mine_for(armature)
    track = armature.animation_data.nla_tracks.new()
    strip = track.strips.new("face", 5, mine_for(armature, "face"))
    strip.blend_type = "ADD"
    armature.animation_data.action = bpy.data.actions["mine"]
    go_to(7)
    armature = again(tmp_path)
    before = owned(armature)
    assert OPS.live_on(verb="walk") == DONE
    director = armature.verbs_adverbs.director
    director["mood"] = 0.5
    assert director.keyframe_insert('["mood"]', frame=7)
    armature = again(tmp_path)
    assert OPS.live_off() == DONE
    after = owned(armature)
    assert [key for key in lost(before, after) if key[0] != "custom"] == []
    armature = again(tmp_path)
    go_to(7)
    assert lost(before, owned(armature)) == []
    assert armature.verbs_adverbs.director["mood"] == pytest.approx(0.5)
    assert _hash(path) == library
    tell("ways 9 and 10, an override with edits of mine is directed, saved and given back: nothing lost")


def test_corrections_of_a_bake_on_an_override_outlast_saving_and_baking_again(tmp_path, tell):
    _, armature = _shot(tmp_path)
    assert OPS.command_add(verb="walk", frame=WALK) == DONE
    armature.verbs_adverbs.director.verbs_adverbs.performance.active = True
    assert OPS.bake_performance(name="baked", frame_start=1, frame_end=END) == DONE
    plain = seen(armature)
    armature = again(tmp_path)
    assert np.abs(seen(armature) - plain).max() < 1e-5
    assert OPS.bake_correct() == DONE
    assert np.abs(seen(armature) - plain).max() < 1e-5
    for frame, degrees in ((10, 0.0), (25, 40.0), (40, 0.0)):
        key_arm(armature, frame, degrees)
    corrected, keys = seen(armature), keyed(armature.animation_data.action)
    assert np.abs(corrected - plain).max() > 0.05
    armature = again(tmp_path)
    assert keyed(armature.animation_data.action) == keys
    assert np.abs(seen(armature) - corrected).max() < 1e-5
    otherwise(armature)
    assert OPS.bake_again() == DONE
    shown = seen(armature)
    armature = again(tmp_path)
    assert keyed(armature.animation_data.action) == keys
    assert np.abs(seen(armature) - shown).max() < 1e-5
    assert OPS.live_on() == DONE
    armature = again(tmp_path)
    assert OPS.live_off() == DONE
    armature = again(tmp_path)
    assert keyed(armature.animation_data.action) == keys
    assert np.abs(seen(armature) - shown).max() < 1e-5
    tell("way 13, corrections of a bake on an override, saved, baked again, switched on and off: nothing lost")


@pytest.mark.long
def test_a_shot_that_is_saved_while_its_library_is_missing_or_changed_keeps_its_direction(tmp_path, tell):
    path, armature = _shot(tmp_path)
    mine_for(armature)
    assert OPS.live_on(verb="walk") == DONE
    director = armature.verbs_adverbs.director
    for frame, mood in ((1, -0.5), (30, 0.5)):
        director["mood"] = mood
        assert director.keyframe_insert('["mood"]', frame=frame)
    assert OPS.command_add(verb="wave", frame=20) == DONE
    armature = again(tmp_path)
    name, keys = armature.verbs_adverbs.director.name, keyed(armature.verbs_adverbs.director.animation_data.action)
    shown, mine = seen(armature), keyed(bpy.data.actions["mine"])
    away = path.rename(tmp_path / "away.blend")
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "work.blend"), load_ui=False)
    only(bpy.data.objects[name])
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "work.blend"))
    away.rename(path)
    armature = opened(tmp_path / "work.blend")
    assert keyed(armature.verbs_adverbs.director.animation_data.action) == keys
    assert np.abs(seen(armature) - shown).max() < 1e-5
    bpy.ops.wm.open_mainfile(filepath=str(path), load_ui=False)
    verbs = bpy.data.objects["Biped"].verbs_adverbs.verbs
    verbs.remove(verbs.find("wave"))
    bpy.data.objects["Biped"].name = "Hero"
    bpy.ops.wm.save_mainfile()
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "work.blend"), load_ui=False)
    assert keyed(bpy.data.objects[name].animation_data.action) == keys
    assert keyed(bpy.data.actions["mine"]) == mine
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "work.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "work.blend"), load_ui=False)
    assert keyed(bpy.data.objects[name].animation_data.action) == keys
    assert keyed(bpy.data.actions["mine"]) == mine
    tell("ways 11, 12 and 14, a library that is missing, renamed its armature or removed a verb: nothing lost")


@pytest.mark.parametrize("how", ["made local", pytest.param("reset", marks=pytest.mark.long)])
def test_an_override_that_is_made_local_or_reset_while_the_verb_is_on_gets_my_action_back(tmp_path, tell, how):
    _, armature = _shot(tmp_path)
    mine_for(armature)
    armature = again(tmp_path)
    before = owned(armature)
    assert OPS.live_on(verb="walk") == DONE
    director = armature.verbs_adverbs.director
    director["mood"] = 0.5
    assert director.keyframe_insert('["mood"]', frame=3)
    if how == "made local":
        armature.make_local()
    else:
        armature.override_library.reset()
    armature = again(tmp_path)
    if OPS.live_off.poll():
        assert OPS.live_off() == DONE
    armature = again(tmp_path)
    assert gone(before) == []
    if how == "made local":
        assert armature.animation_data.action == bpy.data.actions["mine"]
    assert OPS.live_on(verb="walk") == DONE
    armature = again(tmp_path)
    assert armature.verbs_adverbs.director["mood"] == pytest.approx(0.5)
    tell(f"way 15, an override that is {how} while the verb is on: nothing lost")
