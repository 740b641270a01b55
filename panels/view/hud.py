"""Text over the 3D view while performing: verb, plan, generic time, planted points, frame and frame rate."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap
from typing import TYPE_CHECKING, Any

import blf
import bpy
import gpu
from bpy.types import Context
from gpu_extras.batch import batch_for_shader

from ... import bridge
from ...bridge.session import live_characters
from ...core.detect.bone_names import side_of
from ...operators.view.pad import covered_by

if TYPE_CHECKING:
    from ...bridge.session.ongoing_take import OngoingTake

MARGIN, BELOW, PAD, LINE, WIDTH, BAR, TICK, LETTERS = 20.0, 60.0, 8.0, 16.0, 250.0, 6.0, 1.5, 12.0
"""In pixels. BELOW leaves room for the collapsed Adjust Last Operation panel."""
LETTERS_OF_ROW = 40
"""Characters of a row that fit into the width."""
WAITS = ("Waiting for your first command:", "1 to 9, arrow key, slider or Ctrl-click")
SIDES = {"L": "left", "R": "right"}
WARNING = (1.0, 0.45, 0.35, 1.0)
Color = Sequence[float]


class Page:
    """Rows that are drawn one above the other in the corner of a view, in the colours of the theme.

    Parameters
    ----------
    context : context of a draw handler in a 3D view.
    """

    def __init__(self, context: Context) -> None:
        self.scale = context.preferences.system.ui_scale
        self.colors: Any = context.preferences.themes[0].user_interface
        self.x, self.y = MARGIN * self.scale + covered_by(context, "TOOLS"), BELOW * self.scale
        self._shader = gpu.shader.from_builtin("UNIFORM_COLOR")

    def box(self, rows: int) -> None:
        """Draw a dark background for this many rows of text and a bar."""
        pad = PAD * self.scale
        height = (rows * LINE + BAR) * self.scale
        back = self.colors.wcol_tooltip.inner
        self._fill(self.x - pad, self.y - pad, WIDTH * self.scale + 2.0 * pad, height + 2.0 * pad, (*back[:3], 0.75))

    def text(self, line: str, color: Color | None = None) -> None:
        """Write a row of text; the next one goes above it."""
        shown = (*self.colors.wcol_tooltip.text[:3], 1.0) if color is None else color
        blf.size(0, LETTERS * self.scale)
        blf.color(0, *shown)
        blf.position(0, self.x, self.y + 3.0 * self.scale, 0.0)
        blf.draw(0, line)
        self.y += LINE * self.scale

    def bar(self, share: float, ticks: Sequence[float]) -> None:
        """Draw a bar filled up to a share between 0 and 1, with ticks; the next row goes above it."""
        width, height, thin = WIDTH * self.scale, BAR * self.scale, TICK * self.scale
        slider = self.colors.wcol_numslider
        self._fill(self.x, self.y, width, height, slider.inner)
        self._fill(self.x, self.y, width * share, height, slider.item)
        for tick in ticks:
            self._fill(self.x + tick * (width - thin), self.y, thin, height, (*slider.text[:3], 0.8))
        self.y += height

    def _fill(self, x: float, y: float, width: float, height: float, color: Color) -> None:
        corners = ((x, y), (x + width, y), (x + width, y + height), (x, y + height))
        self._shader.uniform_float("color", color)
        batch_for_shader(self._shader, "TRIS", {"pos": corners}, indices=((0, 1, 2), (0, 2, 3))).draw(self._shader)


def draw() -> None:
    """Draw all rows of the performance, if one is running and overlays are shown."""
    performance, context = live_characters.performance, bpy.context
    if performance is None or not context.space_data.overlay.show_overlays:
        return

    gpu.state.blend_set("ALPHA")
    page = Page(context)
    if performance.waits:
        page.box(2)
        page.text(WAITS[1])
        page.text(WAITS[0])
        page.y += 2.5 * PAD * page.scale
    for place, take in enumerate(performance.takes[: bridge.session.performance.WRITTEN]):
        paced = place == 0 and not performance.waits
        _write(page, take, _paced(take, performance.rate) if paced else "")
    gpu.state.blend_set("NONE")


def _planted(points: Sequence[str]) -> str:
    """Name the sides of planted points, or the points themselves if a name does not tell its side."""
    sides = [side_of(point) for point in points]
    return ", ".join([SIDES[side] for side in sorted(set(sides))] if all(sides) else points)


def _write(page: Page, take: OngoingTake, paced: str) -> None:
    """Write what one character does; `paced` is a row about frame and frame rate, empty for none."""
    status, problem = take.status, take.character.problem
    layers, planted = ", ".join(status.layers), _planted(status.standing)
    told = f"Layers: {layers}" if layers else "", f"Planted: {planted}" if planted else "", paced
    lines = [(row, WARNING if problem else None) for row in wrap(problem or status.coming, LETTERS_OF_ROW)]
    lines += [(row, None) for line in told for row in wrap(line, LETTERS_OF_ROW)]
    page.box(len(lines) + 1)
    for line, color in reversed(lines):
        page.text(line, color)
    page.bar(status.share, tuple(status.verb.phrasing.generic.tolist()))
    page.text(f"{take.character.armature.name}: {status.title}")
    page.y += 2.5 * PAD * page.scale


def _paced(take: OngoingTake, rate: float) -> str:
    """Return a row with the scene's frame, the length of the take so far, and the frame rate."""
    status, shown = take.status, f"{rate:.0f}"
    return f"Frame {status.frame} ({status.seconds:.1f} s), {shown} fps"
