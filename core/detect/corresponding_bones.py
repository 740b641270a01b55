"""Which bones of two figures correspond whose names differ: by names, by what they are for, and by where they hang."""

from collections.abc import Mapping, Sequence

from ..figure.matching import same_names
from .bone_names import read_name, side_of
from .bone_roles import BoneRoles, FigureBones


def corresponding_bones(
    own: FigureBones, other: FigureBones, own_roles: BoneRoles, other_roles: BoneRoles, told: Mapping[str, str]
) -> dict[str, str]:
    """Return for bones of one figure those of another one that correspond, as far as they can be found.

    What the user has told comes first, then the same names up to what stands before them, roots, feet and hands, and
    bones between two that correspond where both figures have as many. Last come bones of the same part of the body and
    side by their names, such as eyes, that hang from bones that correspond.

    Parameters
    ----------
    own, other : bones of both figures at rest.
    own_roles, other_roles : what was found of them.
    told : for bones of the one figure those of the other.
    """
    found = {name: bone for name, bone in told.items() if name in own.names and bone in other.names}
    found |= _further(found, same_names(own.names, other.names))
    found |= _further(found, dict(zip(_marked(own_roles), _marked(other_roles), strict=True)))
    for name in list(found):
        found |= _further(found, _between(own, other, found, name))
    for bone, name in enumerate(own.names):
        parent = own.parents[bone]
        if name not in found and parent >= 0 and own.names[parent] in found:
            found |= _further(found, _same_part(own, other, found, name))
    return found


def _further(found: Mapping[str, str], more: Mapping[str, str]) -> dict[str, str]:
    """Those of `more` that are of bones which correspond to none yet, on both sides."""
    used = set(found.values())
    return {name: bone for name, bone in more.items() if name and bone and name not in found and bone not in used}


def _marked(roles: BoneRoles) -> Sequence[str]:
    """Bones of known roles, always in the same order; empty where there is none."""
    feet, hands = {foot.side: foot for foot in roles.feet}, [*roles.hands, "", ""][:2]
    legs = [feet.get(side) for side in "LR"]
    return [roles.root, *(n for f in legs for n in ((f.thigh, f.ankle, f.ball.bone) if f else ("",) * 3)), *hands]


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
