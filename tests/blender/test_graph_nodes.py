"""The verb graph as nodes: what is linked is stored, what is stored is linked, and nothing is lost on the way."""

import bpy
import pytest
from blender.performance import OPS, biped_with_graph, biped_with_verbs
from blender.stage import part


def _keeping():
    return part("bridge.authoring.nodes")


def _tree():
    return bpy.data.objects["Biped"].verbs_adverbs.nodes


def _armature():
    return bpy.data.objects["Biped"]


def _settle() -> None:
    """What the timer of a window does."""
    part("operators.view.nodes").settle()


def _node(verb: str):
    uid = _armature().verbs_adverbs.verbs[verb].uid
    (found,) = [one for one in _tree().nodes if getattr(one, "uid", None) == uid and len(one.outputs)]
    return found


def _entry(verb: str):
    """The socket at which a verb is entered."""
    uid = _armature().verbs_adverbs.verbs[verb].uid
    (found,) = [one for one in _tree().nodes if getattr(one, "uid", None) == uid and len(one.inputs)]
    return found.inputs[0]


def _way(source: str, target: str):
    """The socket of a transition, or the one at which new ones begin where there is none."""
    rig = _armature().verbs_adverbs
    uids = (rig.verbs[source].uid, rig.verbs[target].uid)
    items = [one.uid for one in rig.transitions if (one.source, one.target) == uids]
    return next(one for one in _node(source).outputs if one.uid == (items[0] if items else ""))


def _stored() -> list[tuple[str, str]]:
    rig = _armature().verbs_adverbs
    names = {item.uid: item.name for item in rig.verbs}
    return sorted((names[one.source], names[one.target]) for one in rig.transitions)


def _linked() -> list[tuple[str, str]]:
    """Pairs of verbs that links of the tree join, each from a socket of its own."""
    names = {item.uid: item.name for item in _armature().verbs_adverbs.verbs}
    assert len({link.from_socket for link in _tree().links}) == len(_tree().links)
    return sorted((names[link.from_node.uid], names[link.to_node.uid]) for link in _tree().links)


def _link(source: str, target: str) -> None:
    rig = _armature().verbs_adverbs
    new = next(one for one in _node(source).outputs if not one.uid)
    assert rig.verbs[target]
    _tree().links.new(_entry(target), new)
    _settle()


@pytest.fixture
def shown():
    biped_with_graph()
    assert OPS.nodes_show() == {"FINISHED"}
    _settle()
    return _tree()


def test_each_verb_is_a_node_and_each_transition_a_link(shown):
    names = ["Enter stand", "Enter walk", "Enter wave", "stand", "walk", "wave"]
    assert sorted(one.name for one in shown.nodes) == names
    assert _linked() == _stored() and len(_stored()) == 6
    assert all(link.is_valid for link in shown.links)


def test_a_link_that_is_made_adds_a_transition_and_one_that_is_removed_takes_it_away(shown):
    _tree().links.remove(_way("walk", "wave").links[0])
    _settle()
    assert ("walk", "wave") not in _stored() and _linked() == _stored()
    _link("walk", "wave")
    assert _stored().count(("walk", "wave")) == 1 and _linked() == _stored()
    made = next(one for one in _armature().verbs_adverbs.transitions if one.uid == _way("walk", "wave").uid)
    assert 0.0 < made.leaves_end - made.leaves_begin < 1.0 and made.likelihood == 0.0


def test_a_link_that_is_taken_elsewhere_is_another_transition(shown):
    way = _way("stand", "walk")
    _tree().links.remove(way.links[0])
    _tree().links.new(_entry("wave"), way)
    _settle()
    assert ("stand", "walk") not in _stored() and _stored().count(("stand", "wave")) == 2
    assert _linked() == _stored()


def test_a_link_that_is_taken_to_where_it_cannot_lead_stays_what_it_was(shown):
    before = [one.uid for one in _armature().verbs_adverbs.transitions]
    way = _way("stand", "walk")
    _tree().links.remove(way.links[0])
    _tree().links.new(_entry("stand"), way)
    _settle()
    assert [one.uid for one in _armature().verbs_adverbs.transitions] == before and _linked() == _stored()


def test_a_change_in_the_panel_is_seen_in_the_nodes(shown):
    rig = _armature().verbs_adverbs
    rig.active_verb = rig.verbs.find("walk")
    assert OPS.verb_rename(name="stroll") == {"FINISHED"}
    assert _node("stroll").draw_label() == "stroll"
    rig.active_transition = next(i for i, one in enumerate(rig.transitions) if one.uid == _way("stroll", "wave").uid)
    assert OPS.transition_remove() == {"FINISHED"}
    _settle()
    assert len(_stored()) == 5 and _linked() == _stored()
    rig.active_verb = rig.verbs.find("stroll")
    assert OPS.verb_remove() == {"FINISHED"}
    _settle()
    assert _linked() == _stored() == [("stand", "wave"), ("wave", "stand")]
    assert len(_tree().nodes) == 4


def test_a_deleted_node_comes_back_where_it_was_and_takes_nothing_with_it(shown):
    examples = len(_armature().verbs_adverbs.verbs["walk"].examples)
    _node("walk").location = (123.0, -456.0)
    _settle()
    part("operators.view.nodes")._to_tell.clear()
    _tree().nodes.remove(_node("walk"))
    _settle()
    ((kind, said),) = part("operators.view.nodes")._to_tell
    assert kind == "WARNING" and "does not remove verb 'walk'" in said
    assert tuple(_node("walk").location) == (123.0, -456.0)
    assert len(_stored()) == 6 and _linked() == _stored()
    assert len(_armature().verbs_adverbs.verbs["walk"].examples) == examples
    _tree().nodes.remove(_entry("walk").node)
    _settle()
    assert len(_stored()) == 6 and _linked() == _stored()


