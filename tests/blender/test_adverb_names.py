"""Names of adverbs: which are refused, and whose values an example has after one was renamed, removed or added."""

import bpy
import pytest
from blender.figurine import add_to_verb, assert_says, assign, figurine, part, refused

OPS = bpy.ops.verbs_adverbs


def values_of(armature) -> list[dict[str, float]]:
    """Adverb values of the examples of the armature's first verb."""
    references = armature.verbs_adverbs.verbs[0].examples
    examples = [reference.action.verbs_adverbs.examples[0] for reference in references]
    return [{value.name: round(value.value, 6) for value in example.values} for example in examples]


def give(armature, adverb: str, *values: float) -> None:
    """Give the examples of the first verb a value each."""
    for reference, value in zip(armature.verbs_adverbs.verbs[0].examples, values, strict=False):
        assign(armature, reference.action)
        OPS.value_set(adverb=adverb, value=value)


def test_a_renamed_adverb_keeps_its_values_where_a_removed_one_left_its_own(armature):
    OPS.adverb_remove()
    OPS.adverb_add(name="mood")
    give(armature, "mood", 0.1, 0.2, 0.7)
    OPS.adverb_rename(name="energy")
    assert values_of(armature) == [{"energy": 0.1}, {"energy": 0.2}, {"energy": 0.7}]


def test_a_renamed_adverb_finds_no_values_of_a_removed_one_where_it_has_none(armature):
    OPS.adverb_remove()
    OPS.adverb_add(name="mood")
    give(armature, "mood", 0.1, 0.2)
    OPS.adverb_rename(name="energy")
    assert values_of(armature) == [{"energy": 0.1}, {"energy": 0.2}, {}]


def test_an_adverb_that_finds_values_from_before_says_so(armature, capfd):
    OPS.adverb_remove()
    capfd.readouterr()
    OPS.adverb_add(name="energy")
    assert "3 of its examples already had a value for it" in capfd.readouterr().out
    OPS.adverb_add(name="mood")
    assert "already" not in capfd.readouterr().out


def test_values_of_another_armatures_adverb_are_not_taken_over(armature, capfd):
    shared = [reference.action for reference in armature.verbs_adverbs.verbs[0].examples]
    other = figurine("Other")
    OPS.verb_add(name="stride")
    OPS.adverb_add(name="mood")
    add_to_verb(*shared)
    give(other, "mood", 0.5, 0.6, 0.7)
    sentence = refused(OPS.adverb_rename, capfd, name="energy")
    assert_says(sentence, "'stride 0'", "another armature", "'energy'", "-1", "0.5")
    give(other, "mood", -1.0, 0.0, 1.0)
    OPS.adverb_rename(name="energy")
    assert values_of(armature) == [{"energy": -1.0}, {"energy": 0.0}, {"energy": 1.0}]


@pytest.mark.parametrize("name", ["verbs_adverbs", "cycles", "cycles_visibility", "_RNA_UI", "selection_sets"])
def test_a_name_that_blender_keeps_on_objects_is_refused(armature, capfd, name: str):
    part("bridge.data.director").ensure_director(armature)
    assert_says(refused(OPS.adverb_add, capfd, name=name), f"'{name}'", "Choose another name")
    assert_says(refused(OPS.adverb_rename, capfd, name=f" {name} "), f"'{name}'", "Choose another name")


@pytest.mark.parametrize("name", ["location", "cycle", 'with "quotes"', "back\\slash", "fröhlich", "a.b[0]"])
def test_any_other_name_makes_a_slider_that_can_be_keyed(armature, name: str):
    director = part("bridge.data.director").ensure_director(armature)
    OPS.adverb_rename(name=name)
    director[name] = 0.25
    assert OPS.adverbs_key() == {"FINISHED"}
    assert [curve.evaluate(1) for curve in part("bridge.data.adverb_values").adverb_curves(director).values()] == [0.25]
    assert [set(values) for values in values_of(armature)] == [{name}] * 3


def test_a_verb_may_have_any_name(armature):
    OPS.verb_add(name="cycles")
    assert "cycles" in armature.verbs_adverbs.verbs
