"""Which directors are live and in which scene; copies that share what only one can have are put right."""

from collections.abc import Iterable

import bpy
from bpy.types import Action, Object, Scene

from ..blender.versions import assign_action, assigned_slot_name
from ..data.between_steps import note_replaced
from ..data.current import is_linked
from ..data.director import director_of, foreign_pair, holder_of
from ..data.kept import is_generated, is_shared, let_go
from .in_hand import is_in_hand

_live: list[tuple[str, int]] | None = None
"""Names and session identifiers of the live directors when they were last found, None when that is out of date."""


def look_again(found: Iterable[Object] | None = None) -> None:
    """Find out anew which directors are live, or take those that somebody has just found."""
    global _live
    _live = None if found is None else [(one.name, one.session_uid) for one in found]


def directors() -> list[Object]:
    """Live directors, found by their names as long as nobody renames them; quick where there is none."""
    if _live is not None:
        found = [bpy.data.objects.get((name, None)) for name, _ in _live]
        if all(_is_still(one, uid) for one, (_, uid) in zip(found, _live, strict=True)):
            return found
    found = live_directors()
    look_again(found)
    return found


def _is_still(director: Object | None, uid: int) -> bool:
    return director is not None and director.session_uid == uid and director.verbs_adverbs.live


def live_directors() -> list[Object]:
    """Directors whose verb or score moves their armature now.

    Linked ones are played by their own file, and those that are in hand by whoever performs them.
    """
    found = []
    for candidate in bpy.data.objects:
        own = candidate.verbs_adverbs
        if not own.live or own.directs is None or is_in_hand(candidate):
            continue
        if director_of(own.directs) == candidate and not foreign_pair(own.directs, candidate):
            found.append(candidate)
    return found


def may_be_live() -> bool:
    """Whether any director says that it is live; cheaply, whatever else there is to it."""
    return any(one.verbs_adverbs.live for one in bpy.data.objects)


def holders() -> list[Object]:
    """Live directors, and who keeps what armatures were before whose directors were deleted."""
    ours = (one for one in bpy.data.objects if one.type == "ARMATURE" and not is_linked(one))
    abandoned = [found for one in ours if director_of(one) != (found := holder_of(one)) is not None]
    return [*live_directors(), *abandoned]


def scene_of(director: Object, preferred: Scene) -> Scene:
    """Scene whose frames a director counts: the preferred one if it is in that, else the first that it is in."""
    if preferred.objects.get(director.name) == director:
        return preferred
    scenes = director.users_scene
    return preferred if preferred in scenes or not scenes else scenes[0]


def settle_copies() -> list[Object]:
    """Let no two directors play one armature, and no two objects play one generated action; returns live directors.

    Blender copies a director's properties with it. A director that was copied alone points to the armature of the
    first: it is switched off, and gives nothing back. Copied together with its armature it goes on, with an action of
    its own.
    """
    for candidate in bpy.data.objects:
        own = candidate.verbs_adverbs
        if not (own.live or own.saved_pose) or is_linked(candidate):
            continue
        if own.live and _is_stray(candidate):
            _lay_down(candidate)
        if own.saved_pose and _has_anothers_director(candidate):
            _lay_down(candidate)
    live = live_directors()
    for director in live:
        generated = director.verbs_adverbs.generated
        if generated is not None and is_generated(generated) and is_shared(director.verbs_adverbs.directs, generated):
            _share_out(director, generated)
    return live


def _is_stray(director: Object) -> bool:
    armature = director.verbs_adverbs.directs
    named = armature.verbs_adverbs.director if armature is not None else None
    return named is not None and named != director


def _has_anothers_director(armature: Object) -> bool:
    """Whether an armature was copied without its director: what was before is the first one's."""
    director = armature.verbs_adverbs.director
    return director is not None and director.verbs_adverbs.directs != armature


def _lay_down(director: Object) -> None:
    own = director.verbs_adverbs
    own.live = False
    own.generated = own.saved_action = None
    own.saved_pose = own.saved_slot = ""


def _share_out(director: Object, generated: Action) -> None:
    """Give copied characters a generated action of their own; whatever else uses it keeps it, and a copy plays on."""
    armature = director.verbs_adverbs.directs
    for other in bpy.data.objects:
        copied = director_of(other) if other.type == "ARMATURE" and other != armature else None
        if copied is None or is_linked(other) or copied.verbs_adverbs.generated != generated:
            continue
        copied.verbs_adverbs.generated = its = generated.copy()
        note_replaced(copied, generated)
        if other.animation_data is not None and other.animation_data.action == generated:
            assign_action(other, its, assigned_slot_name(other))
    if is_shared(armature, generated):
        let_go(director)
