"""Verbs & Adverbs: example actions become verbs that are played with any mixture of adverbs."""

from importlib import import_module
from importlib.util import find_spec
from types import ModuleType

PARTS = ("bridge", "operators", "panels")


def _registrations() -> list[ModuleType]:
    names = [f"{__package__}.{part}" for part in PARTS]
    present = [name for name in names if find_spec(name) and find_spec(f"{name}.registration")]
    return [import_module(f"{name}.registration") for name in present]


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
