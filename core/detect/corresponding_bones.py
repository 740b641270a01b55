"""Corresponding bones: of two figures that name them differently, and of an armature whose bones were renamed."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

import numpy as np
from numpy.typing import NDArray

from ..figure.matching import same_names
from .bone_names import read_name, side_of
from .bone_roles import BoneRoles, FigureBones

NECK = re.compile("neck|首", re.IGNORECASE)
"""Names of bones that carry the arms in some figures, above those that carry them in others."""
SIDES = frozenset({"l", "r", "left", "right"})


def corresponding_bones(
    own: FigureBones, other: FigureBones, own_roles: BoneRoles, other_roles: BoneRoles, told: Mapping[str, str]
) -> dict[str, str]:
    """Return the bones of another figure that correspond to those of one figure, as far as they can be found.

    The user's assignments come first, then legs, arms and trunk, since programs use the same names for different bones
    of these. Then come equal names, apart from prefixes, marks of a side and upper case, then roots, then bones between
    two corresponding ones, in order. Last come children of corresponding bones: those of the same body part and side by
    name, such as eyes, and only children.

    Parameters
    ----------
    own, other : bones of both figures at rest.
    own_roles, other_roles : detected roles of both.
    told : bones of the other figure that the user has assigned, by bone of `own`.
    """
    found = {name: bone for name, bone in told.items() if name in own.names and bone in other.names}
    arms = _carriers_of_arms(own, other, own_roles, other_roles)
    found |= _further(found, _limbs(own, other, own_roles, other_roles, arms))
    found |= _further(found, same_names(own.names, other.names))
    mine, theirs = _plain_names(own), _plain_names(other)
    found |= _further(found, {name: theirs[key] for key, name in mine.items() if key in theirs})
    found |= _further(found, {own_roles.root: other_roles.root} | arms)
    for name in list(found):
        found |= _further(found, _between(own, other, found, name))
    for look in (_same_part, _only_one):
        for bone, name in enumerate(own.names):
            parent = own.parents[bone]
            if name not in found and parent >= 0 and own.names[parent] in found:
                found |= _further(found, look(own, other, found, name))
    return found


def _plain_names(figure: FigureBones) -> dict[tuple[str, str], str]:
    """Return bones by side and the rest of their letters, equal for names such as `LowerArm_R` and `r_lowerarm`."""
    keys = [(side_of(name), "".join(_letters(name))) for name in figure.names]
    count = Counter(keys)
    return {key: name for key, name in zip(keys, figure.names, strict=True) if count[key] == 1 and key[1]}


def _letters(name: str) -> list[str]:
    """Return the words and numbers in a name in lower case, except those of a side."""
    words = re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_A-Za-z]+", name)
    return [word.lower() for word in words if word.lower() not in SIDES]


def _further(found: Mapping[str, str], more: Mapping[str, str]) -> dict[str, str]:
    """Return the pairs of `more` in which neither bone has a counterpart in `found` yet."""
    used = set(found.values())
    return {name: bone for name, bone in more.items() if name and bone and name not in found and bone not in used}


def _carriers_of_arms(
    own: FigureBones, other: FigureBones, own_roles: BoneRoles, other_roles: BoneRoles
) -> dict[str, str]:
    """Return each figure's lowest bone that carries both hands, as a pair; empty if either figure has none."""
    found: list[str] = []
    for figure, roles in ((own, own_roles), (other, other_roles)):
        chest = figure.shared([figure.names.index(hand) for hand in roles.hands])
        found += [figure.names[chest]] if chest is not None and len(roles.hands) == len("LR") else []
    return {found[0]: found[1]} if len(found) == len("LR") else {}


def _limbs(
    own: FigureBones, other: FigureBones, own_roles: BoneRoles, other_roles: BoneRoles, arms: Mapping[str, str]
) -> dict[str, str]:
    """Return bones of legs, arms and trunk that both figures have, down to balls and hands, and the root.

    Parameters
    ----------
    arms : bones that carry both arms, if known for both figures.
    """
    found: dict[str, str] = {}
    feet = {foot.side: foot for foot in other_roles.feet}
    for foot, mate in ((foot, feet[foot.side]) for foot in own_roles.feet if foot.side in feet):
        found |= {foot.thigh: mate.thigh, foot.ankle: mate.ankle}
        if foot.ball.bone != foot.ankle and mate.ball.bone != mate.ankle:
            found[foot.ball.bone] = mate.ball.bone
        found |= _along(own, other, (foot.ankle, foot.thigh), (mate.ankle, mate.thigh))
    for mine, theirs in arms.items():
        for hand, mate in zip(own_roles.hands, other_roles.hands, strict=True):
            found |= {hand: mate} | _along(own, other, (hand, mine), (mate, theirs))
        trunk = not any(NECK.search(name) for name in (mine, theirs))
        if trunk:
            found.setdefault(mine, theirs)
        if len(own_roles.feet) == len(other_roles.feet) == len("LR"):
            root, mate = own_roles.root, other_roles.root
            found |= {root: mate} | (_along(own, other, (mine, root), (theirs, mate)) if trunk else {})
    return found


