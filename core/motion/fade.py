"""Fading weights: ramps, and fades that can be reversed at any moment without a jump of weight or speed."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

STEEPEST = 3.0
"""Speed, as a multiple of the mean one, up to which a cubic that ends at rest does not overshoot its end."""
STEPS = 240.0
"""Steps a second in which displacements are mixed."""


@dataclass(frozen=True)
class Ramp:
    """An interval in which the second of two motions fades in, or out again.

    Parameters
    ----------
    begin, end : times in seconds.
    rising : whether it fades in.
    """

    begin: float
    end: float
    rising: bool

    def times(self) -> Array:
        """Return times (G,) from its begin to its end, dense enough for integration over it."""
        return np.linspace(self.begin, self.end, 2 + int((self.end - self.begin) * STEPS))

    def weight(self, times: Array) -> Array:
        """Return the weight (T,) of the second motion at `times` (T,), smoothly ([Rose1998] section 5.1)."""
        length = self.end - self.begin
        share = np.clip(times - self.begin, 0.0, length) / max(length, np.finfo(np.float64).tiny)
        fade = np.where(times >= self.end, 1.0, 0.5 - 0.5 * np.cos(np.pi * share))
        return fade if self.rising else 1.0 - fade


@dataclass(frozen=True)
class Fade:
    """A weight that moves from its present value and speed to rest at 0, at 1 or between.

    A weight that moves away from its goal is first decelerated uniformly, so that it comes to rest before 0 or 1, and a
    cubic leads from there to the goal. So the weight stays within 0 and 1, and its speed never jumps. (If a fade is
    restarted when it is reversed, as in one-shots of game engines, the weight jumps by up to a half.)

    Parameters
    ----------
    begin : start time in seconds.
    weight, speed : initial values, the latter per second.
    goal : weight at which it comes to rest.
    seconds : duration from rest.
    """

    begin: float
    weight: float
    speed: float
    goal: float
    seconds: float

    @property
    def end(self) -> float:
        """Time in seconds at which it comes to rest."""
        return self.begin + self._braking + self._coming

    @property
    def _braking(self) -> float:
        """Duration in seconds of the deceleration."""
        if not self.speed * (self.goal - self.weight) < 0.0 and self.goal != self.weight:
            return 0.0
        room = 1.0 - self.weight if self.speed > 0.0 else self.weight
        return min(0.5 * self.seconds, 2.0 * room / abs(self.speed)) if self.speed else 0.0

    @property
    def _turning(self) -> tuple[float, float]:
        """Weight and speed after the deceleration, or at its beginning."""
        braking, away = self._braking, self.speed * (self.goal - self.weight) < 0.0
        return (self.weight + 0.5 * self.speed * braking, 0.0) if braking or away else (self.weight, self.speed)

    @property
    def _coming(self) -> float:
        """Duration in seconds from there to its goal."""
        weight, speed = self._turning
        if weight == self.goal:
            return 0.0
        return min(self.seconds, STEEPEST * (self.goal - weight) / speed) if speed else self.seconds

    def at(self, times: Array) -> Array:
        """Return the weights (T,) at `times` (T,) in seconds, not before its beginning."""
        return self._sampled(times)[0]

    def turned(self, time: float, goal: float, seconds: float) -> "Fade":
        """Return the fade that moves from the state at `time` to another goal in `seconds`; with 0 it jumps there."""
        if seconds <= 0.0:
            return Fade(time, goal, 0.0, goal, 0.0)
        weight, speed = (float(value[0]) for value in self._sampled(np.array([time])))
        return Fade(time, weight, speed, goal, seconds)

    def _sampled(self, times: Array) -> tuple[Array, Array]:
        """Return weights and speeds, both (T,), at `times` (T,)."""
        braking, coming, (weight, speed) = self._braking, self._coming, self._turning
        since = np.maximum(times - self.begin, 0.0)
        share = np.clip((since - braking) / coming, 0.0, 1.0) if coming else np.ones_like(since)
        way, slope = self.goal - weight, speed * coming
        weights = weight + share * (slope + share * (3.0 * way - 2.0 * slope + share * (slope - 2.0 * way)))
        rates = slope + share * (2.0 * (3.0 * way - 2.0 * slope) + 3.0 * share * (slope - 2.0 * way))
        speeds = rates / coming if coming else np.zeros_like(since)
        early = since < braking
        if braking:
            left = 1.0 - since / braking
            weights = np.where(early, self.weight + self.speed * since * 0.5 * (1.0 + left), weights)
            speeds = np.where(early, self.speed * left, speeds)
        weights = np.where(share >= 1.0, self.goal, weights)
        return np.clip(weights, 0.0, 1.0), np.where(share >= 1.0, 0.0, speeds)


def weights_at(fades: Sequence[Fade], times: Array) -> Array:
    """Return the weights (T,) at `times` (T,), each from the last of `fades` (in order) begun by then; 0 before."""
    if times.min(initial=np.inf) >= fades[-1].end:
        return np.full(len(times), fades[-1].goal)
    begins = np.array([fade.begin for fade in fades])
    which = np.searchsorted(begins, times, side="right") - 1
    weights = np.zeros(len(times))
    for number in np.unique(which[which >= 0]).tolist():
        rows = which == number
        weights[rows] = fades[number].at(times[rows])
    return weights
