"""How well feet stand and bodies move in a performance with its locks, beside the same performance without them.

Which points stand, and which step home instead, is what the player says of itself in each row (see `rows`). Only what
it announces as a step home is left out of what is asked of standing points, and a step home has a bound of its own.
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
"""Seconds after a point was let go that count as its release; later it swings, and is on its way over the floor."""
HEEL_FIRST = 0.15
"""Seconds before a point stands in which its heel may be on the ground."""


@dataclass(frozen=True, eq=False)
class Played:
    """What is measured of a motion.

    Parameters
    ----------
    points : (T, K, 3) contact points in metres.
    legs : (T, K, 3, 3) hip, knee and ankle of each point's leg.
    rotations : (T, R, 4) unit quaternions of joints in their parents.
    root : (T, 3) metres.
    """

    points: Array
    legs: Array
    rotations: Array
    root: Array


@dataclass(frozen=True, eq=False)
class Footing:
    """A performance twice, and what was said of it.

    Parameters
    ----------
    times : (T,) seconds, evenly spaced.
    verbs : (T,) name of the verb that plays, in a transition of the one that is entered.
    left : (T,) name of the verb that is left in a transition, empty where none plays.
    support : (T, K) which points stand.
    stepping : (T, K) which points step home.
    limbs : (K, R) which joints a point's limb turns.
    speeds : (T,) metres per second under which a point counts as still.
    resting : (K,) metres over the floor at which points rest.
    floor : heights of the floor.
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
        """Seconds between rows."""
        return float(self.times[1] - self.times[0])

    @property
    def points(self) -> int:
        """How many points can stand."""
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
    """A floor at height 0."""
    return np.zeros(len(places))


def footing_figures(footing: Footing) -> dict[str, Any]:
    """Figures inside verbs, in transitions and of steps home, their units in their names; without locks beside with.

    Slip is the speed over the floor, the mean in each stretch in which a point stands and the largest between any two
    rows: of those that are still by themselves without locks (`slip_where_still`), and of all that stand
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
    """Metres per second over the floor in one stretch, without locks and with them."""

    free: float
    held: float
    free_of_any_frame: float
    held_of_any_frame: float


def _slip(slips: list[_Slip]) -> dict[str, float]:
    """Figures of slips, centimetres per second."""
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
    """What one point does: rows in which it is still, and stands then too; slips, and heights free and held."""

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
    """Slips in each stretch in which a point `stands` (T,), of what ends in `rows` (T,)."""
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
    """Rows (T,) in which a point stands, or its heel is down already: the ankle as low as when it stands."""
    support, ankle = footing.support[:, point], footing.free.legs[:, point, 2, 2]
    soon, reach = np.zeros_like(support), round(HEEL_FIRST / footing.step)
    for first, _ in runs(support):
        soon[max(0, first - reach) : first] = True
    return support | (soon & (ankle <= np.median(ankle[support]))) if support.any() else support


def heights(footing: Footing, places: Array, point: int) -> Array:
    """Metres (T,) of a point at `places` (T, 3) over the height at which it rests on the floor."""
    return places[:, 2] - footing.floor(places[:, :2]) - footing.resting[point]


def _corrections(footing: Footing) -> Array:
    """Largest turn of a joint (T,) between the rows without locks and with them, degrees."""
    return degrees_between(footing.free.rotations, footing.held.rotations).max(axis=1)


def degrees_between(first: Array, second: Array) -> Array:
    """Angles (...) between unit quaternions (..., 4)."""
    apart = np.minimum(np.linalg.norm(first - second, axis=-1), np.linalg.norm(first + second, axis=-1))
    return np.degrees(4.0 * np.arcsin(np.clip(0.5 * apart, 0.0, 1.0)))


def _release(footing: Footing, point: int, rows: Mask) -> float:
    """Degrees by which a joint of the limb turns more in a frame than without locks, just after it was let go."""
    fading, last = np.zeros(len(footing.times) - 1, dtype=np.bool_), round(RELEASED / footing.step)
    for _, end in runs(footing.support[:, point] | footing.stepping[:, point]):
        fading[end - 1 : end + last] = True
    turns = [
        degrees_between(p.rotations[1:, footing.limbs[point]], p.rotations[:-1, footing.limbs[point]])
        for p in (footing.held, footing.free)
    ]
    return float((turns[0] - turns[1])[fading & rows[1:]].max(initial=0.0))
