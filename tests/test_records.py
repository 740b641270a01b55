"""Records of figures: what is refused, what is written, and the page that is made from them."""

import math
from pathlib import Path

import pytest
from verbs_adverbs.dev import record, targets
from verbs_adverbs.dev.figure import Figure
from verbs_adverbs.dev.record import CHANGED, SLOWER, Record, differing, measured, read_records, write_records
from verbs_adverbs.dev.saying import Stop


@pytest.fixture(autouse=True)
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file of two records: less of one is better, more of the other."""
    monkeypatch.setattr(record, "FILE", tmp_path / "record.json")
    write_records("bench", {"cost": Record(2.0, 0.5, earlier=0.4), "gain": Record(10.0, 40.0, at_least=True)})
    return record.FILE


def _cost(value: float, target: float | None = 0.5) -> Figure:
    return Figure("cost", value, target, "", "")


def _gain(value: float) -> Figure:
    return Figure("gain", value, 40.0, "", "", at_least=True)


@pytest.mark.parametrize("figure", [_cost(2.72), _gain(7.35), _cost(math.nan), _cost(math.inf), _gain(0.0)])
def test_what_is_slower_than_its_record_allows_is_refused(figure: Figure):
    assert len(list(differing("bench", [figure], SLOWER))) == 1


@pytest.mark.parametrize("figure", [_cost(2.68), _gain(7.46), _cost(0.1), _gain(100.0)])
def test_what_is_about_as_fast_as_its_record_is_not(figure: Figure):
    assert list(differing("bench", [figure], SLOWER)) == []


def test_a_figure_without_a_record_or_with_another_target_is_refused():
    (unknown,) = differing("bench", [Figure("new", 1.0, 1.0, "", "")], SLOWER)
    (moved,) = differing("bench", [_cost(2.0, target=3.0)], SLOWER)
    assert "has no record" in unknown
    assert "its target is 3.0, in the file of records 0.5" in moved


@pytest.mark.parametrize("figure", [_cost(2.3), _gain(8.0)])
def test_a_figure_of_a_test_that_is_worse_is_refused(figure: Figure):
    (said,) = differing("bench", [figure], CHANGED, CHANGED)
    assert "more than 1.1 times worse" in said


@pytest.mark.parametrize("figure", [_cost(1.7), _gain(12.0)])
def test_a_figure_of_a_test_that_is_better_is_refused_until_it_is_written(figure: Figure):
    (said,) = differing("bench", [figure], CHANGED, CHANGED)
    assert "more than 1.1 times better" in said and "--record" in said


def test_records_become_better_without_a_reason_and_worse_only_with_one():
    assert write_records("bench", measured([[_cost(1.0), _gain(10.0)]])) == []
    assert read_records("bench")["cost"].record == 1.0
    (left,) = write_records("bench", measured([[_cost(3.0), _gain(20.0)]]))
    assert "cost: worse than its record, 3.00 times" in left
    assert read_records("bench") == {"cost": Record(1.0, 0.5, earlier=0.4), "gain": Record(20.0, 40.0, at_least=True)}
    assert write_records("bench", measured([[_cost(3.0), _gain(20.0)]]), "feet are held too") == []
    assert read_records("bench")["cost"] == Record(3.0, 0.5, earlier=0.4, reason="feet are held too")
    assert read_records("bench")["gain"].reason == ""


def test_a_reason_is_forgotten_when_the_figure_is_better_again():
    write_records("bench", measured([[_cost(3.0)]]), "feet are held too")
    write_records("bench", measured([[_cost(2.9)]]))
    assert read_records("bench")["cost"].reason == "feet are held too"
    write_records("bench", measured([[_cost(2.0)]]))
    assert read_records("bench")["cost"] == Record(2.0, 0.5, earlier=0.4)


def test_what_is_no_number_becomes_no_record():
    with pytest.raises(Stop, match="cost is nan"):
        measured([[_cost(1.0)], [_cost(math.nan)]])


def test_the_record_is_the_median_of_the_runs():
    runs = [[_cost(value)] for value in (5.0, 1.0, 2.0, 9.0, 3.0)]
    assert measured(runs) == {"cost": Record(3.0, 0.5)}


def test_the_page_says_by_how_much_a_target_is_missed():
    rows = targets.page().splitlines()
    assert "| cost | at most 0.5 | 2 | 4 | 0.4 |  |" in rows
    assert "| gain | at least 40 | 10 | 4 |  |  |" in rows


def test_the_page_in_the_documents_is_made_from_the_records(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.undo()
    assert targets.PAGE.read_text(encoding="utf-8") == targets.page(), "write it with `python3 dev.py targets`"
