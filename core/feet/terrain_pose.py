"""The pose on a floor: root and feet are displaced, legs bend, and the pelvis drops if a leg would not reach."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..figure import quaternion as quat
from ..figure.alike_legs import leg_solver
from ..figure.channels import Channels
from ..figure.knee_hinges import ExamplePoses
from ..figure.leg_inverse_kinematics import (
    FootMove,
    PointTargets,
    PosedLegs,
    bend_limbs,
    foot_moves,
    pelvis_drops,
    raise_feet,
    refine_points,
    straighten_knees,
)
from ..figure.leg_kinematics import chain_rotations, from_space, in_space, moved_steps, with_chain_rotations
from ..figure.legs import Legs
from ..figure.vector_components import TINY, UP, add, arc, larger, smaller, smooth
from .easing_curves import decay, together

Array = NDArray[np.float64]
TAKE_OVER = 0.15
"""Seconds before the landing of a point in which its leg's pelvis drop reaches its full weight."""
LET_GO = 0.25
"""Seconds in which the pelvis drop for a leg fades after its point has left the ground."""
LONG = 1e6
"""A time in seconds longer than any duration."""


class TerrainPose:
    """Displaces root and feet of rows, as computed by `Terrain`.

    `rises` (T, 1 + K, 8) contain, for the root and then for each of K points: the displacement (3); the weight of the
    leg's pelvis drop; an additional pelvis drop, limited by the rest of the weight; and the direction (3) that is up
    from the ground.

    Parameters
    ----------
    channels : channels of the rows.
    legs : legs of the displaced points.
    poses : as for `JointLocks`.
    """

    def __init__(self, channels: Channels, legs: Legs, poses: ExamplePoses | None = None) -> None:
        self._legs = legs
        self._scalars = channels.scalar_columns
        self._solver = leg_solver(legs, poses)
        # If a leg has fewer points, its first one replaces the missing ones.
        self._members = np.where(legs.members >= 0, legs.members, legs.members[:, :1])

    def own(self, point: int, rows: Array) -> tuple[Array, Array, Array]:
        """Return the positions of a point in rows (S, width), the direction of its toes, and its foot's joint.

        Positions and directions are (S, 3); the directions are horizontal in the last row. The joint is (3,) from the
        point, in the last row.
        """
        (leg, slot), (count, length) = self._legs.place(point), self._legs.turning.shape
        posed = self._posed(rows)[1]
        places = posed.flat.reshape(len(rows), count, -1, 3)[:, leg]
        limb, turn = self._solver.limbs[leg], np.exp(1j * rows[:, 2])
        local = places[:, length + slot]
        arm = places[-1, min(limb.end, length - 1) if limb else 0] - local[-1]
        turned = posed.rotations[:, self._legs.carriers.reshape(count, -1)[leg, length + slot]]
        level = arm * (-1.0, -1.0, 0.0) / (np.hypot(*arm[:2]) + TINY)
        toes = quat.rotate(quat.multiply(turned, quat.conjugate(turned[-1])), level)
        own = _turned(local + rows[:, 3:6], turn) + rows[:, :3] * (1.0, 1.0, 0.0)
        return own, _turned(toes, turn), _turned(arm, turn[-1])

    def sunk(self, rows: Array, rises: Array) -> list[Any]:
        """Return the weighted pelvis drop (G,) that each leg needs in rows (T, width)."""
        posed = self._posed(rows)[1]
        return self._heeded(pelvis_drops(posed, self._foot_moves(posed, rows, rises)[1]), rises)

    def lift(self, rows: Array, rises: Array) -> Array:
        """Return rows (T, width) with root and feet displaced.

        If the pelvis drop for a leg does not have its full weight, its foot is lifted instead.

        Parameters
        ----------
        rows : (T, width) rows of the motion.
        rises : (T, 1 + K, 8) as described in the class.
        """
        legs = self._legs
        steps, posed = self._posed(rows)
        wanted, found = self._foot_moves(posed, rows, rises)
        short = pelvis_drops(posed, found)
        sunk = together(self._heeded(short, rises))
        lifts = [larger(value, sunk) for value in short]
        space = bend_limbs(posed, raise_feet(found, lifts))
        space = refine_points(self._solver, space, steps, wanted, lifts)
        made = with_chain_rotations(legs, rows, from_space(legs, space))
        made[:, :2] += rises[:, 0, :2]
        made[:, 5] += rises[:, 0, 2] - sunk
        return made

    def _posed(self, rows: Array) -> tuple[Array | None, PosedLegs]:
        """Return the legs' steps, and the legs themselves, with no knee bent backwards, in rows (T, width)."""
        steps = moved_steps(self._legs, rows, self._scalars)
        space = in_space(self._legs, chain_rotations(self._legs, rows))
        return steps, straighten_knees(self._solver, space, steps)

    def _foot_moves(self, posed: PosedLegs, rows: Array, rises: Array) -> tuple[PointTargets, list[FootMove]]:
        """Return the targets of the points, and the rotation and displacement of each foot that lead there."""
        groups, joints, ways = posed.groups, self._legs.turning.shape[1], rises[:, 1:, :3] - rises[:, :1, :3]
        more = groups.parted(_in_heading(rows, ways)[:, self._members])
        ups = groups.parted(_in_heading(rows, rises[:, 1:, 5:])[:, self._members[:, :1]])
        targets = [
            [add(place, way) for place, way in zip(own[joints:], own_ways[: group.points], strict=False)]
            for group, own, own_ways in zip(groups.groups, posed.places, more, strict=True)
        ]
        wanted = PointTargets(targets, [[1.0] * len(own) for own in targets], [arc(UP, up) for (up,) in ups])
        return wanted, foot_moves(posed, wanted)

    def _heeded(self, short: Sequence[Any], rises: Array) -> list[Any]:
        """Return for each leg the weighted pelvis drop, from the full drop of each group (`short`)."""
        shares, kepts = rises[:, 1:, 3][:, self._members].max(axis=2).T, rises[:, 1:, 4][:, self._members[:, 0]].T
        if len(rises) == 1:
            shares, kepts = shares[:, 0].tolist(), kepts[:, 0].tolist()
        values = self._solver.groups(len(rises)).by_leg(short, len(rises))
        return [share * value + (1.0 - share) * kept for value, share, kept in zip(values, shares, kepts, strict=True)]


