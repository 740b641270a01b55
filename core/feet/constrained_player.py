"""A player whose points stand still while they are planted: the one home of locks, floor and steps home."""

import math
from collections import deque
from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Any, Generic, Literal, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..figure.channels import Channels
from ..figure.legs import limbs
from ..play.graph_player import GraphPlayer
from ..play.held_points import Foresight, Holdable, Span
from ..play.piece import pieces_at
from ..play.piece_rows import Rows, stretch_of
from ..play.player import Asked, Happening, Stretch
from .easing_curves import LEAST_GAP
from .footholds_off_edges import Floor
from .joint_locks import RUN_UP
from .lock_release_step_home import TOO_FAR, FootLocks, HeldTimes, locked_rows

Array = NDArray[np.float64]

Knees = Literal["hinge", "free"]
Lower = TypeVar("Lower", bound=Holdable)
"""The kind of player below."""

SETTLED_AFTER = 0.6
"""Seconds for which a point has to stand before it may step home."""
LEFT_AFTER = 0.5
"""Seconds for which it has to go on standing from then on."""
STRADDLES = 0.5
"""The same for a point that can step home; if it were more, the root would sink by an eighth of the leg."""
FLEETING = 0.2
"""Seconds that are too few for a step home."""
LOOKS_EVERY, LATER = 0.1, 1e-6
"""Seconds between two checks whether a foot is to step home, and by how much they come after commands of that time."""
SHORT, STOOD = 0.02, 0.08
"""Longest piece, in seconds, at whose beginning points may be let go; and for how long they have to have stood."""
TOGETHER = 60
"""Most pieces that are looked at together with one, to find out whether points are to be let go in them."""
ROWS = 12
"""Rows of a swing that are foreseen."""


