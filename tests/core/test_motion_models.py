"""Base motions, runs of motion models, and gestures, on clips of the generated biped and on captured waves."""

from dataclasses import replace
from math import inf
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from verbs_adverbs.core.biped.walk_style import style_of
from verbs_adverbs.core.errors import ClipError
from verbs_adverbs.core.figure.channels import all_rotations, world_joints
from verbs_adverbs.core.layers.claims import Claims
from verbs_adverbs.core.layers.gesture_models import GestureModel, GestureRun, carry, wave
from verbs_adverbs.core.layers.motion_model import MotionModel, Parameter, Run, Succession
from verbs_adverbs.core.motion.base_motion import (
    BaseMotion,
    Stance,
    meetings,
    of_style,
    speed_of,
    stances_of_cycle,
    within_cycle,
)
from verbs_adverbs.core.motion.clip import Mark, Motion, end_of
from verbs_adverbs.core.motion.clip_operators import Loop

from .model_clips import biped_cycle, biped_stand, biped_walk, biped_wave, captured_gesture

ARM = frozenset({"UpperArm_R", "LowerArm_R", "Hand_R"})
FINE = 1.0 / 600.0


def steps(motion: Motion, begin: float, end: float, frame: float = 1.0 / 30.0) -> float:
    """Largest angle in degrees by which any joint turns in a frame, wherever frames lie."""
    times = np.arange(begin, end - frame, FINE)
    pair = [all_rotations(motion.channels, motion.sample(times + later)) for later in (0.0, frame)]
    turns = [Rotation.from_quat(rows.reshape(-1, 4)[:, [1, 2, 3, 0]]) for rows in pair]
    return float(np.degrees((turns[0].inv() * turns[1]).magnitude().max()))


def same(one: Motion, other: Motion, times: np.ndarray) -> bool:
    return bool(np.abs(one.sample(times) - other.sample(times)).max() < 1e-9)


def waving(repeats: float = 0.0) -> GestureModel:
    return replace(wave((BaseMotion(biped_wave(), "calm"),), ("up", "down"), ARM), repeats=repeats)


def test_base_motions_are_found_by_their_style():
    records = (BaseMotion(biped_stand(), "calm", ("arms hang",)), BaseMotion(biped_wave(), "eager"))
    assert of_style(records, "eager", "The wave") is records[1]
    with pytest.raises(ClipError, match="The wave has no style 'sad', only 'calm', 'eager'. Choose one of these"):
        of_style(records, "sad", "The wave")


@pytest.mark.parametrize("begin", [0.1, 0.6, 0.95])
def test_contacts_of_a_cycle_are_the_same_wherever_it_is_cut(begin: float):
    marks = (Mark("contact", "toe", 0.2, 0.8), Mark("contact", "heel", 0.7, 1.3), Mark("keytime", "down", 0.2, 0.2))
    cut = [replace(one, start=one.start + shift, end=one.end + shift) for one in marks for shift in (0.0, 1.0)]
    inside = [one for one in cut if one.end > begin and one.start < begin + 1.0 and one.kind == "contact"]
    clip = replace(biped_cycle(0.0), start=begin, duration=1.0, marks=within_cycle(inside, begin, begin + 1.0))
    assert all(begin <= one.start < one.end <= begin + 1.0 for one in clip.marks)
    looped = Loop(0, clip).marks_within(begin + 3.0, begin + 5.5)
    for name, start, end in (("toe", 0.2, 0.8), ("heel", 0.7, 1.3)):
        assert any(abs(one.start - 4.0 - start) + abs(one.end - 4.0 - end) < 1e-9 for one in looped if one.name == name)
    for one in stances_of_cycle(clip, biped_stand()):
        assert abs((one.begin + begin - {"toe": 0.2, "heel": 0.7}[one.point] + 0.5) % 1.0 - 0.5) < 1e-9
        assert abs(one.end - one.begin - 0.6) < 1e-9


