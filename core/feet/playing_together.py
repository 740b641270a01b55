"""Advancing several players together: rows and strain of locks are computed once for all similar ones."""

import math
from collections.abc import Generator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..figure.channels import Channels
from ..figure.knee_hinges import ExamplePoses
from ..figure.legs import limbs
from ..figure.lock_point import LockPoint
from ..play.graph_player import GraphPlayer
from ..play.held_points import Holdable
from ..play.piece import pieces_at
from ..play.piece_rows import Rows, stretch_of
from ..play.player import Happening, Span, Stretch
from .easing_curves import FADE
from .foot_locks import FootLocks, Held, locked_rows
from .strain_questions import Knots, Strain, answered, have_same_row

Array = NDArray[np.float64]

Lower = TypeVar("Lower", bound=Holdable)
"""The kind of player below."""


class Wanted(NamedTuple):
    """Rows that a player with locks needs on its way.

    Parameters
    ----------
    doubtful : ends of steps in which strain may release points.
    shown : the row (width,) at the first of these ends, if it was computed by the previous call.
    pieces : pieces in order.
    times : times in seconds within these pieces.
    """

    doubtful: Knots
    shown: Array | None
    pieces: Sequence[Span]
    times: Sequence[float]


class Known(NamedTuple):
    """The rows that a player has requested by its `Wanted`.

    Parameters
    ----------
    doubtful : ends of doubtful steps.
    places : the index of each of these steps by its key.
    at_ends : rows (m, width) at the ends.
    rows : other rows by their times in seconds.
    """

    doubtful: Knots
    places: Mapping[tuple[int, float], int]
    at_ends: Array
    rows: Mapping[float, Array]

    def ends(self, first: int, count: int) -> tuple[Array, Array, NDArray[np.intp]]:
        """Return times (m,) and rows (m, width) at ends of `count` steps from `first` on, and each step's start."""
        firsts = np.array(self.doubtful.firsts[first : first + count])
        begin, end = int(firsts[0]), int(firsts[-1]) + 2
        return np.array(self.doubtful.times[begin:end]), self.at_ends[begin:end], firsts - begin


NOWHERE = Knots((), (), (), ())
NOTHING_KNOWN = Known(NOWHERE, {}, np.zeros((0, 0)), {})


class Holder(Generic[Lower]):
    """A player with locks.

    Attributes
    ----------
    player : the player below.
    locks : locks of the figure.
    points : the points that can be held.
    poses : poses from which the bending of knees is learnt, None if they bend as in the motion.
    shown : step, time in seconds and row (width,), without locks, of the last computed row; None before the first one.
    """

    player: Lower
    locks: FootLocks
    points: tuple[LockPoint, ...]
    poses: ExamplePoses | None
    shown: tuple[Span, float, Array] | None

    @property
    def channels(self) -> Channels:
        """Meaning of the columns of the rows."""
        return self.player.channels

    def advance(self, times: ArrayLike) -> Stretch:
        """Play, and return the rows with locks at `times` (T,), not decreasing and not before the present."""
        return advance_all([self], times)[0]

    def play(self, until: float) -> Sequence[Span]:
        """Advance to a time without computing rows; return the pieces played since the present, in order."""
        return _played([self], [[0]], until, np.zeros(0), [()])[0][0].pieces

    def wanted(self, pieces: Sequence[Span], until: float) -> Wanted:
        """Return the rows needed to process `pieces` played up to `until`."""
        raise NotImplementedError

    def held(
        self, pieces: Sequence[Span], known: Known, until: float, times: Array
    ) -> Generator[Strain, list[int], Held]:
        """Process `pieces` played up to `until` with the requested rows; return the data for rows at `times`."""
        raise NotImplementedError

    def happened(self) -> tuple[Happening, ...]:
        """Return the events since the last call, in order of time."""
        raise NotImplementedError


MOMENTS = 128
"""Number of sampled instants of a cycle."""

Together = Holdable | Holder[Any]
"""A player accepted by `advance_all`."""


def advance_all(
    players: Sequence[Together], times: ArrayLike, pieces: Sequence[Sequence[Span]] | None = None
) -> list[Stretch]:
    """Advance several players, and return the rows of each at the same `times` (T,), computed together.

    `pieces` are, for each player, those that the player below it has already played; empty if it has played none.
    """
    clock = np.asarray(times, dtype=np.float64)
    found: dict[int, Stretch] = {}
    groups = _alike(players)
    played = _played(players, groups, float(clock[-1]), clock, pieces or [()] * len(players))
    for group in groups:
        rows = [played[index][1] for index in group]
        values = np.concatenate([one.values for one in rows]) if len(rows) > 1 else rows[0].values
        locks = [one.locks for one in (players[index] for index in group) if isinstance(one, Holder)]
        if locks:
            values = locked_rows(locks, [played[index][0].spans for index in group], values)
        for place, (index, own) in enumerate(zip(group, rows, strict=True)):
            held, mine = played[index][0], values[place * len(clock) : (place + 1) * len(clock)]
            stretch = stretch_of(held.pieces, clock, own._replace(values=mine), players[index].happened())
            found[index] = replace(stretch, support=held.support) if len(held.support) else stretch
    return [found[index] for index in range(len(players))]


def kind_of(player: Together) -> object:
    """Return a key that is equal for players whose rows can be computed together."""
    if not isinstance(player, Holder):
        return type(player), player.channels
    lower: Holdable = player.player
    return type(lower), player.channels, player.points, player.poses, player.locks.terrain is None