class ConstrainedPlayer(Generic[Lower]):
    """Holds the points that stand in what another player plays, and lets feet that are left behind step home.

    It is a `Player`. The pieces of the player below say which points stand. Points are locked and released where pieces
    meet, and steps home are considered every tenth of a second, whichever rows are asked for.

    Parameters
    ----------
    player : the player below, such as a `GraphPlayer`.
    floor : heights of the ground, None for the examples' own.
    steps : whether feet that are left behind step home.
    knees : ``'hinge'``, as the examples bend them and never backwards; or ``'free'``, in whatever plane the motion
        bends them, and where they are straight as their feet point.
    """

    def __init__(self, player: Lower, floor: Floor | None = None, steps: bool = True, knees: Knees = "free") -> None:
        self.player = player
        self.points = player.points
        self.poses = player.poses if knees == "hinge" and self.points else None
        self.locks = FootLocks(player.channels, self.points, floor, self.poses)
        self._limbs = limbs(self.points, player.channels.skeleton)
        self._standing = self._kept = 0
        self._since = [player.time] * len(self.points)
        self._pieces: deque[Span] = deque()
        self._begin, self._landed = player.time, -np.inf
        self._due: tuple[Span, float] | None = None
        self._steps, self._look, self._changed = steps, _next_look(player.time), player.time
        self._happened: list[Happening] = []
        self._gone, self._looked = 0, player.time
        self._strained: dict[int, int] = {}
        self._enter(player.piece, _Spans(self.locks, np.zeros(0), self._begin))

    @property
    def channels(self) -> Channels:
        """What the columns of the rows mean."""
        return self.player.channels

    @property
    def time(self) -> float:
        """Seconds up to which it has played."""
        return self.player.time

    @property
    def standing(self) -> tuple[str, ...]:
        """Names of the points that stand."""
        return tuple(point.name for k, point in enumerate(self.points) if self._standing >> k & 1)

    def command(self, time: float, what: Asked) -> None:
        """Command the player below."""
        self.player.command(time, what)

    def advance(self, times: ArrayLike) -> Stretch:
        """Play on, and return the rows at `times` (T,), not decreasing and not before the present, with locks."""
        return advance_all([self], times)[0]

    def play(self, until: float) -> Sequence[Span]:
        """Play up to a time without making rows; return the pieces that were played from the present on, in order."""
        return self.hold(until, np.zeros(0)).pieces

    def fork(self) -> "ConstrainedPlayer[Lower]":
        """Return a player that goes on by itself from the present, and knows of no command that is still to come."""
        made = copy(self)
        made.player, made.locks = self.player.fork(), self.locks.copy()
        made._since, made._happened, made._strained = list(self._since), [], {}
        made._pieces = deque(piece.under(made.player.piece.over) for piece in self._pieces)
        made._due = self._due and (made._pieces[-1], self._due[1])
        return made

    def hold(self, until: float, times: Array) -> "Held":
        """Play up to `until`, lock and release points on the way, and return what rows at `times` (T,) need."""
        pieces = self.player.play(until)
        spans = _Spans(self.locks, times, self._begin)
        self._strained.clear()
        for index, (piece, following) in enumerate(zip(pieces, [*pieces[1:], None], strict=True)):
            if piece.way is not self._pieces[-1].way:
                self._enter(piece, spans)
            if (until if following is None else following.begin.time) > piece.begin.time:
                self._foresee()
            after = pieces[index + 1 : index + TOGETHER]
            self._let_go(until if following is None else following.begin.time, after, spans)
            self._look_until(until if following is None else following.begin.time, following is None, spans)
        spans.reach(np.inf, self._standing)
        self._happened += [told for told in self.player.happened() if told.kind not in ("down", "up")]
        return Held(pieces, spans.held, spans.support)

    def happened(self) -> tuple[Happening, ...]:
        """Return what has happened since this was last called, in order of time."""
        found, self._happened = sorted(self._happened, key=lambda happening: happening.time), []
        return tuple(found)

    def _enter(self, piece: Span, spans: "_Spans") -> None:
        """Begin a piece: lock the points that come to stand, and release those that leave for more than a moment."""
        time = piece.begin.time
        while self._pieces and self._pieces[-1].begin.time >= time:
            self._pieces.pop()
        self._pieces.append(piece)
        while len(self._pieces) > 2 and self._pieces[1].begin.time < time - RUN_UP:
            self._pieces.popleft()
        leaving = self._standing & ~piece.standing & (-1 if piece.begin.crossing else self._kept)
        self._kept = 0
        for point in range(len(self.points)) if leaving else ():
            if leaving >> point & 1 and self._returns(point, self.player.ahead(piece, time), time):
                self._kept |= 1 << point
        standing = piece.standing & ~self._gone | self._kept
        changed = self._standing ^ standing
        if changed or (self._due is not None and self._due[1] == time):
            self._due = piece, time
        if not changed:
            return
        self._change(time, standing, spans)
        if time <= self._begin:
            self._foresee()

    def _change(self, time: float, standing: int, spans: "_Spans") -> None:
        """Lock and release points, so that those with the bits `standing` stand from `time` on."""
        spans.reach(time, self._standing)
        self._strained.clear()
        changed = self._standing ^ standing
        if changed & self._standing:
            self._note(time)
        self._standing, self._changed = standing, time
        begin, row = self._pieces[-1].begin, self._row(time)
        for point in range(len(self.points)):
            if changed >> point & 1:
                self._since[point] = time
                if standing >> point & 1:
                    self._tell(time, "down", point)
                    self.locks.lock(point, time, row, *begin.ground(1 << point, row, self._height_of(point)))
                else:
                    self._tell(time, "up", point)
                    self.locks.release(point, time, row)

    def _note(self, time: float) -> None:
        """Note the pose just before points are released, but not before the last change."""
        early = max(time - RUN_UP, self._changed)
        if time - early >= LEAST_GAP and len(self._pieces) > 1:
            self.locks.note(early, self._row(early))

    def _let_go(self, end: float, pieces: Sequence[Span], spans: "_Spans") -> None:
        """Let points go for the rest of their windows if sweeping adverbs in a verb would turn joints too fast.

        `pieces` are those that are played after the present one.
        """
        piece = self._pieces[-1]
        time = piece.begin.time + LATER
        if time <= self._looked or time > end or self.poses is None:
            return
        self._looked, self._gone = time, self._gone & piece.standing
        stood = sum(1 << k for k, since in enumerate(self._since) if time - since > STOOD) & self._standing
        alone = not self.locks.steps
        if not (stood and alone and _is_short(piece)):
            return
        leaving = stood & self._strained_in(pieces)
        if leaving:
            self._gone |= leaving
            self._change(time, self._standing & ~leaving, spans)

    def _strained_in(self, pieces: Sequence[Span]) -> int:
        """Return the bits of points that joints would turn too fast to hold in the present piece.

        What is found of the pieces after it, up to the first where other points stand, is kept until a lock changes.
        """
        piece = self._pieces[-1]
        if id(piece) not in self._strained:
            alike = takewhile(lambda one: one.standing == piece.standing and _is_short(one), pieces)
            found = [piece, *(alike if self.locks.terrain is None else ())]
            times = np.array([(one.begin.time + LATER, one.until) for one in found])
            rows = self.player.rows(found, np.arange(len(found)).repeat(2), times.ravel()).values
            self._strained = dict(zip(map(id, found), self.locks.strained(times, rows), strict=True))
        return self._strained[id(piece)]

    def _look_until(self, end: float, through: bool, spans: "_Spans") -> None:
        """Begin and end steps home up to `end`; at `end` itself only if `through`, when no other piece begins there."""
        while True:
            lands = min((step.end for step in self.locks.steps.values()), default=np.inf)
            time = min(self._look, lands)
            if time > end or (time == end and not through):
                return
            for point in [point for point, step in self.locks.steps.items() if step.end <= time]:
                spans.reach(time, self._standing)
                self._strained.clear()
                self.locks.come_home(point, time, self._row(time))
                self._changed = self._landed = time
                self._tell(time, "home", point)
            if time >= self._look:
                self._look = _next_look(time)
                if self._steps:
                    self._step_home(time, spans)
            if self.locks.terrain is not None:
                spans.reach(time, self._standing)
                self._expect(self._pieces[-1], time)

    def _step_home(self, time: float, spans: "_Spans") -> None:
        """Let the limb that has stood longest step home if it stands too far away; one at a time, in no transition."""
        piece = self._pieces[-1]
        if piece.begin.crossing or self.locks.steps or time - self._landed < 2.0 * LATER:
            return
        playing, row = None, None
        for limb in sorted(self._limbs, key=lambda limb: min(self._since[point] for point in limb)):
            down = [point for point in limb if self._standing >> point & 1]
            if not down or any(time - self._since[point] < SETTLED_AFTER for point in down):
                continue
            playing = playing or piece.moment(time)
            if any(playing.left(point) < LEFT_AFTER for point in down):
                continue
            row = self._row(time) if row is None else row
            if any(self.locks.stands_too_far(point, time, row) for point in down):
                spans.reach(time, self._standing)
                for point in down:
                    self.locks.step_home(point, time, row)
                    self._tell(time, "lift", point)
                self._changed = time
                return

    def _returns(self, point: int, ahead: Foresight, time: float) -> bool:
        """Whether a point that leaves stands again in a moment, near enough to where it is now to be held till then."""
        stands = ahead.until_stands(1 << point)
        if stands is None or stands - time >= FLEETING:
            return False
        moment = ahead.at(stands)
        look = LOOKS_EVERY + moment.crossing
        bears = STRADDLES if moment.left(point) >= look + LEFT_AFTER else TOO_FAR
        row = ahead.rows(np.array([stands]))[0]
        return self.locks.distance(point, time, row) <= bears * self.locks.length(point)

    def _foresee(self) -> None:
        """Foresee landings when all commands of that time are known; at the beginning at once."""
        if self._due is not None:
            self._expect(*self._due)
            self._due = None

    def _expect(self, piece: Span, time: float) -> None:
        """Tell the floor where the points that swing will land."""
        if self.locks.terrain is None:
            return
        ahead = self.player.ahead(piece, time)
        for point in range(len(self.points)):
            landing = None if (self._standing | self._gone) >> point & 1 else ahead.until_stands(1 << point)
            if landing is not None:
                rows = ahead.rows(time + (landing - time) * np.arange(1, ROWS + 1) / ROWS)
                ground = ahead.at(landing).ground(1 << point, rows[-1], self._height_of(point))
                self.locks.expect(point, time, landing, rows, *ground)

    def _row(self, time: float) -> Array:
        """Return the row (width,), without locks, of a time within the last pieces."""
        pieces, clock = list(self._pieces), np.array([time])
        return self.player.rows(pieces, pieces_at(pieces, clock), clock).values[0]

    def _height_of(self, point: int) -> Callable[[Array], float]:
        return lambda row: self.locks.height(point, row)

    def _tell(self, time: float, kind: str, point: int) -> None:
        self._happened.append(Happening(time, kind, self.points[point].name))


