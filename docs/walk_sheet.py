"""The sheet of the shipped biped's walk over mood and slope, for the README; runs in Blender like the demo."""

import importlib
from pathlib import Path

import bpy
from PIL import Image

from ..demo.operate import EXTENSION, do
from ..demo.panels import facing_front, sheet_panel
from ..demo.run import GENERATED_WORDS, PHASE
from ..demo.sheet import draw_sheet

MOOD, SLOPE = 0, 1
PIXELS, COLOURS = 1200, 128


def main(folder: Path) -> int:
    """Draw `sheet.png` into a folder, small enough for the repository."""
    channels, verbs = (
        importlib.import_module(f"{EXTENSION}.{path}") for path in ("core.figure.channels", "bridge.build.verbs")
    )
    do("add_biped")
    armature = bpy.context.view_layer.objects.active
    verb = verbs.verb_for(armature, armature.verbs_adverbs.verbs["walk"])
    joints = facing_front(verb, channels.world_joints)
    path = folder / "sheet.png"
    draw_sheet(path, [sheet_panel(verb, joints, MOOD, SLOPE, GENERATED_WORDS, PHASE)])
    with Image.open(path) as drawn:
        small = drawn.convert("RGB")
    small.thumbnail((PIXELS, PIXELS))
    few = small.quantize(COLOURS, method=Image.Quantize.MAXCOVERAGE, kmeans=1, dither=Image.Dither.NONE)
    few.save(path, optimize=True)
    return 0
