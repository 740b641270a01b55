"""Roles of bones by name: feet, hands, root, left and right."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from .bone_names import Reading, find_pairs, read_name, side_of

Array = NDArray[np.float64]
SAME = 0.01
"""Tolerance of equal lengths as a share of a bone's length."""
LEG = frozenset({"thigh", "shin", "leg", "hip", "ankle"})


@dataclass(frozen=True)
class BonePoint:
    """A point of a bone.

    Parameters
    ----------
    bone : name of the bone.
    end : ``'HEAD'`` or ``'TAIL'``; for a control, ``'BALL'`` or ``'HEEL'`` of the foot that it carries.
    """

    bone: str
    end: Literal["HEAD", "TAIL", "BALL", "HEEL"] = "HEAD"


@dataclass(frozen=True)
class FootRoles:
    """Bones of one leg.

    Parameters
    ----------
    side : ``'L'`` or ``'R'``, with which the names of the leg's keytimes begin.
    thigh, ankle : bones between whose heads the leg's length is measured.
    ball : point on which the foot rolls and is locked.
    heel : point on which the foot lands, None if no bone marks it.
    """

    side: str
    thigh: str
    ankle: str
    ball: BonePoint
    heel: BonePoint | None = None


@dataclass(frozen=True)
class BoneRoles:
    """Roles of a figure's bones, which the user may correct.

    Parameters
    ----------
    source : how the feet were found: by ``'names'``, ``'rest'`` or ``'motion'``, or ``''`` if not found.
    root : bone that carries the body.
    feet : the left foot, then the right one, if known.
    hands : the left hand, then the right one.
    pairs : left bones with their right partners.
    remarks : sentences on what is missing or doubtful.
    """

    source: Literal["names", "rest", "motion", ""]
    root: str
    feet: tuple[FootRoles, ...]
    hands: tuple[str, ...]
    pairs: tuple[tuple[str, str], ...]
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class FigureBones:
    """Bones of a figure in one pose, Z up: at rest, or averaged over a motion.

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
        return float(np.concatenate([self.heads, self._tails])[:, 2].max()) - self.bottom

    @property
    def bottom(self) -> float:
        """Height of the lowest point of the figure."""
        return float(self.lowest.min())

    @property
    def lowest(self) -> Array:
        """Height (J,) of the lower end of each bone."""
        return np.minimum(self.heads[:, 2], self._tails[:, 2])

    @cached_property
    def _tails(self) -> Array:
        """Tails (J, 3) of the bones, or heads if an importer invented the tail."""
        made_up = [self.made_up(bone) for bone in range(len(self.names))]
        return np.where(np.array(made_up)[:, None], self.heads, self.tails)

    def made_up(self, bone: int) -> bool:
        """Return whether an importer invented a bone's tail: the bone is as long as its parent or its offset."""
        above = self.parents[bone]
        if above < 0 or self.children(bone):
            return False
        own, other = np.linalg.norm(self.tails[[bone, above]] - self.heads[[bone, above]], axis=1)
        apart = np.linalg.norm(self.heads[bone] - self.heads[above])
        return min(abs(float(own - other)), abs(float(own - apart))) <= SAME * float(own)

    def children(self, bone: int) -> list[int]:
        """Return the children of a bone."""
        return [child for child, parent in enumerate(self.parents) if parent == bone]

    def chain(self, bone: int) -> list[int]:
        """Return a bone and all its ancestors, itself first."""
        found = [bone]
        while self.parents[found[-1]] >= 0:
            found.append(self.parents[found[-1]])
        return found

    def shared(self, bones: Sequence[int]) -> int | None:
        """Return the lowest common ancestor of some bones, None if there is none."""
        chains = [self.chain(bone) for bone in bones]
        others = [set(chain) for chain in chains[1:]]
        return next((bone for bone in (chains[0] if chains else []) if all(bone in other for other in others)), None)


