"""Random scripts of what layers are told: no pose jumps, and refusals, ways out and waiting do what they say."""

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from verbs_adverbs.core.biped.figure import JOINTS, Generated
from verbs_adverbs.core.biped.standing import WAVE_EXAMPLES, stance, wave
from verbs_adverbs.core.biped.walk import WALK_EXAMPLES, walk
from verbs_adverbs.core.feet.constrained_player import ConstrainedPlayer
from verbs_adverbs.core.graph.verb_graph import VerbGraph
from verbs_adverbs.core.layers.claims import Held
from verbs_adverbs.core.layers.layer import Layer, PlaysVerb
from verbs_adverbs.core.layers.layer_set import with_layers
from verbs_adverbs.core.layers.layer_stack import LayerStack
from verbs_adverbs.core.layers.mixing import Mixer
from verbs_adverbs.core.layers.weight_sliders import WeightSliders, next_tick
from verbs_adverbs.core.play.player import AskAdverbs, Asked, AskLayer, AskVerb, Happening, Wish

from .layered import ARM, BOTH, Made, carry_takes, carry_verb, carrying, masked, player, walking, waving

SCRIPTS = int(os.environ.get("VERBS_ADVERBS_SCRIPTS", "240"))
"""Number of random scripts of each kind that the long tests try."""
RATE = 30.0
"""Frames a second in which steps of joints are measured."""
SECONDS = 7.0
MOST = 1.5
"""Largest step of a joint, as a multiple of the largest in the examples."""
LEGS = {"Hips", *(f"{bone}_{side}" for bone in ("UpperLeg", "LowerLeg", "Foot", "Toes") for side in "LR")}
UPPER = [joint for name, joint in JOINTS.items() if name not in LEGS]


@cache
def layered() -> VerbGraph:
    """A walk below a nod of head and chest, a wave, a carry, and a beckoning that takes the arm from the wave."""
    nod = waving("nod", ("Neck",), mode="additive", passes=2)
    beckon = waving("beckon", ARM, space="character", priority=1, when_held="wait", finishes=False, passes=3)
    return with_layers(walking(), [nod, waving(), carrying(when_held="wait"), beckon])


def turned(quaternions: np.ndarray) -> np.ndarray:
    """Return by how many degrees joints turn from frame to frame, given their quaternions wxyz (T, J, 4)."""
    frames = [
        Rotation.from_quat(np.roll(part, -1, axis=-1).reshape(-1, 4)) for part in (quaternions[:-1], quaternions[1:])
    ]
    return np.degrees((frames[0].inv() * frames[1]).magnitude()).reshape(len(quaternions) - 1, -1)


@cache
def largest_own() -> np.ndarray:
    """Return the largest step (J,) in degrees of each joint in the examples of all verbs, at the same rate."""
    made: list[Generated] = [stance(), *(walk(*at) for at in WALK_EXAMPLES), *(wave(*at) for at in WAVE_EXAMPLES)]
    return np.max([turned(one.rotations).max(axis=0) for one in [*made, *carry_takes()]], axis=0)


WISHES: dict[Wish, float] = {"start": 0.3, "instead": 0.1, "after": 0.06, "stop": 0.16, "stop_hard": 0.04}
"""How often layers are commanded what; all else in scripts are weights, adverbs and verbs."""


def script(seed: int) -> list[tuple[float, Asked]]:
    """Return random commands, in order of time."""
    rng, asked = np.random.default_rng(seed), list[tuple[float, Asked]]()
    names = layered().layers.names  # type: ignore[union-attr]
    for time in np.sort(rng.uniform(0.0, SECONDS - 1.0, rng.integers(4, 16))).tolist():
        name, drawn, value = str(rng.choice(names)), rng.random(), float(rng.uniform(-1.0, 1.0))
        wished = np.cumsum(list(WISHES.values()))
        if drawn < wished[-1]:
            asked.append((time, AskLayer(name, list(WISHES)[int(np.searchsorted(wished, drawn))])))
        elif drawn < 0.78:
            asked.append((time, AskAdverbs({f"{name} weight": 0.5 + 0.7 * value})))
        elif drawn < 0.9:
            asked.append((time, AskAdverbs({str(rng.choice(["mood", "turn", "energy", "height"])): value})))
        else:
            asked.append((time, AskVerb("walk" if value > 0.0 else "stand")))
    return asked


