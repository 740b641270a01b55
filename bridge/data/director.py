"""Directors: an Empty that holds a performance's adverb values and says where and when the character starts.

Adverb values are custom properties of the Empty: native sliders that can be keyed and driven, and that stay when the
extension is gone.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from math import atan2, cos, sin

import bpy
from bpy.types import Object, PropertyGroup, Scene
from mathutils import Euler, Matrix, Quaternion

from ...core.errors import RigError, VerbError
from ..blender.naming import LONGEST_NAME
from .adverb_values import adverb_curves, all_curves, path_of
from .current import is_linked, newer_told, origin_told
from .schema import ROOT_IS_OBJECT, SCHEMA

ROOM = 1.0
WIDEST = 1e9


def director_of(armature: Object) -> Object | None:
    """The armature's director, None when it has none or it was deleted."""
    found = armature.verbs_adverbs.director
    there = found is not None and found.verbs_adverbs.directs == armature and is_in_a_scene(found)
    return found if there else None


def foreign(armature: Object) -> str:
    """Why an armature cannot be worked with: it or its director comes from another file or a newer version."""
    return foreign_pair(armature, director_of(armature))


def foreign_pair(armature: Object, director: Object | None) -> str:
    """The same where the armature's director is known."""
    for kind, owner in (("Armature", armature), ("Director", director)):
        if owner is not None and is_linked(owner):
            return f"{kind} '{owner.name}' {origin_told(owner)}"
    told = (newer_told(kind, owner) for kind, owner in (("Armature", armature), ("Director", director)) if owner)
    return next((reason for reason in told if reason), "")


def check_ours(armature: Object) -> None:
    """Check that an armature and its director belong to this file, and to this version.

    Raises
    ------
    RigError
        If they do not: what is stored on them would be lost.
    """
    reason = foreign(armature)
    if reason:
        raise RigError(f"{reason}.")


def check_free(owner: Object) -> None:
    """Check that an armature or a director can be given an action.

    Raises
    ------
    RigError
        If an NLA strip is being edited: Blender lets no action be assigned then.
    """
    data = owner.animation_data
    if data is not None and data.use_tweak_mode:
        raise RigError(f"An NLA strip of '{owner.name}' is being edited. Leave its tweak mode (Tab in the NLA) first.")


def is_in_a_scene(thing: Object) -> bool:
    """Whether an object is in a scene; looked up by name first: to find users Blender goes through all objects."""
    return any(scene.objects.get(thing.name) == thing for scene in bpy.data.scenes) or bool(thing.users_scene)


def holder_of(armature: Object) -> Object | None:
    """Who keeps what an armature was before a verb moved it, None if none does.

    That is its director, even one that was deleted from the scene meanwhile, and the armature itself once the director
    is gone from the file.
    """
    own = armature.verbs_adverbs
    found = own.director
    if found is not None and found.verbs_adverbs.directs != armature:
        return None
    if found is not None and found.verbs_adverbs.live:
        return found
    return armature if own.saved_pose else None


def moved_by(holder: Object) -> Object | None:
    """The armature that a director, or one that keeps what it was before, moves; None when it is gone."""
    return holder if holder.type == "ARMATURE" else holder.verbs_adverbs.directs


def ensure_director(armature: Object) -> Object:
    """The armature's director, made at its place when there is none.

    Raises
    ------
    VerbError
        As `check_adverbs`.
    """
    check_adverbs(armature)
    director = director_of(armature)
    if director is None:
        director = _new_director(armature)
        armature.verbs_adverbs.director = director
    keep_in_step(armature)
    return director


@contextmanager
def director_for_now(armature: Object) -> Iterator[Object]:
    """A director of an armature that has none, to try something out; afterwards there is none again."""
    former = armature.verbs_adverbs.director
    director = ensure_director(armature)
    try:
        yield director
    finally:
        bpy.data.objects.remove(director)
        armature.verbs_adverbs.director = former


