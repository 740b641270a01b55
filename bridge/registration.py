"""Registering: the stored data, which is property groups and the pointers to them, and the modules of other parts."""

from collections.abc import Sequence
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


def register_modules(package: str, names: Sequence[str]) -> None:
    """Register the `CLASSES` of some modules, and what else they bring: menu entries, handlers."""
    for module in [import_module(f"{package}.{name}") for name in names]:
        for cls in module.CLASSES:
            bpy.utils.register_class(cls)
        getattr(module, "register", lambda: None)()


def unregister_modules(package: str, names: Sequence[str]) -> None:
    """Take everything back, last module first."""
    for module in [import_module(f"{package}.{name}") for name in reversed(names)]:
        getattr(module, "unregister", lambda: None)()
        for cls in reversed(module.CLASSES):
            bpy.utils.unregister_class(cls)
