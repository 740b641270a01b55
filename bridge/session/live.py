"""Keeping the generated actions of live characters up to date.

The cached state of a character may be lost at any time (undo, another file, the extension disabled). It is then rebuilt
from the file.
"""

from collections import deque
from collections.abc import Iterable

import bpy
import numpy as np
from bpy.types import Action, Object, Scene

from ...core.errors import VerbError, VerbsError
from ..action.generated_action import let_go, written_until
from ..authoring.verb_cache import signatures_rest
from ..blender import store
from ..blender.events import redraw_areas
from ..blender.jobs import attempted, is_done, note_done
from ..blender.undo import between_steps
from ..data.adverb_values import stepped_adverbs
from ..data.content import read_anew
from ..data.current import scene_of
from ..data.director import (
    check_directed,
    check_free,
    check_names,
    keep_in_step,
)
from ..data.frames.counting import last_frame, note_rate
from ..data.schema import ROOT_IS_OBJECT
from ..data.targets import settle_targets
from .character import Character
from .live_characters import characters, ensure_character, look_again, settle_copies
from .playable import GROWS, Plan, check_playable, heeded_names, plan_of, signature_of
from .request import PERFORMED, Played
from .saved_state import evaluate, save_values
from .sliders import driven_changed, slider_state, taken_over
from .timeline import begun_from, digest_of, made_from, places_of, root_of, rows_written, write_generated
from .write_takes import adopt_take

FIRST, LEAST = 120, 12
"""Frames of the first parts of long motions, shared out among those that are switched on together, and frames that each
has at least."""
TO_COME = "to come"
"""Placeholder for the digest of what the user stopped before it started, or before its digest was computed."""


def forget_characters() -> None:
    """Clear all cached state of live characters."""
    store.forget_made(PERFORMED)
    characters.clear()


def note_change() -> None:
    """Record that something has changed: generated actions are no longer known to be up to date."""
    for character in characters.values():
        character.places = None


def all_up_to_date(directors: Iterable[Object]) -> bool:
    """Return whether all these directors are known to be up to date, whatever else has changed."""
    known = [characters.get(director.session_uid) for director in directors]
    return all(character is not None and character.places is not None for character in known)


def note_stopped() -> None:
    """Record that the user stopped a computation: it is not restarted until something else is requested.

    Nor are others continued of which only a part was written, or pending ones started.
    """
    for character in characters.values():
        director = character.director.find()
        begun = begun_from(director.verbs_adverbs.generated) if director is not None else ""
        to_come = TO_COME if character.places is None else ""
        character.stopped = character.computing or begun or character.stopped or to_come


def forget_stopped() -> None:
    """Allow what the user stopped to be computed again."""
    for character in characters.values():
        character.stopped = ""


def keep_generated(director: Object, scene: Scene, name: str = "") -> Action:
    """Hand a live director's generated action over to the user; the director continues with another one.

    Parameters
    ----------
    scene : whose frames count.
    name : name of the action; made from the armature and the verb if empty.

    Raises
    ------
    VerbsError
        Why it cannot be played.
    """
    own = director.verbs_adverbs
    check_playable(director, scene)
    refresh(director, scene)
    what = "performed" if own.performance.active else own.verb
    return let_go(director, name or f"{own.directs.name} {what}")


def compute_now(director: Object, scene: Scene) -> None:
    """Rewrite the generated action of a live director, rereading every key of the examples.

    Raises
    ------
    VerbsError
        Why it cannot be played; nothing is changed then.
    """
    read_anew(director.verbs_adverbs.directs)
    check_playable(director, scene)
    refresh(director, scene, force=True)


def refresh(
    director: Object,
    scene: Scene,
    force: bool = False,
    listen: bool = False,
    soon: int = 0,
    whole: bool = True,
) -> bool:
    """Rewrite the generated action if something it was made from has changed; return whether it was written.

    Parameters
    ----------
    force : whether to write it even if nothing has changed.
    listen : whether to evaluate driven adverbs at every frame, even if they have not changed at the current one.
    soon : number of frames that suffice as the first part of a long motion, 0 to write all; the action then stays out
        of date, so that the next call continues.
    whole : whether a job writes all of a long motion, part by part, and not only its next part.

    Raises
    ------
    VerbsError
        Why it cannot be played; the action is left as it is.
    """
    check_directed(director.verbs_adverbs.directs)
    character = ensure_character(director)
    character.places = None
    written = _refresh(director, character, scene, force, listen, soon, whole)
    note_rate(director, scene)
    if written_until(director.verbs_adverbs.generated) is None:
        character.places = places_of(director, scene)
    return written


def _refresh(
    director: Object,
    character: Character,
    scene: Scene,
    force: bool,
    listen: bool,
    soon: int,
    whole: bool,
) -> bool:
    own = director.verbs_adverbs
    armature = own.directs
    check_free(armature)
    check_names(armature)
    keep_in_step(armature)
    adopt_take(director)
    if settle_targets(armature):
        evaluate(scene)
    was_to_come = character.stopped == TO_COME
    character.stopped = "" if was_to_come else character.stopped
    if not force and _is_up_to_date(director, character, scene, listen):
        return False
    plan = plan_of(director, scene)
    same = not force and made_from(own.generated) == plan.digest and _is_assigned(armature, own.generated)
    if not force and attempted() is not None and (was_to_come or character.stopped == plan.digest):
        character.stopped = plan.digest
        return False
    for one in characters.values():
        one.computing = ""
    character.computing = plan.digest
    grows = soon > 0 or (attempted() is not None and not force and written_until(own.generated) is not None)
    while not same and grows and (part := _next_part(director, character, plan, soon)) is not None:
        _write(director, character, part, part.request.play(), scene)
        if soon or not whole:
            return True
    played = plan.request.play()
    driven = bool(stepped_adverbs(director, plan.playable.adverb_names))
    write = not same or (driven and _sounds_other(character.played, played))
    if write:
        _write(director, character, plan, played, scene)
    else:
        character.hold(slider_state(director, plan.digest, plan.playable.adverb_names, scene), played)
    return write


