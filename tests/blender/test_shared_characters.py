"""Copies of a character: they move alike at their own places, each is edited by itself, and what is right is kept.

All is asked of what Blender shows: the places of bones in the world, and actions.
"""

import sys
from collections.abc import Callable

import bpy
import numpy as np
import pytest
from blender.stage import drag, go_to, joints_of, walking_biped

FRAMES = (1, 17, 40)
APART = 5.0
SAME = 2e-4
OTHER = 5e-4
PASSED_OVER, LOOKED_AT = 2000, 8000
"""Calls of Python functions for a live character that is as it was, and for one of which that has to be found out."""


def armatures() -> list:
    return sorted((one for one in bpy.data.objects if one.type == "ARMATURE"), key=lambda one: one.name)


def made_active(armature) -> None:
    for one in bpy.data.objects:
        one.select_set(one == armature)
    bpy.context.view_layer.objects.active = armature


def copied(count: int, linked: bool = False, turned: float = 0.0) -> list:
    """The biped and copies of it, each with its director, as Shift-D makes them, apart and perhaps turned."""
    first = armatures()[0]
    edit = bpy.context.preferences.edit
    edit.use_duplicate_action = False
    try:
        for place in range(1, count + 1):
            director = first.verbs_adverbs.director
            made_active(first)
            director.select_set(True)
            assert bpy.ops.object.duplicate(linked=linked) == {"FINISHED"}
            for one in bpy.context.selected_objects:
                one.location.x += APART * place
                one.rotation_euler.z += turned
    finally:
        edit.use_duplicate_action = True
    bpy.context.view_layer.update()
    return armatures()


def switched_on(armature, **sliders: float) -> None:
    made_active(armature)
    assert bpy.ops.verbs_adverbs.live_on() == {"FINISHED"}
    if sliders:
        drag(armature.verbs_adverbs.director, **sliders)
        computed(armature)


def computed(armature) -> None:
    """The performance is up to date, as after a rest."""
    made_active(armature)
    assert bpy.ops.verbs_adverbs.performance_write() == {"FINISHED"}


def built_biped() -> None:
    """The biped with a director, its verb built."""
    walking_biped()
    assert bpy.ops.verbs_adverbs.verb_build() == {"FINISHED"}
    assert bpy.ops.verbs_adverbs.director_add() == {"FINISHED"}


def motion_of(armature) -> np.ndarray:
    """Joints (T, J, 3) at `FRAMES`, seen from where the director starts."""
    names, director = [bone.name for bone in armature.pose.bones], armature.verbs_adverbs.director
    turn, place = director.rotation_euler.z, np.array(director.location)
    cosine, sine = np.cos(turn), np.sin(turn)
    axes = np.array([[cosine, -sine, 0.0], [sine, cosine, 0.0], [0.0, 0.0, 1.0]])
    found = []
    for frame in FRAMES:
        go_to(frame)
        found.append((joints_of(armature, names) - place) @ axes)
    return np.array(found)


def apart(a, b) -> float:
    return float(np.abs(a - b).max())


def keys_of(action) -> dict:
    curves = curves_in(action)
    return {(c.data_path, c.array_index): [tuple(key.co) for key in c.keyframe_points] for c in curves}


def curves_in(action) -> list:
    if hasattr(action, "layers"):
        bags = (bag for layer in action.layers for strip in layer.strips for bag in strip.channelbags)
        return [curve for bag in bags for curve in bag.fcurves]
    return list(action.fcurves)


@pytest.mark.parametrize("linked", [False, True])
@pytest.mark.parametrize("turned", [0.0, 0.7])
def test_copies_have_the_same_motion_at_their_own_places(linked, turned):
    built_biped()
    bipeds = copied(2, linked, turned)
    for one in bipeds:
        switched_on(one, mood=0.4, turn=-0.3)
    first, *others = [motion_of(one) for one in bipeds]
    assert apart(first[0], first[2]) > 0.3
    for other in others:
        assert apart(first, other) < SAME
    places = [one.verbs_adverbs.director.location.x for one in bipeds]
    assert places == [0.0, APART, 2.0 * APART]


def calls(task: Callable[[], object]) -> int:
    """How many Python functions are called meanwhile: work that can be counted, however busy the machine is."""
    count = 0

    def note(_frame, event, _what) -> None:
        nonlocal count
        count += event == "call"

    sys.setprofile(note)
    try:
        task()
    finally:
        sys.setprofile(None)
    return count


def test_the_verb_of_a_copy_is_not_built_again():
    built_biped()
    first, second, third = copied(2)
    switched_on(first)
    few = calls(lambda: switched_on(second))
    third.verbs_adverbs.verbs["walk"].control_points += 1
    assert few < 0.5 * calls(lambda: switched_on(third))


