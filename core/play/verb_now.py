"""A verb at the present adverbs in plain numbers: its rates, drifts and contacts."""

import math
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..motion.timewarp import saturate, share_heights
from ..verb.verb import Verb
from .steps_ahead import Step

Array = NDArray[np.float64]

KEPT = 3
"""Number of cached adverb settings: the present one, that of the next step, and the last one."""
Stand = tuple[float, float, int, int]
"""A stretch of generic time, within [0, 1], in which a point is planted: begin, end, the point's bit, and window."""
Passes = tuple[tuple[int, bool], ...]
"""For each window, the number of the pass in which the point was last planted, and whether it still is.

A cycle has one pass of each window, which may begin before the cycle and end after it.
"""
STAYS = 0.08
"""Seconds by which the start of a window may be delayed after planting before the point counts as lifted."""
ROUNDS = 3
"""Number of whole cycles after which a planted point is assumed to stay planted forever."""
Drift = tuple[complex, float, float]
"""Displacement x + i y in the heading's frame, turn in radians to the left, and climb."""


@dataclass(frozen=True, eq=False)
class VerbNow:
    """A verb at one point of its adverb space, for players. Values are computed lazily.

    Parameters
    ----------
    pacer : pacer that made it.
    adverbs : (D,)
    mixing : input of its poses, see `Verb.mixing`; the weights (N,) of the examples come first.
    numbers : (6 S + 2 W,) lengths and rates of segments, drifts, begins and ends of windows, see `Pacer`.
    """

    pacer: "Pacer"
    adverbs: tuple[float, ...]
    mixing: Array
    numbers: Sequence[float]
    _passed: list[tuple[float, int, Passes, Passes]] = field(default_factory=list[tuple[float, int, Passes, Passes]])

    @property
    def verb(self) -> Verb:
        """The verb."""
        return self.pacer.verb

    @property
    def generic(self) -> Sequence[float]:
        """(S + 1,) generic times of the keytimes."""
        return self.pacer.generic

    @property
    def heights(self) -> Sequence[Array]:
        """For each window, (N, 2) clearance and drop in each example."""
        return self.pacer.heights

    @cached_property
    def lengths(self) -> Sequence[float]:
        """(S,) duration of each segment in seconds."""
        return self.numbers[: self.pacer.ends[0]]

    @cached_property
    def rates(self) -> Sequence[float]:
        """(S,) generic time per second in each segment."""
        return self.numbers[slice(*self.pacer.ends[:2])]

    @cached_property
    def drifts(self) -> Sequence[tuple[float, float, float, float]]:
        """(S, 4) displacement x and y, turn and climb, per generic time in each segment."""
        numbers, (_, first, end, _) = self.numbers, self.pacer.ends
        firsts = range(first, end, 4)
        return [(numbers[i], numbers[i + 1], numbers[i + 2], numbers[i + 3]) for i in firsts]

    @cached_property
    def windows(self) -> Sequence[tuple[float, float, int]]:
        """Begin, end and the point's bit of each window, in generic time that may lie beyond [0, 1]."""
        begins, ends = self.numbers[slice(*self.pacer.ends[2:])], self.numbers[self.pacer.ends[3] :]
        return list(zip(begins, ends, self.pacer.bits, strict=True))

    @cached_property
    def stands(self) -> Sequence[Stand]:
        """Stretches in which points are planted; a window that spans the end of a cycle gives two."""
        return [
            (*stretch, bit, window)
            for window, (begin, end, bit) in enumerate(self.windows)
            for stretch in (_within(begin, end, self.verb.cyclic) if end > begin else ())
        ]

    @cached_property
    def edges(self) -> Sequence[float]:
        """Generic times at which the rate changes or a contact begins or ends, increasing."""
        return sorted([*self.generic, *(end for stand in self.stands for end in stand[:2])])

    @property
    def weights(self) -> Array:
        """Weights (N,) of the examples."""
        return self.mixing[: len(self.verb.example_names)]

    def standing(self, phase: float) -> int:
        """Return the bits of the points planted at generic time `phase` in [0, 1]."""
        found = 0
        for window in self._around(phase):
            found |= self.windows[window][2]
        return found

    def _around(self, phase: float) -> set[int]:
        """Return the indices of the windows that contain the generic time `phase` in [0, 1]."""
        return {window for begin, end, _, window in self.stands if begin <= phase and (phase < end or end == 1.0)}

    def passes(self, phase: float, cycle: int, before: Passes) -> Passes:
        """Return the passes of the windows in which points are planted at generic time `phase` in [0, 1] of a cycle.

        Windows move while adverbs change. A point is still planted only once per pass: a planted point stays until the
        end of its window, even if the window now begins slightly later, and a point that has left its window is not
        planted again if the window now ends later.

        Parameters
        ----------
        phase : generic time.
        cycle : number of completed cycles.
        before : the result for an earlier time; empty at the beginning.
        """
        # A piece needs the same passes several times: for planted points, its beginning and the next one.
        if self._passed and self._passed[0][2] is before and self._passed[0][:2] == (phase, cycle):
            return self._passed[0][3]
        within = self._around(phase)
        found: list[tuple[int, bool]] = []
        for window, (begin, end, _) in enumerate(self.windows):
            after = phase - 0.5 * (begin + end)
            turn = math.floor(after + 0.5) if self.verb.cyclic else 0
            last, stands = before[window] if before else (cycle + turn - 1, False)
            if last != cycle + turn:
                last, stands = (cycle + turn, True) if window in within else (cycle + turn - 1, False)
            elif stands and window not in within:
                stands = after < turn and begin + turn - phase <= STAYS * self._rate(phase)
                last -= after < turn and not stands
            found.append((last, stands))
        self._passed[:] = [(phase, cycle, before, tuple(found))]
        return self._passed[0][3]

    def points(self, passes: Passes) -> int:
        """Return the bits of the points planted in some `passes`."""
        found = 0
        for (_, _, bit), (_, stands) in zip(self.windows, passes, strict=True):
            if stands:
                found |= bit
        return found

    def _rate(self, phase: float) -> float:
        """Return the generic time per second at `phase`."""
        return self.rates[min(bisect_right(self.generic, phase), len(self.rates)) - 1]

    def stands_until(self, phase: float, bit: int, passes: Passes, cycle: int) -> float:
        """Return the generic time at which the point of `bit`, planted at `phase`, leaves the ground.

        It may be beyond 1; it is inf for a point that never leaves. The point is planted in `passes`, in a `cycle`; its
        window may have been delayed, so that it begins slightly later.
        """
        own = (
            end + last - cycle
            for (_, end, its), (last, stands) in zip(self.windows, passes, strict=True)
            if stands and its == bit
        )
        until = max(own, default=phase)
        whole = math.floor(until)
        while self.verb.cyclic and whole < ROUNDS:
            ends = [end for begin, end, other, _ in self.stands if other == bit and begin <= until - whole < end]
            if not ends:
                return until
            until = whole + max(ends)
            if until - whole < 1.0:
                return until
            whole += 1
        return math.inf if self.verb.cyclic or until >= 1.0 else until

    def ground(self, bit: int, passes: Passes) -> tuple[float, float]:
        """Return clearance and drop of the window in which the point of `bit` is planted in `passes`; else 0 and 0."""
        for heights, (_, _, its), (_, stands) in zip(self.heights, self.windows, passes, strict=True):
            if stands and its == bit:
                clearance, drop = share_heights(heights, self.weights).tolist()
                return clearance, drop
        return 0.0, 0.0


