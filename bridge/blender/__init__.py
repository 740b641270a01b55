"""What concerns Blender itself: differences between its versions, names, events and long computations."""

from .. import importing

__getattr__ = importing(__name__)
