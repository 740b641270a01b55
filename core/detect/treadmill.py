"""A floor that passes under a figure in place: how it moves, told by the points that rest on it."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ..figure import quaternion as quat
from .observed import Observed
from .smooth import averaged, gathered, quantile

Array = NDArray[np.float64]

STEADY = 0.25
"""Seconds over which a heading is averaged: a step, so that the sway of the hips does not count as a turn."""
_PACE = 0.05
_CANDIDATES, _WITNESSES = 200, 2000
_CLUSTER = 0.1
_LOW = 0.1
_RIDGE = 0.05


@dataclass(frozen=True, eq=False)
class Drift:
    """Motion of a floor over the ground plane.

    Parameters
    ----------
    velocity : (T, 2) or (1, 2) units a second, at `centre`.
    turn : radians a second.
    centre : (2,)
    """

    velocity: Array
    turn: float
    centre: Array

    def at(self, places: Array) -> Array:
        """Velocity (..., T, 2) at `places` (..., T, 3)."""
        away = places[..., :2] - self.centre
        return self.velocity + self.turn * np.stack([-away[..., 1], away[..., 0]], axis=-1)


def stands_still(velocities: Array, slowest: float) -> bool:
    """Whether points that move at `velocities` (P, T, 3) step on a floor at rest.

    Feet rest longer than they do anything else alike: unless another velocity is twice as common as rest, it does.

    Parameters
    ----------
    velocities : (P, T, 3)
    slowest : speed that counts as rest whatever the others are.
    """
    flat = velocities[..., :2].reshape(-1, 2)
    tried = np.concatenate([np.zeros((1, 2)), _some(flat, _CANDIDATES)])
    common = _alike(tried, _some(flat, _WITNESSES), slowest).sum(axis=1)
    return bool(common.max() < 2.0 * common[0])


def first_drift(observed: Observed, places: Array, velocities: Array, slowest: float) -> tuple[Drift, float]:
    """The horizontal velocity that low points have most often, taken for the floor's, and how common it is."""
    flat = _some(velocities[..., :2].reshape(-1, 2), _WITNESSES)
    heights = places[..., 2] - places[..., 2].min(axis=1, keepdims=True)
    weights = np.exp(-0.5 * (heights / (_LOW * observed.leg)) ** 2)
    weights = _some(weights.reshape(-1), _WITNESSES)
    tried = _some(flat, _CANDIDATES)
    shares = _alike(tried, flat, slowest) * weights
    best = int(np.argmax(shares.sum(axis=1)))
    common = float(shares[best].sum())
    velocity = shares[best] @ flat / common
    return Drift(velocity[None], 0.0, np.asarray(observed.root[:, :2].mean(axis=0))), common


def _some(rows: Array, count: int) -> Array:
    """About `count` of `rows` (N, ...), evenly spread; all where they are fewer."""
    return rows[:: max(1, len(rows) // count)]


def _alike(tried: Array, velocities: Array, slowest: float) -> Array:
    """How like each of `tried` (C, 2) each of `velocities` (N, 2) is: (C, N), 1 where they are equal."""
    fast = quantile(np.linalg.norm(velocities, axis=1), 0.95)
    width = max(_CLUSTER * fast, slowest)
    apart = np.linalg.norm(tried[:, None] - velocities[None], axis=-1) / width
    return np.asarray(np.exp(-0.5 * apart**2), dtype=np.float64)


def in_heading_frame(observed: Observed) -> Observed:
    """The motion turned back by the heading, averaged over a step: there the floor passes in one direction."""
    turns = quat.from_yaw(-averaged(observed.times, observed.headings, STEADY))
    middle = np.append(observed.root[:, :2].mean(axis=0), 0.0)
    paths = tuple(quat.rotate(turns, path - middle) + middle for path in observed.paths)
    joints = quat.rotate(turns[:, None], observed.joints - middle) + middle
    return replace(observed, paths=paths, joints=joints)


def refined_drift(
    drift: Drift, times: Array, places: Array, velocities: Array, resting: NDArray[np.bool_], leg: float
) -> Drift:
    """The floor's motion as the points that rest on it move: one rigid body, whose pace varies within the step.

    Parameters
    ----------
    drift : so far.
    times : (T,)
    places, velocities : (P, T, 3) of the points.
    resting : (P, T)
    leg : length of a leg; a turn is drawn to none as if each place were unsure by a twentieth of it.
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
    shares = gathered(times, resting.sum(axis=0) + 1e-3, _PACE)
    pace = gathered(times, rest, _PACE) / shares[:, None]
    return replace(even, velocity=even.velocity + pace)
