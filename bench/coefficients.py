"""The 1998 formulation with a library: SciPy interpolators over the adverbs for the spline coefficients."""

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import RBFInterpolator

from .synthetic import Synthetic

Array = NDArray[np.float64]


class PerCoefficient:
    """Interpolators of some coefficients; the time for a whole pose is proportional.

    Parameters
    ----------
    data : the verb's data; a pose needs the four control points of a span, each with its root and rotation vectors.
    measured : how many interpolators to make.
    """

    def __init__(self, data: Synthetic, measured: int = 24) -> None:
        self.measured = measured
        self.needed = 4 * data.vectors.shape[-1]
        self._ranges = data.ranges
        self._interpolators = [_interpolator(data, column) for column in _coefficients(data)[:, :measured].T]

    def weigh(self, adverbs: tuple[float, ...]) -> list[float]:
        """Return the measured coefficients at `adverbs` (D,)."""
        point = (adverbs / self._ranges)[None]
        return [float(interpolator(point)[0]) for interpolator in self._interpolators]


class Together:
    """One interpolator of all coefficients of a verb at once.

    Parameters
    ----------
    data : the verb's data.
    """

    def __init__(self, data: Synthetic) -> None:
        self._ranges = data.ranges
        self._interpolator = _interpolator(data, _coefficients(data))

    def weigh(self, adverbs: tuple[float, ...]) -> Array:
        """Return all coefficients (1, K) at `adverbs` (D,)."""
        return self._interpolator((adverbs / self._ranges)[None])


def _coefficients(data: Synthetic) -> Array:
    """Return the coefficients (N, K) of all examples."""
    return data.vectors.reshape(len(data.places), -1)


def _interpolator(data: Synthetic, values: Array) -> RBFInterpolator:
    return RBFInterpolator(data.places / data.ranges, values, kernel="linear", degree=1)
