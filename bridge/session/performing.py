"""Performing: chosen characters play their verb graphs in real time, controlled by buttons, keys and sliders.

They wait in their first pose until the first request to any of them: then the clock and all takes start. A modal
operator calls `tick` repeatedly. At the end, the requests become their directors' scores.
"""

from __future__ import annotations

import gc
from collections.abc import Sequence

from bpy.types import Context, Object, Scene

from ...core.bounds import check_span
from ...core.errors import GraphError, VerbsError
from ...core.play.adverb_smoothing import checked_adverbs
from ...core.play.simulator import Clock
from ..action.write_pose import make_plan
from ..authoring.definitions import verb_to_play
from ..blender.events import redraw_regions
from ..data.adverb_values import slider_values
from ..data.commands import check_editable
from ..data.content import read_anew
from ..data.current import current_armature
from ..data.director import check_adverbs, check_directed, check_free, director_of, ensure_director, holder_of
from ..data.frames.counting import counting_of, put_start
from ..layers.said import only_known
from ..layers.saying import forget_words
from . import crash_journal, live_characters
from .character import Character, display_of
from .floor_mesh import feet_of
from .live import flush
from .live_characters import characters, ensure_character, look_again, settle_copies, takes
from .ongoing_take import OngoingTake
from .performance import Performance
from .playable import Playable, score_playable
from .saved_state import take_back, take_over
from .switching import give_back_abandoned, switch_off, switch_on
from .write_takes import Take, Written, write_take

NO_SCORE = "no score can be written to it"


def armatures_of(context: Context) -> list[Object]:
    """Return the armatures to perform: those with verbs that are selected or whose director is, active one first."""
    selected = [one for one in context.selected_objects if one != context.object]
    found = [current_armature(context), *(one.verbs_adverbs.directs or one for one in selected)]
    local = (one for one in found if one is not None and one.type == "ARMATURE" and one.library is None)
    return [one for one in dict.fromkeys(local) if one.verbs_adverbs.verbs]


def begin(armatures: Sequence[Object], scene: Scene, clock: Clock | None = None) -> Performance:
    """Start performing some armatures.

    Parameters
    ----------
    armatures : the first one is the active one.
    scene : the scene whose frames apply.
    clock : the wall clock by default.

    Raises
    ------
    VerbsError
        Why one of them cannot be performed; nothing is changed then.
    """
    if live_characters.performance is not None:
        raise GraphError("A performance is already running. End it first, with Esc over a 3D view.")
    playables = [_performable(armature, scene) for armature in armatures]
    settle_copies()
    for armature in armatures:
        give_back_abandoned(armature)
    performance, taken = Performance(scene, clock), []
    try:
        for armature, playable in zip(armatures, playables, strict=True):
            values = [scalar.path for scalar in playable.channels.scalars if scalar.kind == "value"]
            director, before = take_over(armature, values)
            taken.append((director, before))
            character = ensure_character(director)
            character.problem = ""
            character.display = display_of(armature, director, playable)
            take = OngoingTake(character, armature, director, character.display, before, scene)
            takes[director.session_uid] = take
            take.show()
            performance.takes.append(take)
    except Exception:
        for director, before in taken:
            _let_go(ensure_character(director), director)
            take_back(director, before)
        raise
    look_again()
    live_characters.performance = performance
    redraw_regions("WINDOW")
    return performance


def _performable(armature: Object, scene: Scene) -> Playable:
    """Return the playable with which an armature is performed.

    Raises
    ------
    VerbsError
        Why it cannot be performed.
    """
    check_directed(armature)
    check_free(armature)
    check_adverbs(armature)
    if crash_journal.unfinished(armature) is not None:
        raise GraphError(
            f"'{armature.name}' has an unfinished take. Select the character, and keep or discard the take first."
        )
    director = director_of(armature)
    with only_known(director):
        read_anew(armature)
        playable = score_playable(armature, director)
    make_plan(armature, playable.channels)
    if director is not None:
        check_editable(director, NO_SCORE)
        counting = counting_of(director, scene)
        check_span(director.name, counting.start, counting.start, counting.fps, "the first frame")
        feet_of(director, playable.graph)
        names = playable.adverb_names
        checked_adverbs(dict(zip(names, slider_values(director, names), strict=True)))
    return playable


def tick() -> bool:
    """Play up to now; return whether the performance continues.

    If a player raises an error, the performance is ended before the error propagates: a player that has raised must not
    be used any more.
    """
    performance = live_characters.performance
    if performance is None:
        return False
    for take in [take for take in performance.takes if not take.is_there()]:
        performance.takes.remove(take)
        _leave(take)
    if not performance.takes:
        live_characters.forget_performance()
        return False
    performance.undone = False
    try:
        performance.go_on()
    except Exception:
        end()
        raise
    return True


