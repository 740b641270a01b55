"""Directors: an Empty that stores a performance's adverb values and sets where and when the character starts.

Also checks what can be directed in this file, and what can only be edited in the file that it comes from.

Adverb values are custom properties of the Empty: native sliders that can be keyed and driven, and that remain when the
extension is removed.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

import bpy
from bpy.types import Object, PropertyGroup
from mathutils import Euler, Matrix, Quaternion

from ...core.errors import RigError, VerbError
from ..blender.animation import driver_targets, drivers_of, keyed_in
from ..blender.naming import LONGEST_NAME
from .adverb_values import adverb_curves, all_curves, path_of, target_adverbs
from .current import MaybeNone, is_linked, newer_told, scene_of
from .frames.counting import counting_of, note_rate
from .layer_properties import Slider, restore_talk_layer, sliders_of
from .library_director import (
    claim_director,
    heading_of,
    is_moved_in_library,
    library_director,
    new_director,
    origin_of_override,
    overridden,
)

ROOM = 1.0
WIDEST = 1e9


def director_of(armature: Object) -> Object | MaybeNone:
    """Return the armature's director in this file, or None if it has none here or the director was deleted."""
    found = armature.verbs_adverbs.director
    if found is None or is_linked(found) or found.verbs_adverbs.directs != armature:
        return None
    return found if is_in_a_scene(found) else None


def told_by(armature: Object) -> Object | None:
    """Return the armature's director, or the one in its library that a director here would be made from."""
    return director_of(armature) or library_director(armature)


def check_free(owner: Object) -> None:
    """Check that an action can be assigned to an armature or a director.

    Raises
    ------
    RigError
        If an NLA strip is being edited, since Blender does not assign actions then.
    """
    data = owner.animation_data
    if data is not None and data.use_tweak_mode:
        raise RigError(f"An NLA strip of '{owner.name}' is in tweak mode. Leave it (Tab in the NLA Editor) first.")


def is_in_a_scene(thing: Object) -> bool:
    """Return whether an object is in a scene; it is looked up by name first, since Blender's list of users is slow."""
    return any(scene.objects.get(thing.name) == thing for scene in bpy.data.scenes) or bool(thing.users_scene)


def holder_of(armature: Object) -> Object | None:
    """Return the object that stores how an armature was before a verb moved it, or None if no verb moves it.

    That is the director, even after it was deleted from the scene, or the armature itself if the director is gone from
    the file.
    """
    own = armature.verbs_adverbs
    found = own.director
    if found is not None and (is_linked(found) or found.verbs_adverbs.directs != armature):
        return None
    if found is not None and found.verbs_adverbs.live:
        return found
    return armature if own.saved_pose and not is_moved_in_library(armature) else None


def moved_by(holder: Object) -> Object | None:
    """Return the armature that is moved, given the holder that `holder_of` returns; None if it no longer exists."""
    return holder if holder.type == "ARMATURE" else holder.verbs_adverbs.directs


def ensure_director(armature: Object) -> Object:
    """Return the armature's director, with its frame rate stored; one is made if there is none.

    Raises
    ------
    VerbsError
        See `found_or_made`.
    """
    director = found_or_made(armature)
    note_rate(director, scene_of(director, bpy.context.scene))
    return director


def found_or_made(armature: Object) -> Object:
    """Return the armature's director. If there is none, one is made: at the armature's position, or, if a director
    moves it in the file that it comes from, as a copy of that one.

    Raises
    ------
    VerbError
        See `check_adverbs`.
    RigError
        If the director that would be copied is of a newer version.
    """
    check_adverbs(armature)
    claim_director(armature)
    director = director_of(armature)
    if director is None:
        theirs = library_director(armature)
        newer = newer_told("Director", theirs) if theirs is not None else ""
        if newer:
            raise RigError(f"{newer}. Update the extension.")
        director = new_director(armature)
        armature.verbs_adverbs.director = director
    keep_in_step(armature)
    return director


@contextmanager
def director_for_now(armature: Object) -> Iterator[Object]:
    """Make a temporary director for an armature without one, to try something in the `with` block."""
    former = armature.verbs_adverbs.director
    director = ensure_director(armature)
    try:
        yield director
    finally:
        remove_made(director, former)


@contextmanager
def directed_here(armature: Object) -> Iterator[None]:
    """Make a director here for an armature that one moves in its own file; remove it if the `with` block fails."""
    former = armature.verbs_adverbs.director
    claim_director(armature)
    made = director_of(armature) is None and library_director(armature) is not None
    director = ensure_director(armature) if made else None
    try:
        yield
    except Exception:
        if director is not None:
            remove_made(director, former)
        raise


