"""Armatures, converted between Blender and core: skeletons, roots, feet, and where constraints put bones."""

from typing import TYPE_CHECKING

from .. import importing

if TYPE_CHECKING:
    from . import (
        evaluated,
        parts,
        rig,
        rig_digest,
        roles,
    )
else:
    __getattr__ = importing(__name__)
