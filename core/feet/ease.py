"""Smooth changes over a share of time `u` from 0 to 1, of plain numbers or arrays, at rest before and after."""

from typing import Any

from ..figure.components import larger, smaller


def smooth(u: Any) -> Any:
    """From 0 to 1, at rest at both ends."""
    v = _within(u)
    return v * v * (3.0 - 2.0 * v)


def decay(u: Any, value: Any, slope: Any) -> Any:
    """From `value`, changing by `slope` per unit of `u`, to 0 at rest."""
    v = _within(u)
    w = (1.0 - v) ** 2
    return w * ((1.0 + 2.0 * v) * value + v * slope)


def bump(u: Any) -> Any:
    """From 0 up to 1 in the middle and back to 0, at rest at both ends."""
    v = _within(u)
    return 16.0 * v * v * (1.0 - v) ** 2


def _within(u: Any) -> Any:
    return smaller(larger(u, 0.0), 1.0)
