"""Standing on a mark at a time: on which cycle to leave, and stride and tempo that fit place and time."""

import cmath
import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ..verb.graph_paths import LEEWAY
from ..verb.rates import segment_rates
from ..verb.transition import Transition
from .forecast import Forecast, exit_at, forecast, forecast_rest
from .gait import Gait, adverbs_of
from .helm import NEUTRAL, Helm, Limits, Steerable, clip
from .leaving import Exits, Leave, best_leave, exits
from .pursuit import seen_from
from .wishes import Mark

Array = NDArray[np.float64]

TOO_NEAR = 0.02
"""Metres left to walk below which the stride and the turn no longer matter."""


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

    Parameters
    ----------
    mark : where and when.
    limits : of the handles.

    Attributes
    ----------
    shortfall : expected, and once the figure stands what it is; None while it does not walk.
    done : whether it stands.
    """

    def __init__(self, mark: Mark, limits: Limits) -> None:
        self.mark = mark
        self.shortfall: Shortfall | None = None
        self.done = False
        self._limits = limits
        self._place = complex(*mark.place)
        self._leave: Leave | None = None
        self._exits: tuple[Gait, Exits] | None = None
        self._commanded = False

    def helm(self, player: Steerable, gait: Gait | None, seconds: float) -> Helm:
        """How to stand the handles at time `seconds`; commands the transition when it is due."""
        if self._commanded and player.verb == self.mark.stop:
            if player.transition is None:
                return self._stand(player, seconds)
            return self._through(player, *player.transition, self.mark.seconds - seconds)
        return NEUTRAL if gait is None or player.transition else self._approach(player, gait, seconds)

    def _approach(self, player: Steerable, gait: Gait, seconds: float) -> Helm:
        found = self._exits_of(player, gait)
        if not found.turned:
            return self._on_the_way(player)
        left = self.mark.seconds - seconds
        if self._leave is not None and self._leave.phase <= player.phase:
            self._leave, self._commanded = None, False
        if self._leave is None or (self._falls_short and not self._commanded):
            need = _way_to(self._seen(player, gait), gait)
            self._leave = best_leave(found, player.phase, gait, need, left, self._limits)
        if not self._commanded and self._leave.phase <= _next_exit(found, player.phase):
            self._commanded = True
            player.command(self.mark.stop)
        way = self._leave.transition
        ends = forecast(found.turned[way], found.straight[way], player.phase, self._leave.phase)
        return self._aim(player, gait, ends, left)

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

    def _seen(self, player: Steerable, gait: Gait) -> complex:
        return seen_from(player.travel, gait.course, self._place)

    def _aim(self, player: Steerable, gait: Gait, ends: Forecast, left: float) -> Helm:
        values = gait.table.values
        goal = seen_from(player.travel, 0.0, self._place)
        straight = ends.at(values, gait.neutral)[0]
        if abs(straight) < TOO_NEAR:
            return NEUTRAL
        angles = np.angle(ends.places / straight)
        order = 1 if angles[-1] > angles[0] else -1
        angles = np.maximum.accumulate(angles[::order])
        wanted = cmath.phase(goal / straight)
        turn = float(np.interp(wanted, angles, values[::order]))
        rest = ends.at(values, turn)
        if angles[0] <= wanted <= angles[-1]:
            stride = clip(abs(goal) / abs(rest[0]), self._limits.stride)
            return self._fit(player, turn, stride, rest, goal - stride * rest[0], left)
        need = _way_to(self._seen(player, gait), gait)
        stride = clip(need / abs(rest[0]), self._limits.stride)
        helm = self._fit(player, turn, stride, rest, complex(need - stride * abs(rest[0])), left)
        return replace(helm, nudge=0j)

    def _through(self, player: Steerable, transition: Transition, share: float, left: float) -> Helm:
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
        left: float,
    ) -> Helm:
        """Tempo and nudge that go with `stride`, and what will then be missing.

        Parameters
        ----------
        player, turn, stride : who goes how.
        rest : what is still to go at neutral handles: place, length, seconds, and the speed of the moment.
        missed : from where that leads to the mark, in the heading's frame.
        left : seconds.
        """
        _, length, natural, speed = rest
        tempo = clip(natural / left if left > 0.0 else math.inf, self._limits.tempo)
        within = self._limits.nudge * length * stride
        self.shortfall = Shortfall(max(abs(missed) - within, 0.0), max(natural / tempo - left, 0.0))
        bounded = missed * (within / abs(missed)) if abs(missed) > within else missed
        world = cmath.rect(1.0, player.travel[2])
        return Helm(turn, stride, tempo, bounded / max(length, 1e-9) * speed * tempo * world)

    def _stand(self, player: Steerable, seconds: float) -> Helm:
        if not self.done:
            self.done = True
            away = abs(self._place - complex(player.travel[0], player.travel[1]))
            self.shortfall = Shortfall(away, max(seconds - self.mark.seconds, 0.0))
        return NEUTRAL


def _next_exit(found: Exits, phase: float) -> float:
    """Generic time at which the next exit begins."""
    return min(phase + ((way.leaves.begin - phase) % 1.0 or 1.0) for way in found.turned) + LEEWAY


def _way_to(seen: complex, gait: Gait) -> float:
    """Metres to the place `seen` from the figure: round the tightest turn until it faces it, then straight on."""
    radius = 1.0 / gait.tightest[seen.imag > 0.0]
    ahead, aside = seen.real, radius - abs(seen.imag)
    away = math.hypot(ahead, aside)
    if away <= radius:
        return abs(seen)
    angle = (math.atan2(ahead, aside) - math.acos(radius / away)) % math.tau
    return radius * angle + math.sqrt(away**2 - radius**2)