def test_blends_meet_in_the_middle_of_a_stance_that_both_have():
    first, second = [Stance("L", 1.0, 1.6, 1.3), Stance("R", 1.5, 2.1, 1.8)], [Stance("L", 0.2, 1.2, 0.7)]
    (met,) = meetings(first, second)
    assert (met.begin, met.end) == (1.0, pytest.approx(1.6)) and met.second_start + 0.7 == pytest.approx(1.3)
    (cut,) = meetings(first, second, until=1.4)
    share = (0.5 * (cut.begin + cut.end) - 1.0) / 0.6
    assert cut.begin >= 1.0 and cut.end <= 1.4 + 1e-12
    assert 0.5 * (cut.begin + cut.end) - cut.second_start == pytest.approx(0.2 + share)
    heel = Stance("heel", 0.9, 1.1, 1.0)
    assert meetings([heel, *first], [heel, *second]) == [met]
    aside = [Stance("L", 1.0, 1.9, 1.1)], [Stance("L", 0.2, 1.1, 1.0)]
    (early,) = meetings(*aside)
    assert 1.0 <= early.begin < early.end <= 1.9 and early.begin - early.second_start >= 0.2 - 1e-12
    assert early.end - early.second_start <= 1.1 + 1e-12
    assert meetings(first, second, until=1.05) == [] and meetings([Stance("R", 0.0, 1.0, 0.5)], second) == []


@pytest.mark.parametrize(("mood", "turn"), [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0)])
def test_the_speed_of_a_cycle_is_that_of_its_path_whether_it_turns_or_not(mood: float, turn: float):
    style = style_of(mood, 0.0, turn)
    assert abs(speed_of(biped_cycle(mood, turn), "it") / (style.stride / style.period) - 1.0) < 0.02


def test_a_succession_goes_on_where_it_is_and_forgets_what_would_have_come():
    walk, stand = Loop(0, biped_cycle(0.0)), Loop(0, biped_stand())
    one = Succession(()).then(1.0, walk)
    two, late = one.then(2.5, stand), one.then(2.6, stand)
    times = np.linspace(1.0, 6.0, 400)
    assert same(two, one, times[times < 2.5]) and late.then(2.5, stand) == two and str(two) == "Loop(0, Stand)"
    places = two.sample(times)[:, :2]
    assert np.linalg.norm(np.diff(places, axis=0), axis=-1).max() < 0.03 and two.start == 1.0 and two.duration == inf
    assert np.abs(places[times > 2.5] - one.sample([2.5])[0, :2]).max() < 1e-9
    marks = [mark for mark in two.marks_within(0.0, 6.0) if mark.name == "Toes_L"]
    assert len(marks) >= 2 and all(before.end < after.start for before, after in zip(marks, marks[1:], strict=False))
    assert marks[-1].start <= 2.5 or stand.marks_within(2.5, 6.0)


def test_what_is_climbed_is_kept_when_a_tree_takes_over():
    slope = biped_cycle(0.0)
    high = Succession(()).then(0.0, Loop(0, slope)).then(2.0 * slope.duration, Loop(0, slope))
    raised = replace(high, stages=(high.stages[0], replace(high.stages[1], rise=0.4)))
    times = np.linspace(2.2 * slope.duration, 3.0 * slope.duration, 20)
    apart = world_joints(slope.channels, raised.sample(times)) - world_joints(slope.channels, high.sample(times))
    assert np.abs(apart - [0.0, 0.0, 0.4]).max() < 1e-9


def test_parameters_keep_to_their_bounds():
    model = waving()
    assert {one.name: one.default for one in model.parameters()} == {"repeats": 0.0, "speed": 1.0, "style": "calm"}
    assert Parameter("speed", 1.0, 0.5, 2.0).checked(2, "it") == 2.0
    with pytest.raises(ClipError, match="The repeats of 'wave' cannot be '2.5'. Give a whole number"):
        model.begin(0.0, {"repeats": 2.5})
    with pytest.raises(ClipError, match="The speed of 'wave' cannot be 9. Choose a number from 0.25 to 4"):
        model.begin(0.0, {"speed": 9.0})


def test_models_say_what_they_need_to_themselves():
    hands = carry((BaseMotion(biped_wave()),), ARM, ("Hand_L", "Hand_R"), ("up", "up"))
    assert hands.claims({}) == Claims(ARM, (("Hand_L", "Hand_R"),))
    assert waving().claims({}) == Claims(ARM) and "Toes_L" in biped_walk().claims({}).joints


