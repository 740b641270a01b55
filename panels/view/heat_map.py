"""The heat map in the 3D view: requested places, coloured by the error, and lines to the places reached."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import bpy
import gpu
from bpy.types import Context, Object, PropertyGroup
from gpu.types import GPUBatch

from ... import bridge
from ...bridge.data.current import current_armature
from ...bridge.session import live_characters
from .hud import WARNING, Page

if TYPE_CHECKING:
    from ...bridge.authoring.reach_report import HeatMap

LINE = 2.0


class Drawn(NamedTuple):
    """A heat map as batches for the graphics card, and the map they were made from."""

    shown: "HeatMap"
    dots: GPUBatch
    lines: GPUBatch


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
    context = bpy.context
    size, width = (context.region.width, context.region.height), LINE * context.preferences.system.ui_scale
    for armature, verb in _shown(context):
        for one in bridge.authoring.reach_report.heat_maps(armature, verb):
            batches = _batches(drawn, f"{verb.uid} {one.bone}", one)
            with gpu.matrix.push_pop():  # pyright: ignore[reportGeneralTypeIssues]
                gpu.matrix.multiply_matrix(
                    bridge.data.targets.start_space(armature, bridge.data.director.director_of(armature))
                )
                bridge.session.drawing.heat.draw_heat(batches.dots, batches.lines, size, width)


def _batches(drawn: dict[str, Drawn], name: str, shown: "HeatMap") -> Drawn:
    """Return the batches of a heat map, remade only if the map has changed."""
    kept = drawn.get(name)
    if kept is None or kept.shown is not shown:
        kept = drawn[name] = Drawn(shown, *bridge.session.drawing.heat.heat_batches(shown))
    return kept


def draw_words() -> None:
    """Write the errors in the shown heat maps, and which targets the playing verb does not reach."""
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
        yield from ((one.told, False) for one in bridge.authoring.reach_report.heat_maps(armature, verb))


def _warnings(context: Context) -> Iterator[tuple[str, bool]]:
    """Yield a sentence for each target that the verb that is switched on does not reach, marked as a warning."""
    armature = current_armature(context)
    if armature is None:
        return
    director = bridge.data.director.director_of(armature)
    own = director.verbs_adverbs if director is not None else None
    verb = armature.verbs_adverbs.verbs.get(own.verb) if own is not None and own.live else None
    if verb is None:
        return
    for target in verb.targets:
        problem = bridge.authoring.reach_report.target_problem(armature, verb, target)
        yield from ((f"{part}.", True) for part in problem.rstrip(".").split(". ") if part)
