"""The live session: sliders move the armature at once, and the generated action follows when the hand rests.

What is kept here can be lost at any time (undo, another file, the extension switched off) and is made anew from the
file.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

import bpy
import numpy as np
from bpy.types import Action, Object, Scene

from ...core.errors import VerbError, VerbsError
from ..action.tracks import Keys, keys_of, tracks_of
from ..action.write_pose import check_bones, make_plan
from ..blender.jobs import attempted, computed
from ..build.signature import annotations_rest
from ..data.adverb_values import slider_values, stepped_adverbs
from ..data.between_steps import between_steps
from ..data.content import forget_actions
from ..data.director import (
    check_adverbs,
    check_free,
    check_names,
    check_ours,
    director_for_now,
    director_of,
    ensure_director,
    holder_of,
    keep_in_step,
    moved_by,
)
from ..data.kept import abandoned_action, let_go, remove_generated
from ..data.schema import ROOT_IS_OBJECT
from ..data.targets import settle_targets
from .live_directors import holders, look_again, scene_of, settle_copies
from .pieces import (
    check_playable,
    digest_of_piece,
    gather_piece,
    names_of,
    piece_of,
    signature_of,
    try_out,
    verb_piece,
)
from .reread import Places, places_of
from .saved_state import evaluate, give_back, leave_tweak_mode, prepare, save_state, save_values
from .sliders import Session, driven_changed, driven_values, sessions, taken_over
from .take import adopt_take
from .timeline import Played, digest_of, forget_played, frame_span, made_from, root_of, write_generated

_problems: dict[int, str] = {}
_places: dict[int, Places] = {}
"""Where all lay that live directors depend on when they were last up to date; nothing has changed since."""
_stopped: dict[int, str] = {}
"""Digests of what armatures would play by their session identifiers: somebody stopped computing it."""
_asked: dict[int, str] = {}
"""Likewise what is being computed, or was last."""


def forget_sessions() -> None:
    """Drop all that is not in the file."""
    sessions.clear()
    forget_played()
    _problems.clear()
    _stopped.clear()
    _places.clear()


def note_change() -> None:
    """Something changed: what undo has not read anew need not be up to date either."""
    _places.clear()


def all_are_told(directors: Iterable[Object]) -> bool:
    """Whether it is known of all these live ones by themselves that they are up to date, whatever else moves."""
    return all(director.session_uid in _places for director in directors)


def problem_of(director: Object) -> str:
    """Why a live director cannot play now, in a sentence; empty when it can."""
    return _problems.get(director.session_uid, "")


def is_stopped(director: Object) -> bool:
    """Whether somebody stopped computing what a live director asks for now."""
    return director.verbs_adverbs.directs.session_uid in _stopped


def note_stopped() -> None:
    """What was being computed is not computed again before something else is asked for."""
    _stopped.update(_asked)


def forget_stopped() -> None:
    """Compute again what was stopped."""
    _stopped.clear()


def switch_on(armature: Object, verb_name: str, scene: Scene, start: int | None = None) -> Object:
    """Let a verb, or its director's score, move an armature; returns its director. A failure changes nothing.

    Parameters
    ----------
    armature : armature object.
    verb_name : one of its verbs; not heeded while the director performs its score.
    scene : whose frames are played.
    start : first frame of the performance; the director's when left out.

    Raises
    ------
    VerbsError
        Why it cannot.
    """
    with annotations_rest():
        director = _switch_on(armature, verb_name, scene, start)
    bpy.context.view_layer.update()
    return director


def _switch_on(armature: Object, verb_name: str, scene: Scene, start: int | None) -> Object:
    present = director_of(armature)
    performs = present is not None and present.verbs_adverbs.performance.active
    verbs = armature.verbs_adverbs.verbs
    if not performs and verb_name not in verbs:
        raise VerbError(f"'{armature.name}' has no verb '{verb_name}'. Choose one of its verbs.")
    check_ours(armature)
    check_free(armature)
    check_adverbs(armature)
    if performs:
        piece, verb_name = piece_of(armature, present, True), present.verbs_adverbs.verb
    else:
        piece = verb_piece(armature, verbs[verb_name], True)
    check_bones(armature, piece.channels)
    if present is not None:
        slider_values(present, piece.adverb_names)
        with _told_for_now(present, verb_name, start):
            frame_span(present, scene, piece.channels.width)
            check_playable(present, scene, True)
    elif holder_of(armature) is not None:
        with director_for_now(armature) as made, _told_for_now(made, verb_name, start):
            try_out(made, scene, True)
    former = armature.verbs_adverbs.director
    others = settle_copies()
    give_back_abandoned(armature)
    director = ensure_director(armature)
    own = director.verbs_adverbs
    was_live, before = own.live, (own.verb, own.start_frame)
    own.verb, own.start_frame = verb_name, own.start_frame if start is None else start
    try:
        if not was_live:
            save_state(armature, director)
            prepare(armature)
        own.live = True
        refresh(director, scene, force=True)
    except Exception:
        own.verb, own.start_frame = before
        if not was_live:
            switch_off(director)
        if present is None:
            bpy.data.objects.remove(director)
            armature.verbs_adverbs.director = former
        raise
    look_again({*others, director})
    return director


@contextmanager
def _told_for_now(director: Object, verb_name: str, start: int | None) -> Iterator[None]:
    """Tell a director a verb, and a first frame if one is given, and afterwards what it was told before."""
    own = director.verbs_adverbs
    before = own.verb, own.start_frame
    own.verb, own.start_frame = verb_name, own.start_frame if start is None else start
    try:
        yield
    finally:
        own.verb, own.start_frame = before


class Off(NamedTuple):
    """What came of switching a verb off.

    Parameters
    ----------
    kept : the generated action where somebody has changed or taken it: it is one of the user's now.
    lost : a sentence of what could not be given back, as it was not kept; empty if nothing is missing.
    """

    kept: Action | None
    lost: str


def switch_off(holder: Object) -> Off:
    """Give a live armature back exactly as it was; the generated action is removed, or kept if somebody needs it.

    Parameters
    ----------
    holder : who keeps what it was: its director, or the armature itself where that is gone.
    """
    own, armature = holder.verbs_adverbs, moved_by(holder)
    if armature is not None:
        check_free(armature)
    settle_copies()
    if armature == holder:
        own.generated = abandoned_action(armature)
    was_live, own.live = own.live, False
    look_again()
    sessions.pop(holder.session_uid, None)
    _problems.pop(holder.session_uid, None)
    try:
        has_it = armature is not None and (was_live or bool(own.saved_pose))
        lost = give_back(armature, holder) if has_it else ""
    finally:
        kept = remove_generated(holder, armature)
    return Off(kept, lost)


def keep_generated(director: Object, scene: Scene, name: str = "") -> Action:
    """Keep what a live director plays as an action of the user's; the verb plays on with another one.

    Parameters
    ----------
    scene : whose frames count.
    name : of the action; the armature's and the verb's when empty.

    Raises
    ------
    VerbsError
        Why it cannot be played.
    """
    own = director.verbs_adverbs
    check_playable(director, scene, False)
    refresh(director, scene)
    what = "performed" if own.performance.active else own.verb
    return let_go(director, name or f"{own.directs.name} {what}")


def give_back_abandoned(armature: Object) -> None:
    """Give back an armature whose director was deleted from the scene or the file while it played."""
    abandoned = holder_of(armature)
    if abandoned is not None and abandoned != director_of(armature):
        switch_off(abandoned)


def switch_all_off() -> None:
    """Give all live armatures back."""
    for holder in holders():
        leave_tweak_mode(moved_by(holder))
        switch_off(holder)


def compute_now(director: Object, scene: Scene) -> None:
    """Write the generated action of a live director anew from all examples and keys.

    Raises
    ------
    VerbsError
        Why it cannot be played; nothing has changed then.
    """
    check_playable(director, scene, True)
    refresh(director, scene, thorough=True, force=True)


def refresh(director: Object, scene: Scene, thorough: bool = False, force: bool = False, listen: bool = False) -> bool:
    """Write the generated action anew if something it was made from has changed; returns whether it was written.

    Parameters
    ----------
    thorough : look at every key of the examples instead of trusting what Blender says of changes.
    force : write it in any case.
    listen : ask driven adverbs what they say at every frame, even if they say the same as before at this one.

    Raises
    ------
    VerbsError
        Why it cannot be played; the action is left as it is.
    """
    check_ours(director.verbs_adverbs.directs)
    _places.pop(director.session_uid, None)
    written = _refresh(director, scene, thorough, force, listen)
    places = places_of(director, scene)
    if places is not None:
        _places[director.session_uid] = places
    return written


def _refresh(director: Object, scene: Scene, thorough: bool, force: bool, listen: bool) -> bool:
    own = director.verbs_adverbs
    armature = own.directs
    check_free(armature)
    check_names(armature)
    keep_in_step(armature)
    adopt_take(director)
    if settle_targets(armature):
        evaluate(scene)
    if not force and _is_up_to_date(director, scene, thorough, listen):
        return False
    piece = piece_of(armature, director, thorough)
    plan, names = make_plan(armature, piece.channels), piece.adverb_names
    digest = digest_of_piece(director, piece, scene)
    session = sessions.get(director.session_uid)
    same = not force and made_from(own.generated) == digest and _is_assigned(armature, own.generated)
    driven = bool(stepped_adverbs(director, names))
    if not force and attempted() is not None and _stopped.get(armature.session_uid) == digest:
        return False
    _asked.clear()
    _asked[armature.session_uid] = digest
    asked, key = gather_piece(director, piece, digest, scene)
    played = computed(("played", *key), asked.compute)
    write = not same or (driven and _sounds_other(session, played))
    keys: list[Keys] = []
    if write:
        keys = computed(("keys", *key), lambda tell: keys_of(tracks_of(plan, played.values, played.frames, tell)))
    heard = driven_values(director, names, scene)
    sessions[director.session_uid] = Session(digest, names, slider_values(director, names), heard, played)
    if not write:
        return False
    _stopped.pop(armature.session_uid, None)
    save_values(armature, director, [s.path for s in piece.channels.scalars if s.kind == "value"])
    write_generated(armature, director, plan, keys, digest)
    return True


def _is_up_to_date(director: Object, scene: Scene, thorough: bool, listen: bool) -> bool:
    """Whether the generated action holds what it should, told without building anything; notes what it holds."""
    own, uid = director.verbs_adverbs, director.session_uid
    armature, root = own.directs, root_of(own.generated)
    known = root == ROOT_IS_OBJECT or root in armature.data.bones
    if not known or not _is_assigned(armature, own.generated):
        return False
    signature, names = signature_of(armature, director, root, thorough), names_of(armature, director)
    digest = digest_of(director, armature, root, signature, scene)
    if made_from(own.generated) != digest:
        return False
    session = sessions.get(uid)
    if session is None or session.digest != digest:
        session = Session(digest, names, slider_values(director, names), driven_values(director, names, scene))
    if stepped_adverbs(director, names):
        return session.played is not None and not listen and not driven_changed(director, session, scene)
    sessions[uid] = session
    return True


def _sounds_other(session: Session | None, played: Played) -> bool:
    """Whether driven adverbs say something else than when the generated action was computed, or that is not known."""
    return session is None or session.played is None or not np.array_equal(session.played.adverbs, played.adverbs)


def _is_assigned(armature: Object, action: object) -> bool:
    data = armature.animation_data
    return data is not None and action is not None and data.action == action


def flush(
    thorough: bool = False,
    force: bool = False,
    listen: bool = False,
    scene: Scene | None = None,
    undone: bool = False,
) -> int:
    """Bring the generated actions of all live directors up to date; returns how many were written.

    What stands in the way of one is kept for the panel and does not stop the others.

    Parameters
    ----------
    thorough, force, listen : those of `refresh`.
    scene : whose frames count for the directors in it, the one in front when left out; others count those of their own.
    undone : nothing but an undo or redo has happened since: those are passed over that it has left as they were.
    """
    with annotations_rest(), between_steps():
        directors = settle_copies()
        look_again(directors)
        if thorough:
            forget_actions()
        return _flush(directors, force, listen, scene, undone)


def _flush(directors: list[Object], force: bool, listen: bool, scene: Scene | None, undone: bool) -> int:
    written, known = 0, dict(_places)
    _places.clear()
    for director in directors:
        uid, counted = director.session_uid, scene_of(director, scene or bpy.context.scene)
        if undone and uid in known and places_of(director, counted) == known[uid]:
            _places[uid] = known[uid]
            continue
        try:
            if taken_over(director):
                raise VerbError(
                    f"Another action is assigned to '{director.verbs_adverbs.directs.name}', so the verb is not played."
                    " Switch the verb off and on again, or take that action away."
                )
            written += refresh(director, counted, False, force, listen)
            _problems.pop(uid, None)
        except VerbsError as error:
            _problems[uid] = str(error)
    return written
