"""The adverb pad in a window: its point goes where the mouse goes, is keyed, and undone; ghosts and sheets are seen."""

from collections.abc import Iterator

import bpy
import numpy as np
from hand import Hand
from stage import add_live_biped, biped, director, part, picture_of

SEEN = 2000
"""Pixels by which a picture with ghosts differs at least from one without."""
WITHIN = 1.0
"""Pixels by which the point may miss the mouse."""


def _square(gui: Hand):
    with gui.context():
        return part("operators.view.pad").square_in(bpy.context, bpy.context.region)


def _on_screen(gui: Hand, share: tuple[float, float]) -> tuple[float, float]:
    square, region = _square(gui), gui.region()
    return region.x + square.x + share[0] * square.side, region.y + square.y + share[1] * square.side


def _point(gui: Hand) -> tuple[float, float]:
    """Where the sliders say that the point is, in pixels of the screen; the biped's adverbs range from -1 to 1."""
    adverbs = [used.name for used in biped().verbs_adverbs.verbs["walk"].adverbs][:2]
    items = biped().verbs_adverbs.adverbs
    shares = [(director()[a] - items[a].minimum) / (items[a].maximum - items[a].minimum) for a in adverbs]
    return _on_screen(gui, tuple(shares))


def _off(gui: Hand, asked: tuple[float, float]) -> float:
    return float(np.abs(np.subtract(_point(gui), asked)).max())


def _follows(gui: Hand, scale: float) -> Iterator[float]:
    bpy.context.preferences.view.ui_scale = scale
    yield from add_live_biped(gui)
    yield from gui.sidebar("Verbs")
    yield 0.5
    gui.picture(f"pad at scale {scale:g}")
    for start, end in (((0.5, 0.5), (0.8, 0.25)), ((0.8, 0.25), (0.1, 0.9))):
        yield from gui.drag(_on_screen(gui, start), _on_screen(gui, end))
        yield 0.3
        assert _off(gui, _on_screen(gui, end)) <= WITHIN
    gui.picture(f"pad dragged at scale {scale:g}")


def test_the_point_goes_where_the_mouse_goes(gui: Hand) -> Iterator[float]:
    yield from _follows(gui, 1.0)


def test_so_it_does_where_the_interface_is_twice_as_large(gui: Hand) -> Iterator[float]:
    try:
        yield from _follows(gui, 2.0)
    finally:
        bpy.context.preferences.view.ui_scale = 1.0


def test_one_undo_takes_a_drag_back_and_esc_leaves_it(gui: Hand) -> Iterator[float]:
    yield from add_live_biped(gui)
    bpy.ops.ed.undo_push(message="before")
    before = _point(gui)
    yield from gui.drag(_on_screen(gui, (0.5, 0.5)), _on_screen(gui, (0.9, 0.9)))
    yield 0.3
    assert _off(gui, _on_screen(gui, (0.9, 0.9))) <= WITHIN
    bpy.ops.ed.undo()
    yield 0.3
    assert _off(gui, before) <= WITHIN
    gui.move(*_on_screen(gui, (0.3, 0.3)))
    yield 0.2
    gui.press()
    yield 0.2
    gui.move(*_on_screen(gui, (0.1, 0.2)))
    yield 0.2
    assert _off(gui, _on_screen(gui, (0.1, 0.2))) <= WITHIN
    yield from gui.key("ESC")
    gui.release()
    yield 0.2
    assert _off(gui, before) <= WITHIN


def _differing(one: np.ndarray, other: np.ndarray) -> int:
    return int((np.abs(one - other).max(axis=2) > 0.05).sum())


def test_ghosts_and_the_sheet_are_seen_and_the_sheet_is_saved(gui: Hand) -> Iterator[float]:
    yield from add_live_biped(gui)
    yield from gui.sidebar("Verbs")
    gui.area().spaces.active.region_3d.view_distance *= 2.0
    pad, sheet = bpy.context.window_manager.verbs_adverbs_pad, bpy.context.window_manager.verbs_adverbs_sheet
    director()["mood"], before, images = 0.4, set(bpy.data.objects), set(bpy.data.images)
    yield 0.5
    shown = {}
    for name, choice, switch in (("without", pad, ""), ("ghosts", pad, "ghosts"), ("sheet", sheet, "shown")):
        if switch:
            setattr(choice, switch, True)
        yield from gui.drawn()
        shown[name] = gui.picture(f"pad {name}")
    saved = gui.folder / "sheet of ghosts.png"
    with gui.context():
        told = bpy.ops.verbs_adverbs.sheet_render(filepath=str(saved.with_suffix("")), width=800, height=600)
    assert told == {"FINISHED"} and set(bpy.data.images) == images and set(bpy.data.objects) == before
    plain, ghosts, lattice = (picture_of(path) for path in shown.values())
    assert _differing(plain, ghosts) > SEEN and _differing(ghosts, lattice) > SEEN
    pixels = picture_of(saved)
    assert pixels.shape == (600, 800, 4)
    red, _, blue, _ = pixels.reshape(-1, 4).T
    orange, grey = (red > 0.3) & (blue < 0.15), (red > 0.3) & (np.abs(red - blue) < 0.1)
    assert orange.sum() > SEEN and grey.sum() > SEEN
    pad.ghosts = sheet.shown = False
