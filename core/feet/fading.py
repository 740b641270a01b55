"""How corrections end and add up."""

from collections.abc import Sequence
from typing import Any

from ..figure.components import smaller
from .ease import smooth

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
