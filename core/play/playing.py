"""One verb being played: where in it the figure is, and how far it drifts from there."""

import math
from bisect import bisect_left, bisect_right

from .live_verb import Drift, LiveVerb


class Playing:
    """Generic time of a verb that goes forward; it never stands where a rate changes without having been told so.

    Parameters
    ----------
    now : the verb at the adverbs of the moment.
    phase : generic time to begin at; of cyclic verbs it is taken modulo 1.

    Attributes
    ----------
    cycle, phase : whole cycles passed, and generic time within this one: in [0, 1) for cyclic verbs after `wrap`.
    """

    def __init__(self, now: LiveVerb, phase: float) -> None:
        self.now = now
        self.cycle = 0
        self.phase = phase - math.floor(phase) if now.verb.cyclic else phase

    def copy(self) -> "Playing":
        """One that goes on by itself."""
        made = Playing(self.now, 0.0)
        made.cycle, made.phase = self.cycle, self.phase
        return made

    @property
    def name(self) -> str:
        """Of the verb."""
        return self.now.verb.name

    @property
    def rate(self) -> float:
        """Generic time per second from here on; 0 at the end of a verb that is no cycle."""
        return self.now.rates[self._segment()] if self.phase < 1.0 else 0.0

    def arriving(self) -> tuple[float, Drift]:
        """Generic time and drift per second on the way here: at a keytime those of the segment that it ends."""
        segment = bisect_left(self.now.generic, self.phase) - 1
        return self._pace(max(segment, -1 if self.now.verb.cyclic else 0))

    def leaving(self) -> tuple[float, Drift]:
        """Generic time and drift per second from here on."""
        return self._pace(self._segment())

    def ground(self, bit: int) -> tuple[float, float]:
        """Clearance and drop of the window in which the point of `bit` stands; none if it does not."""
        return self.now.ground(self.phase, bit)

    def next_edge(self) -> float:
        """The next generic time, at most 1, at which the rate changes or a contact opens or closes."""
        edges = self.now.edges
        index = bisect_right(edges, self.phase)
        return edges[index] if index < len(edges) else math.inf

    def seconds_until(self, phase: float) -> float:
        """Seconds to generic time `phase`, counted from the beginning of this cycle, at the adverbs of the moment."""
        here, segment, cycle, seconds = self.phase, self._segment(), 0.0, 0.0
        while here < phase:
            end = min(cycle + self.now.generic[segment + 1], phase)
            seconds += max(end - here, 0.0) / self.now.rates[segment]
            here, segment = end, segment + 1
            if segment == len(self.now.spans):
                segment, cycle = 0, cycle + 1.0
        return seconds

    def go(self, phase: float) -> Drift:
        """Go on to `phase`, no farther than the next edge, and return the drift on the way."""
        drift = self.now.drift(self._segment(), phase - self.phase)
        self.phase = phase
        return drift

    def wrap(self) -> bool:
        """Begin the next cycle if this one is over; return whether that is so."""
        if self.phase < 1.0 or not self.now.verb.cyclic:
            return False
        self.phase, self.cycle = 0.0, self.cycle + 1
        return True

    def _segment(self) -> int:
        return min(bisect_right(self.now.generic, self.phase), len(self.now.spans)) - 1

    def _pace(self, segment: int) -> tuple[float, Drift]:
        rate = self.now.rates[segment]
        return rate, self.now.drift(segment % len(self.now.spans), rate)
