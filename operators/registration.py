"""Registering the operators, module by module."""

from ..bridge.registration import register_modules, unregister_modules

MODULES = (
    "examples",
    "keytimes",
    "contacts",
    "structure",
    "finding",
    "mirroring",
    "adverbs",
    "verbs",
    "verb_examples",
    "building",
    "measuring",
    "targets",
    "refining",
    "biped",
    "directing",
    "baking",
    "transitions",
    "score",
    "perform",
)


def register() -> None:
    """Register every module."""
    register_modules(__package__, MODULES)


def unregister() -> None:
    """Take everything back."""
    unregister_modules(__package__, MODULES)
