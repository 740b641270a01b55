"""What is stored about an armature's bones: their former names, how they lay, and which are its feet."""

from ... import importing

__getattr__ = importing(__name__)
