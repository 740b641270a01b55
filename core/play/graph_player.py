"""A figure that walks through a verb graph while its adverbs change ([Rose1998] sections 5.2 and 6)."""

import math
from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from ..feet.live_locks import LiveLocks
from ..feet.noting import NEARLY, Noting
from ..figure.channels import Channels
from ..graph.transition import Transition
from ..graph.verb_graph import VerbGraph
from .course import Course
from .feet import Feet
from .landing import expect_landings, ground_at
from .live_verb import LiveVerb, RootPath
from .passage import Passage
from .playing import Playing
from .pose_mixer import PoseMixer
from .queue import Queue
from .settle import SettlingAdverbs, checked_adverbs, middle_adverbs

Array = NDArray[np.float64]
Tell = Callable[[float, str, str], None]

SETTLE = 0.8
"""Seconds in which adverbs settle by default: captured walks can then be swept from end to end without a jerk."""
SETTLES_EVERY = 1.0 / 60.0
"""Seconds for which adverbs that settle stay as they are, wherever frames lie."""


class GraphPlayer:
    """Plays verbs and transitions one after the other; time only goes forward.

    A step is cut wherever a keytime is passed, a contact opens or closes, or a transition begins or ends, so that these
    happen at their instants and not at frames. Between cuts rates and drifts are even.

    Parameters
    ----------
    graph : the verb graph.
    adverbs : by name, to begin with; those not given are in the middle of their range.
    rng : makes the choices that nobody else makes, one number for each.
    start : verb to begin with.
    origin : x, y, z and heading to begin at.
    locks : hold the points that stand, None to let them slide.
    settle : seconds in which an adverb that jumps settles.
    tell : hears of what happens: its time, its kind (see `Happening`) and the name of the verb, keytime or point.

    Attributes
    ----------
    stride, tempo : factors on the way over the ground and on the clock of the verbs, positive.
    nudge : x and y of metres a second by which the root is moved besides.

    Raises
    ------
    GraphError
        If there is no verb `start`.
    VerbError
        If an adverb is not a finite number.
    """

    def __init__(
        self,
        graph: VerbGraph,
        adverbs: Mapping[str, float],
        rng: np.random.Generator,
        start: str,
        origin: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0),
        locks: LiveLocks | None = None,
        settle: float = SETTLE,
        tell: Tell | None = None,
    ) -> None:
        points = {point.name: index for index, point in enumerate(graph.points)}
        self.graph = graph
        self.time = self._unsettled = 0.0
        self.locks, self.tell = locks, tell
        self.stride = self.tempo = 1.0
        self.nudge = (0.0, 0.0)
        self._verbs = {verb.name: LiveVerb(verb, points) for verb in graph.verbs}
        self._middle = middle_adverbs(graph.verbs)
        self._adverbs = SettlingAdverbs(self._middle | self._known(adverbs), settle)
        self._playing = Playing(self._verbs[graph.verb(start).name], 0.0)
        self._passage: Passage | None = None
        self._queue = Queue(graph, rng)
        self._noting = Noting(locks)
        self._root = RootPath(origin)
        self._mixer = PoseMixer(graph.channels)
        self._feet = Feet(graph.points, graph.channels.skeleton, locks)
        self._adapt()
        self._stand()
        self._expect()

    @property
    def channels(self) -> Channels:
        """Of the graph."""
        return self.graph.channels

    @property
    def verb(self) -> str:
        """Name of the verb that plays; during a transition the one that is entered."""
        return self._passage.new.name if self._passage else self._playing.name

    @property
    def phase(self) -> float:
        """Generic time of `verb`, going on over its cycles."""
        playing = self._passage.new if self._passage else self._playing
        return playing.cycle + playing.phase

    @property
    def transition(self) -> tuple[Transition, float] | None:
        """The transition that plays and the share of it that has passed, None if a verb plays alone."""
        return (self._passage.transition, self._passage.passed) if self._passage else None

    @property
    def travel(self) -> tuple[float, float, float]:
        """Where the root has come to: x, y and heading."""
        return self._root.place.real, self._root.place.imag, self._root.heading

    @property
    def plan(self) -> tuple[Transition, ...]:
        """Transitions that are still to come."""
        return self._queue.ways

    @property
    def adverbs(self) -> Mapping[str, float]:
        """The adverbs of the moment."""
        return self._adverbs.values

    @property
    def settling(self) -> bool:
        """Whether any adverb is still on its way to where it was set."""
        return self._adverbs.moving

    @property
    def standing(self) -> tuple[str, ...]:
        """Names of the points that stand."""
        return tuple(p.name for k, p in enumerate(self.graph.points) if self._feet.standing >> k & 1)

    def command(self, verb: str) -> None:
        """Ask for `verb`: the shortest way there becomes the plan; nothing changes if there is none.

        Raises
        ------
        GraphError
            If there is no way there from where the figure is or is coming to.
        """
        phase = self._passage.transition.enters.end if self._passage else self._playing.phase
        self._queue.ask(self.verb, phase, verb, self._passage is not None)

    def set_adverbs(self, adverbs: Mapping[str, float]) -> None:
        """Give adverbs by name new values; names that no verb of the graph knows are passed over.

        Raises
        ------
        VerbError
            If one is not a finite number.
        """
        known = self._known(adverbs)
        if self._adverbs.news(known):
            self._settle()
            if self._adverbs.set(known):
                self._adapt()

    def step(self, seconds: float) -> None:
        """Go on by `seconds`, 0 or more."""
        self._arrive()
        while seconds > 0.0:
            span = min(seconds, self._feet.until_look, SETTLES_EVERY - self._unsettled if self.settling else math.inf)
            seconds -= span
            left = span * self.tempo
            while left > 0.0:
                left -= self._move(left)
                self._arrive()
            if SETTLES_EVERY - self._unsettled <= NEARLY:
                self._settle()
            if self._feet.until_look <= NEARLY:
                self._feet.look(None if self._passage else self._playing, self.unlocked, self._happened)
                self._expect()

    def values(self) -> Array:
        """Values (width,) at the present moment, points that stand held."""
        row = self.unlocked()
        return row if self.locks is None else self.locks.apply(row)

    def unlocked(self) -> Array:
        """Values (width,) at the present moment as the verbs have them."""
        return self._mixer.row(self._playing, self._passage, self._root)

    def next_change(self) -> tuple[float, str, str] | None:
        """Seconds until something begins or ends if the adverbs stay, and what it is.

        The end of a transition is told as ``'verb'`` with the verb's name, its beginning as ``'transition'`` with the
        name of the verb that it leads to, and what else cuts steps as ``'contact'`` or ``'keytime'`` with that of the
        verb in which it does. None if nothing ever changes.
        """
        passage = self._passage
        if passage is not None:
            reach = passage.next_edge()
            kind = "verb" if reach >= 1.0 else "contact"
            return (reach - passage.passed) / passage.pace() / self.tempo, kind, passage.new.name
        edge, rate = self._queue.next_edge(self._playing), self._playing.rate
        if math.isinf(edge) or rate == 0.0:
            return None
        begins = self.plan and edge % 1.0 == self.plan[0].leaves.begin
        kind = "transition" if begins else "keytime" if edge in self._playing.now.generic else "contact"
        seconds = (edge - self._playing.phase) / rate / self.tempo
        return seconds, kind, self.plan[0].target if begins else self._playing.name

    def _move(self, left: float) -> float:
        """Go on to the next cut but by no more than `left` seconds of the verbs' clock; return how long that took."""
        passage, playing = self._passage, self._playing
        if passage is not None:
            here, reach, pace = passage.passed, passage.next_edge(), passage.pace()
        else:
            here, reach, pace = playing.phase, self._queue.next_edge(playing), playing.rate
        to_cut = (reach - here) / pace if pace else math.inf
        left = self._noting.up_to(to_cut, left, self.tempo, self.unlocked)
        cut = to_cut <= left + NEARLY
        if cut:
            self._noting.cut()
        drift = (passage or playing).go(reach if cut else here + pace * left)
        taken = min(to_cut, left)
        passed = taken / self.tempo
        self._root.move(self._mixer.advance(taken, drift), self.stride)
        self._root.place += complex(*self.nudge) * passed
        self._feet.advance(passed)
        self.time += passed
        self._unsettled += passed
        if cut and self.tell is not None and passage is None and reach in playing.now.generic:
            self._happened("keytime", playing.now.verb.keytime_names[playing.now.generic.index(reach)])
        return taken

    def _arrive(self) -> None:
        """Do what is due at this instant: begin the next cycle, end a transition, choose, begin the next one."""
        passage = self._passage
        if passage is not None:
            passage.old.wrap()
            passage.new.wrap()
            if passage.done:
                self._playing, self._passage = passage.arrive(), None
                self._queue.entered()
                self._happened("verb", self._playing.name)
        if self._passage is None:
            if self._playing.wrap():
                self._queue.entered()
            if (way := self._queue.due(self._playing)) is not None:
                self._begin(way)
        self._stand()

    def _begin(self, way: Transition) -> None:
        self._passage = Passage(way, self._playing, self._enter(way.target))
        self._mixer.begin(self._passage)
        self._happened("transition", way.target)

    def _stand(self) -> None:
        """Hold the points that have come to stand, let go of those that leave, and say where these may land."""
        playing = self._playing
        standing = self._passage.standing() if self._passage else playing.now.standing(playing.phase)
        passes, heard = self._passage is not None, self._happened
        if self._feet.stand(standing, passes, self._course, self._ground, self.unlocked, heard):
            self._expect()

    def _ground(self, bit: int) -> tuple[float, float]:
        """Clearance and drop of a point that comes to stand now."""
        return ground_at(self._playing, self._passage, bit, self._root.height, self.unlocked, self.locks)

    def _expect(self) -> None:
        if self.locks is not None and self.locks.floor is not None:
            expect_landings(self.locks, self._feet.standing, self._course, self.tempo)

    def _course(self) -> Course:
        return Course(self._playing, self._passage, self._queue.ways, self._root, self._mixer, self._enter, self.stride)

    def _enter(self, name: str) -> LiveVerb:
        verb = self._verbs[name]
        verb.set_adverbs(self._adverbs.values)
        return verb

    def _known(self, adverbs: Mapping[str, float]) -> dict[str, float]:
        return {name: value for name, value in checked_adverbs(adverbs).items() if name in self._middle}

    def _settle(self) -> None:
        """Let the adverbs come to where they are at this instant."""
        if self._adverbs.moving and self._unsettled > 0.0:
            self._adverbs.advance(self._unsettled)
            self._adapt()
        self._unsettled = 0.0

    def _adapt(self) -> None:
        """Tell the verbs that play the adverbs of the moment."""
        playing = (self._passage.old, self._passage.new) if self._passage else (self._playing,)
        for one in playing:
            one.now.set_adverbs(self._adverbs.values)

    def _happened(self, kind: str, name: str) -> None:
        if self.tell is not None:
            self.tell(self.time, kind, name)
