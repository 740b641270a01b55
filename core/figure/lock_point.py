"""Points of a figure that can be held where they stand."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class LockPoint:
    """A point that stands still while it is in contact with the floor.

    Parameters
    ----------
    name : of the contact.
    joint, offset : which joint carries it, and (3,) where in its frame, performance units.
    """

    name: str
    joint: int
    offset: NDArray[np.float64]