def _played(
    players: Sequence[Together],
    groups: Sequence[Sequence[int]],
    until: float,
    times: Array,
    already: Sequence[Sequence[Span]],
) -> list[tuple[Held, Rows]]:
    """Advance several players to `until`; return what was played, and the rows at `times` (T,) without locks.

    Each of the `groups` has the indices of players of one kind, and all rows that these need are computed at once;
    `already` is like `pieces` of `advance_all`.
    """
    below = [player.player if isinstance(player, Holder) else player for player in players]
    pieces = [done or player.play(until) for player, done in zip(below, already, strict=True)]
    wanted = [
        player.wanted(own, until) if isinstance(player, Holder) else Wanted(NOWHERE, None, (), ())
        for player, own in zip(players, pieces, strict=True)
    ]
    rows: dict[int, Rows] = {}
    going: dict[int, Generator[Strain, list[int], Held]] = {}
    found: dict[int, Held] = {}
    for group in groups:
        made = _rows(below[group[0]], [(pieces[index], wanted[index]) for index in group], times)
        for index, (own, known) in zip(group, made, strict=True):
            player, rows[index] = players[index], own
            if isinstance(player, Holder):
                going[index] = player.held(pieces[index], known, until, times)
                if len(times):
                    (last,) = pieces_at(pieces[index], times[-1:]).tolist()
                    player.shown = pieces[index][last].of(until), until, own.values[-1].copy()
            else:
                found[index] = Held(pieces[index], (), np.zeros(0, dtype=np.intp))
    found |= answered(going)
    return [(found[index], rows[index]) for index in range(len(players))]


def _rows(below: Holdable, played: Sequence[tuple[Sequence[Span], Wanted]], times: Array) -> list[tuple[Rows, Known]]:
    """Return, for several players of a kind, the rows of each one's pieces at `times` (T,), and the rows it requested.

    `below` is any of the players.
    """
    pieces, which, clocks, shared = list[Span](), list[NDArray[np.intp]](), list[Array](), list[bool]()
    for own, wanted in played:
        doubtful, marks, here = wanted.doubtful, np.array(wanted.times), pieces_at(own, times)
        shared.append(len(times) > 0 and _ends_at(doubtful, own[int(here[-1])], float(times[-1])))
        knots = slice(wanted.shown is not None, len(doubtful.times) - shared[-1])
        spans, first = doubtful.spans[knots], len(pieces) + len(own)
        which += [len(pieces) + here, np.arange(first, first + len(spans))]
        which += [first + len(spans) + pieces_at(wanted.pieces, marks)] if len(marks) else []
        clocks.append(np.concatenate([times, doubtful.times[knots], marks]))
        pieces += [*own, *spans, *(wanted.pieces if len(marks) else ())]
    ends = np.cumsum([0, *map(len, clocks)]).tolist()
    if not ends[-1]:
        made = Rows(np.zeros((0, below.channels.width)), np.zeros(0), np.zeros(0))
    else:
        made = below.rows(pieces, np.concatenate(which), np.concatenate(clocks))
    parts = [Rows(*(values[a:b] for values in made)) for a, b in pairwise(ends)]
    split = zip(parts, played, shared, strict=True)
    return [_split(own, wanted, len(times), last) for own, (_, wanted), last in split]


def _split(made: Rows, wanted: Wanted, count: int, shared: bool) -> tuple[Rows, Known]:
    """Return the rows (`count`,) of a player, and the other rows that were computed for it.

    If `shared`, the last of the `count` rows is also the last of the rows at the ends of steps.
    """
    values, knots = made.values, wanted.doubtful
    marks = len(values) - len(wanted.times)
    shown = [] if wanted.shown is None else [wanted.shown[None]]
    ends = [*shown, values[count:marks], *([values[count - 1 : count]] if shared else [])]
    places = {step.key: place for place, step in enumerate(knots.steps)}
    rows = dict(zip(wanted.times, values[marks:], strict=True))
    return Rows(*(one[:count] for one in made)), Known(knots, places, np.concatenate(ends), rows)


def _ends_at(knots: Knots, piece: Span, time: float) -> bool:
    """Return whether the last of some knots has the same row, up to rounding, as a piece at `time`."""
    return bool(knots.times) and have_same_row(piece.of(time), time, knots.spans[-1], knots.times[-1])


def _alike(players: Sequence[Together]) -> list[list[int]]:
    """Return the indices of players whose rows can be computed together."""
    alike: dict[object, list[int]] = {}
    for index, player in enumerate(players):
        alike.setdefault(kind_of(player), []).append(index)
    return list(alike.values())


def comes_free(player: GraphPlayer) -> bool:
    """Return whether all limbs are free of locks in each cycle, long enough that earlier locks have no effect."""
    playing = player.moment.playing
    if not playing.now.verb.cyclic or not playing.rate:
        return False
    moments = np.arange(MOMENTS) / MOMENTS
    stands = np.array([playing.now.standing(phase) for phase in moments.tolist()])
    free = FADE * MOMENTS / sum(playing.now.lengths)
    for limb in limbs(player.graph.points, player.channels.skeleton):
        rows = np.flatnonzero(np.tile(stands & sum(1 << point for point in limb), 2))
        if len(rows) and np.diff(rows).max() - 1 < free:
            return False
    return True


def matters_from(player: GraphPlayer, pieces: Sequence[Span], time: float) -> float:
    """Return the time from which locks affect the row at `time`; minus infinity if all of them do.

    Once a limb has been free for as long as a correction fades, its earlier locks have no effect. On a floor some
    effects last longer.

    Parameters
    ----------
    player : player that has played the pieces.
    pieces : pieces in order, up to `time`.
    """
    found = time
    for limb in limbs(player.graph.points, player.channels.skeleton):
        bits, end = sum(1 << point for point in limb), time
        for piece in reversed(pieces):
            if piece.standing & bits:
                end = piece.begin.time
            elif end - piece.begin.time >= FADE:
                break
        else:
            return -math.inf
        found = min(found, end - FADE)
    return found
