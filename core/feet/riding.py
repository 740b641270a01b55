"""Rows brought over a floor: root and feet are moved, legs bend, and the root heeds a leg that falls short."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..figure import quaternion as quat
from ..figure.channels import Channels
from ..figure.components import TINY, UP, Vector, add, arc, larger, smaller
from ..figure.leg_kinematics import from_space, in_space, lifted, moved_steps, positions, with_lifted
from ..figure.leg_reach import Wanted, Way, bent, by_component, raised, reach_of, refined, sunk_for, ways
from ..figure.legs import Legs
from .fading import decay, smooth, together

Array = NDArray[np.float64]
TAKE_OVER = 0.15
"""Seconds before it lands in which a leg is heeded more and more."""
LET_GO = 0.25
"""Seconds in which what the root sank for a leg fades."""
LONG = 1e6
"""More seconds than anything is looked at."""


class Riding:
    """Moves root and feet of rows.

    Parameters
    ----------
    channels : of the rows.
    legs : of the points that are moved.
    """

    def __init__(self, channels: Channels, legs: Legs) -> None:
        self._legs = legs
        self._scalars = channels.scalar_columns
        self._reach = reach_of(legs)
        self._groups: list[list[int]] = [[k for k in members if k >= 0] for members in legs.members.tolist()]

    def own(self, point: int, rows: Array) -> tuple[Array, Array, Array]:
        """Where (S, 3) a point is in the rows (S, width) as they are given, and where (S, 3) its toes point.

        In the last row they are level, and the foot's joint is so far (3,) from the point.
        """
        (leg, slot), (count, length) = self._legs.place(point), self._legs.turning.shape
        _, space, flat = self._posed(rows)
        places = flat.reshape(len(rows), count, -1, 3)[:, leg]
        limb, turn = self._reach.limbs[leg], np.exp(1j * rows[:, 2])
        local = places[:, length + slot]
        arm = places[-1, min(limb.end, length - 1) if limb else 0] - local[-1]
        turned = space[:, self._legs.carriers.reshape(count, -1)[leg, length + slot]]
        level = arm * (-1.0, -1.0, 0.0) / (np.hypot(*arm[:2]) + TINY)
        toes = quat.rotate(quat.multiply(turned, quat.conjugate(turned[-1])), level)
        own = _turned(local + rows[:, 3:6], turn) + rows[:, :3] * (1.0, 1.0, 0.0)
        return own, _turned(toes, turn), _turned(arm, turn[-1])

    def sunk(self, rows: Array, rises: Array) -> list[Any]:
        """How much the root sinks for each leg (G,); parameters as for `lift`."""
        places = by_component(self._legs, self._posed(rows)[2])
        return self._heeded(sunk_for(self._reach, places, self._ways(places, rows, rises)[1]), rises)

    def lift(self, rows: Array, rises: Array) -> Array:
        """Rows with root and feet moved.

        Parameters
        ----------
        rows : (T, width)
        rises : (T, 1 + K, 8) how far the root and each point are moved, what is heeded of the point's leg where it
            does not reach, how much the root sinks where it is not heeded (then the foot is lifted instead), and which
            way is up from the ground.
        """
        legs = self._legs
        steps, space, flat = self._posed(rows)
        places = by_component(legs, flat)
        wanted, found = self._ways(places, rows, rises)
        short = sunk_for(self._reach, places, found)
        sunk = together(self._heeded(short, rises))
        lifts = [larger(value, sunk) for value in short]
        space = bent(self._reach, places, raised(found, lifts), space)
        space = refined(self._reach, space, steps, wanted, lifts)
        made = with_lifted(legs, rows, from_space(legs, space))
        made[:, :2] += rises[:, 0, :2]
        made[:, 5] += rises[:, 0, 2] - sunk
        return made

    def _posed(self, rows: Array) -> tuple[Array | None, Array, Array]:
        """Steps, rotations in space and `positions` of the rows."""
        steps, space = moved_steps(self._legs, rows, self._scalars), in_space(self._legs, lifted(self._legs, rows))
        return steps, space, positions(self._legs, space, steps)

    def _ways(self, places: Sequence[Sequence[Vector]], rows: Array, rises: Array) -> tuple[Wanted, list[Way]]:
        more, targets = _in_heading(rows, rises[:, 1:, :3] - rises[:, :1, :3]), list[list[Vector]]()
        ups = _in_heading(rows, rises[:, 1:, 5:])
        for leg, members in enumerate(self._groups):
            own = places[leg][self._legs.turning.shape[1] :]
            targets.append([add(place, more[point]) for place, point in zip(own, members, strict=False)])
        tilts = [arc(UP, ups[members[0]]) for members in self._groups]
        wanted = Wanted(targets, [[1.0] * len(leg) for leg in targets], tilts)
        return wanted, ways(self._reach, places, wanted)

    def _heeded(self, short: Sequence[Any], rises: Array) -> list[Any]:
        found: list[Any] = []
        for value, members in zip(short, self._groups, strict=True):
            share, kept = rises[:, 1:][:, members, 3].max(axis=1), rises[:, 1 + members[0], 4]
            if len(rises) == 1:
                share, kept = float(share[0]), float(kept[0])
            found.append(share * value + (1.0 - share) * kept)
        return found


def _in_heading(rows: Array, ways: Array) -> list[Vector]:
    """Vectors (T, K, 3) of rows in their heading's frame: numbers for one row, else arrays."""
    turned = _turned(ways, np.exp(-1j * rows[:, 2:3]))
    if len(rows) == 1:
        return [(x, y, z) for x, y, z in turned[0].tolist()]
    return [(x, y, z) for x, y, z in np.ascontiguousarray(turned.transpose(1, 2, 0))]


