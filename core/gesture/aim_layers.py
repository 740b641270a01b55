"""Looking at a place as what plays in a layer: a procedural source of motion, on top of whatever lies below.

It is computed from the rows below it ([Kallmann2005] sections 3 and 4), so that a figure that walks, turns or leans
looks at the place all the same. Where the place is, three sliders say, which settle as adverbs do.
"""

from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass, field
from functools import lru_cache
from math import inf

import numpy as np
from numpy.typing import NDArray

from ..aim.gaze import Gaze, look_at
from ..figure import quaternion as quat
from ..figure.channels import Channels, columns_in
from ..graph.overlay import Below
from ..layers.weight_sliders import WeightSliders, next_tick
from ..play.player import AskAdverbs, Handles

Array = NDArray[np.float64]


@lru_cache(maxsize=16)
def _columns(own: Channels, whole: Channels) -> NDArray[np.intp]:
    """Return where each column of `own` is among those of `whole`; found once for the same channels."""
    return columns_in(own, whole)


def _ahead() -> Array:
    return np.array([0.0, -5.0, 1.6])


@dataclass(frozen=True, eq=False)
class PlaysGaze:
    """A look at a place that a layer plays, until it is stopped: what a layer `Plays`.

    Parameters
    ----------
    name : of the look, and of its sliders ``'NAME x'``, ``'NAME y'`` and ``'NAME z'``, which say where the place is in
        performance space.
    gaze : what turns.
    reference : rotation (4,) of the root at heading 0.
    place : (3,) where the place is to begin with.
    """

    name: str
    gaze: Gaze
    reference: Array
    place: Array = field(default_factory=_ahead)

    @property
    def channels(self) -> Channels:
        """What the columns of its rows mean: the root, of which it says nothing, and the joints that turn."""
        skeleton = self.gaze.own.skeleton
        rotating = np.array(sorted({0, *(joint for joint, _ in self.gaze.own.channels)}), dtype=np.intp)
        return Channels(skeleton, rotating, (), np.tile(quat.IDENTITY, (len(skeleton.names), 1)))

    @property
    def adverbs(self) -> Mapping[str, float]:
        """The sliders of the place."""
        return {f"{self.name} {axis}": float(value) for axis, value in zip("xyz", self.place, strict=True)}

    @property
    def usual(self) -> Array:
        """One row (1, width), in which the figure looks ahead."""
        channels = self.channels
        row = np.concatenate([np.zeros(6), np.tile(quat.IDENTITY, len(channels.rotating))])[None]
        row[:, 6:10] = self.reference
        return row

    def begin(self, time: float, adverbs: Mapping[str, float], settle: float) -> "GazePlayer":
        """Return what plays it from `time` on."""
        return GazePlayer(self, {name: adverbs.get(name, value) for name, value in self.adverbs.items()}, settle)


class GazePlayer:
    """Plays a look at a place in a layer, without end: a `LayerPlayer`.

    Parameters
    ----------
    plays : what it plays.
    place : values of the sliders of the place to begin with.
    settle : seconds in which they settle.
    """

    def __init__(self, plays: PlaysGaze, place: Mapping[str, float], settle: float) -> None:
        self._plays, self._channels, self._time = plays, plays.channels, 0.0
        self._place = WeightSliders(place, settle, (-inf, inf))

    @property
    def channels(self) -> Channels:
        """What the columns of its rows mean."""
        return self._channels

    def hear(self, time: float, what: AskAdverbs | Handles) -> None:
        """Hear where the place is to be from the present time on."""
        if isinstance(what, AskAdverbs):
            self._place.hear(time, what)

    def play(self, until: float) -> None:
        """Play up to a time."""
        while (tick := next_tick(self._time)) <= until:
            self._place.step(tick)
            self._time = tick

    def left(self) -> float:
        """Return the seconds until it is over by itself, which it never is."""
        return inf

    def forget(self, before: float) -> None:
        """Forget where the place was before a time."""
        self._place.forget(before)

    def finish(self) -> None:
        """Go on, for a look has no end of its own; its layer fades it out."""

    def again(self) -> None:
        """Go on, as it has not ended."""

    def rows(self, below: Below) -> Array:
        """Return rows (T, width of its channels) in which the figure below looks at the place."""
        places = np.stack([self._place.at(name, below.times) for name in self._plays.adverbs], axis=-1)
        places[:, 2] -= below.heights
        made = look_at(self._plays.gaze, below.channels, below.values, places)
        return made.rows[:, _columns(self._channels, below.channels)]

    def fork(self) -> "GazePlayer":
        """Return one that goes on by itself from the present."""
        made = copy(self)
        made._place = self._place.copy()
        return made
