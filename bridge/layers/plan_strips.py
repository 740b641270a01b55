"""The plan of a director's gestures as sequencer strips, along with its words: read, dragged and updated.

Each word has a text strip, its original one if it came from there, and each gesture a strip that contains its phases in
their colours. Dragging a strip moves what it shows: a text strip moves its word with its emphasis, a gesture only the
emphasis. The strips are muted, so that they are not rendered.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from math import floor
from typing import TYPE_CHECKING, Any, NamedTuple

from bpy.types import Object, Scene

from ...core.errors import WordsError, quoted
from ..blender.naming import cut
from ..blender.versions import (
    end_strip,
    inputs_of,
    new_strip,
    place_strip,
    remove_strip,
    renders_muted_strips,
    show_sequencer_of,
    strip_span,
    strips_of,
    strips_within,
)
from ..data.annotate import scene_fps
from ..data.transition_items import verb_of
from .said import (
    LEFT_OUT,
    PLAYED,
    RECORD,
    SAID,
    Moved,
    dragged,
    given_strips,
    own_strips,
    said_words,
    scene_with,
    settle,
)
from .talking import has_plan, plays_of_words, start_seconds, words_with_gestures

if TYPE_CHECKING:
    from ...core.gesture.plan import Placed
    from ...core.gesture.plan_layer import PlaysPlan

KINDS = {SAID: "TEXT", PLAYED: "META", LEFT_OUT: "COLOR"}
COLOURS = {
    "prepare": (0.16, 0.36, 0.62),
    "stroke": (0.9, 0.42, 0.08),
    "land": (0.95, 0.75, 0.2),
    "hold": (0.3, 0.5, 0.22),
    "relax": (0.42, 0.3, 0.56),
    LEFT_OUT: (0.75, 0.12, 0.12),
}
"""Colours of phases, and of gestures that are left out. From its emphasis on a stroke lands."""
TOLD = 3
"""Number of the user's strips to name in a message."""
ROWS, HIGHEST = 4, 125
"""Number of channels for the strips of a plan, and the highest at which they may begin."""


class Wanted(NamedTuple):
    """A strip to be shown: of a word, from a frame to the one after its last."""

    word: int
    shows: str
    start: int
    end: int
    row: int
    """Channels above the lowest one of the plan."""
    text: str
    phases: tuple[tuple[str, int, int], ...] = ()
    """Of a gesture: their names, first frames, and the frames after their last ones."""


def is_shown(director: Object) -> bool:
    """Return whether a director's plan is shown as strips."""
    return next(own_strips(director), None) is not None


def show_plan(director: Object) -> None:
    """Show a director's words and the plan of its gestures as strips of the sequencer.

    Raises
    ------
    VerbsError
        If no word has a gesture, or the gestures cannot be planned.
    """
    _check_closed(director)
    plays, scene = plays_of_words(director.verbs_adverbs.directs), scene_with(director)
    settle(director)
    if renders_muted_strips() and not _pictures(scene) and scene.render.use_sequencer:
        scene.render.use_sequencer, director.verbs_adverbs.speech.rendered_strips = False, True
    show_sequencer_of(scene)
    _lay(director, list(_wanted(director, plays)))


def hide_plan(director: Object) -> int:
    """Remove the strips of a director's plan, but not the user's own.

    Returns
    -------
    Number of the user's effect strips on them that were removed too.

    Raises
    ------
    WordsError
        If one of them is opened as a meta strip.
    """
    _check_closed(director)
    settle(director)
    scene = scene_with(director)
    before = len(_effects(scene))
    _remove_own(director)
    _render_again(scene, scene.objects)
    return before - len(_effects(scene))


def unrendered_told(director: Object) -> str:
    """Return a message on the user's own strips that are not rendered while a plan is shown; empty if none."""
    scene = scene_with(director)
    off = director.verbs_adverbs.speech.rendered_strips and not scene.render.use_sequencer
    own = [strip.name for strip in _pictures(scene) if not strip.mute] if off else []
    if not own:
        return ""
    return (
        f"{quoted(own, TOLD)} will not be rendered, because showing the plan turns off Sequencer (Output > Post "
        "Processing). Hide the plan before you render, or turn it on there."
    )


