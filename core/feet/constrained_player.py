"""A player that holds planted points still. It is the only user of locks, floor and steps home."""

import math
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from copy import copy
from itertools import chain, pairwise, takewhile
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ..figure.legs import limbs
from ..figure.lock_point import names_of
from ..play.graph_player import GraphPlayer
from ..play.held_points import Foresight
from ..play.piece import pieces_at
from ..play.player import Asked, Happening, Span
from .easing_curves import LEAST_GAP
from .foot_locks import TOO_FAR, FootLocks, Held, Spans
from .footholds_off_edges import Floor
from .joint_locks import RUN_UP
from .playing_together import NOTHING_KNOWN, Holder, Known, Lower, Wanted, kind_of
from .strain_questions import LATER, Doubt, Strain, have_same_row, knots_of, steps_of

Array = NDArray[np.float64]

Knees = Literal["hinge", "free"]

SETTLED_AFTER = 0.6
"""Seconds for which a point must have been planted before it may step home."""
LEFT_AFTER = 0.5
"""Seconds for which a point must still stay planted when it begins a step home."""
STRADDLES = 0.5
"""Distance from home, as a share of the leg's length, at which a lifted point that is soon planted again may be held if
it can then step home; with more, the root would sink by an eighth of the leg."""
FLEETING = 0.2
"""A point that is lifted for fewer seconds than this may be held until it is planted again."""
LOOKS_EVERY = 0.1
"""Seconds between checks for steps home; each check is made `LATER` seconds after the commands for its time."""
OFTEN = 5
"""Number of checks whose rows are computed together: few are needed while feet walk."""
STOOD = 0.08
"""Seconds for which points must have been planted before strain releases them."""
TOGETHER = 60
"""Maximum number of consecutive steps for which it is decided together whether strain releases points."""
ROWS = 12
"""Number of predicted rows of a swing."""


