"""Walking on ground that the examples do not know: feet and root are lifted smoothly before anything is held."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..figure.channels import Channels
from ..figure.components import Vector, add
from ..figure.leg_kinematics import from_space, in_space, lifted, moved_steps, points_of, positions, with_lifted
from ..figure.leg_reach import Wanted, bent, by_component, raised, reach_of, refined, sunk_for, ways
from ..figure.legs import legs_for
from ..figure.limbs import lengths_of
from ..figure.lock_point import LockPoint
from .ease import bump, decay, smooth
from .floor import Floor

Array = NDArray[np.float64]

CATCH_UP = 0.15
"""Seconds in which a point comes to a height that nobody expected."""
HIGHEST_LIFT = 0.3
"""Share of a leg's length that its foot is lifted by for what lies between."""
INSTANT = 1e-4
HASTE = 0.75
"""Share of a swing in which a point rises or falls."""
SAMPLES = np.linspace(0.1, 0.9, 9)


@dataclass(frozen=True, eq=False)
class _Rise:
    """How a point's rise goes to `end` between two times.

    Parameters
    ----------
    begin, until : seconds.
    start, slope : where it is at first and how it changes, per whole time; `even` is the same for the root's share.
    end : where it goes.
    lift : how much higher it is in between.
    """

    begin: float
    until: float
    start: float
    slope: float
    even: tuple[float, float]
    end: float
    lift: float


def _still(time: float, rise: float) -> _Rise:
    return _Rise(time - 1.0, time, rise, 0.0, (rise, 0.0), rise, 0.0)


