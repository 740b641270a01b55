"""Blending curves, and the stack of a schedule, which blends all entries that are active at a time."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ..errors import GestureError
from ..figure.channels import FIRST_ROTATION, Channels, rotations_of
from ..layers.mixing import arc, facing, shares_of
from ..motion.clip import Motion, end_of

Array = NDArray[np.float64]
Point = tuple[float, float]
"""Elapsed share of the time, and the weight then."""

STEEPEST = 3.0
"""Slope at a control point, as a multiple of the adjacent mean slopes, up to which a cubic stays between its ends."""


@dataclass(frozen=True)
class BlendingCurve:
    """A weight over the elapsed share of time: a smooth piecewise cubic through control points.

    Parameters
    ----------
    points : (K,) control points, from (0, 0) to (1, 1).
    slopes : (K,) slope of the weight at each of them.
    """

    points: tuple[Point, ...]
    slopes: tuple[float, ...]

    @cached_property
    def _pieces(self) -> tuple[Array, Array]:
        """Shares (K,) of the control points, and the coefficients (4, K - 1) of the cubics after them."""
        shares, weights = np.array(self.points).T
        length, secants = np.diff(shares), np.diff(weights) / np.diff(shares)
        before, after = np.array(self.slopes[:-1]), np.array(self.slopes[1:])
        squares, cubes = (3.0 * secants - 2.0 * before - after) / length, (before + after - 2.0 * secants) / length**2
        return shares, np.stack([weights[:-1], before, squares, cubes])

    def at(self, shares: Array) -> Array:
        """Return the weights (...) at `shares` (...) of the time; 0 before and 1 after it."""
        ends, (one, two, three, four) = self._pieces
        within = np.minimum(np.maximum(shares, 0.0), 1.0)
        piece = np.searchsorted(ends[1:-1], within, side="right")
        since = within - ends[piece]
        weights = one[piece] + since * (two[piece] + since * (three[piece] + since * four[piece]))
        return np.where(shares >= 1.0, 1.0, np.minimum(np.maximum(weights, 0.0), 1.0))

    @cached_property
    def steepest(self) -> float:
        """Largest absolute slope, as a multiple of a linear change."""
        ends, (_, two, three, four) = self._pieces
        length = np.diff(ends)
        turning = np.clip(-three / np.where(np.abs(four) > 0.0, 3.0 * four, 1.0), 0.0, length)
        tried = np.stack([np.zeros_like(length), turning, length])
        return float(np.abs(two + tried * (2.0 * three + 3.0 * tried * four)).max())


def blending_curve(points: Sequence[Point], ends: tuple[float, float] = (0.0, 0.0)) -> BlendingCurve:
    """Return the blending curve through control points.

    Parameters
    ----------
    points : two or more, from (0, 0) to (1, 1), at increasing shares of the time, with weights from 0 to 1.
    ends : slopes at the first and the last point, unless they are too steep for the weight to stay between 0 and 1. By
        default the weight starts and ends with slope 0.

    Raises
    ------
    GestureError
        If there are fewer than two points, or they do not begin, end or increase as required.
    """
    made = tuple((float(share), float(weight)) for share, weight in points)
    if len(made) < 2 or made[0] != (0.0, 0.0) or made[-1] != (1.0, 1.0):
        raise GestureError(
            "A blending curve must go from weight 0 at its start to weight 1 at its end. Correct its ends."
        )
    for (share, weight), (later, then) in pairwise(made):
        if not (later > share and 0.0 <= weight <= 1.0 and 0.0 <= then <= 1.0):
            raise GestureError(
                f"A blending curve goes from weight {weight:g} at {share:g} to {then:g} at {later:g} of its duration. "
                "Its points must be in order of time, with weights from 0 to 1."
            )
    return BlendingCurve(made, tuple(_slopes(made, ends)))


def _slopes(points: Sequence[Point], ends: tuple[float, float]) -> list[float]:
    """Return slopes (K,) at control points with which no cubic leaves the range of its two ends."""
    secants = [(then - weight) / (later - share) for (share, weight), (later, then) in pairwise(points)]
    inner = [2.0 * a * b / (a + b) if a * b > 0.0 else 0.0 for a, b in pairwise(secants)]
    limits = STEEPEST * secants[0], STEEPEST * secants[-1]
    first, last = (min(max(end, min(limit, 0.0)), max(limit, 0.0)) for end, limit in zip(ends, limits, strict=True))
    return [first, *inner, last]


SMOOTH = blending_curve(((0.0, 0.0), (1.0, 1.0)))
"""The default blending curve, with slope 0 at both ends."""


Indices = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Entry:
    """A motion in a schedule.

    Parameters
    ----------
    motion : the motion.
    shift : seconds by which it is played later than its own time.
    begin, end : times of the schedule in seconds between which it is active; the end may be infinite. Where the motion
        has not begun or is over, its first or last pose is held.
    ease_in : seconds after the begin in which its weight rises.
    ease_out : seconds before the end in which its weight falls.
    curve : curve of the rising weight, reversed for the falling one.
    mask : (J,) weight of each joint; None for everything that the motion moves.
    properties : whether numbers that belong to no joint are included.
    """

    motion: Motion
    shift: float
    begin: float
    end: float
    ease_in: float = 0.0
    ease_out: float = 0.0
    curve: BlendingCurve = SMOOTH
    mask: Array | None = None
    properties: bool = True


@dataclass(frozen=True, eq=False)
class Placing:
    """Indices of an entry's values in its own rows and in those of the schedule.

    Parameters
    ----------
    channels : channels of the entry's motion.
    rotations : (M,) indices of the active rotations among those of the entry.
    places : (M,) indices of the same rotations among those of the schedule.
    numbers : (N,) indices of the active numbers among those of the entry.
    number_places : (N,) indices of the same numbers among those of the schedule.
    turning : (M,) weights of the rotations.
    counting : (N,) weights of the active numbers.
    held : (N,) whether a number is a switch, which changes at half the weight.
    """

    channels: Channels
    rotations: Indices | slice
    places: Indices | slice
    numbers: Indices | slice
    number_places: Indices | slice
    turning: Array
    counting: Array
    held: NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Stack:
    """E entries as arrays.

    Parameters
    ----------
    begins, ends : (E,) times of the schedule in seconds between which they are active.
    shifts : (E,) seconds by which their motions are played later than their own times.
    first, last : (E,) own times at which their motions begin and end.
    changes : (K,) times in seconds at which any of them begins, ends, has its full weight or begins to fade out.
    rates, origins : (2, E, 1) coefficients of the eases in and of those out: the elapsed share is time times rate plus
        origin.
    curves : each distinct curve, with the numbers of its entries.
    placings : index tables of the entries.
    turning : (E, R) weights of all rotations.
    charts : (R, 4) rotations that define hemispheres, so that no joint flips.
    """

    begins: Array
    ends: Array
    shifts: Array
    first: Array
    last: Array
    changes: Array
    rates: Array
    origins: Array
    curves: tuple[tuple[BlendingCurve, Indices], ...]
    placings: tuple[Placing, ...]
    turning: Array
    charts: Array

    def stretches(self, times: Array) -> Indices:
        """Return the numbers (T,) of the stretches at `times` (T,): spans in which the same entries are active.

        The instants at which the active entries change are stretches of their own.
        """
        return np.searchsorted(self.changes, times) + np.searchsorted(self.changes, times, side="right")

    def active(self, time: float) -> Indices:
        """Return the numbers (A,) of the entries that are active at a time."""
        return np.flatnonzero((self.begins <= time) & (self.ends >= time))

    def weights(self, active: Indices, times: Array) -> Array:
        """Return the weights (A, T) of entries (A,) at `times` (T,) at which they are active."""
        shares = times * self.rates[:, active] + self.origins[:, active]
        if len(self.curves) == 1:
            return np.asarray(self.curves[0][0].at(shares).min(axis=0))
        weights = np.empty_like(shares)
        for curve, numbers in self.curves:
            rows = np.isin(active, numbers)
            weights[:, rows] = curve.at(shares[:, rows])
        return np.asarray(weights.min(axis=0))

    def own_times(self, active: Indices, times: Array) -> Array:
        """Return the own times (A, T) of the motions of entries (A,) at `times` (T,) of the schedule."""
        played = times - self.shifts[active, None]
        return np.minimum(np.maximum(played, self.first[active, None]), self.last[active, None])


def stack_of(entries: Sequence[Entry], columns: Sequence[Indices], whole: Channels, resting: Array) -> Stack:
    """Return entries as arrays.

    Parameters
    ----------
    entries : entries from the bottom to the top.
    columns : indices of the columns of each of them among all.
    whole : channels that all of them move.
    resting : (width,) row that defines the hemispheres of their rotations.
    """
    placings = tuple(_placing(one, places, whole) for one, places in zip(entries, columns, strict=True))
    turning = np.zeros((len(entries), len(whole.rotating)))
    for number, placing in enumerate(placings):
        turning[number, placing.places] = placing.turning
    curves = {id(one.curve): one.curve for one in entries}
    users = {key: [n for n, one in enumerate(entries) if id(one.curve) == key] for key in curves}
    begins, ends = _pairs([(one.begin, one.end) for one in entries])
    first, last = _pairs([(one.motion.start, end_of(one.motion)) for one in entries])
    comes, goes = _pairs([(one.ease_in, one.ease_out) for one in entries])
    rates, origins = np.zeros((2, len(entries))), np.ones((2, len(entries)))
    for row, (eases, sense, edges) in enumerate(((comes, 1.0, begins), (goes, -1.0, ends))):
        some = eases > 0.0
        rates[row, some], origins[row, some] = sense / eases[some], -sense * edges[some] / eases[some]
    return Stack(
        *(begins, ends, np.array([one.shift for one in entries]), first, last),
        np.unique(np.concatenate([begins, ends, begins + comes, ends - goes])),
        *(rates[..., None], origins[..., None]),
        tuple((curve, np.array(users[key], dtype=np.intp)) for key, curve in curves.items()),
        *(placings, turning, rotations_of(whole, resting[None])[0]),
    )


def _pairs(numbers: Sequence[tuple[float, float]]) -> Array:
    """Return the first and the second numbers of E pairs as the rows of an array (2, E); E may be 0."""
    return np.array(numbers, dtype=np.float64).reshape(-1, 2).T


def _placing(one: Entry, columns: Indices, whole: Channels) -> Placing:
    own = one.motion.channels
    mask = np.ones(len(own.skeleton.names)) if one.mask is None else one.mask
    rotations = np.flatnonzero((own.rotating != 0) & (mask[own.rotating] > 0.0))
    places = (columns[FIRST_ROTATION + 4 * rotations] - FIRST_ROTATION) // 4
    free = float(one.properties)
    shares = np.array([free if scalar.joint < 0 else float(mask[scalar.joint]) for scalar in own.scalars])
    numbers = np.flatnonzero(shares > 0.0)
    held = np.array([scalar.held for scalar in own.scalars], dtype=bool)[numbers]
    mine = own.scalar_columns.start + numbers
    number_places = columns[mine] - whole.scalar_columns.start
    found = _run(rotations), _run(places), _run(mine), _run(number_places)
    return Placing(own, *found, mask[own.rotating[rotations]], shares[numbers], held)


def _run(indices: Indices) -> Indices | slice:
    """Return indices as a slice if they are consecutive, which is faster."""
    if len(indices) and (np.diff(indices) == 1).all():
        return slice(int(indices[0]), int(indices[-1]) + 1)
    return indices


class Shown:
    """Values of the entries that are active at some times, and their blending over rows.

    Parameters
    ----------
    stack : all entries.
    active : (A,) numbers of the active ones.
    weights : (A, T) their weights.
    values : (T, width) rows of the schedule over which they are blended, in place.
    """

    def __init__(self, stack: Stack, active: Indices, weights: Array, values: Array) -> None:
        numbers: list[int] = active.tolist()
        self._placings = [stack.placings[number] for number in numbers]
        scalars = FIRST_ROTATION + 4 * stack.turning.shape[1]
        self._turned = values[:, FIRST_ROTATION:scalars].reshape(len(values), -1, 4)
        self._numbers = values[:, scalars:]
        self._sides = np.zeros((len(active), 3, *self._turned.shape))
        self._sides[:, 0] = stack.charts
        self._shares = shares_of(weights[..., None] * stack.turning[active, None])
        self._weights, self._over = weights, [values] * len(active)

    def show(self, place: int, values: Array) -> None:
        """Store the rows (T, own width) of the active entry with this index."""
        placing = self._placings[place]
        self._sides[place, 1][:, placing.places] = rotations_of(placing.channels, values)[:, placing.rotations]
        self._over[place] = values

    def align(self, place: int | slice = slice(None)) -> None:
        """Flip quaternions of entries into the hemisphere of those that they are blended with."""
        sides = self._sides[place]
        near = np.einsum("...c,...c->...", sides[..., 0, :, :, :], sides[..., 1, :, :, :])
        sides[..., 1, :, :, :] *= np.copysign(1.0, near)[..., None]

    def lay(self, place: int) -> None:
        """Blend the entry with this index over the result of those below it."""
        sides = self._sides[place]
        sides[2] = self._turned
        cosines, signs = facing(*np.einsum("ktmc,tmc->ktm", sides[:2], self._turned))
        arc(sides[1:], cosines, signs, self._shares[:, place], self._turned)
        placing = self._placings[place]
        if len(placing.counting):
            share = self._weights[place][:, None] * placing.counting
            old, new = self._numbers[:, placing.number_places], self._over[place][:, placing.numbers]
            switched = np.where(share < 0.5, old, new)
            self._numbers[:, placing.number_places] = np.where(placing.held, switched, old + share * (new - old))
