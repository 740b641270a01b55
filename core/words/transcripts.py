"""Transcripts in JSON, as speech recognisers write them.

- OpenAI Whisper (``whisper --word_timestamps True --output_format json``): ``segments`` with ``words``, each with
  ``word``, ``start``, ``end`` in seconds and ``probability``. Its web interface puts ``words`` beside the segments.
  Variants call the word ``text`` and the probability ``confidence``.
- WhisperX (README, "Limitations"): the same with ``score``. Words without a letter that its aligner knows, such as
  "2014.", have no times; ``speaker`` names who speaks, if it was asked.
- whisper.cpp (``whisper-cli --output-json-full``): ``transcription``, whose entries have ``offsets`` in milliseconds
  and ``tokens``: pieces of words with ``offsets`` and probability ``p``. A piece that begins with a space begins a
  word, and so does one in a script without spaces; ``[_BEG_]`` and its like are not spoken. With ``--max-len 1`` the
  entries themselves are the pieces. Many versions tear a letter of several bytes between two pieces (whisper.cpp,
  report 1798), so the bytes are put together again before they are read as letters.

As OpenAI's code reckons it, the confidence of a word is the mean over its pieces, and punctuation adds nothing to its
time.
Words without times are given what lies between their neighbours.
"""

import json
import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import cast

from ..bounds import WORD_PIECES
from ..errors import WordsError
from .tags import marked_words
from .word import GUESSED, Found, Utterance, Word, check_count, check_times, in_order, shared_out

LONGEST_GUESS = 0.6
"""Most seconds that a word without times is given where nothing else bounds it."""
WHISPER = "Run Whisper with --word_timestamps True, or WhisperX, which always times words."
WHISPER_CPP = "Run whisper.cpp with --output-json-full, or with --max-len 1."

WITHOUT_SPACES = ("CJK", "HIRAGANA", "KATAKANA", "THAI", "LAO", "MYANMAR", "KHMER", "TIBETAN")
"""How the Unicode names of letters of scripts begin that put no spaces between words."""
CJK_BYTES = ("\udce3", "\udce9")
"""First and last of the bytes, as lone surrogates, with which letters of Chinese and Japanese begin in UTF-8."""

_SPECIAL = re.compile(r"\s*(?:\[_[A-Za-z]+_.*\]|<\|.*\|>)\s*")

