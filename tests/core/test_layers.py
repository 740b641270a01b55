"""Layers over what a verb graph plays: fades, masks, spaces, what stays as it is below, and who may have what."""

from collections.abc import Sequence
from functools import cache

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from verbs_adverbs.core.biped.figure import JOINTS
from verbs_adverbs.core.figure import quaternion as quat
from verbs_adverbs.core.figure.channels import rotations_of
from verbs_adverbs.core.graph.verb_graph import VerbGraph, compile_graph
from verbs_adverbs.core.layers.claims import Claims
from verbs_adverbs.core.layers.fade import Fade
from verbs_adverbs.core.layers.layer import Layer, PlaysVerb
from verbs_adverbs.core.layers.layer_stack import with_layers
from verbs_adverbs.core.layers.mask import joints_of, mask_of
from verbs_adverbs.core.play.graph_player import GraphPlayer
from verbs_adverbs.core.play.player import AskAdverbs, AskLayer

from .graphs import generated_transitions, generated_verbs

ARM = ("UpperArm_R",)
BOTH = ("UpperArm_R", "UpperArm_L")


def masked(bones: Sequence[str], taper: int = 0) -> np.ndarray:
    return mask_of(generated_verbs()[0].channels.skeleton, bones, taper)


def waving(name: str = "hail", bones: Sequence[str] = ARM, **more: object) -> Layer:
    mask = masked(bones)
    plays = PlaysVerb(generated_verbs()[2], int(more.pop("passes", 1)), bool(more.pop("follows", False)))
    return Layer(name, plays, mask, claims=Claims(joints_of(mask)), **more)  # type: ignore[arg-type]


@cache
def walking() -> VerbGraph:
    stand, walk, wave = generated_verbs()
    return compile_graph([stand, walk, wave], generated_transitions())


def player(graph: VerbGraph, adverbs: dict[str, float] | None = None) -> GraphPlayer:
    return GraphPlayer(graph, adverbs or {}, np.random.default_rng(5), "walk")


def turns(rows: np.ndarray, bones: Sequence[str]) -> np.ndarray:
    channels = walking().channels
    columns = [channels.rotating.tolist().index(JOINTS[bone]) for bone in bones]
    return rotations_of(channels, rows)[:, columns]


def test_a_layer_moves_the_bones_of_its_mask_and_leaves_all_else_bit_for_bit_as_it_is_below():
    times = np.arange(0, 300) / 60.0
    alone, over = player(walking()), player(with_layers(walking(), [waving()]))
    over.command(1.0, AskLayer("hail", "start"))
    below, made = alone.advance(times).values, over.advance(times).values
    moved = np.flatnonzero(np.any(below != made, axis=0))
    channels = walking().channels
    skeleton = channels.skeleton
    arm = {
        JOINTS[name]
        for name in skeleton.names
        if "UpperArm_R" in [skeleton.names[j] for j in skeleton.chain(JOINTS[name])]
    }
    columns = [6 + 4 * row + k for row, j in enumerate(channels.rotating.tolist()) if j in arm for k in range(4)]
    assert len(moved) and set(moved.tolist()) <= set(columns)
    assert np.array_equal(below[times < 1.0], made[times < 1.0])
    wave = generated_verbs()[2].motion([0.0, 0.0])
    inside = (times > 1.4) & (times < 1.0 + wave.duration - 0.4)
    own = wave.sample(times[inside] - 1.0)
    angles = quat.angle_between(turns(made[inside], ARM), turns(own, ARM))
    assert angles.max() < 1e-6


def test_rows_do_not_depend_on_which_are_asked_for():
    times = np.arange(0, 240) / 48.0
    graph = with_layers(walking(), [waving(), waving("carry", BOTH, follows=True, passes=0, when_held="replace")])
    asks = [
        (0.7, AskLayer("hail", "start")),
        (1.31, AskLayer("carry", "start")),
        (2.5, AskLayer("hail", "instead")),
        (2.6, AskAdverbs({"hail weight": 0.4, "energy": 0.9})),
        (3.3, AskLayer("hail", "stop")),
    ]
    found = []
    for size in (240, 17, 1):
        one = player(graph)
        for time, ask in asks:
            one.command(time, ask)
        found.append(np.concatenate([one.advance(times[k : k + size]).values for k in range(0, 240, size)]))
    assert all(np.abs(one - found[0]).max() < 1e-6 for one in found)


@given(st.lists(st.tuples(st.floats(0.0, 0.5), st.sampled_from([0.0, 1.0]), st.floats(0.05, 1.0)), max_size=8))
def test_fades_keep_weight_and_speed_and_stay_within_bounds(turned: list[tuple[float, float, float]]):
    fade, time = Fade(0.0, 0.0, 0.0, 0.0, 0.0), 0.0
    for wait, goal, seconds in turned:
        time += wait
        last = fade
        fade = fade.turned(time, goal, seconds)
        assert abs(fade.at(np.array([time]))[0] - last.at(np.array([time]))[0]) < 1e-12
        assert abs(fade.speed_at(time) - last.speed_at(time)) < 1e-9
        shown = fade.at(np.linspace(time, time + 3.0, 400))
        assert shown.min() >= 0.0 and shown.max() <= 1.0 and shown[-1] == goal
        slopes = np.abs(np.diff(shown)) / (3.0 / 399)
        assert slopes.max() <= max(abs(last.speed_at(time)), 1.6 / seconds) + 1e-6
