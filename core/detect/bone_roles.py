"""Which bones are feet, hands, root, left and right: known from the names of common rigs, or guessed at rest."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

_WORDS = (("left", "right"), ("Left", "Right"), ("LEFT", "RIGHT"))
_LETTERS = (("l", "r"), ("L", "R"))
_APART = r"._\- :|"
_RIGIFY_CONTROLS = (
    "foot_ik{side}", "hand_ik{side}", "thigh_ik_target{side}", "upper_arm_ik_target{side}",
)  # fmt: skip
_DOTS, _LOWER, _NAMED = (".L", ".R"), ("_l", "_r"), ("Left", "Right")
Array = NDArray[np.float64]
FLOOR = 0.06
"""Height, as a share of the figure's, below which a bone may be part of a foot."""
ANKLE = 0.18
"""Height, as a share of the figure's, below which the head of a foot lies if its toes are a bone; knees are higher."""
ASIDE = 0.02
"""Distance from the middle, as a share of the figure's height, from which a bone counts as left or right."""


@dataclass(frozen=True)
class BonePoint:
    """An end of a bone.

    Parameters
    ----------
    bone : name of the bone.
    end : ``'HEAD'`` or ``'TAIL'``.
    """

    bone: str
    end: Literal["HEAD", "TAIL"] = "HEAD"


@dataclass(frozen=True)
class FootRoles:
    """Bones of one leg.

    Parameters
    ----------
    side : ``'L'`` or ``'R'``, with which the names of the leg's keytimes begin.
    thigh, ankle : bones between whose heads the leg's length is measured.
    ball : point on which the foot rolls and is locked.
    heel : point on which the foot lands, None where no bone marks it.
    """

    side: str
    thigh: str
    ankle: str
    ball: BonePoint
    heel: BonePoint | None = None


@dataclass(frozen=True)
class BoneRoles:
    """Roles of a figure's bones, found by names or guessed, which the user may correct.

    Parameters
    ----------
    source : name of the preset, or ``'guess'``.
    root : bone that carries the body.
    travelling : controls that do not follow the root.
    feet : the left foot, then the right one, as far as they are known.
    hands : the left hand, then the right one.
    pairs : left bones with their right partners.
    remarks : sentences on what is missing or doubtful.
    """

    source: str
    root: str
    travelling: tuple[str, ...]
    feet: tuple[FootRoles, ...]
    hands: tuple[str, ...]
    pairs: tuple[tuple[str, str], ...]
    remarks: tuple[str, ...] = ()


def partner_names(name: str) -> tuple[str, ...]:
    """List the names that the right partner of a left bone may have, the likeliest first; empty if it is not left.

    A word for left counts anywhere (``LeftFoot``, ``foot_left``), a letter only at an end or set apart (``foot.L``,
    ``L_foot``, ``thigh.L.001``, ``LHipJoint``, ``lfoot``).
    """
    found: list[str] = []
    for left, right in _LETTERS:
        for apart in (rf"(?<=[{_APART}]){left}(?=$|[{_APART}0-9])", rf"(?:^|(?<=[:|])){left}(?=[{_APART}])"):
            found += _swapped(apart, right, name)
    for left, right in _WORDS:
        found += _swapped(left, right, name)
    found += _swapped(r"(?:^|(?<=[:|]))L(?=[A-Z])", "R", name)
    found += _swapped(r"(?:^|(?<=[:|]))l(?=[a-z])", "r", name)
    return tuple(dict.fromkeys(found))


def _swapped(pattern: str, right: str, name: str) -> list[str]:
    every = re.sub(pattern, right, name)
    last = [name[: m.start()] + right + name[m.end() :] for m in re.finditer(pattern, name)]
    return [other for other in (every, *reversed(last)) if other != name]


def find_pairs(names: Sequence[str]) -> tuple[tuple[tuple[str, str], ...], tuple[str, ...]]:
    """Find pairs of left and right bones by their names, and a sentence for each bone that two others may pair with."""
    known = set(names)
    lower: dict[str, list[str]] = {}
    for name in names:
        lower.setdefault(name.lower(), []).append(name)
    claims: dict[str, list[str]] = {}
    for name in names:
        options = partner_names(name)
        exact = [other for other in options if other in known]
        alike = [other for option in options for other in lower.get(option.lower(), []) if other != name]
        for right in (exact or alike)[:1]:
            claims.setdefault(right, []).append(name)
    pairs: list[tuple[str, str]] = []
    remarks: list[str] = []
    taken: set[str] = set()
    for right, lefts in claims.items():
        if len(lefts) > 1:
            listed = " and ".join(f"'{left}'" for left in lefts)
            remarks.append(
                f"Bones {listed} both look like the left partner of '{right}'. Rename one, or choose the pair."
            )
        elif right not in taken and lefts[0] not in taken:
            pairs.append((lefts[0], right))
            taken.update((lefts[0], right))
    order = {name: place for place, name in enumerate(names)}
    return tuple(sorted(pairs, key=lambda pair: order[pair[0]])), tuple(remarks)