@pytest.mark.parametrize("repeats", [1, 2, 5])
def test_a_wave_waves_as_often_as_is_told_and_ends_as_it_began(repeats: int):
    clip, model = biped_wave(), waving()
    run = model.begin(2.0, {"repeats": repeats})
    assert run.ends == pytest.approx(2.0 + clip.duration + (repeats - 1) * (2.21 - 0.65))
    assert run.state(1.9) == "waiting" and run.state(2.3) == "started" and run.state(2.7) == "executing"
    assert run.state(run.ends) == "finished"
    ends = run.tree.sample([2.0, run.ends + 1.0])
    assert np.abs(ends[:, 3:] - clip.sample([clip.start, end_of(clip)])[:, 3:]).max() < 1e-9
    assert steps(run.tree, 2.0, run.ends) < 1.01 * steps(clip, 0.0, clip.duration)
    hand = clip.channels.skeleton.index("Hand_R")
    times = np.arange(2.0, run.ends, 0.01)
    swing = world_joints(clip.channels, run.tree.sample(times))[:, hand]
    up = swing[:, 2] > swing[:, 2].max() - 0.35
    side = swing[up, 0] - swing[up, 0].mean()
    assert (np.diff(np.sign(side)) > 0).sum() == pytest.approx(3 * repeats, abs=1)


def test_one_pass_is_the_clip_itself():
    clip, run = biped_wave(), waving().begin(0.0, {"repeats": 1})
    assert same(run.tree, clip, np.linspace(0.0, clip.duration, 200))


@pytest.mark.parametrize("time", [0.1, 0.3, 0.5, 0.7, 1.9, 2.3, 4.4])
def test_a_stopped_gesture_finishes_its_pass_and_is_retracted(time: float):
    clip, model = biped_wave(), waving()
    run = model.begin(0.0, {})
    stopped = model.stop(run, time)
    assert run.ends == inf and same(stopped.tree, run.tree, np.linspace(0.0, time, 80))
    assert time < stopped.ends <= time + (2.21 - 0.65) + (clip.duration - 2.21) + 0.65
    assert np.abs(stopped.tree.sample([stopped.ends])[:, 3:] - clip.sample([end_of(clip)])[:, 3:]).max() < 1e-9
    assert steps(stopped.tree, 0.0, stopped.ends) < 1.15 * steps(clip, 0.0, clip.duration)
    assert model.stop(stopped, time).tree == stopped.tree
    with pytest.raises(ClipError, match="'wave' has ended at .* Start it again"):
        model.stop(stopped, stopped.ends + 0.1)
    again = model.begin(stopped.ends + 1.0, {"repeats": 1}, after=stopped)
    assert same(again.tree, stopped.tree, np.linspace(0.0, stopped.ends + 1.0, 90)[:-1])


def test_speed_and_repeats_change_while_it_waves():
    clip, model = biped_wave(), waving(3.0)
    run = model.begin(0.0, {})
    faster = model.change(run, 1.3, {"speed": 2.0})
    slower = model.change(faster, 1.9, {"speed": 0.5})
    assert same(faster.tree, run.tree, np.linspace(0.0, 1.3, 70))
    assert same(slower.tree, faster.tree, np.linspace(0.0, 1.9, 70))
    later = np.linspace(0.0, 0.5, 30)
    assert np.abs(faster.tree.sample(1.3 + later) - run.tree.sample(1.3 + 2.0 * later)).max() < 1e-6
    assert np.abs(slower.tree.sample(1.9 + later) - faster.tree.sample(1.9 + 0.25 * later)).max() < 1e-6
    assert faster.ends == pytest.approx(1.3 + (run.ends - 1.3) / 2.0)
    fewer = model.change(run, 2.3, {"repeats": 1})
    assert fewer.ends == pytest.approx(run.ends - 1.56) and model.change(run, 1.0, {"repeats": 0}).ends == inf
    assert steps(slower.tree, 0.0, 4.0) < 2.01 * steps(clip, 0.0, clip.duration)
    assert model.stop_hard(slower, 2.2).state(2.2) == "finished"


