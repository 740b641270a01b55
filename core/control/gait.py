"""The verb that a figure walks with, and how it may be steered at the adverbs of the moment."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..verb.rates import SteeringTable, steering_table
from ..verb.verb import Verb

Array = NDArray[np.float64]

_LEAST_SPEED, _LEAST_CURVATURE = 1e-3, 1e-6


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
