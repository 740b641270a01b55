"""Somebody at the mouse, whose interactions are counted."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import bpy
from hand import Hand
from sidebar import find

IMPORT = 2
"""Interactions of an import or of opening a file: choosing it in the menu with a file, and confirming."""
SIDEBAR = 2
"""Opening it, and choosing the tab."""


@dataclass
class User:
    """Somebody at the mouse.

    Parameters
    ----------
    gui : the hand.
    picture : how to call pictures.
    count : of interactions so far.
    """

    gui: Hand
    picture: str
    count: int = 0

    def take(self, name: str) -> None:
        self.gui.picture(f"{self.picture}-{name}")

    def opens(self, operator: object, path: Path, **options: object) -> Iterator[float]:
        with self.gui.context():
            assert operator(filepath=str(path), **options) == {"FINISHED"}
        self.count += IMPORT
        yield 0.5

    def opens_sidebar(self) -> Iterator[float]:
        yield from self.gui.sidebar("Verbs")
        self.count += SIDEBAR

    def refuses_scripts(self) -> Iterator[float]:
        """Blender asks whether to run what Rigify left in the file: the user takes what it offers, not to."""
        self.take("asked")
        yield from self.gui.key("RET")
        self.count += 1
        yield 0.6

    def presses(self, operator: str, across: float = 0.5) -> Iterator[float]:
        before = _mode()
        x, y = yield from find(self.gui, operator, across)
        self.count += _mode() != before
        yield from self.gui.click(x, y)
        self.count += 1
        yield 0.6

    def confirms(self, operator: str, picture: str, across: float = 0.5) -> Iterator[float]:
        """Press a button that opens a dialog, and take what it offers."""
        yield from self.presses(operator, across)
        self.take(picture)
        yield from self.gui.key("RET")
        self.count += 1
        yield 0.6

    def drags(self, slider: str, pixels: int) -> Iterator[float]:
        x, y = yield from find(self.gui, slider)
        yield from self.gui.drag((x, y), (x + pixels, y))
        self.count += 1


def _mode() -> str:
    return bpy.context.window_manager.verbs_adverbs_tab.mode
