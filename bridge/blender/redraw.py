"""Letting Blender draw its windows anew after what it does not notice by itself."""

from collections.abc import Collection, Iterator

import bpy
from bpy.types import Area

VIEWS = frozenset({"VIEW_3D"})


def redraw_areas(kinds: Collection[str] = VIEWS) -> None:
    """Let all areas of some kinds be drawn anew, their sidebars too."""
    for area in _areas(kinds):
        area.tag_redraw()


def redraw_regions(kind: str) -> None:
    """Let the regions of a kind in all 3D views be drawn anew, and nothing else: a sidebar may be in use."""
    for area in _areas(VIEWS):
        for region in area.regions:
            if region.type == kind:
                region.tag_redraw()


def _areas(kinds: Collection[str]) -> Iterator[Area]:
    for window in bpy.context.window_manager.windows:
        yield from (area for area in window.screen.areas if area.type in kinds)
