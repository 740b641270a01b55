"""Where a figure will stand if it goes on to a transition and through it, for several values of the steering adverb."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..graph.transition import Region, Transition
from ..verb.verb import Verb

Array = NDArray[np.float64]
Places = NDArray[np.complex128]

TURNING = 1.0
"""Cycles for which a figure goes on turning as it does; from then on it goes straight."""
SAMPLES = 16
"""Steps in which a transition is added up."""


@dataclass(frozen=True, eq=False)
class Forecast:
    """Where and when the transition is over, with neutral handles.

    The stride multiplies places and lengths, the tempo divides seconds.

    Parameters
    ----------
    places : (K,) x + i y in the heading's frame of the moment.
    lengths : (K,) metres of way.
    seconds : (K,)
    speeds : (K,) metres a second to begin with.
    """

    places: Places
    lengths: Array
    seconds: Array
    speeds: Array

    def at(self, values: Array, value: float) -> tuple[complex, float, float, float]:
        """Place, length, seconds and speed at `value` of the steering adverb, between those at `values` (K,)."""
        place = complex(np.interp(value, values, self.places))
        rows = (self.lengths, self.seconds, self.speeds)
        length, seconds, speed = (float(np.interp(value, values, row)) for row in rows)
        return place, length, seconds, speed


@dataclass(frozen=True, eq=False)
class Exit:
    """A transition, and the verbs that it leads from and to at K settings of the steering adverb.

    Parameters
    ----------
    transition : blended, or forecast as if it were.
    old, new : the verbs.
    old_rates, new_rates : (K, S, 5) drift and seconds of each of their segments.
    seconds : (K,) that the transition takes.
    """

    transition: Transition
    old: Verb
    new: Verb
    old_rates: Array
    new_rates: Array
    seconds: Array


def exit_at(transition: Transition, old: Verb, new: Verb, old_rates: Array, new_rates: Array) -> Exit:
    """The exit where the old verb's segments have the rates (K, S, 5) and the new one's (1, S', 5)."""
    leaves, enters = transition.leaves, transition.enters
    seconds = np.tile(passed(new, new_rates, np.array([enters.begin, enters.end]))[:, 0, 4], len(old_rates))
    if transition.kind == "blended":
        seconds = 0.5 * (seconds + passed(old, old_rates, np.array([leaves.begin, leaves.end]))[:, 0, 4])
    return Exit(transition, old, new, old_rates, new_rates, seconds)


def forecast(way: Exit, straight: Exit, phase: float, leave: float) -> Forecast:
    """Forecast from generic time `phase` of the old verb to `leave`, where the transition begins, and through it.

    Parameters
    ----------
    way, straight : the exit as the figure turns, and (K = 1) as it goes straight on.
    phase, leave : going on over the cycles.
    """
    cycles = np.arange(math.floor(phase), math.floor(leave) + 1, dtype=np.float64)
    turned = phase + TURNING
    inner = np.union1d((cycles[:, None] + way.old.phrasing.generic[:-1]).reshape(-1), [turned])
    nodes = np.concatenate([[phase], inner[(inner > phase) & (inner < leave)], [leave]])
    turning = (nodes[1:] <= turned)[:, None]
    walked = np.where(turning, passed(way.old, way.old_rates, nodes), passed(way.old, straight.old_rates, nodes))
    out = way if leave < turned else straight
    left = np.broadcast_to(faded(out, 0.0), (len(walked), SAMPLES, 5))
    seconds = walked[..., 4].sum(axis=1) + out.seconds
    return _summed(np.concatenate([walked, left], axis=1), seconds, walked[:, 0, 4])


def forecast_rest(way: Exit, share: float) -> Forecast:
    """Forecast of the rest of the transition when the `share` of it is over."""
    steps = faded(way, share)
    seconds = (1.0 - share) * way.seconds
    return _summed(steps, seconds, seconds / SAMPLES)


def faded(way: Exit, share: float) -> Array:
    """Increments (K, P, 5) of the mixed root while the transition goes on from `share` to its end."""
    nodes = np.linspace(share, 1.0, SAMPLES + 1)
    weights = (0.5 * np.cos(np.pi * 0.5 * (nodes[1:] + nodes[:-1])) + 0.5)[:, None]
    old = _through(way.old, way.old_rates, way.transition.leaves, nodes)
    new = _through(way.new, way.new_rates, way.transition.enters, nodes)
    return weights * old + (1.0 - weights) * new


def _through(verb: Verb, rates: Array, region: Region, shares: Array) -> Array:
    """Drift and seconds (K, P - 1, 5) between neighbouring `shares` (P,) of the seconds that `region` takes."""
    cycles = np.arange(math.floor(region.end) + 1, dtype=np.float64)
    inner = (cycles[:, None] + verb.phrasing.generic).reshape(-1)
    knots = np.unique([region.begin, *inner[(inner > region.begin) & (inner < region.end)], region.end])
    if len(knots) < 2:
        return np.zeros((len(rates), len(shares) - 1, 5))
    steps = passed(verb, rates, knots)
    sums = np.concatenate([np.zeros((len(rates), 1, 5)), np.cumsum(steps, axis=1)], axis=1)
    clock = sums[..., 4] / sums[:, -1:, 4]
    piece = np.sum(clock[:, None, 1:-1] <= shares[:, None], axis=-1)
    begins, ends = (np.take_along_axis(clock, piece + more, axis=1) for more in (0, 1))
    share = ((shares - begins) / (ends - begins))[..., None]
    places = np.take_along_axis(sums, piece[..., None], axis=1)
    return np.diff(places + share * np.take_along_axis(steps, piece[..., None], axis=1), axis=1)


def passed(verb: Verb, rates: Array, phases: Array) -> Array:
    """Drift and seconds (K, P - 1, 5) between neighbouring `phases` (P,) at `rates` (K, S, 5) of the segments."""
    generic = verb.phrasing.generic
    totals = np.concatenate([np.zeros((len(rates), 1, 5)), np.cumsum(rates, axis=1)], axis=1)
    cycles = np.floor(phases) if verb.cyclic else np.zeros_like(phases)
    within = np.clip(phases - cycles, 0.0, 1.0)
    segment = np.clip(np.searchsorted(generic, within, side="right") - 1, 0, len(generic) - 2)
    fraction = (within - generic[segment]) / np.diff(generic)[segment]
    sums = cycles[:, None] * totals[:, -1:] + totals[:, segment] + fraction[:, None] * rates[:, segment]
    return np.diff(sums, axis=1)


def _summed(steps: Array, seconds: Array, first: Array) -> Forecast:
    headings = np.cumsum(steps[..., 2], axis=1) - 0.5 * steps[..., 2]
    chords = np.sinc(0.5 * steps[..., 2] / np.pi)
    moves = (steps[..., 0] + 1j * steps[..., 1]) * chords * np.exp(1j * headings)
    ways = np.hypot(steps[..., 0], steps[..., 1])
    return Forecast(
        moves.sum(axis=1), ways.sum(axis=1), np.broadcast_to(seconds, len(ways)), ways[:, 0] / np.maximum(first, 1e-9)
    )
