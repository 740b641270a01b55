"""Strikes and lifts against known contacts, and against what gait laboratories and falling bodies tell.

The independent events are judged first, on gaits whose contacts are known: what they are off by there is taken from
what they say of captured motion.
"""

import json
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from brought_walks import Gait
from scipy.interpolate import CubicSpline
from verbs_adverbs.core.detect.detection import Detection, detect
from verbs_adverbs.core.detect.observed import Observed

from .bvh import Captured
from .detected import FRAME, Events, captured_clip, found_events, misses, within
from .footfalls import GAITS, footfalls
from .independent_events import flights, foot_events
from .known_gaits import RUNS, WALKS_ON_LEGS, body_of, known_gait

EDGE = 0.15
WITHIN_ONE = 0.95
BIAS = 1.0 / 3.0
DOUBLE = 0.015
"""Seconds by which double support may be longer or shorter than by kinematic events."""
WHAT = {"strikes": "down", "lifts": "up", "jolts": "down", "kicks": "up"}
"""What each kind of independent event tells: the first two are kinematic, the others of acceleration."""
WALKS = ("heel first", "flat", "toe first")
ORDERS = {"walk": ("R_down", "L_up", "L_down", "R_up", "R_down"), "run": ("R_down", "R_up", "L_down", "L_up", "R_down")}


def apart(known: Events, found: Events, what: str) -> np.ndarray:
    """Frames by which the found events come after the known strikes, ``'down'``, or lifts, ``'up'``."""
    return misses([event for event in known if event[0].endswith(what)], found)


def told(name: str, differences: np.ndarray) -> str:
    share = 100.0 * np.mean(np.abs(differences) <= 1.0)
    return f"{name} {np.mean(differences):+.2f} +- {np.std(differences):.2f} frames, {share:.0f} % within one"


@pytest.mark.parametrize("name", GAITS)
@pytest.mark.parametrize("rate", [30.0, pytest.param(60.0, marks=pytest.mark.long)])
def test_strikes_and_lifts_of_every_gait_are_found(name: str, rate: float, tell):
    seen, events = footfalls(GAITS[name], rate)
    found = detect(seen)
    strikes, lifts = (apart(within(events, seen, EDGE), found_events(found.contacts), what) for what in ("down", "up"))
    tell(f"  {name}: {told('strikes', strikes)}; {told('lifts', lifts)}")
    for differences in (strikes, lifts):
        assert np.abs(differences).max() <= 1.0
        assert abs(differences.mean()) < BIAS
    assert np.abs(misses(within(found_events(found.contacts), seen, EDGE), events)).max() <= 1.0
    assert {cycle.names for cycle in found.cycles if cycle.lead == "R"} == {ORDERS["run" if "run" in name else "walk"]}


def independent(seen: Observed, hip: np.ndarray, backward: bool = False) -> dict[str, Events]:
    """Events of both feet of each kind, with the names of what they should tell."""
    events: dict[str, Events] = {}
    for foot, (heel, ball, *_) in zip(seen.feet, seen.paths, strict=True):
        found = foot_events(hip, *((ball, heel) if backward else (heel, ball)), seen.times)
        for kind, what in WHAT.items():
            made = [(f"{foot}_{what}", float(time)) for time in getattr(found, kind) if np.isfinite(time)]
            events.setdefault(kind, []).extend(within(made, seen, EDGE))
    return events


@cache
def errors_on_known_walks() -> dict[str, np.ndarray]:
    """Frames by which the kinematic events and those of acceleration come after the known strikes and lifts."""
    errors: dict[str, list[float]] = {kind: [] for kind in WHAT}
    for name in WALKS:
        seen, known = footfalls(GAITS[name])
        for kind, events in independent(seen, seen.root).items():
            errors[kind].extend(-misses(events, known))
    return {kind: np.array(values) for kind, values in errors.items()}


@cache
def captured(folder: Path, verb: str) -> list[tuple[str, Captured, Observed, Detection]]:
    """Clips of a verb, walks that turn among them, with what is detected."""
    clips = json.loads((folder / "keytimes.json").read_text(encoding="utf-8"))["clips"]
    files = [c["file"] for c in clips if c["verb"].replace("-turn-left", "").replace("-turn-right", "") == verb]
    read = [(file, *captured_clip(folder, file)) for file in files]
    return [(file, motion, seen, detect(seen)) for file, motion, seen in read]


def after(mocap: Path, verb: str, kind: str) -> np.ndarray:
    """Frames by which detected events of captured clips come after independent ones."""
    clips = captured(mocap, verb)
    made = [independent(seen, motion.frames()[0][:, 0], verb == "walk-back")[kind] for _, motion, seen, _ in clips]
    return np.concatenate(
        [misses(events, found_events(found.contacts)) for events, (*_, found) in zip(made, clips, strict=True)]
    )


def test_kinematic_events_are_off_by_as_much_in_every_known_walk(tell):
    """So that they can be corrected by it; those of acceleration cannot at thirty frames a second."""
    errors = errors_on_known_walks()
    for kind, values in errors.items():
        tell(f"  known walks: {told(kind, values)}")
    assert np.std(errors["strikes"]) < BIAS
    assert np.std(errors["lifts"]) < BIAS


