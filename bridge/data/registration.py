"""Registering the property groups of the stored data, and the modules of operators and panels."""

from importlib import import_module

import bpy

from ..blender import store
from .action_properties import CLASSES as ACTION_CLASSES
from .action_properties import VERBS_ADVERBS_ActionAnnotation
from .object_properties import CLASSES as OBJECT_CLASSES
from .object_properties import VERBS_ADVERBS_RigDefinition
from .schema import OWN

CLASSES = (*ACTION_CLASSES, *OBJECT_CLASSES)


def register() -> None:
    """Register the property groups, and add them as properties to Action and Object."""
    for cls in CLASSES:
        bpy.utils.register_class(cls)
    bpy.types.Action.verbs_adverbs = bpy.props.PointerProperty(type=VERBS_ADVERBS_ActionAnnotation)
    bpy.types.Object.verbs_adverbs = bpy.props.PointerProperty(type=VERBS_ADVERBS_RigDefinition, override=OWN)
    store.watch()


def unregister() -> None:
    """Unregister the properties and the property groups; the data stays in the file."""
    store.unwatch()
    del bpy.types.Object.verbs_adverbs
    del bpy.types.Action.verbs_adverbs
    for cls in reversed(CLASSES):
        bpy.utils.unregister_class(cls)


class Module:
    """A module of operators or panels that is registered.

    Parameters
    ----------
    path : name by which it is imported.
    """

    def __init__(self, path: str) -> None:
        self._module = import_module(path)

    def register(self) -> None:
        """Register the module's `CLASSES`, and whatever else its own `register` adds, such as menu entries."""
        for cls in self._module.CLASSES:
            bpy.utils.register_class(cls)
        getattr(self._module, "register", lambda: None)()

    def unregister(self) -> None:
        """Unregister everything that `register` has registered."""
        getattr(self._module, "unregister", lambda: None)()
        for cls in reversed(self._module.CLASSES):
            bpy.utils.unregister_class(cls)