@dataclass(frozen=True, eq=False)
class PacedSteps:
    """Data of a verb in K steps of moving adverbs.

    Parameters
    ----------
    pacer : pacer that computed it.
    numbers : (K,) adverbs that determine the pace, with the numbers of a `VerbNow`.
    mixing : (K, ...) input of its poses at the beginning of each step, see `Verb.mixing`.
    thens : (K, ...) the same at the end of each step.
    rates, drifts : (K, S) and (K, S, 4) as in `VerbNow`.
    begins, ends : (K, W) begins and ends of its windows.
    """

    pacer: "Pacer"
    numbers: Sequence[tuple[tuple[float, ...], list[float]]]
    mixing: Array
    thens: Array
    rates: Array
    drifts: Array
    begins: Array
    ends: Array

    @property
    def cyclic(self) -> bool:
        """Whether the verb is a cycle."""
        return self.pacer.verb.cyclic

    def after(self, first: int) -> "PacedSteps":
        """Return the data from one of the steps on."""
        arrays = self.mixing, self.thens, self.rates, self.drifts, self.begins, self.ends
        return PacedSteps(self.pacer, self.numbers[first:], *(array[first:] for array in arrays))

    def now(self, index: int) -> VerbNow:
        """Return the verb in one of the steps."""
        adverbs, numbers = self.numbers[index]
        return VerbNow(self.pacer, adverbs, self.mixing[index], numbers)

    @property
    def edges(self) -> Array:
        """(K, 2 W) generic times within a cycle at which contacts begin and end; infinite if there is none."""
        begins, ends = self._within
        wrapped = np.where(ends > 1.0, ends - 1.0, ends) if self.cyclic else ends
        found = np.concatenate([begins, wrapped], axis=1)
        never = (ends <= begins) | (self._whole if self.cyclic else False)
        return np.where(np.tile(never, 2), np.inf, found)

    def inside(self, phases: Array) -> NDArray[np.bool_]:
        """Return which of the windows (K, W) contain generic times `phases` (K,), each in its own step."""
        begins, ends = self._within
        phase = phases[:, None]
        held = (begins <= phase) & ((phase < ends) | (ends == 1.0))
        return held | (phase + 1.0 < ends) | self._whole if self.cyclic else held

    @cached_property
    def _within(self) -> tuple[Array, Array]:
        """Begins and ends (K, W) of windows: in a cycle they begin in [0, 1], otherwise they lie in it."""
        if not self.cyclic:
            return np.maximum(self.begins, 0.0), np.minimum(self.ends, 1.0)
        cycles = np.floor(self.begins)
        return self.begins - cycles, self.ends - cycles

    @property
    def _whole(self) -> NDArray[np.bool_]:
        """Which windows (K, W) last a whole cycle."""
        return self.ends - self.begins >= 1.0


