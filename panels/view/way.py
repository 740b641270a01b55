"""Drawing where characters go next: their way and footprints on the ground, and the goal with its distance."""

from typing import Any

import blf
import bpy
import gpu
import numpy as np
from bpy.types import Context
from bpy_extras.view3d_utils import location_3d_to_region_2d
from gpu_extras.batch import batch_for_shader
from mathutils import Vector
from numpy.typing import NDArray

from ... import bridge
from ...bridge.data.current import current_armature
from ...bridge.session.view.way_ahead import Ahead
from ...core.steer.way_ahead import SECONDS
from .shapes import batch_of, smooth_color, triangles

Array = NDArray[np.float64]

SIDES = {1: (0.25, 0.62, 1.0), -1: (1.0, 0.58, 0.15), 0: (0.85, 0.85, 0.85)}
"""Colours of footprints: of the left foot, the right one, and of one that is the only one."""
WAY, GOAL = (1.0, 1.0, 1.0), (0.35, 0.95, 0.45)
FARTHEST, FILLED = 0.2, 0.45
"""Opacity of what is farthest ahead, and of the inside of a footprint for that of its outline."""
LINE, LETTERS, BESIDE = 2.0, 12.0, 6.0
"""Pixels: width of lines, letters, and how far beside the mast of a goal its distance is written."""
RING, MAST = 0.25, 0.9
"""Radius of the goal's ring and height of its mast, for a foot of the length `FOOT`."""
FOOT = 0.27
LIFTED = 0.01
"""How far above the ground everything is drawn, for a foot of the length `FOOT`."""
ANGLES = np.linspace(0.0, 2.0 * np.pi, 33)
OUTLINE = np.array(
    [(0.02, 0.08), (0.08, 0.13), (0.25, 0.13), (0.45, 0.09), (0.65, 0.14), (0.8, 0.18), (0.92, 0.16), (0.99, 0.09),
     (1.0, 0.02), (0.96, -0.06), (0.88, -0.13), (0.72, -0.2), (0.55, -0.18), (0.35, -0.13), (0.15, -0.13),
     (0.05, -0.1), (0.0, -0.02)]
)  # fmt: skip
"""(P, 2) the right sole in its length, from the heel on and to its left."""


def draw_way() -> None:
    """Draw the way, footprints and goal of each character that plays, unless overlays are hidden."""
    context = bpy.context
    shown = _shown(context)
    if not shown:
        return
    gpu.state.blend_set("ALPHA")
    gpu.state.depth_test_set("LESS_EQUAL")
    for ahead in shown:
        with gpu.matrix.push_pop():  # pyright: ignore[reportGeneralTypeIssues]
            gpu.matrix.multiply_matrix(ahead.space)
            _draw(context, ahead)
    gpu.state.depth_test_set("NONE")
    gpu.state.blend_set("NONE")


def draw_distances() -> None:
    """Write each goal's distance from its character beside it."""
    context = bpy.context
    scale, units = context.preferences.system.ui_scale, context.scene.unit_settings
    for ahead in (one for one in _shown(context) if one.goal is not None):
        top = ahead.goal.place + Vector((0.0, 0.0, MAST * _size(ahead)))
        spot = location_3d_to_region_2d(context.region, context.region_data, ahead.space @ top)
        if spot is None:
            continue
        length = ahead.goal.distance * ahead.space.median_scale * units.scale_length
        system = units.system if units.system != "NONE" else "METRIC"
        blf.size(0, LETTERS * scale)
        blf.color(0, *GOAL, 1.0)
        blf.position(0, spot.x + BESIDE * scale, spot.y, 0.0)
        blf.draw(0, bpy.utils.units.to_string(system, "LENGTH", length, precision=3))


def _shown(context: Context) -> list[Ahead]:
    if not context.space_data.overlay.show_overlays:
        return []
    return bridge.session.view.way_ahead.all_ahead(current_armature(context), context.scene)


