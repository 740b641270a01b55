"""Keeping nodes and an armature's verb graph in step: what is stored is drawn, and what is linked is stored.

The armature has the truth. What the user links or unlinks is taken over as the difference from how the tree was left
last; whatever else differs is put back, such as the node of a verb that was deleted.
"""

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import NamedTuple

from bpy.types import Node, NodeTree, Object, PropertyGroup

from ....core.errors import GraphError, VerbsError
from ...data.current import face_again, facings
from ...data.linked.whose import not_edited
from ...data.transition_items import remove_transition, verb_of
from ..graph import start_of
from ..transitions import add_suggested
from .trees import ENTERED, ENTRY, NODE, WAY, Way, linked_ways, verb_nodes

Place = tuple[float, ...]

PLACED = 0.5
"""How far a node may be from where it was put and still count as not moved by the user."""
HEADER, ROW, SPARE, LETTER, FRAME = 42.0, 22.0, 3, 6.6, 200.0
"""Height of a node without rows and of a row, and rows beside those of transitions; width of a letter, and of what
stands beside the text of a row."""
NARROWEST, WIDEST = 260.0, 680.0
ENTRY_FRAME, ENTRY_GAP, ENTRY_LOW = 56.0, 8.0, 14.0
"""Width of an entry beside its text, its distance from its verb, and how much lower it is than that."""


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


def stored_alone_counts() -> None:
    """Take nothing over from links as they are now: an undo or another file has changed them, not the user."""
    _left.clear()


def is_relinked(tree: NodeTree) -> bool:
    """Whether links were made or removed since the tree was kept in step; False where that is not known."""
    return tree.session_uid in _left and _left[tree.session_uid] != linked_ways(tree)


def take_over(tree: NodeTree, armature: Object) -> Taken:
    """Store transitions for links that the user has made, and remove those whose links the user has removed."""
    before, now = _left.get(tree.session_uid), linked_ways(tree)
    if before is None or before == now:
        return Taken((), ())
    shown = verb_nodes(tree).keys() & verb_nodes(tree, ENTRY).keys()
    gone = [way for way in before - now if way[0] in shown and way[2] in shown]
    made = [way for way in now - before if _is_there(armature, way, shown)]
    _left[tree.session_uid] = now
    if not gone and not made:
        return Taken((), ())
    refused = not_edited(armature)
    if refused:
        return Taken((), (f"{refused}.",))
    said: list[str] = []
    wrong: list[str] = []
    for _, uid, _ in gone:
        index = next((at for at, item in enumerate(armature.verbs_adverbs.transitions) if item.uid == uid), None)
        if index is not None:
            said.append(f"Removed {remove_transition(armature, index)}.")
    for left, _, entered in made:
        kept = facings()
        try:
            said.append(f"{_add(armature, left, entered)}.")
        except VerbsError as error:
            face_again(kept)
            wrong.append(str(error))
    return Taken(tuple(said), tuple(wrong))


def is_in_step(tree: NodeTree, armature: Object) -> bool:
    """Whether a tree shows what the armature stores; quick, as it is asked at every drawing of it."""
    nodes, entries = verb_nodes(tree), verb_nodes(tree, ENTRY)
    known = {item.uid for item in armature.verbs_adverbs.verbs if item.uid}
    ours = sum(node.bl_idname in {NODE, ENTRY} for node in tree.nodes)
    if ours != 2 * len(nodes) or nodes.keys() != known or entries.keys() != known:
        return False
    ways = all([one.uid for one in node.outputs] == _wanted(armature, uid) for uid, node in nodes.items())
    beside = all(_is_beside(entries[uid], node) for uid, node in nodes.items())
    return ways and beside and linked_ways(tree) == _stored(armature)


def note_places(tree: NodeTree) -> None:
    """Remember where the nodes are, for those that the user deletes."""
    _places.setdefault(tree.session_uid, {}).update(
        (uid, (tuple(node.location), tuple(node.put))) for uid, node in verb_nodes(tree).items()
    )


def keep_in_step(tree: NodeTree, armature: Object) -> list[str]:
    """Make a tree show what the armature stores; returns the names of verbs whose nodes the user had deleted.

    These are put back. Nodes that the user has moved stay where they are.
    """
    deleted = tree.session_uid in _left
    with _writing():
        back = _keep_nodes(tree, armature)
        for uid, node in verb_nodes(tree).items():
            _keep_ways(node, _wanted(armature, uid))
        _keep_links(tree, armature)
        _keep_places(tree, armature)
    note_places(tree)
    _left[tree.session_uid] = linked_ways(tree)
    return back if deleted else []


