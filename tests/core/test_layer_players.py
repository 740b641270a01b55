"""What plays in layers: passes, cycles, adverbs that move, times before 0, numbers that are no rotations, controls."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from verbs_adverbs.core.biped.figure import JOINTS
from verbs_adverbs.core.biped.standing import WAVE_ADVERBS, WAVE_EXAMPLES, wave
from verbs_adverbs.core.errors import LayerError, VerbError
from verbs_adverbs.core.figure.channels import Channels, Scalar, Traveller, world_joints
from verbs_adverbs.core.graph.verb_graph import VerbGraph, compile_graph
from verbs_adverbs.core.layers.claims import Claims, kept_apart
from verbs_adverbs.core.layers.layer import Layer, PlaysVerb
from verbs_adverbs.core.layers.layer_set import with_layers
from verbs_adverbs.core.layers.mixing import Mixer
from verbs_adverbs.core.play.player import AskAdverbs, AskLayer, AskVerb, Handles
from verbs_adverbs.core.verb.build import build_verb
from verbs_adverbs.core.verb.verb import Verb

from .graphs import example_of, generated_transitions, generated_verbs
from .layered import ARM, BOTH, HAND_JOINTS, HANDS, Made, carry_verb, carrying, masked, player, walking, waving
from .walks import biped_channels


def degrees(rows: np.ndarray, bone: str) -> np.ndarray:
    """Return by how much a bone turns from row to row."""
    column = 6 + 4 * JOINTS[bone]
    turned = Rotation.from_quat(np.roll(rows[:, column : column + 4], -1, axis=-1))
    return np.degrees((turned[:-1].inv() * turned[1:]).magnitude())


@cache
def raising() -> Verb:
    """The first half of a wave, which ends with the arm raised."""
    made = [
        replace(one, keytimes=one.keytimes[:3], keytime_names=one.keytime_names[:3], plants=())
        for one in (wave(*at) for at in WAVE_EXAMPLES)
    ]
    examples = [example_of(one) for one in made]
    return build_verb("raise", biped_channels(), examples, tuple(WAVE_ADVERBS), [[-1, 1]] * 2)


@pytest.mark.parametrize("settle", [0.0, 0.8])
def test_a_motion_that_does_not_end_as_it_begins_is_repeated_without_a_jump(settle: float):
    layer = replace(waving(), plays=PlaysVerb(raising(), 3))
    over = player(with_layers(walking(), [layer]), {"hail plays": 1.0}, settle=settle)
    over.command(2.0, AskAdverbs({"height": 1.0}))
    shown = over.advance(np.arange(0.0, 6.0, 1.0 / 60.0)).values
    length = raising().motion([0.0, 0.0]).duration
    gap = degrees(raising().motion([0.0, 0.0]).sample(np.array([0.0, length - 1e-6])), "UpperArm_R")[0]
    assert gap > 60.0
    assert np.delete(degrees(shown, "UpperArm_R"), 119 if settle == 0.0 else []).max() < 0.2 * gap


def test_a_layer_is_gone_when_its_last_pass_is_over_and_comes_in_wholly_however_short_it_is():
    for passes in (1, 2):
        over = player(with_layers(walking(), [waving(passes=passes)]))
        over.command(0.33, AskLayer("hail", "start"))
        told = {one.kind: one.time for one in over.advance([9.0]).happenings if one.name == "hail"}
        length = generated_verbs()[2].motion([0.0, 0.0]).duration
        assert abs(told["finished"] - 0.33 - passes * length) < 1e-6
        assert abs(told["executing"] - 0.33 - 0.4) < 1e-6
    slow = replace(waving(), fade_in=2.0, fade_out=4.0)
    over = player(with_layers(walking(), [slow]), settle=0.0)
    over.command(0.0, AskLayer("hail", "start"))
    told = {one.kind: one.time for one in over.advance([9.0]).happenings if one.name == "hail"}
    assert abs(told["executing"] - length / 3.0) < 0.02 and abs(told["finished"] - length) < 1e-6


def test_layers_keep_the_tempo_of_what_lies_below():
    length = generated_verbs()[2].motion([0.0, 0.0]).duration
    for changes in ((0.1, 0.9), (0.9, 0.1)):
        over = player(with_layers(walking(), [waving(passes=2)]))
        over.command(changes[0], Handles(tempo=0.5))
        over.command(changes[1], AskLayer("hail", "start"))
        over.command(6.0, Handles(tempo=2.0))
        told = {one.kind: one.time for one in over.advance([20.0]).happenings if one.name == "hail"}
        begun = max(changes[0], changes[1]) - changes[1]
        left = 2.0 * length - begun - 0.5 * (6.0 - max(changes))
        assert abs(told["finished"] - 6.0 - 0.5 * left) < 1e-6


def test_what_follows_is_at_the_generic_time_of_what_lies_below_also_in_transitions():
    layer = carrying(fade_in=0.0)
    for kind in ("blended", "inertialised"):
        graph = with_layers(compile_graph(generated_verbs(), generated_transitions(kind)), [layer])
        over = player(graph, {"carry plays": 1.0})
        over.command(1.0, AskVerb("stand"))
        over.command(4.0, AskVerb("walk"))
        stretch = over.advance(np.arange(0.0, 8.0, 1.0 / 60.0))
        assert {"stand", "walk"} == set(stretch.verbs)
        assert degrees(stretch.values, "UpperArm_R").max() < 3.0
        alone = np.flatnonzero(stretch.times < 0.9)
        own = carry_verb().sample_phases(stretch.phases[alone] % 1.0, carry_verb().weights([0.0, 0.0, 0.0]))
        columns = slice(6 + 4 * JOINTS["UpperArm_R"], 10 + 4 * JOINTS["UpperArm_R"])
        assert np.abs(np.abs(np.sum(stretch.values[alone, columns] * own[:, columns], axis=1)) - 1.0).max() < 1e-6


@pytest.mark.parametrize("lead", [2, -2])
def test_layers_begin_at_time_0_with_whichever_cycles_playing_begins(lead: int):
    graph, times = with_layers(walking(), [waving()]), np.arange(0, 90) / 30.0
    over, plain = (player(one, {"hail plays": 1.0}, lead=lead) for one in (graph, walking()))
    start = over.time
    assert np.sign(start) == -np.sign(lead)
    early = np.arange(start, 0.0, 0.05)
    if lead > 0:
        assert np.array_equal(over.advance(early).values, plain.advance(early).values)
    at = times[times >= start]
    shown = over.advance(at).values
    usual = player(graph, {"hail plays": 1.0}).advance(at).values
    column = slice(6 + 4 * JOINTS["UpperArm_R"], 10 + 4 * JOINTS["UpperArm_R"])
    assert np.abs(shown[:, column] - usual[:, column]).max() < 1e-6


def test_a_weight_that_is_led_goes_back_when_it_is_no_longer_led():
    over = player(with_layers(walking(), [waving(fade_in=0.0)]), {"hail plays": 1.0}, settle=0.0)
    plain = player(walking())
    over.command(1.0, AskAdverbs({"hail weight": 0.5}, {"hail weight": 0.0}, 1.5))
    over.command(2.0, AskAdverbs({"hail weight": 0.5}))
    times = np.array([0.9, 1.0, 1.25, 1.5, 1.9, 2.0])
    shown, below = over.advance(times).values, plain.advance(times).values
    own = generated_verbs()[2].motion([0.0, 0.0]).sample(times)
    column = slice(6 + 4 * JOINTS["UpperArm_R"], 10 + 4 * JOINTS["UpperArm_R"])
    made, begin, end = (Rotation.from_quat(np.roll(rows[:, column], -1, axis=-1)) for rows in (shown, below, own))
    shares = (begin.inv() * made).magnitude() / (begin.inv() * end).magnitude()
    assert np.abs(shares - [1.0, 0.5, 0.25, 0.0, 0.0, 0.5]).max() < 1e-5


def test_the_root_of_a_layer_that_climbs_does_not_climb():
    layer = replace(carrying(("Hips",), follows=False, fade_in=0.0), claims=Claims())
    over = player(with_layers(walking(), [layer]), {"carry plays": 1.0, "slope": 1.0})
    stretch = over.advance(np.arange(0.0, 6.0, 0.1))
    heights = stretch.values[:, 5] - stretch.heights
    assert stretch.heights[-1] > 0.5 and np.ptp(heights) < 0.2


def test_switches_of_a_layer_change_over_half_way_and_numbers_go_evenly():
    scalars = tuple(Scalar(name, -1, "value", 0, name == "switch", name) for name in ("switch", "number"))
    whole = replace(biped_channels(), scalars=scalars)
    below, own = np.zeros((5, whole.width)), np.zeros((5, whole.width))
    below[:, 6::4], own[:, 6::4] = 1.0, 1.0
    below[:, -2:], own[:, -2:] = (0.0, 2.0), (1.0, 4.0)
    weights = np.array([0.1, 0.49, 0.5, 0.9, 1.0])
    made = Mixer(whole, whole, np.ones(len(JOINTS)), "parent", "override", (below, own)).mixed(below, own, weights)
    assert made[:, -2].tolist() == [0.0, 0.0, 1.0, 1.0, 1.0]
    assert np.allclose(made[:, -1], 2.0 + 2.0 * weights)


@pytest.mark.parametrize("weight", [0.4, 1.0])
def test_controls_that_carry_hands_are_moved_to_keep_the_distance(weight: float):
    plain = biped_channels()
    loose = np.isin(np.arange(len(JOINTS)), HAND_JOINTS)
    rests = np.where(loose[:, None], [1.0, 0.0, 0.0, 0.0], plain.skeleton.rests)
    skeleton = replace(plain.skeleton, parents=np.where(loose, -1, plain.skeleton.parents), rests=rests)
    scalars = tuple(Scalar(f"{joint} {k}", joint, "location", k, False, "") for joint in HAND_JOINTS for k in range(3))
    whole = replace(
        plain, skeleton=skeleton, scalars=scalars, travelling=tuple(Traveller(joint, 1.0) for joint in HAND_JOINTS)
    )
    rng = np.random.default_rng(3)
    rows, own = (np.tile(np.eye(whole.width)[0] * 0.0, (4, 1)) for _ in range(2))
    for one in (rows, own):
        one[:, 6 : whole.rotation_columns.stop : 4] = 1.0
        one[:, whole.scalar_columns] = rng.normal(size=(4, 6))
    rows[:, 2] = 1.0
    mixer = Mixer(whole, whole, masked(("Hand_L", "Hand_R")), "parent", "override", (rows, own))
    made = kept_apart(mixer, rows, own, np.full(4, weight), HANDS)
    was, wanted, found = (world_joints(whole, one)[:, list(HAND_JOINTS)] for one in (rows, own, made))
    gaps = [np.linalg.norm(hands[:, 0] - hands[:, 1], axis=-1) for hands in (was, wanted, found)]
    assert np.allclose(gaps[2], gaps[0] + weight * (gaps[1] - gaps[0]))
    assert np.allclose(found.mean(axis=1), was.mean(axis=1))


class Loose(Made):
    """A motion in which a bone is a control that goes along with the root."""

    @property
    def channels(self) -> Channels:
        return replace(super().channels, travelling=(Traveller(JOINTS["Hand_R"], 1.0),))


def one_of(layer: Layer) -> VerbGraph:
    return with_layers(walking(), [layer])


@pytest.mark.parametrize(
    ("layer", "says"),
    [
        (replace(waving(), name=""), "no name"),
        (replace(waving(), fade_in=np.nan), "Neither time may be negative"),
        (replace(waving(), mask=np.ones(3)), "Choose its bones again"),
        (Layer("still", Made(1, ("Head",)), masked(ARM)), "'still' has no effect"),
        (carrying(("Head",)), "has none of the bones above them"),
        (Layer("loose", Loose(1, ("Hand_R",)), masked(ARM)), "'Hand_R' travels with the root in layer 'loose'"),
        (waving(claims=Claims(frozenset({"Tail"}))), "claims 'Tail', which its figure does not have"),
    ],
)
def test_layers_that_do_not_do_are_refused_in_a_sentence(layer: Layer, says: str):
    with pytest.raises(LayerError, match=says):
        one_of(layer)


def test_masks_and_names_that_do_not_do_are_refused_in_a_sentence():
    with pytest.raises(LayerError, match="does not have"):
        masked(("Tail",))
    with pytest.raises(LayerError, match="has no bones"):
        masked(())
    with pytest.raises(LayerError, match="Rename one"):
        with_layers(walking(), [waving(), waving(bones=BOTH)])
    with pytest.raises(LayerError, match="There is no layer"):
        player(walking()).command(0.0, AskLayer("hail", "start"))


@pytest.mark.parametrize("number", range(1, 10))
def test_each_number_of_a_switch_starts_a_layer_in_its_own_way_where_another_one_has_its_bones(number: int):
    over = player(with_layers(walking(), [carrying(), waving()]), {"carry plays": 1.0})
    over.command(1.0, AskAdverbs({"hail plays": float(number)}))
    told = [one.kind for one in over.advance(np.array([0.5, 1.1])).happenings if one.name == "hail"]
    assert told == [("queued", "refused", "started")[number % 3]]


@pytest.mark.parametrize("number", [0, -1])
def test_a_switch_at_0_lets_a_layer_finish_and_at_less_ends_it_at_once(number: int):
    over, plain = player(with_layers(walking(), [waving(fade_in=0.0)]), {"hail plays": 1.0}), player(walking())
    over.command(1.0, AskAdverbs({"hail plays": float(number)}))
    shown, below = (one.advance(np.array([0.9, 1.1])).values for one in (over, plain))
    column = slice(6 + 4 * JOINTS["UpperArm_R"], 10 + 4 * JOINTS["UpperArm_R"])
    differs = np.abs(shown - below)[:, column].max(axis=1) > 0.1
    assert differs.tolist() == [True, number == 0]


def test_adverbs_that_are_to_move_to_no_number_are_refused():
    over = player(walking())
    with pytest.raises(VerbError, match="Adverb 'mood' is not a finite number"):
        over.command(1.0, AskAdverbs({"mood": 0.0}, {"mood": np.nan}, 2.0))
