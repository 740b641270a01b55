"""Figures for how well feet stand and bodies move in a performance, with locked feet and without.

Which points stand, and which step home instead, is what the player itself reports in each row (see `rows`). Only
points that it reports as stepping home are exempt from what is asked of standing points; steps home have bounds of
their own.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .least import least_bends
from .stillness import runs, still_rows

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]
Floor = Callable[[Array], Array]

RELEASED = 0.25
"""Seconds after the end of a point's contact that count as its release; after that it swings."""
HEEL_FIRST = 0.15
"""Seconds before a point stands in which its heel may already be on the ground."""


@dataclass(frozen=True, eq=False)
class Played:
    """Arrays of a motion from which figures are computed.

    Parameters
    ----------
    points : (T, K, 3) contact points in metres.
    legs : (T, K, 3, 3) hip, knee and ankle of each point's leg.
    rotations : (T, R, 4) unit quaternions of joints in their parents.
    root : (T, 3) root in metres.
    """

    points: Array
    legs: Array
    rotations: Array
    root: Array


@dataclass(frozen=True, eq=False)
class Footing:
    """A performance without and with locks, and what the player reported about it.

    Parameters
    ----------
    times : (T,) seconds, evenly spaced.
    verbs : (T,) name of the verb that plays; in a transition that of the verb that is entered.
    left : (T,) name of the verb that is left in a transition, empty outside of transitions.
    support : (T, K) which points stand.
    stepping : (T, K) which points step home.
    limbs : (K, R) which joints a point's limb turns.
    speeds : (T,) metres per second under which a point counts as still.
    resting : (K,) metres over the floor at which points rest.
    floor : function for the heights of the floor.
    free, held : the motion without locks and with them.
    """

    times: Array
    verbs: tuple[str, ...]
    left: tuple[str, ...]
    support: Mask
    stepping: Mask
    limbs: Mask
    speeds: Array
    resting: Array
    floor: Floor
    free: Played
    held: Played

    @property
    def step(self) -> float:
        """Seconds from one row to the next."""
        return float(self.times[1] - self.times[0])

    @property
    def points(self) -> int:
        """Number of points that can stand."""
        return self.support.shape[1]

    @property
    def anyone_steps(self) -> Mask:
        """Rows (T,) in which some point steps home."""
        return self.stepping.any(axis=1)

    @property
    def in_transition(self) -> Mask:
        """Rows (T,) that belong to a transition."""
        return np.array([bool(name) for name in self.left])


def level(places: Array) -> Array:
    """Heights of a level floor, which are 0."""
    return np.zeros(len(places))


def footing_figures(footing: Footing) -> dict[str, Any]:
    """Return figures inside verbs, in transitions and for steps home, without and with locks; names contain the units.

    Slip is the speed over the floor: its mean in each stretch in which a point stands, and its largest value between
    two rows. It is given for points that are still even without locks (`slip_where_still`) and for all that stand
    (`slip_where_locked`).
    """
    transition = footing.in_transition
    return {
        "inside_verbs": _part(footing, ~transition),
        "in_transitions": _part(footing, transition),
        "steps_home": _steps_home(footing),
    }


def _steps_home(footing: Footing) -> dict[str, Any]:
    steps = [run for point in range(footing.points) for run in runs(footing.stepping[:, point])]
    both = np.count_nonzero(footing.stepping) + np.count_nonzero(footing.support)
    return {
        "count": len(steps),
        "seconds": sum(end - first for first, end in steps) * footing.step,
        "share_of_standing": np.count_nonzero(footing.stepping) / both if both else 0.0,
        "correction_degrees": float(_corrections(footing)[footing.anyone_steps].max(initial=0.0)),
    }


def _part(footing: Footing, rows: Mask) -> dict[str, Any]:
    points = [_point(footing, point, rows) for point in range(footing.points)]
    judged = rows & ~footing.anyone_steps
    still = sum(point.still for point in points)
    standing = np.stack([_on_ground(footing, point) for point in range(footing.points)], axis=-1)
    least = least_bends(footing.free.legs, footing.held.legs, standing)
    return {
        "seconds": float(np.count_nonzero(rows)) * footing.step,
        "windows": sum(len(point.where_locked) for point in points),
        "still_and_locked_share": sum(point.still_and_locked for point in points) / still if still else 1.0,
        "slip_where_still": _slip([slip for point in points for slip in point.where_still]),
        "slip_where_locked": _slip([slip for point in points for slip in point.where_locked]),
        "off_floor_cm_free": 100.0 * max(point.off_floor[0] for point in points),
        "off_floor_cm": 100.0 * max(point.off_floor[1] for point in points),
        "correction_degrees": float(_corrections(footing)[judged].max(initial=0.0)),
        "least_possible_correction_degrees": float(least[judged].max(initial=0.0)),
        "release_degrees_per_frame": max(point.release for point in points),
    }


