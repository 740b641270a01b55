"""Reports on a verb and its examples, checks for likely mistakes, and fixes."""

from typing import TYPE_CHECKING

from ... import importing

if TYPE_CHECKING:
    from . import (
        checking,
        told,
    )
else:
    __getattr__ = importing(__name__)
