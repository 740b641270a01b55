"""The demo's performances of a minute, with captured and with generated verbs, and checking their figures."""

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
    """A bound for a figure that misses its target or has none: it must not become worse than it was.

    Parameters
    ----------
    target : the figure's target in `demo.targets`, which remains the goal; infinite if there is none.
    bound : the figure as it was measured, rounded away from the target.
    """

    target: float
    bound: float


@dataclass(frozen=True, eq=False)
class Minute:
    """A performance: who performs, what was asked for, the cases that are judged, and how the bake differs from it."""

    cast: Cast
    score: object
    cases: dict[str, Case]
    bake: dict


@cache
def captured_minute(mocap: Path) -> Minute:
    """Return the minute with captured verbs: on level ground, a ramp and stairs, and turning halfway left and right."""
    return _minute(captured_cast(mocap))


@cache
def generated_minute() -> Minute:
    """Return the minute of the biped that the extension ships."""
    return _minute(generated_cast())


def _minute(cast: Cast) -> Minute:
    director = write_script(cast.armature, cast.script)
    graph, score, recordings = performed(cast.armature, director)
    judged = case_of(cast, graph, recordings)
    alone = verbs_alone(cast)
    bake = baked(cast, judged)
    return Minute(cast, score, {"level": judged, **on_floors(cast, graph, score, recordings[0]), **alone}, bake)


def assert_held_to_targets(case: Case, regressions: dict[str, Regression], tell: Callable[[str], None]) -> None:
    """Assert that each figure meets its target, or else is listed in `regressions` and is no worse than its bound."""
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
    """Yield verdicts, and for those that know one the largest figure of any frame as a verdict without a target."""
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
    """Return the regression bounds of figures that have no target.

    Parameters
    ----------
    any_frame : largest slip in any frame inside verbs, cm/s; in transitions it is bounded by `SLIP_IN_TRANSITIONS`.
    off_floor_in_transitions : largest distance from the floor in transitions, cm; None if there are no transitions.
    steps_home : time of steps home, in percent of the time in which points stand.
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
