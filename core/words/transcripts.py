"""JSON transcripts, as written by speech recognisers; docs/word-files.md describes them."""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import cast

from ..bounds import WORD_PIECES
from ..errors import WordsError
from .said import Members, Said, Span, confidence_of, joined, list_of, members_of, number_of, speaker_of, text_of, whole
from .tags import marked_words
from .word import (
    GUESSED,
    LEFT_UNSAID,
    NOT_SPOKEN,
    Found,
    Utterance,
    Word,
    check_count,
    check_times,
    in_order,
    shared_out,
)

LONGEST_GUESS = 0.6
"""Maximum seconds of a word without times if nothing else bounds it."""
WHISPER = "Run Whisper with --word_timestamps True, or use WhisperX, which always times words."
WHISPER_CPP = "Run whisper.cpp with --output-json-full, or with --max-len 1."
CHUNKS = "Run the pipeline with return_timestamps='word'."
SPACED = 0.1
"""Share of words with a leading space from which the others count as parts of words."""
REMOVED = 0.3
"""Minimum difference in seconds between both ends of an entry and its pieces if silence was removed before."""
LONGEST_WORD = 30.0
"""Limit on the median length of words, in a file whose unit is seconds."""

_SPECIAL = re.compile(r"\s*(?:\[_[A-Za-z]+_.*\]|<\|.*\|>)\s*")


def words_in_transcript(text: str) -> Utterance:
    """Return the words of a transcript in JSON.

    Parameters
    ----------
    text : the file, in which bytes that are not UTF-8 are lone surrogates ("surrogateescape").

    Raises
    ------
    WordsError
        If it is not JSON, is truncated, is not a known transcript, has no times of words, or times are invalid.
    UnicodeError
        If the bytes of a word are not UTF-8, or end within a letter.
    """
    every = [one for one in _counted(_said(_top(_parsed(text)))) if one.text.strip()]
    said = [one for one in every if not NOT_SPOKEN.fullmatch(one.text.strip())]
    check_count(len(said))
    found = _timed(said)
    _check_unit(found)
    utterance = in_order(found)
    moved = sum(one.removed > 0.0 for one in said)
    told = (
        (moved, "Words that were moved to the time of their entry, because silence before them had been left out: "),
        (len(every) - len(said), LEFT_UNSAID),
    )
    return replace(utterance, remarks=(*(f"{what}{count}." for count, what in told if count), *utterance.remarks))


def _parsed(text: str) -> object:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        ends = error.pos >= len(text.rstrip()) - 1 or error.msg.startswith("Unterminated")
        mend = "The file seems cut off: export it again." if ends else "Correct it there, or export the file again."
        raise WordsError(
            f"Line {error.lineno}, column {error.colno}, is not JSON ({error.msg.lower()}). {mend}"
        ) from error
    except RecursionError as error:
        raise WordsError("Its brackets are nested too deeply for a transcript. Export the transcript again.") from error
    except ValueError as error:
        raise WordsError("It has a number with thousands of digits. Export the transcript again.") from error


def _top(value: object) -> Members:
    """Return the members of a transcript; a bare list contains segments or words."""
    if not isinstance(value, list):
        return members_of(value)
    listed = cast(list[object], value)
    names = {name for one in listed for name in members_of(one)}
    return {"segments": listed} if "words" in names else {"words": listed} if "word" in names else {}


def _said(top: Members) -> Iterator[Said]:
    """Yield the words of a transcript of any kind."""
    if "transcription" in top:
        yield from joined(_counted(_pieces(list_of(top["transcription"], "'transcription'"))))
        return
    segments = [members_of(one) for one in list_of(top.get("segments", []), "'segments'")]
    single = list_of(top.get("words") or top.get("word_segments") or top.get("chunks") or [], "'words'")
    if any(segment.get("words") for segment in segments):
        groups = [_counted(_segment(segment, f"segment {number}")) for number, segment in enumerate(segments, 1)]
    elif single:
        groups = [_counted(_single(single))]
        if "chunks" in top and _of_several_words([one.text for one in groups[0]]):
            raise WordsError(f"Its chunks contain several words, which have no individual times. {CHUNKS}")
    elif segments:
        raise WordsError(f"It has segments, but no word times. {WHISPER}")
    else:
        raise WordsError(
            "It is JSON, but not a transcript of Whisper, WhisperX or whisper.cpp: it has no 'segments', 'words' or "
            f"'transcription' with content. {WHISPER}"
        )
    spaces = [one.text[:1].isspace() for group in groups for one in group]
    for group in groups:
        yield from joined(group) if sum(spaces) > SPACED * len(spaces) else group


def _of_several_words(texts: Sequence[str]) -> bool:
    """Return whether more than a few of some texts have several words."""
    return sum(len(text.split()) > 1 for text in texts) > 0.1 * len(texts)


