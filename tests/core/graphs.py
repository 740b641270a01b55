"""Verb graphs for tests: one of the generated motions (stand, walk, wave), and random ones."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Literal

import numpy as np
from verbs_adverbs.core.biped.figure import JOINTS, Generated
from verbs_adverbs.core.biped.standing import WAVE_ADVERBS, WAVE_EXAMPLES, stance, wave
from verbs_adverbs.core.biped.walk import WALK_ADVERBS, WALK_EXAMPLES, walk
from verbs_adverbs.core.graph.transition import Region, Transition
from verbs_adverbs.core.graph.verb_graph import VerbGraph, compile_graph
from verbs_adverbs.core.verb.build import build_verb
from verbs_adverbs.core.verb.example import Contact, Example, Take
from verbs_adverbs.core.verb.verb import Verb

from .synthetic import random_channels, some_examples
from .walks import biped_channels


def example_of(made: Generated) -> Example:
    """Return a generated motion as an example, annotated as an animator would."""
    take = Take(made.times, made.rotations, made.root, np.zeros((len(made.times), 0)))
    contacts = tuple(Contact(p.bone, JOINTS[p.bone], np.zeros(3), p.windows) for p in made.plants)
    place = np.array(list(made.adverbs.values()), dtype=np.float64)
    return Example(made.name, place, made.keytime_names, made.keytimes, take, contacts, made.kind, made.cyclic)


def verb_of(name: str, adverbs: tuple[str, ...], made: list[Generated]) -> Verb:
    """Return the verb of generated motions, whose adverbs go from -1 to 1."""
    return build_verb(name, biped_channels(), [example_of(one) for one in made], adverbs, [[-1, 1]] * len(adverbs))


@cache
def generated_verbs() -> tuple[Verb, Verb, Verb]:
    """Return the verbs stand (no adverbs), walk (mood, slope, turn) and wave (energy, height; not cyclic)."""
    return (
        verb_of("stand", (), [stance()]),
        verb_of("walk", tuple(WALK_ADVERBS), [walk(*place) for place in WALK_EXAMPLES]),
        verb_of("wave", tuple(WAVE_ADVERBS), [wave(*place) for place in WAVE_EXAMPLES]),
    )


@cache
def walk_turned_by(adverb: str) -> Verb:
    """The walk over mood, slope and an adverb that turns it to the right as it is raised."""
    names = ("mood", "slope", adverb)
    examples = [example_of(walk(*place)) for place in WALK_EXAMPLES]
    mirrored = [replace(example, adverbs=example.adverbs * [1.0, 1.0, -1.0]) for example in examples]
    return build_verb("walk", biped_channels(), mirrored, names, [[-1, 1]] * 3)


def generated_transitions(kind: str = "blended") -> list[Transition]:
    """From standing to walking and waving and back: a walk begins and ends while one foot swings."""
    starts = [("stand", "walk", (begin, begin + 0.11), (0.65, 0.98)) for begin in (0.1, 0.35, 0.6, 0.85)]
    ends = [("walk", "stand", leaves, (0.9, 1.01)) for leaves in ((0.14, 0.49), (0.64, 0.99))]
    waves = [("stand", "wave", (begin, begin + 0.1), (0.0, 0.13)) for begin in (0.25, 0.75)]
    between = [*starts, *ends, *waves, ("wave", "stand", (0.86, 1.0), (0.3, 0.42))]
    return [
        Transition(source, target, Region(*leaves), Region(*enters), 1.0 if source == "wave" else 0.0, kind)  # type: ignore[arg-type]
        for source, target, leaves, enters in between
    ]


@cache
def generated_graph(kind: str = "blended") -> VerbGraph:
    """Return the graph of the generated verbs and transitions, in which standing and walking go on until a command."""
    return compile_graph(generated_verbs(), generated_transitions(kind))


def random_graph(
    seed: int,
    one_way: bool = False,
    loops: Mapping[str, float] | None = None,
    further: Sequence[Transition] = (),
    kind: Literal["blended", "inertialised"] = "blended",
) -> VerbGraph:
    """Return a graph of the cyclic verbs a and b over mood and slope, and of c, which is not cyclic.

    With `one_way` there are only a and b, with a transition from a to b and none back.
    """
    rng = np.random.default_rng(seed)
    channels = random_channels(rng)

    def verb(name: str, cyclic: bool) -> Verb:
        names = tuple(f"{event} {name}" for event in ("down", "pass", "up", "end"))
        examples = some_examples(seed + ord(name), channels, cyclic=cyclic, keytime_names=names)
        return build_verb(name, channels, examples, ("mood", "slope"), [[-1, 1], [-1, 1]])

    def region(begin: float) -> Region:
        return Region(begin, begin + float(rng.uniform(0.15, 0.3)))

    ways = [Transition("a", "b", region(rng.uniform(0.0, 1.0)), region(rng.uniform(0.0, 1.0)), 1.0, kind)]
    if one_way:
        return compile_graph([verb("a", True), verb("b", True)], ways, loops, starts=("a",))
    ways += [
        Transition("b", "a", region(rng.uniform(0.0, 1.0)), region(rng.uniform(0.0, 1.0)), 1.0, kind),
        Transition("b", "c", region(rng.uniform(0.0, 1.0)), region(0.0), 0.5, kind),
        Transition("c", "a", region(0.65), region(rng.uniform(0.0, 1.0)), 1.0, kind),
        *further,
    ]
    return compile_graph([verb("a", True), verb("b", True), verb("c", False)], ways, loops)
