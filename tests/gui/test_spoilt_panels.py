"""Panels of spoilt data and of what a newer version has stored: drawn without a traceback, with a sentence."""

from collections.abc import Iterator

import bpy
from hand import Hand

UNKNOWN = 77


def _store(group: bpy.types.PropertyGroup, name: str) -> None:
    """Store a number that no choice of this version has."""
    kept = group.bl_system_properties_get(do_create=True) if hasattr(group, "bl_system_properties_get") else group
    kept[name] = UNKNOWN


def _shown(gui: Hand, name: str) -> Iterator[float]:
    yield from gui.sidebar("Verbs", "VIEW_3D")
    gui.area().tag_redraw()
    yield 1.0
    gui.picture(name)


def _live_biped() -> bpy.types.Object:
    bpy.ops.object.select_all(action="SELECT")
    bpy.ops.object.delete()
    bpy.ops.verbs_adverbs.add_biped(walk=True)
    assert bpy.ops.verbs_adverbs.live_on() == {"FINISHED"}
    return bpy.context.object


def test_sliders_that_hold_no_number_are_told_in_the_panel(gui: Hand) -> Iterator[float]:
    armature = _live_biped()
    director = armature.verbs_adverbs.director
    director["mood"], director["slope"], director["turn"] = "happy", {"a": 1.0}, armature.data
    yield from _shown(gui, "spoilt-sliders")
    assert bpy.ops.verbs_adverbs.adverbs_reset() == {"FINISHED"}
    yield from _shown(gui, "spoilt-sliders-reset")
    assert director["slope"] == 0.0


def test_what_a_newer_version_has_stored_is_told_in_the_panel(gui: Hand) -> Iterator[float]:
    armature = _live_biped()
    rig = armature.verbs_adverbs
    _store(rig.verbs[0], "kernel")
    example = rig.verbs[0].examples[0].action.verbs_adverbs.examples[0]
    _store(example, "kind")
    example.contacts[0].windows[0].end = float("nan")
    example.keytimes[1].frame = float("nan")
    yield from _shown(gui, "spoilt-newer")
    assert rig.director.verbs_adverbs.live