def remove_made(director: Object, former: Object | None) -> None:
    """Remove a director that was just made, and restore its armature's pointer to the earlier one."""
    armature, curve = director.verbs_adverbs.directs, director.verbs_adverbs.speech.curve
    action = keyed_in(director)
    bpy.data.objects.remove(director)
    if action is not None and action.users == 0:
        bpy.data.actions.remove(action)
    if curve is not None and curve.users == 0:
        bpy.data.node_groups.remove(curve)
    armature.verbs_adverbs.director = former


def check_adverbs(armature: Object) -> None:
    """Check that a director can have sliders for the adverbs of an armature.

    Raises
    ------
    VerbError
        If the name of one is not valid for a property, or its range not valid for a slider.
    """
    check_names(armature)
    for item in sliders_of(armature):
        check_range(item.name, item.minimum, item.maximum)


def check_names(armature: Object) -> None:
    """Check that the names of an armature's adverbs are valid for properties.

    Raises
    ------
    VerbError
        If one is too long.
    """
    for item in sliders_of(armature):
        if len(item.name.encode()) > LONGEST_NAME:
            raise VerbError(
                f"The name of adverb '{item.name}' is too long for a slider. Use at most {LONGEST_NAME} characters."
            )


def check_range(name: str, minimum: float, maximum: float) -> None:
    """Check that an adverb's lowest and highest value are valid as a slider's limits.

    Raises
    ------
    VerbError
        If one of them is not a number, or too large.
    """
    if not all(abs(end) <= WIDEST for end in (minimum, maximum)):
        raise VerbError(
            f"Adverb '{name}' ranges from {minimum:g} to {maximum:g}, which is too wide. Set its minimum and maximum "
            "to the values it needs."
        )


def in_step(armature: Object) -> bool:
    """Return whether the director's sliders match the adverbs of its armature in names and ranges."""
    director = director_of(armature)
    if director is None:
        return True
    theirs, ours = sliders_of(armature), director.verbs_adverbs.adverbs
    same = len(theirs) == len(ours) and all(_told(a) == _told(b) for a, b in zip(theirs, ours, strict=True))
    # An integer or a boolean cannot store the values of a slider's keys.
    return same and all(item.name in director and not isinstance(director[item.name], int) for item in theirs)


def keep_in_step(armature: Object) -> None:
    """Make the director's sliders match the adverbs of its armature.

    The slider of a renamed adverb keeps its value, keys and drivers. A slider that became an integer or a boolean
    becomes a float with a range again. If a name or range is not valid for a slider, nothing is changed.
    """
    director = director_of(armature)
    if director is not None:
        restore_talk_layer(armature, director)
    if director is None or in_step(armature):
        return
    try:
        check_adverbs(armature)
    except VerbError:
        return
    theirs, ours = sliders_of(armature), director.verbs_adverbs.adverbs
    known = {item.uid: item.name for item in ours}
    present = {item.uid: item.name for item in theirs}
    values = {name: director.pop(name) for name in known.values() if name in director}
    renamed = {old: present[uid] for uid, old in known.items() if uid in present and present[uid] != old}
    _rename_paths(director, renamed)
    ours.clear()
    for item in theirs:
        value = values.get(known.get(item.uid, item.name))
        director[item.name] = float(value) if isinstance(value, (int, float)) else item.default
        _describe(director, item)
        _tell(ours.add(), item)
    director.update_tag()


def _told(item: PropertyGroup | Slider) -> tuple[object, ...]:
    return tuple(getattr(item, name) for name in Slider._fields)


def _tell(mirror: PropertyGroup, item: PropertyGroup | Slider) -> None:
    for name, value in zip(Slider._fields, _told(item), strict=True):
        setattr(mirror, name, value)


def _describe(director: Object, item: PropertyGroup | Slider) -> None:
    """Set a slider's range and tooltip; typed values may exceed the range by its length on both sides."""
    low, high = sorted((item.minimum, item.maximum))
    room = ROOM * (high - low)
    unit = f" ({item.unit})" if item.unit else ""
    director.id_properties_ui(item.name).update(
        min=low - room,
        max=high + room,
        soft_min=low,
        soft_max=high,
        default=item.default,
        description=(item.description or f"Value of '{item.name}'") + unit,
    )


def _rename_paths(director: Object, renamed: dict[str, str]) -> None:
    paths = {path_of(old): path_of(new) for old, new in renamed.items()}
    if not paths:
        return
    for curve in [*all_curves(director), *drivers_of(director)]:
        curve.data_path = paths.get(curve.data_path, curve.data_path)
    for user in bpy.data.user_map(subset=[director])[director]:
        for target in driver_targets(user):
            if target.id == director and target.data_path in paths:
                target.data_path = paths[target.data_path]


def reset_sliders(director: Object) -> None:
    """Set all sliders to their defaults; one of another type becomes a float again."""
    for item in director.verbs_adverbs.adverbs:
        was_slider = isinstance(director.get(item.name), float)
        director[item.name] = item.default
        if not was_slider:
            _describe(director, item)
    director.update_tag()