@pytest.fixture
def three():
    """Three copies that are live, the sliders alike and not at rest."""
    built_biped()
    found = copied(2)
    for one in found:
        switched_on(one, mood=0.4)
    return found


def lengthened(armature) -> None:
    """Lengthen a bone of the leg that a foot which stands still is held with."""
    made_active(armature)
    standing = armature.verbs_adverbs.verbs[0].examples[0].action.verbs_adverbs.examples[0].contacts[0].bone
    bpy.ops.object.mode_set(mode="EDIT")
    bone = next(one for one in armature.data.edit_bones[standing].parent_recursive if len(one.children_recursive) > 1)
    bone.tail = bone.tail + (bone.tail - bone.head) * 0.4
    bpy.ops.object.mode_set(mode="OBJECT")


def moved_key(armature) -> None:
    action = armature.verbs_adverbs.verbs[0].examples[0].action
    curve = next(c for c in curves_in(action) if "rotation" in c.data_path and len(c.keyframe_points) > 2)
    for key in curve.keyframe_points:
        key.co.y += 0.5
    curve.update()


def with_an_action_of_its_own(armature) -> None:
    row = armature.verbs_adverbs.verbs[0].examples[0]
    row.action = row.action.copy()
    moved_key(armature)


def with_euler_angles(armature) -> str:
    moved = next(bone for bone in armature.pose.bones if len(bone.parent_recursive) > 2)
    moved.rotation_mode = "XYZ"
    return bpy.utils.escape_identifier(moved.name)


EDITS = {
    "range": lambda one: setattr(one.verbs_adverbs.adverbs["mood"], "maximum", 4.0),
    "rest pose": lengthened,
    "fewer examples": lambda one: setattr(one.verbs_adverbs.verbs[0].examples[0], "enabled", False),
    "own action": with_an_action_of_its_own,
    "feet": lambda one: setattr(one.verbs_adverbs.director.verbs_adverbs.performance, "lock_feet", False),
    "scale": lambda one: setattr(one, "scale", (2.0, 2.0, 2.0)),
}


def motion_alone(edit: str, path: str) -> np.ndarray:
    """What a character does that was edited before its verb was built, under a name that no other verb has."""
    built_biped()
    assert bpy.ops.verbs_adverbs.verb_rename(name="alone") == {"FINISHED"}
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path, load_ui=False)
    only = armatures()[0]
    EDITS[edit](only)
    switched_on(only, mood=0.4)
    return motion_of(only)


@pytest.mark.parametrize("edit", EDITS)
def test_an_edited_copy_moves_as_if_it_were_alone(edit, tmp_path):
    alone = motion_alone(edit, str(tmp_path / "alone.blend"))
    built_biped()
    first, second, _ = bipeds = copied(2)
    for one in bipeds:
        switched_on(one, mood=0.4)
    EDITS[edit](second)
    computed(second)
    assert apart(motion_of(second), alone) < SAME
    assert apart(motion_of(first), alone) > OTHER


@pytest.mark.parametrize("edit", EDITS)
def test_an_edit_parts_one_from_the_others(three, edit):
    first, second, third = three
    before = motion_of(first)
    EDITS[edit](second)
    for one in (second, third, first):
        computed(one)
    assert apart(motion_of(first), before) < SAME
    assert apart(motion_of(third), before) < SAME
    assert apart(motion_of(second), before) > OTHER


def test_a_bone_of_another_rotation_mode_has_the_same_motion_in_other_keys(three):
    first, second, _ = three
    before = motion_of(first)
    path = f'pose.bones["{with_euler_angles(second)}"].rotation_euler'
    for one in three:
        computed(one)
        assert apart(motion_of(one), before) < SAME
    written = performances()
    assert (path, 0) in written[second.name]
    assert (path, 0) not in written[first.name]


def test_a_floor_counts_for_its_own_character_alone(three):
    first, second, third = three
    before = motion_of(first)
    bpy.ops.mesh.primitive_plane_add(size=60.0, location=(0.0, 0.0, 0.2), rotation=(0.1, 0.0, 0.0))
    second.verbs_adverbs.director.verbs_adverbs.performance.floor = bpy.context.object
    for one in (second, third, first):
        computed(one)
    assert apart(motion_of(first), before) < SAME
    assert apart(motion_of(third), before) < SAME
    assert apart(motion_of(second), before) > OTHER


def test_the_others_go_on_when_the_first_is_deleted(three):
    first, second, third = three
    director = first.verbs_adverbs.director
    made_active(first)
    director.select_set(True)
    assert bpy.ops.object.delete() == {"FINISHED"}
    before = motion_of(second)
    for one in (second, third):
        drag(one.verbs_adverbs.director, mood=-0.8)
        computed(one)
    assert apart(motion_of(second), before) > OTHER
    assert apart(motion_of(second), motion_of(third)) < SAME


