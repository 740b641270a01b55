"""Mixing of a layer with the pose below it: override or add, in the parent's space or in the character's.

In the parent's space a joint's rotation relative to its parent is mixed: a waving arm leans with the torso. In the
character's space its rotation in the frame of the figure's heading is mixed, so that the arm waves upright whatever the
torso does.

An additive layer adds the difference of its motion from a reference pose, such as its first one. In the parent's space
that difference is multiplied on the right (rotating in the joint's own frame, after the pose below), in the character's
space on the left (rotating about the axes of the character).

The direction of the arc from the pose below to the layer's is fixed once by the mean rotations of both, so that it
cannot flip during mixing; only joints that would rotate by more than 240 degrees take the other direction.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ..figure import quaternion as quat
from ..figure.channels import (
    ROOT_LOCATION,
    SAME,
    Channels,
    all_rotations,
    columns_in,
    rotations_of,
    with_rotations,
)
from ..figure.skeleton import orientations_of
from ..play.piece_rows import FAR

Array = NDArray[np.float64]
Indices = NDArray[np.intp]
Space = Literal["parent", "character"]
Mode = Literal["override", "additive"]

STRAIGHT = 1.0 - 1e-15
"""Cosine above which an arc counts as straight."""


@dataclass(frozen=True, eq=False)
class Mixer:
    """Mixer of the rows of one motion over rows of the whole figure.

    Parameters
    ----------
    whole : channels of the rows below and of the result.
    own : channels of the layer's rows, all of which `whole` has; anything else is left as it is below.
    mask : (J,) weight of each joint.
    space, mode : see the module.
    usual : (K, width) and (L, own width) typical poses of the motion below and of the layer. Their mean rotations
        determine the direction of arcs. The layer's first pose is the reference of an additive layer.
    turn : radians to the left by which heading 0 of the layer's rows differs from that of the whole figure.
    """

    whole: Channels
    own: Channels
    mask: Array
    space: Space
    mode: Mode
    usual: tuple[Array, Array]
    turn: float = 0.0

    @cached_property
    def _joints(self) -> tuple[Indices, Indices, Array]:
        """Rows of the joints that are mixed, among the layer's rotations and among all, and their weights (M,)."""
        rows = {joint: row for row, joint in enumerate(self.whole.rotating.tolist())}
        own = [(row, rows[joint]) for row, joint in enumerate(self.own.rotating.tolist()) if self.mask[joint] > 0.0]
        mine, theirs = np.array(own, dtype=np.intp).reshape(-1, 2).T
        return mine, theirs, self.mask[self.own.rotating[mine]]

    @cached_property
    def _numbers(self) -> tuple[Indices, Indices, Array, NDArray[np.bool_]]:
        """Columns of the numbers that are mixed, in the layer's rows and in all, their weights, and which are held."""
        places = columns_in(self.own, self.whole)
        scalars = range(self.own.scalar_columns.start, self.own.width)
        weights = [1.0 if s.joint < 0 else float(self.mask[s.joint]) for s in self.own.scalars]
        root = list(range(ROOT_LOCATION.start, ROOT_LOCATION.stop))
        mine = np.array([*root, *scalars], dtype=np.intp)
        share = np.array([*([float(self.mask[0])] * len(root)), *weights])
        held = np.array([False] * len(root) + [s.held for s in self.own.scalars])
        chosen = share > 0.0
        return mine[chosen], places[mine[chosen]], share[chosen], held[chosen]

    @cached_property
    def _charts(self) -> tuple[Array, Array]:
        """Quaternions (M, 4) that define the hemispheres of the motion below and of the layer."""
        mine, theirs, _ = self._joints
        first = quat.mean(self._rotations(self.whole, self.usual[0])[:, theirs])
        return first, quat.align(quat.mean(self._rotations(self.own, self._usual_here)[:, mine]), first)

    @cached_property
    def _usual_here(self) -> Array:
        """The poses (L, own width) of the layer, with headings as in the whole figure."""
        return _faced(self.own, self.usual[1], self.turn)

    def mixed(self, below: Array, layer: Array, weights: Array) -> Array:
        """Return rows (T, width) of a layer mixed with those below.

        Parameters
        ----------
        below : (T, width) rows of the figure.
        layer : (T, own width) rows of the layer.
        weights : (T,) weight of the layer.
        """
        made, turned = below.copy(), self._in_parents if self.space == "parent" else self._in_character
        faced = _faced(self.own, layer, self.turn)
        made[:, self.whole.rotation_columns] = turned(below, faced, weights).reshape(len(made), -1)
        self._mix_numbers(made, faced, weights)
        return made

    def _mix_numbers(self, made: Array, layer: Array, weights: Array) -> None:
        """Mix locations, scales and properties of rows (T, width) in place; switches change at half the weight."""
        mine, theirs, share, held = self._numbers
        if not len(mine):
            return
        weight, under, over = weights[:, None] * share, made[:, theirs], layer[:, mine]
        if self.mode == "additive":
            made[:, theirs] = np.where(held, under, under + weight * (over - self._usual_here[0, mine]))
        else:
            made[:, theirs] = np.where(held, np.where(weight < 0.5, under, over), under + weight * (over - under))

    @cached_property
    def _reference(self) -> Array:
        """The reference rotations (M, 4) of an additive layer, in the layer's space."""
        return quat.align(self._rotations(self.own, self._usual_here[:1])[0, self._joints[0]], self._charts[1])

    def _rotations(self, channels: Channels, values: Array) -> Array:
        """Return the rotations (T, R, 4) of all rotating joints in the space in which they are mixed."""
        if self.space == "parent":
            return rotations_of(channels, values)
        return orientations_of(channels.skeleton, _level(channels, values))[:, channels.rotating]

    def _in_parents(self, below: Array, layer: Array, weights: Array) -> Array:
        """Return all rotations (T, R, 4) after mixing in the parent's space."""
        mine, theirs, share = self._joints
        rotations, over = rotations_of(self.whole, below).copy(), rotations_of(self.own, layer)[:, mine]
        under, weight = rotations[:, theirs], weights[:, None] * share
        if self.mode == "additive":
            more = quat.multiply(quat.conjugate(self._reference), quat.align(over, self._charts[1]))
            rotations[:, theirs] = quat.multiply(under, _power(more, weight))
        else:
            rotations[:, theirs] = between(under, over, self._charts, weight)
        return rotations

    def _in_character(self, below: Array, layer: Array, weights: Array) -> Array:
        """Return all rotations (T, R, 4) after mixing in the character's space, parents before children."""
        skeleton, (mine, theirs, share) = self.whole.skeleton, self._joints
        whole = quat.multiply(skeleton.rests, _level(self.whole, below))
        over = self._rotations(self.own, layer)[:, mine]
        place = np.full(len(skeleton.names), -1)
        place[self.whole.rotating[theirs]] = np.arange(len(mine))
        for joints in (np.flatnonzero(skeleton.parents < 0), *skeleton.levels):
            above = skeleton.parents[joints]
            hang = above >= 0
            whole[:, joints[hang]] = quat.multiply(whole[:, above[hang]], whole[:, joints[hang]])
            joints = joints[place[joints] >= 0]
            rows = place[joints]
            weight, natural = weights[:, None] * share[rows], whole[:, joints]
            charts = self._charts[0][rows], self._charts[1][rows]
            if self.mode == "additive":
                more = quat.multiply(quat.align(over[:, rows], charts[1]), quat.conjugate(self._reference[rows]))
                whole[:, joints] = quat.multiply(_power(more, weight), natural)
            else:
                whole[:, joints] = between(natural, over[:, rows], charts, weight)
        rotations, joints = rotations_of(self.whole, below).copy(), self.whole.rotating[theirs]
        turned, parents = whole[:, joints], skeleton.parents[joints]
        hang = parents >= 0
        turned[:, hang] = quat.multiply(quat.conjugate(whole[:, parents[hang]]), turned[:, hang])
        rotations[:, theirs] = quat.multiply(quat.conjugate(skeleton.rests[joints]), turned)
        return rotations


