"""Node trees that show verb graphs: how they represent them, and how they are synchronized with their armatures.

The armature is the source of truth. What the user links or unlinks is applied as the difference from the tree's last
state; any other difference is reverted, such as a deleted node of a verb.
"""

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from textwrap import wrap
from typing import Any, NamedTuple

import bpy
from bpy.types import Node, NodeLink, NodeSocket, NodeTree, Object, PropertyGroup

from ...core.errors import GraphError, VerbsError
from ..blender.store import while_unchanged
from ..data.current import MaybeNone, face_again, facings
from ..data.director import not_edited
from ..data.transition_items import remove_transition, verb_of
from .graph import shown_graph_status, start_of
from .transitions import add_suggested, shown_remarks
from .verbs import kept_verb

TREE, NODE, ENTRY, WAY, ENTERED = (
    "VERBS_ADVERBS_VerbGraphTree",
    "VERBS_ADVERBS_VerbNode",
    "VERBS_ADVERBS_EntryNode",
    "VERBS_ADVERBS_WaySocket",
    "VERBS_ADVERBS_EnteredSocket",
)
"""Identifiers of the kinds of tree, nodes and sockets.

A verb has a node with an output for each transition and one more, and next to it a small node with its input: in
one node for both, Blender would mark links that lead back as invalid.
"""
Way = tuple[str, str, str]
"""A link: the verb it leaves, its transition (empty for a new one), and the verb it enters."""

_known: dict[int, int] = {}
"""Session identifier of the last known armature of each tree."""


def is_verb_graph(tree: NodeTree | None) -> bool:
    """Return whether a node tree shows a verb graph."""
    return tree is not None and tree.bl_idname == TREE


def armature_of_tree(tree: NodeTree) -> Object | MaybeNone:
    """Return the armature whose verb graph a tree shows, None if it was removed; fast enough for drawing."""
    name = while_unchanged(("armature of nodes", tree.session_uid), lambda: _owner_name(tree))
    found = bpy.data.objects.get(name) if name is not None else None
    return found if found is not None and found.verbs_adverbs.nodes == tree else None


def tree_of_armature(armature: Object) -> NodeTree | None:
    """Return an armature's own tree, None if it has none yet: a copied armature still points to the original's."""
    tree = armature.verbs_adverbs.nodes
    return tree if is_verb_graph(tree) and _owner(tree) == armature else None


def ensure_tree(armature: Object) -> NodeTree:
    """Return the tree of an armature; a copy of an armature gets a copy of the tree, with its node positions."""
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
    """Return the nodes of verbs, or their entries, by the verbs' identifiers; of several for one verb, the oldest."""
    found: dict[str, Node] = {}
    for node in tree.nodes:
        if node.bl_idname == kind:
            found.setdefault(node.uid, node)
    return found


def linked_ways(tree: NodeTree) -> set[Way]:
    """Return the transitions that the links of a tree represent, followed through reroutes."""
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
    """Return identifiers of the outputs of a verb: its transitions, and an empty one for new links."""
    known = {verb.uid for verb in armature.verbs_adverbs.verbs}
    leads = (one for one in armature.verbs_adverbs.transitions if one.source == uid and one.target in known)
    return [*dict.fromkeys(one.uid for one in leads if one.uid), ""]


def stored_ways(armature: Object) -> set[Way]:
    """Return the links that a tree needs for an armature's transitions."""
    known, found = {verb.uid for verb in armature.verbs_adverbs.verbs if verb.uid}, {}
    for one in armature.verbs_adverbs.transitions:
        if one.uid and one.source in known and one.target in known:
            found.setdefault(one.uid, (one.source, one.uid, one.target))
    return set(found.values())


