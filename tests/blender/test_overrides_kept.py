"""Nothing of a shot with overridden rigs is lost, whatever becomes of the rig's file, the director and the override."""

import os

import bpy
import numpy as np
import pytest
from blender.installed import MODULE
from blender.library_shot import (
    COLLECTION,
    again,
    another,
    director_of,
    motion_of,
    only,
    opened,
    rig_file,
    same,
    shot_of,
)
from blender.stage import go_to, part, state_of

OPS = bpy.ops.verbs_adverbs
MOVED = 0.02
FRAMES = range(1, 80, 6)


@pytest.fixture
def path(tmp_path):
    """The rig's file, without a director."""
    return rig_file(tmp_path)


@pytest.fixture
def live(path):
    """The overridden rig in a shot, whose verb moves it."""
    armature = shot_of(path)
    go_to(20)
    assert OPS.live_on(verb="walk") == {"FINISHED"}
    director_of(armature)["mood"] = 0.8
    return armature


@pytest.mark.long
def test_two_overrides_of_one_rig_are_directed_each_by_its_own_director(path, tmp_path):
    first = shot_of(path)
    second = another(path)
    first_name, second_name = first.name, second.name
    assert first_name != second_name
    shown = {}
    for armature, mood in ((first, 0.9), (second, -0.9)):
        only(armature)
        assert OPS.live_on(verb="walk") == {"FINISHED"}
        director_of(armature)["mood"] = mood
    again(tmp_path, first_name)
    for name in (first_name, second_name):
        shown[name] = motion_of(bpy.data.objects[name, None], FRAMES)
    assert np.abs(shown[first_name] - shown[second_name]).max() > MOVED
    only(bpy.data.objects[first_name, None])
    again(tmp_path, first_name)
    assert OPS.live_off() == {"FINISHED"}
    second = again(tmp_path, second_name)
    assert same(motion_of(second, FRAMES), shown[second_name])
    assert director_of(second)["mood"] == pytest.approx(-0.9)


def _edit_rig(path) -> None:
    """Work in the rig's file: an example is changed, and a verb is added in front of the others."""
    bpy.ops.wm.open_mainfile(filepath=str(path), load_ui=False)
    only(bpy.data.objects["Biped"])
    assert OPS.verb_add(name="sleep") == {"FINISHED"}
    bpy.context.object.verbs_adverbs.verbs.move(3, 0)
    action = bpy.data.actions["Walk happy"]
    curves = part("bridge.blender.versions").curves_of(action)
    for curve in curves:
        if "Chest" in curve.data_path or "Spine" in curve.data_path:
            for point in curve.keyframe_points:
                point.co[1] += 0.08
            curve.update()
    bpy.ops.wm.save_mainfile()


@pytest.mark.long
@pytest.mark.parametrize("when", ["between sessions", "while the shot is open"])
def test_a_rig_that_was_edited_in_its_file_plays_anew(live, path, tmp_path, when):
    assert OPS.command_add(verb="wave", frame=30) == {"FINISHED"}
    before = motion_of(again(tmp_path), FRAMES)
    if when == "between sessions":
        _edit_rig(path)
        armature = opened(tmp_path)
    else:
        bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "shot.blend"))
        _edit_rig(path)
        changed = path.rename(tmp_path / "changed.blend")
        bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "changed.blend"), load_ui=False)
        bpy.ops.wm.save_as_mainfile(filepath=str(path), copy=True)
        armature = opened(tmp_path)
        changed.unlink()
        bpy.data.libraries[0].reload()
        armature = bpy.data.objects["Biped", None]
        only(armature)
        assert OPS.performance_write() == {"FINISHED"}
    assert armature.verbs_adverbs.verbs[0].name == "sleep"
    after = motion_of(armature, FRAMES)
    assert np.abs(after - before).max() > 0.01
    director = director_of(armature)
    assert (director["mood"], director.verbs_adverbs.verb) == (pytest.approx(0.8), "walk")
    commands = part("bridge.data.commands")
    assert commands.verb_of_number(armature, commands.command_at(director, 0).number).name == "wave"
    assert OPS.live_off() == {"FINISHED"}
    assert OPS.live_on(verb="walk") == {"FINISHED"}
    assert same(motion_of(armature, FRAMES), after)


