"""The words of a director as they are said now: where strips of theirs were dragged, the strips tell when.

As with the pose markers of keytimes, reading never writes. A strip that does not lie where it was laid was dragged by
the user, and its word counts as moved until an operator takes that over, by `settle`. So the user's undo of the drag is
all that is needed to take it back.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from bpy.types import Object, Scene

from ..blender.versions import strip_span, strips_of
from ..data.annotate import scene_fps

SAID, PLAYED, LEFT_OUT = "said", "played", "left out"
"""What strips show: a word, its gesture, and that the plan leaves its gesture out."""
RECORD = "verbs_adverbs"
"""Custom property of strips that show a plan: whose and of which word it is, and where it was laid."""


class Said(NamedTuple):
    """A word: its number, when it is said and emphasised in seconds of the scene, and the gesture on it."""

    number: int
    text: str
    start: float
    end: float
    target: float
    gesture: str


class Moved(NamedTuple):
    """By how many frames a word was dragged, and its emphasis beyond that."""

    word: float = 0.0
    emphasis: float = 0.0


def scene_with(director: Object) -> Scene:
    """The scene whose sequencer shows the words of a director."""
    return director.users_scene[0]


def own_strips(director: Object) -> Iterator[tuple[Any, Any]]:
    """Strips that show a director's plan, with what is recorded of them."""
    for strip in strips_of(scene_with(director)):
        record = strip.get(RECORD)
        if record is not None and record["director"] == director.name:
            yield strip, record


def dragged(director: Object) -> dict[int, Moved]:
    """By how much words were dragged, by their numbers."""
    moved: dict[tuple[int, bool], float] = {}
    for strip, record in own_strips(director):
        frames = _shifted(strip, record["start"], record["end"]) + record["offset"]
        key = record["word"], record["shows"] == SAID
        moved[key] = min(moved.get(key, frames), frames, key=abs)  # The user may have copied a strip.
    found = {number: Moved(moved.get((number, True), 0.0), moved.get((number, False), 0.0)) for number, _ in moved}
    words = director.verbs_adverbs.speech.words
    given = {word.strip for word in words} - {""}
    there = {strip.name: strip for strip in strips_of(scene_with(director)) if strip.name in given} if given else {}
    for number, word in enumerate(words):
        if word.strip in there:
            frames = _shifted(there[word.strip], word.strip_start, word.strip_end)
            found[number] = found.get(number, Moved())._replace(word=frames)
    return found


def _shifted(strip: object, start: int, end: int) -> int:
    """By how many frames a strip was moved; 0 for one that was made longer or shorter."""
    first, last = (round(frame) for frame in strip_span(strip))
    return first - start if first - start == last - end else 0


def said_words(director: Object) -> list[Said]:
    """The words of a director as they are said now."""
    moves, fps, found = dragged(director), scene_fps(scene_with(director)), []
    for number, word in enumerate(director.verbs_adverbs.speech.words):
        by, emphasis = (frames / fps for frames in moves.get(number, Moved()))
        times = word.start + by, word.end + by, word.target + by + emphasis
        found.append(Said(number, word.text, *times, word.gesture))
    return found


def settle(director: Object) -> None:
    """Take over what was dragged, so that what is stored of the words says when they are said."""
    words = director.verbs_adverbs.speech.words
    now, moves = said_words(director), dragged(director)
    for strip, record in own_strips(director):
        record["start"], record["end"] = (round(frame) for frame in strip_span(strip))
        record["offset"] = 0.0
    there = {strip.name: strip for strip in strips_of(scene_with(director))}
    for said in now:
        word = words[said.number]
        if word.strip in there:
            word.strip_start, word.strip_end = (round(frame) for frame in strip_span(there[word.strip]))
        if any(moves.get(said.number, ())):
            word.start, word.end, word.target = said.start, said.end, said.target
