"""The sheet of the shipped biped's walk over mood and slope, for the README; runs in Blender like the demo."""

import importlib
from pathlib import Path

import bpy

from ..demo.operate import EXTENSION, do
from ..demo.panels import facing_front, sheet_panel
from ..demo.run import GENERATED_WORDS, PHASE
from ..demo.sheet import draw_sheet

MOOD, SLOPE = 0, 1


def main(folder: Path) -> int:
    """Draw `walk.png` into a folder."""
    channels, verbs = (
        importlib.import_module(f"{EXTENSION}.{path}") for path in ("core.figure.channels", "bridge.build.verbs")
    )
    do("add_biped")
    armature = bpy.context.view_layer.objects.active
    verb = verbs.verb_for(armature, armature.verbs_adverbs.verbs["walk"])
    joints = facing_front(verb, channels.world_joints)
    draw_sheet(folder / "walk.png", [sheet_panel(verb, joints, MOOD, SLOPE, GENERATED_WORDS, PHASE)])
    return 0
