"""A verb played while its adverbs change: generic time and root are integrated, a whole motion in one batch."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import VerbError
from ..figure.channels import climb
from ..progress import PIECE, Progress, untold
from .travel import integrate
from .verb import Verb

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Performance:
    """What was played.

    Parameters
    ----------
    times : (T,) seconds.
    phases : (T,) generic time, going on over the cycles.
    values : (T, width)
    heights : (T,) climbed since the start, part of the root's height in `values`.
    """

    times: Array
    phases: Array
    values: Array
    heights: Array


class PhaseClock:
    """Generic time that passes segment after segment at changing rates.

    Evaluating [Rose1998] eq. 1 afresh at every adverb setting would make generic time jump, even backward, when the
    keytimes move; so it advances by dt times the rate of the segment that it is in. The loop is over segments, not
    frames. A motion may be told in pieces: what comes out is the same to the last digit.

    Parameters
    ----------
    generic : (S + 1,) generic times of the keytimes.
    cyclic : begin again after the last segment; otherwise hold the end.
    phase : generic time to begin at.
    """

    def __init__(self, generic: Array, cyclic: bool, phase: float = 0.0) -> None:
        self._generic, self._cyclic, self._phase = generic, cyclic, phase
        self._cycle = float(np.floor(phase)) if cyclic else 0.0
        last = len(generic) - 2
        self._segment = min(int(np.searchsorted(generic, phase - self._cycle, side="right")) - 1, last)
        self._passed = np.zeros(len(generic) - 1)
        self._offset = phase
        self._ended = False

    def advance(self, times: Array, rates: Array) -> Array:
        """Generic time (T,) at `times`; the next piece is to begin with the last of them.

        Parameters
        ----------
        times : (T,) seconds, increasing.
        rates : (T, S) generic time per second in each segment, positive.

        Raises
        ------
        VerbError
            If a rate is not finite, as where an adverb is not a number.
        """
        if not np.isfinite(rates).all():
            raise VerbError("An adverb is not a finite number. Mend the key or driver that moves it.")
        steps = 0.5 * (rates[1:] + rates[:-1]) * np.diff(times)[:, None]
        passed = np.ascontiguousarray(np.cumsum(np.concatenate([self._passed[None], steps]), axis=0).T)
        phases, first, share = np.full(len(times), self._phase), 1, 0.0
        while first < len(times) and not self._ended:
            end, own = self._cycle + float(self._generic[self._segment + 1]), passed[self._segment]
            length = int(np.searchsorted(own[first:], end - self._offset, side="right"))
            phases[first : first + length] = self._offset + own[first : first + length]
            first, share = first + length, 0.0 if length else share
            if first < len(times):
                low, high = own[first - 1], own[first]
                share = max(share, float((end - self._offset - low) / (high - low)))
                self._next_segment(end, passed[:, first - 1 : first + 1], share)
        if self._ended:
            phases[first:] = self._phase = float(self._generic[-1])
        self._phase, self._passed = float(phases[-1]), passed[:, -1].copy()
        return phases

    def _next_segment(self, begin: float, passed: Array, share: float) -> None:
        """The next segment begins at generic time `begin`, at a `share` of the way between two rows (S, 2)."""
        self._segment += 1
        if self._segment == len(passed):
            self._ended = not self._cyclic
            self._segment, self._cycle = 0, self._cycle + 1.0
        low, high = passed[self._segment]
        self._offset = begin - float(low + share * (high - low))


def perform(
    verb: Verb,
    times: ArrayLike,
    adverbs: ArrayLike,
    phase: float = 0.0,
    origin: Array | None = None,
    rows: NDArray[np.intp] | slice = slice(None),
    progress: Progress | None = None,
) -> Performance:
    """Play `verb` through `times` with adverbs that may change at every one of them.

    Parameters
    ----------
    verb : the verb.
    times : (T,) seconds, increasing; the finer, the more exact the integration.
    adverbs : (T, D) or (D,)
    phase : generic time at the first of `times`.
    origin : (3,) travel at the first of `times`.
    rows : those of `times` at which the result is wanted; all of them by default.
    progress : called with the fraction that is done, as `core.progress` says.

    Returns
    -------
    Performance
    """
    clock, tell = np.asarray(times, dtype=np.float64), progress or untold
    points = np.broadcast_to(np.asarray(adverbs, dtype=np.float64), (len(clock), len(verb.adverb_names)))
    asked = np.arange(len(clock))[rows]
    count = len(asked)
    made = Performance(clock[asked], np.empty(count), np.empty((count, verb.channels.width)), np.empty(count))
    start, order = np.zeros(4), np.argsort(asked, kind="stable")
    start[:3] = 0.0 if origin is None else origin
    for piece, weights, phases in played_pieces(verb, clock, points, phase):
        path = integrate(_increments(verb, phases, weights), start)
        begin, end = np.searchsorted(asked, (piece.start, piece.stop), sorter=order)
        into = order[begin:end]
        here = asked[into] - piece.start
        values = verb.sample_phases(phases[here], weights[here])
        values[:, :3] = path[here, :3]
        climb(verb.channels, values, path[here, 3])
        made.values[into], made.phases[into], made.heights[into] = values, phases[here], path[here, 3]
        start = path[-1]
        tell(piece.stop / len(clock))
    return made


def played_pieces(
    verb: Verb, times: Array, adverbs: Array, phase: float = 0.0, lap: int = 1
) -> Iterator[tuple[slice, Array, Array]]:
    """A verb that is played, some thousand rows at a time.

    Parameters
    ----------
    times : (T,) seconds, increasing.
    adverbs : (T, D)
    phase : generic time at the first of `times`.
    lap : with how many of the last rows of the one before each piece begins, at least 1.

    Yields
    ------
    rows of the piece, and weights (P, N) and generic times (P,) at them.
    """
    generic, begin = verb.phrasing.generic, 0
    passing, again = PhaseClock(generic, verb.cyclic, phase), slice(0, 0)
    weights, phases = np.zeros((0, len(verb.example_names))), np.zeros(0)
    while True:
        piece = slice(begin, min(begin + PIECE, len(times)))
        told = verb.weights(adverbs[piece])
        rates = np.diff(generic) / verb.phrasing.lengths(told)
        passed = passing.advance(times[piece], rates)
        weights, phases = np.concatenate([weights[again], told]), np.concatenate([phases[again], passed])
        yield slice(piece.stop - len(phases), piece.stop), weights, phases
        if piece.stop == len(times):
            return
        begin, again = piece.stop - 1, slice(-lap, -1)


def _increments(verb: Verb, phases: Array, weights: Array) -> Array:
    """Drift (T - 1, 4) between neighbouring `phases`, under the mean of the weights at both ends."""
    generic = verb.phrasing.generic
    totals = np.concatenate([np.zeros((len(verb.drifts), 1, 4)), np.cumsum(verb.drifts, axis=1)], axis=1)
    cycles = np.floor(phases) if verb.cyclic else np.zeros_like(phases)
    within = np.clip(phases - cycles, 0.0, 1.0)
    segment = np.clip(np.searchsorted(generic, within, side="right") - 1, 0, len(generic) - 2)
    fraction = (within - generic[segment]) / np.diff(generic)[segment]
    middle = 0.5 * (weights[1:] + weights[:-1])
    result = np.zeros((len(middle), 4))
    for index, total in enumerate(totals):
        passed = (
            cycles[:, None] * total[-1] + total[segment] + fraction[:, None] * (total[segment + 1] - total[segment])
        )
        result += middle[:, index, None] * np.diff(passed, axis=0)
    return result
