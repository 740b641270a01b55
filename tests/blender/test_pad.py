"""The adverb pad without a window: which adverbs it has, what lies in it, and how its point moves the sliders."""

import bpy
import numpy as np
import pytest
from blender.stage import live_biped, part

OPS = bpy.ops.verbs_adverbs


@pytest.fixture
def armature(extension):
    found = live_biped()
    choice = bpy.context.window_manager.verbs_adverbs_pad
    choice.x = choice.y = ""
    return found


def chosen(armature, first: str = "", second: str = "") -> tuple[str, str] | None:
    return part("bridge.authoring.pad").adverbs_of_pad(armature, first, second)


def test_it_has_the_adverbs_that_are_asked_for_or_else_the_first_ones(armature):
    assert chosen(armature) == ("mood", "slope")
    assert chosen(armature, "turn") == ("turn", "mood")
    assert chosen(armature, "", "mood") == ("slope", "mood")
    assert chosen(armature, "turn", "turn") == ("turn", "mood")
    assert chosen(armature, "gone", "turn") == ("mood", "turn")
    OPS.live_off()
    assert chosen(armature) is None and not OPS.pad_drag.poll()


def test_an_adverb_without_a_range_is_none_of_it(armature):
    slope = armature.verbs_adverbs.adverbs["slope"]
    slope.minimum = slope.maximum = 0.25
    assert chosen(armature) == ("mood", "turn") and chosen(armature, "slope", "turn") == ("mood", "turn")


def test_the_fields_show_and_change_its_adverbs(armature):
    choice = bpy.context.window_manager.verbs_adverbs_pad
    assert (choice.to_the_right, choice.upward) == ("mood", "slope")
    choice.upward = "turn"
    assert choice.y == "turn" and (choice.to_the_right, choice.upward) == ("mood", "turn")
    choice.to_the_right = "slope"
    assert (choice.to_the_right, choice.upward) == ("slope", "turn")
    choice.to_the_right = "turn"
    assert (choice.to_the_right, choice.upward) == ("turn", "slope")


def test_examples_lie_where_their_values_say_and_weigh_all_at_their_place(armature):
    pads, director = part("bridge.authoring.pad"), armature.verbs_adverbs.director
    pad = pads.pad_of(armature, ("mood", "slope"))
    items = armature.verbs_adverbs.adverbs
    for reference, dot in zip(armature.verbs_adverbs.verbs["walk"].examples, pad.ground.dots, strict=True):
        values = reference.action.verbs_adverbs.examples[0].values
        for name, share in zip(("mood", "slope"), dot, strict=True):
            item = items[name]
            assert item.minimum + share * (item.maximum - item.minimum) == pytest.approx(values[name].value, abs=1e-6)
    director["mood"], director["slope"], director["turn"] = 1.0, 0.0, 0.0
    there = pads.pad_of(armature, ("mood", "slope"))
    assert there.point == pytest.approx((1.0, 0.5))
    assert sorted(there.weights.tolist())[-1] == pytest.approx(1.0, abs=1e-6)
    assert there.ground is pad.ground
    director["turn"] = 1.0
    assert pads.pad_of(armature, ("mood", "slope")).ground is not pad.ground
    assert (pad.ground.trusted > 0.0).all() and pad.ground.trusted.max() <= 1.0


def test_a_place_sets_both_sliders_and_is_keyed_where_that_is_done_by_itself(armature):
    director = armature.verbs_adverbs.director
    assert OPS.pad_drag(place=(0.75, 0.25)) == {"FINISHED"}
    assert (director["mood"], director["slope"]) == pytest.approx((0.5, -0.5))
    assert director.animation_data is None
    bpy.context.scene.tool_settings.use_keyframe_insert_auto = True
    bpy.context.scene.frame_set(9)
    assert OPS.pad_drag(place=(0.0, 1.0)) == {"FINISHED"}
    curves = part("bridge.data.adverb_values").adverb_curves(director)
    keys = {path: tuple(curve.keyframe_points[0].co) for path, curve in curves.items()}
    assert keys == {'["mood"]': (9.0, -1.0), '["slope"]': (9.0, 1.0)}


