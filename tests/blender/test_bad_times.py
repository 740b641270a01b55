"""Keytimes, spans, contact windows and frame rates that are no numbers or beyond all bounds."""

import bpy
import pytest
from blender.figurine import assert_says, build_refused, refused, stand_on_foot, striding_figurine

OPS = bpy.ops.verbs_adverbs
IMPOSSIBLE = (float("nan"), float("inf"), -float("inf"), 1e30)


@pytest.fixture
def armature():
    """A striding figurine whose foot has a contact window in every example."""
    made = striding_figurine()
    stand_on_foot(made)
    return made


@pytest.fixture
def example(armature):
    return armature.verbs_adverbs.verbs[0].examples[2].action.verbs_adverbs.examples[0]


@pytest.mark.parametrize("value", IMPOSSIBLE, ids=str)
@pytest.mark.parametrize("end", ["start", "end"])
def test_a_window_that_ends_nowhere_is_told(example, capfd, end: str, value: float):
    setattr(example.contacts[0].windows[0], end, value)
    assert_says(build_refused(capfd), "'Foot'", "'stride 2'", "contact window")


def test_an_empty_window_is_told(example, capfd):
    example.contacts[0].windows[0].end = 2.0
    assert_says(build_refused(capfd), "'Foot'", "'stride 2'", "3 to 2")


@pytest.mark.parametrize("value", IMPOSSIBLE, ids=str)
@pytest.mark.parametrize("end", ["start", "end"])
def test_a_span_that_ends_nowhere_is_told(example, capfd, end: str, value: float):
    setattr(example, end, value)
    printed = "".join(capfd.readouterr())
    assert "RecursionError" not in printed and "Traceback" not in printed
    assert_says(build_refused(capfd), "'stride 2'")


@pytest.mark.parametrize("value", IMPOSSIBLE, ids=str)
@pytest.mark.parametrize("row", [0, 1, 2])
def test_a_keytime_that_is_nowhere_is_told(example, capfd, row: int, value: float):
    example.keytimes[row].frame = value
    printed = "".join(capfd.readouterr())
    assert "RecursionError" not in printed and "Traceback" not in printed
    assert_says(build_refused(capfd), "'stride 2'")
    example.active_keytime = row
    assert_says(refused(OPS.keytime_jump, capfd, to="ACTIVE"), "cannot go to frame")


@pytest.mark.parametrize("value", IMPOSSIBLE, ids=str)
def test_keytimes_that_are_nowhere_can_be_put_right(example, capfd, value: float):
    for keytime in example.keytimes:
        keytime.frame = value
    bpy.context.scene.frame_set(1)
    example.start, example.end = 1.0, 25.0
    example.active_keytime = 1
    bpy.context.scene.frame_set(13)
    assert OPS.keytime_move() == {"FINISHED"}
    assert [keytime.frame for keytime in example.keytimes] == [1.0, 13.0, 25.0]
    assert OPS.verb_build() == {"FINISHED"}


@pytest.mark.parametrize("value", [float("nan"), 1e30], ids=str)
def test_a_command_at_no_frame_is_not_gone_to(armature, capfd, value: float):
    OPS.command_add(verb="stride", frame=3.0)
    data = armature.verbs_adverbs.director.animation_data
    curves = [c for c in _curves(data) if c.data_path == '["command"]']
    curves[0].keyframe_points[0].co.x = value
    assert_says(refused(OPS.command_go, capfd), "cannot go to frame")


def _curves(data):
    if not hasattr(data.action, "layers"):
        return data.action.fcurves
    return data.action.layers[0].strips[0].channelbag(data.action_slot).fcurves
