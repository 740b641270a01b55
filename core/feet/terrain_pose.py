"""The pose on a floor: root and feet are displaced, legs bend, and the pelvis drops where a leg would not reach."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..figure import quaternion as quat
from ..figure.channels import Channels
from ..figure.knee_hinges import ExamplePoses
from ..figure.leg_inverse_kinematics import (
    FootMove,
    PointTargets,
    bend_limbs,
    foot_moves,
    leg_solver,
    pelvis_drops,
    raise_feet,
    refine_points,
    straighten_knees,
)
from ..figure.leg_kinematics import chain_rotations, from_space, in_space, moved_steps, with_chain_rotations
from ..figure.legs import Legs
from ..figure.vector_components import TINY, UP, Vector, add, arc, larger, smaller, smooth
from .easing_curves import decay, together

Array = NDArray[np.float64]
TAKE_OVER = 0.15
"""Seconds before a point lands in which its leg's pelvis drop comes to count in full."""
LET_GO = 0.25
"""Seconds in which the pelvis drop for a leg fades after its point has left the ground."""
LONG = 1e6
"""More seconds than anything lasts."""


class TerrainPose:
    """Displaces root and feet of rows, as `Terrain` has computed it.

    `rises` (T, 1 + K, 8) say how, for the root and then for each of K points: displacement (3); the share of the leg's
    pelvis drop that counts; the pelvis drop that counts besides, by the rest of the share; and the direction (3) that
    is up from the ground.

    Parameters
    ----------
    channels : of the rows.
    legs : of the points that are displaced.
    poses : as for `JointLocks`.
    """

    def __init__(self, channels: Channels, legs: Legs, poses: ExamplePoses | None = None) -> None:
        self._legs = legs
        self._scalars = channels.scalar_columns
        self._solver = leg_solver(legs, poses)
        self._groups: list[list[int]] = [[k for k in members if k >= 0] for members in legs.members.tolist()]

    def own(self, point: int, rows: Array) -> tuple[Array, Array, Array]:
        """Return where the motion has a point in rows (S, width), where its toes point, and where the foot's joint is.

        Places and directions are (S, 3); the directions are level in the last row. The joint is (3,) from the point, in
        the last row.
        """
        (leg, slot), (count, length) = self._legs.place(point), self._legs.turning.shape
        _, space, flat, _ = self._posed(rows)
        places = flat.reshape(len(rows), count, -1, 3)[:, leg]
        limb, turn = self._solver.limbs[leg], np.exp(1j * rows[:, 2])
        local = places[:, length + slot]
        arm = places[-1, min(limb.end, length - 1) if limb else 0] - local[-1]
        turned = space[:, self._legs.carriers.reshape(count, -1)[leg, length + slot]]
        level = arm * (-1.0, -1.0, 0.0) / (np.hypot(*arm[:2]) + TINY)
        toes = quat.rotate(quat.multiply(turned, quat.conjugate(turned[-1])), level)
        own = _turned(local + rows[:, 3:6], turn) + rows[:, :3] * (1.0, 1.0, 0.0)
        return own, _turned(toes, turn), _turned(arm, turn[-1])

    def sunk(self, rows: Array, rises: Array) -> list[Any]:
        """Return the pelvis drop (G,) that each leg asks for in rows (T, width), as far as it counts."""
        places = self._posed(rows)[3]
        return self._heeded(pelvis_drops(self._solver, places, self._foot_moves(places, rows, rises)[1]), rises)

    def lift(self, rows: Array, rises: Array) -> Array:
        """Return rows (T, width) with root and feet displaced.

        Where the pelvis drop for a leg does not count in full, its foot is lifted instead.

        Parameters
        ----------
        rows : (T, width)
        rises : (T, 1 + K, 8) as the class describes.
        """
        legs = self._legs
        steps, space, _, places = self._posed(rows)
        wanted, found = self._foot_moves(places, rows, rises)
        short = pelvis_drops(self._solver, places, found)
        sunk = together(self._heeded(short, rises))
        lifts = [larger(value, sunk) for value in short]
        space = bend_limbs(self._solver, places, raise_feet(found, lifts), space)
        space = refine_points(self._solver, space, steps, wanted, lifts)
        made = with_chain_rotations(legs, rows, from_space(legs, space))
        made[:, :2] += rises[:, 0, :2]
        made[:, 5] += rises[:, 0, 2] - sunk
        return made

    def _posed(self, rows: Array) -> tuple[Array | None, Array, Array, list[list[Vector]]]:
        """Return the legs' steps, and what `straighten_knees` returns, in rows (T, width)."""
        steps = moved_steps(self._legs, rows, self._scalars)
        space = in_space(self._legs, chain_rotations(self._legs, rows))
        return steps, *straighten_knees(self._solver, space, steps)

    def _foot_moves(
        self, places: Sequence[Sequence[Vector]], rows: Array, rises: Array
    ) -> tuple[PointTargets, list[FootMove]]:
        """Return the targets of the points, and the rotation and displacement of each foot that lead there."""
        more, targets = _in_heading(rows, rises[:, 1:, :3] - rises[:, :1, :3]), list[list[Vector]]()
        ups = _in_heading(rows, rises[:, 1:, 5:])
        for leg, members in enumerate(self._groups):
            own = places[leg][self._legs.turning.shape[1] :]
            targets.append([add(place, more[point]) for place, point in zip(own, members, strict=False)])
        tilts = [arc(UP, ups[members[0]]) for members in self._groups]
        wanted = PointTargets(targets, [[1.0] * len(leg) for leg in targets], tilts)
        return wanted, foot_moves(self._solver, places, wanted)

    def _heeded(self, short: Sequence[Any], rises: Array) -> list[Any]:
        """Return for each leg the pelvis drop that counts, of what the leg needs in full (`short`)."""
        found: list[Any] = []
        for value, members in zip(short, self._groups, strict=True):
            share, kept = rises[:, 1:][:, members, 3].max(axis=1), rises[:, 1 + members[0], 4]
            if len(rises) == 1:
                share, kept = float(share[0]), float(kept[0])
            found.append(share * value + (1.0 - share) * kept)
        return found


