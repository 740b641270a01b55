"""Praat TextGrids, as written by forced aligners; docs/word-files.md describes them."""

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, replace

from ..bounds import WORD_PIECES
from ..errors import WordsError, quoted
from .tags import marked_words
from .word import GUESSED, Found, Phone, Utterance, Word, check_count, check_times, in_order, shared_out

WORDS, PHONES = ("words", "word", "ort-mau", "tokensalign", "wrd"), ("phones", "phone", "mau", "phonalign", "phn")
SILENCE = frozenset(("", "sil", "sp", "<sil>", "<sp>", "<eps>", "<p:>", "#", "h#"))
"""Labels of silent intervals, in lower case."""

_TOKEN = re.compile(
    r'(?P<text>"(?:[^"]++|"")*+"(?!\S))|(?P<open>")|(?P<comment>![^\n]*)|(?P<flag><\w+>(?!\S))'
    r"|(?P<number>[-+]?\d+(?:\.\d*)?(?:[eE][-+]?\d+)?(?!\S))|(?P<other>\S+)"
)


@dataclass(frozen=True)
class Interval:
    """An interval of a tier.

    Parameters
    ----------
    text : its label.
    start, end : seconds.
    line : line of the file where it begins.
    """

    text: str
    start: float
    end: float
    line: int


@dataclass(frozen=True)
class Tier:
    """A tier of intervals.

    Parameters
    ----------
    name : its full name.
    intervals : its intervals, in the order of the file.
    """

    name: str
    intervals: tuple[Interval, ...]

    @property
    def speaker(self) -> str:
        """Name of the speaker, empty if the tier names none."""
        return self.name.rpartition(" - ")[0].strip()

    @property
    def kind(self) -> str:
        """Kind of content of the tier, in lower case."""
        return self.name.rpartition(" - ")[2].strip(' "').lower()


class _Values:
    """The values of a file in sequence, each with its line number."""

    def __init__(self, text: str) -> None:
        self.tokens = self._tokens(text)
        self.line = 1

    def _tokens(self, text: str) -> Iterator[tuple[str, str]]:
        done = 0
        for token in _TOKEN.finditer(text):
            self.line += text.count("\n", done, token.start())
            done = token.start()
            kind = token.lastgroup or ""
            if kind == "open":
                raise WordsError(
                    f"The text that begins in line {self.line} has no closing quote, or something follows it directly. "
                    "If it is at the end, the file is cut off: export it again."
                )
            if kind in ("text", "flag", "number"):
                yield kind, token[0]
        self.line += text.count("\n", done)

    def next(self, kind: str, what: str) -> str:
        """Return the next value, which must be a ``"text"``, a ``"flag"`` or a ``"number"``."""
        found, value = next(self.tokens, ("", ""))
        if not found:
            raise WordsError(
                f"The file ends in line {self.line}, where {what} is missing. It is cut off: export it again."
            )
        if found != kind:
            raise WordsError(
                f"Line {self.line} has {value[:40]} instead of {what}, which is a {kind}. Correct it, or export the "
                "file again."
            )
        return value[1:-1].replace('""', '"') if kind == "text" else value

    def number(self, what: str) -> float:
        """Return the next value, which must be a number; errors call it `what`."""
        return float(self.next("number", what))

    def count(self, what: str) -> int:
        """Return the next value, which must be a whole number that words can be counted by; errors call it `what`."""
        value = self.number(what)
        if not 0.0 <= value <= WORD_PIECES or value != int(value):
            raise WordsError(
                f"Line {self.line} has {value:g} for {what}, which must be 0 to {WORD_PIECES}. Correct it."
            )
        return int(value)


