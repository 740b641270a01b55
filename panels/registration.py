"""Registering the panels, module by module."""

from importlib import import_module
from types import ModuleType

import bpy

MODULES = (
    "lists",
    "annotating",
    "adverbs",
    "verbs",
    "directing",
    "baking",
)


def _modules() -> list[ModuleType]:
    return [import_module(f"{__package__}.{name}") for name in MODULES]


def register() -> None:
    """Register the classes of every module."""
    for module in _modules():
        for cls in module.CLASSES:
            bpy.utils.register_class(cls)


def unregister() -> None:
    """Take everything back, last module first."""
    for module in reversed(_modules()):
        for cls in reversed(module.CLASSES):
            bpy.utils.unregister_class(cls)
