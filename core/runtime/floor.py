"""The ground that a character stands on."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

Floor = Callable[[Array], Array]
"""Heights (N,) of the ground at places (N, 2) in performance space."""