def words_in_textgrid(text: str) -> Utterance:
    """Return the words of a TextGrid, with their phones if it has them.

    Raises
    ------
    WordsError
        If the file is truncated or damaged, has no tier of words, or words are out of order or simultaneous.
    """
    tiers = _tiers(_Values(text))
    spoken = [tier for tier in tiers if tier.kind in WORDS]
    labelled = [tier for tier in tiers if any(interval.text for interval in tier.intervals)]
    single = not spoken and len(labelled) == 1 and labelled[0].kind not in PHONES
    if single:
        spoken = labelled
    elif not spoken:
        named = f"Its tiers are called {quoted(tier.name for tier in tiers)}" if tiers else "It has no interval tier"
        raise WordsError(
            f"{named}. Name the tier with the words 'words' and the one with the phones 'phones'. With several "
            "speakers, put their names first, as in 'Anna - words'."
        )
    found: list[Found] = []
    for tier in spoken:
        sounds = [other for other in tiers if other.kind in PHONES and other.speaker == tier.speaker]
        found += _words(tier, _phones(sounds[0]) if sounds else [])
    utterance = in_order(found)
    if not single:
        return utterance
    told = f"No tier is called 'words', so '{spoken[0].name}', the only one with text, was read."
    return replace(utterance, remarks=(told, *utterance.remarks))


def _tiers(values: _Values) -> list[Tier]:
    """Return the tiers of intervals of a file."""
    kind = values.next("text", "the file type")
    if not kind.startswith("ooTextFile") or values.next("text", "the object class") != "TextGrid":
        raise WordsError(
            f"Line {values.line} does not identify the file as a TextGrid. In Praat, save the TextGrid as a text file."
        )
    values.number("the start")
    values.number("the end")
    tiers: list[Tier] = []
    if values.next("flag", "whether there are tiers") != "<exists>":
        return tiers
    for _ in range(values.count("the number of tiers")):
        points = values.next("text", "the class of a tier") != "IntervalTier"
        name = values.next("text", "the name of a tier").strip()
        values.number(f"the start of tier '{name}'")
        values.number(f"the end of tier '{name}'")
        count = values.count(f"the number of intervals in tier '{name}'")
        intervals: list[Interval] = []
        for number in range(1, count + 1):
            which = f"{'point' if points else 'interval'} {number} of {count} in tier '{name}'"
            start = values.number(f"the start of {which}")
            line = values.line
            end = start if points else values.number(f"the end of {which}")
            intervals.append(Interval(values.next("text", f"the text of {which}").strip(), start, end, line))
        if not points:
            tiers.append(Tier(name, tuple(intervals)))
    return tiers


def _place(tier: Tier, interval: Interval) -> str:
    return f"The interval of tier '{tier.name}' in line {interval.line}"


def _phones(tier: Tier) -> list[Phone]:
    """Return the phones of a tier in order, leaving out silence."""
    phones: list[Phone] = []
    for interval in tier.intervals:
        check_times(interval.start, interval.end, _place(tier, interval))
        if interval.text.lower() not in SILENCE:
            phones.append(Phone(interval.text, interval.start, interval.end))
            if len(phones) > 1 and phones[-2].start > interval.start:
                raise WordsError(f"{_place(tier, interval)} begins before the one above it. Correct its times.")
    return phones


def _words(tier: Tier, phones: list[Phone]) -> list[Found]:
    """Return the words of a tier, each with the phones whose middles are in it.

    An interval is one word; if it has several, as in a hand-written tier, its time is divided among them.
    """
    found: list[Found] = []
    middles = [0.5 * (phone.start + phone.end) for phone in phones]
    for interval in tier.intervals:
        place = _place(tier, interval)
        check_times(interval.start, interval.end, place)
        if interval.text.lower() in SILENCE:
            continue
        words, left_out = marked_words(interval.text, place)
        check_count(len(found) + len(words))
        times = shared_out([word.text for word in words], interval.start, interval.end) if words else []
        for word, (start, end) in zip(words, times, strict=True):
            own = phones[bisect_right(middles, start) : bisect_right(middles, end)]
            trust = GUESSED if len(words) > 1 else 1.0
            said = Word(word.text, start, end, trust, tuple(own), word.tag, tier.speaker, word.look)
            found.append(Found(said.within(start, end), place, len(words) > 1, tuple(left_out)))
            left_out.clear()
    return found
