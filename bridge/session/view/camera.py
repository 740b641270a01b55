"""A camera that follows a character: a Child Of constraint on the camera, which the user can see and change."""

from typing import Any

import bpy
from bpy.types import Object, Scene
from mathutils import Matrix

from ...data.director import director_of
from ..timeline import root_of

NAME = "Follow Character"
"""Name of the constraint on the camera."""


def followed_by(camera: Object) -> Object | None:
    """Return the armature that a camera follows; None if it follows none."""
    constraint = camera.constraints.get(NAME)
    return constraint.target if constraint is not None and constraint.type == "CHILD_OF" else None


def follow_with_camera(armature: Object, scene: Scene) -> None:
    """Make a scene's camera follow an armature's root over the ground, from their current positions.

    Its position, rotation and keys stay as they are; it moves neither up nor down, and does not turn.
    """
    camera: Any = scene.camera
    stop_following(camera)
    bone = root_of_live(armature)
    constraint = camera.constraints.new("CHILD_OF")
    constraint.name, constraint.target, constraint.subtarget = NAME, armature, bone
    constraint.use_location_z = False
    for turn_or_size in (f"use_{what}_{axis}" for what in ("rotation", "scale") for axis in "xyz"):
        setattr(constraint, turn_or_size, False)
    seen = armature.evaluated_get(bpy.context.evaluated_depsgraph_get())
    place = seen.matrix_world @ seen.pose.bones[bone].matrix if bone else seen.matrix_world
    x, y, _ = place.translation
    constraint.inverse_matrix = Matrix.Translation((-x, -y, 0.0))


def stop_following(camera: Object) -> None:
    """Remove the constraint from a camera, if it has one; the camera returns to its own position."""
    constraint = camera.constraints.get(NAME)
    if constraint is not None:
        camera.constraints.remove(constraint)


def root_of_live(armature: Object) -> str:
    """Return the bone that carries the travel of what a character plays; empty if the object does."""
    director = director_of(armature)
    name = root_of(director.verbs_adverbs.generated) if director is not None else ""
    return name if name in armature.pose.bones else ""