@dataclass(frozen=True)
class _Slip:
    """Speeds over the floor in one stretch, in metres per second, without locks and with them."""

    free: float
    held: float
    free_of_any_frame: float
    held_of_any_frame: float


def _slip(slips: list[_Slip]) -> dict[str, float]:
    """Figures for slips, in centimetres per second."""
    slips = slips or [_Slip(0.0, 0.0, 0.0, 0.0)]
    return {
        "free_cm_per_s_median": 100.0 * float(np.median([slip.free for slip in slips])),
        "free_cm_per_s": 100.0 * max(slip.free for slip in slips),
        "free_cm_per_s_of_any_frame": 100.0 * max(slip.free_of_any_frame for slip in slips),
        "held_cm_per_s_median": 100.0 * float(np.median([slip.held for slip in slips])),
        "held_cm_per_s": 100.0 * max(slip.held for slip in slips),
        "held_cm_per_s_of_any_frame": 100.0 * max(slip.held_of_any_frame for slip in slips),
    }


@dataclass(frozen=True)
class _Point:
    """What one point does: how many rows it is still in, and stands in as well; its slips, heights and release."""

    still: int
    still_and_locked: int
    where_still: list[_Slip]
    where_locked: list[_Slip]
    off_floor: tuple[float, float]
    release: float


def _point(footing: Footing, point: int, rows: Mask) -> _Point:
    support, stepping = footing.support[:, point], footing.stepping[:, point]
    free, held = footing.free.points[:, point], footing.held.points[:, point]
    over_free = free[:, 2] - footing.resting[point]
    still = still_rows(footing.times, free, over_free, footing.speeds) & ~stepping
    down = support & rows
    return _Point(
        still=np.count_nonzero(still & rows),
        still_and_locked=np.count_nonzero(still & down),
        where_still=_slips(footing, point, still & support, rows),
        where_locked=_slips(footing, point, support, rows),
        off_floor=(
            float(np.abs(over_free[down]).max(initial=0.0)),
            float(np.abs(heights(footing, held, point)[down]).max(initial=0.0)),
        ),
        release=_release(footing, point, rows),
    )


def _slips(footing: Footing, point: int, stands: Mask, rows: Mask) -> list[_Slip]:
    """Slips of a point in each stretch of rows in which it `stands` (T,), among the rows (T,) that are asked for."""
    free, held = (
        np.linalg.norm(np.diff(played.points[:, point, :2], axis=0), axis=-1) / footing.step
        for played in (footing.free, footing.held)
    )
    stretches = runs(stands[1:] & stands[:-1] & rows[1:])
    return [
        _Slip(*(float(speed) for speed in (free[a:b].mean(), held[a:b].mean(), free[a:b].max(), held[a:b].max())))
        for a, b in stretches
    ]


def _on_ground(footing: Footing, point: int) -> Mask:
    """Rows (T,) in which a point stands, or in which the heel is down already, as the ankle is as low as then."""
    support, ankle = footing.support[:, point], footing.free.legs[:, point, 2, 2]
    soon, reach = np.zeros_like(support), round(HEEL_FIRST / footing.step)
    for first, _ in runs(support):
        soon[max(0, first - reach) : first] = True
    return support | (soon & (ankle <= np.median(ankle[support]))) if support.any() else support


def heights(footing: Footing, places: Array, point: int) -> Array:
    """Heights (T,) in metres of a point at `places` (T, 3), above the height at which it rests on the floor."""
    return places[:, 2] - footing.floor(places[:, :2]) - footing.resting[point]


def _corrections(footing: Footing) -> Array:
    """Largest angle in degrees (T,) between a joint's rotations without locks and with them."""
    return degrees_between(footing.free.rotations, footing.held.rotations).max(axis=1)


def degrees_between(first: Array, second: Array) -> Array:
    """Angles (...) between unit quaternions (..., 4)."""
    apart = np.minimum(np.linalg.norm(first - second, axis=-1), np.linalg.norm(first + second, axis=-1))
    return np.degrees(4.0 * np.arcsin(np.clip(0.5 * apart, 0.0, 1.0)))


def _release(footing: Footing, point: int, rows: Mask) -> float:
    """Largest angle in degrees by which a joint of the limb turns more in a row than without locks, in the release."""
    fading, last = np.zeros(len(footing.times) - 1, dtype=np.bool_), round(RELEASED / footing.step)
    for _, end in runs(footing.support[:, point] | footing.stepping[:, point]):
        fading[end - 1 : end + last] = True
    turns = [
        degrees_between(p.rotations[1:, footing.limbs[point]], p.rotations[:-1, footing.limbs[point]])
        for p in (footing.held, footing.free)
    ]
    return float((turns[0] - turns[1])[fading & rows[1:]].max(initial=0.0))
