"""A verb of the graph at the adverbs of the moment, in plain numbers: pace, drift and contact windows."""

import math
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from ..verb.live import Array32, LivePose
from ..verb.phrasing import share_heights
from ..verb.verb import Verb
from .root_path import Drift

Array = NDArray[np.float64]

Stand = tuple[float, float, int, int]
"""A point stands from one generic time to another, both in [0, 1]: these, the point as a bit, and the window."""


class LiveVerb:
    """What all that play one verb share, worked out anew only when its adverbs change.

    Parameters
    ----------
    verb : the verb.
    points : index of each contact point in the graph.
    """

    def __init__(self, verb: Verb, points: Mapping[str, int]) -> None:
        self.verb = verb
        self.live = LivePose(verb)
        self.generic: list[float] = verb.phrasing.generic.tolist()
        self.spans = [end - begin for begin, end in zip(self.generic[:-1], self.generic[1:], strict=True)]
        self.adverbs: tuple[float, ...] = ()
        self.lengths: list[float] = []
        self.rates: list[float] = []
        self._drifts: list[float] = []
        self.stands: list[Stand] = []
        self.edges: list[float] = []
        self._windows = np.concatenate([c.windows for c in verb.contacts], axis=1) if verb.contacts else None
        self._bits = [1 << points[c.point] for c in verb.contacts for _ in range(c.windows.shape[1])]
        self._heights = [h for c in verb.contacts for h in np.stack([c.clearances, c.drops], axis=-1).swapaxes(0, 1)]
        self._changed = False
        if self._windows is not None:
            both = np.concatenate([self._windows[..., 0], self._windows[..., 1] - self._windows[..., 0]], axis=1)
            self._shares = both
            self._least, self._most = both.min(axis=0), both.max(axis=0)
            self._last: list[float] = self._windows[..., 1].max(axis=0).tolist()

    def set_adverbs(self, values: Mapping[str, float]) -> None:
        """Move to the adverbs `values` by name; the verb uses those it knows."""
        adverbs = tuple([values[name] for name in self.verb.adverb_names])
        if adverbs == self.adverbs and self.rates:
            return
        self._changed, self.adverbs = True, adverbs
        self.live.set_adverbs(adverbs)
        count = len(self.spans)
        self.lengths = [self.live.segment_length(segment) for segment in range(count)]
        self.rates = [span / length for span, length in zip(self.spans, self.lengths, strict=True)]
        self._drifts = self.live.drifts()
        self._stand()

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

    def _stand(self) -> None:
        self.stands, self.edges = [], self.generic.copy()
        if self._windows is None:
            return
        mixed = self.live.weights.dot(self._shares)
        np.maximum(mixed, self._least, mixed)
        np.minimum(mixed, self._most, mixed)
        numbers: list[float] = mixed.tolist()
        count = len(self._bits)
        for window in range(count):
            begin, last = numbers[window], self._last[window]
            end = begin + numbers[count + window]
            self._add(begin, end if end < last else last, window)
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
