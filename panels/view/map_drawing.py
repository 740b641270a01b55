"""Drawing the distance map: distances as colours, suggested places, the regions of the transition, and keytimes."""

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import blf
import gpu
import numpy as np
from bpy.types import Context, PropertyGroup
from numpy.typing import NDArray

from ... import bridge
from ...bridge.data.current import armature_of
from ...operators.view.distance_map import ABOVE_ROWS, BELOW_ROWS, EDGE, MARK, ROW, MapPlace
from ...operators.view.pad import Square
from .pad_drawing import HANDLE, RIM_COLOR
from .pad_words import LETTERS
from .shapes import Color, Shapes, batch_of, faces_of_grid, shortened, smooth_color, triangles, width_of, write

if TYPE_CHECKING:
    from ...bridge.authoring.distance_map import Kept
    from ...core.graph.distance_map import Axis, DistanceMap
    from ...core.graph.transition import Region
    from ...core.verb.verb import Verb

Array = NDArray[np.float64]

RAMP = "fde725 bbdf27 7ad151 43bf71 22a884 21908c 2a788e 35608d 414487 482576 440154"
"""Colours from the most similar to the least, perceptually even: viridis of S. van der Walt and N. Smith, CC0."""
COLOURS = np.array([[int(name[i : i + 2], 16) / 255.0 for i in (0, 2, 4)] for name in RAMP.split()])
UNUSUAL, OUTDATED = 0.45, 0.6
"""Opacity where no transition is suggested, and of the veil over a map that is out of date."""
Word = tuple[str, float, float]
"""A text, and the pixel where it begins."""
MIDDLE = 0.36
"""Height of the middle of letters above the baseline, relative to their size."""
POINT, RIM, TICK, GAP = 4.5, 1.5, 4.0, 10.0
"""Pixels at scale 1: radius of the transition's beginning, the rim around it, length of ticks, from axis to names."""
ENDS_OF_RAMP, STEPS = ("alike", "unlike"), 33
"""Labels at the ends of the colour strip, and its number of steps."""
CELLS = 64
"""Corners of the picture's grid along each side; with more of them, drawing takes long without a graphics card."""
MOST_KEPT = 24
"""Batches that are kept, for several views."""


Drawn = dict[tuple[str, int], tuple[object, Any]]
"""Batches and words by what they are and the region where they are drawn, each with what it was made from."""


def draw_map(
    context: Context, place: MapPlace, item: PropertyGroup, over: tuple[int, int] | None, drawn: Drawn
) -> None:
    """Draw the map of a transition's verbs.

    Parameters
    ----------
    context : context of a gizmo in a 3D view.
    place : where the map lies.
    over : pixel of the region that the mouse is over, None if it is not over the map.
    drawn : what was made by earlier calls; what this call makes is added.
    """
    armature, maps, region = item.id_data, bridge.authoring.distance_map, context.region.as_pointer()
    kept, outdated = maps.shown_map(armature, item), maps.outdated(armature, item)
    if outdated:
        maps.want(armature, item)
    scale, colors = context.preferences.system.ui_scale, context.preferences.themes[0].user_interface
    text, back = (*colors.wcol_tooltip.text[:3], 1.0), (*colors.wcol_tooltip.inner[:3], 0.85)
    verbs, looks = kept.verbs if kept is not None else None, (place, scale, back, text)
    smooth = smooth_color()
    gpu.state.blend_set("ALPHA")
    _once(drawn, ("back", region), (verbs, looks), lambda: _back(place, scale, verbs, back, text)).draw(smooth)
    advice = ("Computing…", "") if maps.is_computing() else (f"{outdated}:", "press Update Map")
    rows, at = [(line, "") for line in advice] if outdated else [], None
    if kept is not None:
        square, regions = place.square, maps.regions_on(kept, item)
        made_from = kept.compared, square
        _once(drawn, ("picture", region), made_from, lambda: _picture(kept.compared, square)).draw(smooth)
        veil = back if outdated else None
        shown = kept.compared, regions, veil, looks
        _once(drawn, ("over", region), shown, lambda: _over(square, scale, kept, regions, veil)).draw(smooth)
        words = _once(drawn, ("words", region), (kept.compared, looks), lambda: _words(place, scale, kept))
        blf.size(0, LETTERS * scale)
        _write_words(words, text)
        at = square.share(*over) if over is not None else (regions[0].begin, regions[1].begin)
        rows = rows or list(zip(("Distance", "Feet match"), maps.numbers_at(kept, at), strict=True))
    _write_rows(place, scale, item, at, rows, text)
    gpu.state.blend_set("NONE")


def _once(drawn: Drawn, name: tuple[str, int], made_from: object, make: Callable[[], Any]) -> Any:
    """Return what was made under a name, remade only if its inputs have changed."""
    kept = drawn.get(name)
    if kept is None or kept[0] != made_from:
        if len(drawn) >= MOST_KEPT:
            drawn.clear()
        kept = drawn[name] = made_from, make()
    return kept[1]