def test_while_the_rigs_file_is_missing_it_is_said_and_all_is_kept(live, path, tmp_path):
    before = motion_of(again(tmp_path), FRAMES)
    away = path.rename(tmp_path / "away.blend")
    armature = opened(tmp_path)
    for name in ("live_on", "live_off", "bake", "verb_add", "command_add"):
        with pytest.raises(RuntimeError, match="rig.blend', which armature 'Biped' is linked from, was not found"):
            getattr(OPS, name)()
    again(tmp_path)
    away.rename(path)
    armature = opened(tmp_path)
    assert same(motion_of(armature, FRAMES), before)
    assert director_of(armature)["mood"] == pytest.approx(0.8)
    assert OPS.live_off() == {"FINISHED"}


@pytest.mark.parametrize(
    ("where", "loaded"),
    [
        ("file", True),
        *(pytest.param(*one, marks=pytest.mark.long) for one in (("file", False), ("scene", False), ("scene", True))),
    ],
)
def test_it_is_given_back_when_its_director_was_deleted(path, tmp_path, where, loaded):
    armature = shot_of(path)
    armature.animation_data.action_influence = 0.75
    go_to(9)
    before = state_of(armature)
    assert OPS.live_on(verb="walk") == {"FINISHED"}
    armature = again(tmp_path)
    director = director_of(armature)
    if where == "file":
        bpy.data.objects.remove(director)
    else:
        with bpy.context.temp_override(selected_objects=[director]):
            assert bpy.ops.object.delete() == {"FINISHED"}
    armature = again(tmp_path) if loaded else armature
    go_to(9)
    assert OPS.live_off() == {"FINISHED"}
    assert {**state_of(armature), "actions": 0} == {**before, "actions": 0}
    assert not OPS.live_off.poll()
    after = state_of(again(tmp_path))
    assert {**after, "actions": 0} == {**before, "actions": 0}


def test_a_shot_that_was_saved_without_the_extension_plays_on(live, tmp_path):
    before = motion_of(again(tmp_path), FRAMES)
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    bpy.ops.preferences.addon_disable(module=MODULE)
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "shot.blend"), load_ui=False)
    assert same(motion_of(bpy.data.objects["Biped", None], FRAMES), before)
    bpy.ops.wm.save_mainfile()
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    bpy.ops.preferences.addon_enable(module=MODULE)
    armature = opened(tmp_path)
    assert director_of(armature)["mood"] == pytest.approx(0.8)
    assert same(motion_of(armature, FRAMES), before)
    assert armature.verbs_adverbs.saved_pose == director_of(armature).verbs_adverbs.saved_pose != ""
    assert OPS.live_off() == {"FINISHED"}


def test_an_override_that_was_reset_is_switched_off_and_finds_its_director_again(live, tmp_path):
    before = motion_of(again(tmp_path), FRAMES)
    name = director_of(bpy.context.object).name
    assert bpy.ops.object.reset_override_library() == {"FINISHED"}
    again(tmp_path)
    armature = bpy.context.object
    assert armature.animation_data.action.library is not None
    assert not OPS.live_off.poll()
    assert OPS.live_on(verb="walk") == {"FINISHED"}
    assert director_of(armature).name == name
    assert same(motion_of(armature, FRAMES), before)


def test_switching_on_is_undone_and_redone(path, tmp_path):
    armature = shot_of(path)
    go_to(9)
    bpy.ops.ed.undo_push(message="before")
    before = state_of(armature)
    assert OPS.live_on("EXEC_DEFAULT", True, verb="walk") == {"FINISHED"}
    go_to(9)
    shown = motion_of(bpy.data.objects["Biped", None], FRAMES)
    bpy.ops.ed.undo()
    armature = bpy.data.objects["Biped", None]
    assert armature.verbs_adverbs.director is None
    go_to(9)
    assert {**state_of(armature), "actions": 0} == {**before, "actions": 0}
    bpy.ops.ed.redo()
    armature = bpy.data.objects["Biped", None]
    assert same(motion_of(armature, FRAMES), shown)
    assert director_of(armature).verbs_adverbs.live
    only(armature)
    assert OPS.live_off() == {"FINISHED"}


