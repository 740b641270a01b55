"""Switching characters on and off, and keeping their generated actions up to date while they are on.

What is known of a character may be lost at any time (undo, another file, the extension switched off). It is then found
out anew from the file.
"""

from collections.abc import Iterable
from typing import NamedTuple

import bpy
import numpy as np
from bpy.types import Action, Object, Scene

from ...core.errors import VerbError, VerbsError
from ..action.generated_action import abandoned_action, let_go, remove_generated
from ..action.tracks import Keys, keys_of, tracks_of
from ..action.write_pose import check_bones, make_plan
from ..blender.jobs import attempted, computed
from ..blender.undo import between_steps
from ..build.verb_cache import annotations_rest
from ..data.adverb_values import slider_values, stepped_adverbs
from ..data.content import forget_actions
from ..data.current import scene_of
from ..data.director import (
    check_adverbs,
    check_free,
    check_names,
    directed_here,
    director_for_now,
    director_of,
    ensure_director,
    holder_of,
    keep_in_step,
    moved_by,
    remove_made,
)
from ..data.frames.counting import note_rate, tell, tell_again, told_for_now, told_to
from ..data.linked.whose import check_directed
from ..data.schema import ROOT_IS_OBJECT
from ..data.targets import settle_targets
from ..layers.layers import forget_layered
from ..layers.talking import forget_plans
from .character import Character, ensure_character
from .live_characters import characters, holders, is_performed, look_again, settle_copies
from .playable import (
    check_playable,
    digest_of_playable,
    heeded_names,
    key_of,
    playable_of,
    request_of,
    signature_of,
    try_out,
    verb_playable,
)
from .request import Played, forget_played
from .saved_state import evaluate, give_back, leave_tweak_mode, prepare, save_state, save_values
from .sliders import driven_changed, slider_state, taken_over
from .timeline import digest_of, frame_span, made_from, places_of, root_of, write_generated
from .write_takes import adopt_take


def forget_characters() -> None:
    """Forget all that is known of live characters and not stored in the file."""
    forget_played()
    forget_layered()
    forget_plans()
    characters.clear()


def note_change() -> None:
    """Note that something has changed: no generated action is known to be up to date any more."""
    for character in characters.values():
        character.places = None


def all_up_to_date(directors: Iterable[Object]) -> bool:
    """Whether all these directors are known to be up to date, whatever else has changed."""
    known = [characters.get(director.session_uid) for director in directors]
    return all(character is not None and character.places is not None for character in known)


def note_stopped() -> None:
    """Note that the user stopped what was being computed: it is not begun again before something else is asked for."""
    for character in characters.values():
        character.stopped = character.computing or character.stopped


def forget_stopped() -> None:
    """Allow what the user stopped to be computed again."""
    for character in characters.values():
        character.stopped = ""


def switch_on(armature: Object, verb_name: str, scene: Scene, start: int | None = None) -> Object:
    """Let a verb, or the score of its director, move an armature; returns the director. A failure changes nothing.

    Parameters
    ----------
    armature : armature object.
    verb_name : one of its verbs; without effect if the director plays its score.
    scene : whose frames are played.
    start : frame at which the motion begins; the director's start frame when left out.

    Raises
    ------
    VerbsError
        Why it cannot.
    """
    check_directed(armature)
    with annotations_rest(), directed_here(armature):
        director = _switch_on(armature, verb_name, scene, start)
    bpy.context.view_layer.update()
    return director


def _switch_on(armature: Object, verb_name: str, scene: Scene, start: int | None) -> Object:
    present = director_of(armature)
    score_of = present if present is not None and present.verbs_adverbs.performance.active else None
    verbs = armature.verbs_adverbs.verbs
    if score_of is None and verb_name not in verbs:
        raise VerbError(f"'{armature.name}' has no verb '{verb_name}'. Choose one of its verbs.")
    check_free(armature)
    check_adverbs(armature)
    if score_of is not None:
        playable, verb_name = playable_of(armature, score_of, True), score_of.verbs_adverbs.verb
    else:
        playable = verb_playable(armature, verbs[verb_name], True)
    check_bones(armature, playable.channels)
    if present is not None:
        slider_values(present, playable.adverb_names)
        with told_for_now(present, verb_name, start, scene):
            frame_span(present, scene, playable.channels.width)
            check_playable(present, scene, True)
    elif holder_of(armature) is not None:
        with director_for_now(armature) as made, told_for_now(made, verb_name, start, scene):
            try_out(made, scene, True)
    former = armature.verbs_adverbs.director
    others = settle_copies()
    give_back_abandoned(armature)
    director = ensure_director(armature)
    own = director.verbs_adverbs
    was_live, before = own.live, told_to(director)
    tell(director, verb_name, start, scene)
    try:
        if not was_live:
            save_state(armature, director)
            prepare(armature)
        own.live = True
        refresh(director, scene, force=True)
    except Exception:
        tell_again(director, before)
        if not was_live:
            switch_off(director)
        if present is None:
            remove_made(director, former)
        raise
    look_again({*others, director})
    return director


class Off(NamedTuple):
    """What came of switching a verb off.

    Parameters
    ----------
    kept : the generated action, if it was left to the user because somebody has edited it or uses it elsewhere.
    lost : a sentence that says what could not be given back because it was not stored; empty if nothing is missing.
    """

    kept: Action | None
    lost: str


