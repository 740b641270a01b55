"""What may be laid over whatever a verb graph plays: the interface that players know of layers.

Layers themselves are in `core.layers`, above all players. A graph that has them hands them to each player that goes
through it, so that rows have them wherever they are made: under sliders, in performances and bakes, and below locks.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from ..figure.channels import Channels

Array = NDArray[np.float64]


class Below(NamedTuple):
    """Rows of what lies below the layers.

    Parameters
    ----------
    channels : meaning of the columns of the rows.
    times : (T,) seconds.
    values : (T, width) the rows, before the figure is raised by the ground.
    heights : (T,) of the ground under the root.
    phases : (2, T) generic time of the verb that plays, or is left in a transition, and of the one that is entered.
    weights : (T,) of the first of these two; 1 outside transitions.
    """

    channels: Channels
    times: Array
    values: Array
    heights: Array
    phases: Array
    weights: Array

    def part(self, rows: NDArray[np.intp]) -> "Below":
        """Return some of the rows, given by their indices in order; itself if they are all of them."""
        if len(rows) == len(self.times):
            return self
        times, values, heights, phases = self.times[rows], self.values[rows], self.heights[rows], self.phases[:, rows]
        return Below(self.channels, times, values, heights, phases, self.weights[rows])


class Overlay(Protocol):
    """What is laid over the rows of one player. Its time goes forward with the player's."""

    @property
    def playing(self) -> tuple[str, ...]:
        """Names of what is laid over the rows now, from the lowest to the highest."""
        ...

    def weights(self, times: Array) -> Mapping[str, Array]:
        """Return the weights (T,) at `times` (T,) of what may be laid over the rows, by name; for times see `laid`."""
        ...

    def command(self, time: float, what: object) -> None:
        """Hear a command to the player that is not to play a verb, at a time that has not been passed."""
        ...

    def play(self, until: float) -> None:
        """Play up to a time."""
        ...

    def laid(self, below: Below) -> Array:
        """Return rows (T, width) with what is laid over those below.

        Times may lie as far back as the beginning of the last `play` and a second more. Beyond the present everything
        stays as it is now.
        """
        ...

    def happened(self) -> Sequence[tuple[float, str, str, str, str]]:
        """Return what has happened since this was last called: the fields of a `Happening`."""
        ...

    def fork(self) -> "Overlay":
        """Return one that goes on by itself from the present."""
        ...


class Layers(Protocol):
    """Layers of a verb graph, from which an `Overlay` is made for each player."""

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the layers, from the lowest to the highest."""
        ...

    @property
    def plays(self) -> Mapping[str, object]:
        """What the layers play, by their names."""
        ...

    @property
    def sliders(self) -> Mapping[str, float]:
        """Adverbs by which layers are started and weighed, and those of what plays in them, at their defaults."""
        ...

    @property
    def heeds_places(self) -> bool:
        """Whether any of them depends on where the figure is, and not only on how it moves."""
        ...

    def overlay(self, adverbs: Mapping[str, float], settle: float) -> Overlay:
        """Return what is laid over the rows of a player. Layers begin at time 0, not before.

        Parameters
        ----------
        adverbs : values by name to begin with.
        settle : seconds in which adverbs settle.
        """
        ...
