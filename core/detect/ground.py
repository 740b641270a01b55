"""Estimation of the floor from the feet: its height, its grade, and its motion below a figure that walks in place."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ..figure import quaternion as quat
from .observed import TOE, Observed, gaussian_means, gaussian_sums, quantile, smooth

Array = NDArray[np.float64]

SLOWEST = 0.2
"""Speed in leg lengths a second below which a figure counts as standing, and a point as at rest."""
LOW = 0.05
"""Height in leg lengths above its resting height below which a point may touch the floor. The ankle rises by four times
as much while the foot rolls over its ball."""
_ROUNDS = 5
_RIDGE = 0.05
STEADY = 0.25
"""Seconds, about a step, over which headings are averaged, so that hip sway does not count as turning."""
_PACE = 0.05
_CANDIDATES, _WITNESSES = 200, 2000
_CLUSTER = 0.1
_LOW = 0.1
_FLAT = (np.inf, 0.5, 0.5, 0.3)
"""Shares of `LOW` up to which a point is used in successive fits of the floor: a rolling foot is higher."""


@dataclass(frozen=True, eq=False)
class Drift:
    """Horizontal motion of a floor below a figure in place, like a treadmill's.

    Parameters
    ----------
    velocity : (T, 2) or (1, 2) velocity at `centre` in units a second.
    turn : angular velocity about Z in radians a second.
    centre : (2,) point about which the floor turns.
    """

    velocity: Array
    turn: float
    centre: Array

    def at(self, places: Array) -> Array:
        """Return the velocity (..., T, 2) of the floor at positions `places` (..., T, 3)."""
        away = places[..., :2] - self.centre
        return self.velocity + self.turn * np.stack([-away[..., 1], away[..., 0]], axis=-1)


def stands_still(velocities: Array, slowest: float) -> bool:
    """Return whether the floor below the feet is at rest.

    A foot has the velocity of the floor longer than any other. So the floor is assumed to be at rest unless another
    velocity of the feet is at least twice as common as zero.

    Parameters
    ----------
    velocities : (P, T, 3) velocities of the feet's points.
    slowest : speed below which a point always counts as at rest.
    """
    flat = velocities[..., :2].reshape(-1, 2)
    tried = np.concatenate([np.zeros((1, 2)), _thinned(flat, _CANDIDATES)])
    common = _similarities(tried, _thinned(flat, _WITNESSES), slowest).sum(axis=1)
    return bool(common.max() < 2.0 * common[0])


def first_drift(observed: Observed, places: Array, velocities: Array, slowest: float) -> tuple[Drift, float]:
    """Return the most common velocity of low points, a first estimate of the floor's velocity, and how common it is."""
    flat = _thinned(velocities[..., :2].reshape(-1, 2), _WITNESSES)
    heights = places[..., 2] - places[..., 2].min(axis=1, keepdims=True)
    weights = np.exp(-0.5 * (heights / (_LOW * observed.leg)) ** 2)
    weights = _thinned(weights.reshape(-1), _WITNESSES)
    tried = _thinned(flat, _CANDIDATES)
    shares = _similarities(tried, flat, slowest) * weights
    best = int(np.argmax(shares.sum(axis=1)))
    common = float(shares[best].sum())
    velocity = shares[best] @ flat / common
    return Drift(velocity[None], 0.0, np.asarray(observed.root[:, :2].mean(axis=0))), common


