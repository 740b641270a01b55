"""What is foreseen of a swing, and how high a foot must be lifted on its way so that it hits nothing."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..figure.components import TINY, Vector
from .arch import INSTANT, Arch, arch_at
from .fading import FADE, bump, smooth
from .foothold import Floor, Sole, edge_between

Array = NDArray[np.float64]

SAMPLES = 12
"""Moments of a swing of which nothing but its ends is known."""
FINER = 3
"""Places that are looked at for each that is foreseen: so that no edge is overlooked."""
ALONG = np.linspace(0.0, 1.0, 5)
"""Shares of the sole under which the ground is looked at while it swings."""


@dataclass(frozen=True, eq=False)
class Left:
    """When a point left the ground, its displacement then, and how far away (2,) from its own place it stood."""

    time: float
    moved: Vector
    away: Array


@dataclass(frozen=True, eq=False)
class Swing:
    """What is foreseen of a swing.

    Parameters
    ----------
    left : when and where it began.
    landing : seconds.
    own, along : (S, 3) and (S, 3) where the point is by itself, evenly spaced in time up to the landing, and where its
        sole points.
    place : (3,) where it lands.
    clearance : of the point, standing.
    """

    left: Left
    landing: float
    own: Array
    along: Array
    place: Array
    clearance: float


def needed_over(
    swing: Swing, arch: Arch, stood: Array, sole: Sole | None, floor: Floor, clear: float
) -> tuple[Array, Array]:
    """Seconds (S,) of a swing, and how much higher the point must be then so that its foot hits nothing.

    It need not be higher over the floor than it is over the examples' ground. The foot is taken to lie on the slope
    that leads to where it lands: none on stairs.

    Parameters
    ----------
    swing : as it is foreseen.
    arch : the point's displacement on its way, as far as it goes over the ground.
    stood : (2,) where the point stood before.
    sole : of the foot, None to look under the point alone.
    floor : heights of the ground.
    clear : how much higher than the ground the foot is to pass.
    """
    left, own, along, foreseen = swing.left, swing.own, swing.along, len(swing.own) > 1
    until = swing.landing if foreseen else arch.until
    shares = np.arange(1, SAMPLES + 1) / (SAMPLES + 1)
    if foreseen:
        own, along = _finer(own), _finer(along)
        shares = np.linspace(1.0 / len(swing.own), 1.0, len(own))
    times = arch.begin + shares * (until - arch.begin)
    passed = smooth((times - left.time) / max(until - left.time, INSTANT))
    if foreseen:
        x, y, _ = arch_at(arch, times)
        gone = 1.0 - smooth((times - left.time) / FADE)
        flat = own[:, :2] + gone[:, None] * left.away + np.stack([x, y], axis=-1)
    else:
        flat = stood + passed[:, None] * (swing.place[:2] - stood)
    first, last = floor(np.array([stood, swing.place[:2]])).tolist()
    grade, way = np.zeros(2), swing.place[:2] - stood
    if sole is not None and not (foreseen and edge_between(floor, stood, swing.place[:2], sole)):
        grade = (last - first) / max(float(way @ way), TINY) * way
    under = _under(along, sole, passed)
    ground = floor((flat[:, None] + under[..., :2]).reshape(-1, 2)).reshape(under.shape[:2]) - under[..., :2] @ grade
    further = ground + ((1.0 - passed) * (left.moved[2] - first) + passed * (arch.end[2] - last))[:, None]
    if foreseen:
        above = ground - passed[:, None] * under[..., 2] + (swing.clearance + clear * bump(passed) - own[:, 2])[:, None]
        further = np.minimum(further, above)
    return times, further.max(axis=1)


def _finer(path: Array) -> Array:
    """Rows (S, n) with more between them."""
    fine = np.linspace(0.0, len(path) - 1.0, FINER * (len(path) - 1) + 1)
    low = np.minimum(fine.astype(np.intp), len(path) - 2)
    return path[low] + (fine - low)[:, None] * (path[low + 1] - path[low])


def _under(along: Array, sole: Sole | None, passed: Array) -> Array:
    """Ways (S, A, 3) from the point to places along its sole: under its heel only as it comes down.

    The toes are bent when it leaves, so that they point where it does only as it comes down.
    """
    if sole is None:
        return np.zeros((len(passed), 1, 3))
    back = (sole.back * passed)[:, None]
    return (ALONG * (sole.before + back) - back)[..., None] * along[:, None]
