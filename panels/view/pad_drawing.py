"""Drawing the adverb pad: shading by trust, examples as dots as large as their weights, the point, trail and bars."""

import time
from collections import deque
from collections.abc import Sequence
from itertools import pairwise
from math import hypot
from typing import TYPE_CHECKING, Any

import bpy
import gpu
import numpy as np
from bpy.types import Context, Object
from numpy.typing import NDArray

from ... import bridge
from ...bridge.blender.events import redraw_regions
from ...core.errors import VerbsError
from ...operators.view.pad import Square
from .pad_words import BARS, EDGE, LETTERS, LINE, dots_in, forget_words, largest, rows_below, words_of, write_words
from .shapes import Color, Shapes, batch_of, faces_of_grid, forget_meshes, smooth_color, triangles

if TYPE_CHECKING:
    from ...bridge.authoring.pad import Ground, Pad

Array = NDArray[np.float64]

LEAST, MOST, POINT, RIM = 2.5, 6.0, 6.0, 1.5
"""Pixels: radius of the dot of an example without weight and with all of it, of the point, and of the rim around it."""
LASTS, STEP, THICK, MOVED, TINY = 3.0, 0.1, 2.0, 0.004, 1e-9
"""Seconds that the trail of the point goes back, and between its corners; half its pixels; the share of the square by
which the point must have moved for the next corner; and one that counts as nothing."""
DOUBTED, TRUSTED = np.array([0.55, 0.20, 0.16, 0.9]), np.array([0.16, 0.30, 0.27, 0.9])
HANDLE, RIM_COLOR = (1.0, 0.62, 0.1, 1.0), (0.0, 0.0, 0.0, 1.0)

_kept: "tuple[Ground | None, object, Any] | None" = None
"""What was drawn under the point last: what it shows, how it looks, and the batch."""
_over: "tuple[tuple[Any, ...], Any] | None" = None
"""The same of what lies over that."""
_trail: deque[tuple[float, float, float]] = deque()
"""Corners of the trail, the oldest first: when the point was there, and where, as shares of the square."""
_trail_of: object = None
"""Of which sliders the trail is."""


def draw_pad(
    context: Context, square: Square, armature: Object, adverbs: tuple[str, str], mouse: tuple[float, float] | None
) -> None:
    """Draw the pad for two adverbs of what an armature's director plays.

    Parameters
    ----------
    context : context of a gizmo in a 3D view.
    square : where the pad lies.
    mouse : pixels of the region at which the mouse is; None if it is not over the pad.
    """
    try:
        pad = bridge.authoring.pad.pad_of(armature, adverbs)
    except VerbsError:
        return
    scale, colors = context.preferences.system.ui_scale, context.preferences.themes[0].user_interface
    text = (*colors.wcol_tooltip.text[:3], 1.0)
    looks = square, scale, text, (*colors.wcol_toggle.inner_sel[:3], 0.6), (*colors.wcol_tooltip.inner[:3], 0.85)
    now = time.monotonic()
    note_point(pad, (armature.name, adverbs), now)
    batches = _back_batch(square, scale, pad, looks[-1]), _over_batch(pad, looks, now)
    words = words_of(square, scale, pad, mouse)
    gpu.state.blend_set("ALPHA")
    for batch in batches:
        batch.draw(smooth_color())
    write_words(words, scale, text)
    gpu.state.blend_set("NONE")


def _over_batch(pad: "Pad", looks: tuple[Any, ...], now: float) -> Any:
    """The batch of what changes with the sliders (dots, bars, trail and point), made anew only after a change."""
    global _over
    square, scale, text, bars, _ = looks
    trails = len(_trail) > 1
    told = pad, looks, trails
    if trails or _over is None or _over[0] != told:
        shapes = Shapes()
        if pad.ground is not None:
            _add_dots(shapes, square, scale, pad.ground, pad.weights.tolist(), (*text[:3], 0.85))
            _add_bars(shapes, square, scale, pad, bars)
        add_trail(shapes, square, scale, now)
        _add_point(shapes, square, scale, pad, (*text[:3], 0.3))
        _over = told, shapes.batch()
    return _over[1]


def _back_batch(square: Square, scale: float, pad: "Pad", color: Color) -> Any:
    """The batch of what lies under the point, made anew only if it has changed: its edge, and the shading by trust."""
    global _kept
    ground, looks = pad.ground, (square, scale, color, pad.ends)
    if _kept is None or _kept[0] is not ground or _kept[1] != looks:
        edge, below = EDGE * scale, (EDGE + LINE + BARS * LINE) * scale
        below, aside = (below + LINE * scale * any(pad.ends[0])), edge + LINE * scale * any(pad.ends[1])
        right, top = square.x + square.side + edge, square.y + square.side + edge + LINE * scale
        left, bottom = square.x - aside, square.y - below
        corners = [(left, bottom), (right, bottom), (right, top), (left, top)]
        places, tints = np.array([(*corner, 0.0) for corner in corners]), np.tile(color, (4, 1))
        faces = np.array([(0, 1, 2), (0, 2, 3)])
        if ground is not None:
            own = _shading(square, ground)
            places, tints = np.concatenate([places, own[0]]), np.concatenate([tints, own[1]])
            faces = np.concatenate([faces, 4 + own[2]])
        _kept = ground, looks, batch_of(places, tints, triangles(faces))
    return _kept[2]