class Following(NamedTuple):
    """How a character follows changes while it plays.

    Parameters
    ----------
    settle : seconds that adverbs take to reach the values of their sliders and keys, 0 for no delay.
    steps : whether feet that are left behind step back into place.
    at_once : names of the adverbs that follow without delay, since targets drive them.
    hinges : whether the knees of locked legs bend as hinges.
    """

    settle: float
    steps: bool
    at_once: frozenset[str] = frozenset()
    hinges: bool = True


FREELY = Following(0.0, False)
"""How a character without a director follows changes: without delay."""


def following_of(director: Object | None) -> Following:
    """Return how a character follows what changes."""
    if director is None:
        return FREELY
    performance = director.verbs_adverbs.performance
    return Following(performance.settle, performance.steps_home, target_adverbs(director), performance.hinged_knees)


def origin_of(director: Object, armature: Object) -> tuple[float, float, float, float]:
    """Return the character's start: x, y, z and heading of the director at the start frame, in performance space."""
    matrix = own_matrix(director, counting_of(director).begin)
    if not goes_by_itself(director, armature):
        matrix = into_space(armature) @ space_of(director) @ matrix
    place, rotation, _ = matrix.decompose()
    return place.x, place.y, place.z, heading_of(rotation)


def goes_by_itself(director: Object, armature: Object) -> bool:
    """Return whether a director's position relative to its armature is independent of other objects."""
    names = ("parent", "parent_type", "parent_bone", "matrix_parent_inverse")
    free = director.parent is None and armature.parent is None and not director.constraints
    return free or (not director.constraints and all(getattr(director, n) == getattr(armature, n) for n in names))


def own_matrix(thing: Object, frame: float) -> Matrix:
    """Return an object's own transform at a frame, from its keys, without parent, constraints and scale."""
    curves = adverb_curves(thing)

    def at(prop: str) -> list[float]:
        present = list(getattr(thing, prop))
        return [curves[key].evaluate(frame) if (key := f"{prop}{i}") in curves else v for i, v in enumerate(present)]

    if thing.rotation_mode == "QUATERNION":
        rotation = Quaternion(at("rotation_quaternion"))
    elif thing.rotation_mode == "AXIS_ANGLE":
        angle, *axis = at("rotation_axis_angle")
        rotation = Quaternion(axis, angle)
    else:
        rotation = Euler(at("rotation_euler"), thing.rotation_mode).to_quaternion()
    return Matrix.LocRotScale(at("location"), rotation, None)


def space_of(armature: Object) -> Matrix:
    """Return the matrix from performance space to the world."""
    return armature.matrix_world @ armature.matrix_basis.inverted_safe()


def into_space(armature: Object) -> Matrix:
    """Return the matrix from the world to performance space."""
    return space_of(armature).inverted_safe()


def not_directed(armature: Object) -> str:
    """Return a sentence on why an armature cannot be directed here: it is linked, missing, or of a newer version."""
    return not_directed_by(armature, director_of(armature))


def not_directed_by(armature: Object, director: Object | None) -> str:
    """Like `not_directed`, for an armature and a director that is already known."""
    if armature.library is not None:
        return (
            f"Armature '{armature.name}' is linked, so Blender cannot animate it: make a library override (Object > "
            "Library Override > Make)"
        )
    missing = _missing(armature)
    if missing:
        return (
            f"The file '{missing}', which armature '{armature.name}' is linked from, was not found: put it back and "
            "reopen this file. The direction in this file is kept"
        )
    director = director or library_director(armature)
    told = (newer_told(kind, owner) for kind, owner in (("Armature", armature), ("Director", director)) if owner)
    return next((reason for reason in told if reason), "")


def _missing(armature: Object) -> str:
    """Return the path of the file that an armature or its bones come from, if that was not found."""
    blocks = (block for block in (overridden(armature), armature.data) if block is not None and block.is_missing)
    return next((block.library.filepath for block in blocks if block.library is not None), "")


def not_edited(armature: Object) -> str:
    """Return a sentence on why the data of an armature cannot be edited here: for the reasons of `not_directed`, or
    because it is a library override, which does not save such edits.
    """
    reason, origin = not_directed(armature), origin_of_override(armature)
    if reason or origin is None:
        return reason
    return (
        f"Armature '{armature.name}' is a library override, so its verbs and examples can only be edited in "
        f"'{origin.library.filepath}'. Open that file, or make the armature local (Object > Relations > Make Local)"
    )


def check_directed(armature: Object) -> None:
    """Check that an armature can be directed in this file, and by this version.

    Raises
    ------
    RigError
        If it cannot.
    """
    reason = not_directed(armature)
    if reason:
        raise RigError(f"{reason}.")
