"""Which bones of two figures correspond whose names differ: by names, by what they are for, and by where they hang."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from ..figure.matching import same_names
from .bone_names import read_name, side_of
from .bone_roles import BoneRoles, FigureBones

SIDES = frozenset({"l", "r", "left", "right"})


def corresponding_bones(
    own: FigureBones, other: FigureBones, own_roles: BoneRoles, other_roles: BoneRoles, told: Mapping[str, str]
) -> dict[str, str]:
    """Return for bones of one figure those of another one that correspond, as far as they can be found.

    What the user has told comes first, then the same names up to what stands before them and to how they mark a side
    and upper case, roots, feet and hands, and bones between two that correspond where both figures have as many. Last
    come bones that hang from bones that correspond: those of the same part of the body and side by their names, such as
    eyes, and only ones.

    Parameters
    ----------
    own, other : bones of both figures at rest.
    own_roles, other_roles : what was found of them.
    told : for bones of the one figure those of the other.
    """
    found = {name: bone for name, bone in told.items() if name in own.names and bone in other.names}
    found |= _further(found, same_names(own.names, other.names))
    mine, theirs = _plain_names(own), _plain_names(other)
    found |= _further(found, {name: theirs[key] for key, name in mine.items() if key in theirs})
    found |= _further(found, dict(zip(_marked(own_roles), _marked(other_roles), strict=True)))
    for name in list(found):
        found |= _further(found, _between(own, other, found, name))
    for look in (_same_part, _only_one):
        for bone, name in enumerate(own.names):
            parent = own.parents[bone]
            if name not in found and parent >= 0 and own.names[parent] in found:
                found |= _further(found, look(own, other, found, name))
    return found


def _plain_names(figure: FigureBones) -> dict[tuple[str, str], str]:
    """Bones by their side and the letters of their names without it, such as of `LowerArm_R` and `r_lowerarm`."""
    keys = [(side_of(name), "".join(_letters(name))) for name in figure.names]
    count = Counter(keys)
    return {key: name for key, name in zip(keys, figure.names, strict=True) if count[key] == 1 and key[1]}


def _letters(name: str) -> list[str]:
    """Words and numbers in a name in lower case, but for those of a side."""
    words = re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_A-Za-z]+", name)
    return [word.lower() for word in words if word.lower() not in SIDES]


def _further(found: Mapping[str, str], more: Mapping[str, str]) -> dict[str, str]:
    """Those of `more` that are of bones which correspond to none yet, on both sides."""
    used = set(found.values())
    return {name: bone for name, bone in more.items() if name and bone and name not in found and bone not in used}


def _marked(roles: BoneRoles) -> Sequence[str]:
    """Bones of known roles, always in the same order; empty where there is none."""
    feet, hands = {foot.side: foot for foot in roles.feet}, {side_of(hand): hand for hand in roles.hands}
    both = roles.hands if len(roles.hands) == len("LR") else [hands.get(side, "") for side in "LR"]
    legs = [feet.get(side) for side in "LR"]
    return [roles.root, *(n for f in legs for n in ((f.thigh, f.ankle, f.ball.bone) if f else ("",) * 3)), *both]


def _between(own: FigureBones, other: FigureBones, found: Mapping[str, str], name: str) -> dict[str, str]:
    """Bones between a bone that corresponds and the next one above it that does, where both have as many between."""
    mine = [own.names[bone] for bone in own.chain(own.names.index(name))]
    theirs = [other.names[bone] for bone in other.chain(other.names.index(found[name]))]
    last = next((row for row, above in enumerate(mine) if row and above in found), 0)
    if not last or found[mine[last]] not in theirs or theirs.index(found[mine[last]]) != last:
        return {}
    return dict(zip(mine[1:last], theirs[1:last], strict=True))


def _same_part(own: FigureBones, other: FigureBones, found: Mapping[str, str], name: str) -> dict[str, str]:
    """The bone of the same part and side that hangs from the one that corresponds to a bone's parent."""
    parent = found[own.names[own.parents[own.names.index(name)]]]
    below = [other.names[bone] for bone in other.children(other.names.index(parent))]
    parts, side = read_name(name).parts, side_of(name)
    alike = [bone for bone in below if parts and read_name(bone).parts == parts and side_of(bone) == side]
    return {name: alike[0]} if len(alike) == 1 else {}


def _only_one(own: FigureBones, other: FigureBones, found: Mapping[str, str], name: str) -> dict[str, str]:
    """The only bone without a match that hangs from a match, for the only one that hangs from the other."""
    parent = own.parents[own.names.index(name)]
    mine = [own.names[bone] for bone in own.children(parent) if own.names[bone] not in found]
    used = set(found.values())
    below = other.children(other.names.index(found[own.names[parent]]))
    theirs = [other.names[bone] for bone in below if other.names[bone] not in used]
    alike = len(mine) == len(theirs) == 1 and {side_of(name), side_of(theirs[0])} != {"L", "R"}
    return {name: theirs[0]} if alike else {}