def region_text(item: PropertyGroup) -> str:
    """Text for the regions of a transition: keytimes or generic times, of the verb left and of the one entered."""
    ends = [
        getattr(item, f"{side}_{end}_keytime") or f"{getattr(item, f'{side}_{end}'):.2f}"
        for side in ("leaves", "enters")
        for end in ("begin", "end")
    ]
    return f"{ends[0]}–{ends[1]} → {ends[2]}–{ends[3]}"


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


def _wanted(armature: Object, uid: str) -> list[str]:
    """Identifiers of the ways of a verb: its transitions, and an empty one at which new ones begin."""
    known = {verb.uid for verb in armature.verbs_adverbs.verbs}
    leads = (one for one in armature.verbs_adverbs.transitions if one.source == uid and one.target in known)
    return [*dict.fromkeys(one.uid for one in leads if one.uid), ""]


def _stored(armature: Object) -> set[Way]:
    known, found = {verb.uid for verb in armature.verbs_adverbs.verbs if verb.uid}, {}
    for one in armature.verbs_adverbs.transitions:
        if one.uid and one.source in known and one.target in known:
            found.setdefault(one.uid, (one.source, one.uid, one.target))
    return set(found.values())


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
    stored = _stored(armature)
    nodes, entries = verb_nodes(tree), verb_nodes(tree, ENTRY)
    for left, way, entered in linked_ways(tree) - stored:
        for link in list(tree.links):
            ends = (link.from_node, link.to_node)
            if ends == (nodes[left], entries[entered]) and link.from_socket.uid == way:
                tree.links.remove(link)
    for left, way, entered in stored - linked_ways(tree):
        source = next(one for one in nodes[left].outputs if one.uid == way)
        tree.links.new(entries[entered].inputs[0], source)


def _keep_places(tree: NodeTree, armature: Object) -> None:
    """Lay out all nodes that the user has not moved, and put the entries beside theirs."""
    from ....core.graph.arrangement import arrange

    nodes, entries = verb_nodes(tree), verb_nodes(tree, ENTRY)
    names = {item.uid: item.name for item in armature.verbs_adverbs.verbs if item.uid in nodes}
    sizes, before = {}, {}
    for uid, name in names.items():
        entries[uid].width = ENTRY_FRAME + LETTER * (len(name) + 2)
        before[uid] = entries[uid].width + ENTRY_GAP
        _fit_width(nodes[uid], [_row_text(armature, one) for one in _leads(armature, uid)])
        sizes[uid] = (before[uid] + nodes[uid].width, HEADER + ROW * (len(nodes[uid].outputs) + SPARE))
    fixed = {uid: (node.location[0] - before[uid], node.location[1]) for uid, node in nodes.items() if _is_moved(node)}
    start = start_of(armature)
    ways = {(left, entered) for left, _, entered in _stored(armature)}
    for uid, (x, y) in arrange(sizes, ways, start.uid if start is not None else "", fixed).items():
        node = nodes[uid]
        node.put[0], node.put[1] = x + before[uid], y
        if _is_moved(node):
            node.location = node.put[:2]
    for uid, node in nodes.items():
        if not _is_beside(entries[uid], node):
            entries[uid].parent = node.parent
            entries[uid].location = _beside(entries[uid], node)


def _is_moved(node: Node) -> bool:
    """Whether a node is not where it was put."""
    apart = (abs(a - b) for a, b in zip(node.location, node.put[:2], strict=True))
    return node.parent is not None or max(apart) > PLACED


def _beside(entry: Node, node: Node) -> Place:
    return node.location[0] - entry.width - ENTRY_GAP, node.location[1] - ENTRY_LOW


def _is_beside(entry: Node, node: Node) -> bool:
    apart = (abs(a - b) for a, b in zip(entry.location, _beside(entry, node), strict=True))
    return entry.parent == node.parent and max(apart) <= PLACED


def _fit_width(node: Node, rows: list[str]) -> None:
    """Make a node as wide as its rows need, unless the user has given it another width."""
    if node.put[2] == 0.0 or abs(node.width - node.put[2]) < PLACED:
        wide = min(max(NARROWEST, FRAME + LETTER * max(map(len, rows), default=0)), WIDEST)
        node.width = node.put[2] = wide


def _row_text(armature: Object, item: PropertyGroup) -> str:
    target = verb_of(armature, item.target)
    return f"{target.name if target is not None else item.target_name}  {region_text(item)}"


def _leads(armature: Object, uid: str) -> list[PropertyGroup]:
    return [one for one in armature.verbs_adverbs.transitions if one.source == uid]
