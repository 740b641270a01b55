"""What is looked at: where the feet, the root and the joints of one motion are."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ..errors import ExampleError
from ..figure import quaternion as quat
from ..figure.lock_point import LockPoint
from ..figure.skeleton import Skeleton, point_positions
from ..motion.resample import resample
from .smooth import quantile

Array = NDArray[np.float64]

FEWEST_FRAMES = 5
RATE = 120.0
"""Frames a second that are enough for what lasts as long as the smoothing does."""
LARGEST_VALUE = 1e6

BEHIND = 0.4
"""How far the heel lies behind the ankle, over the way from ankle to ball: so in human feet."""
FLAT = 0.25


@dataclass(frozen=True, eq=False)
class Foot:
    """A foot with the points of it that may touch the floor.

    Parameters
    ----------
    name : such as ``'L'``; names of keytimes begin with it.
    points : (P,) heel and ball, or one of them.
    """

    name: str
    points: tuple[LockPoint, ...]


@dataclass(frozen=True, eq=False)
class Observed:
    """A motion as seen from outside, in one unit of length, Z up, at evenly spaced frames.

    Parameters
    ----------
    name : how to name it to the user.
    times : (T,) seconds.
    feet : (F,) names of the feet.
    points : (F,) names of each foot's points.
    paths : (F,) places (P, T, 3) of each foot's points.
    joints : (T, J, 3) places of the joints; joint 0 is the root.
    headings : (T,) radians of the root about Z, without jumps.
    leg : length of a leg, by which lengths are measured.
    """

    name: str
    times: Array
    feet: tuple[str, ...]
    points: tuple[tuple[str, ...], ...]
    paths: tuple[Array, ...]
    joints: Array
    headings: Array
    leg: float

    @property
    def root(self) -> Array:
        """Path (T, 3) of the root."""
        return self.joints[:, 0]

    @property
    def step(self) -> float:
        """Seconds from frame to frame."""
        return float(self.times[-1] - self.times[0]) / (len(self.times) - 1)


def guessed_heel(name: str, frames: tuple[Array, Array], ankle: int, ball: int) -> LockPoint:
    """The heel of a foot, carried by the ankle's joint: behind the ankle, at the height of the ball of a flat foot.

    The foot counts as flat in the quarter of the frames in which both joints are lowest.

    Parameters
    ----------
    name : of the point.
    frames : positions (T, J, 3) and orientations (T, J, 4) of all joints, Z up.
    ankle, ball : joints of the foot and of its toes.
    """
    positions, orientations = frames
    low = positions[:, ankle, 2] + positions[:, ball, 2]
    flat = np.flatnonzero(low <= quantile(low, FLAT))
    away = positions[flat, ball] - positions[flat, ankle]
    heel = away * np.array([-BEHIND, -BEHIND, 1.0])
    offset = np.median(quat.rotate(quat.conjugate(orientations[flat, ankle]), heel), axis=0)
    return LockPoint(name, ankle, offset)


def observe(
    name: str,
    times: Array,
    frames: tuple[Array, Array],
    headings: Array,
    feet: Sequence[Foot],
    leg: float,
) -> Observed:
    """Look at a motion.

    Parameters
    ----------
    name : how to name it to the user.
    times : (T,) seconds, increasing; frames that are not evenly spaced are resampled by the caller.
    frames : positions (T, J, 3) and orientations (T, J, 4) of all joints in the world, joint 0 the root.
    headings : (T,) radians of the root about Z, without jumps.
    feet : what may touch the floor.
    leg : length of a leg from hip to ankle.

    Raises
    ------
    ExampleError
        If there are too few frames, no feet, feet that share a name, no leg, or values that are no numbers.
    """
    positions, orientations = frames
    _check(name, times, positions, feet, leg)
    paths = tuple(
        np.array([point_positions(positions, orientations, p.joint, p.offset) for p in foot.points]) for foot in feet
    )
    points = tuple(tuple(p.name for p in foot.points) for foot in feet)
    return Observed(name, times, tuple(foot.name for foot in feet), points, paths, positions, headings, leg)


def _check(name: str, times: Array, positions: Array, feet: Sequence[Foot], leg: float) -> None:
    if len(times) < FEWEST_FRAMES:
        raise ExampleError(
            f"'{name}' has {len(times)} frames; contacts need at least {FEWEST_FRAMES}. Choose a longer span."
        )
    if not feet or not all(foot.points for foot in feet):
        raise ExampleError(f"No foot of '{name}' is known, so no contact can be found. Name the heel and toe bones.")
    names = [foot.name for foot in feet]
    if len(set(names)) < len(names):
        raise ExampleError(f"Two feet of '{name}' are called '{names[0]}'. Give each foot its own name.")
    if not leg > 0.0:
        raise ExampleError(f"The legs of '{name}' have no length. Choose other hip and foot bones.")
    bad = ~(np.abs(positions) < LARGEST_VALUE).reshape(len(positions), -1).all(axis=1)
    if bad.any():
        at = float(times[int(np.flatnonzero(bad)[0])])
        raise ExampleError(f"A joint of '{name}' is at no sensible place {at:.3f} s in. Mend that key.")


def leg_length(skeleton: Skeleton, hip: int, foot: int) -> float:
    """Length along the bones from joint `hip` down to joint `foot`, performance units.

    Raises
    ------
    ExampleError
        If the foot does not hang from the hip.
    """
    chain = skeleton.chain(foot)
    if hip not in chain:
        raise ExampleError(
            f"'{skeleton.names[foot]}' does not hang from '{skeleton.names[hip]}'. Choose a hip above the foot."
        )
    return float(np.linalg.norm(skeleton.offsets[list(chain[: chain.index(hip)])], axis=-1).sum())


def finer(observed: Observed) -> Observed:
    """The same clip at `RATE` frames a second or more, by cubic splines through its frames."""
    parts = int(np.ceil(observed.step * RATE - 1e-6))
    if parts <= 1:
        return observed
    count = len(observed.times)
    rows, wanted = np.arange(float(count)), np.arange(parts * (count - 1) + 1) / parts
    moving = np.concatenate([*observed.paths, np.swapaxes(observed.joints, 0, 1)])
    spread = np.swapaxes(resample(rows, np.swapaxes(moving, 0, 1), wanted), 0, 1)
    cuts = np.cumsum([len(path) for path in observed.paths])
    *paths, joints = np.split(spread, cuts)
    times = observed.times[0] + observed.step * wanted
    return replace(
        observed,
        times=times,
        paths=tuple(paths),
        joints=np.swapaxes(joints, 0, 1),
        headings=resample(rows, observed.headings, wanted),
    )
