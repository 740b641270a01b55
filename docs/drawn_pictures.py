"""The pictures of documents that the demo's own code draws; runs in Blender like the demo.

They are the sheets of the shipped biped's walk over mood and slope and of its reach over where the hand is, and the
errors of generated reaches beside those of [Rose2001]. Pictures that were taken of a window are joined to a moving one.
"""

import importlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import bpy
from PIL import Image

from ..demo.operate import EXTENSION, do
from ..demo.panels import facing_front, reach_panel, sheet_panel
from ..demo.run import GENERATED_WORDS, PHASE
from ..demo.sheet import SheetPanel, draw_sheet
from .reach_grids import draw_plots, draw_warped
from .reach_paper import plots, warped_rows

MOOD, SLOPE = 0, 1
PIXELS = 1200
COLOURS = {"sheet": 128, "reach-sheet": 128, "reach-errors": 256, "reach-curves": 128}
"""The pictures, and how many colours they are stored with."""
MILLISECONDS, MOVING_COLOURS, SAMPLES = 120, 96, 6
"""Time of a picture of the moving one, its colours, and in how many pictures these are looked for."""


def main(folder: Path) -> int:
    """Draw the pictures into a folder, small enough for the repository."""
    draw_sheet(folder / "sheet.png", [_walk()])
    draw_sheet(folder / "reach-sheet.png", [_reach()])
    draw_warped(folder / "reach-errors.png", warped_rows(), _of_extension("bridge.session.drawing.heat").colour_of)
    draw_plots(folder / "reach-curves.png", plots())
    for name, colours in COLOURS.items():
        _make_small(folder / f"{name}.png", colours)
    _join(sorted((folder.parent / "moving").glob("*.png")), folder / "first-verb.gif")
    return 0


def _of_extension(path: str) -> Any:
    return importlib.import_module(f"{EXTENSION}.{path}")


def _built(name: str) -> Any:
    armature = bpy.context.view_layer.objects.active
    return _of_extension("bridge.authoring.verbs").verb_for(armature, armature.verbs_adverbs.verbs[name])


def _walk() -> SheetPanel:
    do("add_biped")
    verb = _built("walk")
    joints = facing_front(verb, _of_extension("core.figure.channels").world_joints)
    return sheet_panel(verb, joints, MOOD, SLOPE, GENERATED_WORDS, PHASE)


def _reach() -> SheetPanel:
    do("add_biped", walk=False, reach=True)
    do("measure")
    do("refine")
    verb = _built("reach")
    return reach_panel(verb, facing_front(verb, _of_extension("core.figure.channels").world_joints))


def _make_small(path: Path, colours: int) -> None:
    with Image.open(path) as drawn:
        small = drawn.convert("RGB")
    small.thumbnail((PIXELS, PIXELS))
    few = small.quantize(colours, method=Image.Quantize.MAXCOVERAGE, kmeans=1, dither=Image.Dither.NONE)
    few.save(path, optimize=True)


def _join(pictures: Sequence[Path], path: Path) -> None:
    """Make a moving picture of those of `docs/moving_picture.py`, all in the same colours, so that it is small."""
    seen = [Image.open(picture).convert("RGB") for picture in pictures]
    width, height = seen[0].size
    some = Image.new("RGB", (width, height * SAMPLES))
    for row in range(SAMPLES):
        some.paste(seen[row * len(seen) // SAMPLES], (0, row * height))
    palette = some.quantize(MOVING_COLOURS, dither=Image.Dither.NONE)
    first, *rest = (picture.quantize(palette=palette, dither=Image.Dither.NONE) for picture in seen)
    first.save(path, save_all=True, append_images=rest, duration=MILLISECONDS, loop=0, optimize=True)
