"""Transitions are added, suggested, placed and removed by operators, and what is wrong is said where it is."""

import bpy
import numpy as np
import pytest
from blender.figurine import assert_says, assign, everything, refused
from blender.performance import OPS, begin_with, biped_with_graph, biped_with_verbs, graph_of
from blender.stage import part


def _rows(armature) -> dict[str, object]:
    items = part("bridge.data.transition_items")
    return {items.label_of(armature, item): item for item in armature.verbs_adverbs.transitions}


def _choose(armature, label: str):
    names = list(_rows(armature))
    armature.verbs_adverbs.active_transition = names.index(label)
    return armature.verbs_adverbs.transitions[names.index(label)]


def _uid(armature, verb: str) -> str:
    return armature.verbs_adverbs.verbs[verb].uid


def _complaints(armature) -> tuple[str, ...]:
    with pytest.raises(part("core.errors").GraphError) as caught:
        graph_of(armature)
    return caught.value.complaints


@pytest.fixture
def armature():
    return biped_with_verbs()


def test_suggest_all_joins_every_two_verbs_both_ways_and_is_one_step_to_undo(armature):
    bpy.ops.ed.undo_push(message="prepared")
    before = everything()
    assert OPS.transitions_suggest("EXEC_DEFAULT", True) == {"FINISHED"}
    assert sorted(_rows(armature)) == [
        "stand → walk", "stand → wave", "walk → stand", "walk → wave", "wave → stand", "wave → walk",
    ]  # fmt: skip
    graph = graph_of(armature)
    best = part("core.graph.distance_map").suggest_transitions(graph.verb("stand"), graph.verb("wave"))[0].transition
    (made,) = (way for way in graph.transitions if (way.source, way.target) == ("stand", "wave"))
    ends = [[region.begin, region.end] for way in (made, best) for region in (way.leaves, way.enters)]
    assert np.allclose(ends[:2], ends[2:], atol=1e-6)
    bpy.ops.ed.undo()
    assert everything() == before


def test_nothing_but_a_command_leaves_a_cycle_and_a_gesture_has_one_way_on(armature):
    OPS.transitions_suggest()
    rows = _rows(armature)
    likely = {label for label, item in rows.items() if item.likelihood > 0.0}
    assert likely == {"wave → stand"}
    assert OPS.transitions_suggest() == {"FINISHED"}
    assert len(armature.verbs_adverbs.transitions) == len(rows)


def test_standing_is_left_anywhere_on_command_and_a_walk_is_not(armature):
    OPS.transitions_suggest()
    rows = _rows(armature)
    assert {label for label, item in rows.items() if item.anywhere} == {"stand → walk", "stand → wave"}
    graph = part("bridge.authoring.graph").graph_for(armature).graph
    assert {way.target for way in graph.leaving["stand"] if way.anywhere} == {"walk", "wave"}
    rows["walk → stand"].anywhere = True
    graph = part("bridge.authoring.graph").graph_for(armature).graph
    assert not any(way.anywhere for way in graph.leaving["walk"])


def _place(armature, item) -> None:
    part("bridge.data.transition_items").set_end(item, "leaves_begin", 0.4)


def test_regions_placed_by_hand_count_again(armature):
    OPS.transitions_suggest()
    rig, item = armature.verbs_adverbs, _rows(armature)["stand → walk"]
    rig.active_transition = next(at for at, one in enumerate(rig.transitions) if one.uid == item.uid)
    assert item.anywhere
    for place in (lambda: OPS.transition_suggest(choice=2), lambda: _place(armature, item)):
        item.anywhere = True
        place()
        assert not item.anywhere


def test_a_second_transition_is_suggested_somewhere_else(armature):
    for _ in range(2):
        OPS.transition_add(source=_uid(armature, "stand"), target=_uid(armature, "walk"))
    begins = [item.leaves_begin for item in armature.verbs_adverbs.transitions]
    assert abs(begins[0] - begins[1]) > 0.01


def test_the_choices_of_a_suggestion_are_different_places(armature):
    OPS.transition_add(source=_uid(armature, "stand"), target=_uid(armature, "wave"), suggest=False)
    item, begins = armature.verbs_adverbs.transitions[0], set()
    for choice in (1, 2, 3):
        assert OPS.transition_suggest(choice=choice) == {"FINISHED"}
        begins.add(round(item.leaves_begin, 3))
    assert len(begins) == 3


def test_an_end_at_a_keytime_is_there_and_goes_with_it(armature):
    begin_with(armature, "walk")
    OPS.transition_add(source=_uid(armature, "walk"), target=_uid(armature, "stand"))
    item, verb = armature.verbs_adverbs.transitions[0], graph_of(armature).verb("walk")
    times = dict(zip(verb.keytime_names[:-1], verb.phrasing.generic, strict=False))
    name = verb.keytime_names[1]
    assert OPS.transition_keytime(end="leaves_begin", keytime=name) == {"FINISHED"}
    assert graph_of(armature).transitions[0].leaves.begin == pytest.approx(times[name])
    assert OPS.transition_keytime(end="leaves_begin", keytime="<number>") == {"FINISHED"}
    assert item.leaves_begin_keytime == "" and item.leaves_begin == pytest.approx(times[name])


