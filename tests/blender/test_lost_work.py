"""Ways in which an animator could lose work with this extension.

They were thought up from the README and the pages for users alone, before anybody looked at the code or at another
test, by somebody who had to decide whether a studio may use it on files people have worked on for a month.

Baking, and baking again under corrections
  1  A bake is given the name of an action that I keyed by hand: mine is overwritten.
  2  A bake is assigned in place of my action, whose last user goes; I save, open the file again, and it is gone.
  3  I corrected the keys of a bake by hand; the next bake under that name writes over my corrections.
  4  My correction layer in the NLA above a bake is retimed, muted, cut or emptied when the bake is made again.
  5  The bake is used by a second character or a second strip too: baking again changes that one's motion.
  6  I renamed the bake, made it a fake user and put markers, groups or modifiers on it; baking again drops them.
  7  Baking again is refused or stopped half way: the old bake is half gone.
  8  Baking again while I edit a strip of the NLA (tweak mode) puts keys into the action that I edit.

Library overrides that are directed in the shot
  9  Directing an override writes into other people's library file, or marks its data as changed.
 10  The override has edits of mine (pose, constraint, action, custom property); On, save, open, Off takes them back.
 11  The library changes and is reloaded while the verb is on: sliders, their keys and commands in the shot are gone.
 12  The library is missing when the shot is opened and saved: the shot's direction is gone when it is back.
 13  Something seems to be done in the shot, but only on linked data: it is gone when the shot is opened again.
 14  The library's armature was renamed or a verb removed there: keys and commands in the shot are dropped.
 15  The override is made local, or reset, while the verb is on: the action from before does not come back.

Renamed bones
 16  Map Bones writes new names into my source actions, or breaks contacts, measures, masks, refinements; undo does
     not bring all of it back.
 17  Bones are renamed while the verb is on: keys that I set meanwhile, or my action from before, are lost by Off.
 18  Bones are renamed after a bake with a correction layer above; baking again leaves corrections on nothing.

Frame rates and settings of the scene
 19  The frame rate of the scene is changed: keys of sliders, commands, keytimes or words stand elsewhere afterwards.
 20  The frame rate is changed between a bake and baking again: the correction layer no longer fits or is rewritten.
 21  Operators change the range of frames, frame, rate, mode, selection or active object and do not put them back.

While the verb is on
 22  I pose without keying before Switch On: the pose is gone after Off, or after saving and opening in between.
 23  Keys that I set while it is on are lost by dragging a slider, by saving, by opening again, or by Off.
 24  I assign an action of mine while it is on: after Off, saving and opening it is gone for want of users.
 25  A modifier, a marker or a custom property that I put on the played action is lost by Off.
 26  NLA tracks, strips, their muting and solo, drivers and constraints of the armature differ after Off.
 27  The extension is disabled while it is on, the file saved and opened without it: my action is gone for good.
 28  I delete the director, or its action, while it is on: the armature's own action does not come back.
 29  I copy the character while it is on, and switch one off or delete it: the other one loses its motion or action.
 30  I copy the whole scene while it is on and delete the first one: the action from before is lost.
 31  The file is appended into another one while it is on: there Off cannot give anything back.

Data that nothing but the extension uses
 32  Source actions that nothing but a verb uses are purged as orphans, or with the character that is deleted.
 33  A verb, an example or a layer is removed and the file saved: the actions, values or keys are gone.
 34  Old takes are purged, or the next take is written over the one before.
 35  An adverb or a layer is renamed: slider keys stay behind under the old name; removed: its keys are deleted.
 36  Words are read a second time: emphases, gestures and looks that I corrected by hand are gone.
 37  Show Plan and Hide Plan remove, move or mute strips of mine in the sequencer.
 38  Copy Verbs from, Mirror, New Action From This, or Find Keytimes write over things of mine of the same name.

Undo, files, farm
 39  Undo after On, Off, a bake or a take goes back to something that never was, or loses keys set before.
 40  An automatic save, a copy, or the last session is saved while it is on: opened, it has lost my action.
 41  The farm's command bakes into the file that is open, or two of them into one file: the file is half written.
 42  The folder cannot be written, or the disk is full: the file that was there is gone.
 43  Blender ends in the middle of a take, twice: the journal of the first is replaced by that of the second.
 44  A file is opened in the other Blender version and saved there while the verb is on: Off gives nothing back.
 45  Ctrl Z, Esc, closing the window or loading a file while I perform lose what was there before the performance.
"""

import os
import resource

import bpy
import pytest
from blender.installed import MODULE
from blender.losses import again, gone, lost, only, opened, owned
from blender.performance import OPS, biped_with_graph
from blender.performer import begin, command, end, play, session
from blender.stage import drag, go_to, part, rested, walking_biped

