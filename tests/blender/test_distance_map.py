"""The distance map without a window: what a place on it sets, how it ages, what refuses, and its colours."""

import bpy
import numpy as np
import pytest
from blender.figurine import assert_says, everything, refused
from blender.performance import OPS, biped_with_graph
from blender.stage import part

ENDS = ("leaves_begin", "leaves_end", "enters_begin", "enters_end")


@pytest.fixture
def armature(extension):
    found = biped_with_graph()
    rig = found.verbs_adverbs
    pairs = [(item.source, item.target) for item in rig.transitions]
    rig.active_transition = pairs.index((rig.verbs["walk"].uid, rig.verbs["wave"].uid))
    return found


def _item(armature):
    rig = armature.verbs_adverbs
    return rig.transitions[rig.active_transition]


def _ends(armature) -> list[float]:
    return [getattr(_item(armature), end) for end in ENDS]


def _maps():
    return part("bridge.authoring.distance_map")


def test_a_place_is_where_the_transition_begins_to_leave_and_enter_and_one_undo_gives_the_old_one_back(armature):
    _item(armature).leaves_begin_keytime = "L_up"
    bpy.ops.ed.undo_push(message="prepared")
    before = everything()
    assert OPS.transition_place("EXEC_DEFAULT", True, place=(0.9, 0.25)) == {"FINISHED"}
    item = _item(armature)
    assert (item.leaves_begin, item.enters_begin) == pytest.approx((0.9, 0.25), abs=1e-6)
    assert item.leaves_begin_keytime == ""
    seconds = []
    for name, begin, end in (("walk", *_ends(armature)[:2]), ("wave", *_ends(armature)[2:])):
        verb = part("bridge.authoring.verbs").verb_for(armature, armature.verbs_adverbs.verbs[name])
        motion = verb.motion(verb.places.mean(axis=0))
        seconds.append(float(np.diff(motion.clock([begin, end]))[0]))
    assert seconds == pytest.approx([0.4, 0.4], abs=1.0 / 30.0)
    assert part("bridge.authoring.graph").graph_for(armature).graph is not None
    bpy.ops.ed.undo()
    assert everything() == before


def test_suggest_takes_the_first_mark_of_the_map(armature):
    assert OPS.transition_map() == {"FINISHED"}
    assert OPS.transition_suggest(choice=1) == {"FINISHED"}
    kept = _maps().shown_map(armature, _item(armature))
    assert len(kept.marks) == 3
    assert (_item(armature).leaves_begin, _item(armature).enters_begin) == pytest.approx(kept.marks[0], abs=1e-6)
    square = part("operators.view.pad").Square(100.0, 50.0, 200.0)
    x, y = (origin + 200.0 * share for origin, share in zip(square, kept.marks[1], strict=False))
    snapped = part("operators.view.distance_map").snapped
    assert snapped(kept.marks, square, (x + 4.0, y), 7.0) == kept.marks[1]
    assert snapped(kept.marks, square, (x + 8.0, y + 40.0), 7.0) == square.share(x + 8.0, y + 40.0)


def test_a_map_is_out_of_date_when_a_verb_changes_and_is_that_of_its_own_pair_alone(armature):
    maps, rig = _maps(), armature.verbs_adverbs
    assert maps.outdated(armature, _item(armature)) == "Not computed"
    OPS.transition_map()
    assert maps.outdated(armature, _item(armature)) == ""
    kept = maps.shown_map(armature, _item(armature))
    rig.verbs["wave"].control_points = 20
    armature.update_tag()
    bpy.context.view_layer.update()
    assert maps.outdated(armature, _item(armature)) == "Out of date"
    assert maps.shown_map(armature, _item(armature)) is kept
    OPS.transition_map()
    assert maps.outdated(armature, _item(armature)) == "" and maps.shown_map(armature, _item(armature)) is not kept
    other = next(item for item in rig.transitions if item.source != _item(armature).source)
    assert maps.shown_map(armature, other) is None


def test_a_verb_that_is_gone_and_a_place_that_is_no_number_are_refused_in_a_sentence(armature, capfd):
    OPS.transition_map()
    assert "Enter numbers" in refused(OPS.transition_place, capfd, place=(float("nan"), 0.5))
    _item(armature).target = "gone"
    assert_says(refused(OPS.transition_place, capfd, place=(0.5, 0.5)), "wave", "no longer exists")
    assert_says(refused(OPS.transition_map, capfd), "wave", "no longer exists")


def test_what_a_file_holds_of_a_transition_may_be_damaged(armature):
    OPS.transition_map()
    kept, item = _maps().shown_map(armature, _item(armature)), _item(armature)
    pieces = part("panels.view.map_drawing").pieces_of
    for number in (float("nan"), float("inf"), -1e30, 1e30):
        for end in ENDS:
            setattr(item, end, number)
        for region in _maps().regions_on(kept, item):
            assert all(0.0 <= low <= high <= 1.0 for low, high in pieces(region))
        assert _maps().numbers_at(kept, (number, number))


def test_colours_are_evenly_apart_for_the_eye_and_begin_with_what_is_alike(armature):
    """Lightness, L* of CIE 1976 from sRGB, falls by equal steps from the most alike to the least."""
    colours = part("panels.view.map_drawing").colours_at(np.linspace(0.0, 1.0, 21))
    linear = np.where(colours <= 0.04045, colours / 12.92, ((colours + 0.055) / 1.055) ** 2.4)
    lightness = 116.0 * np.cbrt(linear @ [0.2126, 0.7152, 0.0722]) - 16.0
    steps = np.diff(lightness)
    assert steps.max() < 0.0 and lightness[0] > 85.0 and lightness[-1] < 20.0
    assert np.abs(steps / steps.mean() - 1.0).max() < 0.35


def test_the_picture_shows_the_least_difference_where_the_first_mark_is(armature):
    OPS.transition_map()
    kept, side = _maps().shown_map(armature, _item(armature)), 120
    drawing = part("panels.view.map_drawing")
    picture = drawing.picture_of(kept.compared, side)
    column, row = (min(int(share * side), side - 1) for share in kept.marks[0])
    assert picture.shape == (side, side, 4)
    assert np.abs(picture[row, column, :3] - drawing.colours_at(np.zeros(1))[0]).max() < 0.2
    assert (picture[-1, :, 3] == 0.0).all() and (picture[row, :, 3] == 1.0).all()
