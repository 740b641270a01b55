"""Verb graphs: verbs, and the transitions between them ([Rose1998] section 5)."""

from bisect import bisect_right
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from types import MappingProxyType

import numpy as np

from ..errors import MOST_CHOICES, GraphError, quoted
from ..figure.channels import Channels
from ..figure.lock_point import LockPoint
from ..verb.verb import Verb
from .check_graph import check_graph
from .conform import in_common
from .graph_paths import ahead, shortest_path
from .transition import Transition


@dataclass(frozen=True, eq=False)
class VerbGraph:
    """Verbs that go over into one another; made by `compile_graph` alone, immutable.

    All verbs here have the graph's columns and count headings from the same direction, so their poses and
    displacements can be mixed as they are, but for two things that whoever mixes them sees to: quaternions of two verbs
    may lie in different hemispheres, and held scalars are never mixed.

    Parameters
    ----------
    channels : of every verb.
    verbs : sorted by name.
    transitions : sorted; in what order they were added does not matter.
    loops : by verb, likelihood of going on with itself against its transitions'.
    points : contact points of all verbs, sorted by name.
    """

    channels: Channels
    verbs: tuple[Verb, ...]
    transitions: tuple[Transition, ...]
    loops: Mapping[str, float]
    points: tuple[LockPoint, ...]

    @cached_property
    def leaving(self) -> Mapping[str, tuple[Transition, ...]]:
        """Transitions away from each verb, sorted."""
        return {verb.name: tuple(t for t in self.transitions if t.source == verb.name) for verb in self.verbs}

    @cached_property
    def _by_name(self) -> Mapping[str, Verb]:
        return {verb.name: verb for verb in self.verbs}

    @cached_property
    def _cyclic(self) -> Mapping[str, bool]:
        return {verb.name: verb.cyclic for verb in self.verbs}

    def verb(self, name: str) -> Verb:
        """The verb called `name`.

        Raises
        ------
        GraphError
            If there is none.
        """
        if name not in self._by_name:
            known = quoted((verb.name for verb in self.verbs), MOST_CHOICES)
            raise GraphError(f"The verb graph has no verb '{name}'. Choose one of {known}.")
        return self._by_name[name]

    def path(self, source: str, target: str) -> tuple[Transition, ...]:
        """The fewest transitions from the beginning of `source` to `target`; none from a verb to itself.

        Of several ways equally short it is the one whose transitions, compared one after the other, sort first.

        Raises
        ------
        GraphError
            If no way leads there.
        """
        return self.path_from(source, 0.0, target)

    def path_from(self, source: str, phase: float, target: str) -> tuple[Transition, ...]:
        """The same from generic time `phase` of `source`: unless cyclic, it can only be left where it has not been yet.

        Raises
        ------
        GraphError
            If no way leads there.
        """
        begin, end = self.verb(source), self.verb(target)
        found = shortest_path(self.leaving, self._cyclic, begin.name, phase, end.name)
        if found is None:
            late = "" if begin.cyclic or phase <= 0.0 else f" after generic time {phase:.2f}"
            raise GraphError(
                f"No way leads from verb '{source}'{late} to verb '{target}'. Add a transition on the way there."
            )
        return found

    def draw(self, source: str, phase: float, rng: np.random.Generator) -> Transition | None:
        """How verb `source` goes on from generic time `phase` when nothing is asked of it: None is with itself.

        Chosen by likelihood from the transitions still ahead and its own loop. If none of them is likely, which happens
        only to a verb begun in its midst, all that are ahead are equally so; if none is ahead either, it holds its end.

        Parameters
        ----------
        source, phase : where the figure is.
        rng : every call takes exactly one random number.
        """
        ways = ahead(self.leaving[source], phase, self.verb(source).cyclic)
        likelihoods = [self.loops[source], *(t.likelihood for t in ways)]
        if not any(likelihoods):
            likelihoods[1:] = [1.0] * len(ways)
        limits = list(accumulate(likelihoods))
        chosen = min(bisect_right(limits, rng.random() * limits[-1]), len(ways))
        return None if chosen == 0 else ways[chosen - 1]


def compile_graph(
    verbs: Sequence[Verb],
    transitions: Sequence[Transition],
    loops: Mapping[str, float] | None = None,
    starts: Collection[str] = (),
) -> VerbGraph:
    """Check everything and make a verb graph.

    Parameters
    ----------
    verbs : at least one, all on one skeleton.
    transitions : between them, or from a verb to itself.
    loops : by verb, likelihood of going on with itself; by default 1 for cyclic verbs and 0 for others.
    starts : verbs that a performance may begin with: no transition need lead to them.

    Raises
    ------
    GraphError
        With every complaint at once, each a sentence.
    """
    likely = {verb.name: float(verb.cyclic) for verb in verbs} | dict(loops or {})
    ordered = sorted(verbs, key=lambda verb: verb.name)
    ways = tuple(sorted(transitions))
    complaints = check_graph(ordered, ways, likely, starts)
    if complaints:
        raise GraphError(*complaints)
    conformed = in_common(ordered)
    points = {c.point: LockPoint(c.point, c.joint, c.offset) for verb in ordered for c in verb.contacts}
    return VerbGraph(
        channels=conformed[0].channels,
        verbs=conformed,
        transitions=ways,
        loops=MappingProxyType(likely),
        points=tuple(points[name] for name in sorted(points)),
    )
