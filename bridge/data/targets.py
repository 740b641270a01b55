"""Targets: objects whose position drives the sliders of adverbs that measure the position of a bone.

The drivers are evaluated by Blender itself, and read the object's position relative to the character's start. So a
target may be dragged, keyed, parented or constrained, and is followed live, on the timeline, in renders and in bakes.
"""

import json
from collections.abc import Iterator
from math import isfinite

import bpy
from bpy.types import FCurve, Object, PropertyGroup
from mathutils import Matrix, Vector

from ...core.errors import VerbError
from ..blender.animation import drivers_of
from .adverb_values import OF_TARGET, is_of_target, path_of, slider_values
from .director import director_of, ensure_director, origin_of, space_of
from .library_director import collection_of, default_origin
from .schema import PLACES, remove_row

AXES = "xyz"

Asked = tuple[Object, str]
"""The object that drives a slider, and the driver's expression."""


def start_space(armature: Object, director: Object | None) -> Matrix:
    """Return the matrix to the world from the space whose origin and axes are those of the character at its start."""
    x, y, z, heading = default_origin(armature) if director is None else origin_of(director, armature)
    return space_of(armature) @ Matrix.Translation((x, y, z)) @ Matrix.Rotation(heading, 4, "Z")


def bound_adverbs(item: PropertyGroup, target: PropertyGroup) -> dict[str, str]:
    """Return names of the adverbs that a target drives, by axis: 'X', 'Y' and 'Z'."""
    return {u.measure: u.name for u in adverbs_at(item, (target.bone, target.end, target.keytime))}


def adverbs_at(item: PropertyGroup, point: tuple[str, str, str]) -> list[PropertyGroup]:
    """Return adverbs of a verb that measure the position of a point, which is given by bone, end and keytime."""
    return [used for used in item.adverbs if used.measure in PLACES and (used.bone, used.end, used.keytime) == point]


def measured_points(item: PropertyGroup) -> list[tuple[str, str, str]]:
    """Return bone, end and keytime of all points that a verb's adverbs measure."""
    return list(dict.fromkeys((u.bone, u.end, u.keytime) for u in item.adverbs if u.measure in PLACES))


def asked_place(armature: Object, director: Object, target: PropertyGroup) -> Vector:
    """Return the position of a target relative to the character's start."""
    return start_space(armature, director).inverted_safe() @ target.object.matrix_world.translation


def add_target(
    armature: Object, item: PropertyGroup, point: tuple[str, str, str], reached: Object | None
) -> PropertyGroup:
    """Make a bone of a verb reach for an object; a director is added if there is none.

    Parameters
    ----------
    armature, item : an armature and one of its verbs.
    point : bone, end and keytime, as the verb's adverbs measure them.
    reached : the object. If it is None, an Empty is added at the position that the sliders request.

    Raises
    ------
    VerbError
        If nothing measures the point, or the object or the sliders cannot be used.
    """
    if point not in measured_points(item):
        raise VerbError(
            f"No adverb of verb '{item.name}' measures the position of '{point[0]}' at '{point[2]}'. Choose Place for "
            "at least one of them under Measures first."
        )
    _check_object(armature, reached)
    _check_sliders(armature, item, point)
    measured, present = [used.name for used in adverbs_at(item, point)], director_of(armature)
    if present is not None:
        slider_values(present, measured)
    director = ensure_director(armature)
    said = dict(zip(measured, slider_values(director, measured), strict=True))
    target = item.targets.add()
    target.bone, target.end, target.keytime = point
    names = bound_adverbs(item, target)
    target.before = json.dumps({axis: said[name] for axis, name in names.items()})
    target.object = reached or _new_empty(armature, director, {axis: said[name] for axis, name in names.items()})
    item.active_target = len(item.targets) - 1
    settle_targets(armature)
    return target


def remove_target(armature: Object, item: PropertyGroup, index: int) -> None:
    """Remove the drivers of a target, and restore the sliders to their earlier values; the object is kept."""
    target, director = item.targets[index], director_of(armature)
    names, before = bound_adverbs(item, target), _parsed(target.before)
    remove_row(item, "targets", "active_target", index)
    settle_targets(armature)
    for axis, name in names.items():
        if director is not None and name in director and axis in before:
            director[name] = before[axis]
    if director is not None:
        director.update_tag()


def settle_targets(armature: Object) -> bool:
    """Add and remove drivers of a director's sliders as the armature's targets need; return whether any changed."""
    director = director_of(armature)
    if director is None:
        return False
    gone, due, unknown = _unsettled(armature, director)
    for path in gone:
        director.driver_remove(path)
    known = {curve.data_path: curve for curve in drivers_of(director)}
    for path, (reached, expression) in due.items():
        _settle(director, path, known.get(path), reached, expression)
    for reached in unknown:
        reached.verbs_adverbs.wanted_by = armature.name
    if gone or due:
        director.update_tag()
    return bool(gone or due)