def _entered(socket: NodeSocket, leaving: dict[int, list[NodeLink]]) -> Iterator[Node]:
    """Entries that the links of an output lead to, through any number of reroutes."""
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
    """Return the armature that a tree belongs to: the last known one, else the one with the stored name."""
    pointing = [one for one in bpy.data.objects if one.type == "ARMATURE" and one.verbs_adverbs.nodes == tree]
    known = _known.get(tree.session_uid)
    by_identity = (one for one in pointing if one.session_uid == known)
    by_name = (one for one in pointing if one.name == tree.armature_name)
    return next(by_identity, None) or next(by_name, None) or next(iter(pointing), None)


def _owner_name(tree: NodeTree) -> tuple[str, str | None] | None:
    owner = _owner(tree)
    return None if owner is None else (owner.name, owner.library.filepath if owner.library is not None else None)


Place = tuple[float, ...]

PLACED = 0.5
"""Tolerance within which a node counts as not moved by the user."""
HEADER, ROW, LINE, LETTER, FRAME = 50.0, 22.0, 19.0, 7.0, 225.0
"""Height of a node without rows, of a row, and of a line of text; width of a letter, and of what is next to the
text of a row."""
NARROWEST, WIDEST = 260.0, 680.0
ENTRY_FRAME, ENTRY_GAP, ENTRY_LOW = 56.0, 8.0, 14.0
"""Width of an entry in addition to its text, its distance from its verb, and its offset below that."""
MOST_COMPLAINTS = 2
"""Number of problems that a node lists; a last line counts the others."""
BORDER, GLYPH = 62.0, 6.2
"""Width of a node in addition to a sentence in it, and of one of the sentence's letters."""


def letters_in(width: float) -> int:
    """Return the number of letters of a sentence that fit into a line of a node."""
    return max(16, int((width - BORDER) / GLYPH))


def complaints_of(armature: Object, item: PropertyGroup) -> list[str]:
    """Return what is wrong with a verb's transitions and with its connections in the graph, in sentences."""
    question = "complaints of nodes", armature.session_uid
    return while_unchanged(question, lambda: _all_complaints(armature)).get(item.uid, [])


def _all_complaints(armature: Object) -> dict[str, list[str]]:
    """Return what is wrong with each verb, by its identifier."""
    own: dict[str, list[str]] = {item.uid: [] for item in armature.verbs_adverbs.verbs}
    for one in armature.verbs_adverbs.transitions:
        if one.enabled:
            own.setdefault(one.source, []).extend(shown_remarks(armature, one))
    told = {line for lines in own.values() for line in lines}
    others = [line for line in shown_graph_status(armature).complaints if line not in told]
    for item in armature.verbs_adverbs.verbs:
        own[item.uid] += [line for line in others if f"'{item.name}'" in line]
    return {uid: list(dict.fromkeys(lines)) for uid, lines in own.items()}


def goes_on(armature: Object, item: PropertyGroup) -> bool:
    """Return whether a verb is known to be a cycle, which may repeat by itself."""
    built = kept_verb(armature, item)
    return built is not None and built.cyclic


def region_text(item: PropertyGroup) -> str:
    """Return the text for a transition's regions: keytimes or generic times, of the verbs left and entered."""
    ends = [
        getattr(item, f"{side}_{end}_keytime") or f"{getattr(item, f'{side}_{end}'):.2f}"
        for side in ("leaves", "enters")
        for end in ("begin", "end")
    ]
    left = "anywhere" if item.anywhere else f"{ends[0]}–{ends[1]}"
    return f"{left} → {ends[2]}–{ends[3]}"


def place_of(node: Node) -> Place:
    """Return the upper left corner of a node, in its frame if it is in one."""
    return node.location[0], node.location[1]


def is_laid_out(tree: NodeTree, armature: Object) -> bool:
    """Return whether no node has to be moved or widened."""
    nodes, entries = verb_nodes(tree), verb_nodes(tree, ENTRY)
    wide, put = _wanted(armature, nodes, entries)
    placed = all(_near(nodes[uid].put[:2], place) for uid, place in put.items())
    fits = all(_is_resized(nodes[uid]) or abs(nodes[uid].width - width) <= PLACED for uid, width in wide.items())
    return placed and fits and all(_is_beside(entries[uid], node) for uid, node in nodes.items())


