"""Every operator is one step to undo, and says what it does."""

import bpy
import pytest
from blender.figurine import MIDDLE, everything, part, striding_figurine

OPS = bpy.ops.verbs_adverbs


MODULES = ("examples", "keytimes", "contacts", "adverbs", "verbs", "biped")


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
    if name == "verb_build":
        OPS.verb_adverb_toggle(index=1)
        OPS.contact_remove()
    bpy.ops.ed.undo_push(message="prepared")
    before = everything()
    assert getattr(OPS, name)("EXEC_DEFAULT", True, **UNDOABLE[name]) == {"FINISHED"}
    assert everything() != before
    bpy.ops.ed.undo()
    assert everything() == before


def test_every_operator_of_this_part_is_tried_above():
    elsewhere = {"keytime_jump", "keytimes_sort", "markers_sync", "verb_examples_add", "verb_update"}
    assert set(operators()) - UNDOABLE.keys() == elsewhere


def test_every_operator_and_property_says_what_it_does():
    for name in operators():
        kind = getattr(OPS, name).get_rna_type()
        assert kind.description, name
        silent = {p.identifier for p in kind.properties if not p.description}
        assert silent <= {"rna_type", "choices"}, name
