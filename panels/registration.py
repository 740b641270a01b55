"""Registering the panels, module by module."""

from ..bridge.registration import register_modules, unregister_modules

MODULES = (
    "lists",
    "annotating",
    "finding",
    "adverbs",
    "verbs",
    "reach",
    "graph",
    "directing",
    "perform",
    "performing",
    "overlays",
    "baking",
)


def register() -> None:
    """Register every module."""
    register_modules(__package__, MODULES)


def unregister() -> None:
    """Take everything back."""
    unregister_modules(__package__, MODULES)
