"""What 3D views show of a character while it plays: where it goes, and the views that go with it."""

from ... import importing

__getattr__ = importing(__name__)