class Terrain:
    """Keeps feet and root of one character over a floor.

    A point's *rise* is how much higher the floor is where it stands than the ground of the examples. It stays while the
    point is planted and changes smoothly while it swings, higher in between where stairs are in the way. The root rises
    by the mean over the points: as they take turns, it goes up a ramp evenly.

    Parameters
    ----------
    channels : of the rows.
    points : (K,)
    floor : heights of the ground.

    Attributes
    ----------
    shown : whether a frame has been shown; before that nothing needs to change smoothly.
    """

    def __init__(self, channels: Channels, points: Sequence[LockPoint], floor: Floor) -> None:
        self._legs = legs_for(channels, tuple(points))
        self._scalars = channels.scalar_columns
        self._reach = reach_of(self._legs)
        self._lengths = lengths_of(self._legs)
        self._floor = floor
        self._rises: list[_Rise | None] = [None] * len(points)
        self.shown = False
        self._stood: list[Array | None] = [None] * len(points)
        self._slots: list[tuple[int, int]] = [self._legs.place(k) for k in range(len(points))]

    def land(self, point: int, time: float, row: Array, place: Array, clearance: float, drop: float) -> float:
        """A window opens with the point at `place`; returns the height at which it will stand."""
        height = float(self._floor(place[None, :2])[0]) + clearance
        self._stood[point] = place[:2].copy()
        self._go(point, time, time + CATCH_UP, height - self._own_height(point, row, drop), 0.0)
        return height

    def expect(self, point: int, time: float, landing: float, row: Array, clearance: float, drop: float) -> None:
        """The point will land at `landing` seconds, where the row (width,) then has it."""
        place = self.own_place(point, row)
        rise = float(self._floor(place[None, :2])[0]) + clearance - self._own_height(point, row, drop)
        begin, stood = self._rises[point], self._stood[point]
        lift = 0.0
        if begin is not None and stood is not None:
            highest = HIGHEST_LIFT * self._lengths[self._slots[point][0]]
            lift = self._lift(highest, begin.end, rise, stood, place[:2], float(self._floor(stood[None])[0]))
        self._go(point, time, max(landing, time + CATCH_UP), rise, lift)

    def _lift(self, highest: float, start: float, end: float, stood: Array, place: Array, ground: float) -> float:
        """How much higher than straight a point must swing for what lies between."""
        share = SAMPLES * SAMPLES * (3.0 - 2.0 * SAMPLES)
        heights = self._floor(stood + share[:, None] * (place - stood)) - ground
        straight = _rise_at(_Rise(0.0, 1.0, start, 0.0, (start, 0.0), end, 0.0), SAMPLES)
        missing = heights - (straight - start)
        return float(np.clip((missing / bump(SAMPLES)).max(initial=0.0), 0.0, highest))

    def _go(self, point: int, time: float, until: float, rise: float, lift: float) -> None:
        now = self._rises[point]
        if now is None:
            known = [float(_even_at(r, time)) for r in self._rises if r is not None]
            now = _still(time, rise if not self.shown else sum(known) / max(len(known), 1))
        soon = time, time + INSTANT
        share = (until - time) / INSTANT
        foot, even = [_rise_at(now, t) for t in soon], [_even_at(now, t) for t in soon]
        slope = (foot[1] - foot[0]) * share
        self._rises[point] = _Rise(time, until, foot[0], slope, (even[0], (even[1] - even[0]) * share), rise, lift)

    def own_place(self, point: int, row: Array) -> Array:
        """Where (3,) the point is in the row (width,) as it is given."""
        legs = self._legs
        space = in_space(legs, lifted(legs, row[None]))
        places = points_of(legs, positions(legs, space, moved_steps(legs, row[None], self._scalars)))
        leg, slot = self._slots[point]
        local = places.reshape(*legs.members.shape, 3)[leg, slot] + row[3:6]
        flat = complex(local[0], local[1]) * np.exp(1j * row[2]) + complex(row[0], row[1])
        return np.array([flat.real, flat.imag, local[2]])

    def _own_height(self, point: int, row: Array, drop: float) -> float:
        return float(self.own_place(point, row)[2]) - drop

    def ride(self, times: Array, rows: Array) -> Array:
        """Rows (T, width) lifted to the floor at `times` (T,)."""
        return rows if self._untouched() else self.lift(rows, self.rises(times))

    def rises(self, times: Array) -> Array:
        """How much higher the root and each point are to be at `times` (T,), an array (T, 1 + K)."""
        found = np.zeros((len(times), 1 + len(self._rises)))
        known = [(k, r) for k, r in enumerate(self._rises) if r is not None]
        if known and len(times):
            moment = float(times[0]) if len(times) == 1 else times
            found[:] = np.reshape(sum(_even_at(r, moment) for _, r in known) / len(known), (-1, 1))
            for point, rise in known:
                found[:, 1 + point] = _rise_at(rise, moment)
        return found

    def lift(self, rows: Array, rises: Array) -> Array:
        """Rows (T, width) with root and feet higher by what `rises` says; feet keep their direction."""
        legs = self._legs
        steps = moved_steps(legs, rows, self._scalars)
        space = in_space(legs, lifted(legs, rows))
        places = by_component(legs, positions(legs, space, steps))
        raised_by = rises[0].tolist() if len(rises) == 1 else list(np.ascontiguousarray(rises.T))
        targets: list[list[Vector]] = []
        for leg, members in enumerate(legs.members.tolist()):
            own = places[leg][legs.turning.shape[1] :]
            more = [raised_by[1 + point] - raised_by[0] for point in members if point >= 0]
            targets.append([add(place, (0.0, 0.0, rise)) for place, rise in zip(own, more, strict=False)])
        wanted = Wanted(targets, [[1.0] * len(leg) for leg in targets])
        found = ways(self._reach, places, wanted)
        sunk = sum(value * value for value in sunk_for(self._reach, places, found)) ** 0.5
        space = bent(self._reach, places, raised(found, [sunk] * len(found)), space)
        space = refined(self._reach, space, steps, wanted, sunk)
        made = with_lifted(legs, rows, from_space(legs, space))
        made[:, 5] += raised_by[0] - sunk
        return made

    def _untouched(self) -> bool:
        return all(rise is None for rise in self._rises)


def _rise_at(rise: _Rise, times: Any) -> Any:
    """Rise of a point: up early and down late, so that a foot passes over the edges of stairs."""
    share = (times - rise.begin) / (rise.until - rise.begin)
    late = 1.0 - HASTE if rise.end < rise.start else 0.0
    left = 1.0 - smooth((share - late) / HASTE)
    change = left * (rise.start - rise.end) + decay(share, 0.0, rise.slope)
    return rise.end + change + rise.lift * bump(share)


def _even_at(rise: _Rise, times: Any) -> Any:
    """The same for the root: taking all the time there is."""
    share = (times - rise.begin) / (rise.until - rise.begin)
    start, slope = rise.even
    return rise.end + decay(share, start - rise.end, slope)
