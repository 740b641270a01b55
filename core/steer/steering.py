"""Steering a player towards a point, along a curve, onto a mark, or to where it can reach an object."""

import cmath
import math
from copy import copy
from dataclasses import replace

import numpy as np

from ..errors import GraphError
from ..play.graph_player import GraphPlayer
from ..play.player import AskAdverbs, AskVerb
from .gait import NEUTRAL, Gait, Limits, WantedHandles, clip, gait_of
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
from .stop_on_mark import Shortfall, Stopping, straight_after_turn, turns

FACES = math.radians(4.0)
"""A figure faces the mark if the angle, in radians, between its direction of travel and the mark is less than this."""
RUN_UP, ROOMY = 1.2, 2.2
"""RUN_UP: seconds of straight walking that should remain when the figure faces the mark. ROOMY: multiple of that room
that a figure waits for once it has had to walk on for lack of room."""

_CANNOT_REACH = (
    "There is no path from verb '{}', with which the character stops, to '{}'. Add transitions in both directions."
)


class WalkAndReach:
    """Leads a figure to where it can reach its target, and starts the reach.

    A standing figure that can reach the target does not walk. The mark is on the straight line from the figure's
    position, so that the figure arrives facing the target; the reach compensates for any rotation on the way.

    Parameters
    ----------
    goal : what to reach, and with which verb.
    limits : limits of the handles while it walks.

    Attributes
    ----------
    shortfall : once the figure stands, by how many metres the target lies outside the ranges of the reach's adverbs;
        before that, the forecast distance from the mark; None if there is no forecast.
    done : whether the figure has reached the target.
    """

    def __init__(self, goal: ReachThere, limits: Limits) -> None:
        self.goal = goal
        self.shortfall: Shortfall | None = None
        self.done = False
        self._limits = limits
        self._going: Stopping | None = None
        self._faces, self._passes, self._stands, self._begun = False, False, False, False

    def fork(self) -> "WalkAndReach":
        """Return an independent copy that continues from the present to the same target."""
        made = copy(self)
        made._going = self._going and self._going.fork()
        return made

    def wanted_handles(self, player: GraphPlayer, gait: Gait | None, adverb: str, seconds: float) -> WantedHandles:
        """Return the handles for time `seconds`, and command verbs and adverbs when it is time.

        Parameters
        ----------
        player : the figure.
        gait : its walk, None while it plays a verb that `adverb` does not steer.
        adverb : name of the steering adverb.
        seconds : present time.

        Raises
        ------
        GraphError
            If no path leads to the mark, or from the standing verb to the reach.
        """
        if self.done:
            return NEUTRAL
        if not self._stands:
            handles = self._go(player, gait, adverb, seconds)
            if not self._stands:
                return handles
        self._reach(player)
        return NEUTRAL

    def _go(self, player: GraphPlayer, gait: Gait | None, adverb: str, seconds: float) -> WantedHandles:
        """Lead the figure until it faces the mark, then onto it; meanwhile the adverbs of the reach settle."""
        stop = self.goal.stop
        if self._going is None:
            self._check_way(player)
            at_rest = player.verb == stop and player.transition is None and not player.plan
            if at_rest and self._missing(player) == 0.0:
                self._stand(player)
                return NEUTRAL
            self._going = Stopping(StandOnMark(self.goal.place[:2], None, stop), self._limits)
        if not self._faces and gait is not None and player.transition is None:
            mark = self._mark(player, gait)
            fades = _fading_turn(player, gait, adverb)
            seen = seen_from(player.travel, gait.course + fades, complex(*mark))
            handles = self._turn(seen, fades, gait)
            if handles is not None:
                return handles
            self._faces, self._going = True, Stopping(StandOnMark(mark, None, stop), self._limits)
        handles = self._going.wanted_handles(player, gait, adverb, seconds)
        self.shortfall = self._going.shortfall
        if player.verb == stop and player.transition is not None:
            self._ask_place(player)
        if self._going.done:
            self._stand(player)
        return handles

    def _turn(self, seen: complex, fades: float, gait: Gait) -> WantedHandles | None:
        """Return the handles of a figure that does not face the mark yet; None if it does, or cannot turn.

        `seen` is the mark relative to the direction of the figure when its present turn has faded, which takes another
        `fades` radians.

        The figure should arrive with the mark straight ahead, since a walk that ends in a turn ends in another
        direction. If a turn leaves no room for that, the figure walks on until there is room.
        """
        room = RUN_UP * gait.speed
        if not turns(gait) or (max(abs(cmath.phase(seen)), abs(fades)) < FACES and abs(seen) >= room):
            return None
        straight = max(straight_after_turn(seen, gait, left, self._limits) for left in (False, True))
        self._passes = straight < (ROOMY if self._passes else 1.0) * room
        return WantedHandles(gait.neutral) if self._passes else turn_towards(seen, 0.0, None, gait, self._limits)

    def _stand(self, player: GraphPlayer) -> None:
        """Command the reach, now that the figure stands."""
        self._stands = True
        self.shortfall = Shortfall(self._missing(player), 0.0)
        self._ask_place(player)
        player.command(player.time, AskVerb(self.goal.verb))

    def _check_way(self, player: GraphPlayer) -> None:
        goal = self.goal
        try:
            player.graph.path(goal.stop, goal.verb)
        except GraphError as error:
            raise GraphError(_CANNOT_REACH.format(goal.stop, goal.verb)) from error

    def _reach(self, player: GraphPlayer) -> None:
        """Record when the reach has been played."""
        plays = player.verb == self.goal.verb and player.transition is None
        self._begun = self._begun or plays
        self.done = self._begun and (not plays or player.phase >= 1.0)

    def _mark(self, player: GraphPlayer, gait: Gait) -> tuple[float, float]:
        """Return the best place to stand for the reach, if the figure comes there straight from its position."""
        here, there = complex(*player.travel[:2]), complex(*self.goal.place[:2])
        if there == here:
            return there.real, there.imag
        ahead = complex(*self.goal.usual[:2]) * cmath.rect(1.0, -gait.course)
        aside = clip(ahead.imag / abs(there - here), (-1.0, 1.0))
        mark = there - ahead * cmath.rect(1.0, cmath.phase(there - here) - math.asin(aside))
        return mark.real, mark.imag

    def _seen(self, player: GraphPlayer) -> tuple[float, float, float]:
        """Return the target relative to the figure: x and y in its heading's frame, z from its ground."""
        x, y, heading = player.travel
        flat = (complex(*self.goal.place[:2]) - complex(x, y)) * cmath.rect(1.0, -heading)
        return flat.real, flat.imag, self.goal.place[2] - player.moment.root.height

    def _asked(self, player: GraphPlayer) -> dict[str, tuple[float, float]]:
        """Return, for each adverb of the reach, the value that the target needs and the nearest one in its range."""
        verb = player.graph.verb(self.goal.verb)
        ranges = dict(zip(verb.adverb_names, verb.adverb_ranges.tolist(), strict=True))
        asked = {name: value for name, value in zip(self.goal.adverbs, self._seen(player), strict=True) if name}
        return {name: (value, clip(value, (ranges[name][0], ranges[name][1]))) for name, value in asked.items()}

    def _missing(self, player: GraphPlayer) -> float:
        """Return by how many metres the target lies outside the ranges of the reach's adverbs."""
        return math.hypot(*(value - nearest for value, nearest in self._asked(player).values()))

    def _ask_place(self, player: GraphPlayer) -> None:
        asked = {name: nearest for name, (_, nearest) in self._asked(player).items()}
        player.command(player.time, AskAdverbs(asked))