def _render_again(scene: Scene, directors: Iterable[Object]) -> None:
    """Turn rendering of the sequencer back on if it was off because of plans' strips and none are left."""
    if any(RECORD in strip for strip in strips_of(scene)):
        return
    for speech in (director.verbs_adverbs.speech for director in directors):
        if speech.rendered_strips:
            scene.render.use_sequencer, speech.rendered_strips = True, False


def _pictures(scene: Scene) -> list[Any]:
    """Return the user's strips that could be rendered: neither strips of a plan nor sounds."""
    strips = strips_of(scene)
    phases = {one.name for strip in strips if RECORD in strip and strip.type == "META" for one in strips_within(strip)}
    return [one for one in strips if one.type != "SOUND" and RECORD not in one and one.name not in phases]


def _effects(scene: Scene) -> list[Any]:
    """Return the user's effect strips whose inputs are strips of plans."""
    return [one for one in strips_of(scene) if any(RECORD in given for given in inputs_of(one))]


def lay_again(director: Object) -> None:
    """Update the strips of a director's plan, if they are shown and out of place.

    If the user has deleted them all, rendering of the sequencer is restored.

    Raises
    ------
    VerbsError
        If the gestures cannot be planned.
    """
    if not is_shown(director):
        _render_again(scene_with(director), [director])
        return
    if _opened(director):
        return
    armature = director.verbs_adverbs.directs
    plays = plays_of_words(armature) if has_plan(armature) else None
    wanted = list(_wanted(director, plays))
    lying = {(record["laid"], *(round(frame) for frame in strip_span(strip))) for strip, record in own_strips(director)}
    if lying != {(repr(one), one.start, one.end) for one in wanted}:
        _lay(director, wanted)


def _opened(director: Object) -> bool:
    """Return whether a strip of a director's plan is opened as a meta strip, so that it must not be removed."""
    editor = scene_with(director).sequence_editor
    return editor is not None and any(RECORD in strip for strip in editor.meta_stack)


def _check_closed(director: Object) -> None:
    if _opened(director):
        raise WordsError("A strip of the plan is open in the sequencer. Close it (Tab) first.")


def _wanted(director: Object, plays: PlaysPlan | None) -> Iterator[Wanted]:
    """Yield the strips for spoken words and their gestures."""
    armature, fps = director.verbs_adverbs.directs, scene_fps(scene_with(director))

    def frame(seconds: float) -> int:
        return floor(seconds * fps + 0.5)

    def frames(begin: float, end: float) -> tuple[int, int]:
        return frame(begin), max(frame(end), frame(begin) + 1)

    given = given_strips(director)
    for word in said_words(director):
        if word.plays and word.number not in given:
            yield Wanted(word.number, SAID, *frames(word.start, word.end), 0, word.text or "(silence)")
    if plays is None:
        return
    begins, asked = start_seconds(director), words_with_gestures(armature)
    names = [verb_of(armature, word.gesture).name for word in asked]
    for row, (request, one) in enumerate(plays.placed()):
        spans = [(name, frame(begins + start), frame(begins + end)) for name, start, end in _phases(one)]
        phases = tuple((name, start, end) for name, start, end in spans if end > start)
        if phases:
            ends = phases[0][1], phases[-1][2]
            yield Wanted(asked[request].number, PLAYED, *ends, 1 + row % 2, names[request], phases)
    for word, request in ((asked[request], request) for request in plays.dropped() if asked[request].plays):
        ends = frames(word.start, word.end)
        yield Wanted(word.number, LEFT_OUT, *ends, 3, f"{names[request]}: {LEFT_OUT}")


def _phases(one: Placed) -> Iterator[tuple[str, float, float]]:
    """Yield the phases of a gesture with their begin and end in seconds of the plan."""
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