def _new_director(armature: Object) -> Object:
    director = bpy.data.objects.new(f"{armature.name} director", None)
    (*armature.users_collection, bpy.context.scene.collection)[0].objects.link(director)
    director.empty_display_type = "ARROWS"
    director.empty_display_size = 0.25 * max(max(armature.dimensions), 0.4)
    director.parent, director.parent_type = armature.parent, armature.parent_type
    director.parent_bone = armature.parent_bone
    director.matrix_parent_inverse = armature.matrix_parent_inverse
    *place, director.rotation_euler.z = default_origin(armature)
    director.location = place
    own = director.verbs_adverbs
    own.schema, own.directs, own.start_frame = SCHEMA, armature, bpy.context.scene.frame_start
    return director


def default_origin(armature: Object) -> tuple[float, float, float, float]:
    """Where a character starts that has no director: x, y, z and heading of the armature object over its floor."""
    stored = armature.verbs_adverbs
    place = armature.location
    if ROOT_IS_OBJECT in {stored.root, stored.reference_root}:
        return place.x, place.y, 0.0, 0.0
    return place.x, place.y, 0.0, _heading(armature.matrix_basis.to_quaternion())


def _heading(rotation: Quaternion) -> float:
    heading = 2.0 * atan2(rotation.z, rotation.w)
    return atan2(sin(heading), cos(heading))


def check_adverbs(armature: Object) -> None:
    """Check that a director can have sliders for the adverbs of an armature.

    Raises
    ------
    VerbError
        If the name of one cannot be a property's, or its range no slider's.
    """
    check_names(armature)
    for item in armature.verbs_adverbs.adverbs:
        check_range(item.name, item.minimum, item.maximum)


def check_names(armature: Object) -> None:
    """Check that the names of an armature's adverbs can be those of properties.

    Raises
    ------
    VerbError
        If one is too long.
    """
    for item in armature.verbs_adverbs.adverbs:
        if _is_too_long(item.name):
            raise VerbError(
                f"The name of adverb '{item.name}' is too long for a slider. Give it one of at most {LONGEST_NAME}"
                " letters."
            )


def _is_too_long(name: str) -> bool:
    return len(name.encode()) > LONGEST_NAME


def check_range(name: str, minimum: float, maximum: float) -> None:
    """Check that an adverb's lowest and highest value can be a slider's ends.

    Raises
    ------
    VerbError
        If one of them is no number, or too large.
    """
    if not _can_be_ends(minimum, maximum):
        raise VerbError(
            f"Adverb '{name}' ranges from {minimum:g} to {maximum:g}, which is too wide. "
            "Give it the lowest and the highest value that it should have."
        )


def _can_be_ends(minimum: float, maximum: float) -> bool:
    return all(abs(end) <= WIDEST for end in (minimum, maximum))


def in_step(armature: Object) -> bool:
    """Whether the director has the adverbs of its armature, under their names and with their ranges."""
    director = director_of(armature)
    if director is None:
        return True
    theirs, ours = armature.verbs_adverbs.adverbs, director.verbs_adverbs.adverbs
    same = len(theirs) == len(ours) and all(_told(a) == _told(b) for a, b in zip(theirs, ours, strict=True))
    return same and all(item.name in director and not _is_whole(director[item.name]) for item in theirs)


def _is_whole(value: object) -> bool:
    """Whether a slider has become a whole number or a switch, which cannot say what its keys say."""
    return isinstance(value, int)


def keep_in_step(armature: Object) -> None:
    """Give the director the adverbs of its armature; a renamed one keeps its value, keys and drivers.

    A slider that has become a whole number or a switch becomes a number with a range again. While a name or a range is
    none that a slider can have, all stays as it is.
    """
    director = director_of(armature)
    if director is None or in_step(armature):
        return
    theirs, ours = armature.verbs_adverbs.adverbs, director.verbs_adverbs.adverbs
    if any(_is_too_long(item.name) or not _can_be_ends(item.minimum, item.maximum) for item in theirs):
        return
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


def _told(item: PropertyGroup) -> tuple[object, ...]:
    return (item.uid, item.name, item.minimum, item.maximum, item.default, item.unit, item.description)


def _tell(mirror: PropertyGroup, item: PropertyGroup) -> None:
    names = ("uid", "name", "minimum", "maximum", "default", "unit", "description")
    for name, value in zip(names, _told(item), strict=True):
        setattr(mirror, name, value)


