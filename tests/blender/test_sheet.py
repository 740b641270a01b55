"""The contact sheet: where examples stand in the lattice, and a picture in which they are told apart."""

import numpy as np
import pytest
from PIL import Image
from verbs_adverbs.core.biped.figure import BONES, biped_skeleton
from verbs_adverbs.demo.sheet import Axis, SheetFigure, SheetPanel, draw_panel, draw_sheet, lattice

HEADS = np.array([bone.head for bone in BONES])


def panel(*figures: SheetFigure) -> SheetPanel:
    mood, slope = Axis("mood", "sad", "happy"), Axis("slope", "downhill", "uphill")
    return SheetPanel("Walk", "two figures", mood, slope, 2, 1, biped_skeleton().parents, list(figures))


def green(pixels: np.ndarray) -> np.ndarray:
    return pixels[..., 1] > pixels[..., 0] + 40


def test_an_example_takes_the_nearest_place_of_the_lattice():
    places = lattice(3, 2, np.array([[0.0, 0.0], [0.6, 0.9], [0.55, 1.0]]))
    assert len(places) == 6
    found = {(across, up): example for across, up, example in places}
    assert found == {(0.0, 0.0): 0, (0.5, 0.0): -1, (1.0, 0.0): -1, (0.0, 1.0): -1, (0.5, 1.0): 2, (1.0, 1.0): -1}


def test_examples_are_drawn_in_another_colour(tmp_path):
    path = tmp_path / "sheet.png"
    draw_sheet(path, [panel(SheetFigure(HEADS, (0.0, 0.0), True), SheetFigure(HEADS, (1.0, 0.0), False))])
    with Image.open(path) as picture:
        body = green(np.asarray(picture.convert("RGB"), dtype=int))[110:-90]
    half = body.shape[1] // 2
    assert np.count_nonzero(body[:, :half]) > 2000
    assert np.count_nonzero(body[:, half + 60 :]) == 0


@pytest.mark.parametrize("unit", [0.01, 100.0])
def test_figures_of_any_unit_look_alike(unit):
    plain = draw_panel(panel(SheetFigure(HEADS, (0.5, 0.0), False)))
    scaled = draw_panel(panel(SheetFigure(unit * HEADS + [5.0, 3.0, 1.0], (0.5, 0.0), False)))
    assert np.mean(np.abs(plain - scaled)) < 5e-4


def test_a_skeleton_that_is_no_person_is_drawn_too():
    chain = np.stack([np.zeros(5), np.linspace(0.0, 0.4, 5), np.linspace(0.0, 1.0, 5)], axis=-1)
    shown = SheetPanel("Tail", "", Axis("x", "", ""), Axis("y", "", ""), 2, 1, np.arange(-1, 4), [])
    empty = draw_panel(shown)
    shown.figures.append(SheetFigure(chain, (0.0, 0.0), False))
    assert np.count_nonzero(np.abs(draw_panel(shown) - empty) > 0.05) > 500
