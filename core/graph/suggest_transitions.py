"""Suggesting transitions: the regions in which two verbs are most alike."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..progress import Progress, untold
from ..verb.verb import Verb
from .distance_map import SECONDS, Axis, DistanceMap, distance_map
from .transition import Transition

OVERLAP = 2.0 / 3.0
"""Least distance between the beginnings of two suggested regions, as a share of their length."""
WAIT, MOST, LOOKED_AT = 1.5, 4, 24
"""Seconds that a command should wait at most for a place where a cycle is left; most such places; and most suggestions
that are looked at for them."""
ALIKE, CLOSE, AGREES = 1.5, 1e-3, 0.1
"""How unlike the verbs may be at a further place: a multiple of their distance at the best, a distance in performance
units that never matters, and by how much less the contacts may agree."""
ROUNDING = 1e-3
"""Difference, as a share of the average distance, below which two regions count as equal and the earlier one wins."""


@dataclass(frozen=True)
class Suggestion:
    """A suggested transition, and how alike the verbs are in its regions.

    Parameters
    ----------
    transition : the suggested transition.
    distance : root mean square over joints and region of the differences in place, and of those in velocity times
        0.15 s, in performance units.
    agreement : share of the region in which the contacts of both verbs are the same.
    """

    transition: Transition
    distance: float
    agreement: float


def suggest_transitions(
    source: Verb,
    target: Verb,
    count: int = 3,
    seconds: float = SECONDS,
    adverbs: Mapping[str, float] | None = None,
    progress: Progress = untold,
) -> tuple[Suggestion, ...]:
    """Find the regions in which two verbs are most alike in pose, velocity and contacts, the best first.

    Each suggestion is better than two regions are on average, and leaves the source at another time. A verb that is not
    cyclic is left in its second half and entered in its first.

    Parameters
    ----------
    source, target : verbs A and B on one skeleton, or the same verb twice.
    count : largest number of suggestions.
    seconds : duration of a transition, which is less where a verb is too short.
    adverbs : values at which the verbs are compared, by default the mean of each verb's examples.
    progress : called with the fraction that is done, as `core.progress` says.

    Raises
    ------
    GraphError
        If the verbs are of two skeletons, or one lasts too long.
    """
    return suggestions_on(distance_map(source, target, seconds, adverbs, progress), count)


def suggestions_on(compared: DistanceMap, count: int) -> tuple[Suggestion, ...]:
    """Return the best transitions of a map, as `suggest_transitions` does."""
    leaves, enters = compared.leaves, compared.enters
    scores = compared.differences[compared.usual].copy()
    average = float(scores.mean())
    found: list[Suggestion] = []
    while len(found) < count and scores.min() <= average:
        near_best = scores.reshape(-1) <= scores.min() + ROUNDING * average
        row, column = divmod(int(np.flatnonzero(near_best)[0]), scores.shape[1])
        begins = leaves.usual[row], enters.usual[column]
        transition = Transition(
            leaves.motion.verb.name, enters.motion.verb.name, leaves.region(begins[0]), enters.region(begins[1])
        )
        agreement = 1.0 - float(compared.differs[begins])
        found.append(Suggestion(transition, float(compared.distances[begins]), agreement))
        scores[_apart(leaves, row) < OVERLAP * leaves.steps] = np.inf
    return tuple(found)


def ways_over(source: Verb, target: Verb) -> tuple[Suggestion, ...]:
    """Return the best transition between two verbs and, where the source is a long cycle, others spread over it.

    With one transition alone a command would wait for the one place at which a long cycle, such as standing, is left.

    Raises
    ------
    GraphError
        As `suggest_transitions`.
    """
    compared = distance_map(source, target)
    leaves = compared.leaves
    wanted = min(MOST, leaves.motion.duration / WAIT) if leaves.cyclic else 1
    every = suggestions_on(compared, LOOKED_AT if wanted > 1 else 1)
    chosen = list(every[:1])
    others = [one for one in every[1:] if _is_as_good(one, chosen[0])]
    while others and len(chosen) < wanted:
        chosen.append(max(others, key=lambda one: min(_between(one, other) for other in chosen)))
        others.remove(chosen[-1])
    return tuple(chosen)


def _is_as_good(one: Suggestion, best: Suggestion) -> bool:
    """Whether poses and contacts are about as much alike in a suggestion as in the best one."""
    return one.distance <= ALIKE * best.distance + CLOSE and one.agreement >= best.agreement - AGREES


def _between(one: Suggestion, other: Suggestion) -> float:
    """Share of a cycle between the places at which two suggestions leave it."""
    apart = abs(one.transition.leaves.begin - other.transition.leaves.begin) % 1.0
    return min(apart, 1.0 - apart)


def _apart(axis: Axis, row: int) -> NDArray[np.intp]:
    """Return the steps between a row where suggested regions begin and each of them, the short way round a cycle."""
    steps = np.abs(np.arange(len(axis.usual)) - row)
    return np.minimum(steps, len(steps) - steps) if axis.cyclic else steps
