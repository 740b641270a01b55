"""Verbs and adverbs by operators: defining, building, telling when something changed, undoing."""

from collections.abc import Callable

import bpy
import numpy as np
import pytest
from blender.figurine import (
    MIDDLE,
    add_to_verb,
    annotate,
    assign,
    everything,
    figurine,
    part,
    refused,
    stride,
    striding_figurine,
)

OPS = bpy.ops.verbs_adverbs


@pytest.fixture
def armature():
    return striding_figurine()


@pytest.fixture
def verb(armature):
    return armature.verbs_adverbs.verbs[0]


def state(armature, verb) -> str:
    bpy.context.view_layer.update()
    return part("bridge.verbs").status(armature, verb).state


def lines(armature, verb) -> list[str]:
    return [line.text for line in part("bridge.verbs").status(armature, verb).lines]


def first_curve(armature, action):
    return part("bridge.versions").curves_of(action, armature)[0]


def test_a_verb_is_added_with_the_adverbs_that_come_after_it():
    armature = figurine()
    OPS.verb_add(name="walk")
    OPS.adverb_add(name="energy", minimum=-2.0, maximum=3.0, default=1.0, unit="m/s")
    rig = armature.verbs_adverbs
    adverb = rig.adverbs[0]
    assert (adverb.name, adverb.minimum, adverb.maximum, adverb.default, adverb.unit) == ("energy", -2, 3, 1, "m/s")
    assert [used.name for used in rig.verbs["walk"].adverbs] == ["energy"]
    assert rig.schema == part("bridge.properties").SCHEMA


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


def test_a_verb_is_renamed_and_stays_up_to_date(armature, verb):
    OPS.verb_build()
    OPS.verb_rename(name="march")
    assert verb.name == "march" and state(armature, verb) == "UP_TO_DATE"


@pytest.mark.parametrize("operator", [OPS.verb_add, OPS.verb_rename, OPS.adverb_add, OPS.adverb_rename], ids=str)
def test_names_are_neither_empty_nor_taken(armature, operator: Callable[..., set[str]], capfd):
    OPS.verb_add(name="first")
    OPS.adverb_add(name="first")
    OPS.verb_add(name="second")
    OPS.adverb_add(name="second")
    assert "needs a name" in refused(operator, capfd, name="  ")
    assert "'first' already" in refused(operator, capfd, name="first")


def test_an_adverb_needs_a_range(armature, capfd):
    assert "minimum below its maximum" in refused(OPS.adverb_add, capfd, name="x", minimum=1.0, maximum=1.0)


def test_examples_are_picked_several_at_once_and_none_twice(verb, capfd):
    assert len(verb.examples) == 3
    add_to_verb(verb.examples[0].action)
    assert len(verb.examples) == 3
    assert "in the verb already" in refused(OPS.verb_examples_add, capfd)


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


def test_the_root_is_chosen_and_guessed_again(armature):
    OPS.root_set(root="Root")
    assert armature.verbs_adverbs.root == "Root"
    OPS.root_set(root="")
    assert armature.verbs_adverbs.root == ""


def test_a_verb_says_how_it_stands(armature, verb):
    assert state(armature, verb) == "NEVER_BUILT"
    OPS.verb_build()
    assert state(armature, verb) == "UP_TO_DATE"
    assert any("3 examples" in line for line in lines(armature, verb))


def test_a_built_verb_gives_the_examples_full_weight_at_their_adverbs(armature, verb):
    built = part("bridge.verbs").verb_for(armature, verb)
    assert np.allclose(built.weights([[-1.0], [0.0], [1.0]]), np.eye(3), atol=1e-9)


def drag_a_marker(armature, verb) -> None:
    action = verb.examples[0].action
    next(marker for marker in action.pose_markers if marker.name.startswith("middle")).frame = 10


def change_a_value(armature, verb) -> None:
    verb.examples[0].action.verbs_adverbs.examples[0].values[0].value = -0.5


def change_a_key(armature, verb) -> None:
    first_curve(armature, armature.animation_data.action).keyframe_points[3].co.y += 0.01


def change_a_key_of_an_action_that_is_not_shown(armature, verb) -> None:
    first_curve(armature, verb.examples[0].action).keyframe_points[3].co.y += 0.01


