"""Easing functions of a share of time, and the fading of corrections after a lock is released.

All accept numbers for one time, or arrays (T,) for many.
"""

from collections.abc import Sequence
from typing import Any

from ..figure.vector_components import smaller, smooth, within

FADE = 0.25
"""Seconds in which a lock's correction fades after its release."""
SLOW = 0.1
"""Seconds in which the speed of that correction fades: less than `FADE`, so that a fast foot is not carried far."""
SETTLE = 0.1
"""Seconds in which a locked point moves to its planted height."""
LEAST_GAP, LARGEST_GAP = 1e-3, 0.1
"""Fewest and most seconds between a recorded pose and a release, if both give the speed of a correction.

With fewer, the speed would be inaccurate; with more, the pose belongs to another release.
"""


def fading(since: Any) -> tuple[Any, Any]:
    """Return the fading of a value `since` seconds after its release: the remaining share, and the factor of its speed.

    A value x with the speed v then becomes ``share * x + seconds * v``.
    """
    passed = smaller(since, FADE)
    return 1.0 - smooth(passed / FADE), passed * (1.0 - smaller(passed / SLOW, 1.0)) ** 2


def together(sunk: Sequence[Any]) -> Any:
    """Return the total pelvis drop for the drops `sunk` (G,) of the legs: the root of the sum of their squares."""
    return sum(value * value for value in sunk) ** 0.5


def decay(u: Any, value: Any, slope: Any) -> Any:
    """Return what is left at `u` of a `value` that changes by `slope` per unit at u = 0, and is 0 from u = 1 on."""
    v = within(u)
    w = (1.0 - v) ** 2
    return w * ((1.0 + 2.0 * v) * value + v * slope)


def bump(u: Any) -> Any:
    """Return a smooth bump: 0 at u = 0, 1 in the middle, and 0 at u = 1, with zero slope at both ends."""
    v = within(u)
    return 16.0 * v * v * (1.0 - v) ** 2
