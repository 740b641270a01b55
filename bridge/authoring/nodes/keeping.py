"""Keeping nodes and an armature's verb graph in step: what is stored is drawn, and what is linked is stored.

The armature has the truth. What the user links or unlinks is taken over as the difference from how the tree was left
last; whatever else differs is put back, such as the node of a verb that was deleted.
"""

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import NamedTuple

from bpy.types import Node, NodeTree, Object

from ....core.errors import GraphError, VerbsError
from ...data.current import face_again, facings
from ...data.linked.whose import not_edited
from ...data.transition_items import remove_transition, verb_of
from ..transitions import add_suggested
from .trees import (
    ENTERED,
    ENTRY,
    NODE,
    WAY,
    Place,
    Way,
    forget_owners,
    is_laid_out,
    lay_out,
    linked_ways,
    place_of,
    stored_ways,
    verb_nodes,
    ways_of,
)


class Taken(NamedTuple):
    """What became of links that the user made or removed: what is told of it, and what went wrong."""

    said: tuple[str, ...]
    wrong: tuple[str, ...]

    def __bool__(self) -> bool:
        return bool(self.said or self.wrong)


_left: dict[int, set[Way]] = {}
"""What the links of each tree said when it was kept in step last, by the tree's session identifier."""
_places: dict[int, dict[str, tuple[Place, Place]]] = {}
"""Where the nodes of verbs were seen last, and where they had been put."""
_busy = False


def is_busy() -> bool:
    """Whether a tree is being written here, so that its changes are not the user's."""
    return _busy


def forget() -> None:
    """Forget all trees, of a file that is gone or as the extension is switched off."""
    _left.clear()
    _places.clear()
    forget_owners()


def stored_alone_counts() -> None:
    """Take nothing over from links as they are now: an undo or another file has changed them, not the user."""
    _left.clear()


def is_relinked(tree: NodeTree) -> bool:
    """Whether links were made or removed since the tree was kept in step; False where that is not known."""
    return tree.session_uid in _left and _left[tree.session_uid] != linked_ways(tree)


def take_over(tree: NodeTree, armature: Object) -> Taken:
    """Store transitions for links that the user has made, and remove those whose links the user has removed.

    A verb's link that was moved to where it cannot lead keeps its transition.
    """
    before, now = _left.get(tree.session_uid), linked_ways(tree)
    if before is None or before == now:
        return Taken((), ())
    shown = verb_nodes(tree).keys() & verb_nodes(tree, ENTRY).keys()
    gone = [way for way in before - now if way[0] in shown and way[2] in shown]
    made = [way for way in now - before - stored_ways(armature) if _is_there(armature, way, shown)]
    _left[tree.session_uid] = now
    if not gone and not made:
        return Taken((), ())
    refused = not_edited(armature)
    if refused:
        return Taken((), (f"{refused}.",))
    said: list[str] = []
    wrong: dict[str, str] = {}
    for left, _, entered in made:
        kept = facings()
        try:
            said.append(f"{_add(armature, left, entered)}.")
        except VerbsError as error:
            face_again(kept)
            wrong[left] = str(error)
    for left, uid, _ in gone:
        index = next((at for at, item in enumerate(armature.verbs_adverbs.transitions) if item.uid == uid), None)
        if index is not None and left not in wrong:
            said.append(f"Removed {remove_transition(armature, index)}.")
    return Taken(tuple(said), tuple(wrong.values()))


def is_in_step(tree: NodeTree, armature: Object) -> bool:
    """Whether a tree shows what the armature stores; quick, as it is asked at every drawing of it."""
    nodes, entries = verb_nodes(tree), verb_nodes(tree, ENTRY)
    known = {item.uid for item in armature.verbs_adverbs.verbs if item.uid}
    ours = sum(node.bl_idname in {NODE, ENTRY} for node in tree.nodes)
    if ours != 2 * len(nodes) or nodes.keys() != known or entries.keys() != known:
        return False
    ways = all([one.uid for one in node.outputs] == ways_of(armature, uid) for uid, node in nodes.items())
    return ways and linked_ways(tree) == stored_ways(armature) and is_laid_out(tree, armature)


