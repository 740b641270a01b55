"""The only translators between Blender's data and core.

Operators and panels ask for its modules as attributes (`bridge.authoring.verbs`): each is imported when it is first
used, so that switching the extension on takes next to no time. Arrows run one way: `session -> layers -> authoring -> action ->
rig -> data -> blender`.
"""

from collections.abc import Callable
from importlib import import_module
from types import ModuleType


def importing(package: str) -> Callable[[str], ModuleType]:
    """What a package calls for an attribute that it lacks: it imports the module of that name."""

    def module_of(name: str) -> ModuleType:
        if name.startswith("__"):
            raise AttributeError(name)
        return import_module(f".{name}", package)

    return module_of


__getattr__ = importing(__name__)
