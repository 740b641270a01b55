"""Steps planned together as one piece: steps of moving adverbs, or fine steps of transitions and inertia."""

import math
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from ..graph.overlay import Overlay
from .adverb_smoothing import SETTLES_EVERY, SettlingAdverbs
from .piece import FINE, Moment, Piece, Setting, Way, edge_from, root_at
from .player import AskAdverbs, Asked
from .playing_verb import Playing, Root
from .steps_ahead import Leads, Step, steps_ahead
from .transition_timing import Passage
from .verb_now import PacedSteps, Pacer, Passes

Array = NDArray[np.float64]
Flags = NDArray[np.bool_]

LEAST = 3
"""Minimum number of steps for planning them together."""
FEW = 4
"""Number of pending commands that are checked for changes of anything but adverbs."""
CLOSE = 1e-9
"""Generic time before an edge within which a step is planned separately."""


@dataclass(frozen=True, eq=False)
class Block:
    """Steps between two edges, with the same planted points, as one piece: a `Span`.

    They are steps of moving adverbs in one verb, or fine steps of a transition or of inertia at resting adverbs.

    Parameters
    ----------
    first : the first step.
    ways : (K, 28) the numbers of each step, as in `Way`.
    times : (K + 1,) times in seconds at which they begin, and at which the last one ends.
    ends : (K,) times in seconds at which they would end without further commands.
    begun : function from a step's index and numbers to what plays at its beginning, and its setting.
    """

    first: Piece
    ways: Array
    times: Sequence[float]
    ends: Sequence[float]
    begun: Callable[[int, Way], tuple[Playing | Passage, Setting]]
    _made: dict[int, Piece] = field(default_factory=dict[int, Piece])

    @property
    def begin(self) -> Moment:
        """State at its beginning."""
        return self.first.begin

    @property
    def until(self) -> float:
        """End time in seconds."""
        return self.times[-1]

    @property
    def reach(self) -> float | None:
        """None, since a block ends at a time and not at an edge."""
        return None

    @property
    def standing(self) -> int:
        """Bits of the planted points."""
        return self.first.standing

    @property
    def setting(self) -> Setting:
        """Setting of its first step, shared with other pieces."""
        return self.first.setting

    @property
    def over(self) -> Overlay | None:
        """Overlay of its rows."""
        return self.first.over

    @property
    def way(self) -> Array:
        """Object that identifies the block; only its copies under another overlay share it."""
        return self.ways

    @property
    def last(self) -> Piece:
        """Its last step."""
        return self.part(len(self.times) - 2)

    @property
    def parts(self) -> list[Piece]:
        """Its steps as pieces."""
        return [self.part(index) for index in range(len(self.times) - 1)]

    def part(self, index: int) -> Piece:
        """Return one of its steps as a piece."""
        if index not in self._made:
            self._made[index] = self._piece(index)
        return self._made[index]

    def of(self, time: float) -> Piece:
        """Return the step at a time within it as a piece; where two steps meet, the second."""
        return self.part(min(max(bisect_right(self.times, time) - 1, 0), len(self.times) - 2))

    def at(self, time: float) -> Moment:
        """Return the state at a time within it, or at its end."""
        return self.of(time).at(time)

    def moment(self, time: float) -> Moment:
        """Return the state at a time within it; at its beginning, the original `Moment`."""
        return self.of(time).moment(time)

    def under(self, over: Overlay | None) -> "Block":
        """Return it with another overlay of its rows."""
        return replace(self, first=self.first.under(over), _made={})

    def cut(self, time: float) -> "Block":
        """Return it shortened to end at `time`."""
        count = min(max(bisect_right(self.times, time), 1), len(self.times) - 1)
        return replace(self, times=[*self.times[:count], time], ends=self.ends[:count], _made={})

    def follows(self, before: "AnyPiece") -> bool:
        """Return whether its first row is known to equal the last row of the piece `before`, up to rounding."""
        return self.first.follows(before.last)

    def _piece(self, index: int) -> Piece:
        way, until = Way(*self.ways[index].tolist()), self.times[index + 1]
        if index == 0:
            return self.first.cut(until)
        plays, setting = self.begun(index, way)
        root = Root(complex(way.x, way.y), way.heading, way.height)
        moment = Moment(way.time, way.clock, plays, root, self.first.begin.inertia)
        return Piece(moment, until, self.ends[index], None, self.standing, setting._replace(over=self.first.over), way)


AnyPiece = Piece | Block
"""What a player of a verb graph plays between two cuts."""


