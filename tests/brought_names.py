"""What people's programs call the joints of a figure."""

from collections.abc import Sequence

SIDES = {"Left": ("Left", "L", "l", "_l", ".L"), "Right": ("Right", "R", "r", "_r", ".R")}
"""Words for a side: whole, a letter, a small one, at the end, and at the end of a bone of Blender's rigs."""
NAMED = {
    "MotionBuilder": "Hips Spine Spine1 Neck Head {0}Shoulder {0}Arm {0}ForeArm {0}Hand {0}UpLeg {0}Leg {0}Foot "
    "{0}ToeBase {0}Hand{f}{n} Jaw {0}Eye Cape{n} Hair{n} Sword",
    "Mixamo": "mixamorig:Hips mixamorig:Spine mixamorig:Spine2 mixamorig:Neck mixamorig:Head mixamorig:{0}Shoulder "
    "mixamorig:{0}Arm mixamorig:{0}ForeArm mixamorig:{0}Hand mixamorig:{0}UpLeg mixamorig:{0}Leg mixamorig:{0}Foot "
    "mixamorig:{0}ToeBase mixamorig:{0}Hand{f}{n} Jaw mixamorig:{0}Eye Cape{n} Hair{n} Sword_joint",
    "Biped": "Bip01 Bip01_Spine Bip01_Spine1 Bip01_Neck Bip01_Head Bip01_{1}_Clavicle Bip01_{1}_UpperArm "
    "Bip01_{1}_Forearm Bip01_{1}_Hand Bip01_{1}_Thigh Bip01_{1}_Calf Bip01_{1}_Foot Bip01_{1}_Toe0 "
    "Bip01_{1}_{f}{n} Jaw Eye_{1} Bone_Cape{n} Bip01_Ponytail{n} Bip01_Prop1",
    "Unreal": "pelvis spine_01 spine_03 neck_01 head clavicle{3} upperarm{3} lowerarm{3} hand{3} thigh{3} calf{3} "
    "foot{3} ball{3} {f}_0{n}{3} jaw eye{3} cape_0{n} hair_0{n} weapon",
    "Rigify": "DEF-spine DEF-spine.001 DEF-spine.003 DEF-spine.005 DEF-spine.006 DEF-shoulder{4} DEF-upper_arm{4} "
    "DEF-forearm{4} DEF-hand{4} DEF-thigh{4} DEF-shin{4} DEF-foot{4} DEF-toe{4} DEF-f_{f}.0{n}{4} DEF-jaw DEF-eye{4} "
    "cape.00{n} hair.00{n} prop",
    "Daz": "hip abdomen chest neck head {2}Collar {2}Shldr {2}ForeArm {2}Hand {2}Thigh {2}Shin {2}Foot {2}Toe "
    "{2}{f}{n} lowerJaw {2}Eye cape{n} ponytail{n} prop",
    "Acclaim": "root lowerback thorax upperneck head {2}clavicle {2}humerus {2}radius {2}hand {2}femur {2}tibia "
    "{2}foot {2}toes {2}{f}{n} jaw {2}eye cape{n} hair{n} prop",
    "Biovision": "Hips Abdomen Chest Neck Head {0}Collar {0}Shoulder {0}Elbow {0}Wrist {0}Hip {0}Knee {0}Ankle {0}Toe "
    "{0}Finger{f}{n} Jaw {0}Eye Cape{n} Hair{n} Prop",
    "VRM": "J_Bip_C_Hips J_Bip_C_Spine J_Bip_C_Chest J_Bip_C_Neck J_Bip_C_Head J_Bip_{1}_Shoulder J_Bip_{1}_UpperArm "
    "J_Bip_{1}_LowerArm J_Bip_{1}_Hand J_Bip_{1}_UpperLeg J_Bip_{1}_LowerLeg J_Bip_{1}_Foot J_Bip_{1}_ToeBase "
    "J_Bip_{1}_{f}{n} J_Adj_Jaw J_Adj_{1}_FaceEye J_Sec_Cape{n} J_Sec_Hair{n} J_Opt_Prop",
    "Maya": "Root_M Spine1_M Chest_M Neck_M Head_M Scapula_{1} Shoulder_{1} Elbow_{1} Wrist_{1} Hip_{1} Knee_{1} "
    "Ankle_{1} Toes_{1} {f}Finger{n}_{1} Jaw_M Eye_{1} Cape{n}_M Hair{n}_M Prop_R",
    "SMPL": "Pelvis Spine1 Spine3 Neck Head {1}_Collar {1}_Shoulder {1}_Elbow {1}_Wrist {1}_Hip {1}_Knee {1}_Ankle "
    "{1}_Foot {1}_{f}{n} Jaw {1}_Eye Cape{n} Hair{n} Prop",
    "Xsens": "Pelvis L5 T8 Neck Head {0}Shoulder {0}UpperArm {0}ForeArm {0}Hand {0}UpperLeg {0}LowerLeg {0}Foot {0}Toe "
    "{0}Hand{f}{n} Jaw {0}Eye Cape{n} Hair{n} Prop1",
    "Japanese": "センター 上半身 上半身2 首 頭 {5}肩 {5}腕 {5}ひじ {5}手首 {5}足 {5}ひざ {5}足首 {5}つま先 "
    "{5}{f}{n} あご {5}目 マント{n} 髪{n} 剣",
    "numbered": "",
}
"""What each program calls the joints of `BODY` from hips to toe, then fingers, jaw, eyes, cape, hair and prop."""
JOINTS = (
    ("Hips", "Spine", "Chest", "Neck", "Head")
    + ("Shoulder", "Arm", "ForeArm", "Hand", "UpLeg", "Leg", "Foot", "Toe")
    + ("finger", "Jaw", "Eye", "Cape", "Hair", "Prop")
)
FINGERS = ("Thumb", "Index", "Middle", "Ring", "Pinky")
MORE_NAMED = {
    "Bandai-Namco": "Hips Spine Chest Neck Head Shoulder_{1} UpperArm_{1} LowerArm_{1} Hand_{1} UpperLeg_{1} "
    "LowerLeg_{1} Foot_{1} Toes_{1} {f}{n}_{1} Jaw Eye_{1} Cape{n} Hair{n} Prop",
    "CMU": "Hips LowerBack Spine1 Neck Head {0}Shoulder {0}Arm {0}ForeArm {0}Hand {0}UpLeg {0}Leg {0}Foot {0}ToeBase "
    "{0}Hand{f}{n} Jaw {0}Eye Cape{n} Hair{n} Prop",
}
"""The same of more programs."""
BETWEEN_NAMED = {
    "Waist": {"Mixamo": "mixamorig:Spine1", "Biped": "Bip01_Spine2", "CMU": "Spine", "Acclaim": "upperback"},
    "HipJoint": {"CMU": "{1}HipJoint", "Acclaim": "{2}hipjoint"},
    "UpTwist": {"Unreal": "thigh_twist_01{3}"},
    "Top": {"Bandai-Namco": "joint_Root"},
}
"""What programs call joints between those, if not as we do."""


def names_in(program: str, joints: Sequence[str]) -> dict[str, str]:
    """What joints are called in a program's files."""
    if program == "numbered":
        return {joint: f"Bone{place:03d}" for place, joint in enumerate(joints)}
    patterns = dict(zip(JOINTS, (NAMED | MORE_NAMED)[program].split(), strict=True))
    patterns |= {joint: named.get(program, "{0}" + joint) for joint, named in BETWEEN_NAMED.items()}
    found = {}
    for joint in joints:
        side = next((side for side in SIDES if joint.startswith(side)), "")
        plain = joint.removeprefix(side)
        words = (*SIDES[side], {"Left": "左", "Right": "右"}[side]) if side else ("",) * 6
        number = plain[-1] if plain[-1].isdecimal() else ""
        finger = plain[:-1] if plain[:-1] in FINGERS else ""
        pattern = patterns["finger" if finger else plain.removesuffix(number)]
        found[joint] = pattern.format(*words, f=finger, n=number)
    return found
