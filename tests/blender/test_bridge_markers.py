"""Markers are the handle of keytimes: what the user does to them is heeded, and reading never writes."""

import bpy
import pytest
from blender.bridge_scenes import bridge, key_figure, make_figure


@pytest.fixture
def action() -> bpy.types.Action:
    made = key_figure(make_figure(), "walk")
    item = bridge.data.annotate.add_example(made, "walk", 5.0, 33.4, 30.0)
    bridge.data.annotate.add_keytime(made, item, "lift", 19.96)
    return made


def _example(action: bpy.types.Action) -> object:
    return action.verbs_adverbs.examples[0]


def _marker(action: bpy.types.Action, name: str) -> bpy.types.TimelineMarker:
    return next(marker for marker in action.pose_markers if marker.name.startswith(name + "\u2009"))


def _keytimes(action: bpy.types.Action) -> list[tuple[str, float]]:
    return [(name, round(frame, 3)) for name, frame in bridge.data.markers.effective_keytimes(_example(action))]


def _stored(action: bpy.types.Action) -> list[tuple[str, float]]:
    return [(keytime.name, round(keytime.frame, 3)) for keytime in _example(action).keytimes]


def test_markers_of_the_users_own_are_left_alone_whatever_they_are_called(action):
    for frame, name in enumerate(("take|7", "beat |1", "verse |2", "k3", "H₂O", "CO₂", "part ₃"), start=40):
        action.pose_markers.new(name).frame = frame
    bridge.data.markers.sync(action)
    bridge.data.annotate.set_value(action, _example(action), "mood", 0.5)
    found = {m.name: m.frame for m in action.pose_markers if "\u2009" not in m.name}
    assert found == {"take|7": 40, "beat |1": 41, "verse |2": 42, "k3": 43, "H₂O": 44, "CO₂": 45, "part ₃": 46}


def test_keytimes_between_frames_stay_there_under_their_markers(action):
    assert sorted((m.name, m.frame) for m in action.pose_markers) == [
        ("end\u2009₂", 33),
        ("lift\u2009₃", 20),
        ("start\u2009₁", 5),
    ]
    bridge.data.markers.sync(action)
    assert _stored(action) == [("start", 5.0), ("lift", 19.96), ("end", 33.4)] == _keytimes(action)


def test_a_dragged_marker_is_heeded_without_being_written(action):
    _marker(action, "lift").frame = 24
    assert _keytimes(action)[1] == ("lift", 24.0)
    assert _stored(action)[1] == ("lift", 19.96)
    bridge.data.markers.sync(action)
    assert _stored(action)[1] == ("lift", 24.0)


def test_a_marker_dragged_at_an_end_moves_the_span(action):
    _marker(action, "end").frame = 36
    assert bridge.data.markers.effective_span(_example(action)) == (5.0, 36.0)
    bridge.data.markers.sync(action)
    assert (_example(action).start, _example(action).end) == (5.0, 36.0)


def test_a_renamed_marker_renames_its_keytime(action):
    _marker(action, "lift").name = "up\u2009₃"
    assert _keytimes(action)[1] == ("up", 19.96)
    bridge.data.markers.sync(action)
    assert _stored(action)[1] == ("up", 19.96)


def test_a_deleted_marker_comes_back_where_its_keytime_is(action):
    action.pose_markers.remove(_marker(action, "lift"))
    assert _keytimes(action)[1] == ("lift", 19.96)
    bridge.data.markers.sync(action)
    assert _marker(action, "lift").frame == 20


def test_a_copy_of_a_marker_becomes_an_ordinary_one(action):
    copy = action.pose_markers.new("lift\u2009₃")
    copy.frame = 28
    assert _keytimes(action)[1] == ("lift", 19.96)
    bridge.data.markers.sync(action)
    assert sorted((m.name, m.frame) for m in action.pose_markers if m.name.startswith("lift")) == [
        ("lift", 28),
        ("lift\u2009₃", 20),
    ]


