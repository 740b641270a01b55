"""Annotating actions by operators: examples, keytimes and their markers, contacts, adverb values."""

import bpy
import pytest
from blender.figurine import (
    FIRST,
    LAST,
    MIDDLE,
    annotate,
    assign,
    everything,
    figurine,
    keytimes,
    markers,
    part,
    refused,
    stride,
)

OPS = bpy.ops.verbs_adverbs


@pytest.fixture
def armature():
    made = figurine()
    stride(made, "stride")
    return made


@pytest.fixture
def action(armature):
    return armature.animation_data.action


@pytest.fixture
def example(armature, action):
    return annotate(armature, action)


def test_an_example_spans_the_keys_of_the_current_action(action):
    assert OPS.example_add() == {"FINISHED"}
    example = action.verbs_adverbs.examples[0]
    assert (example.name, example.start, example.end) == ("stride", FIRST, LAST)
    assert (example.kind, example.cyclic, example.fps) == ("TRAVELLING", True, 24.0)
    assert keytimes(example) == [("start", FIRST), ("end", LAST)]


def test_an_example_can_span_the_preview_range(action):
    scene = bpy.context.scene
    scene.use_preview_range, scene.frame_preview_start, scene.frame_preview_end = True, 5, 17
    OPS.example_add(span="SCENE", name="part")
    assert (action.verbs_adverbs.examples[0].start, action.verbs_adverbs.examples[0].end) == (5, 17)


def test_an_example_spans_the_actions_own_frame_range_when_it_has_one(action):
    action.use_frame_range, action.frame_start, action.frame_end = True, 3, 19
    OPS.example_add()
    assert (action.verbs_adverbs.examples[0].start, action.verbs_adverbs.examples[0].end) == (3, 19)


def test_an_action_holds_several_examples(action):
    OPS.example_add(name="first half", span="CUSTOM", start=1.0, end=12.5)
    OPS.example_add(name="second half", span="CUSTOM", start=12.5, end=25.0)
    examples = action.verbs_adverbs.examples
    assert [item.name for item in examples] == ["first half", "second half"]
    assert len({item.uid for item in examples}) == 2
    assert len({keytime.uid for item in examples for keytime in item.keytimes}) == 4


def test_a_keytime_is_added_at_the_current_sub_frame_in_order_of_time(example, action):
    bpy.context.scene.frame_set(7, subframe=0.25)
    OPS.keytime_add(name="early")
    assert keytimes(example) == [("start", 1), ("early", 7.25), ("middle", MIDDLE), ("end", LAST)]
    assert markers(action) == {"start": 1, "early": 7, "middle": MIDDLE, "end": LAST}


def test_a_keytime_is_renamed_with_its_marker(example, action):
    example.active_keytime = 1
    OPS.keytime_rename(name="left heel down")
    assert "left heel down" in markers(action) and "middle" not in markers(action)


def test_a_keytime_is_removed_with_its_marker(example, action):
    example.active_keytime = 1
    OPS.keytime_remove()
    assert keytimes(example) == [("start", FIRST), ("end", LAST)]
    assert "middle" not in markers(action)


def test_the_ends_of_an_example_are_not_removed_but_moved(example, capfd):
    example.active_keytime = 0
    assert "ends of the example" in refused(OPS.keytime_remove, capfd)
    bpy.context.scene.frame_set(3)
    OPS.keytime_move()
    assert (example.start, example.keytimes[0].frame) == (3, 3)


def test_a_keytime_does_not_move_past_its_neighbour(example, capfd):
    example.active_keytime = 0
    bpy.context.scene.frame_set(20)
    sentence = refused(OPS.keytime_move, capfd)
    assert "'start'" in sentence and "20" in sentence and "13" in sentence


def test_a_dragged_marker_moves_its_keytime(example, action):
    marker = next(marker for marker in action.pose_markers if marker.name.startswith("middle"))
    marker.frame = 10
    assert part("bridge.data.markers").effective_keytimes(example)[1] == ("middle", 10.0)
    OPS.markers_sync()
    assert example.keytimes[1].frame == 10


def test_keytimes_dragged_past_each_other_are_sorted(example, action):
    bpy.context.scene.frame_set(7)
    OPS.keytime_add(name="early")
    next(marker for marker in action.pose_markers if marker.name.startswith("early")).frame = 20
    OPS.keytimes_sort()
    assert [name for name, _ in keytimes(example)] == ["start", "middle", "early", "end"]


def test_one_can_jump_from_keytime_to_keytime(example):
    scene = bpy.context.scene
    scene.frame_set(5)
    OPS.keytime_jump(to="NEXT")
    assert scene.frame_current == MIDDLE and example.active_keytime == 1
    OPS.keytime_jump(to="PREVIOUS")
    assert scene.frame_current == FIRST
    example.active_keytime = 2
    OPS.keytime_jump(to="ACTIVE")
    assert scene.frame_current == LAST


def test_there_is_no_keytime_after_the_last(example, capfd):
    bpy.context.scene.frame_set(40)
    assert "no next keytime from frame 40" in refused(OPS.keytime_jump, capfd, to="NEXT")


def test_the_span_is_set_at_the_current_frame(example):
    bpy.context.scene.frame_set(4)
    OPS.example_span(side="START")
    bpy.context.scene.frame_set(22)
    OPS.example_span(side="END")
    assert (example.start, example.end) == (4, 22)


