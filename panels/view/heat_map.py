"""The heat map in the 3D view: places that were asked for, coloured by the error, and lines to the places reached."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import bpy
import gpu
from bpy.types import Context, Object, PropertyGroup
from gpu.types import GPUBatch
from gpu_extras.batch import batch_for_shader

from ... import bridge
from ...bridge.data.current import current_armature
from ...bridge.session import live_characters
from .hud import WARNING, Page

if TYPE_CHECKING:
    from ...bridge.build.reach_report import HeatMap

WORST = 10.0
"""Error that is drawn in full red, in percent of the region's diagonal."""
RAMP = ((0.0, (0.10, 0.55, 0.85)), (0.25, (0.15, 0.75, 0.35)), (0.6, (0.95, 0.80, 0.15)), (1.0, (0.90, 0.12, 0.10)))
SIZE = 0.008
LINE = 2.0
CORNERS = ((1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1))
FACES = ((0, 2, 4), (2, 1, 4), (1, 3, 4), (3, 0, 4), (2, 0, 5), (1, 2, 5), (3, 1, 5), (0, 3, 5))


class Drawn(NamedTuple):
    """A heat map as batches for the graphics card, and the map that they were made from."""

    shown: "HeatMap"
    dots: GPUBatch
    lines: GPUBatch


def colour_of(percent: float) -> tuple[float, float, float, float]:
    """Colour of an error in percent; it changes faster among small errors than among large ones."""
    share = min(max(percent / WORST, 0.0), 1.0) ** 0.5
    for (low, cold), (high, hot) in zip(RAMP[:-1], RAMP[1:], strict=True):
        if share <= high:
            part = (share - low) / (high - low)
            red, green, blue = (a + part * (b - a) for a, b in zip(cold, hot, strict=True))
            return red, green, blue, 1.0
    return (*RAMP[-1][1], 1.0)


def _shown(context: Context) -> Iterator[tuple[Object, PropertyGroup]]:
    """Yield the current armature with each of its verbs whose heat map is shown, unless overlays are hidden."""
    armature = current_armature(context)
    if armature is None or not context.space_data.overlay.show_overlays:
        return
    yield from ((armature, verb) for verb in armature.verbs_adverbs.verbs if verb.refinement.heat_map)


def draw_map(drawn: dict[str, Drawn]) -> None:
    """Draw the heat maps of the current armature's verbs that are shown.

    Parameters
    ----------
    drawn : batches that were made by earlier calls, by name; what this call makes is added.
    """
    for armature, verb in _shown(bpy.context):
        for one in bridge.build.reach_report.heat_maps(armature, verb):
            batches = _batches(drawn, f"{verb.uid} {one.bone}", one)
            with gpu.matrix.push_pop():  # pyright: ignore[reportGeneralTypeIssues]
                gpu.matrix.multiply_matrix(
                    bridge.data.targets.start_space(armature, bridge.data.director.director_of(armature))
                )
                _draw(bpy.context, batches)


def _draw(context: Context, batches: Drawn) -> None:
    gpu.state.depth_test_set("LESS_EQUAL")
    shader = gpu.shader.from_builtin("POLYLINE_SMOOTH_COLOR")
    shader.uniform_float("viewportSize", (context.region.width, context.region.height))
    shader.uniform_float("lineWidth", LINE * context.preferences.system.ui_scale)
    batches.lines.draw(shader)
    batches.dots.draw(gpu.shader.from_builtin("SMOOTH_COLOR"))
    gpu.state.depth_test_set("NONE")


def _batches(drawn: dict[str, Drawn], name: str, shown: "HeatMap") -> Drawn:
    """Return the batches of a heat map, made anew only if the map has changed."""
    kept = drawn.get(name)
    if kept is not None and kept.shown is shown:
        return kept
    colours = [colour_of(percent) for percent in shown.percent.tolist()]
    size = SIZE * shown.diagonal
    places, tints, faces = [], [], []
    for (x, y, z), colour in zip(shown.asked.tolist(), colours, strict=True):
        first = len(places)
        places += [(x + size * a, y + size * b, z + size * c) for a, b, c in CORNERS]
        tints += [colour] * len(CORNERS)
        faces += [tuple(first + corner for corner in face) for face in FACES]
    dots = gpu.shader.from_builtin("SMOOTH_COLOR")
    ends = [point for pair in zip(shown.asked.tolist(), shown.achieved.tolist(), strict=True) for point in pair]
    both = [colour for colour in colours for _ in range(2)]
    made = Drawn(
        shown,
        batch_for_shader(dots, "TRIS", {"pos": places, "color": tints}, indices=faces),
        batch_for_shader(gpu.shader.from_builtin("POLYLINE_SMOOTH_COLOR"), "LINES", {"pos": ends, "color": both}),
    )
    drawn[name] = made
    return made


def draw_words() -> None:
    """Write how large the errors in the shown heat maps are, and which targets the playing verb does not reach."""
    context = bpy.context
    if live_characters.performance is not None or not context.space_data.overlay.show_overlays:
        return
    lines = [*_warnings(context), *_figures(context)]
    if not lines:
        return
    gpu.state.blend_set("ALPHA")
    page = Page(context)
    for text, warns in reversed(lines):
        page.text(text, WARNING if warns else None)
    gpu.state.blend_set("NONE")


def _figures(context: Context) -> Iterator[tuple[str, bool]]:
    for armature, verb in _shown(context):
        yield from ((one.told, False) for one in bridge.build.reach_report.heat_maps(armature, verb))


def _warnings(context: Context) -> Iterator[tuple[str, bool]]:
    """Yield a sentence for each target that the verb that is switched on does not reach, marked as a warning."""
    armature = current_armature(context)
    director = bridge.data.director.director_of(armature) if armature is not None else None
    own = director.verbs_adverbs if director is not None else None
    verb = armature.verbs_adverbs.verbs.get(own.verb) if own is not None and own.live else None
    for target in verb.targets if verb is not None else ():
        problem = bridge.build.reach_report.target_problem(armature, verb, target)
        yield from ((f"{part}.", True) for part in problem.rstrip(".").split(". ") if part)
