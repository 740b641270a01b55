"""Operators of measures, targets and refinements are each one step to undo."""

import bpy
import pytest
from blender.figurine import everything, part
from blender.reaching import reaching_biped, the_verb
from blender.stage import walking_biped

OPS = bpy.ops.verbs_adverbs
UNDOABLE: dict[str, dict[str, object]] = {
    "measure_place": {"bone": "Hand_L", "keytime": "reach", "x": "left"},
    "measure": {},
    "target_add": {"point": "1"},
    "target_remove": {},
    "reach_there": {},
    "refine": {},
    "refinement_remove": {},
}


def _all() -> tuple[object, ...]:
    verb = the_verb(bpy.data.objects["Biped"])
    plain, director = part("bridge.data.content").plain, bpy.data.objects["Biped"].verbs_adverbs.director
    return everything(), plain(verb.refinement), plain(director.verbs_adverbs.performance) if director else ""


@pytest.mark.parametrize("name", UNDOABLE)
def test_every_operator_is_one_step_to_undo(name: str):
    armature = reaching_biped()
    verb = the_verb(armature)
    assert OPS.target_add() == {"FINISHED"}
    verb.refinement.count = 2
    if name == "target_add":
        OPS.measure_place(bone="Hand_L", keytime="reach", x="left x", y="", z="")
    if name == "measure":
        verb.examples[0].action.verbs_adverbs.examples[0].values["x"].value = 0.1
    if name == "refinement_remove":
        OPS.refine()
    bpy.ops.ed.undo_push(message="prepared")
    before = _all()
    options = {"verb": verb.uid} if name == "reach_there" else UNDOABLE[name]
    assert getattr(OPS, name)("EXEC_DEFAULT", True, **options) == {"FINISHED"}
    assert _all() != before
    bpy.ops.ed.undo()
    assert _all() == before


def test_measuring_how_walks_travel_is_one_step_to_undo():
    walking_biped()
    bpy.ops.ed.undo_push(message="prepared")
    before = everything()
    assert OPS.measure_travel("EXEC_DEFAULT", True) == {"FINISHED"}
    assert everything() != before
    bpy.ops.ed.undo()
    assert everything() == before
