"""What is drawn of a verb: ghosts beside the character, their sheet, errors of a reach, and pictures of these."""

from ... import importing

__getattr__ = importing(__name__)
