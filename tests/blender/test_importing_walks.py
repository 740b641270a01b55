"""A folder of captured walks becomes verbs in one step: scale, axes and rates are guessed, what is no walk is told."""

from pathlib import Path
from types import SimpleNamespace

import bpy
import numpy as np
import pytest
from blender.mixamo_file import write_mixamo_files
from blender.small_bvh import PINKY, ROWS, under_top, write_bvh
from blender.stage import part, walking_biped
from blender.whole_file import differences, whole_file
from brought_files import Switches, write_walk

OPS = bpy.ops.verbs_adverbs
SWINGS = {"slow": 18.0, "usual": 24.0, "fast": 30.0}
TALL = 1.5
"""Metres from the floor to the head of the figure in `small_bvh`, about."""


def empty_file() -> None:
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)


def walks(folder: Path, scale: float = 1.0) -> Path:
    """A folder with three walks that differ in speed."""
    for name, swing in SWINGS.items():
        write_bvh(folder / f"{name}.bvh", swing=swing, scale=scale)
    return folder


def imported(folder: Path, **options) -> bpy.types.Object:
    """Import a folder, and return the armature that its walks move."""
    assert OPS.walks_import(directory=str(folder), **options) == {"FINISHED"}
    return bpy.context.object


def height(armature) -> float:
    bpy.context.view_layer.update()
    heads = [armature.matrix_world @ bone.head for bone in armature.pose.bones]
    return max(head.z for head in heads) - min(head.z for head in heads)


def begun(folder: Path):
    """The steps of the import of a folder's BVH files."""
    files = sorted(folder.glob("*.bvh"))
    return part("bridge.authoring.importing_walks").import_walks(bpy.context.scene, files, 0.01, "Y")


def refused(**options) -> str:
    """The sentence with which an import is refused."""
    with pytest.raises(RuntimeError) as told:
        OPS.walks_import(**options)
    return str(told.value)


def test_a_folder_becomes_a_verb_that_plays_and_varies_along_speed(extension, tmp_path: Path):
    armature = imported(walks(tmp_path / "Walker"))
    (verb,) = armature.verbs_adverbs.verbs
    director = armature.verbs_adverbs.director
    assert armature.name == "Walker" and verb.name == "walk"
    assert [one.action.name for one in verb.examples] == sorted(SWINGS)
    assert [used.measure for used in verb.adverbs] == ["SPEED"]
    speeds = {one.action.name: one.action.verbs_adverbs.examples[0].values["speed"].value for one in verb.examples}
    assert speeds["slow"] < speeds["usual"] < speeds["fast"]
    assert director.verbs_adverbs.live and armature.animation_data.action == director.verbs_adverbs.generated
    assert len([one for one in bpy.data.objects if one.type == "ARMATURE"]) == len(bpy.data.armatures) == 1
    assert bpy.context.scene.render.fps == 30 and bpy.context.scene.render.fps_base == 1.0


@pytest.mark.parametrize("scale", [1.0, 0.01, 10.0, 1.0 / 2.54])
def test_the_scale_is_guessed_by_the_height_of_the_figure(scale: float, extension, tmp_path: Path):
    assert height(imported(walks(tmp_path, scale))) == pytest.approx(TALL, abs=0.15)


def test_a_scale_that_is_told_is_used(extension, tmp_path: Path):
    assert height(imported(walks(tmp_path), scale=1.0)) == pytest.approx(100.0 * TALL, rel=0.1)


def test_a_giant_is_asked_about(extension, tmp_path: Path):
    files = part("bridge.authoring.clips.clip_files")
    figure = files.first_figure([walks(tmp_path) / "fast.bvh"], bpy.context.scene)
    assert figure.is_odd(1.0) and not figure.is_odd(0.01) and figure.unit == "centimetres"
    assert figure.up == "Y" and figure.fps == pytest.approx(30.0, rel=1e-4)
    assert not bpy.data.actions and not bpy.data.objects


