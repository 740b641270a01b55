"""Bakes that know what they were made from: written, baked again, edited by hand and corrected in layers above."""

from typing import TYPE_CHECKING

from ... import importing

if TYPE_CHECKING:
    from . import (
        bake_again,
        baked,
        corrections,
    )
else:
    __getattr__ = importing(__name__)
