"""The verb graph as nodes of Blender's node editor: a view of what the armature stores, kept in step both ways."""

from typing import TYPE_CHECKING

from ... import importing

if TYPE_CHECKING:
    from . import (
        keeping,
        trees,
    )
else:
    __getattr__ = importing(__name__)
