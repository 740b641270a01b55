"""Roles of bones: by the names of known skeletons, and guessed from names and rest geometry."""

from dataclasses import replace

import numpy as np
import pytest
from verbs_adverbs.core.biped.figure import BONES, JOINTS
from verbs_adverbs.core.detect.bone_roles import RestBones, find_pairs, find_preset, find_roles, guess_roles


def _both(*names: str, left: str = "Left", right: str = "Right") -> list[str]:
    return [name.format(side) for side in (left, right) for name in names]


_MIXAMO = ["Hips", "Spine", "Spine1", "Spine2", "Neck", "Head", "HeadTop_End"] + _both(
    "{}Shoulder", "{}Arm", "{}ForeArm", "{}Hand", "{}HandThumb1", "{}UpLeg", "{}Leg", "{}Foot", "{}ToeBase", "{}Toe_End"
)
_CMU = ["Hips", "LHipJoint", "RHipJoint", "LowerBack", "Spine", "Spine1", "Neck", "Neck1", "Head"] + _both(
    "{}UpLeg", "{}Leg", "{}Foot", "{}ToeBase", "{}Shoulder", "{}Arm", "{}ForeArm", "{}Hand", "{}FingerBase"
) + ["LThumb", "RThumb"]  # fmt: skip
_ASF = ["root", "lowerback", "upperback", "thorax", "lowerneck", "head"] + _both(
    "{}hipjoint", "{}femur", "{}tibia", "{}foot", "{}toes", "{}clavicle", "{}humerus", "{}radius", "{}wrist", "{}hand",
    left="l", right="r",
)  # fmt: skip
_ROKOKO = ["Root", "Hips", "Spine1", "Spine2", "Spine3", "Spine4", "Neck", "Head"] + _both(
    "{}Shoulder", "{}Arm", "{}ForeArm", "{}Hand", "{}Thigh", "{}Shin", "{}Foot", "{}Toe", "{}ToeTip"
)
_UNREAL = ["root", "pelvis", "spine_01", "neck_01", "head", "ik_foot_root", "ik_hand_root", "ik_hand_gun"] + _both(
    "clavicle{}", "upperarm{}", "lowerarm{}", "hand{}", "thigh{}", "calf{}", "foot{}", "ball{}", "ik_foot{}",
    "ik_hand{}", left="_l", right="_r",
)  # fmt: skip
_BANDAI = ["joint_Root", "Hips", "Spine", "Chest", "Neck", "Head"] + _both(
    "Shoulder{}", "UpperArm{}", "LowerArm{}", "Hand{}", "UpperLeg{}", "LowerLeg{}", "Foot{}", "Toes{}",
    left="_L", right="_R",
)  # fmt: skip
_METARIG = ["spine", "spine.001", "spine.002"] + _both(
    "thigh{}", "shin{}", "foot{}", "toe{}", "heel.02{}", "upper_arm{}", "forearm{}", "hand{}", left=".L", right=".R"
)
_RIGIFY = ["root", "torso", "hips", "chest"] + _both(
    "foot_ik{}", "hand_ik{}", "thigh_ik_target{}", "upper_arm_ik_target{}", "foot_fk{}", "DEF-thigh{}",
    "DEF-thigh{}.001", "DEF-shin{}", "DEF-foot{}", "DEF-toe{}", "DEF-hand{}", "ORG-heel.02{}", "thigh_fk{}",
    left=".L", right=".R",
)  # fmt: skip
KNOWN = {
    "Mixamo": (_MIXAMO, "Hips", "LeftToeBase", "RightHand", ""),
    "CMU": (_CMU, "Hips", "LeftToeBase", "RightHand", ""),
    "CMU of ASF files": (_ASF, "root", "ltoes", "rhand", ""),
    "Rokoko": (_ROKOKO, "Hips", "LeftToe", "RightHand", ""),
    "Unreal mannequin": (_UNREAL, "pelvis", "ball_l", "hand_r", ""),
    "Bandai-Namco": (_BANDAI, "Hips", "Toes_L", "Hand_R", ""),
    "Rigify metarig": (_METARIG, "spine", "toe.L", "hand.R", "heel.02.L"),
    "Rigify": (_RIGIFY, "torso", "DEF-toe.L", "DEF-hand.R", "ORG-heel.02.L"),
}


@pytest.mark.parametrize("name", KNOWN)
@pytest.mark.parametrize("order", [1, -1])
def test_known_skeletons_are_found_by_the_names_of_their_bones(name: str, order: int):
    bones, root, ball, hand, heel = KNOWN[name]
    roles = find_preset(bones[::order])
    assert roles is not None
    assert name.startswith(roles.source)
    assert (roles.root, roles.hands[1]) == (root, hand)
    assert [foot.side for foot in roles.feet] == ["L", "R"]
    assert roles.feet[0].ball.bone == ball
    assert (roles.feet[0].heel.bone if roles.feet[0].heel else "") == heel
    assert set(roles.travelling) <= set(bones)
    assert not roles.remarks
    middle = [bone for bone in bones if not any(bone in pair for pair in roles.pairs)]
    assert len(middle) + 2 * len(roles.pairs) == len(bones)
    assert all(roles.feet[0].ball.bone in pair or roles.feet[1].ball.bone not in pair for pair in roles.pairs)


