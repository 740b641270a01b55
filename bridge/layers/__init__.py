"""Layers over what a director plays, and the words of a director whose gestures are played in one of them."""

from .. import importing

__getattr__ = importing(__name__)