def test_a_renamed_copy_goes_on_under_its_own_names(three):
    first, second, third = three
    second.name = second.data.name = "Someone"
    second.verbs_adverbs.director.name = "Boss"
    made_active(second)
    assert bpy.ops.verbs_adverbs.verb_rename(name="stroll") == {"FINISHED"}
    second.verbs_adverbs.director.verbs_adverbs.verb = "stroll"
    for one in (first, second, third):
        drag(one.verbs_adverbs.director, mood=-0.6)
        computed(one)
    assert first.verbs_adverbs.verbs.keys() == ["walk"]
    assert apart(motion_of(first), motion_of(second)) < SAME
    assert apart(motion_of(third), motion_of(second)) < SAME


def performances() -> dict:
    return {one.name: keys_of(one.verbs_adverbs.director.verbs_adverbs.generated) for one in armatures()}


def test_copies_that_are_saved_and_opened_are_as_they_were_and_can_be_directed(three, tmp_path):
    names, motion, written = [one.name for one in three], motion_of(three[1]), performances()
    path = str(tmp_path / "three.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path, load_ui=False)
    assert performances() == written
    first, second, third = (bpy.data.objects[name] for name in names)
    assert apart(motion_of(second), motion) < SAME
    go_to(17)
    bones = [bone.name for bone in second.pose.bones]
    before = joints_of(second, bones)
    drag(second.verbs_adverbs.director, mood=-1.0)
    assert apart(before, joints_of(second, bones)) > OTHER
    drag(first.verbs_adverbs.director, mood=-1.0)
    for one in (first, second):
        computed(one)
    assert apart(motion_of(first), motion_of(second)) < SAME
    assert apart(motion_of(third), motion) < SAME


def undo_step(message: str) -> None:
    bpy.context.view_layer.update()
    bpy.ops.ed.undo_push(message=message)


def test_undoing_a_slider_of_one_gives_that_one_back_and_leaves_the_others(three):
    names, written = [one.name for one in three], performances()
    undo_step("before")
    drag(three[1].verbs_adverbs.director, mood=-1.0)
    computed(three[1])
    undo_step("dragged")
    assert performances()[names[1]] != written[names[1]]
    bpy.ops.ed.undo()
    assert performances() == written
    bpy.ops.ed.redo()
    again = performances()
    assert again[names[1]] != written[names[1]]
    assert {name: again[name] for name in (names[0], names[2])} == {n: written[n] for n in (names[0], names[2])}


UNDONE = {
    "range": EDITS["range"],
    "fewer examples": EDITS["fewer examples"],
    "rotation mode": with_euler_angles,
    "feet": EDITS["feet"],
    "scale": EDITS["scale"],
    "key of an example": moved_key,
    "end of the scene": lambda _one: setattr(bpy.context.scene, "frame_end", 45),
    "start": lambda one: setattr(one.verbs_adverbs.director.verbs_adverbs, "start_frame", 3),
    "place": lambda one: setattr(one.verbs_adverbs.director.location, "x", 7.0),
    "place of the armature": lambda one: setattr(one.location, "x", 3.0),
}


@pytest.mark.parametrize("edit", UNDONE)
def test_what_an_undo_puts_back_is_played_at_once(three, edit):
    names, written = [one.name for one in three], performances()
    undo_step("before")
    UNDONE[edit](three[1])
    for one in three:
        computed(one)
    undo_step("edited")
    edited = performances()
    assert edited[names[1]] != written[names[1]]
    bpy.ops.ed.undo()
    bpy.context.view_layer.update()
    assert performances() == written
    bpy.ops.ed.redo()
    bpy.context.view_layer.update()
    assert performances() == edited


def test_an_undo_of_something_else_computes_nothing_again(three, tmp_path):
    count = len(three)
    other = bpy.data.objects.new("other", None)
    bpy.context.collection.objects.link(other)
    undo_step("made")
    undo_step("nothing")
    other.location.x = 1.0
    undo_step("moved")
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "rested.blend"), copy=True)
    assert calls(bpy.ops.ed.undo) < PASSED_OVER * count
    assert bpy.data.objects["other"].location.x == 0.0


def test_opening_a_file_computes_nothing_that_it_holds(three, tmp_path):
    path, count = str(tmp_path / "three.blend"), len(three)
    bpy.ops.wm.save_as_mainfile(filepath=path)
    assert calls(lambda: bpy.ops.wm.open_mainfile(filepath=path, load_ui=False)) < LOOKED_AT * count
    assert all(one.verbs_adverbs.director.verbs_adverbs.live for one in armatures())