def _draw(context: Context, ahead: Ahead) -> None:
    way, size = ahead.way, _size(ahead)
    up = LIFTED * size
    if way.prints:
        outlines, tints = _soles(ahead)
        outlines[..., 2] += up
        corners = np.arange(len(OUTLINE))
        around = np.stack([corners, np.roll(corners, -1)], axis=-1).ravel()
        lines = outlines[:, around].reshape(-1, 3)
        _fill(outlines, tints * (1.0, 1.0, 1.0, FILLED))
        _lines(context, lines, np.repeat(tints, len(around), axis=0))
    if len(way.times) > 1:
        places = way.places + (0.0, 0.0, up)
        tints = np.column_stack([np.tile(WAY, (len(places), 1)), _opacity(way.times - ahead.time)])
        pairs = np.arange(len(places)).repeat(2)[1:-1]
        _lines(context, places[pairs], tints[pairs])
    if ahead.goal is not None:
        _mark(context, ahead.goal.place, size)


def _size(ahead: Ahead) -> float:
    """How many times as long the figure's feet are as `FOOT`; 1 where they are not known."""
    lengths = [one.behind + one.before for one in ahead.way.prints]
    return float(np.mean(lengths)) / FOOT if lengths else 1.0


def _opacity(seconds: Array) -> Array:
    return 1.0 - (1.0 - FARTHEST) * np.clip(seconds / SECONDS, 0.0, 1.0)


def _soles(ahead: Ahead) -> tuple[Array, Array]:
    """Outlines (F, P, 3) of the footprints in performance space, and their colours (F, 4)."""
    told = np.array([(*p.place, p.heading, p.behind, p.before, p.side, p.time) for p in ahead.way.prints])
    places, (heading, behind, before, side, times) = told[:, :3], told[:, 3:].T[:, :, None]
    along = OUTLINE[:, 0] * (behind + before) - behind
    aside = OUTLINE[:, 1] * (behind + before) * np.where(side > 0.0, -1.0, 1.0)
    x = places[:, :1] + along * np.cos(heading) - aside * np.sin(heading)
    y = places[:, 1:2] + along * np.sin(heading) + aside * np.cos(heading)
    tints = np.array([SIDES[p.side] for p in ahead.way.prints])
    outlines = np.stack([x, y, np.broadcast_to(places[:, 2:], x.shape)], axis=-1)
    return outlines, np.column_stack([tints, _opacity(times[:, 0] - ahead.time)])


def _fill(outlines: Array, tints: Array) -> None:
    """Fill outlines (F, P, 3) with colours (F, 4), as fans from their centres."""
    count, corners, _ = outlines.shape
    middles = outlines.mean(axis=1, keepdims=True)
    places = np.concatenate([middles, outlines], axis=1).reshape(-1, 3)
    around = np.arange(corners)
    fan = np.stack([np.zeros(corners, dtype=np.intp), 1 + around, 1 + np.roll(around, -1)], axis=-1)
    faces = (fan[None] + (corners + 1) * np.arange(count)[:, None, None]).reshape(-1, 3)
    batch_of(places, np.repeat(tints, corners + 1, axis=0), triangles(faces)).draw(smooth_color())


def _lines(context: Context, places: Array, tints: Array) -> None:
    """Draw lines between every two of the places (2 n, 3), with colours (2 n, 4)."""
    shader = gpu.shader.from_builtin("POLYLINE_SMOOTH_COLOR")
    shader.uniform_float("viewportSize", (context.region.width, context.region.height))
    shader.uniform_float("lineWidth", LINE * context.preferences.system.ui_scale)
    content: Any = {"pos": places.astype(np.float32), "color": tints.astype(np.float32)}
    batch_for_shader(shader, "LINES", content).draw(shader)


def _mark(context: Context, place: Vector, size: float) -> None:
    """Draw a goal: a ring and a cross on the ground, and a mast that can be seen from afar."""
    ring = np.stack([np.cos(ANGLES), np.sin(ANGLES), 0.0 * ANGLES], axis=-1)
    pairs = np.arange(len(ring)).repeat(2)[1:-1]
    more = np.array([(-1.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, -1.0, 0.0), (0.0, 1.0, 0.0)])
    mast = np.array([(0.0, 0.0, 0.0), (0.0, 0.0, MAST / RING)])
    places = np.array(place) + (0.0, 0.0, LIFTED * size) + size * RING * np.concatenate([ring[pairs], more, mast])
    _lines(context, places, np.tile((*GOAL, 1.0), (len(places), 1)))
