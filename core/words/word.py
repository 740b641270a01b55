"""Words with their times: estimated if a source has none, put in order, and moved by hand.

Words of one speaker follow one another: each begins at or after the end of the previous one. Input is checked once, by
`in_order`; users of an `Utterance` can rely on it. Words of several speakers may overlap.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import isfinite

from ..bounds import LATEST_WORD, WORDS
from ..errors import WordsError, listed, quoted
from .tags import marked_words

GUESSED = 0.2
"""Confidence of a time that was estimated from the lengths of words."""
LARGEST_OVERLAP = 0.5
"""Share of the shorter of two neighbours up to which an overlap is corrected; more is a mistake in the source."""
NOT_SPOKEN = re.compile(r"\[[^\[\]<>]*[^\W\d_][^\[\]<>]*\]")
"""A sound or a name in square brackets, as in subtitles and recognisers' output: ``[Music]``, ``[BLANK_AUDIO]``."""
LEFT_UNSAID = "Left out, because text in square brackets is not spoken: "
"""Beginning of the remark on such sounds; their number follows."""
RATE = 2.5
"""Default speech rate in words a second: 150 a minute, as in a talk."""
PLACE = "What is said"
"""Name in errors of a text that is spoken at a rate."""


@dataclass(frozen=True)
class Phone:
    """A sound of a word.

    Parameters
    ----------
    label : label from the source, in ARPABET or IPA.
    start, end : seconds.
    """

    label: str
    start: float
    end: float


@dataclass(frozen=True)
class Word:
    """A spoken word.

    Parameters
    ----------
    text : text as shown, with punctuation and without tags. It is empty for a gesture in silence.
    start, end : seconds; equal if a source gives a word no length.
    confidence : from 0 to 1, confidence of the source in this word or its times. It is 1 if the source gives none, so
        that comparisons need no special case; alignments and times made by hand give none, since they are equally
        reliable for all words. It is `GUESSED` if the times are not the source's.
    phones : the sounds, in order, within the word; empty if unknown.
    tag : name and arguments of the gesture requested on this word; empty for none.
    speaker : name of the speaker, empty if the source names none.
    look : gaze target on this word, empty for no change.
    """

    text: str
    start: float
    end: float
    confidence: float = 1.0
    phones: tuple[Phone, ...] = ()
    tag: str = ""
    speaker: str = ""
    look: str = ""

    @property
    def gesture(self) -> str:
        """Name of the gesture requested on this word, empty for none."""
        return self.tag.split(" ", 1)[0]

    def within(self, begin: float, end: float) -> "Word":
        """Return the word clipped to the seconds `begin` to `end`, without phones outside."""
        cut = [replace(one, start=max(one.start, begin), end=min(one.end, end)) for one in self.phones]
        phones = tuple(one for one in cut if one.start <= one.end)
        start = min(max(self.start, begin), end)
        return replace(self, start=start, end=max(min(self.end, end), start), phones=phones)


@dataclass(frozen=True)
class Found:
    """A word and its location in the source.

    Parameters
    ----------
    word : the word.
    place : where it is in the source, worded to begin a sentence, such as ``"The cue of line 14"``.
    guessed : whether its times were estimated.
    left_out : tags that were left out, since a word can have only one.
    """

    word: Word
    place: str
    guessed: bool = False
    left_out: tuple[str, ...] = ()


