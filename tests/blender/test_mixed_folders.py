"""Ten walks of seven skeletons in one folder become one armature, as far as their bones correspond."""

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import bpy
import numpy as np
import pytest
from blender.small_bvh import JOINTS, write_bvh
from blender.stage import part
from blender.test_brought import wrong_example
from bpy_extras.io_utils import axis_conversion
from brought_files import ROOT_UP, Switches, Written, rests_of, write_walk
from mixed_folders import FOLDER, Mixed, write_mixed
from scipy.spatial.transform import Rotation

OPS = bpy.ops.verbs_adverbs
END = ("Foot", "Toe", "Hand", "Head")
"""Joints of which only a motion tells how they are turned, if the rest pose is a heap and nothing hangs from them."""


def expected_on(first: Mixed, other: Mixed) -> Written:
    """What a walk is to be like on the first one's figure: as fast for its legs, with contacts on its bones.

    Row 0 of a file is its frame 1, which keeps its seconds at the scene's rate.
    """
    speed = other.written.speed * first.switches.tall / other.switches.tall
    later = 1.0 / other.switches.rate - 1.0 / bpy.context.scene.render.fps
    events = {name: seconds + later for name, seconds in other.written.events.items()}
    return replace(other.written, speed=speed, names=first.written.names, events=events)


def axes_of(switches: Switches) -> Rotation:
    """From the axes in which walks are known to those in which Blender's importer puts a file."""
    axes = part("bridge.authoring.clips.clip_files").FORWARD[switches.up], switches.up
    turned = Rotation.from_euler(ROOT_UP[switches.up][0], float(ROOT_UP[switches.up][1:]), degrees=True)
    return Rotation.from_matrix(np.array(axis_conversion(*axes))) * turned