def _check_unit(found: Sequence[Found]) -> None:
    """Check that the durations of words are plausible in seconds."""
    lasting = sorted(one.word.end - one.word.start for one in found if not one.guessed)
    if lasting and lasting[len(lasting) // 2] > LONGEST_WORD:
        raise WordsError(
            f"Half of its words last {lasting[len(lasting) // 2]:g} s or more. Check whether the file uses another "
            "unit, such as milliseconds; times must be in seconds."
        )


def _counted(said: Iterator[Said]) -> list[Said]:
    """Return words or pieces in a list, if there are not too many."""
    found = list(islice(said, WORD_PIECES + 1))
    if len(found) > WORD_PIECES:
        raise WordsError(f"It has more than {WORD_PIECES} words or word parts. Split it into several files.")
    return found


def _word(members: Members, place: str, speaker: str, segment: Span) -> Said:
    pair = members.get("timestamp")
    if isinstance(pair, list):
        members = {**members, **dict(zip(("start", "end"), cast(list[object], pair), strict=False))}
    start, end = number_of(members, "start", place), number_of(members, "end", place)
    said = speaker_of(members, speaker)
    return Said(text_of(members, place), start, end, confidence_of(members, place), place, said, segment)


def _single(words: Sequence[object]) -> Iterator[Said]:
    """Yield words outside any segment."""
    for number, word in enumerate(words, 1):
        yield _word(members_of(word), f"Word {number}", "", (None, None))


def _segment(segment: Members, name: str) -> Iterator[Said]:
    """Yield the words of a segment of Whisper or WhisperX; if it has none, those of its text, without times."""
    place = name.capitalize()
    speaker = speaker_of(segment)
    span = number_of(segment, "start", place), number_of(segment, "end", place)
    _check_span(span, place)
    words = list_of(segment.get("words") or [], f"'words' of {name}")
    for number, word in enumerate(words, 1):
        said = _word(members_of(word), f"Word {number} of {name}", speaker, span)
        if not _SPECIAL.fullmatch(said.text):
            yield said
    if not words:
        for part in text_of(segment, place).split():
            yield Said(part, None, None, GUESSED, place, speaker, span)


def _check_span(span: Span, place: str) -> None:
    start, end = (0.0 if span[0] is None else span[0]), span[1]
    check_times(start, start if end is None else end, place)


def _milliseconds(members: Members, place: str) -> Span:
    offsets = members_of(members.get("offsets"))
    start, end = (number_of(offsets, name, place) for name in ("from", "to"))
    return None if start is None else start / 1000.0, None if end is None else end / 1000.0


def _pieces(entries: Sequence[object]) -> Iterator[Said]:
    """Yield the pieces of words of a whisper.cpp transcript."""
    members = [members_of(entry) for entry in entries]
    full = any(entry.get("tokens") for entry in members)
    if not full and _of_several_words([text_of(entry, "An entry") for entry in members]):
        raise WordsError(f"Its entries contain several words, which have no individual times. {WHISPER_CPP}")
    for number, entry in enumerate(members, 1):
        place = f"Entry {number} of 'transcription'"
        span = _milliseconds(entry, place)
        _check_span(span, place)
        speaker = speaker_of(entry)
        if not full:
            yield Said(text_of(entry, place), *span, 1.0, place, speaker, span)
        if full and not entry.get("tokens"):
            for part in text_of(entry, place).split():
                yield Said(f" {part}", None, None, GUESSED, place, speaker, span)
        if full:
            yield from _moved(list(_tokens(entry, number, speaker, span)))


def _tokens(entry: Members, number: int, speaker: str, span: Span) -> Iterator[Said]:
    """Yield the tokens of an entry, including unspoken ones."""
    for count, token in enumerate(list_of(entry.get("tokens") or [], f"'tokens' of entry {number}"), 1):
        piece, where = members_of(token), f"Token {count} of entry {number}"
        times = _milliseconds(piece, where)
        yield Said(text_of(piece, where), *times, confidence_of(piece, where), where, speaker, span)


def _moved(tokens: Sequence[Said]) -> Iterator[Said]:
    """Yield the spoken tokens, delayed by the silence that was removed before their entry."""
    times = [(one.start, one.end) for one in tokens if one.start is not None and one.end is not None]
    start, end = tokens[0].segment if tokens else (None, None)
    removed = 0.0
    if times and start is not None and end is not None and min(start - times[0][0], end - times[-1][1]) > REMOVED:
        removed = start - times[0][0]
    for one in tokens:
        if not _SPECIAL.fullmatch(one.text):
            first, last = (None if time is None else time + removed for time in (one.start, one.end))
            yield replace(one, start=first, end=last, removed=removed)


def _timed(said: Sequence[Said]) -> list[Found]:
    """Return the words with their times; those without get the time between their neighbours."""
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
    """Return words without times between their neighbours, within their segment if there is room.

    Parameters
    ----------
    run : consecutive words of one segment, all without times.
    earliest : end of the word before them.
    latest : start of the next word that has times, None if there is none.
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
    times = shared_out([whole(one.text) for one in run], start, max(start, end))
    return [_found(one, *span, guessed=True) for one, span in zip(run, times, strict=True)]


def _found(said: Said, start: float, end: float, guessed: bool = False) -> Found:
    words, left_out = marked_words(whole(said.text), said.place)
    text = " ".join(word.text for word in words if word.text)
    tag = next((word.tag for word in words if word.tag), "")
    look = next((word.look for word in words if word.look), "")
    shown = f"{said.place} ('{text}')" if text else said.place
    trust = GUESSED if guessed else said.confidence
    word = Word(text, start, end, trust, tag=tag, speaker=said.speaker, look=look)
    return Found(word, shown, guessed, tuple(left_out))