def test_a_region_of_a_cycle_between_keytimes_goes_over_its_seam(armature):
    begin_with(armature, "walk")
    OPS.transition_add(source=_uid(armature, "walk"), target=_uid(armature, "stand"))
    verb = graph_of(armature).verb("walk")
    early, late = verb.keytime_names[1], verb.keytime_names[-2]
    OPS.transition_keytime(end="leaves_begin", keytime=late)
    OPS.transition_keytime(end="leaves_end", keytime=early)
    region, generic = graph_of(armature).transitions[0].leaves, verb.phrasing.generic
    assert (region.begin, region.end) == pytest.approx((generic[-2], 1.0 + generic[1]))


def test_an_end_is_put_at_the_frame_of_the_example_that_is_shown(armature, capfd):
    begin_with(armature, "walk")
    OPS.transition_add(source=_uid(armature, "walk"), target=_uid(armature, "stand"))
    item, reference = armature.verbs_adverbs.transitions[0], armature.verbs_adverbs.verbs["walk"].examples[2]
    assign(armature, reference.action)
    (example,) = reference.action.verbs_adverbs.examples
    frames = [keytime.frame for keytime in example.keytimes]
    middle = 0.25 * frames[1] + 0.75 * frames[2]
    bpy.context.scene.frame_set(int(middle), subframe=middle % 1.0)
    assert OPS.transition_end_here(end="leaves_end") == {"FINISHED"}
    generic = graph_of(armature).verb("walk").phrasing.generic
    assert item.leaves_end == pytest.approx(0.25 * generic[1] + 0.75 * generic[2], abs=1e-4)
    said = refused(lambda: OPS.transition_end_here(end="enters_end"), capfd)
    assert_says(said, "shows no example of 'stand'", "go to the frame")
    bpy.context.scene.frame_set(int(frames[-1]) + 10)
    assert_says(
        refused(lambda: OPS.transition_end_here(end="leaves_end"), capfd), "is outside the example", "Go to a frame"
    )


def test_mistakes_are_said_where_they_are(armature):
    OPS.transitions_suggest()
    graph, transitions = part("bridge.authoring.graph"), part("bridge.authoring.transitions")
    item = _choose(armature, "wave → stand")
    assert graph_of(armature) is not None and transitions.transition_remarks(armature, item) == []
    item.leaves_end = 1.4
    (said,) = transitions.transition_remarks(armature, item)
    assert_says(said, "'wave'", "0 to 1", "Move the region")
    assert graph.graph_status(armature).state == "UNCHECKED"
    assert said in _complaints(armature)
    assert graph.graph_status(armature).state == "BROKEN"
    item.leaves_end_keytime = "nod"
    assert any("no keytime 'nod'" in line for line in transitions.transition_remarks(armature, item))


def test_dead_ends_are_named_and_mended_by_another_transition(armature):
    begin_with(armature, "stand")
    OPS.transition_add(source=_uid(armature, "stand"), target=_uid(armature, "wave"))
    (said,) = _complaints(armature)
    assert_says(said, "'wave'", "dead end")
    assert armature.verbs_adverbs.transitions and part("bridge.authoring.graph").graph_status(armature).outside == (
        "walk",
    )
    OPS.transition_add(source=_uid(armature, "wave"), target=_uid(armature, "stand"))
    assert {verb.name for verb in graph_of(armature).verbs} == {"stand", "wave"}
    assert part("bridge.authoring.graph").graph_status(armature).state == "READY"


def test_a_transition_that_is_switched_off_is_not_taken(armature):
    OPS.transitions_suggest()
    _choose(armature, "stand → wave").enabled = False
    assert ("stand", "wave") not in {(way.source, way.target) for way in graph_of(armature).transitions}


def test_a_check_reports_every_complaint_in_one_sentence_each(armature, capfd):
    OPS.transitions_suggest()
    for label in ("wave → stand", "stand → wave"):
        _rows(armature)[label].leaves_begin = 1.5
    said = refused(OPS.graph_check, capfd)
    assert_says(said, "'wave'", "'stand'")


def test_renaming_a_verb_keeps_its_transitions(armature):
    OPS.transitions_suggest()
    ends = {(item.leaves_begin, item.enters_end) for item in armature.verbs_adverbs.transitions}
    armature.verbs_adverbs.active_verb = armature.verbs_adverbs.verbs.find("walk")
    OPS.verb_rename(name="stroll")
    assert "stand → stroll" in _rows(armature) and "walk" not in " ".join(_rows(armature))
    assert {(item.leaves_begin, item.enters_end) for item in armature.verbs_adverbs.transitions} == ends
    assert {way.source for way in graph_of(armature).transitions} == {"stand", "stroll", "wave"}


def test_removing_a_verb_says_what_is_lost_with_it(armature, capfd):
    biped = armature
    OPS.transitions_suggest()
    OPS.command_add(verb="wave", frame=40.0)
    OPS.command_add(verb="walk", frame=60.0)
    biped.verbs_adverbs.active_verb = biped.verbs_adverbs.verbs.find("wave")
    capfd.readouterr()
    assert OPS.verb_remove() == {"FINISHED"}
    said = capfd.readouterr().out
    assert "also removed 4 transitions" in said and "no longer have an effect, at frame 40" in said
    assert sorted(_rows(biped)) == ["stand → walk", "walk → stand"]


def test_the_graph_of_the_file_is_the_same_when_it_is_opened_again(tmp_path):
    armature = biped_with_graph()
    _choose(armature, "walk → stand").kind = "INERTIALISED"
    before = graph_of(armature).transitions
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "graph.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "graph.blend"))
    assert graph_of(bpy.data.objects["Biped"]).transitions == before
