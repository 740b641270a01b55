"""A played verb whose planted points are held: the whole of it, or one row from as little before it as matters."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ..figure.channels import Channels, climb
from ..figure.legs import leg_groups
from ..figure.lock_point import LockPoint
from ..progress import Progress
from ..verb.verb import Verb, placed
from .fading import FADE
from .foothold import Floor
from .hold_points import floor_for
from .holding import RUN_UP
from .locks import Span, lock_last, lock_motion
from .spans import lock_points

Array = NDArray[np.float64]

EDGE = 2e-5
"""Seconds before and after a window opens or closes at which a row is known, so that the row between is exact."""


def place(channels: Channels, values: Array, origin: Array) -> Array:
    """Values (T, width) that begin at `origin` (4,): x, y, z and heading in performance space."""
    moved = placed(values, origin[[0, 1, 3]])
    climb(channels, moved, origin[2])
    return moved


def just_before(times: Array, instants: Array, seconds: float) -> NDArray[np.bool_]:
    """Which of `times` (T,) lie before one of the instants (n,), by no more than so many seconds."""
    following = np.append(np.sort(instants), np.inf)
    return following[np.searchsorted(following, times, side="right")] - times <= seconds


@dataclass(frozen=True, eq=False)
class Footing:
    """What holds the points of a verb.

    Parameters
    ----------
    channels : of the verb.
    points : (K,) that can be held.
    legs : indices of the points of each leg.
    floor : heights of the ground, None for the examples' own.
    """

    channels: Channels
    points: tuple[LockPoint, ...]
    legs: tuple[tuple[int, ...], ...]
    floor: Floor | None = None


def footing_on(verb: Verb, floor: Floor | None) -> Footing:
    """All contact points of a verb, held on a floor or on the examples' own ground: that alone counts for controls."""
    points = lock_points(verb)
    floor = floor_for(verb.channels, points, floor)
    groups = leg_groups(verb.channels, points)
    return Footing(verb.channels, points, tuple(tuple(group) for group in groups), floor)


@dataclass(frozen=True, eq=False)
class Planted:
    """A verb as it was played, and when its points stand.

    Parameters
    ----------
    footing : what holds them.
    times : (G,) seconds from the start, increasing; those before it lead in.
    phases : (G,) generic time.
    values : (G, width) unlocked.
    heights : (G,) climbed since the start, part of the root's height in `values`.
    spans : when points stand.
    rows : (T,) those of the G that were asked for.
    """

    footing: Footing
    times: Array
    phases: Array
    values: Array
    heights: Array
    spans: Sequence[Span]
    rows: NDArray[np.intp]

    def at(self, origin: Array) -> "Planted":
        """The same from a place of its own (4,), x, y, z and heading, when it was played from 0; not for a floor."""
        count, channels = len(self.spans), self.footing.channels
        ends = np.array([(span.opening, span.closing) for span in self.spans]).reshape(2 * count, channels.width)
        rows = place(channels, ends, origin).reshape(count, 2, channels.width)
        spans = [replace(s, opening=a, closing=b) for s, (a, b) in zip(self.spans, rows, strict=True)]
        return replace(self, values=place(channels, self.values, origin), spans=spans)

    def locked(self, progress: Progress | None = None) -> Array:
        """The rows that were asked for (T, width), with the points held.

        Parameters
        ----------
        progress : called with the fraction that is done, as `core.progress` says.
        """
        own, times, values = self.footing, self.times, self.values
        return lock_motion(own.channels, own.points, times, values, self.spans, own.floor, self.rows, progress)

    def locked_row(self, time: float, row: Array) -> Array:
        """What becomes of an unlocked `row` (width,) at `time`, after all that came before it.

        Only openings and closings leave something behind; without a floor, only those since a leg was last free of any
        lock. So a few rows stand for all before.
        """
        own = self.footing
        spans = self.spans if own.floor is not None else _that_matter(self.spans, own.legs, time)
        ends = np.array([span.end for span in spans if span.end <= time])
        before = just_before(self.times, ends, 1.1 * RUN_UP) & (self.times < time)
        times, values = np.append(self.times[before], time), np.concatenate([self.values[before], row[None]])
        return lock_last(own.channels, own.points, times, values, spans, own.floor)


def _that_matter(spans: Sequence[Span], legs: Sequence[Sequence[int]], time: float) -> list[Span]:
    """Spans of each leg that hold at `time` or have left something that has not faded, or had when these began."""
    kept: list[Span] = []
    for leg in legs:
        needed = time
        for span in sorted((s for s in spans if s.point in leg and s.begin <= time), key=lambda s: -s.end):
            if span.end <= needed - FADE:
                break
            kept.append(span)
            needed = min(needed, span.begin)
    return kept
