"""Measures: numbers and points that can be read off a verb's motions, many motions at once."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..figure.channels import climb, world_points
from ..verb.rates import Rates, rates_of
from ..verb.travel import arc, compose
from ..verb.verb import Verb

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Measure:
    """What is read off each motion of a verb: x_e(p) in [Rose2001] section 4.

    Parameters
    ----------
    labels : (M,) how to call its components to the user.
    units : (M,) of each; lengths are in performance units.
    of_weights : from a verb and weights (B, N) of its examples to (B, M).
    joints : that it reads, where it reads some.
    """

    labels: tuple[str, ...]
    units: tuple[str, ...]
    of_weights: Callable[[Verb, Array], Array]
    joints: tuple[int, ...] = ()

    def at(self, verb: Verb, adverbs: ArrayLike) -> Array:
        """Values (B, M) of `verb` at `adverbs` (B, D)."""
        return self.of_weights(verb, verb.weights(adverbs))

    def of_examples(self, verb: Verb) -> Array:
        """Values (N, M) of the examples as the verb plays them."""
        return self.of_weights(verb, np.eye(len(verb.example_names)))


def combine(*measures: Measure) -> Measure:
    """All components of `measures`, one measure after the other."""

    def of_weights(verb: Verb, weights: Array) -> Array:
        """Values (B, M) of all of them."""
        return np.concatenate([measure.of_weights(verb, weights) for measure in measures], axis=-1)

    labels = tuple(label for measure in measures for label in measure.labels)
    units = tuple(unit for measure in measures for unit in measure.units)
    return Measure(labels, units, of_weights, tuple(joint for measure in measures for joint in measure.joints))


def end_effector(
    joint: int, offset: ArrayLike, phase: float, world: bool = False, axes: Sequence[int] = (0, 1, 2)
) -> Measure:
    """Where a point is at one moment.

    Parameters
    ----------
    joint, offset : the point: (3,) in the joint's frame.
    phase : the moment in generic time from 0 to 1; the keytimes' are in the verb's phrasing.
    world : whether travel since the start is counted; if not, the point is given in the heading's frame.
    axes : components that count; `(2,)` is the height alone.
    """
    place, chosen = np.asarray(offset, dtype=np.float64), list(axes)

    def of_weights(verb: Verb, weights: Array) -> Array:
        """Values (B, M) of the point."""
        values = verb.sample_phases(np.full(len(weights), phase), weights)
        if world:
            path = travel_at(verb, weights, phase)
            values[:, :3] = path[:, :3]
            climb(verb.channels, values, path[:, 3])
        return world_points(verb.channels, values, joint, place)[:, chosen]

    return Measure(tuple("xyz"[axis] for axis in chosen), ("m",) * len(chosen), of_weights, (joint,))


def travel_at(verb: Verb, weights: Array, phase: float) -> Array:
    """Travel (B, 4) from the start to generic time `phase` within the first cycle, under `weights` (B, N)."""
    drifts = np.tensordot(weights, verb.drifts, axes=1)
    generic = verb.phrasing.generic
    shares = np.clip((phase - generic[:-1]) / np.diff(generic), 0.0, 1.0)
    path = np.zeros((len(weights), 4))
    for index, share in enumerate(shares):
        path = compose(path, arc(drifts[:, index], share))
    return path


def speed() -> Measure:
    """Metres a second over the floor."""
    return _of_rates("speed", "m/s", lambda found: found.speed)


def turn_rate() -> Measure:
    """Radians a second, positive to the left."""
    return _of_rates("turn rate", "rad/s", lambda found: found.turn_rate)


def slope() -> Measure:
    """Radians by which the way rises."""
    return _of_rates("slope", "rad", lambda found: np.arctan2(found.travel[..., 3], found.length))


def _of_rates(label: str, unit: str, choose: Callable[[Rates], Array]) -> Measure:
    def of_weights(verb: Verb, weights: Array) -> Array:
        """Values (B, 1) of one rate."""
        return choose(rates_of(verb, weights))[:, None]

    return Measure((label,), (unit,), of_weights)
