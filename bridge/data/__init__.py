"""What is stored in the file, and its edits: examples, verbs, transitions, directors, commands."""

from .. import importing

__getattr__ = importing(__name__)
