"""The plan of a director's gestures as strips of the sequencer, over its words: read, dragged and laid anew.

Each word has a text strip, its own one if it came from there, and each phase of a gesture a strip in its colour. A
strip that does not lie where it was laid was dragged by the user: a text strip takes its word along with its emphasis,
a phase the emphasis alone. The strips are muted, so that nothing of them is rendered.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from bpy.types import Object, PropertyGroup, Scene

from ..blender.naming import cut
from ..blender.versions import (
    new_strip,
    remove_strip,
    renders_muted_strips,
    show_sequencer_of,
    strip_span,
    strips_of,
)
from ..data.annotate import scene_fps
from ..data.transition_items import verb_of
from .talking import plays_of_words, start_seconds, words_with_gestures

if TYPE_CHECKING:
    from ...core.gesture.plan import Placed, Plan

SAID, LEFT_OUT = "said", "left out"
"""What strips show that are no phases: a word, and a gesture that the plan leaves out."""
COLOURS = {
    "prepare": "COLOR_05",
    "stroke": "COLOR_02",
    "land": "COLOR_03",
    "hold": "COLOR_04",
    "relax": "COLOR_06",
    LEFT_OUT: "COLOR_01",
}
"""Colour tags of strips by what they show."""
HIGHEST = 125
"""Highest channel at which the strips of a plan may begin."""


class Wanted(NamedTuple):
    """A strip that is to be shown: of a word, from a frame to the one after its last."""

    word: int
    shows: str
    start: int
    end: int
    row: int
    """Channels above the lowest one of the plan."""
    text: str


def is_shown(director: Object) -> bool:
    """Whether a director's plan is shown as strips."""
    return any(not shown.given for shown in director.verbs_adverbs.speech.strips)


def show_plan(director: Object, scene: Scene) -> None:
    """Show a director's words and the plan of its gestures as strips of a scene's sequencer.

    Raises
    ------
    VerbsError
        If no word has a gesture, or the gestures cannot be planned.
    """
    plan = plays_of_words(director.verbs_adverbs.directs).plan
    speech = director.verbs_adverbs.speech
    pictures = any(strip.type != "SOUND" for strip in strips_of(scene))
    if renders_muted_strips() and not pictures and scene.render.use_sequencer:
        scene.render.use_sequencer, speech.rendered_strips = False, True
    show_sequencer_of(scene)
    _lay(director, scene, list(_wanted(director, scene, plan)))


def hide_plan(director: Object, scene: Scene) -> None:
    """Take the strips of a director's plan away, and leave the user's own ones."""
    speech = director.verbs_adverbs.speech
    _remove_own(director, scene)
    if speech.rendered_strips:
        scene.render.use_sequencer, speech.rendered_strips = True, False


def note_given(director: Object, word: int, strip: object) -> None:
    """Note that a word came from a text strip of the user's, which takes it along when it is dragged."""
    shown = director.verbs_adverbs.speech.strips.add()
    start, end = strip_span(strip)
    shown.name, shown.word, shown.shows, shown.given, shown.start, shown.end = strip.name, word, SAID, True, start, end


def forget_given(director: Object) -> None:
    """Forget from which strips words came."""
    strips = director.verbs_adverbs.speech.strips
    for row in [row for row, shown in enumerate(strips) if shown.given][::-1]:
        strips.remove(row)


def heed_strips(director: Object, scene: Scene) -> bool:
    """Move words whose strips were dragged; returns whether there were any."""
    speech = director.verbs_adverbs.speech
    if not speech.strips:
        return False
    there = {strip.name: strip for strip in strips_of(scene)}
    dragged: dict[tuple[int, bool], int] = {}
    for shown in speech.strips:
        if shown.name not in there:
            continue
        start, end = (round(frame) for frame in strip_span(there[shown.name]))
        frames = start - shown.start
        if frames and end - shown.end == frames:
            key = shown.word, shown.shows == SAID
            dragged[key] = max(dragged.get(key, 0), frames, key=abs)
        if frames:
            shown.start, shown.end = start, end
    for (number, whole), frames in dragged.items():
        if number < len(speech.words):
            move_word(speech.words[number], frames / scene_fps(scene), whole)
    return bool(dragged)


def move_word(word: PropertyGroup, seconds: float, whole: bool) -> None:
    """Move the emphasis of a word, and the word itself if the whole of it is moved."""
    if whole:
        word.start, word.end = word.start + seconds, word.end + seconds
    word.target += seconds


