"""How long phases beside a rest last: as recorded where there is time, slower where the rest would be a moment only."""

from dataclasses import replace

import numpy as np
import pytest
from verbs_adverbs.core.gesture.body_planner import Request, usual_manners
from verbs_adverbs.core.gesture.plan import Placed, plan_of

from .made_gestures import gestures

PREPARES, RELAXES = 0.5, 0.5
"""Seconds from start to stroke_start, and from relax to end, of the made gestures as they are recorded."""
GAPS = np.arange(1.5, 6.0, 0.02)
FIRST = 2.0


def two(gap: float, longest: float) -> tuple[Placed, ...]:
    """Two gestures with their emphases some seconds apart, as they are placed."""
    both = [replace(gestures()[name], bounds=(0.7, longest)) for name in ("beat", "point")]
    asked = [Request(FIRST + row * gap, (one,), one.name) for row, one in enumerate(both)]
    return plan_of(asked, usual_manners(both)).placed


def lengths(gap: float, longest: float) -> tuple[float, float, float]:
    """Seconds for which the first of two gestures relaxes, of rest after it, and for which the second is prepared."""
    first, second = (one.sync for one in two(gap, longest))
    return (first["end"] - first["relax"], second["start"] - first["end"], second["stroke_start"] - second["start"])


def resting(longest: float) -> list[tuple[float, float, float]]:
    """Lengths at those gaps at which the hand comes to rest between two gestures, whatever the bound."""
    return [lengths(gap, longest) for gap in GAPS if all("end" in one.sync for one in two(gap, longest)[:1])]


@pytest.mark.parametrize(
    "longest", [1.0, pytest.param(1.25, marks=pytest.mark.long), 1.5, pytest.param(3.0, marks=pytest.mark.long)]
)
def test_no_phase_beside_a_rest_lasts_longer_than_its_bound_and_none_meets_the_next(longest: float) -> None:
    found = np.array(resting(longest))
    assert len(found) > 100
    relaxes, rests, prepares = found.T
    assert rests.min() > -1e-9
    assert relaxes.max() <= longest * RELAXES + 1e-9 and prepares.max() <= longest * PREPARES + 1e-9
    if longest > 1.0:
        assert prepares.max() > (1.0 + 0.9 * (longest - 1.0)) * PREPARES


def test_a_moment_of_rest_is_shorter_the_longer_phases_may_last() -> None:
    gaps = [gap for gap in GAPS if 0.05 < lengths_or_none(gap)[1] < 0.8]
    assert len(gaps) > 10
    for gap in gaps:
        relaxed, rested, prepared = lengths(gap, 1.5)
        before = lengths(gap, 1.0)
        assert rested < before[1]
        assert relaxed > before[0] and prepared > before[2]


def lengths_or_none(gap: float) -> tuple[float, float, float]:
    """Lengths where phases last no longer than recorded; no rest where the hand comes to none."""
    return lengths(gap, 1.0) if "end" in two(gap, 1.0)[0].sync else (0.0, 0.0, 0.0)


def test_where_there_is_time_phases_last_as_recorded() -> None:
    for one in (lengths(6.0, 1.5), lengths(9.0, 1.5)):
        assert one[0] == pytest.approx(lengths(6.0, 1.0)[0]) and one[2] == pytest.approx(PREPARES)
    (alone,) = plan_of([Request(FIRST, (gestures()["beat"],), "beat")], usual_manners([gestures()["beat"]])).placed
    assert alone.sync["stroke_start"] - alone.sync["start"] == pytest.approx(PREPARES)


def test_a_word_that_is_said_a_little_later_moves_no_phase_by_much_more() -> None:
    step = float(GAPS[1] - GAPS[0])
    found = {round(gap, 3): two(gap, 1.5) for gap in GAPS}
    ends = [(gap, one[0].sync["end"]) for gap, one in found.items() if "end" in one[0].sync]
    for (gap, end), (later, then) in zip(ends, ends[1:], strict=False):
        if later - gap < 1.5 * step:
            assert abs(then - end) < 2.0 * step