DONE = {"FINISHED"}
ARM = "UpperArm_L"


@pytest.fixture
def armature():
    """A biped as an animator left it: an action of its own, NLA strips, a driver, a constraint, an unkeyed pose."""
    armature = walking_biped()
    armature.animation_data.action = bpy.data.actions.new("mine")
    head, arm = armature.pose.bones["Head"], armature.pose.bones[ARM]
    for frame, turn in ((1, 0.0), (20, 0.3)):
        arm.rotation_quaternion = (1.0, turn, 0.0, 0.0)
        assert arm.keyframe_insert("rotation_quaternion", frame=frame)
    track = armature.animation_data.nla_tracks.new()
    track.strips.new("face", 5, bpy.data.actions["Walk happy"]).blend_type = "ADD"
    quiet = armature.animation_data.nla_tracks.new()
    quiet.strips.new("old", 9, bpy.data.actions["Walk sad"])
    quiet.mute = True
    head.constraints.new("LIMIT_ROTATION").name = "mine"
    head["blink"] = 0.25
    head.driver_add("scale", 1).driver.expression = "1.1"
    armature.pose.bones["Hand_L"].scale = (1.0, 1.3, 1.0)
    armature.update_tag()
    go_to(7)
    return armature


def switched_on(armature):
    assert OPS.live_on(verb="walk") == DONE
    return armature.verbs_adverbs.director


def off(armature):
    only(armature)
    assert OPS.live_off() == DONE


def mine_in(*words: str) -> list[str]:
    """Names of actions that have a key of mine: value 0.875 in a curve whose path has these words."""
    found: list[str] = []
    for action in bpy.data.actions:
        bags = (
            [b for layer in action.layers for s in layer.strips for b in s.channelbags]
            if hasattr(action, "layers")
            else [action]
        )
        curves = [curve for bag in bags for curve in bag.fcurves if all(word in curve.data_path for word in words)]
        if any(abs(key.co[1] - 0.875) < 1e-6 for curve in curves for key in curve.keyframe_points):
            found.append(action.name)
    return found


def test_off_gives_all_back_and_operators_leave_the_scene_alone(armature, tmp_path, tell):
    armature.pose.bones["Hand_R"].rotation_quaternion = (0.9, 0.3, 0.0, 0.0)
    armature.update_tag()
    before = owned(armature)
    director = switched_on(armature)
    drag(director, mood=0.7)
    assert OPS.adverbs_key() == DONE and OPS.performance_write() == DONE
    armature = again(tmp_path)
    off(armature)
    assert lost(before, owned(armature)) == []
    armature = again(tmp_path)
    assert gone(before) == []
    assert OPS.bake(assign=False, cycles=1) == DONE and OPS.bake(assign=False, length="RANGE", frame_end=20) == DONE
    assert OPS.verb_build() == DONE
    assert [key for key in lost(before, owned(armature)) if key[0] != "pose"] == []
    tell("ways 21, 22 and 26, on, dragged, keyed, saved, off, baked without assigning: nothing lost")


def test_keys_modifiers_and_markers_that_are_set_while_it_is_on_are_in_the_file(armature, tmp_path, tell):
    director = switched_on(armature)
    arm = armature.pose.bones[ARM]
    arm.rotation_quaternion = (0.875, 0.1, 0.0, 0.0)
    assert arm.keyframe_insert("rotation_quaternion", frame=7)
    drag(director, mood=0.4)
    rested(tmp_path)
    assert mine_in(ARM)
    armature = again(tmp_path)
    assert mine_in(ARM)
    played = armature.animation_data.action
    played.pose_markers.new("breath").frame = 12
    played["shot"] = "sq010"
    off(armature)
    armature = again(tmp_path)
    assert mine_in(ARM)
    assert [one.name for one in bpy.data.actions if "breath" in one.pose_markers]
    assert [one.name for one in bpy.data.actions if "shot" in one.keys()]
    tell("ways 23 and 25, keys, markers and a custom property set while the verb is on: nothing lost")


def test_a_modifier_that_is_added_to_the_played_action_is_in_the_file(armature, tmp_path, tell):
    switched_on(armature)
    action = armature.animation_data.action
    curves = action.layers[0].strips[0].channelbags[0].fcurves if hasattr(action, "layers") else action.fcurves
    curves[0].modifiers.new("NOISE").strength = 0.5
    off(armature)
    armature = again(tmp_path)
    found = []
    for one in bpy.data.actions:
        bags = (
            [b for layer in one.layers for s in layer.strips for b in s.channelbags]
            if hasattr(one, "layers")
            else [one]
        )
        found += [one.name for bag in bags for curve in bag.fcurves if len(curve.modifiers)]
    assert found
    tell("way 25, a modifier on the action that the verb plays: nothing lost")


