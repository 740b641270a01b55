"""Directors of characters from another file: finding the one there and the one here, and making one here."""

from math import atan2, cos, sin

import bpy
from bpy.types import Collection, Object
from mathutils import Quaternion

from ..blender.animation import driver_targets, drivers_of, keyed_in
from ..blender.versions import assign_action, assigned_slot_name
from .current import MaybeNone, counterpart, is_linked, ours
from .layer_properties import restore_talk_layer
from .schema import ROOT_IS_OBJECT, SCHEMA

STATE = ("saved_action", "saved_slot", "saved_pose")
"""Properties on a live director, and on its armature, that store the armature's earlier state."""


def origin_of_override(armature: Object) -> Object | None:
    """Return the armature that an override refers to, the first in a chain of overrides; None if it is no override."""
    found, above = None, overridden(armature)
    while above is not None:
        found, above = above, overridden(above)
    return found


def overridden(armature: Object) -> Object | MaybeNone:
    """Return the linked armature that an override refers to, None if it is not an override."""
    return armature.override_library.reference if armature.override_library is not None else None


def library_director(armature: Object) -> Object | None:
    """Return the director that moves an armature in the file that it comes from, linked or as an override."""
    linked = overridden(armature)
    for owner in (armature, linked):
        found = owner.verbs_adverbs.director if owner is not None else None
        if found is not None and is_linked(found) and found.verbs_adverbs.directs in (armature, linked, None):
            return found
    return None


def is_moved_in_library(armature: Object) -> bool:
    """Return whether an override's stored earlier state is from its own file, where a director moves it now."""
    linked = overridden(armature)
    theirs = linked.verbs_adverbs.director if linked is not None else None
    if linked is None or theirs is None or not theirs.verbs_adverbs.live:
        return False
    return all(getattr(armature.verbs_adverbs, name) == getattr(linked.verbs_adverbs, name) for name in STATE)


def claim_director(armature: Object) -> bool:
    """Restore an override's pointer to its director in this file, if it points to one in its own file or to none.

    Return whether it was restored.

    Blender loses the pointer when the override is reset, or when the file is saved without the extension; the director
    keeps its own pointer to the armature.
    """
    rig = armature.verbs_adverbs
    if armature.override_library is None or (rig.director is not None and not is_linked(rig.director)):
        return False
    ours = [one for one in _local_directors() if one.verbs_adverbs.directs == armature]
    found = max(ours, key=lambda one: (bool(one.users_scene), one.verbs_adverbs.live), default=None)
    if found is None:
        return False
    rig.director = found
    if found.verbs_adverbs.live:
        for name in STATE:
            setattr(rig, name, getattr(found.verbs_adverbs, name))
    return True


def claim_directors() -> None:
    """Restore every override's pointer to its director, see `claim_director`, and its layer of gestures."""
    for director in _local_directors():
        armature = director.verbs_adverbs.directs
        claim_director(armature)
        if armature.verbs_adverbs.director == director:
            restore_talk_layer(armature, director)


def _local_directors() -> list[Object]:
    empties = (one for one in ours() if one.type == "EMPTY" and not is_linked(one))
    return [one for one in empties if one.verbs_adverbs.directs is not None]


def new_director(armature: Object) -> Object:
    """Make a director at an armature's position, or a copy of the one that moves it in the file that it comes from."""
    theirs = counterpart(library_director(armature), armature)
    director = _copied_director(armature, theirs) if theirs is not None else bpy.data.objects.new("", None)
    director.name = f"{armature.name} director"
    collection_of(armature).objects.link(director)
    if theirs is not None:
        if _depends_on_others(director) or armature.parent is not None:
            bpy.context.view_layer.update()
        return director
    director.empty_display_type = "ARROWS"
    director.empty_display_size = 0.25 * max(*armature.dimensions[:], 0.4)
    director.parent, director.parent_type = armature.parent, armature.parent_type
    director.parent_bone = armature.parent_bone
    director.matrix_parent_inverse = armature.matrix_parent_inverse
    *place, director.rotation_euler.z = default_origin(armature)
    director.location = place
    own = director.verbs_adverbs
    own.schema, own.directs, own.start_frame = SCHEMA, armature, bpy.context.scene.frame_start
    return director


def _depends_on_others(director: Object) -> bool:
    """Return whether a director's transform or its sliders depend on other data-blocks."""
    return director.parent is not None or bool(director.constraints) or bool(drivers_of(director))


def collection_of(armature: Object) -> Collection:
    """Return a collection of an armature that accepts objects; the scene's if all of them are linked."""
    ours = (one for one in armature.users_collection if one.library is None and one.override_library is None)
    return next(ours, bpy.context.scene.collection)


def default_origin(armature: Object) -> tuple[float, float, float, float]:
    """Return the start of a character without a director: x, y, z and heading of the armature object on its floor."""
    stored = armature.verbs_adverbs
    place = armature.location
    if ROOT_IS_OBJECT in {stored.root, stored.reference_root}:
        return place.x, place.y, 0.0, 0.0
    return place.x, place.y, 0.0, heading_of(armature.matrix_basis.to_quaternion())


def heading_of(rotation: Quaternion) -> float:
    """Return the heading of a rotation, about the vertical axis, in radians from -pi to pi."""
    heading = 2.0 * atan2(rotation.z, rotation.w)
    return atan2(sin(heading), cos(heading))


def _copied_director(armature: Object, theirs: Object) -> Object:
    """Copy a director from another file for an armature here, with its transform, sliders, settings, words and score.

    The copy has an action of its own, is disabled, and is in no collection yet.
    """
    action, slot = keyed_in(theirs), assigned_slot_name(theirs)
    director: MaybeNone = theirs.copy()
    if director.override_library is not None:
        director.make_local()
    own = director.verbs_adverbs
    own.directs, own.live, own.performance.in_hand = armature, False, False
    own.generated = own.kept = own.saved_action = None
    own.saved_slot = own.saved_pose = ""
    if own.speech.curve is not None:
        own.speech.curve = own.speech.curve.copy()
    if action is not None:
        assign_action(director, action.copy(), slot)
    _bring_home(director, armature, theirs)
    return director


def _bring_home(director: Object, armature: Object, theirs: Object) -> None:
    """Remap a copied director's pointers from linked objects to their overrides here."""
    own, apart = director.verbs_adverbs, director.matrix_parent_inverse.copy()
    if director.parent is not None:
        director.parent = counterpart(director.parent, armature)
        director.matrix_parent_inverse = apart
    for holder, name in (
        (own.performance, "target"),
        (own.performance, "floor"),
        *((word, "look_at") for word in own.speech.words),
        *((constraint, "target") for constraint in director.constraints),
        *((target, "id") for target in driver_targets(director)),
    ):
        found = getattr(holder, name, None)
        if isinstance(found, Object):
            setattr(holder, name, director if found == theirs else counterpart(found, armature))
