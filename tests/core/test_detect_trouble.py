"""Clips that close by themselves, kinds, and what is said when a clip does not hold what a cycle needs."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from verbs_adverbs.core.biped.figure import JOINTS, biped_skeleton
from verbs_adverbs.core.biped.standing import stance
from verbs_adverbs.core.detect.agreement import agree, in_order
from verbs_adverbs.core.detect.contacts import Event
from verbs_adverbs.core.detect.cycles import Cycle, closes, find_cycles
from verbs_adverbs.core.detect.detection import Detection, detect, windows_of_cycle
from verbs_adverbs.core.detect.observed import Observed, leg_length, observe
from verbs_adverbs.core.errors import ExampleError
from verbs_adverbs.core.figure.skeleton import forward_kinematics

from .detected import FRAME, biped_feet, captured_clip, cycles_from, headings, in_place, known_walk, noisy
from .footfalls import GAITS, footfalls

_STEPS = (("R", "down", 0.0), ("L", "up", 0.12), ("L", "down", 0.5), ("R", "up", 0.62), ("R", "down", 1.0))
"""Events of a walk, and shares of its cycle."""


def _part(observed: Observed, first: float, last: float, name: str = "part") -> Observed:
    rows = np.flatnonzero((observed.times >= first - 1e-9) & (observed.times <= last + 1e-9))
    paths = tuple(path[:, rows] for path in observed.paths)
    return replace(
        observed, name=name, times=observed.times[rows], paths=paths, joints=observed.joints[rows],
        headings=observed.headings[rows],
    )  # fmt: skip


def _one_cycle(begin: float, place: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> tuple[Observed, float]:
    """A walk cut to exactly one cycle at such a rate that its last frame is its first, and its period."""
    period = known_walk(*place).period
    return known_walk(*place, rate=32.0 / period, begin=begin, cycles=1.0).observed, period


@pytest.mark.parametrize("begin", [0.0, 0.13, 0.3, 0.5, 0.77])
@pytest.mark.parametrize("on_the_spot", [False, True])
def test_a_single_cycle_that_closes_by_itself_has_its_keytimes_wherever_it_begins(begin: float, on_the_spot: bool):
    clip, period = _one_cycle(begin)
    found = detect(in_place(clip) if on_the_spot else clip)
    cycle = cycles_from(found, "R")[0]
    assert found.cyclic
    assert found.kind == ("in_place" if on_the_spot else "travelling")
    truth = (np.array([0.0, 0.12, 0.5, 0.62, 1.0]) + np.ceil(begin - 1e-9) - begin) * period
    shift = period * np.round((cycle.start - truth[0]) / period)
    assert np.abs(np.array(cycle.keytimes) - truth - shift).max() < FRAME
    assert cycle.duration == pytest.approx(found.period, abs=1e-9) and found.period == pytest.approx(period)


@pytest.mark.parametrize("begin", [0.2, 0.7])
def test_a_loop_that_comes_back_to_its_very_first_pose_is_one_although_its_velocity_jumps_there(begin: float):
    """As where handles lie flat on one side of the seam alone: it begins from rest, and ends in full motion."""
    clip, period = _one_cycle(begin)
    share = (clip.times - clip.times[0]) / period
    rows = share * (0.5 + 0.5 * share) * (len(clip.times) - 1)
    below = np.minimum(rows.astype(int), len(rows) - 2)

    def at(paths: np.ndarray) -> np.ndarray:
        part = (rows - below).reshape(-1, *[1] * (paths.ndim - 1))
        return (1.0 - part) * paths[below] + part * paths[below + 1]

    paths = tuple(np.swapaxes(at(np.swapaxes(path, 0, 1)), 0, 1) for path in clip.paths)
    uneven = replace(clip, paths=paths, joints=at(clip.joints), headings=at(clip.headings))
    assert not closes(uneven)
    found = detect(uneven)
    assert found.cycles and found.period == pytest.approx(period)


def test_left_first_and_right_first_clips_get_one_structure_by_shifting():
    right, left = (known_walk(0.0, 0.0, 0.0, begin=begin, cycles=1.7).observed for begin in (-0.1, 0.4))
    short = known_walk(0.0, 0.0, 0.0, begin=0.4, cycles=1.2).observed
    both = agree([detect(right), detect(left)])
    assert both.names[0] == "R_down"
    assert {cycle.names for cycle in both.chosen if cycle} == {both.names}
    for mixed in (agree([detect(short), detect(left)]), agree([detect(left), detect(short)])):
        assert mixed.names == ("L_down", "R_up", "R_down", "L_up", "L_down")
        assert not mixed.remarks
    beside = agree([detect(right), detect(left)], known=mixed.names)
    assert beside.names == mixed.names and all(cycle and cycle.lead == "L" for cycle in beside.chosen)
    begun = known_walk(0.0, 0.0, 0.0, begin=-0.1, cycles=1.2).observed
    alone = agree([detect(replace(clip, name=str(n))) for n, clip in enumerate((begun, begun, short))])
    assert alone.names[0] == "R_down"
    assert alone.chosen[2] is None
    assert "begin with 'R_down'" in alone.remarks[0]


def test_of_two_feet_the_one_leads_whose_cycles_close():
    found = detect(known_walk(0.0, 0.0, 0.0, begin=-0.1, cycles=4.0).observed)

    def closing(right: float, left: float) -> Detection:
        cycles = (replace(cycle, closing=right if cycle.lead == "R" else left) for cycle in found.cycles)
        return replace(found, cycles=tuple(cycles))

    leads = [agree([closing(*apart)]).names[0] for apart in ((0.02, 0.005), (0.01, 0.008), (2e-4, 0.0))]
    assert leads == ["L_down", "R_down", "R_down"]


@pytest.mark.parametrize(
    ("lasts", "odd"), [(5.0, "it is too long for steps"), (0.2, "it is too short for steps"), (1.0, "")]
)
def test_cycles_no_step_lasts_as_long_as_are_told(lasts: float, odd: str):
    clip = known_walk(0.0, 0.0, 0.0, cycles=4.0).observed
    events = [Event(foot, what, lasts * share) for foot, what, share in _STEPS]
    cycles, remarks = find_cycles(clip, events)
    assert bool(odd) != bool(cycles) and odd in " ".join(remarks)


def test_a_jump_with_both_feet_is_no_cycle():
    clip = known_walk(0.0, 0.0, 0.0, cycles=4.0).observed
    at = {"L_up": 0.6, "L_down": 0.98}
    events = [Event(foot, what, at.get(f"{foot}_{what}", share)) for foot, what, share in _STEPS]
    cycles, remarks = find_cycles(clip, sorted(events, key=lambda event: event.time))
    assert not cycles and "both feet come down at once" in remarks[0]


def test_a_foot_that_does_not_touch_down_once_is_told_with_its_time():
    clip = known_walk(0.0, 0.0, 0.0, cycles=4.0)
    heights = 0.3 * np.exp(-(((clip.observed.times - 1.25) / 0.45) ** 4))
    lifted = clip.observed.paths[0] + heights[:, None] * np.array([0.0, 0.0, 1.0])
    found = detect(replace(clip.observed, paths=(lifted, clip.observed.paths[1])))
    assert any("'L_down' is missing" in remark or "'L_up' is missing" in remark for remark in found.remarks)
    assert len(cycles_from(found, "R")) == 1


def test_a_clip_of_one_step_names_its_strikes():
    clip = known_walk(0.0, 0.0, 0.0, begin=-0.1, cycles=0.75).observed
    found = detect(clip)
    assert found.cycles == ()
    assert "no whole cycle" in found.remarks[-1]
    assert "'L_down' at" in found.remarks[-1]
    assert agree([found]).chosen == (None,)


def test_a_clip_without_any_contact_says_so():
    clip = known_walk(0.0, 0.0, 0.0).observed
    gliding = 3.0 * clip.times[:, None] * np.array([0.6, -0.8, 0.0])
    paths = tuple(np.repeat(path[:, :1], len(clip.times), axis=1) + gliding for path in clip.paths)
    found = detect(replace(clip, paths=paths, joints=clip.joints[:1] + gliding[:, None]))
    assert found.cycles == ()
    assert any("ever touches the floor" in remark for remark in found.remarks), found


def test_one_foot_alone_makes_a_cycle_of_its_own_and_says_so():
    clip = known_walk(0.0, 0.0, 0.0).observed
    found = detect(replace(clip, feet=("R",), points=clip.points[1:], paths=clip.paths[1:]))
    assert found.cycles[0].names == ("R_down", "R_up", "R_down")
    assert any("Only foot 'R'" in remark for remark in found.remarks)


@pytest.mark.parametrize("seed", [1, 2])
def test_noise_that_hides_contacts_is_told(seed: int):
    clip = known_walk(0.0, 0.0, 0.0).observed
    found = detect(noisy(clip, 0.05, seed))
    assert found.remarks[0].startswith("The feet of 'walk' jitter by "), found.remarks
    percent = float(found.remarks[0].split(" %")[0].split()[-1])
    assert abs(percent - 5.0 / clip.leg) < 1.5
    assert not any("jitter" in remark for remark in detect(noisy(clip, 0.003, seed)).remarks)


def test_left_and_right_that_are_swapped_are_told():
    clip = known_walk(0.0, 0.0, 0.0).observed
    swapped = detect(replace(clip, feet=("R", "L")))
    assert any("Left and right are swapped" in remark for remark in swapped.remarks)
    assert cycles_from(swapped, "R")[0].names == ("R_down", "L_up", "L_down", "R_up", "R_down")
    assert not detect(clip).remarks
    assert not any("swapped" in remark for remark in detect(footfalls(GAITS["backward"])[0]).remarks)


def test_captured_clips_are_neither_swapped_nor_noisy(mocap: Path):
    for file in sorted((mocap / "locomotion").glob("*.bvh")):
        said = " ".join(detect(captured_clip(mocap, f"locomotion/{file.name}")[1]).remarks)
        assert "swapped" not in said, file.name
        assert "jitter" not in said, file.name


def test_three_feet_make_one_cycle():
    clip = known_walk(0.0, 0.0, 0.0).observed
    third = known_walk(0.0, 0.0, 0.0, begin=-0.35 + 1.0 / 3.0).observed
    names, paths = (*clip.points, third.points[0]), (*clip.paths, third.paths[0])
    found = detect(replace(clip, feet=("L", "R", "M"), points=names, paths=paths))
    assert sorted(cycles_from(found, "R")[0].names) == sorted(
        ["R_down", "R_down", "R_up", "L_down", "L_up", "M_down", "M_up"]
    )
    assert not found.remarks


@pytest.mark.parametrize("point", [0, 1])
def test_a_foot_of_one_point_has_the_same_cycle(point: int):
    clip = known_walk(0.0, 0.0, 0.0).observed
    names = tuple(names[point : point + 1] for names in clip.points)
    found = detect(replace(clip, points=names, paths=tuple(path[point : point + 1] for path in clip.paths)))
    assert sorted(cycles_from(found, "R")[0].names) == ["L_down", "L_up", "R_down", "R_down", "R_up"]
    assert not found.remarks


def test_standing_is_stationary_and_its_feet_are_down_throughout():
    made, skeleton = stance(), biped_skeleton()
    locations = np.zeros((len(made.times), len(skeleton.names), 3))
    locations[:, 0] = made.root
    frames = forward_kinematics(skeleton, made.rotations, locations)
    leg = leg_length(skeleton, JOINTS["UpperLeg_L"], JOINTS["Foot_L"])
    found = detect(observe("stand", made.times, frames, headings(frames[1]), biped_feet(), leg))
    assert found.kind == "stationary"
    assert found.events == ()
    for point in (point for foot in found.contacts for point in foot.points):
        for windows in (point.windows, point.still):
            ((begin, end),) = windows
            assert begin <= made.times[0] + 1e-9
            assert end >= made.times[-1] - 1e-9


def test_windows_of_a_cycle_are_whole_and_one_for_each_contact():
    known = known_walk(0.0, 0.0, 0.0, begin=-0.05, cycles=1.1)
    found = detect(known.observed)
    cycle = cycles_from(found, "R")[0]
    for foot in found.contacts:
        (window,) = windows_of_cycle(foot.windows, cycle, found)
        assert abs(window[1] - window[0] - 0.62 * known.period) < 2.0 * FRAME


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"feet": []}, "No foot"),
        ({"feet": biped_feet()[:1] * 2}, "Two feet"),
        ({"leg": 0.0}, "zero length"),
        ({"rows": 3}, "3 frames"),
        ({"bad": True}, "no valid position"),
    ],
)
def test_what_cannot_be_looked_at_is_told_in_a_sentence(change: dict, words: str):
    skeleton, rows = biped_skeleton(), change.get("rows", 9)
    rotations = np.tile([1.0, 0.0, 0.0, 0.0], (rows, len(skeleton.names), 1))
    frames = forward_kinematics(skeleton, rotations, np.zeros((rows, len(skeleton.names), 3)))
    if "bad" in change:
        frames[0][4, 2] = np.nan
    with pytest.raises(ExampleError, match=words):
        feet, leg = change.get("feet", biped_feet()), change.get("leg", 0.9)
        observe("clip", np.arange(rows) / 30.0, frames, np.zeros(rows), feet, leg)


WALK = ("L_down", "R_up", "R_down", "L_up", "L_down")


@pytest.mark.parametrize(
    ("names", "times"),
    [
        (("L_down", "L_up", "R_down", "R_up", "L_down"), (0.0, 0.49, 0.515, 0.985, 1.0)),
        (("L_down", "R_down", "L_up", "R_up", "L_down"), (0.0, 0.5, 0.52, 0.997, 1.0)),
        (("L_down", "R_up", "L_up", "R_down", "L_down"), (0.0, 0.01, 0.5, 0.5, 1.0)),
    ],
)
def test_feet_that_come_down_as_others_lift_step_as_those_of_a_walk(names: tuple[str, ...], times: tuple[float, ...]):
    found = in_order(Cycle("L", names, times, 0.0), WALK)
    assert found is not None and found.names == WALK
    assert (found.start, found.end) == (0.0, 1.0) and min(np.diff(found.keytimes)) > 0.005
    known = dict(zip(names[:-1], times[:-1], strict=True))
    moved = np.array([time - known[name] for name, time in zip(WALK[:-1], found.keytimes[:-1], strict=True)])
    assert np.abs(moved - np.round(moved)).max() < 0.05


def test_a_run_does_not_step_as_a_walk():
    run = Cycle("L", ("L_down", "L_up", "R_down", "R_up", "L_down"), (0.0, 0.4, 0.5, 0.9, 1.0), 0.0)
    assert in_order(run, WALK) is None
