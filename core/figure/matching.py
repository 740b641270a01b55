"""Matching of similar skeletons: corresponding bones, and the pose of one skeleton transferred to the other.

Corresponding bones have the same name, apart from a prefix common to all names of a skeleton. A pose is transferred as
it appears: each bone gets the other bone's rotation from rest in the world. If the rest poses differ, such as hanging
and stretched arms, the bones are first aligned with the other's at rest.
"""

import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..errors import RigError, quoted
from . import quaternion as quat

Array = NDArray[np.float64]

ALIKE = np.radians(20.0)
"""Largest angle between corresponding bones at rest that is due to different proportions, not to a different pose."""
UNLIKE = np.radians(75.0)
"""Angle from which the roll of a bone is a guess."""
SPREAD = 0.2
"""Minimum spread of a bone's children, as a share of their common direction, from which they determine its roll."""
NO_LENGTH = 1e-6
_PRIOR = 1e-6
_PREFIX = re.compile(r".*[:|]", re.DOTALL)
_FIRST = re.compile(r"([^ _.\-]+)(?:[ _.\-]+|$)")
_SIDES = {"l", "r", "left", "right"}
_MEND = "Give corresponding bones the same name."


@dataclass(frozen=True, eq=False)
class Resting:
    """A skeleton at rest, upright, in the units of the world.

    Parameters
    ----------
    owner : its name in messages.
    names : (B,) names of the bones, parents before children.
    parents : (B,) index of each bone's parent, -1 if there is none.
    heads : (B, 3) positions of the bones' heads.
    turns : (B, 4) orientations of the bones.
    """

    owner: str
    names: tuple[str, ...]
    parents: tuple[int, ...]
    heads: Array
    turns: Array

    def chain(self, bone: int) -> list[int]:
        """Return the bone and its ancestors, up to the topmost."""
        found: list[int] = []
        while bone >= 0:
            found.append(bone)
            bone = self.parents[bone]
        return found

    def below(self, root: int) -> list[int]:
        """Return the bones below `root`."""
        return [bone for bone in range(len(self.names)) if root in self.chain(bone)[1:]]


@dataclass(frozen=True, eq=False)
class Match:
    """Bones of one skeleton, and the corresponding bones of another.

    Parameters
    ----------
    pairs : for each bone of the first skeleton from its root down, the index of the corresponding bone of the other; -1
        if it has none.
    surplus : bones of the other skeleton that correspond to none of the first.
    aside : corresponding bones of the other skeleton that are not below the root in one or both skeletons.
    missing : bones of the first skeleton that correspond to none of the other.
    """

    pairs: NDArray[np.intp]
    surplus: tuple[str, ...]
    aside: tuple[str, ...]
    missing: tuple[str, ...]


def carrier_in(own: Resting, pairs: NDArray[np.intp], bone: int) -> int:
    """Return the nearest ancestor of a bone of `own` that has a corresponding bone, -1 if there is none."""
    return next((above for above in own.chain(bone)[1:] if pairs[above] >= 0), -1)


def match_bones(
    own: Resting,
    other: Resting,
    root: str,
    legs: Sequence[tuple[str, str]],
    named: Mapping[str, str] | None = None,
    other_legs: Sequence[tuple[str, str]] = (),
) -> Match:
    """Find corresponding bones.

    Bones above the root need not correspond. Below it any bone may be missing on either side, such as a finger or a
    spine bone, except for those of a leg: its thigh, its ankle, and one between them that bends.

    Parameters
    ----------
    own, other : the two skeletons.
    root : bone of `own` that carries the body.
    legs : thigh and ankle of each leg of `own`.
    named : corresponding bones of `other` by bones of `own`; by default those of the same name.
    other_legs : thigh and ankle of each leg of `other`, if known.

    Raises
    ------
    RigError
        If a required bone is missing; the message names it.
    """
    named = same_names(own.names, other.names) if named is None else named
    top, other_top = own.names.index(root), _index(other, named.get(root, ""))
    below, other_below = own.below(top), set(other.below(other_top)) if other_top >= 0 else set[int]()
    pairs = np.full(len(own.names), -1, dtype=np.intp)
    pairs[top] = other_top
    for bone in below:
        found = _index(other, named.get(own.names[bone], ""))
        pairs[bone] = found if found in other_below else -1
    _check_legs(own, other, np.flatnonzero(pairs >= 0).tolist(), legs, [top])
    _check_legs(other, own, pairs.tolist(), other_legs)
    known, alike = {*pairs.tolist(), *other.chain(other_top)}, set(named.values())
    others = [name for bone, name in enumerate(other.names) if bone not in known]
    surplus, aside = [name for name in others if name not in alike], [name for name in others if name in alike]
    missing = [own.names[bone] for bone in below if pairs[bone] < 0]
    return Match(pairs, tuple(surplus), tuple(aside), tuple(missing))


