"""The ground that a character stands on."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Floor = Callable[[NDArray[np.float64]], NDArray[np.float64]]
"""Heights (N,) of the ground at places (N, 2) in performance space."""
