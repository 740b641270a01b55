"""Ways through a verb graph: which transitions are still ahead, and the fewest that lead somewhere."""

from collections import deque
from collections.abc import Mapping, Sequence

from .transition import Transition

LEEWAY = 1e-9
"""Generic time by which a transition may seem to be passed, and is not: rounding."""


def ahead(transitions: Sequence[Transition], phase: float, cyclic: bool) -> tuple[Transition, ...]:
    """Those of a verb's `transitions` that it still comes to after generic time `phase`; a cycle comes to all."""
    return tuple(t for t in transitions if cyclic or t.leaves.begin >= phase - LEEWAY)


def shortest_path(
    leaving: Mapping[str, Sequence[Transition]], cyclic: Mapping[str, bool], source: str, phase: float, target: str
) -> tuple[Transition, ...] | None:
    """The fewest transitions that lead from `source` at generic time `phase` to `target`; None if nothing does.

    Breadth first. What is searched are transitions, not verbs: a verb that is not cyclic can only be left by those that
    begin after the one by which it is entered has ended. Of several ways equally short it is the one whose
    transitions, compared one after the other, sort first.

    Parameters
    ----------
    leaving : sorted transitions away from each verb.
    cyclic : whether each verb is.
    source, phase, target : where the way begins and ends.
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
