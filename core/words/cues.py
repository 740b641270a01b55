"""Cues: texts with a start and an end, such as subtitles and text strips, and the words in them.

Both subtitle formats are read by one parser, since in practice they differ only in a header and a comma;
docs/word-files.md describes them.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ..bounds import WORD_LETTERS
from ..errors import WordsError
from .tags import Marked, check_letters, marked_words, pieces_of, seconds_in, shown
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
    lower_first,
    parted,
    shared_out,
)

ROLLED = 3
"""Repeated lines from which captions count as rolling; with inner times or brief repeats one is enough."""
BRIEF = 0.05
"""Longest cue in seconds that only repeats a line in rolling captions."""
MOST_LINES = 4
"""Maximum number of lines of a caption that are compared with the previous one."""
MARKED = 0.3
"""Share of cues with one marked part that must repeat the previous words and mark another part of them."""
LETTER = 0.06
"""Minimum seconds per letter or digit of speech: fast speech has about 15 of them a second."""
SPACED = 0.3
"""Share of texts with a leading space from which single words without one count as parts of words."""
LONGEST = 60
"""Maximum number of letters of a joined word."""
HURRIED = 0.02
"""Seconds per letter or digit below which the words of a cue cannot have been spoken."""

_ARROW = re.compile(r"\s*(\S+)[ \t]*-->[ \t]*(\S+)(?:\s.*)?")
_WHOLE_SECONDS = re.compile(r"\d{1,9}:\d\d:\d\d")
_LIKE_TIMES = re.compile(r"\s*-?(?:\d+:)?\d\d:\d\d[.,]\d+\s.*\d:\d\d[.,:]\d")
_INNER = re.compile(r"<\d+:\d\d[^<>]*>")
_COMMENT = re.compile(r"(?:NOTE|STYLE|REGION)(?:\s|$)")
_SPEAKER = re.compile(r"\[([^\[\]<>\n]+)\]: ")
_MARKS = re.compile(r"<(/?)(?:u|font|b|i|c)(?=[\s.>])[^<>]*>", re.IGNORECASE)


@dataclass(frozen=True)
class Cue:
    """A text and the time when it is shown.

    Parameters
    ----------
    start, end : seconds.
    text : text with its tags.
    place : where it is in the source, worded to begin a sentence, such as ``"The cue of line 14"``.
    """

    start: float
    end: float
    text: str
    place: str


def words_in_subtitles(text: str) -> Utterance:
    """Return the words of a text in SubRip or WebVTT format.

    Raises
    ------
    WordsError
        If a timing line cannot be parsed, cues are out of order or simultaneous, or there are no words.
    """
    cues = _subtitle_cues(text.split("\n"), text.lstrip().startswith("WEBVTT"))
    for cue in cues:
        check_letters(cue.text, cue.place)
    remarks: list[str] = []
    if cues and not cues[-1].text:
        remarks.append(f"{cues[-1].place}, the last one, has no text. The file may be cut off there.")
    spoken = [replace(cue, text=NOT_SPOKEN.sub("", cue.text)) for cue in cues]
    unsaid = sum(cue != said for cue, said in zip(cues, spoken, strict=True))
    cues = spoken
    underlined = [replace(cue, text=_MARKS.sub(r"<\1u>", cue.text)) for cue in cues]
    if _highlights(underlined):
        cues = _highlighted(underlined)
        remarks.append("Each cue repeats its sentence, so only the marked words were read.")
    elif _rolls(cues):
        cues = _unrolled(cues)
        remarks.append("These are rolling captions: lines that the next cue repeats were read only once.")
    else:
        cues = _at_once(cues)
    found = words_in_cues(cues)
    remarks += [f"{LEFT_UNSAID}{unsaid}."] if unsaid else []
    return replace(found, remarks=(*remarks, *found.remarks))


def words_in_cues(cues: Sequence[Cue]) -> Utterance:
    """Return the words of cues, such as those of a file or the text strips of a scene, in order.

    Raises
    ------
    WordsError
        If times are invalid, cues of one speaker are out of order or simultaneous, or there are no words.
    """
    found: list[Found] = []
    reaching: list[str] = []
    spoken: list[tuple[Cue, list[Marked], list[str]]] = []
    count = 0
    for cue in cues:
        words, left_out = marked_words(cue.text, cue.place)
        if words:
            check_times(cue.start, cue.end, cue.place)
            spoken.append((cue, words, left_out))
            count += len(words)
            check_count(count)
    following: dict[str, Cue] = {}
    for cue, words, left_out in reversed(spoken):
        speaker = words[0].speaker
        end = _cut_off(cue, words, following[speaker]) if speaker in following else cue.end
        if end < cue.end:
            reaching.append(cue.place)
        following[speaker] = cue
        timed = _timed(replace(cue, end=end), words)
        timed[-1] = replace(timed[-1], left_out=tuple(left_out))
        found += reversed(timed)
    utterance = in_order(found[::-1])
    hurried = [
        cue.place for cue, words, _ in spoken if len(words) > 1 and cue.end - cue.start < HURRIED * _letters(words)
    ]
    told = [
        f"{what}: {len(places)} (first: {lower_first(places[0])})."
        for what, places in (
            ("Cues with more words than can be spoken in their time", hurried),
            ("Cues cut off where the next one begins", reaching[::-1]),
        )
        if places
    ]
    return replace(utterance, remarks=(*utterance.remarks, *told))


def _cut_off(cue: Cue, words: Sequence[Marked], after: Cue) -> float:
    """Return the end of a cue, so that it does not overlap the next one of its speaker.

    It may be cut off as long as its words can be spoken in the remaining time.
    """
    if after.start - cue.start >= LETTER * max(_letters(words), 1):
        return min(cue.end, after.start)
    return parted(cue.start, cue.end, cue.place, after.start, after.end, after.place)


def _letters(words: Sequence[Marked]) -> int:
    """Return how many letters and digits words have."""
    return sum(letter.isalnum() for word in words for letter in word.text)


def _timed(cue: Cue, words: Sequence[Marked]) -> list[Found]:
    """Return the words of a cue with their times: those before them in the text, or shares of the time in between."""
    starts = [cue.start if index == 0 and word.start is None else word.start for index, word in enumerate(words)]
    begun = [index for index, start in enumerate(starts) if start is not None]
    edges = [start for start in starts if start is not None] + [cue.end]
    for early, late in zip([cue.start, *edges[:-1]], edges, strict=True):
        if late < early:
            raise WordsError(
                f"{cue.place} has times in its text that run backward or are outside the cue, at {early:g} and "
                f"{late:g} s. Correct them."
            )
    found: list[Found] = []
    for index, end, first, last in zip(begun, [*begun[1:], len(words)], edges[:-1], edges[1:], strict=True):
        group = words[index:end]
        times = shared_out([word.text for word in group], first, last)
        guessed = len(group) > 1
        for word, (start, stop) in zip(group, times, strict=True):
            if _INNER.search(word.text):
                raise WordsError(f"{cue.place} has an unreadable time in its text, in '{word.text[:40]}'. Correct it.")
            trust = GUESSED if guessed else 1.0
            said = Word(word.text, start, stop, trust, tag=word.tag, speaker=word.speaker, look=word.look)
            found.append(Found(said, cue.place, guessed))
    return found


def _subtitle_cues(lines: Sequence[str], vtt: bool) -> list[Cue]:
    """Return the cues of a WebVTT or SubRip file, in order of its lines."""
    cues: list[Cue] = []
    texts: list[list[str]] = []
    inside = aside = loose = False
    for number, line in enumerate(lines, 1):
        before = lines[number - 2] if number > 1 else ""
        if aside and line:
            continue
        aside = vtt and not before and bool(_COMMENT.match(line))
        if aside:
            inside = False
        elif _is_timing(line, before, vtt):
            if inside and texts[-1] and (loose and before if vtt else before.strip().isdecimal()):
                texts[-1].pop()
            start, end = _times(line, number)
            cues.append(Cue(start, end, "", f"The cue of line {number}"))
            texts.append([])
            inside, loose = True, vtt and not "".join(lines[number : number + 1])
        elif vtt and not line and not loose:
            inside = False
        elif inside:
            texts[-1].append(line)
    whole = _whole_words([replace(cue, text="\n".join(text)) for cue, text in zip(cues, texts, strict=True)])
    return [replace(cue, text=_SPEAKER.sub(r"<v \1>", cue.text.strip())) for cue in whole]


def _whole_words(cues: Sequence[Cue]) -> list[Cue]:
    """Return the cues, with parts of a word joined to the part before them."""
    texts = [cue.text for cue in cues if cue.text.strip()]
    if sum(text[0] == " " for text in texts) < SPACED * len(texts) or not texts:
        return list(cues)
    whole: list[Cue] = []
    for cue in cues:
        before, part = whole[-1] if whole else cue, cue.text.strip()
        single = len(part.split()) == 1 == len(before.text.split())
        if whole and single and not cue.text[0].isspace() and len(before.text) < LONGEST:
            end = cue.end if any(map(str.isalnum, part)) else before.end
            whole[-1] = replace(before, end=end, text=f"{before.text.rstrip()}{part}")
        else:
            whole.append(cue)
    return whole


def _at_once(cues: Sequence[Cue]) -> list[Cue]:
    """Return the cues, with those of one speaker at the same times joined, as for two lines of a caption."""
    joined: list[Cue] = []
    for cue in cues:
        before = joined[-1] if joined else None
        same = before and (before.start, before.end) == (cue.start, cue.end) and _who(before) == _who(cue)
        if before and same and len(before.text) + len(cue.text) < WORD_LETTERS:
            joined[-1] = replace(before, text=f"{before.text}\n{cue.text}")
        else:
            joined.append(cue)
    return joined


def _who(cue: Cue) -> list[str]:
    """Return the speakers named in a cue."""
    return [piece.text for piece in pieces_of(cue.text) if piece.kind == "speaker"]


def _is_timing(line: str, before: str, vtt: bool) -> bool:
    """Return whether a line is a timing line; in SubRip an arrow may also occur in a text."""
    if _LIKE_TIMES.match(line):
        return True
    before = before.strip()
    return "-->" in line and (vtt or not before or before.isdecimal() or line.strip()[0].isdecimal())


def _times(line: str, number: int) -> tuple[float, float]:
    parts = _ARROW.fullmatch(line)
    times = parts.groups() if parts else ("", "")
    if all(map(_WHOLE_SECONDS.fullmatch, times)):
        times = (f"{time}.0" for time in times)
    start, end = map(seconds_in, times)
    if start is None or end is None:
        told = line.strip()[:60]
        if re.match(r"\s*-\d|.*-->\s*-\d", line):
            raise WordsError(f"Line {number}, '{told}', has a time before 0. Times count from the start of the sound.")
        raise WordsError(
            f"Line {number}, '{told}', is not a pair of times. Write it as 00:00:01,000 --> 00:00:01,400; if it is the"
            " last line, the file is cut off."
        )
    return start, end


def _plain_lines(cue: Cue) -> list[tuple[str, str]]:
    """Return the nonempty lines of a cue, each in source form and as shown."""
    lines = [line for line in cue.text.split("\n") if marked_words(line, cue.place)[0]]
    return [(line, shown(line, cue.place)) for line in lines]


def _rolls(cues: Sequence[Cue]) -> bool:
    """Return whether most cues of several lines begin with the last line of the previous cue."""
    plain = [[text for _, text in _plain_lines(cue)] for cue in cues]
    neighbours = list(zip(plain, plain[1:], strict=False))
    pairs = [(early[-1:], late[0]) for early, late in neighbours if len(late) > 1]
    repeated = sum(early == [late] for early, late in pairs)
    brief = any(
        cue.end - cue.start <= BRIEF and late and early[-1:] == late
        for cue, (early, late) in zip(cues[1:], neighbours, strict=True)
    )
    least = 1 if brief or any(_INNER.search(cue.text) for cue in cues) else ROLLED
    return repeated >= max(least, 0.5 * len(pairs))


def _unrolled(cues: Sequence[Cue]) -> list[Cue]:
    """Return the cues without repeated lines, each ending before or where the next begins."""
    kept: list[Cue] = []
    above: list[str] = []
    for cue in cues:
        lines = _plain_lines(cue)
        plain = [text for _, text in lines]
        most = min(len(plain), len(above), MOST_LINES)
        same = next((count for count in range(most, 0, -1) if plain[:count] == above[-count:]), 0)
        above = plain
        if lines[same:]:
            kept.append(replace(cue, text="\n".join(line for line, _ in lines[same:])))
    ends = [cue.start for cue in kept[1:]] + [float("inf")]
    return [
        replace(cue, end=min(cue.end, end)) if end >= cue.start else cue for cue, end in zip(kept, ends, strict=True)
    ]


def _underlined(text: str) -> list[str]:
    """Return the parts of a text that are underlined."""
    parts: list[str] = []
    open_part = False
    for piece in pieces_of(text):
        if piece.kind == "underline":
            open_part = piece.text == "u"
            parts += [""] if open_part else []
        elif open_part and piece.kind == "text":
            parts[-1] += piece.text
    return parts


def _shown(cue: Cue) -> str:
    return shown(cue.text, cue.place)


def _highlights(cues: Sequence[Cue]) -> bool:
    """Return whether the cues with one marked part repeat the words of the cue before, with another part marked."""
    marked = [cue for cue in cues if "<u>" in cue.text and len(_underlined(cue.text)) == 1]
    pairs = zip(marked, marked[1:], strict=False)
    again = sum(early.text != late.text and _shown(early) == _shown(late) for early, late in pairs)
    return again >= max(1.0, MARKED * len(marked))


def _highlighted(cues: Sequence[Cue]) -> list[Cue]:
    """Return the marked words of cues, and the cues with text that no neighbour shows."""
    plain = [_shown(cue) for cue in cues]
    read: list[Cue] = []
    for index, cue in enumerate(cues):
        speaker = "".join(f"<v {name}>" for name in _who(cue)[:1])
        spoken = _underlined(cue.text)
        read += [replace(cue, text=speaker + part) for part in spoken]
        if not spoken and plain[index] not in plain[max(index - 1, 0) : index] + plain[index + 1 : index + 2]:
            read.append(cue)
    return read
