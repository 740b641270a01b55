"""Reading a director's words from files, from text strips of the sequencer and from timeline markers."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import bpy
from bpy.types import Object, Scene

from ...core.errors import VerbsError, WordsError, quoted
from ..blender.versions import strip_span, strips_of
from ..data.annotate import scene_fps
from ..data.director import director_of, ensure_director
from ..data.schema import NO_LOOK
from .looking import Look, look_named
from .plan_strips import lay_again
from .said import RECORD, said_words, scene_with, settle
from .talking import gesture_verbs

if TYPE_CHECKING:
    from ...core.words.word import Utterance

LAST_MARKED = 0.4
"""Duration in seconds of a word whose marker is the only or the last one."""
LONGEST_MARKED = 1.0
"""Longest duration in seconds of a word from a timeline marker."""


def read_file(armature: Object, path: str, begin: float, seed: int) -> Utterance:
    """Import the words of a subtitle, transcript or alignment file.

    Parameters
    ----------
    path : path of the file, which may be relative in Blender's notation.
    begin : scene time in seconds at which the file's time begins, such as the start of the sound.
    seed : see `put_words`.

    Raises
    ------
    WordsError
        If it cannot be read.
    """
    from ...core.words.read_words import read_words

    return put_words(armature, read_words(Path(bpy.path.abspath(path))), begin, seed)


def read_strips(armature: Object, scene: Scene, seed: int) -> Utterance:
    """Import the words of the text strips in a scene's sequencer.

    Raises
    ------
    WordsError
        If there are none, or they overlap.
    """
    from ...core.words.cues import Cue, words_in_cues

    fps = scene_fps(scene)
    strips = [strip for strip in strips_of(scene) if strip.type == "TEXT" and not strip.mute and RECORD not in strip]
    if not strips:
        raise WordsError("The sequencer has no unmuted text strips. Add some, or read words from a file.")
    spans = [(*(frame / fps for frame in strip_span(strip)), strip) for strip in strips]
    cues = [
        Cue(start, end, strip.text, f"Text strip '{strip.name}'")
        for start, end, strip in sorted(spans, key=lambda span: span[0])
    ]
    said = put_words(armature, words_in_cues(cues), 0.0, seed)
    director = director_of(armature)
    for word in director.verbs_adverbs.speech.words:
        middle = 0.5 * (word.start + word.end)
        for start, end, strip in spans:
            if start <= middle <= end:
                word.strip, word.strip_text = strip.name, strip.text
                word.strip_start, word.strip_end = (round(frame) for frame in strip_span(strip))
    return said


def read_markers(armature: Object, scene: Scene, seed: int) -> Utterance:
    """Import the markers of a scene's timeline as words, each of which begins at its marker.

    Raises
    ------
    WordsError
        If there are none.
    """
    from ...core.words.cues import Cue, words_in_cues

    fps = scene_fps(scene)
    markers = sorted(scene.timeline_markers, key=lambda marker: marker.frame)
    if not markers:
        raise WordsError(
            "The timeline has no markers. Add one for each word, named after the word, or read words from a file."
        )
    starts = [marker.frame / fps for marker in markers]
    ends = [*starts[1:], starts[-1] + LAST_MARKED]
    cues = [
        Cue(start, min(end, start + LONGEST_MARKED), marker.name, f"Marker '{marker.name}'")
        for start, end, marker in zip(starts, ends, markers, strict=True)
    ]
    return put_words(armature, words_in_cues(cues), 0.0, seed)


def put_words(armature: Object, utterance: Utterance, begin: float, seed: int) -> Utterance:
    """Replace the words of an armature's director.

    A tag names the verb played on a word, or the target to look at. In phrases without a tag one word gets a gesture,
    see `unasked`.

    Parameters
    ----------
    begin : seconds by which the words are said later.
    seed : random seed for choosing gestures that no tag names.

    Raises
    ------
    WordsError
        If a tag names neither a gesture of the armature nor a valid look target. Nothing is changed then.
    """
    drawn, looks = gestures_on(armature, utterance, seed), looks_on(armature, utterance)
    director = director_of(armature) or ensure_director(armature)
    settle(director)
    director.verbs_adverbs.speech.words.clear()
    add_words(director, utterance, begin, drawn, looks)
    director.verbs_adverbs.speech.active_word = 0
    director.update_tag()
    return utterance


def gestures_on(armature: Object, utterance: Utterance, seed: int) -> dict[int, str]:
    """Return the identifiers of the verbs to play on words, by word number.

    Raises
    ------
    WordsError
        If a tag names no gesture of the armature.
    """
    from ...core.words.stress import unasked

    verbs = {item.name.lower(): item for item in gesture_verbs(armature)}
    lacking = sorted({word.gesture for word in utterance.words if word.gesture} - set(verbs))
    if lacking:
        raise WordsError(
            f"The text asks for {quoted(lacking, len(lacking))}, but '{armature.name}' has no gesture with that name. "
            "Change the text, or give a gesture verb that name."
        )
    asked = {number: word.gesture for number, word in enumerate(utterance.words) if word.gesture}
    names = {**unasked(utterance.words, list(verbs), seed), **asked}
    return {number: verbs[name].uid for number, name in names.items()}


def looks_on(armature: Object, utterance: Utterance) -> dict[str, Look]:
    """Return the looks on words, by the names in their tags.

    Raises
    ------
    WordsError
        If a tag names no valid look target.
    """
    return {word.look: look_named(armature, word.look) for word in utterance.words if word.look}


def add_words(
    director: Object, utterance: Utterance, begin: float, gestures: Mapping[int, str], looks: Mapping[str, Look]
) -> None:
    """Append words to a director's list.

    Parameters
    ----------
    begin : seconds by which the words are said later.
    gestures : identifiers of the verbs on them, by word number.
    looks : as returned by `looks_on`.
    """
    from ...core.words.stress import target_of

    for number, word in enumerate(utterance.words):
        item = director.verbs_adverbs.speech.words.add()
        item.text, item.start, item.end = word.text, begin + word.start, begin + word.end
        item.target, item.confidence, item.tag = begin + target_of(word), word.confidence, word.tag
        item.gesture = gestures.get(number, "")
        item.look, item.look_at = looks.get(word.look, (NO_LOOK, None))


def nudge_word(director: Object, frames: float) -> bool:
    """Move the selected word by frames, no further than its neighbours; return whether it moved."""
    from ...core.words.word import Utterance, Word

    settle(director)
    speech = director.verbs_adverbs.speech
    chosen, number = speech.words[speech.active_word], speech.active_word
    beside = [one.number for one in said_words(director) if one.plays or one.number == number]
    said = Utterance(tuple(Word("", speech.words[one].start, speech.words[one].end) for one in beside))
    seconds = said.room_for(beside.index(number), frames / scene_fps(scene_with(director)))
    if seconds:
        chosen.start, chosen.end = chosen.start + seconds, chosen.end + seconds
        chosen.target += seconds
        with suppress(VerbsError):
            lay_again(director)
    return bool(seconds)


def sound_begins(scene: Scene) -> float:
    """Return the scene time in seconds at which the sequencer's first sound strip begins; 0 if there is none."""
    sounds = [strip for strip in strips_of(scene) if strip.type == "SOUND" and not strip.mute]
    return min((strip_span(strip)[0] for strip in sounds), default=0.0) / scene_fps(scene)