@dataclass(frozen=True)
class Utterance:
    """Words in order of their starts; those of one speaker do not overlap.

    Parameters
    ----------
    words : the words.
    remarks : sentences on what was corrected or estimated.
    """

    words: tuple[Word, ...]
    remarks: tuple[str, ...] = ()

    @property
    def speakers(self) -> tuple[str, ...]:
        """Names of the speakers, in order of their first words; an empty name if the source names none."""
        return tuple(dict.fromkeys(word.speaker for word in self.words))

    def of(self, speaker: str) -> "Utterance":
        """Return the words of one speaker.

        Raises
        ------
        WordsError
            If there is no speaker of that name.
        """
        words = tuple(word for word in self.words if word.speaker == speaker)
        if not words:
            raise WordsError(f"There is no speaker '{speaker}'. Choose one of {quoted(self.speakers)}.")
        return Utterance(words, self.remarks)

    def room_for(self, index: int, seconds: float) -> float:
        """Return how much of `seconds` (negative for earlier) a word can move without overlapping a neighbour."""
        word, (earliest, latest) = self.words[index], self._room(index)
        if seconds < 0.0:
            return max(seconds, min(earliest - word.start, 0.0))
        return min(seconds, max(latest - word.end, 0.0))

    def _room(self, index: int) -> tuple[float, float]:
        """Return when the word before a word ends and the word after it starts, both of the same speaker."""
        own = [place for place, other in enumerate(self.words) if other.speaker == self.words[index].speaker]
        place = own.index(index)
        earliest = self.words[own[place - 1]].end if place else 0.0
        return earliest, self.words[own[place + 1]].start if place + 1 < len(own) else LATEST_WORD


def shared_out(texts: Sequence[str], start: float, end: float) -> list[tuple[float, float]]:
    """Divide the seconds from `start` to `end` among words, by their numbers of letters and digits.

    If there are no letters or digits at all, all words have the same share.
    """
    lengths = [sum(letter.isalnum() for letter in text) for text in texts]
    lengths = lengths if any(lengths) else [1] * len(lengths)
    before = [sum(lengths[:count]) for count in range(len(lengths) + 1)]
    edges = [start + (end - start) * (length / before[-1]) for length in before[:-1]] + [end]
    return list(zip(edges[:-1], edges[1:], strict=True))


def check_count(count: int) -> None:
    """Check that there are not too many words.

    Raises
    ------
    WordsError
        If there are more than `bounds.WORDS`.
    """
    if count > WORDS:
        raise WordsError(f"It has more than {WORDS} words, which is the maximum. Split it into several files.")


def check_times(start: float, end: float, place: str) -> None:
    """Check that start and end are plausible times.

    Parameters
    ----------
    start, end : seconds.
    place : location, as in `Found`.

    Raises
    ------
    WordsError
        If a time is NaN, before 0 or later than a day, or the end is before the start.
    """
    if not (isfinite(start) and isfinite(end)):
        raise WordsError(f"{place} has a time that is not a finite number. Write its start and end in seconds.")
    if start < 0.0 or end < 0.0:
        raise WordsError(
            f"{place} has a time before 0, {min(start, end):g} s. Times count from the start of the sound."
        )
    if max(start, end) > LATEST_WORD:
        raise WordsError(
            f"{place} has the time {max(start, end):g} s, which is more than a day. Check whether the file uses "
            "another unit, such as milliseconds."
        )
    if end < start:
        raise WordsError(f"{place} ends at {end:g} s, before it begins at {start:g} s. Swap or correct its times.")


def parted(start: float, end: float, place: str, next_start: float, next_end: float, next_place: str) -> float:
    """Return the end of the first of two neighbours, so that it does not overlap the second.

    Parameters
    ----------
    start, end, place : those of the first, checked by `check_times`.
    next_start, next_end, next_place : those of the second, likewise.

    Raises
    ------
    WordsError
        If the second begins before the first, or they overlap by more than half of the shorter one.
    """
    if next_start < start:
        raise WordsError(
            f"{next_place} begins at {next_start:g} s, before the one above it ({lower_first(place)}, {start:g} s). "
            "Sort them by time, as subtitle editors do on saving, or correct the time."
        )
    overlap = min(end, next_end) - next_start
    if overlap > LARGEST_OVERLAP * min(end - start, next_end - next_start):
        raise WordsError(
            f"{place} ({start:g} to {end:g} s) and {lower_first(next_place)} ({next_start:g} to {next_end:g} s) mostly "
            "overlap. Correct their times, or name a speaker for each."
        )
    return min(end, next_start)


