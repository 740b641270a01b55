"""3D views that follow a character while it plays: only the view moves, no scene data."""

from collections.abc import Iterator

import bpy
from bpy.types import Object, RegionView3D
from mathutils import Vector

from ....core.figure.channels import HEIGHT
from ...blender.events import areas_of
from ...data.director import director_of, space_of
from .. import live_characters
from .camera import root_of_live

RISES = 0.1
"""Fraction of the vertical distance that a view moves in one frame, so that it does not bob with every step."""

_before: tuple[int, Vector] | None = None
"""Session identifier of the armature followed last, and the position that views were moved to; None at rest."""


def follow(armature: Object | None) -> None:
    """Move all 3D views along with an armature, by as much as it has moved since the last call.

    Camera views stay, and so do those locked to an object or the cursor.
    """
    global _before
    place = _place_of(armature) if armature is not None else None
    if armature is None or place is None:
        _before = None
        return
    before = _before[1] if _before is not None and _before[0] == armature.session_uid else place
    place.z = before.z + RISES * (place.z - before.z)
    _before = armature.session_uid, place
    if place != before:
        for view in _following():
            view.view_location = view.view_location + (place - before)


def rest() -> None:
    """Leave the views where they are; the next call of `follow` starts from what they then show."""
    global _before
    _before = None


def _place_of(armature: Object) -> Vector | None:
    """Return the world position of a live character's root; None if it is not live."""
    director, performance = director_of(armature), live_characters.performance
    if performance is not None:
        character = performance.take_of(armature).character
        found, row = character.find()[0], character.display.shown if character.display is not None else None
        if found is None or row is None:
            return None
        return space_of(found) @ Vector((*row[:2].tolist(), float(row[HEIGHT])))
    if director is None or not director.verbs_adverbs.live:
        return None
    seen = armature.evaluated_get(bpy.context.evaluated_depsgraph_get())
    bone = root_of_live(armature)
    return seen.matrix_world @ seen.pose.bones[bone].head if bone else seen.matrix_world.translation.copy()


def _following() -> Iterator[RegionView3D]:
    """Yield the regions of all 3D views that can be moved."""
    for area in areas_of():
        space = area.spaces.active
        if space.lock_object is None and not space.lock_cursor:
            regions = {one.as_pointer(): one for one in (space.region_3d, *space.region_quadviews) if one is not None}
            yield from (one for one in regions.values() if one.view_perspective != "CAMERA")
