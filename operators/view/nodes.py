"""The verb graph in node editors: showing it, and keeping it in sync with what the user does there and elsewhere.

Node trees report changed links, and drawing reveals everything else that is out of sync. Nothing is written while
drawing: a timer does it right after. A link that is dragged is stored at once, so that one undo takes both back.
"""

import bpy
from bpy.app.handlers import persistent
from bpy.types import Area, Context, NodeTree, Object, Operator

from ... import bridge
from ...bridge.blender.events import Heard, listen, redraw_areas, stop_listening
from ...bridge.data.current import at, current_armature
from ...bridge.session import live_characters
from .. import reasons
from ..jobs import tell_later
from ..operator_base import Intent

DRAGS = "NODE_OT_link"
SOON, WAIT = 0.0, 0.1
"""Seconds until what is out of sync is fixed, and between checks whether a link is still being dragged."""
EDITORS = ("VIEW_3D", "NODE_EDITOR")

Course = tuple[str, tuple[str, ...]]

_chosen: dict[int, tuple[str, str]] = {}
"""For each tree the verb of its active node and the verb that is chosen in the panel, when they last agreed."""
_marked: dict[int, Course] = {}
"""The verbs that were marked in each tree when it was drawn last."""
_to_tell: list[tuple[str, str]] = []
_unseen: set[int] = set()
"""Addresses of areas that were opened for a tree and should first show all of it."""


class VERBS_ADVERBS_OT_nodes_show(Intent, Operator):
    """Show the verb graph as nodes, in a free node editor or else in a new window"""

    bl_idname = "verbs_adverbs.nodes_show"
    bl_label = "Show as Nodes"

    @classmethod
    def reason(cls, context: Context) -> str:
        return reasons.verb(context)

    def do(self, context: Context) -> str:
        armature = current_armature(context)
        tree = bridge.authoring.nodes.ensure_tree(armature)
        bridge.authoring.nodes.keep_in_step(tree, armature)
        if not bpy.app.background:
            _show(tree)
            settle_soon()
        return ""


def note_links(tree: NodeTree) -> None:
    """Store what the user has just linked; called by Blender whenever a tree has changed."""
    if not bridge.authoring.nodes.is_busy():
        armature = bridge.authoring.nodes.armature_of_tree(tree) if tree.library is None and _is_dragging() else None
        if armature is not None:
            _take_over(tree, armature)
        settle_soon()


def note_drawn(tree: NodeTree, armature: Object, area: Area, course: Course) -> None:
    """Have a tree updated soon if it is out of sync; called while the tree is drawn, so nothing is written here.

    Parameters
    ----------
    course : the verbs that are marked as playing and as coming.
    """
    _marked[tree.session_uid] = course
    if course[0] and not bpy.app.timers.is_registered(watch_course):
        bpy.app.timers.register(watch_course, first_interval=WAIT)
    if tree.library is not None:
        return
    in_step = bridge.authoring.nodes.is_in_step(tree, armature)
    if in_step:
        bridge.authoring.nodes.note_places(tree)
    if not in_step or _choice(tree, armature) != _chosen.get(tree.session_uid) or area.as_pointer() in _unseen:
        settle_soon()


def settle_soon() -> None:
    """Sync nodes and stored data, right after the current event."""
    if not bpy.app.background and not bpy.app.timers.is_registered(settle):
        bpy.app.timers.register(settle, first_interval=SOON)


def settle() -> float | None:
    """Timer: sync nodes and stored data; return seconds to the next check while a link is dragged."""
    if _is_dragging():
        return WAIT
    nodes = bridge.authoring.nodes
    for tree, armature in list(nodes.trees()):
        if nodes.is_relinked(tree) and _take_over(tree, armature):
            _push("Change Verb Graph")
        if not nodes.is_in_step(tree, armature):
            for name in nodes.keep_in_step(tree, armature):
                _to_tell.append(
                    (
                        "WARNING",
                        f"Deleting its node does not remove verb '{name}'. To remove it, use Remove Verb under Verbs",
                    )
                )
        _follow(tree, armature)
    _frame_unseen()
    redraw_areas(EDITORS)
    while _to_tell and not bpy.app.background:
        tell_later(*_to_tell.pop(0))
    return None


def watch_course() -> float | None:
    """Timer: redraw node editors when another verb plays or comes; return seconds to the next check."""
    scene, known = bpy.context.scene, list(bridge.authoring.nodes.trees())
    courses = {tree.session_uid: live_characters.course_of(armature, scene) for tree, armature in known}
    if any(_marked.get(uid, course) != course for uid, course in courses.items()):
        redraw_areas(("NODE_EDITOR",))
    return WAIT if any(course[0] for course in courses.values()) else None