def _turned(ways: Array, turn: NDArray[np.complex128]) -> Array:
    """Vectors (..., 3) turned over the ground."""
    flat = (ways[..., 0] + 1j * ways[..., 1]) * turn
    return np.stack([flat.real, flat.imag, ways[..., 2]], axis=-1)


@dataclass(frozen=True)
class Bearing:
    """What is heeded of a point, and kept of what its leg asked for when one of its points left.

    Parameters
    ----------
    lands : seconds when it comes to stand, or came.
    since, otherwise : seconds when that was foreseen, and how much more was heeded then, which fades.
    left, kept, falling : seconds when its leg left, how much the root sank for it then, and how that changed.
    """

    lands: float = -LONG
    since: float = 0.0
    otherwise: float = 0.0
    left: float = -LONG
    kept: float = 0.0
    falling: float = 0.0

    def share(self, times: Any) -> Any:
        """The share that is heeded at `times`, a number or an array (T,)."""
        fading = 1.0 - smooth((times - self.since) / TAKE_OVER)
        heeded = 1.0 - smooth((self.lands - times) / TAKE_OVER) + self.otherwise * fading
        return smaller(larger(heeded, 0.0), 1.0)

    def rest(self, times: Any) -> Any:
        """What is kept at `times`."""
        return larger(decay((times - self.left) / LET_GO, self.kept, self.falling * LET_GO), 0.0)

    def landing(self, time: float, lands: float) -> "Bearing":
        """The same, but it is said at `time` that the point `lands` then; nothing jumps."""
        now = replace(self, lands=lands, since=time, otherwise=0.0)
        return replace(now, otherwise=self.share(time) - now.share(time))

    def leaving(self, time: float) -> "Bearing":
        """The same, but the point leaves."""
        return replace(self, lands=LONG, since=time, otherwise=0.0)

    def keeping(self, time: float, kept: float, falling: float) -> "Bearing":
        """The same, but from `time` on so much of what the root sank is kept."""
        return replace(self, left=time, kept=kept, falling=falling)