AnyPlayer = GraphPlayer | ConstrainedPlayer[GraphPlayer]
"""What goes through a verb graph, with locks or without."""
Together = Holdable | ConstrainedPlayer[Any]
"""What `advance_all` takes several of."""


@dataclass(frozen=True, eq=False)
class Held:
    """What one player has played, before its rows are made.

    Parameters
    ----------
    pieces : in order.
    spans : states of its locks at the times of its rows.
    support : (T,) bits of the points that stand at these times; empty for a player without locks.
    """

    pieces: Sequence[Span]
    spans: Sequence[HeldTimes]
    support: NDArray[np.intp]


class _Spans:
    """Collects the states of the locks, and which points stand, at the `times` (T,) of rows, while the locks change."""

    def __init__(self, locks: FootLocks, times: Array, begin: float) -> None:
        self.held: list[HeldTimes] = []
        self.support = np.zeros(len(times), dtype=np.intp)
        self._locks, self._times, self._begin, self._first = locks, times, begin, 0

    def reach(self, time: float, standing: int) -> None:
        """Take down the state of the locks for the rows before `time`; to be called before they change at that time.

        `standing` are the bits of the points that have stood until then.
        """
        if self._locks.terrain is not None:
            self._locks.terrain.begun = time > self._begin
        end = int(np.searchsorted(self._times, time))
        if end > self._first:
            self.support[self._first : end] = standing
            self.held.append(self._locks.at(self._times[self._first : end]))
            self._first = end


