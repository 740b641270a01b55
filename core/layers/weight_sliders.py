"""Weight sliders of layers over time: they settle like adverbs, and are known at any time since the last step."""

import math
from collections.abc import Mapping
from copy import copy

import numpy as np
from numpy.typing import NDArray

from ..play.adverb_smoothing import SETTLES_EVERY, SettlingAdverbs
from ..play.player import AskAdverbs

Array = NDArray[np.float64]

NEARLY = 1e-9
"""Difference in seconds up to which times count as equal, and share of a step by which a time may miss a tick."""


def next_tick(time: float) -> float:
    """Return the next tick: layers are updated at evenly spaced times from 0."""
    return (math.floor(time / SETTLES_EVERY + NEARLY) + 1.0) * SETTLES_EVERY


class WeightSliders:
    """Values of some sliders between 0 and 1, over time.

    Parameters
    ----------
    values : initial values by name, at time 0.
    settle : settling time in seconds.
    """

    def __init__(self, values: Mapping[str, float], settle: float) -> None:
        self._settling = SettlingAdverbs({name: _within(value) for name, value in values.items()}, settle)
        self._names = tuple(values)
        self._time = 0.0
        self._leads = False
        self._times = [0.0]
        self._values = [self._now()]

    def hear(self, time: float, what: AskAdverbs) -> None:
        """Handle requested values at a time to which the sliders have been stepped."""
        values = {name: _within(value) for name, value in what.values.items()}
        if not self._settling.news(values, what.at_once) and what.then is None and not self._leads:
            return
        self._move(time)
        self._settling.set(values, what.at_once)
        self._note(time)
        self._leads = what.then is not None and not self._settling.moving
        if what.then is not None and self._leads:
            then = [what.then.get(name, value) for name, value in zip(self._names, self._now(), strict=True)]
            self._times.append(what.until)
            self._values.append([_within(value) for value in then])

    def step(self, time: float) -> None:
        """Advance to a tick."""
        if self._settling.moving:
            self._move(time)
            self._note(time)

    def at(self, name: str, times: Array) -> Array:
        """Return the values (T,) of a slider at `times` (T,), without overshooting 0 or 1."""
        column = self._names.index(name)
        if times.min(initial=np.inf) >= self._times[-1]:
            return np.full(len(times), _within(self._values[-1][column]))
        values = np.interp(times, self._times, [row[column] for row in self._values])
        return np.asarray(np.clip(values, 0.0, 1.0), dtype=np.float64)

    def forget(self, before: float) -> None:
        """Discard the values before a time."""
        first = max(int(np.searchsorted(self._times, before)) - 1, 0)
        del self._times[:first], self._values[:first]

    def copy(self) -> "WeightSliders":
        """Return an independent copy."""
        made = copy(self)
        made._settling, made._times, made._values = self._settling.copy(), list(self._times), list(self._values)
        return made

    def _now(self) -> list[float]:
        return [self._settling.values[name] for name in self._names]

    def _move(self, time: float) -> None:
        """Let the values settle until a time, and discard predictions from there on."""
        if time > self._time:
            self._settling.advance(time - self._time)
        self._time = time
        last = [float(np.interp(time, self._times, column)) for column in zip(*self._values, strict=True)]
        while self._times and self._times[-1] >= time - NEARLY:
            self._times.pop()
            self._values.pop()
        self._times.append(time)
        self._values.append(last)

    def _note(self, time: float) -> None:
        """Record the values at a time, and their predicted values at the next tick."""
        self._times.append(time)
        self._values.append(self._now())
        if self._settling.moving:
            ahead = self._settling.ahead(next_tick(time) - time)
            self._times.append(next_tick(time))
            self._values.append([ahead[name] for name in self._names])


def _within(value: float) -> float:
    return min(max(value, 0.0), 1.0)
