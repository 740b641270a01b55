"""Tags in a text that request gestures, distinguished from style tags; docs/word-files.md describes them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from html import unescape
from typing import Literal

from ..bounds import WORD_LETTERS
from ..errors import WordsError

STYLES = frozenset(
    ("a", "b", "big", "br", "c", "center", "div", "em", "font", "h1", "h2", "h3", "i", "lang", "p", "rt", "ruby", "s")
    + ("small", "span", "strike", "strong", "sub", "sup", "u", "v")
)
"""Names of tags that style text."""
NOT_UNDERSTOOD = frozenset(("unk", "cutoff", "eps", "sil"))
"""Content of angle brackets for unrecognised words, or for silence."""

LOOK = "look"
"""Name of the tag for a target of gaze."""

_BRACKETS = re.compile(r"<([^<>]*)>")
_TIME = re.compile(r"(?:(\d{1,9}):)?([0-5]?\d):([0-5]?\d)[.,](\d{1,9})")
_NAME = re.compile(r"/|([^\W\d_][\w-]*)(?=[\s./]|$)")
_SPACES = re.compile(r"(\s+)")
_CODES = re.compile(r"\{\\[^{}]*\}")

Kind = Literal["text", "tag", "look", "time", "speaker", "underline"]


@dataclass(frozen=True)
class Piece:
    """A part of a marked text.

    Parameters
    ----------
    kind : ``"text"``, a ``"tag"`` that requests a gesture, a ``"look"``, an inner ``"time"``, the ``"speaker"``
        from here on, or the begin or end of an ``"underline"``.
    text : depending on the kind, the text, the tag with single spaces, the gaze target, the time in seconds, the name,
        or ``"u"`` (begin) and ``"/u"`` (end).
    """

    kind: Kind
    text: str


@dataclass(frozen=True)
class Marked:
    """A word of a marked text.

    Parameters
    ----------
    text : text as shown; empty for a gesture in silence.
    tag : the requested gesture, empty for none.
    start : time in seconds given before it in the text, None for none.
    speaker : speaker named before it, empty for none.
    look : gaze target on it, empty for no change.
    """

    text: str
    tag: str = ""
    start: float | None = None
    speaker: str = ""
    look: str = ""


def seconds_in(text: str) -> float | None:
    """Return the seconds of a time such as ``01:02:03,456``, or None if `text` is not a time.

    Hours may be absent, as in WebVTT, and a full stop may replace SubRip's comma, as in old versions of Whisper.
    """
    parts = _TIME.fullmatch(text.strip())
    if not parts:
        return None
    hours, minutes, seconds, fraction = parts.groups()
    return int(hours or "0") * 3600 + int(minutes) * 60 + float(f"{seconds}.{fraction}")


def pieces_of(text: str) -> Iterator[Piece]:
    """Yield the parts of a text with tags, in order; styles are left out."""
    done = 0
    for brackets in _BRACKETS.finditer(text):
        piece = _piece(brackets[1])
        if piece is None:
            continue
        if brackets.start() > done:
            yield Piece("text", text[done : brackets.start()])
        done = brackets.end()
        if piece.text:
            yield piece
    if done < len(text):
        yield Piece("text", text[done:])


def _piece(inside: str) -> Piece | None:
    """Return the piece between brackets: one without text for a style, None if the brackets are text."""
    seconds = seconds_in(inside)
    if seconds is not None:
        return Piece("time", repr(seconds))
    found = _NAME.match(inside)
    name = (found[1] or "").lower() if found else ""
    if not found or name in NOT_UNDERSTOOD:
        return None
    if name == "u" or inside.lower() == "/u":
        return Piece("underline", name or "/u")
    if name == "v":
        return Piece("speaker", " ".join(unescape(inside).split()[1:]))
    if not name or name in STYLES:
        return Piece("tag", "")
    words = unescape(inside).rstrip("/").split()
    if name == LOOK and len(words) > 1:
        return Piece("look", " ".join(words[1:]))
    return Piece("tag", " ".join(words))


def check_letters(text: str, place: str) -> None:
    """Check that a text is not too long to be searched for words.

    Parameters
    ----------
    text : text with its tags.
    place : where it is in the source, worded to begin a sentence.

    Raises
    ------
    WordsError
        If it has more than `bounds.WORD_LETTERS` letters.
    """
    if len(text) > WORD_LETTERS:
        raise WordsError(f"{place} has {len(text)} letters; the maximum is {WORD_LETTERS}. Split it into parts.")


def marked_words(text: str, place: str) -> tuple[list[Marked], list[str]]:
    """Return the words in the text of a cue or strip, and the tags that had to be left out.

    Words are separated by spaces; a style or a time inside a word, as in songs, does not split it. A tag does not
    belong to punctuation: in ``there <nod>.`` it belongs to ``there``, and in ``<nod> - there`` as well.

    Parameters
    ----------
    text : at most `bounds.WORD_LETTERS` letters.
    place : where it is in the source, worded to begin a sentence.

    Raises
    ------
    WordsError
        If the text is longer.
    """
    check_letters(text, place)
    found = _Words()
    for piece in pieces_of(_CODES.sub("", text)):
        found.add(piece)
    return found.ended()


class _Words:
    """The words of a marked text while it is parsed.

    `asked`, the tag and the look, and `start` belong to the word whose `letters` are being read. `later` is a time read
    inside that word: it is the start of the next word if a space comes before further letters.
    """

    def __init__(self) -> None:
        self.words: list[Marked] = []
        self.dropped: list[str] = []
        self.speaker = self.letters = ""
        self.asked = {"tag": "", "look": ""}
        self.start: float | None = None
        self.later: float | None = None

    def add(self, piece: Piece) -> None:
        """Add a piece of the text to the words so far."""
        if piece.kind == "text":
            for part in _SPACES.split(piece.text):
                self._add_letters(part)
        elif piece.kind == "time":
            self.later = float(piece.text)
        elif piece.kind == "speaker":
            self._end_word()
            self.speaker = piece.text
        elif piece.kind in self.asked:
            self._end_word()
            self._drop(piece.kind)
            self.asked[piece.kind] = piece.text

    def _add_letters(self, part: str) -> None:
        if part.isspace():
            self._end_word()
        elif part:
            if not self.letters and self.later is not None:
                self.start = self.later
            self.later = None
            self.letters += part

    def _end_word(self) -> None:
        text, self.letters = unescape(self.letters), ""
        if text and any(self.asked.values()) and not any(letter.isalnum() for letter in text):
            if self.words:
                self.words[-1] = replace(self.words[-1], text=self.words[-1].text + text)
            else:
                self.words.append(Marked(text, speaker=self.speaker))
        elif text:
            self.words.append(Marked(text, start=self.start, speaker=self.speaker, **self.asked))
            self.asked, self.start = dict.fromkeys(self.asked, ""), None
        if self.later is not None:
            self.start, self.later = self.later, None

    def ended(self) -> tuple[list[Marked], list[str]]:
        """Return the words and the unused tags; trailing tags go to the last word if it has none."""
        self._end_word()
        if any(self.asked.values()) and not self.words:
            self.words.append(Marked("", start=self.start, speaker=self.speaker, **self.asked))
            return self.words, self.dropped
        for kind, text in self.asked.items():
            if text and not getattr(self.words[-1], kind):
                self.words[-1] = replace(self.words[-1], **{kind: text})
            else:
                self._drop(kind)
        return self.words, self.dropped

    def _drop(self, kind: str) -> None:
        if text := self.asked[kind]:
            self.dropped.append(f"{LOOK} {text}" if kind == "look" else text)


def shown(text: str, place: str) -> str:
    """Return a marked text as shown, without tags, times and styles, with single spaces; see `marked_words`."""
    return " ".join(word.text for word in marked_words(text, place)[0] if word.text)
