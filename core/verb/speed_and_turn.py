"""Speed and turn rate of a verb as functions of its adverbs, and the adverb value for a requested turn rate."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import MOST_CHOICES, VerbError, quoted
from ..motion.travel import arc, compose
from .verb import Verb

Array = NDArray[np.float64]

_LEAST_LENGTH = 1e-3
"""Travel in metres per cycle below which a motion has no meaningful curvature and is steered by its turn rate."""


COUNT = 17
"""Number of values of an adverb at which its effect on the turn of a verb is measured."""


@dataclass(frozen=True, eq=False)
class Rates:
    """Duration and travel of one cycle, or one whole motion, at each of (...) adverb settings.

    Parameters
    ----------
    seconds : (...) its duration.
    travel : (..., 4) its end relative to its start: x, y, heading in radians and the height climbed.
    length : (...) metres along its path over the floor.
    course : (...) radians, in (-pi, pi], from the heading to the direction of travel.
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
        """(...) radians a metre, positive to the left; a motion on the spot counts as one millimetre long."""
        return self.travel[..., 2] / np.maximum(self.length, _LEAST_LENGTH)


def segment_rates(verb: Verb, adverbs: ArrayLike) -> Array:
    """Return (..., S, 5) for each segment at `adverbs` (..., D): its drift x, y, turn and climb, and its seconds.

    x, y (in the heading's frame) and climb are in performance units, the turn is in radians.
    """
    return segments_of(verb, verb.weights(adverbs))


def segments_of(verb: Verb, weights: Array) -> Array:
    """Return (..., S, 5) for each segment under `weights` (..., N), as `segment_rates` does."""
    lengths = verb.phrasing.lengths(weights)
    return np.concatenate([np.tensordot(weights, verb.drifts, axes=1), lengths[..., None]], axis=-1)


def rates(verb: Verb, adverbs: ArrayLike) -> Rates:
    """Return the rates of `verb` at `adverbs` (..., D), each setting held for a whole cycle."""
    return rates_of(verb, verb.weights(adverbs))


def rates_of(verb: Verb, weights: Array) -> Rates:
    """Return the rates of `verb` under `weights` (..., N), each setting held for a whole cycle."""
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
    """Rates of a verb over the range of one adverb, the steering adverb, with the others fixed.

    Parameters
    ----------
    values : (K,) values of the steering adverb, increasing over its range.
    rates : of the verb at each of them.
    """

    values: Array
    rates: Rates

    @property
    def neutral(self) -> float:
        """Value of the steering adverb at which the verb goes straight on, or turns least."""
        return self.for_turn_rate(0.0)

    def for_turn_rate(self, wanted: float) -> float:
        """Return the value whose turn rate is nearest to `wanted` radians a second, positive to the left."""
        return _inverse(self.values, self.rates.turn_rate, wanted)

    def for_curvature(self, wanted: float) -> float:
        """Return the value whose curvature is nearest to `wanted` radians a metre, positive to the left."""
        return _inverse(self.values, self.rates.curvature, wanted)


def steering_table(verb: Verb, adverb: str, adverbs: ArrayLike) -> SteeringTable:
    """Return the rates of `verb` at evenly spaced values over the range of one of its adverbs.

    Parameters
    ----------
    verb : the verb.
    adverb : name of the steering adverb.
    adverbs : (D,) values of all adverbs; that of the steering adverb does not matter.

    Raises
    ------
    VerbError
        If the verb has no such adverb.
    """
    if adverb not in verb.adverb_names:
        known = quoted(verb.adverb_names, MOST_CHOICES) or "none"
        raise VerbError(
            f"Verb '{verb.name}' has no adverb '{adverb}' to steer with. Choose one of its adverbs: {known}."
        )
    axis = verb.adverb_names.index(adverb)
    span = verb.adverb_ranges[axis]
    values = np.linspace(float(span.min()), float(span.max()), COUNT)
    points = np.tile(np.asarray(adverbs, dtype=np.float64), (COUNT, 1))
    points[:, axis] = values
    return SteeringTable(values, rates(verb, points))


def _inverse(values: Array, results: Array, wanted: float) -> float:
    """Return the value whose result is `wanted`, interpolated between `values` (K,) with `results` (K,).

    Only the monotonic stretch of results that contains the result nearest to 0 is searched.
    """
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