def _in_heading(rows: Array, ways: Array) -> Array:
    """Return vectors (T, K, 3) in the heading's frame of each row."""
    return _turned(ways, np.exp(-1j * rows[:, 2:3]))


def _turned(ways: Array, turn: NDArray[np.complex128]) -> Array:
    """Return vectors (..., 3) rotated about the vertical by `turn` (...), complex numbers of length 1."""
    flat = (ways[..., 0] + 1j * ways[..., 1]) * turn
    return np.stack([flat.real, flat.imag, ways[..., 2]], axis=-1)


@dataclass(frozen=True)
class PelvisDropShare:
    """Weight over time of the pelvis drop that the leg of a point needs.

    It is full while the point is planted. After the point has left the ground, the remaining drop fades.

    Parameters
    ----------
    lands : time in seconds at which the point is or was last planted.
    since : time in seconds at which `lands` was predicted.
    otherwise : excess of the weight at that time, which fades.
    left : time in seconds at which a point of the leg left the ground.
    kept : pelvis drop for the leg at that time.
    falling : speed of that drop.
    """

    lands: float = -LONG
    since: float = 0.0
    otherwise: float = 0.0
    left: float = -LONG
    kept: float = 0.0
    falling: float = 0.0

    def share(self, times: Any) -> Any:
        """Return the weight of the pelvis drop at `times`, a number or an array (T,)."""
        fading = 1.0 - smooth((times - self.since) / TAKE_OVER)
        heeded = 1.0 - smooth((self.lands - times) / TAKE_OVER) + self.otherwise * fading
        return smaller(larger(heeded, 0.0), 1.0)

    def rest(self, times: Any) -> Any:
        """Return the pelvis drop at `times` that remains from when the point left the ground."""
        return larger(decay((times - self.left) / LET_GO, self.kept, self.falling * LET_GO), 0.0)

    def landing(self, time: float, lands: float) -> "PelvisDropShare":
        """Return this with the point predicted, at `time`, to be planted at `lands`; the weight does not jump."""
        now = replace(self, lands=lands, since=time, otherwise=0.0)
        return replace(now, otherwise=self.share(time) - now.share(time))

    def leaving(self, time: float) -> "PelvisDropShare":
        """Return this with the point leaving the ground at `time`."""
        return replace(self, lands=LONG, since=time, otherwise=0.0)

    def keeping(self, time: float, kept: float, falling: float) -> "PelvisDropShare":
        """Return this with a pelvis drop of `kept` at `time`, changing by `falling` per second."""
        return replace(self, left=time, kept=kept, falling=falling)