def _faced(channels: Channels, values: Array, turn: float) -> Array:
    """Return rows (T, width) with root and travelling set rotated by `turn` radians in the frame of the heading."""
    if abs(turn) < SAME:
        return values
    heading, rotations = quat.from_yaw(turn), rotations_of(channels, values).copy()
    rows = [0, *channels.travelling_rows.tolist()]
    rotations[:, rows] = quat.multiply(heading, rotations[:, rows])
    made = with_rotations(channels, values, rotations)
    for places in (np.arange(ROOT_LOCATION.start, ROOT_LOCATION.stop), *channels.travelling_places):
        made[:, places] = quat.rotate(heading, values[:, places])
    return made


def _level(channels: Channels, values: Array) -> Array:
    """Return the rotation (T, J, 4) from rest of every joint in rows (T, width), as if their heading were 0."""
    level = values.copy()
    level[:, 2] = 0.0
    return all_rotations(channels, level)


def between(under: Array, over: Array, charts: tuple[Array, Array], weights: Array) -> Array:
    """Return rotations (T, M, 4) on the arc from `under` to `over` by weights (T, M); 0 and 1 give these exactly.

    Both are taken near the quaternions (M, 4) of their charts. The signs are continuous with those of `under`.
    """
    near = [np.einsum("tmc,mc->tm", one, chart) for one, chart in zip((under, over), charts, strict=True)]
    cosines, signs = facing(near[0] * near[1], np.einsum("tmc,tmc->tm", under, over))
    made = np.copysign(1.0, signs)[..., None] * over
    partly = (weights > 0.0) & (weights < 1.0)
    if partly.any():
        sides = np.stack([over[partly], under[partly]])
        made[partly] = arc(sides, cosines[partly], signs[partly], shares_of(weights[partly]))
    none = weights <= 0.0
    return np.where(none[..., None], under, made) if none.any() else made


