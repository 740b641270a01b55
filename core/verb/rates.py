"""How fast a verb goes and turns, as functions of its adverbs; and which value of one adverb turns as fast as asked."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import MOST_CHOICES, VerbError, quoted
from .travel import arc, compose
from .verb import Verb

Array = NDArray[np.float64]

_LEAST_LENGTH = 1e-3
"""Metres a cycle: what travels less has no curvature, and steers by its turn rate alone."""


@dataclass(frozen=True, eq=False)
class Rates:
    """What one cycle, or one whole motion, comes to at each of (...) settings of the adverbs.

    Parameters
    ----------
    seconds : (...) how long it lasts.
    travel : (..., 4) where it ends, seen from where it begins: x, y, heading and the height climbed.
    length : (...) metres along its way over the floor.
    course : (...) radians from the heading to the direction of travel, without jumps from 0.
    """

    seconds: Array
    travel: Array
    length: Array
    course: Array

    @property
    def speed(self) -> Array:
        """(...) metres a second over the floor."""
        return self.length / self.seconds

    @property
    def turn_rate(self) -> Array:
        """(...) radians a second, positive to the left."""
        return self.travel[..., 2] / self.seconds

    @property
    def curvature(self) -> Array:
        """(...) radians a metre, positive to the left; that of a motion on the spot is as of a millimetre's way."""
        return self.travel[..., 2] / np.maximum(self.length, _LEAST_LENGTH)


def segment_rates(verb: Verb, adverbs: ArrayLike) -> Array:
    """Drift, and seconds in the last column, (..., S, 5) of each segment at `adverbs` (..., D)."""
    return segments_of(verb, verb.weights(adverbs))


def segments_of(verb: Verb, weights: Array) -> Array:
    """Drift, and seconds in the last column, (..., S, 5) of each segment under `weights` (..., N)."""
    lengths = verb.phrasing.lengths(weights)
    return np.concatenate([np.tensordot(weights, verb.drifts, axes=1), lengths[..., None]], axis=-1)


def rates(verb: Verb, adverbs: ArrayLike) -> Rates:
    """Rates of `verb` at `adverbs` (..., D), each kept for a whole cycle."""
    return rates_of(verb, verb.weights(adverbs))


def rates_of(verb: Verb, weights: Array) -> Rates:
    """Rates of `verb` under `weights` (..., N), each kept for a whole cycle."""
    segments = segments_of(verb, weights)
    drifts = segments[..., :4]
    travel = np.zeros(drifts.shape[:-2] + (4,))
    for index in range(drifts.shape[-2]):
        travel = compose(travel, arc(drifts[..., index, :], np.ones(())))
    along = drifts[..., :2].sum(axis=-2)
    return Rates(
        seconds=segments[..., 4].sum(axis=-1),
        travel=travel,
        length=np.hypot(drifts[..., 0], drifts[..., 1]).sum(axis=-1),
        course=np.arctan2(along[..., 1], along[..., 0]),
    )


@dataclass(frozen=True, eq=False)
class SteeringTable:
    """Rates of a verb along one adverb, the others resting.

    Parameters
    ----------
    values : (K,) of the steering adverb, rising through its range.
    rates : at each of them.
    """

    values: Array
    rates: Rates

    @property
    def neutral(self) -> float:
        """The value that goes straight on, or turns least."""
        return self.for_turn_rate(0.0)

    def for_turn_rate(self, wanted: float) -> float:
        """The value that turns by `wanted` radians a second, or as near to it as the range goes."""
        return _inverse(self.values, self.rates.turn_rate, wanted)

    def for_curvature(self, wanted: float) -> float:
        """The value that turns by `wanted` radians a metre of way, or as near to it as the range goes."""
        return _inverse(self.values, self.rates.curvature, wanted)


def steering_table(verb: Verb, adverb: str, adverbs: ArrayLike, count: int = 17) -> SteeringTable:
    """Rates of `verb` throughout the range of `adverb`.

    Parameters
    ----------
    verb : the verb.
    adverb : the steering adverb.
    adverbs : (D,) where the others rest.
    count : K

    Raises
    ------
    VerbError
        If the verb has no such adverb.
    """
    if adverb not in verb.adverb_names:
        known = quoted(verb.adverb_names, MOST_CHOICES) or "none"
        raise VerbError(f"Verb '{verb.name}' has no adverb '{adverb}' to steer with. Choose one of its own: {known}.")
    axis = verb.adverb_names.index(adverb)
    span = verb.adverb_ranges[axis]
    values = np.linspace(float(span.min()), float(span.max()), count)
    points = np.tile(np.asarray(adverbs, dtype=np.float64), (count, 1))
    points[:, axis] = values
    return SteeringTable(values, rates(verb, points))


def _inverse(values: Array, results: Array, wanted: float) -> float:
    """Value with result `wanted`, on the stretch of rising or falling results that holds the one nearest to 0."""
    rising = np.sign(np.diff(results))
    home = int(np.argmin(np.abs(results)))
    first = last = home
    direction = rising[min(home, len(rising) - 1)] or rising[max(home - 1, 0)]
    if not direction:
        return float(values[home])
    while first > 0 and rising[first - 1] == direction:
        first -= 1
    while last < len(rising) and rising[last] == direction:
        last += 1
    stretch = slice(first, last + 1)
    order = 1 if direction > 0 else -1
    return float(np.interp(wanted, results[stretch][::order], values[stretch][::order]))
