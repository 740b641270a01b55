"""Bakes with a record of their source: writing, baking again, edits by hand and corrections in layers above."""

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
