"""One figure of the bench, and the table of all figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isnan


@dataclass(frozen=True)
class Figure:
    """A measured value and its target.

    Parameters
    ----------
    name : what was measured.
    value : the measured value.
    target : upper or lower bound of the value; None if it is only reported.
    unit : unit of both; empty for ratios.
    at_least : whether larger is better.
    beside : the times behind the value, in words.
    """

    name: str
    value: float
    target: float | None
    unit: str
    beside: str
    at_least: bool = False

    @property
    def met(self) -> bool:
        """Return whether the value meets the target, if there is one; NaN does not."""
        if self.target is None:
            return not isnan(self.value)
        return self.value >= self.target if self.at_least else self.value <= self.target

    def better_of(self, again: Figure) -> Figure:
        """Return the repeated measurement `again` if it is better or this one is NaN; otherwise this one."""
        better = again.value > self.value if self.at_least else again.value < self.value
        return again if better or isnan(self.value) else self

    @property
    def in_words(self) -> str:
        """Return the value with its unit."""
        return in_words(self.value, self.unit)

    @property
    def bound_in_words(self) -> str:
        """Return the target with its unit."""
        return bound_in_words(self.target, self.unit, self.at_least)


def in_words(value: float | None, unit: str) -> str:
    """Return a value with its unit; empty if there is none."""
    return "" if value is None else f"{value:.3g} {unit}".rstrip()


def bound_in_words(target: float | None, unit: str, at_least: bool) -> str:
    """Return a target with its unit."""
    return "none" if target is None else f"at {'least' if at_least else 'most'} {in_words(target, unit)}"


def table(figures: Sequence[Figure], records: Mapping[str, float]) -> str:
    """Return figures as a table: figure, value, record, target, met, and the times."""
    rows = [("figure", "value", "record", "target", "met", "measured"), *(_cells(one, records) for one in figures)]
    widths = [max(len(row[column]) for row in rows) for column in range(5)]
    lines = ["  ".join([*(c.ljust(w) for c, w in zip(row, widths, strict=False)), row[5]]) for row in rows]
    return "\n".join([lines[0], "-" * max(map(len, lines)), *lines[1:]])


def _cells(one: Figure, records: Mapping[str, float]) -> tuple[str, str, str, str, str, str]:
    record = f"{records[one.name]:.3g}" if one.name in records else ""
    met = "" if one.target is None else "yes" if one.met else "NO"
    return one.name, one.in_words, record, one.bound_in_words, met, one.beside