def _thinned(rows: Array, count: int) -> Array:
    """Pick about `count` of `rows` (N, ...), evenly spaced, or all if they are fewer."""
    return rows[:: max(1, len(rows) // count)]


def _similarities(tried: Array, velocities: Array, slowest: float) -> Array:
    """Return how similar each of `tried` (C, 2) is to each of `velocities` (N, 2), as (C, N) from 0 to 1 (equal)."""
    fast = quantile(np.linalg.norm(velocities, axis=1), 0.95)
    width = max(_CLUSTER * fast, slowest)
    apart = np.linalg.norm(tried[:, None] - velocities[None], axis=-1) / width
    return np.asarray(np.exp(-0.5 * apart**2), dtype=np.float64)


def in_heading_frame(observed: Observed) -> Observed:
    """Remove the turning of a motion, averaged over a step, so that the floor moves in one direction."""
    turns = quat.from_yaw(-gaussian_means(observed.times, observed.headings, STEADY))
    middle = np.append(observed.root[:, :2].mean(axis=0), 0.0)
    paths = tuple(quat.rotate(turns, path - middle) + middle for path in observed.paths)
    joints = quat.rotate(turns[:, None], observed.joints - middle) + middle
    return replace(observed, paths=paths, joints=joints)


def refined_drift(
    drift: Drift, times: Array, places: Array, velocities: Array, resting: NDArray[np.bool_], leg: float
) -> Drift:
    """Fit the floor's motion to the points that rest on it: a rigid motion whose speed varies over a step.

    Parameters
    ----------
    drift : motion of the floor found so far.
    times : (T,) seconds.
    places, velocities : (P, T, 3) of the feet's points.
    resting : (P, T) whether a point rests on the floor.
    leg : length of a leg. The turn is regularised towards 0 as if each position were uncertain by a twentieth of this.
    """
    away = (places[resting][:, :2] - drift.centre).T
    moves = velocities[resting][:, :2]
    count = len(moves)
    if not count:
        return drift
    system = np.zeros((2 * count + 1, 3))
    system[:count, 0] = system[count:-1, 1] = 1.0
    system[:count, 2], system[count:-1, 2] = -away[1], away[0]
    system[-1, 2] = _RIDGE * leg * np.sqrt(count)
    x, y, turn = np.linalg.lstsq(system, np.append(moves.T.reshape(-1), 0.0), rcond=None)[0]
    even = Drift(np.array([[x, y]]), float(turn), drift.centre)
    rest = np.where(resting[..., None], velocities[..., :2] - even.at(places), 0.0).sum(axis=0)
    shares = gaussian_sums(times, resting.sum(axis=0) + 1e-3, _PACE)
    pace = gaussian_sums(times, rest, _PACE) / shares[:, None]
    return replace(even, velocity=even.velocity + pace)


@dataclass(frozen=True, eq=False)
class Ground:
    """A floor, and the heights and speeds of the feet over it.

    Parameters
    ----------
    speed : typical speed of the body over the floor while it moves, units a second.
    grade : (2,) rise of the floor along x and y, or along the axes of the heading's frame if the floor's motion was
        fitted in it.
    drift : motion of the floor, None if it is at rest.
    heights : (F,) for each foot, the heights (P, T) of its points above their resting height.
    speeds : (F,) for each foot, the speeds (P, T) of its points relative to the floor.
    body : (T, 3) velocity of the root relative to the floor.
    """

    speed: float
    grade: Array
    drift: Drift | None
    heights: tuple[Array, ...]
    speeds: tuple[Array, ...]
    body: Array


def find_ground(observed: Observed) -> Ground:
    """Fit a floor to the points of the feet while they rest, and its motion if the figure walks in place.

    A few iterations alternate between fitting the floor and finding the points that are low and slow relative to it.
    """
    places, velocities = _smoothed(observed)
    drift: Drift | None = None
    if not stands_still(velocities, SLOWEST * observed.leg):
        turned = in_heading_frame(observed)
        seen = [(observed, places, velocities), (turned, *_smoothed(turned))]
        drifts = [first_drift(*one, SLOWEST * observed.leg) for one in seen]
        best = int(drifts[1][1] >= drifts[0][1])
        if not _carries_root(drifts[best][0], seen[best][0]):
            (observed, places, velocities), (drift, _) = seen[best], drifts[best]
    root, body = smooth(observed.times, observed.root)
    grade, heights = np.zeros(2), np.zeros(places.shape[:2])
    soles = np.array([[name != TOE] for names in observed.points for name in names])
    for turn in range(_ROUNDS):
        over = _relative_to_floor(drift, root, body, grade)
        speed = _body_speed(over)
        limit = speed_limit(speed, observed.leg) / (1.0 if turn == 0 else 2.0)
        speeds = np.linalg.norm(_relative_to_floor(drift, places, velocities, grade), axis=-1)
        resting = (speeds < limit) & (heights < LOW * observed.leg)
        along = along_the_way(observed.times, root, over, places)
        grade, heights = level_of(places, along, resting, soles, observed.leg, LOW * observed.leg)
        if drift is not None:
            drift = refined_drift(drift, observed.times, places, velocities, resting & soles, observed.leg)
    over = _relative_to_floor(drift, root, body, grade)
    speeds = np.linalg.norm(_relative_to_floor(drift, places, velocities, grade), axis=-1)
    cuts = np.cumsum([len(path) for path in observed.paths])[:-1]
    high, fast = (tuple(np.split(values, cuts)) for values in (heights, speeds))
    return Ground(_body_speed(over), grade, drift, high, fast, over)


def speed_limit(speed: float, leg: float) -> float:
    """Return the highest speed, relative to the floor, at which a point may be in contact.

    It is half the body's speed, but at least a share of the leg's length a second.

    Parameters
    ----------
    speed : speed of the body over the floor.
    leg : length of a leg, which sets the lower bound.
    """
    return max(0.5 * speed, SLOWEST * leg)


def _carries_root(drift: Drift, observed: Observed) -> bool:
    """Return whether the root moves with the floor; if so, the floor is at rest and the figure glides on still feet."""
    way = observed.root[-1, :2] - observed.root[0, :2]
    gone = drift.velocity[0] * float(observed.times[-1] - observed.times[0])
    return float(way @ gone) > 0.5 * float(gone @ gone)


def _smoothed(observed: Observed) -> tuple[Array, Array]:
    """Return smoothed positions and velocities (P, T, 3) of the points of all feet."""
    paths = np.concatenate(observed.paths)
    places, velocities = smooth(observed.times, np.moveaxis(paths, 1, 0))
    return np.moveaxis(places, 0, 1), np.moveaxis(velocities, 0, 1)


def _relative_to_floor(drift: Drift | None, places: Array, velocities: Array, grade: Array) -> Array:
    """Return velocities (..., T, 3) relative to the floor, which moves along its slope."""
    if drift is None:
        return velocities
    flat = drift.at(places)
    return velocities - np.concatenate([flat, flat @ grade[:, None]], axis=-1)


def _body_speed(velocity: Array) -> float:
    """Return the typical horizontal speed of a body of `velocity` (T, 3) while it moves."""
    speeds = np.linalg.norm(velocity[:, :2], axis=1)
    return quantile(speeds[speeds >= 0.5 * quantile(speeds, 0.9)], 0.5)


def along_the_way(times: Array, root: Array, body: Array, places: Array) -> Array:
    """Return the distances (P, T) of points along the body's path over the floor; a winding ramp rises along the path.

    Parameters
    ----------
    times : (T,) seconds.
    root : (T, 3) position of the root.
    body : (T, 3) velocity of the root relative to the floor.
    places : (P, T, 3) positions of the points.
    """
    velocity = gaussian_means(times, body[:, :2], STEADY)
    speed = np.linalg.norm(velocity, axis=1)
    passed = np.concatenate([[0.0], np.cumsum(0.5 * (speed[1:] + speed[:-1]) * np.diff(times))])
    forward = velocity / np.maximum(speed, 1e-12)[:, None]
    return passed + np.einsum("ptc,tc->pt", places[..., :2] - root[:, :2], forward)


def level_of(
    places: Array, along: Array, resting: NDArray[np.bool_], soles: NDArray[np.bool_], leg: float, low: float
) -> tuple[Array, Array]:
    """Fit the grade (2,) of the floor, and return it with the heights (P, T) of points above their resting heights.

    The floor may rise along x, along y, and along the body's path. It is fitted to the resting points, without those
    that are then far above the others, such as where a foot rolls or trails behind the body. The grade is regularised
    towards level as if each position were uncertain by a twentieth of a leg, so that a few steps alone have little
    effect.

    Parameters
    ----------
    places : (P, T, 3) positions of the points.
    along : (P, T) distances along the body's path.
    resting : (P, T) whether a point rests on the floor.
    soles : (P, 1) whether a point is not the end of the toes, which still rolls when the rest of the foot has left.
    leg : length of a leg.
    low : height above which a point cannot be in contact.
    """
    rows, columns = np.nonzero(resting & soles)
    spread = np.concatenate([places[..., :2], along[..., None], places[..., 2:]], axis=-1)
    grade = np.zeros(3)
    for share in _FLAT:
        used = _heights_over_floor(spread, resting, grade)[rows, columns] < share * low
        if not used.any():
            break
        around = _centred_by_point(spread[rows[used], columns[used]], rows[used], len(places))
        ridge = _RIDGE * leg * np.sqrt(len(around)) * np.eye(3)
        system = np.concatenate([around[:, :3], ridge])
        grade = np.linalg.lstsq(system, np.concatenate([around[:, 3], np.zeros(3)]), rcond=None)[0]
    return grade[:2], _heights_over_floor(spread, resting, grade)


def _centred_by_point(chosen: Array, owners: NDArray[np.intp], count: int) -> Array:
    """Subtract from each row (N, 4) the mean of the rows of the same point."""
    sums = np.zeros((count, chosen.shape[1]))
    np.add.at(sums, owners, chosen)
    shares = np.maximum(np.bincount(owners, minlength=count), 1)
    return chosen - (sums / shares[:, None])[owners]


def _heights_over_floor(spread: Array, resting: NDArray[np.bool_], grade: Array) -> Array:
    """Return heights (P, T) over the floor, relative to a low quantile of each point's resting heights."""
    heights = spread[..., 3] - spread[..., :3] @ grade
    levels = [
        quantile(mine[rests], 0.25) if rests.any() else quantile(mine, 0.05)
        for mine, rests in zip(heights, resting, strict=True)
    ]
    return heights - np.array(levels)[:, None]
