"""The current words of a director: where their strips were dragged, the strips define the timing.

As with the pose markers of keytimes, reading never writes. A strip that is not where it was placed was dragged by the
user, and its word counts as moved until an operator applies the move with `settle`. So undoing the drag is enough to
take it back.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

import bpy
from bpy.types import Object, PropertyGroup, Scene

from ..blender.versions import strip_span, strips_of
from ..data.annotate import scene_fps
from ..data.current import scene_of
from ..data.schema import EARLIEST

SAID, PLAYED, LEFT_OUT = "said", "played", "left out"
"""What strips show: a word, its gesture, or a gesture left out of the plan."""
RECORD = "verbs_adverbs"
"""Custom property of strips that show a plan: the director and word it belongs to, and where it was placed.

The director is stored as a pointer and not by name, so that a copied scene's strips belong to its copied director.
"""


class Said(NamedTuple):
    """A word: its number, its times and emphasis in seconds of the scene, and the gesture on it.

    `known` is when it was said live, `EARLIEST` for a word that was known from the beginning. `plays` is False for one
    that is not said after all: it was replaced, or said live in a take other than the current one. `from_rest` is
    whether the gesture layer was idle when it was said live.
    """

    number: int
    text: str
    start: float
    end: float
    target: float
    gesture: str
    known: float = EARLIEST
    plays: bool = True
    from_rest: bool = False


class Moved(NamedTuple):
    """By how many frames a word was dragged, and by how many its emphasis within the word."""

    word: float = 0.0
    emphasis: float = 0.0


def scene_with(director: Object) -> Scene:
    """Return the scene whose sequencer shows the words of a director."""
    return scene_of(director, bpy.context.scene)


def own_strips(director: Object) -> Iterator[tuple[Any, Any]]:
    """Yield the strips that show a director's plan, with their records."""
    for strip in strips_of(scene_with(director)):
        record = strip.get(RECORD)
        if record is not None and record["director"] == director:
            yield strip, record


def given_strips(director: Object) -> dict[int, Any]:
    """Return the user's text strips that words were read from, by word number, if their text is unchanged."""
    words = director.verbs_adverbs.speech.words
    if not any(word.strip for word in words):
        return {}
    there = {strip.name: strip for strip in strips_of(scene_with(director)) if strip.type == "TEXT"}
    return {
        number: there[word.strip]
        for number, word in enumerate(words)
        if word.strip in there and there[word.strip].text == word.strip_text
    }


def dragged(director: Object) -> dict[int, Moved]:
    """Return how far words were dragged, by word number."""
    words = director.verbs_adverbs.speech.words
    by_word: dict[int, float] = {}
    gestures: list[tuple[int, int, Any]] = []
    for strip, record in own_strips(director):
        shifted = _shifted(strip, record["start"], record["end"])
        if record["shows"] != SAID:
            gestures.append((record["word"], shifted, record))
            continue
        frames = shifted + record["offset"]
        by_word[record["word"]] = min(by_word.get(record["word"], frames), frames, key=abs)  # The user may copy strips.
    for number, strip in given_strips(director).items():
        by_word[number] = _shifted(strip, words[number].strip_start, words[number].strip_end)
    by_emphasis: dict[int, float] = {}
    for number, shifted, record in gestures:
        along = by_word.get(number, 0.0) - record["along"] if shifted else 0.0
        frames = record["offset"] + shifted - along
        by_emphasis[number] = min(by_emphasis.get(number, frames), frames, key=abs)
    numbers = {*by_word, *by_emphasis}
    return {number: Moved(by_word.get(number, 0.0), by_emphasis.get(number, 0.0)) for number in numbers}


def _shifted(strip: object, start: int, end: int) -> int:
    """Return by how many frames a strip was moved from its original start and end; 0 if it was only resized."""
    first, last = (round(frame) for frame in strip_span(strip))
    return min(first - start, last - end, key=abs) if (first - start) * (last - end) > 0 else 0


def said_words(director: Object) -> list[Said]:
    """Return the current words of a director."""
    return _said(director, dragged(director))


def _said(director: Object, moves: Mapping[int, Moved]) -> list[Said]:
    fps, found = scene_fps(scene_with(director)), []
    for number, word in enumerate(director.verbs_adverbs.speech.words):
        by, emphasis = (frames / fps for frames in moves.get(number, Moved()))
        times = word.start + by, word.end + by, word.target + by + emphasis
        known = word.known if word.known > EARLIEST else EARLIEST
        found.append(Said(number, word.text, *times, word.gesture, known, belongs(director, word), word.from_rest))
    moments = sorted({one.known for one in found if one.plays and one.known > EARLIEST})
    return [one._replace(plays=one.plays and not _replaced(one, moments)) for one in found]


def belongs(director: Object, word: PropertyGroup) -> bool:
    """Return whether a word belongs to what a director plays: those said live in another take do not."""
    performance = director.verbs_adverbs.performance
    return not word.take or (not performance.in_hand and performance.take == word.take)


@contextmanager
def only_known(director: Object | None) -> Iterator[None]:
    """Ignore words said live in a take within the `with` block, as when another take begins."""
    if director is None:
        yield
        return
    performance = director.verbs_adverbs.performance
    before, performance.in_hand = performance.in_hand, True
    try:
        yield
    finally:
        performance.in_hand = before


def _replaced(word: Said, moments: Sequence[float]) -> bool:
    """Return whether a word was still unsaid when new words replaced the remaining ones, at any of some moments."""
    return any(word.known < moment <= word.start for moment in moments)


def settle(director: Object) -> None:
    """Apply dragged strips to the words' stored times."""
    words, moves = director.verbs_adverbs.speech.words, dragged(director)
    now, given = _said(director, moves), given_strips(director)
    for strip, record in own_strips(director):
        record["start"], record["end"] = (round(frame) for frame in strip_span(strip))
        record["offset"] = record["along"] = 0.0
    for said in now:
        word = words[said.number]
        if said.number in given:
            word.strip_start, word.strip_end = (round(frame) for frame in strip_span(given[said.number]))
        if any(moves.get(said.number, ())):
            word.start, word.end, word.target = said.start, said.end, said.target