def _between(own: FigureBones, other: FigureBones, found: Mapping[str, str], name: str) -> dict[str, str]:
    """Return the bones between a corresponding bone and its next corresponding ancestor, in both figures."""
    above = next((own.names[b] for b in own.chain(own.names.index(name))[1:] if own.names[b] in found), "")
    return _along(own, other, (name, above), (found[name], found[above])) if above else {}


def _along(own: FigureBones, other: FigureBones, mine: tuple[str, str], theirs: tuple[str, str]) -> dict[str, str]:
    """Return corresponding bones, in order, between the ends of a limb in two figures, lower end first.

    If one of them has more, auxiliary ones such as twist bones are left out; if it still has more, bones at similar
    relative distances correspond.
    """
    one, two = _chain(own, mine), _chain(other, theirs)
    if len(one) != len(two):
        one, two = ([bone for bone in chain if not read_name(bone[0]).helps] for chain in (one, two))
    if len(one) > len(two):
        return {mate: name for name, mate in _beside(two, one).items()}
    return _beside(one, two)


def _chain(figure: FigureBones, ends: tuple[str, str]) -> list[tuple[str, float]]:
    """Return the bones between the ends of a limb, with the relative position of each head along it, from 0 to 1."""
    low, top = (figure.names.index(end) for end in ends)
    chain = figure.chain(low)
    chain = chain[: chain.index(top) + 1] if top in chain else [low]
    steps = np.linalg.norm(np.diff(figure.heads[chain], axis=0), axis=1)
    shares = np.cumsum(steps) / max(float(steps.sum()), 1e-12)
    return list(zip([figure.names[bone] for bone in chain[1:-1]], shares.tolist(), strict=False))


def _beside(few: Sequence[tuple[str, float]], many: Sequence[tuple[str, float]]) -> dict[str, str]:
    """Match each bone of a chain, in order, to the nearest of another chain with at least as many; use none twice."""
    found, free = dict[str, str](), 0
    for row, (name, share) in enumerate(few):
        last = len(many) - (len(few) - row)
        place = min(range(free, last + 1), key=lambda place: abs(many[place][1] - share))
        found[name], free = many[place][0], place + 1
    return found


def _same_part(own: FigureBones, other: FigureBones, found: Mapping[str, str], name: str) -> dict[str, str]:
    """Match a bone by name: its parent's counterpart must have exactly one child of the same body part and side."""
    parent = found[own.names[own.parents[own.names.index(name)]]]
    below = [other.names[bone] for bone in other.children(other.names.index(parent))]
    parts, side = read_name(name).parts, side_of(name)
    alike = [bone for bone in below if parts and read_name(bone).parts == parts and side_of(bone) == side]
    return {name: alike[0]} if len(alike) == 1 else {}


def _only_one(own: FigureBones, other: FigureBones, found: Mapping[str, str], name: str) -> dict[str, str]:
    """Match the only unmatched child of a matched bone to the only unmatched child of the other."""
    parent = own.parents[own.names.index(name)]
    mine = [own.names[bone] for bone in own.children(parent) if own.names[bone] not in found]
    used = set(found.values())
    below = other.children(other.names.index(found[own.names[parent]]))
    theirs = [other.names[bone] for bone in below if other.names[bone] not in used]
    alike = len(mine) == len(theirs) == 1 and {side_of(name), side_of(theirs[0])} != {"L", "R"}
    return {name: theirs[0]} if alike else {}


Array = NDArray[np.float64]

SAME = 1e-4
"""Tolerance of equal rest frames: of their axes, and of positions as a share of the figure's size."""
ALIKE = 0.6
"""Minimum similarity of two names, from 0 to 1, for a guess; lower if there is more evidence than the names."""
SAME_PART, SAME_PARENT = 0.4, 0.3
"""Bonus to the similarity if both names are of the same body part, or both bones have the same parent."""


@dataclass(frozen=True, eq=False)
class Lying:
    """A bone at rest.

    Parameters
    ----------
    parent : name of its parent, empty if there is none.
    rest : (4, 4) rest frame in the armature's space.
    """

    parent: str
    rest: Array


@dataclass(frozen=True)
class Guess:
    """A bone that may be meant, with the reason in words."""

    bone: str
    reason: str


def exchanged(seen: Mapping[str, Lying], present: Mapping[str, Lying]) -> dict[str, str]:
    """Return the names of bones that have moved, if another bone now lies where the bone of that name was.

    Parameters
    ----------
    seen : previous bones by their previous names.
    present : present bones by their present names.

    Returns
    -------
    The other bone, by name. If two bones have swapped names, each is found for the other's name.
    """
    kept = {name: bone for name, bone in seen.items() if name in present}
    stay = _unmoved(kept, present)
    lie = _lying_alike({name: bone for name, bone in kept.items() if name not in stay}, present)
    moved = {name: [bone for bone in bones if bone not in stay] for name, bones in lie.items()}
    return {name: found[0] for name, found in moved.items() if len(found) == 1}


