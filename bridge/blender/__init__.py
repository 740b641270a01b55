"""Blender itself: differences between its versions, names, redrawing, listening, long jobs."""

from .. import importing

__getattr__ = importing(__name__)
