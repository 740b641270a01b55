"""The command `targets`: the page of targets and results, made from the file of records."""

from __future__ import annotations

from collections.abc import Iterator

from .cache import ROOT
from .figure import bound_in_words, in_words
from .record import CHANGED, REPEATED, SLOWER, Group, Record, read_records

PAGE = ROOT / "docs" / "targets.md"
HEAD = f"""# Targets

All figures that have a record: those of the bench, and those of tests that miss their target or have none.
`python3 dev.py targets` makes this page from [`bench/record.json`](../bench/record.json).

- **Record**: what the figure came to; of the benches, the median of several runs.
- The quick bench, `python3 dev.py bench --quick`, is what each change must pass: it refuses a figure that is more than
  {SLOWER:g} times worse than its record. It counts processor time, and Blender has one thread in it, so that what else
  the machine does changes little. The bench, `python3 dev.py bench`, counts seconds, and Blender has all its threads,
  as users have them; the targets are meant for these.
- **Earlier**: the best value reported before there were records, measured by the bench or the test of that time.
  Where it is better than the record, the figure had become worse before anybody noticed.
- A test whose target is missed holds its record instead: it fails if the figure is more than {REPEATED:g} times worse,
  and also if it is more than {CHANGED:g} times better and the record is not written.
"""
SECTIONS: dict[Group, str] = {
    "quick": "The quick bench",
    "bench": "The bench",
    "tests": "Targets that tests miss, and figures without one",
}


def write_page() -> int:
    """Write docs/targets.md; return exit code 0."""
    PAGE.write_text(page(), encoding="utf-8")
    return 0


def page() -> str:
    """Return the text of docs/targets.md."""
    parts = [HEAD]
    for group, title in SECTIONS.items():
        records = read_records(group)
        if not records:
            continue
        missed = sum(record.missed is not None for record in records.values())
        said = f"{len(records)} figures, of which {missed} miss their targets."
        parts.append("\n".join([f"## {title}\n\n{said}\n", *_rows(records)]) + "\n")
    return "\n".join(parts)


def _rows(records: dict[str, Record]) -> Iterator[str]:
    yield "| Figure | Target | Record | Times worse than target | Earlier | Why the record was made worse |"
    yield "|---|---|---|---|---|---|"
    for name, record in sorted(records.items()):
        cells = [name, bound_in_words(record.target, record.unit, record.at_least)]
        cells += [in_words(record.record, record.unit), in_words(record.missed, "")]
        cells += [in_words(record.earlier, record.unit), record.reason]
        yield f"| {' | '.join(cells)} |"