def _in_heading(rows: Array, ways: Array) -> list[Vector]:
    """Return vectors (T, K, 3) in the heading's frame of each row, as K vectors: numbers for one row, else arrays."""
    turned = _turned(ways, np.exp(-1j * rows[:, 2:3]))
    if len(rows) == 1:
        return [(x, y, z) for x, y, z in turned[0].tolist()]
    return [(x, y, z) for x, y, z in np.ascontiguousarray(turned.transpose(1, 2, 0))]


def _turned(ways: Array, turn: NDArray[np.complex128]) -> Array:
    """Return vectors (..., 3) turned over the ground by `turn` (...), complex numbers of length 1."""
    flat = (ways[..., 0] + 1j * ways[..., 1]) * turn
    return np.stack([flat.real, flat.imag, ways[..., 2]], axis=-1)


@dataclass(frozen=True)
class PelvisDropShare:
    """How far the pelvis drop counts that the leg of a point needs, over time.

    It counts in full while the point stands. After it has left the ground, what the root had sunk for it fades.

    Parameters
    ----------
    lands : seconds at which the point comes to stand, or came to stand last.
    since, otherwise : seconds at which that was foreseen, and by how much more the drop counted then, which fades.
    left, kept, falling : seconds at which a point of the leg left the ground, how much the root had sunk for the leg
        then, and how fast that changed.
    """

    lands: float = -LONG
    since: float = 0.0
    otherwise: float = 0.0
    left: float = -LONG
    kept: float = 0.0
    falling: float = 0.0

    def share(self, times: Any) -> Any:
        """Return the share of the pelvis drop that counts at `times`, a number or an array (T,)."""
        fading = 1.0 - smooth((times - self.since) / TAKE_OVER)
        heeded = 1.0 - smooth((self.lands - times) / TAKE_OVER) + self.otherwise * fading
        return smaller(larger(heeded, 0.0), 1.0)

    def rest(self, times: Any) -> Any:
        """Return the pelvis drop at `times` that remains from when the point left the ground."""
        return larger(decay((times - self.left) / LET_GO, self.kept, self.falling * LET_GO), 0.0)

    def landing(self, time: float, lands: float) -> "PelvisDropShare":
        """Return this with the point foreseen, at `time`, to come to stand at `lands`; the share does not jump."""
        now = replace(self, lands=lands, since=time, otherwise=0.0)
        return replace(now, otherwise=self.share(time) - now.share(time))

    def leaving(self, time: float) -> "PelvisDropShare":
        """Return this with the point leaving the ground at `time`."""
        return replace(self, lands=LONG, since=time, otherwise=0.0)

    def keeping(self, time: float, kept: float, falling: float) -> "PelvisDropShare":
        """Return this with the root having sunk by `kept` at `time`, and sinking on by `falling` a second."""
        return replace(self, left=time, kept=kept, falling=falling)
