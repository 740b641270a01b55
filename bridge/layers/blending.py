"""The blending curve of a director, by which one gesture becomes the next, edited in Blender's own curve widget.

Blender lets no extension store such a curve as a property. So it lies in a Float Curve node, in a node group that is
hidden since its name begins with a dot; the director points to it, and so it is saved, copied and undone with it.
What is drawn is what is played, whatever the handles: the curve is sampled.
"""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING, Any

import bpy
from bpy.types import Node, Object

from ..blender.naming import cut
from .gestures import DIGITS

if TYPE_CHECKING:
    from ...core.gesture.stack import BlendingCurve, Point

SHAPE = ((0.0, 0.0), (0.15, 0.06075), (0.5, 0.5), (0.85, 0.93925), (1.0, 1.0))
"""Control points of the widget at which it looks like the curve by default."""
PIECES = 64
"""Pieces between which the widget is read."""
SEEN = 1e-3
"""Least weight that one can see in the widget."""
STEEP = 3.0
"""How many times as fast as an even change a weight may change without a remark."""


def node_of(director: Object) -> Node | None:
    """Return the node that has a director's blending curve, None where it is the one by default."""
    tree = director.verbs_adverbs.speech.curve
    nodes = tree.nodes if tree is not None else ()
    return next((node for node in nodes if node.bl_idname == "ShaderNodeFloatCurve"), None)


def place_of_curve(director: Object) -> int:
    """Return where in memory a director's blending curve lies; it changes if undo reads the curve again."""
    node = node_of(director)
    return node.as_pointer() if node is not None else 0


def edit_curve(director: Object) -> None:
    """Give a director a blending curve of its own, which looks like the one that it has."""
    speech = director.verbs_adverbs.speech
    name = cut(f".{director.name}", " blending")
    if speech.curve is not None and node_of(director) is not None:
        tree: Any = speech.curve.copy()
        tree.name = name
    else:
        tree = bpy.data.node_groups.new(name, "ShaderNodeTree")
        _draw(tree.nodes.new("ShaderNodeFloatCurve"))
    drop_curve(director)
    speech.curve = tree


def is_shared(director: Object) -> bool:
    """Whether a director's blending curve is that of others too; a fake user is none."""
    tree = director.verbs_adverbs.speech.curve
    return tree is not None and tree.users - tree.use_fake_user > 1


def drop_curve(director: Object) -> None:
    """Let a director have the blending curve by default; its own is taken out of the file unless others have it."""
    speech = director.verbs_adverbs.speech
    tree, speech.curve = speech.curve, None
    if tree is not None and tree.users == 0 and tree.library is None:
        bpy.data.node_groups.remove(tree)


def _draw(node: Any) -> None:
    curve = node.mapping.curves[0]
    for share, weight in SHAPE[1:-1]:
        curve.points.new(share, weight)
    node.mapping.update()


def weights_of(director: Object) -> tuple[Point, ...]:
    """Return shares of the time and the weights then, as the widget draws them; empty for the curve by default.

    It is the one by default, too, as long as nobody has moved what `edit_curve` has drawn, and where it is lost.
    """
    node: Any = node_of(director)
    if node is None:
        return ()
    mapping = node.mapping
    drawn = tuple((*(round(number, DIGITS) for number in point.location),) for point in mapping.curves[0].points)
    if drawn == SHAPE and all(point.handle_type == "AUTO" for point in mapping.curves[0].points):
        return ()
    mapping.initialize()
    shares = [piece / PIECES for piece in range(PIECES + 1)]
    found = [mapping.evaluate(mapping.curves[0], share) for share in shares]
    if not all(map(isfinite, found)):
        return ()
    weights = (min(max(round(weight, DIGITS), 0.0), 1.0) for weight in found)
    return tuple(zip(shares, weights, strict=True))


def curve_of(director: Object) -> BlendingCurve:
    """Return a director's blending curve, from weight 0 to weight 1.

    Where the widget begins or ends elsewhere, the ends are pulled there, and all between them along, the less the
    farther it is from them.
    """
    from ...core.gesture.stack import SMOOTH, blending_curve

    drawn = weights_of(director)
    if not drawn:
        return SMOOTH
    begins, ends = drawn[0][1], drawn[-1][1]
    pulled = [(x, min(max(y - (1.0 - x) * begins + x * (1.0 - ends), 0.0), 1.0)) for x, y in drawn]
    points = [(0.0, 0.0), *pulled[1:-1], (1.0, 1.0)]
    slopes = (points[1][1] * PIECES, (1.0 - points[-2][1]) * PIECES)
    return blending_curve(points, slopes)


def curve_told(director: Object) -> list[str]:
    """Return sentences on what of the widget is not played as it is drawn, and on what it costs."""
    drawn, curve, told = weights_of(director), curve_of(director), list[str]()
    if director.verbs_adverbs.speech.curve is not None and node_of(director) is None:
        told.append("The node of this curve was deleted, so the usual curve is played. Press Reset.")
    if drawn and (drawn[0][1] > SEEN or drawn[-1][1] < 1.0 - SEEN):
        told.append(
            f"It is drawn from {drawn[0][1]:.2f} to {drawn[-1][1]:.2f}, and played from 0 to 1: a gesture must come"
            " and go wholly. Its ends are pulled there."
        )
    if curve.steepest > STEEP:
        told.append(
            f"At its steepest it changes {curve.steepest:.1f} times as fast as an even one, so hands need that much"
            " longer from gesture to gesture, and some may be left out."
        )
    return told
