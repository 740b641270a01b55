"""When locks take note of the pose, so that what is let go leaves with the same speed wherever frames lie."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from .fading import LEAST_GAP
from .holding import RUN_UP
from .live_locks import LiveLocks

Array = NDArray[np.float64]

NEARLY = 1e-9


class Noting:
    """Notes the pose once before each cut, at which points may be let go.

    Parameters
    ----------
    locks : that take note, None for none.
    """

    def __init__(self, locks: LiveLocks | None) -> None:
        self._locks = locks
        self._done = False

    def up_to(self, to_cut: float, left: float, tempo: float, values: Callable[[], Array]) -> float:
        """How far to go of `left`: no farther than to where the pose is to be noted; it is noted here if this is there.

        Parameters
        ----------
        to_cut, left : seconds of the verbs' clock.
        tempo : of that clock.
        values : gives the unlocked row (width,) of this moment.
        """
        if self._locks is None or self._done:
            return left
        if to_cut - RUN_UP * tempo > NEARLY:
            return min(left, to_cut - RUN_UP * tempo)
        if to_cut > LEAST_GAP * tempo:
            self._locks.note(values())
            self._done = True
        return left

    def cut(self) -> None:
        """The cut has come; the next one is to be noted."""
        self._done = False