def played(graph: VerbGraph, seed: int, size: int = 1000) -> np.ndarray:
    """Return the rows of a script at frames, so many of which are asked for at a time."""
    one, times = player(graph), np.arange(int(SECONDS * RATE)) / RATE
    for time, what in script(seed):
        if graph.layers is not None or not isinstance(what, AskLayer):
            one.command(time, what)
    return np.concatenate([one.advance(times[k : k + size]).values for k in range(0, len(times), size)])


def flips(rows: np.ndarray) -> int:
    """Return how often a quaternion turns over from one frame to the next, so that curves through it would swing."""
    found = rows[:, 6 : 6 + 4 * len(JOINTS)].reshape(len(rows), -1, 4)
    return int(np.sum(np.einsum("tjc,tjc->tj", found[1:], found[:-1]) < 0.0))


def steps(rows: np.ndarray, seed: int) -> np.ndarray:
    """Return the steps (T, J) in degrees, without those in which a layer is stopped hard."""
    found = turned(rows[:, 6 : 6 + 4 * len(JOINTS)].reshape(len(rows), -1, 4))
    for time, what in script(seed):
        if isinstance(what, AskLayer) and what.what == "stop_hard":
            found[int(np.ceil(time * RATE)) - 1] = 0.0
    return found


@pytest.mark.parametrize("seeds", [range(40), pytest.param(range(40, SCRIPTS), marks=pytest.mark.long)])
def test_no_joint_turns_faster_than_in_the_examples_by_more_than_half(
    seeds: range, tell: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
):
    plain, weights = Mixer.mixed, list[float]()

    def watched(self: Mixer, below: np.ndarray, layer: np.ndarray, weight: np.ndarray) -> np.ndarray:
        weights.extend((float(weight.min()), float(weight.max())))
        return plain(self, below, layer, weight)

    monkeypatch.setattr(Mixer, "mixed", watched)
    found = [(steps(rows, seed).max(axis=0), flips(rows)) for seed in seeds for rows in (played(layered(), seed),)]
    largest = np.max([step for step, _ in found], axis=0)
    alone = np.max([steps(played(walking(), seed), seed).max(axis=0) for seed in list(seeds)[:60]], axis=0)
    own, names = largest_own(), list(JOINTS)
    upper = max(UPPER, key=lambda joint: largest[joint])
    tell(
        f"layers, {len(seeds)} scripts: a joint turns at most {largest.max() / own.max():.2f} times as far as any in"
        f" the examples, of the upper body ({names[upper]}) {largest[UPPER].max() / own[UPPER].max():.2f} times;"
        f" without layers {alone.max() / own.max():.2f} and {alone[UPPER].max() / own[UPPER].max():.2f} times"
    )
    assert largest.max() <= MOST * own.max()
    assert largest[UPPER].max() <= MOST * own[UPPER].max()
    assert min(weights) >= 0.0 and max(weights) <= 1.0
    assert max(weights) > 0.99
    assert sum(turned_over for _, turned_over in found) == 0


def test_sliders_of_weights_that_are_turned_round_stay_within_0_and_1_and_do_not_jump():
    for seed in range(100):
        rng, time = np.random.default_rng(seed), 0.0
        sliders = WeightSliders({"weight": float(rng.integers(2))}, 0.8)
        for _ in range(8):
            last, time = time, time + float(rng.uniform(0.1, 0.7))
            while (last := next_tick(last)) <= time:
                sliders.step(last)
            sliders.hear(time, AskAdverbs({"weight": float(rng.choice([-1.0, 0.0, 0.1, 0.9, 1.0, 2.0]))}))
        shown = sliders.at("weight", np.linspace(0.0, time, 2000))
        assert shown.min() >= 0.0 and shown.max() <= 1.0
        assert np.abs(np.diff(shown)).max() < 4.0 * time / 2000


@pytest.mark.parametrize("seed", range(6))
def test_the_same_seed_gives_the_same_bits_and_frames_one_by_one_the_same_rows(seed: int):
    first = played(layered(), seed)
    assert np.array_equal(first, played(layered(), seed))
    assert np.abs(first - played(layered(), seed, 1)).max() < 1e-6