def _index(resting: Resting, name: str) -> int:
    return resting.names.index(name) if name in resting.names else -1


def _check_legs(
    own: Resting, other: Resting, matched: Collection[int], legs: Sequence[tuple[str, str]], root: Sequence[int] = ()
) -> None:
    """Check that the bones of `own` that its legs and root require are matched in `other`."""
    needed = [[bone] for bone in root]
    for thigh, ankle in ((own.names.index(thigh), own.names.index(ankle)) for thigh, ankle in legs):
        needed += [[thigh], [b for b in own.chain(ankle)[1:] if thigh in own.chain(b)[1:]], [ankle]]
    for bones in needed:
        if bones and not set(bones) & set(matched):
            raise RigError(
                f"'{other.owner}' has no bone that corresponds to '{own.names[bones[0]]}' of '{own.owner}'. {_MEND}"
            )


def same_names(own: Sequence[str], other: Sequence[str]) -> dict[str, str]:
    """Return a mapping from names of one skeleton to equal names of the other, apart from common prefixes.

    'mixamorig:Hips' matches 'mixamorig1:Hips', 'Hips' and 'hips', and 'Bip01 Head' matches 'Bip001 Head'.
    """
    exact = set(own) & set(other)
    bare, theirs = _bare([n for n in own if n not in exact], own), _bare([n for n in other if n not in exact], other)
    return {name: name for name in exact} | {name: theirs[key] for key, name in bare.items() if key in theirs}


def _bare(names: Sequence[str], every: Sequence[str]) -> dict[str, str]:
    """Return names by their part after the common prefix of all names; ambiguous ones are omitted."""
    firsts = {found[1].lower() for name in every if (found := _FIRST.match(_PREFIX.sub("", name)))}
    common = len(firsts) == 1 and len(every) > 1 and not firsts & _SIDES
    short = [_PREFIX.sub("", name) for name in names]
    keys = [(_FIRST.sub("", one, count=1) if common else one).lower() for one in short]
    count = Counter(keys)
    return {key: name for key, name in zip(keys, names, strict=True) if count[key] == 1}


def way_to_body(own: Resting, pairs: NDArray[np.intp], root: str, is_shifted: Callable[[int], bool]) -> tuple[int, ...]:
    """Return the bones from the root down to the one that carries the body, in whose frame each can be moved freely.

    Captures often have an arbitrarily placed joint above the hips. The rest offset of the next joint from it then has
    nothing to do with the figure's build.

    Parameters
    ----------
    own : the skeleton.
    pairs : its corresponding bones, as in `Match`.
    root : bone at which the path begins.
    is_shifted : whether a motion translates a bone relative to its parent.
    """
    found = [own.names.index(root)]
    while True:
        below = [
            b for b, parent in enumerate(own.parents) if parent == found[-1] and b in own.parents and pairs[b] >= 0
        ]
        if not below:
            return tuple(found[:1])
        if len(below) > 1 or not is_shifted(below[0]):
            return tuple(found)
        found.append(below[0])


def laid_along(
    own: Resting, other: Resting, match: Match, loose: Collection[int] = (), least: float = ALIKE
) -> tuple[Array, tuple[str, ...]]:
    """Find the rotations from rest that align the bones of one skeleton with those of the other at rest.

    Parameters
    ----------
    own, other : the skeletons.
    match : which of their bones correspond.
    loose : bones that a motion translates, so that their rest positions do not matter.
    least : angle in radians up to which bones count as aligned.

    Returns
    -------
    turns : (B, 4) rotations in the world; identity for bones that are aligned, apart from proportions.
    unlike : bones whose directions differ so much that their roll is a guess.
    """
    turns, unlike = np.tile(quat.IDENTITY, (len(own.names), 1)), list[str]()
    children: dict[int, list[int]] = {}
    for bone in range(len(own.names)):
        carrier = carrier_in(own, match.pairs, bone)
        if carrier >= 0 and match.pairs[bone] >= 0 and bone not in loose:
            children.setdefault(carrier, []).append(bone)
    for bone, parent in enumerate(own.parents):
        carried = turns[parent] if parent >= 0 else quat.IDENTITY
        turn, told = _between(own, other, match.pairs, bone, children.get(bone, []), carried)
        angle = float(quat.angle_between(quat.IDENTITY, turn))
        turns[bone] = quat.multiply(turn, carried) if angle > least else carried
        if angle > UNLIKE and not told:
            unlike.append(own.names[bone])
    return turns, tuple(unlike)


