"""Records: values of figures in one file, so that a figure that gets worse is noticed.

`dev.py bench --record` and `dev.py test --record` write the records and targets in it. Values from before there were
records were copied into it once.
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
"""Environment variables: whether tests write records, and why some get worse; `dev.py test --record` sets them."""

SLOWER = 1.35
"""Factor by which a ratio of times may be worse than its record before it is rejected."""
REPEATED = 1.02
"""Factor by which a figure of a test, which is the same in every run, may be worse before it is rejected."""
CHANGED = 1.1
"""Factor from which a figure is so much better than its record that it should be recorded."""
CHANCE = 1.05
"""Factor by which a median may be worse than its record before it is reported."""


@dataclass(frozen=True)
class Record:
    """The record of a figure.

    Parameters
    ----------
    record : the recorded value.
    target : upper or lower bound of the value; None if it has none.
    unit : unit of all of them; empty for ratios.
    at_least : whether larger is better.
    earlier : the best value from before there were records.
    reason : reason why the record got worse, if it did.
    """

    record: float
    target: float | None
    unit: str = ""
    at_least: bool = False
    earlier: float | None = None
    reason: str = ""

    def worse(self, value: float, than: float) -> float:
        """Return the factor by which one value is worse than another: below 1 if better, nan if not a number."""
        larger, smaller = (than, value) if self.at_least else (value, than)
        if smaller == 0.0:
            return 1.0 if larger == 0.0 else math.inf
        return larger / smaller

    @property
    def missed(self) -> float | None:
        """Factor by which the record is worse than its target; None if it meets it, or has none."""
        times = 1.0 if self.target is None else self.worse(self.record, self.target)
        return times if times > 1.0 else None


def read_records(group: Group) -> dict[str, Record]:
    """Return all records of a group, by the names of their figures."""
    return {name: Record(**row) for name, row in _read().get(group, {}).items()}


def measured(runs: Sequence[Iterable[Figure]]) -> dict[str, Record]:
    """Return records from the figures of some runs only: the median of each figure.

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
    """Write records that are new or better; return sentences on those that were not written since they are worse.

    Parameters
    ----------
    group : group of the figures.
    found : new records.
    reason : reason why some of them are worse; then these are also written.
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
    """Remove records, such as those of figures that meet their targets."""
    gone = set(names)
    _write(group, {name: one for name, one in read_records(group).items() if name not in gone})


def differing(group: Group, figures: Iterable[Figure], worse: float, better: float = math.inf) -> Iterator[str]:
    """Return a sentence for each figure that differs from its record.

    Parameters
    ----------
    group : group of the figures.
    figures : present figures.
    worse, better : factors by which they may differ.
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
    """Replace a group of records in the file; defaults are omitted."""
    usual = {field.name: field.default for field in fields(Record)}
    rows = {name: asdict(records[name]) for name in sorted(records)}
    bare = {name: {key: one for key, one in row.items() if one != usual[key]} for name, row in rows.items()}
    unfinished = FILE.with_suffix(".part")
    unfinished.write_text(json.dumps({**_read(), group: bare}, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    unfinished.replace(FILE)
