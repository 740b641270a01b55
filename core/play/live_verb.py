"""A verb of the graph at the adverbs of the moment, in plain numbers: pace, drift and contact windows."""

import math
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from ..verb.live import Array32, LivePose
from ..verb.live_path import arc, compose
from ..verb.phrasing import share_heights
from ..verb.verb import Verb

Array = NDArray[np.float64]

Stand = tuple[float, float, int, int]
"""A point stands from one generic time to another, both in [0, 1]: these, the point as a bit, and the window."""
Drift = tuple[complex, float, float]
"""Displacement in the heading's frame as x + i y, turn in radians, and climb."""


class LiveVerb:
    """What all that play one verb share, worked out anew only when its adverbs change.

    Parameters
    ----------
    verb : the verb.
    points : index of each contact point in the graph.
    """

    def __init__(self, verb: Verb, points: Mapping[str, int]) -> None:
        self.verb = verb
        windows = [c.windows for c in verb.contacts]
        begins = np.concatenate([np.empty((len(verb.example_names), 0)), *(w[..., 0] for w in windows)], axis=1)
        lengths = np.concatenate([begins[:, :0], *(w[..., 1] - w[..., 0] for w in windows)], axis=1)
        shares = np.concatenate([begins, lengths], axis=1)
        self.live = LivePose(verb, shares)
        self.generic: list[float] = verb.phrasing.generic.tolist()
        self.spans = [end - begin for begin, end in zip(self.generic[:-1], self.generic[1:], strict=True)]
        self.adverbs: tuple[float, ...] = ()
        self.lengths: list[float] = []
        self.rates: list[float] = []
        self._drifts: list[float] = []
        self.stands: list[Stand] = []
        self.edges: list[float] = []
        self._bits = [1 << points[c.point] for c in verb.contacts for _ in range(c.windows.shape[1])]
        self._heights = [h for c in verb.contacts for h in np.stack([c.clearances, c.drops], axis=-1).swapaxes(0, 1)]
        self._changed = False
        self._least: list[float] = shares.min(axis=0).tolist()
        self._most: list[float] = shares.max(axis=0).tolist()
        self._last: list[float] = [end for w in windows for end in w[..., 1].max(axis=0).tolist()]

    def set_adverbs(self, values: Mapping[str, float]) -> None:
        """Move to the adverbs `values` by name; the verb uses those it knows."""
        adverbs = tuple([values[name] for name in self.verb.adverb_names])
        if adverbs == self.adverbs and self.rates:
            return
        self._changed, self.adverbs = True, adverbs
        self.live.set_adverbs(adverbs)
        self.lengths, self._drifts, shares = self.live.paces()
        self.rates = [span / length for span, length in zip(self.spans, self.lengths, strict=True)]
        self._stand(shares)

    def drift(self, segment: int, length: float) -> Drift:
        """Drift over `length` of generic time within `segment`."""
        x, y, turn, climb = self._drifts[4 * segment : 4 * segment + 4]
        share = length / self.spans[segment]
        return complex(x * share, y * share), turn * share, climb * share

    def pose(self, phase: float) -> Array32:
        """Pose columns (width - 3,) at generic time `phase`; overwritten by the next call."""
        changing, self._changed = self._changed, False
        return self.live.pose(phase, self.adverbs, changing)

    def standing(self, phase: float) -> int:
        """Bits of the points that stand at generic time `phase` in [0, 1]."""
        found = 0
        for begin, end, bit, _ in self.stands:
            if begin <= phase and (phase < end or end == 1.0):
                found |= bit
        return found

    def stands_until(self, phase: float, bit: int) -> float:
        """Generic time until which the point of `bit`, which stands at `phase`, goes on standing."""
        until, cycle = phase, 0.0
        while True:
            ends = [end for begin, end, other, _ in self.stands if other == bit and begin <= until - cycle < end]
            if not ends:
                return until
            until = cycle + max(ends)
            if until - cycle < 1.0:
                return until
            if not self.verb.cyclic or cycle >= 1.0:
                return math.inf
            cycle += 1.0

    def ground(self, phase: float, bit: int) -> tuple[float, float]:
        """Clearance and drop of the window in which the point of `bit` stands at `phase`; none if it does not."""
        for begin, end, other, window in self.stands:
            if other == bit and begin <= phase <= end:
                clearance, drop = share_heights(self._heights[window], self.live.weights).tolist()
                return clearance, drop
        return 0.0, 0.0

    def _stand(self, shares: list[float]) -> None:
        self.stands, self.edges = [], self.generic.copy()
        within = zip(self._least, shares, self._most, strict=True)
        shares = [least if share < least else most if share > most else share for least, share, most in within]
        count = len(self._bits)
        for window, last in enumerate(self._last):
            end = shares[window] + shares[count + window]
            self._add(shares[window], end if end < last else last, window)
        self.edges.sort()

    def _add(self, begin: float, end: float, window: int) -> None:
        if end <= begin:
            return
        if not self.verb.cyclic:
            begin, end = max(begin, 0.0), min(end, 1.0)
        elif end - begin >= 1.0:
            begin, end = 0.0, 1.0
        else:
            cycle = math.floor(begin)
            begin, end = begin - cycle, end - cycle
            if end > 1.0:
                self._stretch(0.0, end - 1.0, window)
                end = 1.0
        if begin < end:
            self._stretch(begin, end, window)

    def _stretch(self, begin: float, end: float, window: int) -> None:
        self.stands.append((begin, end, self._bits[window], window))
        self.edges += begin, end


class RootPath:
    """Place, heading and height of a figure, moved by drifts.

    Loops, transitions and jumps in a verb's phase cannot move it: only what is passed in `move` does.

    Parameters
    ----------
    origin : x, y, z and heading to begin with.
    """

    def __init__(self, origin: tuple[float, float, float, float]) -> None:
        self.place = complex(origin[0], origin[1])
        self.height = origin[2]
        self.heading = origin[3]

    def move(self, drift: Drift, stride: float = 1.0) -> None:
        """Go on along the arc of a circle that an even `drift` makes, `stride` times as long and as high."""
        velocity, turn, climb = drift
        self.place, self.heading = compose((self.place, self.heading), arc(velocity * stride, turn, 1.0))
        self.height += climb * stride
