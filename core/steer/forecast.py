"""Where a figure will stand if it leaves by a transition, and which transition and cycle to leave by."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..graph.transition import Region, Transition
from ..verb.rates import segment_rates
from ..verb.verb import Verb
from .gait import Gait, adverbs_of
from .helm import Limits, Steerable

Array = NDArray[np.float64]
Places = NDArray[np.complex128]

TURNING = 1.0
"""Cycles for which a figure goes on turning as it does; from then on it goes straight."""
SAMPLES = 16
"""Steps in which a transition is added up."""
TINY = 1e-3
LATE, EARLY, BENT, SOON = 10.0, 0.05, 0.02, 0.001
"""What a second of being late or early costs, in seconds of walking, and what bending the gait costs, in metres.

Without a time to keep, what a second more costs in seconds of walking.
"""


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


@dataclass(frozen=True)
class Leave:
    """A transition that begins at generic time `phase` of the walk, which goes on over the cycles.

    Parameters
    ----------
    transition, phase : which and when.
    missed : metres by which the way will be too long or too short.
    """

    transition: Transition
    phase: float
    missed: float


@dataclass(frozen=True, eq=False)
class Exits:
    """Transitions from a walk to the verb to stand in, at the adverbs of the moment.

    Parameters
    ----------
    turned : each at the values of the gait's table.
    straight : each where the gait goes straight on.
    """

    turned: dict[Transition, Exit]
    straight: dict[Transition, Exit]


def exits(player: Steerable, gait: Gait, target: str) -> Exits:
    """The transitions that lead straight from the gait's verb to `target`."""
    ways = [way for way in player.graph.leaving[gait.verb.name] if way.target == target]
    new = player.graph.verb(target)
    old = segment_rates(gait.verb, np.concatenate([gait.adverbs[None], gait.turned()]))
    entered = segment_rates(new, adverbs_of(new, player.adverbs)[None])
    return Exits(
        {way: exit_at(way, gait.verb, new, old[1:], entered) for way in ways},
        {way: exit_at(way, gait.verb, new, old[:1], entered) for way in ways},
    )


def best_leave(found: Exits, phase: float, gait: Gait, need: float, left: float | None, limits: Limits) -> Leave:
    """The best way to go `need` metres in the `left` seconds: it is not late, misses little, and bends the gait least.

    Without a time to keep it is the soonest of those that miss little.

    Parameters
    ----------
    found : at least one exit.
    phase : generic time of the walk, going on over the cycles.
    gait : how it walks.
    need, left : metres and seconds; no seconds for as soon as can be.
    limits : of stride and tempo.
    """
    ways = list(found.straight.values())
    cycle = passed(gait.verb, ways[0].old_rates, np.array([0.0, 1.0]))[0, 0]
    far = need / max(limits.stride[0] * math.hypot(float(cycle[0]), float(cycle[1])), TINY)
    count = max(math.ceil(far if left is None else left * limits.tempo[1] / float(cycle[4])), 0) + 2
    passes = np.arange(math.floor(phase), math.floor(phase) + count, dtype=np.float64)
    begins = np.concatenate([passes + way.transition.leaves.begin for way in ways])
    nodes = np.stack([np.full(len(begins), phase), begins], axis=1).reshape(-1)
    walked = passed(gait.verb, ways[0].old_rates, nodes)[0, ::2]
    through = np.stack([_straight_on(way) for way in ways]).repeat(count, axis=0)
    lengths = np.hypot(walked[:, 0], walked[:, 1]) + through[:, 0]
    missed, bent = _missed(lengths, need, limits)
    costs = missed + bent + _costs(walked[:, 4] + through[:, 1], left, gait.speed, limits)
    costs[begins <= phase] = math.inf
    best = int(np.argmin(costs))
    return Leave(ways[best // count].transition, begins.item(best), missed.item(best))


def _straight_on(way: Exit) -> Array:
    """Metres and seconds of a transition straight on."""
    steps = faded(way, 0.0)[0]
    return np.array([np.hypot(steps[:, 0], steps[:, 1]).sum(), way.seconds[0]])


def _missed(lengths: Array, need: float, limits: Limits) -> tuple[Array, Array]:
    """By how many metres ways of these `lengths` miss `need`, and what bending the stride costs."""
    stride = np.clip(need / np.maximum(lengths, 1e-6), *limits.stride)
    missed = np.maximum(np.abs(need - stride * lengths) - 0.5 * limits.nudge * stride * lengths, 0.0)
    return missed, BENT * np.log(stride) ** 2


def _costs(seconds: Array, left: float | None, speed: float, limits: Limits) -> Array:
    """What it costs to take so many `seconds` when there are `left`."""
    if left is None:
        return speed * SOON * seconds
    tempo = np.clip(seconds / max(left, 1e-6), *limits.tempo)
    late, early = np.maximum(seconds / tempo - left, 0.0), np.maximum(left - seconds / tempo, 0.0)
    return speed * (LATE * late + EARLY * early) + BENT * np.log(tempo) ** 2
