"""Characters from another file: what can be done with them here, the director that they have there, and one here."""

from typing import TYPE_CHECKING

from ... import importing

if TYPE_CHECKING:
    from . import (
        library_director,
        verb_assets,
    )
else:
    __getattr__ = importing(__name__)