class ConstrainedPlayer(Holder[Lower]):
    """Holds the planted points of another player's motion, and makes feet that are left behind step home.

    It is a `Player`. The pieces of the player below define which points are planted. Points are locked and released
    between pieces, and steps home are considered every tenth of a second, whatever rows are requested.

    Parameters
    ----------
    player : the player below, such as a `GraphPlayer`.
    floor : heights of the ground, None for the examples' own.
    steps : whether feet that are left behind step home.
    knees : ``'hinge'``, as the examples bend them and never backwards; or ``'free'``, in the plane in which the motion
        bends them, and for straight knees in the direction of the feet.
    first : the piece at whose beginning points are first held, if `player` has already played; then `advance_all` must
        be given all pieces from that one on. None to begin with the present one.
    """

    def __init__(
        self,
        player: Lower,
        floor: Floor | None = None,
        steps: bool = True,
        knees: Knees = "free",
        first: Span | None = None,
    ) -> None:
        time = player.time if first is None else first.begin.time
        self.player = player
        self.points = player.points
        self.poses = player.poses if knees == "hinge" and self.points else None
        self.locks = FootLocks(player.channels, self.points, floor, self.poses)
        self._limbs = limbs(self.points, player.channels.skeleton)
        self._standing = self._kept = 0
        self._since = [time] * len(self.points)
        self._pieces: deque[Span] = deque()
        self._begin, self._landed = time, -np.inf
        self._due: tuple[Span, float] | None = None
        self._steps, self._look, self._changed = steps, _next_look(time), time
        self._happened: list[Happening] = []
        self._gone, self._looked = 0, time
        self._strained: dict[tuple[int, float], int] = {}
        self._known, self.shown = NOTHING_KNOWN, None
        self._enter(player.piece if first is None else first, Spans(self.locks, np.zeros(0), self._begin))

    @property
    def time(self) -> float:
        """Present time in seconds."""
        return self.player.time

    @property
    def standing(self) -> tuple[str, ...]:
        """Names of the planted points."""
        return names_of(self.points, self._standing)

    def command(self, time: float, what: Asked) -> None:
        """Command the player below."""
        self.player.command(time, what)

    def fork(self) -> "ConstrainedPlayer[Lower]":
        """Return an independent copy that continues from the present, without pending commands."""
        made = copy(self)
        made.player, made.locks = self.player.fork(), self.locks.copy()
        made._since, made._happened, made._strained = list(self._since), [], {}
        made._pieces = deque(piece.under(made.player.piece.over) for piece in self._pieces)
        made._due = self._due and (made._pieces[-1], self._due[1])
        return made

    def wanted(self, pieces: Sequence[Span], until: float) -> Wanted:
        """Return the steps of `pieces` up to `until` in which strain may release points, and when points change."""
        last, hinged = self._pieces[-1], self.poses is not None
        own = [last if piece.way is last.way else piece for piece in pieces if hinged]
        steps = chain(*map(steps_of, own))
        doubtful = [step for step in steps if self._looked < step.begin + LATER <= until and step.is_short]
        changes = [piece.begin.time for before, piece in pairwise([last, *pieces]) if piece.standing != before.standing]
        first = self._pieces[0].begin.time
        changed = [time for change in changes for time in (change - RUN_UP, change)]
        marks = [time for time in (*changed, *self._looks(until)) if first <= time <= until]
        return Wanted(knots_of(doubtful), self._begin_shown(doubtful), [*self._pieces, *pieces], marks)

    def _looks(self, until: float) -> Iterator[float]:
        """Yield the times of checks for steps home up to a time, if these are frequent."""
        look = self._look if self._steps and until - self._look > OFTEN * LOOKS_EVERY else np.inf
        while look <= until:
            yield look
            look = _next_look(look)

    def _begin_shown(self, doubtful: Sequence[Doubt]) -> Array | None:
        """Return the row computed last (width,) if it begins the first of some steps, otherwise None."""
        if not doubtful or self.shown is None:
            return None
        (before, time, row), first = self.shown, doubtful[0]
        step = first.piece.of(first.begin)
        return row if step.over is None and have_same_row(step, first.begin, before, time) else None

    def held(
        self, pieces: Sequence[Span], known: Known, until: float, times: Array
    ) -> Generator[Strain, list[int], Held]:
        """Lock and release points in pieces played up to `until`, and return the data for rows at `times` (T,).

        On the way it asks in which pieces which points are strained, and must be sent the answers; see `answered`.
        """
        self._known = known
        spans = Spans(self.locks, times, self._begin)
        self._strained.clear()
        for piece, following in zip(pieces, [*pieces[1:], None], strict=True):
            if piece.way is not self._pieces[-1].way:
                self._enter(piece, spans)
            limit = until if following is None else following.begin.time
            if limit > piece.begin.time:
                self._foresee()
            own = self._pieces[-1]
            *inner, last = steps_of(own)
            for step, end in zip(inner, own.times[1:], strict=False):
                yield from self._release_strained(step, end, spans)
                self._look_until(end, False, spans)
            yield from self._release_strained(last, limit, spans)
            self._look_until(limit, following is None, spans)
        spans.reach(np.inf, self._standing)
        self._known = NOTHING_KNOWN
        self._happened += [told for told in self.player.happened() if told.kind not in ("down", "up")]
        return Held(pieces, spans.held, spans.support)

    def happened(self) -> tuple[Happening, ...]:
        """Return the events since the last call, in order of time."""
        found, self._happened = sorted(self._happened, key=lambda happening: happening.time), []
        return tuple(found)

    def _enter(self, piece: Span, spans: Spans) -> None:
        """Begin a piece: lock points that become planted, and release those that leave for longer than an instant."""
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

    def _change(self, time: float, standing: int, spans: Spans) -> None:
        """Lock and release points, so that those with the bits `standing` are planted from `time` on."""
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
        """Record the pose just before points are released, but not before the last change."""
        early = max(time - RUN_UP, self._changed)
        if time - early >= LEAST_GAP and early >= self._pieces[0].begin.time:
            self.locks.note(early, self._row(early))

    def _release_strained(self, step: Doubt, end: float, spans: Spans) -> Generator[Strain, list[int], None]:
        """Release points for the rest of their windows if sweeping adverbs in a verb would rotate joints too fast."""
        time = step.begin + LATER
        if time <= self._looked or time > end or self.poses is None:
            return
        self._looked, self._gone = time, self._gone & step.piece.standing
        stood = sum(1 << k for k, since in enumerate(self._since) if time - since > STOOD) & self._standing
        if not stood or self.locks.steps or not step.is_short:
            return
        leaving = stood & (yield from self._strained_in(step))
        if leaving:
            self._gone |= leaving
            self._change(time, self._standing & ~leaving, spans)

    def _strained_in(self, step: Doubt) -> Generator[Strain, list[int], int]:
        """Return the bits of points that cannot be held in a step without rotating joints too fast.

        The results for the contiguous following steps, up to the first where the planted points change, are cached
        until a lock changes.
        """
        if step.key not in self._strained:
            first = self._known.places[step.key]
            following = self._known.doubtful.steps[first : first + TOGETHER]
            alike = takewhile(lambda both: both[1].goes_on_from(both[0]), pairwise(following))
            found = [step, *(one for _, one in alike)] if self.locks.terrain is None else [step]
            bits = yield Strain(kind_of(self), self.locks, *self._known.ends(first, len(found)))
            self._strained = dict(zip([one.key for one in found], bits, strict=True))
        return self._strained[step.key]

    def _look_until(self, end: float, through: bool, spans: Spans) -> None:
        """Begin and end steps home up to `end`; at `end` itself only if `through`: no other piece begins there."""
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

    def _step_home(self, time: float, spans: Spans) -> None:
        """Make the limb planted longest step home if it is too far away; one at a time, not in a transition."""
        piece = self._pieces[-1]
        if piece.begin.crossing or self.locks.steps or time - self._landed < 2.0 * LATER:
            return
        playing, row, far = None, None, list[int]()
        for limb in sorted(self._limbs, key=lambda limb: min(self._since[point] for point in limb)):
            down = [point for point in limb if self._standing >> point & 1]
            if not down or any(time - self._since[point] < SETTLED_AFTER for point in down):
                continue
            playing = playing or piece.moment(time)
            if any(playing.left(point) < LEFT_AFTER for point in down):
                continue
            if row is None:
                row = self._row(time)
                far = self.locks.too_far(time, row)
            if not set(down).isdisjoint(far):
                spans.reach(time, self._standing)
                for point in down:
                    self.locks.step_home(point, time, row)
                    self._tell(time, "lift", point)
                self._changed = time
                return

    def _returns(self, point: int, ahead: Foresight, time: float) -> bool:
        """Return whether a lifted point is planted again very soon, near enough to be held until then."""
        stands = ahead.until_stands(1 << point, FLEETING)
        if stands is None or stands - time >= FLEETING:
            return False
        moment = ahead.at(stands)
        look = LOOKS_EVERY + moment.crossing
        bears = STRADDLES if moment.left(point) >= look + LEFT_AFTER else TOO_FAR
        row = ahead.rows(np.array([stands]))[0]
        return self.locks.distances([point], time, row)[0] <= bears * self.locks.length(point)

    def _foresee(self) -> None:
        """Predict landings once all commands for the present time are known; when playback begins, immediately."""
        if self._due is not None:
            self._expect(*self._due)
            self._due = None

    def _expect(self, piece: Span, time: float) -> None:
        """Tell the floor where swinging points will land."""
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
        if time in self._known.rows:
            return self._known.rows[time]
        pieces, clock = list(self._pieces), np.array([time])
        return self.player.rows(pieces, pieces_at(pieces, clock), clock).values[0]

    def _height_of(self, point: int) -> Callable[[Array], float]:
        return lambda row: self.locks.height(point, row)

    def _tell(self, time: float, kind: str, point: int) -> None:
        self._happened.append(Happening(time, kind, self.points[point].name))


AnyPlayer = GraphPlayer | ConstrainedPlayer[GraphPlayer]
"""A player of a verb graph, with or without locks."""


def below(player: AnyPlayer) -> GraphPlayer:
    """Return the player of the verb graph, without locks."""
    return player.player if isinstance(player, ConstrainedPlayer) else player


def _next_look(time: float) -> float:
    """Return the time of the next check for steps home, which does not depend on when playback began."""
    return (math.floor(time / LOOKS_EVERY + LATER) + 1.0) * LOOKS_EVERY + LATER