def guess_bones(
    names: Sequence[str],
    seen: Mapping[str, Lying],
    present: Mapping[str, Lying],
    beside: Mapping[str, Collection[str]],
) -> dict[str, Guess]:
    """Guess which bones are meant by some names; each bone is guessed once.

    Parameters
    ----------
    names : names of bones that no longer exist, or that now belong to other bones.
    seen : previous bones by their previous names, if known.
    present : present bones by their present names.
    beside : for each name, bones that are mentioned beside it under their own names, so that it cannot mean them.
    """
    found: dict[str, Guess] = {}
    free = list(present)
    lie = _lying_alike({name: seen[name] for name in names if name in seen}, present)
    for name, bones in sorted(lie.items(), key=lambda pair: len(pair[1])):
        here = [bone for bone in _left(free, found) if bone in bones and bone not in beside.get(name, ())]
        if here:
            found[name] = Guess(max(here, key=lambda bone: _likeness(name, bone)), "same position as before")
    rest = [name for name in names if name not in found]
    alike = same_names([*rest, *(name for name in seen if name not in rest)], [*present])
    for name in rest:
        if alike.get(name) in _left(free, found) and alike[name] not in beside.get(name, ()):
            found[name] = Guess(alike[name], "same name except for the prefix")
    lying = _lying_alike(seen, present)
    new = [bone for bone in free if bone not in lying.get(bone, ())]
    left = [name for name in rest if name not in found]
    return found | _by_likeness(left, new, found, seen, present, beside)


def _left(free: Iterable[str], found: Mapping[str, Guess]) -> list[str]:
    used = {guess.bone for guess in found.values()}
    return [bone for bone in free if bone not in used]


def _lying_alike(seen: Mapping[str, Lying], present: Mapping[str, Lying]) -> dict[str, set[str]]:
    """Return for each name the present bones at the previous position of the bone of that name."""
    if not seen or not present:
        return {name: set() for name in seen}
    places, unit, bones = np.array([bone.rest for bone in present.values()]), _unit(present), list(present)
    apart = {name: np.abs((places - bone.rest) / unit).max(axis=(1, 2)) for name, bone in seen.items()}
    return {name: {bones[row] for row in np.flatnonzero(far <= SAME)} for name, far in apart.items()}


def _unmoved(seen: Mapping[str, Lying], present: Mapping[str, Lying]) -> set[str]:
    """Return the names of bones that have not moved; all of them are present."""
    if not seen:
        return set()
    before, now = (np.array([bones[name].rest for name in seen]) for bones in (seen, present))
    apart = np.abs((now - before) / _unit(present)).max(axis=(1, 2))
    return {name for name, far in zip(seen, apart.tolist(), strict=True) if far <= SAME}


def _unit(present: Mapping[str, Lying]) -> Array:
    """Return the units (4,) in which columns of rest frames differ: 1 for axes, the figure's size for positions."""
    places = np.array([bone.rest[:3, 3] for bone in present.values()])
    size = max(float(np.ptp(places, axis=0).max()), float(np.abs(places).max()), 1e-9)
    return np.where(np.arange(4) == 3, size, 1.0)


def _by_likeness(
    names: Sequence[str],
    free: Sequence[str],
    found: Mapping[str, Guess],
    seen: Mapping[str, Lying],
    present: Mapping[str, Lying],
    beside: Mapping[str, Collection[str]],
) -> dict[str, Guess]:
    """Guess by similarity of names and by common parents; the most similar come first."""
    known = {name: guess.bone for name, guess in found.items()}
    scores: list[tuple[float, str, str, str]] = []
    for name in names:
        for bone in _left(free, found):
            likeness, reason = _likeness(name, bone), "similar name"
            parts, others = read_name(name).parts, read_name(bone).parts
            if (parts and others and parts != others) or bone in beside.get(name, ()):
                continue
            if parts and parts == others and read_name(name).helps == read_name(bone).helps:
                likeness, reason = likeness + SAME_PART, "same body part by name"
            above = seen[name].parent if name in seen else None
            if above is not None and known.get(above, above) == present[bone].parent:
                likeness += SAME_PARENT
            if likeness >= ALIKE and {side_of(name), side_of(bone)} != {"L", "R"}:
                scores.append((likeness, name, bone, reason))
    made: dict[str, Guess] = {}
    for _, name, bone, reason in sorted(scores, key=lambda score: (-score[0], score[1], score[2])):
        if name not in made and bone not in {guess.bone for guess in made.values()}:
            made[name] = Guess(bone, reason)
    return made


def _likeness(name: str, bone: str) -> float:
    """Return the similarity of two names, from 0 to 1, ignoring punctuation and case."""
    one, other = (re.sub(r"[\W_]+", "", text.lower()) for text in (name, bone))
    return SequenceMatcher(None, one, other, autojunk=False).ratio()
