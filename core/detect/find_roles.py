"""Detection of bone roles: by names, or if those are not meaningful, from a figure that stands on its feet."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, groupby
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ..motion.travel import rotate_over_floor
from .bone_roles import BonePoint, BoneRoles, FigureBones, FootRoles, by_names, end_of_foot, root_of

Array = NDArray[np.float64]

FLOOR = 0.08
"""Height, as a share of the figure's, below which a leg must end."""
ANKLE = 0.18
"""Height, as a share of the figure's, below which ankles lie; knees are higher."""
ASIDE = 0.01
"""Distance of a leg from the middle, as a share of the figure's height, from which it counts as left or right."""
HANGS = 0.75
"""Minimum vertical extent of a standing leg, as a share of its length."""
LONG = 0.2
"""Minimum length of a standing leg, as a share of the figure's height: fingers are shorter."""
RISES = 0.4
"""Minimum height of a standing body above its legs, as a share of their length."""
LEVEL = 0.8
"""Largest slope of a foot's bones: those of legs are steeper."""
PALM = 0.4
"""Largest distance from a hand to its fingertips, as a share of the arm's length."""
TWINS = 0.08
"""Largest difference between the bones of two legs, as a share of a leg's length."""
LOW = 0.5
"""Height, as a share of the figure's, below which feet are searched if the figure does not stand."""
LEAST_LENGTH = 0.1
"""Averaging over time shortens swinging bones; one left shorter than this share is not fully restored."""
NEAR = 0.01
"""Share of the figure's height below which joints count as coincident."""
FACELESS = "Left and right assume that the figure faces -Y, as neither feet nor knees show its direction. Check them."


@dataclass(frozen=True)
class _Leg:
    """A leg of a standing figure.

    Parameters
    ----------
    bones : bones from the thigh to the last.
    ankle : the bone at whose head the foot begins.
    ball : the child of the ankle, None if the foot is one bone.
    """

    bones: tuple[int, ...]
    ankle: int
    ball: int | None


def find_roles(rest: FigureBones, standing: Iterable[FigureBones] = ()) -> BoneRoles:
    """Find the roles of a figure's bones: by names, else in the rest pose if it stands upright, else in a motion.

    Parameters
    ----------
    rest : the bones at rest.
    standing : bones of the same figure averaged over motions; evaluated only if needed.
    """
    named = by_names(rest)
    if named.feet:
        return named
    seen = _seen("rest", rest, named)
    where, stands = "at rest", "the figure does not stand on two legs"
    for figure in standing if seen is None or FACELESS in seen.remarks else ():
        moving = _seen("motion", figure, named)
        seen = moving or seen
        if moving is not None:
            break
        where, stands = "neither at rest nor in this motion", "does the figure stand on two legs"
    told = (
        f"No feet were found: the names of the bones do not show them, and {where} {stands}. Choose the bones of heels "
        "and toes under Feet."
    )
    return seen or replace(named, remarks=(*named.remarks, told))


def likely_feet(known: Sequence[FootRoles], figures: Iterable[FigureBones]) -> tuple[FootRoles, ...]:
    """Return probable feet of a figure, to be verified, if `find_roles` found fewer than two.

    They are the ends of the two lowest limbs that hang side by side; limbs that are alike are preferred. The first pose
    that has such limbs is used.

    Parameters
    ----------
    known : the feet that were found, at most one.
    figures : bones of the figure in several poses.
    """
    for figure in figures:
        pairs = _low_pairs(figure, {figure.names.index(foot.ankle) for foot in known})
        if pairs:
            legs = [_with_feet(figure, [limb])[0] for limb in pairs[0]]
            left, _ = _left(figure, legs, (_ahead,))
            legs.sort(key=lambda leg: -float(figure.heads[list(leg.bones)].mean(axis=0) @ left))
            feet = [_foot(figure, side, leg) for side, leg in zip("LR", legs, strict=True)]
            if not known:
                return tuple(feet)
            leg = next(leg for leg in legs if figure.names.index(known[0].ankle) not in leg.bones)
            feet = [*known, _foot(figure, "R" if known[0].side == "L" else "L", leg)]
            return tuple(sorted(feet, key=lambda foot: foot.side))
    return tuple(known)


