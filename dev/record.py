"""Records: what figures came to, in one file, so that a figure that gets worse is noticed.

`dev.py bench --record` and `dev.py test --record` write the records and targets in it. What was reached before there
were records was copied into it once.
"""

from __future__ import annotations

import json
import math
import statistics
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, fields, replace
from typing import Any, Literal

from .cache import ROOT
from .figure import Figure
from .saying import Stop

FILE = ROOT / "bench" / "record.json"
Group = Literal["bench", "quick", "tests"]
WRITES, REASON = "VERBS_ADVERBS_RECORD", "VERBS_ADVERBS_REASON"
"""Environment variables: whether tests write records, and why some become worse; `dev.py test --record` sets them."""

SLOWER = 1.35
"""How many times worse than its record a ratio of times is refused."""
REPEATED = 1.02
"""How many times worse than its record a figure of a test is refused: it is the same in every run."""
CHANGED = 1.1
"""A figure this many times better than its record should be recorded."""
CHANCE = 1.05
"""How many times worse than its record a median may be before it is reported."""


@dataclass(frozen=True)
class Record:
    """What is known of a figure.

    Parameters
    ----------
    record : what it came to.
    target : what it should be at most, or at least; None where it has none.
    unit : of all of them; empty for ratios.
    at_least : whether larger is better.
    earlier : the best that was reached before there were records.
    reason : why the record was made worse, if it was.
    """

    record: float
    target: float | None
    unit: str = ""
    at_least: bool = False
    earlier: float | None = None
    reason: str = ""

    def worse(self, value: float, than: float) -> float:
        """How many times worse one value is than another: below 1 if it is better, nan if it is no number."""
        larger, smaller = (than, value) if self.at_least else (value, than)
        if smaller == 0.0:
            return 1.0 if larger == 0.0 else math.inf
        return larger / smaller

    @property
    def missed(self) -> float | None:
        """How many times worse than its target the record is; None if it meets it, or has none."""
        times = 1.0 if self.target is None else self.worse(self.record, self.target)
        return times if times > 1.0 else None


def read_records(group: Group) -> dict[str, Record]:
    """All records of a group, by the names of their figures."""
    return {name: Record(**row) for name, row in _read().get(group, {}).items()}


def measured(runs: Sequence[Iterable[Figure]]) -> dict[str, Record]:
    """What records would be by some runs alone, the figures of each: the median of each figure.

    Raises
    ------
    Stop
        If one is not a number.
    """
    found: dict[str, list[Figure]] = {}
    for figure in (figure for run in runs for figure in run):
        if not math.isfinite(figure.value):
            raise Stop(f"{figure.name} is {figure.value}: no records are written.")
        found.setdefault(figure.name, []).append(figure)
    medians = {name: statistics.median(figure.value for figure in several) for name, several in found.items()}
    return {
        name: Record(float(f"{medians[name]:.4g}"), one.target, one.unit, one.at_least)
        for name, (one, *_) in found.items()
    }


def write_records(group: Group, found: dict[str, Record], reason: str = "") -> list[str]:
    """Write records that are new or better; returns in sentences which ones were left since they are worse.

    Parameters
    ----------
    group : of the figures.
    found : what they come to now.
    reason : why some of them are worse; then these are written too.
    """
    records, left = read_records(group), []
    for name, new in found.items():
        old = records.get(name, new)
        new = replace(new, earlier=old.earlier, reason=old.reason)
        worse = old.worse(new.record, old.record)
        if worse > CHANCE and reason:
            new = replace(new, reason=reason)
        elif worse > 1.0:
            new = replace(new, record=old.record)
            left += [f"{name}: worse than its record, {worse:.2f} times. Give a --reason."] if worse > CHANCE else []
        elif worse < 1.0 / CHANCE:
            new = replace(new, reason="")
        records[name] = new
    _write(group, records)
    return left


def forget_records(group: Group, names: Iterable[str]) -> None:
    """Take records away, as those of figures that meet their targets."""
    gone = set(names)
    _write(group, {name: one for name, one in read_records(group).items() if name not in gone})


def differing(group: Group, figures: Iterable[Figure], worse: float, better: float = math.inf) -> Iterator[str]:
    """Say in a sentence each which figures differ from their records.

    Parameters
    ----------
    group : of the figures.
    figures : as they are now.
    worse, better : by how many times they may.
    """
    records = read_records(group)
    for figure in figures:
        record, said = records.get(figure.name), f"{figure.name}: {figure.value:.4g}"
        if record is None:
            yield f"{said} has no record. Write it with --record."
        elif record.target != figure.target:
            yield f"{said}, its target is {figure.target}, in the file of records {record.target}."
        elif not record.worse(figure.value, record.record) <= worse:
            yield f"{said} is more than {worse:g} times worse than its record, {record.record:g}."
        elif record.worse(record.record, figure.value) > better:
            much = f"more than {better:g} times better"
            yield f"{said} is {much} than its record, {record.record:g}. Write it with --record."


def _read() -> dict[str, dict[str, dict[str, Any]]]:
    return json.loads(FILE.read_text(encoding="utf-8")) if FILE.is_file() else {}


def _write(group: Group, records: dict[str, Record]) -> None:
    """Put a group of records in the place of those in the file; what is as by default is left out."""
    usual = {field.name: field.default for field in fields(Record)}
    rows = {name: asdict(records[name]) for name in sorted(records)}
    bare = {name: {key: one for key, one in row.items() if one != usual[key]} for name, row in rows.items()}
    unfinished = FILE.with_suffix(".part")
    unfinished.write_text(json.dumps({**_read(), group: bare}, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    unfinished.replace(FILE)