Members = dict[str, object]


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
    """

    text: str
    start: float | None
    end: float | None
    confidence: float
    place: str
    speaker: str
    segment: tuple[float | None, float | None]


def words_in_transcript(text: str) -> Utterance:
    """Return the words of a transcript in JSON.

    Parameters
    ----------
    text : the file, in which bytes that are not UTF-8 stand as lone surrogates ("surrogateescape").

    Raises
    ------
    WordsError
        If it is no JSON, is cut off, is none of the transcripts above or has no times of words, or if times are absurd.
    UnicodeError
        If what a word is made of is not UTF-8, or is half a letter.
    """
    said = [one for one in _counted(_said(_parsed(text))) if one.text.strip()]
    check_count(len(said))
    return in_order(_timed(said))


def _parsed(text: str) -> object:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        ends = error.pos >= len(text.rstrip()) - 1 or error.msg.startswith("Unterminated")
        mend = "The file seems cut off: export it again." if ends else "Correct it there, or export the file again."
        raise WordsError(
            f"Line {error.lineno}, column {error.colno}, is no JSON ({error.msg.lower()}). {mend}"
        ) from error
    except RecursionError as error:
        raise WordsError("Its brackets are nested too deeply for a transcript. Export the transcript again.") from error
    except ValueError as error:
        raise WordsError("It has a number of thousands of digits. Export the transcript again.") from error


def _said(value: object) -> Iterator[Said]:
    """Yield the words of a transcript of any kind."""
    top = _members(value)
    if "transcription" in top:
        yield from _joined(_counted(_pieces(_list(top["transcription"], "'transcription'"))))
        return
    segments = [_members(one) for one in _list(top.get("segments", []), "'segments'")]
    single = _list(top.get("words") or top.get("word_segments") or [], "'words'")
    if any(segment.get("words") for segment in segments):
        for number, segment in enumerate(segments, 1):
            yield from _segment(segment, f"segment {number}")
    elif single:
        for number, word in enumerate(single, 1):
            yield _word(_members(word), f"Word {number}", "", (None, None))
    elif segments:
        raise WordsError(f"It has segments, but no words with times. {WHISPER}")
    else:
        raise WordsError(
            "It is JSON, but has neither 'segments' nor 'words' nor a 'transcription' with something in it, as the"
            f" transcripts of Whisper, WhisperX and whisper.cpp do. {WHISPER}"
        )


def _counted(said: Iterator[Said]) -> list[Said]:
    """Return words or pieces in a list, if there are not too many."""
    found = list(islice(said, WORD_PIECES + 1))
    if len(found) > WORD_PIECES:
        raise WordsError(f"It has more than {WORD_PIECES} words or pieces of words. Cut it into several files.")
    return found


def _members(value: object) -> Members:
    return cast(Members, value) if isinstance(value, dict) else {}


def _list(value: object, what: str) -> list[object]:
    if not isinstance(value, list):
        raise WordsError(f"In it {what} is no list. Export the transcript again.")
    return cast(list[object], value)


def _text(members: Members, place: str) -> str:
    """Return the text of a word, its bytes put together."""
    text = members.get("word", members.get("text", ""))
    if not isinstance(text, str):
        raise WordsError(f"{place} has a text that is no text. Write it between double quotes.")
    return text


def _number(members: Members, name: str, place: str) -> float | None:
    """Return a number of a word or segment, None if it has none."""
    value = members.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise WordsError(f"{place} has a '{name}' that is no number. Write a number, without quotes.")
    try:
        return float(value)
    except OverflowError:
        return float("inf")


def _confidence(members: Members, place: str) -> float:
    """Return what a transcript calls score, probability, confidence or p; 1 if it says nothing."""
    for name in ("score", "probability", "confidence", "p"):
        value = _number(members, name, place)
        if value is not None:
            if not -1e-6 <= value <= 1.0 + 1e-6:
                raise WordsError(f"{place} has {value:g} for its '{name}', which must lie between 0 and 1. Correct it.")
            return min(max(value, 0.0), 1.0)
    return 1.0


def _speaker(members: Members, otherwise: str = "") -> str:
    value = members.get("speaker", otherwise)
    return _whole(value).strip() if isinstance(value, str) else str(value) if isinstance(value, int) else otherwise


def _word(members: Members, place: str, speaker: str, segment: tuple[float | None, float | None]) -> Said:
    start, end = _number(members, "start", place), _number(members, "end", place)
    said = _speaker(members, speaker)
    return Said(_text(members, place), start, end, _confidence(members, place), place, said, segment)


def _segment(segment: Members, name: str) -> Iterator[Said]:
    """Yield the words of a segment of Whisper or WhisperX; if it has none, those of its text, without times."""
    place = name.capitalize()
    speaker = _speaker(segment)
    span = _number(segment, "start", place), _number(segment, "end", place)
    _check_span(span, place)
    words = _list(segment.get("words") or [], f"'words' of {name}")
    for number, word in enumerate(words, 1):
        yield _word(_members(word), f"Word {number} of {name}", speaker, span)
    if not words:
        for part in _text(segment, place).split():
            yield Said(part, None, None, GUESSED, place, speaker, span)


def _check_span(span: tuple[float | None, float | None], place: str) -> None:
    start, end = (0.0 if span[0] is None else span[0]), span[1]
    check_times(start, start if end is None else end, place)


def _milliseconds(members: Members, place: str) -> tuple[float | None, float | None]:
    offsets = _members(members.get("offsets"))
    start, end = (_number(offsets, name, place) for name in ("from", "to"))
    return None if start is None else start / 1000.0, None if end is None else end / 1000.0


def _pieces(entries: Sequence[object]) -> Iterator[Said]:
    """Yield the pieces of words of a transcript of whisper.cpp."""
    members = [_members(entry) for entry in entries]
    full = any(entry.get("tokens") for entry in members)
    if not full and sum(len(_text(entry, "An entry").split()) > 1 for entry in members) > 0.1 * len(members):
        raise WordsError(f"Its entries are of several words, which have no times of their own. {WHISPER_CPP}")
    for number, entry in enumerate(members, 1):
        place = f"Entry {number} of 'transcription'"
        span = _milliseconds(entry, place)
        _check_span(span, place)
        speaker = _speaker(entry)
        if not full:
            yield Said(_text(entry, place), *span, 1.0, place, speaker, span)
        if full and not entry.get("tokens"):
            for part in _text(entry, place).split():
                yield Said(f" {part}", None, None, GUESSED, place, speaker, span)
        for count, token in enumerate(_list(entry.get("tokens") or [], f"'tokens' of entry {number}"), 1):
            piece, where = _members(token), f"Token {count} of entry {number}"
            text = _text(piece, where)
            if not _SPECIAL.fullmatch(text):
                times = _milliseconds(piece, where)
                yield Said(text, *times, _confidence(piece, where), where, speaker, span)


def _joined(pieces: Sequence[Said]) -> Iterator[Said]:
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
        yield Said(text, timed[0].start, timed[-1].end, trust, group[0].place, group[0].speaker, group[0].segment)


def _is_spoken(letter: str) -> bool:
    """Return whether a letter is one or a digit, or a byte of a torn one."""
    return letter.isalnum() or "\udc80" <= letter <= "\udcff"


def _begins_word(letter: str) -> bool:
    """Return whether a piece that begins with this letter begins a word; it may be the first byte of a torn letter."""
    if not letter or letter.isspace() or CJK_BYTES[0] <= letter <= CJK_BYTES[1]:
        return bool(letter)
    return unicodedata.name(letter, "").startswith(WITHOUT_SPACES)


def _whole(text: str) -> str:
    """Return a text whose bytes that are not UTF-8 by themselves are read together, without characters of value 0."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8").replace("\0", "")


