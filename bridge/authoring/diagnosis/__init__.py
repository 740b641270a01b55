"""What is told of a verb and its examples, what is looked for when they are checked, and how it is mended."""

from typing import TYPE_CHECKING

from ... import importing

if TYPE_CHECKING:
    from . import (
        checking,
        told,
    )
else:
    __getattr__ = importing(__name__)
