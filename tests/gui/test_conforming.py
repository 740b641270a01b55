"""Actions of other armatures are offered in a dialog, copied by a click, and taken back by one undo."""

from collections.abc import Iterator
from pathlib import Path
from tempfile import mkdtemp

import bpy
from blender.small_bvh import PINKY, write_bvh
from hand import Hand
from sidebar import expect, find

OPERATOR = "verbs_adverbs.actions_conform"
COPIES = {"eager on calm", "slow on calm"}


def test_actions_of_other_armatures_are_copied_from_a_dialog(gui: Hand) -> Iterator[float]:
    folder = Path(mkdtemp())
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    yield 1.0
    files = [
        write_bvh(folder / "eager.bvh", prefix="mixamorig1:", more=PINKY, scale=1.2),
        write_bvh(folder / "slow.bvh", prefix="mixamorig:", swing=18.0),
        write_bvh(folder / "odd.bvh", without=("LeftUpLeg",)),
        write_bvh(folder / "calm.bvh", swing=20.0),
    ]
    with gui.context():
        for file in files:
            bpy.ops.import_anim.bvh(filepath=str(file), global_scale=0.01)
        bpy.ops.ed.undo_push(message="imported")
    yield from gui.sidebar("Verbs")
    x, y = yield from find(gui, OPERATOR)
    yield from gui.click(x, y)
    yield 0.6
    gui.picture("conforming-dialog")
    yield from gui.key("ESC")
    yield 0.4
    assert not COPIES & set(bpy.data.actions.keys())
    x, y = yield from find(gui, OPERATOR)
    yield from gui.click(x, y)
    yield 0.6
    yield from gui.key("RET")
    yield from expect(lambda: set(bpy.data.actions.keys()) >= COPIES, "both are copied")
    gui.picture("conforming-done")
    assert "odd on calm" not in bpy.data.actions
    with gui.context():
        bpy.ops.ed.undo()
    yield 0.5
    assert not COPIES & set(bpy.data.actions.keys())
