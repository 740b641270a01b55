"""Live characters: what moves them under sliders, on the timeline and while they are performed, and what is baked."""

from .. import importing

__getattr__ = importing(__name__)
