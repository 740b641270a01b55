"""The only code that translates between Blender's data and core.

Operators and panels access its modules as attributes (`bridge.authoring.verbs`): each is imported when it is first
used, so that enabling the extension takes next to no time. Editors and type checkers find them by the imports under
`TYPE_CHECKING`. Dependencies run one way: `session -> layers -> authoring -> action -> rig -> data -> blender`.
"""

from collections.abc import Callable
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING


def importing(package: str) -> Callable[[str], ModuleType]:
    """Return the `__getattr__` of a package, which imports the module of the name that is looked up."""

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
