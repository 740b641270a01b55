"""Curves of a displacement over time that reach an end and are bent upwards over obstacles in between.

Of all curves with the given start that end at rest and clear everything, this is the one with the smallest mean square
acceleration: that of an elastic beam clamped at both ends and lifted by pegs.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..figure.vector_components import NOWHERE, Vector, larger, smaller
from .easing_curves import decay

Array = NDArray[np.float64]

INSTANT = 1e-4
"""Seconds over which the speed of a curve is measured."""


@dataclass(frozen=True, eq=False)
class Arch:
    """A displacement that moves to `end` between two times, and stays there; before them it is at `start`.

    Parameters
    ----------
    begin, until : times in seconds.
    start : displacement at the beginning.
    slope : its change there per whole duration.
    end : displacement at which it comes to rest.
    pegs : share of the duration at which each peg lifts it, and with what force.
    """

    begin: float
    until: float
    start: Vector
    slope: Vector
    end: Vector
    pegs: Sequence[tuple[float, float]] = ()


def still(time: float, end: Vector) -> Arch:
    """Return the curve of a displacement that has been at `end` since before `time`."""
    return Arch(time - 1.0, time, end, NOWHERE, end)


def going_on(arch: Arch, time: float, until: float, end: Vector) -> Arch:
    """Return the curve that begins at `time` with the displacement and speed of `arch`, and is at `end` at `until`."""
    (a, b, c), (x, y, z) = arch_at(arch, time), arch_at(arch, time + INSTANT)
    pace = (until - time) / INSTANT
    return Arch(time, until, (a, b, c), ((x - a) * pace, (y - b) * pace, (z - c) * pace), end)


def arch_at(arch: Arch, times: Any) -> Vector:
    """Return the displacement at `times`, a number or an array (T,)."""
    if isinstance(times, float) and times >= arch.until:
        return arch.end
    share = smaller(larger((times - arch.begin) / (arch.until - arch.begin), 0.0), 1.0)
    x, y, z = arch.end
    (a, b, c), (u, v, w) = arch.start, arch.slope
    stays, goes = decay(share, 1.0, 0.0), decay(share, 0.0, 1.0)
    height = z + stays * (c - z) + goes * w
    for place, force in arch.pegs:
        height = height + force * bulge(share, place)
    return x + stays * (a - x) + goes * u, y + stays * (b - y) + goes * v, height


def bulge(share: Any, peg: Any) -> Any:
    """Return the height at `share` to which a peg of force 1 at the share `peg` lifts a clamped beam.

    It is three times the beam's compliance.
    """
    a, b = smaller(share, peg), larger(share, peg)
    return 0.5 * (a * (1.0 - b)) ** 2 * (3.0 * b - a - 2.0 * a * b)


def pegs_over(shares: Array, missing: Array) -> list[tuple[float, float]]:
    """Return pegs, as share and force, that lift a beam by at least `missing` (S,) at `shares` (S,) between 0 and 1.

    They only push upwards. They are added one by one, first where most is missing; those that would have to pull are
    removed again.
    """
    lifts: Array = bulge(shares[:, None], shares)
    forces = np.zeros(len(shares))
    tolerance = 1e-6 * float(np.abs(missing).max(initial=0.0))
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
