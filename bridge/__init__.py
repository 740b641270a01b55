"""The only translators between Blender's data and core.

Operators and panels ask for its modules as attributes (`bridge.verbs`): each is imported when it is first used, so that
switching the extension on takes next to no time.
"""

from importlib import import_module
from types import ModuleType


def __getattr__(name: str) -> ModuleType:
    """Import a module of the package.

    Raises
    ------
    AttributeError
        If there is none.
    """
    if name.startswith("__"):
        raise AttributeError(name)
    return import_module(f".{name}", __name__)
