"""Switching characters on and off, one or several at once; switching off restores each one's former state."""

from collections.abc import Hashable, Iterable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from functools import partial
from typing import NamedTuple

import bpy
from bpy.types import Action, Object, Scene

from ...core.errors import VerbError, VerbsError
from ...core.progress import Progress, share_of
from ..action.generated_action import abandoned_action, remove_generated, sentence_of
from ..authoring.verb_cache import signatures_rest
from ..blender.jobs import at_once, computed, first_time, remembered
from ..data.content import read_anew
from ..data.director import (
    check_adverbs,
    check_directed,
    check_free,
    directed_here,
    director_for_now,
    director_of,
    found_or_made,
    holder_of,
    moved_by,
    remove_made,
)
from ..data.frames.counting import tell, tell_again, told_for_now, told_to
from .live import first_rows, refresh
from .live_characters import characters, holders, is_performed, look_again, settle_copies
from .playable import plan_of
from .request import Played, Request
from .saved_state import WHILE_LIVE, give_back, leave_tweak_mode, prepare, save_state
from .write_takes import adopted_for_now


def switch_on(armature: Object, verb_name: str, scene: Scene, start: int | None = None) -> Object:
    """Let a verb, or the score of its director, move an armature; return the director. A failure changes nothing.

    Parameters
    ----------
    armature : armature object.
    verb_name : name of one of its verbs; ignored if the director plays its score.
    scene : whose frames are played.
    start : frame at which the motion begins; the director's start frame by default.

    Raises
    ------
    VerbsError
        Why it cannot.
    """
    switched = switch_on_together({armature: verb_name}, scene, start)
    for error in switched.errors.values():
        raise error
    return switched.directors[0]


class Switched(NamedTuple):
    """The result of switching several characters on.

    Parameters
    ----------
    directors : directors of those that play now.
    errors : why others do not; these stay as they were.
    """

    directors: list[Object]
    errors: dict[Object, VerbsError]

    @property
    def refused(self) -> list[str]:
        """Messages on why some do not play."""
        return [f"'{armature.name}' stays as it was. {error}" for armature, error in self.errors.items()]


def switch_on_together(verbs: Mapping[Object, str], scene: Scene, start: int | None = None) -> Switched:
    """Let verbs, or scores, move several armatures as one change: everything is computed before anything is changed.

    Blender evaluates them all together. Those that cannot play stay as they are.

    Parameters
    ----------
    verbs : name of the verb of each armature, as for `switch_on`.
    scene, start : those of `switch_on`.
    """
    requests, errors, directors = dict[Object, Request](), dict[Object, VerbsError](), list[Object]()
    soon = first_rows(len(verbs))
    with signatures_rest():
        if first_time("read"):
            read_anew(*verbs)
        for armature, name in verbs.items():
            with _noted(errors, armature):
                ask = partial(_asked_for, armature, name, scene, start, soon)
                requests[armature] = remembered(("asked", armature.session_uid), ask)
        known, failed = computed(("together", *requests.values()), partial(_compute_all, requests))
        errors |= failed
        if errors.keys() == verbs.keys():
            return Switched(directors, errors)
        others = settle_copies()
        with at_once(known):
            for armature in (one for one in verbs if one not in errors):
                with _noted(errors, armature), directed_here(armature):
                    directors.append(_switch_on(armature, verbs[armature], scene, start, soon))
        look_again({*others, *directors})
    bpy.context.view_layer.update()
    return Switched(directors, errors)


@contextmanager
def _noted(errors: dict[Object, VerbsError], armature: Object) -> Iterator[None]:
    """Record why an armature cannot play if the `with` block raises an error."""
    try:
        yield
    except VerbsError as error:
        errors[armature] = error


def _asked_for(armature: Object, verb: str, scene: Scene, start: int | None, soon: int) -> Request:
    """Return what an armature will play when it is switched on, or soon after, without changing anything."""
    check_directed(armature)
    present = director_of(armature)
    scored = present is not None and present.verbs_adverbs.performance.active
    if not scored and verb not in armature.verbs_adverbs.verbs:
        raise VerbError(f"'{armature.name}' has no verb '{verb}'. Choose one of its verbs.")
    check_free(armature)
    check_adverbs(armature)
    directed = nullcontext(present) if present is not None else director_for_now(armature)
    with directed as director, told_for_now(director, verb, start, scene), adopted_for_now(director):
        plan = plan_of(director, scene)
        part = plan.first(soon) if soon else None
        return (part or plan).request


