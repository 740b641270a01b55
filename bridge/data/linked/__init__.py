"""Characters from another file: what can be done with them here, the director that they have there, and one here."""

from ... import importing

__getattr__ = importing(__name__)
