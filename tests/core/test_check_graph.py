"""Complaints about verb graphs: each a sentence that says what is wrong, where, and how to mend it, all at once."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

import numpy as np
import pytest
from verbs_adverbs.core.errors import GraphError
from verbs_adverbs.core.graph.transition import Transition
from verbs_adverbs.core.graph.verb_graph import compile_graph
from verbs_adverbs.core.verb.verb import ContactWindows, Verb

from .small_graphs import cycle, once, way
from .synthetic import some_verb

PAIR = (way("walk", "run"), way("run", "walk"))
THERE = way("walk", "wave")


def _complaints(
    verbs: Sequence[Verb],
    transitions: Sequence[Transition],
    loops: Mapping[str, float] | None = None,
    starts: Collection[str] = (),
) -> tuple[str, ...]:
    with pytest.raises(GraphError) as caught:
        compile_graph(verbs, transitions, loops, starts)
    assert str(caught.value).startswith(caught.value.complaints[0])
    return caught.value.complaints


def _walk_and(verb: Verb, *transitions: Transition, **rest: object) -> tuple[str, ...]:
    return _complaints([cycle("walk"), verb], transitions, **rest)  # type: ignore[arg-type]


def test_a_cycle_alone_is_a_graph():
    assert compile_graph([cycle("walk")], []).path("walk", "walk") == ()


def test_a_sound_graph_has_no_complaints():
    graph = compile_graph([cycle("walk"), once("wave")], [THERE, way("wave", "walk", (0.2, 0.4))], {"walk": 0.5})
    assert graph.loops == {"walk": 0.5, "wave": 0.0}


def test_no_verbs():
    assert _complaints([], []) == ("The verb graph has no verbs. Add at least one.",)


def test_two_verbs_of_one_name():
    found = _complaints([cycle("walk"), cycle("run"), cycle("walk")], PAIR)
    assert found == ("The verb graph has 2 verbs called 'walk'. Rename all but one of them.",)


def test_a_transition_with_an_unknown_verb():
    found = _complaints([cycle("walk"), cycle("run")], [*PAIR, way("run", "fly", (0.25, 0.5))])
    assert found == (
        "The transition from 'run' to 'fly' at 0.25 names verb 'fly', which the graph does not have. "
        "Add it or remove the transition.",
    )


def test_a_loop_and_a_start_of_an_unknown_verb():
    found = _complaints([cycle("walk")], [], {"fly": 1.0}, ["swim"])
    assert found == (
        "Verb 'fly' has a likelihood of repeating, but is not in the graph. Remove it.",
        "The graph should begin with verb 'swim', which it does not have. Choose another verb.",
    )


def test_verbs_of_another_skeleton():
    found = _walk_and(replace(some_verb(5, 3), name="run"), *PAIR)
    assert found == ("Verbs 'run' and 'walk' have different skeletons. Choose verbs of the same armature.",)


@pytest.mark.parametrize(("joint", "offset"), [(1, 0.0), (2, 0.3)])
def test_one_name_for_two_points(joint: int, offset: float):
    windows, heights = np.array([[[0.1, 0.5]]] * 3), np.zeros((3, 1))
    heel = ContactWindows("heel", 2, np.zeros(3), windows, heights, heights)
    walk = replace(cycle("walk"), contacts=(heel,))
    run = replace(cycle("run"), contacts=(replace(heel, joint=joint, offset=np.full(3, offset)),))
    assert _complaints([walk, run], PAIR) == (
        "Contact 'heel' is a different point in verb 'walk' than in verb 'run'. Rename it in one of them.",
    )


@pytest.mark.parametrize(
    ("region", "wrong"),
    [
        ((0.2, 1.2), "from 0.2 to 1.2, but the verb is not cyclic and lasts from 0 to 1. Move the region inside."),
        ((-0.1, 0.2), "from -0.1 to 0.2, but the verb is not cyclic and lasts from 0 to 1. Move the region inside."),
        ((0.5, 0.2), "from 0.5 to 0.2, but a region must end after it begins. Correct its ends."),
        ((0.5, float("nan")), "from 0.5 to nan, which are not generic times. Give it numbers between 0 and 1."),
    ],
)
def test_a_region_outside_a_verb_that_ends(region: tuple[float, float], wrong: str):
    found = _walk_and(once("wave"), THERE, way("wave", "walk", (0.8, 0.9)), way("wave", "walk", region))
    assert found == (f"The transition from 'wave' to 'walk' at {region[0]:g} leaves verb 'wave' {wrong}",)


@pytest.mark.parametrize(
    ("region", "wrong"),
    [
        ((0.2, 1.3), "from 0.2 to 1.3, which is longer than a whole cycle. Make the region shorter."),
        (
            (1.0, 1.2),
            "from 1 to 1.2, but a region must begin in the verb's first cycle. Set its beginning to at least "
            "0 and below 1.",
        ),
        (
            (-0.2, 0.2),
            "from -0.2 to 0.2, but a region must begin in the verb's first cycle. Set its beginning to at "
            "least 0 and below 1.",
        ),
        ((0.5, 0.2), "from 0.5 to 0.2, but a region must end after it begins. Correct its ends."),
    ],
)
def test_a_region_that_is_no_part_of_a_cycle(region: tuple[float, float], wrong: str):
    found = _complaints([cycle("walk"), cycle("run")], [*PAIR, way("walk", "run", (0.1, 0.3), region)])
    assert found == (f"The transition from 'walk' to 'run' at 0.1 enters verb 'run' {wrong}",)


def test_a_region_may_reach_into_the_next_cycle():
    assert compile_graph([cycle("walk"), cycle("run")], [*PAIR, way("walk", "run", (0.9, 1.2), (0.8, 1.8))])


def test_a_transition_that_takes_no_time():
    found = _walk_and(cycle("run"), *PAIR, way("walk", "run", (0.5, 0.5), (0.1, 0.1)))
    assert found == (
        "The transition from 'walk' to 'run' at 0.5 takes no time, so the character would jump. Make its "
        "leaving or entering region longer.",
    )


@pytest.mark.parametrize(("likelihood", "shown"), [(-1.0, "-1"), (float("nan"), "nan"), (float("inf"), "inf")])
def test_a_likelihood_that_is_none(likelihood: float, shown: str):
    found = _walk_and(cycle("run"), *PAIR, way("walk", "run", (0.5, 0.6), likelihood=likelihood))
    assert found == (
        f"The transition from 'walk' to 'run' at 0.5 has likelihood {shown}. Set it to 0 or a positive number.",
    )
    found = _walk_and(cycle("run"), *PAIR, loops={"run": likelihood})
    assert found == (f"Verb 'run' has likelihood {shown} of repeating. Set it to 0 or a positive number.",)


def test_a_loop_of_a_verb_that_ends():
    found = _walk_and(once("wave"), THERE, way("wave", "walk", (0.5, 0.6)), loops={"wave": 0.5})
    assert found == (
        "Verb 'wave' has likelihood 0.5 of repeating, but is not cyclic. Set it to 0. If the verb should "
        "repeat, add a transition from its end to its beginning.",
    )


def test_likelihoods_that_are_all_zero():
    found = _walk_and(cycle("run"), way("walk", "run", likelihood=0.0), PAIR[1], loops={"walk": 0.0})
    assert found == (
        "Verb 'walk' cannot continue: all its likelihoods are 0. Give a positive likelihood to a transition "
        "that leaves it, or to its repetition if it is cyclic.",
    )
    ways = [way("wave", "walk", (0.2, 0.4)), way("wave", "walk", (0.8, 0.9), likelihood=0.0)]
    found = _walk_and(once("wave"), *ways, way("walk", "wave", (0.2, 0.4), (0.4, 0.6)))
    assert found == (
        "Verb 'wave', when entered from 'walk' at 0.6, cannot continue: all its likelihoods are 0. Give a "
        "positive likelihood to a transition that leaves it, or to its repetition if it is cyclic.",
    )


def test_a_dead_end():
    assert _walk_and(once("wave"), THERE, starts=["walk"]) == (
        "Verb 'wave' is a dead end: it is not cyclic, and no transition leaves it. "
        "Add one to the verb that should follow.",
    )


def test_a_dead_end_where_it_is_entered():
    late = way("walk", "wave", (0.2, 0.4), (0.4, 0.6))
    early, starts = way("wave", "walk", (0.4, 0.5)), ["walk"]
    assert _walk_and(once("wave"), late, early, starts=starts) == (
        "Verb 'wave' is a dead end when entered from 'walk' at 0.6: its only transition, to 'walk', already "
        "begins at 0.4. Enter the verb earlier, or leave it later.",
    )
    assert _walk_and(once("wave"), late, early, way("wave", "walk", (0.1, 0.5)), starts=starts) == (
        "Verb 'wave' is a dead end when entered from 'walk' at 0.6: its last transition, to 'walk', already "
        "begins at 0.4. Enter the verb earlier, or leave it later.",
    )
    assert compile_graph([cycle("walk"), once("wave")], [late, way("wave", "walk", (0.6, 0.8))])


def test_a_verb_that_cannot_be_reached():
    found = _walk_and(cycle("run"), way("walk", "run"), way("walk", "walk"))
    assert found == (
        "Verb 'walk' cannot be reached: no transition from another verb enters it. Add one, or remove the "
        "verb's transitions.",
    )
    assert compile_graph([cycle("walk"), cycle("run")], [way("walk", "run")], starts=["walk"])


def test_a_verb_that_could_be_reached_from_a_verb_that_is_entered_later():
    verbs = [cycle("walk"), once("wave"), cycle("run")]
    into = way("walk", "wave", (0.2, 0.4), (0.4, 0.6))
    ways = [into, way("wave", "walk", (0.7, 0.9)), way("wave", "run", (0.5, 0.6)), way("run", "walk")]
    assert _complaints(verbs, ways) == (
        "Verb 'run' cannot be reached: the transition from 'wave' begins at 0.5, but 'wave' is always "
        "entered later. Move one of the regions.",
    )
    assert compile_graph(verbs, ways, starts=["wave"])


def test_two_graphs_in_one():
    verbs = [cycle(name) for name in "abcd"]
    ways = [way("a", "b"), way("b", "a"), way("c", "d"), way("d", "c")]
    assert _complaints(verbs, ways) == (
        "No transition connects 'c', 'd' with 'a', 'b'. Add transitions in both directions.",
    )


def test_every_complaint_is_told_at_once():
    verbs = [cycle("walk"), cycle("run"), cycle("run"), once("wave"), cycle("swim")]
    ways = [
        *PAIR,
        way("walk", "fly"),
        way("walk", "run", (0.9, 2.0)),
        way("run", "walk", likelihood=-2.0),
        way("walk", "wave", (0.2, 0.2), (0.3, 0.3)),
    ]
    found = _complaints(verbs, ways, {"swim": 0.0, "wave": 1.0})
    parts = (
        "2 verbs called 'run'", "names verb 'fly'", "longer than a whole cycle", "likelihood -2", "takes no time",
        "'wave' has likelihood 1 of repeating", "'wave' is a dead end", "'swim' cannot continue",
        "'swim' cannot be reached",
    )  # fmt: skip
    assert [sum(part in complaint for complaint in found) for part in parts] == [1] * len(parts)
    assert len(found) == len(parts)