def test_an_automatic_save_or_one_without_the_extension_has_my_action_and_so_has_a_purge(armature, tmp_path, tell):
    before = owned(armature)
    director = switched_on(armature)
    heard = list(bpy.app.handlers.save_pre)
    bpy.app.handlers.save_pre.clear()
    drag(director, mood=0.9)
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "auto.blend"), copy=True)
    bpy.app.handlers.save_pre.extend(heard)
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    bpy.ops.preferences.addon_disable(module=MODULE)
    opened(tmp_path / "auto.blend")
    bpy.data.orphans_purge(do_recursive=True)
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "without.blend"))
    bpy.ops.preferences.addon_enable(module=MODULE)
    for name in ("auto", "without"):
        armature = opened(tmp_path / f"{name}.blend")
        assert armature.verbs_adverbs.director["mood"] == pytest.approx(0.9)
        bpy.data.orphans_purge(do_recursive=True)
        off(armature)
        assert lost(before, owned(armature)) == []
    tell("ways 27, 32 and 40, saved in the middle, opened without the extension, purged, and given back: nothing lost")


def test_directors_copies_scenes_and_files_that_come_and_go_lose_nothing(armature, tmp_path, tell):
    before = owned(armature)
    director = switched_on(armature)
    only(armature)
    director.select_set(True)
    assert bpy.ops.object.duplicate() == DONE
    copy = next(one for one in bpy.context.selected_objects if one.type == "ARMATURE")
    rested(tmp_path)
    off(copy)
    assert copy.animation_data.action is not None
    bpy.data.objects.remove(copy)
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "live.blend"))
    bpy.data.objects.remove(director)
    bpy.data.orphans_purge(do_recursive=True)
    armature = again(tmp_path)
    off(armature)
    assert [key for key in lost(before, owned(armature)) if key[0] not in {"seen"}] == []
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    with bpy.data.libraries.load(str(tmp_path / "live.blend")) as (there, wanted):
        wanted.objects = ["Biped"]
    for one in bpy.data.objects:
        bpy.context.scene.collection.objects.link(one)
    armature = bpy.data.objects["Biped"]
    off(armature)
    assert armature.animation_data.action.name == "mine"
    assert [key for key in lost(before, owned(armature)) if key[0] in {"action", "animation", "custom"}] == []
    tell(
        "ways 28, 29 and 31, a copy that goes, a deleted director, and a live character that is appended: nothing lost"
    )


def test_a_copied_scene_whose_original_is_deleted_gives_my_action_back(armature, tmp_path, tell):
    before = owned(armature)
    switched_on(armature)
    first = bpy.context.scene
    assert bpy.ops.scene.new(type="FULL_COPY") == DONE
    other = next(scene for scene in bpy.data.scenes if scene != first)
    copy = next(one for one in other.objects if one.type == "ARMATURE")
    for one in list(first.objects):
        bpy.data.objects.remove(one)
    bpy.data.scenes.remove(first)
    name = copy.name
    bpy.data.orphans_purge(do_recursive=True)
    copy = again(tmp_path, name)
    off(copy)
    again(tmp_path, name)
    assert gone({key: told for key, told in before.items() if key[1] == "mine"}) == []
    tell("way 30, a copied scene whose original is deleted: nothing lost")


def test_what_is_removed_or_renamed_leaves_keys_and_actions_in_the_file(tmp_path, tell):
    armature = biped_with_graph()
    assert OPS.live_on(verb="walk") == DONE
    director = armature.verbs_adverbs.director
    assert OPS.layer_add(verb=armature.verbs_adverbs.verbs["wave"].uid) == DONE
    for name in ("mood", "wave weight"):
        director[name] = 0.875
        assert director.keyframe_insert(f'["{name}"]', frame=5)
    assert OPS.live_off() == DONE
    before = owned()
    armature.verbs_adverbs.active_adverb = armature.verbs_adverbs.adverbs.find("mood")
    assert OPS.adverb_rename(name="joy") == DONE
    assert mine_in("joy")
    assert OPS.adverb_remove() == DONE
    assert OPS.layer_remove() == DONE
    while armature.verbs_adverbs.verbs:
        armature.verbs_adverbs.active_verb = 0
        assert OPS.verb_remove() == DONE
    again(tmp_path)
    kept = [name for name in gone(before) if "director" not in name]
    assert kept == []
    tell(
        f"ways 33 and 35, verbs, adverb and layer are removed: actions stay; keys of joy in {mine_in('joy')}, of the"
        f" layer's weight in {mine_in('weight')}"
    )


