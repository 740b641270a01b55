"""A playing transition: its verbs, its duration, and its progress ([Rose1998] section 5.1)."""

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..figure.vector_components import cosine, sinc
from ..graph.transition import Region, Transition, region_shares
from ..motion.clip_mixing import FAINT_UNTIL
from .playing_verb import Playing
from .verb_now import VerbNow

Array = NDArray[np.float64]

BRIEFEST = 1e-3
"""Minimum duration of a transition in seconds, so that time passes in every cycle of a graph."""
ROUNDING = 1e-12
"""Tolerance of edges in generic time, or in shares of a transition."""


@dataclass(frozen=True, eq=False)
class Passage:
    """A playing transition: two verbs on corresponding regions of generic time, the old one fading out.

    Each goes through its region at the pace of its own clock, scaled as a whole so that both take equally long. If no
    keytime lies in a region this is the paper's t_A = t_s + b (t_e - t_s); if one does, the paper's mapping would jerk.

    In an inertialised transition the new verb plays alone, at its own pace, to the end of its region.

    Parameters
    ----------
    transition : the transition.
    old, new : the verb that is left and the one that is entered.
    passed : elapsed share of the transition.
    cycle : cycle of the old verb when the transition began.
    leaves, enters : (S,) share of each segment of the two verbs that lies in their regions.
    signs : (R,) 1 or -1, by which the new verb's quaternions are multiplied so that joints rotate the shorter way.
    """

    transition: Transition
    old: Playing
    new: Playing
    passed: float
    cycle: int
    leaves: Array
    enters: Array
    signs: Array

    @property
    def blended(self) -> bool:
        """Whether both verbs play, in a cross-fade."""
        return self.transition.kind == "blended"

    @property
    def roles(self) -> tuple[tuple[int, Playing], ...]:
        """The verbs that give poses, each with its role: 0 for the one that is left, 1 for the one that is entered."""
        return ((0, self.old), (1, self.new)) if self.blended else ((1, self.new),)

    @property
    def seconds(self) -> float:
        """Mean duration of both regions at the present adverbs, which is the duration of a cross-fade."""
        both = self.leaves.dot(self.old.now.lengths) + self.enters.dot(self.new.now.lengths)
        return max(0.5 * float(both), BRIEFEST)

    @property
    def standing(self) -> int:
        """Bits of the planted points: those on the ground in both verbs, or in one while the other's weight is small.

        A point that the verb of more weight has in the air is moved by the mixture, and could not be held still. In an
        inertialised transition the points of the old verb are not considered.
        """
        old, new = self.old.standing, self.new.standing
        if self.blended and self.passed < FAINT_UNTIL:
            return old
        return new if self.blended and self.passed >= 1.0 - FAINT_UNTIL else old & new

    def holding(self, bit: int) -> Playing:
        """Return the verb that has the point of `bit` on the ground; the new one if both do."""
        return self.new if self.new.standing & bit else self.old

    @property
    def done(self) -> bool:
        """Whether the transition is over."""
        return self.passed >= 1.0 - ROUNDING

    def pace(self) -> float:
        """Return the share of the transition per second of the verbs' clock."""
        if self.blended:
            return 1.0 / self.seconds
        length = self.transition.enters.length
        return self.new.rate / length if length > 0.0 else 1.0 / BRIEFEST

    def next_edge(self) -> float:
        """Return the share of the next edge: the end, a verb's edge, or a weight that starts or stops being small."""
        faint = (FAINT_UNTIL, 1.0 - FAINT_UNTIL) if self.blended else ()
        reach = next((share for share in faint if share > self.passed + ROUNDING), 1.0)
        for playing, speed in zip((self.old, self.new), self.speeds, strict=True):
            if speed > 0.0:
                reach = min(reach, self.passed + (playing.next_edge() - playing.phase) / speed)
        return reach

    @cached_property
    def speeds(self) -> tuple[float, float]:
        """Generic time of each verb per whole transition, at the present paces."""
        if not self.blended:
            return 0.0, self.transition.enters.length
        leaves = self._speed(self.old, self.transition.leaves, self.cycle)
        return leaves, self._speed(self.new, self.transition.enters, 0)

    def gone(self, passed: float) -> "Passage":
        """Return the transition at the share `passed`, which is not beyond the next edge."""
        both: list[Playing] = []
        for playing, speed in zip((self.old, self.new), self.speeds, strict=True):
            phase, edge = playing.phase + (passed - self.passed) * speed, playing.next_edge()
            both.append(playing.at(edge if phase > edge - ROUNDING else phase).wrapped() if speed > 0.0 else playing)
        return replace(self, old=both[0], new=both[1], passed=passed)

    def arrived(self) -> Playing:
        """Return the new verb, exactly at the end of its region."""
        return self.new.at(min(max(self.transition.enters.end - self.new.cycle, 0.0), 1.0))

    def _speed(self, playing: Playing, region: Region, cycle: int) -> float:
        """Return the generic time of one verb per whole transition, at its present pace.

        The rest of the region takes the rest of the transition; `cycle` is the one in which the region begins.
        """
        if region.length <= 0.0:
            return 0.0
        until = region.end - playing.cycle + cycle
        return playing.seconds_until(until) * playing.rate / max(1.0 - self.passed, ROUNDING)


def begun(transition: Transition, old: Playing, new: VerbNow, signs: Array) -> Passage:
    """Return `transition` at its beginning, from the present position of `old`; `new` is the verb that is entered.

    `signs` (R,) are those of the new verb's quaternions.
    """
    begin, cyclic = transition.enters.begin, new.verb.cyclic
    entered = Playing(new, begin - math.floor(begin) if cyclic else begin)
    leaves = region_shares(transition.leaves, old.now.verb.phrasing.generic, old.now.verb.cyclic)
    enters = region_shares(transition.enters, new.verb.phrasing.generic, cyclic)
    return Passage(transition, old, entered, 0.0, old.cycle, leaves, enters, signs)


def mean_fade(begin: Any, end: Any) -> Any:
    """Return the mean of `transition.fade`, the old verb's weight, between two shares of a transition."""
    return 0.5 * cosine(0.5 * math.pi * (begin + end)) * sinc(0.5 * math.pi * (end - begin)) + 0.5
