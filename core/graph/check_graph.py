"""Checks of verb graphs. All problems that would occur in playback are found when a graph is compiled."""

import math
from collections.abc import Collection, Iterator, Mapping, Sequence

import numpy as np

from ..errors import quoted
from ..figure.skeleton import Skeleton
from ..verb.verb import ContactWindows, Verb
from .transition import Region, Transition, ahead

SAME_PLACE = 1e-4


def check_graph(
    verbs: Sequence[Verb], transitions: Sequence[Transition], loops: Mapping[str, float], starts: Collection[str]
) -> list[str]:
    """List all problems of a graph, each as a sentence that says what is wrong, where, and how to fix it.

    Parameters
    ----------
    verbs, transitions : verbs and transitions of the graph, in any order.
    loops : for each verb, the likelihood that it follows itself.
    starts : verbs that need no incoming transition.
    """
    if not verbs:
        return ["The verb graph has no verbs. Add at least one."]
    known = {verb.name: verb for verb in verbs}
    sound = [t for t in transitions if t.source in known and t.target in known]
    complaints = [*_names(verbs), *_unknown(known, transitions, loops, starts)]
    for verb in sorted(verbs[1:], key=lambda verb: verb.name):
        complaints += _figures(verbs[0], verb)
    for transition in sound:
        complaints += transition_complaints(transition, known)
    for name in sorted(known):
        verb = known[name]
        leaving = [t for t in sound if t.source == name]
        entering = [t for t in sound if t.target == name]
        complaints += _loop(verb, loops[name])
        complaints += ways_on(verb, leaving, entering, loops[name])
        if len(known) > 1 and name not in starts:
            complaints += ways_in(verb, [t for t in entering if t.source != name], known, sound, starts)
    return complaints + list(islands(sorted(known), sound))


def _names(verbs: Sequence[Verb]) -> Iterator[str]:
    names = [verb.name for verb in verbs]
    for name in sorted(set(names)):
        if names.count(name) > 1:
            yield f"The verb graph has {names.count(name)} verbs called '{name}'. Rename all but one of them."


def _unknown(
    known: Mapping[str, Verb],
    transitions: Sequence[Transition],
    loops: Mapping[str, float],
    starts: Collection[str],
) -> Iterator[str]:
    for t in transitions:
        for name in sorted({t.source, t.target} - known.keys()):
            yield f"{_the(t)} names verb '{name}', which the graph does not have. Add it or remove the transition."
    for name in sorted(loops.keys() - known.keys()):
        yield f"Verb '{name}' has a likelihood of repeating, but is not in the graph. Remove it."
    for name in sorted(set(starts) - known.keys()):
        yield f"The graph should begin with verb '{name}', which it does not have. Choose another verb."


def _figures(first: Verb, verb: Verb) -> Iterator[str]:
    mine, theirs = (_travelling(one) for one in (verb, first))
    if mine != theirs and first.channels.skeleton.names == verb.channels.skeleton.names:
        name, others = min(mine ^ theirs), (verb.name, first.name) if mine - theirs else (first.name, verb.name)
        yield (
            f"'{name}' travels with the root in verb '{others[0]}' but not in verb '{others[1]}'. "
            f"Key it in an example of verb '{others[1]}' too, or in none."
        )
        return
    if differ := two_skeletons(first, verb):
        yield differ
        return
    others = {contact.point: contact for contact in first.contacts}
    for contact in verb.contacts:
        if contact.point in others and not _same_point(contact, others[contact.point]):
            yield (
                f"Contact '{contact.point}' is a different point in verb '{verb.name}' than in verb '{first.name}'. "
                "Rename it in one of them."
            )


def _travelling(verb: Verb) -> set[str]:
    """Return the names of the controls in the verb's travelling set."""
    return {verb.channels.skeleton.names[traveller.joint] for traveller in verb.channels.travelling}


def two_skeletons(first: Verb, verb: Verb) -> str:
    """Describe how the skeletons of two verbs differ; empty if they are the same."""
    one, other, verbs = first.channels.skeleton, verb.channels.skeleton, f"Verbs '{first.name}' and '{verb.name}'"
    if _same_skeleton(one, other):
        return ""
    if one.names[0] == other.names[0] or set(one.names).isdisjoint(other.names):
        return f"{verbs} have different skeletons. Choose verbs of the same armature."
    return (
        f"{verbs} have different roots, '{one.names[0]}' and '{other.names[0]}'. Choose one root for all: Travel "
        "carried by, under How It Is Built."
    )


def _same_skeleton(one: Skeleton, other: Skeleton) -> bool:
    """Return whether two separately read skeletons are the same."""
    return (
        one.names == other.names
        and np.array_equal(one.parents, other.parents)
        and np.allclose(one.offsets, other.offsets, atol=SAME_PLACE)
        and np.allclose(one.rests, other.rests, atol=SAME_PLACE)
    )


def _same_point(one: ContactWindows, other: ContactWindows) -> bool:
    return one.joint == other.joint and np.allclose(one.offset, other.offset, atol=SAME_PLACE)