@dataclass(frozen=True)
class Preset:
    """Names of bones in one kind of skeleton; ``{side}`` stands for its marks of left and right.

    Parameters
    ----------
    name : name by which users know the skeleton.
    sides : the marks of left and right.
    root, thigh, ankle, ball, hand : names of bones; the ball of the foot is the head of the toes' bone.
    signature : further bones that the skeleton must have to be recognised.
    heel : bone whose head is where the heel lands, if there is one.
    travelling : controls that do not follow the root; a skeleton may lack some of them.
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
        "CMU", _NAMED, "Hips", "{side}UpLeg", "{side}Foot", "{side}ToeBase", "{side}Hand",
        ("LHipJoint", "RHipJoint", "LowerBack"),
    ),
    Preset(
        "CMU", ("l", "r"), "root", "{side}femur", "{side}foot", "{side}toes", "{side}hand",
        ("{side}hipjoint", "lowerback"),
    ),
    Preset(
        "Rokoko", _NAMED, "Hips", "{side}Thigh", "{side}Foot", "{side}Toe", "{side}Hand", ("{side}Shin",),
    ),
    Preset("Mixamo", _NAMED, "Hips", "{side}UpLeg", "{side}Foot", "{side}ToeBase", "{side}Hand", ("{side}ForeArm",)),
    Preset(
        "Bandai-Namco", ("_L", "_R"), "Hips", "UpperLeg{side}", "Foot{side}", "Toes{side}", "Hand{side}",
        ("LowerLeg{side}",),
    ),
)  # fmt: skip
"""The first preset that fits is taken, so that a skeleton stands before those whose bones are a part of its own."""


def find_preset(names: Sequence[str]) -> BoneRoles | None:
    """Return the roles of the bones of a known skeleton, with any prefix up to a colon; None for any other."""
    for preset in PRESETS:
        for prefix in _prefixes(names, preset.root):
            if _fits(preset, prefix, set(names)):
                return _roles(preset, prefix, names)
    return None


def _prefixes(names: Sequence[str], root: str) -> list[str]:
    """Return the prefixes of bones with the name of the root: up to a colon or a bar, as ``'mixamorig:'``, or none."""
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


@dataclass(frozen=True, eq=False)
class RestBones:
    """Bones of a figure at rest, upright, Z up, its left towards +X.

    Parameters
    ----------
    names : (J,) names, parents before their children.
    parents : (J,) index of the parent, -1 for none.
    heads, tails : (J, 3) ends of the bones.
    """

    names: tuple[str, ...]
    parents: tuple[int, ...]
    heads: Array
    tails: Array

    @property
    def height(self) -> float:
        """Distance from the lowest point of the figure to the highest."""
        return float(np.ptp(np.concatenate([self.heads, self.tails])[:, 2]))

    @property
    def bottom(self) -> float:
        """Height of the lowest point of the figure."""
        return float(np.concatenate([self.heads, self.tails])[:, 2].min())

    def children(self, bone: int) -> list[int]:
        """Return the children of a bone."""
        return [child for child, parent in enumerate(self.parents) if parent == bone]

    def chain(self, bone: int) -> list[int]:
        """Return a bone and all its ancestors, itself first."""
        found = [bone]
        while self.parents[found[-1]] >= 0:
            found.append(self.parents[found[-1]])
        return found


def find_roles(bones: RestBones) -> BoneRoles:
    """Find the roles of a figure's bones by the names of a known skeleton, or else by a guess for the user to check."""
    return find_preset(bones.names) or guess_roles(bones)


