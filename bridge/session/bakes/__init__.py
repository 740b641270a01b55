"""Bakes that know what they were made from: written, baked again, edited by hand and corrected in layers above."""

from ... import importing

__getattr__ = importing(__name__)