def mute_a_curve(armature, verb) -> None:
    first_curve(armature, armature.animation_data.action).mute = True


def widen_an_adverb(armature, verb) -> None:
    armature.verbs_adverbs.adverbs[0].maximum = 2.0


def change_an_option(armature, verb) -> None:
    verb.control_points = 24


def switch_an_example_off(armature, verb) -> None:
    verb.examples[1].enabled = False


def delete_an_action(armature, verb) -> None:
    bpy.data.actions.remove(verb.examples[1].action)


def delete_a_bone(armature, verb) -> None:
    bpy.ops.object.mode_set(mode="EDIT")
    armature.data.edit_bones.remove(armature.data.edit_bones["Foot"])
    bpy.ops.object.mode_set(mode="OBJECT")


CHANGES = (
    drag_a_marker,
    change_a_value,
    change_a_key,
    change_a_key_of_an_action_that_is_not_shown,
    mute_a_curve,
    widen_an_adverb,
    change_an_option,
    switch_an_example_off,
    delete_an_action,
    delete_a_bone,
)


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_a_verb_says_at_once_when_something_changed(armature, verb, change: Callable[..., None]):
    OPS.verb_build()
    change(armature, verb)
    assert state(armature, verb) == "OUT_OF_DATE"


@pytest.mark.parametrize("change", [change_a_value, change_a_key, drag_a_marker], ids=lambda change: change.__name__)
def test_a_changed_verb_is_built_anew_before_it_is_played(armature, verb, change: Callable[..., None]):
    verbs = part("bridge.verbs")
    before = verbs.verb_for(armature, verb)
    assert verbs.verb_for(armature, verb) is before
    change(armature, verb)
    bpy.context.view_layer.update()
    assert verbs.verb_for(armature, verb) is not before
    assert state(armature, verb) == "UP_TO_DATE"


def test_renaming_an_action_does_not_put_a_verb_out_of_date(armature, verb):
    OPS.verb_build()
    verb.examples[0].action.name = "another name"
    assert state(armature, verb) == "UP_TO_DATE"


def test_undoing_a_change_brings_the_verb_up_to_date_again(armature, verb):
    name = armature.name
    OPS.verb_build()
    bpy.ops.ed.undo_push(message="built")
    OPS.adverb_rename("EXEC_DEFAULT", True, name="mood")
    again = bpy.data.objects[name]
    assert state(again, again.verbs_adverbs.verbs[0]) == "OUT_OF_DATE"
    bpy.ops.ed.undo()
    again = bpy.data.objects[name]
    assert state(again, again.verbs_adverbs.verbs[0]) == "UP_TO_DATE"


def test_a_loaded_verb_is_up_to_date_and_plays_the_same(armature, verb, tmp_path):
    OPS.verb_build()
    said = lines(armature, verb)
    times = np.linspace(0.0, 1.0, 7)
    before = part("bridge.verbs").verb_for(armature, verb).motion([0.3]).sample(times)
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "kept.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "kept.blend"))
    loaded = bpy.data.objects["Figurine"]
    assert state(loaded, loaded.verbs_adverbs.verbs[0]) == "UP_TO_DATE"
    assert lines(loaded, loaded.verbs_adverbs.verbs[0]) == said
    after = part("bridge.verbs").verb_for(loaded, loaded.verbs_adverbs.verbs[0]).motion([0.3]).sample(times)
    assert np.allclose(before, after, atol=1e-6)


def test_verbs_of_an_appended_armature_come_along_with_their_actions(armature, verb, tmp_path):
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "kept.blend"))
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    bpy.ops.wm.append(directory=str(tmp_path / "kept.blend" / "Object"), filename="Figurine")
    appended = bpy.data.objects["Figurine"]
    bpy.context.view_layer.objects.active = appended
    assert OPS.verb_build() == {"FINISHED"}
    assert len(bpy.data.actions) == 3


def test_a_copied_armature_builds_verbs_of_its_own(armature, verb):
    copied = armature.copy()
    bpy.context.collection.objects.link(copied)
    bpy.context.view_layer.objects.active = copied
    OPS.verb_build()
    assert state(copied, copied.verbs_adverbs.verbs[0]) == "UP_TO_DATE"
    assert state(armature, verb) == "NEVER_BUILT"