def advance_all(players: Sequence[Together], times: ArrayLike) -> list[Stretch]:
    """Play several players on, and return the rows of each at the same `times` (T,), computed together."""
    clock = np.asarray(times, dtype=np.float64)
    until, alike = float(clock[-1]), dict[object, list[tuple[int, Together, Held]]]()
    for index, player in enumerate(players):
        if isinstance(player, ConstrainedPlayer):
            below: Holdable = player.player
            kind = type(below), player.channels, player.points, player.poses, player.locks.terrain is None
            held = player.hold(until, clock)
        else:
            kind, held = (type(player), player.channels), Held(player.play(until), (), np.zeros(0, dtype=np.intp))
        alike.setdefault(kind, []).append((index, player, held))
    found: dict[int, Stretch] = {}
    for group in alike.values():
        for (index, player, held), rows in zip(group, _rows_of_all(group, clock), strict=True):
            stretch = stretch_of(held.pieces, clock, rows, player.happened())
            found[index] = replace(stretch, support=held.support) if len(held.support) else stretch
    return [found[index] for index in range(len(players))]


def _rows_of_all(group: Sequence[tuple[int, Together, Held]], times: Array) -> list[Rows]:
    """Return the rows of each of some players with the same channels and points, which all have locks or none."""
    pieces = [piece for _, _, held in group for piece in held.pieces]
    firsts = np.cumsum([0, *(len(held.pieces) for _, _, held in group)])
    which = [pieces_at(held.pieces, times) + first for (_, _, held), first in zip(group, firsts, strict=False)]
    first = group[0][1]
    below: Holdable = first.player if isinstance(first, ConstrainedPlayer) else first
    rows = below.rows(pieces, np.concatenate(which), np.tile(times, len(group)))
    locks = [player.locks for _, player, _ in group if isinstance(player, ConstrainedPlayer)]
    values = locked_rows(locks, [held.spans for _, _, held in group], rows.values) if locks else rows.values
    own = [slice(first, first + len(times)) for first in range(0, len(values), len(times))]
    return [Rows(values[mine], rows.heights[mine], rows.phases[mine]) for mine in own]


def _is_short(piece: Span) -> bool:
    """Whether a piece is as short as those in which adverbs sweep: at its beginning points may be let go."""
    return LEAST_GAP < piece.until - (piece.begin.time + LATER) <= SHORT and not piece.begin.crossing


def _next_look(time: float) -> float:
    """Return when it is checked next whether a foot is to step home: times do not depend on when playing began."""
    return (math.floor(time / LOOKS_EVERY + LATER) + 1.0) * LOOKS_EVERY + LATER
