"""One line of the bench, and the table of all of them."""

from collections.abc import Sequence
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

    def cells(self) -> tuple[str, str, str, str, str]:
        """The line of the table."""
        unit = f" {self.unit}" if self.unit else ""
        value, bound = f"{self.value:.3g}{unit}", "at least" if self.at_least else "at most"
        if self.target is None:
            return self.name, value, "none", "", self.beside
        return self.name, value, f"{bound} {self.target:g}{unit}", _yes(self.met), self.beside


def _yes(met: bool) -> str:
    return "yes" if met else "NO"


def table(figures: Sequence[Figure]) -> str:
    """Figures in columns: figure, value, target, met, and the times beside."""
    rows = [("figure", "value", "target", "met", "measured"), *(figure.cells() for figure in figures)]
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    lines = ["  ".join([*(c.ljust(w) for c, w in zip(row, widths, strict=False)), row[4]]) for row in rows]
    return "\n".join([lines[0], "-" * max(map(len, lines)), *lines[1:]])
