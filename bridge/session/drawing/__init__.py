"""What is drawn of a verb: ghosts beside the character, their sheet, errors of a reach, and pictures of these."""

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
