"""Registering: the stored data, which is property groups and the pointers to them, and the modules of other parts."""

from importlib import import_module

import bpy

from .properties import CLASSES, VERBS_ADVERBS_ActionAnnotation, VERBS_ADVERBS_RigDefinition


def register() -> None:
    """Register the property groups and hang them on Action and Object."""
    for cls in CLASSES:
        bpy.utils.register_class(cls)
    bpy.types.Action.verbs_adverbs = bpy.props.PointerProperty(type=VERBS_ADVERBS_ActionAnnotation)
    bpy.types.Object.verbs_adverbs = bpy.props.PointerProperty(type=VERBS_ADVERBS_RigDefinition)


def unregister() -> None:
    """Take both pointers and the property groups away; the data stays in the file."""
    del bpy.types.Object.verbs_adverbs
    del bpy.types.Action.verbs_adverbs
    for cls in reversed(CLASSES):
        bpy.utils.unregister_class(cls)


class Module:
    """A module of operators or panels.

    Parameters
    ----------
    path : by which it is imported.
    """

    def __init__(self, path: str) -> None:
        self._module = import_module(path)

    def register(self) -> None:
        """Register its `CLASSES`, and what else it brings: menu entries, handlers."""
        for cls in self._module.CLASSES:
            bpy.utils.register_class(cls)
        getattr(self._module, "register", lambda: None)()

    def unregister(self) -> None:
        """Take everything back."""
        getattr(self._module, "unregister", lambda: None)()
        for cls in reversed(self._module.CLASSES):
            bpy.utils.unregister_class(cls)
