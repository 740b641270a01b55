"""Node trees that show verb graphs: what in them stands for what, and where the nodes stand and how large they are."""

from collections.abc import Iterator
from textwrap import wrap
from typing import Any

import bpy
from bpy.types import Node, NodeLink, NodeSocket, NodeTree, Object, PropertyGroup

from ...blender.store import while_unchanged
from ...data.current import MaybeNone
from ...data.transition_items import verb_of
from ..graph import shown_graph_status, start_of
from ..transitions import shown_remarks
from ..verbs import kept_verb

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


Place = tuple[float, ...]

PLACED = 0.5
"""How far a node may be from where it was put and still count as not moved by the user."""
HEADER, ROW, LINE, LETTER, FRAME = 50.0, 22.0, 19.0, 7.0, 225.0
"""Height of a node without rows, of a row, and of a line of text; width of a letter, and of what stands beside the
text of a row."""
NARROWEST, WIDEST = 260.0, 680.0
ENTRY_FRAME, ENTRY_GAP, ENTRY_LOW = 56.0, 8.0, 14.0
"""Width of an entry beside its text, its distance from its verb, and how much lower it is than that."""
MOST_COMPLAINTS = 2
"""Complaints that a node shows; how many more there are stands below."""
BORDER, GLYPH = 62.0, 6.2
"""Width of a node beside a sentence in it, and of one of the sentence's letters."""


def letters_in(width: float) -> int:
    """Number of letters of a sentence that fit into a line of a node."""
    return max(16, int((width - BORDER) / GLYPH))


def complaints_of(armature: Object, item: PropertyGroup) -> list[str]:
    """Return what is wrong with a verb's transitions and with its place in the graph, in sentences."""
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
    """Whether a verb is known to be a cycle, which may go on by itself."""
    built = kept_verb(armature, item)
    return built is not None and built.cyclic


def region_text(item: PropertyGroup) -> str:
    """Text for the regions of a transition: keytimes or generic times, of the verb left and of the one entered."""
    ends = [
        getattr(item, f"{side}_{end}_keytime") or f"{getattr(item, f'{side}_{end}'):.2f}"
        for side in ("leaves", "enters")
        for end in ("begin", "end")
    ]
    left = "anywhere" if item.anywhere else f"{ends[0]}–{ends[1]}"
    return f"{left} → {ends[2]}–{ends[3]}"


def place_of(node: Node) -> Place:
    """Upper left corner of a node, in its frame if it is in one."""
    return node.location[0], node.location[1]


def is_laid_out(tree: NodeTree, armature: Object) -> bool:
    """Whether no node has to be moved or made wider."""
    nodes, entries = verb_nodes(tree), verb_nodes(tree, ENTRY)
    wide, put = _wanted(armature, nodes, entries)
    placed = all(_near(nodes[uid].put[:2], place) for uid, place in put.items())
    fits = all(_is_resized(nodes[uid]) or abs(nodes[uid].width - width) <= PLACED for uid, width in wide.items())
    return placed and fits and all(_is_beside(entries[uid], node) for uid, node in nodes.items())


def lay_out(tree: NodeTree, armature: Object) -> None:
    """Put all nodes that the user has not moved where they belong, and the entries beside theirs."""
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
    """Return how wide each node has to be, and where those belong that the user has not moved."""
    from ....core.graph.arrangement import arrange

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
    """Whether a node is not where it was put."""
    return node.parent is not None or not _near(place_of(node), node.put[:2])


def _is_resized(node: Node) -> bool:
    """Whether a node is not as wide as it was made."""
    return node.put[2] != 0.0 and abs(node.width - node.put[2]) > PLACED


def _beside(entry: Node, node: Node) -> Place:
    return node.location[0] - entry.width - ENTRY_GAP, node.location[1] - ENTRY_LOW


def _is_beside(entry: Node, node: Node) -> bool:
    return entry.parent == node.parent and _near(place_of(entry), _beside(entry, node))


def _row_text(armature: Object, item: PropertyGroup) -> str:
    target = verb_of(armature, item.target)
    return f"{target.name if target is not None else item.target_name}  {region_text(item)}"