def test_all_verbs_of_an_armature_face_alike(armature):
    OPS.verb_build()
    OPS.verb_add(name="backwards")
    turned = stride(armature, "turned")
    annotate(armature, turned)
    add_to_verb(turned)
    OPS.verb_build()
    verbs = part("bridge.verbs")
    first, second = (verbs.verb_for(armature, item) for item in armature.verbs_adverbs.verbs)
    assert np.allclose(first.reference, second.reference, atol=1e-6)
    assert state(armature, armature.verbs_adverbs.verbs[0]) == "UP_TO_DATE"


def test_all_verbs_are_built_at_once(armature):
    OPS.verb_add(name="still")
    alone = stride(armature, "alone")
    annotate(armature, alone)
    add_to_verb(alone)
    assert OPS.verb_build(every=True) == {"FINISHED"}
    assert [state(armature, item) for item in armature.verbs_adverbs.verbs] == ["UP_TO_DATE", "UP_TO_DATE"]


MODULES = ("examples", "keytimes", "contacts", "structure", "adverbs", "verbs", "verb_examples", "building", "biped")


def operators() -> list[str]:
    """Names of the operators under test."""
    classes = [cls for module in MODULES for cls in part(f"operators.{module}").CLASSES]
    return [cls.bl_idname.partition(".")[2] for cls in classes if issubclass(cls, bpy.types.Operator)]


UNDOABLE: dict[str, dict[str, object]] = {
    "example_add": {"name": "another"},
    "example_remove": {},
    "example_span": {"side": "END"},
    "keytime_add": {"name": "new"},
    "keytime_rename": {"name": "renamed"},
    "keytime_remove": {},
    "keytime_move": {},
    "contact_add": {"bone": "Leg"},
    "contact_remove": {},
    "window_add": {"start": 18.0, "end": 20.0},
    "window_edge": {"edge": "UP"},
    "window_from_keytimes": {"first": "1", "last": "2"},
    "window_remove": {"index": 0},
    "structure_copy": {"choices": [{"name": "stride 0", "chosen": True}]},
    "values_fill": {},
    "value_set": {"adverb": "energy", "value": 0.7},
    "adverb_add": {"name": "turn"},
    "adverb_rename": {"name": "mood"},
    "adverb_remove": {},
    "adverb_move": {"direction": "DOWN"},
    "verb_adverb_toggle": {"index": 0},
    "verb_add": {"name": "another"},
    "verb_rename": {"name": "march"},
    "verb_remove": {},
    "root_set": {"root": "Root"},
    "verb_example_remove": {},
    "verb_example_show": {},
    "verb_values_fill": {},
    "verb_build": {},
    "add_biped": {"walk": False},
}


def prepared_for_undo() -> None:
    """A file in which each of the operators above has something to do."""
    armature = striding_figurine()
    OPS.contact_add(bone="Foot")
    OPS.window_add(start=3.0, end=9.0)
    OPS.adverb_add(name="slope")
    armature.verbs_adverbs.active_adverb = 0
    bpy.context.scene.frame_set(MIDDLE - 2)
    armature.animation_data.action.verbs_adverbs.examples[0].active_keytime = 1


@pytest.mark.parametrize("name", UNDOABLE)
def test_every_operator_is_one_step_to_undo(name: str):
    prepared_for_undo()
    bpy.ops.ed.undo_push(message="prepared")
    before = everything()
    assert getattr(OPS, name)("EXEC_DEFAULT", True, **UNDOABLE[name]) == {"FINISHED"}
    assert everything() != before
    bpy.ops.ed.undo()
    assert everything() == before


def test_every_operator_of_this_part_is_tried_above():
    elsewhere = {"keytime_jump", "keytimes_sort", "markers_sync", "verb_examples_add"}
    assert set(operators()) - UNDOABLE.keys() == elsewhere


def test_every_operator_and_property_says_what_it_does():
    for name in operators():
        kind = getattr(OPS, name).get_rna_type()
        assert kind.description, name
        silent = {p.identifier for p in kind.properties if not p.description}
        assert silent <= {"rna_type", "choices"}, name


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
    assert [line.kind for line in part("bridge.verbs").status(armature, verb).lines if line.kind != "INFO"] == []
    assert len(verb.examples) == 15 and len(verb.adverbs) == 3
