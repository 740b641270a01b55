"""From raw files to a verb that is scrubbed, with the mouse alone, every interaction counted."""

from collections.abc import Generator, Iterator
from pathlib import Path
from tempfile import mkdtemp

import bpy
import numpy as np
from blender.control_rig import FPS, part
from blender.fresh_rigify import generate_rigify
from blender.mixamo_file import write_mixamo_files
from blender.rigify_rig import key_rigify_walk
from core.carried_bvh import RATE, write_carried_bvh
from core.published_skeletons import PUBLISHED
from hand import Hand
from sidebar import expect
from user import User

MOST = 15
FILES = 3
MOODS = {"calm": 0.0, "sad": -1.0, "happy": 1.0}
MAKERS = {"character-creator": "Character Creator, iClone and ActorCore", "daz": "Daz Genesis 3 and 8"}
STRIKES = 1.0
"""Frames between the first touch of a foot in the generated walk and where it is found."""
STEPS = ("L_down", "R_down")
SECTION = (20, 240)
"""First and last frame between which the speed is measured."""
TO_THE_END = 360
"""Pixels of a drag that are more than a slider is wide."""
SPEED = 0.03
"""How far the speed of the figure may be off, as a share of what the slider says."""


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


def _scrubs(user: User, armature: bpy.types.Object, pixels: int = 80) -> Iterator[float]:
    """From a verb without adverbs to one that is scrubbed by so many pixels."""
    yield from user.presses("verbs_adverbs.measure_travel")
    verb = armature.verbs_adverbs.verbs["walk"]
    yield from expect(lambda: len(verb.adverbs) > 0, "it varies along something")
    yield from user.presses("verbs_adverbs.live_on", 0.7)
    yield from expect(lambda: armature.verbs_adverbs.director is not None, "the verb is switched on")
    yield 1.0
    before = _joints(armature)
    yield from user.drags(f'["{verb.adverbs[0].name}"]', pixels)
    yield from expect(lambda: np.abs(_joints(armature) - before).max() > 1e-3, "the figure follows the slider")
    user.take("scrubbed")
    assert all(line.kind == "INFO" for line in part("bridge.authoring.verbs").status(armature, verb).lines)
    print(f"from {user.picture} to a scrubbed verb: {user.count} interactions")
    assert user.count <= MOST


def test_raw_files_become_a_verb_that_is_scrubbed_in_few_interactions(gui: Hand) -> Iterator[float]:
    files, user = _raw_files(Path(mkdtemp())), User(gui, "day-one-bvh")
    yield from _forget_all()
    for file in files:
        yield from user.opens(bpy.ops.import_anim.bvh, file, axis_forward="Y", axis_up="Z")
    armature = bpy.context.object
    yield from _finds(user, armature, FILES)
    yield from _scrubs(user, armature)


def test_files_of_three_makers_become_a_verb_that_is_scrubbed_in_as_many_interactions(gui: Hand) -> Iterator[float]:
    counts = {"mixamo": (yield from _from_mixamo(gui))}
    for maker, skeleton in MAKERS.items():
        counts[maker] = yield from _from_published(gui, maker, skeleton)
    assert len(set(counts.values())) == 1, counts


def _from_mixamo(gui: Hand) -> Generator[float, None, int]:
    with gui.context():
        files, user = write_mixamo_files(*_walking_biped(), Path(mkdtemp())), User(gui, "day-one-mixamo")
    yield from _forget_all()
    for file in files:
        yield from user.opens(bpy.ops.import_scene.fbx, file)
    armature = bpy.context.object
    assert armature.type == "ARMATURE"
    yield from _finds(user, armature, FILES)
    assert _feet(armature) == {(f"mixamorig:{side}ToeBase", "HEAD") for side in ("Left", "Right")}
    yield from _scrubs(user, armature, TO_THE_END)
    yield from _goes_as_the_slider_says(armature, "mixamorig:Hips")
    return user.count


def _from_published(gui: Hand, maker: str, skeleton: str) -> Generator[float, None, int]:
    """From files of a maker, at the scene's frame rate and in its units, to a verb; returns the interactions."""
    folder, user, published = Path(mkdtemp()), User(gui, f"day-one-{maker}"), PUBLISHED[skeleton]
    walks = {name: write_carried_bvh(folder / f"{name}.bvh", skeleton, mood) for name, mood in MOODS.items()}
    yield from _forget_all()
    for name in walks:
        yield from user.opens(bpy.ops.import_anim.bvh, folder / f"{name}.bvh")
    armature = bpy.context.object
    yield from _finds(user, armature, FILES)
    assert _feet(armature) == {(published.ball.format(side), published.ball_end) for side in published.sides}
    for name, walk in walks.items():
        strikes = {step: [1.0 + at * RATE for told, at in walk.strikes if told == step] for step in STEPS}
        for keytime in bpy.data.actions[name].verbs_adverbs.examples[0].keytimes:
            near = strikes.get(keytime.name, [keytime.frame])
            assert np.abs(np.subtract(near, keytime.frame)).min() < STRIKES, (name, keytime.name, keytime.frame, near)
    yield from _scrubs(user, armature, TO_THE_END)
    yield from _goes_as_the_slider_says(armature, published.root)
    return user.count


def _feet(armature: bpy.types.Object) -> set[tuple[str, str]]:
    """Bones and their ends on which the contacts of all examples are."""
    references = armature.verbs_adverbs.verbs["walk"].examples
    examples = [example for reference in references for example in reference.action.verbs_adverbs.examples]
    return {(contact.bone, contact.end) for example in examples for contact in example.contacts}


def _goes_as_the_slider_says(armature: bpy.types.Object, hips: str) -> Iterator[float]:
    """The figure goes along the timeline at the speed to which the slider was dragged: that of the fastest example."""
    scene, director = bpy.context.scene, armature.verbs_adverbs.director
    assert [adverb.name for adverb in armature.verbs_adverbs.verbs["walk"].adverbs] == ["speed"]
    adverb = armature.verbs_adverbs.adverbs["speed"]
    asked = director["speed"], adverb.maximum, adverb.default
    assert np.isclose(asked[0], asked[1]) and asked[0] > 1.2 * asked[2], asked

    def speed() -> float:
        ends = []
        for frame in SECTION:
            scene.frame_set(frame)
            ends.append(armature.matrix_world @ armature.pose.bones[hips].head)
        scene.frame_set(SECTION[0])
        return (ends[1] - ends[0]).xy.length / ((SECTION[1] - SECTION[0]) / scene.render.fps)

    for _ in range(5):  # the timeline is written when the hand rests, and a change of the frame is no rest
        yield 2.0
        if abs(speed() / director["speed"] - 1.0) < SPEED:
            break
    told = f"asked for {director['speed']:.3f} m/s it goes at {speed():.3f}"
    print(told)
    assert abs(speed() / director["speed"] - 1.0) < SPEED, told


def test_a_turn_keyed_on_rigify_becomes_a_verb_that_is_scrubbed_in_few_interactions(gui: Hand) -> Iterator[float]:
    path, user = Path(mkdtemp()) / "rigify.blend", User(gui, "day-one-rigify")
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
