"""Ways 16 to 20 of `test_lost_work` to lose work: renamed bones, and other frame rates."""

import bpy
import numpy as np
import pytest
from blender.bakes_to_lose import ARM, DONE, baked_biped, bend, key_arm, keyed, mine_for, seen
from blender.figurine import everything
from blender.losses import again, gone, lost, of_action, owned
from blender.performance import OPS
from blender.stage import go_to, walking_biped


@pytest.fixture
def baked():
    """The biped with a baked performance, assigned."""
    return baked_biped()


def test_bones_that_are_mapped_leave_my_actions_alone_and_undo_brings_all_back(tmp_path, tell):
    armature = walking_biped()
    mine = mine_for(armature)
    mine.use_fake_user = True
    armature.animation_data.action = bpy.data.actions["Walk plain"]
    armature.data.bones[ARM].name = "arm.L"
    before, stored = owned(), everything()
    bpy.ops.ed.undo_push(message="prepared")
    assert OPS.bones_map("EXEC_DEFAULT", True) == DONE
    assert lost(before, owned()) == [] and everything() != stored
    bpy.ops.ed.undo()
    assert everything() == stored
    bpy.ops.ed.redo()
    again(tmp_path)
    assert gone(before) == []
    tell("way 16, names of bones are mapped, undone, redone, and the file opened again: nothing lost")


def test_bones_that_are_renamed_while_the_verb_is_on_have_my_pose_afterwards_and_my_action_is_told(tell, capfd):
    armature = walking_biped()
    mine = mine_for(armature)
    armature.pose.bones["Head"].location = (0.0, 0.03, 0.0)
    armature.pose.bones[ARM].scale = (1.0, 1.2, 1.0)
    armature.update_tag()
    go_to(3)
    before = of_action(mine)
    assert OPS.live_on(verb="walk") == DONE
    for name in ("Head", ARM):
        armature.data.bones[name].name = f"{name} new"
    for name in ("Head new", f"{ARM} new"):
        armature.pose.bones[name].location, armature.pose.bones[name].scale = (0.0, 0.0, 0.0), (1.0, 1.0, 1.0)
    assert OPS.live_off() == DONE
    assert armature.animation_data.action == mine and of_action(mine) == before
    assert tuple(armature.pose.bones["Head new"].location) == pytest.approx((0.0, 0.03, 0.0))
    assert tuple(armature.pose.bones[f"{ARM} new"].scale) == pytest.approx((1.0, 1.2, 1.0))
    said = "".join(capfd.readouterr())
    assert f"Action 'mine' keys '{ARM}'" in said and "Could not restore" not in said
    tell("way 17, bones are renamed while the verb is on: the pose is back, and what the action keys by old names told")


def _renamed(armature) -> None:
    armature.data.bones[ARM].name = "arm.L"
    assert OPS.bones_map() == DONE


@pytest.mark.parametrize("edits", ["LAYER", "REPLACE", "NEW"])
def test_edits_of_a_bake_whose_bones_were_renamed_stay(baked, tmp_path, tell, edits):
    _renamed(baked)
    bend(bpy.data.actions["baked"], "arm.L")
    before, shown = owned(), seen(baked)
    assert OPS.bake_again(edits=edits) == DONE
    if edits == "LAYER":
        assert np.abs(seen(baked) - shown).max() < 1e-4
    baked = again(tmp_path)
    if edits == "LAYER":
        assert np.abs(seen(baked) - shown).max() < 1e-4
    else:
        assert gone(before) == []
    tell(f"way 18, edits of a bake whose bones were renamed, {edits}: nothing lost")


def test_corrections_above_a_bake_whose_bones_were_renamed_go_on(baked, tmp_path, tell):
    assert OPS.bake_correct() == DONE
    for frame, degrees in ((20, 0.0), (30, 30.0), (40, 0.0)):
        key_arm(baked, frame, degrees)
    shown = seen(baked)
    _renamed(baked)
    corrections = keyed(baked.animation_data.action)
    assert np.abs(seen(baked) - shown).max() < 1e-5
    assert OPS.bake_again() == DONE
    baked = again(tmp_path)
    assert keyed(baked.animation_data.action) == corrections
    assert np.abs(seen(baked) - shown).max() < 1e-4
    tell("way 18, corrections above a bake whose bones were renamed: nothing lost")


def test_the_frame_rate_moves_no_key_and_there_and_back_is_where_it_was(baked, tmp_path, tell):
    director = baked.verbs_adverbs.director
    for frame, mood in ((1, -0.5), (10.5, 0.3), (31, 0.5)):
        director["mood"] = mood
        assert director.keyframe_insert('["mood"]', frame=frame)
    for frame in (11, 12):
        director.animation_data.action.pose_markers.new(f"at {frame}").frame = frame
    assert OPS.bake_correct() == DONE
    key_arm(baked, 30, 30.0)
    before = owned(baked, director)
    bpy.context.scene.render.fps = 30
    baked = again(tmp_path)
    director = baked.verbs_adverbs.director
    assert {key[0] for key in lost(before, owned(baked, director))} <= {"settings", "pose"}
    assert OPS.bake_again() == DONE
    moved = lost(before, owned(baked, director))
    assert [key for key in moved if key[0] not in {"settings", "pose", "animation"}] == [("action", "baked")]
    assert OPS.to_scene_rate() == DONE
    bpy.context.scene.render.fps = 24
    assert OPS.to_scene_rate() == DONE
    keys = keyed(director.animation_data.action)['["mood"]', 0]
    assert np.array(keys) == pytest.approx(np.array([(1, -0.5), (10.5, 0.3), (31, 0.5)]), abs=1e-5)
    assert [marker.frame for marker in director.animation_data.action.pose_markers] == [11, 12]
    tell("ways 19 and 20, another frame rate, baked again under corrections, and back: nothing lost")