def test_markers_of_others_are_left_alone(action):
    for name in ("stomp", "a | b", "|", "left |x"):
        action.pose_markers.new(name).frame = 12
    bridge.data.markers.sync(action)
    bridge.data.annotate.remove_example(action, _example(action))
    assert sorted(marker.name for marker in action.pose_markers) == ["a | b", "left |x", "stomp", "|"]


def test_numbers_typed_in_a_panel_move_markers_and_span(action):
    item = _example(action)
    item.keytimes[1].frame = 15.5
    item.end = 31.0
    item.keytimes[0].name = "down"
    item.keytimes[0].frame = 7.0
    assert (item.start, item.end) == (7.0, 31.0)
    assert _keytimes(action) == [("down", 7.0), ("lift", 15.5), ("end", 31.0)] == _stored(action)
    assert {m.name: m.frame for m in action.pose_markers} == {"down\u2009₁": 7, "lift\u2009₃": 16, "end\u2009₂": 31}


def test_keytimes_of_copied_actions_have_markers_of_their_own(action):
    copy = action.copy()
    _marker(copy, "lift").frame = 26
    assert _keytimes(copy)[1] == ("lift", 26.0) and _keytimes(action)[1] == ("lift", 19.96)


def test_what_an_example_lacks_is_said(action):
    bpy.context.scene.render.fps = 30
    assert bridge.data.structure.complaints(_example(action)) == []
    _marker(action, "lift").frame = 40
    bridge.data.annotate.add_contact(action, _example(action), "Foot")
    _example(action).keytimes[1].frame = 40.0
    found = " / ".join(bridge.data.structure.complaints(_example(action)))
    assert "'end'" in found and "is not after 'lift'" in found and "Foot (head) has no windows" in found


def test_sorted_keytimes_take_the_span_with_them(action):
    for name, frame in (("start", 25), ("end", 12)):
        _marker(action, name).frame = frame
    bridge.data.annotate.sort_keytimes(action, _example(action))
    assert _keytimes(action) == [("end", 12.0), ("lift", 19.96), ("start", 25.0)] == _stored(action)
    assert (_example(action).start, _example(action).end) == (12.0, 25.0)


def _windows(action: bpy.types.Action) -> list[tuple[float, float]]:
    item = _example(action)
    return [
        (round(start, 3), round(end, 3))
        for contact in item.contacts
        for start, end in bridge.data.markers.effective_windows(item, contact)
    ]


def test_contact_windows_that_end_on_keytimes_go_with_them_over_the_seam_too(action):
    item = _example(action)
    item.cyclic = True
    down = bridge.data.annotate.add_contact(action, item, "Foot_L")
    bridge.data.annotate.add_window(action, item, down, 5.0, 19.96)
    over = bridge.data.annotate.add_contact(action, item, "Foot_R")
    bridge.data.annotate.add_window(action, item, over, 19.96, 33.4 + 19.96 - 5.0)
    _marker(action, "start").frame, _marker(action, "lift").frame, _marker(action, "end").frame = 7, 24, 37
    expected = [(7.0, 24.0), (24.0, 54.0)]
    assert _windows(action) == expected
    bridge.data.markers.sync(action)
    assert _windows(action) == expected
    assert [(window.start, window.end) for contact in item.contacts for window in contact.windows] == expected
    bridge.data.annotate.move_keytime(action, item, 1, 22.0)
    assert _windows(action) == [(7.0, 22.0), (22.0, 52.0)]
    bridge.data.annotate.set_span(action, item, 6.0, 37.0)
    assert _windows(action) == [(6.0, 22.0), (22.0, 53.0)]


def test_contact_windows_that_end_elsewhere_stay_when_keytimes_move(action):
    item = _example(action)
    contact = bridge.data.annotate.add_contact(action, item, "Foot_L")
    bridge.data.annotate.add_window(action, item, contact, 8.0, 17.5)
    _marker(action, "lift").frame, _marker(action, "end").frame = 24, 36
    bridge.data.markers.sync(action)
    assert _windows(action) == [(8.0, 17.5)]
