"""How little legs can be bent otherwise is told as geometry has it."""

import numpy as np
import pytest
from verbs_adverbs.demo.least import least_bends


def _legs(feet: tuple[float, float], root: float) -> np.ndarray:
    """Hip, knee and ankle (1, 2, 3, 3) of two legs of half a metre and half a metre, with ankles so high."""
    reaches = [root - height for height in feet]
    knees = [(0.25 - 0.25 * reach * reach) ** 0.5 for reach in reaches]
    legs = zip(feet, reaches, knees, strict=True)
    return np.array([[[(0, 0, root), (0, knee, root - 0.5 * reach), (0, 0, foot)] for foot, reach, knee in legs]])


def test_feet_that_stand_as_much_higher_ask_for_nothing():
    free, held = _legs((0.0, 0.0), 0.9), _legs((0.3, 0.3), 0.9)
    assert least_bends(free, held, np.ones((1, 2), dtype=bool))[0] == pytest.approx(0.0, abs=0.2)


def test_a_foot_that_stands_alone_asks_for_nothing():
    free, held = _legs((0.0, 0.0), 0.9), _legs((0.0, 0.2), 0.95)
    assert least_bends(free, held, np.array([[True, False]]))[0] == pytest.approx(0.0, abs=0.2)


def test_feet_that_stand_apart_bend_both_knees_as_much():
    rises = np.linspace(0.0, 0.1, 100001)
    bends = [2.0 * np.degrees(np.arcsin(reach)) for reach in (0.9, 0.9 + rises - 0.1, 0.9 + rises)]
    expected = np.maximum(abs(bends[1] - bends[0]), abs(bends[2] - bends[0])).min()
    found = least_bends(_legs((0.0, 0.0), 0.9), _legs((0.0, 0.1), 0.95), np.ones((1, 2), dtype=bool))[0]
    assert found == pytest.approx(expected, abs=0.5)