def test_a_slider_that_something_else_moves_is_left_to_it(armature):
    director = armature.verbs_adverbs.director
    before = director["slope"]
    director.driver_add('["mood"]').driver.expression = "0.5"
    with pytest.raises(RuntimeError, match="'mood' of 'Biped director' is controlled by a driver"):
        OPS.pad_drag(place=(0.1, 0.1))
    assert director["slope"] == before


def test_a_place_that_is_none_is_refused(armature):
    director = armature.verbs_adverbs.director
    before = dict(director.items())
    with pytest.raises(RuntimeError, match="not a finite number"):
        OPS.pad_drag(place=(0.5, float("nan")))
    assert {name: director[name] for name in ("mood", "slope")} == {name: before[name] for name in ("mood", "slope")}


def test_before_the_verb_is_built_it_has_its_point_alone(armature):
    part("bridge.blender.store").forget()
    pad = part("bridge.authoring.pad").pad_of(armature, ("mood", "slope"))
    assert pad.ground is None and np.isfinite(pad.point).all()


def test_ends_of_adverbs_have_names_which_the_pad_shows_and_copied_verbs_keep(armature):
    pads, mood = part("bridge.authoring.pad"), armature.verbs_adverbs.adverbs["mood"]
    assert pads.pad_of(armature, ("mood", "turn")).ends == (("sad", "happy"), ("right", "left"))
    mood.minimum, mood.maximum = mood.maximum, mood.minimum
    assert pads.ends_of(armature, "mood") == ("happy", "sad")


def test_names_of_dots_stand_in_the_square_and_none_over_another(armature):
    words, pads = part("panels.view.pad_words"), part("bridge.authoring.pad")
    square, director = part("operators.view.pad").Square(30.0, 50.0, 150.0), armature.verbs_adverbs.director
    seen = set()
    for mood, slope in ((0.0, 0.0), (0.7, 0.8), (-0.9, -0.2), (1.0, 1.0), (0.1, -0.5)):
        director["mood"], director["slope"] = mood, slope
        pad = pads.pad_of(armature, ("mood", "slope"))
        for mouse in (None, (31.0, 199.0)):
            made = words.labels(square, 1.0, pad, mouse, lambda text: 5.5 * len(text))
            assert made and all(one.left >= 30.0 and one.right <= 180.0 for one in made)
            assert all(one.bottom >= 50.0 and one.top <= 200.0 for one in made)
            for place, one in enumerate(made):
                for other in made[:place]:
                    apart = one.right <= other.left or other.right <= one.left
                    assert apart or one.top <= other.bottom or other.top <= one.bottom
            assert mouse is None or made[0].text.startswith("Walk s") and made[0].text.endswith("uphill")
            seen |= {one.text for one in made}
    assert {"Walk plain", "Walk happy"} & seen


def test_a_trail_tells_where_the_point_was_and_vanishes_where_it_rests(armature):
    drawing, pads = part("panels.view.pad_drawing"), part("bridge.authoring.pad")
    square, director = part("operators.view.pad").Square(0.0, 0.0, 100.0), armature.verbs_adverbs.director

    def corners(seconds: float, mood: float) -> list[tuple[float, ...]]:
        director["mood"] = mood
        pad, shapes = pads.pad_of(armature, ("mood", "slope")), drawing.Shapes()
        drawing.note_point(pad, "the test", seconds)
        drawing.add_trail(shapes, square, 1.0, seconds)
        return [(*shape[::3], *shape[1::3]) for shape in np.reshape(shapes._rectangles, (-1, 12)).tolist()]

    assert corners(100.0, -1.0) == []
    for step in range(1, 41):
        found = corners(100.0 + 0.02 * step, -1.0 + 0.05 * step)
    assert 5 <= len(found) <= 10
    assert (min(found[0][:4]), max(found[-1][:4])) == pytest.approx((0.0, 100.0), abs=1e-4)
    assert 0.0 < max(found[0][4:]) - 50.0 < max(found[-1][4:]) - 50.0 <= 2.0
    assert corners(110.0, 1.0) == []
