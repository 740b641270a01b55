"""From raw BVH files to a verb that is scrubbed, with the mouse alone, every interaction counted."""

from collections.abc import Iterator
from pathlib import Path
from tempfile import mkdtemp

import bpy
import numpy as np
from hand import Hand
from sidebar import expect, find

MOST = 15
IMPORT = 2
"""Interactions of an import: choosing it in the menu with a file, and confirming."""
SIDEBAR = 2
"""Opening it, and choosing the tab."""
FILES = 3


def _write_raw_files() -> list[Path]:
    """Walks of the biped twice over as BVH files; nothing else of it stays in the file."""
    folder = Path(mkdtemp())
    assert bpy.ops.verbs_adverbs.add_biped() == {"FINISHED"}
    armature = bpy.context.object
    found = [armature.verbs_adverbs.verbs["walk"].examples[row].action for row in range(FILES)]
    files = []
    for action in found:
        armature.animation_data.action = action
        first, last = (int(frame) for frame in action.frame_range)
        files.append(folder / f"{action.name}.bvh")
        with bpy.context.temp_override(active_object=armature, object=armature):
            bpy.ops.export_anim.bvh(filepath=str(files[-1]), frame_start=first, frame_end=last)
    bpy.ops.wm.read_homefile(use_factory_startup=True)
    return files


def _press(gui: Hand, operator: str, across: float = 0.5) -> Iterator[float]:
    x, y = yield from find(gui, operator, across)
    yield from gui.click(x, y)
    yield 0.6


def _joints(armature: bpy.types.Object) -> np.ndarray:
    seen = armature.evaluated_get(bpy.context.view_layer.depsgraph)
    return np.array([seen.matrix_world @ bone.head for bone in seen.pose.bones])


def test_raw_files_become_a_verb_that_is_scrubbed_in_few_interactions(gui: Hand) -> Iterator[float]:
    files, count = _write_raw_files(), 0
    yield 1.0
    for file in files:
        with gui.context():
            bpy.ops.import_anim.bvh(filepath=str(file), axis_forward="Y", axis_up="Z")
        count += IMPORT
    armature = bpy.context.object
    yield 0.5
    yield from gui.sidebar("Verbs")
    count += SIDEBAR
    gui.picture("day-one-raw")
    yield from _press(gui, "verbs_adverbs.keytimes_find")
    gui.picture("day-one-dialog")
    yield from gui.key("RET")
    count += 2
    yield from expect(lambda: "walk" in armature.verbs_adverbs.verbs, "there is a verb")
    assert len(armature.verbs_adverbs.verbs["walk"].examples) == len(files)
    gui.picture("day-one-found")
    yield from _press(gui, "verbs_adverbs.measure_travel")
    count += 1
    verb = armature.verbs_adverbs.verbs["walk"]
    yield from expect(lambda: len(verb.adverbs) > 0, "it varies along something")
    yield from _press(gui, "verbs_adverbs.live_on", 0.7)
    count += 1
    yield from expect(lambda: armature.verbs_adverbs.director is not None, "the verb is switched on")
    yield 1.0
    before, name = _joints(armature), verb.adverbs[0].name
    x, y = yield from find(gui, f'["{name}"]')
    yield from gui.drag((x, y), (x + 80, y))
    count += 1
    yield from expect(lambda: np.abs(_joints(armature) - before).max() > 1e-3, "the figure follows the slider")
    gui.picture("day-one-scrubbed")
    print(f"from raw BVH to a scrubbed verb: {count} interactions")
    assert count <= MOST
