"""The verb graph as nodes: what is linked is stored, what is stored is linked, and nothing is lost on the way."""

import bpy
import pytest
from blender.performance import OPS, biped_with_graph
from blender.stage import part


def _keeping():
    return part("bridge.build.nodes.keeping")


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
