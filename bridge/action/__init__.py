"""F-curves in and out, and poses written."""

from .. import importing

__getattr__ = importing(__name__)
