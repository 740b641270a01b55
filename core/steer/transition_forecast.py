"""Forecast of where a figure will stand after leaving its walk by a transition, and the choice of transition and cycle.

Drifts are rows of five: x, y (in the heading's frame), turn, climb, and the seconds that they take. K is the number of
values of the steering adverb.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..graph.transition import Region, Transition
from ..play.graph_player import GraphPlayer
from ..verb.speed_and_turn import segment_rates
from ..verb.verb import Verb
from .gait import Gait, Limits, adverbs_of

Array = NDArray[np.float64]
Places = NDArray[np.complex128]

TURNING = 1.0
"""Cycles for which a figure is assumed to keep turning; after that it is assumed to go straight."""
SAMPLES = 16
"""Number of steps in which a transition is integrated."""
TINY = 1e-3
"""Minimum travel in metres assumed for a cycle."""
LATE, EARLY, BENT, SOON = 10.0, 0.05, 0.02, 0.001
"""Costs. LATE, EARLY: of each second too late or too early, in seconds of walking. BENT: of changing a gait, in metres.
SOON: of each second if there is no target time, in seconds of walking.
"""


@dataclass(frozen=True, eq=False)
class Forecast:
    """Position and time of the figure when the transition is over, with neutral handles.

    A stride multiplies positions and lengths, a tempo divides seconds.

    Parameters
    ----------
    places : (K,) x + i y in metres, in the frame of the present heading.
    lengths : (K,) metres along the path.
    seconds : (K,) until the transition is over.
    speeds : (K,) metres a second at first.
    """

    places: Places
    lengths: Array
    seconds: Array
    speeds: Array

    def at(self, values: Array, value: float) -> tuple[complex, float, float, float]:
        """Return place, length, seconds and speed at `value` of the adverb, interpolated between `values` (K,)."""
        place = complex(np.interp(value, values, self.places))
        rows = (self.lengths, self.seconds, self.speeds)
        length, seconds, speed = (float(np.interp(value, values, row)) for row in rows)
        return place, length, seconds, speed


@dataclass(frozen=True, eq=False)
class Exit:
    """A transition out of a walk, and its two verbs, at K values of the steering adverb.

    Parameters
    ----------
    transition : the transition; an inertialised one is treated as blended, but lasts only as long as the region that it
        enters.
    old, new : the verb that is left and the one that is entered.
    old_rates : (K, S, 5) drift and seconds of each segment of the old verb.
    new_rates : (1, S', 5) drift and seconds of each segment of the new verb.
    seconds : (K,) duration of the transition.
    """

    transition: Transition
    old: Verb
    new: Verb
    old_rates: Array
    new_rates: Array
    seconds: Array


def exit_at(transition: Transition, old: Verb, new: Verb, old_rates: Array, new_rates: Array) -> Exit:
    """Return the exit by `transition`.

    `old_rates` (K, S, 5) and `new_rates` (1, S', 5) are drift and seconds of each segment of the two verbs.
    """
    leaves, enters = transition.leaves, transition.enters
    seconds = np.tile(drift_between(new, new_rates, np.array([enters.begin, enters.end]))[:, 0, 4], len(old_rates))
    if transition.kind == "blended":
        seconds = 0.5 * (seconds + drift_between(old, old_rates, np.array([leaves.begin, leaves.end]))[:, 0, 4])
    return Exit(transition, old, new, old_rates, new_rates, seconds)


def forecast(turning: Exit, straight: Exit, phase: float, leave: float) -> Forecast:
    """Return the forecast for a figure that walks from generic time `phase` to `leave` and then takes an exit.

    It turns for the first cycle, then walks straight.

    Parameters
    ----------
    turning : the exit, a transition with its two verbs, at K values of the steering adverb.
    straight : the same exit for straight walking (K = 1).
    phase, leave : generic times of the walk, increasing by 1 in each cycle.
    """
    cycles = np.arange(math.floor(phase), math.floor(leave) + 1, dtype=np.float64)
    turned = phase + TURNING
    inner = np.union1d((cycles[:, None] + turning.old.phrasing.generic[:-1]).reshape(-1), [turned])
    nodes = np.concatenate([[phase], inner[(inner > phase) & (inner < leave)], [leave]])
    turns = (nodes[1:] <= turned)[:, None]
    walked = np.where(
        turns,
        drift_between(turning.old, turning.old_rates, nodes),
        drift_between(turning.old, straight.old_rates, nodes),
    )
    out = turning if leave < turned else straight
    through = np.broadcast_to(blended_drift(out, 0.0), (len(walked), SAMPLES, 5))
    seconds = walked[..., 4].sum(axis=1) + out.seconds
    return _forecast_of(np.concatenate([walked, through], axis=1), seconds, walked[:, 0, 4])


def forecast_rest(leaving: Exit, share: float) -> Forecast:
    """Return the forecast for the rest of a transition of which `share` has already passed."""
    steps = blended_drift(leaving, share)
    seconds = (1.0 - share) * leaving.seconds
    return _forecast_of(steps, seconds, seconds / SAMPLES)


def blended_drift(leaving: Exit, share: float) -> Array:
    """Return the drift (K, P, 5) of the blended root in each of P steps from `share` of a transition to its end."""
    nodes = np.linspace(share, 1.0, SAMPLES + 1)
    weights = (0.5 * np.cos(np.pi * 0.5 * (nodes[1:] + nodes[:-1])) + 0.5)[:, None]
    old = _drift_through(leaving.old, leaving.old_rates, leaving.transition.leaves, nodes)
    new = _drift_through(leaving.new, leaving.new_rates, leaving.transition.enters, nodes)
    return weights * old + (1.0 - weights) * new


def _drift_through(verb: Verb, rates: Array, region: Region, shares: Array) -> Array:
    """Return drift and seconds (K, P - 1, 5) between neighbouring `shares` (P,) of a region's duration.

    Parameters
    ----------
    verb : the verb.
    rates : (K, S, 5) rates of its segments.
    region : region of its generic time.
    shares : (P,) increasing, in [0, 1].
    """
    cycles = np.arange(math.floor(region.end) + 1, dtype=np.float64)
    inner = (cycles[:, None] + verb.phrasing.generic).reshape(-1)
    knots = np.unique([region.begin, *inner[(inner > region.begin) & (inner < region.end)], region.end])
    if len(knots) < 2:
        return np.zeros((len(rates), len(shares) - 1, 5))
    steps = drift_between(verb, rates, knots)
    sums = np.concatenate([np.zeros((len(rates), 1, 5)), np.cumsum(steps, axis=1)], axis=1)
    clock = sums[..., 4] / sums[:, -1:, 4]
    piece = np.sum(clock[:, None, 1:-1] <= shares[:, None], axis=-1)
    begins, ends = (np.take_along_axis(clock, piece + more, axis=1) for more in (0, 1))
    share = ((shares - begins) / (ends - begins))[..., None]
    places = np.take_along_axis(sums, piece[..., None], axis=1)
    return np.diff(places + share * np.take_along_axis(steps, piece[..., None], axis=1), axis=1)


def drift_between(verb: Verb, rates: Array, phases: Array) -> Array:
    """Return drift and seconds (K, P - 1, 5) between neighbouring generic times `phases` (P,) of a verb.

    `rates` (K, S, 5) are drift and seconds of its segments; the generic times of a cycle are not limited to one cycle.
    """
    generic = verb.phrasing.generic
    totals = np.concatenate([np.zeros((len(rates), 1, 5)), np.cumsum(rates, axis=1)], axis=1)
    cycles = np.floor(phases) if verb.cyclic else np.zeros_like(phases)
    within = np.clip(phases - cycles, 0.0, 1.0)
    segment = np.clip(np.searchsorted(generic, within, side="right") - 1, 0, len(generic) - 2)
    fraction = (within - generic[segment]) / np.diff(generic)[segment]
    sums = cycles[:, None] * totals[:, -1:] + totals[:, segment] + fraction[:, None] * rates[:, segment]
    return np.diff(sums, axis=1)


def _forecast_of(steps: Array, seconds: Array, first: Array) -> Forecast:
    """Return the forecast from integrating the drifts `steps` (K, P, 5), each along an arc.

    `seconds` is the total time, and `first` the seconds of the first step.
    """
    headings = np.cumsum(steps[..., 2], axis=1) - 0.5 * steps[..., 2]
    chords = np.sinc(0.5 * steps[..., 2] / np.pi)
    moves = (steps[..., 0] + 1j * steps[..., 1]) * chords * np.exp(1j * headings)
    ways = np.hypot(steps[..., 0], steps[..., 1])
    return Forecast(
        moves.sum(axis=1), ways.sum(axis=1), np.broadcast_to(seconds, len(ways)), ways[:, 0] / np.maximum(first, 1e-9)
    )


@dataclass(frozen=True)
class PlannedExit:
    """A transition planned to begin at a generic time of the walk.

    Parameters
    ----------
    transition : the transition.
    phase : generic time of the walk at which it begins, increasing by 1 in each cycle.
    missed : metres by which the path will be too long or too short for the mark.
    """

    transition: Transition
    phase: float
    missed: float


@dataclass(frozen=True, eq=False)
class Exits:
    """The exits from a walk to the standing verb, at the present adverbs.

    Parameters
    ----------
    turning : exits at the values of the gait's table.
    straight : exits from straight walking.
    """

    turning: dict[Transition, Exit]
    straight: dict[Transition, Exit]


def exits_to(player: GraphPlayer, gait: Gait, target: str) -> Exits:
    """Return the exits by all transitions from the gait's verb directly to the verb `target`."""
    ways = [way for way in player.graph.leaving[gait.verb.name] if way.target == target]
    new = player.graph.verb(target)
    old = segment_rates(gait.verb, np.concatenate([gait.adverbs[None], gait.steered_adverbs()]))
    entered = segment_rates(new, adverbs_of(new, player.adverbs)[None])
    return Exits(
        {way: exit_at(way, gait.verb, new, old[1:], entered) for way in ways},
        {way: exit_at(way, gait.verb, new, old[:1], entered) for way in ways},
    )


def best_exit(
    found: Exits, phase: float, gait: Gait, metres: float, seconds_left: float | None, limits: Limits
) -> PlannedExit:
    """Return the best exit to end a path of `metres`: not late, near the mark, and with little change of the gait.

    Without a target time it is the soonest of the exits that end near the mark.

    Parameters
    ----------
    found : at least one exit.
    phase : generic time of the walk, increasing by 1 in each cycle.
    gait : the walk of the figure.
    metres : length of the path to the mark.
    seconds_left : seconds until the target time; None for as soon as possible.
    limits : of stride and tempo.
    """
    ways = list(found.straight.values())
    cycle = drift_between(gait.verb, ways[0].old_rates, np.array([0.0, 1.0]))[0, 0]
    far = metres / max(limits.stride[0] * math.hypot(float(cycle[0]), float(cycle[1])), TINY)
    count = max(math.ceil(far if seconds_left is None else seconds_left * limits.tempo[1] / float(cycle[4])), 0) + 2
    passes = np.arange(math.floor(phase), math.floor(phase) + count, dtype=np.float64)
    begins = np.concatenate([passes + way.transition.leaves.begin for way in ways])
    nodes = np.stack([np.full(len(begins), phase), begins], axis=1).reshape(-1)
    walked = drift_between(gait.verb, ways[0].old_rates, nodes)[0, ::2]
    through = np.stack([_straight_on(way) for way in ways]).repeat(count, axis=0)
    lengths = np.hypot(walked[:, 0], walked[:, 1]) + through[:, 0]
    missed, bent = _missed_by(lengths, metres, limits)
    costs = missed + bent + _time_costs(walked[:, 4] + through[:, 1], seconds_left, gait.speed, limits)
    costs[begins <= phase] = math.inf
    best = int(np.argmin(costs))
    return PlannedExit(ways[best // count].transition, begins.item(best), missed.item(best))


def _straight_on(leaving: Exit) -> Array:
    """Return metres and seconds (2,) of a whole transition in straight walking."""
    steps = blended_drift(leaving, 0.0)[0]
    return np.array([np.hypot(steps[:, 0], steps[:, 1]).sum(), leaving.seconds[0]])


def _missed_by(lengths: Array, metres: float, limits: Limits) -> tuple[Array, Array]:
    """Return by how many metres paths of `lengths` (n,) miss `metres`, and the costs of changing the stride."""
    stride = np.clip(metres / np.maximum(lengths, 1e-6), *limits.stride)
    missed = np.maximum(np.abs(metres - stride * lengths) - 0.5 * limits.nudge * stride * lengths, 0.0)
    return missed, BENT * np.log(stride) ** 2


def _time_costs(seconds: Array, seconds_left: float | None, speed: float, limits: Limits) -> Array:
    """Return the costs (n,) of paths of `seconds` (n,) at neutral tempo, with `seconds_left` until the target time."""
    if seconds_left is None:
        return speed * SOON * seconds
    tempo = np.clip(seconds / max(seconds_left, 1e-6), *limits.tempo)
    late, early = np.maximum(seconds / tempo - seconds_left, 0.0), np.maximum(seconds_left - seconds / tempo, 0.0)
    return speed * (LATE * late + EARLY * early) + BENT * np.log(tempo) ** 2