def block_from(first: Piece, steps: Sequence[Step], paced: PacedSteps) -> Block | None:
    """Return the block that begins with the piece `first`, up to the first step in which there is an edge.

    Parameters
    ----------
    first : first step, planned separately.
    steps : (K,) the step of `first`, and those after it.
    paced : data of the playing verb in them.

    Returns
    -------
    The block, or None if it would have too few steps.
    """
    plays, begin, handles = first.begin.plays, first.begin, first.setting.handles
    at_edge = first.reach is not None and first.until < steps[0].until
    if isinstance(plays, Passage) or begin.inertia is not None or not plays.rate or len(steps) < LEAST or at_edge:
        return None
    ends = np.array([step.until for step in steps])
    begins = np.concatenate([[begin.time], ends[:-1]])
    clock = (ends - begins) * handles.tempo
    rates, drifts = paced.rates[:, plays.segment], paced.drifts[:, plays.segment]
    gone = rates * clock
    reached = plays.phase + np.cumsum(gone)
    phases = np.concatenate([[plays.phase], reached[:-1]])
    passes = plays.passes
    edges = _next_edges(first, plays, phases, paced)
    free = (reached < edges - CLOSE) & _stays(paced, phases, plays.cycle, passes)
    count = int(free.argmin()) if not free.all() else len(free)
    if count < LEAST:
        return None
    gone, drifts, seconds = gone[:count], drifts[:count], (ends - begins)[:count]
    along, turns = gone * (drifts[:, 0] + 1j * drifts[:, 1]), gone * drifts[:, 2]
    headings = first.way.heading + _before(turns)
    moved = Root(0j, headings, 0.0).moved((along, turns, gone * drifts[:, 3]), handles.stride)
    nudged = moved.place + seconds * complex(handles.nudge_x, handles.nudge_y)
    places = complex(first.way.x, first.way.y) + _before(nudged)
    ways = _ways(
        first.way,
        count,
        time=begins[:count],
        clock=begin.clock + _before(clock[:count]),
        x=places.real,
        y=places.imag,
        heading=headings,
        height=first.way.height + _before(moved.height),
        old_phase=phases[:count],
        old_rate=rates[:count],
    )
    ways[:, _DRIFT] = drifts
    uncut = np.array([step.since + step.seconds for step in steps])
    planned = np.minimum(uncut, begins + (edges - phases) / rates / handles.tempo)[:count].tolist()
    times, planned = [begin.time, *ends[:count].tolist()], [first.planned, *planned[1:]]
    return Block(first, ways, times, planned, partial(_swept, first, steps, paced))


def _ways(first: Way, count: int, **columns: Array) -> Array:
    """Return the numbers (`count`, 28) of steps that differ from the first one in some `columns` (`count`,) by name."""
    ways = np.tile(first, (count, 1))
    for name, values in columns.items():
        ways[:, Way._fields.index(name)] = values
    return ways


def _swept(first: Piece, steps: Sequence[Step], paced: PacedSteps, index: int, way: Way) -> tuple[Playing, Setting]:
    """Return what plays at the beginning of a step of moving adverbs, and its setting; see `block_from`."""
    step, plays = steps[index], first.begin.playing
    playing = Playing(paced.now(index), way.old_phase, plays.cycle, paced.thens[index], plays.passes)
    return playing, first.setting._replace(adverbs=step.adverbs.values, since=step.since, step=step.seconds)


def fine_block(first: Piece, until: float) -> Block | None:
    """Return the block of fine steps from a first one up to the next edge, the end of inertia, or a time.

    Parameters
    ----------
    first : a fine step of a transition, or of a verb under inertia, at resting adverbs.
    until : time in seconds.

    Returns
    -------
    The block, or None if it would have too few steps.
    """
    begin, way = first.begin, first.way
    edge, _, _ = edge_from(begin, first.setting)
    count = int((min(until, edge - CLOSE) - begin.time) / FINE + CLOSE)
    if first.reach is not None or count < LEAST:
        return None
    times = np.cumsum([begin.time, *[FINE] * count])
    clocks = begin.clock + (times - begin.time) * way.tempo
    if begin.inertia is not None:
        count = min(count, int(np.count_nonzero(np.logical_not(begin.inertia.over(clocks[:-1])))))
    clock = clocks[:count] - begin.clock
    columns = {
        "time": times[:count],
        "clock": clocks[:count],
        "passed": way.passed + way.pace * clock,
        "old_phase": way.old_phase + way.old_rate * clock,
        "new_phase": way.new_phase + way.new_rate * clock,
    }
    here = way._replace(x=0.0, y=0.0, heading=0.0, height=0.0, **columns)
    seconds = np.diff(times[: count + 1])
    more = begin.inertia.drift(clocks[:count], clocks[1 : count + 1]) if begin.inertia else (0j, 0.0, 0.0)
    headings = way.heading + _before(root_at(here, seconds, more).heading)
    moved = root_at(here._replace(heading=headings), seconds, more)
    places = complex(way.x, way.y) + _before(moved.place)
    columns |= {"x": places.real, "y": places.imag, "heading": headings, "height": way.height + _before(moved.height)}
    ends: list[float] = times[: count + 1].tolist()
    return Block(first, _ways(way, count, **columns), ends, ends[1:], partial(_finely, first))