def test_the_pace_is_that_of_the_fastest_of_a_few_files(extension, tmp_path: Path):
    files = part("bridge.authoring.clips.clip_files")
    paths = [write_bvh(tmp_path / f"{swing}.bvh", swing=swing) for swing in (0.0, 30.0, 10.0)]
    fastest = files.first_figure(paths[1:], bpy.context.scene).speed
    assert fastest > 50.0 and files.figure_and_pace(paths, bpy.context.scene).speed == fastest
    paths.append(tmp_path / "gone.bvh")
    assert files.figure_and_pace([paths[1], paths[-1]], bpy.context.scene).speed == fastest


def test_a_figure_that_stands_along_z_in_its_file_is_put_upright(extension, tmp_path: Path):
    source, turned = walks(tmp_path / "as they are"), tmp_path / "turned"
    turned.mkdir()
    for path in sorted(source.iterdir()):
        bpy.ops.import_anim.bvh(filepath=str(path))
        bpy.ops.export_anim.bvh(filepath=str(turned / path.name), frame_start=1, frame_end=ROWS)
    empty_file()
    armature = imported(turned)
    assert height(armature) == pytest.approx(TALL, abs=0.15)
    assert len(armature.verbs_adverbs.verbs["walk"].examples) == len(SWINGS)


def test_elsewhere_the_scene_keeps_its_rate_and_the_walks_their_seconds(extension, tmp_path: Path):
    folder = walks(tmp_path)
    seconds = []
    for fps in (None, 24):
        empty_file()
        if fps:
            bpy.data.actions.new("mine")
            bpy.context.scene.render.fps = fps
        armature = imported(folder)
        example = armature.verbs_adverbs.verbs["walk"].examples[0].action.verbs_adverbs.examples[0]
        frames = np.array([keytime.frame for keytime in example.keytimes])
        seconds.append((frames[-1] - frames[0]) / example.fps)
        assert example.fps == bpy.context.scene.render.fps == (fps or 30)
    assert seconds[0] == pytest.approx(seconds[1], abs=0.01)


def test_what_is_no_walk_is_told_and_is_in_no_verb(extension, tmp_path: Path):
    walks(tmp_path)
    write_bvh(tmp_path / "stands.bvh", swing=0.0)
    (tmp_path / "broken.bvh").write_text("no motion", encoding="utf-8")
    (tmp_path / "notes.txt").write_text("not looked at", encoding="utf-8")
    lines = write_bvh(tmp_path / "a pose.bvh").read_text(encoding="utf-8").replace(f"Frames: {ROWS}", "Frames: 1")
    (tmp_path / "a pose.bvh").write_text("\n".join(lines.split("\n")[:-ROWS]) + "\n", encoding="utf-8")
    steps = begun(tmp_path)
    made = _ended(steps)
    assert made.verbs == {"walk": len(SWINGS)}
    assert len(made.left) == 3 and not made.doubtful
    assert "'a pose.bvh' was left out" in made.left[0] and "not a motion" in made.left[0]
    assert "'broken.bvh' was left out" in made.left[1] and "not a BVH file" in made.left[1]
    assert "'stands' stays in place" in made.left[2] and "stands" in bpy.data.actions


def test_an_idle_among_walks_becomes_a_verb_to_stand_in_that_is_left_at_once(extension, tmp_path: Path):
    walks(tmp_path)
    for name in ("idle", "other idle"):
        write_bvh(tmp_path / f"{name}.bvh", swing=0.0, bend=0.0)
    made = _ended(begun(tmp_path))
    assert made.verbs == {"walk": len(SWINGS), "stand": 1} and not made.doubtful
    (told,) = made.left
    assert "'other idle' stays in place" in told
    rig = made.armature.verbs_adverbs
    verb = part("bridge.authoring.verbs").verb_for(made.armature, rig.verbs["stand"])
    assert verb.stands and verb.example_names == ("idle",)
    assert {item.target_name: item.anywhere for item in rig.transitions} == {"walk": True, "stand": False}


def test_walks_that_go_alike_are_told_once(extension, tmp_path: Path, capfd):
    for name in ("one", "other"):
        write_bvh(tmp_path / f"{name}.bvh", swing=24.0)
    imported(tmp_path)
    out = capfd.readouterr().out
    assert out.count("The 2 examples of verb 'walk' do not differ") == out.count("no adverb to tell them apart") == 1
    assert "has the verb 'walk' with 2 examples, but 'walk' does not play yet" in out


