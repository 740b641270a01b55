"""An edit that is refused leaves everything as it was: dragged markers are heeded only by edits that succeed."""

import bpy
import pytest
from blender.figurine import LAST, MIDDLE, annotate, figurine, refused, stride

OPS = bpy.ops.verbs_adverbs


@pytest.fixture
def example():
    """An example whose marker in the middle was dragged from 13 to 10, with a contact from 4 to 13."""
    armature = figurine()
    made = annotate(armature, stride(armature, "stride"))
    OPS.contact_add(bone="Foot")
    OPS.window_add(start=4.0, end=float(MIDDLE))
    marker = next(marker for marker in made.id_data.pose_markers if marker.name.startswith("middle"))
    marker.frame = 10
    return made


def window(example) -> tuple[float, float]:
    return example.contacts[0].windows[0].start, example.contacts[0].windows[0].end


@pytest.mark.parametrize("frame", [60, 10, 1])
def test_a_keytime_that_cannot_be_added(example, capfd, frame: int):
    bpy.context.scene.frame_set(frame)
    assert f"{frame}" in refused(OPS.keytime_add, capfd, name="late")


def test_where_a_marker_was_a_keytime_can_be_added(example):
    bpy.context.scene.frame_set(MIDDLE)
    assert OPS.keytime_add(name="late") == {"FINISHED"}
    assert [keytime.frame for keytime in example.keytimes] == [1, 10, MIDDLE, LAST]


@pytest.mark.parametrize("span", [(5.0, 8.0), (8.0, 5.0)])
def test_a_window_that_overlaps_or_is_empty(example, capfd, span: tuple[float, float]):
    assert "'Foot'" in refused(OPS.window_add, capfd, start=span[0], end=span[1])


def test_a_window_may_follow_one_whose_end_was_dragged(example):
    assert OPS.window_add(start=11.0, end=16.0, snap=False) == {"FINISHED"}
    assert [(w.start, w.end) for w in example.contacts[0].windows] == [(4.0, 10.0), (11.0, 16.0)]


def test_a_window_snaps_to_where_the_marker_is(example):
    OPS.window_remove(index=0)
    OPS.window_add(start=4.0, end=10.4)
    assert window(example) == (4.0, 10.0)


def test_edges_are_drawn_where_the_markers_are(example, capfd):
    bpy.context.scene.frame_set(3)
    assert "not down before frame 3" in refused(OPS.window_edge, capfd, edge="UP")
    bpy.context.scene.frame_set(40)
    assert "is the end of" in refused(OPS.window_edge, capfd, edge="DOWN")
    bpy.context.scene.frame_set(12)
    OPS.window_edge(edge="DOWN")
    assert [(w.start, w.end) for w in example.contacts[0].windows] == [(4.0, 10.0), (12.0, LAST)]
    bpy.context.scene.frame_set(8)
    OPS.window_edge(edge="UP")
    assert window(example) == (4.0, 8.0)


def test_an_end_that_would_empty_the_span(example, capfd):
    bpy.context.scene.frame_set(30)
    assert "cannot span" in refused(OPS.example_span, capfd, side="START")


def test_values_are_filled_in_where_actions_can_be_edited(example):
    OPS.verb_add(name="stride")
    OPS.adverb_add(name="energy")
    armature = bpy.context.object
    newer = annotate(armature, stride(armature, "newer"))
    OPS.verb_examples_add(choices=[{"name": n, "action": n, "uid": "", "chosen": True} for n in ("stride", "newer")])
    newer.id_data.verbs_adverbs.schema = 99
    assert OPS.verb_values_fill() == {"FINISHED"}
    assert ["energy" in item.values for item in (example, newer)] == [True, False]