@pytest.mark.parametrize("prefix", ["mixamorig:", "mixamorig1:", "Armature|mixamorig:"])
def test_what_stands_before_a_colon_does_not_matter(prefix: str):
    roles = find_preset([prefix + name for name in _MIXAMO])
    assert roles is not None
    assert (roles.source, roles.root) == ("Mixamo", prefix + "Hips")
    assert (prefix + "LeftFoot", prefix + "RightFoot") in roles.pairs


def test_controls_that_do_not_follow_the_root_travel():
    rigify, unreal = find_preset(_RIGIFY), find_preset(_UNREAL)
    assert rigify is not None
    assert unreal is not None
    limbs = ("foot_ik", "hand_ik", "thigh_ik_target", "upper_arm_ik_target")
    assert set(rigify.travelling) == {f"{limb}.{side}" for limb in limbs for side in "LR"}
    assert {"ik_foot_root", "ik_foot_l", "ik_hand_gun"} <= set(unreal.travelling)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("Foot.L", "Foot.R"), ("foot_l", "foot_r"), ("L_Foot", "R_Foot"), ("foot.L.001", "foot.R.001"),
        ("LeftFoot", "RightFoot"), ("foot left", "foot right"), ("Bip01 L Foot", "Bip01 R Foot"), ("lfoot", "rfoot"),
        ("LHipJoint", "RHipJoint"), ("DEF-thigh.L.001", "DEF-thigh.R.001"), ("rig:left_leg", "rig:right_leg"),
    ],
)  # fmt: skip
def test_left_and_right_are_found_in_names(left: str, right: str):
    assert find_pairs(["spine", right, left]) == (((left, right),), ())


def test_names_without_a_partner_are_no_pairs():
    assert find_pairs(["leg", "lid", "arm", "collar", "Left", "spine.001"]) == ((), ())


def test_names_that_collide_are_told_in_a_sentence():
    pairs, remarks = find_pairs(["hand.l", "Hand.L", "HAND.R", "foot.L", "foot.R"])
    assert pairs == (("foot.L", "foot.R"),)
    assert remarks == (
        "Bones 'hand.l' and 'Hand.L' both look like the left partner of 'HAND.R'. Rename one, or choose the pair.",
    )


def _rest(rename=lambda name: name) -> RestBones:
    parents = tuple(JOINTS.get(bone.parent, -1) for bone in BONES)
    heads, tails = (np.array([getattr(bone, end) for bone in BONES]) for end in ("head", "tail"))
    return RestBones(tuple(rename(bone.name) for bone in BONES), parents, heads, tails)


@pytest.mark.parametrize("scale", [0.01, 1.0, 100.0])
def test_a_figure_of_unknown_names_is_guessed_from_its_rest(scale: float):
    rest = _rest(lambda name: "b-" + name[:-2][::-1] + name[-2:] if name[-2] == "_" else "b-" + name[::-1])
    roles = find_roles(replace(rest, heads=scale * rest.heads, tails=scale * rest.tails))
    assert (roles.source, roles.root) == ("guess", "b-spiH")
    assert [(foot.side, foot.thigh, foot.ankle, foot.ball.bone) for foot in roles.feet] == [
        ("L", "b-geLreppU_L", "b-tooF_L", "b-seoT_L"),
        ("R", "b-geLreppU_R", "b-tooF_R", "b-seoT_R"),
    ]
    assert roles.hands == ("b-dnaH_L", "b-dnaH_R")
    assert len(roles.pairs) == 8
    assert not roles.remarks


def test_feet_are_found_by_their_places_where_names_say_nothing():
    roles = guess_roles(_rest(lambda name: f"bone {JOINTS[name]}"))
    assert [foot.ball.bone for foot in roles.feet] == [f"bone {JOINTS[name]}" for name in ("Toes_L", "Toes_R")]
    assert roles.root == f"bone {JOINTS['Hips']}"


def test_a_figure_without_feet_or_with_one_says_so():
    rest = _rest()
    upper = [bone for bone, name in enumerate(rest.names) if "Leg" not in name and name[:4] not in ("Foot", "Toes")]
    none = guess_roles(_part(rest, upper))
    assert none.feet == ()
    assert "No feet were found" in none.remarks[0]
    one = guess_roles(_part(rest, [bone for bone, name in enumerate(rest.names) if bone in upper or name[-1] == "L"]))
    assert [foot.side for foot in one.feet] == ["L"]
    assert "Only one foot" in one.remarks[0]


def _part(rest: RestBones, bones: list[int]) -> RestBones:
    place = {bone: row for row, bone in enumerate(bones)}
    floor = np.array([[0.0, 0.0, 0.0]])
    heads, tails = np.concatenate([rest.heads[bones], floor]), np.concatenate([rest.tails[bones], floor])
    parents = tuple(place.get(rest.parents[bone], -1) for bone in bones)
    return RestBones((*(rest.names[bone] for bone in bones), "ground"), (*parents, -1), heads, tails)