def _between(
    own: Resting, other: Resting, pairs: NDArray[np.intp], bone: int, children: list[int], carried: Array
) -> tuple[Array, bool]:
    """Return the smallest rotation (4,) from the directions of a bone's children to those of the other's children.

    Also return whether these directions spread enough to determine the roll of the bone.
    """
    total = _PRIOR * np.eye(3)
    for child in children:
        mine = quat.rotate(carried, own.heads[child] - own.heads[bone])
        theirs = other.heads[pairs[child]] - other.heads[pairs[bone]]
        lengths = float(np.linalg.norm(mine) * np.linalg.norm(theirs))
        if lengths > NO_LENGTH**2:
            total += np.outer(theirs, mine) / lengths
    left, sizes, right = np.linalg.svd(total)
    right[2] *= np.linalg.det(left @ right)
    return quat.normalize(quat.from_matrix(left @ right)), bool(sizes[1] > SPREAD * sizes[0])


def nearest_pose(own: Resting, match: Match, places: Array) -> tuple[int, float]:
    """Find the frame in which another skeleton's bones point most nearly as those of `own` do, whatever the heading.

    Parameters
    ----------
    own : a skeleton in some pose.
    match : the bones of both that correspond.
    places : (F, C, 3) heads of the other's bones.

    Returns
    -------
    The frame, and the similarity of the poses there, from 0 to 1.
    """
    carriers = np.array([carrier_in(own, match.pairs, bone) for bone in range(len(own.names))])
    bones = np.flatnonzero((match.pairs >= 0) & (carriers >= 0))
    mine = _units(own.heads[bones] - own.heads[carriers[bones]])
    theirs = _units(places[:, match.pairs[bones]] - places[:, match.pairs[carriers[bones]]])
    products: Array = theirs.swapaxes(1, 2) @ mine
    left, sizes, right = np.linalg.svd(products)
    sizes[:, 2] *= np.linalg.det(left) * np.linalg.det(right)
    alike = sizes.sum(axis=1) / max(len(bones), 1)
    return int(np.argmax(alike)), float(alike.max())


def _units(ways: Array) -> Array:
    return ways / np.maximum(np.linalg.norm(ways, axis=-1, keepdims=True), NO_LENGTH)


def size_ratio(
    own: Resting,
    other: Resting,
    pairs: NDArray[np.intp],
    legs: Sequence[tuple[str, str]],
    loose: Collection[int] = (),
) -> float:
    """Return the ratio of the skeletons' sizes: from thigh to ankle if possible, else over all corresponding bones.

    Bones that are `loose`, as in `laid_along`, are left out of the latter.

    Raises
    ------
    RigError
        If bones of the other have no length.
    """
    if legs:
        ends = [(own.names.index(thigh), own.names.index(ankle)) for thigh, ankle in legs]
        every = [b for thigh, ankle in ends for b in own.chain(ankle) if thigh in own.chain(b)[1:]]
    else:
        every = [b for b in range(len(own.names)) if b not in loose and carrier_in(own, pairs, b) >= 0]
    rows = [b for b in every if pairs[b] >= 0]
    bones, carriers = (np.array(found, dtype=np.intp) for found in (rows, [carrier_in(own, pairs, b) for b in rows]))
    mine = float(np.linalg.norm(own.heads[bones] - own.heads[carriers], axis=1).sum())
    theirs = float(np.linalg.norm(other.heads[pairs[bones]] - other.heads[pairs[carriers]], axis=1).sum())
    if min(mine, theirs) <= NO_LENGTH:
        which = own if mine <= NO_LENGTH else other
        raise RigError(
            f"The bones {quoted(own.names[b] for b in rows)} of '{which.owner}' have zero length. Choose other bones."
        )
    return mine / theirs


def carried_over(own: Resting, other: Resting, pairs: NDArray[np.intp], turns: Array, frames: Array) -> Array:
    """Return orientations (F, B, 4) in the world that give one skeleton the pose of the other.

    Bones without a corresponding one keep their rest orientation relative to their parent.

    Parameters
    ----------
    turns : (B, 4) result of `laid_along`.
    frames : (F, C, 4) orientations of the other's bones.
    """
    found = np.empty((len(frames), len(own.names), 4))
    for bone, parent in enumerate(own.parents):
        if pairs[bone] >= 0:
            rest = quat.multiply(turns[bone], own.turns[bone])
            back = quat.multiply(quat.conjugate(other.turns[pairs[bone]]), rest)
            found[:, bone] = quat.multiply(frames[:, pairs[bone]], back)
        elif parent >= 0:
            still = quat.multiply(quat.conjugate(own.turns[parent]), own.turns[bone])
            found[:, bone] = quat.multiply(found[:, parent], still)
        else:
            found[:, bone] = own.turns[bone]
    return found
