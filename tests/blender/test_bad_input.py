"""Annotations and definitions that cannot be used: a sentence says where and what to do, the file stays as it was."""

import bpy
import pytest
from blender.figurine import annotate, assert_says, assign, build_refused, refused, stride, striding_figurine

OPS = bpy.ops.verbs_adverbs


def example_of(verb, index: int):
    return verb.examples[index].action.verbs_adverbs.examples[0]


def test_one_example_with_adverbs(capfd):
    striding_figurine((0.0,))
    assert_says(build_refused(capfd), "1 example", "energy", "at least 2")


def test_two_examples_at_one_adverb_point(capfd):
    striding_figurine((-1.0, 0.5, 0.5))
    assert_says(build_refused(capfd), "'stride 1'", "'stride 2'", "same adverb values")


def test_fewer_examples_than_adverbs(armature, verb, capfd):
    OPS.adverb_add(name="turn")
    OPS.adverb_add(name="slope")
    for index, (turn, slope) in enumerate(((0.0, 0.0), (1.0, 0.0), (0.0, 1.0))):
        assign(armature, verb.examples[index].action)
        OPS.value_set(adverb="turn", value=turn)
        OPS.value_set(adverb="slope", value=slope)
    assert_says(build_refused(capfd), "3 examples", "3 adverbs", "at least 4")


def test_examples_on_a_line(armature, verb, capfd):
    OPS.adverb_add(name="turn")
    for index, turn in enumerate((-1.0, 0.0, 1.0)):
        assign(armature, verb.examples[index].action)
        OPS.value_set(adverb="turn", value=turn)
    assert_says(build_refused(capfd), "line", "Add an example")


def test_different_numbers_of_keytimes(armature, verb, capfd):
    assign(armature, verb.examples[1].action)
    bpy.context.scene.frame_set(20)
    OPS.keytime_add(name="late")
    assert_says(build_refused(capfd), "'stride 1'", "'stride 0'", "4 and 3 keytimes")


def test_keytimes_in_another_order(armature, verb, capfd):
    for index, names in enumerate((("middle", "late"), ("late", "middle"), ("middle", "late"))):
        assign(armature, verb.examples[index].action)
        example_of(verb, index).active_keytime = 1
        OPS.keytime_rename(name=names[0])
        bpy.context.scene.frame_set(20)
        OPS.keytime_add(name=names[1])
    assert_says(build_refused(capfd), "'late'", "'middle'", "'stride 1'", "order")


def test_a_keytime_is_not_added_outside_the_span(armature, capfd):
    bpy.context.scene.frame_set(60)
    assert_says(refused(OPS.keytime_add, capfd, name="outside"), "Frame 60", "'stride 2'", "1 to 25")


def test_an_adverb_that_was_deleted_behind_our_back(armature, verb, capfd):
    OPS.verb_build()
    armature.verbs_adverbs.adverbs.clear()
    assert_says(build_refused(capfd), "'energy'", "'stride'")


def test_an_adverb_without_extent(armature, capfd):
    armature.verbs_adverbs.adverbs[0].maximum = armature.verbs_adverbs.adverbs[0].minimum
    assert_says(build_refused(capfd), "'energy'")


@pytest.mark.parametrize("value", [1e30, -1e30, float("inf"), float("nan")], ids=str)
def test_an_adverb_value_beyond_all_bounds(armature, verb, capfd, value: float):
    example_of(verb, 1).values[0].value = value
    assert_says(build_refused(capfd), "'stride 1'", "'energy'")


@pytest.mark.parametrize("limit", [1e30, float("inf"), float("nan")], ids=str)
def test_an_adverb_range_beyond_all_bounds_breaks_nothing(armature, capfd, limit: float):
    armature.verbs_adverbs.adverbs[0].maximum = limit
    try:
        OPS.verb_build()
    except RuntimeError as error:
        assert_says(str(error).strip(), "'energy'")
    assert "Traceback" not in "".join(capfd.readouterr())


def test_a_keytime_beyond_all_bounds(armature, verb, capfd):
    example_of(verb, 1).keytimes[2].frame = 1e30
    assert_says(build_refused(capfd), "'stride 1'")


def test_examples_that_differ_in_kind(armature, verb, capfd):
    example_of(verb, 1).cyclic = False
    assert_says(build_refused(capfd), "'stride 1'", "cyclic")


def test_a_verb_without_examples(armature, verb, capfd):
    for reference in verb.examples:
        reference.enabled = False
    assert "Add examples to the verb first" in refused(OPS.verb_build, capfd)


def test_an_unknown_action_or_example_cannot_be_picked(armature, capfd):
    annotate(armature, stride(armature, "further"))
    nowhere = {"name": "x", "action": "nowhere", "uid": "", "chosen": True}
    assert_says(refused(OPS.verb_examples_add, capfd, choices=[nowhere]), "'nowhere'")
    wrong = {"name": "x", "action": "further", "uid": "no such", "chosen": True}
    assert_says(refused(OPS.verb_examples_add, capfd, choices=[wrong]), "'further'")
    assert "No example was chosen" in refused(OPS.verb_examples_add, capfd)


def test_rows_that_are_not_there(armature, capfd):
    OPS.contact_add(bone="Foot")
    assert "no row 8" in refused(OPS.window_remove, capfd, index=7)
    assert "no row 8" in refused(OPS.verb_adverb_toggle, capfd, index=7)
    assert "no bone 'Wing'" in refused(OPS.contact_add, capfd, bone="Wing")
    assert "no bone 'Wing'" in refused(OPS.root_set, capfd, root="Wing")


def test_an_empty_span_or_window(armature, capfd):
    assert_says(refused(OPS.example_add, capfd, name="x", span="CUSTOM", start=9.0, end=9.0), "'x'", "cannot span")
    OPS.contact_add(bone="Foot")
    assert_says(refused(OPS.window_add, capfd, start=9.0, end=9.0), "'Foot'", "has no length")
