"""The operator Filter ([Gruenvogel2003] section 5): a motion smoothed by a finite impulse response.

Filters add and scale, which rotations do not allow. So each rotation is filtered as rotation vectors from where the
joint is at that moment: a chart in which the filter is linear, and which turns with a joint that spins. Beyond its ends
a motion is continued as its point reflection, which keeps the end poses and makes no step. A motion without end is
only computed around the times asked for. Switches are not filtered.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, isfinite

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import ClipError
from ..figure import quaternion as quat
from ..figure.channels import rotations_of, with_rotations
from .clip import Mark, Motion, end_of
from .clip_operators import OfOneClip

Array = NDArray[np.float64]

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
        values, rotations = self._around(ticks * SAME)
        taps = places.reshape(wanted.shape).T
        present, back = values[taps[half]], quat.conjugate(rotations[taps[half]])
        total, turns = np.zeros_like(present), np.zeros((*back.shape[:-1], 3))
        for coefficient, rows in zip(self.coefficients[::-1], taps, strict=True):
            total += coefficient * values[rows]
            turns += coefficient * quat.log(quat.multiply(back, rotations[rows]))
        total[:, self.channels.held_columns] = present[:, self.channels.held_columns]
        return with_rotations(self.channels, total, quat.multiply(rotations[taps[half]], quat.exp(turns)))

    def _around(self, times: Array) -> tuple[Array, Array]:
        """Return values (T, width) and rotations (T, R, 4) at `times` (T,), which may lie beyond the motion's ends."""
        begin, end = self.start, end_of(self.clip)
        early, late = times < begin, times > end
        values = self.clip.sample(np.where(early, 2.0 * begin - times, np.where(late, 2.0 * end - times, times)))
        rotations = rotations_of(self.channels, values).copy()
        for beyond, edge in ((early, begin), (late, end)):
            if beyond.any():
                last = self.clip.sample([edge])
                pose = rotations_of(self.channels, last)
                values[beyond] = 2.0 * last - values[beyond]
                rotations[beyond] = quat.multiply(quat.multiply(pose, quat.conjugate(rotations[beyond])), pose)
        return values, rotations


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
    if len(coefficients) % 2 == 0:
        raise ClipError(f"A filter needs an odd number of coefficients, not {len(coefficients)}: one for the present.")
    if not all(isfinite(value) for value in coefficients):
        raise ClipError("One of the filter's coefficients is no number. Give numbers alone.")
    reach = (len(coefficients) // 2) / rate
    if reach > clip.duration:
        raise ClipError(
            f"The filter reaches {reach:.2f} s to both sides, but the motion lasts only {clip.duration:.2f} s. "
            "Raise the cut-off, or take a longer motion."
        )
    return Filter(tuple(float(value) for value in coefficients), rate, clip)
