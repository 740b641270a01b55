"""What rows and sentences of the panels say: numbers as exactly as matters, and what moves the character."""

import bpy
import pytest
from blender.stage import part, walking_biped

OPS = bpy.ops.verbs_adverbs


@pytest.mark.parametrize(
    ("number", "extent", "told"),
    [
        (491.66, 300.0, "492"),
        (-0.000002, 2.0, "0"),
        (0.333333, 2.0, "0.33"),
        (-0.0449, 0.1, "-0.045"),
        (0.25, 0.0, "0.25"),
        (float("nan"), 1.0, "nan"),
        (1.0, float("inf"), "1"),
        (120.0, 4000.0, "120"),
    ],
)
def test_a_number_is_told_to_a_hundredth_or_less_of_its_range(extension, number, extent, told):
    assert part("bridge.blender.naming").told_number(number, extent) == told


def test_while_the_score_plays_no_verb_is_said_to_move_the_character(extension):
    armature = walking_biped()
    assert OPS.live_on(verb="walk") == {"FINISHED"}
    reason = part("operators.reasons").performance
    assert reason(bpy.context).startswith("'walk' is moving")
    armature.verbs_adverbs.director.verbs_adverbs.performance.active = True
    assert reason(bpy.context).startswith("The score is moving")
