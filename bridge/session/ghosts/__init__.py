"""Ghosts: figures of what a character could be, beside what it is."""

from ... import importing

__getattr__ = importing(__name__)
