"""What is looked at: where the feet, the root and the joints of one motion are."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..errors import ExampleError
from ..figure.lock_point import LockPoint
from ..figure.skeleton import Skeleton, point_positions

Array = NDArray[np.float64]

FEWEST_FRAMES = 5
LARGEST_VALUE = 1e6


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