def test_a_plan_that_is_laid_into_the_sequencer_leaves_my_strips_alone(tmp_path, tell):
    assert OPS.add_biped(walk=True, cast="TALKING") == DONE
    armature = bpy.context.object
    path = tmp_path / "said.srt"
    path.write_text("1\n00:00:01,000 --> 00:00:01,400\n<beat>First\n\n2\n00:00:03,000 --> 00:00:03,400\n<beat>last\n")
    strips = bpy.context.scene.sequence_editor_create()
    made = strips.strips if hasattr(strips, "strips") else strips.sequences
    made.new_effect(
        name="mine",
        type="COLOR",
        channel=3,
        frame_start=4,
        **({"length": 20} if bpy.app.version >= (5, 0) else {"frame_end": 24}),
    )
    before = owned(armature)
    assert OPS.live_on(verb="walk") == DONE
    assert OPS.words_file(filepath=str(path)) == DONE and OPS.talk() == DONE
    assert OPS.plan_strips() == DONE and OPS.plan_strips() == DONE
    assert OPS.live_off() == DONE
    strip = made["mine"]
    assert (strip.channel, strip.frame_final_start, strip.frame_final_end, strip.mute) == (3, 4, 24, False)
    assert [key for key in lost(before, owned(armature)) if key[0] == "animation"] == []
    tell("way 37, a plan is laid beside my strips: nothing lost")


class FullDisk:
    """No file can grow beyond some bytes in the `with` block, as on a disk that is full."""

    def __init__(self, size: int) -> None:
        self.size, self.before = size, resource.getrlimit(resource.RLIMIT_FSIZE)

    def __enter__(self) -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (self.size, self.before[1]))

    def __exit__(self, *_error: object) -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, self.before)


def test_a_full_disk_leaves_the_file_that_was_there(tmp_path, tell):
    armature = biped_with_graph()
    assert OPS.command_add(verb="walk", frame=12) == DONE
    path = tmp_path / "shot.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    before, there = path.read_bytes(), owned(armature)
    run = part("operators.command_line.commands").run
    with FullDisk(20_000):
        assert run(["bake", "--last", "20", "--out", str(path)]) == 3
    assert path.read_bytes() == before
    assert os.listdir(tmp_path) == ["shot.blend"]
    opened(path)
    assert gone(there) == []
    tell("ways 41 and 42, the command line bakes over a file on a full disk: nothing lost")


def test_a_take_on_a_full_disk_goes_on_and_is_kept_and_so_is_the_one_before(tmp_path, tell):
    armature = biped_with_graph()
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "show.blend"))
    for _ in range(2):
        clock = begin(armature)
        with FullDisk(0):
            assert play(clock, 2.0, {0.5: lambda: command(armature, "walk")})
        assert end() == []
    takes = [one for one in bpy.data.actions if "take" in one.name]
    assert len(takes) == 2
    before = owned()
    again(tmp_path)
    assert gone(before) == []
    tell("ways 34 and 42, two takes on a full disk: nothing lost")


def test_a_file_that_is_opened_while_i_perform_and_undo_lose_nothing(armature, tmp_path, tell):
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "before.blend"))
    before = owned(armature)
    clock = begin(armature)
    assert play(clock, 1.0, {0.25: lambda: command(armature, "walk")})
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "during.blend"), copy=True)
    for name in ("during", "before"):
        armature = opened(tmp_path / f"{name}.blend")
        assert session() is None
        if OPS.live_off.poll():
            off(armature)
        go_to(7)
        assert [key for key in lost(before, owned(armature)) if key[0] not in {"settings", "seen"}] == []
    bpy.ops.ed.undo_push(message="prepared")
    stored = owned(armature)
    assert OPS.live_on("EXEC_DEFAULT", True, verb="walk") == DONE
    assert OPS.bake("EXEC_DEFAULT", True, name="undone") == DONE
    for _ in range(2):
        bpy.ops.ed.undo()
    assert lost(stored, owned(bpy.data.objects["Biped"])) == []
    tell("ways 39 and 45, a file that is opened or saved while I perform, and two steps of undo: nothing lost")


def test_a_text_that_names_more_of_my_things_is_not_written_over(armature, tmp_path, tell):
    for name in ("Biped performance", "walk baked", "Walk plain mirrored", "Biped director"):
        action = bpy.data.actions.new(name)
        action["mine"], action.use_fake_user = True, True
    armature.animation_data.action = bpy.data.actions["Walk plain"]
    before = owned(armature)
    switched_on(armature)
    off(armature)
    assert OPS.bake(assign=False) == DONE
    again(tmp_path)
    assert gone({k: v for k, v in before.items() if k[1] != "mine"}) == []
    tell("way 38, actions that have the names the extension uses: nothing lost")