def lay_again(director: Object, scene: Scene) -> None:
    """Lay the strips of a director's plan where they belong, if they are shown and do not lie there.

    If the user has deleted all of them, they stay away.

    Raises
    ------
    VerbsError
        If the gestures cannot be planned.
    """
    if not is_shown(director):
        return
    armature = director.verbs_adverbs.directs
    plan = plays_of_words(armature).plan if words_with_gestures(armature) else None
    wanted = list(_wanted(director, scene, plan))
    there = {strip.name: strip for strip in strips_of(scene)}
    if not any(shown.name in there for shown in director.verbs_adverbs.speech.strips if not shown.given):
        hide_plan(director, scene)
        return
    lying = {
        (shown.word, shown.shows, *(round(frame) for frame in strip_span(there[shown.name])))
        for shown in director.verbs_adverbs.speech.strips
        if not shown.given and shown.name in there
    }
    if lying != {(one.word, one.shows, one.start, one.end) for one in wanted}:
        _lay(director, scene, wanted)


def _wanted(director: Object, scene: Scene, plan: Plan | None) -> Iterator[Wanted]:
    """The strips that show words and their gestures."""
    armature, speech, fps = director.verbs_adverbs.directs, director.verbs_adverbs.speech, scene_fps(scene)
    given = {shown.word for shown in speech.strips if shown.given}
    for number, word in enumerate(speech.words):
        if number not in given:
            start = round(word.start * fps)
            yield Wanted(number, SAID, start, max(round(word.end * fps), start + 1), 0, word.text or "(silence)")
    if plan is None:
        return
    numbers = {word.path_from_id(): number for number, word in enumerate(speech.words)}
    asked = [numbers[word.path_from_id()] for word in words_with_gestures(armature)]
    for row, one in enumerate(plan.placed):
        number = asked[one.chosen.request]
        name = verb_of(armature, speech.words[number].gesture).name
        begins = start_seconds(director)
        for shows, start, end in _phases(one):
            first, last = round((begins + start) * fps), round((begins + end) * fps)
            if last > first:
                yield Wanted(number, shows, first, last, 1 + row % 2, f"{shows} {name}")
    for request in plan.choice.dropped:
        word = speech.words[asked[request]]
        start = round(word.start * fps)
        name = verb_of(armature, word.gesture).name
        yield Wanted(asked[request], LEFT_OUT, start, max(round(word.end * fps), start + 1), 3, f"{LEFT_OUT}: {name}")


def _phases(one: Placed) -> Iterator[tuple[str, float, float]]:
    """The phases of a gesture, from and to seconds of the plan."""
    at = [
        one.begin,
        one.sync.get("stroke_start", one.begin),
        one.sync.get("stroke", one.begin),
        one.sync.get("stroke_end", one.go),
        one.go,
        one.end,
    ]
    names = ("prepare", "stroke", "land", "hold", "relax" if one.relaxes else "")
    yield from ((name, start, end) for name, start, end in zip(names, at[:-1], at[1:], strict=True) if name)


def _lay(director: Object, scene: Scene, wanted: list[Wanted]) -> None:
    """Put strips in the place of those that show a director's plan."""
    speech = director.verbs_adverbs.speech
    own = {shown.name for shown in speech.strips if not shown.given}
    before = [strip for strip in strips_of(scene) if strip.name in own]
    chosen = {strip.name for strip in before if strip.select}
    rows = {shown.name: shown.row for shown in speech.strips}
    lowest = min((strip.channel - rows[strip.name] for strip in before), default=0)
    _remove_own(director, scene)
    if lowest < 1:
        lowest = 1 + max((strip.channel for strip in strips_of(scene)), default=0)
    for one in wanted:
        kind = "TEXT" if one.shows == SAID else "COLOR"
        strip = new_strip(scene, kind, cut(one.text, ""), min(lowest, HIGHEST) + one.row, one.start, one.end)
        strip.mute, strip.select, strip.color_tag = True, strip.name in chosen, COLOURS.get(one.shows, "NONE")
        if kind == "TEXT":
            strip.text = one.text
        shown = speech.strips.add()
        shown.name, shown.word, shown.shows, shown.row = strip.name, one.word, one.shows, one.row
        shown.start, shown.end = one.start, one.end


def _remove_own(director: Object, scene: Scene) -> None:
    """Remove the strips that show a director's plan."""
    strips = director.verbs_adverbs.speech.strips
    own = {shown.name for shown in strips if not shown.given}
    for strip in [strip for strip in strips_of(scene) if strip.name in own]:
        remove_strip(scene, strip)
    for row in [row for row, shown in enumerate(strips) if not shown.given][::-1]:
        strips.remove(row)