def _back(place: MapPlace, scale: float, verbs: "tuple[Verb, Verb] | None", color: Color, text: Color) -> Any:
    """Make the background of the map, ticks at keytimes, and the colour strip from similar to different."""
    square, edge, row, shapes = place.square, EDGE * scale, ROW * scale, Shapes()
    left, right, low = square.x - place.left, square.x + square.side, square.y - place.below - BELOW_ROWS * row
    shapes.fill(left - edge, low - edge, right + edge, square.y + square.side + ABOVE_ROWS * row + edge, color)
    words = [width_of(word, LETTERS * scale) + GAP * scale for word in ENDS_OF_RAMP]
    begin, wide = left + words[0], right - left - sum(words)
    for step, (red, green, blue) in enumerate(colours_at(np.linspace(0.0, 1.0, STEPS)).tolist()):
        at = begin + wide * step / STEPS
        shapes.fill(at, low, at + wide / STEPS, low + 0.6 * row, (red, green, blue, 1.0))
    tick, thin = TICK * scale, max(round(scale), 1)
    for upward, verb in enumerate(verbs or ()):
        for generic in verb.phrasing.generic.tolist():
            along = round(square[upward] + generic * square.side)
            if upward:
                shapes.fill(square.x - tick, along, square.x, along + thin, text)
            else:
                shapes.fill(along, square.y - tick, along + thin, square.y, text)
    return shapes.batch()


def _picture(compared: "DistanceMap", square: Square) -> Any:
    """Make the picture of a map, with colours interpolated between the corners of a grid."""
    across, up = np.meshgrid(np.linspace(0.0, square.side, CELLS), np.linspace(0.0, square.side, CELLS))
    places = np.stack([square.x + across, square.y + up, 0.0 * across], axis=-1)
    tints = picture_of(compared, CELLS)
    return batch_of(places.reshape(-1, 3), tints.reshape(-1, 4), triangles(faces_of_grid(CELLS, CELLS)))


def picture_of(compared: "DistanceMap", count: int) -> Array:
    """Return the colours (count, count, 4) at even steps of a map over generic time.

    The verb that is left runs along the second axis, from its beginning on, and the one that is entered along the
    first. The picture is empty where a region does not fit any more, and fainter where none is suggested.
    """
    columns, rows = _along(compared.leaves, count), _along(compared.enters, count)
    values = _between(_between(compared.differences, columns).T, rows)
    low, high = values.min(), values.max()
    colours = colours_at((values - low) / max(high - low, 1e-12))
    usual = np.outer(_opacity(compared.enters, count), _opacity(compared.leaves, count))
    return np.concatenate([colours, usual[..., None]], axis=-1)


def colours_at(shares: Array) -> Array:
    """Return the colours (..., 3) at shares (...) from the most similar, 0, to the least, 1."""
    place = shares * (len(COLOURS) - 1)
    first = np.minimum(place.astype(np.intp), len(COLOURS) - 2)
    part = (place - first)[..., None]
    return COLOURS[first] * (1.0 - part) + COLOURS[first + 1] * part


def _along(axis: "Axis", count: int) -> Array:
    """Row of a map, with its fraction, at even steps of generic time; a cycle begins again after it."""
    begins = np.append(axis.begins, 1.0) if axis.cyclic else axis.begins
    return np.interp(np.linspace(0.0, 1.0, count), begins, np.arange(len(begins)))


def _between(values: Array, rows: Array) -> Array:
    """Values (P, C) at rows with fractions (P,) of `values` (R, C)."""
    first, part = rows.astype(np.intp), (rows % 1.0)[:, None]
    return values[first % len(values)] * (1.0 - part) + values[(first + 1) % len(values)] * part


def _opacity(axis: "Axis", count: int) -> Array:
    """Opacity (count,) at even steps of generic time: full where places are suggested, none where nothing fits."""
    at, usual = np.linspace(0.0, 1.0, count), axis.begins[axis.usual]
    if axis.cyclic:
        return np.ones(count)
    inside = (at >= usual[0]) & (at <= usual[-1])
    return np.where(at > axis.begins[-1], 0.0, np.where(inside, 1.0, UNUSUAL))


def _over(square: Square, scale: float, kept: "Kept", regions: "tuple[Region, Region]", veil: Color | None) -> Any:
    """Make what lies over the picture: the regions of the transition, where it begins, and the suggested places."""
    shapes, pixels = Shapes(), _pixels(square, kept)
    if veil is not None:
        right, top = square.x + square.side, square.y + square.side
        shapes.fill(square.x, square.y, right, top, (*veil[:3], OUTDATED))
    for left, right in pieces_of(regions[0]):
        for bottom, top in pieces_of(regions[1]):
            shares = zip((left, bottom, right, top), 2 * (square.x, square.y), strict=True)
            _add_frame(shapes, scale, [float(round(origin + share * square.side)) for share, origin in shares])
    begin = [region.begin for region in regions]
    if all(0.0 <= share <= 1.0 for share in begin):
        x, y = square.x + square.side * begin[0], square.y + square.side * begin[1]
        under = any(math.hypot(x - a, y - b) < MARK * scale for a, b in pixels)
        radius = (MARK + 2.0 * RIM if under else POINT) * scale
        shapes.circle(x, y, radius + RIM * scale, RIM_COLOR)
        shapes.circle(x, y, radius, HANDLE)
    for x, y in pixels:
        shapes.circle(x, y, MARK * scale, (1.0, 1.0, 1.0, 1.0))
        shapes.circle(x, y, (MARK - 1.0) * scale, RIM_COLOR)
    return shapes.batch()


