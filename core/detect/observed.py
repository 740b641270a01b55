"""The input of detection: paths of feet, root and joints, with smoothed positions and velocities."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ..errors import ExampleError
from ..figure import quaternion as quat
from ..figure.lock_point import LockPoint
from ..figure.skeleton import Skeleton, point_positions
from ..motion.resampling import correlated, resample, smoothed_path

Array = NDArray[np.float64]

FEWEST_FRAMES = 5
RATE = 120.0
"""Frames a second that resolve anything as long as the smoothing."""
LARGEST_VALUE = 1e6

BEHIND = 0.4
"""Distance of the heel behind the ankle as a share of that from ankle to ball, as in human feet."""
TOE = "toe"
"""Name of the point that shows when a foot has rolled off. It is not a lock, since it moves on the floor meanwhile."""
AHEAD = 0.36
"""Distance of the toe ahead of the ball as a share of that from heel to ball, as in human feet."""
FLAT = 0.25
SPREAD = 0.025
"""Standard deviation in seconds of the smoothing: shorter than any contact, and enough for noise of millimetres."""
_ORDER = 4
_CALMEST = 0.15
_CALM_NOISE = 0.189 * np.sqrt(70.0)
"""The 15 % quantile, in deviations, of the fourth differences of normal noise, whose variance is 70 times its own."""


def smooth(times: Array, paths: Array) -> tuple[Array, Array]:
    """Return positions and velocities (T, ...) of `paths` (T, ...), smoothed by `smoothed_path` over `SPREAD`."""
    return smoothed_path(times, paths, SPREAD)


def gaussian_means(times: Array, values: Array, spread: float) -> Array:
    """Return Gaussian-weighted means of `values` (T, ...) around each frame, with a deviation of `spread` seconds."""
    return gaussian_sums(times, values, spread) / gaussian_sums(times, np.ones_like(values), spread)


def gaussian_sums(times: Array, values: Array, spread: float) -> Array:
    """Return Gaussian-weighted sums of `values` (T, ...) around each frame, with a deviation of `spread` seconds."""
    width = spread * (len(times) - 1) / float(times[-1] - times[0])
    reach = max(1, int(np.ceil(4.0 * width)))
    kernel = np.exp(-0.5 * (np.arange(-reach, reach + 1) / width) ** 2)
    return correlated(values.reshape(len(values), -1), kernel).reshape(values.shape)


def quantile(values: Array, share: float) -> float:
    """Return the value below which a `share` of `values` (N,) lies."""
    return float(np.sort(values, axis=None)[int(round(share * (values.size - 1)))])


def noise_of(paths: Sequence[Array]) -> float:
    """Estimate the deviation of noise in each coordinate of paths (P, T, 3) from their fourth differences.

    Those of smooth motion are small, especially at rest. So the smallest fourth differences are compared with those
    that noise alone has.
    """
    if min(path.shape[1] for path in paths) <= _ORDER:
        return 0.0
    changes = np.concatenate([np.diff(path, n=_ORDER, axis=1).reshape(-1) for path in paths])
    return quantile(np.abs(changes), _CALMEST) / _CALM_NOISE


@dataclass(frozen=True, eq=False)
class Foot:
    """A foot with those of its points that may touch the floor.

    Parameters
    ----------
    name : name such as ``'L'``, with which the names of its keytimes begin.
    points : (P,) heel and ball, or one of them.
    hip : joint at the top of its leg; None if unknown.
    """

    name: str
    points: tuple[LockPoint, ...]
    hip: int | None = None


@dataclass(frozen=True, eq=False)
class Observed:
    """A motion at evenly spaced frames, as positions in the world, Z up.

    Parameters
    ----------
    name : name of the motion in messages to the user.
    times : (T,) seconds.
    feet : (F,) names of the feet.
    points : (F,) names of each foot's points; the last is `TOE` if the foot has toes.
    paths : (F,) positions (P, T, 3) of each foot's points.
    joints : (T, J, 3) positions of the joints; joint 0 is the root.
    headings : (T,) radians of the root about Z, without jumps.
    leg : length of a leg, to which other lengths are relative.
    asides : (F,) usual distance of each foot's hip to the left of the root, seen in the foot's direction; 0 if unknown.
    """

    name: str
    times: Array
    feet: tuple[str, ...]
    points: tuple[tuple[str, ...], ...]
    paths: tuple[Array, ...]
    joints: Array
    headings: Array
    leg: float
    asides: tuple[float, ...]

    @property
    def root(self) -> Array:
        """Positions (T, 3) of the root."""
        return self.joints[:, 0]

    @property
    def step(self) -> float:
        """Time between frames in seconds."""
        return float(self.times[-1] - self.times[0]) / (len(self.times) - 1)


def guessed_heel(name: str, frames: tuple[Array, Array], ankle: int, ball: int) -> LockPoint:
    """Estimate the position of a heel: behind the ankle, and as high as the ball while the foot is flat.

    The foot is assumed to be flat in the quarter of the frames in which ankle and ball are lowest.

    Parameters
    ----------
    name : name of the point.
    frames : positions (T, J, 3) and orientations (T, J, 4) of all joints, Z up.
    ankle : joint of the foot.
    ball : joint of its toes.
    """
    positions, orientations = frames
    low = positions[:, ankle, 2] + positions[:, ball, 2]
    flat = np.flatnonzero(low <= quantile(low, FLAT))
    away = positions[flat, ball] - positions[flat, ankle]
    heel = away * np.array([-BEHIND, -BEHIND, 1.0])
    offset = np.median(quat.rotate(quat.conjugate(orientations[flat, ankle]), heel), axis=0)
    return LockPoint(name, ankle, offset)


def _guessed_toe(foot: Foot, frames: tuple[Array, Array]) -> Array:
    """Return the path (K, T, 3) of the end of a foot's toes: K is 1, or 0 if the foot has no toe bone.

    The toes are assumed to be flat, ahead of the ball, in the quarter of the frames in which heel and ball are lowest.
    """
    positions, orientations = frames
    heel, ball = (
        point_positions(positions, orientations, p.joint, p.offset) for p in (foot.points[0], foot.points[-1])
    )
    toes = foot.points[-1]
    if len(foot.points) == 1 or np.any(toes.offset):
        return np.zeros((0, *heel.shape))
    low = heel[:, 2] + ball[:, 2]
    flat = np.flatnonzero(low <= quantile(low, FLAT))
    away = AHEAD * (ball[flat] - heel[flat]) * np.array([1.0, 1.0, 0.0])
    offset = np.median(quat.rotate(quat.conjugate(orientations[flat, toes.joint]), away), axis=0)
    return point_positions(positions, orientations, toes.joint, offset)[None]


def observe(
    name: str,
    times: Array,
    frames: tuple[Array, Array],
    headings: Array,
    feet: Sequence[Foot],
    leg: float,
) -> Observed:
    """Check the data of a motion, and compute the paths of the feet's points and of the ends of toe bones.

    Parameters
    ----------
    name : name of the motion in messages to the user.
    times : (T,) seconds, increasing and evenly spaced.
    frames : positions (T, J, 3) and orientations (T, J, 4) of all joints in the world, joint 0 the root.
    headings : (T,) radians of the root about Z, without jumps.
    feet : feet with the points that may touch the floor.
    leg : length of a leg from hip to ankle.

    Raises
    ------
    ExampleError
        If there are too few frames, no feet, feet that share a name, no leg, or NaN values.
    """
    positions, orientations = frames
    _check(name, times, positions, feet, leg)
    paths = tuple(
        np.array([point_positions(positions, orientations, p.joint, p.offset) for p in foot.points]) for foot in feet
    )
    ends = [_guessed_toe(foot, frames) for foot in feet]
    points = tuple((*(p.name for p in foot.points), *(TOE for _ in end)) for foot, end in zip(feet, ends, strict=True))
    asides = tuple(_aside(foot, path, positions) for foot, path in zip(feet, paths, strict=True))
    paths = tuple(np.concatenate(both) for both in zip(paths, ends, strict=True))
    return Observed(name, times, tuple(foot.name for foot in feet), points, paths, positions, headings, leg, asides)


def _aside(foot: Foot, paths: Array, positions: Array) -> float:
    """Return the usual distance of a hip to the left of the root; `paths` (P, T, 3) of heel and ball show the front."""
    if foot.hip is None or len(paths) < 2:
        return 0.0
    forward, away = (paths[1] - paths[0])[:, :2], (positions[:, foot.hip] - positions[:, 0])[:, :2]
    aside = forward[:, 0] * away[:, 1] - forward[:, 1] * away[:, 0]
    return quantile(aside / np.maximum(np.linalg.norm(forward, axis=1), 1e-12), 0.5)


def _check(name: str, times: Array, positions: Array, feet: Sequence[Foot], leg: float) -> None:
    if len(times) < FEWEST_FRAMES:
        raise ExampleError(
            f"'{name}' has {len(times)} frames; finding contacts needs at least {FEWEST_FRAMES}. Choose a longer span."
        )
    if not feet or not all(foot.points for foot in feet):
        raise ExampleError(
            f"No foot of '{name}' is known, so no contacts can be found. Choose the heel and toe bones under Feet."
        )
    names = [foot.name for foot in feet]
    if len(set(names)) < len(names):
        raise ExampleError(f"Two feet of '{name}' are called '{names[0]}'. Give each foot a different name.")
    if not leg > 0.0:
        raise ExampleError(f"The legs of '{name}' have zero length. Choose other hip and foot bones.")
    bad = ~(np.abs(positions) < LARGEST_VALUE).reshape(len(positions), -1).all(axis=1)
    if bad.any():
        at = float(times[int(np.flatnonzero(bad)[0])])
        raise ExampleError(f"A joint of '{name}' is at no valid position {at:.3f} s in. Mend that key.")


def leg_length(skeleton: Skeleton, hip: int, foot: int) -> float:
    """Return the length along the bones from joint `hip` down to joint `foot`, in performance units.

    Raises
    ------
    ExampleError
        If the foot is not below the hip in the hierarchy.
    """
    chain = skeleton.chain(foot)
    if hip not in chain:
        raise ExampleError(
            f"'{skeleton.names[foot]}' is not a child of '{skeleton.names[hip]}'. Choose a hip that is a parent of the "
            "foot."
        )
    return float(np.linalg.norm(skeleton.offsets[list(chain[: chain.index(hip)])], axis=-1).sum())


def finer(observed: Observed) -> Observed:
    """Resample a clip to `RATE` frames a second or more by cubic splines through its frames."""
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