class Named:
    """The bones of a figure with their parsed names.

    Parameters
    ----------
    bones : bones of the figure; their positions do not matter.
    pairs : left bones with their right partners.
    lone : whether to include bones of one side without a partner, each as its own partner.

    Attributes
    ----------
    partner : index of each left bone's right partner.
    """

    def __init__(self, bones: FigureBones, pairs: Sequence[tuple[str, str]], lone: bool = False) -> None:
        self._bones = bones
        index = {name: bone for bone, name in enumerate(bones.names)}
        self.partner = {index[left]: index[right] for left, right in pairs}
        if lone:
            self.partner = {bone: bone for name, bone in index.items() if side_of(name)}
        self._read: list[Reading] = [read_name(name) for name in bones.names]
        self._depth = [len(bones.chain(bone)) for bone in range(len(bones.names))]

    def is_any(self, bone: int, parts: frozenset[str] | set[str]) -> bool:
        """Return whether the name of a bone mentions one of some parts of the body."""
        return bool(self._read[bone].parts & parts)

    def _best(self, found: Sequence[int]) -> int | None:
        """Return the likeliest of some bones: by the plainest name, then nearest to the root."""
        return min(found, key=lambda b: (self._read[b].strange, self._depth[b], self._read[b].number, b), default=None)

    def legs(self) -> list[int]:
        """Return left ankles that have a leg bone above them and a right partner, the likeliest first."""
        found: list[tuple[tuple[int, ...], int]] = []
        for bone in self.partner:
            reading, above = self._read[bone], self._bones.chain(bone)[1:]
            if reading.helps or not self.is_any(bone, {"ankle", "foot"}) or self.is_any(bone, {"toe", "heel"}):
                continue
            leg = [b for b in above if b in self.partner and self.is_any(b, LEG)]
            alike = self.partner[self.thigh(bone)] in self._bones.chain(self.partner[bone]) if leg else False
            if alike and not any(self.is_any(b, {"ankle", "foot"}) for b in above if b in self.partner):
                unlike = not any(self.is_any(b, {"thigh", "shin"}) for b in leg)
                toeless = self.toe(bone) is None
                found.append(((unlike, reading.strange, toeless, self._depth[bone], bone), bone))
        return [bone for _, bone in sorted(found)]

    def thigh(self, ankle: int) -> int:
        """Return the topmost bone in a leg named thigh, else hip or leg, else the topmost whose name has a side."""
        sided = [bone for bone in self._bones.chain(ankle)[1:] if bone in self.partner]
        for parts in ({"thigh"}, {"hip"}, {"leg", "shin"}):
            called = [bone for bone in sided if self.is_any(bone, parts)]
            if called:
                return called[-1]
        return sided[-1] if sided else ankle

    def toe(self, ankle: int) -> int | None:
        """Return the bone whose head is the ball of a foot: the first one named toe, or the end of the foot."""
        below = [b for b in self.partner if b != ankle and ankle in self._bones.chain(b)]
        toes = [b for b in below if self.is_any(b, {"toe", "foot"} if self.is_any(ankle, {"ankle"}) else {"toe"})]
        ends = [b for b in below if self.is_any(b, {"toe", "foot"}) and self._read[b].ends]
        return self._first([b for b in toes if not self._read[b].helps]) or self._first(ends)

    def _first(self, toes: Sequence[int]) -> int | None:
        """Return the toe nearest to the ankle; of several, the big toe."""
        return min(toes, key=lambda b: (self._depth[b], self._read[b].strange, self._read[b].number, b), default=None)

    def heel(self, ankle: int) -> int | None:
        """Return the bone that marks the heel of a foot, or of a copy of the foot in the rig."""
        marks = [b for b in self.partner if self.is_any(b, {"heel"}) and not self._read[b].helps]
        above = {b: self._bones.parents[b] for b in marks}
        feet = {ankle, *(b for b in self.partner if self._read[b].parts & self._read[ankle].parts)}
        return self._best([b for b in marks if above[b] in feet and not self._read[above[b]].helps])

    def foot(self, side: str, ankle: int) -> FootRoles:
        """Return the roles of the leg with left ankle `ankle`, or, for side ``'R'``, of the other leg of the pair."""
        names, own = self._bones.names, self.partner if side == "R" else range(len(self._read))
        toe, heel = (None if b is None else BonePoint(names[own[b]]) for b in (self.toe(ankle), self.heel(ankle)))
        ball = toe or end_of_foot(self._bones, own[ankle])
        return FootRoles(side, names[own[self.thigh(ankle)]], names[own[ankle]], ball, heel)

    def hand(self, legs: Sequence[int]) -> int | None:
        """Return the left hand, or the left wrist if no bone is named hand; bones of the given legs do not count."""
        arms = [b for b in self.partner if not self._read[b].helps and not set(legs) & set(self._bones.chain(b))]
        for part in ("hand", "wrist"):
            best = self._best([b for b in arms if self.is_any(b, {part})])
            if best is not None:
                return best
        return None

    def trunk(self) -> list[int]:
        """Return the bones of spine, neck and head."""
        return [b for b in range(len(self._read)) if self.is_any(b, {"trunk", "head"}) and not self._read[b].helps]


