"""Smoothing of adverbs that jump: each moves to its goal within a given time, along a smooth curve."""

import math
from collections.abc import Iterable, Mapping
from copy import copy
from typing import NamedTuple

from ..errors import VerbError
from ..verb.verb import Verb

SETTLES_EVERY = 1.0 / 60.0
"""Length in seconds of a step of settling adverbs; steps do not depend on frames."""
NEARLY = 1e-9
"""Tolerance in seconds of equal times."""
ROUNDING = 1e-12
"""Rounding tolerance in seconds of the length of a whole step."""


class Glide(NamedTuple):
    """A number that moves to rest at a goal: the quintic that begins with its present value, speed and acceleration.

    Of all curves that arrive in the given time it has the least jerk.

    Parameters
    ----------
    begin : initial value.
    speed : initial speed, per whole glide, not per second.
    acceleration : initial acceleration, per square of the whole glide.
    goal : value at which the number comes to rest.
    """

    begin: float
    speed: float
    acceleration: float
    goal: float

    def at(self, share: float) -> tuple[float, float, float]:
        """Return value, speed and acceleration, in units of the whole glide, at a `share` of its time."""
        begin, v, a, goal = self
        if share >= 1.0:
            return goal, 0.0, 0.0
        way = goal - begin
        c3 = 10.0 * way - 6.0 * v - 1.5 * a
        c4 = -15.0 * way + 8.0 * v + 1.5 * a
        c5 = 6.0 * way - 3.0 * v - 0.5 * a
        u = share
        value = begin + u * (v + u * (0.5 * a + u * (c3 + u * (c4 + u * c5))))
        speed = v + u * (a + u * (3.0 * c3 + u * (4.0 * c4 + u * 5.0 * c5)))
        return value, speed, a + u * (6.0 * c3 + u * (12.0 * c4 + u * 20.0 * c5))


class SettlingAdverbs:
    """Values of adverbs by name, moving to their last goals. Requests for other adverbs are ignored.

    Neither an adverb nor its speed nor its acceleration ever jumps, and values do not depend on how time is divided
    into steps.

    Parameters
    ----------
    adverbs : initial values.
    seconds : settling time of an adverb in seconds; 0 to let it jump.

    Attributes
    ----------
    values : values by name at the present time.
    """

    def __init__(self, adverbs: Mapping[str, float], seconds: float) -> None:
        self.values = dict(adverbs)
        self._seconds = seconds
        self._goals = dict(adverbs)
        self._glides: dict[str, tuple[Glide, float]] = {}
        self._found: tuple[float, dict[str, float]] | None = None
        self._are_shared = False

    def copy(self) -> "SettlingAdverbs":
        """Return an independent copy. Both share their dictionaries until one of them is set."""
        self._are_shared = True
        return copy(self)

    @property
    def moving(self) -> bool:
        """Whether any adverb is still moving."""
        return bool(self._glides)

    def news(self, goals: Mapping[str, float], at_once: frozenset[str] = frozenset()) -> bool:
        """Return whether `set` would change anything."""
        here = self._goals
        return any(here.get(name, goal) != goal for name, goal in goals.items()) or not at_once.isdisjoint(self._glides)

    def set(self, goals: Mapping[str, float], at_once: frozenset[str] = frozenset()) -> bool:
        """Set new goals by name, to which those in `at_once` jump; return whether any value jumped."""
        jumped, self._found = False, None
        if self._are_shared:
            self._goals, self._glides, self._are_shared = dict(self._goals), dict(self._glides), False
        for name, goal in goals.items():
            jumps = self._seconds <= 0.0 or name in at_once
            if self._goals.get(name, goal) == goal and not (jumps and name in self._glides):
                continue
            self._goals[name] = goal
            if not jumps:
                glide, passed = self._glides.get(name, (Glide(self.values[name], 0.0, 0.0, goal), 0.0))
                self._glides[name] = Glide(*glide.at(passed / self._seconds), goal), 0.0
            else:
                self._glides.pop(name, None)
                self.values, jumped = {**self.values, name: goal}, True
        return jumped

    def ahead(self, seconds: float) -> dict[str, float]:
        """Return the values of the adverbs by name after the given seconds."""
        if self._found is None or self._found[0] != seconds:
            found = dict(self.values)
            for name, (glide, passed) in self._glides.items():
                found[name] = glide.at((passed + seconds) / self._seconds)[0]
            self._found = seconds, found
        return self._found[1]

    def advance(self, seconds: float) -> None:
        """Advance the values by `seconds`."""
        self.values, self._found = self.ahead(seconds), None
        self._glides = {
            name: (glide, passed + seconds)
            for name, (glide, passed) in self._glides.items()
            if passed + seconds < self._seconds
        }


def middle_adverbs(verbs: Iterable[Verb]) -> dict[str, float]:
    """Return every adverb of `verbs` by name, at the middle of its range in the first verb that has it."""
    found: dict[str, float] = {}
    for verb in verbs:
        for name, (low, high) in zip(verb.adverb_names, verb.adverb_ranges.tolist(), strict=True):
            found.setdefault(name, 0.5 * (low + high))
    return found


def checked_adverbs(adverbs: Mapping[str, float]) -> dict[str, float]:
    """Return a copy of `adverbs`, after checking their values.

    Raises
    ------
    VerbError
        If a value is not a finite number.
    """
    for name, value in adverbs.items():
        if not math.isfinite(value):
            raise VerbError(f"Adverb '{name}' is not a finite number. Correct its key, slider or driver.")
    return dict(adverbs)
