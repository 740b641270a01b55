"""What was seen to fail in files that were damaged by chance, each in its smallest form."""

import bpy
import pytest
from blender.figurine import assert_says, assign, refused, stand_on_foot
from blender.stage import opened_again
from corruption.stored import write_raw

OPS = bpy.ops.verbs_adverbs


@pytest.fixture
def director(armature):
    assert OPS.director_add() == {"FINISHED"}
    return armature.verbs_adverbs.director


@pytest.mark.parametrize("kept", [{"a": 1.0}, [1.0, 2.0], "0.5"], ids=["a group", "several numbers", "text"])
def test_a_slider_without_a_number_is_not_keyed(director, capfd, kept: object):
    director["energy"] = kept
    assert_says(refused(OPS.adverbs_key, capfd), "'energy'", director.name, "not a number")


def test_sliders_are_not_keyed_in_an_action_with_examples(director, capfd):
    assign(director, bpy.data.actions["stride 0"])
    assert_says(refused(OPS.adverbs_key, capfd), director.name, "'stride 0'", "examples")


def test_an_action_of_one_frame_that_cannot_be_given_a_structure_is_as_before(armature, capfd):
    lamp = bpy.data.objects.new("lamp", None)
    bpy.context.collection.objects.link(lamp)
    lamp.keyframe_insert("location", frame=1)
    chosen = [{"name": lamp.animation_data.action.name, "chosen": True}]
    assert_says(refused(OPS.structure_copy, capfd, choices=chosen), "1 to 1", "cannot span")


def test_keytimes_are_not_found_where_no_action_is_shown(armature, capfd):
    armature.animation_data.action = None
    assert_says(refused(OPS.keytimes_find, capfd), "No action was chosen")


def test_a_gesture_that_closes_is_found_to_be_cyclic():
    assert OPS.add_biped(walk=False, wave=True) == {"FINISHED"}
    action = bpy.context.object.animation_data.action
    assert OPS.keytimes_find(verb="") == {"FINISHED"}
    assert action.verbs_adverbs.examples[0].cyclic


def test_a_graph_that_is_refused_does_not_decide_how_verbs_face(armature, capfd):
    for index in range(3):
        bpy.data.actions[f"stride {index}"].verbs_adverbs.examples[0].cyclic = False
    assert_says(refused(OPS.graph_check, capfd), "'stride'", "dead end")
    assert OPS.verb_build() == {"FINISHED"}
    assert armature.verbs_adverbs.reference_root


def test_a_verb_of_less_than_no_control_points_is_not_built(armature, capfd):
    write_raw(armature.verbs_adverbs.verbs[0], "control_points", -(2**31))
    assert_says(refused(OPS.verb_build, capfd), "'stride'", "-2147483648", "4 or more")


def test_a_refused_start_leaves_the_director_with_the_ranges_that_it_had(armature, director, capfd):
    assert OPS.live_on() == {"FINISHED"}
    armature.verbs_adverbs.adverbs[0].minimum = float("inf")
    assert_says(refused(OPS.performance_write, capfd), "'energy'", "too wide")
    assert director.verbs_adverbs.adverbs[0].minimum == -1.0


def test_an_adverb_whose_slider_is_not_at_zero_may_be_removed_while_its_verb_is_live(capfd):
    assert OPS.add_biped(walk=False, reach=True) == {"FINISHED"}
    assert OPS.measure() == {"FINISHED"}
    assert OPS.live_on() == {"FINISHED"}
    director = opened_again("live reach", lambda: None).verbs_adverbs.director
    assert OPS.adverb_remove() == {"FINISHED"}
    director.update_tag()
    bpy.context.view_layer.update()
    assert "Traceback" not in capfd.readouterr().err
    assert len(director.verbs_adverbs.adverbs) == 2


def test_an_adverb_without_end_is_not_added(armature, director, capfd):
    assert_says(refused(OPS.adverb_add, capfd, name="size", maximum=float("inf")), "'size'", "too wide")


def test_a_verb_whose_root_is_the_foot_that_stands_can_be_dragged(armature, director, capfd):
    stand_on_foot(armature)
    assert OPS.live_on() == {"FINISHED"}
    assert OPS.root_set(root="Foot") == {"FINISHED"}
    for value in (0.3, -0.5):
        director["energy"] = value
        director.update_tag()
        bpy.context.view_layer.update()
        bpy.context.scene.frame_set(12)
    assert OPS.performance_write() == {"FINISHED"}
    director["energy"] = 0.1
    director.update_tag()
    bpy.context.view_layer.update()
    assert "Traceback" not in capfd.readouterr().err


@pytest.mark.parametrize("reference", [(float("nan"),) * 4, (0.0,) * 4, (1e30, 0.0, 0.0, 0.0)])
def test_a_verb_that_faces_nowhere_faces_as_its_examples_do(armature, director, reference, capfd):
    assert OPS.verb_build() == {"FINISHED"}
    faced = tuple(armature.verbs_adverbs.reference)
    armature.verbs_adverbs.reference = reference
    assert OPS.live_on() == {"FINISHED"}
    assert "Traceback" not in capfd.readouterr().err
    assert tuple(armature.verbs_adverbs.reference) == pytest.approx(faced, abs=1e-6)