def _finely(first: Piece, _index: int, way: Way) -> tuple[Playing | Passage, Setting]:
    """Return what plays at the beginning of a fine step, and its setting; see `fine_block`."""
    plays = first.begin.plays
    return plays.gone(way.passed) if isinstance(plays, Passage) else plays.at(way.old_phase), first.setting


_DRIFT = slice(Way._fields.index("old_x"), Way._fields.index("old_climb") + 1)


def _before(changes: Array) -> Array:
    """Return, for each of the `changes` (K,), the sum of those before it."""
    return np.concatenate([changes[:1] * 0.0, np.cumsum(changes)[:-1]])


def _next_edges(first: Piece, plays: Playing, phases: Array, paced: PacedSteps) -> Array:
    """Return the next edge (K,) after generic times `phases` (K,), each in its own step."""
    ways, phase, generic = first.setting.ways, plays.phase, plays.now.generic
    nearest = min(time for time in (*generic, math.inf) if time > phase)
    if ways and phase < ways[0].leaves.begin < nearest:
        nearest = ways[0].leaves.begin
    edges = paced.edges
    return np.where(edges > phases[:, None], edges, nearest).min(axis=1, initial=nearest)


def _stays(paced: PacedSteps, phases: Array, cycle: int, passes: Passes) -> Flags:
    """Return in which steps (K,) the points that are planted in `passes` stay planted (see `VerbNow.passes`)."""
    if not passes:
        return np.ones(len(phases), dtype=bool)
    last, stands = np.array([one for one, _ in passes]), np.array([one for _, one in passes])
    inside = paced.inside(phases)
    turns = np.floor(phases[:, None] - 0.5 * (paced.begins + paced.ends) + 0.5) if paced.cyclic else 0.0
    ahead = last - (cycle + turns)
    return (((ahead == 0.0) & (~stands | inside)) | ((ahead == -1.0) & ~stands & ~inside)).all(axis=1)


class Ahead:
    """A player's predicted next steps of moving adverbs."""

    def __init__(self) -> None:
        self._steps: list[Step] = []
        self._paced: dict[str, PacedSteps] = {}
        self._at = self._waited = 0

    def knows(
        self,
        pacers: Sequence[Pacer],
        adverbs: SettlingAdverbs,
        since: float,
        leads: Leads,
        waiting: Sequence[tuple[float, Asked]],
        until: float,
    ) -> bool:
        """Predict the next steps, and let verbs compute their data; return whether there are enough steps.

        Parameters
        ----------
        pacers : pacers of the verbs.
        adverbs, since, leads, waiting, until : as for `steps_ahead`.
        """
        self._at = bisect_left(self._steps, since, key=_since)
        here = self._steps[self._at : self._at + 1]
        if not here or here[0].since != since or here[0].adverbs.values != adverbs.values:
            soon = since + LEAST * SETTLES_EVERY
            other = any(time < soon and not isinstance(what, AskAdverbs) for time, what in islice(waiting, FEW))
            self._steps = [] if other else steps_ahead(adverbs, since, leads, waiting, until)
            self._paced, self._at, self._waited = {}, 0, len(waiting)
        if len(self._steps) < LEAST:
            return False
        for pacer in pacers:
            if pacer.verb.name not in self._paced:
                self._paced[pacer.verb.name] = pacer.paced(self._steps)
        return True

    def block(self, first: Piece) -> tuple[Block, Step, int] | None:
        """Return the block that begins with a piece in the present step, its last step, and how many commands wait.

        None if the piece is better planned separately.
        """
        plays = first.begin.plays
        if isinstance(plays, Passage):
            return None
        made = block_from(first, self._steps[self._at :], self._paced[plays.name].after(self._at))
        if made is None:
            return None
        last = self._steps[self._at + len(made.ways) - 1]
        return made, last, self._waited - last.heard

    def forget(self) -> None:
        """Discard everything, since other commands may follow now."""
        self._steps = []


def _since(step: Step) -> float:
    return step.since