def are_settled(armature: Object) -> bool:
    """Return whether `settle_targets` would change nothing."""
    director = director_of(armature)
    return director is None or not any(_unsettled(armature, director))


def _unsettled(armature: Object, director: Object) -> tuple[set[str], dict[str, Asked], list[Object]]:
    """Return data paths of drivers to remove, drivers to add by data path, and objects to be marked as targets."""
    wanted, drivers = dict(_wanted(armature, director)), drivers_of(director)
    gone = {curve.data_path for curve in drivers if is_of_target(curve) and curve.data_path not in wanted}
    known = {curve.data_path: curve for curve in drivers}
    due = {path: asked for path, asked in wanted.items() if not _is_settled(known.get(path), *asked)}
    unknown = [reached for reached, _ in wanted.values() if reached.verbs_adverbs.wanted_by != armature.name]
    return gone, due, unknown


def _wanted(armature: Object, director: Object) -> Iterator[tuple[str, Asked]]:
    """Yield the data path of each slider that should be driven, with the object that drives it and the expression."""
    rows = start_space(armature, director).inverted_safe()
    for item in armature.verbs_adverbs.verbs:
        for target in item.targets:
            reached: Object | None = target.object
            if reached is None or not reached.users_scene:
                continue
            for axis, name in bound_adverbs(item, target).items():
                if name in director:
                    yield path_of(name), (reached, _expression(rows[PLACES.index(axis)]))


def _expression(row: Vector) -> str:
    """Return an expression for a component of the position, simple enough for Blender to evaluate without Python."""
    told = "".join(f"{number:+.7f}*{OF_TARGET}{axis}" for number, axis in zip(row[:], AXES, strict=False))
    return f"{told}{row[3]:+.7f}".lstrip("+")


def _is_settled(curve: FCurve | None, reached: Object, expression: str) -> bool:
    """Return whether a slider's driver is as it should be, or is one of the user's."""
    if curve is None:
        return False
    return not is_of_target(curve) or (curve.driver.expression == expression and _source(curve) == reached)


def _settle(director: Object, path: str, curve: FCurve | None, reached: Object, expression: str) -> None:
    if curve is None:
        curve = director.driver_add(path)  # pyright: ignore[reportAssignmentType]
        for modifier in list(curve.modifiers):
            curve.modifiers.remove(modifier)
    driver = curve.driver
    driver.type = "SCRIPTED"
    while driver.variables:
        driver.variables.remove(driver.variables[0])
    for axis in AXES:
        variable = driver.variables.new()
        variable.name, variable.type = f"{OF_TARGET}{axis}", "TRANSFORMS"
        source = variable.targets[0]
        source.id, source.transform_type, source.transform_space = reached, f"LOC_{axis.upper()}", "WORLD_SPACE"
    driver.expression = expression


def _source(curve: FCurve) -> Object | None:
    return curve.driver.variables[0].targets[0].id  # pyright: ignore[reportReturnType]


def _check_object(armature: Object, reached: Object | None) -> None:
    above = reached
    while above is not None:
        if above == armature or above == director_of(armature):
            raise VerbError(
                f"'{reached.name}' cannot be a target, because it is moved by '{above.name}'. Choose an object that "
                "moves independently."
            )
        above = above.parent


def _check_sliders(armature: Object, item: PropertyGroup, point: tuple[str, str, str]) -> None:
    """Check that neither another target nor a driver of the user's controls the sliders of a point.

    Raises
    ------
    VerbError
        If one does.
    """
    names = {used.name for used in adverbs_at(item, point)}
    for other in armature.verbs_adverbs.verbs:
        for target in other.targets:
            taken = sorted(names & set(bound_adverbs(other, target).values()))
            if taken:
                raise VerbError(
                    f"Adverb '{taken[0]}' already follows a target of verb '{other.name}'. Remove that target, or "
                    "measure the position with another adverb."
                )
    director = director_of(armature)
    for curve in drivers_of(director) if director is not None else ():
        for name in names:
            if curve.data_path == path_of(name) and not is_of_target(curve):
                raise VerbError(f"Adverb '{name}' already has a driver. Remove it from the slider first.")


def _new_empty(armature: Object, director: Object, said: dict[str, float]) -> Object:
    """Make an Empty at the point that the sliders (`said`, by axis) request; 0 along axes that nothing measures."""
    place = Vector([said.get(axis, 0.0) for axis in PLACES])
    made = bpy.data.objects.new("Target", None)
    collection_of(armature).objects.link(made)
    made.empty_display_type = "SPHERE"
    made.empty_display_size = 0.03 * max(*armature.dimensions[:], 0.4)
    made.show_in_front = True
    made.location = start_space(armature, director) @ place
    return made


def _parsed(text: str) -> dict[str, float]:
    try:
        told = json.loads(text)
        return {str(name): float(value) for name, value in told.items() if isfinite(float(value))}
    except (ValueError, TypeError, AttributeError):
        return {}
