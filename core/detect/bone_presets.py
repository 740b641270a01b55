"""Skeletons that are known by their bones' names: Rigify, Mixamo, Unreal, CMU, Rokoko and Bandai-Namco."""

from collections.abc import Sequence
from dataclasses import dataclass

from .bone_roles import BonePoint, BoneRoles, FootRoles, find_pairs


@dataclass(frozen=True)
class Preset:
    """Names of one kind of skeleton; ``{side}`` stands for what its left and right bones are marked with.

    Parameters
    ----------
    name : what users know it by.
    sides : marks of left and right.
    root, thigh, ankle, ball, hand : bones; the ball is the head of the toes' bone.
    signature : further bones without which it is another skeleton.
    heel : a bone whose head is where the heel lands, if there is one.
    travelling : controls that do not follow the root, as far as they are there.
    """

    name: str
    sides: tuple[str, str]
    root: str
    thigh: str
    ankle: str
    ball: str
    hand: str
    signature: tuple[str, ...] = ()
    heel: str = ""
    travelling: tuple[str, ...] = ()


_RIGIFY_CONTROLS = (
    "foot_ik{side}", "hand_ik{side}", "thigh_ik_target{side}", "upper_arm_ik_target{side}",
)  # fmt: skip
_DOTS, _LOWER, _WORDS = (".L", ".R"), ("_l", "_r"), ("Left", "Right")

PRESETS: tuple[Preset, ...] = (
    Preset(
        "Rigify", _DOTS, "torso", "DEF-thigh{side}", "DEF-foot{side}", "DEF-toe{side}", "DEF-hand{side}",
        ("root", "foot_ik{side}"), "ORG-heel.02{side}",
        _RIGIFY_CONTROLS,
    ),
    Preset(
        "Rigify metarig", _DOTS, "spine", "thigh{side}", "foot{side}", "toe{side}", "hand{side}",
        ("shin{side}",), "heel.02{side}",
    ),
    Preset(
        "Unreal mannequin", _LOWER, "pelvis", "thigh{side}", "foot{side}", "ball{side}", "hand{side}",
        ("calf{side}",), "", ("ik_foot_root", "ik_foot{side}", "ik_hand_root", "ik_hand_gun", "ik_hand{side}"),
    ),
    Preset(
        "CMU", _WORDS, "Hips", "{side}UpLeg", "{side}Foot", "{side}ToeBase", "{side}Hand",
        ("LHipJoint", "RHipJoint", "LowerBack"),
    ),
    Preset(
        "CMU", ("l", "r"), "root", "{side}femur", "{side}foot", "{side}toes", "{side}hand",
        ("{side}hipjoint", "lowerback"),
    ),
    Preset(
        "Rokoko", _WORDS, "Hips", "{side}Thigh", "{side}Foot", "{side}Toe", "{side}Hand", ("{side}Shin",),
    ),
    Preset("Mixamo", _WORDS, "Hips", "{side}UpLeg", "{side}Foot", "{side}ToeBase", "{side}Hand", ("{side}ForeArm",)),
    Preset(
        "Bandai-Namco", ("_L", "_R"), "Hips", "UpperLeg{side}", "Foot{side}", "Toes{side}", "Hand{side}",
        ("LowerLeg{side}",),
    ),
)  # fmt: skip
"""The first that fits is taken: the ones with more bones of their own stand before those they resemble."""


def find_preset(names: Sequence[str]) -> BoneRoles | None:
    """Roles of the bones of a known skeleton, whatever stands before a colon in their names; None for any other."""
    for preset in PRESETS:
        for prefix in _prefixes(names, preset.root):
            if _fits(preset, prefix, set(names)):
                return _roles(preset, prefix, names)
    return None


def _prefixes(names: Sequence[str], root: str) -> list[str]:
    """What stands before the name of the root, up to a colon or a bar: ``'mixamorig:'``, or nothing."""
    found = [name[: -len(root)] for name in names if name.endswith(root)]
    return [prefix for prefix in dict.fromkeys(found) if not prefix or prefix[-1] in ":|"]


def _fits(preset: Preset, prefix: str, known: set[str]) -> bool:
    needed = (preset.root, preset.thigh, preset.ankle, preset.ball, preset.hand, *preset.signature)
    return all(prefix + name.format(side=side) in known for name in needed for side in preset.sides)


def _roles(preset: Preset, prefix: str, names: Sequence[str]) -> BoneRoles:
    known = set(names)

    def named(pattern: str, side: str) -> str:
        """The bone of a side."""
        return prefix + pattern.format(side=side)

    feet: list[FootRoles] = []
    for letter, side in zip("LR", preset.sides, strict=True):
        heel = named(preset.heel, side) if preset.heel else ""
        ball = BonePoint(named(preset.ball, side))
        point = BonePoint(heel) if heel in known else None
        feet.append(FootRoles(letter, named(preset.thigh, side), named(preset.ankle, side), ball, point))
    controls = dict.fromkeys(named(pattern, side) for pattern in preset.travelling for side in preset.sides)
    pairs, remarks = find_pairs(names)
    return BoneRoles(
        source=preset.name,
        root=prefix + preset.root,
        travelling=tuple(control for control in controls if control in known),
        feet=tuple(feet),
        hands=tuple(named(preset.hand, side) for side in preset.sides),
        pairs=pairs,
        remarks=remarks,
    )
