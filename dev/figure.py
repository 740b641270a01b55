"""One line of the bench, and the table of all of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isnan


@dataclass(frozen=True)
class Figure:
    """A measured value and what it should be.

    Parameters
    ----------
    name : what was measured.
    value : what came out.
    target : what it should be at most, or at least; None where it is only told.
    unit : of both; empty for ratios.
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
        """Whether the value is as good as the target, if there is one; a value that is not a number is not."""
        if self.target is None:
            return not isnan(self.value)
        return self.value >= self.target if self.at_least else self.value <= self.target

    def better_of(self, again: Figure) -> Figure:
        """The same figure measured again, if that came out better or the first is not a number; or else this one."""
        better = again.value > self.value if self.at_least else again.value < self.value
        return again if better or isnan(self.value) else self

    @property
    def in_words(self) -> str:
        """The value with its unit."""
        return in_words(self.value, self.unit)

    @property
    def bound_in_words(self) -> str:
        """The target with its unit."""
        return bound_in_words(self.target, self.unit, self.at_least)


def in_words(value: float | None, unit: str) -> str:
    """A value with its unit; nothing if there is none."""
    return "" if value is None else f"{value:.3g} {unit}".rstrip()


def bound_in_words(target: float | None, unit: str, at_least: bool) -> str:
    """A target with its unit."""
    return "none" if target is None else f"at {'least' if at_least else 'most'} {in_words(target, unit)}"


def table(figures: Sequence[Figure], records: Mapping[str, float]) -> str:
    """Figures in columns: figure, value, record, target, met, and the times beside."""
    rows = [("figure", "value", "record", "target", "met", "measured"), *(_cells(one, records) for one in figures)]
    widths = [max(len(row[column]) for row in rows) for column in range(5)]
    lines = ["  ".join([*(c.ljust(w) for c, w in zip(row, widths, strict=False)), row[5]]) for row in rows]
    return "\n".join([lines[0], "-" * max(map(len, lines)), *lines[1:]])


def _cells(one: Figure, records: Mapping[str, float]) -> tuple[str, str, str, str, str, str]:
    record = f"{records[one.name]:.3g}" if one.name in records else ""
    met = "" if one.target is None else "yes" if one.met else "NO"
    return one.name, one.in_words, record, one.bound_in_words, met, one.beside
