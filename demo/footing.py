"""How well feet stand and bodies move in a performance with its locks, beside the same performance without them."""

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

FADING = 0.25
"""Seconds after a point was let go that count as its release."""
AFTERMATH = 1.2
"""Seconds after a transition for which feet may stand where it left them: until they step home."""
LIFTED = 0.012
"""Metres over its place by which a point that stands is known to take a step home."""
HEEL_FIRST = 0.15
"""Seconds before a point is locked in which its heel may be on the ground."""
HALF_STEP = 0.25
"""Seconds before and after it is lifted so far that belong to the step."""


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
    spans : of each point (K), seconds between which it was locked.
    limbs : (K, R) which joints a point's limb turns.
    speeds : (T,) metres per second under which a point counts as still.
    resting : (K,) metres over the floor at which points rest.
    floor : heights of the floor.
    free, held : the motion without locks and with them.
    """

    times: Array
    verbs: tuple[str, ...]
    left: tuple[str, ...]
    spans: tuple[tuple[tuple[float, float], ...], ...]
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
    def in_transition(self) -> Mask:
        """Rows (T,) that belong to a transition."""
        return np.array([bool(name) for name in self.left])


def level(places: Array) -> Array:
    """A floor at height 0."""
    return np.zeros(len(places))


def footing_figures(footing: Footing) -> dict[str, Any]:
    """Figures inside verbs and in transitions, their units in their names; without locks beside with them.

    Slip is the mean speed over the floor in a window: in those in which the unlocked point stands still by itself, as
    far as they are locked (`slip_where_still`), and in all that are locked (`slip_where_locked`). Steps home are left
    out of what concerns standing points, and counted.
    """
    transition, after = footing.in_transition, just_after(footing)
    return {
        "inside_verbs": _part(footing, ~transition & ~after),
        "in_transitions": _part(footing, transition),
        "just_after_transitions": _part(footing, after),
        "steps_home": sum(len(lifts(footing, point)) for point in range(len(footing.spans))),
    }


def just_after(footing: Footing) -> Mask:
    """Rows (T,) that follow a transition while feet still stand where it left them.

    They end when what was locked at the transition's end has been let go and its release is over, at the latest after
    `AFTERMATH`.
    """
    rows = np.zeros(len(footing.times), dtype=np.bool_)
    for _, end in runs(footing.in_transition):
        if end < len(rows):
            now = float(footing.times[end])
            open_until = [up for spans in footing.spans for down, up in spans if down <= now < up]
            until = min(max(open_until, default=now) + FADING, now + AFTERMATH)
            rows |= (footing.times >= now) & (footing.times < until)
    return rows & ~footing.in_transition


def _part(footing: Footing, rows: Mask) -> dict[str, Any]:
    points = [_point(footing, point, rows) for point in range(len(footing.spans))]
    home = np.any([_stepping(footing, point) for point in range(len(footing.spans))], axis=0)
    corrections = degrees_between(footing.free.rotations, footing.held.rotations).max(axis=1)
    still = sum(point.still for point in points)
    standing = np.stack([_on_ground(footing, point) for point in range(len(footing.spans))], axis=-1)
    least = least_bends(footing.free.legs, footing.held.legs, standing)
    return {
        "seconds": float(np.count_nonzero(rows)) * footing.step,
        "windows": sum(len(point.where_still) for point in points),
        "still_and_locked_share": sum(point.still_and_locked for point in points) / still if still else 1.0,
        "slip_where_still": _slip([slip for point in points for slip in point.where_still]),
        "slip_where_locked": _slip([slip for point in points for slip in point.where_locked]),
        "off_floor_cm_free": 100.0 * max(point.off_floor[0] for point in points),
        "off_floor_cm": 100.0 * max(point.off_floor[1] for point in points),
        "correction_degrees": float(corrections[rows & ~home].max(initial=0.0)),
        "least_possible_correction_degrees": float(least[rows & ~home].max(initial=0.0)),
        "correction_degrees_stepping_home": float(corrections[rows & home].max(initial=0.0)),
        "release_degrees_per_frame": max(point.release for point in points),
    }


def _slip(slips: list[tuple[float, float]]) -> dict[str, float]:
    """Figures of slips without and with locks, metres per second."""
    free, held = 100.0 * np.array(slips or [(0.0, 0.0)]).T
    return {
        "free_cm_per_s_median": float(np.median(free)),
        "free_cm_per_s": float(free.max()),
        "held_cm_per_s_median": float(np.median(held)),
        "held_cm_per_s": float(held.max()),
    }


@dataclass(frozen=True)
class _Point:
    """What one point does: rows in which it is still, and locked then too; slips and heights free and held."""

    still: int
    still_and_locked: int
    where_still: list[tuple[float, float]]
    where_locked: list[tuple[float, float]]
    off_floor: tuple[float, float]
    release: float


def _point(footing: Footing, point: int, rows: Mask) -> _Point:
    locked, standing = locked_rows(footing, point), rows & ~_stepping(footing, point)
    free, held = footing.free.points[:, point], footing.held.points[:, point]
    over_free = free[:, 2] - footing.resting[point]
    still = still_rows(footing.times, free, over_free, footing.speeds) & rows
    down = locked & standing
    return _Point(
        still=np.count_nonzero(still),
        still_and_locked=np.count_nonzero(still & locked),
        where_still=_slips(footing, point, still & down),
        where_locked=_slips(footing, point, down),
        off_floor=(
            float(np.abs(over_free[down]).max(initial=0.0)),
            float(np.abs(heights(footing, held, point)[down]).max(initial=0.0)),
        ),
        release=_release(footing, point, rows),
    )


def _slips(footing: Footing, point: int, rows: Mask) -> list[tuple[float, float]]:
    """Mean speeds over the floor, without locks and with them, in each stretch of `rows` of at least three."""
    paths = (footing.free.points[:, point, :2], footing.held.points[:, point, :2])
    steps = [np.linalg.norm(np.diff(path, axis=0), axis=-1) / footing.step for path in paths]
    found = [(first, end - 1) for first, end in runs(rows) if end - first > 2]
    return [(float(steps[0][a:b].mean()), float(steps[1][a:b].mean())) for a, b in found]


def locked_rows(footing: Footing, point: int) -> Mask:
    """Rows (T,) in which a point is locked."""
    rows = np.zeros(len(footing.times), dtype=np.bool_)
    for begin, end in footing.spans[point]:
        rows |= (footing.times >= begin) & (footing.times <= end)
    return rows


def _on_ground(footing: Footing, point: int) -> Mask:
    """Rows (T,) in which a point is locked, or its heel is down already: the ankle as low as when it stands."""
    locked, ankle = locked_rows(footing, point), footing.free.legs[:, point, 2, 2]
    soon = np.zeros_like(locked)
    for begin, _ in footing.spans[point]:
        soon |= (footing.times < begin) & (footing.times > begin - HEEL_FIRST)
    return locked | (soon & (ankle <= np.median(ankle[locked]))) if locked.any() else locked


def heights(footing: Footing, places: Array, point: int) -> Array:
    """Metres (T,) of a point at `places` (T, 3) over the height at which it rests on the floor."""
    return places[:, 2] - footing.floor(places[:, :2]) - footing.resting[point]


def degrees_between(first: Array, second: Array) -> Array:
    """Angles (...) between unit quaternions (..., 4)."""
    apart = np.minimum(np.linalg.norm(first - second, axis=-1), np.linalg.norm(first + second, axis=-1))
    return np.degrees(4.0 * np.arcsin(np.clip(0.5 * apart, 0.0, 1.0)))


def _release(footing: Footing, point: int, rows: Mask) -> float:
    """Degrees by which a joint of the limb turns more in a frame than without locks, just after it was let go."""
    fading = np.zeros(len(footing.times) - 1, dtype=np.bool_)
    for _, end in footing.spans[point]:
        fading |= (footing.times[1:] > end) & (footing.times[:-1] < end + FADING)
    fading &= rows[1:]
    turns = [
        degrees_between(p.rotations[1:, footing.limbs[point]], p.rotations[:-1, footing.limbs[point]])
        for p in (footing.held, footing.free)
    ]
    return float((turns[0] - turns[1])[fading].max(initial=0.0))


def lifts(footing: Footing, point: int) -> list[tuple[int, int]]:
    """Rows in which a locked point is lifted although it would stand: its steps home."""
    lifted = heights(footing, footing.held.points[:, point], point) > LIFTED
    low = footing.free.points[:, point, 2] - footing.resting[point] < LIFTED
    return runs(locked_rows(footing, point) & lifted & low)


def _stepping(footing: Footing, point: int) -> Mask:
    """Rows (T,) of the point's steps home."""
    rows = np.zeros(len(footing.times), dtype=np.bool_)
    margin = round(HALF_STEP / footing.step)
    for first, end in lifts(footing, point):
        rows[max(0, first - margin) : end + margin] = True
    return rows
