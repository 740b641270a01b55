"""Walking on ground that the examples do not know: feet and root are lifted smoothly before anything is held."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
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
from .fading import FADE
from .floor import Floor

Array = NDArray[np.float64]

CATCH_UP = 0.15
"""Seconds in which a point comes to a height that nobody expected."""
LOWER = 0.9
"""Share of the deviation between points by which the root stays lower than they do on average: so legs reach."""
APART = 0.03
"""Share of a leg's length from which on points are taken to stand apart."""
HIGHEST_LIFT = 0.3
"""Share of a leg's length that its foot is lifted by for what lies between."""
EVEN_SECONDS = 0.3
"""Seconds that the root takes at least for a far way up or down."""
FAR = 0.1
"""Share of a leg's length that is a far way."""
UNHURRIED = 0.4
"""Seconds of a swing in which a foot can be lifted so high."""
LOW_LIFT = 0.02
"""Share of a leg's length that is lifted rather than to make haste."""
FASTEST = 2.0
"""Lengths of its leg by which a point rises or falls in a second, on the way to where it lands."""
SAME = 1e-4
"""Share of a leg's length, and seconds, by which a landing may be foreseen otherwise without being another."""
INSTANT = 1e-4
HASTES = 1.0, 0.9, 0.75, 0.6
"""Shares of a swing in which a point may rise or fall."""
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
    haste : share of the time in which it rises, early, or falls, late.
    even_until : seconds at which the root's share is there.
    """

    begin: float
    until: float
    start: float
    slope: float
    even: tuple[float, float]
    end: float
    even_until: float
    lift: float = 0.0
    haste: float = 1.0


@dataclass(frozen=True, eq=False)
class _Left:
    """When a point left the ground, how high it was raised then, and how far away (2,) from its own place it stood."""

    time: float
    rise: float
    away: Array


def _still(time: float, rise: float) -> _Rise:
    return _Rise(time - 1.0, time, rise, 0.0, (rise, 0.0), rise, time)


class Terrain:
    """Keeps feet and root of one character over a floor.

    A point's *rise* is how much higher the floor is where it stands than the ground of the examples. It stays while the
    point is planted and changes smoothly while it swings, higher in between where stairs are in the way. The root rises
    by a little less than the mean over the points: as they take turns, it goes up a ramp evenly, and legs reach.

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
        self._left: list[_Left | None] = [None] * len(points)
        self._slots: list[tuple[int, int]] = [self._legs.place(k) for k in range(len(points))]

    def land(self, point: int, time: float, row: Array, place: Array, clearance: float, drop: float) -> float:
        """A window opens with the point at `place`; returns the height at which it will stand."""
        height = float(self._floor(place[None, :2])[0]) + clearance
        self.stand(point, place)
        self._go(point, time, time + CATCH_UP, height - self._own_height(point, row, drop))
        return height

    def expect(self, point: int, time: float, landing: float, row: Array, clearance: float, drop: float) -> Array:
        """The point will land at `landing` seconds, where the row (width,) then has it; returns the place (3,).

        It may be said again and again while the point swings, as it is foreseen better.
        """
        now, length = self._rises[point], self._lengths[self._slots[point][0]]
        place = self.own_place(point, row)
        if (left := self._left[point]) is not None:
            place[:2] += left.away * (1.0 - smooth((landing - left.time) / FADE))
        height = float(self._floor(place[None, :2])[0]) + clearance
        rise = height - place[2] + drop
        if now is None:
            self._go(point, time, max(landing, time + CATCH_UP), rise)
            return np.array([place[0], place[1], height])
        if left is None:
            left = self._left[point] = _Left(time, float(_rise_at(now, time)), np.zeros(2))
        if abs(now.end - rise) > SAME * length or abs(now.until - landing) > SAME:
            until = max(landing, time + abs(rise - float(_rise_at(now, time))) / (FASTEST * length), time + INSTANT)
            self._go(point, time, until, rise, (left, place))
        return np.array([place[0], place[1], height])

    def leave(self, point: int, time: float, away: Array) -> None:
        """A window closes; the point stood so far `away` (2,) from where the row has it, which fades now."""
        if (now := self._rises[point]) is not None:
            self._left[point] = _Left(time, float(_rise_at(now, time)), away)

    def stand(self, point: int, place: Array) -> None:
        """The point swings no more, but stands at `place` (3,)."""
        self._stood[point], self._left[point] = place[:2].copy(), None

    def _go(self, point: int, time: float, until: float, rise: float, swing: tuple[_Left, Array] | None = None) -> None:
        """Bring a point to a `rise`; of one that swings it is told since when, and where (3,) to."""
        now = self._rises[point]
        if now is None:
            known = [float(_even_at(r, time)) for r in self._rises if r is not None]
            now = _still(time, rise if not self.shown else sum(known) / max(len(known), 1))
        change = abs(rise - now.end) / (FAR * self._lengths[self._slots[point][0]])
        slowly = max(until, now.even_until, time + EVEN_SECONDS * min(change, 1.0))
        soon = time, time + INSTANT
        foot, even = [_rise_at(now, t) for t in soon], [_even_at(now, t) for t in soon]
        slope, even_slope = ((b - a) / INSTANT for a, b in (foot, even))
        even_start = even[0], even_slope * (slowly - time)
        going = _Rise(time, until, foot[0], slope * (until - time), even_start, rise, slowly)
        self._rises[point] = going if swing is None else self._over_ground(point, going, *swing)

    def _over_ground(self, point: int, going: _Rise, left: _Left, place: Array) -> _Rise:
        """The same with as much haste and as little lift as what lies between asks for."""
        stood = self._stood[point]
        if stood is None:
            return going
        times = going.begin + SAMPLES * (going.until - going.begin)
        passed = smooth((times - left.time) / (going.until - left.time))
        heights = self._floor(stood + passed[:, None] * (place[:2] - stood))
        first, last = self._floor(np.array([stood, place[:2]])).tolist()
        needed = heights + (1.0 - passed) * (left.rise - first) + passed * (going.end - last)
        length = self._lengths[self._slots[point][0]]
        highest = HIGHEST_LIFT * length * min((going.until - left.time) / UNHURRIED, 1.0) ** 2
        found: list[_Rise] = []
        for haste in HASTES:
            hasty = replace(going, haste=haste)
            missing = needed - _rise_at(hasty, times)
            lift = float(np.clip((missing / bump(SAMPLES)).max(), 0.0, highest))
            found.append(replace(hasty, lift=lift))
        return min(found, key=lambda rise: max(rise.lift, LOW_LIFT * length))

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
            found[:] = np.reshape(self._root_at([_even_at(r, moment) for _, r in known]), (-1, 1))
            for point, rise in known:
                found[:, 1 + point] = _rise_at(rise, moment)
        return found

    def _root_at(self, rises: Sequence[Any]) -> Any:
        """How much higher the root is to be, of points that rise by so much: lower where one stands above another."""
        count = len(rises)
        mean = sum(rises) / count
        apart = (sum((rise - mean) ** 2 for rise in rises) / count) ** 0.5
        return mean - LOWER * apart * apart / (apart + APART * self._lengths[0])

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
    late = 1.0 - rise.haste if rise.end < rise.start else 0.0
    left = 1.0 - smooth((share - late) / rise.haste)
    change = left * (rise.start - rise.end) + decay(share, 0.0, rise.slope)
    return rise.end + change + rise.lift * bump(share)


def _even_at(rise: _Rise, times: Any) -> Any:
    """The same for the root: taking all the time there is, and more where that is brief."""
    share = (times - rise.begin) / (rise.even_until - rise.begin)
    start, slope = rise.even
    return rise.end + decay(share, start - rise.end, slope)
