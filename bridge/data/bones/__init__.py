"""What is stored about an armature's bones: their former names, their recorded rest pose, and which are its feet."""

from typing import TYPE_CHECKING

from ... import importing

if TYPE_CHECKING:
    from . import (
        names,
        seen,
    )
else:
    __getattr__ = importing(__name__)