def test_an_example_is_removed_with_its_markers_but_not_its_keys(example, action):
    OPS.example_remove()
    assert len(action.verbs_adverbs.examples) == 0 and len(action.pose_markers) == 0
    assert tuple(action.frame_range) == (FIRST, LAST)


def test_a_contact_point_is_added_on_each_selected_bone(armature, example):
    bpy.ops.object.mode_set(mode="POSE")
    for bone in armature.pose.bones:
        owner = bone if "select" in bone.bl_rna.properties else bone.bone
        owner.select = bone.name in ("Leg", "Foot")
    OPS.contact_add(end="TAIL")
    assert [(contact.bone, contact.end) for contact in example.contacts] == [("Leg", "TAIL"), ("Foot", "TAIL")]


def test_windows_are_drawn_by_stepping_through_the_action(example):
    OPS.contact_add(bone="Foot")
    bpy.context.scene.frame_set(4)
    OPS.window_edge(edge="DOWN")
    bpy.context.scene.frame_set(9)
    OPS.window_edge(edge="UP")
    window = example.contacts[0].windows[0]
    assert (window.start, window.end) == (4, 9)


def test_a_window_between_keytimes_reaches_over_the_seam_of_a_cycle(example):
    OPS.contact_add(bone="Foot")
    OPS.window_from_keytimes(first="1", last="0")
    window = example.contacts[0].windows[0]
    assert (window.start, window.end) == (MIDDLE, LAST)
    OPS.window_remove(index=0)
    example.active_keytime = 1
    bpy.context.scene.frame_set(18)
    OPS.keytime_add(name="late")
    OPS.window_from_keytimes(first="2", last="1")
    window = example.contacts[0].windows[0]
    assert (window.start, window.end) == (18, LAST + MIDDLE - FIRST)


def test_a_contact_point_and_its_window_are_removed(example):
    OPS.contact_add(bone="Foot")
    OPS.window_add(start=3.0, end=8.0)
    OPS.window_remove(index=0)
    assert len(example.contacts[0].windows) == 0
    OPS.contact_remove()
    assert len(example.contacts) == 0


def test_a_contact_that_never_came_down_cannot_go_up(example, capfd):
    OPS.contact_add(bone="Foot")
    bpy.context.scene.frame_set(9)
    assert "not down before frame 9" in refused(OPS.window_edge, capfd, edge="UP")


def test_values_are_filled_in_with_the_defaults_of_the_adverbs(armature, example):
    OPS.adverb_add(name="energy", default=0.5)
    OPS.adverb_add(name="turn")
    OPS.value_set(adverb="turn", value=0.25)
    OPS.values_fill()
    assert {value.name: value.value for value in example.values} == {"turn": 0.25, "energy": 0.5}


def test_the_structure_is_copied_to_several_actions_in_proportion(armature, action, example):
    OPS.contact_add(bone="Foot")
    OPS.window_add(start=1.0, end=13.0)
    others = [stride(armature, "long", last=49), stride(armature, "short", last=13)]
    assign(armature, action)
    OPS.structure_copy(choices=[{"name": other.name, "chosen": True} for other in others])
    for other, middle in zip(others, (25, 7), strict=True):
        copied = other.verbs_adverbs.examples[0]
        assert keytimes(copied) == [("start", 1), ("middle", middle), ("end", other.frame_range[1])]
        assert (copied.kind, copied.cyclic) == ("TRAVELLING", True)
        assert (copied.contacts[0].windows[0].start, copied.contacts[0].windows[0].end) == (1, middle)
        assert copied.name == other.name


def test_nothing_is_copied_when_one_of_the_actions_cannot_take_it(armature, action, example, capfd):
    good = stride(armature, "good")
    assign(armature, action)
    bpy.data.actions.new("empty")
    sentence = refused(
        OPS.structure_copy, capfd, choices=[{"name": "good", "chosen": True}, {"name": "empty", "chosen": True}]
    )
    assert "'empty'" in sentence and "no keys" in sentence
    assert len(good.verbs_adverbs.examples) == 0


def test_annotations_survive_saving_and_loading(armature, example, tmp_path):
    OPS.contact_add(bone="Foot")
    OPS.window_add(start=3.5, end=8.25)
    before = everything()
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "kept.blend"))
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    assert "stride" not in bpy.data.actions
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "kept.blend"))
    assert everything() == before


def test_annotations_survive_appending(armature, example, tmp_path):
    before = part("bridge.data.content").plain(bpy.data.actions["stride"].verbs_adverbs)
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "kept.blend"))
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    with bpy.data.libraries.load(str(tmp_path / "kept.blend")) as (_there, wanted):
        wanted.actions = ["stride"]
    assert part("bridge.data.content").plain(bpy.data.actions["stride"].verbs_adverbs) == before


def test_annotations_survive_copying_the_action(action, example):
    copied = action.copy()
    plain = part("bridge.data.content").plain
    assert plain(copied.verbs_adverbs) == plain(action.verbs_adverbs)
    assert markers(copied) == markers(action)


def test_a_linked_action_is_not_annotated(armature, example, tmp_path, capfd):
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "kept.blend"))
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    with bpy.data.libraries.load(str(tmp_path / "kept.blend"), link=True) as (_there, wanted):
        wanted.actions = ["stride"]
    assign(figurine(), bpy.data.actions["stride"])
    assert "linked from another file" in refused(OPS.example_add, capfd)
