"""Ways of a point from where it is to where it will be, bent upwards over what lies between like an elastic strip.

Of all ways that begin as they must, end at rest and pass over everything, the strip's is the one that is accelerated
least (in the mean square): it is a beam clamped at both ends, lifted by pegs.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..figure.components import NOWHERE, Vector, larger, smaller
from .fading import decay

Array = NDArray[np.float64]

INSTANT = 1e-4


@dataclass(frozen=True, eq=False)
class Arch:
    """A displacement that goes to `end` between two times.

    Parameters
    ----------
    begin, until : seconds.
    start, slope : where it is at first and how it changes, per whole time.
    end : where it comes to rest.
    pegs : share of the time at which each lifts it, and how hard.
    """

    begin: float
    until: float
    start: Vector
    slope: Vector
    end: Vector
    pegs: Sequence[tuple[float, float]] = ()


def still(time: float, end: Vector) -> Arch:
    """What is at `end` already at `time`."""
    return Arch(time - 1.0, time, end, NOWHERE, end)


def going_on(arch: Arch, time: float, until: float, end: Vector) -> Arch:
    """From where `arch` is at `time`, as fast as it is, to `end`."""
    (a, b, c), (x, y, z) = arch_at(arch, time), arch_at(arch, time + INSTANT)
    pace = (until - time) / INSTANT
    return Arch(time, until, (a, b, c), ((x - a) * pace, (y - b) * pace, (z - c) * pace), end)


def arch_at(arch: Arch, times: Any) -> Vector:
    """The displacement at `times`, a number or an array (T,)."""
    share = smaller(larger((times - arch.begin) / (arch.until - arch.begin), 0.0), 1.0)
    x, y, z = arch.end
    (a, b, c), (u, v, w) = arch.start, arch.slope
    stays, goes = decay(share, 1.0, 0.0), decay(share, 0.0, 1.0)
    height = z + stays * (c - z) + goes * w
    for place, force in arch.pegs:
        height = height + force * bulge(share, place)
    return x + stays * (a - x) + goes * u, y + stays * (b - y) + goes * v, height


def bulge(share: Any, peg: Any) -> Any:
    """How a peg of force 1 at one share of a clamped strip lifts it at another: three times its compliance."""
    a, b = smaller(share, peg), larger(share, peg)
    return 0.5 * (a * (1.0 - b)) ** 2 * (3.0 * b - a - 2.0 * a * b)


def pegs_over(shares: Array, missing: Array) -> list[tuple[float, float]]:
    """Pegs that lift a strip by at least what is `missing` (S,) at `shares` (S,) between 0 and 1, pushing only upwards.

    They are found one by one, the highest first; those that would have to pull are taken away.
    """
    lifts: Array = bulge(shares[:, None], shares)
    forces = np.zeros(len(shares))
    tolerance = 1e-3 * float(np.abs(missing).max(initial=0.0))
    for _ in shares:
        short = missing - lifts @ forces
        worst = int(short.argmax())
        if short[worst] <= tolerance or forces[worst] > 0.0:
            break
        chosen = np.union1d(np.flatnonzero(forces), worst)
        found = np.linalg.solve(lifts[np.ix_(chosen, chosen)], missing[chosen])
        while (found < 0.0).any():
            chosen = chosen[found > 0.0]
            found = np.linalg.solve(lifts[np.ix_(chosen, chosen)], missing[chosen])
        forces[:] = 0.0
        forces[chosen] = found
    return [(float(shares[peg]), float(forces[peg])) for peg in np.flatnonzero(forces)]
