"""Verbs as assets: marked for the Asset Browser with a picture, and put on characters of this or another file."""

from ... import importing

__getattr__ = importing(__name__)
