"""Gestures in a layer: a plan is applied over any motion below, and can be interrupted by new words."""

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import inf

import numpy as np
from numpy.typing import NDArray

from ..errors import GestureError, quoted
from ..figure import quaternion as quat
from ..figure.channels import Channels, columns_in, matched
from ..graph.overlay import Below
from ..motion.clip_operators import Part
from ..play.player import AskAdverbs, AskPlays, Handles
from .body_planner import Before, Chosen, Manners, Request
from .gazing import Gazing, Glance
from .gesture import END, RELAX, START, STROKE_END, STROKE_START, poses_of
from .plan import APART, Arrival, Placed, Plan, arriving, placed_of, plan_of, plan_with, waiting
from .schedule import Rest, moved
from .ways_between import farthest, hands_of

BRAKES = 0.25
"""Seconds in which an interrupted preparation comes to rest."""
SHORT, SLOWEST = 1e-5, 1e-3
"""Seconds over which the rate of a time warp is measured, and the minimum rate that is assumed."""


def interrupted(plan: Plan, time: float, requests: Sequence[Request], manners: Manners) -> Plan:
    """Return the plan that is valid from a time on, if new words replace the rest of a plan then.

    The playing motion continues from its pose and speed: a stroke that has begun is finished, a preparation is broken
    off. Before `time` the interrupted plan remains valid.

    Parameters
    ----------
    plan : the interrupted plan.
    time : seconds.
    requests : the new words; none to stop speaking.
    manners : as for `plan_of`.

    Raises
    ------
    GestureError
        See `choose`.
    """
    rest = Rest(plan.schedule.channels, plan.schedule.resting) if plan.entries else plan.rest
    begun = [one for one in plan.placed if one.begin < time]
    if not begun or begun[-1].end <= time:
        return replace(plan_of(requests, manners, Before(time)), rest=rest)
    first_running = next(n for n, one in enumerate(begun) if one.end > time)
    *running, last = begun[first_running:]
    alone = _left(last, time, None)
    ready = max(time, alone.sync.get("stroke_end", time))
    rests = ready
    if alone is last:  # It already relaxes.
        rests = alone.end
    elif not alone.sync:  # Its preparation is broken off.
        rests = time + BRAKES
    goes_on = plan_with((*running, alone), plan.choice, manners, rest)
    made = plan_of(requests, manners, _present(goes_on, ready, rests, manners))
    first = made.choice.kept[:1]
    rested = plan_of(requests, manners, Before(alone.end)) if first and first[0].spare > manners.patience else None
    if rested is not None and len(rested.placed) >= len(made.placed):
        made, first = rested, ()
    left = last if last.relaxes and last.go <= alone.go else alone
    if first:
        left = _left(last, time, (first[0], arriving(first[0])))
    return plan_with((*running, left, *made.placed), made.choice, manners, rest)


def _present(plan: Plan, time: float, rests: float, manners: Manners) -> Before:
    """Return the pose of a plan at a time, its speed, and the pose when it has come to rest."""
    moves = np.max([moved(entry) for entry in plan.entries], axis=0)
    turns, places = poses_of(plan.schedule.channels, plan.schedule.sample([time, time + SHORT, rests]), moves)
    hands = hands_of([one.chosen.gesture for one in plan.placed])
    angle, way = quat.angle_between(turns[0], turns[1]).max(), farthest(places[0, hands], places[1, hands])
    moving = manners.pace.seconds(angle, way, 1.0) / SHORT
    return Before(time, turns[[0, 2]], places[[0, 2]], float(moving))


def _left(one: Placed, time: float, after: tuple[Chosen, Arrival] | None) -> Placed:
    """Return how a gesture that plays at a time continues if new words follow it."""
    if one.relaxes and time >= one.go:
        return one
    before, now, then = one.motion.own(time + SHORT * np.array([-1.0, 0.0, 1.0])).tolist()
    rate = 2.0 * SHORT / max(then - before, SHORT * SLOWEST)
    own, since = one.chosen.gesture.sync.tolist(), (now, time)
    if now >= own[STROKE_START] and one.sync:
        arrival = Arrival(one.begin, one.come, (since,), one.sync)
        return replace(placed_of(one.chosen, arrival, after, since), rate=rate)
    stop = min(max(now + 0.5 * BRAKES / rate, now + APART), own[STROKE_END])
    held = replace(
        one.chosen, gesture=replace(one.chosen.gesture, motion=Part(own[START], stop, one.chosen.gesture.motion))
    )
    go, end = time + BRAKES, time + BRAKES + own[END] - own[RELAX]
    if after is not None:
        go, end = after[1].begin, after[1].come
    keys = (since, (stop, time + BRAKES))
    return Placed(held, keys, {}, one.begin, one.come, go, end, after is None, rate)


Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Saying:
    """Words that replace the rest of a plan.

    Parameters
    ----------
    time : time in seconds at which they become known.
    requests : the words' gestures.
    manners : how gestures follow one another from then on.
    plan : the plan from then on, if the previous plan was played up to then.
    """

    time: float
    requests: tuple[Request, ...]
    manners: Manners
    plan: Plan


