"""Gestures in a layer: a plan is laid over whatever a figure does below, so that it talks while it walks.

What no gesture moves at a time is as it is below, and so the layer may play all the while. New words take the place of
the rest of the plan from the moment on at which they are said. Over its gestures
lies the gaze that goes with the words.
"""

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from functools import cached_property
from math import inf

import numpy as np
from numpy.typing import NDArray

from ..errors import GestureError, quoted
from ..figure import quaternion as quat
from ..figure.channels import Channels, columns_in, matched
from ..graph.overlay import Below
from ..play.player import AskAdverbs, Handles
from .body_planner import Manners, Request
from .gazing import Gazing
from .interrupting import interrupted
from .plan import Plan

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class PlaysPlan:
    """A plan of gestures that a layer plays: what a layer `Plays`.

    Parameters
    ----------
    plan : the plan, with one gesture or more; its times are those of the figure below.
    manners : how gestures follow one another if it is interrupted.
    reference : rotation (4,) of the root at heading 0, in the gestures' motions.
    adverbs : adverbs that colour the gestures, at their defaults. Whoever moves one makes another plan.
    gazing : the gaze that goes with the words, None for none; the plan has all that it turns, if only at rest.
    """

    plan: Plan
    manners: Manners
    reference: Array = field(default_factory=quat.IDENTITY.copy)
    adverbs: Mapping[str, float] = field(default_factory=dict[str, float])
    gazing: Gazing | None = None

    @property
    def heeds_places(self) -> bool:
        """Whether it depends on where the figure is."""
        return self.gazing is not None

    @property
    def channels(self) -> Channels:
        """What the columns of its rows mean."""
        return self.plan.schedule.channels

    @property
    def usual(self) -> Array:
        """Rows (K, width) that it has at its beginning and at each emphasis."""
        return self._usual

    @cached_property
    def _usual(self) -> Array:
        schedule = self.plan.schedule
        return schedule.sample([schedule.start, *(one.sync["stroke"] for one in self.plan.placed)])

    def begin(self, time: float, adverbs: Mapping[str, float], settle: float) -> "PlanPlayer":
        """Return what plays it; it is at `time` where it would be if it had been played all along."""
        return PlanPlayer(self.plan, self.manners, time, self.gazing)


class PlanPlayer:
    """Plays a plan of gestures in a layer: a `LayerPlayer`.

    Parameters
    ----------
    plan : with one gesture or more.
    manners : how gestures follow one another if it is interrupted.
    time : seconds at which it begins.
    gazing : as of `PlaysPlan`.
    """

    def __init__(self, plan: Plan, manners: Manners, time: float, gazing: Gazing | None = None) -> None:
        self._manners, self._time, self._ends, self._gazing = manners, time, inf, gazing
        self._plans: list[tuple[float, Plan]] = [(-inf, plan)]
        self._channels = plan.schedule.channels
        self._columns: tuple[Channels, NDArray[np.intp]] | None = None

    @property
    def channels(self) -> Channels:
        """What the columns of its rows mean."""
        return self._channels

    def hear(self, time: float, what: AskAdverbs | Handles) -> None:
        """Go on: a plan has no adverbs, and words keep their times at any tempo."""

    def say(self, requests: Sequence[Request]) -> Plan:
        """Put other words in the place of the rest of the plan from the present on, and return the plan for them.

        Raises
        ------
        GestureError
            See `interrupted`; or if the new words move what no gesture of the plan did with which the layer began.
        """
        made = interrupted(self._plans[-1][1], self._time, requests, self._manners)
        theirs = made.schedule.channels
        lacking = matched(theirs.listing, self._channels.listing).lacking
        if lacking:
            told = quoted(theirs.titles[place] for place in lacking)
            raise GestureError(
                f"The new words move {told}, which no gesture did with which the layer began. "
                "Choose gestures for them that move the same bones."
            )
        self._plans.append((self._time, made))
        return made

    def play(self, until: float) -> None:
        """Play up to a time."""
        self._time = max(self._time, until)

    def left(self) -> float:
        """Return the seconds until it is over by itself; infinite until it is told to finish."""
        return max(self._ends - self._time, 0.0)

    def forget(self, before: float) -> None:
        """Forget the plans of which none is left at a time."""
        while len(self._plans) > 1 and self._plans[1][0] <= before:
            self._plans.pop(0)

    def finish(self) -> None:
        """Fall silent: a stroke that has begun is finished, the hands relax, and eyes and head let go."""
        silent = self.say(())
        self._ends = max((one.end for one in silent.placed), default=self._time)
        if self._gazing is not None:
            self._gazing = self._gazing.stopped(self._time)
            self._ends = max(self._ends, self._gazing.over)

    def again(self) -> None:
        """Go on, without any words that were not said before it was told to finish."""
        self._ends = inf

    def rows(self, below: Below) -> Array:
        """Return rows (T, width of its channels) with gestures and gaze laid over what lies below, at its times."""
        if self._columns is None or self._columns[0] is not below.channels:
            self._columns = below.channels, columns_in(self._channels, below.channels)
        values = below.values[:, self._columns[1]]
        begins = np.array([begin for begin, _ in self._plans])
        which = np.searchsorted(begins, below.times, side="right") - 1
        for number, (_, plan) in enumerate(self._plans):
            rows = np.flatnonzero(which == number)
            if len(rows) and plan.entries:
                values[rows] = plan.schedule.laid(below.times[rows], values[rows])
        return values if self._gazing is None else self._gazed(self._gazing, below, values, self._columns[1])

    def _gazed(self, gazing: Gazing, below: Below, values: Array, columns: NDArray[np.intp]) -> Array:
        """Return rows (T, width of its channels) with a gaze laid over the gestures, which are in some columns."""
        whole = below.values.copy()
        whole[:, columns] = values
        return gazing.laid(below.channels, below.times, whole, below.heights)[:, columns]

    def fork(self) -> "PlanPlayer":
        """Return one that goes on by itself from the present."""
        made = copy(self)
        made._plans = list(self._plans)
        return made
