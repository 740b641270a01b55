"""Live characters: their directors, the cached state of each, and the current performance.

Blender's handlers and the panels call this file all the time, so it does not import NumPy.
"""

from __future__ import annotations

import gc
from bisect import bisect_left
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, NamedTuple

import bpy
from bpy.types import Action, Object, PropertyGroup, Scene

from ..action.generated_action import is_generated, is_shared, let_go
from ..blender.naming import told_frame
from ..blender.undo import note_replaced
from ..blender.versions import assign_action, assigned_slot_name
from ..data.commands import CommandKey, command_keys, verb_of_number
from ..data.current import is_linked, ours
from ..data.director import director_of, holder_of, not_directed_by
from ..data.frames.counting import counting_of
from ..data.layer_properties import LAYER_STATES
from ..data.library_director import claim_director

if TYPE_CHECKING:
    from ...core.play.player import Happening
    from .character import Character
    from .ongoing_take import OngoingTake
    from .performance import Performance
    from .request import Played

TIMELINE, SLIDERS = "timeline", "sliders"
"""Kinds of jobs: writing generated actions, and computing what is needed to show the pose of a moved slider."""

characters: dict[int, Character] = {}
"""Cached state of each live character, by the session identifier of its director."""
takes: dict[int, OngoingTake] = {}
"""State of each performed character, likewise."""
performance: Performance | None = None
"""The current performance, None if there is none."""

AT_ONCE = 1e-6
"""Seconds by which the time of a frame may differ from that of its events."""

VERB_BEGINS, SOON = ("transition", "verb"), 2.0
"""Kinds of events when another verb begins, and seconds before it in which it counts as imminent."""

_live: list[tuple[str, int]] | None = None
"""Names and session identifiers of the live directors last found, None when out of date."""


def look_again(found: Iterable[Object] | None = None) -> None:
    """Record the live directors just found; if None, they are searched for when needed."""
    global _live
    _live = None if found is None else [(one.name, one.session_uid) for one in found]


def directors() -> list[Object]:
    """Return the live directors; as this is called all the time, they are looked up by their last known names."""
    if _live is not None:
        known = [one for name, uid in _live if (one := _still_live(name, uid)) is not None]
        if len(known) == len(_live):
            return known
    found = live_directors()
    look_again(found)
    return found


def _still_live(name: str, uid: int) -> Object | None:
    """Return the director with a name, None if that is a different object by now or not a live director."""
    found: Object | None = bpy.data.objects.get((name, None))
    still = found is not None and found.session_uid == uid and found.verbs_adverbs.live
    return found if still else None


def live_directors() -> list[Object]:
    """Search all objects for directors whose verb or score moves their armature now.

    Linked ones are left out, since they are played in their own file, and so are those being performed.
    """
    found = []
    for candidate in ours():
        own = candidate.verbs_adverbs
        if not own.live or own.directs is None or is_performed(candidate):
            continue
        if director_of(own.directs) == candidate and not not_directed_by(own.directs, candidate):
            found.append(candidate)
    return found


def may_be_live() -> bool:
    """Return whether any object in the file is marked as a live director; fast, and true for linked ones too."""
    return any(one.verbs_adverbs.live for one in ours())


def holders() -> list[Object]:
    """Return live directors, and for armatures whose director was deleted the object that stores their saved state."""
    armatures = (one for one in ours() if one.type == "ARMATURE" and one.library is None)
    kept = ((one, holder_of(one)) for one in armatures)
    abandoned = [holder for one, holder in kept if holder is not None and holder != director_of(one)]
    return [*live_directors(), *abandoned]


def is_performed(director: Object) -> bool:
    """Return whether a director's character is being performed, so that its score does not play."""
    return director.session_uid in takes


def left_half_done() -> list[Object]:
    """Return directors that are marked as being performed, though there is no such performance."""
    return [
        one for one in ours() if one.verbs_adverbs.performance.in_hand and not is_linked(one) and not is_performed(one)
    ]


def forget_performance() -> None:
    """Discard the performance, because its file is gone."""
    global performance
    performance = None
    gc.unfreeze()  # see `Performance.set_off`
    takes.clear()


def ensure_character(director: Object) -> Character:
    """Return the cached state of the character that a director moves; a new entry if there is none."""
    from .character import Character

    armature = director.verbs_adverbs.directs
    known = characters.get(director.session_uid)
    if known is None or known.armature.uid != armature.session_uid:
        known = characters[director.session_uid] = Character(armature, director)
    return known


def problem_of(director: Object) -> str:
    """Return a message on why a live director cannot play now; empty if it can."""
    character = characters.get(director.session_uid)
    return character.problem if character is not None and not is_performed(director) else ""


