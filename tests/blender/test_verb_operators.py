"""Verbs and adverbs by operators: defining them, picking examples, building."""

from collections.abc import Callable

import bpy
import pytest
from blender.figurine import add_to_verb, annotate, assign, figurine, part, refused, state, stride

OPS = bpy.ops.verbs_adverbs


def test_a_verb_is_added_with_the_adverbs_that_come_after_it():
    armature = figurine()
    OPS.verb_add(name="walk")
    OPS.adverb_add(name="energy", minimum=-2.0, maximum=3.0, default=1.0, unit="m/s")
    rig = armature.verbs_adverbs
    adverb = rig.adverbs[0]
    assert (adverb.name, adverb.minimum, adverb.maximum, adverb.default, adverb.unit) == ("energy", -2, 3, 1, "m/s")
    assert [used.name for used in rig.verbs["walk"].adverbs] == ["energy"]
    assert rig.schema == part("bridge.data.schema").SCHEMA


def test_an_adverb_is_taken_out_of_a_verb_and_put_back(verb):
    OPS.verb_adverb_toggle(index=0)
    assert [used.name for used in verb.adverbs] == []
    OPS.verb_adverb_toggle(index=0)
    assert [used.name for used in verb.adverbs] == ["energy"]


def test_adverbs_are_ordered(armature):
    OPS.adverb_add(name="turn")
    OPS.adverb_move(direction="UP")
    assert [adverb.name for adverb in armature.verbs_adverbs.adverbs] == ["turn", "energy"]
    OPS.adverb_move(direction="UP")
    assert [adverb.name for adverb in armature.verbs_adverbs.adverbs] == ["turn", "energy"]


def test_an_adverb_is_renamed_in_verbs_and_examples_and_the_verb_still_builds(armature, verb):
    OPS.adverb_rename(name="mood")
    assert [used.name for used in verb.adverbs] == ["mood"]
    assert {value.name for ref in verb.examples for value in ref.action.verbs_adverbs.examples[0].values} == {"mood"}
    assert OPS.verb_build() == {"FINISHED"}


def test_renaming_an_adverb_leaves_the_examples_of_another_armature_whole(armature, verb):
    other = figurine("Other")
    OPS.verb_add(name="stride")
    OPS.adverb_add(name="energy")
    add_to_verb(verb.examples[0].action)
    OPS.adverb_rename(name="mood")
    shared = verb.examples[0].action.verbs_adverbs.examples[0]
    assert {value.name: value.value for value in shared.values} == {"energy": -1.0, "mood": -1.0}
    assert [used.name for used in verb.adverbs] == ["energy"]
    assert [used.name for used in other.verbs_adverbs.verbs[0].adverbs] == ["mood"]


def test_a_removed_adverb_leaves_its_verbs_and_stays_in_the_examples(armature, verb):
    OPS.adverb_remove()
    assert len(armature.verbs_adverbs.adverbs) == len(verb.adverbs) == 0
    assert verb.examples[0].action.verbs_adverbs.examples[0].values[0].name == "energy"


def test_a_removed_verb_leaves_its_examples_in_their_actions(armature):
    OPS.verb_remove()
    assert len(armature.verbs_adverbs.verbs) == 0
    assert len(bpy.data.actions["stride 0"].verbs_adverbs.examples) == 1


@pytest.mark.parametrize(
    "operator",
    [OPS.verb_add, OPS.verb_rename, OPS.adverb_add, OPS.adverb_rename],
    ids=lambda operator: operator.idname(),
)
def test_names_are_neither_empty_nor_taken(armature, operator: Callable[..., set[str]], capfd):
    OPS.verb_add(name="first")
    OPS.adverb_add(name="first")
    OPS.verb_add(name="second")
    OPS.adverb_add(name="second")
    assert "needs a name" in refused(operator, capfd, name="  ")
    assert "already called 'first'" in refused(operator, capfd, name="first")


def test_an_adverb_needs_a_range(armature, capfd):
    assert "minimum below its maximum" in refused(OPS.adverb_add, capfd, name="x", minimum=1.0, maximum=1.0)


def test_examples_are_picked_several_at_once_and_none_twice(verb, capfd):
    assert len(verb.examples) == 3
    assert "already in this verb" in refused(OPS.verb_examples_add, capfd)


def test_all_examples_that_are_shown_are_picked_at_once(armature):
    OPS.verb_add(name="another")
    names = [action.name for action in bpy.data.actions]
    shown = [{"name": name, "action": name, "uid": "", "chosen": False} for name in names]
    OPS.verb_examples_add(choices=shown, every=True, filter="STRIDE 1")
    assert [ref.action.name for ref in armature.verbs_adverbs.verbs["another"].examples] == ["stride 1"]
    OPS.verb_examples_add(choices=shown, every=True)
    assert len(armature.verbs_adverbs.verbs["another"].examples) == 3