def _fading_turn(player: GraphPlayer, gait: Gait, adverb: str) -> float:
    """Return the radians by which a figure still turns after a command to go straight on, while the adverb settles."""
    rate = np.interp(player.adverbs[adverb], gait.table.values, gait.table.rates.turn_rate)
    return 0.5 * player.settle * float(rate)


LAG = 0.35
"""Share of an adverb's settling time after which about half of its change is done."""
END = 2.0
"""Metres before the end of a curve from which the end is treated as a mark to stand on."""

Goal = TowardsPoint | AlongCurve | StandOnMark | ReachThere
"""Goals that a figure can have."""


class Steering:
    """Moves one adverb and the handles of a player, so that the figure follows its goal.

    It depends only on the goals, the player's state and the times of the steps, so a steered performance replays
    exactly. A figure that stands, or plays a verb without the steering adverb, is left alone until a command starts it;
    only a mark or an object to reach makes it start by itself. When it stands at its goal, the adverb returns to its
    value for straight walking.

    Parameters
    ----------
    adverb : name of the adverb that steers.

    Attributes
    ----------
    arrived : whether the point was reached, the curve's end was passed, the figure stands on the mark or at the end, or
        it has reached the object.
    along : metres of the curve that are behind the figure.
    """

    def __init__(self, adverb: str) -> None:
        self.adverb = adverb
        self.limits = Limits()
        self.arrived = False
        self.along = 0.0
        self._goal: Goal | None = None
        self._stopping: Stopping | WalkAndReach | None = None
        self._fresh, self._passing, self._turned = True, False, True
        self._gait: tuple[object, Gait] | None = None

    def ask(self, goal: Goal | None) -> None:
        """Give the figure a new goal; None stops steering, with neutral handles."""
        self._goal, self._fresh, self._passing, self._turned = goal, True, False, True
        self.arrived, self.along = False, 0.0
        self._stopping = None
        if isinstance(goal, StandOnMark):
            self._stopping = Stopping(goal, self.limits)
        elif isinstance(goal, ReachThere):
            self._stopping = WalkAndReach(goal, self.limits)

    def fork(self) -> "Steering":
        """Return an independent copy that steers from the present towards the same goal."""
        made = copy(self)
        made._stopping = self._stopping and self._stopping.fork()
        return made

    @property
    def shortfall(self) -> Shortfall | None:
        """Forecast shortfall from a mark at the given time, or from a reach; None if there is no forecast."""
        return self._stopping.shortfall if self._stopping else None

    def before_step(self, player: GraphPlayer, seconds: float, step: float) -> None:
        """Move the handles for the next step of the player; call this before each step.

        Parameters
        ----------
        player : player that is about to be stepped.
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
        """Return the adverb's value for straight walking, once after the figure has stopped; otherwise None."""
        if self._gait is None or not self._turned or self._stopping is None or not self.arrived:
            return None
        self._turned = False
        return None if self._gait[1].is_fixed else self._gait[1].neutral

    def _wanted_handles(self, player: GraphPlayer, gait: Gait | None, seconds: float) -> WantedHandles:
        """Return the handles for the present goal; `gait` is None if the adverb does not steer."""
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
        """Return the handles that lead to a point, and record whether it was reached or must be passed first."""
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
        """Return the handles that lead along a curve; near its end, begin to stop if a standing verb is given."""
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
        """Return the gait at the present adverbs; cached while only the steering adverb changes and turns it."""
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
    """Return where a figure will be when about half of a turn that is commanded now is done.

    Until then it continues its present turn. If it looked ahead from its present position, it would steer too late and
    swing from side to side.

    Returns
    -------
    The metres that it goes until then, and its x, y and heading.
    """
    seconds, (x, y, heading) = LAG * player.settle, player.travel
    now = player.adverbs[gait.verb.adverb_names[gait.axis]]
    turned = float(np.interp(now, gait.table.values, gait.table.rates.turn_rate)) * seconds * player.handles.tempo
    metres = gait.speed * player.handles.stride * player.handles.tempo * seconds
    to = cmath.rect(metres, heading + gait.course + 0.5 * turned)
    return metres, (x + to.real, y + to.imag, heading + turned)
