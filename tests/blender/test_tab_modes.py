"""The modes of the tab Verbs: which panels each has, which one is shown first, and that operators do not change it."""

import bpy
import pytest
from blender.stage import part, walking_biped

OPS = bpy.ops.verbs_adverbs
DAILY = {"directing", "perform", "layers", "talking", "performing", "baking"}
ONCE = {"example", "adverbs", "verbs", "graph"}


@pytest.fixture(autouse=True)
def enabled(extension):
    """The tab's modes exist while the extension is enabled."""


def tab():
    return bpy.context.window_manager.verbs_adverbs_tab


def bare_armature(name: str = "bare") -> bpy.types.Object:
    made = bpy.data.objects.new(name, bpy.data.armatures.new(name))
    bpy.context.collection.objects.link(made)
    bpy.context.view_layer.objects.active = made
    return made


def outer_panels() -> dict[str, type]:
    """Panels of the 3D view's tab that have a heading and stand in no other, by the end of their names."""
    modules = (part(f"panels.{name}") for name in part("panels").MODULES)
    found = [one for module in modules for one in module.CLASSES if issubclass(one, bpy.types.Panel)]
    return {
        one.__name__.rpartition("_PT_")[2]: one
        for one in found
        if one.bl_space_type == "VIEW_3D"
        and not getattr(one, "bl_parent_id", "")
        and "HIDE_HEADER" not in getattr(one, "bl_options", ())
    }


def shown() -> set[str]:
    return {name for name, panel in outer_panels().items() if panel.poll(bpy.context)}


def test_each_mode_has_its_panels_and_together_they_have_all():
    OPS.add_biped(cast="TALKING")
    assert OPS.live_on(verb="walk") == {"FINISHED"}
    tab().mode = "ANIMATE"
    assert shown() == DAILY
    tab().mode = "SET_UP"
    assert shown() == ONCE
    assert set(outer_panels()) == DAILY | ONCE


def test_an_armature_with_a_verb_is_animated_and_one_without_is_set_up():
    assert tab().mode == "SET_UP" and shown() == {"verbs"}
    bare = bare_armature()
    assert tab().mode == "SET_UP"
    assert OPS.add_biped() == {"FINISHED"}
    biped = bpy.context.object
    assert tab().mode == "ANIMATE" and not tab().chosen
    bpy.context.view_layer.objects.active = bare
    assert tab().mode == "SET_UP"
    tab().mode = "ANIMATE"
    assert not shown()
    bpy.context.view_layer.objects.active = biped
    tab().mode = "SET_UP"
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    assert not tab().chosen


def test_the_first_verb_does_not_turn_the_tab_over():
    bare_armature()
    assert OPS.verb_add(name="hop") == {"FINISHED"}
    assert tab().mode == "SET_UP" and "verbs" in shown()
    tab().mode = "ANIMATE"
    assert OPS.verb_remove() == {"FINISHED"}
    assert tab().mode == "ANIMATE"


def test_what_brings_a_character_leads_to_its_next_step():
    tab().mode = "SET_UP"
    assert OPS.add_biped() == {"FINISHED"}
    assert tab().mode == "ANIMATE"
    assert OPS.add_biped(walk=False, reach=True) == {"FINISHED"}
    assert tab().mode == "SET_UP"
    tab().mode = "ANIMATE"
    assert OPS.add_biped(walk=False) == {"FINISHED"}
    assert tab().mode == "SET_UP"


def test_a_mode_that_is_chosen_is_no_step_of_undo_and_no_part_of_the_armature():
    armature = walking_biped()
    kept = repr(sorted(armature.verbs_adverbs.keys()))
    bpy.ops.ed.undo_push(message="before")
    armature.location.x = 2.0
    bpy.ops.ed.undo_push(message="moved")
    tab().mode = "SET_UP"
    bpy.ops.ed.undo()
    moved = bpy.context.object
    assert tab().mode == "SET_UP" and moved.location.x == 0.0
    assert repr(sorted(moved.verbs_adverbs.keys())) == kept
