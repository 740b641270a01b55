"""Motion models that play: in layers, and as what moves the figure below them."""

from dataclasses import replace

import numpy as np
import pytest
from verbs_adverbs.core.biped.figure import JOINTS
from verbs_adverbs.core.errors import ClipError, LayerError
from verbs_adverbs.core.figure.channels import rotations_of, world_joints
from verbs_adverbs.core.layers.gesture_models import GestureModel, carry, wave
from verbs_adverbs.core.layers.layer import Layer
from verbs_adverbs.core.layers.layer_set import with_layers
from verbs_adverbs.core.layers.mask import joints_of
from verbs_adverbs.core.layers.model_below_layers import ModelPlayer
from verbs_adverbs.core.layers.model_players import PlaysModel, layered_model
from verbs_adverbs.core.motion.base_motion import BaseMotion
from verbs_adverbs.core.motion.clip import Clip, Mark
from verbs_adverbs.core.play.graph_player import GraphPlayer
from verbs_adverbs.core.play.player import AskAdverbs, AskLayer, AskModel, AskVerb, Handles

from .layered import ARM, BOTH, HAND_JOINTS, HANDS, carry_takes, carrying, masked, player, walking
from .model_clips import biped_clip, biped_walk, biped_wave

RATE = 60.0


def carried() -> Clip:
    """A cycle in which something is carried, with a keytime at which its pose is held."""
    made = biped_clip(carry_takes()[0], "Carry")
    return replace(made, marks=(*made.marks, Mark("keytime", "held", 0.5, 0.5)))


def wave_model(repeats: float = 0.0) -> GestureModel:
    mask = masked(ARM)
    names = joints_of(biped_wave().channels.skeleton, mask)
    return replace(wave((BaseMotion(biped_wave(), "calm"),), ("up", "down"), names), repeats=repeats)


def carry_model() -> GestureModel:
    names = joints_of(carried().channels.skeleton, masked(BOTH))
    return carry((BaseMotion(carried(), "calm"),), names, HANDS, ("held", "held"))


def gesture(model: GestureModel, bones: tuple[str, ...], **more: object) -> Layer:
    return Layer(model.name, PlaysModel(model), masked(bones), claims=model.claims({}), **more)  # type: ignore[arg-type]


def waver(repeats: float = 0.0, **more: object) -> GraphPlayer:
    layers = [gesture(carry_model(), BOTH), gesture(wave_model(repeats), ARM, **more)]
    return player(with_layers(walking(), layers), start="stand", settle=0.0)


def told(one: GraphPlayer, until: float) -> list[tuple[float, str, str]]:
    times = np.arange(round(one.time * RATE), round(until * RATE) + 1) / RATE
    return [(h.time, h.kind, h.name) for h in one.advance(times).happenings if h.name in ("wave", "carry")]


def shown(one: GraphPlayer, begin: float, end: float) -> np.ndarray:
    return one.advance(np.arange(round(begin * RATE), round(end * RATE) + 1) / RATE).values


def arm_of(channels, rows: np.ndarray) -> np.ndarray:
    turns = rotations_of(channels, rows)
    return turns[:, list(channels.rotating).index(JOINTS["UpperArm_R"])]


def test_a_layer_shows_its_model_as_the_model_has_it():
    one, model = waver(fade_in=0.0), wave_model()
    one.command(1.0, AskLayer("wave", "start"))
    rows, times = shown(one, 0.0, 3.0), np.arange(181) / RATE
    run = model.begin(1.0, {})
    own = arm_of(run.tree.channels, run.tree.sample(times))
    found = arm_of(one.channels, rows)
    after = times > 1.0 + 1.0 / RATE
    assert np.abs(np.abs(np.sum(own * found, axis=-1))[after] - 1.0).max() < 1e-9
    assert np.abs(np.sum(own * found[:1], axis=-1)).min() < 0.8


@pytest.mark.parametrize("repeats", [1.0, 3.0])
def test_a_wave_that_is_counted_is_over_when_its_run_is(repeats: float):
    one = waver(repeats)
    one.command(0.5, AskLayer("wave", "start"))
    happened = told(one, 12.0)
    assert [kind for _, kind, _ in happened] == ["started", "executing", "finished"]
    assert happened[-1][0] == pytest.approx(wave_model(repeats).begin(0.5, {}).ends, abs=0.06)


def test_a_wave_goes_on_until_it_is_stopped_and_then_finishes_its_pass():
    one = waver()
    one.command(0.5, AskLayer("wave", "start"))
    assert told(one, 20.0)[-1][1] == "executing" and one.layers == ("wave",)
    one.command(20.0, AskLayer("wave", "stop"))
    model = wave_model()
    ends = model.stop(model.begin(0.5, {}), 20.0).ends
    assert told(one, 30.0)[-1] == (pytest.approx(ends, abs=0.06), "finished", "wave") and ends > 20.5


