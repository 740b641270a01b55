"""Complaints about the ways through a verb graph: verbs that nothing leads to, and verbs that nothing leaves."""

from collections.abc import Collection, Iterator, Mapping, Sequence

from ..errors import quoted
from ..verb.verb import Verb
from .graph_paths import ahead
from .transition import Transition


def ways_on(verb: Verb, leaving: Sequence[Transition], entering: Sequence[Transition], loop: float) -> Iterator[str]:
    """Dead ends, and choices of which none is likely."""
    if not leaving and not verb.cyclic:
        yield (
            f"Verb '{verb.name}' is a dead end: it is not cyclic, and no transition leaves it. "
            "Add one to the verb that shall follow."
        )
        return
    entries = (
        [] if verb.cyclic else [(t.enters.end, f" entered from '{t.source}' at {t.enters.end:g}") for t in entering]
    )
    for phase, entered in [(0.0, ""), *entries]:
        ways = ahead(leaving, phase, verb.cyclic)
        if not ways and not verb.cyclic:
            last = max(leaving, key=lambda t: t.leaves.begin)
            only = "its only way out" if len(leaving) == 1 else "the last of its ways out"
            yield (
                f"Verb '{verb.name}' is a dead end when{entered}: {only}, to '{last.target}', begins at "
                f"{last.leaves.begin:g}. Enter it earlier or leave it later."
            )
        elif loop == 0.0 and all(t.likelihood == 0.0 for t in ways):
            yield (
                f"Verb '{verb.name}'{f', when{entered},' if entered else ''} has no way on with a likelihood above 0. "
                "Give one to a transition that leaves it, or to its loop if it is cyclic."
            )


def ways_in(
    verb: Verb,
    entering: Sequence[Transition],
    known: Mapping[str, Verb],
    transitions: Sequence[Transition],
    starts: Collection[str],
) -> Iterator[str]:
    """Whether some other verb leads here."""
    if not entering:
        yield (
            f"Verb '{verb.name}' cannot be reached: no transition from another verb enters it. "
            "Add one, or take the verb out of the graph."
        )
    elif not any(_can_be_taken(t, known[t.source], transitions, starts) for t in entering):
        first = entering[0]
        yield (
            f"Verb '{verb.name}' cannot be reached: the way from '{first.source}' begins at {first.leaves.begin:g}, "
            f"and '{first.source}' is always entered later. Move one of the regions."
        )


def _can_be_taken(
    transition: Transition, source: Verb, transitions: Sequence[Transition], starts: Collection[str]
) -> bool:
    entries = [t for t in transitions if t.target == source.name]
    begins = source.cyclic or source.name in starts or not entries
    return begins or any(ahead([transition], t.enters.end, False) for t in entries)


def islands(names: Sequence[str], transitions: Sequence[Transition]) -> Iterator[str]:
    """Parts of the graph that no transition joins."""
    home = {name: name for name in names}
    for t in transitions:
        old, new = home[t.source], home[t.target]
        home = {name: new if part == old else part for name, part in home.items()}
    parts = [[name for name in names if home[name] == part] for part in dict.fromkeys(home.values())]
    alone = [part for part in parts if len(part) > 1]
    for part in alone[1:]:
        ours, theirs = (quoted(group) for group in (part, alone[0]))
        yield f"No transition joins {ours} with {theirs}. Add some in both directions, or make two graphs."
