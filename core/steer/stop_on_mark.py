"""Stopping on a mark at a time: the cycle in which to leave the walk, and the turn, stride and tempo until then."""

import cmath
import math
from copy import copy
from dataclasses import dataclass, replace

import numpy as np

from ..errors import GraphError
from ..graph.transition import LEEWAY, Transition
from ..play.graph_player import GraphPlayer
from ..play.player import AskVerb
from ..verb.speed_and_turn import segment_rates
from .gait import NEUTRAL, UNTURNABLE, Gait, Limits, WantedHandles, adverbs_of, clip, walking_verb
from .goals import StandOnMark, seen_from, turn_towards
from .transition_forecast import Exits, Forecast, PlannedExit, best_exit, exit_at, exits_to, forecast, forecast_rest

Aim = tuple[WantedHandles, bool]
"""Handles, and whether the figure will end near enough to the mark with its present turn."""

TOO_NEAR = 0.02
"""If fewer metres than this are left to walk, stride and turn no longer matter."""
CLOSE, STAYS = 0.04, 0.1
"""Metres from the mark: up to `CLOSE` a stop is near enough; up to `STAYS` a figure that already stands stays there."""
ASTRAY = 0.1
"""The stop is commanded if the figure, with its present turn, would end within this many metres of the mark: its turn
is still corrected afterwards, and the next chance would be a whole round later.
"""
FAR = 30.0
"""Metres from the mark beyond which no exit, a transition out of the walk, is searched yet."""
PATIENCE, ROUNDS = 4.0, 3.0
"""Seconds, and rounds of the tightest circle, that a figure may need in addition to twice the straight path.

After that the tolerance grows: with each further second the distance that counts as near enough doubles.
"""
KEEP = 0.8
"""A figure changes sides only if the path round the other side is shorter than this share of the present path."""
LONGEST = 60.0
"""Seconds for which the distance that counts as near enough keeps doubling."""
MARGIN = 1.1
"""A place within this many radii of a turn's centre counts as inside the turn, which cannot lead there."""


_CANNOT_GO = (
    "There is no path from verb '{}' to a verb that is steered by adverb '{}' and leads to '{}'. Add transitions, or "
    "choose another adverb under Turns With."
)


@dataclass(frozen=True)
class Route:
    """The path to the mark round one side: a turn until the figure faces the mark, then straight on.

    Parameters
    ----------
    metres : length of the path, inf if there is no path.
    left_side : whether the figure turns to the left.
    stride : factor of the stride during the turn.
    straight : metres of the straight part.
    """

    metres: float
    left_side: bool
    stride: float
    straight: float = 0.0


@dataclass(frozen=True)
class Shortfall:
    """Present or forecast shortfall from standing on the mark in time.

    Parameters
    ----------
    distance : metres from the mark.
    seconds : seconds of delay.
    """

    distance: float
    seconds: float


