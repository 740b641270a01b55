"""Parsing of words or pieces of words from JSON objects, checked member by member, and joining of pieces.

As in OpenAI's code, the confidence of a word is the mean over its pieces, and punctuation does not extend its time.
"""

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import cast

from ..errors import WordsError

WITHOUT_SPACES = ("CJK", "HIRAGANA", "KATAKANA", "THAI", "LAO", "MYANMAR", "KHMER", "TIBETAN")
"""Prefixes of the Unicode names of letters in scripts without spaces between words."""
CJK_BYTES = ("\udce3", "\udce9")
"""First and last of the bytes, as lone surrogates, that begin Chinese and Japanese letters in UTF-8."""

Members = dict[str, object]
Span = tuple[float | None, float | None]


@dataclass(frozen=True)
class Said:
    """A word or a piece of one in a transcript.

    Parameters
    ----------
    text : text with the spaces around it.
    start, end : seconds, None if the transcript has none.
    confidence : confidence of its source in it, from 0 to 1.
    place : where it is in the file, worded to begin a sentence, such as "Token 3 of entry 2".
    speaker : its speaker, empty if unknown.
    segment : start and end of its segment in seconds, None if unknown.
    removed : seconds of silence that its source cut out before it; they have been added back to its times.
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
    """Return the members of a JSON object; empty if `value` is something else."""
    return cast(Members, value) if isinstance(value, dict) else {}


def list_of(value: object, what: str) -> list[object]:
    """Check and return a list.

    Parameters
    ----------
    value : value that should be a list.
    what : what the value is called within a sentence.

    Raises
    ------
    WordsError
        If it is not a list.
    """
    if not isinstance(value, list):
        raise WordsError(f"In it {what} is not a list. Export the transcript again.")
    return cast(list[object], value)


def text_of(members: Members, place: str) -> str:
    """Return the text of a word, decoded from its bytes.

    Raises
    ------
    WordsError
        If it is not text.
    """
    text = members.get("word", members.get("text", ""))
    if not isinstance(text, str):
        raise WordsError(f"{place} has a text that is not text. Write it between double quotes.")
    return text


def number_of(members: Members, name: str, place: str) -> float | None:
    """Return a number of a word or segment, None if it has none.

    Raises
    ------
    WordsError
        If it is not a number.
    """
    value = members.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise WordsError(f"{place} has a '{name}' that is not a number. Write a number, without quotes.")
    try:
        return float(value)
    except OverflowError:
        return float("inf")


def confidence_of(members: Members, place: str) -> float:
    """Return the confidence in a word, from its score, probability, confidence or p; 1 if it has none of them.

    Raises
    ------
    WordsError
        If it is not between 0 and 1.
    """
    for name in ("score", "probability", "confidence", "p"):
        value = number_of(members, name, place)
        if value is not None:
            if not -1e-6 <= value <= 1.0 + 1e-6:
                raise WordsError(f"{place} has {value:g} for its '{name}', which must be between 0 and 1. Correct it.")
            return min(max(value, 0.0), 1.0)
    return 1.0


def speaker_of(members: Members, otherwise: str = "") -> str:
    """Return the speaker of a word or segment, `otherwise` if none is given."""
    value = members.get("speaker", otherwise)
    return whole(value).strip() if isinstance(value, str) else str(value) if isinstance(value, int) else otherwise


def joined(pieces: Sequence[Said]) -> Iterator[Said]:
    """Yield words joined from pieces; a space, another speaker or a script without spaces begins a word."""
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
    """Return whether a character is a letter, a digit, or a byte of a split letter."""
    return letter.isalnum() or "\udc80" <= letter <= "\udcff"


def _begins_word(letter: str) -> bool:
    """Return whether a piece that begins with this letter begins a word; it may be the first byte of a split letter."""
    if not letter or letter.isspace() or CJK_BYTES[0] <= letter <= CJK_BYTES[1]:
        return bool(letter)
    return unicodedata.name(letter, "").startswith(WITHOUT_SPACES)


def whole(text: str) -> str:
    """Return a text with split UTF-8 bytes decoded together, without null characters."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8").replace("\0", "")