def switch_off(holder: Object) -> Off:
    """Make a live armature what it was before it was switched on.

    The generated action is removed, or left to the user if somebody has edited it or uses it elsewhere.

    Parameters
    ----------
    holder : object that stores how the armature was: its director, or the armature itself if the director is gone.
    """
    own, armature = holder.verbs_adverbs, moved_by(holder)
    if armature is not None:
        check_free(armature)
    settle_copies()
    if armature == holder:
        own.generated = abandoned_action(holder)
    was_live, own.live = own.live, False
    look_again()
    if not is_performed(holder):
        characters.pop(holder.session_uid, None)
    try:
        has_it = was_live or bool(own.saved_pose)
        lost = give_back(armature, holder) if armature is not None and has_it else ""
    finally:
        kept = remove_generated(holder, armature)
    return Off(kept, lost)


def keep_generated(director: Object, scene: Scene, name: str = "") -> Action:
    """Leave the generated action of a live director to the user; the director plays on with another one.

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
    """Switch an armature off whose director was deleted from the scene or the file while it was live."""
    abandoned = holder_of(armature)
    if abandoned is not None and abandoned != director_of(armature):
        switch_off(abandoned)


def switch_all_off() -> None:
    """Switch all live armatures off."""
    for holder in holders():
        armature = moved_by(holder)
        if armature is not None:
            leave_tweak_mode(armature)
        switch_off(holder)


def compute_now(director: Object, scene: Scene) -> None:
    """Write the generated action of a live director anew, with every key of the examples read again.

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
    thorough : whether to read every key of the examples, instead of relying on Blender's notices of changes.
    force : whether to write it even if nothing has changed.
    listen : whether to evaluate driven adverbs at every frame, even if they have not changed at the current one.

    Raises
    ------
    VerbsError
        Why it cannot be played; the action is left as it is.
    """
    check_directed(director.verbs_adverbs.directs)
    note_rate(director, scene)
    character = ensure_character(director)
    character.places = None
    written = _refresh(director, character, scene, thorough, force, listen)
    character.places = places_of(director, scene)
    return written


def _refresh(director: Object, character: Character, scene: Scene, thorough: bool, force: bool, listen: bool) -> bool:
    own = director.verbs_adverbs
    armature = own.directs
    check_free(armature)
    check_names(armature)
    keep_in_step(armature)
    adopt_take(director)
    if settle_targets(armature):
        evaluate(scene)
    if not force and _is_up_to_date(director, character, scene, thorough, listen):
        return False
    playable = playable_of(armature, director, thorough)
    plan, names = make_plan(armature, playable.channels), playable.adverb_names
    digest = digest_of_playable(director, playable, scene)
    same = not force and made_from(own.generated) == digest and _is_assigned(armature, own.generated)
    driven = bool(stepped_adverbs(director, names))
    if not force and attempted() is not None and character.stopped == digest:
        return False
    for one in characters.values():
        one.computing = ""
    character.computing = digest
    request = request_of(director, playable, scene)
    key = key_of(director, digest, request)
    played = computed(("played", *key), request.compute)
    write = not same or (driven and _sounds_other(character.played, played))
    keys: list[Keys] = []
    if write:
        keys = computed(("keys", *key), lambda tell: keys_of(tracks_of(plan, played.values, played.frames, tell)))
    character.hold(slider_state(director, digest, names, scene), played)
    if not write:
        return False
    character.stopped = ""
    save_values(armature, director, [s.path for s in playable.channels.scalars if s.kind == "value"])
    write_generated(armature, director, plan, keys, digest)
    return True


def _is_up_to_date(director: Object, character: Character, scene: Scene, thorough: bool, listen: bool) -> bool:
    """Whether the generated action is up to date, told without building anything; if so, what it holds is recorded."""
    own = director.verbs_adverbs
    armature, root = own.directs, root_of(own.generated)
    has_root = root == ROOT_IS_OBJECT or root in armature.data.bones
    if not has_root or not _is_assigned(armature, own.generated):
        return False
    digest = digest_of(director, armature, root, signature_of(armature, director, root, thorough), scene)
    if made_from(own.generated) != digest:
        return False
    names, state = heeded_names(armature, director), character.sliders
    if state is not None and state.digest != digest:
        state = None
    if stepped_adverbs(director, names):
        if state is None or character.played is None or listen:
            return False
        return not driven_changed(director, character, state, scene)
    if state is None:
        character.hold(slider_state(director, digest, names, scene), None)
    return True


def _sounds_other(before: Played | None, played: Played) -> bool:
    """Whether driven adverbs have other values than when the generated action was made, if that is known."""
    return before is None or not np.array_equal(before.adverbs, played.adverbs)


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

    If one of them cannot play, the reason becomes its character's problem, and the others go on.

    Parameters
    ----------
    thorough, force, listen : those of `refresh`.
    scene : whose frames count for the directors in it, the scene of the window when left out; directors that are not
        in it count the frames of a scene of their own.
    undone : whether nothing but an undo or redo has happened since the last time: directors that it has left as they
        were are then passed over.
    """
    with annotations_rest(), between_steps():
        directors = settle_copies()
        look_again(directors)
        if thorough:
            forget_actions()
        return _flush(directors, force, listen, scene, undone)


def _flush(directors: list[Object], force: bool, listen: bool, scene: Scene | None, undone: bool) -> int:
    written, known = 0, {uid: character.places for uid, character in characters.items()}
    note_change()
    for director in directors:
        character, counted = ensure_character(director), scene_of(director, scene or bpy.context.scene)
        places = known.get(director.session_uid) if undone else None
        if places is not None and places_of(director, counted) == places:
            character.places = places
            continue
        try:
            if taken_over(director):
                raise VerbError(
                    f"Another action is assigned to '{director.verbs_adverbs.directs.name}', so the verb is not played."
                    " Switch the verb off and on again, or take that action away."
                )
            written += refresh(director, counted, False, force, listen)
            character.problem = ""
        except VerbsError as error:
            character.problem = str(error)
    return written
