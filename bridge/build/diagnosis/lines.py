"""Lines of a verb's report: sentences, how serious they are, which examples they are about, and what mends them."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Literal

from bpy.types import PropertyGroup, bpy_prop_collection

Kind = Literal["INFO", "WARNING", "ERROR"]
KINDS = ("ERROR", "WARNING", "INFO")
"""Kinds of sentences, the most serious first."""


@dataclass(frozen=True)
class Mend:
    """What the button beside a line does; its identifiers are those of `schema.MENDS`.

    Parameters
    ----------
    mend : what is done, ``'NONE'`` for nothing.
    other : row of a second example in the verb's list, -1 for none.
    number : row of a keytime, or the degree of a kernel; -1 for neither.
    frame : frame that a keytime moves to.
    word : name of an adverb, or identifier of a kernel.
    """

    mend: str = "NONE"
    other: int = -1
    number: int = -1
    frame: float = 0.0
    word: str = ""


NOTHING = Mend()


@dataclass(frozen=True)
class Line:
    """A sentence about a verb.

    Parameters
    ----------
    kind : how serious it is.
    text : the sentence.
    row : row of the example that it is about in the verb's list, -1 for none.
    mend : what would mend it.
    """

    kind: Kind
    text: str
    row: int = -1
    mend: Mend = NOTHING

    @property
    def guilty(self) -> tuple[int, ...]:
        """Rows of the examples that something is wrong with."""
        return () if self.kind == "INFO" else tuple(row for row in (self.row, self.mend.other) if row >= 0)


def serious_first(lines: Iterable[Line]) -> tuple[Line, ...]:
    """Return lines with the most serious ones first; those that are equally serious stay in their order."""
    return tuple(sorted(lines, key=lambda line: KINDS.index(line.kind)))


def keep_lines(stored: bpy_prop_collection, lines: Iterable[Line]) -> None:
    """Store lines in the place of those that are stored."""
    stored.clear()
    for line in lines:
        entry = stored.add()
        entry.kind, entry.text, entry.row = line.kind, line.text, line.row
        for name, value in asdict(line.mend).items():
            setattr(entry, name, value)


def kept_lines(stored: Iterable[PropertyGroup]) -> tuple[Line, ...]:
    """Return stored lines.

    A kind or mend that a damaged or newer file has, and this version does not know, is read as an empty text.
    """
    return tuple(
        Line(
            entry.kind or "INFO",
            entry.text,
            entry.row,
            Mend(entry.mend or "NONE", entry.other, entry.number, entry.frame, entry.word),
        )
        for entry in stored
    )