def is_stopped(director: Object) -> bool:
    """Return whether the user stopped computing what a live director plays."""
    character = characters.get(director.session_uid)
    return character is not None and character.stopped != ""


def settle_copies() -> list[Object]:
    """Ensure that no armature has two directors, and no generated action two players; return live directors.

    Blender copies a director's properties with it. A director that was copied alone still points to the original's
    armature: it is switched off without restoring anything. One that was copied together with its armature continues,
    with a generated action of its own.
    """
    for candidate in ours():
        own = candidate.verbs_adverbs
        if not (own.live or own.saved_pose) or candidate.library is not None:
            continue
        if own.live and not is_linked(candidate) and _was_reset(candidate):
            _lay_down(own.directs)
            _lay_down(candidate)
        if own.live and not is_linked(candidate) and _is_stray(candidate):
            _lay_down(candidate)
        if own.saved_pose and _has_anothers_director(candidate):
            _lay_down(candidate)
    live = live_directors()
    for director in live:
        generated = director.verbs_adverbs.generated
        if generated is not None and is_generated(generated) and is_shared(director.verbs_adverbs.directs, generated):
            _share_out(director, generated)
    return live


def _was_reset(director: Object) -> bool:
    """Return whether a director's library override was reset, and plays as in its own file; it is claimed."""
    own, armature = director.verbs_adverbs, director.verbs_adverbs.directs
    if armature is None or not claim_director(armature):
        return False
    data = armature.animation_data
    return data is None or data.action != own.generated


def _is_stray(director: Object) -> bool:
    """Return whether a director points to an armature that has another director."""
    armature = director.verbs_adverbs.directs
    named = armature.verbs_adverbs.director if armature is not None else None
    return named is not None and named != director


def _has_anothers_director(armature: Object) -> bool:
    """Return whether an armature was copied without its director: its saved state then belongs to the original."""
    director = armature.verbs_adverbs.director
    ours = director is not None and not is_linked(director)
    return ours and director.verbs_adverbs.directs != armature


def _lay_down(director: Object) -> None:
    """Switch a copy off without restoring anything; it may be a director or an armature."""
    own = director.verbs_adverbs
    own.live = False
    own.generated = own.saved_action = None
    own.saved_pose = own.saved_slot = ""


def _share_out(director: Object, generated: Action) -> None:
    """Give each copied character a generated action of its own.

    If anything else uses the action, that user keeps it, and the character continues with a copy.
    """
    armature = director.verbs_adverbs.directs
    for other in bpy.data.objects:
        copied = director_of(other) if other.type == "ARMATURE" and other != armature else None
        if copied is None or copied.verbs_adverbs.generated != generated:
            continue
        copied.verbs_adverbs.generated = its = generated.copy()
        note_replaced(copied, generated)
        if other.animation_data is not None and other.animation_data.action == generated:
            assign_action(other, its, assigned_slot_name(other))
    if is_shared(armature, generated):
        let_go(director)


class LayerState(NamedTuple):
    """The state of a layer.

    Parameters
    ----------
    kind : ``'off'``, ``'broken'`` if the director cannot play, or the kind of its last event.
    text : a message about it.
    holder : name of the layer that holds what it needs, if it was refused.
    """

    kind: str
    text: str
    holder: str = ""


def layer_state(armature: Object, item: PropertyGroup, scene: Scene) -> LayerState:
    """Return a layer's state at the current frame, as far as known; fast enough for a panel."""
    director = director_of(armature)
    character = characters.get(director.session_uid) if director is not None else None
    if not item.enabled or director is None or character is None:
        return LayerState("off", "Go to a frame and press Start. The layer plays while the director plays.")
    if director.session_uid in takes:
        return _said(item, takes[director.session_uid].layers_heard, "", lambda time: f"{time:.1f} s")
    played = character.played
    if played is None or not director.verbs_adverbs.live:
        return LayerState("off", "Press Switch On under Direct to see it play.")
    if character.problem:
        return LayerState("broken", character.problem)
    seconds = (scene.frame_current_final - played.request.start) / played.request.fps
    past = [told for told in played.recording.happenings if told.time <= seconds + AT_ONCE]
    return _said(item, past, "frame ", lambda time: told_frame(round(played.frame(time), 1)))


def played_by(armature: Object) -> Played | None:
    """Return the motion that a live armature plays, if known; None while it is performed."""
    director = director_of(armature)
    if director is None or not director.verbs_adverbs.live or is_performed(director):
        return None
    character = characters.get(director.session_uid)
    return character.played if character is not None else None