@dataclass(frozen=True, eq=False)
class PlaysPlan:
    """A plan of gestures that a layer plays; it implements `Plays`.

    Parameters
    ----------
    plan : the plan; its times are those of the figure below. If it has no gesture, it defines the figure's rest pose.
    manners : how gestures follow one another if it is interrupted.
    reference : rotation (4,) of the root at heading 0, in the gestures' motions.
    adverbs : adverbs that modify the gestures, at their defaults. Moving one requires a new plan.
    gazing : the gaze on the words, None for none; the plan includes all joints that it rotates, at least at rest.
    later : words that replace the rest of it, in order of time.
    """

    plan: Plan
    manners: Manners
    reference: Array = field(default_factory=quat.IDENTITY.copy)
    adverbs: Mapping[str, float] = field(default_factory=dict[str, float])
    gazing: Gazing | None = None
    later: tuple[Saying, ...] = ()

    @property
    def heeds_places(self) -> bool:
        """Whether it depends on the figure's position."""
        return self.gazing is not None

    @property
    def channels(self) -> Channels:
        """Meaning of the columns of its rows."""
        return self.plan.schedule.channels

    @property
    def usual(self) -> Array:
        """Rows (K, width) at its beginning and at each emphasis."""
        return self._usual

    @cached_property
    def _usual(self) -> Array:
        schedule = self.plan.schedule
        return schedule.sample([schedule.start, *(one.sync["stroke"] for one in self.plan.placed)])

    def begin(self, time: float, adverbs: Mapping[str, float], settle: float) -> "PlanPlayer":
        """Return a player; at `time` it is where it would be if it had been played from the start."""
        return PlanPlayer(self, time)

    @property
    def plans(self) -> tuple[Plan, ...]:
        """The plan, and those that replace it in turn."""
        return self.plan, *(one.plan for one in self.later)

    def said(
        self,
        time: float,
        requests: Sequence[Request],
        manners: Manners,
        from_rest: bool = False,
        glances: Sequence[Glance] = (),
    ) -> "PlaysPlan":
        """Return the layer's plan with further words, which replace the rest of its latest plan from a time on.

        Parameters
        ----------
        time : seconds.
        requests, manners : as for `interrupted`.
        from_rest : whether the layer does not play at that time, so that nothing of the plan continues.
        glances : glances on the words; only if the plan has a gaze.

        Raises
        ------
        GestureError
                See `interrupted`; or if the new words move something that no gesture of the plan moved, or have glances
                while the plan has no gaze.
        """
        if glances and self.gazing is None:
            raise GestureError(
                f"{glances[0].told} cannot be added while performing, because no word had a look when the performance "
                "began. Leave out the look, or give a word a look before performing."
            )
        former = self.plans[-1]
        if from_rest:
            former = replace(waiting(former), placed=(), entries=())
        made = interrupted(former, time, requests, manners)
        _check_moved(made, self.channels)
        gazing = self.gazing.followed(time, glances) if self.gazing is not None else None
        return replace(self, later=(*self.later, Saying(time, tuple(requests), manners, made)), gazing=gazing)

    def placed(self) -> list[tuple[int, Placed]]:
        """Return the gestures of all plans that are played in the end.

        Returns
        -------
        For each gesture, the number of its request, counted over all words in order, and the gesture placed in time.
        """
        found, first = list[tuple[int, Placed]](), 0
        for number, plan in enumerate(self.plans):
            if number:
                begun = [one for one in found if one[1].begin < self.later[number - 1].time]
                goes_on = plan.placed[: len(plan.placed) - len(plan.choice.kept)]
                past = begun[: len(begun) - len(goes_on)]
                left = begun[len(begun) - len(goes_on) :]
                found = past + [(request, one) for (request, _), one in zip(left, goes_on, strict=True)]
            own = plan.placed[len(plan.placed) - len(plan.choice.kept) :]
            found += [(first + one.chosen.request, one) for one in own]
            first += len(plan.choice.kept) + len(plan.choice.dropped)
        return found

    def dropped(self) -> list[int]:
        """Return the numbers of the requests that do not fit into their plan, counted as in `placed`."""
        found, first = list[int](), 0
        for plan in self.plans:
            found += [first + number for number in plan.choice.dropped]
            first += len(plan.choice.kept) + len(plan.choice.dropped)
        return found


