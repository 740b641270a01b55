"""The demo's performances of a minute, with captured and with generated verbs, and checking their figures."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from records import assert_held
from verbs_adverbs.demo.cast import Cast, captured_cast, generated_cast
from verbs_adverbs.demo.measuring import Case, case_of
from verbs_adverbs.demo.perform import baked, on_floors, performed, verbs_alone
from verbs_adverbs.demo.script import write_script
from verbs_adverbs.demo.targets import Verdict, verdicts
from verbs_adverbs.dev.figure import Figure

SLIP_OF_ANY_FRAME = 0.01
"""Centimetres a second."""


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


def assert_held_to_targets(case: Case, where: str, tell: Callable[[str], None]) -> None:
    """Assert that each figure meets its target, or else is as its record; in no frame points slide more than a little.

    Parameters
    ----------
    case : what is judged.
    where : the performance and its floor, with which the names of its records begin.
    tell : takes lines of text for the summary.
    """
    found = verdicts(case.figures)
    tell("\n".join(f"  {verdict.line}" for verdict in found))
    assert_held(where, [_figure(verdict) for verdict in found])
    slides = {verdict.what: verdict.any_frame for verdict in found if verdict.any_frame is not None}
    assert {what: slip for what, slip in slides.items() if slip > SLIP_OF_ANY_FRAME} == {}


def _figure(verdict: Verdict) -> Figure:
    target = None if math.isinf(verdict.limit) else verdict.limit
    return Figure(verdict.what, verdict.figure, target, "", "", at_least=verdict.at_least)