def _next_part(director: Object, character: Character, plan: Plan, soon: int) -> Plan | None:
    """Return the next part of a long motion to write: everything from its beginning to some frame.

    It ends beyond the current frame, and has several times as many frames as the previous part, so that all parts
    together take little longer than the whole. None if the whole is next. `soon` is that of `refresh`.
    """
    first = int(plan.request.frames[0])
    written = rows_written(director.verbs_adverbs.generated, plan.digest, first)
    if soon or character.part[:2] != (plan.digest, written):
        scene = scene_of(director, bpy.context.scene)
        here = 0 if soon else scene.frame_current - first
        character.part = plan.digest, written, max(GROWS * written, here, 0) + (soon or FIRST)
    return plan.first(character.part[2])


def first_rows(count: int) -> int:
    """Return the number of frames in the first part of a long motion, for each of `count` characters switched on.

    It is 0 outside jobs, where all frames are written at once.
    """
    return 0 if attempted() is None else max(FIRST // max(count, 1), LEAST)


def _write(director: Object, character: Character, plan: Plan, played: Played, scene: Scene) -> None:
    """Write the motion of a plan, or its first part, into the generated action."""
    armature, channels = director.verbs_adverbs.directs, plan.playable.channels
    keys = plan.keys(played)
    character.hold(slider_state(director, plan.digest, plan.playable.adverb_names, scene), played)
    character.stopped = ""
    paths = [scalar.path for scalar in channels.scalars if scalar.kind == "value"]
    if paths:
        save_values(armature, director, paths)
    whole = last_frame(director, scene) <= played.frames[-1]
    write_generated(armature, director, plan.poses, keys, plan.digest, None if whole else float(played.frames[-1]))
    redraw_areas()


def _is_up_to_date(director: Object, character: Character, scene: Scene, listen: bool) -> bool:
    """Return whether the generated action is up to date, without building; if so, its content is recorded."""
    own = director.verbs_adverbs
    armature, root = own.directs, root_of(own.generated)
    has_root = root == ROOT_IS_OBJECT or root in armature.data.bones
    if not has_root or not _is_assigned(armature, own.generated):
        return False
    digest = digest_of(director, armature, root, signature_of(armature, director, root), scene)
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
    """Return whether driven adverbs differ from when the generated action was made, if that is known."""
    return before is None or not np.array_equal(before.adverbs, played.adverbs)


def _is_assigned(armature: Object, action: object) -> bool:
    data = armature.animation_data
    return data is not None and action is not None and data.action == action


def flush(
    force: bool = False,
    listen: bool = False,
    scene: Scene | None = None,
    undone: bool = False,
) -> int:
    """Update the generated actions of all live directors; return how many were written.

    If one of them cannot play, the reason is stored as its character's problem, and the others continue.

    Parameters
    ----------
    force, listen : those of `refresh`.
    scene : the scene whose frames apply to the directors in it, the window's scene by default; directors that are not
        in it use the frames of a scene of their own.
    undone : whether only an undo or redo has happened since the last call: directors that it left unchanged are then
        skipped.
    """
    with signatures_rest(), between_steps():
        directors = settle_copies()
        look_again(directors)
        return _flush(directors, force, listen, scene, undone)


def _flush(directors: list[Object], force: bool, listen: bool, scene: Scene | None, undone: bool) -> int:
    """Do what `flush` does. In a job each director is checked until it is up to date, and the job may pause after each.

    Changes made meanwhile, such as to its own action, are handled when the job is done. One part of a long motion is
    written for every director before the next part of any.
    """
    written, waiting = 0, deque[tuple[Object, Scene]]()
    known = {uid: character.places for uid, character in characters.items()}
    note_change()
    for director in sorted(directors, key=_written_so_far):
        character, counted = ensure_character(director), scene_of(director, scene or bpy.context.scene)
        places = known.get(director.session_uid)
        same = undone and places is not None and places_of(director, counted) == places
        if same or is_done(("up to date", director.session_uid)):
            character.places = places
        else:
            waiting.append((director, counted))
    while waiting:
        director, counted = waiting.popleft()
        wrote = _bring_on(director, counted, force, listen)
        written += wrote
        if wrote and _written_so_far(director) > -np.inf:
            waiting.append((director, counted))
        elif waiting:
            note_done(("up to date", director.session_uid))
    return written


def _bring_on(director: Object, scene: Scene, force: bool, listen: bool) -> bool:
    """Update a generated action, in a job by one part; return whether it was written.

    If it cannot be played, the reason is stored as the character's problem.
    """
    character = ensure_character(director)
    try:
        if taken_over(director):
            raise VerbError(
                f"Another action is assigned to '{director.verbs_adverbs.directs.name}', so the verb does not play. "
                "Switch the verb off and on again, or unassign that action."
            )
        written = refresh(director, scene, force, listen, whole=False)
        character.problem = ""
    except VerbsError as error:
        written, character.problem = False, str(error)
    return written


def _written_so_far(director: Object) -> float:
    """Return the last frame of the written part of a long motion; minus infinity if it is complete."""
    until = written_until(director.verbs_adverbs.generated)
    return -np.inf if until is None else until