def note_places(tree: NodeTree) -> None:
    """Remember where the nodes are, for those that the user deletes."""
    _places.setdefault(tree.session_uid, {}).update(
        (uid, (place_of(node), tuple(node.put))) for uid, node in verb_nodes(tree).items()
    )


def keep_in_step(tree: NodeTree, armature: Object) -> list[str]:
    """Make a tree show what the armature stores; returns the names of verbs whose nodes the user had deleted.

    These are put back. Nodes that the user has moved stay where they are.
    """
    deleted = tree.session_uid in _left
    with _writing():
        back = _keep_nodes(tree, armature)
        for uid, node in verb_nodes(tree).items():
            _keep_ways(node, ways_of(armature, uid))
        _keep_links(tree, armature)
        lay_out(tree, armature)
    note_places(tree)
    _left[tree.session_uid] = linked_ways(tree)
    return back if deleted else []


@contextmanager
def _writing() -> Iterator[None]:
    global _busy
    before, _busy = _busy, True
    try:
        yield
    finally:
        _busy = before


def _is_there(armature: Object, way: Way, shown: Collection[str]) -> bool:
    """Whether a new link joins two verbs; one from the way of a verb whose node was deleted is none of the user's."""
    item = next((one for one in armature.verbs_adverbs.transitions if one.uid == way[1]), None)
    return item is None or item.target in shown


def _add(armature: Object, left: str, entered: str) -> str:
    source, target = verb_of(armature, left), verb_of(armature, entered)
    if source is None or target is None:
        raise GraphError("A verb of this link is gone. Link two that the armature has.")
    if source == target:
        raise GraphError(
            f"'{source.name}' needs no transition to itself: a cycle goes on by itself. Link it to another verb."
        )
    return add_suggested(armature, source, target)


def _keep_nodes(tree: NodeTree, armature: Object) -> list[str]:
    """Remove nodes of verbs that are gone, and second ones; add those that are missing."""
    verbs = {item.uid: item.name for item in armature.verbs_adverbs.verbs if item.uid}
    there = {kind: verb_nodes(tree, kind) for kind in (NODE, ENTRY)}
    for node in [one for one in tree.nodes if one.bl_idname in there]:
        if node.uid not in verbs or there[node.bl_idname][node.uid] != node:
            tree.nodes.remove(node)
    back, places = [], _places.get(tree.session_uid, {})
    for uid in verbs.keys() - verb_nodes(tree).keys():
        node = tree.nodes.new(NODE)
        node.uid, node.name, node.select = uid, verbs[uid], False
        if uid in places:
            node.location, node.put = places[uid]
            back.append(verbs[uid])
    for uid in verbs.keys() - verb_nodes(tree, ENTRY).keys():
        entry = tree.nodes.new(ENTRY)
        entry.uid, entry.name, entry.hide, entry.select = uid, f"Enter {verbs[uid]}", True, False
        entry.inputs.new(ENTERED, "Enter", use_multi_input=True)
    return back


def _keep_ways(node: Node, wanted: list[str]) -> None:
    """Give a node a way for each transition, in their order."""
    seen: set[str] = set()
    for socket in list(node.outputs):
        if socket.bl_idname != WAY or socket.uid not in wanted or socket.uid in seen:
            node.outputs.remove(socket)
        else:
            seen.add(socket.uid)
    for position, uid in enumerate(wanted):
        if uid not in seen:
            node.outputs.new(WAY, "Way").uid = uid
        index = next(at for at, socket in enumerate(node.outputs) if socket.uid == uid)
        if index != position:
            node.outputs.move(index, position)


def _keep_links(tree: NodeTree, armature: Object) -> None:
    """Remove links that no transition explains, and add those that are missing."""
    stored = stored_ways(armature)
    nodes, entries = verb_nodes(tree), verb_nodes(tree, ENTRY)
    for left, way, entered in linked_ways(tree) - stored:
        for link in list(tree.links):
            ends = (link.from_node, link.to_node)
            if ends == (nodes[left], entries[entered]) and link.from_socket.uid == way:
                tree.links.remove(link)
    for left, way, entered in stored - linked_ways(tree):
        source = next(one for one in nodes[left].outputs if one.uid == way)
        tree.links.new(entries[entered].inputs[0], source)
