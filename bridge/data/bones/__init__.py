"""What is stored about an armature's bones: their former names, how they lay, and which are its feet."""

from typing import TYPE_CHECKING

from ... import importing

if TYPE_CHECKING:
    from . import (
        names,
        seen,
    )
else:
    __getattr__ = importing(__name__)