def test_a_fork_goes_on_as_the_player_does_that_it_was_taken_from():
    for seed in range(4):
        asked = script(seed)
        one, times = ConstrainedPlayer(player(layered())), np.arange(int(SECONDS * RATE)) / RATE
        for time, what in asked:
            if time <= times[100]:
                one.command(time, what)
        one.advance(times[:101])
        forks = [one.fork(), one.fork()]
        ends: list[np.ndarray] = []
        for each, told in ((one, asked), (forks[0], []), (forks[1], asked)):
            for time, what in told:
                if time > times[100]:
                    each.command(time, what)
            ends.append(each.advance(times[101:]).values)
        assert np.abs(ends[0] - ends[2]).max() < 1e-9
        assert not np.array_equal(ends[0], ends[1])


def test_a_fork_whose_layers_move_legs_has_its_own_also_where_feet_are_locked():
    layer = Layer("kick", Made(4, ("UpperLeg_R", "LowerLeg_R"), 0.3), masked(("UpperLeg_R",)))
    times = np.arange(int(SECONDS * RATE)) / RATE
    graph = with_layers(walking(), [layer])
    for first in range(30, 60, 2):
        one, fresh = (ConstrainedPlayer(player(graph, {"kick plays": 1.0})) for _ in range(2))
        one.advance(times[:first])
        fork = one.fork()
        one.command(times[first - 1], AskLayer("kick", "stop_hard"))
        one.advance(times[first:])
        fresh.advance(times[:first])
        rows = [each.advance(times[first : first + 40]).values for each in (fork, fresh)]
        assert np.array_equal(*rows)


class Told:
    """A player of some layers over the walk, what it has told so far, and what its layers do.

    Parameters
    ----------
    layers : over the walk.
    table : what is said of pairs of them.
    """

    def __init__(self, layers: Sequence[Layer], table: Mapping[tuple[str, str], Held] | None = None) -> None:
        self.player = player(with_layers(walking(), layers, table))
        self.heard: list[Happening] = []

    @property
    def stack(self) -> LayerStack:
        over = self.player.piece.setting.over
        assert isinstance(over, LayerStack)
        return over

    def ask(self, name: str, what: Wish = "start") -> None:
        self.player.command(self.player.time, AskLayer(name, what))

    def go(self, seconds: float) -> None:
        self.player.play(self.player.time + seconds)
        self.heard += self.player.happened()

    def when(self, kind: str, name: str) -> float:
        """Return when something happened to a layer last, minus infinity if it has not."""
        return max((one.time for one in self.heard if (one.kind, one.name) == (kind, name)), default=-np.inf)


def short_carry(**more: object) -> Layer:
    """A carry of two cycles of the walk with arms in front, on its own time."""
    return replace(carrying(**more), plays=PlaysVerb(carry_verb(), 2))  # type: ignore[arg-type]


@pytest.mark.parametrize("count", [60, pytest.param(SCRIPTS, marks=pytest.mark.long)])
def test_a_refusal_names_joints_holder_and_end_and_each_way_out_works(count: int):
    rng, ends = np.random.default_rng(count), 0
    for _ in range(count):
        endless = bool(rng.random() < 0.5)
        one = Told([waving(), carrying() if endless else short_carry()])
        one.go(float(rng.uniform(0.0, 0.4)))
        one.ask("carry")
        one.go(float(rng.uniform(0.0, 1.2)))
        asked = one.player.time
        one.ask("hail")
        refusal = one.stack.refusals["hail"]
        one.go(0.0)
        assert one.stack.playing == ("carry",) and one.when("refused", "hail") == asked
        assert (refusal.layer, refusal.holder, refusal.time) == ("hail", "carry", asked)
        assert refusal.joints == ("UpperArm_R", "LowerArm_R", "Hand_R")
        assert all(name in str(refusal) for name in (*refusal.joints, "hail", "carry"))
        assert np.isinf(refusal.until) == endless
        for way in ("instead", "after"):
            other = Told([waving(), carrying()])
            other.player = one.player.fork()
            wait = float(rng.uniform(0.0, 0.3))
            other.go(wait)
            other.ask("hail", way)
            if way == "after":
                assert other.stack.waiting == ("hail",) and other.stack.playing == ("carry",)
                if endless:
                    other.go(0.1)
                    other.ask("carry", "stop")
            other.go(max(0.0, 0.1 if endless else refusal.until - other.player.time))
            assert "hail" not in other.stack.refusals
            assert other.stack.playing == ("hail",), way
            other.go(0.5)
            if not endless and way == "after":
                ends += 1
                assert abs(other.when("finished", "carry") - refusal.until) < 0.01
            other.go(4.0)
            assert other.stack.playing == other.stack.waiting == ()
            assert (
                other.when("finished", "hail") > other.when("executing", "hail") > other.when("finished", "carry") - 1.0
            )
    assert ends > count // 4


