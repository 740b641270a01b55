"""What is stored in the .blend file and how it is edited: examples, verbs, transitions, directors, commands."""

from .. import importing

__getattr__ = importing(__name__)
