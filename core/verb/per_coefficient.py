"""The 1998 form of the interpolation, a problem for each coefficient: what the cardinal basis is checked by."""

import numpy as np
from numpy.typing import NDArray

from .basis import Kernel, exponents, fit_polynomial, monomials, radii_of, solve_radial

Array = NDArray[np.float64]


def fit_values(
    points: Array, values: Array, scale: Array, kernel: Kernel, degree: int, radius_factor: float
) -> tuple[Array, Array]:
    """The 1998 form: coefficients fitted to data itself, one problem for each column ([Rose1998] eqs. 3 and 4).

    Returns
    -------
    radial : (N, V)
    polynomial : (L, V)
    """
    centres = (points - points.mean(axis=0)) / scale
    radii = radii_of(centres, kernel, radius_factor)
    powers = exponents(centres.shape[1], degree)
    polynomial = fit_polynomial(centres, powers, values)
    radial, _ = solve_radial(centres, radii, kernel, values - monomials(centres, powers) @ polynomial)
    return radial, polynomial