def _leave(take: OngoingTake) -> None:
    """Return a character to its former motion: its objects are gone or rebuilt, or its beginning was undone."""
    take.end_journal()
    armature, director = take.character.find()
    _let_go(take.character, director)
    look_again()
    abandoned = holder_of(armature) if armature is not None and director is None else None
    if abandoned is not None:
        abandoned.verbs_adverbs.performance.in_hand = False
        switch_off(abandoned)
    elif director is not None:
        forget_words(director, take.before.words)
        flush()


def _let_go(character: Character, director: Object | None) -> None:
    """Stop performing a character; its director is None if it is gone."""
    takes.pop(character.director.uid, None)
    character.display, character.problem = None, ""
    if director is not None:
        director.verbs_adverbs.performance.in_hand = False
    else:
        characters.pop(character.director.uid, None)


def end() -> list[str]:
    """End the performance; the take becomes the score, and plays. Return messages on errors.

    Nothing is changed if there was no request.
    """
    performance, live_characters.performance = live_characters.performance, None
    gc.unfreeze()  # see `Performance.set_off`
    problems = []
    for take in performance.takes if performance is not None else ():
        there = take.is_there()
        _, director = take.character.find()
        _let_go(take.character, director)
        if performance is not None and director is not None and there:
            if performance.waits:
                forget_words(director, take.before.words)
                take_back(director, take.before)
            else:
                problems += _keep(director, take, performance)
    for copy in live_characters.left_half_done():
        copy.verbs_adverbs.performance.in_hand = False
    look_again()
    if performance is not None:
        performance.problems = problems
        if performance.waits:
            flush()
    return problems


def _keep(director: Object, take: OngoingTake, performance: Performance) -> list[str]:
    """Make a take the score of its director, which then plays; return messages on errors."""
    scene = performance.scene
    if not take.notes.sliders:
        forget_words(director, take.before.words)
        return play_take(director, None, scene)
    try:
        written = write_take(director, take.finished(), take.fps, scene)
    except VerbsError as error:
        forget_words(director, take.before.words)
        return [str(error)]
    take.end_journal()
    performance.said += told_of(written, scene)
    return play_take(director, written, scene)


def play_take(director: Object, written: Written | None, scene: Scene) -> list[str]:
    """Play a director's score on the timeline; return messages on errors.

    Parameters
    ----------
    director : the director that plays it.
    written : the result of writing the take, None if there was none.
    scene : whose frames count.
    """
    own = director.verbs_adverbs
    try:
        switch_off(director)
        switch_on(own.directs, own.verb, scene)
    except VerbsError as error:
        return [str(error)]
    lost = written.lost if written is not None else ()
    return [
        f"'{name}' is controlled by a driver or NLA strips. On playback it follows these, not your performance."
        for name in lost
    ]


def told_of(written: Written, scene: Scene) -> list[str]:
    """Return messages on a take that was written."""
    said = [f"The take was saved as action '{written.action}'."]
    if written.former:
        said.append(f"The previous take was kept as '{written.former}'; you can choose it under Score.")
    if written.last > scene.frame_end:
        said.append(
            f"The take ends at frame {written.last}, but the scene ends at {scene.frame_end}. Press Fit Scene under "
            "Score to extend the scene."
        )
    return said


def keep_unfinished(armature: Object, scene: Scene) -> tuple[list[str], list[str]]:
    """Make an armature's unfinished take its director's score; return messages on errors, and others.

    Raises
    ------
    VerbsError
        If there is none, or it cannot be written or played; the journal is kept then.
    """
    found = crash_journal.unfinished(armature)
    if found is None:
        raise GraphError(f"'{armature.name}' has no unfinished take. Select another character.")
    check_free(armature)
    read_anew(armature)
    score_playable(armature, director_of(armature))
    present = director_of(armature)
    if present is not None:
        check_editable(present, NO_SCORE)
    director = ensure_director(armature)
    own = director.verbs_adverbs
    own.verb = own.verb or verb_to_play(armature)
    put_start(director, found.start * (counting_of(director, scene).fps / found.fps), scene)
    take = Take(found.verb, found.names, found.commands, found.sliders, found.handles)
    written = write_take(director, take, found.fps, scene)
    problems = play_take(director, written, scene)
    crash_journal.discard(armature)
    return problems, told_of(written, scene)
