"""Walking up to something and reaching for it: one controller that commands two others.

[Kallmann2005] section 2 gives the example of a controller that opens a door by controlling walking and reaching. Here
the walk is led to a mark from which the target lies where the reach is at its best, and the reach is then asked for
with adverbs that measure where the hand comes.
"""

import cmath
import math
from copy import copy

import numpy as np

from ..errors import GraphError
from ..play.graph_player import GraphPlayer
from ..play.player import AskAdverbs, AskVerb
from .gait import NEUTRAL, Gait, Limits, WantedHandles, clip
from .goals import ReachThere, StandOnMark, seen_from, turn_towards
from .stop_on_mark import Shortfall, Stopping, straight_after_turn, turns

FACES = math.radians(4.0)
"""Angle between its way and the mark up to which a figure faces it."""
RUN_UP, ROOMY = 1.2, 2.2
"""Seconds of walking straight that are to be left when it does; and how much more room a figure that walks on for want
of it waits for."""

_CANNOT_REACH = "From verb '{}', with which the character stops, no way leads to '{}'. Add transitions to it and back."


class WalkAndReach:
    """Leads a figure to where it can reach its target, and lets it reach.

    A figure that stands, and can reach the target from where it is, does not walk. The mark lies on the straight way
    from where the figure is, so that it comes to face the target; how it turns meanwhile is made up for by the reach.

    Parameters
    ----------
    goal : what to reach, and with which verb.
    limits : of the handles while it walks.

    Attributes
    ----------
    shortfall : once the figure stands, how many metres of what was asked lie outside the reach's adverbs; before, what
        is forecast to be missing from the mark; None while nothing can be said.
    done : whether it has reached.
    """

    def __init__(self, goal: ReachThere, limits: Limits) -> None:
        self.goal = goal
        self.shortfall: Shortfall | None = None
        self.done = False
        self._limits = limits
        self._going: Stopping | None = None
        self._faces, self._passes, self._stands, self._begun = False, False, False, False

    def fork(self) -> "WalkAndReach":
        """Return one that leads on by itself from the present to the same target."""
        made = copy(self)
        made._going = self._going and self._going.fork()
        return made

    def wanted_handles(self, player: GraphPlayer, gait: Gait | None, adverb: str, seconds: float) -> WantedHandles:
        """Return the handles for time `seconds`, and command verbs and adverbs when it is time for them.

        Parameters
        ----------
        player : the figure.
        gait : how it walks, None while it plays a verb that `adverb` does not steer.
        adverb : name of the steering adverb.
        seconds : present time.

        Raises
        ------
        GraphError
            If no way leads to the mark, or from the verb it stands in to the reach.
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
        """Lead the figure until it faces the mark, then onto it; meanwhile let the adverbs of the reach settle."""
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
        """Return the handles of a figure that has to face the mark yet; None if it does, or cannot turn.

        The mark is `seen` from where the figure will face, once its present turn has faded by `fades` radians.

        It is to come to the mark straight ahead, for a walk that ends in a turn faces somewhere else. Where a turn
        leaves no room for that, the figure walks on until there is.
        """
        room = RUN_UP * gait.speed
        if not turns(gait) or (max(abs(cmath.phase(seen)), abs(fades)) < FACES and abs(seen) >= room):
            return None
        straight = max(straight_after_turn(seen, gait, left, self._limits) for left in (False, True))
        self._passes = straight < (ROOMY if self._passes else 1.0) * room
        return WantedHandles(gait.neutral) if self._passes else turn_towards(seen, 0.0, None, gait, self._limits)

    def _stand(self, player: GraphPlayer) -> None:
        """Ask for the reach, now that the figure stands."""
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
        """Note when the reach has been played."""
        plays = player.verb == self.goal.verb and player.transition is None
        self._begun = self._begun or plays
        self.done = self._begun and (not plays or player.phase >= 1.0)

    def _mark(self, player: GraphPlayer, gait: Gait) -> tuple[float, float]:
        """Return the place to stand at, where a figure that comes straight from where it is reaches its best."""
        here, there = complex(*player.travel[:2]), complex(*self.goal.place[:2])
        if there == here:
            return there.real, there.imag
        ahead = complex(*self.goal.usual[:2]) * cmath.rect(1.0, -gait.course)
        aside = clip(ahead.imag / abs(there - here), (-1.0, 1.0))
        mark = there - ahead * cmath.rect(1.0, cmath.phase(there - here) - math.asin(aside))
        return mark.real, mark.imag

    def _seen(self, player: GraphPlayer) -> tuple[float, float, float]:
        """Return the target's place as the figure has it: x and y from its heading, z from its ground."""
        x, y, heading = player.travel
        flat = (complex(*self.goal.place[:2]) - complex(x, y)) * cmath.rect(1.0, -heading)
        return flat.real, flat.imag, self.goal.place[2] - player.moment.root.height

    def _asked(self, player: GraphPlayer) -> dict[str, tuple[float, float]]:
        """Return for each adverb of the reach what the target asks for, and the nearest value in its range."""
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
    """Return the radians by which a figure still turns if it is asked to go straight on now: the adverb settles."""
    rate = np.interp(player.adverbs[adverb], gait.table.values, gait.table.rates.turn_rate)
    return 0.5 * player.settle * float(rate)
