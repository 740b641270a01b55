"""Which frame of a director, of its keys and of its scene is which moment in seconds."""

from ... import importing

__getattr__ = importing(__name__)
