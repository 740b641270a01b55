"""Ghosts in the 3D view: the blended examples beside the character, and the sheet, with their names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import blf
import bpy
import numpy as np
from bpy.types import Context, Object
from bpy_extras.view3d_utils import location_3d_to_region_2d
from mathutils import Vector
from numpy.typing import NDArray

from ... import bridge
from ...bridge.data.current import current_armature
from ...core.errors import VerbsError
from ...operators.view.pad import adverbs_chosen, adverbs_shown, covered_by_pad
from ...operators.view.sheet import asked_of

if TYPE_CHECKING:
    from ...bridge.session.drawing.neighbours import Neighbours

Array = NDArray[np.float64]

COLOR = (0.42, 0.70, 1.0)
FAINT, STRONG = 0.25, 0.75
"""Opacity of a ghost whose example has weight 0, and of one with weight 1."""
APART = 0.55
"""Distance between figures standing side by side, as a share of their height."""
LETTERS, ABOVE = 11.0, 0.06
"""Text size in pixels; and the distance of names above ghosts, as a share of their height."""


class Drawn(NamedTuple):
    """The last drawn ghosts.

    Parameters
    ----------
    shown : what the ghosts show.
    aside : (P, 3) how far each ghost stands aside, in performance space.
    batch : batch of all ghosts for the graphics card.
    """

    shown: Neighbours
    aside: Array
    batch: Any


def draw_neighbours(drawn: dict[str, Any]) -> None:
    """Draw the ghosts of the examples that the motion is blended from, if they are shown.

    Parameters
    ----------
    drawn : batches that were made by earlier calls, by name; what this call makes is added.
    """
    drawn.pop("names", None)
    context = bpy.context
    armature, adverbs = current_armature(context), adverbs_shown(context)
    choice = context.window_manager.verbs_adverbs_pad
    if armature is None or adverbs is None or not (choice.ghosts or choice.dragged):
        drawn.pop("neighbours", None)
        return
    if not context.space_data.overlay.show_overlays:
        return
    try:
        found = bridge.session.drawing.neighbours.neighbours_of(armature, adverbs[0], context.scene)
    except VerbsError:
        return
    if found is None or not found.names:
        return
    space = bridge.data.director.space_of(armature)
    aside = _aside(context, armature, found)
    kept = drawn.get("neighbours")
    if kept is None or kept.shown is not found or not np.array_equal(kept.aside, aside):
        colors = [(*COLOR, FAINT + (STRONG - FAINT) * min(weight, 1.0)) for weight in found.weights.tolist()]
        moved = found.corners + aside[:, None, None]
        kept = drawn["neighbours"] = Drawn(found, aside, bridge.session.drawing.batches.batch_of(moved, colors))
    bridge.session.drawing.batches.draw_solid(kept.batch, space)
    drawn["names"] = [(name, space @ Vector(top)) for name, top in zip(found.names, _tops(kept), strict=True)]


def draw_sheet(drawn: dict[str, Any]) -> None:
    """Draw the sheet of ghosts, if it is shown; for `drawn` see `draw_neighbours`."""
    drawn.pop("labels", None)
    context = bpy.context
    armature, choice = current_armature(context), context.window_manager.verbs_adverbs_sheet
    adverbs = adverbs_chosen(context) if choice.shown else None
    if armature is None or adverbs is None:
        drawn.pop("sheet", None)
        return
    if not context.space_data.overlay.show_overlays:
        return
    try:
        found = bridge.session.drawing.sheet.sheet_of(armature, adverbs, asked_of(choice), context.scene)
    except VerbsError:
        return
    if found is None:
        return
    kept = drawn.get("sheet")
    if kept is None or kept[0] is not found:
        kept = drawn["sheet"] = found, bridge.session.drawing.batches.batch_of(found.corners, found.colors)
    space = bridge.data.director.space_of(armature)
    bridge.session.drawing.batches.draw_solid(kept[1], space)
    drawn["labels"] = [(text, space @ Vector(place)) for text, place in found.labels]


def write_names(drawn: dict[str, Any]) -> None:
    """Write the names above the drawn ghosts, and the labels of the sheet."""
    write_at(bpy.context, [*drawn.get("names", ()), *drawn.get("labels", ())])


def write_at(context: Context, texts: Sequence[tuple[str, Vector]]) -> None:
    """Write centred texts at places in the world, without those that would cover another one or the pad."""
    scale, colors = context.preferences.system.ui_scale, context.preferences.themes[0].user_interface
    red, green, blue = colors.wcol_tooltip.text[:3]
    blf.color(0, red, green, blue, 1.0)
    blf.enable(0, blf.SHADOW)
    blf.shadow(0, 3, 0.0, 0.0, 0.0, 0.9)
    seen = ((text, location_3d_to_region_2d(context.region, context.region_data, place)) for text, place in texts)
    shown = ((text, at.x, at.y) for text, at in seen if at is not None)
    covered = covered_by_pad(context, context.region)
    bridge.session.drawing.batches.write_apart(shown, LETTERS * scale, covered=covered)
    blf.disable(0, blf.SHADOW)


def _aside(context: Context, armature: Object, found: Neighbours) -> Array:
    """How far (P, 3) each ghost stands aside in performance space: across the view, half of them on either side."""
    space = bridge.data.director.into_space(armature).to_3x3()
    right = space @ (context.region_data.view_rotation @ Vector((1.0, 0.0, 0.0)))
    level = np.array([right.x, right.y, 0.0])
    length = float(np.linalg.norm(level))
    along = level / length if length > 0.0 else np.array([1.0, 0.0, 0.0])
    count = len(found.names)
    left = count // 2
    steps = [*range(-left, 0), *range(1, count - left + 1)]
    return np.array(steps)[:, None] * (APART * found.size * along)


def _tops(kept: Drawn) -> Array:
    """Places (P, 3) above the ghosts, for their names."""
    points = kept.shown.corners.reshape(len(kept.shown.names), -1, 3)
    tops = points.mean(axis=1)
    tops[:, 2] = points[..., 2].max(axis=1) + ABOVE * kept.shown.size
    return tops + kept.aside
