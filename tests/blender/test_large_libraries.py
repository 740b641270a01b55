"""Many verbs and clips: what panels keep between drawings, searching lists, and suggesting all transitions."""

from types import SimpleNamespace

import bpy
import pytest
from blender.performance import biped_with_graph
from blender.stage import go_to, part, walking_biped

OPS = bpy.ops.verbs_adverbs
TAKEN = 1 << 30


def shown(armature, edited: bool = False) -> str:
    """Headline of the verb as the panel says it, after Blender has noticed what was done.

    An edit by a script is tagged as Blender's own buttons tag it.
    """
    if edited:
        armature.update_tag()
    bpy.context.view_layer.update()
    return part("bridge.authoring.verbs").shown_status(armature, armature.verbs_adverbs.verbs["walk"]).headline


def test_what_a_panel_shows_of_a_verb_is_kept_until_something_changes(monkeypatch: pytest.MonkeyPatch):
    armature = walking_biped()
    assert OPS.verb_build() == {"FINISHED"}
    verbs = part("bridge.authoring.verbs")
    asked: list[str] = []
    found = verbs.status
    monkeypatch.setattr(verbs, "status", lambda rig, item: asked.append(item.name) or found(rig, item))
    told = [shown(armature) for _ in range(3)]
    assert set(told) == {"Built and up to date"} and len(asked) == 1
    armature.verbs_adverbs.verbs["walk"].control_points += 1
    assert shown(armature, edited=True).startswith("Changed since it was built")
    armature.verbs_adverbs.verbs["walk"].control_points -= 1
    assert shown(armature, edited=True) == "Built and up to date"
    go_to(7)
    assert shown(armature) == "Built and up to date" and len(asked) == 3


def test_a_verb_that_was_built_in_the_meantime_is_shown_as_built():
    armature = walking_biped()
    assert shown(armature).startswith("Not built yet")
    part("bridge.authoring.verbs").verb_for(armature, armature.verbs_adverbs.verbs["walk"])
    found = part("bridge.authoring.verbs").shown_status(armature, armature.verbs_adverbs.verbs["walk"])
    assert found.headline == "Built and up to date"


def test_another_file_is_looked_at_anew(tmp_path):
    armature = walking_biped()
    assert OPS.verb_build() == {"FINISHED"}
    assert shown(armature) == "Built and up to date"
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "one.blend"))
    armature.verbs_adverbs.verbs["walk"].kernel = "LINEAR"
    assert shown(armature, edited=True).startswith("Changed")
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "one.blend"))
    assert shown(bpy.context.object) == "Built and up to date"


def searched(name: str, typed: str, data, rows: str) -> list[int]:
    """Rows of a list that Blender shows when something was typed below it."""
    modules = {"VERBS_ADVERBS_UL_verb_examples": "panels.sidebar", "VERBS_ADVERBS_UL_transitions": "panels.graph"}
    shape = getattr(part(modules[name]), name)
    drawn = SimpleNamespace(filter_name=typed, bitflag_filter_item=TAKEN)
    drawn.text_of = lambda item: shape.text_of(drawn, item)
    flags, order = shape.filter_items(drawn, bpy.context, data, rows)
    assert order == []
    return [row for row, flag in enumerate(flags) if flag & TAKEN]


def test_lists_are_searched_by_what_their_rows_say():
    armature = biped_with_graph()
    rig = armature.verbs_adverbs
    walk = rig.verbs["walk"]
    named = [row for row, reference in enumerate(walk.examples) if "happy" in reference.action.name.lower()]
    assert searched("VERBS_ADVERBS_UL_verb_examples", "HAPPY", walk, "examples") == named != []
    to_wave = [row for row, item in enumerate(rig.transitions) if item.target == rig.verbs["wave"].uid]
    assert searched("VERBS_ADVERBS_UL_transitions", "→ wave", rig, "transitions") == to_wave != []
    assert searched("VERBS_ADVERBS_UL_transitions", "nothing like it", rig, "transitions") == []


def test_suggesting_all_transitions_tells_how_far_it_is_and_can_be_stopped(monkeypatch: pytest.MonkeyPatch):
    armature = biped_with_graph()
    armature.verbs_adverbs.transitions.clear()
    told: list[float] = []

    class Stopped(Exception):
        """Raised where the user would press Esc."""

    def computed(_key, compute):
        def tell(fraction: float, _text: str = "") -> None:
            told.append(fraction)
            if len(told) == 4:
                raise Stopped

        return compute(tell)

    monkeypatch.setattr(part("bridge.authoring.transitions"), "computed", computed)
    with pytest.raises(Stopped):
        part("bridge.authoring.transitions").suggest_all(armature)
    assert told == [0.0, 1 / 6, 2 / 6, 3 / 6] and not armature.verbs_adverbs.transitions
    monkeypatch.undo()
    assert OPS.transitions_suggest() == {"FINISHED"}
    assert len(armature.verbs_adverbs.transitions) == 6
