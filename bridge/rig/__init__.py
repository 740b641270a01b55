"""An armature as core sees it."""

from .. import importing

__getattr__ = importing(__name__)
