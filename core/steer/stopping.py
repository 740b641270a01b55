"""Standing on a mark at a time: on which cycle to leave, and stride and tempo that fit place and time."""

import cmath
import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ..errors import GraphError
from ..graph.graph_paths import LEEWAY
from ..graph.transition import Transition
from ..verb.rates import segment_rates
from .forecast import Exits, Forecast, Leave, best_leave, exit_at, exits, forecast, forecast_rest
from .gait import Gait, adverbs_of, walking_verb
from .helm import NEUTRAL, Helm, Limits, Steerable, clip
from .pursuit import seen_from, towards
from .wishes import Mark

Array = NDArray[np.float64]
Aim = tuple[Helm, bool]

TOO_NEAR = 0.02
"""Metres left to walk below which the stride and the turn no longer matter."""
CLOSE, STAYS = 0.04, 0.1
"""Metres from the mark up to which it is not gone round again, and up to which a figure that stands stays there."""
FAR = 30.0
"""Metres beyond which nothing is foreseen yet."""
PATIENCE, ROUNDS = 4.0, 3.0
"""A figure that needs longer than so many seconds, rounds of its tightest circle and twice the straight way there takes
what it can get: twice as many metres from the mark in every further second."""
KEEP = 0.8
"""Share of the way round one side to which that round the other must come down before a figure changes its mind."""
LONGEST = 60.0
MARGIN = 1.1
"""Radii from the middle of a turn up to which a place counts as inside it: too near to be walked to from the turn."""
UNTURNABLE = 100.0
"""Metres of radius from which on a turn is none."""


_CANNOT_GO = (
    "From verb '{}' no way leads to one that adverb '{}' steers and that can be left for '{}'. Add transitions, or"
    " choose the adverb under Steer By."
)


@dataclass(frozen=True)
class Way:
    """A way to the mark round one side.

    Parameters
    ----------
    metres : how long it is, inf where there is none.
    left_side : whether the figure turns to the left.
    stride : factor with which it turns.
    """

    metres: float
    left_side: bool
    stride: float


@dataclass(frozen=True)
class Shortfall:
    """What is missing, or is going to be.

    Parameters
    ----------
    distance : metres from the mark.
    seconds : late.
    """

    distance: float
    seconds: float