def _check_moved(plan: Plan, known: Channels) -> None:
    """Check that a plan moves only known channels."""
    theirs = plan.schedule.channels
    lacking = matched(theirs.listing, known.listing).lacking
    if lacking:
        told = quoted(theirs.titles[place] for place in lacking)
        raise GestureError(
            f"The gestures of the new words move {told}, which the gesture layer did not include when it started. "
            "Choose gestures that move the same bones."
        )


class PlanPlayer:
    """Plays a plan of gestures in a layer: a `LayerPlayer`.

    Parameters
    ----------
    plays : the plan, and the words that replace the rest of it.
    time : start time in seconds.
    """

    def __init__(self, plays: PlaysPlan, time: float) -> None:
        self._plays, self._manners, self._time, self._ends = plays, plays.manners, -inf, inf
        self._plans: list[tuple[float, Plan]] = [(-inf, plays.plan)]
        self._heard, self._gazing = 0, plays.gazing
        self._channels = plays.channels
        self._columns: tuple[Channels, NDArray[np.intp]] | None = None
        self.play(time)

    @property
    def channels(self) -> Channels:
        """Meaning of the columns of its rows."""
        return self._channels

    def hear(self, time: float, what: AskAdverbs | AskPlays | Handles) -> None:
        """Handle new words from now on; a plan has no adverbs, and words keep their times at any tempo."""
        if isinstance(what, AskPlays) and isinstance(what.plays, PlaysPlan):
            self._plays = what.plays
            self._gazing = what.plays.gazing if self._ends == inf else self._gazing
            self.play(time)

    def say(self, requests: Sequence[Request]) -> Plan:
        """Replace the rest of the plan by new words from the present on, and return the plan for them.

        Raises
        ------
        GestureError
            See `interrupted`; or if the new words move something that no gesture of the initial plan moved.
        """
        made = interrupted(self._plans[-1][1], self._time, requests, self._manners)
        _check_moved(made, self._channels)
        self._plans.append((self._time, made))
        return made

    def play(self, until: float) -> None:
        """Advance to a time, and start words that are due on the way."""
        while self._heard < len(self._plays.later) and self._plays.later[self._heard].time <= until:
            saying, former = self._plays.later[self._heard], self._plays.plans[self._heard]
            self._time, self._manners, self._heard = max(self._time, saying.time), saying.manners, self._heard + 1
            if self._plans[-1][1] is former:
                self._plans.append((self._time, saying.plan))
            else:
                self.say(saying.requests)
        self._time = max(self._time, until)

    def left(self) -> float:
        """Return the seconds until it ends by itself; infinite until it is commanded to finish."""
        return max(self._ends - self._time, 0.0)

    def forget(self, before: float) -> None:
        """Discard the plans that are over at a time."""
        while len(self._plans) > 1 and self._plans[1][0] <= before:
            self._plans.pop(0)

    def finish(self) -> None:
        """Stop speaking: a stroke that has begun is finished, the hands relax, and eyes and head return."""
        silent = self.say(())
        self._ends = max((one.end for one in silent.placed), default=self._time)
        if self._gazing is not None:
            self._gazing = self._gazing.stopped(self._time)
            self._ends = max(self._ends, self._gazing.over)

    def again(self) -> None:
        """Continue after a command to finish, without the words that had not begun by then."""
        self._ends = inf

    def rows(self, below: Below) -> Array:
        """Return rows (T, width of its channels) with gestures and gaze over the motion below, at its times."""
        if self._columns is None or self._columns[0] is not below.channels:
            self._columns = below.channels, columns_in(self._channels, below.channels)
        values = below.values[:, self._columns[1]]
        begins = np.array([begin for begin, _ in self._plans])
        which = np.searchsorted(begins, below.times, side="right") - 1
        for number, (_, plan) in enumerate(self._plans):
            rows = np.flatnonzero(which == number)
            if len(rows) and plan.entries:
                values[rows] = plan.schedule.laid(below.times[rows], values[rows])
        if self._gazing is None:
            return values
        whole = below.values.copy()
        whole[:, self._columns[1]] = values
        return self._gazing.laid(below.channels, below.times, whole, below.heights)[:, self._columns[1]]

    def fork(self) -> "PlanPlayer":
        """Return an independent copy that continues from the present."""
        made = copy(self)
        made._plans = list(self._plans)
        return made
