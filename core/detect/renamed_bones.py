"""Guesses which bones of an armature are meant by names that are none of them any more.

A bone that lies where the one of that name lay at rest is taken for it, if it is known how that lay. Other names are
compared: by what is left without what all names begin with, then by their letters, the side and the part of the body
that they name, and what the bones hang from; a bone that still lies where the one of its own name lay is not guessed
so. A guess says what it goes by, for the user to judge it.
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

import numpy as np
from numpy.typing import NDArray

from ..figure.matching import same_names
from .bone_names import read_name, side_of

Array = NDArray[np.float64]

SAME = 1e-4
"""Largest difference of rest frames that are the same, of their axes and as a share of the figure's size."""
ALIKE = 0.6
"""Least likeness of two names, from 0 to 1, that is worth a guess; less where more than the names speaks for it."""
SAME_PART, SAME_PARENT = 0.4, 0.3
"""What it adds to the likeness that both names are of the same part of the body, or both bones hang from the same."""


@dataclass(frozen=True, eq=False)
class Lying:
    """A bone at rest.

    Parameters
    ----------
    parent : name of the bone that carries it, empty if none does.
    rest : (4, 4) rest frame in the armature's space.
    """

    parent: str
    rest: Array


@dataclass(frozen=True)
class Guess:
    """A bone that may be meant, and in words what tells so."""

    bone: str
    reason: str


def exchanged(seen: Mapping[str, Lying], present: Mapping[str, Lying]) -> dict[str, str]:
    """Return names that are bones, but of which another bone lies now where the one of that name lay.

    Parameters
    ----------
    seen : bones as they lay before, by the names that they had then.
    present : bones by the names that they have now.

    Returns
    -------
    For each such name that other bone, such as for two bones that have swapped names.
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
    names : names that are bones no more, or bones other than those that had them.
    seen : bones as they lay before, by the names that they had then, as far as that is known.
    present : bones by the names that they have now.
    beside : for each name the bones that are mentioned together with it by their own names, so that it means none of
        them.
    """
    found: dict[str, Guess] = {}
    free = list(present)
    lie = _lying_alike({name: seen[name] for name in names if name in seen}, present)
    for name, bones in sorted(lie.items(), key=lambda pair: len(pair[1])):
        here = [bone for bone in _left(free, found) if bone in bones and bone not in beside.get(name, ())]
        if here:
            found[name] = Guess(max(here, key=lambda bone: _likeness(name, bone)), "lies where it lay")
    rest = [name for name in names if name not in found]
    alike = same_names([*rest, *(name for name in seen if name not in rest)], [*present])
    for name in rest:
        if alike.get(name) in _left(free, found) and alike[name] not in beside.get(name, ()):
            found[name] = Guess(alike[name], "has the same name but for what all names begin with")
    lying = _lying_alike(seen, present)
    new = [bone for bone in free if bone not in lying.get(bone, ())]
    left = [name for name in rest if name not in found]
    return found | _by_likeness(left, new, found, seen, present, beside)


def _left(free: Iterable[str], found: Mapping[str, Guess]) -> list[str]:
    used = {guess.bone for guess in found.values()}
    return [bone for bone in free if bone not in used]


def _lying_alike(seen: Mapping[str, Lying], present: Mapping[str, Lying]) -> dict[str, set[str]]:
    """For each name the bones that lie now where the one of that name lay."""
    if not seen or not present:
        return {name: set() for name in seen}
    places, unit, bones = np.array([bone.rest for bone in present.values()]), _unit(present), list(present)
    apart = {name: np.abs((places - bone.rest) / unit).max(axis=(1, 2)) for name, bone in seen.items()}
    return {name: {bones[row] for row in np.flatnonzero(far <= SAME)} for name, far in apart.items()}


def _unmoved(seen: Mapping[str, Lying], present: Mapping[str, Lying]) -> set[str]:
    """Names of bones that lie where they lay; all are among those that are present."""
    if not seen:
        return set()
    before, now = (np.array([bones[name].rest for name in seen]) for bones in (seen, present))
    apart = np.abs((now - before) / _unit(present)).max(axis=(1, 2))
    return {name for name, far in zip(seen, apart.tolist(), strict=True) if far <= SAME}


def _unit(present: Mapping[str, Lying]) -> Array:
    """Return (4,) what differences of rest frames are measured in, column by column: places by the figure's size."""
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
    """Guess by what the names say, and by what the bones hang from; the most alike come first."""
    known = {name: guess.bone for name, guess in found.items()}
    scores: list[tuple[float, str, str, str]] = []
    for name in names:
        for bone in _left(free, found):
            likeness, reason = _likeness(name, bone), "has a name that is alike"
            parts, others = read_name(name).parts, read_name(bone).parts
            if (parts and others and parts != others) or bone in beside.get(name, ()):
                continue
            if parts and parts == others and read_name(name).helps == read_name(bone).helps:
                likeness, reason = likeness + SAME_PART, "is the same part of the body by its name"
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
    """How alike two names are, from 0 to 1, without signs and upper case."""
    one, other = (re.sub(r"[\W_]+", "", text.lower()) for text in (name, bone))
    return SequenceMatcher(None, one, other, autojunk=False).ratio()
