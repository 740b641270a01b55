"""Actions, translated between Blender and core: F-curves are read and written, and poses are written to bones."""

from .. import importing

__getattr__ = importing(__name__)
