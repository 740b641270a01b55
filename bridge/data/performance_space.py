"""Performance space, in which characters travel: the space of an armature's parent."""

from bpy.types import Object
from mathutils import Matrix


def space_of(armature: Object) -> Matrix:
    """From performance space to the world."""
    return armature.matrix_world @ armature.matrix_basis.inverted_safe()


def into_space(armature: Object) -> Matrix:
    """From the world to performance space."""
    return space_of(armature).inverted_safe()
