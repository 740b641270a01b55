"""A verb played while its adverbs change: generic time and root are integrated, a whole motion in one batch."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import VerbError
from ..figure.channels import climb
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


def integrate_phase(times: Array, rates: Array, generic: Array, cyclic: bool, phase: float = 0.0) -> Array:
    """Generic time (T,) that passes segment after segment at changing rates.

    Evaluating [Rose1998] eq. 1 afresh at every adverb setting would make generic time jump, even backward, when the
    keytimes move; so it advances by dt times the rate of the segment that it is in. The loop is over segments, not
    frames.

    Parameters
    ----------
    times : (T,) seconds, increasing.
    rates : (T, S) generic time per second in each segment, positive.
    generic : (S + 1,) generic times of the keytimes.
    cyclic : begin again after the last segment; otherwise hold the end.
    phase : generic time at the first of `times`.

    Raises
    ------
    VerbError
        If a rate is not finite, as where an adverb is not a number.
    """
    if not np.isfinite(rates).all():
        raise VerbError("An adverb is not a finite number. Mend the key or driver that moves it.")
    steps = 0.5 * (rates[1:] + rates[:-1]) * np.diff(times)[:, None]
    passed = np.concatenate([np.zeros((1, rates.shape[1])), np.cumsum(steps, axis=0)])
    phases = np.full(len(times), phase)
    cycle = float(np.floor(phase)) if cyclic else 0.0
    segment = min(int(np.searchsorted(generic, phase - cycle, side="right")) - 1, rates.shape[1] - 1)
    rows = np.arange(len(times), dtype=np.float64)
    row, begin, first = 0.0, phase, 1
    while first < len(times):
        end = cycle + float(generic[segment + 1])
        offset = begin - float(np.interp(row, rows, passed[:, segment]))
        length = int(np.searchsorted(passed[first:, segment], end - offset, side="right"))
        phases[first : first + length] = offset + passed[first : first + length, segment]
        first += length
        if first == len(times):
            break
        low, high = passed[first - 1, segment], passed[first, segment]
        row = max(row, first - 1 + float((end - offset - low) / (high - low)))
        begin, segment = end, segment + 1
        if segment == rates.shape[1]:
            if not cyclic:
                phases[first:] = end
                break
            segment, cycle = 0, cycle + 1.0
    return phases


def perform(
    verb: Verb,
    times: ArrayLike,
    adverbs: ArrayLike,
    phase: float = 0.0,
    origin: Array | None = None,
    rows: NDArray[np.intp] | slice = slice(None),
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

    Returns
    -------
    Performance
    """
    clock = np.asarray(times, dtype=np.float64)
    points = np.broadcast_to(np.asarray(adverbs, dtype=np.float64), (len(clock), len(verb.adverb_names)))
    weights = verb.weights(points)
    generic = verb.phrasing.generic
    rates = np.diff(generic) / verb.phrasing.lengths(weights)
    phases = integrate_phase(clock, rates, generic, verb.cyclic, phase)
    values = verb.sample_phases(phases[rows], weights[rows])
    start = np.zeros(4)
    start[:3] = 0.0 if origin is None else origin
    path = integrate(_increments(verb, phases, weights), start)[rows]
    values[:, :3] = path[:, :3]
    climb(verb.channels, values, path[:, 3])
    return Performance(clock[rows], phases[rows], values, path[:, 3])


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
