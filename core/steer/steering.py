"""Steering a player: towards a point, along a curve, onto a mark."""

from .gait import Gait, gait_of
from .helm import NEUTRAL, Helm, Limits, Steerable
from .pursuit import AHEAD, BEHIND, CLEAR, GLANCE, follow, room_to_turn, seen_from, towards
from .stopping import Shortfall, Stopping
from .wishes import AlongCurve, Mark, TowardsPoint

END = 2.0
"""Metres before the end of a curve from which on the end is a mark to stand on."""

Wish = TowardsPoint | AlongCurve | Mark


class Steering:
    """Moves one adverb and the handles of a player, so that the figure goes where it is asked to.

    What it does depends on the wishes, the player's state and the times of the steps alone, so a performance that is
    steered replays exactly. A figure that stands, or plays a verb without the steering adverb, is left alone: set it
    going with a command. Only a mark lets it set out by itself.

    Parameters
    ----------
    adverb : name of the one that steers.
    limits : how much the gait may be bent.

    Attributes
    ----------
    arrived : whether the point was reached, the curve's end passed, or the figure stands on the mark or at the end.
    along : metres of the curve that are passed.
    """

    def __init__(self, adverb: str, limits: Limits | None = None) -> None:
        self.adverb = adverb
        self.limits = limits or Limits()
        self.arrived = False
        self.along = 0.0
        self._wish: Wish | None = None
        self._stopping: Stopping | None = None
        self._fresh, self._passing = True, False
        self._gait: tuple[object, Gait] | None = None

    def ask(self, wish: Wish | None) -> None:
        """Wish something new; None leaves the figure to itself, its handles neutral."""
        self._wish, self._fresh, self._passing = wish, True, False
        self.arrived, self.along = False, 0.0
        self._stopping = Stopping(wish, self.limits) if isinstance(wish, Mark) else None

    @property
    def shortfall(self) -> Shortfall | None:
        """What will be missing from a mark at the time asked; None as long as nothing can be said."""
        return self._stopping.shortfall if self._stopping else None

    def before_step(self, player: Steerable, seconds: float, step: float) -> None:
        """Move the handles for a step of the player.

        Parameters
        ----------
        player : about to be stepped.
        seconds : what time it is.
        step : seconds by which it will be stepped.
        """
        gait = None if self._wish is None else self._gait_of(player)
        helm = self._helm(player, gait, seconds)
        if helm is NEUTRAL and gait is not None and player.transition is None:
            helm = Helm(gait.neutral)
        helm.move(player, self.adverb, self.limits, step)
        self._fresh = False

    def _helm(self, player: Steerable, gait: Gait | None, seconds: float) -> Helm:
        wish = self._wish
        if self._stopping is not None:
            helm = self._stopping.helm(player, gait, self.adverb, seconds)
            self.arrived = self._stopping.done
            return helm
        if wish is None or gait is None or isinstance(wish, Mark):
            return NEUTRAL
        if isinstance(wish, TowardsPoint):
            return NEUTRAL if self.arrived and wish.once else self._to_point(wish, player, gait, seconds)
        return NEUTRAL if self.arrived else self._on_curve(wish, player, gait)

    def _to_point(self, wish: TowardsPoint, player: Steerable, gait: Gait, seconds: float) -> Helm:
        point, pace = wish.point, None
        if callable(point):
            now, soon = complex(*point(seconds)), complex(*point(seconds + GLANCE))
            seen = seen_from(player.travel, gait.course, now)
            pace = (seen_from(player.travel, gait.course, soon) - seen).real / GLANCE
        else:
            seen = seen_from(player.travel, gait.course, complex(*point))
        self.arrived = self.arrived or abs(seen) <= wish.reach
        self._passing = room_to_turn(seen, 0.5 * wish.reach, gait, self.limits) < (CLEAR if self._passing else 1.0)
        return Helm(gait.neutral) if self._passing else towards(seen, wish.reach, pace, gait, self.limits)

    def _on_curve(self, wish: AlongCurve, player: Steerable, gait: Gait) -> Helm:
        here = complex(player.travel[0], player.travel[1])
        first = 0.0, wish.curve.length - AHEAD * wish.curve.closed
        begin, end = first if self._fresh else (self.along - BEHIND, self.along + AHEAD)
        self.along = wish.curve.nearest(here, begin, end) % wish.lap
        self.arrived = self.along >= wish.curve.length
        if wish.stop is not None and self.along >= wish.curve.length - END:
            end = wish.curve.points[-1]
            self._stopping = Stopping(Mark((end.item(0), end.item(1)), None, wish.stop), self.limits)
            self.arrived = False
        return follow(wish, self.along, player.travel, gait, self.limits)

    def _gait_of(self, player: Steerable) -> Gait | None:
        """The gait at the adverbs of the moment, kept as long as no other adverb than the steering one moves."""
        verb = player.graph.verb(player.verb)
        if self.adverb not in verb.adverb_names:
            return None
        key = (verb, *(player.adverbs[name] for name in verb.adverb_names if name != self.adverb))
        if self._gait is None or self._gait[0] != key:
            self._gait = key, gait_of(verb, self.adverb, player.adverbs)
        return self._gait[1]