def test_nodes_and_the_panel_choose_the_same_verb(shown):
    rig = _armature().verbs_adverbs
    _tree().nodes.active = _node("wave")
    _settle()
    assert rig.verbs[rig.active_verb].name == "wave"
    rig.active_verb = rig.verbs.find("stand")
    _settle()
    assert _tree().nodes.active == _node("stand") and _node("stand").select and not _node("wave").select


def test_an_undo_takes_back_what_was_linked_and_adds_nothing(shown):
    bpy.ops.ed.undo_push(message="shown")
    _link("stand", "walk")
    assert _stored().count(("stand", "walk")) == 2
    bpy.ops.ed.undo()
    _settle()
    assert _stored().count(("stand", "walk")) == 1 and _linked() == _stored()


def test_places_are_kept_in_the_file_and_with_the_extension_off(shown, tmp_path):
    _node("wave").location = (900.0, -300.0)
    _settle()
    before = {node.name: tuple(node.location) for node in _tree().nodes}
    path = str(tmp_path / "nodes.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.preferences.addon_disable(module="bl_ext.user_default.verbs_adverbs")
    try:
        bpy.ops.wm.open_mainfile(filepath=path)
        assert len(bpy.data.node_groups) == 1
        bpy.ops.wm.save_as_mainfile(filepath=path)
    finally:
        bpy.ops.preferences.addon_enable(module="bl_ext.user_default.verbs_adverbs")
    bpy.ops.wm.open_mainfile(filepath=path)
    _settle()
    assert {node.name: tuple(node.location) for node in _tree().nodes} == before
    assert _linked() == _stored() and len(_stored()) == 6


def test_a_copied_armature_gets_a_copy_and_a_deleted_one_is_not_kept(shown):
    _node("wave").location = (900.0, -300.0)
    _settle()
    _armature().name = "First"
    with bpy.context.temp_override(selected_objects=[bpy.data.objects["First"]]):
        bpy.ops.object.duplicate()
    copy = bpy.context.object
    assert copy.name != "First" and copy.verbs_adverbs.nodes == bpy.data.objects["First"].verbs_adverbs.nodes
    assert OPS.nodes_show() == {"FINISHED"}
    first, second = bpy.data.objects["First"].verbs_adverbs.nodes, copy.verbs_adverbs.nodes
    assert first != second and len(first.nodes) == len(second.nodes) == 6 and len(second.links) == 6
    assert any(tuple(node.location) == (900.0, -300.0) for node in second.nodes)
    second.links.remove(second.links[0])
    _settle()
    assert (len(copy.verbs_adverbs.transitions), len(bpy.data.objects["First"].verbs_adverbs.transitions)) == (5, 6)
    bpy.data.objects.remove(copy)
    _settle()
    assert [tree for tree, _ in part("bridge.authoring.nodes").trees()] == [first] and len(first.links) == 6


def test_damaged_nodes_are_mended_from_what_is_stored(shown):
    for node in _tree().nodes:
        if node.name in ("wave", "Enter walk"):
            node.uid = _armature().verbs_adverbs.verbs["stand"].uid
    _tree().nodes.new("NodeFrame")
    _way("walk", "stand").uid = "nothing"
    part("bridge.authoring.nodes").stored_alone_counts()
    _settle()
    assert len(_stored()) == 6 and _linked() == _stored()
    _armature().verbs_adverbs.nodes = bpy.data.node_groups.new("Another", "ShaderNodeTree")
    _settle()
    assert OPS.nodes_show() == {"FINISHED"}
    assert len(_tree().links) == 6 and _tree().name == "Biped Verb Graph.001"


def test_a_verb_is_not_linked_to_itself(shown):
    part("operators.view.nodes")._to_tell.clear()
    _link("walk", "walk")
    assert "needs no transition to itself" in part("operators.view.nodes")._to_tell[0][1]
    assert len(_stored()) == 6 and _linked() == _stored()


def test_perform_joins_verbs_that_nothing_joins_and_parts_them_again():
    armature = biped_with_verbs()
    armature.verbs_adverbs.active_verb = armature.verbs_adverbs.verbs.find("walk")
    assert OPS.verb_remove() == {"FINISHED"}
    transitions = part("bridge.authoring.transitions")
    joined = transitions.join_where_none([armature])
    assert len(armature.verbs_adverbs.transitions) == 2 and "2 were added" in joined[0].said
    assert transitions.join_where_none([armature]) == []
    uids = {name: armature.verbs_adverbs.verbs[name].uid for name in ("stand", "wave")}
    assert OPS.transition_add(source=uids["stand"], target=uids["wave"]) == {"FINISHED"}
    own = armature.verbs_adverbs.transitions[-1].uid
    transitions.part_again(joined)
    assert [one.uid for one in armature.verbs_adverbs.transitions] == [own]
    armature.verbs_adverbs.transitions.clear()
    for reference in armature.verbs_adverbs.verbs["wave"].examples:
        bpy.data.actions.remove(reference.action)
    (failed,) = transitions.join_where_none([armature])
    assert "none could be suggested" in failed.said and len(armature.verbs_adverbs.transitions) == 0
