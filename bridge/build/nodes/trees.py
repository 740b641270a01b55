"""Node trees that show verb graphs: which armature each belongs to, and what in it stands for what.

The armature points at its tree, so that both are saved and appended together and a tree never keeps an armature in the
file. What a node or a socket stands for is told by the identifier of a verb or transition.
"""

from collections.abc import Iterator
from typing import Any

import bpy
from bpy.types import Node, NodeLink, NodeSocket, NodeTree, Object

from ...blender.unchanged import while_unchanged
from ...data.current import MaybeNone

TREE, NODE, ENTRY, WAY, ENTERED = (
    "VERBS_ADVERBS_VerbGraphTree",
    "VERBS_ADVERBS_VerbNode",
    "VERBS_ADVERBS_EntryNode",
    "VERBS_ADVERBS_WaySocket",
    "VERBS_ADVERBS_EnteredSocket",
)
"""Identifiers of the kinds of tree, nodes and sockets.

A verb has a node with a way out for each transition and one more, and beside it a small node at which it is entered: in
one node for both, Blender would mark links that lead back as wrong.
"""
Way = tuple[str, str, str]
"""A link: the verb that is left, its transition (empty for a new one), and the verb that is entered."""

_known: dict[int, int] = {}
"""Session identifier of the armature that each tree was last seen to belong to."""


def forget_owners() -> None:
    """Forget to which armatures trees belonged, of a file that is gone."""
    _known.clear()


def is_verb_graph(tree: NodeTree | None) -> bool:
    """Whether a node tree shows a verb graph."""
    return tree is not None and tree.bl_idname == TREE


def armature_of_tree(tree: NodeTree) -> Object | MaybeNone:
    """Return the armature whose verb graph a tree shows, None if it is gone; quick enough for drawing."""
    name = while_unchanged(("armature of nodes", tree.session_uid), lambda: _owner_name(tree))
    found = bpy.data.objects.get(name) if name is not None else None
    return found if found is not None and found.verbs_adverbs.nodes == tree else None


def tree_of_armature(armature: Object) -> NodeTree | None:
    """Return the tree of an armature's own, None if it has none yet: a copied armature still has that of the first."""
    tree = armature.verbs_adverbs.nodes
    return tree if is_verb_graph(tree) and _owner(tree) == armature else None


def ensure_tree(armature: Object) -> NodeTree:
    """Return the tree of an armature; a copy of an armature gets a copy of the tree, with its places."""
    tree: NodeTree | MaybeNone = tree_of_armature(armature)
    if tree is None:
        shared = armature.verbs_adverbs.nodes
        kind: Any = TREE
        copied = is_verb_graph(shared) and shared.library is None
        tree = shared.copy() if copied else bpy.data.node_groups.new(f"{armature.name} Verb Graph", kind)
        tree.name = f"{armature.name} Verb Graph"
        armature.verbs_adverbs.nodes = tree
    tree.armature_name = armature.name
    _known[tree.session_uid] = armature.session_uid
    return tree


def trees() -> Iterator[tuple[NodeTree, Object]]:
    """Yield the trees of this file that show a verb graph, each with its armature."""
    for tree in bpy.data.node_groups:
        owner = _owner(tree) if is_verb_graph(tree) and tree.library is None else None
        if owner is not None:
            yield tree, owner


def verb_nodes(tree: NodeTree, kind: str = NODE) -> dict[str, Node]:
    """Return the nodes of verbs, or their entries, by the verbs' identifiers; of several for one verb the oldest."""
    found: dict[str, Node] = {}
    for node in tree.nodes:
        if node.bl_idname == kind:
            found.setdefault(node.uid, node)
    return found


def linked_ways(tree: NodeTree) -> set[Way]:
    """Return what the links of a tree say, seen through reroutes."""
    ours = {node.as_pointer() for node in verb_nodes(tree, ENTRY).values()}
    leaving: dict[int, list[NodeLink]] = {}
    for link in tree.links:
        leaving.setdefault(link.from_socket.as_pointer(), []).append(link)
    return {
        (node.uid, socket.uid, entered.uid)
        for node in verb_nodes(tree).values()
        for socket in node.outputs
        if socket.bl_idname == WAY
        for entered in _entered(socket, leaving)
        if entered.as_pointer() in ours
    }


def ways_of(armature: Object, uid: str) -> list[str]:
    """Identifiers of the ways of a verb: its transitions, and an empty one at which new ones begin."""
    known = {verb.uid for verb in armature.verbs_adverbs.verbs}
    leads = (one for one in armature.verbs_adverbs.transitions if one.source == uid and one.target in known)
    return [*dict.fromkeys(one.uid for one in leads if one.uid), ""]


def stored_ways(armature: Object) -> set[Way]:
    """Return what the links of a tree have to say about an armature's transitions."""
    known, found = {verb.uid for verb in armature.verbs_adverbs.verbs if verb.uid}, {}
    for one in armature.verbs_adverbs.transitions:
        if one.uid and one.source in known and one.target in known:
            found.setdefault(one.uid, (one.source, one.uid, one.target))
    return set(found.values())


def _entered(socket: NodeSocket, leaving: dict[int, list[NodeLink]]) -> Iterator[Node]:
    """Entries that the links of an output lead to, through as many reroutes as there are."""
    waiting, passed = [socket], set()
    while waiting:
        for link in leaving.get(waiting.pop().as_pointer(), ()):
            node: Node | MaybeNone = link.to_node
            if node.bl_idname == ENTRY:
                yield node
            elif node.bl_idname == "NodeReroute" and node.as_pointer() not in passed:
                passed.add(node.as_pointer())
                waiting.extend(node.outputs)


def _owner(tree: NodeTree) -> Object | None:
    """The armature that a tree belongs to: the one it had last, else the one of the name that it stores."""
    pointing = [one for one in bpy.data.objects if one.type == "ARMATURE" and one.verbs_adverbs.nodes == tree]
    known = _known.get(tree.session_uid)
    by_identity = (one for one in pointing if one.session_uid == known)
    by_name = (one for one in pointing if one.name == tree.armature_name)
    return next(by_identity, None) or next(by_name, None) or next(iter(pointing), None)


def _owner_name(tree: NodeTree) -> tuple[str, str | None] | None:
    owner = _owner(tree)
    return None if owner is None else (owner.name, owner.library.filepath if owner.library is not None else None)
