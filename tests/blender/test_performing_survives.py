"""A character that is performed is renamed, deleted, undone, saved, loaded: it goes on, or ends cleanly."""

import bpy
import numpy as np
import pytest
from blender.installed import MODULE
from blender.performance import OPS
from blender.performer import begin, character, command, end, play, session, shown_root, take, walker
from blender.stage import part, state_of

FAR = 0.5


@pytest.fixture
def armature():
    yield from walker()


def director_of(armature):
    return armature.verbs_adverbs.director


def walks_on(armature, clock) -> None:
    """The character goes on walking, and what it did becomes its score."""
    before = shown_root(armature)
    assert play(clock, 1.5)
    assert np.linalg.norm(shown_root(armature) - before) > FAR
    assert end() == [] and session() is None
    own = director_of(armature).verbs_adverbs
    assert own.live and own.performance.active and not own.performance.in_hand


def ended(clock) -> None:
    """The next tick ends the performance."""
    assert not play(clock, 0.1) and session() is None
    assert not any(one.verbs_adverbs.performance.in_hand for one in bpy.context.scene.objects)


@pytest.fixture
def clock(armature):
    return begin(armature)


def test_switching_off_after_performing_gives_the_armature_back(armature):
    state = state_of(armature)
    clock = begin(armature)
    assert play(clock, 1.0) and end() == []
    take = director_of(armature).animation_data.action.name
    assert OPS.live_off() == {"FINISHED"}
    assert state_of(armature) == state | {"actions": sorted([take, *state["actions"]])}


def test_renamed_armature_director_verb_and_example(armature, clock):
    assert play(clock, 0.5)
    armature.name, director_of(armature).name = "Ada", "Ada's director"
    armature.verbs_adverbs.verbs["wave"].name = "greet"
    bpy.data.actions["Walk plain"].name = "Stroll"
    assert [name for _, name in take(armature).verbs()] == ["stand", "greet", "walk"]
    command(armature, "greet")
    assert character(armature).problem == ""
    walks_on(armature, clock)
    keys = part("bridge.data.commands").command_keys(director_of(armature))
    assert [key.number for key in keys] == [armature.verbs_adverbs.verbs["greet"].number]


@pytest.mark.parametrize("whose", ["armature", "director"])
def test_a_deleted_armature_or_director_leaves_no_performance(armature, clock, whose: str):
    assert play(clock, 0.5)
    bpy.data.objects.remove(armature if whose == "armature" else director_of(armature))
    ended(clock)


def test_a_deleted_director_leaves_the_armature_as_it_was(armature):
    state = state_of(armature)
    clock = begin(armature)
    assert play(clock, 0.5)
    bpy.ops.object.select_all(action="DESELECT")
    director_of(armature).select_set(True)
    bpy.ops.object.delete()
    ended(clock)
    assert state_of(armature) == state


def test_a_removed_verb_can_no_longer_be_asked_for(armature, clock):
    assert play(clock, 0.5)
    command(armature, "wave")
    uid = armature.verbs_adverbs.verbs["wave"].uid
    armature.verbs_adverbs.active_verb = armature.verbs_adverbs.verbs.find("wave")
    assert OPS.verb_remove() == {"FINISHED"}
    assert uid not in dict(take(armature).verbs())
    walks_on(armature, clock)
    assert part("bridge.data.commands").command_keys(director_of(armature)) == ()


def test_a_verb_that_cannot_be_built_any_more_gives_the_armature_back(armature):
    state = state_of(armature)
    clock = begin(armature)
    assert play(clock, 0.5)
    for action in list(bpy.data.actions):
        if action.name.startswith("Walk") and action.name != state["action"]:
            bpy.data.actions.remove(action)
    armature.verbs_adverbs.verbs["walk"].examples.clear()
    assert play(clock, 0.5)
    assert len(end()) == 1
    assert not director_of(armature).verbs_adverbs.live
    assert state_of(armature)["bones"] == state["bones"] and state_of(armature)["action"] == state["action"]


def test_a_bone_more(armature, clock):
    assert play(clock, 0.5)
    bpy.ops.object.mode_set(mode="EDIT")
    bone = armature.data.edit_bones.new("Tail")
    bone.head, bone.tail = (0.0, 0.2, 0.9), (0.0, 0.5, 0.9)
    bpy.ops.object.mode_set(mode="OBJECT")
    ended(clock)
    assert director_of(armature).verbs_adverbs.live


def test_changed_frames(armature, clock):
    for frame in (30, 5, 77):
        assert play(clock, 0.3)
        before = shown_root(armature)
        bpy.context.scene.frame_set(frame)
        assert np.abs(shown_root(armature) - before).max() < 1e-6
    walks_on(armature, clock)


def test_saving_goes_on_and_the_file_plays_when_it_is_loaded(armature, tmp_path):
    path = str(tmp_path / "performed.blend")
    clock = begin(armature)
    assert play(clock, 0.5)
    bpy.ops.wm.save_as_mainfile(filepath=path)
    assert play(clock, 0.5) and session() is not None
    bpy.ops.wm.open_mainfile(filepath=path)
    assert session() is None
    loaded = bpy.data.objects["Biped"]
    own = director_of(loaded).verbs_adverbs
    assert own.live and not own.performance.in_hand and own.generated is not None
    assert loaded.animation_data.action == own.generated
    assert OPS.live_off() == {"FINISHED"}
    assert loaded.animation_data.action.name.startswith("Walk")


def test_undoing_what_came_before_ends_it(armature):
    bpy.ops.ed.undo_push(message="before")
    armature.location.x = 1.0
    bpy.ops.ed.undo_push(message="moved")
    clock = begin(armature)
    assert play(clock, 0.5)
    bpy.ops.ed.undo()
    ended(clock)
    back = bpy.data.objects["Biped"]
    assert back.animation_data.action.name.startswith("Walk") and not director_of(back).verbs_adverbs.live


def test_a_render_keeps_what_was_performed(armature, clock, tmp_path):
    assert play(clock, 1.0)
    scene = bpy.context.scene
    scene.render.engine, scene.render.filepath = "CYCLES", str(tmp_path / "picture.png")
    scene.render.resolution_x = scene.render.resolution_y = 16
    scene.cycles.samples, scene.camera = 1, bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    scene.collection.objects.link(scene.camera)
    bpy.ops.render.render(write_still=True)
    assert session() is None and director_of(armature).verbs_adverbs.performance.active
    assert not play(clock, 0.1)


def test_disabling_the_extension_gives_the_armature_back(armature):
    module, action = MODULE, armature.animation_data.action.name
    clock = begin(armature)
    assert play(clock, 0.5)
    bpy.ops.preferences.addon_disable(module=module)
    assert bpy.data.objects["Biped"].animation_data.action.name == action
    bpy.ops.preferences.addon_enable(module=module)
    assert session() is None and not director_of(bpy.data.objects["Biped"]).verbs_adverbs.live
