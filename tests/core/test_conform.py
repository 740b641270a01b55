"""Verbs of one graph: the same columns and headings, and the same motions as before."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from verbs_adverbs.core.figure import quaternion as quat
from verbs_adverbs.core.figure.channels import Channels, Scalar, rotations_of, world_joints
from verbs_adverbs.core.graph.verb_graph import VerbGraph, compile_graph
from verbs_adverbs.core.motion.bspline import Encoding
from verbs_adverbs.core.verb.build import build_verb
from verbs_adverbs.core.verb.verb import Verb, placed

from .small_graphs import cycle, way
from .stepping import played
from .synthetic import random_channels, random_rotations, some_examples

PHASES = np.linspace(-0.5, 2.5, 61)
REACH = Scalar("Hand location x", 3, "location", 0, False, "hand")
SIZE = Scalar("Head scale y", 2, "scale", 1, False, "head")
BLINK = Scalar("blink", -1, "value", 0, False, "blink")
SWITCH = Scalar("ik", -1, "value", 0, True, "ik")
PLACE = np.array([0.3, -0.2])


def _verb(name: str, rotating: Sequence[int], scalars: Sequence[Scalar], seed: int = 1, **build: object) -> Verb:
    """A verb on the same skeleton of 5 joints, of which only `rotating` are animated."""
    whole = random_channels(np.random.default_rng(1))
    channels = Channels(whole.skeleton, np.array(rotating, dtype=np.intp), tuple(scalars), whole.static)
    encodings: tuple[Encoding, ...] = ("cubic_b_spline", "cubic_b_spline", "catmull_rom")
    examples = [
        replace(example, encoding=encoding)
        for example, encoding in zip(some_examples(seed, channels, 3), encodings, strict=True)
    ]
    return build_verb(name, channels, examples, ("mood", "slope"), [[-1, 1], [-1, 1]], **build)  # type: ignore[arg-type]


def _graph(a: Verb, b: Verb) -> VerbGraph:
    return compile_graph([a, b], [way(a.name, b.name), way(b.name, a.name)])


def _joints(verb: Verb) -> np.ndarray:
    return world_joints(verb.channels, verb.motion(PLACE).sample_phases(PHASES))


def test_verbs_with_other_channels_and_encodings_move_as_before_in_those_of_the_graph():
    a = _verb("a", [0, 1, 2], [BLINK, SWITCH])
    b = _verb("b", [0, 3], [SIZE, REACH, BLINK], seed=2, reference=a.reference)
    graph = _graph(a, b)
    assert graph.channels.rotating.tolist() == [0, 1, 2, 3]
    assert graph.channels.scalars == (BLINK, SWITCH, SIZE, REACH)
    for before in (a, b):
        after = graph.verb(before.name)
        assert after.channels.width == graph.channels.width
        assert np.abs(_joints(after) - _joints(before)).max() < 1e-5
        times = after.motion(PLACE).clock([0.3])
        assert np.abs(played(after, times, PLACE).values - after.motion(PLACE).sample(times)).max() < 1e-5


def _column(graph: VerbGraph, name: str, scalar: Scalar) -> np.ndarray:
    column = graph.channels.scalar_columns.start + graph.channels.scalars.index(scalar)
    return graph.verb(name).motion(PLACE).sample_phases(PHASES)[:, column]


def test_what_a_verb_does_not_animate_is_at_rest_and_switches_stay_as_they_are():
    a = _verb("a", [0, 1, 2], [SWITCH, BLINK])
    b = _verb("b", [0, 3], [SIZE, REACH], seed=2, reference=a.reference)
    graph = _graph(a, b)
    assert np.abs(_column(graph, "a", REACH)).max() < 1e-6
    assert np.abs(_column(graph, "a", SIZE) - 1.0).max() < 1e-6
    held = _column(graph, "a", SWITCH)
    assert np.ptp(held) < 1e-6 and np.abs(_column(graph, "b", SWITCH) - held[0]).max() < 1e-6
    assert np.ptp(_column(graph, "b", BLINK)) < 1e-6 < np.ptp(_column(graph, "a", BLINK))
    rotations = graph.verb("b").motion(PLACE).sample_phases(PHASES)[:, graph.channels.rotation_columns]
    assert np.abs(rotations.reshape(len(PHASES), 4, 4)[:, 1] - graph.channels.static[1]).max() < 1e-6


def test_a_scalar_is_held_only_if_all_verbs_that_have_it_hold_it():
    a = _verb("a", [0, 1], [SWITCH, BLINK])
    b = _verb("b", [0, 1], [replace(BLINK, held=True), SWITCH], seed=2, reference=a.reference)
    assert _graph(a, b).channels.scalars == (SWITCH, BLINK)
    assert _graph(replace(a, name="c"), b).channels.scalars == (BLINK, SWITCH)


def test_a_joint_that_is_held_differently_becomes_a_column():
    a = _verb("a", [0, 1], [])
    b = _verb("b", [0, 1], [], seed=2, reference=a.reference)
    turned = b.channels.static.copy()
    turned[1:4] *= -1.0
    turned[3] = random_rotations(np.random.default_rng(5))
    channels = replace(b.channels, static=turned)
    b = replace(b, channels=channels, mixture=replace(b.mixture, channels=channels))
    graph = _graph(a, b)
    assert graph.channels.rotating.tolist() == [0, 1, 3]
    for before in (a, b):
        assert np.abs(_joints(graph.verb(before.name)) - _joints(before)).max() < 1e-5


@cache
def _two() -> tuple[Verb, Verb]:
    a = _verb("a", [0, 1, 2], [])
    return a, _verb("b", [0, 1, 2], [], seed=2, reference=a.reference)


@settings(max_examples=40)
@given(st.floats(-3.1, 3.1))
def test_a_verb_whose_heading_is_counted_from_elsewhere_moves_as_before(angle: float):
    a, b = _two()
    before = replace(b, reference=quat.multiply(quat.from_yaw(angle), a.reference))
    after = _graph(a, before).verb("b")
    values = placed(after.motion(PLACE).sample_phases(PHASES), np.array([0.0, 0.0, angle]))
    assert np.abs(world_joints(after.channels, values) - _joints(before)).max() < 1e-5
    assert quat.angle_between(after.reference, a.reference) < 2e-6


@pytest.mark.parametrize("angle", [0.4, -1.5, 3.0])
def test_a_verb_built_to_face_elsewhere_faces_as_if_it_had_been_built_with_the_others(angle: float):
    a, same = _two()
    b = _verb("b", [0, 1, 2], [], seed=2, reference=quat.multiply(quat.from_yaw(angle), a.reference))
    values = [verb.motion(PLACE).sample_phases(PHASES) for verb in (_graph(a, b).verb("b"), same)]
    degrees = np.degrees(quat.angle_between(*(rotations_of(same.channels, v) for v in values)))
    assert degrees.max() < max(b.report.fit_degrees) + max(same.report.fit_degrees) < 1.0
    assert np.abs(values[0][:, :6] - values[1][:, :6]).max() < 1e-4


@pytest.mark.parametrize("swapped", [False, True])
def test_verbs_that_agree_are_taken_as_they_are(swapped: bool):
    verbs = [cycle("a"), cycle("b")]
    graph = compile_graph(verbs[::-1] if swapped else verbs, [way("a", "b"), way("b", "a")])
    assert [graph.verb(v.name) is v for v in verbs] == [True, True]
