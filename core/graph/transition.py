"""Transitions between verbs with blended regions ([Rose1998] section 5.1), and paths of several transitions."""

import math
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ..figure.vector_components import cosine

Array = NDArray[np.float64]
LEEWAY = 1e-9
"""Rounding tolerance in generic time within which a transition does not yet count as passed."""


@dataclass(frozen=True, order=True)
class Region:
    """A stretch of a verb's generic time.

    Parameters
    ----------
    begin, end : for cyclic verbs 0 <= begin < 1, and `end` is at most one cycle later and may exceed 1; for others
        0 <= begin <= end <= 1.
    """

    begin: float
    end: float

    def __post_init__(self) -> None:
        for name in ("begin", "end"):  # integers would make NumPy arrays that truncate phases
            object.__setattr__(self, name, float(getattr(self, name)))

    @property
    def length(self) -> float:
        """Generic time that the region spans."""
        return self.end - self.begin


@dataclass(frozen=True, order=True)
class Transition:
    """A transition from one verb to another.

    Transitions sort by `source`, `target`, the beginning of `leaves`, and then the rest.

    Parameters
    ----------
    source, target : names of the verbs A and B.
    leaves : region of A that is left, t_s and t_e.
    enters : region of B that is entered, t_s and t_e.
    likelihood : likelihood of being drawn, relative to A's other ways out; 0 if it is taken only on command.
    kind : ``'blended'`` fades A out and B in; ``'inertialised'`` plays B from the beginning of its region, and decays
        the difference in pose and velocity that A left behind.
    anywhere : whether a command may take it at once, instead of at `leaves`, for the same span of generic time. A must
        then be a cycle in which no foot is lifted. The paper has no such transitions; without them a standing figure
        may take most of a cycle to respond.
    """

    source: str
    target: str
    leaves: Region
    enters: Region
    likelihood: float = 1.0
    kind: Literal["blended", "inertialised"] = "blended"
    anywhere: bool = False

    def leaving_at(self, phase: float) -> "Transition":
        """Return the transition that a command takes at generic time `phase` of the verb that is left."""
        if not self.anywhere:
            return self
        begin = phase % 1.0
        return replace(self, leaves=Region(begin, begin + self.leaves.length))


def fade(passed: Any) -> Any:
    """Return the weight of the old verb, from 1 to 0, at the share `passed` (beta) of a transition."""
    return 0.5 * cosine(math.pi * passed) + 0.5


def region_shares(region: Region, generic: Array, cyclic: bool) -> Array:
    """Return the share (S,) of each segment between keytimes that lies in `region`.

    The region lasts ``shares @ lengths`` seconds, with the lengths of the segments in seconds.

    Parameters
    ----------
    region : region of a verb.
    generic : (S + 1,) generic times of the verb's keytimes.
    cyclic : whether the verb is cyclic, so that the region may reach into the next cycle.
    """
    begins, ends = generic[:-1], generic[1:]
    cycles = np.array([[0.0], [1.0]] if cyclic else [[0.0]])
    overlap = np.minimum(ends + cycles, region.end) - np.maximum(begins + cycles, region.begin)
    return np.maximum(overlap, 0.0).sum(axis=0) / (ends - begins)


def ahead(transitions: Sequence[Transition], phase: float, cyclic: bool) -> tuple[Transition, ...]:
    """Return a verb's `transitions` that lie after generic time `phase`; all of them for a cycle."""
    return tuple(t for t in transitions if cyclic or t.leaves.begin >= phase - LEEWAY)


def shortest_path(
    leaving: Mapping[str, Sequence[Transition]], cyclic: Mapping[str, bool], source: str, phase: float, target: str
) -> tuple[Transition, ...] | None:
    """Find the path with the fewest transitions from `source` at generic time `phase` to `target`, or None.

    This is a breadth-first search over transitions rather than verbs, since a verb that is not cyclic can only be left
    by a transition that begins after the transition into the verb has ended. Among equally short paths, it returns the
    one whose transitions sort first.

    Parameters
    ----------
    leaving : sorted transitions away from each verb.
    cyclic : whether each verb is cyclic.
    source, phase : verb and generic time at which the path begins.
    target : verb at which it ends.
    """
    if source == target:
        return ()
    first = ahead(leaving[source], phase, cyclic[source])
    ways: deque[tuple[Transition, ...]] = deque((transition,) for transition in first)
    seen = set(first)
    while ways:
        way = ways.popleft()
        last = way[-1]
        if last.target == target:
            return way
        for following in ahead(leaving[last.target], last.enters.end, cyclic[last.target]):
            if following not in seen:
                seen.add(following)
                ways.append((*way, following))
    return None
