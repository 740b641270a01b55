"""Making directors: at the place of an armature, or like the one that moves it in the file that it comes from."""

from math import atan2, cos, sin

import bpy
from bpy.types import Collection, Object
from mathutils import Quaternion

from ...blender.versions import assign_action, assigned_slot_name
from ..current import MaybeNone, counterpart
from ..schema import DIRECTORS, ROOT_IS_OBJECT
from .library_director import library_director


def new_director(armature: Object) -> Object:
    """Make a director at the place of an armature, or one like that which moves it in the file that it comes from."""
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
    own.schema, own.directs, own.start_frame = DIRECTORS, armature, bpy.context.scene.frame_start
    own.performance.hinged_knees = True
    return director


def _depends_on_others(director: Object) -> bool:
    """Whether Blender has to work out where a director is, or what its sliders are, from something else."""
    drivers = director.animation_data.drivers if director.animation_data is not None else ()
    return director.parent is not None or bool(director.constraints) or bool(drivers)


def collection_of(armature: Object) -> Collection:
    """The collection of an armature to which objects can be added; the scene's if all of them are another file's."""
    ours = (one for one in armature.users_collection if one.library is None and one.override_library is None)
    return next(ours, bpy.context.scene.collection)


def default_origin(armature: Object) -> tuple[float, float, float, float]:
    """Place where a character without director starts: x, y, z and heading of the armature object on its floor."""
    stored = armature.verbs_adverbs
    place = armature.location
    if ROOT_IS_OBJECT in {stored.root, stored.reference_root}:
        return place.x, place.y, 0.0, 0.0
    return place.x, place.y, 0.0, heading_of(armature.matrix_basis.to_quaternion())


def heading_of(rotation: Quaternion) -> float:
    """Turn of a rotation about the vertical axis, in radians from -pi to pi."""
    heading = 2.0 * atan2(rotation.z, rotation.w)
    return atan2(sin(heading), cos(heading))


def _copied_director(armature: Object, theirs: Object) -> Object:
    """Copy a director from another file for an armature here, with its place, sliders, settings, words and score.

    The copy has an action of its own, is switched off, and is in no collection yet.
    """
    data, slot = theirs.animation_data, assigned_slot_name(theirs)
    director: MaybeNone = theirs.copy()
    if director.override_library is not None:
        director.make_local()
    own = director.verbs_adverbs
    own.directs, own.live, own.performance.in_hand = armature, False, False
    own.generated = own.kept = own.saved_action = None
    own.saved_slot = own.saved_pose = ""
    if own.speech.curve is not None:
        own.speech.curve = own.speech.curve.copy()
    if data is not None and data.action is not None:
        assign_action(director, data.action.copy(), slot)
    _bring_home(director, armature, theirs)
    return director


def _bring_home(director: Object, armature: Object, theirs: Object) -> None:
    """Let a copied director refer to overrides here instead of to the linked objects that they are of."""
    own, apart = director.verbs_adverbs, director.matrix_parent_inverse.copy()
    if director.parent is not None:
        director.parent = counterpart(director.parent, armature)
        director.matrix_parent_inverse = apart
    for holder, name in (
        (own.performance, "target"),
        (own.performance, "floor"),
        *((word, "look_at") for word in own.speech.words),
        *((constraint, "target") for constraint in director.constraints),
        *((target, "id") for target in _driver_targets(director)),
    ):
        found = getattr(holder, name, None)
        if isinstance(found, Object):
            setattr(holder, name, director if found == theirs else counterpart(found, armature))


def _driver_targets(director: Object) -> list[bpy.types.DriverTarget]:
    data = director.animation_data
    drivers = (curve.driver for curve in data.drivers) if data is not None else ()
    return [target for driver in drivers for variable in driver.variables for target in variable.targets]
