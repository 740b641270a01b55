"""Smooth changes over a share of time, how corrections end, and how they add up."""

from collections.abc import Sequence
from typing import Any

from ..figure.components import larger, smaller

FADE = 0.25
"""Seconds in which a correction fades."""
SLOW = 0.1
"""Seconds in which the speed fades that it had: shorter, so that it does not carry a fast foot far."""
SETTLE = 0.1
"""Seconds in which a point comes to its height."""
LEAST_GAP, LARGEST_GAP = 1e-3, 0.1
"""Seconds between a note and a release: less would tell the speed badly, and more is another release's."""


def fading(since: Any) -> tuple[Any, Any]:
    """What is left of a value, and what its speed still adds to it, so many seconds after it was let go."""
    passed = smaller(since, FADE)
    return 1.0 - smooth(passed / FADE), passed * (1.0 - smaller(passed / SLOW, 1.0)) ** 2


def together(sunk: Sequence[Any]) -> Any:
    """How much the root sinks in all, for legs that ask for `sunk`."""
    return sum(value * value for value in sunk) ** 0.5


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
