"""Suggesting transitions: the regions in which two verbs are most alike."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ..figure.channels import ROOT_LOCATION
from ..progress import Progress, untold
from ..verb.verb import Verb
from .distance_map import SECONDS, Axis, DistanceMap, distance_map
from .transition import Transition, fade

OVERLAP = 2.0 / 3.0
"""Least distance between the beginnings of two suggested regions, as a share of their length."""
LONGEST, QUIET, SLIGHT, GENTLE = 1.0, 1.1, 0.05, 1.0
"""A verb that stands may be left anywhere if the root's acceleration is as small there as at the best place: longest
transition in seconds that is tried for that, how many times as large it may be, one that never matters, and one that
the longest transition may add to that of the verb that is entered, in performance units per second squared."""
AGREES = 0.1
"""By how much less the contacts may agree in the end of a longer transition."""
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
    cyclic is left in its second half and entered in its first. A verb that stands is left anywhere by the best one,
    which lasts up to a second if it must.

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
    places: list[tuple[int, int]] = []
    while len(found) < count and scores.min() <= average:
        near_best = scores.reshape(-1) <= scores.min() + ROUNDING * average
        row, column = divmod(int(np.flatnonzero(near_best)[0]), scores.shape[1])
        begins = leaves.usual[row], enters.usual[column]
        places.append(begins)
        transition = Transition(
            leaves.motion.verb.name, enters.motion.verb.name, leaves.region(begins[0]), enters.region(begins[1])
        )
        agreement = 1.0 - float(compared.differs[begins])
        found.append(Suggestion(transition, float(compared.distances[begins]), agreement))
        scores[_apart(leaves, row) < OVERLAP * leaves.steps] = np.inf
    if found and leaves.motion.verb.stands and leaves.steps > 1:
        found[0] = _from_anywhere(compared, found[0], *places[0])
    return tuple(found)


def _from_anywhere(compared: DistanceMap, best: Suggestion, row: int, column: int) -> Suggestion:
    """Return the best suggestion as one that leaves anywhere a verb that stands; as it is, if that would be a jolt.

    Where the verb happens to sway away from the pose that is entered, the transition must be longer, so that the root
    is not moved more abruptly than at the best place, where regions begin at `row` and `column`.
    """
    usual, most = compared.leaves.steps, _most_steps(compared, row, column)
    left, entered = (
        axis.motion.sample(axis.step * np.arange(len(axis.begins) + most))[:, ROOT_LOCATION]
        for axis in (compared.leaves, compared.enters)
    )
    allowed = max(QUIET * float(_accelerations(compared, left, entered, column, usual)[row]), SLIGHT)
    own = np.diff(entered[column : column + most + 1], n=2, axis=0) / compared.enters.step**2
    gentle = GENTLE + float(np.linalg.norm(own, axis=-1).max())
    for steps in range(usual, most + 1):
        hardest = float(_accelerations(compared, left, entered, column, steps).max())
        if hardest <= (gentle if steps == most else allowed):
            leaves, enters = (replace(axis, steps=steps) for axis in (compared.leaves, compared.enters))
            way = replace(best.transition, leaves=leaves.region(row), enters=enters.region(column), anywhere=True)
            return replace(best, transition=way)
    return best


def _most_steps(compared: DistanceMap, row: int, column: int) -> int:
    """Return how many steps a transition may last until contacts differ, or most of a verb that ends would be gone."""
    enters, usual = compared.enters, compared.leaves.steps
    steps, longest = usual, min(LONGEST / enters.step, len(compared.leaves.begins))
    while steps + 1 <= longest:
        last = column + steps + 1 - usual
        if last not in enters.usual and not enters.cyclic:
            break
        if compared.differs[row, last % len(enters.begins)] > compared.differs[row, column] + AGREES:
            break
        steps += 1
    return steps


def _accelerations(
    compared: DistanceMap, left: NDArray[np.float64], entered: NDArray[np.float64], column: int, steps: int
) -> NDArray[np.float64]:
    """Return the largest accelerations (B,) of the root in transitions that leave the source at each row.

    `left` and `entered` (T, 3) are the places of the root in both verbs, from their first rows on.
    """
    within = np.arange(steps + 1)
    old = fade(within / steps)[:, None]
    rows = np.arange(len(compared.leaves.begins))
    path = old * left[rows[:, None] + within] + (1.0 - old) * entered[column + within]
    return np.linalg.norm(np.diff(path, n=2, axis=1), axis=-1).max(axis=1) / compared.leaves.step**2


def _apart(axis: Axis, row: int) -> NDArray[np.intp]:
    """Return the steps between a row where suggested regions begin and each of them, the short way round a cycle."""
    steps = np.abs(np.arange(len(axis.usual)) - row)
    return np.minimum(steps, len(steps) - steps) if axis.cyclic else steps
