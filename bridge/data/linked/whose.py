"""Whose a character is: what can be directed in this file, and what is edited in the file that it comes from."""

from bpy.types import Object

from ....core.errors import RigError
from ..current import newer_told
from ..director import director_of
from .library_director import library_director, origin_of_override, overridden


def not_directed(armature: Object) -> str:
    """Sentence that says why an armature cannot be directed here: it is linked, missing, or of a newer version."""
    return not_directed_by(armature, director_of(armature))


def not_directed_by(armature: Object, director: Object | None) -> str:
    """Like `not_directed`, for an armature and a director that is known already."""
    if armature.library is not None:
        return (
            f"Armature '{armature.name}' is linked, so Blender does not animate it: make a library override of it"
            " (Object > Library Override > Make)"
        )
    missing = _missing(armature)
    if missing:
        return (
            f"'{missing}' was not found, which armature '{armature.name}' comes from: put the file back and open this"
            " one again. What is directed here is kept"
        )
    director = director or library_director(armature)
    told = (newer_told(kind, owner) for kind, owner in (("Armature", armature), ("Director", director)) if owner)
    return next((reason for reason in told if reason), "")


def _missing(armature: Object) -> str:
    """Path of the file that an armature or its bones come from, if that was not found."""
    blocks = (block for block in (overridden(armature), armature.data) if block is not None and block.is_missing)
    return next((block.library.filepath for block in blocks if block.library is not None), "")


def not_edited(armature: Object) -> str:
    """Sentence that says why what an armature stores cannot be edited here: for the reasons of `not_directed`, or
    because it is a library override, which keeps nothing of that.
    """
    reason, origin = not_directed(armature), origin_of_override(armature)
    if reason or origin is None:
        return reason
    return (
        f"Armature '{armature.name}' is a library override: what it stores is edited in '{origin.library.filepath}'."
        " Open that file, or make the armature local (Object > Relations > Make Local)"
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