def test_what_is_carried_is_held_until_it_is_put_down():
    clip, model = biped_wave(), carry((BaseMotion(biped_wave()),), ARM, ("Hand_L", "Hand_R"), ("up", "up"))
    run = model.begin(0.0, {})
    held = run.tree.sample(np.linspace(0.65, 60.0, 50))
    assert np.abs(held[:, 3:] - clip.sample([0.65])[:, 3:]).max() < 1e-9
    down = model.stop(run, 7.3)
    assert down.ends == pytest.approx(7.3 + clip.duration - 0.65) and steps(down.tree, 0.0, down.ends) < 13.0
    assert model.begin(0.0, {"repeats": 4}).ends == pytest.approx(0.65 + 4.0 + clip.duration - 0.65)


def test_a_whole_clip_is_the_middle_without_keytimes():
    clip = biped_stand()
    model = carry((BaseMotion(clip),), ARM, ("Hand_L", "Hand_R"))
    run = model.begin(0.0, {})
    assert same(run.tree, Loop(0, clip), np.linspace(0.0, 3.0 * clip.duration - 0.01, 200))
    assert model.stop(run, 1.0).ends == pytest.approx(clip.duration)


@pytest.mark.parametrize("style", ["normal", "active", "exhausted"])
def test_a_captured_wave_goes_on_without_a_jump_where_it_does_not_close(mocap: Path, style: str, tell):
    clip = captured_gesture(mocap, f"gesture/bn2_wave-right-hand_{style}_005.bvh")
    model = wave((BaseMotion(clip, style),), ("up", "lower"), ARM)
    run = model.begin(0.0, {})
    up, lower = (mark.start for mark in clip.marks if mark.name in ("up", "lower"))
    seam = up + 0.9 * (lower - up), lower + 0.3 * (lower - up)
    stopped = model.stop(run, lower + 1.0)
    most = steps(clip, 0.0, clip.duration)
    tell(
        f"wave {style}: joint steps over the seam {steps(run.tree, *seam) / most:.2f} of the clip's, "
        f"with its end {steps(stopped.tree, 0.0, stopped.ends) / most:.2f}"
    )
    assert steps(stopped.tree, 0.0, stopped.ends) < 1.02 * most
    assert np.abs(stopped.tree.sample([stopped.ends])[:, 3:] - clip.sample([end_of(clip)])[:, 3:]).max() < 1e-6


def test_what_a_gesture_cannot_do_is_told_in_a_sentence():
    clip, two = biped_wave(), (BaseMotion(biped_wave(), "calm"), BaseMotion(biped_wave(1.0), "eager"))
    with pytest.raises(
        ClipError, match="'Wave' of 'wave' has no keytime 'top', only 'down', 'end', 'start', 'up'. Add"
    ):
        wave((BaseMotion(clip),), ("top", "down"), ARM)
    with pytest.raises(ClipError, match="the keytime 'up' is not after 'down'. Move"):
        wave((BaseMotion(clip),), ("down", "up"), ARM)
    with pytest.raises(ClipError, match="'wave' has no motion. Give it at least one"):
        wave((), ("up", "down"), ARM)
    model = wave(two, ("up", "down"), ARM)
    run = model.begin(0.0, {"style": "eager"})
    with pytest.raises(ClipError, match="'wave' is already playing in its style. Stop it, and start it again"):
        model.change(run, 1.0, {"style": "calm"})
    with pytest.raises(ClipError, match="'wave' is not a walk. Send its command to its own model"):
        biped_walk().stop(run, 1.0)


class Nod(MotionModel):
    """A model that a user derives: one that plays a clip once."""

    name = "nod"

    def parameters(self) -> tuple[Parameter, ...]:
        return ()

    def claims(self, parameters: object) -> Claims:
        return Claims(frozenset({"Head"}))

    def begin(self, time: float, parameters: object, after: Run | None = None) -> Run:
        tree = Succession(()).then(time, biped_wave())
        return Run(self, self.settings(parameters, {}), time, tree, time + 3.0, time, time)


def test_a_model_that_somebody_derives_stops_hard_and_checks_by_itself():
    run = Nod().begin(1.0, {})
    assert Nod().stop_hard(run, 2.0).ends == 2.0 and not isinstance(run, GestureRun)
    with pytest.raises(ClipError, match="'nod' has no parameter 'speed', and no other. Leave it out"):
        Nod().begin(1.0, {"speed": 1.0})