def guess_roles(bones: RestBones) -> BoneRoles:
    """Guess roles: feet are the lowest ends of chains, hands the outermost others, the root carries both legs."""
    pairs, remarks = find_pairs(bones.names)
    told = list(remarks)
    partner = {left: right for left, right in pairs}
    index = {name: bone for bone, name in enumerate(bones.names)}
    legs = _lowest(bones, partner)
    if not legs:
        told.append(
            "No feet were found: no left and right bones reach the floor at rest. Choose the bones of heels and toes "
            "under Feet."
        )
    elif len(legs) == 1:
        told.append(
            f"Only one foot was found, '{bones.names[legs[0]]}': no other bone is its partner. Choose the other foot."
        )
    root = _root(bones, legs)
    feet = tuple(_foot(bones, side, toe, root) for side, toe in zip(_sides(bones, legs), legs, strict=True))
    hands = tuple(bones.names[hand] for hand in _hands(bones, index, partner, legs))
    return BoneRoles("guess", bones.names[root], (), feet, hands, pairs, tuple(told))


def _lowest(bones: RestBones, partner: dict[str, str]) -> list[int]:
    """Return the ends of the two lowest chains, left and right, or of one if it has no partner."""
    limit = bones.bottom + FLOOR * bones.height
    lowest = np.minimum(bones.heads[:, 2], bones.tails[:, 2])
    ends = [
        b for b in range(len(bones.names)) if not bones.children(b) and lowest[b] <= limit and bones.parents[b] >= 0
    ]
    ends.sort(key=lambda bone: (float(lowest[bone]), -len(bones.chain(bone))))
    index = {name: bone for bone, name in enumerate(bones.names)}
    for end in ends:
        if bones.names[end] in partner:
            return [end, index[partner[bones.names[end]]]]
    for end in ends:
        image = next((b for b in ends if b != end and _mirrored(bones, end, b)), None)
        if image is not None:
            return sorted((end, image), key=lambda bone: -float(bones.heads[bone, 0]))
    return ends[:1]


def _mirrored(bones: RestBones, one: int, other: int) -> bool:
    apart = bones.heads[one] * np.array([-1.0, 1.0, 1.0]) - bones.heads[other]
    aside = abs(float(bones.heads[one, 0])) > ASIDE * bones.height
    return aside and float(np.linalg.norm(apart)) < ASIDE * bones.height


def _sides(bones: RestBones, legs: list[int]) -> list[str]:
    if len(legs) == 2:
        return ["L", "R"]
    return ["L" if bones.heads[leg, 0] >= 0.0 else "R" for leg in legs]


def _root(bones: RestBones, legs: list[int]) -> int:
    """Return the lowest common ancestor of both legs; of other figures the top bone with most bones below it."""
    if len(legs) == 2:
        above = set(bones.chain(legs[1]))
        shared = next((bone for bone in bones.chain(legs[0]) if bone in above), None)
        if shared is not None:
            return shared
    tops = [bones.chain(bone)[-1] for bone in range(len(bones.names))]
    return max(set(tops), key=lambda top: (tops.count(top), -top))


def _foot(bones: RestBones, side: str, end: int, root: int) -> FootRoles:
    """Return the roles of the leg whose last bone is `end`: toes, whose head is the ball, or a foot in one piece."""
    chain = bones.chain(end)
    below = chain.index(root) if root in chain else len(chain)
    thigh = chain[max(below - 1, 0)]
    highest = np.array([FLOOR, ANKLE]) * bones.height
    toes = len(chain) > 1 and end != thigh and bool((bones.heads[chain[:2], 2] - bones.bottom <= highest).all())
    ankle = chain[1] if toes else end
    ball = BonePoint(bones.names[end], "HEAD" if toes else "TAIL")
    return FootRoles(side, bones.names[thigh], bones.names[ankle], ball)


def _hands(bones: RestBones, index: dict[str, int], partner: dict[str, str], legs: list[int]) -> list[int]:
    """Return the outermost pair of bones above the legs: ends of arms, or the parents of fingers."""
    lower = {bone for leg in legs for bone in bones.chain(leg)[:2]}
    ends = [b for b in range(len(bones.names)) if not bones.children(b) and not lower & set(bones.chain(b))]
    ends = [b for b in ends if abs(bones.tails[b, 0]) > ASIDE * bones.height]
    ends.sort(key=lambda bone: -abs(float(bones.tails[bone, 0])))
    for end in ends:
        hand = next((b for b in bones.chain(end) if len(bones.children(b)) > 1 and bones.heads[b, 0] != 0.0), end)
        middle = abs(float(bones.heads[hand, 0])) <= ASIDE * bones.height
        chosen = end if middle else hand
        if bones.names[chosen] in partner:
            return [chosen, index[partner[bones.names[chosen]]]]
    return []
