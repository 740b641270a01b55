"""What is foreseen of a foot's swing, and how high the foot must be lifted so that it hits nothing."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..figure.vector_components import TINY, Vector, smooth
from .easing_curves import FADE, bump
from .footholds_off_edges import Floor, Sole, edge_between
from .swing_curve import INSTANT, Arch, arch_at

Array = NDArray[np.float64]

SAMPLES = 12
"""Instants of a swing that are looked at if only its ends are known."""
FINER = 3
"""Instants that are looked at for each row that is foreseen, so that no edge is overlooked."""
ALONG = np.linspace(0.0, 1.0, 5)
"""Shares of the sole's length under which the ground is looked at during the swing."""


@dataclass(frozen=True, eq=False)
class Left:
    """How a point left the ground.

    Parameters
    ----------
    time : seconds.
    moved : its displacement then.
    away : (2,) how far it was held from where the motion has it.
    """

    time: float
    moved: Vector
    away: Array


@dataclass(frozen=True, eq=False)
class Swing:
    """What is foreseen of a swing.

    Parameters
    ----------
    left : how it began.
    landing : seconds at which it ends.
    own, along : (S, 3) and (S, 3) where the motion has the point, at times evenly spaced up to the landing, and the
        direction of its sole.
    place : (3,) where the point will stand.
    clearance : height of the point over the ground when it stands.
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
    """Return seconds (S,) of a swing, and how much higher (S,) the point must be then for its foot to hit nothing.

    It need not be higher over the floor than it is over the examples' ground. The foot is taken to lie on the slope
    that leads to where it lands; on stairs there is no such slope.

    Parameters
    ----------
    swing : as it is foreseen.
    arch : the point's displacement during the swing, without being lifted.
    stood : (2,) where the point stood before.
    sole : of the foot, None to look under the point alone.
    floor : heights of the ground.
    clear : height over the ground at which the foot is to pass, performance units.
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
    """Return displacements (S, A, 3) from the point to places along its sole, at shares `passed` (S,) of the swing.

    `along` (S, 3) is the direction of the sole. The toes are bent when the foot leaves, so that the part behind the
    point lies in that direction only as the foot comes down.
    """
    if sole is None:
        return np.zeros((len(passed), 1, 3))
    back = (sole.back * passed)[:, None]
    return (ALONG * (sole.before + back) - back)[..., None] * along[:, None]
