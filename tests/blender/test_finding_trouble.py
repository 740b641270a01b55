"""What is said where keytimes cannot be found, or not all of them: each a sentence, and nothing is changed."""

import bpy
import pytest
from blender.stage import walking_biped
from verbs_adverbs.demo.operate import Refused, do


def _current(armature) -> bpy.types.Action:
    return armature.animation_data.action


def _plain(armature) -> bpy.types.Action:
    """The assigned walk without its annotation."""
    action = _current(armature)
    do("example_remove")
    return action


def _told(action: bpy.types.Action) -> str:
    return " ".join(line.text for line in action.verbs_adverbs.found)


def test_a_figure_without_feet_is_told_where_to_choose_them():
    armature = walking_biped()
    action = _plain(armature)
    for bone in armature.data.bones:
        bone.name = f"part {len(bone.name)} {bone.name[::-1].replace('L_', 'x ').replace('R_', 'y ')}"
    do("feet_find")
    armature.verbs_adverbs.feet.clear()
    for side in "LR":
        armature.verbs_adverbs.feet.add().name = side
    with pytest.raises(Refused, match="ball of foot 'L' is not chosen"):
        do("keytimes_find")
    assert not action.verbs_adverbs.examples


def test_a_bone_that_is_gone_is_told():
    armature = walking_biped()
    do("feet_find")
    armature.verbs_adverbs.feet["R"].ball = "no such bone"
    with pytest.raises(Refused, match="'no such bone', which 'Biped' does not have"):
        do("keytimes_find")


def test_one_foot_makes_a_cycle_of_its_own_steps_and_says_so():
    armature = walking_biped()
    action = _plain(armature)
    do("feet_find")
    feet = armature.verbs_adverbs.feet
    feet.remove(feet.find("L"))
    do("keytimes_find", verb="")
    assert [keytime.name for keytime in action.verbs_adverbs.examples[0].keytimes] == ["R_down", "R_up", "R_down"]
    assert "Only foot 'R'" in _told(action)


def test_feet_are_found_and_what_the_user_chose_is_taken():
    armature = walking_biped()
    action = _plain(armature)
    do("feet_find")
    for foot in armature.verbs_adverbs.feet:
        foot.ball, foot.ball_end, foot.ankle, foot.heel = f"Foot_{foot.name}", "TAIL", f"Foot_{foot.name}", ""
    do("keytimes_find", verb="")
    contacts = action.verbs_adverbs.examples[0].contacts
    assert [(contact.bone, contact.end) for contact in contacts] == [("Foot_L", "TAIL"), ("Foot_R", "TAIL")]


def test_a_clip_without_a_contact_says_so():
    armature = walking_biped()
    action = _plain(armature)
    curves = [curve for curve in _curves(action) if not curve.data_path.endswith("location")]
    for curve in curves:
        curve.mute = True
    with pytest.raises(Refused, match="ever touches the floor|no whole cycle"):
        do("keytimes_find", verb="")
    assert not action.verbs_adverbs.examples


def test_a_clip_of_one_step_names_its_strikes():
    armature = walking_biped()
    action = _plain(armature)
    action.use_frame_range = True
    first, last = action.frame_range
    action.frame_start, action.frame_end = first, first + round(0.45 * (last - first))
    with pytest.raises(Refused, match="no whole cycle, only these strikes"):
        do("keytimes_find", verb="")
    assert not action.verbs_adverbs.examples


def test_mirrored_names_that_collide_are_told():
    armature = walking_biped()
    armature.data.bones["Spine"].name = "leftHand_R"
    armature.data.bones["Hand_L"].name = "leftHand_L"
    armature.data.bones["Hand_R"].name = "rightHand_R"
    with pytest.raises(Refused, match="both look like the left partner|in two pairs|do not hang from a pair"):
        do("action_mirror")
    assert not any("mirrored" in action.name for action in bpy.data.actions)


def test_an_action_of_another_armature_cannot_be_asked_for():
    walking_biped()
    bpy.data.actions.new("stranger")
    with pytest.raises(Refused, match="no action 'stranger' that moves 'Biped'"):
        do("keytimes_find", choices=[{"name": "stranger", "chosen": True}])


def _curves(action: bpy.types.Action):
    bag = action if hasattr(action, "fcurves") else action.layers[0].strips[0].channelbag(action.slots[0])
    return list(bag.fcurves)
