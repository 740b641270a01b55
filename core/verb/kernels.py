"""Radial kernels: functions of the distance to an example."""

from collections.abc import Callable
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Kernel = Literal["cubic_b_spline", "linear", "thin_plate", "gaussian"]


def cubic_b_spline(x: Array) -> Array:
    """The uniform cubic B-spline of support 2: 2/3 at 0, 0 from 2 on, C2 ([Rose1998] section 4.2)."""
    far, near = 2.0 - x, 1.0 - x
    for side in (far, near):
        np.maximum(side, 0.0, out=side)
        side *= side * side
    near *= 4.0
    far -= near
    far /= 6.0
    return far


def linear(x: Array) -> Array:
    """Minus the distance: with a constant this is kriging with a linear variogram."""
    return -x


def thin_plate(x: Array) -> Array:
    """x squared times log x."""
    return x * x * np.log(np.maximum(x, 1e-300))


def gaussian(x: Array) -> Array:
    """exp(-x squared)."""
    return np.exp(-x * x)


KERNELS: dict[str, Callable[[Array], Array]] = {
    "cubic_b_spline": cubic_b_spline,
    "linear": linear,
    "thin_plate": thin_plate,
    "gaussian": gaussian,
}

SCALE_FREE = frozenset({"linear", "thin_plate"})