class Pacer:
    """Evaluates a verb at the present adverbs; recomputed only when they change.

    Parameters
    ----------
    verb : the verb.
    points : index of each contact point, by name, among all points that can be planted.

    Attributes
    ----------
    generic : (S + 1,) generic times of the keytimes.
    spans : (S,) generic time that each segment takes.
    bits : for each window, the bit of its point.
    heights : for each window, heights as in `VerbNow`.
    ends : end indices of lengths, rates, drifts, and begins of windows in the numbers of a `VerbNow`.
    """

    def __init__(self, verb: Verb, points: Mapping[str, int]) -> None:
        self.verb = verb
        windows = [c.windows for c in verb.contacts]
        begins = np.concatenate([np.empty((len(verb.example_names), 0)), *(w[..., 0] for w in windows)], axis=1)
        lengths = np.concatenate([begins[:, :0], *(w[..., 1] - w[..., 0] for w in windows)], axis=1)
        shares = np.concatenate([begins, lengths], axis=1)
        self.generic: list[float] = verb.phrasing.generic.tolist()
        self.spans = np.diff(verb.phrasing.generic)
        segments, drifts = verb.phrasing.segments, verb.drifts / self.spans[:, None]
        self._numbers = np.concatenate([segments, 0.0 * segments, drifts.reshape(len(drifts), -1), shares], axis=1)
        self.bits = [1 << points[c.point] for c in verb.contacts for _ in range(c.windows.shape[1])]
        count = len(self.spans)
        self.ends = [count, 2 * count, 6 * count, 6 * count + len(self.bits)]
        self.heights = [h for c in verb.contacts for h in np.stack([c.clearances, c.drops], axis=-1).swapaxes(0, 1)]
        self._least, self._most = shares.min(axis=0), shares.max(axis=0)
        self._last = np.array([end for w in windows for end in w[..., 1].max(axis=0).tolist()])
        self._known: dict[tuple[float, ...], VerbNow] = {}
        self._mixing: dict[tuple[float, ...], Array] = {}
        self._ready: dict[tuple[float, ...], tuple[Array, list[float]]] = {}
        self._middles: dict[tuple[float, ...], list[float]] = {}

    def paced(self, steps: Sequence[Step]) -> "PacedSteps":
        """Compute the verb's data for some steps (K,) together, which also fills the caches of `at` and `going`."""
        names, count = self.verb.adverb_names, len(self.verb.example_names)
        halfway = [step.middle for step in steps]
        begins, thens, middles = (
            [tuple([values[name] for name in names]) for values in some]
            for some in (
                [step.adverbs.values for step in steps],
                [step.then for step in steps],
                [middle for middle in halfway if middle is not None],
            )
        )
        mixing = self.verb.mixing(np.array([*begins, *thens]))
        between = self.verb.weights(np.array(middles)) if middles else mixing[:0, :count]
        paces = self._paces(np.concatenate([mixing[:, :count], between]))
        keys, numbers = [*begins, *thens, *middles], paces.tolist()
        places = zip(keys, mixing, numbers, strict=False)
        self._ready = {key: (own, mine) for key, own, mine in reversed([*places])}
        self._middles = dict(zip(middles, numbers[len(mixing) :], strict=True))
        straight = iter(range(2 * len(steps), len(keys)))
        own = [index if middle is None else next(straight) for index, middle in enumerate(halfway)]
        _, rates, drifts, begin, end = np.split(paces[own], self.ends, axis=1)
        pairs = [(keys[index], numbers[index]) for index in own]
        drifts = drifts.reshape(len(steps), len(self.spans), 4)
        return PacedSteps(self, pairs, mixing[: len(steps)], mixing[len(steps) :], rates, drifts, begin, end)

    def at(self, values: Mapping[str, float]) -> VerbNow:
        """Return the verb at the adverbs `values` by name, which may include others."""
        adverbs = tuple([values[name] for name in self.verb.adverb_names])
        if adverbs not in self._known:
            _keep(self._known, adverbs, self._made(adverbs, self.mixing(adverbs)))
        return self._known[adverbs]

    def going(self, values: Mapping[str, float], then: Mapping[str, float]) -> VerbNow:
        """Return the verb for adverbs that move linearly from `values` to `then`, both by name.

        Its poses are those at `values`; its pace, drift and contacts are those half-way.
        """
        names = self.verb.adverb_names
        begin, middle = tuple([values[n] for n in names]), tuple([0.5 * (values[n] + then[n]) for n in names])
        if (*begin, *middle) not in self._known:
            numbers = self._middles.get(middle) or self._paces(self.verb.weights(middle)[None])[0].tolist()
            _keep(self._known, (*begin, *middle), VerbNow(self, middle, self.mixing(begin), numbers))
        return self._known[*begin, *middle]

    def mixing(self, adverbs: tuple[float, ...]) -> Array:
        """Return the input of poses at `adverbs` (D,) (see `Verb.mixing`); the last ones are cached."""
        if adverbs in self._ready:
            return self._ready[adverbs][0]
        if adverbs not in self._mixing:
            _keep(self._mixing, adverbs, self.verb.mixing(adverbs))
        return self._mixing[adverbs]

    def _paces(self, weights: Array) -> Array:
        """Return the verb's data, apart from its poses, for some weights (K, N) of its examples.

        Returns
        -------
        (K, 6 S + 2 W) lengths and rates of segments, drifts as in `VerbNow`, begins and ends of windows. Windows are
        clamped to the range of the examples.
        """
        mixed, phrasing, (lengths, rates, drifts, begins) = weights.dot(self._numbers), self.verb.phrasing, self.ends
        mixed[:, :lengths] = saturate(mixed[:, :lengths], phrasing.shortest, phrasing.longest)
        np.divide(self.spans, mixed[:, :lengths], out=mixed[:, lengths:rates])
        if self.bits:
            windows, ends = mixed[:, drifts:], mixed[:, begins:]
            np.minimum(np.maximum(windows, self._least, out=windows), self._most, out=windows)
            ends += mixed[:, drifts:begins]
            np.minimum(ends, self._last, out=ends)
        return mixed

    def _made(self, adverbs: tuple[float, ...], mixing: Array) -> VerbNow:
        known = self._ready.get(adverbs)
        numbers = self._paces(mixing[None, : len(self.verb.example_names)])[0].tolist() if known is None else known[1]
        return VerbNow(self, adverbs, mixing, numbers)


def _within(begin: float, end: float, cyclic: bool) -> list[tuple[float, float]]:
    """Return the stretches of [0, 1] that a window from `begin` to `end` covers, in a cycle modulo 1."""
    if not cyclic:
        begin, end = max(begin, 0.0), min(end, 1.0)
        return [(begin, end)] if begin < end else []
    if end - begin >= 1.0:
        return [(0.0, 1.0)]
    cycle = math.floor(begin)
    begin, end = begin - cycle, end - cycle
    return [(begin, end)] if end <= 1.0 else [(0.0, end - 1.0), (begin, 1.0)]


def _keep(known: dict[tuple[float, ...], Any], adverbs: tuple[float, ...], made: object) -> None:
    """Cache the result for some adverbs, and drop the oldest entry if there are too many."""
    while len(known) >= KEPT:
        del known[next(iter(known))]
    known[adverbs] = made