def course_of(armature: Object, scene: Scene) -> tuple[str, tuple[str, ...]]:
    """Return the name of the verb that an armature plays, empty for none, and the names of the next ones, in order.

    During a performance these are the planned verbs; on the timeline those known to come soon.
    """
    director = director_of(armature)
    take = takes.get(director.session_uid) if director is not None else None
    if take is not None:
        return take.status.verb.name, tuple(way.target for way in take.status.plan)
    played = played_by(armature)
    if played is None:
        return "", ()
    seconds = (scene.frame_current_final - played.request.start) / played.request.fps
    begun = [told for told in played.recording.happenings if told.kind in VERB_BEGINS]
    past = [told.name for told in begun if told.time <= seconds + AT_ONCE]
    comes = [told.name for told in begun if seconds + AT_ONCE < told.time <= seconds + SOON]
    first = played.request.score.verb
    return (past[-1] if past else first), tuple(comes)


def refused_at(armature: Object, item: PropertyGroup) -> tuple[float, ...]:
    """Return the frames at which a layer's start is refused, as far as known; fast enough for a panel."""
    played = played_by(armature)
    if played is None or not item.enabled:
        return ()
    heard = (told for told in played.recording.happenings if told.kind == "refused" and told.name == item.name)
    return tuple(round(played.frame(told.time), 1) for told in heard)


def _next_command(keys: Iterable[CommandKey], key: CommandKey) -> CommandKey | None:
    """Return the first of some commands, sorted by time, that comes after another one."""
    return next((one for one in keys if one.frame > key.frame), None)


def unheeded(director: Object, key: CommandKey) -> str:
    """Return a message on why a command is not carried out, as far as known; empty if it is. For panels.

    A waiting command, such as for the end of a step, is dropped when the next command comes.
    """
    from ..authoring.graph import unheard

    said, played = unheard(director, key), played_by(director.verbs_adverbs.directs)
    later = _next_command(command_keys(director), key)
    if said or played is None or later is None or not director.verbs_adverbs.performance.active:
        return said
    counting, armature, verbs = counting_of(director), director.verbs_adverbs.directs, played.recording.verbs
    asked, then = (verb_of_number(armature, one.number) for one in (key, later))
    first, until = (bisect_left(played.recording.times, counting.seconds(one.frame)) for one in (key, later))
    wanted = then.name if then is not None else None
    entered = next((row for row in range(until, len(verbs)) if verbs[row] == wanted), None)
    if entered is None or asked.name in verbs[first:entered]:
        return ""
    at = told_frame(counting.in_scene(later.frame))
    return (
        f"'{asked.name}' never starts: it is still waiting at the next command, at frame {at}. Move this command to an "
        "earlier frame, or the next one to a later frame."
    )


def leaves_floor_at(armature: Object) -> float | None:
    """Return the frame at which a live armature leaves its floor, None if it is not known to. For panels."""
    played = played_by(armature)
    return played.leaves_floor_at if played is not None else None


def begins_at(director: Object, key: CommandKey) -> float | None:
    """Return the scene frame at which the verb of a command begins, None if unknown or there is none. For panels.

    It may be later than the command: a step or gesture is finished first.
    """
    played, own = played_by(director.verbs_adverbs.directs), director.verbs_adverbs
    asked = verb_of_number(own.directs, key.number)
    if played is None or asked is None or not own.performance.active:
        return None
    counting, happenings, keys = counting_of(director), played.recording.happenings, command_keys(director)
    since = counting.seconds(key.frame) - AT_ONCE
    plays = played.recording.verbs[bisect_left(played.recording.times, since) - 1 :][:1]
    if not keys or asked.name in plays:
        return None
    later = _next_command(keys, key)
    for at in range(bisect_left(happenings, since, key=lambda one: one.time), len(happenings)):
        told = happenings[at]
        if told.kind == "transition" and told.name == asked.name:
            return round(played.frame(told.time), 1)
        if told.kind == "transition" and later is not None and told.time > counting.seconds(later.frame):
            return None
    return None


def _said(
    item: PropertyGroup, happenings: Iterable[Happening], before: str, told: Callable[[float], str]
) -> LayerState:
    mine = [one for one in happenings if one.kind in LAYER_STATES and one.name == item.name]
    if not mine:
        return LayerState("off", "Not started yet at this frame.")
    last = mine[-1]
    started = next((one for one in reversed(mine) if one.kind == "started"), last)
    text = LAYER_STATES[last.kind].format(at=f"{before}{told(last.time)}", since=f"{before}{told(started.time)}")
    return LayerState(last.kind, last.text or text, last.other)