class Stopping:
    """Leads a figure to one mark, to stand there.

    Everything is forecast anew at every step from the player's state, so that errors do not accumulate. The turn points
    the figure at the mark, the stride makes the path as long as the distance, and the tempo makes it take the time that
    is left; a nudge, in proportion to the figure's speed, makes up for the rest.

    Position has priority over time: the figure leaves its walk only if it will then stand within `CLOSE` of the mark. A
    mark inside the figure's turns, or nearer than a stop takes, is reached by going round on the shorter side. As time
    goes by, the tolerance grows (`PATIENCE`), so that the figure always stands in the end.

    Parameters
    ----------
    mark : position and time.
    limits : limits of the handles.

    Attributes
    ----------
    shortfall : the forecast, or the actual one once the figure stands; None if there is no forecast.
    done : whether the figure stands on the mark; verbs that follow are not waited for.
    """

    def __init__(self, mark: StandOnMark, limits: Limits) -> None:
        self.mark = mark
        self.shortfall: Shortfall | None = None
        self.done = False
        self._limits = limits
        self._place = complex(*mark.place)
        self._planned: PlannedExit | None = None
        self._exits: tuple[Gait, Exits] | None = None
        self._stop = mark.stop
        self._commanded, self._waits = False, True
        self._route, self._inside = Route(math.inf, True, 1.0), False
        self._patience: float | None = None

    def fork(self) -> "Stopping":
        """Return an independent copy that continues from the present to the same mark."""
        return copy(self)

    def wanted_handles(self, player: GraphPlayer, gait: Gait | None, adverb: str, seconds: float) -> WantedHandles:
        """Return the handles for time `seconds`, and command verbs when it is time.

        Parameters
        ----------
        player : the figure.
        gait : its walk, None while it plays a verb that `adverb` does not steer.
        adverb : name of the steering adverb.
        seconds : present time.

        Raises
        ------
        GraphError
            If the figure stands and no verb leads to the mark.
        """
        if self.done:
            return NEUTRAL
        seconds_left = None if self.mark.seconds is None else self.mark.seconds - seconds
        if self._commanded and player.verb == self._stop:
            if player.transition is None:
                return self._arrive(player, seconds_left)
            return self._during_transition(player, *player.transition, seconds_left)
        if player.transition:
            return NEUTRAL
        if player.verb == self.mark.stop and self._away(player) <= STAYS and not player.plan:
            return self._arrive(player, seconds_left)
        if gait is None or player.verb in (self._stop, self.mark.stop):
            return self._set_out(player, adverb)
        if self._patience is None:
            self._waits, self._patience = False, seconds + max(self._usual_seconds(player, gait), seconds_left or 0.0)
            if player.plan and player.plan[-1].target in (self._stop, self.mark.stop):
                player.command(player.time, AskVerb(player.verb))
        return self._approach(player, gait, seconds_left, max(seconds - self._patience, 0.0))

    def _set_out(self, player: GraphPlayer, adverb: str) -> WantedHandles:
        """Make a standing figure walk, but only once: if a user stops it on its way, it is not started again."""
        if self._waits and not player.plan:
            self._waits = False
            walk = walking_verb(player.graph, player.verb, adverb, self.mark.stop, player.adverbs)
            if walk is None:
                raise GraphError(_CANNOT_GO.format(player.verb, adverb, self.mark.stop))
            player.command(player.time, AskVerb(walk))
        return NEUTRAL

    def _usual_seconds(self, player: GraphPlayer, gait: Gait) -> float:
        """Return the seconds that the path may take before the tolerance grows."""
        rounds = ROUNDS * math.tau / max(gait.tightest) if turns(gait) else 0.0
        return PATIENCE + (rounds + 2.0 * abs(self._mark_seen(player, gait))) / gait.speed

    def _approach(self, player: GraphPlayer, gait: Gait, seconds_left: float | None, late: float) -> WantedHandles:
        """Return the handles of a walking figure, and command the stop in the cycle that ends on the mark.

        `late` is the time in seconds since the figure's patience ended.
        """
        found = self._exits_of(player, gait)
        if not found.turning:
            return self._go_to_exit_verb(player)
        if self._planned is not None and self._planned.phase <= player.phase:
            self._planned, self._commanded = None, False
        turns = self._choose_side(player, gait)
        tolerance = CLOSE * 2.0 ** min(late, LONGEST) if turns else self._reach_without_turning(player, gait)
        if (late or not turns) and tolerance > self._away(player) and not self._commanded:
            self._commanded, self._planned = True, None
            player.command(player.time, AskVerb(self._stop))
        if self._route.metres > FAR and seconds_left is None and not self._commanded:
            self.shortfall = None
            return turn_towards(self._mark_seen(player, gait), 0.0, None, gait, self._limits)
        if self._planned is None or (self._falls_short and not self._commanded):
            self._planned = self._choose_exit(found, player.phase, gait, seconds_left)
        planned = self._planned
        turning, straight = found.turning[planned.transition], found.straight[planned.transition]
        ends = forecast(turning, straight, player.phase, planned.phase)
        handles, on_course = self._aim(player, gait, ends, seconds_left, tolerance)
        near = self.shortfall is not None and self.shortfall.distance <= tolerance
        if not self._commanded and near and (on_course or late) and planned.phase <= _next_exit(found, player.phase):
            self._commanded = True
            player.command(player.time, AskVerb(self._stop))
        if self._commanded or near or (planned.missed <= tolerance and not self._inside):
            return handles
        return WantedHandles(gait.neutral) if self._inside and turns else self._turn_tightly(gait)

    def _choose_exit(self, found: Exits, phase: float, gait: Gait, seconds_left: float | None) -> PlannedExit:
        """Return the exit to take: one that is in time if it ends near the mark, otherwise the soonest that does."""
        best = best_exit(found, phase, gait, self._route.metres, seconds_left, self._limits)
        if seconds_left is not None and best.missed > 0.0:
            return best_exit(found, phase, gait, self._route.metres, None, self._limits)
        return best

    def _reach_without_turning(self, player: GraphPlayer, gait: Gait) -> float:
        """Return the smallest distance in metres from the mark for a figure that cannot turn; inf after passing it."""
        seen = self._mark_seen(player, gait)
        return 1.1 * abs(seen.imag) + CLOSE if seen.real > 0.0 else math.inf

    def _choose_side(self, player: GraphPlayer, gait: Gait) -> bool:
        """Choose the side with the shorter path, and keep it as long as the other is not much shorter.

        Returns
        -------
        Whether the figure can turn.
        """
        seen, side = self._mark_seen(player, gait), self._route.left_side
        ways = [_route_to(seen, gait, left_side, self._limits) for left_side in (False, True)]
        best = min(ways, key=lambda way: way.metres)
        self._inside = math.isinf(best.metres)
        if self._inside:
            best = replace(best, metres=abs(seen))
        same = best if math.isinf(self._route.metres) else ways[int(side)]
        self._route = best if best.metres < KEEP * same.metres or math.isinf(same.metres) else same
        return turns(gait)

    def _turn_tightly(self, gait: Gait) -> WantedHandles:
        """Return the handles of the tightest turn to the chosen side."""
        return WantedHandles(_tightest_turn(gait, self._route.left_side), self._limits.stride[0])

    def _exits_of(self, player: GraphPlayer, gait: Gait) -> Exits:
        """Return the exits from the gait to the standing verb, cached while the gait is the same."""
        if self._exits is None or self._exits[0] is not gait:
            self._stop = self._stop_after(player, gait)
            self._exits = gait, exits_to(player, gait, self._stop)
        return self._exits[1]

    def _stop_after(self, player: GraphPlayer, gait: Gait) -> str:
        """Return the first verb that cannot be steered on the path from a gait to the standing verb.

        The figure reaches the mark in that verb, and continues from there by itself.
        """
        adverb, graph = gait.verb.adverb_names[gait.axis], player.graph
        path = graph.path_from(player.verb, player.phase, self.mark.stop)
        stops = (way.target for way in path if adverb not in graph.verb(way.target).adverb_names)
        return next(stops, self.mark.stop)

    def _go_to_exit_verb(self, player: GraphPlayer) -> WantedHandles:
        """Command the verb from which the standing verb can be entered."""
        path = player.graph.path_from(player.verb, player.phase, self._stop)
        if path and not player.plan:
            player.command(player.time, AskVerb(path[-1].source))
        return NEUTRAL

    @property
    def _falls_short(self) -> bool:
        """Whether the forecast misses the mark or the time."""
        return self.shortfall is not None and (self.shortfall.distance > 0.0 or self.shortfall.seconds > 0.0)

    def _away(self, player: GraphPlayer) -> float:
        """Return the distance of the figure from the mark, in metres."""
        return abs(self._place - complex(player.travel[0], player.travel[1]))

    def _mark_seen(self, player: GraphPlayer, gait: Gait) -> complex:
        """Return the position of the mark relative to the figure."""
        return seen_from(player.travel, gait.course, self._place)

    def _aim(
        self, player: GraphPlayer, gait: Gait, ends: Forecast, seconds_left: float | None, tolerance: float
    ) -> Aim:
        """Return handles whose forecast ends on the mark, and whether it ends near it with the present turn.

        Parameters
        ----------
        player, gait : the figure and its walk.
        ends : forecast over the steering adverb.
        seconds_left : time left; None for no hurry.
        tolerance : distance in metres from the mark that is near enough.
        """
        values = gait.table.values
        goal = seen_from(player.travel, 0.0, self._place)
        straight = ends.at(values, gait.neutral)[0]
        if abs(straight) < TOO_NEAR:
            return NEUTRAL, True
        angles = np.angle(ends.places / straight)
        order = 1 if angles[-1] > angles[0] else -1
        angles = np.maximum.accumulate(angles[::order])
        wanted = cmath.phase(goal / straight)
        beyond = max(angles[0] - wanted, wanted - angles[-1], 0.0)
        if beyond * abs(goal) <= tolerance:
            turn = float(np.interp(wanted, angles, values[::order]))
            rest = ends.at(values, turn)
            stride = clip(abs(goal) / abs(rest[0]), self._limits.stride)
            now = ends.at(values, player.adverbs[gait.verb.adverb_names[gait.axis]])
            astray = abs(goal - clip(abs(goal) / max(abs(now[0]), TOO_NEAR), self._limits.stride) * now[0])
            on_course = astray <= max(tolerance, ASTRAY) + self._limits.nudge * now[1]
            return self._fit_tempo(player, turn, stride, rest, goal - stride * rest[0], seconds_left), on_course
        turn = _tightest_turn(gait, self._route.left_side)
        rest = ends.at(values, turn)
        stride = min(clip(self._route.metres / abs(rest[0]), self._limits.stride), self._route.stride)
        handles = self._fit_tempo(
            player, turn, stride, rest, complex(self._route.metres - stride * abs(rest[0])), seconds_left
        )
        return replace(handles, nudge=0j), False

    def _during_transition(
        self, player: GraphPlayer, transition: Transition, share: float, seconds_left: float | None
    ) -> WantedHandles:
        """Return the handles of a figure at `share` of its transition into the standing verb."""
        old, new = player.graph.verb(transition.source), player.graph.verb(transition.target)
        rates = (segment_rates(verb, adverbs_of(verb, player.adverbs)[None]) for verb in (old, new))
        rest = forecast_rest(exit_at(transition, old, new, *rates), share).at(np.zeros(1), 0.0)
        goal, stride = seen_from(player.travel, 0.0, self._place), player.handles.stride
        if abs(rest[0]) > TOO_NEAR:
            stride = clip((goal / rest[0]).real, self._limits.stride)
        return self._fit_tempo(player, None, stride, rest, goal - stride * rest[0], seconds_left)

    def _fit_tempo(
        self,
        player: GraphPlayer,
        turn: float | None,
        stride: float,
        rest: tuple[complex, float, float, float],
        missed: complex,
        seconds_left: float | None,
    ) -> WantedHandles:
        """Return handles with the tempo and nudge that fit a turn and stride, and set the remaining shortfall.

        Parameters
        ----------
        player : the figure.
        turn : value of the steering adverb.
        stride : factor on the stride.
        rest : the rest of the path at neutral handles: place, length, seconds, and the present speed.
        missed : displacement from the end of the path to the mark, in the heading's frame.
        seconds_left : time left; None for no hurry.
        """
        _, length, natural, speed = rest
        tempo, late, within = 1.0, 0.0, self._limits.nudge * length * stride
        if seconds_left is not None:
            tempo = clip(natural / seconds_left if seconds_left > 0.0 else math.inf, self._limits.tempo)
            late = max(natural / tempo - seconds_left, 0.0)
        self.shortfall = Shortfall(max(abs(missed) - within, 0.0), late)
        bounded = missed * (within / abs(missed)) if abs(missed) > within else missed
        world = cmath.rect(1.0, player.travel[2])
        return WantedHandles(turn, stride, tempo, bounded / max(length, 1e-9) * speed * tempo * world)

    def _arrive(self, player: GraphPlayer, seconds_left: float | None) -> WantedHandles:
        """Measure the shortfall of the figure, which now stands, and let it continue to its standing verb."""
        if player.verb != self.mark.stop:
            player.command(player.time, AskVerb(self.mark.stop))
        self.done = True
        self.shortfall = Shortfall(self._away(player), 0.0 if seconds_left is None else max(-seconds_left, 0.0))
        return NEUTRAL


