"""Pieces of playback between two cuts: rates are constant, so that rows at any times are one computation."""

import math
from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..figure.channels import FIRST_ROTATION, Channels, climb
from ..graph.overlay import Overlay
from ..graph.transition import Transition
from .adverb_smoothing import ROUNDING
from .inertialisation import Inertia, inertia_of
from .player import Handles, Span
from .playing_verb import Playing, Root
from .transition_queue import edge_before
from .transition_timing import Passage, begun, mean_fade
from .verb_now import VerbNow

Array = NDArray[np.float64]
Indices = NDArray[np.intp]

FINE = 1.0 / 60.0
"""Longest piece in seconds while the root follows a curve: in a cross-fade, or while an inertial offset decays."""


class Setting(NamedTuple):
    """What a piece needs besides the state at its beginning, and shares with many other pieces.

    Adverbs move linearly from their values at `since` to those in `Playing.then`, `step` seconds later.

    Parameters
    ----------
    channels : meaning of the columns of the rows.
    handles : handles that steer the player.
    adverbs : values by name at the time `since`.
    ways : the planned transitions, the next one first.
    since : start time in seconds of the present step of moving adverbs.
    step : duration of that step in seconds; infinite while adverbs rest.
    over : overlay of the rows, None if there is none.
    """

    channels: Channels
    handles: Handles
    adverbs: Mapping[str, float]
    ways: tuple[Transition, ...]
    since: float = 0.0
    step: float = math.inf
    over: Overlay | None = None


class Moment(NamedTuple):
    """The state of a player at one time.

    Parameters
    ----------
    time : time in seconds.
    clock : seconds on the verbs' clock, which the tempo speeds up or slows down.
    plays : one verb, or two in a transition.
    root : root of the figure.
    inertia : decaying offset from a verb that was left by an inertialised transition, None if there is none.
    """

    time: float
    clock: float
    plays: Playing | Passage
    root: Root
    inertia: Inertia | None = None

    @property
    def playing(self) -> Playing:
        """The verb that plays; during a transition, the one that is entered."""
        return self.plays.new if isinstance(self.plays, Passage) else self.plays

    @property
    def passage(self) -> Passage | None:
        """The transition that plays, None if a verb plays alone."""
        return self.plays if isinstance(self.plays, Passage) else None

    @property
    def name(self) -> str:
        """Name of the verb that plays; during a transition, of the one that is entered."""
        return self.playing.name

    @property
    def crossing(self) -> float:
        """Duration in seconds of the playing transition; 0 if a verb plays alone."""
        return self.plays.seconds if isinstance(self.plays, Passage) else 0.0

    def left(self, point: int) -> float:
        """Return the seconds for which a point stays planted; see `Playing.left`."""
        return self.playing.left(point)

    def ground(self, bit: int, row: Array, height_of: Callable[[Array], float]) -> tuple[float, float]:
        """Return clearance and drop of a point that becomes planted; see `ground_at`."""
        return ground_at(self, bit, row, height_of)


class Way(NamedTuple):
    """The numbers that define the rows of a piece: plain ones, or arrays (T,) with the piece of each row.

    The old verb's weight is that of the cross-fade if `blended` is 1, else `lone`. Rates are those of the verbs' clock.

    Parameters
    ----------
    time : start of the piece in seconds.
    clock : start of the piece on the verbs' clock.
    tempo, stride, nudge_x, nudge_y : handles.
    x, y, heading, height : root at the beginning.
    passed : elapsed share of the transition at the beginning; 0 if there is none.
    pace : rate of that share; 0 if there is no transition.
    blended : 1 in a cross-fade of two verbs, else 0.
    lone : 1 for a verb alone, whose numbers stand in place of the old verb's; 0 in a transition (in an inertialised
        one, only the new verb plays).
    old_phase, old_rate, new_phase, new_rate : generic time of each verb at the beginning, and its rate.
    old_x, old_y, old_turn, old_climb, new_x, new_y, new_turn, new_climb : drift of each verb per generic time.
    entered : 1 in a transition, else 0.
    cycle : number of cycles of the playing verb; in a transition, of the new one.
    """

    time: Any
    clock: Any
    tempo: Any
    stride: Any
    nudge_x: Any
    nudge_y: Any
    x: Any
    y: Any
    heading: Any
    height: Any
    passed: Any
    pace: Any
    blended: Any
    lone: Any
    old_phase: Any
    old_rate: Any
    old_x: Any
    old_y: Any
    old_turn: Any
    old_climb: Any
    new_phase: Any
    new_rate: Any
    new_x: Any
    new_y: Any
    new_turn: Any
    new_climb: Any
    entered: Any
    cycle: Any