def facing(near: Array, found: Array) -> tuple[Array, Array]:
    """Return cosines (...) between the target and start rotations of arcs, and the signs of the targets.

    Parameters
    ----------
    near : (...) below 0 if only one of the two rotations is in the hemisphere of its chart.
    found : (...) cosines between the two rotations before any change of sign.

    Returns
    -------
    The cosines, in the hemisphere that the charts determine or, if the arc would be too long, in the other one; and
    numbers by whose signs the targets are multiplied.
    """
    cosines = np.copysign(found, found * near)
    cosines = np.copysign(cosines, cosines * (cosines - FAR))
    return cosines, found * cosines


def shares_of(weights: Array) -> Array:
    """Return the shares (3, ...) that `arc` needs from weights (...)."""
    shares = np.ones((3, *weights.shape))
    shares[0] = weights
    np.subtract(1.0, weights, out=shares[1])
    return shares


def arc(sides: Array, cosines: Array, signs: Array, shares: Array, out: Array | None = None) -> Array:
    """Return rotations (..., 4) on arcs (Shoemake, "Animating rotation with quaternion curves", 1985).

    Parameters
    ----------
    sides : (2, ..., 4) their targets, and their starts.
    cosines, signs : (...) as from `facing`.
    shares : (3, ...) as from `shares_of`.
    out : (..., 4) output array, if any.
    """
    sines = np.sin(shares * np.arccos(np.minimum(cosines, STRAIGHT)))
    parts = sines[:2] / sines[2]
    parts[0] = np.copysign(parts[0], signs)
    return np.einsum("k...,k...c->...c", parts, sides, out=out)


def _power(ways: Array, weights: Array) -> Array:
    """Return powers (...) of rotations (..., 4), the longer way round where w is negative."""
    return quat.exp(weights[..., None] * quat.turns(ways))
