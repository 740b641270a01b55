"""Verbs & Adverbs: example actions become verbs that are played with any mixture of adverbs."""

from importlib import import_module
from types import ModuleType

PARTS = ("bridge", "operators", "panels")


def _registrations() -> list[ModuleType]:
    return [import_module(f"{__package__}.{part}.registration") for part in PARTS]


def register() -> None:
    """Register the classes of every part; when one part fails, take back the parts before it."""
    done: list[ModuleType] = []
    try:
        for part in _registrations():
            part.register()
            done.append(part)
    except Exception:
        for part in reversed(done):
            part.unregister()
        raise


def unregister() -> None:
    """Take everything back, last part first."""
    for part in reversed(_registrations()):
        part.unregister()