class Piece(NamedTuple):
    """What is played from a moment until the next cut.

    Parameters
    ----------
    begin : state at its beginning.
    until : time in seconds at which it ends; may be infinite.
    planned : time in seconds at which it would end without further commands; may be infinite.
    reach : generic time, or share of a transition, at its end, if it ends at an edge; None if it ends at a time.
    standing : bits of the points that are planted throughout.
    setting : data shared with other pieces.
    way : the numbers that define its rows.
    """

    begin: Moment
    until: float
    planned: float
    reach: float | None
    standing: int
    setting: Setting
    way: Way

    @property
    def over(self) -> Overlay | None:
        """Overlay of its rows."""
        return self.setting.over

    @property
    def times(self) -> tuple[float, float]:
        """Times in seconds at which it begins and ends."""
        return self.begin.time, self.until

    @property
    def ends(self) -> tuple[float]:
        """Time in seconds at which it would end without further commands."""
        return (self.planned,)

    @property
    def last(self) -> "Piece":
        """Itself, as its only step."""
        return self

    @property
    def parts(self) -> "list[Piece]":
        """Itself, as its only step."""
        return [self]

    def of(self, time: float) -> "Piece":
        """Return the step at a time within it, which is the piece itself."""
        return self

    def follows(self, before: "Piece") -> bool:
        """Return whether its first row is known to equal the last row of the piece `before`, up to rounding."""
        plays, was, begin = self.begin.plays, before.begin.plays, self.begin.time
        if isinstance(plays, Passage) or isinstance(was, Passage) or before.until != begin:
            return False
        if plays.name != was.name or self.begin.inertia is not before.begin.inertia or self.over or before.over:
            return False
        if plays.then is was.then and plays.now is was.now:
            return plays.then is None or self.setting.since == before.setting.since
        through = was.then is None or abs(before.setting.since + before.setting.step - begin) < ROUNDING
        fresh = plays.then is None or self.setting.since == begin
        last = was.now.mixing if was.then is None else was.then
        return through and fresh and np.array_equal(last, plays.now.mixing)

    def at(self, time: float) -> Moment:
        """Return the state at a time within the piece, or at its end."""
        begin, seconds = self.begin, time - self.begin.time
        clock = begin.clock + seconds * self.way.tempo
        whole, plays = time >= self.until and self.reach is not None, begin.plays
        if isinstance(plays, Passage):
            passed = self.way.passed + self.way.pace * (clock - begin.clock)
            now: Playing | Passage = plays.gone(self.reach if whole and self.reach is not None else passed)
        else:
            phase = plays.phase + self.way.old_rate * (clock - begin.clock)
            now = plays.at(self.reach if whole and self.reach is not None else phase)
        more = begin.inertia.drift(begin.clock, clock) if begin.inertia else (0j, 0.0, 0.0)
        inertia = None if begin.inertia is None or begin.inertia.over(clock) else begin.inertia
        return Moment(time, clock, now, root_at(self.way, seconds, more), inertia)

    def moment(self, time: float) -> Moment:
        """Return the state at a time within the piece; at its beginning, the original `Moment`."""
        return self.at(time) if time > self.begin.time else self.begin

    def under(self, over: Overlay | None) -> "Piece":
        """Return the piece with another overlay of its rows."""
        return self._replace(setting=self.setting._replace(over=over))

    def cut(self, time: float) -> "Piece":
        """Return the piece shortened to end at `time`."""
        return self._replace(until=time, reach=None)


def piece_from(begin: Moment, setting: Setting, latest: float = math.inf) -> Piece:
    """Return the piece that begins with a state and ends at the next edge, or at `latest` if that is earlier."""
    plays, (until, reach, pace) = begin.plays, edge_from(begin, setting)
    if begin.inertia is not None or isinstance(plays, Passage):
        latest = min(latest, begin.time + FINE)
    until, end = min(until, latest), None if latest < until else reach
    planned = min(until, setting.since + setting.step)
    return Piece(begin, until, planned, end, plays.standing, setting, _way(begin, setting.handles, plays, pace))


def edge_from(begin: Moment, setting: Setting) -> tuple[float, float, float]:
    """Return the time in seconds of the next edge after a state, the position of the edge, and the pace.

    The position is in generic time, or a share of a transition; the pace is its change per second of the verbs' clock.
    """
    plays = begin.plays
    if isinstance(plays, Passage):
        here, reach, pace = plays.passed, plays.next_edge(), plays.pace()
    else:
        here, reach, pace = plays.phase, edge_before(setting.ways, plays), plays.rate
    return begin.time + ((reach - here) / pace / setting.handles.tempo if pace else math.inf), reach, pace


def _way(begin: Moment, handles: Handles, plays: Playing | Passage, pace: float) -> Way:
    """Return the numbers of a piece; `pace` is the rate of its verb or transition."""
    root = begin.root
    x, y = root.place.real, root.place.imag
    first = begin.time, begin.clock, handles.tempo, handles.stride, handles.nudge_x, handles.nudge_y
    there = x, y, root.heading, root.height
    if not isinstance(plays, Passage):
        return Way(*first, *there, 0.0, 0.0, 0.0, 1.0, plays.phase, pace, *plays.drift, *_NOTHING, 0.0, plays.cycle)
    slow, fast = plays.speeds
    old, new = ((one.phase, pace * speed, *one.drift) for one, speed in ((plays.old, slow), (plays.new, fast)))
    return Way(*first, *there, plays.passed, pace, float(plays.blended), 0.0, *old, *new, 1.0, plays.new.cycle)


