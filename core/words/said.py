"""What is said as the objects of JSON have it: a word or a piece of one, checked member by member, and pieces joined.

As OpenAI's code reckons it, the confidence of a word is the mean over its pieces, and punctuation adds nothing to its
time.
"""

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import cast

from ..errors import WordsError

WITHOUT_SPACES = ("CJK", "HIRAGANA", "KATAKANA", "THAI", "LAO", "MYANMAR", "KHMER", "TIBETAN")
"""How the Unicode names of letters of scripts begin that put no spaces between words."""
CJK_BYTES = ("\udce3", "\udce9")
"""First and last of the bytes, as lone surrogates, with which letters of Chinese and Japanese begin in UTF-8."""

Members = dict[str, object]
Span = tuple[float | None, float | None]


@dataclass(frozen=True)
class Said:
    """A word or a piece of one as a transcript has it.

    Parameters
    ----------
    text : with the spaces around it.
    start, end : seconds, None where the transcript has none.
    confidence : from 0 to 1.
    place : where it stands, to begin a sentence with.
    speaker : who says it, empty for nobody.
    segment : seconds between which its segment lies, None where they are not told.
    removed : seconds of silence that its source left out before it, which were added to its times.
    """

    text: str
    start: float | None
    end: float | None
    confidence: float
    place: str
    speaker: str
    segment: Span
    removed: float = 0.0


def members_of(value: object) -> Members:
    """Return the members of an object, none if it is something else."""
    return cast(Members, value) if isinstance(value, dict) else {}


def list_of(value: object, what: str) -> list[object]:
    """Return a list.

    Parameters
    ----------
    value : what should be one.
    what : how it is called inside a sentence.

    Raises
    ------
    WordsError
        If it is none.
    """
    if not isinstance(value, list):
        raise WordsError(f"In it {what} is no list. Export the transcript again.")
    return cast(list[object], value)


def text_of(members: Members, place: str) -> str:
    """Return the text of a word, its bytes put together.

    Raises
    ------
    WordsError
        If it is no text.
    """
    text = members.get("word", members.get("text", ""))
    if not isinstance(text, str):
        raise WordsError(f"{place} has a text that is no text. Write it between double quotes.")
    return text


def number_of(members: Members, name: str, place: str) -> float | None:
    """Return a number of a word or segment, None if it has none.

    Raises
    ------
    WordsError
        If it is no number.
    """
    value = members.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise WordsError(f"{place} has a '{name}' that is no number. Write a number, without quotes.")
    try:
        return float(value)
    except OverflowError:
        return float("inf")


def confidence_of(members: Members, place: str) -> float:
    """Return what a transcript calls score, probability, confidence or p; 1 if it says nothing.

    Raises
    ------
    WordsError
        If it does not lie between 0 and 1.
    """
    for name in ("score", "probability", "confidence", "p"):
        value = number_of(members, name, place)
        if value is not None:
            if not -1e-6 <= value <= 1.0 + 1e-6:
                raise WordsError(f"{place} has {value:g} for its '{name}', which must lie between 0 and 1. Correct it.")
            return min(max(value, 0.0), 1.0)
    return 1.0


def speaker_of(members: Members, otherwise: str = "") -> str:
    """Return who says a word or segment, `otherwise` if it names nobody."""
    value = members.get("speaker", otherwise)
    return whole(value).strip() if isinstance(value, str) else str(value) if isinstance(value, int) else otherwise


def joined(pieces: Sequence[Said]) -> Iterator[Said]:
    """Yield the words whose pieces are given; a space, another speaker or a script without spaces begins a word."""
    groups: list[list[Said]] = []
    for piece in pieces:
        if not groups or piece.speaker != groups[-1][0].speaker or _begins_word(piece.text[:1]):
            groups.append([])
        groups[-1].append(piece)
    for group in groups:
        text = "".join(piece.text for piece in group)
        spoken = [piece for piece in group if any(map(_is_spoken, piece.text))] or group
        timed = [piece for piece in spoken if piece.start is not None and piece.end is not None] or spoken[:1]
        trust = sum(piece.confidence for piece in spoken) / len(spoken)
        yield replace(group[0], text=text, start=timed[0].start, end=timed[-1].end, confidence=trust)


def _is_spoken(letter: str) -> bool:
    """Return whether a letter is one or a digit, or a byte of a torn one."""
    return letter.isalnum() or "\udc80" <= letter <= "\udcff"


def _begins_word(letter: str) -> bool:
    """Return whether a piece that begins with this letter begins a word; it may be the first byte of a torn letter."""
    if not letter or letter.isspace() or CJK_BYTES[0] <= letter <= CJK_BYTES[1]:
        return bool(letter)
    return unicodedata.name(letter, "").startswith(WITHOUT_SPACES)


def whole(text: str) -> str:
    """Return a text whose bytes that are not UTF-8 by themselves are read together, without characters of value 0."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8").replace("\0", "")
