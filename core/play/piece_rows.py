"""The rows of pieces: poses of verbs and of transitions between them, the root, and overlays."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..figure.channels import FIRST_ROTATION, TRAVEL, Channels, climb
from ..graph.overlay import Below
from ..graph.transition import fade
from .block import AnyPiece, Block
from .inertialisation import Inertia
from .piece import Piece, Way, pieces_at, root_at
from .player import Happening, Span, Stretch
from .playing_verb import Playing
from .transition_timing import Passage

Array = NDArray[np.float64]
Indices = NDArray[np.intp]

FAR = -0.5
"""Scalar product of two quaternions below which a joint rotates the other way round: more than 240 degrees."""


class Rows(NamedTuple):
    """Played rows, without locks.

    Parameters
    ----------
    values : (T, width) the rows.
    heights : (T,) height of the ground under the root, which is included in the root's height in `values`.
    phases : (T,) generic time of the playing verb; in a transition, of the one entered; it increases by 1 in each
        cycle.
    """

    values: Array
    heights: Array
    phases: Array


def single_steps(pieces: Sequence[AnyPiece], which: Indices, times: Array) -> tuple[list[Piece], Indices]:
    """Return single-step pieces for `times` (T,), and the index (T,) of the piece of each time.

    Parameters
    ----------
    pieces : the pieces.
    which : (T,) index of the piece of each time.
    times : (T,) seconds.
    """
    if len(times) == 1:
        return [pieces[int(which[0])].of(float(times[0]))], np.zeros(1, dtype=np.intp)
    plain = [piece for piece in pieces if not isinstance(piece, Block)]
    if len(plain) == len(pieces):
        return plain, which
    found, places, order = list[Piece](), np.empty(len(times), dtype=np.intp), np.argsort(which, kind="stable")
    ends = np.searchsorted(which[order], np.arange(len(pieces) + 1)).tolist()
    for piece, (first, end) in zip(pieces, pairwise(ends), strict=True):
        rows = order[first:end]
        if isinstance(piece, Block) and len(rows):
            steps = np.searchsorted(piece.times[1:-1], times[rows], side="right")
            used, places[rows] = np.unique(steps, return_inverse=True)
            places[rows] += len(found)
            found += [piece.part(step) for step in used.tolist()]
        elif len(rows):
            places[rows] = len(found)
            found.append(piece.last)
    return found or [pieces[0].last], places


def rows_of(pieces: Sequence[AnyPiece], which: Indices, times: Array) -> Rows:
    """Return the rows at `times` (T,), each in its own piece of one or many players with the same channels.

    Parameters
    ----------
    pieces : the pieces.
    which : (T,) index of the piece of each time.
    times : (T,) seconds.
    """
    pieces, which = single_steps(pieces, which, times)
    channels = pieces[0].setting.channels
    if len(times) == 1:
        way, seconds = pieces[0].way, float(times[0]) - pieces[0].way.time
    else:
        way = Way(*np.array([piece.way for piece in pieces]).T[:, which])
        seconds = times - way.time
    clock = seconds * way.tempo
    faded = fade(way.passed + way.pace * clock)
    old, new = way.old_phase + way.old_rate * clock, way.new_phase + way.new_rate * clock
    left = _inertias(pieces, which)
    root = root_at(way, seconds, _drifts_left(left, way, seconds))
    values = np.empty((len(times), channels.width))
    values[:, 0], values[:, 1], values[:, 2] = root.place.real, root.place.imag, root.heading
    weights, shares = way.lone + way.blended * (faded - way.lone), 1.0 + way.entered * (faded - 1.0)
    generic = way.cycle + old + way.entered * (new - old)
    numbers = np.array([old, new, weights, shares, root.height, way.clock + clock, generic]).reshape(7, -1)
    phases, (weights, shares, heights, clocks, generic) = numbers[:2], numbers[2:]
    values[:, 3:] = _poses(pieces, which, times, phases, weights)
    for inertia, rows in left:
        values[rows, 3:] = inertia.applied(values[rows, 3:], clocks[rows])
    if any([piece.setting.over is not None for piece in pieces]):
        values = _laid(pieces, which, Below(channels, times, values, heights, phases, shares))
    climb(channels, values, heights)
    return Rows(values, heights, generic)


def _laid(pieces: Sequence[Piece], which: Indices, below: Below) -> Array:
    """Return rows (T, width) with overlays over those `below`, of one or many players."""
    overs = [piece.setting.over for piece in pieces]
    if len(overs) == 1 and overs[0] is not None:
        return overs[0].laid(below)
    values, order = below.values, {id(over): over for over in overs if over is not None}
    for key, over in order.items():
        rows = np.flatnonzero(np.array([id(one) == key for one in overs])[which])
        if len(rows):
            values[rows] = over.laid(below.part(rows))
    return values


def _inertias(pieces: Sequence[Piece], which: Indices) -> list[tuple[Inertia, NDArray[np.bool_]]]:
    """Return the decaying offsets of the pieces, each with a mask of the rows (T,) that it affects."""
    found = {id(piece.begin.inertia): piece.begin.inertia for piece in pieces if piece.begin.inertia is not None}
    held = [(one, np.array([piece.begin.inertia is one for piece in pieces])[which]) for one in found.values()]
    return [(one, rows) for one, rows in held if rows.any()]


def _drifts_left(left: Sequence[tuple[Inertia, NDArray[np.bool_]]], way: Way, seconds: Any) -> tuple[Any, Any, Any]:
    """Return the drift (velocity, turn, climb) that inertia adds within `seconds` after the start of the pieces."""
    more: tuple[Any, Any, Any] = (0j, 0.0, 0.0)
    for inertia, rows in left:
        drift = inertia.drift(way.clock, way.clock + seconds * way.tempo)
        chosen = 1.0 if isinstance(seconds, float) else rows.astype(np.float64)
        more = more[0] + chosen * drift[0], more[1] + chosen * drift[1], more[2] + chosen * drift[2]
    return more


def _poses(pieces: Sequence[Piece], which: Indices, times: Array, phases: Array, weights: Array) -> Array:
    """Return poses (T, width - 3) at generic times `phases` (2, T), cross-faded by `weights` (T,) of the old verb."""
    poses = np.empty((2, len(which), pieces[0].setting.channels.width - 3))
    parts: dict[object, list[tuple[int, int, Playing]]] = {}
    if len(pieces) == 1:
        for role, playing in pieces[0].begin.plays.roles:
            shares = mixing_at(pieces, [playing], which, which, times)
            poses[role] = playing.now.verb.poses(phases[role], shares)
    else:
        for index, piece in enumerate(pieces):
            for role, playing in piece.begin.plays.roles:
                parts.setdefault(playing.now.verb.motion_key, []).append((role, index, playing))
    for mine in parts.values():
        roles, indices, playing = zip(*mine, strict=True)
        place = np.full((2, len(pieces)), -1)
        place[roles, indices] = np.arange(len(mine))
        role, rows = np.nonzero(place[:, which] >= 0)
        if len(rows):
            shares = mixing_at(pieces, playing, place[role, which[rows]], which[rows], times[rows])
            poses[role, rows] = playing[0].now.verb.poses(phases[role, rows], shares)
    if not any(isinstance(piece.begin.plays, Passage) for piece in pieces):
        return poses[0]
    return _blended(pieces, which, poses, weights)


def mixing_at(
    pieces: Sequence[Piece], playing: Sequence[Playing], chosen: Indices, which: Indices, times: Array
) -> Array:
    """Return the input of one verb's poses at `times` (T,); `chosen` (T,) are indices into `playing`.

    These are (T, N) weights, or more (see `Verb.mixing`). While adverbs move, this input changes linearly within their
    step.
    """
    shares = np.array([one.now.mixing for one in playing])
    moving = [index for index, one in enumerate(playing) if one.then is not None]
    if not moving:
        return shares[chosen]
    steps = np.zeros_like(shares)
    steps[moving] = np.array([playing[index].then for index in moving]) - shares[moving]
    since, step = np.array([(piece.setting.since, piece.setting.step) for piece in pieces])[which].T
    return shares[chosen] + ((times - since) / step)[:, None] * steps[chosen]


def _blended(pieces: Sequence[Piece], which: Indices, poses: Array, weights: Array) -> Array:
    """Return cross-faded poses (T, width - 3) from the poses (2, T, width - 3) of the old and the new verb.

    The direction in which a joint rotates is chosen when a transition begins; only joints that would rotate by more
    than 240 degrees take the other direction.
    """
    channels = pieces[0].setting.channels
    plays = [piece.begin.plays for piece in pieces]
    made = poses[0].copy()
    alone = np.array([isinstance(one, Passage) and not one.blended for one in plays])[which]
    made[alone] = poses[1, alone]
    rows = np.flatnonzero(np.array([isinstance(one, Passage) and one.blended for one in plays])[which])
    if not len(rows):
        return made
    signs = np.array([one.signs if isinstance(one, Passage) else np.ones(len(channels.rotating)) for one in plays])
    old, new = poses[0, rows], poses[1, rows]
    turns = _turns(channels)
    mine, theirs = (part[:, turns].reshape(len(rows), -1, 4) for part in (old, new))
    theirs *= signs[which[rows]][..., None]
    theirs[np.einsum("trc,trc->tr", mine, theirs) < FAR] *= -1.0
    new[:, turns] = theirs.reshape(len(rows), -1)
    made[rows] = mixed_poses(channels, old, new, weights[rows])
    return made


def mixed_poses(channels: Channels, old: Array, new: Array, weights: Array) -> Array:
    """Return poses (T, width - 3) between `old` and `new` ones, by the weights (T,) of the old.

    Location and scalars are mixed linearly, quaternions along the chord, switches not at all. The signs of the
    quaternions determine the direction in which a joint rotates.
    """
    turns, held, weight = _turns(channels), channels.held_columns - TRAVEL.stop, weights[:, None]
    mixed = weight * old + (1.0 - weight) * new
    mixed[:, held] = np.where(weight >= 0.5, old[:, held], new[:, held])
    chords = mixed[:, turns].reshape(len(mixed), -1, 4)
    chords /= np.sqrt(np.einsum("trc,trc->tr", chords, chords))[..., None]
    mixed[:, turns] = chords.reshape(len(mixed), -1)
    return mixed


def _turns(channels: Channels) -> slice:
    """Return the columns of the quaternions in poses, which have no travel columns."""
    return slice(FIRST_ROTATION - TRAVEL.stop, FIRST_ROTATION - TRAVEL.stop + 4 * len(channels.rotating))


def stretch_of(pieces: Sequence[Span], times: Array, rows: Rows, happenings: tuple[Happening, ...]) -> Stretch:
    """Return the stretch played at `times` (T,) in some pieces, from its rows and events."""
    which = pieces_at(pieces, times)
    support = np.array([piece.standing for piece in pieces])[which]
    names = [piece.begin.name for piece in pieces]
    order: list[int] = which.tolist()
    verbs = tuple([names[index] for index in order])
    return Stretch(times, rows.values, support, verbs, rows.phases, rows.heights, happenings)