def _lay(director: Object, wanted: list[Wanted]) -> None:
    """Replace the strips that show a director's plan."""
    scene, moves = scene_with(director), dragged(director)
    own = list(own_strips(director))
    chosen = {strip.name for strip, _ in own if strip.select}
    active = scene.sequence_editor.active_strip if scene.sequence_editor is not None else None
    active_name = active.name if active is not None else ""
    lowest = min((record["lowest"] for _, record in own), default=0)
    kept = _with_effects(director, {(one.word, one.shows) for one in wanted})
    names = {strip.name for strip in kept.values()}
    _remove_own(director, names)
    lowest = _free_channel(scene, lowest, wanted, names)
    for one in wanted:
        strip = kept.get((one.word, one.shows))
        if strip is None:
            strip = new_strip(scene, KINDS[one.shows], cut(one.text, ""), lowest + one.row, one.start, one.end)
        else:
            _empty(scene, strip)
            place_strip(strip, lowest + one.row, one.start, one.end)
        for name, start, end in one.phases:
            new_strip(scene, "COLOR", name, 1, start, end, strip).color = COLOURS[name]
        if one.phases:
            end_strip(strip, one.end)
        strip.mute, strip.select = True, strip.name in chosen
        if one.shows == SAID:
            strip.text = one.text
        elif one.shows == LEFT_OUT:
            strip.color = COLOURS[LEFT_OUT]
        moved = moves.get(one.word, Moved())
        strip[RECORD] = {
            "director": director,
            "word": one.word,
            "shows": one.shows,
            "start": one.start,
            "end": one.end,
            "offset": moved.word if one.shows == SAID else moved.emphasis,
            "along": moved.word,
            "lowest": lowest,
            "laid": repr(one),
        }
        if strip.name == active_name:
            scene.sequence_editor.active_strip = strip


def _with_effects(director: Object, wanted: set[tuple[int, str]]) -> dict[tuple[int, str], Any]:
    """Return the wanted strips of a director's plan that the user's effects use, by word and by what they show.

    They are changed in place, since Blender removes an effect together with its inputs.
    """
    built_on = {given.name for effect in _effects(scene_with(director)) for given in inputs_of(effect)}
    own = {(record["word"], record["shows"]): one for one, record in own_strips(director) if one.name in built_on}
    return {key: strip for key, strip in own.items() if key in wanted}


def _empty(scene: Scene, strip: Any) -> None:
    """Remove the phases within a strip of a gesture."""
    for name in [one.name for one in strips_within(strip)] if strip.type == "META" else ():
        remove_strip(scene, strips_within(strip)[name])


def _free_channel(scene: Scene, lowest: int, wanted: list[Wanted], kept: set[str]) -> int:
    """Return the lowest channel for a plan: the previous one if free, else above all other strips in its time range.

    `kept` are names of its own strips, which do not block channels.
    """
    begin, end = min((one.start for one in wanted), default=0), max((one.end for one in wanted), default=0)
    there = strips_within(scene.sequence_editor or scene.sequence_editor_create())
    others = [strip for strip in there if strip.name not in kept]
    beside = {strip.channel for strip in others if strip_span(strip)[0] < end and strip_span(strip)[1] > begin}
    if lowest and not beside & set(range(lowest, lowest + ROWS)):
        return lowest
    above = 1 + max(beside, default=0)
    free = [n for n in range(1, HIGHEST + 1) if not beside & set(range(n, n + ROWS))]
    return above if above <= HIGHEST else max(free, default=HIGHEST)


def _remove_own(director: Object, kept: Container[str] = ()) -> None:
    """Remove the strips of a director's plan except those in `kept`, and those of deleted directors."""
    scene = scene_with(director)
    recorded = [(strip, strip[RECORD]["director"]) for strip in strips_of(scene) if RECORD in strip]
    for strip in [strip for strip, whose in recorded if whose == director or _is_gone(whose, scene)]:
        if strip.name not in kept:
            remove_strip(scene, strip)


def _is_gone(director: Object | None, scene: Scene) -> bool:
    return director is None or scene.objects.get(director.name) != director
