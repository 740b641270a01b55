"""The one tree of errors, whose messages say what is wrong, where, and what to do; and lists of any length in words."""

from collections.abc import Iterable, Sequence

MOST_LISTED = 4
"""Things that a sentence lists one by one."""
MOST_CHOICES = 12
"""Names that a sentence offers to choose from."""
MOST_REMARKS = 3
"""Similar remarks that are shown one by one."""


def listed(things: Iterable[object], most: int = MOST_LISTED) -> str:
    """Return things for a sentence, with commas between them: the first `most`, and how many more there are."""
    every = [str(thing) for thing in things]
    return ", ".join(every[:most]) + (f" and {len(every) - most} more" if len(every) > most else "")


def quoted(names: Iterable[object], most: int = MOST_LISTED) -> str:
    """Return names in quotation marks for a sentence, as `listed` lists them."""
    return listed((f"'{name}'" for name in names), most)


def shortened(remarks: Sequence[str], rest: str) -> tuple[str, ...]:
    """Return the first of some similar remarks, and a sentence that counts the others.

    Parameters
    ----------
    remarks : sentences.
    rest : the sentence about the others, with ``{count}`` where their number belongs.
    """
    if len(remarks) <= MOST_REMARKS + 1:
        return tuple(remarks)
    return (*remarks[:MOST_REMARKS], rest.format(count=len(remarks) - MOST_REMARKS))


class VerbsError(Exception):
    """Root of everything this project raises on bad input; operators catch this class alone."""


class ActionError(VerbsError):
    """An action cannot be read: empty, of another armature, with NaN keys."""


class RigError(VerbsError):
    """An armature or one of its bones does not fit: zero scale, a missing bone."""


class ExampleError(VerbsError):
    """An example's annotation is incomplete or contradicts itself or its neighbours."""


class VerbError(VerbsError):
    """A verb cannot be built from its examples or played."""


class BasisError(VerbsError):
    """Examples do not lie in the adverb space as interpolation needs."""


class ClipError(VerbsError):
    """A curve cannot be fitted or evaluated as asked."""


class UntimedError(ClipError):
    """A file of motion does not tell how many frames a second it has."""


class GraphError(VerbsError):
    """A verb graph cannot be compiled, or a verb cannot be reached in it.

    Parameters
    ----------
    complaints : each of them a sentence.
    """

    def __init__(self, *complaints: str) -> None:
        super().__init__(" ".join(shortened(complaints, "{count} more complaints stand in its panel.")))
        self.complaints = complaints


class ScoreError(VerbsError):
    """A written score cannot be understood, or asks for what a character does not have."""


class LayerError(VerbsError):
    """A layer, its mask or its motion model does not fit, or cannot be played as asked."""


class WordsError(VerbsError):
    """A file of words and their times cannot be read, or words do not follow one another in time."""


class GestureError(VerbsError):
    """A gesture, its phases, a blending curve or a schedule contradicts itself, or cannot be planned as asked."""
