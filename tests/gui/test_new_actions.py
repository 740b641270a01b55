"""New actions by the clip operators in a real window: each dialog shows its motion, Cancel and undo leave nothing."""

from collections.abc import Iterator

import bpy
import numpy as np
from hand import Hand
from sidebar import expect

OPERATORS = ("action_loop", "action_revert", "action_smooth", "action_warp", "action_blend", "action_embed")


def _biped(gui: Hand) -> Iterator[float]:
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    yield 1.0
    with gui.context():
        bpy.ops.verbs_adverbs.add_biped()
        bpy.ops.ed.undo_push(message="added")
    yield from gui.sidebar("Verbs")


def _pose(armature: bpy.types.Object) -> np.ndarray:
    return np.array([bone.matrix for bone in armature.pose.bones])


def _ask(gui: Hand, operator: str, **options: object) -> Iterator[float]:
    region = gui.region()
    gui.move(region.x + region.width // 3, region.y + region.height // 2)
    yield 0.2
    with gui.context():
        getattr(bpy.ops.verbs_adverbs, operator)("INVOKE_DEFAULT", **options)
    yield 0.6


def test_each_dialog_shows_its_motion_and_cancel_brings_the_old_one_back(gui: Hand) -> Iterator[float]:
    yield from _biped(gui)
    armature = bpy.context.object
    first = armature.animation_data.action
    second = armature.verbs_adverbs.verbs[0].examples[-1].action
    known = set(bpy.data.actions.keys())
    bpy.context.scene.frame_set(15)
    before = _pose(armature)
    for operator in OPERATORS:
        others = {"other": second.name} if operator in ("action_blend", "action_embed") else {}
        yield from _ask(gui, operator, **others)
        gui.picture(f"new-action-{operator}")
        if operator != "action_embed":
            assert armature.animation_data.action != first, f"{operator} shows nothing"
        gui.move(gui.at[0], gui.at[1] - 60)  # over a field that searches, Blender keeps Esc for itself
        for _ in range(3):  # a busy window can miss a key
            yield from gui.key("ESC")
            yield 1.0
            if set(bpy.data.actions.keys()) == known:
                break
        assert set(bpy.data.actions.keys()) == known, f"{operator} leaves something behind"
        assert armature.animation_data.action == first and np.abs(_pose(armature) - before).max() < 1e-6


def test_a_loop_is_made_by_return_and_taken_back_by_one_undo(gui: Hand) -> Iterator[float]:
    yield from _biped(gui)
    name = bpy.context.object.animation_data.action.name
    yield from _ask(gui, "action_loop")
    yield from gui.key("RET")
    yield from expect(lambda: f"{name} looped" in bpy.data.actions, "the loop is made")
    yield 0.5
    assert bpy.context.object.animation_data.action.name == f"{name} looped"
    gui.picture("new-action-made")
    with gui.context():
        bpy.ops.ed.undo()
    yield 0.5
    assert f"{name} looped" not in bpy.data.actions and bpy.context.object.animation_data.action.name == name
    with gui.context():
        bpy.ops.ed.redo()
    yield 0.5
    assert bpy.context.object.animation_data.action.name == f"{name} looped"
