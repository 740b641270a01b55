"""Clips: motions that are data, and held poses."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import ClipError
from ..figure import quaternion as quat
from ..figure.channels import Channels, rotations_of, with_rotations
from .bspline import Curve, Encoding, fit_curve
from .motion import Mark

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Clip:
    """A motion given by one curve over its duration; outside, its ends are held.

    Parameters
    ----------
    channels : what the columns mean.
    start, duration : seconds.
    curve : values over the duration scaled to [0, 1].
    marks : keytimes and contacts.
    """

    channels: Channels
    start: float
    duration: float
    curve: Curve
    marks: tuple[Mark, ...] = ()

    def sample(self, times: ArrayLike) -> Array:
        """Values (T, width) at `times` (T,) in seconds, quaternions of unit length."""
        values = self.curve.sample((np.asarray(times, dtype=np.float64) - self.start) / self.duration)
        return with_rotations(self.channels, values, quat.normalize(rotations_of(self.channels, values)))


def fit_clip(
    channels: Channels,
    times: ArrayLike,
    values: ArrayLike,
    control_points: int = 0,
    marks: tuple[Mark, ...] = (),
    encoding: Encoding = "cubic_b_spline",
) -> Clip:
    """Clip through samples.

    Parameters
    ----------
    channels : what the columns mean.
    times : (T,) seconds, increasing.
    values : (T, width)
    control_points : of the curve; 0 for one a sample and two beyond the ends.
    marks : to carry along.
    encoding : of the curve.

    Raises
    ------
    ClipError
        If there are fewer than two samples, times do not increase, or values are not finite.
    """
    clock = np.asarray(times, dtype=np.float64)
    data = np.array(values, dtype=np.float64)
    if len(clock) < 2 or not (np.diff(clock) > 0.0).all():
        raise ClipError("A clip needs at least two samples at increasing times. Give it a longer span.")
    if data.shape != (len(clock), channels.width):
        raise ClipError(
            f"A clip of {channels.width} channels cannot hold values of shape {data.shape}. Sample it anew."
        )
    data = with_rotations(channels, data, quat.continuous(rotations_of(channels, data)))
    duration = float(clock[-1] - clock[0])
    count = control_points or len(clock) + 2
    curve = fit_curve((clock - clock[0]) / duration, data, count, periodic=False, encoding=encoding)
    return Clip(channels, float(clock[0]), duration, curve, marks)
