"""A picture of how well a verb reaches: its heat map as seen in the view, and its errors during refinement."""

from pathlib import Path
from typing import Any

import gpu
import numpy as np
from bpy.types import Object, PropertyGroup
from gpu_extras.batch import batch_for_shader
from mathutils import Matrix
from numpy.typing import NDArray

from ....core.errors import VerbError
from ....core.verb.ghosts import ghost_corners, ghost_rows
from ....core.verb.verb import Verb
from ...authoring.reach_report import heat_maps
from ...authoring.refinement import errors_while_refined
from ...authoring.verbs import kept_built
from ...data.director import director_of
from ...data.targets import measured_points, start_space
from .batches import batch_of, draw_solid
from .heat import draw_heat, heat_batches
from .neighbours import sticks_for
from .picture import LETTERS, fitted, save_picture, seen_by, write_words

Array = NDArray[np.float64]

FIGURE = (0.72, 0.74, 0.78, 0.35)
"""Colour of the figure that shows where the reach starts."""
AVERAGE, LARGEST, FAINT = (0.35, 0.65, 0.95, 1.0), (0.95, 0.6, 0.2, 1.0), (0.5, 0.5, 0.5, 1.0)
"""Colours of the curves of the average and of the largest error, and of the lines around them."""
BESIDE = 0.6
"""Fraction of the picture's width for the map if there are curves beside it."""
CURVES = (0.66, 0.2, 0.97, 0.8)
"""Left, bottom, right and top of the curves, as fractions of the picture."""
STROKE = 1.0 / 400.0
"""Line width, as a fraction of the picture's height."""


def save_reach(armature: Object, item: PropertyGroup, view: Matrix, size: tuple[int, int], path: str) -> Path:
    """Save a verb's heat maps and, if it was refined, the curves of its errors as a PNG file.

    Parameters
    ----------
    view : matrix (4, 4) from world to view, for the picture's direction; there is no perspective.
    size, path : as for `save_picture`, as is the return value.

    Raises
    ------
    VerbError
        If the verb has no heat map, or the file cannot be written.
    """
    maps, built = heat_maps(armature, item), kept_built(armature, item)
    if not maps or built is None:
        raise VerbError("There is no heat map. Build the verb with adverbs that measure a position first.")
    errors = errors_while_refined(item)
    corners = _standing(built.verb, measured_points(item)[0][2])
    space = view.to_3x3().normalized() @ start_space(armature, director_of(armature)).to_3x3().normalized()
    points = np.concatenate([corners.reshape(-1, 3), *(ends for one in maps for ends in (one.asked, one.achieved))])

    def draw(size: tuple[int, int]) -> None:
        share = BESIDE if len(errors) else 1.0
        own = round(share * size[0]), size[1]
        camera, lens = fitted(space.to_4x4(), points, own)
        lens = Matrix.Translation((share - 1.0, 0.0, 0.0)) @ Matrix.Diagonal((share, 1.0, 1.0, 1.0)) @ lens
        with seen_by(camera, lens):
            for one in maps:
                draw_heat(*heat_batches(one), size, STROKE * size[1])
            draw_solid(batch_of(corners, [FIGURE]), Matrix.Identity(4))
        row = 2.0 * LETTERS * size[1]
        write_words([(f"{one.told}.", 0.5 * own[0], (0.5 + index) * row) for index, one in enumerate(maps)], own)
        if len(errors):
            _draw_curves(errors, size)

    return save_picture(draw, size, path)


def _standing(verb: Verb, keytime: str) -> Array:
    """Return corners (1, B, 6, 3) of the sticks of a verb's figure at a keytime, at the middle of its adverb ranges."""
    generic = float(verb.phrasing.generic[list(verb.keytime_names).index(keytime)])
    rows = ghost_rows(verb, verb.adverb_ranges.mean(axis=1)[None], np.array([generic]))
    return ghost_corners(verb.channels, sticks_for(verb), rows)[0]


def _draw_curves(errors: Array, size: tuple[int, int]) -> None:
    """Plot the average and the largest error (S, 3) over the number of pseudo-examples, with axes and labels."""
    left, bottom, right, top = (share * size[axis % 2] for axis, share in enumerate(CURVES))
    last, most = max(float(errors[-1, 0]), 1.0), max(float(errors[:, 2].max()), 1e-9)
    letters = LETTERS * size[1]
    frame = np.array([(left, top), (left, bottom), (right, bottom)])
    _stroke(frame, FAINT, size)
    across = left + errors[:, 0] / last * (right - left)
    for column, colour in ((1, AVERAGE), (2, LARGEST)):
        _stroke(np.column_stack([across, bottom + errors[:, column] / most * (top - bottom)]), colour, size)
    write_words([(f"{most:.2g} %", left, top + letters), ("0", left, bottom - 2.0 * letters)], size)
    write_words([(f"{last:.0f} pseudo-examples", right - 6.0 * letters, bottom - 2.0 * letters)], size)
    for what, column, colour, row in (("Average", 1, AVERAGE, 4.5), ("Largest", 2, LARGEST, 3.0)):
        told = f"{what} error: {errors[0, column]:.2g} % to {errors[-1, column]:.2g} %"
        write_words([(told, 0.5 * (left + right), top + row * letters)], size, colour)


def _stroke(places: Array, colour: tuple[float, ...], size: tuple[int, int]) -> None:
    """Draw a line through points (P, 2), in pixels."""
    shader = gpu.shader.from_builtin("POLYLINE_UNIFORM_COLOR")
    shader.uniform_float("viewportSize", size)
    shader.uniform_float("lineWidth", STROKE * size[1])
    shader.uniform_float("color", colour)
    points: Any = np.column_stack([places, np.zeros(len(places))]).astype(np.float32)
    batch_for_shader(shader, "LINE_STRIP", {"pos": points}).draw(shader)