def lay_out(tree: NodeTree, armature: Object) -> None:
    """Lay out all nodes that the user has not moved, and place the entries next to their nodes."""
    nodes, entries = verb_nodes(tree), verb_nodes(tree, ENTRY)
    wide, put = _wanted(armature, nodes, entries)
    for uid, width in wide.items():
        entries[uid].width = _entry_width(armature, uid)
        if not _is_resized(nodes[uid]):
            nodes[uid].width = nodes[uid].put[2] = width
    for uid, place in put.items():
        nodes[uid].put[0], nodes[uid].put[1] = place
        if not _near(place_of(nodes[uid]), place):
            nodes[uid].location = place
    for uid, node in nodes.items():
        if not _is_beside(entries[uid], node):
            entries[uid].parent = node.parent
            entries[uid].location = _beside(entries[uid], node)


def _wanted(
    armature: Object, nodes: dict[str, Node], entries: dict[str, Node]
) -> tuple[dict[str, float], dict[str, Place]]:
    """Return the width of each node, and the position of those that the user has not moved."""
    from ...core.graph.arrangement import arrange

    items = {item.uid: item for item in armature.verbs_adverbs.verbs if item.uid in nodes and item.uid in entries}
    wide, sizes, before = {}, {}, {}
    for uid, item in items.items():
        wide[uid] = _width(armature, uid)
        shown = nodes[uid].width if _is_resized(nodes[uid]) else wide[uid]
        before[uid] = _entry_width(armature, uid) + ENTRY_GAP
        sizes[uid] = (before[uid] + shown, _height(armature, item, len(nodes[uid].outputs), shown))
    fixed = {
        uid: (nodes[uid].location[0] - before[uid], nodes[uid].location[1]) for uid in items if _is_moved(nodes[uid])
    }
    start = start_of(armature)
    ways = {(left, entered) for left, _, entered in stored_ways(armature)}
    found = arrange(sizes, ways, start.uid if start is not None else "", fixed)
    return wide, {uid: (x + before[uid], y) for uid, (x, y) in found.items()}


def _width(armature: Object, uid: str) -> float:
    question = "widths of nodes", armature.session_uid
    longest = while_unchanged(question, lambda: _longest_rows(armature)).get(uid, 0)
    return min(max(NARROWEST, FRAME + LETTER * longest), WIDEST)


def _longest_rows(armature: Object) -> dict[str, int]:
    """Return the number of letters of each verb's longest row, by the verb's identifier."""
    found: dict[str, int] = {}
    for one in armature.verbs_adverbs.transitions:
        found[one.source] = max(found.get(one.source, 0), len(_row_text(armature, one)))
    return found


def _height(armature: Object, item: PropertyGroup, rows: int, width: float) -> float:
    told = complaints_of(armature, item)
    lines = sum(len(wrap(line, letters_in(width))) for line in told[:MOST_COMPLAINTS])
    rows += goes_on(armature, item)
    return HEADER + ROW * rows + LINE * (lines + (len(told) > MOST_COMPLAINTS))


def _entry_width(armature: Object, uid: str) -> float:
    item = verb_of(armature, uid)
    return ENTRY_FRAME + LETTER * (len(item.name) + 2 if item is not None else 0)


def _near(one: Place, other: Place) -> bool:
    return max(abs(a - b) for a, b in zip(one, other, strict=True)) <= PLACED


def _is_moved(node: Node) -> bool:
    """Return whether a node was moved since its layout."""
    return node.parent is not None or not _near(place_of(node), node.put[:2])


def _is_resized(node: Node) -> bool:
    """Return whether a node was resized since its layout."""
    return node.put[2] != 0.0 and abs(node.width - node.put[2]) > PLACED


