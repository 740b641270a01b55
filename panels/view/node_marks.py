"""Marks behind the nodes of verbs that play, or that a character is on its way to."""

from collections.abc import Mapping, Sequence

from bpy.types import Context, Node

from ... import bridge
from ...bridge.session import live_characters
from ...operators.view.nodes import note_drawn
from .shapes import Shapes, smooth_color

PLAYS, COMES = (0.30, 0.85, 0.35, 1.0), (0.25, 0.55, 0.95, 0.9)
"""Colours behind the playing verb, and behind planned ones."""
RIM = 7.0
"""How far a mark extends beyond its node, in pixels at scale 1."""


def draw_marks(context: Context) -> None:
    """Mark the verbs that play and come in the tree that is drawn, and have the tree updated if it is out of sync."""
    tree, trees = context.space_data.edit_tree, bridge.authoring.nodes
    if not trees.is_verb_graph(tree):
        return
    armature = trees.armature_of_tree(tree)
    if armature is None:
        return
    course = plays, comes = live_characters.course_of(armature, context.scene)
    note_drawn(tree, armature, context.area, course)
    if plays:
        there = trees.verb_nodes(tree)
        nodes = {item.name: there[item.uid] for item in armature.verbs_adverbs.verbs if item.uid in there}
        _draw(context, nodes, dict.fromkeys(comes, COMES) | {plays: PLAYS})


def _draw(context: Context, nodes: Mapping[str, Node], marks: Mapping[str, Sequence[float]]) -> None:
    scale, shapes, shown = context.preferences.system.ui_scale, Shapes(), marks.keys() & nodes.keys()
    for name in shown:
        left, top, node = *_corner(nodes[name]), nodes[name]
        x, y, rim = left * scale - RIM * scale, top * scale + RIM * scale, 2.0 * RIM * scale
        shapes.fill(x, y - node.dimensions[1] - rim, x + node.dimensions[0] + rim, y, marks[name])
    if shown:
        shapes.batch().draw(smooth_color())


def _corner(node: Node) -> tuple[float, float]:
    """Upper left corner of a node in the tree, whatever frame nodes it is in."""
    x, y = node.location
    while node.parent is not None:
        node = node.parent
        x, y = x + node.location[0], y + node.location[1]
    return x, y