def lower_first(place: str) -> str:
    """Return a location as it is written inside a sentence."""
    return place[:1].lower() + place[1:]


def in_order(found: Sequence[Found]) -> Utterance:
    """Return an utterance made of the words that were found.

    Text with neither letters nor digits is punctuation and is appended to the previous word, ignoring its time; at the
    beginning it is added to the next word. Small overlaps are cut where the later word begins, and reported.

    Parameters
    ----------
    found : the words, those of each speaker in order.

    Raises
    ------
    WordsError
        If there is no word or there are too many, times are invalid, or words are out of order or simultaneous.
    """
    for one in found:
        check_times(one.word.start, one.word.end, one.place)
    whole = _with_punctuation(found)
    if not whole:
        raise WordsError("It contains no words. Check that it was saved completely, and with the right language.")
    check_count(len(whole))
    last: dict[str, int] = {}
    overlaps: list[str] = []
    for index, one in enumerate(whole):
        word = one.word
        if word.speaker in last:
            before = whole[last[word.speaker]]
            early = before.word
            end = parted(early.start, early.end, before.place, word.start, word.end, one.place)
            if end < early.end:
                overlaps.append(lower_first(before.place))
                whole[last[word.speaker]] = replace(before, word=early.within(early.start, end))
        last[word.speaker] = index
    remarks: list[str] = []
    if overlaps:
        remarks.append(f"Words cut off where the next one begins: {len(overlaps)} (first: {overlaps[0]}).")
    guessed = [one for one in whole if one.guessed]
    if guessed:
        remarks.append(
            f"Words without times, which were estimated from word lengths: {len(guessed)} of {len(whole)} (first: "
            f"{lower_first(guessed[0].place)})."
        )
    left_out = [f"<{tag}> ({lower_first(one.place)})" for one in whole for tag in one.left_out]
    if left_out:
        remarks.append(f"Each word can have only one gesture, that of the nearest tag. Left out: {listed(left_out)}.")
    return Utterance(tuple(sorted((one.word for one in whole), key=lambda word: word.start)), tuple(remarks))


def _with_punctuation(found: Sequence[Found]) -> list[Found]:
    """Join text that has no letters, digits or tag to its neighbour of the same speaker."""
    whole: list[Found] = []
    last: dict[str, int] = {}
    waiting: dict[str, str] = {}
    for one in found:
        word = one.word
        if word.tag or word.look or any(letter.isalnum() for letter in word.text):
            text = f"{waiting.pop(word.speaker, '')} {word.text}".strip() if word.text else ""
            last[word.speaker] = len(whole)
            whole.append(replace(one, word=replace(word, text=text)))
        elif word.speaker in last:
            before = whole[last[word.speaker]]
            text = f"{before.word.text} {word.text}".strip()
            whole[last[word.speaker]] = replace(before, word=replace(before.word, text=text))
        else:
            waiting[word.speaker] = f"{waiting.get(word.speaker, '')} {word.text}".strip()
    return whole


def spoken(text: str, rate: float = RATE) -> Utterance:
    """Return the words of a text, beginning at 0 s, each with a duration by its letters.

    Parameters
    ----------
    text : text with its tags; see `marked_words`.
    rate : words a second on average.

    Raises
    ------
    WordsError
        If there are no words or too many, or the rate is not a positive number.
    """
    if not (isfinite(rate) and rate > 0.0):
        raise WordsError(f"{PLACE} has a rate of {rate:g} words per second. Set a number above 0.")
    words, left_out = marked_words(text, PLACE)
    if not words:
        raise WordsError("There is nothing to say. Type words first, such as: look over <point> there.")
    times = shared_out([word.text for word in words], 0.0, len(words) / rate)
    found = [
        Found(Word(word.text, *span, tag=word.tag, look=word.look), f"Word {number} of what is said")
        for number, (word, span) in enumerate(zip(words, times, strict=True), 1)
    ]
    found[-1] = Found(found[-1].word, found[-1].place, left_out=tuple(left_out))
    return in_order(found)