def test_every_file_in_no_verb_or_with_other_bones_is_named(extension, tmp_path: Path):
    walks(tmp_path)
    for place, name in enumerate("abcdef"):
        (tmp_path / f"{name}.bvh").write_text("no motion", encoding="utf-8")
        write_bvh(tmp_path / f"with more {name}.bvh", more=PINKY, swing=25.0 - 0.9 * (place + 1))
    made, told = _ended(begun(tmp_path)), []
    teller = SimpleNamespace(tell=lambda kind, text: told.append((kind, text)))
    part("operators.clips.importing").VERBS_ADVERBS_OT_walks_import._played(teller, bpy.context, made)
    assert [text for _, text in told if "was left out" in text] == made.left and len(made.left) == len("abcdef")
    assert [text for _, text in told if "LeftHandPinky1" in text] == made.unmatched
    assert len(made.unmatched) == len("abcdef") and len(told) == 2 * len("abcdef")


def _ended(steps):
    while True:
        try:
            next(steps)
        except StopIteration as done:
            return done.value


def test_a_figure_of_other_proportions_is_taken_over_onto_the_first(extension, tmp_path: Path):
    walks(tmp_path)
    write_bvh(tmp_path / "tall.bvh", swing=27.0, scale=1.2)
    armature = imported(tmp_path)
    assert len(armature.verbs_adverbs.verbs["walk"].examples) == len(SWINGS) + 1
    assert len(bpy.data.armatures) == 1 and len(bpy.data.actions) == len(SWINGS) + 2


def test_walks_that_rest_elsewhere_under_a_joint_on_top_are_one_verb_on_the_floor(extension, tmp_path: Path):
    for path, at in zip(sorted(walks(tmp_path).iterdir()), ((0, 90, 0), (5, 91, -427), (-1, 94, 0)), strict=True):
        under_top(path, at)
    files = sorted(tmp_path.iterdir())
    made = _ended(part("bridge.authoring.importing_walks").import_walks(bpy.context.scene, files, 0.01, "Z"))
    assert made.verbs == {"walk": len(SWINGS)} and not made.left and not made.doubtful
    feet = [bone for bone in made.armature.pose.bones if bone.name.endswith("Tarsus")]
    for one in made.armature.verbs_adverbs.verbs["walk"].examples:
        made.armature.animation_data.action = one.action
        lowest = []
        for frame in range(1, ROWS, 5):
            bpy.context.scene.frame_set(frame)
            lowest.append(min((made.armature.matrix_world @ foot.head).z for foot in feet))
        assert np.ptp(lowest) < 0.12 and abs(np.mean(lowest)) < 0.12


def test_runs_among_walks_become_a_verb_of_their_own_with_a_speed_of_its_own(extension, mocap: Path):
    wanted = (
        *("bn2_walk_normal_003", "bn2_walk_active_006", "bn2_walk_exhausted_003"),
        *("bn2_run_normal_041", "bn2_run_active_049"),
    )
    files = [{"name": f"{name}.bvh"} for name in wanted]
    armature = imported(mocap / "locomotion", files=files)
    verbs, adverbs = armature.verbs_adverbs.verbs, armature.verbs_adverbs.adverbs
    assert {verb.name: len(verb.examples) for verb in verbs} == {"walk": 3, "run": 2}
    assert len(armature.verbs_adverbs.transitions) == 2
    assert "speed" in verbs["walk"].adverbs and "run speed" in verbs["run"].adverbs
    assert adverbs["speed"].maximum < adverbs["run speed"].minimum


def test_a_walk_backward_is_none_among_walks_forward(extension, mocap: Path):
    files = [
        {"name": f"bn1_{name}_normal_{number}_loop_x2.bvh"} for name, number in (("walk-back", "001"), ("walk", "002"))
    ]
    verbs = imported(mocap / "locomotion", files=files).verbs_adverbs.verbs
    names = {verb.name: [one.action.name for one in verb.examples] for verb in verbs}
    assert names == {"walk": ["bn1_walk_normal_002_loop_x2"], "walk backward": ["bn1_walk-back_normal_001_loop_x2"]}