def test_layers_wait_in_the_order_in_which_they_came():
    layers = [waving("a", when_held="wait"), waving("b", when_held="wait"), short_carry(), waving("free", ("Neck",))]
    one = Told(layers)
    one.ask("carry")
    one.go(0.2)
    one.ask("b")
    one.ask("a")
    one.ask("free")
    assert one.stack.waiting == ("b", "a") and one.stack.playing == ("carry", "free")
    one.go(12.0)
    begun = [one.when("started", name) for name in ("carry", "b", "a")]
    assert begun == sorted(begun) and one.stack.playing == one.stack.waiting == ()
    assert [told.name for told in one.heard if told.kind == "queued"] == ["b", "a"]


def test_one_that_waits_and_is_stopped_or_started_at_once_does_not_come_later():
    for what in ("stop", "instead"):
        one = Told([waving(), short_carry()])
        one.ask("carry")
        one.ask("hail", "after")
        one.go(0.3)
        one.ask("hail", what)
        assert one.stack.waiting == ()
        one.go(12.0)
        assert [told.kind for told in one.heard if told.name == "hail"].count("started") == (what == "instead")


def test_a_higher_priority_replaces_and_the_table_comes_first():
    first, second = waving("first"), waving("second", priority=2)
    for table, playing in (
        ({}, ("second",)),
        ({("second", "first"): "refuse"}, ("first",)),
        ({("second", "first"): "share"}, ("first", "second")),
        ({("first", "second"): "share"}, ("second",)),
    ):
        one = Told([first, second], table)  # type: ignore[arg-type]
        one.ask("first")
        one.go(0.5)
        one.ask("second")
        one.go(0.1)
        assert one.stack.playing == playing
        assert ("second" in one.stack.refusals) == (playing == ("first",))


def test_the_holder_that_refuses_is_named_and_others_go_on():
    third = waving("third", BOTH, priority=1)
    one = Told([waving("low"), waving("high", ("UpperArm_L",), priority=1), third])
    one.ask("low")
    one.ask("high")
    one.go(0.5)
    one.ask("third")
    assert one.stack.refusals["third"].holder == "high" and one.stack.playing == ("low", "high")


def test_one_that_plays_goes_on_when_it_is_fired_again_and_can_be_stopped_afterwards():
    one = Told([waving(), carrying()], {("carry", "hail"): "share"})
    one.ask("hail")
    one.go(0.5)
    one.ask("carry")
    one.go(0.5)
    one.ask("hail")
    assert one.stack.refusals == {} and one.stack.playing == ("hail", "carry")
    one.ask("carry", "stop")
    one.go(0.1)
    one.ask("carry")
    one.go(0.5)
    assert one.stack.playing == ("hail", "carry")
    one.ask("carry", "stop")
    one.go(0.8)
    assert one.stack.playing == ("hail",) and one.when("finished", "carry") > 1.5
    kinds = [told.kind for told in one.heard if told.name == "hail"]
    assert kinds == ["started", "executing"]
    one.go(6.0)
    assert [told.kind for told in one.heard if told.name == "hail"] == ["started", "executing", "finished"]


def test_what_happens_is_told_once_in_order_and_at_its_time():
    for seed in range(4):
        one, until = player(layered()), 0.0
        for time, what in script(seed):
            one.command(time, what)
        for now in np.arange(0.0, SECONDS, 0.037).tolist():
            told = one.advance([now]).happenings
            assert all(until < happening.time <= now or happening.time == now for happening in told)
            assert len(set(told)) == len(told)
            until = now
