"""Armatures, translated between Blender and core: skeletons, roots, feet, and where constraints put bones."""

from .. import importing

__getattr__ = importing(__name__)
