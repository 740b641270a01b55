"""The interface of layers that players see: motion that is overlaid on whatever a verb graph plays.

The layers themselves are in `core.layers`, which depends on the players. A graph with layers passes them to each of its
players, so that rows include them wherever they are made: under sliders, in performances and bakes, and before locks.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from ..figure.channels import Channels

Array = NDArray[np.float64]


class Below(NamedTuple):
    """Rows of the motion below the layers.

    Parameters
    ----------
    channels : meaning of the columns of the rows.
    times : (T,) seconds.
    values : (T, width) the rows, before the figure is raised to the ground.
    heights : (T,) heights of the ground under the root.
    phases : (2, T) generic times of the verb that plays or is being left, and of the one that is being entered.
    weights : (T,) weights of the verb that plays or is being left; 1 outside transitions.
    """

    channels: Channels
    times: Array
    values: Array
    heights: Array
    phases: Array
    weights: Array

    def part(self, rows: NDArray[np.intp]) -> "Below":
        """Return the rows with the given indices, which are in order; this object itself if they are all its rows."""
        if len(rows) == len(self.times):
            return self
        times, values, heights, phases = self.times[rows], self.values[rows], self.heights[rows], self.phases[:, rows]
        return Below(self.channels, times, values, heights, phases, self.weights[rows])


class Overlay(Protocol):
    """Motion overlaid on the rows of one player. Its time advances with the player's."""

    @property
    def playing(self) -> tuple[str, ...]:
        """Names of the layers that play now, from the lowest to the highest."""
        ...

    def weights(self, times: Array) -> Mapping[str, Array]:
        """Return the weights (T,) of the layers by name at `times` (T,); for the times see `laid`."""
        ...

    def command(self, time: float, what: object) -> None:
        """Handle a command to the player that does not play a verb, at the present time or later."""
        ...

    def play(self, until: float) -> None:
        """Advance to a time."""
        ...

    def laid(self, below: Below) -> Array:
        """Return rows (T, width) with the layers over those below.

        Times may go back to one second before the beginning of the last `play`. Beyond the present everything is
        held as it is now.
        """
        ...

    def happened(self) -> Sequence[tuple[float, str, str, str, str]]:
        """Return the events since the last call, as fields of a `Happening`."""
        ...

    def fork(self) -> "Overlay":
        """Return an independent copy that continues from the present."""
        ...


class Layers(Protocol):
    """Layers of a verb graph, from which an `Overlay` is made for each player."""

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the layers, from the lowest to the highest."""
        ...

    @property
    def plays(self) -> Mapping[str, object]:
        """What the layers play, by layer name."""
        ...

    @property
    def sliders(self) -> Mapping[str, float]:
        """Default values of the adverbs that start and weight layers, and of the adverbs of what they play."""
        ...

    @property
    def heeds_places(self) -> bool:
        """Whether any layer depends on the figure's position, and not only on its pose."""
        ...

    def overlay(self, adverbs: Mapping[str, float], settle: float) -> Overlay:
        """Return the overlay of one player. Layers begin at time 0, not before.

        Parameters
        ----------
        adverbs : initial values by name.
        settle : settling time of adverbs in seconds.
        """
        ...
