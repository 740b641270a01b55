"""Names of renamed bones are mapped in a dialog, by a button beside the complaint, and taken back by one undo."""

from collections.abc import Iterator

import bpy
from hand import Hand
from sidebar import expect, find

OPS = bpy.ops.verbs_adverbs
SWAPPED = {"UpperLeg_L": "UpperLeg_R", "UpperLeg_R": "UpperLeg_L"}
CALLED = {"Foot_L": "Hoof", "Hand_R": "Grip_R", "Hips": "Pelvis", **SWAPPED}


def test_names_of_renamed_bones_are_mapped_from_a_dialog(gui: Hand) -> Iterator[float]:
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    yield 1.0
    with gui.context():
        assert OPS.add_biped(reach=True) == {"FINISHED"}
        armature = bpy.context.object
        assert OPS.verb_build(every=True) == {"FINISHED"}
    yield from gui.sidebar("Verbs")
    x, y = yield from find(gui, "verbs_adverbs.bones_map")
    gui.picture("map-bones-before")
    yield from gui.click(x, y)
    yield 0.6
    gui.picture("map-bones-nothing")
    yield from gui.key("ESC")
    yield 0.4
    with gui.context():
        bones = {name: armature.data.bones[name] for name in CALLED}
        for name, bone in bones.items():
            bone.name = f"passing {name}"
        for name, bone in bones.items():
            bone.name = CALLED[name]
        bpy.ops.ed.undo_push(message="renamed")
    yield from gui.sidebar("Verbs")
    stored = armature.verbs_adverbs.bone_names.former
    x, y = yield from find(gui, "verbs_adverbs.bones_map")
    gui.picture("map-bones-complaint")
    yield from gui.click(x, y)
    yield 0.6
    gui.picture("map-bones-dialog")
    yield from gui.key("ESC")
    yield 0.4
    assert not len(stored)
    x, y = yield from find(gui, "verbs_adverbs.bones_map")
    yield from gui.click(x, y)
    yield 0.6
    yield from gui.key("RET")
    yield from expect(lambda: len(armature.verbs_adverbs.bone_names.former) > 0, "the names are mapped")
    gui.picture("map-bones-done")
    with gui.context():
        bpy.ops.ed.undo()
    yield 0.5
    assert not len(bpy.data.objects["Biped"].verbs_adverbs.bone_names.former)


def test_verbs_of_another_armature_are_offered_in_a_dialog_that_can_be_cancelled(gui: Hand) -> Iterator[float]:
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    yield 1.0
    with gui.context():
        assert OPS.add_biped(reach=True) == {"FINISHED"}
        assert OPS.add_biped(walk=False) == {"FINISHED"}
        armature = bpy.context.object
        for bone in armature.data.bones:
            part, _, side = bone.name.lower().partition("_")
            bone.name = f"{side}_{part}" if side else part
        armature.data.bones["l_hand"].name = "l_paw"
        bpy.ops.ed.undo_push(message="renamed")
    yield from gui.sidebar("Verbs")
    x, y = yield from find(gui, "verbs_adverbs.verbs_copy")
    gui.picture("copy-verbs-panel")
    yield from gui.click(x, y)
    yield 0.6
    gui.picture("copy-verbs-dialog")
    yield from gui.key("ESC")
    yield 0.4
    assert not len(armature.verbs_adverbs.verbs)
