"""Adverbs that jump, smoothed: each goes over to its goal in a given time, along a curve without corners."""

import math
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from ..errors import VerbError
from ..verb.verb import Verb


class Glide(NamedTuple):
    """From where a number is, at the speed and acceleration that it has, to rest at a goal: a quintic.

    Of all ways to get there in the given time it is the one with the least jerk.

    Parameters
    ----------
    begin, speed, acceleration : to start with; the latter two per glide and glide squared, not per second.
    goal : to come to rest at.
    """

    begin: float
    speed: float
    acceleration: float
    goal: float

    def at(self, share: float) -> tuple[float, float, float]:
        """Value, speed and acceleration when `share` of the time is over, all in units of the glide."""
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
    """Adverbs by name, on their way to where they were last set.

    Neither an adverb nor its speed or acceleration ever jumps, and where it is does not depend on how time is cut into
    steps.

    Parameters
    ----------
    adverbs : to begin with.
    seconds : in which an adverb gets to where it was last set; 0 for jumps that stay jumps.
    """

    def __init__(self, adverbs: Mapping[str, float], seconds: float) -> None:
        self.values = dict(adverbs)
        self._seconds = seconds
        self._goals = dict(adverbs)
        self._glides: dict[str, tuple[Glide, float]] = {}

    @property
    def moving(self) -> bool:
        """Whether any adverb is still on its way."""
        return bool(self._glides)

    def news(self, goals: Mapping[str, float]) -> bool:
        """Whether any of `goals` is not what was asked for last."""
        return not goals.items() <= self._goals.items()

    def set(self, goals: Mapping[str, float]) -> bool:
        """Give those in `goals` a new goal; return whether any of them has jumped."""
        jumped = False
        for name, goal in goals.items():
            if goal == self._goals[name]:
                continue
            self._goals[name] = goal
            if self._seconds > 0.0:
                glide, passed = self._glides.get(name, (Glide(self.values[name], 0.0, 0.0, goal), 0.0))
                self._glides[name] = Glide(*glide.at(passed / self._seconds), goal), 0.0
            else:
                self.values[name], jumped = goal, True
        return jumped

    def advance(self, seconds: float) -> None:
        """Let `seconds` pass."""
        for name, (glide, passed) in list(self._glides.items()):
            passed += seconds
            self.values[name] = glide.at(passed / self._seconds)[0]
            if passed < self._seconds:
                self._glides[name] = glide, passed
            else:
                del self._glides[name]


def middle_adverbs(verbs: Iterable[Verb]) -> dict[str, float]:
    """Every adverb of `verbs` by name, in the middle of its range in the first verb that knows it."""
    found: dict[str, float] = {}
    for verb in verbs:
        for name, (low, high) in zip(verb.adverb_names, verb.adverb_ranges.tolist(), strict=True):
            found.setdefault(name, 0.5 * (low + high))
    return found


def checked_adverbs(adverbs: Mapping[str, float]) -> dict[str, float]:
    """`adverbs` as they are.

    Raises
    ------
    VerbError
        If one is not a finite number.
    """
    for name, value in adverbs.items():
        if not math.isfinite(value):
            raise VerbError(f"Adverb '{name}' is not a finite number. Mend the key, slider or driver that moves it.")
    return dict(adverbs)