def _compute_all(
    requests: Mapping[Object, Request], progress: Progress
) -> tuple[dict[Hashable, Played], dict[Object, VerbsError]]:
    """Return motions by the keys of their requests, and why others cannot be computed."""
    found, errors = dict[Hashable, Played](), dict[Object, VerbsError]()
    for index, (armature, request) in enumerate(requests.items()):
        with _noted(errors, armature):
            found[request.key] = request.compute(share_of(progress, index / len(requests), (index + 1) / len(requests)))
    return found, errors


def _switch_on(armature: Object, verb_name: str, scene: Scene, start: int | None, soon: int) -> Object:
    """Switch on an armature that was found to be playable; `soon` is that of `refresh`."""
    present, former = director_of(armature), armature.verbs_adverbs.director
    give_back_abandoned(armature)
    director = found_or_made(armature)
    own = director.verbs_adverbs
    was_live, before = own.live, told_to(director)
    tell(director, own.verb if own.performance.active else verb_name, start, scene)
    try:
        if not was_live:
            save_state(armature, director)
            prepare(armature)
        own.live = True
        refresh(director, scene, force=True, soon=soon)
    except Exception:
        tell_again(director, before)
        if not was_live:
            switch_off(director)
        if present is None:
            remove_made(director, former)
        raise
    return director


class Off(NamedTuple):
    """The result of switching a verb off.

    Parameters
    ----------
    kept : the generated action, if it was handed over to the user because it was edited or is used elsewhere.
    lost : a message on what could not be restored because it was not stored; empty if nothing is missing.
    """

    kept: Action | None
    lost: str


def switch_off(holder: Object) -> Off:
    """Restore a live armature to its state before it was switched on; see `switch_off_together`."""
    return switch_off_together([holder])[0]


def switch_off_told(holder: Object) -> str:
    """Switch off as `switch_off` does; return messages on what was kept and what could not be restored."""
    off = switch_off(holder)
    return " ".join(said for said in (sentence_of(holder, off.kept), off.lost) if said)


def switch_off_together(holders: Iterable[Object]) -> list[Off]:
    """Restore live armatures to their state before they were switched on; Blender evaluates them all together.

    Generated actions are removed, or handed over to the user if they were edited or are used elsewhere.

    Parameters
    ----------
    holders : objects that store the armatures' saved states: the director of each, or itself if the director is gone.

    Raises
    ------
    RigError
        If an NLA strip of one of them is being edited; nothing is changed then.
    """
    armatures = {holder: moved_by(holder) for holder in holders}
    for armature in armatures.values():
        if armature is not None:
            check_free(armature)
    settle_copies()
    given: dict[Object, Object] = {}
    for holder, armature in armatures.items():
        own = holder.verbs_adverbs
        if armature == holder:
            own.generated = abandoned_action(holder)
        was_live, own.live = own.live, False
        if not is_performed(holder):
            characters.pop(holder.session_uid, None)
        if armature is not None and (was_live or own.saved_pose):
            given[armature] = holder
    look_again()
    lost: dict[Object | None, str] = {}
    try:
        lost.update(zip(given, give_back(given), strict=True))
    finally:
        kept = [remove_generated(holder, armature) for holder, armature in armatures.items()]
    return [Off(one, lost.get(armature, "")) for one, armature in zip(kept, armatures.values(), strict=True)]


def give_back_abandoned(armature: Object) -> None:
    """Switch an armature off whose director was deleted from the scene or the file while it was live."""
    abandoned = holder_of(armature)
    if abandoned is not None and abandoned != director_of(armature):
        switch_off(abandoned)


def switch_all_off() -> None:
    """Switch all live armatures off."""
    found = holders()
    for armature in map(moved_by, found):
        if armature is not None:
            leave_tweak_mode(armature)
    switch_off_together(found)


def play_alone(armature: Object) -> str:
    """Let the assigned action play as the verb did: with full influence, and without NLA strips.

    Returns a message on what was changed for that, empty if nothing.
    """
    data = armature.animation_data
    heard = any(track.strips and (track.is_solo or not track.mute) for track in data.nla_tracks)
    changed = []
    for name, value in WHILE_LIVE.items():
        before = getattr(data, name)
        if before == value or (name == "use_nla" and not heard):
            continue
        setattr(data, name, value)
        prop = data.bl_rna.properties[name]
        told = prop.enum_items[before].name if prop.type == "ENUM" else f"{before:g}"
        changed.append("its NLA strips were turned off" if name == "use_nla" else f"{prop.name} was {told}")
    if not changed:
        return ""
    return f"NLA settings of '{armature.name}' were changed so that it plays what you saw: {', '.join(changed)}."
