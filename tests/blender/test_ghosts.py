"""Ghosts without a window: neighbouring examples stand as the character would, and a sheet holds a whole lattice."""

from dataclasses import replace

import bpy
import numpy as np
import pytest
from blender.stage import built_verb, core_joints, go_to, joints_of, live_biped, part

OPS = bpy.ops.verbs_adverbs
ADVERBS = ("mood", "slope")


@pytest.fixture
def armature(extension):
    found = live_biped()
    found.verbs_adverbs.director.verbs_adverbs.performance.lock_feet = False
    return found


def _slide(armature, **values: float) -> None:
    for name, value in values.items():
        armature.verbs_adverbs.director[name] = value
    assert OPS.performance_write() == {"FINISHED"}


def _sheet(armature, columns: int, rows: int, generic: float | None = 0.0):
    sheets = part("bridge.session.drawing.sheet")
    return sheets.sheet_of(armature, ADVERBS, sheets.Asked(columns, rows, generic), bpy.context.scene)


def test_the_ghost_of_an_example_stands_as_the_character_does_at_its_place(armature):
    _slide(armature, mood=1.0, slope=0.0, turn=1.0)
    neighbours, verb = part("bridge.session.drawing.neighbours"), built_verb(armature)
    for frame in (1, 23):
        go_to(frame)
        found = neighbours.neighbours_of(armature, "mood", bpy.context.scene)
        assert len(found.names) == 1 and "happy" in found.names[0]
        sticks = part("core.verb.ghosts").sticks_of(verb.channels)
        names = [verb.channels.skeleton.names[joint] for joint in sticks.joints]
        np.testing.assert_allclose(found.corners[0, :, 0], joints_of(armature, names), atol=2e-3)
    assert neighbours.neighbours_of(armature, "mood", bpy.context.scene) is found


def test_neighbours_are_the_examples_of_the_largest_weights_in_the_order_of_the_pad(armature):
    _slide(armature, mood=0.4, slope=0.0, turn=0.0)
    found = part("bridge.session.drawing.neighbours").neighbours_of(armature, "mood", bpy.context.scene)
    assert found.names[:2] == ("Walk plain", "Walk happy") and (found.weights >= 0.05).all()
    assert found.weights[0] > found.weights[1] and found.corners.shape[0] == len(found.names) <= 3


def test_a_sheet_has_a_ghost_at_each_value_and_examples_are_marked(armature):
    assert [bool(name) for name in _sheet(armature, 3, 3).names] == [True] * 9
    sheet = _sheet(armature, 5, 4)
    assert len(sheet.names) == 20 + 3 and sum(map(bool, sheet.names)) == 9
    texts = [text for text, _ in sheet.labels]
    assert texts[:5] == ["mood -1 (sad)", "-0.5", "0", "0.5", "mood 1 (happy)"]
    assert texts[5] == "slope -1 (downhill)" and texts[8] == "slope 1 (uphill)"
    armature.verbs_adverbs.director["turn"] = 1.0
    assert sum(map(bool, _sheet(armature, 5, 4).names)) == 3


def test_its_ghosts_stand_as_the_verb_does_there_at_one_time_or_at_that_of_the_character(armature):
    verb, heads = built_verb(armature), _sheet(armature, 2, 2, 0.3)
    joints = part("core.verb.ghosts").sticks_of(verb.channels).joints
    row = verb.motion([1.0, 1.0, 0.0]).sample_phases(np.array([0.3]))
    row[:, :3] = 0.0
    expected = core_joints(verb, row)[0]
    ghost = heads.corners[heads.names.index("Walk happy uphill"), :, 0]
    np.testing.assert_allclose(ghost - ghost[0], (expected - expected[0])[joints], atol=1e-6)
    go_to(1)
    begins = _sheet(armature, 2, 2, None).corners
    go_to(9)
    assert np.abs(_sheet(armature, 2, 2, None).corners - begins).max() > 0.1


def test_a_sheet_turns_with_where_the_character_starts(armature):
    before = _sheet(armature, 2, 2).corners
    director = armature.verbs_adverbs.director
    director.location, director.rotation_euler.z = (1.0, 2.0, 0.5), 0.5 * np.pi
    after = _sheet(armature, 2, 2).corners
    expected = np.stack([1.0 - before[..., 1], 2.0 + before[..., 0], 0.5 + before[..., 2]], axis=-1)
    np.testing.assert_allclose(after, expected, atol=1e-5)


def test_without_a_window_a_sheet_cannot_be_drawn(armature, tmp_path):
    with pytest.raises(RuntimeError, match="drawn by the graphics card: open the file in a window"):
        OPS.sheet_render(filepath=str(tmp_path / "sheet.png"))
    assert not list(tmp_path.iterdir())


def test_a_sheet_lies_behind_the_start_wherever_the_verb_goes(armature, monkeypatch):
    sheets, behind = part("bridge.session.drawing.sheet"), _sheet(armature, 3, 2)
    assert behind.corners[..., 1].min() > 0.5
    rates = sheets.rates

    def other_way(verb, at):
        found = rates(verb, at)
        return replace(found, course=found.course + np.pi)

    monkeypatch.setattr(sheets, "rates", other_way)
    monkeypatch.delitem(part("bridge.blender.store")._latest, ("lattice",))
    assert _sheet(armature, 3, 2).corners[..., 1].max() < -0.5