def _describe(director: Object, item: PropertyGroup) -> None:
    """Give a slider its range; typed values may go one range further on both sides."""
    low, high = sorted((item.minimum, item.maximum))
    room = ROOM * (high - low)
    unit = f" ({item.unit})" if item.unit else ""
    director.id_properties_ui(item.name).update(
        min=low - room,
        max=high + room,
        soft_min=low,
        soft_max=high,
        default=item.default,
        description=(item.description or f"How {item.name} the performance is") + unit,
    )


def _rename_paths(director: Object, renamed: dict[str, str]) -> None:
    paths = {path_of(old): path_of(new) for old, new in renamed.items()}
    if not paths:
        return
    data = director.animation_data
    for curve in [*all_curves(director), *(data.drivers if data else ())]:
        curve.data_path = paths.get(curve.data_path, curve.data_path)
    for user in bpy.data.user_map(subset={director})[director]:
        for driver in getattr(getattr(user, "animation_data", None), "drivers", ()):
            for target in (target for variable in driver.driver.variables for target in variable.targets):
                if target.id == director and target.data_path in paths:
                    target.data_path = paths[target.data_path]


def reset_sliders(director: Object) -> None:
    """Set every slider to its default; one that holds no number becomes a slider again."""
    for item in director.verbs_adverbs.adverbs:
        was_slider = isinstance(director.get(item.name), float)
        director[item.name] = item.default
        if not was_slider:
            _describe(director, item)
    director.update_tag()


def last_frame(director: Object, scene: Scene) -> int:
    """Last frame up to which a director plays: the scene's, or that of its preview range where that is longer."""
    preview = scene.frame_preview_end if scene.use_preview_range else scene.frame_end
    return max(scene.frame_end, preview, director.verbs_adverbs.start_frame)


def beyond_end(director: Object, scene: Scene) -> str:
    """Why nothing moves at the current frame, and how to go on, if it lies after the last one; else empty."""
    last = last_frame(director, scene)
    if scene.frame_current <= last:
        return ""
    armature = director.verbs_adverbs.directs
    return (
        f"Frame {scene.frame_current} lies after frame {last}, the last that is played: {armature.name} stands still."
        " Raise the End of the scene, or of the preview range, to go on."
    )


def origin_of(director: Object, armature: Object) -> tuple[float, float, float, float]:
    """Where the character starts: x, y, z and heading of the director at the start frame, in performance space."""
    matrix = _own_matrix(director, float(director.verbs_adverbs.start_frame))
    if not goes_by_itself(director, armature):
        above = director.matrix_world @ director.matrix_basis.inverted_safe()
        space = armature.matrix_world @ armature.matrix_basis.inverted_safe()
        matrix = space.inverted_safe() @ above @ matrix
    place, rotation, _ = matrix.decompose()
    return place.x, place.y, place.z, _heading(rotation)


def goes_by_itself(director: Object, armature: Object) -> bool:
    """Whether no other object has a say in where a director is, seen from its armature."""
    names = ("parent", "parent_type", "parent_bone", "matrix_parent_inverse")
    free = director.parent is None and armature.parent is None and not director.constraints
    return free or (not director.constraints and all(getattr(director, n) == getattr(armature, n) for n in names))


def _own_matrix(director: Object, frame: float) -> Matrix:
    """The director's own transform at a frame, by its keys."""
    curves = adverb_curves(director)

    def at(prop: str) -> list[float]:
        present = list(getattr(director, prop))
        return [curves[key].evaluate(frame) if (key := f"{prop}{i}") in curves else v for i, v in enumerate(present)]

    if director.rotation_mode == "QUATERNION":
        rotation = Quaternion(at("rotation_quaternion"))
    elif director.rotation_mode == "AXIS_ANGLE":
        angle, *axis = at("rotation_axis_angle")
        rotation = Quaternion(axis, angle)
    else:
        rotation = Euler(at("rotation_euler"), director.rotation_mode).to_quaternion()
    return Matrix.LocRotScale(at("location"), rotation, None)


def space_of(armature: Object) -> Matrix:
    """From performance space to the world."""
    return armature.matrix_world @ armature.matrix_basis.inverted_safe()


def into_space(armature: Object) -> Matrix:
    """From the world to performance space."""
    return space_of(armature).inverted_safe()
