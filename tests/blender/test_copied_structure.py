"""Copies of an example's structure: where they lie, and what follows when their ends are moved."""

import bpy
import pytest
from blender.figurine import FIRST, MIDDLE, annotate, assign, figurine, keytimes, markers, stride

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


def copied_to(armature, source, name: str, last: int):
    """The example that an action of some length gets when the structure of the action `source` is copied to it."""
    target = stride(armature, name, last=last)
    assign(armature, source)
    OPS.structure_copy(choices=[{"name": name, "chosen": True}])
    assign(armature, target)
    return target.verbs_adverbs.examples[0]


def test_a_copy_leaves_as_much_before_and_after_as_its_source_in_proportion(armature, action):
    OPS.example_add(name="part", span="CUSTOM", start=7.0, end=19.0)
    assert keytimes(copied_to(armature, action, "long", 49)) == [("start", 13), ("end", 37)]
    assert keytimes(copied_to(armature, action, "short", 13)) == [("start", 4), ("end", 10)]


def test_copied_keytimes_keep_their_proportion_when_an_end_moves(armature, action, example):
    OPS.contact_add(bone="Foot")
    OPS.window_add(start=4.0, end=13.0)
    copied = copied_to(armature, action, "long", 49)
    bpy.context.scene.frame_set(9)
    OPS.example_span(side="START")
    bpy.context.scene.frame_set(33)
    OPS.example_span(side="END")
    assert keytimes(copied) == [("start", 9), ("middle", 21), ("end", 33)]
    assert markers(copied.id_data) == {"start": 9, "middle": 21, "end": 33}
    window = copied.contacts[0].windows[0]
    assert (window.start, window.end) == (12, 21)


@pytest.mark.parametrize("how", ["key", "marker"])
def test_a_copied_keytime_that_was_moved_stays_when_an_end_moves(armature, action, example, how: str):
    copied = copied_to(armature, action, "long", 49)
    if how == "key":
        copied.active_keytime = 1
        bpy.context.scene.frame_set(30)
        OPS.keytime_move()
    else:
        next(m for m in copied.id_data.pose_markers if m.name.startswith("middle")).frame = 30
    bpy.context.scene.frame_set(45)
    OPS.example_span(side="END")
    assert keytimes(copied) == [("start", 1), ("middle", 30), ("end", 45)]


def test_keytimes_that_were_never_copied_stay_when_an_end_moves(example):
    bpy.context.scene.frame_set(22)
    OPS.example_span(side="END")
    assert keytimes(example) == [("start", FIRST), ("middle", MIDDLE), ("end", 22)]
