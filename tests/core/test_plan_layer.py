"""A figure that talks while it walks: plans of the biped's own gestures in a layer over a walk."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from verbs_adverbs.core.biped.figure import JOINTS
from verbs_adverbs.core.biped.talking import beat, indicate, offer, shrug
from verbs_adverbs.core.errors import GestureError
from verbs_adverbs.core.figure import quaternion as quat
from verbs_adverbs.core.figure.channels import Scalar, world_joints
from verbs_adverbs.core.gesture.body_planner import Manners, Request, usual_manners
from verbs_adverbs.core.gesture.gesture import Gesture, gesture_of
from verbs_adverbs.core.gesture.plan import plan_of
from verbs_adverbs.core.gesture.plan_layer import PlaysPlan
from verbs_adverbs.core.gesture.schedule import Rest
from verbs_adverbs.core.graph.overlay import Below
from verbs_adverbs.core.layers.layer import Layer
from verbs_adverbs.core.layers.layer_set import with_layers
from verbs_adverbs.core.play.player import AskLayer, AskPlays

from .layered import masked, player, walking
from .made_gestures import of_one_joint
from .model_clips import biped_clip

TIMES = np.arange(0.0, 8.0, 1.0 / 120.0)
WORDS = ((1.2, "beat"), (2.0, "point"), (3.4, "offer"), (5.6, "shrug"))
LEGS = [f"{bone}_{side}" for bone in ("UpperLeg", "LowerLeg", "Foot", "Toes") for side in "LR"]


@cache
def gestures() -> dict[str, Gesture]:
    made = {"beat": beat(0.6, 0.5), "point": indicate(-0.5), "offer": offer(1.0), "shrug": shrug(0.8)}
    return {name: gesture_of(name, biped_clip(one, name), ["Hand_R"]) for name, one in made.items()}


@cache
def manners() -> Manners:
    return usual_manners(list(gestures().values()))


def talking(words: tuple[tuple[float, str], ...] = WORDS) -> PlaysPlan:
    requests = [Request(time, (gestures()[name],), f"'{name}'") for time, name in words]
    return PlaysPlan(plan_of(requests, manners()), manners())


def layer(plays: PlaysPlan) -> Layer:
    return Layer("talk", plays, masked(("Spine",)), fade_in=0.0, fade_out=0.2)


def arm(rows: np.ndarray, joint: str = "UpperArm_R") -> np.ndarray:
    first = 6 + 4 * JOINTS[joint]
    return rows[:, first : first + 4]


def test_strokes_are_on_their_words_over_a_walk_whose_legs_are_left_alone() -> None:
    graph = with_layers(walking(), [layer(talking())])
    shown = player(graph, {"talk plays": 1.0})
    rows, bare = shown.advance(TIMES).values, player(walking()).advance(TIMES).values
    legs = [6 + 4 * JOINTS[bone] + n for bone in LEGS for n in range(4)]
    assert np.array_equal(rows[:, legs], bare[:, legs]) and np.array_equal(rows[:, :3], bare[:, :3])
    for time, name in WORDS:
        gesture = gestures()[name]
        row = int(round(time * 120.0))
        for joint in ("UpperArm_R", "LowerArm_R", "Hand_R", "Chest", "Head"):
            wanted = arm(gesture.motion.sample([gesture.sync[3]]), joint)
            assert float(quat.angle_between(arm(rows[row : row + 1], joint), wanted)[0]) < 1e-5
    before = TIMES < 0.3
    assert np.abs(rows - bare)[before].max() < 1e-9


def test_the_layer_s_weight_and_its_stop_bring_the_walk_back() -> None:
    graph = with_layers(walking(), [layer(talking())])
    shown = player(graph, {"talk plays": 1.0})
    shown.command(2.1, AskLayer("talk", "stop"))
    rows, bare = shown.advance(TIMES).values, player(walking()).advance(TIMES).values
    assert np.abs(arm(rows) - arm(bare))[TIMES > 4.0].max() < 1e-9
    steps = quat.angle_between(arm(rows)[1:], arm(rows)[:-1])
    whole = player(with_layers(walking(), [layer(talking())]), {"talk plays": 1.0}).advance(TIMES).values
    assert steps.max() <= 1.5 * quat.angle_between(arm(whole)[1:], arm(whole)[:-1]).max()


def test_new_words_take_the_place_of_the_rest() -> None:
    plays = talking().begin(0.0, {}, 0.0)
    plays.play(2.1)
    made = plays.say([Request(3.2, (gestures()["beat"],), "'beat'")])
    assert [one.chosen.gesture.name for one in made.placed] == ["point", "beat"]
    fork = plays.fork()
    fork.finish()
    assert np.isinf(plays.left()) and np.isfinite(fork.left())


def test_rows_are_the_same_asked_at_once_and_bit_by_bit() -> None:
    whole, bits = (player(with_layers(walking(), [layer(talking())]), {"talk plays": 1.0}) for _ in range(2))
    shown = whole.advance(TIMES).values
    parts = np.concatenate([bits.advance(TIMES[n : n + 37]).values for n in range(0, len(TIMES), 37)])
    assert np.abs(shown - parts).max() < 1e-6


def test_hands_are_where_the_gesture_has_them_on_a_body_that_stands_upright() -> None:
    plays = talking(((1.5, "offer"),))
    schedule, gesture = plays.plan.schedule, gestures()["offer"]
    hands = [JOINTS["Hand_L"], JOINTS["Hand_R"]]
    places = world_joints(schedule.channels, schedule.sample([1.5]))[0, hands]
    row = gesture.motion.sample([gesture.sync[3]])
    row[:, :6], row[:, 6:10] = 0.0, schedule.resting[6:10]
    assert np.abs(places - world_joints(gesture.motion.channels, row)[0, hands]).max() < 1e-9


def test_new_words_that_move_less_are_laid_over_the_same_joints_and_those_that_move_more_are_refused() -> None:
    smile = Scalar("smile", -1, "value", 0, False, '["smile"]')
    nod, wave = (of_one_joint(joint, 0.4, "Hand_R", some) for joint, some in (("Head", (smile,)), ("UpperArm_R", ())))
    manners = usual_manners([nod, wave])
    plan = plan_of([Request(1.0, (nod,), "'nod'"), Request(3.0, (wave,), "'wave'")], manners)
    shown = PlaysPlan(plan, manners).begin(0.0, {}, 0.0)
    shown.play(1.2)
    shown.say([Request(4.0, (wave,), "'wave'")])
    times = np.array([1.0, 1.3, 4.0])
    none = np.zeros(3)
    below = Below(shown.channels, times, np.tile(plan.schedule.resting, (3, 1)), none, np.zeros((2, 3)), none + 1.0)
    assert shown.rows(below).shape == (3, shown.channels.width)
    alone = PlaysPlan(plan_of([Request(3.0, (wave,), "'wave'")], manners), manners).begin(0.0, {}, 0.0)
    with pytest.raises(GestureError, match="The gestures of the new words move 'Head', 'smile'"):
        alone.say([Request(4.0, (nod,), "'nod'")])


def said_thrice() -> PlaysPlan:
    """A plan whose rest is replaced in the middle of a stroke, of a preparation, and at rest."""
    plays = talking()
    for time, words in ((1.9, ((2.9, "beat"), (3.9, "offer"))), (3.3, ((4.8, "point"),)), (6.5, ((7.4, "shrug"),))):
        requests = [Request(at, (gestures()[name],), f"'{name}'") for at, name in words]
        plays = plays.said(time, requests, manners())
    return plays


def test_what_is_said_at_known_times_is_played_as_if_it_were_said_then() -> None:
    known = player(with_layers(walking(), [layer(said_thrice())]), {"talk plays": 1.0})
    live = player(with_layers(walking(), [layer(talking())]), {"talk plays": 1.0})
    plays, rows = talking(), list[np.ndarray]()
    for time, later in zip(
        [*(one.time for one in said_thrice().later), 8.0], [*said_thrice().later, None], strict=True
    ):
        begin = 0.0 if not rows else plays.later[-1].time
        rows.append(live.advance(TIMES[np.searchsorted(TIMES, begin) : np.searchsorted(TIMES, time)]).values)
        if later is not None:
            plays = plays.said(time, later.requests, later.manners)
            live.command(time, AskPlays("talk", plays))
    whole = known.advance(TIMES).values
    assert np.abs(np.concatenate(rows) - whole).max() < 1e-6
    before = player(with_layers(walking(), [layer(talking())]), {"talk plays": 1.0}).advance(TIMES).values
    changed = np.abs(whole - before).max(axis=-1) > 1e-6
    assert not changed[TIMES < 1.9].any() and changed[TIMES > 1.9].any()


def test_a_layer_that_is_started_after_something_was_said_plays_what_is_left_of_it() -> None:
    known = player(with_layers(walking(), [layer(said_thrice())]), {"talk plays": 1.0})
    late = player(with_layers(walking(), [layer(talking())]))
    late.command(2.0, AskPlays("talk", said_thrice()))
    late.command(3.0, AskLayer("talk", "start"))
    apart = np.abs(known.advance(TIMES).values - late.advance(TIMES).values).max(axis=-1)
    assert apart[TIMES > 3.0].max() < 1e-9 < apart[TIMES < 3.0].max()


def test_gestures_that_are_replaced_are_not_among_those_that_are_placed() -> None:
    plays = said_thrice()
    names = ["beat", "point", "offer", "shrug", "beat", "offer", "point", "shrug"]
    placed = plays.placed()
    assert [(number, one.chosen.gesture.name) for number, one in placed] == [
        (number, names[number]) for number in (0, 1, 5, 6, 7)
    ]
    assert plays.dropped() == [4] and not placed[2][1].sync
    assert [one.begin for _, one in placed] == sorted(one.begin for _, one in placed)
    times = np.arange(0.5, 8.5, 0.01)
    shown = plays.begin(0.0, {}, 0.0)
    shown.play(9.0)
    none = np.zeros(len(times))
    resting = np.tile(plays.plan.schedule.resting, (len(times), 1))
    below = Below(shown.channels, times, resting, none, np.zeros((2, len(times))), none + 1.0)
    moved = np.abs(shown.rows(below) - resting).max(axis=-1) > 1e-6
    covered = np.any([(times > one.begin) & (times < one.end) for _, one in placed], axis=0)
    assert not (moved & ~covered).any()


def test_a_plan_without_gestures_that_knows_how_the_figure_rests_waits_for_words() -> None:
    rest = Rest(talking().channels, talking().plan.schedule.resting)
    silent = PlaysPlan(replace(plan_of((), manners()), rest=rest), manners())
    bare, shown = (player(with_layers(walking(), [layer(silent)]), {"talk plays": on}) for on in (0.0, 1.0))
    said = silent.said(2.0, [Request(3.2, (gestures()["point"],), "'point'")], manners())
    shown.command(2.0, AskPlays("talk", said))
    apart = np.abs(arm(shown.advance(TIMES).values) - arm(bare.advance(TIMES).values)).max(axis=-1)
    assert apart[TIMES <= 2.0].max() < 1e-9 and apart[TIMES > 3.0].max() > 0.1
