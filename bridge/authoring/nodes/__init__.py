"""The verb graph as nodes of Blender's node editor: a view of what the armature stores, kept in step both ways."""

from ... import importing

__getattr__ = importing(__name__)