def _pixels(square: Square, kept: "Kept") -> list[tuple[float, float]]:
    """Pixels of the suggested places."""
    return [(square.x + x * square.side, square.y + y * square.side) for x, y in kept.marks]


def pieces_of(region: "Region") -> list[tuple[float, float]]:
    """Return the parts of generic time from 0 to 1 that a region covers: two if it continues across a cycle's seam."""
    if not (0.0 <= region.begin <= 1.0 and region.begin <= region.end <= 2.0):
        return []
    pieces = [(region.begin, min(region.end, 1.0))]
    return pieces if region.end <= 1.0 else [*pieces, (0.0, region.end - 1.0)]


def _add_frame(shapes: Shapes, scale: float, corners: Sequence[float]) -> None:
    """Add a rectangle that stands out from any colour: a white line with a dark one inside, and a veil."""
    left, bottom, right, top = corners
    shapes.fill(left, bottom, right, top, (1.0, 1.0, 1.0, 0.2))
    thin = max(round(scale), 1)
    for inset, color in ((thin, RIM_COLOR), (0, (1.0, 1.0, 1.0, 1.0))):
        a, b, c, d = left + inset, bottom + inset, right - inset, top - inset
        for side in ((a, b, c, b + thin), (a, d - thin, c, d), (a, b, a + thin, d), (c - thin, b, c, d)):
            shapes.fill(*side, color)


def _words(place: MapPlace, scale: float, kept: "Kept") -> tuple[list[Word], list[Word], list[Word]]:
    """Return what is written on a map: names of keytimes at its left, upright ones below it, and numbers of places."""
    square, size, (leaves, enters) = place.square, LETTERS * scale, kept.verbs
    beside, below = (room - GAP * scale for room in (place.left, place.below))
    names = [
        (name, square.x - GAP * scale - width_of(name, size), y - MIDDLE * size)
        for name, y in _names(enters, square.y, square.side, size, beside)
    ]
    upright = [
        (name, x + MIDDLE * size, square.y - GAP * scale - width_of(name, size))
        for name, x in _names(leaves, square.x, square.side, size, below)
    ]
    pixels = enumerate(_pixels(square, kept), 1)
    return (
        names,
        upright,
        [(str(number), x - 0.5 * width_of(str(number), size), y - MIDDLE * size) for number, (x, y) in pixels],
    )


def _write_words(words: tuple[list[Word], list[Word], list[Word]], color: Color) -> None:
    """Write the words of a map, in the size that is set."""
    names, upright, numbers = words
    blf.color(0, *color)
    for word in names:
        write(*word)
    blf.enable(0, blf.ROTATION)
    blf.rotation(0, 0.5 * math.pi)
    for word in upright:
        write(*word)
    blf.disable(0, blf.ROTATION)
    blf.color(0, 1.0, 1.0, 1.0, 1.0)
    for word in numbers:
        write(*word)


def _names(verb: "Verb", origin: float, side: float, size: float, room: float) -> list[tuple[str, float]]:
    """Return names of a verb's keytimes that fit the room, and their pixels; none too near to the one before."""
    found: list[tuple[str, float]] = []
    for name, generic in zip(verb.keytime_names, verb.phrasing.generic.tolist(), strict=False):
        shown, along = shortened(name, room, size), origin + generic * side
        if width_of(shown, size) <= room and (not found or along - found[-1][1] >= size):
            found.append((shown, along))
    return found


def _write_rows(
    place: MapPlace,
    scale: float,
    item: PropertyGroup,
    at: tuple[float, float] | None,
    rows: Sequence[tuple[str, str]],
    color: Color,
) -> None:
    """Write the verb that is entered above the map, the one that is left below it, and what is known about a place."""
    square, size, verb_of = place.square, LETTERS * scale, bridge.data.transition_items.verb_of
    names = [verb_of(armature_of(item), uid).name for uid in (item.source, item.target)]
    leaves, enters = (f"{share:.2f}" for share in at) if at is not None else ("", "")
    below = square.y - place.below
    lines = [(square.y + square.side + (ABOVE_ROWS - 0.9) * ROW * scale, f"Enters {names[1]}", enters)]
    told = [(f"Leaves {names[0]}", leaves), *rows, ENDS_OF_RAMP]
    lines += [(below - (row + 1) * ROW * scale, name, value) for row, (name, value) in enumerate(told)]
    left, right = square.x - place.left, square.x + square.side
    blf.size(0, size)
    blf.color(0, *color)
    for y, name, value in lines:
        wide = width_of(value, size)
        write(shortened(name, right - left - wide - 4.0 * scale, size), left, y)
        write(value, right - wide, y)
