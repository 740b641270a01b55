"""The curve by which one gesture becomes the next, edited in Blender's own widget and played as it is drawn."""

from collections.abc import Callable

import bpy
import numpy as np
import pytest
from blender.layering import degrees, poses
from blender.performance import OPS
from blender.stage import part, rested, saved_and_loaded
from blender.talking_biped import read_words, talking_biped

WORDS = """1
00:00:01,300 --> 00:00:01,900
<offer>welcome

2
00:00:03,000 --> 00:00:03,600
<indicate>there.
"""
SHARES = np.linspace(0.0, 1.0, 201)
WITHIN = 3
"""Steps of `SHARES`, a 64th of the time, within which a weight is as it is drawn."""
FRAMES = list(range(12, 100, 4))


def talking(tmp_path) -> bpy.types.Object:
    armature = talking_biped()
    read_words(WORDS, tmp_path)
    assert OPS.talk() == {"FINISHED"}
    return armature


@pytest.fixture
def armature(tmp_path) -> bpy.types.Object:
    return talking(tmp_path)


def director_of(armature):
    return armature.verbs_adverbs.director


def node_of(armature):
    (node,) = director_of(armature).verbs_adverbs.speech.curve.nodes
    return node


def drawn(armature) -> np.ndarray:
    """Weights (201,) as the widget draws them."""
    mapping = node_of(armature).mapping
    mapping.initialize()
    return np.array([mapping.evaluate(mapping.curves[0], share) for share in SHARES])


def played(armature) -> np.ndarray:
    """Weights (201,) by which gestures are blended."""
    return part("bridge.layers.talking").plays_of_words(armature).manners.curve.at(SHARES)


def told(armature) -> str:
    return " ".join(part("bridge.layers.gestures").curve_told(director_of(armature)))


def redraw(armature, points: dict[float, float], handle: str = "AUTO") -> None:
    """Draw the curve through other points, as a hand does in the widget."""
    mapping = node_of(armature).mapping
    curve = mapping.curves[0]
    while len(curve.points) > 2:
        curve.points.remove(curve.points[1])
    for share, weight in points.items():
        if share not in (0.0, 1.0):
            curve.points.new(share, weight)
    for point in curve.points:
        point.handle_type = handle
    for row, share in ((0, 0.0), (-1, 1.0)):
        curve.points[row].location = share, points.get(share, share)
    mapping.update()
    node_of(armature).id_data.update_tag()
    bpy.context.view_layer.update()


def shown(armature) -> np.ndarray:
    """Rotations of an arm at some frames around the words."""
    return poses(armature, FRAMES)["LowerArm_R"]


def test_taking_the_curve_in_hand_changes_nothing(armature, tmp_path, tell: Callable[[str], None]):
    usual, before = played(armature), shown(armature)
    assert OPS.curve_edit() == {"FINISHED"}
    rested(tmp_path)
    np.testing.assert_array_equal(played(armature), usual)
    np.testing.assert_allclose(shown(armature), before, atol=1e-6)
    off = float(np.abs(drawn(armature) - usual).max())
    tell(f"the widget shows the default curve within {off:.2%}")
    assert off < 0.01
    assert node_of(armature).id_data.name.startswith(".")
    assert not told(armature)


@pytest.mark.parametrize("handle", ["AUTO", "AUTO_CLAMPED", "VECTOR"])
@pytest.mark.parametrize("points", [{}, {0.3: 0.8}, {0.2: 0.05, 0.6: 0.4, 0.8: 0.97}, {0.4: 0.7, 0.7: 0.3}])
def test_what_is_drawn_is_played(armature, points: dict[float, float], handle: str):
    assert OPS.curve_edit() == {"FINISHED"}
    redraw(armature, points, handle)
    widget, weights = drawn(armature), played(armature)
    near = [widget[max(row - WITHIN, 0) : row + WITHIN + 1] for row in range(len(widget))]
    assert all(some.min() - 0.01 < weight < some.max() + 0.01 for some, weight in zip(near, weights, strict=True))
    assert "The curve goes from" not in told(armature)


def test_an_edited_curve_is_followed_and_reset(armature, tmp_path):
    before = shown(armature)
    assert OPS.curve_edit() == {"FINISHED"}
    redraw(armature, {0.15: 0.6, 0.5: 0.9})
    rested(tmp_path)
    assert degrees(before, shown(armature)) > 3.0
    assert OPS.curve_reset() == {"FINISHED"}
    rested(tmp_path)
    np.testing.assert_allclose(shown(armature), before, atol=1e-6)
    assert not [tree for tree in bpy.data.node_groups if "blending" in tree.name]
    with pytest.raises(RuntimeError, match="already the default curve"):
        OPS.curve_reset()