def _low_pairs(figure: FigureBones, known: set[int]) -> list[list[tuple[int, ...]]]:
    """Return pairs of low limbs side by side, the likeliest first; one limb of each contains the known bones."""
    lowest = figure.lowest
    limit = figure.bottom + LOW * figure.height
    ends = [b for b in range(len(figure.names)) if not figure.children(b) and lowest[b] <= limit]
    found: list[tuple[tuple[bool, float], list[tuple[int, ...]]]] = []
    for one, other, root, limbs in _pairs_of_limbs(figure, ends):
        apart = np.diff([figure.heads[list(limb)].mean(axis=0)[:2] for limb in limbs], axis=0)
        if np.linalg.norm(apart) >= 2.0 * ASIDE * figure.height and known <= {b for limb in limbs for b in limb}:
            found.append(((not _twins(figure, limbs, root), float(lowest[one] + lowest[other])), limbs))
    return [limbs for _, limbs in sorted(found, key=lambda pair: pair[0])]


def stands(figure: FigureBones) -> bool:
    """Return whether a figure stands upright on two legs, independent of bone names."""
    return bool(_legs(figure)[0])


def standing_figure(
    names: Sequence[str], parents: Sequence[int], heads: Array, tails: Array, headings: Array
) -> FigureBones:
    """Return a figure averaged over a motion, with its heading removed; a travelling figure faces -Y.

    Its bones keep their lengths from head to tail.

    Parameters
    ----------
    names, parents : (J,) as in `FigureBones`; bone 0 is the root.
    heads, tails : (T, J, 3) ends of the bones in the world, Z up.
    headings : (T,) radians of the root about Z, without jumps.
    """
    steps = rotate_over_floor(np.diff(heads[:, :1], axis=0), -headings[:-1, None])
    way = steps.sum(axis=(0, 1))
    middle = heads[:, :1] * np.array([1.0, 1.0, 0.0])
    ends = np.concatenate([heads - middle, tails - middle], axis=1)
    pose = np.median(rotate_over_floor(ends, -headings[:, None]), axis=0)
    if np.linalg.norm(way[:2]) > 0.5 * np.ptp(pose[:, 2]):
        pose = rotate_over_floor(pose, -0.5 * np.pi - np.arctan2(way[1], way[0]))
    places, along = pose[: len(names)], pose[len(names) :] - pose[: len(names)]
    shrunk = np.linalg.norm(along, axis=1) / np.maximum(np.linalg.norm(tails[0] - heads[0], axis=1), 1e-12)
    return FigureBones(tuple(names), tuple(parents), places, places + along / np.maximum(shrunk, LEAST_LENGTH)[:, None])


def _seen(source: Literal["rest", "motion"], figure: FigureBones, named: BoneRoles) -> BoneRoles | None:
    """Return the roles found from a figure's shape, None if it does not stand; names or feet show which leg is left."""
    legs, more = _legs(figure)
    if not legs:
        return None
    # At rest, knees may be bent either way.
    left, told = _left(figure, legs, (_ahead, _knee) if source == "motion" else (_ahead,))
    if more:
        told = (*told, f"The figure stands on more than two legs: '{figure.names[more[0]]}' was left out.")
    pairs = dict(named.pairs)
    if any(pairs.get(figure.names[b]) == figure.names[a] for a, b in _abreast(legs)):
        legs = legs[::-1]
    elif not any(pairs.get(figure.names[a]) == figure.names[b] for a, b in _abreast(legs)):
        legs = sorted(legs, key=lambda leg: -float(figure.heads[list(leg.bones)].mean(axis=0) @ left))
    hands = _hands(figure, legs, left)
    root = root_of(figure, [leg.bones[0] for leg in legs], (hands,))
    feet = tuple(_foot(figure, side, leg) for side, leg in zip("LR", legs, strict=True))
    shown = named.hands or tuple(figure.names[hand] for hand in hands)
    return BoneRoles(source, figure.names[root], feet, shown, named.pairs, (*named.remarks, *told))


def _abreast(legs: Sequence[_Leg]) -> list[tuple[int, int]]:
    return list(zip(legs[0].bones, legs[1].bones, strict=True))


def _foot(figure: FigureBones, side: str, leg: _Leg) -> FootRoles:
    ball = end_of_foot(figure, leg.ankle) if leg.ball is None else BonePoint(figure.names[leg.ball])
    return FootRoles(side, figure.names[leg.bones[0]], figure.names[leg.ankle], ball)