def _timed(said: Sequence[Said]) -> list[Found]:
    """Return the words with their times, and those that have none with what lies between their neighbours."""
    known = [one.start is not None and one.end is not None for one in said]
    next_starts: list[float | None] = [None]
    for one, timed in zip(reversed(said), reversed(known), strict=True):
        next_starts.append(one.start if timed else next_starts[-1])
    next_starts.reverse()
    found: list[Found] = []
    index = 0
    while index < len(said):
        one = said[index]
        if one.start is not None and one.end is not None:
            check_times(one.start, one.end, one.place)
            found.append(_found(one, one.start, one.end))
            index += 1
            continue
        until = index
        while until < len(said) and not known[until] and said[until].segment == one.segment:
            until += 1
        found += _guessed(said[index:until], found[-1].word.end if found else 0.0, next_starts[until])
        index = until
    return found


def _guessed(run: Sequence[Said], earliest: float, latest: float | None) -> list[Found]:
    """Return words without times between their neighbours, within their segment where it leaves room.

    Parameters
    ----------
    run : words of one segment that follow one another, none with times.
    earliest, latest : the end of the word before them, and the start of the next one that has times, None for none.
    """
    longest = LONGEST_GUESS * len(run)
    first, last = run[0].segment[0], run[-1].segment[1]
    limits = [] if latest is None else [latest]
    if last is not None and last > earliest:
        limits.append(last)
    elif last is not None or latest is None:
        limits.append(earliest + longest)
    end = min(limits)
    start = end if first is None else max(earliest, min(first, end))
    if start >= end:
        start = max(earliest, end - longest)
    times = shared_out([_whole(one.text) for one in run], start, max(start, end))
    return [_found(one, *span, guessed=True) for one, span in zip(run, times, strict=True)]


def _found(said: Said, start: float, end: float, guessed: bool = False) -> Found:
    words, left_out = marked_words(_whole(said.text), said.place)
    text = " ".join(word.text for word in words if word.text)
    tag = next((word.tag for word in words if word.tag), "")
    shown = f"{said.place} ('{text}')" if text else said.place
    word = Word(text, start, end, GUESSED if guessed else said.confidence, tag=tag, speaker=said.speaker)
    return Found(word, shown, guessed, tuple(left_out))
