"""Drawing verbs: ghosts beside the character, sheets of ghosts, reach errors, and image files of these."""

from typing import TYPE_CHECKING

from ... import importing

if TYPE_CHECKING:
    from . import (
        batches,
        heat,
        neighbours,
        picture,
        reach_picture,
        sheet,
        standing,
    )
else:
    __getattr__ = importing(__name__)