def _beside(entry: Node, node: Node) -> Place:
    return node.location[0] - entry.width - ENTRY_GAP, node.location[1] - ENTRY_LOW


def _is_beside(entry: Node, node: Node) -> bool:
    return entry.parent == node.parent and _near(place_of(entry), _beside(entry, node))


def _row_text(armature: Object, item: PropertyGroup) -> str:
    target = verb_of(armature, item.target)
    return f"{target.name if target is not None else item.target_name}  {region_text(item)}"


class Taken(NamedTuple):
    """Results of applying links that the user made or removed: reports and errors."""

    said: tuple[str, ...]
    wrong: tuple[str, ...]

    def __bool__(self) -> bool:
        return bool(self.said or self.wrong)


_left: dict[int, set[Way]] = {}
"""The links of each tree when it was last synchronized, by the tree's session identifier."""
_places: dict[int, dict[str, tuple[Place, Place]]] = {}
"""Last known positions of the nodes of verbs, and the positions from their layout."""
_busy = False


def is_busy() -> bool:
    """Return whether a tree is being written by this module, so that its changes are not the user's."""
    return _busy


def forget() -> None:
    """Clear the state of all trees, when a file is closed or the extension is disabled."""
    _left.clear()
    _places.clear()
    _known.clear()


def stored_alone_counts() -> None:
    """Do not apply the current links: an undo or another file has changed them, not the user."""
    _left.clear()


def is_relinked(tree: NodeTree) -> bool:
    """Return whether links were made or removed since the tree was synchronized; False if that is unknown."""
    return tree.session_uid in _left and _left[tree.session_uid] != linked_ways(tree)


def take_over(tree: NodeTree, armature: Object) -> Taken:
    """Add transitions for links that the user has made, and remove those whose links the user has removed.

    The transition of a link that was moved to an invalid input is kept.
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
    """Return whether a tree shows what the armature stores; fast, as it is called whenever the tree is drawn."""
    nodes, entries = verb_nodes(tree), verb_nodes(tree, ENTRY)
    known = {item.uid for item in armature.verbs_adverbs.verbs if item.uid}
    ours = sum(node.bl_idname in {NODE, ENTRY} for node in tree.nodes)
    if ours != 2 * len(nodes) or nodes.keys() != known or entries.keys() != known:
        return False
    ways = all([one.uid for one in node.outputs] == ways_of(armature, uid) for uid, node in nodes.items())
    return ways and linked_ways(tree) == stored_ways(armature) and is_laid_out(tree, armature)


def note_places(tree: NodeTree) -> None:
    """Record the positions of the nodes, for those that the user deletes."""
    _places.setdefault(tree.session_uid, {}).update(
        (uid, (place_of(node), tuple(node.put))) for uid, node in verb_nodes(tree).items()
    )


def keep_in_step(tree: NodeTree, armature: Object) -> list[str]:
    """Make a tree show what the armature stores; return the names of verbs whose nodes the user had deleted.

    These are restored. Nodes that the user has moved stay in place.
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
    """Return whether a new link joins two verbs; one whose output belonged to a deleted node is not the user's."""
    item = next((one for one in armature.verbs_adverbs.transitions if one.uid == way[1]), None)
    return item is None or item.target in shown


def _add(armature: Object, left: str, entered: str) -> str:
    source, target = verb_of(armature, left), verb_of(armature, entered)
    if source is None or target is None:
        raise GraphError("A verb of this link no longer exists. Link two verbs of the armature.")
    if source == target:
        raise GraphError(
            f"'{source.name}' needs no transition to itself: cycles repeat automatically. Link it to another verb."
        )
    return add_suggested(armature, source, target)


def _keep_nodes(tree: NodeTree, armature: Object) -> list[str]:
    """Remove nodes of removed verbs, and duplicates; add missing ones."""
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
    """Give a node an output for each transition, in their order."""
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
    """Remove links without a transition, and add missing ones."""
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
