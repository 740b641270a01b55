"""Minutes performed by the demo's casts, captured and generated, and how their figures are held to their targets."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from verbs_adverbs.demo.cast import Cast, captured_cast, generated_cast
from verbs_adverbs.demo.measuring import Case, case_of
from verbs_adverbs.demo.perform import baked, on_floors, performed, verbs_alone
from verbs_adverbs.demo.script import write_script
from verbs_adverbs.demo.targets import NO_TARGET, Verdict, verdicts

SLIP_IN_TRANSITIONS = 0.01


@dataclass(frozen=True)
class Regression:
    """A figure that misses its target, or has none: what it came to when it was measured, which it may not exceed.

    Parameters
    ----------
    target : of `demo.targets`, which stays the goal; infinite where there is none.
    bound : the figure as it was, rounded away from the target.
    """

    target: float
    bound: float


@dataclass(frozen=True, eq=False)
class Minute:
    """A cast's performance: what it was asked for, the cases that are judged, and how its bake differs."""

    cast: Cast
    score: object
    cases: dict[str, Case]
    bake: dict


@cache
def captured_minute(mocap: Path) -> Minute:
    """The minute of captured verbs: on the level, on a ramp and on stairs, and a turn halfway left and right."""
    return _minute(captured_cast(mocap))


@cache
def generated_minute() -> Minute:
    """The minute of the biped that the extension ships."""
    return _minute(generated_cast())


def _minute(cast: Cast) -> Minute:
    director = write_script(cast.armature, cast.script)
    graph, score, recordings = performed(cast.armature, director)
    judged = case_of(cast, graph, recordings)
    alone = verbs_alone(cast)
    bake = baked(cast, judged)
    return Minute(cast, score, {"level": judged, **on_floors(cast, graph, score, recordings[0]), **alone}, bake)


def assert_held_to_targets(case: Case, regressions: dict[str, Regression], tell: Callable[[str], None]) -> None:
    """Every figure meets its target; those that miss it, or have none, are listed and come to no more than they did."""
    found = verdicts(case.figures)
    tell("\n".join(f"  {verdict.line}" for verdict in found))
    named = {verdict.what: verdict for verdict in _each(found)}
    loose = {what for what, verdict in named.items() if not verdict.met or math.isinf(verdict.limit)}
    assert [named[what].line for what in loose - regressions.keys()] == [], "these miss their targets"
    assert [named[what].line for what in regressions.keys() - loose] == [], "met: take their regression bounds away"
    for what, regression in regressions.items():
        assert named[what].limit == regression.target, f"{what}: the target is not what it was"
        assert _no_worse(named[what], regression), f"{named[what].line}: worse than {regression.bound:g}, as it was"


def _each(found: list[Verdict]) -> Iterator[Verdict]:
    """Verdicts, and the largest figures of any frame as verdicts without a target."""
    for verdict in found:
        yield verdict
        if verdict.any_frame is not None:
            yield Verdict(f"{verdict.what}, of any frame", verdict.any_frame, NO_TARGET, True)


def _no_worse(verdict: Verdict, regression: Regression) -> bool:
    if "share" in verdict.what:
        return verdict.figure >= regression.bound
    return verdict.figure <= regression.bound


def without_target(
    any_frame: float, off_floor_in_transitions: float | None = None, steps_home: float = 0.0
) -> dict[str, Regression]:
    """Regression bounds of what has no target.

    Parameters
    ----------
    any_frame : largest slip of any frame inside verbs, cm/s; in transitions it was `SLIP_IN_TRANSITIONS` at most.
    off_floor_in_transitions : centimetres, None for what has no transitions.
    steps_home : per cent of the time of standing points.
    """
    passes = off_floor_in_transitions is not None
    slips = {"inside verbs": any_frame} | ({"in transitions": SLIP_IN_TRANSITIONS} if passes else {})
    found = {"steps home: % of the time of standing points": Regression(NO_TARGET, steps_home)}
    for where, bound in slips.items():
        for kind in ("still", "locked"):
            found[f"{where}: slip where {kind}, cm/s, of any frame"] = Regression(NO_TARGET, bound)
    if off_floor_in_transitions is not None:
        found["in transitions: off the floor, cm"] = Regression(NO_TARGET, off_floor_in_transitions)
    return found
