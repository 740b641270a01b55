"""All error classes, and helpers that format lists in messages. Messages say what is wrong, where, and what to do."""

from collections.abc import Iterable, Sequence

MOST_LISTED = 4
"""Maximum number of items that a message lists."""
MOST_CHOICES = 12
"""Maximum number of names that a message offers as choices."""
MOST_REMARKS = 3
"""Maximum number of similar remarks that are shown individually."""


def listed(things: Iterable[object], most: int = MOST_LISTED) -> str:
    """Return a text of the first `most` items, separated by commas, and of how many more there are."""
    every = [str(thing) for thing in things]
    return ", ".join(every[:most]) + (f" and {len(every) - most} more" if len(every) > most else "")


def quoted(names: Iterable[object], most: int = MOST_LISTED) -> str:
    """Return names in quotation marks, listed as by `listed`."""
    return listed((f"'{name}'" for name in names), most)


def shortened(remarks: Sequence[str], rest: str) -> tuple[str, ...]:
    """Return the first few of several similar remarks, and a sentence that counts the rest.

    Parameters
    ----------
    remarks : sentences.
    rest : sentence about the remaining ones, with ``{count}`` in place of their number.
    """
    if len(remarks) <= MOST_REMARKS + 1:
        return tuple(remarks)
    return (*remarks[:MOST_REMARKS], rest.format(count=len(remarks) - MOST_REMARKS))


class VerbsError(Exception):
    """Base class of all errors raised on bad input; operators catch only this class."""


class ActionError(VerbsError):
    """An action cannot be read: it is empty, belongs to another armature, or has NaN keys."""


class RigError(VerbsError):
    """An armature or one of its bones cannot be used, such as zero scale or a missing bone."""


class ExampleError(VerbsError):
    """An example's annotation is incomplete, inconsistent, or conflicts with that of its neighbours."""


class VerbError(VerbsError):
    """A verb cannot be built from its examples or played."""


class BasisError(VerbsError):
    """The positions of the examples in the adverb space do not allow interpolation."""


class ClipError(VerbsError):
    """A curve cannot be fitted or evaluated as requested."""


class UntimedError(ClipError):
    """A motion file does not specify its frame rate."""


class GraphError(VerbsError):
    """A verb graph cannot be compiled, or no path leads to a verb.

    Parameters
    ----------
    complaints : one sentence each.
    """

    def __init__(self, *complaints: str) -> None:
        super().__init__(" ".join(shortened(complaints, "{count} more complaints are listed in its panel.")))
        self.complaints = complaints


class ScoreError(VerbsError):
    """A written score cannot be parsed, or uses something that the character does not have."""


class LayerError(VerbsError):
    """A layer, its mask or its motion model is invalid, or cannot be played as requested."""


class WordsError(VerbsError):
    """A file of timed words cannot be read, or its words are not in order of time."""


class GestureError(VerbsError):
    """A gesture, its phases, a blending curve or a schedule is inconsistent, or cannot be planned as requested."""