def end_of_foot(bones: FigureBones, ankle: int) -> BonePoint:
    """Return the point on which a foot of one bone rolls: its tail, or its head if the tail is invented."""
    return BonePoint(bones.names[ankle], "HEAD" if bones.made_up(ankle) else "TAIL")


def by_names(bones: FigureBones) -> BoneRoles:
    """Find roles by the meaning of names and by the hierarchy, independent of the bones' positions."""
    pairs, remarks = find_pairs(bones.names)
    named = Named(bones, pairs)
    legs = named.legs()
    hand = named.hand(legs)
    hands = () if hand is None else (hand, named.partner[hand])
    feet: tuple[FootRoles, ...] = ()
    thighs: list[int] = []
    if legs:
        feet = named.foot("L", legs[0]), named.foot("R", legs[0])
        thighs = [named.thigh(legs[0]), named.partner[named.thigh(legs[0])]]
        more = [leg for leg in legs[1:] if named.is_any(leg, {"quarter"}) or named.is_any(legs[0], {"quarter"})]
        if more:
            told = f"The figure has more than two legs: the leg of '{bones.names[more[0]]}' was left out."
            remarks = (*remarks, told)
    else:
        lone = Named(bones, pairs, lone=True)
        for ankle in lone.legs()[:1]:
            name = bones.names[ankle]
            feet = (lone.foot(side_of(name), ankle),)
            told = (
                f"Only one foot was found, '{name}': no bone matches it on the other side. Choose the other foot under "
                "Feet."
            )
            remarks = (*remarks, told)
    root = root_of(bones, thighs, (hands or named.trunk()[:1],))
    source: Literal["names", ""] = "names" if feet else ""
    return BoneRoles(source, bones.names[root], feet, tuple(bones.names[bone] for bone in hands), pairs, remarks)


def root_of(bones: FigureBones, thighs: Sequence[int], others: Sequence[Sequence[int]]) -> int:
    """Return the bone that carries the body: the lowest common ancestor of both thighs and of `others`.

    Parameters
    ----------
    bones : bones of the figure.
    thighs : thighs of both legs; if there are none, the topmost bone of the largest part of the figure is returned.
    others : bones of arms, else of the trunk; the first ones connected to the thighs are used.
    """
    for more in (*others, ()):
        shared = bones.shared([*thighs, *more]) if len(thighs) > 1 else None
        if shared is not None:
            return shared
    tops = [bones.chain(bone)[-1] for bone in range(len(bones.names))]
    return max(set(tops), key=lambda top: (tops.count(top), -top))