def test_an_example_is_taken_out_of_the_verb_and_stays_in_its_action(verb):
    verb.examples[2].enabled = False
    verb.active_example = 2
    OPS.verb_example_remove()
    assert len(verb.examples) == 2
    assert len(bpy.data.actions["stride 2"].verbs_adverbs.examples) == 1


def test_the_action_of_an_example_is_shown(armature, verb):
    verb.active_example = 1
    OPS.verb_example_show()
    assert armature.animation_data.action.name == "stride 1"
    assert bpy.context.scene.frame_current == 1


def test_values_of_all_examples_are_filled_in(verb):
    OPS.adverb_add(name="turn", default=0.5)
    OPS.verb_values_fill()
    values = [ref.action.verbs_adverbs.examples[0].values["turn"].value for ref in verb.examples]
    assert values == [0.5, 0.5, 0.5]


def test_a_value_is_given_to_all_examples_of_a_name_at_once(verb, capfd):
    """The strides' names end in their numbers."""
    named = {row.action.name: value_in(row) for row in verb.examples}
    assert len(named) > 2 and list(named.values()).count(0.625) == 0
    first, *others = sorted(named)
    assert OPS.verb_values_set(part=first[-3:].upper(), adverb="energy", value=0.625) == {"FINISHED"}
    now = {row.action.name: value_in(row) for row in verb.examples}
    assert now == {**named, first: 0.625}
    assert OPS.verb_values_set(adverb="energy", value=0.25) == {"FINISHED"}
    assert {value_in(row) for row in verb.examples} == {0.25}
    assert "'gallop'" in refused(OPS.verb_values_set, capfd, part="gallop", adverb="energy")
    assert "'speed'" in refused(OPS.verb_values_set, capfd, adverb="speed")


def value_in(row: bpy.types.PropertyGroup) -> float:
    """The energy of the example that a row of a verb's list stands for."""
    return part("bridge.data.example_list").referenced(row).values["energy"].value


def test_rows_leave_out_how_long_names_of_all_examples_begin(verb):
    shown = part("bridge.data.example_list").shown_beginning
    part("bridge.blender.store").forget_answers()
    assert shown(verb) == ""
    for row, style in zip(verb.examples, ("exhausted_003", "exhausted_010", "normal_001"), strict=True):
        part("bridge.data.example_list").referenced(row).name = f"studio-take_walk_{style}"
    part("bridge.blender.store").forget_answers()
    assert shown(verb) == "studio-take_walk_"


def test_the_root_is_chosen_and_guessed_again(armature):
    OPS.root_set(root="Root")
    assert armature.verbs_adverbs.root == "Root"
    OPS.root_set(root="")
    assert armature.verbs_adverbs.root == ""


def test_all_verbs_are_built_at_once(armature):
    OPS.verb_add(name="still")
    alone = stride(armature, "alone")
    annotate(armature, alone)
    add_to_verb(alone)
    assert OPS.verb_build(every=True) == {"FINISHED"}
    assert [state(armature, item) for item in armature.verbs_adverbs.verbs] == ["UP_TO_DATE", "UP_TO_DATE"]


def test_an_operator_says_why_it_is_greyed_out(capfd):
    bpy.context.view_layer.objects.active = None
    assert "Select an armature" in refused(OPS.verb_add, capfd)
    armature = figurine()
    assert "Assign an action" in refused(OPS.example_add, capfd)
    assert "Add a verb first" in refused(OPS.verb_build, capfd)
    OPS.verb_add(name="walk")
    assert "Add examples to the verb first" in refused(OPS.verb_build, capfd)
    assign(armature, stride(armature, "stride"))
    assert "Add an example to the action first" in refused(OPS.keytime_add, capfd)
    OPS.example_add()
    assert "Add a contact point first" in refused(OPS.window_add, capfd)
    bpy.ops.object.mode_set(mode="EDIT")
    assert "Leave Edit Mode first" in refused(OPS.example_add, capfd)


def test_the_biped_walks_at_once():
    OPS.add_biped()
    armature = bpy.context.object
    verb = armature.verbs_adverbs.verbs["walk"]
    assert OPS.verb_build() == {"FINISHED"}
    assert state(armature, verb) == "UP_TO_DATE"
    assert [
        line.kind for line in part("bridge.authoring.verbs").status(armature, verb).lines if line.kind != "INFO"
    ] == []
    assert len(verb.examples) == 15 and len(verb.adverbs) == 3


def test_only_examples_that_move_the_armature_are_offered(armature, capfd):
    stranger = figurine("Stranger")
    for bone in stranger.data.bones:
        bone.name = f"Other {bone.name}"
    bpy.context.view_layer.objects.active = stranger
    OPS.verb_add(name="walk")
    assert not OPS.verb_examples_add.poll()
    assert "No other action with examples moves a bone of 'Stranger'" in refused(OPS.verb_examples_add, capfd)
    bpy.context.view_layer.objects.active = armature
    OPS.verb_add(name="walk")
    assert OPS.verb_examples_add.poll()
