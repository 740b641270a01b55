"""A player that walks through a verb graph while its adverbs change ([Rose1998] sections 5.2 and 6)."""

import math
from bisect import insort
from collections import deque
from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import LayerError
from ..figure.channels import Channels
from ..figure.knee_hinges import ExamplePoses
from ..graph.transition import Transition
from ..graph.verb_graph import VerbGraph
from .adverb_smoothing import NEARLY, ROUNDING, SETTLES_EVERY, SettlingAdverbs, checked_adverbs, middle_adverbs
from .block import Ahead, AnyPiece, fine_block
from .look_ahead import LookAhead
from .piece import Moment, Piece, Setting, entering, piece_from, pieces_at
from .piece_rows import rows_of, stretch_of
from .player import NEUTRAL, AskAdverbs, Asked, AskModel, AskVerb, Handles, Happening, Stretch, checked
from .playing_verb import Playing, Root, root_before
from .steps_ahead import moves, news_at
from .transition_queue import Queue
from .transition_timing import Passage
from .verb_now import Pacer, VerbNow

Array = NDArray[np.float64]

TOGETHER = 0.1
"""Steps of moving adverbs are computed together if the player is to play more seconds than this."""
SETTLE = 0.8
"""Default settling time of adverbs in seconds, with which captured walks can be swept from end to end without jerks."""


