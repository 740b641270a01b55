"""Which transition to leave a walk by, and on which of its cycles, to stand on a mark in time."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..graph.transition import Transition
from ..verb.rates import segment_rates
from .forecast import Exit, exit_at, faded, passed
from .gait import Gait, adverbs_of
from .helm import Limits, Steerable

Array = NDArray[np.float64]

TINY = 1e-3
LATE, EARLY, BENT, SOON = 10.0, 0.05, 0.02, 0.001
"""What a second of being late or early costs, in seconds of walking, and what bending the gait costs, in metres.

Without a time to keep, what a second more costs in seconds of walking.
"""


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
    through = np.stack([_through(way) for way in ways]).repeat(count, axis=0)
    lengths = np.hypot(walked[:, 0], walked[:, 1]) + through[:, 0]
    missed, bent = _missed(lengths, need, limits)
    costs = missed + bent + _costs(walked[:, 4] + through[:, 1], left, gait.speed, limits)
    costs[begins <= phase] = math.inf
    best = int(np.argmin(costs))
    return Leave(ways[best // count].transition, begins.item(best), missed.item(best))


def _through(way: Exit) -> Array:
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
