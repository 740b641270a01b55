"""From raw files to a verb that is scrubbed, with the mouse alone, every interaction counted."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import mkdtemp

import bpy
import numpy as np
from blender.control_rig import FPS, part
from blender.fresh_rigify import generate_rigify
from blender.mixamo_file import write_mixamo_files
from blender.rigify_rig import key_rigify_walk
from hand import Hand
from sidebar import expect, find

MOST = 15
IMPORT = 2
"""Interactions of an import or of opening a file: choosing it in the menu with a file, and confirming."""
SIDEBAR = 2
"""Opening it, and choosing the tab."""
FILES = 3


@dataclass
class User:
    """Somebody at the mouse.

    Parameters
    ----------
    gui : the hand.
    picture : how to call pictures.
    count : of interactions so far.
    """

    gui: Hand
    picture: str
    count: int = 0

    def take(self, name: str) -> None:
        self.gui.picture(f"day-one-{self.picture}-{name}")

    def opens(self, operator: object, path: Path, **options: object) -> Iterator[float]:
        with self.gui.context():
            assert operator(filepath=str(path), **options) == {"FINISHED"}
        self.count += IMPORT
        yield 0.5

    def opens_sidebar(self) -> Iterator[float]:
        yield from self.gui.sidebar("Verbs")
        self.count += SIDEBAR

    def refuses_scripts(self) -> Iterator[float]:
        """Blender asks whether to run what Rigify left in the file: the user takes what it offers, not to."""
        self.take("asked")
        yield from self.gui.key("RET")
        self.count += 1
        yield 0.6

    def presses(self, operator: str, across: float = 0.5) -> Iterator[float]:
        x, y = yield from find(self.gui, operator, across)
        yield from self.gui.click(x, y)
        self.count += 1
        yield 0.6

    def confirms(self, operator: str, picture: str, across: float = 0.5) -> Iterator[float]:
        """Press a button that opens a dialog, and take what it offers."""
        yield from self.presses(operator, across)
        self.take(picture)
        yield from self.gui.key("RET")
        self.count += 1
        yield 0.6

    def drags(self, slider: str) -> Iterator[float]:
        x, y = yield from find(self.gui, slider)
        yield from self.gui.drag((x, y), (x + 80, y))
        self.count += 1


def _walking_biped() -> tuple[bpy.types.Object, list[bpy.types.Action]]:
    assert bpy.ops.verbs_adverbs.add_biped() == {"FINISHED"}
    armature = bpy.context.object
    return armature, [armature.verbs_adverbs.verbs["walk"].examples[row].action for row in range(FILES)]


def _forget_all() -> Iterator[float]:
    """Nothing of what made the files stays, and no cube stands before the figure."""
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    yield 1.0


def _raw_files(folder: Path) -> list[Path]:
    """Walks of the biped as BVH files."""
    armature, actions = _walking_biped()
    files = []
    for action in actions:
        armature.animation_data.action = action
        first, last = (int(frame) for frame in action.frame_range)
        files.append(folder / f"{action.name}.bvh")
        with bpy.context.temp_override(active_object=armature, object=armature):
            bpy.ops.export_anim.bvh(filepath=str(files[-1]), frame_start=first, frame_end=last)
    return files


def _joints(armature: bpy.types.Object) -> np.ndarray:
    seen = armature.evaluated_get(bpy.context.view_layer.depsgraph)
    return np.array([seen.matrix_world @ bone.head for bone in seen.pose.bones])


def _finds(user: User, armature: bpy.types.Object, examples: int) -> Iterator[float]:
    """From actions to a verb of so many examples."""
    yield from user.opens_sidebar()
    user.take("raw")
    yield from user.confirms("verbs_adverbs.keytimes_find", "dialog")
    yield from expect(lambda: "walk" in armature.verbs_adverbs.verbs, "there is a verb")
    assert len(armature.verbs_adverbs.verbs["walk"].examples) == examples
    user.take("found")


def _scrubs(user: User, armature: bpy.types.Object) -> Iterator[float]:
    """From a verb without adverbs to one that is scrubbed."""
    yield from user.presses("verbs_adverbs.measure_travel")
    verb = armature.verbs_adverbs.verbs["walk"]
    yield from expect(lambda: len(verb.adverbs) > 0, "it varies along something")
    yield from user.presses("verbs_adverbs.live_on", 0.7)
    yield from expect(lambda: armature.verbs_adverbs.director is not None, "the verb is switched on")
    yield 1.0
    before = _joints(armature)
    yield from user.drags(f'["{verb.adverbs[0].name}"]')
    yield from expect(lambda: np.abs(_joints(armature) - before).max() > 1e-3, "the figure follows the slider")
    user.take("scrubbed")
    assert all(line.kind == "INFO" for line in part("bridge.build.verbs").status(armature, verb).lines)
    print(f"from {user.picture} to a scrubbed verb: {user.count} interactions")
    assert user.count <= MOST


def test_raw_files_become_a_verb_that_is_scrubbed_in_few_interactions(gui: Hand) -> Iterator[float]:
    files, user = _raw_files(Path(mkdtemp())), User(gui, "bvh")
    yield from _forget_all()
    for file in files:
        yield from user.opens(bpy.ops.import_anim.bvh, file, axis_forward="Y", axis_up="Z")
    armature = bpy.context.object
    yield from _finds(user, armature, FILES)
    yield from _scrubs(user, armature)


def test_files_of_mixamo_become_a_verb_that_is_scrubbed_in_few_interactions(gui: Hand) -> Iterator[float]:
    with gui.context():
        files, user = write_mixamo_files(*_walking_biped(), Path(mkdtemp())), User(gui, "mixamo")
    yield from _forget_all()
    for file in files:
        yield from user.opens(bpy.ops.import_scene.fbx, file)
    armature = bpy.context.object
    assert armature.type == "ARMATURE"
    yield from _finds(user, armature, FILES)
    yield from _scrubs(user, armature)


def test_a_turn_keyed_on_rigify_becomes_a_verb_that_is_scrubbed_in_few_interactions(gui: Hand) -> Iterator[float]:
    path, user = Path(mkdtemp()) / "rigify.blend", User(gui, "rigify")
    yield from _forget_all()
    bpy.context.scene.render.fps = round(FPS)
    with gui.context():
        written = key_rigify_walk(generate_rigify(), part("core.biped.walk").walk(turn=-1.0, rate=FPS, margin=20))
        bpy.context.object.animation_data_create().action = written.action
        bpy.ops.wm.save_as_mainfile(filepath=str(path), copy=True)
    yield from _forget_all()
    yield from user.opens(bpy.ops.wm.open_mainfile, path, load_ui=False)
    yield from user.refuses_scripts()
    armature = bpy.context.object
    assert armature.name == "Rigify"
    yield from _finds(user, armature, 1)
    yield from user.confirms("verbs_adverbs.action_mirror", "mirror", 0.8)
    verb = armature.verbs_adverbs.verbs["walk"]
    yield from expect(lambda: len(verb.examples) == 2, "the other turn is an example too")
    yield from _scrubs(user, armature)
