"""Transitions between verbs: corresponding regions of generic time that are blended ([Rose1998] section 5.1)."""

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True, order=True)
class Region:
    """A stretch of a verb's generic time.

    Parameters
    ----------
    begin, end : of cyclic verbs 0 <= begin < 1, and `end`, at most one cycle later, may exceed 1; of others
        0 <= begin <= end <= 1.
    """

    begin: float
    end: float

    @property
    def length(self) -> float:
        """How much generic time it spans."""
        return self.end - self.begin


@dataclass(frozen=True, order=True)
class Transition:
    """A way from one verb into another.

    They sort by `source`, `target`, and where the region that is left begins; all else decides only where these are
    equal.

    Parameters
    ----------
    source, target : names of the verbs A and B.
    leaves : t_s and t_e of A.
    enters : t_s and t_e of B.
    likelihood : of being drawn, against A's other ways on; 0 for transitions that are taken on command alone.
    kind : ``'blended'`` fades A out and B in; ``'inertialised'`` plays B from the beginning of its region and lets what
        is left of A's pose and pace die away.
    """

    source: str
    target: str
    leaves: Region
    enters: Region
    likelihood: float = 1.0
    kind: Literal["blended", "inertialised"] = "blended"


def fade(passed: float) -> float:
    """Weight of the old verb, from 1 to 0, when the share `passed` (beta) of a transition is over."""
    return 0.5 * math.cos(math.pi * passed) + 0.5


def region_shares(region: Region, generic: Array, cyclic: bool) -> Array:
    """Share (S,) of each segment that lies in `region`, so that ``shares @ lengths`` are its seconds.

    Parameters
    ----------
    region : of the verb.
    generic : (S + 1,) generic times of its keytimes.
    cyclic : whether the verb is; then the region may reach into the next cycle.
    """
    begins, ends = generic[:-1], generic[1:]
    cycles = np.array([[0.0], [1.0]] if cyclic else [[0.0]])
    overlap = np.minimum(ends + cycles, region.end) - np.maximum(begins + cycles, region.begin)
    return np.maximum(overlap, 0.0).sum(axis=0) / (ends - begins)