def _legs(figure: FigureBones) -> tuple[list[_Leg], list[int]]:
    """Return the two legs on which a figure stands, down to the farthest ends, and thighs of further legs.

    There are none if the figure does not stand. Other bones at the same positions do not count as further legs.
    """
    limit = figure.bottom + FLOOR * figure.height
    lowest = figure.lowest
    ends = [b for b in range(len(figure.names)) if figure.parents[b] >= 0 and lowest[b] <= limit]
    ends = sorted((b for b in ends if not figure.children(b)), key=lambda b: (float(lowest[b]), b))
    twins = (limbs for _, _, root, limbs in _pairs_of_limbs(figure, ends) if _twins(figure, limbs, root))
    found = [legs for limbs in twins if _stand(figure, legs := _with_feet(figure, limbs))]
    if not found:
        return [], []
    own = [leg.bones[0] for leg in found[0]]
    same = [legs for legs in found if {leg.bones[0] for leg in legs} == set(own)]
    others = dict.fromkeys(leg.bones[0] for legs in found for leg in legs)
    gaps = {thigh: np.linalg.norm(figure.heads[own] - figure.heads[thigh], axis=1).min() for thigh in others}
    more = [thigh for thigh in others if gaps[thigh] > 2.0 * ASIDE * figure.height]
    reach = [sum(float(np.linalg.norm(_ahead(figure, leg))) for leg in legs) for legs in same]
    return same[int(np.argmax(reach))], more


def _ahead(figure: FigureBones, leg: _Leg) -> Array:
    """Return the horizontal direction (3,) from a leg's ankle to its last end; zero if that is too steep."""
    way = figure.tails[leg.bones[-1]] - figure.heads[leg.ankle]
    level = abs(float(way[2])) < LEVEL * float(np.linalg.norm(way))
    return way * np.array([1.0, 1.0, 0.0]) if level else np.zeros(3)


def _knee(figure: FigureBones, leg: _Leg) -> Array:
    """Return the horizontal displacement (3,) of a knee from the line between hip and ankle."""
    joints = figure.heads[list(leg.bones[: leg.bones.index(leg.ankle) + 1])]
    line = joints[-1] - joints[0]
    along = np.clip((joints - joints[0]) @ line / max(float(line @ line), 1e-12), 0.0, 1.0)
    away = (joints - joints[0] - along[:, None] * line) * np.array([1.0, 1.0, 0.0])
    return away[int(np.argmax(np.linalg.norm(away, axis=1)))]


def _pairs_of_limbs(figure: FigureBones, ends: Sequence[int]) -> Iterator[tuple[int, int, int, list[tuple[int, ...]]]]:
    """Yield pairs of ends that hang by separate limbs, with the bone from which both hang, and the two limbs."""
    for one, other in combinations(ends, 2):
        root = figure.shared([one, other])
        if root is not None and root not in (one, other):
            yield one, other, root, [_limb(figure, end, root) for end in (one, other)]


def _limb(figure: FigureBones, end: int, root: int) -> tuple[int, ...]:
    """Return the bones from below `root` to `end`."""
    chain = figure.chain(end)
    return tuple(chain[: chain.index(root)][::-1])


def _with_feet(figure: FigureBones, limbs: Sequence[tuple[int, ...]]) -> list[_Leg]:
    """Return similar limbs as legs: their ankles are where both bend most, near the floor."""
    bends = np.sum([_bends(figure, limb) for limb in limbs], axis=0)
    place = int(np.argmax(bends))
    if bends[place] < 0.0:
        place = len(bends) - 1
    apart = np.linalg.norm(figure.heads[list(limbs[0])] - figure.heads[limbs[0][place]], axis=1)
    below = [row for row in range(place + 1, len(bends)) if apart[row] > NEAR * figure.height]
    return [_Leg(limb, limb[place], limb[below[0]] if below else None) for limb in limbs]


def _bends(figure: FigureBones, limb: tuple[int, ...]) -> Array:
    """Return the bend in radians of a limb at each of its bones (B,); -1 at the first and high above the floor."""
    points = np.concatenate([figure.heads[list(limb)], figure.tails[limb[-1]][None]])
    steps = np.diff(points, axis=0)
    lengths = np.linalg.norm(steps, axis=1)
    some = np.flatnonzero(lengths > NEAR * figure.height)
    found = np.full(len(limb), -1.0)
    for row in range(1, len(limb)):
        before, after = some[some < row], some[some >= row]
        if points[row, 2] <= figure.bottom + ANKLE * figure.height and len(before):
            one, other = before[-1], after[0] if len(after) else before[-1]
            found[row] = np.arccos(np.clip(steps[one] @ steps[other] / (lengths[one] * lengths[other]), -1.0, 1.0))
    return found