def _take_over(tree: NodeTree, armature: Object) -> bool:
    """Store what was linked; return whether anything was stored."""
    taken = bridge.authoring.nodes.take_over(tree, armature)
    _to_tell.extend(("INFO", line) for line in taken.said)
    _to_tell.extend(("ERROR", line) for line in taken.wrong)
    return bool(taken.said)


def _is_dragging() -> bool:
    """Whether a link is being dragged in a window, or was just released."""
    windows = bpy.context.window_manager.windows
    return any(one.bl_idname == DRAGS for window in windows for one in window.modal_operators)


def _push(message: str) -> None:
    with bpy.context.temp_override(window=bpy.context.window_manager.windows[0]):
        bpy.ops.ed.undo_push(message=message)


def _choice(tree: NodeTree, armature: Object) -> tuple[str, str]:
    """Identifiers of the active node's verb and of the verb that is chosen in the panel; empty for none."""
    rig, node = armature.verbs_adverbs, tree.nodes.active
    verb = at(rig.verbs, rig.active_verb)
    return getattr(node, "uid", ""), verb.uid if verb is not None else ""


def _follow(tree: NodeTree, armature: Object) -> None:
    """Choose the verb whose node was selected, or select the node of the verb that was chosen."""
    rig, before, (node, verb) = armature.verbs_adverbs, _chosen.get(tree.session_uid), _choice(tree, armature)
    index = next((number for number, item in enumerate(rig.verbs) if node and item.uid == node), -1)
    nodes = bridge.authoring.nodes.verb_nodes(tree)
    if before is not None and node != before[0] and index >= 0:
        rig.active_verb = index
    elif node != verb and verb in nodes:
        for one in tree.nodes:
            one.select = one == nodes[verb]
        tree.nodes.active = nodes[verb]
    _chosen[tree.session_uid] = _choice(tree, armature)


def _show(tree: NodeTree) -> None:
    """Show a tree in an editor that shows one of its kind already, or no nodes at all, else in a new window."""
    manager = bpy.context.window_manager
    areas = [area for window in manager.windows for area in window.screen.areas if area.type == "NODE_EDITOR"]
    fit = [area for area in areas if bridge.authoring.nodes.is_verb_graph(area.spaces.active.node_tree)]
    free = [area for area in areas if area.spaces.active.node_tree is None]
    known = next(iter([*fit, *free]), None)
    if known is None:
        bpy.ops.wm.window_new()
    area = known or manager.windows[-1].screen.areas[0]
    area.ui_type = bridge.authoring.nodes.TREE
    area.spaces.active.node_tree = tree
    if known is None:
        area.spaces.active.show_region_ui = False
    _unseen.add(area.as_pointer())


def _frame_unseen() -> None:
    """Show all of a tree in editors that were opened for it."""
    for window in bpy.context.window_manager.windows:
        for area in [one for one in window.screen.areas if one.as_pointer() in _unseen and _is_measured(one)]:
            region = next(one for one in area.regions if one.type == "WINDOW")
            with bpy.context.temp_override(window=window, area=area, region=region):
                bpy.ops.node.view_all()
            _unseen.discard(area.as_pointer())


def _is_measured(area: Area) -> bool:
    """Whether the nodes of a node editor have been drawn, so that it is known how large they are."""
    tree = area.spaces.active.node_tree if area.type == "NODE_EDITOR" else None
    return tree is not None and all(node.dimensions[0] > 0.0 for node in tree.nodes)


@persistent
def on_other_state(*_arguments: object) -> None:
    """After an undo, or in another file: nodes follow what is stored, whatever they were before."""
    bridge.authoring.nodes.stored_alone_counts()
    _chosen.clear()
    if any(map(bridge.authoring.nodes.is_verb_graph, bpy.data.node_groups)):
        settle_soon()


@persistent
def on_other_file(*_arguments: object) -> None:
    """Forget everything about trees when another file is loaded."""
    bridge.authoring.nodes.forget()
    on_other_state()


def _handlers() -> tuple[Heard, ...]:
    lists = bpy.app.handlers
    changed = tuple((functions, on_other_state) for functions in (lists.undo_post, lists.redo_post))
    return (*changed, (lists.load_post, on_other_file))


CLASSES = (VERBS_ADVERBS_OT_nodes_show,)


def register() -> None:
    """Start watching for changes of trees other than links made by the user."""
    listen(_handlers())


def unregister() -> None:
    """Stop watching, and forget what was seen."""
    stop_listening(_handlers())
    for timer in (settle, watch_course):
        if bpy.app.timers.is_registered(timer):
            bpy.app.timers.unregister(timer)
    for kept in (_marked, _chosen, _to_tell, _unseen):
        kept.clear()
    bridge.authoring.nodes.forget()
