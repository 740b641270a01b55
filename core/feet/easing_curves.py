"""Easing functions of a share of time, and how corrections fade when a lock is released.

All take numbers for one time, or arrays (T,) for many.
"""

from collections.abc import Sequence
from typing import Any

from ..figure.vector_components import smaller, smooth, within

FADE = 0.25
"""Seconds in which the correction that a lock made fades after its release."""
SLOW = 0.1
"""Seconds in which the speed of that correction fades: fewer, so that it does not carry a fast foot far."""
SETTLE = 0.1
"""Seconds in which a point that was locked comes to the height at which it stands."""
LEAST_GAP, LARGEST_GAP = 1e-3, 0.1
"""Seconds between a noted pose and a release for the speed of a correction to be taken from them.

With less the speed would be inaccurate, and with more the pose belongs to another release.
"""


def fading(since: Any) -> tuple[Any, Any]:
    """Return how a value fades `since` seconds after its release: the share left, and how long its speed counts.

    With them, what is left of a value x with the speed v is ``share * x + seconds * v``.
    """
    passed = smaller(since, FADE)
    return 1.0 - smooth(passed / FADE), passed * (1.0 - smaller(passed / SLOW, 1.0)) ** 2


def together(sunk: Sequence[Any]) -> Any:
    """Return how much the root sinks in all if the legs ask for `sunk` (G,): the root of the sum of their squares."""
    return sum(value * value for value in sunk) ** 0.5


def decay(u: Any, value: Any, slope: Any) -> Any:
    """Return what is left at `u` of a value that changes by `slope` per unit at u = 0, and rests at 0 from u = 1 on."""
    v = within(u)
    w = (1.0 - v) ** 2
    return w * ((1.0 + 2.0 * v) * value + v * slope)


def bump(u: Any) -> Any:
    """Return a smooth bump: 0 at u = 0, 1 in the middle, and 0 at u = 1, without speed at both ends."""
    v = within(u)
    return 16.0 * v * v * (1.0 - v) ** 2