def test_fbx_files_become_a_verb_with_their_skin(extension, tmp_path: Path):
    armature = walking_biped()
    actions = [one.action for one in armature.verbs_adverbs.verbs["walk"].examples][:3]
    write_mixamo_files(armature, actions, tmp_path)
    empty_file()
    armature = imported(tmp_path)
    assert len(armature.verbs_adverbs.verbs["walk"].examples) == len(actions)
    assert len(bpy.data.meshes) == 1 and height(armature) == pytest.approx(1.7, abs=0.3)


@pytest.mark.parametrize("steps_done", [1, 3, 5, 7])
def test_an_import_that_is_stopped_leaves_the_file_as_it_was(steps_done: int, extension, tmp_path: Path):
    walking_biped()
    bpy.context.scene.frame_set(7)
    before = whole_file()
    steps = begun(walks(tmp_path))
    for _ in range(steps_done):
        next(steps)
    steps.close()
    assert differences(before, whole_file()) == []
    assert bpy.context.scene.frame_current == 7 and bpy.context.object.name == "Biped"


def test_what_others_add_meanwhile_stays_when_it_is_stopped(extension, tmp_path: Path):
    walking_biped()
    before = set(bpy.data.objects.keys())
    steps = begun(walks(tmp_path))
    for count in range(3):
        next(steps)
        bpy.context.scene.collection.objects.link(bpy.data.objects.new(f"mine {count}", None))
    steps.close()
    assert set(bpy.data.objects.keys()) == before | {"mine 0", "mine 1", "mine 2"}
    assert not {"slow", "usual", "fast"} & set(bpy.data.actions.keys())


def test_the_frame_and_what_is_selected_stay_when_it_is_stopped(extension, tmp_path: Path):
    armature = walking_biped()
    other = bpy.data.objects.new("other", None)
    bpy.context.scene.collection.objects.link(other)
    other.select_set(True)
    bpy.context.scene.frame_set(3, subframe=0.5)
    steps = begun(walks(tmp_path))
    next(steps)
    next(steps)
    steps.close()
    assert bpy.context.scene.frame_current_final == pytest.approx(3.5)
    assert other.select_get() and bpy.context.object == armature


@pytest.mark.parametrize(("duty", "named"), [(0.49, "walk"), (0.4, "run")])
def test_a_walk_without_double_support_is_no_run(duty: float, named: str, extension, tmp_path: Path):
    switches = Switches(unit="metres", duty=duty, toe=True)
    for place, speed in enumerate((1.8, 2.2)):
        write_walk(tmp_path / f"{place}.bvh", switches, speed, 0.3, np.random.default_rng(0))
    assert OPS.walks_import(directory=str(tmp_path), scale=1.0) == {"FINISHED"}
    assert list(bpy.context.object.verbs_adverbs.verbs.keys()) == [named]


def test_an_import_that_fails_says_why_and_leaves_the_file_as_it_was(extension, tmp_path: Path):
    walking_biped()
    before = whole_file()
    (tmp_path / "broken.bvh").write_text("no motion", encoding="utf-8")
    assert "is not a BVH file" in refused(directory=str(tmp_path))
    assert "No BVH or FBX files" in refused(directory="", files=[{"name": "walk.txt"}])
    assert "cannot be read" in refused(directory=str(tmp_path / "nowhere"))
    write_bvh(tmp_path / "stands.bvh", swing=0.0)
    assert "None of the files has a walk" in refused(directory=str(tmp_path))
    assert differences(before, whole_file()) == []


def test_in_pose_mode_it_says_what_to_do(extension):
    walking_biped()
    bpy.ops.object.mode_set(mode="POSE")
    assert not OPS.walks_import.poll()
    bpy.ops.object.mode_set(mode="OBJECT")
    assert OPS.walks_import.poll() and not OPS.walks_choose.poll()