def _shading(square: Square, ground: "Ground") -> tuple[Array, Array, NDArray[np.intp]]:
    """Places (V, 3), colours (V, 4) and triangles (T, 3) of the square, coloured by trust."""
    rows, columns = ground.trusted.shape
    y, x = np.mgrid[0 : 1 : rows * 1j, 0 : 1 : columns * 1j]
    places = np.stack([square.x + square.side * x, square.y + square.side * y, 0.0 * x], axis=-1).reshape(-1, 3)
    share = ground.trusted.reshape(-1, 1)
    return places, share * TRUSTED + (1.0 - share) * DOUBTED, faces_of_grid(rows, columns)


def _add_dots(
    shapes: Shapes, square: Square, scale: float, ground: "Ground", weights: Sequence[float], color: Color
) -> None:
    """Add the examples that lie in the square, as large as their weights."""
    for index, (x, y) in dots_in(square, ground).items():
        shapes.circle(x, y, scale * (LEAST + (MOST - LEAST) * min(max(weights[index], 0.0), 1.0)), color)


def _add_point(shapes: Shapes, square: Square, scale: float, pad: "Pad", faint: Color) -> None:
    """Add the point, at the nearest edge if the sliders are beyond it, and lines through it."""
    x, y = (origin + square.side * min(max(share, 0.0), 1.0) for origin, share in zip(square, pad.point, strict=False))
    thin = max(round(scale), 1)
    shapes.fill(square.x, y, square.x + square.side, y + thin, faint)
    shapes.fill(x, square.y, x + thin, square.y + square.side, faint)
    shapes.circle(x, y, (POINT + RIM) * scale, RIM_COLOR)
    shapes.circle(x, y, POINT * scale, HANDLE)


def note_point(pad: "Pad", whose: object, now: float) -> None:
    """Record where the point is, if it has moved, and forget what is older than the trail."""
    global _trail_of
    if _trail_of != whose:
        _trail.clear()
        _trail_of = whose
    x, y = (min(max(share, 0.0), 1.0) for share in pad.point)
    _, was_x, was_y = _trail[-1] if _trail else (now, -1.0, -1.0)
    if max(abs(x - was_x), abs(y - was_y)) > MOVED:
        if len(_trail) > 1 and now - _trail[-2][0] < STEP:
            _trail.pop()
        _trail.append((now, x, y))
        if len(_trail) > 1 and not bpy.app.timers.is_registered(_redraw):
            bpy.app.timers.register(_redraw, first_interval=LASTS)
    elif len(_trail) == 1:
        _trail[0] = now, was_x, was_y
    while len(_trail) > 1 and now - _trail[1][0] > LASTS:
        _trail.popleft()


def _redraw() -> None:
    """Fade out the trail of a point that has come to rest."""
    redraw_regions("WINDOW")


def forget_drawn() -> None:
    """Free the last drawing, and forget the trail."""
    global _kept, _over
    _kept = _over = None
    forget_words()
    forget_meshes()
    _trail.clear()
    if bpy.app.timers.is_registered(_redraw):
        bpy.app.timers.unregister(_redraw)


def add_trail(shapes: Shapes, square: Square, scale: float, now: float) -> None:
    """Add a trail of where the point has been in the last seconds, fainter and thinner the longer ago that was."""
    corners = [(when, square.x + square.side * x, square.y + square.side * y) for when, x, y in _trail]
    for (_, x, y), (when, next_x, next_y) in pairwise(corners):
        fresh, across, up = max(1.0 - (now - when) / LASTS, 0.0), next_x - x, next_y - y
        thin = scale * THICK * fresh / max(hypot(across, up), TINY)
        aside, raised = -up * thin, across * thin
        xs = x - aside, next_x - aside, next_x + aside, x + aside
        shapes.quad(xs, (y - raised, next_y - raised, next_y + raised, y + raised), (*HANDLE[:3], 0.8 * fresh))


def _add_bars(shapes: Shapes, square: Square, scale: float, pad: "Pad", filled: Color) -> None:
    """Add the largest weights as bars."""
    first = rows_below(pad)
    for row, (_, weight) in enumerate(largest(pad)):
        y, width = square.y - (row + first) * LINE * scale, square.side * min(abs(weight), 1.0)
        shapes.fill(square.x, y - 2.0 * scale, square.x + width, y + (LETTERS - 1.0) * scale, filled)
