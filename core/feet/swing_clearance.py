"""Prediction of a foot's swing, and the lift that it needs to hit nothing."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..figure.vector_components import TINY, Vector, smooth
from .easing_curves import FADE, bump
from .footholds_off_edges import Floor, Sole, edge_between
from .swing_curve import INSTANT, Arch, arch_at

Array = NDArray[np.float64]

SAMPLES = 12
"""Number of sampled instants of a swing if only its ends are known."""
FINER = 3
"""Number of sampled instants for each predicted row, so that no edge is overlooked."""
ALONG = np.linspace(0.0, 1.0, 5)
"""Shares of the sole's length at which the ground is sampled during the swing."""


@dataclass(frozen=True, eq=False)
class Left:
    """The state of a point when it left the ground.

    Parameters
    ----------
    time : time in seconds.
    moved : displacement of the point then.
    away : (2,) displacement of the held point from its position in the motion.
    """

    time: float
    moved: Vector
    away: Array


@dataclass(frozen=True, eq=False)
class Swing:
    """A predicted swing.

    Parameters
    ----------
    left : state at its beginning.
    landing : end time in seconds.
    own : (S, 3) positions of the point in the motion, at times evenly spaced up to the landing.
    along : (S, 3) direction of its sole at these times.
    place : (3,) planted position of the point.
    clearance : height of the planted point over the ground.
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
    """Return times (S,) of a swing in seconds, and the lift (S,) of the point at which its foot hits nothing.

    The foot need not be higher over the floor than it is over the examples' ground. The foot is assumed to be parallel
    to the slope that leads to its landing; on stairs there is no such slope.

    Parameters
    ----------
    swing : the predicted swing.
    arch : the point's displacement during the swing, without the lift.
    stood : (2,) position where the point was planted before.
    sole : sole of the foot, None to check only under the point.
    floor : heights of the ground.
    clear : clearance of the foot over the ground, performance units.
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
    """Return the rows of `path` (S, n) with `FINER` - 1 interpolated rows after each."""
    fine = np.linspace(0.0, len(path) - 1.0, FINER * (len(path) - 1) + 1)
    low = np.minimum(fine.astype(np.intp), len(path) - 2)
    return path[low] + (fine - low)[:, None] * (path[low + 1] - path[low])


def _under(along: Array, sole: Sole | None, passed: Array) -> Array:
    """Return displacements (S, A, 3) from the point to positions along its sole, at shares `passed` (S,) of the swing.

    `along` (S, 3) is the direction of the sole. The toes are bent when the foot leaves, so the part behind the point
    has that direction only as the foot comes down.
    """
    if sole is None:
        return np.zeros((len(passed), 1, 3))
    back = (sole.back * passed)[:, None]
    return (ALONG * (sole.before + back) - back)[..., None] * along[:, None]