@pytest.mark.parametrize("kind", ["strikes", "lifts"])
def test_strikes_and_lifts_of_captured_walks_agree_with_kinematic_events(mocap: Path, kind: str, tell):
    raw = after(mocap, "walk", kind)
    differences = raw + errors_on_known_walks()[kind].mean()
    tell(f"  captured walks: {told(kind, raw)}; less the error of these events: {told(kind, differences)}")
    assert len(raw) > 100
    assert np.mean(np.abs(raw) <= 1.0) >= WITHIN_ONE
    assert np.mean(np.abs(differences) <= 1.0) >= WITHIN_ONE
    assert abs(differences.mean()) < BIAS


def test_both_feet_stand_for_as_long_as_in_human_walks(mocap: Path, tell):
    """Ten to twelve hundredths of a cycle at a comfortable pace: Perry, Burnfield, Gait Analysis, 2010."""
    shares = {}
    for file, _, _, found in captured(mocap, "walk"):
        cycle = next(cycle for cycle in found.cycles if cycle.lead == "R")
        begin, lift, _, end, last = cycle.keytimes
        shares[file] = 0.5 * (lift - begin + end - cycle.keytimes[2]) / (last - begin)
    usual = [share for file, share in shares.items() if "bn2_walk_normal" in file]
    everyone = list(shares.values())
    tell(f"  double support: {np.mean(usual):.3f} of the cycle in normal walks, {min(everyone):.3f} at least in others")
    assert 0.09 < np.mean(usual) < 0.13
    assert min(everyone) > 0.05


def swing_of(made: dict[str, Events]) -> float:
    """Seconds from a kinematic lift to the next kinematic strike of the same foot, as they usually are."""
    swings: list[float] = []
    for name, lift in made["lifts"]:
        strikes = [strike for other, strike in made["strikes"] if other[0] == name[0] and strike > lift]
        swings += [min(strikes) - lift] if strikes else []
    return float(np.median(swings))


@cache
def errors_by_swing() -> dict[str, np.ndarray]:
    """Coefficients of the line by which kinematic events of known walks are off, in frames over seconds of swing."""
    swings: list[float] = []
    errors: dict[str, list[float]] = {"strikes": [], "lifts": []}
    for gait in WALKS_ON_LEGS:
        _, seen, known = known_gait(gait)
        made = independent(seen, seen.root)
        swings.append(swing_of(made))
        for kind, found in errors.items():
            found.append(float(-misses(made[kind], known).mean()))
    return {kind: np.polyfit(swings, found, 1) for kind, found in errors.items()}


def test_kinematic_events_of_walks_on_legs_are_off_the_later_the_longer_a_foot_swings(tell):
    """So that those of a captured walk can be corrected by what they are off by in known walks that swing as long."""
    lines = errors_by_swing()
    left: dict[str, list[np.ndarray]] = {"strikes": [], "lifts": []}
    for gait in WALKS_ON_LEGS:
        _, seen, known = known_gait(gait)
        made = independent(seen, seen.root)
        for kind, parts in left.items():
            parts.append(-misses(made[kind], known) - np.polyval(lines[kind], swing_of(made)))
    for kind, parts in left.items():
        early, late = (float(np.polyval(lines[kind], swing)) for swing in (0.3, 0.45))
        tell(f"  known walks on legs: {kind} {early:+.2f} frames off at .3 s of swing, {late:+.2f} at .45 s,")
        tell(f"    and from that line: {told(kind, np.concatenate(parts))}")
        assert np.std(np.concatenate(parts)) < BIAS


def test_strikes_lifts_and_double_support_of_captured_walks_agree_with_kinematic_events(mocap: Path, tell):
    """Less what these are off by in known walks that swing as long."""
    off: dict[str, list[np.ndarray]] = {"strikes": [], "lifts": [], "double support": []}
    for _, motion, seen, found in captured(mocap, "walk"):
        made = independent(seen, motion.frames()[0][:, 0])
        swing, events = swing_of(made), found_events(found.contacts)
        late = {kind: misses(made[kind], events) + np.polyval(line, swing) for kind, line in errors_by_swing().items()}
        for kind, differences in late.items():
            off[kind].append(differences)
        longer = [
            lift - strike
            for (foot, down), strike in zip(made["strikes"], late["strikes"], strict=True)
            for (other, up), lift in zip(made["lifts"], late["lifts"], strict=True)
            if foot[0] != other[0] and 0.0 < up - down < 0.5 * swing
        ]
        off["double support"].append(np.array(longer))
    for kind, parts in off.items():
        tell(f"  captured walks on the whole: {told(kind, np.concatenate(parts))}")
    strikes, lifts, double = (np.concatenate(parts) for parts in off.values())
    assert len(double) > 100
    assert np.mean(np.abs(strikes) <= 1.0) >= WITHIN_ONE
    assert np.mean(np.abs(lifts) <= 1.0) >= WITHIN_ONE
    assert abs(strikes.mean()) < 0.5
    assert abs(lifts.mean()) < BIAS
    assert abs(double.mean()) * FRAME < DOUBLE


