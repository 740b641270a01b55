"""The 1998 form with a library's means: one SciPy interpolator over the adverbs for each spline coefficient."""

from scipy.interpolate import RBFInterpolator

from .synthetic import Synthetic


class PerCoefficient:
    """Interpolators of some coefficients; the time of all that a pose needs is in proportion.

    Parameters
    ----------
    data : the verb's data; a pose needs the four control points of a span, each with its root and rotation vectors.
    measured : how many interpolators to make.
    """

    def __init__(self, data: Synthetic, measured: int = 24) -> None:
        self.measured = measured
        self.needed = 4 * data.vectors.shape[-1]
        places = data.places / data.ranges
        self._ranges = data.ranges
        columns = data.vectors.reshape(len(places), -1)[:, :measured]
        self._interpolators = [RBFInterpolator(places, column, kernel="linear", degree=1) for column in columns.T]

    def weigh(self, adverbs: tuple[float, ...]) -> list[float]:
        """The measured coefficients at `adverbs` (D,)."""
        point = (adverbs / self._ranges)[None]
        return [float(interpolator(point)[0]) for interpolator in self._interpolators]