def _next_exit(found: Exits, phase: float) -> float:
    """Return the generic time just after the next exit begins."""
    return min(phase + ((way.leaves.begin - phase) % 1.0 or 1.0) for way in found.turning) + LEEWAY


def _tightest_turn(gait: Gait, left_side: bool) -> float:
    """Return the value of the steering adverb that turns most to a side."""
    return gait.table.for_curvature(math.inf if left_side else -math.inf)


def turns(gait: Gait) -> bool:
    """Return whether a gait can be turned at all."""
    return not gait.is_fixed and 1.0 / max(gait.tightest) < UNTURNABLE


def straight_after_turn(seen: complex, gait: Gait, left_side: bool, limits: Limits) -> float:
    """Return the metres straight ahead to the place `seen` after a turn to one side faces it; 0 for none."""
    return _route_to(seen, gait, left_side, limits).straight


def _route_to(seen: complex, gait: Gait, left_side: bool, limits: Limits) -> Route:
    """Return the path to the place `seen`: the tightest turn to one side until the figure faces it, then straight on.

    The turn has full strides if possible, and the shortest ones if the place is inside it; a place that is then still
    inside has no path.
    """
    for stride in (1.0, limits.stride[0]):
        radius = stride / gait.tightest[left_side]
        ahead, aside = seen.real, radius - (seen.imag if left_side else -seen.imag)
        away = math.hypot(ahead, aside)
        if radius < UNTURNABLE and away > MARGIN * radius:
            angle = (math.atan2(ahead, aside) - math.acos(radius / away)) % math.tau
            straight = math.sqrt(away**2 - radius**2)
            return Route(radius * angle + straight, left_side, stride, straight)
    return Route(math.inf, left_side, limits.stride[0])
