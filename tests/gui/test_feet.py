"""Feet that neither names nor poses tell: the likeliest are filled in, others are picked in the viewport."""

from collections.abc import Iterator

import bpy
import numpy as np
from bpy_extras.view3d_utils import location_3d_to_region_2d
from hand import Hand
from sidebar import expect, find, show_panels
from stage import add_biped, biped

FIND, TAKE = "verbs_adverbs.feet_find", "verbs_adverbs.foot_take"
SHOWN = ("example", "feet")
"""Panels that are left, so that all of them are on the screen."""


def _without_names_and_unlike_legs() -> dict[str, str]:
    """Rename all bones of the biped and make its right toes longer; returns the new names by the old ones."""
    armature = biped()
    bpy.ops.object.mode_set(mode="EDIT")
    toes = armature.data.edit_bones["Toes_R"]
    toes.head, toes.tail = (toes.head[0], toes.head[1] - 0.2, toes.head[2]), (toes.tail[0], toes.tail[1] - 0.2, 0.025)
    bpy.ops.object.mode_set(mode="OBJECT")
    renamed = {bone.name: f"b{row}" for row, bone in enumerate(armature.data.bones)}
    for bone in armature.data.bones:
        bone.name = renamed[bone.name]
    armature.animation_data.action = None
    return renamed


def test_likely_feet_are_filled_in_and_others_picked_in_the_viewport(gui: Hand) -> Iterator[float]:
    yield from add_biped(gui)
    renamed, armature = _without_names_and_unlike_legs(), biped()
    show_panels(*SHOWN)
    yield 0.5
    x, y = yield from find(gui, FIND, 0.4)
    yield from gui.click(x, y)
    yield from expect(lambda: len(armature.verbs_adverbs.feet) == 2, "there are two feet to correct")
    feet = armature.verbs_adverbs.feet
    assert [(foot.name, foot.ankle, foot.ball) for foot in feet] == [
        (side, renamed[f"Foot_{side}"], renamed[f"Toes_{side}"]) for side in "LR"
    ]
    yield 0.5
    gui.picture("feet-likely")
    feet["L"].thigh = feet["L"].ankle = feet["L"].ball = ""
    with gui.context():
        bpy.ops.object.mode_set(mode="POSE")
        bpy.ops.pose.select_all(action="DESELECT")
        bpy.ops.view3d.view_axis(type="LEFT")
        bpy.ops.view3d.view_selected()
    yield 0.6
    yield from _click_on_bone(gui, renamed["Toes_L"])
    yield 0.4
    gui.picture("feet-empty")
    x, y = yield from find(gui, TAKE, 0.7)
    yield from gui.click(x, y)
    yield from expect(lambda: feet["L"].ball == renamed["Toes_L"], "the bone that was clicked is the ball of the foot")
    yield 0.5
    gui.picture("feet-picked")


def _click_on_bone(gui: Hand, name: str) -> Iterator[float]:
    """Click in the viewport on the middle of a bone."""
    armature, region = biped(), gui.region()
    bone = armature.pose.bones[name]
    middle = armature.matrix_world @ (0.5 * (bone.head + bone.tail))
    place = location_3d_to_region_2d(region, gui.area().spaces.active.region_3d, middle)
    assert np.isfinite(place).all()
    yield from gui.click(region.x + place.x, region.y + place.y)
