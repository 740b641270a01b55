"""A playing verb with its generic time, and the root, which drifts move over the ground."""

import math
from bisect import bisect_left, bisect_right
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..figure.vector_components import direction, sinc
from ..motion.travel import repeat
from .verb_now import Drift, Passes, VerbNow

Array = NDArray[np.float64]


class Playing(NamedTuple):
    """A playing verb at one generic time.

    It is advanced by steps that end at the next edge at the latest (`next_edge`), so that its rate is constant in each
    step.

    Parameters
    ----------
    now : the verb at the present adverbs.
    phase : generic time within this cycle, in [0, 1]; for a cyclic verb it is below 1 after `wrapped`.
    cycle : number of completed cycles.
    then : input of its poses (see `Verb.mixing`) at the end of the present step of its adverbs (see `Setting`), None
        while they rest.
    before : the passes of contact windows in which points were planted until now (see `VerbNow.passes`).
    """

    now: VerbNow
    phase: float
    cycle: int = 0
    then: Array | None = None
    before: Passes = ()

    @property
    def name(self) -> str:
        """Name of the verb."""
        return self.now.verb.name

    @property
    def roles(self) -> "tuple[tuple[int, Playing], ...]":
        """The verb that gives poses, with role 0: that of a verb alone, or of one that is left."""
        return ((0, self),)

    @property
    def rate(self) -> float:
        """Generic time per second from here on; 0 at the end of a verb that is not a cycle."""
        return self.now.rates[self.segment] if self.phase < 1.0 else 0.0

    @property
    def drift(self) -> tuple[float, float, float, float]:
        """Displacement x and y in the heading's frame, turn and climb, per generic time, from here on."""
        return self.now.drifts[self.segment]

    @property
    def standing(self) -> int:
        """Bits of the contact points planted at this time."""
        return self.now.points(self.passes)

    def arriving(self) -> tuple[float, Drift]:
        """Return the generic time and the drift per second just before this time.

        At a keytime these are the values of the segment that ends there.
        """
        segment = bisect_left(self.now.generic, self.phase) - 1
        return self._pace(max(segment, -1 if self.now.verb.cyclic else 0))

    def leaving(self) -> tuple[float, Drift]:
        """Return the generic time and the drift per second from here on."""
        return self._pace(self.segment)

    def ground(self, bit: int) -> tuple[float, float]:
        """Return clearance and drop of the window in which the point of `bit` is planted; both 0 if it is not."""
        return self.now.ground(bit, self.passes)

    def next_edge(self) -> float:
        """Return the next generic time, at most 1, at which the rate changes or a contact begins or ends, else inf."""
        edges = self.now.edges
        index = bisect_right(edges, self.phase)
        return edges[index] if index < len(edges) else math.inf

    def seconds_until(self, phase: float) -> float:
        """Return the seconds until generic time `phase`, which may lie beyond this cycle, at the present adverbs."""
        now, here, segment, cycle, seconds = self.now, self.phase, self.segment, 0.0, 0.0
        while here < phase:
            end = min(cycle + now.generic[segment + 1], phase)
            seconds += max(end - here, 0.0) / now.rates[segment]
            here, segment = end, segment + 1
            if segment == len(now.rates):
                segment, cycle = 0, cycle + 1.0
        return seconds

    def left(self, point: int) -> float:
        """Return the seconds for which a planted point will stay planted, at the present rate of this verb.

        `point` is its index; the result is infinite if the verb does not advance, or never lifts the point.
        """
        rate = self.rate
        if not rate:
            return math.inf
        return (self.now.stands_until(self.phase, 1 << point, self.passes, self.cycle) - self.phase) / rate

    def at(self, phase: float) -> "Playing":
        """Return the same verb at a later generic time `phase` of this cycle, before which there is no edge."""
        return Playing(self.now, phase, self.cycle, self.then, self.passes)

    def wrapped(self) -> "Playing":
        """Return the verb at the start of its next cycle if this cycle is over, else unchanged."""
        if self.phase < 1.0 or not self.now.verb.cyclic:
            return self
        return Playing(self.now, 0.0, self.cycle + 1, self.then, self.before)

    @property
    def passes(self) -> Passes:
        """The passes of contact windows in which points are planted at this time."""
        return self.now.passes(self.phase, self.cycle, self.before)

    @property
    def segment(self) -> int:
        """Index of the segment that continues from here."""
        return min(bisect_right(self.now.generic, self.phase), len(self.now.rates)) - 1

    def _pace(self, segment: int) -> tuple[float, Drift]:
        """Return the generic time and the drift per second in a segment."""
        rate = self.now.rates[segment]
        x, y, turn, climb = self.now.drifts[segment % len(self.now.rates)]
        return rate, (rate * complex(x, y), rate * turn, rate * climb)


class Root(NamedTuple):
    """Position, heading and height of a figure; its fields are plain numbers for one time, or arrays (T,) for many.

    It is moved only by drifts (`moved`), never by loops, transitions or jumps in a verb's generic time.

    Parameters
    ----------
    place : x + i y on the floor, performance units.
    heading : radians, to the left.
    height : of the ground under it, performance units.
    """

    place: Any
    heading: Any
    height: Any

    def moved(self, drift: tuple[Any, Any, Any], stride: Any = 1.0) -> "Root":
        """Return the root after `drift` (velocity x + i y, turn, climb), which moves it along a circular arc.

        Displacement and climb are multiplied by `stride`; x and y are in the heading's frame.
        """
        velocity, turn, climb = drift
        half = 0.5 * turn
        along = velocity * (stride * sinc(half)) * direction(self.heading + half)
        return Root(self.place + along, self.heading + turn, self.height + climb * stride)


def root_before(root: Root, verb: VerbNow, cycles: int) -> Root:
    """Return the root the given number of cycles before `root`, or after it if negative."""
    if not cycles:
        return root
    way = Root(0j, 0.0, 0.0)
    for (x, y, turn, climbed), span in zip(verb.drifts, np.diff(verb.generic).tolist(), strict=True):
        way = way.moved((span * complex(x, y), span * turn, span * climbed))
    cycle = np.array([way.place.real, way.place.imag, way.heading, way.height])
    x, y, heading, height = repeat(cycle, np.array(float(-cycles))).tolist()
    return Root(root.place + complex(x, y) * direction(root.heading), root.heading + heading, root.height + height)
