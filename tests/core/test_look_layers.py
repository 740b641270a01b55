"""Laws of a look in a layer: over a walk, with a place that is moved, on a hill, asked bit by bit, forked."""

import numpy as np
import pytest
from verbs_adverbs.core.aim.gaze import GazeJoint
from verbs_adverbs.core.biped.figure import JOINTS
from verbs_adverbs.core.figure import quaternion as quat
from verbs_adverbs.core.graph.overlay import Below
from verbs_adverbs.core.graph.verb_graph import VerbGraph
from verbs_adverbs.core.layers.layer import Layer
from verbs_adverbs.core.layers.layer_set import with_layers
from verbs_adverbs.core.layers.look_model import LookModel
from verbs_adverbs.core.layers.model_players import PlaysModel
from verbs_adverbs.core.play.player import AskAdverbs, AskLayer

from .layered import masked, player, walking, waving
from .model_clips import biped_stand
from .test_look_model import FRONT, off

TURNING = {"Spine": 0.1, "Chest": 0.15, "Neck": 0.25, "Head": 0.5}
TIMES = np.arange(0.0, 4.0, 1.0 / 60.0)
SECONDS = 0.4
"""In which the figure turns to a place."""
ROUNDING = 1e-12
"""By which rows may differ that are computed together with others."""


def plays(place: tuple[float, float, float]) -> PlaysModel:
    joints = tuple(GazeJoint(name, share, 0.7, 1.0, 0.5) for name, share in TURNING.items())
    model = LookModel(biped_stand(), FRONT, joints)
    return PlaysModel(model, {**dict(zip("xyz", place, strict=True)), "seconds": SECONDS})


def looking(place: tuple[float, float, float], **more: object) -> Layer:
    mask = masked(tuple(TURNING), with_children=False)
    return Layer("look", plays(place), mask, **more)  # type: ignore[arg-type]


def missed(graph: VerbGraph, rows: np.ndarray, place: np.ndarray) -> np.ndarray:
    """Degrees by which the figure of rows (T, width) looks past a place."""
    return off(biped_stand(), graph.channels, rows, place, np.array(FRONT))


def largest_turn(rows: np.ndarray, bone: str) -> float:
    """Degrees by which a bone turns at most from one row (T, width) to the next."""
    own = rows[:, 6 + 4 * JOINTS[bone] : 10 + 4 * JOINTS[bone]]
    return float(np.degrees(quat.angle_between(own[1:], own[:-1])).max())


def test_a_figure_that_walks_looks_at_a_place_while_it_passes():
    place = (0.8, -6.0, 1.2)
    graph = with_layers(walking(), [looking(place)])
    shown = player(graph, {"look plays": 1.0}).advance(TIMES).values
    bare = player(walking()).advance(TIMES).values
    ahead = (shown[:, 1] > -4.5) & (TIMES > SECONDS)
    assert ahead.sum() > 100
    assert missed(graph, shown, np.array(place))[ahead].max() < 1e-4
    assert missed(graph, bare, np.array(place))[ahead].max() > 20.0
    turned = [6 + 4 * JOINTS[bone] + n for bone in TURNING for n in range(4)]
    assert np.abs(np.delete(shown - bare, turned, axis=1)).max() < 1e-9


def test_a_place_that_is_moved_by_its_sliders_is_followed_without_a_jump():
    graph = with_layers(walking(), [looking((0.0, -40.0, 1.6))])
    over = player(graph, {"look plays": 1.0}, settle=0.8)
    over.command(1.0, AskAdverbs({"look x": 20.0, "look z": 5.0}))
    shown = over.advance(TIMES).values
    assert missed(graph, shown[25:59], np.array([0.0, -40.0, 1.6])).max() < 1e-4
    assert missed(graph, shown[115:], np.array([20.0, -40.0, 5.0])).max() < 1e-4
    assert largest_turn(shown, "Head") < 2.0


def test_a_place_that_is_dragged_by_its_sliders_is_followed_without_a_jump():
    graph = with_layers(walking(), [looking((0.0, -40.0, 1.6))])
    over = player(graph, {"look plays": 1.0}, settle=0.8)
    for tick in range(60):
        over.command(1.0 + tick / 60.0, AskAdverbs({"look x": 20.0 * tick / 59.0}))
    shown = over.advance(TIMES).values
    assert missed(graph, shown[145:], np.array([20.0, -40.0, 1.6])).max() < 1e-4
    assert largest_turn(shown, "Head") < 2.0


def test_a_look_comes_and_goes_with_its_layer():
    place = np.array([3.0, -3.0, 1.0])
    graph = with_layers(walking(), [looking((3.0, -3.0, 1.0), fade_in=0.5, fade_out=0.5)])
    over = player(graph)
    over.command(0.5, AskLayer("look", "start"))
    over.command(2.0, AskLayer("look", "stop"))
    shown, bare = over.advance(TIMES).values, player(walking()).advance(TIMES).values
    assert np.abs(shown - bare)[(TIMES < 0.5) | (TIMES > 2.55)].max() < 1e-9
    assert missed(graph, shown, place)[(TIMES > 1.02) & (TIMES < 1.98)].max() < 1e-4
    assert largest_turn(shown, "Neck") < 3.0


def test_a_look_is_the_same_asked_at_once_and_bit_by_bit_and_by_a_fork():
    graph = with_layers(walking(), [looking((2.0, -3.0, 1.0)), waving()])
    whole, bits = (player(graph, {"look plays": 1.0}, settle=0.4) for _ in range(2))
    for one in (whole, bits):
        one.command(1.0, AskAdverbs({"look x": -2.0}))
        one.command(1.7, AskAdverbs({"look x": 1.0, "look y": -9.0}))
    shown = whole.advance(TIMES).values
    first = bits.advance(TIMES[:80]).values
    fork = bits.fork()
    rest = np.concatenate([bits.advance(TIMES[n : n + 7]).values for n in range(80, len(TIMES), 7)])
    assert np.abs(np.concatenate([first, rest]) - shown).max() < ROUNDING
    fork.command(1.7, AskAdverbs({"look x": 1.0, "look y": -9.0}))
    assert np.abs(fork.advance(TIMES[80:]).values - shown[80:]).max() < ROUNDING


@pytest.mark.parametrize("mode", ["below", "above"])
def test_a_look_with_another_layer_still_meets_its_place(mode: str):
    layers = [looking((1.5, -4.0, 1.0)), waving()]
    graph = with_layers(walking(), layers if mode == "below" else layers[::-1])
    shown = player(graph, {"look plays": 1.0, "hail plays": 1.0}).advance(TIMES[:85]).values
    assert missed(graph, shown[25:], np.array([1.5, -4.0, 1.0])).max() < 1e-4


def test_a_place_is_as_high_over_a_hill_as_over_level_ground():
    graph, rows = walking(), player(walking()).advance(TIMES[:10]).values
    none, level, times = np.zeros((2, 10)), np.zeros(10), TIMES[:10] + SECONDS
    found = []
    for height, hill in ((1.2, 0.0), (1.9, 0.7)):
        playing = plays((2.0, -4.0, height)).begin(0.0, {}, 0.0)
        found.append(playing.rows(Below(graph.channels, times, rows.copy(), level + hill, none, level + 1.0)))
    assert np.abs(found[0] - found[1]).max() < 1e-12
    assert quat.angle_between(found[0][:, -4:], quat.IDENTITY).min() > 0.05
