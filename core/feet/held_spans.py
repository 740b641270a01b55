"""What rows need of the locks: their states at the times of the rows, taken down while they change."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..play.held_points import Span
from .lock_release_step_home import FootLocks, HeldTimes

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Held:
    """What one player has played, before its rows are made.

    Parameters
    ----------
    pieces : in order.
    spans : states of its locks at the times of its rows.
    support : (T,) bits of the points that stand at these times; empty for a player without locks.
    """

    pieces: Sequence[Span]
    spans: Sequence[HeldTimes]
    support: NDArray[np.intp]


class Spans:
    """Collects the states of the locks, and which points stand, at the `times` (T,) of rows, while the locks change."""

    def __init__(self, locks: FootLocks, times: Array, begin: float) -> None:
        self.held: list[HeldTimes] = []
        self.support = np.zeros(len(times), dtype=np.intp)
        self._locks, self._times, self._begin, self._first = locks, times, begin, 0

    def reach(self, time: float, standing: int) -> None:
        """Take down the state of the locks for the rows before `time`; to be called before they change at that time.

        `standing` are the bits of the points that have stood until then.
        """
        if self._locks.terrain is not None:
            self._locks.terrain.begun = time > self._begin
        end = int(np.searchsorted(self._times, time))
        if end > self._first:
            self.support[self._first : end] = standing
            self.held.append(self._locks.at(self._times[self._first : end]))
            self._first = end
