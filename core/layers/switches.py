"""The sliders that start and weight layers: their names, and the numbers of a switch.

This module does not use NumPy, since the names are needed when the extension is registered.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..play.player import Wish

SWITCH, WEIGHT = " plays", " weight"
"""Suffixes of the names of a layer's sliders."""
STOP = 0
"""Number of a layer's switch that stops it; its initial value."""
SWITCH_NUMBERS: Mapping[Wish, tuple[int, ...]] = {
    "stop_hard": (-1,),
    "stop": (STOP,),
    "start": (1, 4, 7),
    "instead": (2, 5, 8),
    "after": (3, 6, 9),
}
"""Numbers of a layer's switch by their request; see `AskLayer`. A layer is started again by changing from one number
that starts it to another, so that adjacent keys may have different numbers with the same meaning."""
SWITCH_WISHES: Mapping[int, Wish] = {number: wish for wish, numbers in SWITCH_NUMBERS.items() for number in numbers}
"""Request to a layer by the number of its switch."""


def sliders_named(layer: str) -> tuple[str, str]:
    """Return the names of a layer's sliders: of its switch, and of its weight from 0 to 1."""
    return f"{layer}{SWITCH}", f"{layer}{WEIGHT}"


def layer_of(slider: str) -> str:
    """Return the name of the layer that a slider of this name belongs to; empty if none."""
    ending = next((ending for ending in (SWITCH, WEIGHT) if slider.endswith(ending)), slider)
    return slider.removesuffix(ending)
