"""Roles of the bones of any figure, guessed from their names' left and right and from where they lie at rest."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .bone_presets import find_preset
from .bone_roles import BonePoint, BoneRoles, FootRoles, find_pairs

Array = NDArray[np.float64]

FLOOR = 0.06
"""Share of the figure's height below which a bone may be part of a foot."""
ANKLE = 0.18
"""Share below which the head of a foot lies whose toes are a bone of their own: a knee is higher."""
ASIDE = 0.02
"""Share of the figure's height by which a bone lies beside the middle."""


@dataclass(frozen=True, eq=False)
class RestBones:
    """Bones of a figure at rest, upright, Z up, its left towards +X.

    Parameters
    ----------
    names : (J,) parents stand before their children.
    parents : (J,) index of the parent, -1 for none.
    heads, tails : (J, 3)
    """

    names: tuple[str, ...]
    parents: tuple[int, ...]
    heads: Array
    tails: Array

    @property
    def height(self) -> float:
        """From the lowest point to the highest."""
        return float(np.ptp(np.concatenate([self.heads, self.tails])[:, 2]))

    @property
    def bottom(self) -> float:
        """Height of the lowest point."""
        return float(np.concatenate([self.heads, self.tails])[:, 2].min())

    def children(self, bone: int) -> list[int]:
        """Bones that hang from one."""
        return [child for child, parent in enumerate(self.parents) if parent == bone]

    def chain(self, bone: int) -> list[int]:
        """Bones from one up to the top."""
        found = [bone]
        while self.parents[found[-1]] >= 0:
            found.append(self.parents[found[-1]])
        return found


def find_roles(bones: RestBones) -> BoneRoles:
    """Roles of a figure's bones: of a known skeleton by its names, of any other by a guess that the user corrects."""
    return find_preset(bones.names) or guess_roles(bones)


def guess_roles(bones: RestBones) -> BoneRoles:
    """Guess: feet are the lowest ends of chains, hands the outermost others, the root is what both legs hang from."""
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
    """Ends of the two chains that lie lowest, left and right; one alone where it has no partner."""
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
    """Lowest bone that both legs hang from; of other figures the topmost one with most bones below it."""
    if len(legs) == 2:
        above = set(bones.chain(legs[1]))
        shared = next((bone for bone in bones.chain(legs[0]) if bone in above), None)
        if shared is not None:
            return shared
    tops = [bones.chain(bone)[-1] for bone in range(len(bones.names))]
    return max(set(tops), key=lambda top: (tops.count(top), -top))


def _foot(bones: RestBones, side: str, end: int, root: int) -> FootRoles:
    """Roles of the leg that ends in a bone: toes, whose head is the ball, or a foot in one piece."""
    chain = bones.chain(end)
    below = chain.index(root) if root in chain else len(chain)
    thigh = chain[max(below - 1, 0)]
    highest = np.array([FLOOR, ANKLE]) * bones.height
    toes = len(chain) > 1 and end != thigh and bool((bones.heads[chain[:2], 2] - bones.bottom <= highest).all())
    ankle = chain[1] if toes else end
    ball = BonePoint(bones.names[end], "HEAD" if toes else "TAIL")
    return FootRoles(side, bones.names[thigh], bones.names[ankle], ball)


def _hands(bones: RestBones, index: dict[str, int], partner: dict[str, str], legs: list[int]) -> list[int]:
    """The outermost pair above the legs: the end of an arm, or what its fingers hang from."""
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