_NOTHING = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


def root_at(way: Way, seconds: Any, more: tuple[Any, Any, Any]) -> Root:
    """Return the root `seconds` after a piece began; `more` is the drift added by inertia over these seconds."""
    clock = seconds * way.tempo
    share = way.lone + way.blended * (mean_fade(way.passed, way.passed + way.pace * clock) - way.lone)
    old, new = share * way.old_rate * clock, (1.0 - share) * way.new_rate * clock
    velocity = old * (way.old_x + 1j * way.old_y) + new * (way.new_x + 1j * way.new_y) + more[0]
    turn = old * way.old_turn + new * way.new_turn + more[1]
    climbed = old * way.old_climb + new * way.new_climb + more[2]
    root = Root(way.x + 1j * way.y, way.heading, way.height).moved((velocity, turn, climbed), way.stride)
    return root._replace(place=root.place + seconds * (way.nudge_x + 1j * way.nudge_y))


def pieces_at(pieces: Sequence[Span], times: Array) -> Indices:
    """Return the indices (T,) of those `pieces`, given in order, that are played at `times` (T,).

    Where one piece ends and the next begins, the index is that of the next.
    """
    if len(times) == 1:
        return np.array([max(bisect_right(pieces, times[0], key=_began) - 1, 0)], dtype=np.intp)
    begins = np.array([_began(piece) for piece in pieces])
    return np.maximum(np.searchsorted(begins, times, side="right") - 1, 0)


def _began(piece: Span) -> float:
    return piece.begin.time


def _nearer_ways(old: Playing, new: VerbNow, phase: float) -> Array:
    """Return signs (R,) that bring quaternions of `new` at `phase` into the hemisphere of those of `old`."""
    channels = old.now.verb.channels
    both = [
        playing.verb.poses(np.array([at]), playing.mixing)[0, FIRST_ROTATION - 3 :]
        for playing, at in ((old.now, old.phase), (new, phase))
    ]
    one, other = (pose[: 4 * len(channels.rotating)].reshape(-1, 4) for pose in both)
    return np.where(np.sum(one * other, axis=1) < 0.0, -1.0, 1.0)


def entering(moment: Moment, old: Playing, new: VerbNow, way: Transition) -> Moment:
    """Return `moment` with the transition `way` begun: from `old`, at its present position, into `new`."""
    passage = begun(way, old, new, _nearer_ways(old, new, way.enters.begin))
    if passage.blended:
        return moment._replace(plays=passage)
    channels = new.verb.channels
    inertia = inertia_of(channels, old, passage.new, passage.seconds, moment.clock, moment.inertia)
    return moment._replace(plays=passage, inertia=inertia)


def ground_at(moment: Moment, bit: int, row: Array, height_of: Callable[[Array], float]) -> tuple[float, float]:
    """Return clearance and drop of a point that becomes planted: its height over the ground, and its remaining drop.

    If the mixture of a transition has the point off the ground, the point should sink to the height at which it would
    be planted if the verb that has it on the ground played alone.

    Parameters
    ----------
    moment : state when the point becomes planted.
    bit : bit of the point.
    row : (width,) row of that time, without locks.
    height_of : function that returns the point's height in a row.
    """
    passage = moment.passage
    if passage is None:
        return moment.playing.ground(bit)
    playing = passage.holding(bit)
    clearance, drop = playing.ground(bit)
    opening, climbed = _came_down(playing, bit)
    alone = row.copy()
    alone[3:] = playing.now.verb.poses(np.array([opening]), playing.now.mixing)[0]
    climb(playing.now.verb.channels, alone, moment.root.height - climbed)
    return clearance, drop + height_of(row) - height_of(alone)


def _came_down(playing: Playing, bit: int) -> tuple[float, float]:
    """Return the generic time at which the present contact of the point of `bit` began, and the climb since then."""
    cyclic = playing.now.verb.cyclic
    stands = [stand for stand in playing.now.stands if stand[2] == bit]
    around = (stand for stand in stands if stand[0] <= playing.phase <= stand[1])
    begin, _, _, window = next(around, (playing.phase, 1.0, bit, -1))
    earlier = [other for other, end, _, its in stands if its == window and end == 1.0 and other > 0.0]
    begin = earlier[0] - 1.0 if begin == 0.0 and earlier and cyclic else begin
    past, until, climbed = Playing(playing.now, begin % 1.0 if cyclic else begin), playing.phase + (begin < 0.0), 0.0
    opening = past.phase
    while past.cycle + past.phase < until:
        reach = min(past.next_edge(), until - past.cycle)
        climbed += past.drift[3] * (reach - past.phase)
        past = past.at(reach).wrapped()
    return opening, climbed
