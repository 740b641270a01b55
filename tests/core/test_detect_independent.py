"""Strikes and lifts against known contacts, and against what gait laboratories and falling bodies tell.

The independent events are judged first, on gaits whose contacts are known: what they are off by there is taken from
what they say of captured motion.
"""

import json
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from verbs_adverbs.core.detect.detection import Detection, detect
from verbs_adverbs.core.detect.observed import Observed

from .bvh import Captured
from .detected import FRAME, Events, captured_clip, found_events, misses, within
from .footfalls import GAITS, footfalls
from .independent_events import GRAVITY, centre_of_mass, flights, foot_events

EDGE = 0.15
WITHIN_ONE = 0.95
BIAS = 1.0 / 3.0
WHAT = {"strikes": "down", "lifts": "up", "jolts": "down", "kicks": "up"}
"""What each kind of independent event tells: the first two are kinematic, the others of acceleration."""
WALKS = ("heel first", "flat", "toe first")
ORDERS = {
    "walk": ("R_down", "L_up", "L_down", "R_up", "R_down"),
    "run": ("R_down", "R_up", "L_down", "L_up", "R_down"),
}


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


def _known_flight(contact: float, flight: float) -> tuple[float, float]:
    """Seconds from known lifts and strikes to those that `flights` tells, where the floor's force is a half sine."""
    fine = np.arange(0.0, 6.0 * (contact + flight), 1e-4)
    own = fine % (contact + flight)
    peak = GRAVITY * (contact + flight) * np.pi / (2.0 * contact)
    force = np.where(own < contact, peak * np.sin(np.pi * np.clip(own / contact, 0.0, 1.0)), 0.0)
    height = np.cumsum(np.cumsum(force - GRAVITY) * 1e-4) * 1e-4
    height -= np.linspace(0.0, height[-1], len(height))
    times = np.arange(0.0, fine[-1], FRAME)
    centre = np.stack([0.0 * times, 0.0 * times, np.interp(times, fine, height)], axis=-1)
    spans = [span for span in flights(centre, times) if 1.0 < span[0] < fine[-1] - 0.6]
    cycle = contact + flight
    lifts = [(a - contact + 0.5 * cycle) % cycle - 0.5 * cycle for a, _ in spans]
    strikes = [(b + 0.5 * cycle) % cycle - 0.5 * cycle for _, b in spans]
    return float(np.mean(lifts)), float(np.mean(strikes))


def test_feet_of_captured_runs_are_off_the_floor_while_the_body_falls(mocap: Path, tell):
    """A flight's ends are known to about two thirds of a frame at thirty frames a second."""
    lift_error, strike_error = (value / FRAME for value in _known_flight(0.26, 0.11))
    strikes: list[float] = []
    lifts: list[float] = []
    for _, motion, seen, found in captured(mocap, "run"):
        skeleton = motion.skeleton
        centre = centre_of_mass(skeleton.names, skeleton.parents, motion.frames()[0])
        ends = {
            what: [time for name, time in found_events(found.contacts) if name.endswith(what)]
            for what in ("down", "up")
        }
        for begin, end in flights(centre, seen.times):
            if seen.times[0] + EDGE < begin and end < seen.times[-1] - EDGE:
                lifts.append(min((time - begin for time in ends["up"]), key=abs) / FRAME + lift_error)
                strikes.append(min((time - end for time in ends["down"]), key=abs) / FRAME + strike_error)
    tell(
        f"  captured runs against flights (off by {lift_error:+.2f}, {strike_error:+.2f} where known): "
        f"{told('strikes', np.array(strikes))}; {told('lifts', np.array(lifts))}"
    )
    assert len(lifts) > 30
    for differences in (np.array(strikes), np.array(lifts)):
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
