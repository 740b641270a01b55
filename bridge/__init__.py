"""The only translators between Blender's data and core.

Operators and panels ask for its modules as attributes (`bridge.authoring.verbs`): each is imported when it is first
used, so that switching the extension on takes next to no time. Editors and type checkers find them by the imports that
stand beside. Arrows run one way: `session -> layers -> authoring -> action -> rig -> data -> blender`.
"""

from collections.abc import Callable
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING


def importing(package: str) -> Callable[[str], ModuleType]:
    """What a package calls for an attribute that it lacks: it imports the module of that name."""

    def module_of(name: str) -> ModuleType:
        if name.startswith("__"):
            raise AttributeError(name)
        return import_module(f".{name}", package)

    return module_of


if TYPE_CHECKING:
    from . import (
        action,
        authoring,
        blender,
        data,
        layers,
        rig,
        session,
    )
else:
    __getattr__ = importing(__name__)