def _twins(figure: FigureBones, limbs: Sequence[tuple[int, ...]], root: int) -> bool:
    """Return whether two limbs are similar, bone by bone."""
    if len(limbs[0]) != len(limbs[1]):
        return False
    one, other = (np.linalg.norm(np.diff(figure.heads[[root, *limb]], axis=0), axis=1) for limb in limbs)
    return bool(np.abs(one - other).max() <= TWINS * max(one.sum(), 1e-12))


def _stand(figure: FigureBones, legs: Sequence[_Leg]) -> bool:
    """Return whether both legs hang nearly straight down side by side, and the body rises above them."""
    one, other = (figure.heads[list(leg.bones)].mean(axis=0) for leg in legs)
    if float(np.linalg.norm((one - other)[:2])) < 2.0 * ASIDE * figure.height:
        return False
    thighs = {leg.bones[0] for leg in legs}
    body = [b for b in range(len(figure.names)) if not thighs & set(figure.chain(b))]
    top = np.maximum(figure.heads[body, 2], figure.tails[body, 2]).max(initial=-np.inf)
    for leg in legs:
        hanging = leg.bones[: leg.bones.index(leg.ankle) + 1]
        down, length = figure.heads[list(hanging)], _length(figure, hanging)
        hangs = len(down) > 1 and down[0, 2] - down[-1, 2] >= max(HANGS * length, LONG * figure.height)
        if not hangs or top - down[0, 2] < RISES * length:
            return False
    return True


def _left(
    figure: FigureBones, legs: Sequence[_Leg], ways: Sequence[Callable[[FigureBones, _Leg], Array]]
) -> tuple[Array, tuple[str, ...]]:
    """Return the horizontal direction (3,) to a figure's left; its front follows from `ways`, else it is -Y."""
    fronts = (np.sum([way(figure, leg) for leg in legs], axis=0) for way in ways)
    front = next((one for one in fronts if np.linalg.norm(one) >= ASIDE * figure.height), np.zeros(3))
    size = float(np.linalg.norm(front))
    if size == 0.0:
        return np.array([1.0, 0.0, 0.0]), (FACELESS,)
    return np.array([-front[1], front[0], 0.0]) / size, ()


def _hands(figure: FigureBones, legs: Sequence[_Leg], left: Array) -> tuple[int, ...]:
    """Return the ends of the two longest similar chains that are not legs, or the bones that carry their fingers."""
    lower = {bone for leg in legs for bone in leg.bones}
    hips = max(float(figure.heads[leg.bones[0], 2]) for leg in legs)
    long = [_length(figure, figure.chain(bone)) for bone in range(len(figure.names))]
    ends = [b for b in range(len(figure.names)) if not figure.children(b) and not lower & set(figure.chain(b))]
    ends.sort(key=lambda end: -long[end])
    for one, pairs in groupby(_pairs_of_limbs(figure, ends), key=lambda pair: pair[0]):
        found = [
            (long[one] - long[root], [_palm(figure, arm) for arm in arms])
            for _, _, root, arms in pairs
            if figure.heads[root, 2] > hips and _twins(figure, arms, root)
        ]
        if found:
            hands = max(found, key=lambda pair: pair[0])[1]
            return tuple(sorted(hands, key=lambda hand: -float(figure.heads[hand] @ left)))
    return ()


def _length(figure: FigureBones, chain: Sequence[int]) -> float:
    """Return the length of the path along the heads of a chain of bones."""
    return float(np.linalg.norm(np.diff(figure.heads[list(chain)], axis=0), axis=1).sum())


def _palm(figure: FigureBones, arm: tuple[int, ...]) -> int:
    """Return the lowest bone of an arm that has several children, as a hand has fingers, else its last bone."""
    outer = [row for row, bone in enumerate(arm) if len(figure.children(bone)) > 1]
    length = _length(figure, arm)
    return next((arm[row] for row in outer[::-1] if _length(figure, arm[row:]) < PALM * length), arm[-1])