def _apart_from_flights(centre: np.ndarray, seen: Observed, events: Events) -> dict[str, list[float]]:
    """Frames by which the nearest lifts and strikes come after the beginnings and ends of flights."""
    times = {what: [time for name, time in events if name.endswith(what)] for what in ("up", "down")}
    first, last = seen.times[0] + EDGE, seen.times[-1] - EDGE
    inside = [span for span in flights(centre, seen.times) if first < span[0] and span[1] < last]
    return {
        what: [min((time - span[end] for time in times[what]), key=abs) / FRAME for span in inside]
        for end, what in enumerate(("up", "down"))
    }


@cache
def errors_of_flights() -> dict[str, np.ndarray]:
    """Frames by which flights of known runs begin after the known lifts, ``'up'``, and end after the strikes."""
    parts = [_apart_from_flights(body_of(captured), seen, known) for captured, seen, known in map(known_gait, RUNS)]
    return {what: -np.concatenate([part[what] for part in parts]) for what in ("up", "down")}


def test_it_is_the_falling_body_that_tells_when_the_feet_of_runs_leave(tell):
    """A foot that runs is farthest behind the hip a frame and more after it has left, and how long depends on it."""
    runs = map(known_gait, RUNS)
    behind = np.concatenate([-misses(independent(seen, seen.root)["lifts"], known) for _, seen, known in runs])
    begins, ends = errors_of_flights().values()
    tell(f"  known runs: {told('kinematic lifts', behind)}; {told('flights begin', begins)}; {told('end', ends)}")
    assert np.abs(behind).min() > 1.0
    for differences in (begins, ends):
        assert np.std(differences) < BIAS
        assert np.abs(differences).max() <= 1.0


def test_strikes_and_lifts_of_known_runs_are_found(tell):
    for what in ("down", "up"):
        parts = [
            apart(within(known, seen, EDGE), found_events(detect(seen).contacts), what)
            for _, seen, known in map(known_gait, RUNS)
        ]
        tell(f"  known runs on legs: {told(what, np.concatenate(parts))}")
        assert np.abs(np.concatenate(parts)).max() <= 1.0
        assert abs(np.concatenate(parts).mean()) < BIAS


@pytest.mark.parametrize("gait", RUNS[:4])
def test_a_foot_that_trails_low_and_slow_after_a_slow_run_has_left_is_in_the_air(gait: Gait):
    _, seen, known = known_gait(gait)
    found = found_events(detect(_trailing(seen, known)).contacts)
    assert np.abs(apart(within(known, seen, EDGE), found, "up")).max() <= 1.0


def _trailing(seen: Observed, known: Events) -> Observed:
    """Return a run whose feet go on late in the air: after a quarter of it they are where they were after an eighth."""
    paths: list[np.ndarray] = []
    for foot, path in zip(seen.feet, seen.paths, strict=True):
        at = seen.times.copy()
        ups, downs = ([time for name, time in known if name == f"{foot}_{what}"] for what in ("up", "down"))
        for up in ups:
            down = min((time for time in downs if time > up), default=up)
            air = (at > up) & (at < down)
            at[air] = up + (down - up) * ((at[air] - up) / (down - up)) ** 1.5
        paths.append(CubicSpline(seen.times, path, axis=1)(at))
    return replace(seen, paths=tuple(paths))


def test_feet_of_captured_runs_are_off_the_floor_while_the_body_falls(mocap: Path, tell):
    """Less what flights of known runs are off by."""
    off: dict[str, list[float]] = {"up": [], "down": []}
    for _, motion, seen, found in captured(mocap, "run"):
        for what, differences in _apart_from_flights(body_of(motion), seen, found_events(found.contacts)).items():
            off[what].extend(differences)
    errors = {what: float(values.mean()) for what, values in errors_of_flights().items()}
    lifts, strikes = (np.array(off[what]) + errors[what] for what in ("up", "down"))
    tell(
        f"  captured runs against flights (off by {errors['up']:+.2f}, {errors['down']:+.2f} where known): "
        f"{told('strikes', strikes)}; {told('lifts', lifts)}"
    )
    assert len(lifts) > 30
    for differences in (strikes, lifts):
        assert abs(differences.mean()) < BIAS
        assert np.mean(np.abs(differences) <= 1.0) >= WITHIN_ONE


def test_points_that_count_as_still_do_not_roll(mocap: Path, tell):
    """Where the heel takes the ball along, it rises by a tenth of a leg and more."""
    rises: list[float] = []
    for _, _, seen, found in captured(mocap, "walk"):
        for foot, path in zip(found.contacts, seen.paths, strict=True):
            ball = path[1]
            for begin, end in foot.points[1].still:
                inside = ball[(seen.times >= begin) & (seen.times <= end)]
                rises.append(float(np.ptp(inside[:, 2])) / seen.leg)
    tell(f"  captured walks: points that are still rise by {np.mean(rises):.4f} leg lengths, {max(rises):.4f} at most")
    assert max(rises) < 0.025
