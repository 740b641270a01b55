"""Actions of the user's that are replaced or let go stay in the file when it is saved and opened again."""

import bpy
import pytest
from blender.action_hash import digest, digests
from blender.figurine import annotate, stride, striding_figurine
from blender.performance import biped_with_graph
from blender.performer import begin, end, play
from blender.stage import part, saved_and_loaded, walking_biped

OPS = bpy.ops.verbs_adverbs


@pytest.fixture
def armature():
    """The walking biped; none of the actions has a fake user, as those of a user who draws or imports them."""
    made = walking_biped()
    for action in bpy.data.actions:
        action.use_fake_user = False
    return made


def own_action(armature, name: str = "mine"):
    """An action that somebody made by hand, assigned."""
    armature.animation_data.action = bpy.data.actions.new(name)
    armature.pose.bones["Head"].keyframe_insert("location", frame=3)
    return armature.animation_data.action


def bend(action) -> None:
    """Edit an action by hand."""
    curve = part("bridge.blender.versions").curves_of(action)[0]
    curve.keyframe_points[0].co.y += 0.25
    curve.update()


def stay(folder, *actions) -> None:
    """That actions are in the file still, and as they are, once it was saved and opened again."""
    before = {action.name: digest(action) for action in actions}
    saved_and_loaded(folder)
    assert before.items() <= digests().items()


def test_an_example_that_a_damaged_file_calls_generated_is_left_alone(armature, tmp_path):
    assert OPS.live_on() == {"FINISHED"}
    example = bpy.data.actions["Walk plain"]
    armature.verbs_adverbs.director.verbs_adverbs.generated = example
    before = {action.name: digest(action) for action in bpy.data.actions if action.verbs_adverbs.examples}
    saved_and_loaded(tmp_path)
    assert {action.name for action in bpy.data.actions if action.verbs_adverbs.examples} == set(before)
    assert OPS.live_off() == {"FINISHED"}
    assert {name: digest(bpy.data.actions[name]) for name in before} == before


def test_a_bake_that_was_edited_stays_when_the_verb_is_baked_again(armature, tmp_path):
    assert OPS.bake(name="first") == {"FINISHED"}
    first = armature.animation_data.action
    bend(first)
    assert OPS.bake(name="second") == {"FINISHED"}
    stay(tmp_path, first, armature.animation_data.action)


@pytest.mark.parametrize("name", ["bake", "verb_example_show"])
def test_an_action_that_a_bake_or_a_shown_example_replaces_stays(armature, tmp_path, name: str):
    mine = own_action(armature)
    assert getattr(OPS, name)() == {"FINISHED"}
    assert armature.animation_data.action != mine
    stay(tmp_path, mine)


def test_an_action_that_a_baked_performance_replaces_stays(tmp_path):
    armature = biped_with_graph()
    mine = own_action(armature)
    assert OPS.command_add(verb="walk", frame=20.0) == {"FINISHED"}
    assert OPS.bake_performance(frame_end=40) == {"FINISHED"}
    stay(tmp_path, mine)


def test_the_examples_of_a_removed_verb_stay(armature, tmp_path):
    actions = list(bpy.data.actions)
    assert len(actions) == 15
    assert OPS.verb_remove() == {"FINISHED"}
    stay(tmp_path, *actions)


def test_an_example_that_is_taken_out_of_a_verb_stays(armature, tmp_path):
    verb = armature.verbs_adverbs.verbs["walk"]
    verb.active_example = 4
    action = verb.examples[4].action
    assert OPS.verb_example_remove() == {"FINISHED"}
    stay(tmp_path, action)


def test_an_action_whose_only_example_is_removed_and_then_taken_out_of_the_verb_stays(tmp_path):
    armature = striding_figurine()
    for action in bpy.data.actions:
        action.use_fake_user = False
    shown, verb = armature.animation_data.action, armature.verbs_adverbs.verbs["stride"]
    assert OPS.example_remove() == {"FINISHED"}
    verb.active_example = next(row for row, reference in enumerate(verb.examples) if reference.action == shown)
    assert OPS.verb_example_remove() == {"FINISHED"}
    verb.active_example = 0
    assert OPS.verb_example_show() == {"FINISHED"}
    armature.name = "Biped"
    stay(tmp_path, shown)


@pytest.mark.parametrize("name", ["live_off", "performance_write"])
def test_an_action_that_was_assigned_while_the_verb_was_on_stays_when_it_is_off_or_computed(armature, tmp_path, name):
    assert OPS.live_on() == {"FINISHED"}
    mine = own_action(armature)
    assert getattr(OPS, name)() == {"FINISHED"}
    assert armature.animation_data.action != mine
    stay(tmp_path, mine)


def test_an_action_that_was_assigned_while_the_verb_was_on_stays_when_it_is_performed(tmp_path):
    armature = biped_with_graph()
    assert OPS.live_on() == {"FINISHED"}
    mine = own_action(armature)
    clock = begin(armature)
    assert play(clock, 0.5) and end() == []
    stay(tmp_path, mine)


def test_undoing_what_let_an_action_go_takes_its_fake_user_away_too():
    armature = striding_figurine()
    action = stride(armature, "another")
    annotate(armature, action, energy=0.5)
    action.use_fake_user = False
    bpy.ops.ed.undo_push(message="prepared")
    assert OPS.verb_example_show("EXEC_DEFAULT", True) == {"FINISHED"}
    assert bpy.data.actions["another"].use_fake_user
    bpy.ops.ed.undo()
    assert not bpy.data.actions["another"].use_fake_user
    assert bpy.data.objects["Figurine"].animation_data.action.name == "another"
