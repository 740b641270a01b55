"""Objects that are looked up anew each time, because undo, renaming and deleting go on meanwhile."""

import bpy
from bpy.types import Object


class FoundAgain:
    """An object by its name and, should that change, by its session's identifier.

    Parameters
    ----------
    found : the object now.
    """

    def __init__(self, found: Object) -> None:
        self.name, self.uid = found.name, found.session_uid

    def find(self) -> Object | None:
        """The object as it is now, None when it is gone from the file or from all scenes."""
        found = bpy.data.objects.get((self.name, None))
        if found is None or found.session_uid != self.uid:
            found = next((one for one in bpy.data.objects if one.session_uid == self.uid), None)
            self.name = found.name if found is not None else self.name
        if found is None or not (found.visible_get() or found.users_scene):
            return None
        return found
