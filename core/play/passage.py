"""A transition being played ([Rose1998] section 5.1)."""

import math

from ..graph.transition import Region, Transition, fade, region_shares
from .live_verb import Drift, LiveVerb
from .playing import Playing

BRIEFEST = 1e-3
"""Seconds that a transition takes at least, so that time passes in every round of a graph."""
ROUNDING = 1e-12
"""Generic time, or share of a passage, by which an edge may be missed."""
FAINT = 0.15
"""Weight under which a verb that has a point in the air hardly moves it."""
FAINT_UNTIL = math.acos(1.0 - 2.0 * FAINT) / math.pi
"""Share of a passage at which the new verb has that weight; the old one has it as long before the end."""


class Passage:
    """Two verbs on corresponding stretches of generic time, the old one fading out.

    Each goes through its stretch at the pace of its own clock, quicker or slower as a whole so that both take equally
    long. Where no keytime lies in between this is the paper's t_A = t_s + b (t_e - t_s); else that would jerk there.

    Of an inertialised transition the new verb is played alone, at its own pace, to the end of its region.

    Parameters
    ----------
    transition : which one.
    old : the verb that is left, at the beginning of its region.
    new : the verb that is entered.
    """

    def __init__(self, transition: Transition, old: Playing, new: LiveVerb) -> None:
        self.transition = transition
        self.blended = transition.kind == "blended"
        self.old = old
        self.new = Playing(new, transition.enters.begin)
        self.passed = 0.0
        self._cycle = old.cycle
        self._leaves = _shares(transition.leaves, old.now)
        self._enters = _shares(transition.enters, new)

    def copy(self) -> "Passage":
        """One that goes on by itself."""
        made = Passage(self.transition, self.old.copy(), self.new.now)
        made.new, made.passed, made._cycle = self.new.copy(), self.passed, self._cycle
        return made

    @property
    def seconds(self) -> float:
        """Mean duration of both regions at the adverbs of the moment."""
        return max(0.5 * (_seconds(self._leaves, self.old.now) + _seconds(self._enters, self.new.now)), BRIEFEST)

    @property
    def weight(self) -> float:
        """Of the old verb."""
        return fade(self.passed) if self.blended else 0.0

    def standing(self) -> int:
        """Bits of the points that stand: those that both verbs have on the ground, or one while the other is faint.

        What a verb of more weight has in the air is carried there or down by the mixture, and could not be held still.
        Of an inertialised transition the old verb stays as it was left.
        """
        old, new = self.old.now.standing(self.old.phase), self.new.now.standing(self.new.phase)
        if self.blended and self.passed < FAINT_UNTIL:
            return old
        return new if self.blended and self.passed >= 1.0 - FAINT_UNTIL else old & new

    def holding(self, bit: int) -> Playing:
        """The verb that has the point of `bit` on the ground, the new one if both have."""
        return self.new if self.new.now.standing(self.new.phase) & bit else self.old

    @property
    def done(self) -> bool:
        """Whether the new verb has been reached."""
        return self.passed >= 1.0 - ROUNDING

    def pace(self) -> float:
        """Share of the passage that goes by in a second."""
        if self.blended:
            return 1.0 / self.seconds
        length = self.transition.enters.length
        return self.new.rate / length if length > 0.0 else 1.0 / BRIEFEST

    def next_edge(self) -> float:
        """Share passed at which the passage ends, a verb comes to an edge, or one begins or ceases to be faint."""
        faint = (FAINT_UNTIL, 1.0 - FAINT_UNTIL) if self.blended else ()
        reach = next((share for share in faint if share > self.passed + ROUNDING), 1.0)
        for playing, region in self._moving():
            speed = self._speed(playing, region)
            if speed > 0.0:
                reach = min(reach, self.passed + (playing.next_edge() - playing.phase) / speed)
        return reach

    def go(self, passed: float) -> Drift:
        """Go on until `passed`, no farther than the next edge, and return the drift on the way."""
        weight = _mean_fade(self.passed, passed) if self.blended else 0.0
        velocity, turn, climb = 0j, 0.0, 0.0
        for playing, region in self._moving():
            share = weight if playing is self.old else 1.0 - weight
            phase = playing.phase + (passed - self.passed) * self._speed(playing, region)
            edge = playing.next_edge()
            phase = edge if phase > edge - ROUNDING else phase
            own = playing.go(phase)
            velocity, turn, climb = velocity + share * own[0], turn + share * own[1], climb + share * own[2]
        self.passed = passed
        return velocity, turn, climb

    def arrive(self) -> Playing:
        """The new verb, exactly at the end of its region."""
        self.new.phase = min(max(self.transition.enters.end - self.new.cycle, 0.0), 1.0)
        return self.new

    def _speed(self, playing: Playing, region: Region) -> float:
        """Generic time in which a verb goes on for a whole passage, at its pace of the moment."""
        if not self.blended:
            return region.length
        until = region.end - playing.cycle + (self._cycle if playing is self.old else 0)
        return playing.seconds_until(until) * playing.rate / max(1.0 - self.passed, ROUNDING)

    def _moving(self) -> list[tuple[Playing, Region]]:
        both = ((self.old, self.transition.leaves), (self.new, self.transition.enters))
        return [(playing, region) for playing, region in both[0 if self.blended else 1 :] if region.length > 0.0]


def _shares(region: Region, verb: LiveVerb) -> list[float]:
    shares: list[float] = region_shares(region, verb.verb.phrasing.generic, verb.verb.cyclic).tolist()
    return shares


def _seconds(shares: list[float], verb: LiveVerb) -> float:
    return sum(share * length for share, length in zip(shares, verb.lengths, strict=True))


def _mean_fade(begin: float, end: float) -> float:
    """Mean of `fade` between two shares of a passage."""
    middle, half = 0.5 * (begin + end), 0.5 * math.pi * (end - begin)
    return 0.5 * math.cos(math.pi * middle) * (math.sin(half) / half if half else 1.0) + 0.5