class GraphPlayer:
    """Plays verbs of a graph and transitions between them in sequence: a `Player`.

    Playback is cut into pieces wherever a keytime is passed, a contact begins or ends, a transition begins or ends,
    adverbs begin a new step, or a command takes effect. Within a piece rates and drifts are constant, so that rows at
    any times are one computation. Steps of moving adverbs that are known in advance, and the fine steps of transitions,
    form one piece up to the next of the other cuts: a `Block`.

    Parameters
    ----------
    graph : the verb graph.
    adverbs : initial values by name; others are at the middle of their range.
    rng : random generator for choices without a command, one number per choice.
    start : name of the first verb.
    origin : initial x, y, z and heading.
    settle : settling time of adverbs in seconds; 0 to let them jump.
    lead : number of cycles of the first verb, if it is a cycle, that have passed at time 0: playback begins that much
        earlier. If it is negative, playback begins later, at the position after as many cycles at the same adverbs.

    Attributes
    ----------
    time : present time in seconds.
    settle : see above.
    points : points that can be planted, in the order of their bits.
    asked : number of commands given, and the latest of their times.

    Raises
    ------
    VerbsError
        If there is no verb `start`, or an adverb is not a finite number.
    """

    def __init__(
        self,
        graph: VerbGraph,
        adverbs: Mapping[str, float],
        rng: np.random.Generator,
        start: str,
        origin: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0),
        settle: float = SETTLE,
        lead: int = 0,
    ) -> None:
        points = {point.name: index for index, point in enumerate(graph.points)}
        self.graph, self.points, self.rows, self.settle = graph, graph.points, rows_of, settle
        self._pacers = {verb.name: Pacer(verb, points) for verb in graph.verbs}
        given = checked_adverbs(adverbs)
        known = {name: given.get(name, middle) for name, middle in middle_adverbs(graph.verbs).items()}
        self._adverbs = SettlingAdverbs(known, settle)
        self._leads: tuple[Mapping[str, float], float] | None = None
        self._queue = Queue(graph, rng)
        over = None if graph.layers is None else graph.layers.overlay(adverbs, settle)
        self._setting = Setting(graph.channels, NEUTRAL, dict(self._adverbs.values), (), over=over)
        self._waiting: deque[tuple[float, Asked]] = deque()
        self._happened: list[Happening] = []
        self._standing, self._until, self._ahead, self.asked = 0, -math.inf, Ahead(), (0, -math.inf)
        first = self._now(graph.verb(start).name)
        cycles = lead if first.verb.cyclic else 0
        self.time = self._settled = -cycles * sum(first.lengths)
        root = root_before(Root(complex(origin[0], origin[1]), float(origin[3]), float(origin[2])), first, cycles)
        self._present: tuple[AnyPiece, Moment] | None = None
        self._set_out = False
        self._piece: AnyPiece = self._planned(Moment(self.time, self.time, Playing(first, 0.0, -cycles), root))

    @property
    def channels(self) -> Channels:
        """Meaning of the columns of the rows."""
        return self.graph.channels

    @property
    def poses(self) -> ExamplePoses:
        """Poses of the examples, from which the bending of knees is learnt."""
        return self.graph.poses

    @property
    def piece(self) -> AnyPiece:
        """The piece that plays."""
        return self._piece

    @property
    def moment(self) -> Moment:
        """State of the player at the present time."""
        piece, time = self._piece, self.time
        if time <= piece.begin.time:
            return piece.begin
        if self._present is None or self._present[0] is not piece or self._present[1].time != time:
            self._present = piece, piece.at(time)
        return self._present[1]

    @property
    def verb(self) -> str:
        """Name of the verb that plays; during a transition, the one that is entered."""
        return self._piece.begin.playing.name

    @property
    def phase(self) -> float:
        """Generic time of `verb`; it increases by 1 in each cycle."""
        playing = self.moment.playing
        return playing.cycle + playing.phase

    @property
    def transition(self) -> tuple[Transition, float] | None:
        """The transition that plays and its elapsed share; None if a verb plays alone."""
        passage = self.moment.passage
        return (passage.transition, passage.passed) if passage else None

    @property
    def travel(self) -> tuple[float, float, float]:
        """Position of the root: x, y and heading."""
        root = self.moment.root
        return root.place.real, root.place.imag, root.heading

    @property
    def layers(self) -> tuple[str, ...]:
        """Names of the layers that play, from the lowest to the highest."""
        return self._setting.over.playing if self._setting.over is not None else ()

    @property
    def plan(self) -> tuple[Transition, ...]:
        """Planned transitions, the next one first."""
        return self._queue.ways

    @property
    def adverbs(self) -> Mapping[str, float]:
        """Values of all adverbs by name; while they move, those at the beginning of the present step."""
        return self._adverbs.values

    @property
    def handles(self) -> Handles:
        """The player's handles, which steer it besides its adverbs."""
        return self._setting.handles

    def command(self, time: float, what: Asked) -> None:
        """Give a command; one that fails changes nothing.

        It takes effect at `time`, which must not be before the present; commands for the same time take effect in the
        order in which they were given.

        Raises
        ------
        GraphError, VerbError, LayerError
            If no path leads to a verb that is requested now (for a later time `play` raises it), a number is not
            finite, the tempo is out of bounds, there is no such layer, or the command is for a motion model.
        """
        what = checked(what, time, () if self.graph.layers is None else self.graph.layers.names)
        if isinstance(what, AskModel):
            raise LayerError("The figure plays a verb graph, not a motion model. Command a verb.")
        self.asked = self.asked[0] + 1, max(self.asked[1], time)
        if time <= self.time and not (self._waiting and self._waiting[0][0] <= time):
            self._hear(self.time, what)
            return
        insort(self._waiting, (time, what), key=lambda asked: asked[0])

    def advance(self, times: ArrayLike) -> Stretch:
        """Play, and return the rows at `times` (T,), which must not decrease and not be before the present.

        It raises the errors of `command` if a command that takes effect fails.
        """
        clock = np.asarray(times, dtype=np.float64)
        pieces = self.play(float(clock[-1]))
        return stretch_of(pieces, clock, rows_of(pieces, pieces_at(pieces, clock), clock), self.happened())

    def _tell_support(self, pieces: Sequence[AnyPiece]) -> None:
        """Record which points are planted and lifted in some pieces, according to the verbs."""
        for piece in pieces:
            changed, self._standing = piece.standing ^ self._standing, piece.standing
            for index, point in enumerate(self.graph.points):
                if changed >> index & 1:
                    self._tell(piece.begin.time, "down" if piece.standing >> index & 1 else "up", point.name)

    def fork(self) -> "GraphPlayer":
        """Return an independent copy that continues from the present, without pending commands."""
        made = copy(self)
        made._adverbs, made._queue = self._adverbs.copy(), self._queue.copy()
        made._waiting, made._happened, made._ahead = deque(), [], Ahead()
        if self._setting.over is not None:
            made._setting = self._setting._replace(over=self._setting.over.fork())
            made._piece, made._present = self._piece.under(made._setting.over), None
        return made

    def happened(self) -> tuple[Happening, ...]:
        """Return the events since the last call, in order of time."""
        over = self._setting.over
        told = [] if over is None else [Happening(*one) for one in over.happened()]
        found, self._happened = sorted([*self._happened, *told], key=lambda happening: happening.time), []
        return tuple(found)

    def play(self, until: float) -> list[AnyPiece]:
        """Advance to a time without computing rows; return the pieces played since the present, in order."""
        pieces, self._until = [self._piece], until
        self._ahead.forget()
        while True:
            due = self._waiting[0][0] if self._waiting else math.inf
            if not self._set_out and min(due, until) > self._piece.begin.time:
                self._set_out = True
                self._piece = self._planned(self._begun(self._piece.begin, False))
                pieces[-1] = self._piece
                continue
            end = self._piece.until
            only_settles = end == until and self._piece.reach is None and self._adverbs.moving
            if min(due, end) > until or (only_settles and due > until):
                break
            if end <= due - NEARLY:
                self._piece = self._planned(self._ended())
            else:
                self._hear(due, self._waiting.popleft()[1])
                if due > pieces[-1].begin.time and self._piece.begin.time == due:
                    pieces[-1] = pieces[-1].cut(due)
            if pieces[-1].begin.time == self._piece.begin.time:
                pieces[-1] = self._piece
            elif pieces[-1] is not self._piece:
                pieces.append(self._piece)
        if self._setting.over is not None:
            self._setting.over.play(until)
        self.time = max(until, self.time)
        self._tell_support(pieces)
        return pieces

    def ahead(self, piece: AnyPiece, time: float) -> LookAhead:
        """Return what will be played, from a time within `piece`, without further commands."""
        return LookAhead(piece, time, self._pacers)

    def _hear(self, time: float, what: Asked) -> None:
        """Execute a command at a time within the present piece; edges at the same time come before it.

        If a piece ends at that time and adverbs get new goals, the next piece is planned only once, with these.
        """
        moment, over = None, self._setting.over
        elsewhere = isinstance(what, AskAdverbs) and moves(what, self._adverbs, self._leads)
        while moment is None and self._piece.until - time <= NEARLY:
            ended = self._ended()
            if elsewhere and time - ended.time <= NEARLY:
                moment = ended
            else:
                self._piece = self._planned(ended, False)
        if moment is None:
            moment = self.moment if time == self.time else self._piece.moment(time)
        if over is not None and not isinstance(what, AskVerb) and what != self._setting.handles:
            over.command(time, what)
        if isinstance(what, AskVerb):
            self._ask(moment, what)
            self._set_out = False
            self._piece = self._planned(moment)
        elif isinstance(what, Handles) and what != self._setting.handles:
            self._setting = self._setting._replace(handles=what)
            self._piece = self._planned(moment)
        elif isinstance(what, AskAdverbs) and elsewhere:
            self._follow(moment, what)

    def _follow(self, moment: Moment, what: AskAdverbs) -> None:
        """Move adverbs to requested values, from a time within the present piece on."""
        self._settle(moment.time)
        self._adverbs.set(what.values, what.at_once)
        self._leads = None if what.then is None else ({**self._adverbs.values, **what.then}, what.until)
        self._piece = self._planned(moment)

    def _ask(self, moment: Moment, what: AskVerb) -> None:
        """Plan the path to a verb, from the end of the transition if one plays."""
        passage = moment.passage
        phase = passage.transition.enters.end if passage else moment.playing.phase
        self._queue.ask(moment.playing.name, phase, what.name, passage is not None, what.label)

    def _ended(self) -> Moment:
        """Return the state at the end of the present piece, where the next one begins."""
        return self._begun(self._piece.at(self._piece.until), self._piece.reach is not None)

    def _begun(self, moment: Moment, at_edge: bool) -> Moment:
        """Return the state with which a piece begins: finished motion ends or wraps, and a due transition begins."""
        plays = moment.plays
        if isinstance(plays, Passage) and plays.done:
            plays = plays.arrived()
            self._queue.entered(plays)
            self._tell(moment.time, "verb", plays.name)
        elif isinstance(plays, Playing) and at_edge and plays.phase in plays.now.generic[1:]:
            names = plays.now.verb.keytime_names
            self._tell(moment.time, "keytime", names[plays.now.generic.index(plays.phase)])
        if self._adverbs.moving and moment.time - self._settled >= SETTLES_EVERY - NEARLY:
            self._settle(moment.time)
        if isinstance(plays, Playing):
            following = plays.wrapped()
            if following is not plays:
                self._queue.repeated()
            plays = following
            if (way := self._queue.due(plays)) is not None:
                self._tell(moment.time, "transition", way.target)
                if self._adverbs.moving:
                    self._settle(moment.time)
                    plays = plays._replace(now=self._now(plays.name), then=None)
                return entering(moment, plays, self._now(way.target), way)
        return moment._replace(plays=plays)

    def _planned(self, moment: Moment, together: bool = True) -> AnyPiece:
        """Return the piece that begins with a state, at the present adverbs, handles and plan.

        It has a single step, unless steps may be planned `together` and no other command takes effect at its beginning.
        """
        setting, plays = self._setting, moment.plays
        if setting.adverbs != self._adverbs.values:
            setting = setting._replace(adverbs=dict(self._adverbs.values))
        then, step = None, math.inf
        if self._adverbs.moving:
            then, step = self._adverbs.ahead(SETTLES_EVERY), SETTLES_EVERY
        elif self._leads is not None and moment.time < self._leads[1]:
            then, step = self._leads[0], self._leads[1] - self._settled
        if setting.ways != self._queue.ways or setting.since != self._settled or setting.step != step:
            setting = setting._replace(ways=self._queue.ways, since=self._settled, step=step)
        self._setting = setting
        known = False
        heard = bool(self._waiting) and self._waiting[0][0] - moment.time <= NEARLY
        if together and then is not None and self._set_out and self._until - moment.time > TOGETHER and not heard:
            pacers = [self._pacers[playing.name] for _, playing in plays.roles]
            known = self._ahead.knows(pacers, self._adverbs, self._settled, self._leads, self._waiting, self._until)
        if isinstance(plays, Passage):
            old, new = self._adapted(plays.old, then), self._adapted(plays.new, then)
            adapted = plays if old is plays.old and new is plays.new else replace(plays, old=old, new=new)
        else:
            adapted = self._adapted(plays, then)
        if adapted is not plays:
            moment = moment._replace(plays=adapted)
        piece = piece_from(moment, setting, self._settled + SETTLES_EVERY if self._adverbs.moving else math.inf)
        if known:
            return self._together(piece)
        if together and then is None and self._set_out and (moment.inertia or isinstance(plays, Passage)):
            news = news_at(self._waiting, self._adverbs, self._leads, setting.handles, self._until)
            return fine_block(piece, news) or piece
        return piece

    def _together(self, piece: Piece) -> AnyPiece:
        """Return a piece joined with the steps after it, up to the next edge, if they can be planned together."""
        found = self._ahead.block(piece)
        if found is None:
            return piece
        block, last, waiting = found
        while len(self._waiting) > waiting:
            time, what = self._waiting.popleft()
            if self._setting.over is not None:
                self._setting.over.command(time, what)
        self._adverbs, self._settled, self._leads = last.adverbs.copy(), last.since, last.leads
        self._setting = self._setting._replace(adverbs=last.adverbs.values, since=last.since, step=last.seconds)
        return block

    def _adapted(self, playing: Playing, then: Mapping[str, float] | None) -> Playing:
        """Return a playing verb at the present adverbs, which move to `then` within their step."""
        now, pacer = self._now(playing.name), self._pacers[playing.name]
        if then is None:
            return playing if now is playing.now and playing.then is None else playing._replace(now=now, then=None)
        goal = tuple([then[name] for name in pacer.verb.adverb_names])
        if goal == now.adverbs:
            return playing._replace(now=now, then=None)
        pace = now if self._adverbs.moving else pacer.going(self._adverbs.values, then)
        return playing._replace(now=pace, then=pacer.mixing(goal))

    def _now(self, name: str) -> VerbNow:
        """Return the verb called `name` at the present adverbs."""
        return self._pacers[name].at(self._adverbs.values)

    def _settle(self, time: float) -> None:
        """Advance the adverbs to `time`, where they begin a new step."""
        passed = time - self._settled
        if self._adverbs.moving and passed > 0.0:
            self._adverbs.advance(SETTLES_EVERY if abs(passed - SETTLES_EVERY) < ROUNDING else passed)
        self._settled = time

    def _tell(self, time: float, kind: str, name: str) -> None:
        self._happened.append(Happening(time, kind, name))
