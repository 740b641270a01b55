"""What the bones of a figure are for, as far as verbs need to know, and left and right in their names."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

_WORDS = (("left", "right"), ("Left", "Right"), ("LEFT", "RIGHT"))
_LETTERS = (("l", "r"), ("L", "R"))
_APART = r"._\- :|"


@dataclass(frozen=True)
class BonePoint:
    """An end of a bone.

    Parameters
    ----------
    bone : its name.
    end : ``'HEAD'`` or ``'TAIL'``.
    """

    bone: str
    end: Literal["HEAD", "TAIL"] = "HEAD"


@dataclass(frozen=True)
class FootRoles:
    """Bones of one leg.

    Parameters
    ----------
    side : ``'L'`` or ``'R'``; names of keytimes begin with it.
    thigh, ankle : bones from whose heads the leg's length is counted.
    ball : where the foot rolls and is held.
    heel : where it lands, None where no bone tells.
    """

    side: str
    thigh: str
    ankle: str
    ball: BonePoint
    heel: BonePoint | None = None


@dataclass(frozen=True)
class BoneRoles:
    """Roles of a figure's bones, found by names or guessed, for the user to correct.

    Parameters
    ----------
    source : name of the preset, ``'guess'`` where it is a guess.
    root : the bone that carries the body.
    travelling : controls that do not follow the root.
    feet : left, then right, as far as there are any.
    hands : left, then right.
    pairs : left and right bones.
    remarks : what is missing or doubtful, each a sentence.
    """

    source: str
    root: str
    travelling: tuple[str, ...]
    feet: tuple[FootRoles, ...]
    hands: tuple[str, ...]
    pairs: tuple[tuple[str, str], ...]
    remarks: tuple[str, ...] = ()


def partner_names(name: str) -> tuple[str, ...]:
    """Names that the right partner of a left bone may have, the likeliest first; none where no word says left.

    A word counts anywhere (``LeftFoot``, ``foot_left``), a letter at an end or set apart (``foot.L``, ``L_foot``,
    ``thigh.L.001``, ``LHipJoint``, ``lfoot``).
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
    """Pairs of left and right bones, and a sentence for each bone that two others claim as their partner."""
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
