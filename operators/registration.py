"""Registering the operators, module by module."""

from importlib import import_module
from types import ModuleType

import bpy

MODULES = (
    "examples",
    "keytimes",
    "contacts",
    "structure",
    "adverbs",
    "verbs",
    "verb_examples",
    "building",
    "biped",
    "directing",
    "baking",
)


def _modules() -> list[ModuleType]:
    return [import_module(f"{__package__}.{name}") for name in MODULES]


def register() -> None:
    """Register the classes of every module, then what else it brings: menu entries, handlers."""
    for module in _modules():
        for cls in module.CLASSES:
            bpy.utils.register_class(cls)
        getattr(module, "register", lambda: None)()


def unregister() -> None:
    """Take everything back, last module first."""
    for module in reversed(_modules()):
        getattr(module, "unregister", lambda: None)()
        for cls in reversed(module.CLASSES):
            bpy.utils.unregister_class(cls)