def test_a_model_keeps_its_own_tempo_whatever_that_below_is():
    ends = []
    for tempo in (1.0, 0.5):
        one = waver(2.0)
        one.command(0.2, Handles(tempo=tempo))
        one.command(0.5, AskLayer("wave", "start"))
        one.command(1.0, Handles(tempo=2.0 * tempo))
        ends.append(told(one, 12.0)[-1])
    assert ends[0] == ends[1] and ends[0][1] == "finished"


def test_what_is_stopped_and_started_again_finishes_and_then_begins_anew():
    one = waver()
    one.command(0.5, AskLayer("wave", "start"))
    shown(one, 0.0, 4.0)
    one.command(4.0, AskLayer("wave", "stop"))
    one.command(4.1, AskLayer("wave", "start"))
    rows = shown(one, 4.0, 40.0)
    assert one.layers == ("wave",)
    steps = np.arccos(
        np.clip(np.abs(np.sum(arm_of(one.channels, rows)[1:] * arm_of(one.channels, rows)[:-1], -1)), 0, 1)
    )
    own = wave_model().begin(0.0, {}).tree
    alone = arm_of(own.channels, own.sample(np.arange(0.0, 8.0, 1.0 / RATE)))
    largest = np.arccos(np.clip(np.abs(np.sum(alone[1:] * alone[:-1], axis=-1)), 0.0, 1.0)).max()
    assert steps.max() < 1.2 * largest
    one.command(40.0, AskLayer("wave", "stop"))
    assert told(one, 50.0)[-1][1] == "finished"


def test_started_again_and_stopped_before_it_begins_it_ends_as_it_would_have():
    ends: list[float] = []
    for asked in ((), ("start", "stop")):
        one = waver()
        one.command(0.5, AskLayer("wave", "start"))
        one.command(4.0, AskLayer("wave", "stop"))
        for number, what in enumerate(asked):
            one.command(4.1 + 0.1 * number, AskLayer("wave", what))
        ends.append(told(one, 15.0)[-1][0])
    assert ends[0] == ends[1]


def test_sliders_change_numbers_of_their_own_model_within_its_bounds():
    plays = PlaysModel(wave_model(2.0), {"speed": 1.5})
    assert plays.adverbs == {"wave repeats": 2.0, "wave speed": 1.5}
    playing = plays.begin(0.0, {"wave speed": 99.0, "carry speed": 0.5, "wave repeats": 2.4}, 0.0)
    assert playing.run.parameters == {"repeats": 2.0, "speed": 4.0, "style": "calm"}
    first = playing.run
    playing.hear(0.1, AskAdverbs({"carry speed": 2.0, "wave speed": 4.0}))
    assert playing.run is first
    playing.hear(0.2, AskAdverbs({"wave speed": 1.0}))
    assert playing.run.parameters["speed"] == 1.0 and playing.left() > first.ends
    assert plays.usual.shape == (48, plays.channels.width)
    with pytest.raises(ClipError, match="'wave' has no parameter 'haste'"):
        PlaysModel(wave_model(), {"haste": 1.0})


def test_of_two_models_the_slider_of_one_leaves_the_other_alone():
    one = waver(2.0)
    one.command(0.0, AskLayer("carry", "start"))
    told(one, 10.0)
    assert one.layers == ("carry",)


def test_a_wave_is_refused_while_a_carry_has_its_arm_and_hands_keep_their_distance():
    one = waver()
    one.command(0.0, AskLayer("carry", "start"))
    shown(one, 0.0, 3.0)
    one.command(3.0, AskLayer("wave", "start"))
    rows = shown(one, 3.0, 6.0)
    places = world_joints(one.channels, rows)[:, list(HAND_JOINTS)]
    apart = np.linalg.norm(places[:, 0] - places[:, 1], axis=-1)
    own = carry_model().begin(0.0, {}).tree
    wanted = world_joints(own.channels, own.sample([5.0]))[0, list(HAND_JOINTS)]
    assert one.layers == ("carry",) and np.abs(apart - np.linalg.norm(wanted[0] - wanted[1])).max() < 1e-3


def test_a_fork_goes_on_by_itself():
    one = waver()
    one.command(0.0, AskLayer("wave", "start"))
    shown(one, 0.0, 2.0)
    other = one.fork()
    other.command(2.0, AskLayer("wave", "stop"))
    told(other, 10.0)
    told(one, 10.0)
    assert one.layers == ("wave",) and other.layers == ()


