"""The command `targets`: the page of targets and of what is reached, made from the file of records."""

from __future__ import annotations

from collections.abc import Iterator

from .cache import ROOT
from .record import CHANGED, SLOWER, Group, Record, read_records

PAGE = ROOT / "docs" / "targets.md"
HEAD = f"""# Targets

All figures that have a record: those of the bench, and those of tests that miss their target or have none.
`python3 dev.py targets` makes this page from [`bench/record.json`](../bench/record.json).

- **Record**: what the figure came to; of the bench, the median of several runs. `python3 dev.py bench --quick`, which
  each change must pass, measures the figures with a dot, and refuses one that is more than {SLOWER:g} times worse.
- **Earlier**: the best value reported before there were records, measured by the bench or the test of that time.
  Where it is better than the record, the figure had become worse before anybody noticed.
- A test whose target is missed holds its record instead: it fails if the figure is more than {CHANGED:g} times worse,
  and also if it is more than {CHANGED:g} times better and the record is not written.
"""
SECTIONS: dict[Group, str] = {"bench": "The bench", "tests": "Targets that tests miss, and figures without one"}


def write_page() -> int:
    """Write docs/targets.md; returns exit code 0."""
    PAGE.write_text(page(), encoding="utf-8")
    return 0


def page() -> str:
    """The text of docs/targets.md."""
    parts = [HEAD]
    for group, title in SECTIONS.items():
        records = read_records(group)
        missed = sum(record.missed is not None for record in records.values())
        said = f"{len(records)} figures, of which {missed} miss their targets."
        parts.append("\n".join([f"## {title}\n\n{said}\n", *_rows(records)]) + "\n")
    return "\n".join(parts)


def _rows(records: dict[str, Record]) -> Iterator[str]:
    yield "| Figure | Target | Record | Times worse than target | Earlier | Why the record was made worse |"
    yield "|---|---|---|---|---|---|"
    for name, record in sorted(records.items(), key=lambda item: (not item[1].quick, item[0])):
        dot = "• " if record.quick else ""
        cells = [dot + name, _target(record), _number(record.record, record.unit)]
        cells += [_number(record.missed, ""), _number(record.earlier, record.unit), record.reason]
        yield f"| {' | '.join(cells)} |"


def _target(record: Record) -> str:
    bound = "at least" if record.at_least else "at most"
    return f"{bound} {_number(record.target, record.unit)}" if record.target is not None else "none"


def _number(value: float | None, unit: str) -> str:
    return "" if value is None else f"{value:.3g} {unit}".rstrip()
