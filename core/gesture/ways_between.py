"""Durations from one gesture to the next, with phases kept or omitted, and squeezed within bounds.

Between the emphases of two gestures are the second half of the first stroke and the first half of the second one.
Between these there are four possible ways, named after the phases that are kept:

- ``'relax, prepare'``: the first gesture is relaxed and the second one is prepared;
- ``'prepare'``: the second one is prepared from the end of the first one, through the gesture space;
- ``'relax'``: the first one is relaxed, and the second one goes straight into its stroke;
- ``''``: straight from stroke to stroke.

If a phase is dropped, the hands need the time for their path at the speed of gestures. All phases of a way are squeezed
equally: by the same share of what the bounds of their own gestures allow.
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
"""Phases that are kept between two gestures."""
ROUNDING = 1e-9
"""Rounding tolerance in seconds by which a way may be too long."""


@dataclass(frozen=True)
class Pace:
    """Maximum speeds of hands and joints where no recorded phase moves them.

    Parameters
    ----------
    hand_speed : units of performance space a second.
    turn_speed : radians a second.
    """

    hand_speed: float
    turn_speed: float

    def seconds(self, angles: Array, ways: Array, steepest: float) -> Array:
        """Return the durations (...) in seconds between poses.

        Parameters
        ----------
        angles : (...) largest joint rotation in radians.
        ways : (...) largest hand displacement.
        steepest : largest slope of the blending curve, as a multiple of its mean.
        """
        return steepest * np.maximum(ratio(angles, self.turn_speed), ratio(ways, self.hand_speed))


def farthest(first: Array, second: Array) -> Array:
    """Return the largest hand displacement (...) between positions (..., H, 3), broadcast."""
    return np.linalg.norm(first - second, axis=-1).max(axis=-1)


def ratio(parts: Array, whole: Array | float) -> Array:
    """Return the ratio (...) of parts to a whole, at least 0; for a whole of 0, infinity, or 0 if the part is 0."""
    none = np.where(parts > ROUNDING, inf, 0.0)
    return np.divide(parts, whole, out=none, where=np.asarray(whole) > 0.0)


@dataclass(frozen=True, eq=False)
class Table:
    """Data on N gestures as arrays, in the order of the gestures.

    Parameters
    ----------
    spans : (N, 6) seconds between their sync points.
    shortest : (N,) minimum length of a phase, as a multiple of its recorded length.
    sizes : (N,) sizes of the gestures, as in `Gesture`.
    straight : (N, N) seconds of the way from the end of one gesture's stroke to the start of another's stroke.
    ended : (N, N) seconds of the way from the end of one gesture to the start of another's stroke.
    begins : (N,) seconds of the way from the start of each gesture to the start of its stroke.
    """

    spans: Array
    shortest: Array
    sizes: Array
    straight: Array
    ended: Array
    begins: Array


def hands_of(gestures: Sequence[Gesture]) -> list[int]:
    """Return the joints with which any of the gestures strokes; all of them move from each gesture to the next."""
    return sorted({hand for one in gestures for hand in one.hands})


def table_of(gestures: Sequence[Gesture], pace: Pace, steepest: float) -> Table:
    """Return the table of gestures of one figure."""
    distinct = {id(gesture): gesture for gesture in gestures}
    rows = {key: row for row, key in enumerate(distinct)}
    which = np.array([rows[id(gesture)] for gesture in gestures], dtype=np.intp)
    few = list(distinct.values())
    learn(few)
    turns, places = np.stack([one.known.rotations for one in few]), np.stack([one.known.places for one in few])
    places = places[..., hands_of(few), :]

    def way(leaves: int, enters: int) -> Array:
        """Return the seconds (N, N) from the sync point `leaves` of each gesture to the sync point `enters` of each."""
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
    """Ways from gestures to gestures: arrays (..., W) over the W kinds of ways.

    Parameters
    ----------
    squeezed : share of what the bounds allow by which phases must be squeezed to fit; above 1 if they cannot fit.
    spare : seconds that remain for holds or rest.
    leads : seconds that the hands need to the start of the stroke; 0 if a phase moves them there from rest.
    """

    squeezed: Array
    spare: Array
    leads: Array

    @property
    def fits(self) -> NDArray[np.bool_]:
        """Which of the ways are possible."""
        return self.squeezed <= 1.0


def ways_between(table: Table, gaps: Array) -> Ways:
    """Return the ways (N, N, 4) between all gestures whose emphases are `gaps` (N, N) seconds apart; see `WAYS`."""
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
    """Return the ways (N, 4) into gestures whose emphases are `gaps` (N,) seconds from the beginning.

    Parameters
    ----------
    first : (N,) seconds of the way from the present pose to the starts of the strokes; None for a figure at rest, from
        which each gesture can be prepared. The ways that would relax are useless here, and equal the others.
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
    """Return the share of `give` by which a length must be squeezed to fit into the room after the lead."""
    lacking = length + lead - room
    share = np.where(lacking <= ROUNDING, 0.0, ratio(lacking, give))
    share = np.where((share > 1.0) & (lacking <= give + ROUNDING), 1.0, share)
    return Ways(share, np.maximum(-lacking, 0.0), np.broadcast_to(lead, share.shape))


def _floored(prepared: Ways, straight: Ways, prepares: Array, give: Array) -> Ways:
    """Return the way with preparation, which takes at least as long as the way without it."""
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
