"""The sliders by which layers are started and weighed: their names, and what the numbers of a switch mean.

Nothing here needs NumPy, for the names are needed when the extension is registered.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..play.player import Wish

SWITCH, WEIGHT = " plays", " weight"
"""Endings of the names of a layer's sliders."""
STOP = 0
"""Number of a layer's switch that stops it, which is where it begins."""
SWITCH_NUMBERS: Mapping[Wish, tuple[int, ...]] = {
    "stop_hard": (-1,),
    "stop": (STOP,),
    "start": (1, 4, 7),
    "instead": (2, 5, 8),
    "after": (3, 6, 9),
}
"""Numbers of a layer's switch by what they ask for; see `AskLayer`. It is started once more by going from one number
that starts it to another one, and a key before and a key after one may mean the same and differ from it."""
SWITCH_WISHES: Mapping[int, Wish] = {number: wish for wish, numbers in SWITCH_NUMBERS.items() for number in numbers}
"""What is asked of a layer when its switch goes to a number."""


def sliders_named(layer: str) -> tuple[str, str]:
    """Return the names of a layer's sliders: of that which starts and stops it, and of its weight from 0 to 1."""
    return f"{layer}{SWITCH}", f"{layer}{WEIGHT}"


def layer_of(slider: str) -> str:
    """Return the name of the layer that a slider of this name can belong to; empty if it can belong to none."""
    ending = next((ending for ending in (SWITCH, WEIGHT) if slider.endswith(ending)), slider)
    return slider.removesuffix(ending)
