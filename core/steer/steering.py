"""Steering a player towards a point, along a curve, onto a mark, or to where it can reach something."""

import cmath
from copy import copy
from dataclasses import replace

import numpy as np

from ..play.graph_player import GraphPlayer
from .gait import NEUTRAL, Gait, Limits, WantedHandles, gait_of
from .goals import (
    AHEAD,
    BEHIND,
    CLEAR,
    GLANCE,
    AlongCurve,
    ReachThere,
    StandOnMark,
    TowardsPoint,
    follow_curve,
    room_to_turn,
    seen_from,
    turn_towards,
)
from .stop_on_mark import Shortfall, Stopping
from .walk_and_reach import WalkAndReach

LAG = 0.35
"""Share of the seconds in which an adverb settles after which about half of its change has come about."""
END = 2.0
"""Metres before the end of a curve from which on the end is treated as a mark to stand on."""

Goal = TowardsPoint | AlongCurve | StandOnMark | ReachThere
"""What a figure can be asked to do."""


class Steering:
    """Moves one adverb and the handles of a player, so that the figure goes where it is asked to.

    What it does depends on the goals, the player's state and the times of the steps alone, so a performance that is
    steered replays exactly. A figure that stands, or plays a verb without the steering adverb, is left alone until a
    command sets it going; only a mark, and what it is to reach, make it set out by itself. Once it stands where it was
    to, the adverb goes back to where it walks straight on.

    Parameters
    ----------
    adverb : name of the adverb that steers.
    limits : how much the gait may be changed.

    Attributes
    ----------
    arrived : whether the point was reached, the curve's end was passed, the figure stands on the mark or at the end, or
        it has reached for what it was to.
    along : metres of the curve that are behind the figure.
    """

    def __init__(self, adverb: str, limits: Limits | None = None) -> None:
        self.adverb = adverb
        self.limits = limits or Limits()
        self.arrived = False
        self.along = 0.0
        self._goal: Goal | None = None
        self._stopping: Stopping | WalkAndReach | None = None
        self._fresh, self._passing, self._turned = True, False, True
        self._gait: tuple[object, Gait] | None = None

    def ask(self, goal: Goal | None) -> None:
        """Give the figure a new goal; None leaves it to itself, with neutral handles."""
        self._goal, self._fresh, self._passing, self._turned = goal, True, False, True
        self.arrived, self.along = False, 0.0
        self._stopping = None
        if isinstance(goal, StandOnMark):
            self._stopping = Stopping(goal, self.limits)
        elif isinstance(goal, ReachThere):
            self._stopping = WalkAndReach(goal, self.limits)

    def fork(self) -> "Steering":
        """Return one that steers on by itself from the present towards the same goal."""
        made = copy(self)
        made._stopping = self._stopping and self._stopping.fork()
        return made

    @property
    def shortfall(self) -> Shortfall | None:
        """What will be missing from a mark at the given time, or from a reach; None while nothing can be said."""
        return self._stopping.shortfall if self._stopping else None

    def before_step(self, player: GraphPlayer, seconds: float, step: float) -> None:
        """Move the handles for the next step of the player; call it before each step.

        Parameters
        ----------
        player : about to be stepped.
        seconds : present time.
        step : seconds by which the player will be stepped.
        """
        gait = None if self._goal is None else self._gait_of(player)
        handles = self._wanted_handles(player, gait, seconds)
        if gait is not None and gait.is_fixed:
            handles = replace(handles, turn=None)
        elif handles is NEUTRAL and player.transition is None:
            handles = WantedHandles(self._straight() if gait is None else gait.neutral)
        handles.move(player, self.adverb, self.limits, step)
        self._fresh = False

    def _straight(self) -> float | None:
        """Return, once after it has come to stand, the value of the adverb at which the figure walked straight on."""
        if self._gait is None or not self._turned or self._stopping is None or not self.arrived:
            return None
        self._turned = False
        return None if self._gait[1].is_fixed else self._gait[1].neutral

    def _wanted_handles(self, player: GraphPlayer, gait: Gait | None, seconds: float) -> WantedHandles:
        """Return the handles that the present goal asks for; `gait` is None where the adverb does not steer."""
        goal = self._goal
        if self._stopping is not None:
            handles = self._stopping.wanted_handles(player, gait, self.adverb, seconds)
            self.arrived = self._stopping.done
            return handles
        if goal is None or gait is None or isinstance(goal, StandOnMark | ReachThere):
            return NEUTRAL
        if isinstance(goal, TowardsPoint):
            return NEUTRAL if self.arrived and goal.once else self._to_point(goal, player, gait, seconds)
        return NEUTRAL if self.arrived else self._on_curve(goal, player, gait)

    def _to_point(self, goal: TowardsPoint, player: GraphPlayer, gait: Gait, seconds: float) -> WantedHandles:
        """Return the handles that lead to a point, and note whether it was reached or has to be walked past first."""
        point, pace = goal.point, None
        if callable(point):
            now, soon = complex(*point(seconds)), complex(*point(seconds + GLANCE))
            seen = seen_from(player.travel, gait.course, now)
            pace = (seen_from(player.travel, gait.course, soon) - seen).real / GLANCE
        else:
            seen = seen_from(player.travel, gait.course, complex(*point))
        self.arrived = self.arrived or abs(seen) <= goal.reach
        self._passing = room_to_turn(seen, 0.5 * goal.reach, gait, self.limits) < (CLEAR if self._passing else 1.0)
        return WantedHandles(gait.neutral) if self._passing else turn_towards(seen, goal.reach, pace, gait, self.limits)

    def _on_curve(self, goal: AlongCurve, player: GraphPlayer, gait: Gait) -> WantedHandles:
        """Return the handles that lead along a curve; near its end, begin to stop if a verb to stand in is given."""
        here = complex(player.travel[0], player.travel[1])
        first = 0.0, goal.curve.length - AHEAD * goal.curve.closed
        begin, end = first if self._fresh else (self.along - BEHIND, self.along + AHEAD)
        self.along = goal.curve.nearest(here, begin, end) % goal.lap
        self.arrived = self.along >= goal.curve.length
        if goal.stop is not None and self.along >= goal.curve.length - END:
            end = goal.curve.points[-1]
            self._stopping = Stopping(StandOnMark((end.item(0), end.item(1)), None, goal.stop), self.limits)
            self.arrived = False
        ahead, travel = _when_settled(player, gait)
        return follow_curve(goal, self.along + ahead, travel, gait, self.limits)

    def _gait_of(self, player: GraphPlayer) -> Gait | None:
        """Return the gait at the present adverbs, kept as long as none changes but one that turns the figure."""
        verb = player.graph.verb(player.verb)
        if self.adverb not in verb.adverb_names:
            return None
        key = (verb, *(player.adverbs[name] for name in verb.adverb_names if name != self.adverb))
        if self._gait is not None and self._gait[0] == key:
            gait = self._gait[1]
            if not gait.is_fixed or gait.neutral == player.adverbs[self.adverb]:
                return gait
        gait = gait_of(verb, self.adverb, player.adverbs)
        self._gait = key, gait
        return gait


def _when_settled(player: GraphPlayer, gait: Gait) -> tuple[float, tuple[float, float, float]]:
    """Return where a figure is by the time at which about half of a turn that is asked for now has come about.

    Until then it goes on as it turns now: it would steer too late, and swing from side to side, if it looked ahead from
    where it is.

    Returns
    -------
    metres that it goes until then, and its x, y and heading.
    """
    seconds, (x, y, heading) = LAG * player.settle, player.travel
    now = player.adverbs[gait.verb.adverb_names[gait.axis]]
    turned = float(np.interp(now, gait.table.values, gait.table.rates.turn_rate)) * seconds * player.handles.tempo
    metres = gait.speed * player.handles.stride * player.handles.tempo * seconds
    to = cmath.rect(metres, heading + gait.course + 0.5 * turned)
    return metres, (x + to.real, y + to.imag, heading + turned)
