"""Travel at one instant, in plain numbers: for a single frame quicker than arrays of length one.

Places on the floor are complex numbers x + i y here, so that turning is multiplying. What the functions compute is what
`travel.segment_path` does for many instants.
"""

import cmath
import math
from collections.abc import Sequence

Placed = tuple[complex, float]
"""Place and heading."""


def compose(first: Placed, second: Placed) -> Placed:
    """Travel of `second`, begun where `first` ends."""
    return first[0] + second[0] * cmath.rect(1.0, first[1]), first[1] + second[1]


def arc(velocity: complex, turn: float, share: float) -> Placed:
    """Path from the origin after `share` of an even drift of `velocity` and `turn`."""
    half = 0.5 * turn * share
    return velocity * (share * _sinc(half)) * cmath.rect(1.0, half), turn * share


def repeat(cycle: Placed, count: float) -> Placed:
    """Travel of `cycle` done `count` times over; negative counts go back."""
    half = 0.5 * math.remainder(cycle[1], math.tau)
    ratio = _sinc(count * half) / _sinc(half)
    return cycle[0] * (count * ratio) * cmath.rect(1.0, (count - 1.0) * half), count * cycle[1]


def path_at(drifts: Sequence[float], segment: int, fraction: float, cycles: float) -> Placed:
    """Where a motion is that drifts evenly within each segment.

    Parameters
    ----------
    drifts : (4 S,) displacement in the heading's frame, x and y, turn and climb of each whole segment.
    segment, fraction : which segment it is in, and what share of it has passed.
    cycles : whole cycles before.
    """
    here = whole = (0j, 0.0)
    for index in range(len(drifts) // 4):
        velocity, turn = complex(drifts[4 * index], drifts[4 * index + 1]), drifts[4 * index + 2]
        if index == segment:
            here = compose(whole, arc(velocity, turn, fraction))
            if not cycles:
                return here
        whole = compose(whole, arc(velocity, turn, 1.0))
    return compose(repeat(whole, cycles), here)


def _sinc(angle: float) -> float:
    return math.sin(angle) / angle if angle else 1.0
