"""Verbs & Adverbs: example actions become verbs that are played with any mixture of adverbs."""

from importlib import import_module


def _registrations() -> list:
    stored = import_module(f"{__package__}.bridge.data.registration")
    parts = [f"{__package__}.{part}" for part in ("operators", "panels")]
    return [stored, *(stored.Module(f"{part}.{name}") for part in parts for name in import_module(part).MODULES)]


def register() -> None:
    """Register what is stored, then module by module; when one fails, take back those before it."""
    done = []
    try:
        for part in _registrations():
            part.register()
            done.append(part)
    except Exception:
        for part in reversed(done):
            part.unregister()
        raise


def unregister() -> None:
    """Take everything back, the last first."""
    for part in reversed(_registrations()):
        part.unregister()
