"""The up direction and height of a figure, found from its legs and trunk, whatever else is attached to it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from .bone_roles import BoneRoles, FigureBones, by_names
from .find_roles import stands

Array = NDArray[np.float64]

WAYS = np.concatenate([np.eye(3), -np.eye(3)])
"""Directions (6, 3) along which a figure may stand."""


@dataclass(frozen=True, eq=False)
class Stature:
    """Up direction and height of a figure.

    Parameters
    ----------
    axis : vertical axis: 0, 1 or 2.
    upward : whether the head has a larger coordinate on that axis than the feet.
    tall : height from its feet to the top of its head, in the units of its bones.
    legs : whether the direction was found from legs.
    """

    axis: int
    upward: bool
    tall: float
    legs: bool


def stature_of(figures: Sequence[FigureBones]) -> Stature:
    """Find, from its bones in some poses, how a figure stands; its up direction may be any axis.

    Legs go up to the hips, and the trunk goes up from there; this holds for walking, sitting and bowing figures. If
    names do not identify legs, they are searched in each direction. A figure without legs stands upward along its
    longest axis.
    """
    roles = by_names(figures[0])
    up = _by_names(figures, roles) if roles.feet else _by_shape(figures)
    legs = bool(np.any(up))
    if not legs:
        middles = [np.concatenate([one.heads, one.tails]) for one in figures]
        up = np.median([np.median(np.abs(ends - np.median(ends, axis=0)), axis=0) for ends in middles], axis=0)
    axis = int(np.argmax(np.abs(up)))
    tall = max(float(np.ptp(_body(one, roles)[:, axis])) for one in figures)
    return Stature(axis, bool(up[axis] > 0.0), tall, legs)


def _by_names(figures: Sequence[FigureBones], roles: BoneRoles) -> Array:
    """Return the sum (3,) of the upward directions of legs and trunks."""
    row = {name: bone for bone, name in enumerate(figures[0].names)}
    thighs, ankles = ([row[getattr(foot, part)] for foot in roles.feet] for part in ("thigh", "ankle"))
    chest = figures[0].shared([row[hand] for hand in roles.hands]) if roles.hands else None
    ways: list[Array] = []
    for one in figures:
        hips, feet = one.heads[thighs].mean(axis=0), one.heads[ankles].mean(axis=0)
        trunk = np.zeros(3) if chest is None else one.heads[chest] - hips
        ways += [_unit(hips - feet), _unit(trunk)]
    return np.sum(ways, axis=0)


def _by_shape(figures: Sequence[FigureBones]) -> Array:
    """Return the sum (3,) of the directions along which figures stand on two legs; zeros if they do not."""
    up = np.zeros(3)
    for one in figures:
        for way in WAYS:
            turn = np.stack([np.roll(way, 1), np.roll(way, 2), way])
            if stands(replace(one, heads=one.heads @ turn.T, tails=one.tails @ turn.T)):
                up += way
    return up


def _body(figure: FigureBones, roles: BoneRoles) -> Array:
    """Return the ends (N, 3) of the bones between the soles and the top of the head, if identified by name.

    Arms, which may be raised, are left out, and so is anything below the hips that is not a leg, such as a cape.
    """
    row = {name: bone for bone, name in enumerate(figure.names)}
    thighs = [row[foot.thigh] for foot in roles.feet]
    hands = [row[hand] for hand in roles.hands]
    chest = figure.shared(hands)
    arms = {figure.chain(hand)[figure.chain(hand).index(chest) - 1] for hand in hands if chest not in (None, hand)}
    body = list(range(len(figure.names)))
    if len(thighs) == 2 and arms:
        chains = [set(figure.chain(bone)) for bone in body]
        legs = [bone for bone in body if chains[bone] & set(thighs)]
        body = [*legs, *(bone for bone in body if chest in chains[bone] and not chains[bone] & {*arms, *thighs})]
    return np.concatenate([figure.heads[body], figure.tails[[bone for bone in body if not figure.made_up(bone)]]])


def _unit(vector: Array) -> Array:
    length = float(np.linalg.norm(vector))
    return vector / length if length > 0.0 else vector
