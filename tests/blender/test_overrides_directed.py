"""All that directs a character works on an override and stays: takes, layers, words, steering; of older rigs, too."""

import bpy
import numpy as np
import pytest
from blender.layering import add_layer, ask
from blender.library_shot import COLLECTION, LAST, OPS, again, motion_of, rig_file, same, shot_of
from blender.losses import only
from blender.performance import begin_with, biped_with_graph
from blender.performer import begin, command, end, play, wait
from blender.stage import go_to, state_of
from blender.test_newer_data import NEWER
from blender.test_older_files import FILES
from blender.test_talking import talking
from fixtures import held

MOVED = 0.02


def _computed(armature) -> np.ndarray:
    assert OPS.performance_write() == {"FINISHED"}
    return motion_of(armature)


def _collected(path):
    """Move everything of the open file into one collection, and save it; returns the path."""
    collection = bpy.data.collections.new(COLLECTION)
    bpy.context.scene.collection.children.link(collection)
    for one in list(bpy.data.objects):
        for other in one.users_collection:
            other.objects.unlink(one)
        collection.objects.link(one)
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    return path


def test_what_is_performed_is_a_take_that_stays(tmp_path):
    armature = shot_of(rig_file(tmp_path))
    begin_with(armature, "walk")
    clock = begin(armature)
    assert play(clock, 3.0, {0.5: lambda: command(armature, "stand"), 1.9: lambda: command(armature, "wave")})
    assert end() == []
    taken = motion_of(armature)
    armature = again(tmp_path)
    assert same(motion_of(armature), taken)
    assert OPS.command_remove.poll() and OPS.live_off() == {"FINISHED"}
    armature = again(tmp_path)
    assert OPS.live_on() == {"FINISHED"}
    assert same(motion_of(armature), taken)
    assert OPS.bake_performance(frame_start=1, frame_end=LAST, annotate=False) == {"FINISHED"}
    assert np.abs(motion_of(again(tmp_path)) - taken).max() <= 1e-3


def test_a_performance_that_is_left_at_once_leaves_nothing(tmp_path):
    armature = shot_of(rig_file(tmp_path, "live"))
    go_to(9)
    before = state_of(armature), sorted(bpy.data.objects.keys()), armature.verbs_adverbs.director

    wait(armature)
    assert end() == []
    assert (state_of(armature), sorted(bpy.data.objects.keys()), armature.verbs_adverbs.director) == before


@pytest.mark.long
def test_a_layer_of_the_rig_is_started_and_stopped_in_the_shot(tmp_path):
    armature = biped_with_graph()
    bpy.context.scene.frame_end = LAST
    assert OPS.live_on(verb="walk") == {"FINISHED"}
    add_layer(armature, "wave")
    assert OPS.live_off() == {"FINISHED"}
    bpy.data.objects.remove(armature.verbs_adverbs.director)
    armature = shot_of(_collected(tmp_path / "rig.blend"))
    assert OPS.live_on(verb="walk") == {"FINISHED"}
    alone = motion_of(armature)
    armature = again(tmp_path)
    ask(armature.verbs_adverbs.layers[0], "start", 20)
    armature = again(tmp_path)
    ask(armature.verbs_adverbs.layers[0], "stop", 60)
    assert not OPS.layer_remove.poll()
    armature = again(tmp_path)
    waved = motion_of(armature)
    assert np.abs(waved - alone).max() > MOVED
    assert OPS.bake_performance(frame_start=1, frame_end=LAST, annotate=False) == {"FINISHED"}
    assert np.abs(motion_of(again(tmp_path)) - waved).max() <= 1e-3


@pytest.mark.long
def test_words_are_said_in_the_shot_with_a_layer_of_its_own(tmp_path):
    armature = talking(tmp_path)
    assert OPS.talk() == {"FINISHED"}
    bpy.context.scene.frame_end = LAST
    theirs = _computed(armature)
    said = tmp_path / "said.srt"
    assert OPS.live_off() == {"FINISHED"}
    bpy.data.objects.remove(armature.verbs_adverbs.director)
    armature.verbs_adverbs.layers.clear()
    armature = shot_of(_collected(tmp_path / "rig.blend"))
    assert OPS.live_on(verb="walk") == {"FINISHED"}
    silent = motion_of(armature)
    assert OPS.words_file(filepath=str(said)) == {"FINISHED"}
    armature = again(tmp_path)
    assert OPS.talk() == {"FINISHED"}
    talked = _computed(armature)
    assert np.abs(talked - silent).max() > MOVED
    assert same(talked, theirs)
    armature = again(tmp_path)
    assert [layer.talks for layer in armature.verbs_adverbs.layers] == [True]
    assert same(motion_of(armature), talked)
    bpy.data.libraries[0].reload()
    armature = bpy.data.objects["Biped", None]
    only(armature)
    assert same(_computed(armature), talked)
    assert OPS.plan_strips(show=True) == {"FINISHED"}
    assert same(motion_of(again(tmp_path)), talked)


@pytest.mark.long
@pytest.mark.parametrize("path", [one for one in FILES if one.stem == "performance"], ids=lambda one: one.parts[-3])
def test_a_rig_of_an_older_version_plays_as_it_did(path, tmp_path):
    if held.Written(path).made["blender"][:2] > list(bpy.app.version[:2]):
        pytest.skip("The file was saved by a newer Blender than this one.")
    bpy.ops.wm.open_mainfile(filepath=str(path), load_ui=False)
    armature = held.armature()
    only(armature)
    frames = range(1, bpy.context.scene.frame_end, 9)
    if OPS.live_on.poll() and not armature.verbs_adverbs.director.verbs_adverbs.live:
        assert OPS.live_on() == {"FINISHED"}
    theirs, last = motion_of(armature, frames), bpy.context.scene.frame_end
    fps, name = bpy.context.scene.render.fps, armature.name
    copied = _collected(tmp_path / "rig.blend")
    armature = shot_of(copied)
    bpy.context.scene.frame_end, bpy.context.scene.render.fps = last, fps
    assert armature.name == name and OPS.live_on() == {"FINISHED"}
    assert same(motion_of(armature, frames), theirs)
    assert same(motion_of(again(tmp_path, name), frames), theirs)
    assert all(verb.number for verb in bpy.context.object.verbs_adverbs.verbs)


@pytest.mark.parametrize("whose", ["armature", "director"])
def test_a_rig_of_a_newer_version_is_kept_and_refused(tmp_path, whose):
    path = rig_file(tmp_path, "still")
    armature = bpy.context.scene.objects["Biped"]
    (armature if whose == "armature" else armature.verbs_adverbs.director).verbs_adverbs.schema = 99
    bpy.ops.wm.save_mainfile()
    armature = shot_of(path)
    before = sorted(bpy.data.objects.keys())
    for name in ("live_on", "command_add", "bake", "director_add"):
        with pytest.raises(RuntimeError, match=NEWER):
            getattr(OPS, name)()
    assert sorted(bpy.data.objects.keys()) == before


def test_the_rigs_own_director_stands_for_the_character_it_directs_here(tmp_path):
    armature = again_with_director(tmp_path)
    (theirs,) = [one for one in bpy.data.objects if one.type == "EMPTY" and one.override_library]
    only(theirs)
    assert OPS.live_on() == {"FINISHED"}
    director = armature.verbs_adverbs.director
    assert director.override_library is None and director.verbs_adverbs.live
    assert not theirs.verbs_adverbs.live


def again_with_director(folder):
    """A shot that was saved and loaded, of a rig that comes with its director."""
    shot_of(rig_file(folder, "still"))
    return again(folder)
