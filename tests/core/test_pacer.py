"""A verb at the adverbs of the moment gives the poses, pace, drift and windows of its whole motion there."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from verbs_adverbs.core.graph.verb_graph import graph_of
from verbs_adverbs.core.play.graph_player import GraphPlayer
from verbs_adverbs.core.play.player import AskAdverbs
from verbs_adverbs.core.play.playing_verb import Playing
from verbs_adverbs.core.play.verb_now import Pacer, VerbNow
from verbs_adverbs.core.verb.build import VerbOptions, build_verb
from verbs_adverbs.core.verb.verb import Verb

from .locked_walks import walk
from .stepping import played
from .synthetic import make_example, random_channels, some_examples, some_verb

SEEDS = st.integers(0, 10_000)
KERNELS = ["cubic_b_spline", "linear", "thin_plate", "gaussian"]


def _pacer(verb: Verb) -> Pacer:
    return Pacer(verb, {contact.point: index for index, contact in enumerate(verb.contacts)})


def _now(pacer: Pacer, adverbs: np.ndarray | tuple[float, ...]) -> VerbNow:
    return pacer.at(dict(zip(pacer.verb.adverb_names, np.asarray(adverbs).tolist(), strict=True)))


def _pose(now: VerbNow, phase: float) -> np.ndarray:
    return now.verb.poses(np.array([phase]), now.weights)[0]


def _check(verb: Verb, seed: int) -> None:
    rng = np.random.default_rng(seed)
    pacer, spans = _pacer(verb), np.diff(verb.phrasing.generic)
    count = len(verb.adverb_names)
    for _ in range(12):
        adverbs = rng.uniform(-1.0, 1.0, count) * 10.0 ** rng.uniform(-1.0, 1.0)
        motion, now = verb.motion(adverbs), _now(pacer, adverbs)
        large = max(1.0, float(np.abs(motion.weights).sum()))
        for phase in (*rng.uniform(-2.0, 3.0, 4), 0.0, 1.0, -1.0):
            wanted = motion.sample_phases(np.array([phase]))[0, 3:]
            pose = _pose(now, float(phase))
            assert pose.shape == wanted.shape
            assert np.abs(pose - wanted).max() < 2e-5 * large
        assert np.abs(now.weights - motion.weights).max() < 1e-9 * max(1.0, np.abs(motion.weights).max())
        assert np.abs(np.array(now.lengths) - np.diff(motion.keytimes)).max() < 1e-9
        assert np.abs(np.array(now.rates) - spans / np.diff(motion.keytimes)).max() < 1e-9 * max(now.rates)
        drifts = np.tensordot(motion.weights, verb.drifts, axes=1)
        assert np.abs(np.array(now.drifts) * spans[:, None] - drifts).max() < 1e-9 * large


@pytest.mark.parametrize("cyclic", [True, False])
@settings(max_examples=5)
@given(SEEDS)
def test_at_any_adverbs_it_is_as_in_the_motion(cyclic: bool, seed: int):
    _check(some_verb(20, cyclic=cyclic), seed)


@pytest.mark.parametrize("degree", [0, 1, 2])
@pytest.mark.parametrize("kernel", KERNELS)
def test_it_is_as_in_the_motion_under_every_kernel_and_degree(kernel: str, degree: int):
    options = VerbOptions(kernel=kernel, degree=degree, control_points=12)  # type: ignore[arg-type]
    _check(some_verb(21, options=options), 1)


@pytest.mark.parametrize("dimension", [1, 3, 5])
@pytest.mark.parametrize("degree", [0, 1])
def test_it_is_as_in_the_motion_for_any_number_of_adverbs(dimension: int, degree: int):
    rng = np.random.default_rng(22)
    channels = random_channels(rng)
    places = rng.uniform(-1.0, 1.0, (dimension + 3, dimension))
    examples = [make_example(f"e{i}", place.tolist(), i, channels) for i, place in enumerate(places)]
    names = tuple(f"adverb {i}" for i in range(dimension))
    ranges = np.stack([np.full(dimension, -1.0), np.full(dimension, 1.0)], axis=-1) * 10.0 ** rng.uniform(-2, 2)
    examples = [replace(e, adverbs=e.adverbs * ranges[0, 1]) for e in examples]
    options = VerbOptions(control_points=12, degree=degree)
    verb = build_verb("walk", channels, examples, names, ranges, options)
    pacer = _pacer(verb)
    for _ in range(10):
        adverbs = rng.uniform(-1.2, 1.2, dimension) * ranges[:, 1]
        wanted = verb.motion(adverbs).sample_phases(np.array([0.4]))[0, 3:]
        assert np.abs(_pose(_now(pacer, adverbs), 0.4) - wanted).max() < 1e-4


def test_with_mixed_encodings_it_is_as_in_the_motion():
    channels = random_channels(np.random.default_rng(23))
    examples = some_examples(23, channels)
    examples[1] = replace(examples[1], encoding="catmull_rom", control_points=20)
    examples[2] = replace(examples[2], control_points=40)
    _check(build_verb("walk", channels, examples, ("mood", "slope"), [[-1, 1], [-1, 1]]), 2)


@pytest.mark.parametrize("encoding", ["catmull_rom", "linear"])
def test_in_another_encoding_it_is_as_in_the_motion(encoding: str):
    _check(some_verb(24, encoding=encoding, control_points=24), 3)


def test_without_adverbs_it_is_the_motion():
    channels = random_channels(np.random.default_rng(25))
    verb = build_verb("wave", channels, [make_example("only", (), 25, channels)], (), np.zeros((0, 2)))
    _check(verb, 4)


def _with_windows(verb: Verb, rng: np.random.Generator) -> Verb:
    """The verb with two windows of each point, at random and of random heights."""
    count = len(verb.example_names)
    contacts = tuple(
        replace(
            contact,
            windows=np.sort(rng.uniform(0.0, 1.1, (count, 2, 2)), axis=-1),
            clearances=rng.uniform(0.0, 0.1, (count, 2)),
            drops=rng.uniform(0.0, 0.1, (count, 2)),
        )
        for contact in verb.contacts
    )
    return replace(verb, contacts=contacts)


@settings(max_examples=20)
@given(SEEDS)
def test_points_stand_in_the_windows_of_the_motion(seed: int):
    rng = np.random.default_rng(seed)
    verb, adverbs = _with_windows(walk(), rng), rng.uniform(-3.0, 3.0, 2)
    motion, now = verb.motion(adverbs), _now(_pacer(verb), adverbs)
    for phase in rng.uniform(0.0, 1.0, 50).tolist():
        for index, (contact, windows) in enumerate(zip(verb.contacts, motion.windows, strict=True)):
            passed = phase - windows[:, 0] - np.floor(phase - windows[:, 0])
            lengths = windows[:, 1] - windows[:, 0]
            inside = np.flatnonzero(passed < lengths)
            assert bool(now.standing(phase) >> index & 1) == bool(len(inside))
            if len(inside):
                heights = np.array(contact.heights(motion.weights))[:, inside[0]]
                assert np.abs(now.ground(1 << index, now.passes(phase, 0, ())) - heights).max() < 1e-12


def test_a_point_whose_window_is_put_off_stands_at_the_height_of_that_window_and_until_it_ends():
    windows = np.array([[[0.2, 0.6]]] + [[[0.25, 0.7]]] * (len(walk().example_names) - 1))
    contact = replace(
        walk().contacts[0], windows=windows, clearances=windows[..., 0] * 0.1, drops=windows[..., 1] * 0.1
    )
    verb = replace(walk(), contacts=(contact,))
    pacer = _pacer(verb)
    early, late = (_now(pacer, place) for place in (verb.places[0], verb.places[1]))
    standing = Playing(early, 0.22).at(0.22)
    put_off = standing._replace(now=late)
    assert late.standing(0.22) == 0 and put_off.standing == 1
    assert np.abs(np.subtract(put_off.ground(1), (0.025, 0.07))).max() < 1e-9
    assert put_off.left(0) * put_off.rate == pytest.approx(0.7 - 0.22)
    assert Playing(late, 0.22).ground(1) == (0.0, 0.0)


def test_going_back_to_former_adverbs_gives_the_former_pose():
    pacer = _pacer(some_verb(26))
    first = _pose(_now(pacer, (0.1, 0.2)), 0.3)
    for place in np.random.default_rng(26).uniform(-1.0, 1.0, (10, 2)):
        _now(pacer, place)
    assert (_pose(_now(pacer, (0.1, 0.2)), 0.3) == first).all()


@settings(max_examples=20)
@given(SEEDS, st.booleans())
def test_while_adverbs_rest_generic_time_passes_as_in_the_motion_there(seed: int, cyclic: bool):
    verb, rng = some_verb(27, cyclic=cyclic), np.random.default_rng(seed)
    player = GraphPlayer(graph_of(verb), {}, rng, verb.name, settle=0.0)
    for _ in range(30):
        adverbs = rng.normal(size=2) * 10.0 ** rng.uniform(-1.0, 3.0)
        seconds, before, motion = float(10.0 ** rng.uniform(-3.0, 1.0)), player.phase, verb.motion(adverbs)
        player.command(player.time, AskAdverbs(dict(zip(verb.adverb_names, adverbs.tolist(), strict=True))))
        assert player.phase == before
        player.play(player.time + seconds)
        wanted = motion.phase(motion.clock([before]) + seconds)[0]
        assert abs(player.phase - wanted) < 1e-9 * max(1.0, abs(wanted))
        assert player.phase >= before


def test_what_is_played_at_even_adverbs_has_its_poses():
    verb = some_verb(29)
    now, made = _now(_pacer(verb), (0.3, -0.4)), played(verb, np.arange(120) / 30.0, [0.3, -0.4])
    for phase, row in zip(made.phases.tolist(), made.values, strict=True):
        assert np.abs(_pose(now, phase) - row[3:]).max() < 1e-5