def walker() -> ModelPlayer:
    return ModelPlayer(layered_model(biped_walk(), [gesture(carry_model(), BOTH), gesture(wave_model(), ARM)]))


def test_a_figure_stands_until_its_model_is_started_and_then_goes_as_the_model_does():
    one = walker()
    one.command(1.0, AskModel("start", {"speed": 1.2}))
    one.command(4.0, AskModel("change", {"speed": 1.5}))
    one.command(6.0, AskModel("stop"))
    times = np.arange(round(9.0 * RATE)) / RATE
    stretch = one.advance(times)
    model = biped_walk()
    run = model.begin(1.0, {"speed": 1.2}, model.rest(0.0))
    run = model.stop(model.change(run, 4.0, {"speed": 1.5}), 6.0)
    assert np.abs(stretch.values - run.tree.sample(times)).max() < 1e-9
    ways = np.linalg.norm(np.diff(stretch.values[:, :2], axis=0), axis=-1)
    assert ways[times[1:] <= 1.0].max() < 1e-9 < 0.01 < ways[(times[1:] > 3.0) & (times[1:] < 6.0)].min()
    assert ways[times[1:] > run.ends + 0.1].max() < 1e-9
    both = (1 << len(one.figure.points)) - 1
    assert set(stretch.support[times < 1.0].tolist()) == {both} and 0 < stretch.support[times > 2.0].min() < both


def test_only_the_tree_of_what_is_commanded_is_built_anew():
    one = walker()
    one.command(0.0, AskModel("start"))
    one.command(1.0, AskLayer("wave", "start"))
    shown(one, 0.0, 3.0)

    def trees() -> tuple[object, object]:
        (playing,) = one._over._runs  # type: ignore[attr-defined]
        return one.run.tree, playing.player.run.tree

    before = trees()
    one.command(3.0, AskModel("change", {"speed": 1.6}))
    walk_changed = trees()
    one.command(3.0, AskAdverbs({"wave speed": 2.0}))
    wave_changed = trees()
    shown(one, 3.0, 5.0)
    assert walk_changed[0] is not before[0] and walk_changed[1] is before[1]
    assert wave_changed[0] is walk_changed[0] and wave_changed[1] is not before[1] and trees()[0] is wave_changed[0]


def test_a_wave_over_a_walk_moves_the_arm_alone_and_is_refused_while_the_arm_carries():
    plain, waving, holding = walker(), walker(), walker()
    for one in (plain, waving, holding):
        one.command(0.0, AskModel("start"))
    waving.command(1.0, AskLayer("wave", "start"))
    holding.command(1.0, AskLayer("carry", "start"))
    holding.command(3.0, AskLayer("wave", "start"))
    times = np.arange(round(5.0 * RATE)) / RATE
    rows, waved = plain.advance(times).values, waving.advance(times).values
    turns, other = rotations_of(plain.channels, rows), rotations_of(plain.channels, waved)
    changed = {
        list(JOINTS)[j]
        for j, d in zip(plain.channels.rotating, np.abs(turns - other).max((0, 2)), strict=True)
        if d > 1e-9
    }
    assert "UpperArm_R" in changed and changed <= joints_of(plain.channels.skeleton, masked(ARM))
    assert np.array_equal(rows[:, :6], waved[:, :6])
    refused = [one for one in holding.advance(times).happenings if one.kind == "refused"]
    assert [(one.time, one.name, one.other) for one in refused] == [(3.0, "wave", "carry")] and "Hand_R" in refused[
        0
    ].text
    assert holding.layers == ("carry",)


def test_what_cannot_be_done_is_refused_and_changes_nothing():
    one = walker()
    run = one.run
    for what, error in (
        (AskModel("change", {"speed": 1.2}), ClipError),
        (AskModel("start", {"speed": 99.0}), ClipError),
        (AskLayer("bow", "start"), LayerError),
        (AskVerb("walk"), LayerError),
    ):
        with pytest.raises(error):
            one.command(0.0, what)
    with pytest.raises(LayerError, match="not a motion model"):
        player(walking()).command(0.0, AskModel("start"))
    with pytest.raises(LayerError, match="cannot keep step with 'walk'"):
        layered_model(biped_walk(), [carrying(follows=True)])
    assert one.run is run


def test_it_can_be_stopped_and_started_at_once_and_again():
    one = walker()
    one.command(0.0, AskModel("start"))
    shown(one, 0.0, 2.0)
    one.command(2.0, AskModel("stop_hard"))
    one.command(2.5, AskModel("start"))
    rows = shown(one, 2.0, 6.0)
    ways = np.linalg.norm(np.diff(rows[:, :2], axis=0), axis=-1)
    assert ways[:29].max() < 1e-9 and ways.max() < 0.06 and ways[-1] > 0.01