@pytest.mark.long
def test_made_local_afterwards_it_plays_on_and_is_edited(live, tmp_path):
    before = motion_of(again(tmp_path), FRAMES)
    assert bpy.ops.object.make_local(type="SELECT_OBJECT") == {"FINISHED"}
    armature = bpy.data.objects["Biped", None]
    only(armature)
    assert same(motion_of(again(tmp_path), FRAMES), before)
    armature = bpy.context.object
    assert OPS.verb_rename(name="stroll") == {"FINISHED"} and director_of(armature).verbs_adverbs.live
    assert OPS.live_off() == {"FINISHED"}


@pytest.mark.long
def test_bones_from_a_third_file_are_as_good(tmp_path):
    path = rig_file(tmp_path)
    bones = tmp_path / "bones.blend"
    armature = bpy.data.objects["Biped"]
    bpy.data.libraries.write(str(bones), {armature.data}, fake_user=True)
    with bpy.data.libraries.load(str(bones), link=True) as (_there, wanted):
        wanted.armatures = [armature.data.name]
    armature.data = wanted.armatures[0]
    bpy.ops.wm.save_mainfile()
    armature = shot_of(path)
    assert OPS.live_on(verb="walk") == {"FINISHED"}
    before = motion_of(again(tmp_path), FRAMES)
    assert np.ptp(before, axis=0).max() > MOVED
    bones.rename(tmp_path / "away.blend")
    opened(tmp_path)
    with pytest.raises(RuntimeError, match="bones.blend', .* was not found"):
        OPS.live_off()
    again(tmp_path)
    (tmp_path / "away.blend").rename(bones)
    armature = opened(tmp_path)
    assert same(motion_of(armature, FRAMES), before)
    assert OPS.live_off() == {"FINISHED"}


@pytest.mark.long
@pytest.mark.parametrize("with_director", [False, True], ids=["alone", "with its director"])
def test_an_override_is_duplicated(live, tmp_path, with_director):
    before = motion_of(again(tmp_path), FRAMES)
    live = bpy.context.object
    director_of(live).select_set(with_director)
    assert bpy.ops.object.duplicate() == {"FINISHED"}
    copy = next(one for one in bpy.context.selected_objects if one.type == "ARMATURE")
    name = copy.name
    assert same(motion_of(again(tmp_path), FRAMES), before)
    copy = bpy.data.objects[name, None]
    assert same(motion_of(copy, FRAMES), before)
    only(copy)
    if with_director:
        director_of(copy)["mood"] = -0.8
        assert director_of(copy) != director_of(bpy.data.objects["Biped", None])
        assert np.abs(motion_of(again(tmp_path, name), FRAMES) - before).max() > MOVED
        assert same(motion_of(bpy.data.objects["Biped", None], FRAMES), before)
    else:
        assert OPS.live_on(verb="walk") == {"FINISHED"}
        assert director_of(copy) != director_of(bpy.data.objects["Biped", None])


@pytest.mark.long
def test_a_character_is_appended(path, tmp_path):
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    with bpy.data.libraries.load(str(path), link=False) as (_there, wanted):
        wanted.collections = [COLLECTION]
    bpy.context.scene.collection.children.link(wanted.collections[0])
    armature = bpy.data.objects["Biped"]
    only(armature)
    os.rename(path, tmp_path / "away.blend")
    assert OPS.live_on(verb="walk") == {"FINISHED"}
    before = motion_of(again(tmp_path), FRAMES)
    assert np.ptp(before, axis=0).max() > MOVED
    assert OPS.live_off() == {"FINISHED"}
    assert OPS.verb_rename(name="stroll") == {"FINISHED"}
