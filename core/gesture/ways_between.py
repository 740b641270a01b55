"""How long it takes from one gesture to the next, with phases kept or left out, and squeezed within bounds.

Between the emphases of two gestures lie the second half of the first stroke and the first half of the second one. What
else lies between them is one of four ways, the names of which say which phases are kept:

- ``'relax, prepare'``: the first gesture is relaxed and the second one is prepared;
- ``'prepare'``: the second one is prepared from where the first one has ended, through the gesture space;
- ``'relax'``: the first one is relaxed, and the second one goes straight into its stroke;
- ``''``: it goes straight from stroke to stroke.

Where a phase is dropped, the hands need the time that their way takes at the speed of gestures. All phases of a way are
squeezed alike: by a share of what the bounds of their own gestures allow.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf

import numpy as np
from numpy.typing import NDArray

from .gesture import (
    END,
    READY,
    RELAX,
    START,
    STROKE,
    STROKE_END,
    STROKE_START,
    Gesture,
    largest_turn,
    learn,
    turns_between,
)

Array = NDArray[np.float64]

WAYS = ("relax, prepare", "prepare", "relax", "")
"""What is kept between two gestures."""
ROUNDING = 1e-9
"""Seconds by which a way may be too long, for rounding."""


@dataclass(frozen=True)
class Pace:
    """How fast hands and joints may go where no recorded phase leads them.

    Parameters
    ----------
    hand_speed : units of performance space a second.
    turn_speed : radians a second.
    """

    hand_speed: float
    turn_speed: float

    def seconds(self, angles: Array, ways: Array, steepest: float) -> Array:
        """Return the seconds (...) that it takes from poses to poses.

        Parameters
        ----------
        angles : (...) radians by which the joint turns that turns most.
        ways : (...) how far the hand goes that goes farthest.
        steepest : how much faster than on average the curve is by which one pose becomes the other.
        """
        return steepest * np.maximum(ratio(angles, self.turn_speed), ratio(ways, self.hand_speed))


def farthest(first: Array, second: Array) -> Array:
    """Return how far (...) the hand goes that goes farthest between places (..., H, 3), broadcast."""
    return np.linalg.norm(first - second, axis=-1).max(axis=-1)


def ratio(parts: Array, whole: Array | float) -> Array:
    """Return parts (...) of a whole from 0 on; of one of 0, infinity, or 0 if the part is none either."""
    none = np.where(parts > ROUNDING, inf, 0.0)
    return np.divide(parts, whole, out=none, where=np.asarray(whole) > 0.0)


@dataclass(frozen=True, eq=False)
class Table:
    """Numbers of N gestures as arrays, in the order of the gestures.

    Parameters
    ----------
    spans : (N, 6) seconds between their sync points.
    shortest : (N,) how many times as long as recorded a phase may be at least.
    sizes : (N,)
    straight, ended : (N, N) seconds of the way from the end of the stroke, and from the end, of one gesture to the
        begin of the stroke of another one.
    begins : (N,) seconds of the way from where the gestures start to the begin of their strokes.
    """

    spans: Array
    shortest: Array
    sizes: Array
    straight: Array
    ended: Array
    begins: Array


def hands_of(gestures: Sequence[Gesture]) -> list[int]:
    """Return the joints with which any of the gestures strokes: all of them go from each gesture to the next one."""
    return sorted({hand for one in gestures for hand in one.hands})


def table_of(gestures: Sequence[Gesture], pace: Pace, steepest: float) -> Table:
    """Return the numbers of gestures of one figure."""
    distinct = {id(gesture): gesture for gesture in gestures}
    rows = {key: row for row, key in enumerate(distinct)}
    which = np.array([rows[id(gesture)] for gesture in gestures], dtype=np.intp)
    few = list(distinct.values())
    learn(few)
    turns, places = np.stack([one.known.rotations for one in few]), np.stack([one.known.places for one in few])
    places = places[..., hands_of(few), :]

    def way(leaves: int, enters: int) -> Array:
        angles = turns_between(turns[:, leaves], turns[:, enters])
        return pace.seconds(angles, farthest(places[:, None, leaves], places[None, :, enters]), steepest)

    straight, ended = way(STROKE_END, STROKE_START), way(END, STROKE_START)
    angles = largest_turn(turns[:, START], turns[:, STROKE_START])
    begins = pace.seconds(angles, farthest(places[:, START], places[:, STROKE_START]), steepest)
    return Table(
        np.diff(np.stack([one.sync for one in few]), axis=-1)[which],
        np.array([one.bounds[0] for one in few])[which],
        np.array([one.size for one in few])[which],
        straight[np.ix_(which, which)],
        ended[np.ix_(which, which)],
        begins[which],
    )


@dataclass(frozen=True, eq=False)
class Ways:
    """Ways from gestures to gestures, (..., W) of each kind.

    Parameters
    ----------
    squeezed : share of what bounds allow by which phases must be squeezed to fit; above 1 where they cannot.
    spare : seconds that are left.
    leads : seconds that the hands need to the begin of the stroke; 0 where a phase leads them there from rest.
    """

    squeezed: Array
    spare: Array
    leads: Array

    @property
    def fits(self) -> NDArray[np.bool_]:
        """Which of the ways are possible."""
        return self.squeezed <= 1.0


def ways_between(table: Table, gaps: Array) -> Ways:
    """Return the ways (N, N, 4) between all gestures, of which emphases are `gaps` (N, N) seconds apart; see `WAYS`."""
    spans, give = table.spans, 1.0 - table.shortest
    leaves, relaxes = spans[:, STROKE], spans[:, STROKE_END] + spans[:, RELAX]
    enters, prepares = spans[:, STROKE_START], spans[:, START] + spans[:, READY]
    strokes = leaves[:, None] + enters[None, :]
    given = (leaves * give)[:, None] + (enters * give)[None, :]
    relaxing, preparing = np.broadcast_to(relaxes[:, None], gaps.shape), np.broadcast_to(prepares[None, :], gaps.shape)
    both = _way(gaps, strokes + relaxing + preparing, given + (relaxes * give)[:, None] + (prepares * give)[None, :])
    relaxed = _way(gaps, strokes + relaxing, given + (relaxes * give)[:, None], table.ended)
    straight = _way(gaps, strokes, given, table.straight)
    prepared = _way(gaps, strokes + preparing, given + (prepares * give)[None, :])
    return _stacked(both, _floored(prepared, straight, prepares[None, :], give[None, :]), relaxed, straight)


def ways_into(table: Table, gaps: Array, first: Array | None = None) -> Ways:
    """Return the ways (N, 4) into gestures of which the emphases are `gaps` (N,) seconds from the beginning.

    Parameters
    ----------
    first : (N,) seconds of the way from the present pose to the beginnings of the strokes; None from a figure at rest,
        of which each gesture can be prepared. The ways that would relax are of no use here, and are the same.
    """
    spans, give = table.spans, 1.0 - table.shortest
    enters, prepares = spans[:, STROKE_START], spans[:, START] + spans[:, READY]
    lead = table.begins if first is None else first
    straight = _way(gaps, enters, enters * give, lead)
    prepared = _way(gaps, enters + prepares, (enters + prepares) * give)
    if first is not None:
        prepared = _floored(prepared, straight, prepares, give)
    return _stacked(prepared, prepared, straight, straight)


def _way(room: Array, length: Array, give: Array, lead: Array | float = 0.0) -> Ways:
    """Return by how much a length must be squeezed to fit into the room after the lead, if it gives way by `give`."""
    lacking = length + lead - room
    share = np.where(lacking <= ROUNDING, 0.0, ratio(lacking, give))
    share = np.where((share > 1.0) & (lacking <= give + ROUNDING), 1.0, share)
    return Ways(share, np.maximum(-lacking, 0.0), np.broadcast_to(lead, share.shape))


def _floored(prepared: Ways, straight: Ways, prepares: Array, give: Array) -> Ways:
    """Return the way with preparation, which takes at least as long as the hands need for the way without it."""
    lasts = prepares * (1.0 - give * np.clip(prepared.squeezed, 0.0, 1.0))
    slow = lasts < straight.leads
    return Ways(
        np.where(slow, straight.squeezed, prepared.squeezed),
        np.where(slow, straight.spare, prepared.spare),
        straight.leads,
    )


def _stacked(*ways: Ways) -> Ways:
    squeezed, spare, leads = zip(*((one.squeezed, one.spare, one.leads) for one in ways), strict=True)
    return Ways(np.stack(squeezed, axis=-1), np.stack(spare, axis=-1), np.stack(leads, axis=-1))
