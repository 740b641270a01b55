"""Laws of a gaze that goes with words: on its target at the word, smooth, eyes first, torso last, in its ellipses."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from verbs_adverbs.core.aim.gaze import turn_head
from verbs_adverbs.core.biped.figure import JOINTS, biped_skeleton, rest_orientations
from verbs_adverbs.core.figure import quaternion as quat
from verbs_adverbs.core.figure.channels import Channels, level_rotations
from verbs_adverbs.core.gesture.gaze_bones import UPWARD, GazeBones, gaze_with
from verbs_adverbs.core.gesture.gazing import SPEED, WAYS, Glance, Path, Target, gazing_of

from .model_clips import biped_cycle, biped_stand
from .test_gaze import AHEAD, EYES, _missed, with_eyes
from .walks import biped_channels

RATE = 240.0
TIMES = np.arange(0.0, 6.0, 1.0 / RATE)
HEAD, LIMIT = JOINTS["Head"], np.radians(106.0)


def bones(eyes: bool) -> GazeBones:
    return GazeBones("Head", ("Neck",), ("Spine", "Chest"), EYES if eyes else (), AHEAD)


@cache
def figure(eyes: bool) -> tuple[Channels, object, np.ndarray]:
    channels = with_eyes()[0] if eyes else biped_channels()
    gaze, front = gaze_with(channels.skeleton, bones(eyes), rest_orientations()[0])
    return channels, gaze, front


def gazing(glances: list[Glance], eyes: bool = False, **more: float):
    _, gaze, front = figure(eyes)
    return gazing_of(gaze, glances, front, **more)  # type: ignore[arg-type]


def walking(times: np.ndarray, eyes: bool = False) -> np.ndarray:
    rows = biped_cycle(0.3).sample(np.mod(times, biped_cycle(0.3).duration))
    rows[:, :3] = 0.0
    if eyes:
        rows = np.concatenate([rows, np.tile([1.0, 0.0, 0.0, 0.0], (len(rows), 2))], axis=1)
    return rows


def standing(times: np.ndarray, eyes: bool = False) -> np.ndarray:
    row = np.zeros((1, walking(np.zeros(1), eyes).shape[1]))
    row[0, 3:10] = *biped_stand().sample([0.0])[0, 3:6], *rest_orientations()[0]
    row[0, 10:].reshape(-1, 4)[:, 0] = 1.0
    return np.repeat(row, len(times), axis=0)


def at(aside: float, rise: float = 0.0, distance: float = 3.0) -> Path:
    """A place that stays, so many degrees to the left and up, seen from about where the eyes are."""
    angle, up = np.radians([aside, rise])
    way = np.array([np.sin(angle) * np.cos(up), -np.cos(angle) * np.cos(up), np.sin(up)])
    return Path(np.zeros(1), (np.array([0.0, -0.1, 1.65]) + distance * way)[None])


def laid(made, times: np.ndarray, rows: np.ndarray, eyes: bool = False) -> np.ndarray:
    return made.laid(figure(eyes)[0], times, rows, np.zeros(len(times)))


def off(rows: np.ndarray, target: Path, times: np.ndarray, eyes: bool = False) -> np.ndarray:
    """Degrees by which the head, or the eyes, miss a place, by SciPy."""
    channels, gaze, _ = figure(eyes)
    seeing = [len(channels.skeleton.names) - 2, len(channels.skeleton.names) - 1] if eyes else [HEAD]
    offset = np.zeros(3) if eyes else gaze.head.offset  # type: ignore[attr-defined]
    places = target.at(times)
    return np.degrees(np.max([_missed(channels, rows, joint, offset, places) for joint in seeing], axis=0))


def turned(rows: np.ndarray, joint: int, eyes: bool = False) -> np.ndarray:
    return level_rotations(figure(eyes)[0], rows)[:, joint]


@pytest.mark.parametrize("eyes", [False, True])
@pytest.mark.parametrize(("aside", "rise"), [(30.0, 0.0), (-70.0, 10.0), (85.0, 0.0), (20.0, 50.0), (-40.0, -40.0)])
def test_the_gaze_is_on_its_target_at_the_word_and_stays(eyes: bool, aside: float, rise: float) -> None:
    target, rows = at(aside, rise), walking(TIMES, eyes)
    made = laid(gazing([Glance(2.0, target)], eyes), TIMES, rows, eyes)
    missed = off(made, target, TIMES, eyes)
    assert missed[TIMES >= 2.0].max() < 0.1
    assert missed[TIMES < 0.5].min() > 0.5 * abs(aside)
    assert np.array_equal(made[TIMES < 0.3], rows[TIMES < 0.3])
    legs = [6 + 4 * JOINTS[f"{bone}_{side}"] for bone in ("UpperLeg", "UpperArm", "LowerArm") for side in "LR"]
    assert np.array_equal(made[:, legs], rows[:, legs]) and np.array_equal(made[:, :10], rows[:, :10])


def test_a_figure_that_is_given_up_is_how_far_it_reaches() -> None:
    _, gaze, _ = figure(False)
    reach = np.degrees(gaze.aside)  # type: ignore[attr-defined]
    assert 90.0 < reach < 100.0
    for eyes in (False, True):
        most = np.degrees(figure(eyes)[1].aside)  # type: ignore[attr-defined]
        for angle, reached in ((most - 3.0, True), (most + 20.0, False)):
            target = at(angle, distance=50.0)
            made = laid(gazing([Glance(2.0, target)], eyes), TIMES[-5:], standing(TIMES[-5:], eyes), eyes)
            print(f"{angle:.0f} degrees aside are missed by {off(made, target, TIMES[-5:], eyes)[-1]:.2f}")
            assert bool(off(made, target, TIMES[-5:], eyes).max() < 0.1) == reached


CLOCK = np.arange(0.0, 6.01, 0.25)
ANGLES = np.radians(65.0 + 60.0 * np.sin(2.0 * CLOCK))
MOVING = Path(CLOCK, np.stack([3.0 * np.sin(ANGLES), -3.0 * np.cos(ANGLES), np.full(len(CLOCK), 1.8)], axis=-1))
"""Goes round the figure, out of its reach and back."""


def glances() -> list[Glance]:
    """Words that are far apart and too close, to places that stay and one that moves, in reach and out of it."""
    given: list[tuple[float, Target]] = [(1.0, at(60.0)), (1.3, at(-50.0, 20.0)), (2.4, MOVING), (4.0, at(130.0))]
    return [Glance(*one) for one in [*given, (4.8, WAYS["away"]), (5.4, None)]]


@pytest.mark.parametrize("eyes", [False, True])
def test_it_goes_on_without_a_jump_in_pose_or_speed(eyes: bool) -> None:
    """Halving the step halves the change of the speed from one step to the next, and that is small."""
    changes = []
    for rate in (1920.0, 3840.0):
        times = np.arange(0.0, 6.0, 1.0 / rate)
        made = laid(gazing(glances(), eyes), times, standing(times, eyes), eyes)
        joints = figure(eyes)[1].own.channels  # type: ignore[attr-defined]
        worst = 0.0
        for joint, _ in joints:
            own = turned(made, joint, eyes)
            speed = quat.log(quat.multiply(quat.conjugate(own[:-1]), own[1:])) * rate
            worst = max(worst, float(np.abs(np.diff(speed, axis=0)).max()))
        changes.append(worst)
    print("changes of the speed from step to step, radians a second:", changes)
    assert changes[1] < 0.6 * changes[0] and changes[0] < 0.5


def test_the_head_keeps_its_speed_and_the_eyes_lead() -> None:
    target, rows = at(70.0), standing(TIMES, True)
    for speed in (SPEED, np.radians(100.0)):
        made = laid(gazing([Glance(3.0, target)], True, speed=speed), TIMES, rows, True)
        angles = sum(
            quat.angle_between(turned(made, JOINTS[name], True)[:-1], turned(made, JOINTS[name], True)[1:])
            for name in ("Spine", "Chest", "Neck", "Head")
        )
        assert 0.75 * speed < float(angles.max()) * RATE < 1.001 * speed
        firsts = [
            TIMES[np.argmax(quat.angle_between(turned(made, joint, True), turned(rows, joint, True)) > 1e-4)]
            for joint in (len(JOINTS), HEAD, JOINTS["Chest"])
        ]
        assert firsts[0] + 0.05 < firsts[1] < firsts[2] - 0.05
    made = laid(gazing([Glance(3.0, at(25.0))], True), TIMES, rows, True)
    before = off(made, at(25.0), TIMES, True)
    head = np.degrees(quat.angle_between(turned(made, HEAD, True), turned(made, HEAD, True)[-1]))
    assert before[np.argmax(head < 0.8 * head[0])] < 2.0


def swings(rows: np.ndarray, name: str, below: np.ndarray | None = None) -> np.ndarray:
    """How far (T, 2) a joint turns up or down and aside, from rest or from what lies below, by SciPy."""
    rests = biped_skeleton()
    turns = [Rotation.from_quat(turned(one, JOINTS[name])[:, [1, 2, 3, 0]]) for one in (rows, below) if one is not None]
    own = turns[0] if below is None else turns[1].inv() * turns[0]
    rest = Rotation.identity()
    for joint in rests.chain(JOINTS[name])[::-1]:
        given = rest_orientations()[:1] if joint == 0 else rests.rests[joint][None]
        rest = rest * Rotation.from_quat(given[0][[1, 2, 3, 0]])
    facing = (rest * own * rest.inv()).apply(AHEAD)
    axis = np.cross(AHEAD, facing)
    sine = np.linalg.norm(axis, axis=1)
    swing = axis / np.maximum(sine, 1e-300)[:, None] * np.arctan2(sine, facing @ AHEAD)[:, None]
    return np.degrees(swing[:, [0, 2]])


def test_ellipses_are_kept_and_the_torso_helps_beyond_comfort() -> None:
    rng = np.random.default_rng(5)
    asides = np.r_[rng.uniform(-179.0, 179.0, 400), np.linspace(0.0, 44.0, 50)]
    rises = np.r_[rng.uniform(-80.0, 80.0, 400), np.zeros(50)]
    rows, found = standing(np.zeros(1)), []
    for aside, rise in zip(asides, rises, strict=True):
        made = laid(gazing([Glance(0.0, at(aside, rise, 40.0))]), np.array([1.0]), rows)
        head, neck = (swings(made, name)[0] for name in ("Head", "Neck"))
        torso = [swings(made, name, rows)[0] for name in ("Spine", "Chest")]
        assert np.hypot(head[0] / UPWARD, head[1]) < 50.0 + 1e-6 and np.hypot(neck[0] / UPWARD, neck[1]) < 30.0 + 1e-6
        assert max(np.hypot(*one / [UPWARD, 1.0]) for one in torso) < 15.5
        found.append(max(np.hypot(*one) for one in torso))
    assert max(found[-50:]) < 0.01
    far = [
        one for one, aside, rise in zip(found, asides, rises, strict=True) if 95 < abs(aside) < 140 and abs(rise) < 15
    ]
    assert len(far) > 5 and min(far) > 12.0


def test_the_torso_does_not_take_what_the_head_leaves() -> None:
    channels, gaze, _ = figure(False)
    rows = standing(np.zeros(1))
    made = turn_head(replace(gaze, reach=(9.0, 9.0)), channels, rows, at(140.0).places).rows  # type: ignore[type-var]
    assert abs(swings(made, "Head")[0, 1]) == pytest.approx(50.0, abs=0.01)
    assert max(np.hypot(*swings(made, name, rows)[0]) for name in ("Spine", "Chest")) < 15.0


def test_at_once_and_one_by_one_are_the_same() -> None:
    made, rows = gazing(glances(), True), walking(TIMES, True)
    whole = laid(made, TIMES, rows, True)
    chosen = np.arange(0, len(TIMES), 7)
    single = np.concatenate([laid(made, TIMES[n : n + 1], rows[n : n + 1], True) for n in chosen])
    assert np.abs(single - whole[chosen]).max() < 1e-12


def test_a_head_that_looks_at_nothing_is_as_it_is_below() -> None:
    rows = walking(TIMES)
    made = laid(gazing([Glance(2.0, at(50.0)), Glance(4.0, None)]), TIMES, rows)
    assert np.abs(made[TIMES > 4.0] - rows[TIMES > 4.0]).max() < 1e-12
    stays = laid(gazing([Glance(2.0, at(50.0))], stays=1.0), TIMES, rows)
    assert off(stays, at(50.0), TIMES)[(TIMES > 2.0) & (TIMES < 3.0)].max() < 0.1
    assert np.abs(stays[TIMES > 5.5] - rows[TIMES > 5.5]).max() < 1e-12


def test_directions_are_seen_from_where_the_figure_faces() -> None:
    rows = standing(TIMES)
    rows[:, 2] = 1.1
    for name, sign in (("left", 1.0), ("right", -1.0)):
        made = laid(gazing([Glance(2.0, WAYS[name])]), TIMES, rows)
        aside = swings(made, "Head")[-1, 1] + swings(made, "Neck")[-1, 1]
        assert 40.0 < sign * aside < 60.0
    up, down = (swings(laid(gazing([Glance(2.0, WAYS[name])]), TIMES, rows), "Head")[-1, 0] for name in ("up", "down"))
    assert up * down < 0.0 and abs(up) > 10.0


def test_away_is_the_other_side_and_down() -> None:
    rows = standing(TIMES)
    for aside in (40.0, 0.0, -40.0):
        made = laid(gazing([Glance(2.0, at(aside)), Glance(4.0, WAYS["away"])]), TIMES, rows)
        assert swings(made, "Head")[-1, 1] * (1.0 if aside >= 0.0 else -1.0) < -10.0


def test_a_place_inside_the_head_is_not_looked_at() -> None:
    rows = standing(TIMES)
    for place in ([0.0, -0.09, 1.66], [0.0, -0.05, 1.65], [0.03, -0.12, 1.68]):
        made = laid(gazing([Glance(2.0, Path(np.zeros(1), np.array([place])))]), TIMES, rows)
        assert (
            np.isfinite(made).all()
            and np.degrees(quat.angle_between(turned(made, HEAD), turned(rows, HEAD))).max() < 15
        )


def test_a_gaze_that_is_stopped_lets_go() -> None:
    made, rows = gazing(glances()), standing(TIMES)
    stopped = made.stopped(1.1)
    early = TIMES < 1.1
    assert np.abs(laid(stopped, TIMES, rows) - laid(made, TIMES, rows))[early].max() < 1e-12
    late = np.array([stopped.over])
    assert np.abs(laid(stopped, late, rows[:1]) - rows[:1]).max() < 1e-12


def test_looks_that_are_said_live_begin_then_without_a_jump_and_none_is_lost() -> None:
    """Neither looks of words that are not said any more, nor a look ahead among them, are kept."""
    made = gazing([Glance(1.0, at(30.0)), Glance(9.0, at(-40.0)), Glance(12.0, None)])
    time, fresh = 4.0, [Glance(4.1, at(20.0)), Glance(4.2, at(-20.0))]
    later, rows = made.followed(time, fresh), standing(TIMES)
    assert [one.target for one in later.glances] == [made.glances[0].target, fresh[0].target, fresh[1].target]
    begins = [one.time for one in later.glances[1:]]
    assert begins[0] >= time and begins[1] > begins[0]
    shown = laid(later, TIMES, rows)
    assert np.abs(shown - laid(made, TIMES, rows))[time > TIMES].max() < 1e-12
    assert np.degrees(np.abs(np.diff(shown[:, 10:], axis=0)).max()) < np.degrees(SPEED) / RATE
    assert off(shown[-1:], at(-20.0), TIMES[-1:])[0] < 0.1
