"""What is told of a verb and its examples, what is looked for when they are checked, and how it is mended."""

from ... import importing

__getattr__ = importing(__name__)
