"""Rows brought over a floor: root and feet are moved, legs bend, and feet keep their direction."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..figure.channels import Channels
from ..figure.components import Vector, add, larger
from ..figure.leg_kinematics import from_space, in_space, lifted, moved_steps, positions, with_lifted
from ..figure.leg_reach import Wanted, Way, bent, by_component, raised, reach_of, refined, sunk_for, ways
from ..figure.legs import Legs
from .fading import together

Array = NDArray[np.float64]


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

    def sunk(self, rows: Array, rises: Array) -> list[Any]:
        """How much the root sinks for each leg (G,); parameters as for `lift`."""
        steps = moved_steps(self._legs, rows, self._scalars)
        places = by_component(self._legs, positions(self._legs, in_space(self._legs, lifted(self._legs, rows)), steps))
        return self._heeded(sunk_for(self._reach, places, self._ways(places, rows, rises)[1]), rises)

    def lift(self, rows: Array, rises: Array) -> Array:
        """Rows with root and feet moved.

        Parameters
        ----------
        rows : (T, width)
        rises : (T, 1 + K, 5) how far the root and each point are moved, what is heeded of the point's leg where it
            does not reach, and how much the root sinks where it is not heeded. Then the foot is lifted instead.
        """
        legs = self._legs
        steps = moved_steps(legs, rows, self._scalars)
        space = in_space(legs, lifted(legs, rows))
        places = by_component(legs, positions(legs, space, steps))
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

    def _ways(self, places: Sequence[Sequence[Vector]], rows: Array, rises: Array) -> tuple[Wanted, list[Way]]:
        more, targets = further(rows, rises), list[list[Vector]]()
        for leg, members in enumerate(self._groups):
            own = places[leg][self._legs.turning.shape[1] :]
            targets.append([add(place, more[point]) for place, point in zip(own, members, strict=False)])
        wanted = Wanted(targets, [[1.0] * len(leg) for leg in targets])
        return wanted, ways(self._reach, places, wanted)

    def _heeded(self, short: Sequence[Any], rises: Array) -> list[Any]:
        found: list[Any] = []
        for value, members in zip(short, self._groups, strict=True):
            share, kept = rises[:, 1:][:, members, 3].max(axis=1), rises[:, 1 + members[0], 4]
            if len(rises) == 1:
                share, kept = float(share[0]), float(kept[0])
            found.append(share * value + (1.0 - share) * kept)
        return found


def further(rows: Array, rises: Array) -> list[Vector]:
    """How far each point is to move against the root, in the heading's frame: numbers for one row, else arrays."""
    own = rises[:, 1:, :3] - rises[:, :1, :3]
    flat = (own[..., 0] + 1j * own[..., 1]) * np.exp(-1j * rows[:, 2:3])
    columns = np.stack([flat.real, flat.imag, own[..., 2]])
    if len(rows) == 1:
        return [(x, y, z) for x, y, z in columns[:, 0].T.tolist()]
    return [(x, y, z) for x, y, z in np.ascontiguousarray(columns.transpose(2, 0, 1))]
