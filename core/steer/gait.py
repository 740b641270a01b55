"""The verb that a figure walks with, and how it may be steered at the adverbs of the moment."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..verb.rates import SteeringTable, steering_table
from ..verb.verb import Verb

Array = NDArray[np.float64]

_LEAST_SPEED, _LEAST_CURVATURE = 1e-3, 1e-6
_LEAST_TURN = 1e-3
"""Radians a second between the ends of an adverb's range below which it is no matter of turning."""


@dataclass(frozen=True, eq=False)
class Gait:
    """A verb at the adverbs of the moment, the steering adverb left open.

    Parameters
    ----------
    verb : the verb.
    adverbs : (D,) with the steering adverb where it goes straight on.
    axis : of the steering adverb.
    table : rates along it.
    neutral : value of the steering adverb that goes straight on.
    speed : metres a second straight on, handles neutral.
    course : radians from the heading to where it goes.
    tightest : curvature of the tightest turn to the right and to the left, both positive, in radians a metre.
    """

    verb: Verb
    adverbs: Array
    axis: int
    table: SteeringTable
    neutral: float
    speed: float
    course: float
    tightest: tuple[float, float]

    def turned(self) -> Array:
        """Adverbs (K, D) at each value of the table."""
        points = np.tile(self.adverbs, (len(self.table.values), 1))
        points[:, self.axis] = self.table.values
        return points


def adverbs_of(verb: Verb, values: Mapping[str, float]) -> Array:
    """The `values` (D,) of those adverbs that the verb knows."""
    return np.array([values[name] for name in verb.adverb_names])


def gait_of(verb: Verb, adverb: str, values: Mapping[str, float]) -> Gait:
    """How `verb` walks with the adverbs `values`, steered by `adverb`, which it must know."""
    point = adverbs_of(verb, values)
    axis = verb.adverb_names.index(adverb)
    table = steering_table(verb, adverb, point)
    point[axis] = table.neutral
    curvature = table.rates.curvature
    return Gait(
        verb=verb,
        adverbs=point,
        axis=axis,
        table=table,
        neutral=table.neutral,
        speed=max(float(np.interp(table.neutral, table.values, table.rates.speed)), _LEAST_SPEED),
        course=float(np.interp(table.neutral, table.values, table.rates.course)),
        tightest=(max(-float(curvature.min()), _LEAST_CURVATURE), max(float(curvature.max()), _LEAST_CURVATURE)),
    )


def leftward(verbs: Iterable[Verb], adverb: str, values: Mapping[str, float]) -> int:
    """Which way to move an adverb so that a figure turns more to the left: 1 is up, -1 is down.

    The first of `verbs` that turns along the adverb decides, by the slope of its turn rate. Where none does, to raise
    it counts as turning to the right, as a slider drawn to the right is raised.

    Parameters
    ----------
    verbs : those that count, the most important first.
    adverb : the one that is moved.
    values : of all adverbs, by name.
    """
    for verb in verbs:
        if adverb in verb.adverb_names:
            table = steering_table(verb, adverb, adverbs_of(verb, values))
            lean = float(np.dot(table.values - table.values.mean(), table.rates.turn_rate))
            if np.ptp(table.rates.turn_rate) > _LEAST_TURN and lean != 0.0:
                return 1 if lean > 0.0 else -1
    return -1