class Stopping:
    """The way to one mark.

    All is foreseen anew at every step from where the player is, so that errors do not add up. Turning points the figure
    at the mark, `stride` makes the way that is left as long as the distance, `tempo` the time; what remains is made up
    by a nudge, in proportion to how fast the figure goes.

    The place counts for more than the time: the walk is left only if it ends `CLOSE` to the mark. A mark that lies
    inside the figure's turns, or nearer than a stop takes, is come to by a round to whichever side is shorter. As
    rounds get too many, less and less is asked for, so that the figure stands in the end whatever happens.

    Parameters
    ----------
    mark : where and when.
    limits : of the handles.

    Attributes
    ----------
    shortfall : expected, and once the figure stands what it is; None while nothing can be said.
    done : whether it stands, for good.
    """

    def __init__(self, mark: Mark, limits: Limits) -> None:
        self.mark = mark
        self.shortfall: Shortfall | None = None
        self.done = False
        self._limits = limits
        self._place = complex(*mark.place)
        self._leave: Leave | None = None
        self._exits: tuple[Gait, Exits] | None = None
        self._commanded, self._waits = False, True
        self._way, self._inside = Way(math.inf, True, 1.0), False
        self._patience: float | None = None

    def helm(self, player: Steerable, gait: Gait | None, adverb: str, seconds: float) -> Helm:
        """How to stand the handles at time `seconds`; commands verbs when they are due.

        Parameters
        ----------
        player : who goes there.
        gait : how it walks, None while it plays a verb that `adverb` does not steer.
        adverb : the one that steers.
        seconds : what time it is.

        Raises
        ------
        GraphError
            If it stands and no verb leads to the mark.
        """
        if self.done:
            return NEUTRAL
        left = None if self.mark.seconds is None else self.mark.seconds - seconds
        if self._commanded and player.verb == self.mark.stop:
            if player.transition is None:
                return self._stand(player, left)
            return self._through(player, *player.transition, left)
        if player.transition:
            return NEUTRAL
        if player.verb == self.mark.stop and self._away(player) <= STAYS and not player.plan:
            return self._stand(player, left)
        if gait is None or player.verb == self.mark.stop:
            return self._set_out(player, adverb)
        if self._patience is None:
            self._waits, self._patience = False, seconds + max(self._longest(player, gait), left or 0.0)
            if player.plan and player.plan[-1].target == self.mark.stop:
                player.command(player.verb)
        return self._approach(player, gait, left, max(seconds - self._patience, 0.0))

    def _set_out(self, player: Steerable, adverb: str) -> Helm:
        """Let a figure that stands walk, once: whoever lets it stand again on its way means it."""
        if self._waits and not player.plan:
            self._waits = False
            walk = walking_verb(player.graph, player.verb, adverb, self.mark.stop, player.adverbs)
            if walk is None:
                raise GraphError(_CANNOT_GO.format(player.verb, adverb, self.mark.stop))
            player.command(walk)
        return NEUTRAL

    def _longest(self, player: Steerable, gait: Gait) -> float:
        """Seconds that the way may take before less is asked for."""
        radius = 1.0 / max(gait.tightest)
        rounds = ROUNDS * math.tau * radius if radius < UNTURNABLE else 0.0
        return PATIENCE + (rounds + 2.0 * abs(self._seen(player, gait))) / gait.speed

    def _approach(self, player: Steerable, gait: Gait, left: float | None, late: float) -> Helm:
        found = self._exits_of(player, gait)
        if not found.turned:
            return self._on_the_way(player)
        if self._leave is not None and self._leave.phase <= player.phase:
            self._leave, self._commanded = None, False
        turns = self._choose_side(player, gait)
        close = CLOSE * 2.0 ** min(late, LONGEST) if turns else self._close_by(player, gait)
        if (late or not turns) and close > self._away(player) and not self._commanded:
            self._commanded, self._leave = True, None
            player.command(self.mark.stop)
        if self._way.metres > FAR and left is None and not self._commanded:
            self.shortfall = None
            return towards(self._seen(player, gait), 0.0, None, gait, self._limits)
        if self._leave is None or (self._falls_short and not self._commanded):
            self._leave = self._choose(found, player.phase, gait, left)
        leave = self._leave
        ends = forecast(found.turned[leave.transition], found.straight[leave.transition], player.phase, leave.phase)
        helm, on_course = self._aim(player, gait, ends, left, close)
        near = self.shortfall is not None and self.shortfall.distance <= close
        if not self._commanded and near and (on_course or late) and leave.phase <= _next_exit(found, player.phase):
            self._commanded = True
            player.command(self.mark.stop)
        if self._commanded or near or (leave.missed <= close and not self._inside):
            return helm
        return Helm(gait.neutral) if self._inside and turns else self._round(gait)

    def _choose(self, found: Exits, phase: float, gait: Gait, left: float | None) -> Leave:
        best = best_leave(found, phase, gait, self._way.metres, left, self._limits)
        if left is not None and best.missed > 0.0:
            return best_leave(found, phase, gait, self._way.metres, None, self._limits)
        return best

    def _close_by(self, player: Steerable, gait: Gait) -> float:
        """How close a figure comes that cannot turn; inf when it has passed."""
        seen = self._seen(player, gait)
        return 1.1 * abs(seen.imag) + CLOSE if seen.real > 0.0 else math.inf

    def _choose_side(self, player: Steerable, gait: Gait) -> bool:
        """Go round to the side that is shorter, and stay on it as long as the other is not much shorter.

        Returns whether the figure can turn.
        """
        seen, side = self._seen(player, gait), self._way.left_side
        ways = [_way_to(seen, gait, left_side, self._limits) for left_side in (False, True)]
        best = min(ways, key=lambda way: way.metres)
        self._inside = math.isinf(best.metres)
        if self._inside:
            best = replace(best, metres=abs(seen))
        same = best if math.isinf(self._way.metres) else ways[int(side)]
        self._way = best if best.metres < KEEP * same.metres or math.isinf(same.metres) else same
        return 1.0 / max(gait.tightest) < UNTURNABLE

    def _round(self, gait: Gait) -> Helm:
        """Turn as tightly as can be to the chosen side."""
        return Helm(_turned(gait, self._way.left_side), self._limits.stride[0])

    def _exits_of(self, player: Steerable, gait: Gait) -> Exits:
        if self._exits is None or self._exits[0] is not gait:
            self._exits = gait, exits(player, gait, self.mark.stop)
        return self._exits[1]

    def _on_the_way(self, player: Steerable) -> Helm:
        """Go to the verb that the mark's can be entered from."""
        path = player.graph.path_from(player.verb, player.phase, self.mark.stop)
        if path and not player.plan:
            player.command(path[-1].source)
        return NEUTRAL

    @property
    def _falls_short(self) -> bool:
        return self.shortfall is not None and (self.shortfall.distance > 0.0 or self.shortfall.seconds > 0.0)

    def _away(self, player: Steerable) -> float:
        return abs(self._place - complex(player.travel[0], player.travel[1]))

    def _seen(self, player: Steerable, gait: Gait) -> complex:
        return seen_from(player.travel, gait.course, self._place)

    def _aim(self, player: Steerable, gait: Gait, ends: Forecast, left: float | None, close: float) -> Aim:
        """How to stand the handles for the end to lie on the mark, and whether as it turns now it lies so `close`."""
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
        if beyond * abs(goal) <= close:
            turn = float(np.interp(wanted, angles, values[::order]))
            rest = ends.at(values, turn)
            stride = clip(abs(goal) / abs(rest[0]), self._limits.stride)
            now = ends.at(values, player.adverbs[gait.verb.adverb_names[gait.axis]])
            astray = abs(goal - clip(abs(goal) / max(abs(now[0]), TOO_NEAR), self._limits.stride) * now[0])
            on_course = astray <= close + self._limits.nudge * now[1]
            return self._fit(player, turn, stride, rest, goal - stride * rest[0], left), on_course
        turn = _turned(gait, self._way.left_side)
        rest = ends.at(values, turn)
        stride = min(clip(self._way.metres / abs(rest[0]), self._limits.stride), self._way.stride)
        helm = self._fit(player, turn, stride, rest, complex(self._way.metres - stride * abs(rest[0])), left)
        return replace(helm, nudge=0j), False

    def _through(self, player: Steerable, transition: Transition, share: float, left: float | None) -> Helm:
        old, new = player.graph.verb(transition.source), player.graph.verb(transition.target)
        rates = (segment_rates(verb, adverbs_of(verb, player.adverbs)[None]) for verb in (old, new))
        rest = forecast_rest(exit_at(transition, old, new, *rates), share).at(np.zeros(1), 0.0)
        goal, stride = seen_from(player.travel, 0.0, self._place), player.stride
        if abs(rest[0]) > TOO_NEAR:
            stride = clip((goal / rest[0]).real, self._limits.stride)
        return self._fit(player, None, stride, rest, goal - stride * rest[0], left)

    def _fit(
        self,
        player: Steerable,
        turn: float | None,
        stride: float,
        rest: tuple[complex, float, float, float],
        missed: complex,
        left: float | None,
    ) -> Helm:
        """Tempo and nudge that go with `stride`, and what will then be missing.

        Parameters
        ----------
        player, turn, stride : who goes how.
        rest : what is still to go at neutral handles: place, length, seconds, and the speed of the moment.
        missed : from where that leads to the mark, in the heading's frame.
        left : seconds; None for no hurry.
        """
        _, length, natural, speed = rest
        tempo = 1.0 if left is None else clip(natural / left if left > 0.0 else math.inf, self._limits.tempo)
        within = self._limits.nudge * length * stride
        late = 0.0 if left is None else max(natural / tempo - left, 0.0)
        self.shortfall = Shortfall(max(abs(missed) - within, 0.0), late)
        bounded = missed * (within / abs(missed)) if abs(missed) > within else missed
        world = cmath.rect(1.0, player.travel[2])
        return Helm(turn, stride, tempo, bounded / max(length, 1e-9) * speed * tempo * world)

    def _stand(self, player: Steerable, left: float | None) -> Helm:
        self.done = True
        self.shortfall = Shortfall(self._away(player), 0.0 if left is None else max(-left, 0.0))
        return NEUTRAL


def _next_exit(found: Exits, phase: float) -> float:
    """Generic time at which the next exit begins."""
    return min(phase + ((way.leaves.begin - phase) % 1.0 or 1.0) for way in found.turned) + LEEWAY


def _turned(gait: Gait, left_side: bool) -> float:
    """Value of the steering adverb that turns most to a side."""
    return gait.table.for_curvature(math.inf if left_side else -math.inf)


def _way_to(seen: complex, gait: Gait, left_side: bool, limits: Limits) -> Way:
    """The way to the place `seen`: round the tightest turn to a side until the figure faces it, then straight on.

    The turn is taken with whole strides where it can be, with the shortest where the place lies inside it; there is no
    way to a place inside that too.
    """
    for stride in (1.0, limits.stride[0]):
        radius = stride / gait.tightest[left_side]
        ahead, aside = seen.real, radius - (seen.imag if left_side else -seen.imag)
        away = math.hypot(ahead, aside)
        if radius < UNTURNABLE and away > MARGIN * radius:
            angle = (math.atan2(ahead, aside) - math.acos(radius / away)) % math.tau
            return Way(radius * angle + math.sqrt(away**2 - radius**2), left_side, stride)
    return Way(math.inf, left_side, limits.stride[0])