def turned_wrongly(armature, action, first: Mixed, other: Mixed) -> dict[str, float]:
    """Largest angle in degrees, by joint, between how bones are turned in the world and how they are to be."""
    armature.animation_data.action = action
    fps, written = bpy.context.scene.render.fps, first.written
    world = Rotation.from_euler(ROOT_UP[first.switches.up][0], float(ROOT_UP[first.switches.up][1:]), degrees=True)
    rests = {joint: world.inv() * rest for joint, rest in rests_of(first.switches).items()}
    joints = [joint for joint in written.turns if joint in other.written.turns and joint != "Top"]
    bones = {joint: armature.data.bones[written.names[joint]] for joint in joints}
    lying = {joint: Rotation.from_matrix(np.array(bone.matrix_local)[:3, :3]) for joint, bone in bones.items()}
    wrong, count = dict.fromkeys(joints, 0.0), len(other.written.turns["Hips"])
    for row in range(0, count, max(count // 8, 1)):
        frame = fps / other.switches.rate * (1 + row)
        bpy.context.scene.frame_set(int(frame), subframe=frame % 1.0)
        for joint in joints:
            matrix = np.array(armature.matrix_world @ armature.pose.bones[written.names[joint]].matrix)[:3, :3]
            seen = Rotation.from_matrix(matrix / np.cbrt(np.linalg.det(matrix))) * lying[joint].inv()
            turn = Rotation.from_quat(other.written.turns[joint][row]) * rests[joint].inv()
            wanted = axes_of(other.switches) * turn * axes_of(first.switches).inv()
            wrong[joint] = max(wrong[joint], float(np.degrees((seen.inv() * wanted).magnitude())))
    return wrong


def imported(folder: Path, said) -> tuple[bpy.types.Object, list[str]]:
    """Import a folder; the armature, which plays no verb any more, and the sentences that were said."""
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    assert OPS.walks_import(directory=str(folder)) == {"FINISHED"}
    told = said().out.splitlines()
    assert OPS.live_off() == {"FINISHED"}
    return bpy.context.object, [line for line in told if line.startswith("Warning")]


def judged(folder: Path, first: str, said) -> dict[str, float]:
    """Import a folder of walks, check that each is right, and return how far bones of each are turned wrongly."""
    walks = write_mixed(folder, first)
    armature, told = imported(folder, said)
    kept = next(iter(walks.values()))
    assert len(bpy.data.armatures) == len([one for one in bpy.data.objects if one.type == "ARMATURE"]) == 1
    (verb,) = armature.verbs_adverbs.verbs
    examples = {one.action.name: one.action.verbs_adverbs.examples[0] for one in verb.examples}
    assert examples.keys() == walks.keys()
    wrong = {name: wrong_example(examples[name], expected_on(kept, one), one.switches) for name, one in walks.items()}
    assert not {name: found for name, found in wrong.items() if found}
    bones = {name: one.written.turns.keys() - {"Top"} for name, one in walks.items()}
    others = {name: int(own != bones[next(iter(walks))]) for name, own in bones.items()}
    assert {name: sum(f"'{name}'" in line for line in told) for name in walks} == others
    found: dict[str, float] = {}
    for name, one in walks.items():
        angles = turned_wrongly(armature, bpy.data.actions[name], kept, one)
        ends = END if "heap" in (one.switches.rest, kept.switches.rest) and one is not kept else ()
        found[name] = max(angle for joint, angle in angles.items() if not joint.endswith(ends))
        found[f"{name}, ends"] = max((angle for joint, angle in angles.items() if joint.endswith(ends)), default=0.0)
    return found


def test_ten_walks_of_seven_skeletons_become_one_verb(extension, tmp_path: Path, capfd, tell):
    found = judged(tmp_path, FOLDER[0], capfd.readouterr)
    tell(f"mixed folder: bones turned wrongly by up to {max(found.values()):.2f} degrees")
    assert max(found.values()) < 1.0


@pytest.mark.long
@pytest.mark.parametrize("first", sorted({*FOLDER} - {FOLDER[0]}))
def test_whichever_skeleton_comes_first(first: str, extension, tmp_path: Path, capfd, tell):
    found = judged(tmp_path, first, capfd.readouterr)
    most, ends = (max(a for name, a in found.items() if name.endswith("ends") == which) for which in (False, True))
    tell(f"mixed folder on {first}: bones turned wrongly by up to {most:.2f} degrees, ends of limbs by {ends:.2f}")
    assert most < 1.0 and ends < 20.0


def test_only_what_has_no_legs_like_the_others_is_left_out(extension, tmp_path: Path, capfd):
    """A prop comes first; then walks of one skeleton, one of another without shins, and a text."""
    for name, swing in (("b", 20.0), ("c", 26.0)):
        write_bvh(tmp_path / f"{name}.bvh", swing=swing)
    write_bvh(tmp_path / "d shinless.bvh", prefix="mixamorig:", without=("LeftLeg", "RightLeg"))
    write_bvh(tmp_path / "e spineless.bvh", prefix="mixamorig:", without=("Spine",), swing=22.0)
    write_bvh(tmp_path / "a sword.bvh", without=[name for name in JOINTS if name not in ("Hips", "Spine")])
    (tmp_path / "f broken.bvh").write_text("no motion", encoding="utf-8")
    armature, told = imported(tmp_path, capfd.readouterr)
    (verb,) = armature.verbs_adverbs.verbs
    assert [one.action.name for one in verb.examples] == ["b", "c", "e spineless"]
    left = [line for line in told if "was left out" in line]
    assert [line.split("'")[1] for line in left] == ["a sword.bvh", "d shinless.bvh", "f broken.bvh"]
    assert "no bone that corresponds to 'LeftLeg'" in left[1] and "Give corresponding bones the same" in left[1]
    assert any("Bone 'Spine'" in line and "'e spineless': not moved" in line for line in told)


def write_axes(folder: Path) -> dict[str, Mixed]:
    """Write a walk for each axis that may point up, of trunks of several lengths; the first has Y up."""
    rng, found = np.random.default_rng(3), {}
    for place, up in enumerate(ROOT_UP):
        switches = Switches("MotionBuilder", up=up, trunk=1.0 + 0.02 * place)
        found[up] = Mixed(write_walk(folder / f"{place}.bvh", switches, 0.9 + 0.1 * place, 0.2, rng), switches)
    return found


def test_files_with_other_axes_up_come_in_upright(extension, tmp_path: Path, capfd):
    found = write_axes(tmp_path)
    armature, _ = imported(tmp_path, capfd.readouterr)
    (verb,) = armature.verbs_adverbs.verbs
    assert len(verb.examples) == len(ROOT_UP)
    for one in found.values():
        action = bpy.data.actions[one.written.path.stem]
        assert max(turned_wrongly(armature, action, found["Y"], one).values()) < 1.0


def test_the_command_line_finds_steps_whatever_axis_points_up(extension, tmp_path: Path):
    write_axes(tmp_path)
    finds = part("operators.command_line.finds")
    progress = SimpleNamespace(each=lambda sources: sources, status=lambda text: None)
    found = finds.find_in(finds.sources_of_files([str(tmp_path)]), finds.ReadAs(0.01, 0.0), False, progress)
    assert [one["kind"] for one in found] == ["travelling"] * len(ROOT_UP)
    assert all(one["cycles"] for one in found) and not bpy.data.armatures


def test_rows_closer_than_a_hundredth_of_a_second_are_not_shifted(extension):
    seconds = np.arange(60) / 240.0
    turns = Rotation.from_rotvec(seconds[:, None] * [1.0, 0.0, 0.0]).as_quat()[:, [3, 0, 1, 2]]
    take = part("core.verb.example").Take(seconds, turns[:, None], np.zeros((60, 3)), np.zeros((60, 0)))
    shown = part("bridge.authoring.clips.observing").take_at(take, seconds[:50]).rotations[:, 0]
    assert np.abs(shown - turns[:50]).max() < 1e-9