def test_ends_elsewhere_are_pulled_to_none_and_all_and_told(armature):
    assert OPS.curve_edit() == {"FINISHED"}
    redraw(armature, {0.0: 0.25, 1.0: 0.75}, "VECTOR")
    weights = played(armature)
    assert weights[0] == 0.0 and weights[-1] == 1.0
    assert np.abs(weights - SHARES).max() < 1e-6
    assert "The curve goes from 0.25 to 0.75" in told(armature)


def test_a_steep_curve_tells_what_it_costs(armature):
    assert OPS.curve_edit() == {"FINISHED"}
    redraw(armature, {0.45: 0.0, 0.55: 1.0}, "VECTOR")
    assert "times as steep" in told(armature)


def test_the_curve_is_saved_and_comes_along_where_the_character_is_appended(armature, tmp_path):
    assert OPS.curve_edit() == {"FINISHED"}
    redraw(armature, {0.3: 0.8})
    expected = played(armature)
    armature = saved_and_loaded(tmp_path)
    np.testing.assert_array_equal(played(armature), expected)
    saved = bpy.data.filepath
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    with bpy.data.libraries.load(saved) as (source, wanted):
        wanted.objects = source.objects
    for thing in wanted.objects:
        bpy.context.scene.collection.objects.link(thing)
    armature = next(thing for thing in wanted.objects if thing.type == "ARMATURE")
    np.testing.assert_allclose(drawn(armature)[60], 0.8, atol=1e-3)
    np.testing.assert_array_equal(part("bridge.layers.gestures").curve_of(director_of(armature)).at(SHARES), expected)


def test_editing_is_undone_and_done_again(armature, tmp_path):
    before = shown(armature)
    bpy.ops.ed.undo_push(message="talking")
    assert OPS.curve_edit("EXEC_DEFAULT", True) == {"FINISHED"}
    redraw(armature, {0.15: 0.6, 0.5: 0.9})
    bpy.ops.ed.undo_push(message="drawn")
    rested(tmp_path)
    edited = shown(armature)
    bpy.ops.ed.undo()
    armature = bpy.context.object
    np.testing.assert_allclose(shown(armature), before, atol=1e-6)
    bpy.ops.ed.undo()
    armature = bpy.context.object
    assert director_of(armature).verbs_adverbs.speech.curve is None
    bpy.ops.ed.redo()
    bpy.ops.ed.redo()
    armature = bpy.context.object
    rested(tmp_path)
    np.testing.assert_allclose(shown(armature), edited, atol=1e-6)
    assert degrees(before, edited) > 3.0


def test_a_curve_that_two_characters_have_can_be_made_ones_own(armature):
    assert OPS.curve_edit() == {"FINISHED"}
    redraw(armature, {0.3: 0.8})
    tree = director_of(armature).verbs_adverbs.speech.curve
    other = director_of(armature).copy()
    assert other.verbs_adverbs.speech.curve == tree and tree.users == 2
    assert OPS.curve_edit() == {"FINISHED"}
    assert other.verbs_adverbs.speech.curve == tree != director_of(armature).verbs_adverbs.speech.curve
    np.testing.assert_allclose(drawn(armature)[60], 0.8, atol=1e-3)
    assert tree.users == 1


def test_a_curve_whose_node_was_deleted_says_so_and_the_usual_one_is_played(armature):
    usual = played(armature)
    assert OPS.curve_edit() == {"FINISHED"}
    redraw(armature, {0.3: 0.8})
    tree = director_of(armature).verbs_adverbs.speech.curve
    tree.nodes.clear()
    assert "Press Reset" in told(armature)
    np.testing.assert_array_equal(played(armature), usual)
    assert OPS.curve_reset() == {"FINISHED"}


def test_the_panel_is_hidden_where_no_character_with_gestures_is_chosen(tmp_path):
    above = part("panels.talking").VERBS_ADVERBS_PT_blending.bl_parent_id
    poll = next(cls for cls in part("panels.talking").CLASSES if cls.__name__ == above).poll
    assert not poll(bpy.context)
    talking(tmp_path)
    assert poll(bpy.context)
    bpy.context.view_layer.objects.active = None
    assert not poll(bpy.context)