def transition_complaints(transition: Transition, known: Mapping[str, Verb]) -> Iterator[str]:
    """Yield the problems of a transition between two of the `known` verbs."""
    yield from _region(transition, transition.leaves, known[transition.source], "leaves")
    yield from _region(transition, transition.enters, known[transition.target], "enters")
    if transition.leaves.length == 0.0 and transition.enters.length == 0.0:
        yield (
            f"{_the(transition)} takes no time, so the character would jump. Make its leaving or entering region "
            "longer."
        )
    if not _is_likelihood(transition.likelihood):
        yield f"{_the(transition)} has likelihood {transition.likelihood:g}. Set it to 0 or a positive number."


def _region(transition: Transition, region: Region, verb: Verb, does: str) -> Iterator[str]:
    where = f"{_the(transition)} {does} verb '{verb.name}' from {region.begin:g} to {region.end:g}"
    if not (math.isfinite(region.begin) and math.isfinite(region.end)):
        yield f"{where}, which are not generic times. Give it numbers between 0 and 1."
    elif region.end < region.begin:
        yield f"{where}, but a region must end after it begins. Correct its ends."
    elif not verb.cyclic and not 0.0 <= region.begin <= region.end <= 1.0:
        yield f"{where}, but the verb is not cyclic and lasts from 0 to 1. Move the region inside."
    elif verb.cyclic and not 0.0 <= region.begin < 1.0:
        yield (
            f"{where}, but a region must begin in the verb's first cycle. Set its beginning to at least 0 and below 1."
        )
    elif verb.cyclic and region.length > 1.0:
        yield f"{where}, which is longer than a whole cycle. Make the region shorter."


def _loop(verb: Verb, likelihood: float) -> Iterator[str]:
    if not _is_likelihood(likelihood):
        yield f"Verb '{verb.name}' has likelihood {likelihood:g} of repeating. Set it to 0 or a positive number."
    elif likelihood > 0.0 and not verb.cyclic:
        yield (
            f"Verb '{verb.name}' has likelihood {likelihood:g} of repeating, but is not cyclic. Set it to 0. If the "
            "verb should repeat, add a transition from its end to its beginning."
        )


def _is_likelihood(value: float) -> bool:
    return math.isfinite(value) and value >= 0.0


def _the(transition: Transition) -> str:
    return f"The transition from '{transition.source}' to '{transition.target}' at {transition.leaves.begin:g}"


def ways_on(verb: Verb, leaving: Sequence[Transition], entering: Sequence[Transition], loop: float) -> Iterator[str]:
    """Yield a problem if a verb has no way out, or several ways out but no likelihoods."""
    if not leaving and not verb.cyclic:
        yield (
            f"Verb '{verb.name}' is a dead end: it is not cyclic, and no transition leaves it. "
            "Add one to the verb that should follow."
        )
        return
    entries = (
        [] if verb.cyclic else [(t.enters.end, f" entered from '{t.source}' at {t.enters.end:g}") for t in entering]
    )
    for phase, entered in [(0.0, ""), *entries]:
        ways = ahead(leaving, phase, verb.cyclic)
        if not ways and not verb.cyclic:
            last = max(leaving, key=lambda t: t.leaves.begin)
            only = "its only transition" if len(leaving) == 1 else "its last transition"
            yield (
                f"Verb '{verb.name}' is a dead end when{entered}: {only}, to '{last.target}', already begins at "
                f"{last.leaves.begin:g}. Enter the verb earlier, or leave it later."
            )
        elif loop == 0.0 and all(t.likelihood == 0.0 for t in ways):
            yield (
                f"Verb '{verb.name}'{f', when{entered},' if entered else ''} cannot continue: all its likelihoods are "
                "0. Give a positive likelihood to a transition that leaves it, or to its repetition if it is cyclic."
            )


def ways_in(
    verb: Verb,
    entering: Sequence[Transition],
    known: Mapping[str, Verb],
    transitions: Sequence[Transition],
    starts: Collection[str],
) -> Iterator[str]:
    """Yield a problem if no other verb leads to this one."""
    if not entering:
        yield (
            f"Verb '{verb.name}' cannot be reached: no transition from another verb enters it. Add one, or remove the "
            "verb's transitions."
        )
    elif not any(_can_be_taken(t, known[t.source], transitions, starts) for t in entering):
        first = entering[0]
        yield (
            f"Verb '{verb.name}' cannot be reached: the transition from '{first.source}' begins at "
            f"{first.leaves.begin:g}, but '{first.source}' is always entered later. Move one of the regions."
        )


def _can_be_taken(
    transition: Transition, source: Verb, transitions: Sequence[Transition], starts: Collection[str]
) -> bool:
    entries = [t for t in transitions if t.target == source.name]
    begins = source.cyclic or source.name in starts or not entries
    return begins or any(ahead([transition], t.enters.end, False) for t in entries)


def islands(names: Sequence[str], transitions: Sequence[Transition]) -> Iterator[str]:
    """Yield a problem if the graph is not connected."""
    home = {name: name for name in names}
    for t in transitions:
        old, new = home[t.source], home[t.target]
        home = {name: new if part == old else part for name, part in home.items()}
    parts = [[name for name in names if home[name] == part] for part in dict.fromkeys(home.values())]
    alone = [part for part in parts if len(part) > 1]
    for part in alone[1:]:
        ours, theirs = (quoted(group) for group in (part, alone[0]))
        yield f"No transition connects {ours} with {theirs}. Add transitions in both directions."
