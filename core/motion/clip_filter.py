"""The operator Filter ([Gruenvogel2003] section 5): a motion smoothed by a finite impulse response.

Filters add and scale, which rotations do not allow. So they work on rotation vectors from each joint's mean rotation (a
fixed chart, in which a filter is linear). Beyond its ends a motion is continued as its point reflection, which keeps
the end poses and makes no step. A motion without end has no such edge, and is only computed around the times asked for.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import ceil, isfinite

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import ClipError
from ..figure import quaternion as quat
from ..figure.channels import rotations_of, with_rotations
from .clip import Mark, Motion, end_of
from .clip_operators import OfOneClip

Array = NDArray[np.float64]

LONGEST_PART, SAMPLES = 20.0, 200
"""Seconds of a motion at most, and instants in them, from which the mean rotations are taken."""
SAME = 1e-9
"""Seconds by which two times may differ and count as one."""
HAMMING = 1.65
"""Cycles of the cut-off on each side that a filter designed with Hamming's window spans."""


@dataclass(frozen=True)
class Filter(OfOneClip):
    """A motion of which each value is a weighted sum of those around it.

    Parameters
    ----------
    coefficients : of the impulse response, an odd number of them; the middle one belongs to the present.
    rate : how many of them there are a second.
    clip : the motion.
    """

    coefficients: tuple[float, ...]
    rate: float
    clip: Motion

    def __str__(self) -> str:
        told = ", ".join(f"{value:.3g}" for value in self.coefficients)
        return f"Filter([{told}], {self.clip})"

    @property
    def start(self) -> float:
        """Time of the beginning in seconds."""
        return self.clip.start

    def marks_within(self, begin: float, end: float) -> tuple[Mark, ...]:
        """Keytimes and contacts that touch the seconds from `begin` to `end`, in order of time."""
        return self.clip.marks_within(begin, end)

    def sample(self, times: ArrayLike) -> Array:
        """Return values (T, width) at `times` (T,) in seconds."""
        clock = np.clip(np.asarray(times, dtype=np.float64), self.start, end_of(self.clip))
        half = len(self.coefficients) // 2
        wanted = clock[:, None] + np.arange(-half, half + 1.0) / self.rate
        ticks, places = np.unique(np.round(wanted / SAME).reshape(-1), return_inverse=True)
        charted = self._around(ticks * SAME)
        total = np.zeros((len(clock), charted.shape[1]))
        for coefficient, rows in zip(self.coefficients[::-1], places.reshape(wanted.shape).T, strict=True):
            total += coefficient * charted[rows]
        return self._from_chart(total)

    @cached_property
    def _middle(self) -> Array:
        """(R, 4) mean rotations of the joints."""
        end = min(end_of(self.clip), self.start + LONGEST_PART)
        values = self.clip.sample(np.linspace(self.start, end, SAMPLES))
        return quat.mean(rotations_of(self.channels, values))

    def _around(self, times: Array) -> Array:
        """Return charted values (T, columns) at increasing `times` (T,), which may lie beyond the motion's ends."""
        begin, end = self.start, end_of(self.clip)
        early, late = times < begin, times > end
        inside = np.where(early, 2.0 * begin - times, np.where(late, 2.0 * end - times, times))
        charted = self._charted(inside)
        for beyond, edge in ((early, begin), (late, end)):
            if beyond.any():
                charted[beyond] = 2.0 * self._charted(np.array([edge])) - charted[beyond]
        return charted

    def _charted(self, times: Array) -> Array:
        """Return values (T, columns) at `times` (T,), rotations as rotation vectors from the mean ones."""
        values = self.clip.sample(times)
        columns = self.channels.rotation_columns
        turned = quat.multiply(quat.conjugate(self._middle), rotations_of(self.channels, values))
        vectors = quat.log(turned).reshape(len(values), -1)
        return np.concatenate([values[:, : columns.start], vectors, values[:, columns.stop :]], axis=1)

    def _from_chart(self, charted: Array) -> Array:
        """Return values (T, width) of which `charted` (T, columns) is the chart."""
        columns = self.channels.rotation_columns
        last = columns.start + 3 * len(self.channels.rotating)
        vectors = charted[:, columns.start : last].reshape(len(charted), -1, 3)
        values = np.zeros((len(charted), self.channels.width))
        values[:, : columns.start], values[:, columns.stop :] = charted[:, : columns.start], charted[:, last:]
        return with_rotations(self.channels, values, quat.multiply(self._middle, quat.exp(vectors)))


def low_pass(cutoff: float, rate: float) -> tuple[float, ...]:
    """Return the coefficients of a filter that keeps what is slower than `cutoff` in hertz, at `rate` a second.

    It is the ideal low pass in Hamming's window, and keeps what rests.

    Raises
    ------
    ClipError
        If the cut-off is not between 0 and half of the rate.
    """
    if not 0.0 < cutoff < 0.5 * rate:
        raise ClipError(f"A cut-off of {cutoff:g} Hz does not do. Choose one between 0 and {0.5 * rate:g} Hz.")
    half = ceil(HAMMING * rate / cutoff)
    lags = np.arange(-half, half + 1.0)
    ideal = np.asarray(np.sinc(2.0 * cutoff / rate * lags), dtype=np.float64) * np.hamming(len(lags))
    return tuple((ideal / ideal.sum()).tolist())


def filtered(coefficients: Sequence[float], rate: float, clip: Motion) -> Filter:
    """Return a motion of which each value is a weighted sum of those around it; parameters are those of `Filter`.

    Raises
    ------
    ClipError
        If the number of coefficients is even, or one is no number, or they reach farther than the motion.
    """
    if len(coefficients) % 2 == 0 or not all(isfinite(value) for value in coefficients):
        raise ClipError(f"A filter needs an odd number of coefficients, all of them numbers, not {len(coefficients)}.")
    reach = (len(coefficients) // 2) / rate
    if reach > clip.duration:
        raise ClipError(
            f"The filter reaches {reach:.2f} s to both sides, but the motion lasts only {clip.duration:.2f} s. "
            "Raise the cut-off, or take a longer motion."
        )
    return Filter(tuple(float(value) for value in coefficients), rate, clip)
