"""What a figure goes on to do if nothing more is asked of it: copies that are played ahead, to see where feet land."""

import math
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from ..graph.transition import Transition
from .live_verb import LiveVerb, RootPath
from .passage import Passage
from .playing import Playing
from .pose_mixer import PoseMixer
from .queue import begins, edge_before

Array = NDArray[np.float64]

LONGEST = 5.0
"""Seconds that are looked ahead."""
NEARLY = 1e-9


class Course:
    """Verbs, transitions and the root played ahead, at the adverbs of the moment.

    Parameters
    ----------
    playing, passage, ways, root, mixer : of the player; none of them is changed.
    entered : gives a verb of the graph by name, at the adverbs of the moment.
    stride : factor on the way over the ground.
    """

    def __init__(
        self,
        playing: Playing,
        passage: Passage | None,
        ways: Sequence[Transition],
        root: RootPath,
        mixer: PoseMixer,
        entered: Callable[[str], LiveVerb],
        stride: float,
    ) -> None:
        self.passage = None if passage is None else passage.copy()
        self.playing = self.passage.old if self.passage else playing.copy()
        self.root = RootPath((root.place.real, root.place.imag, root.height, root.heading))
        self.mixer = mixer
        self._ways = list(ways)
        self._entered = entered
        self._stride = stride

    def until_stands(self, bit: int) -> float | None:
        """Go on until the point of `bit` stands; return how many seconds that takes, None if it does not."""
        seconds = 0.0
        while seconds < LONGEST:
            took = self._go()
            if took is None:
                return None
            seconds += took
            if self._standing() & bit:
                return seconds
        return None

    def row(self) -> Array:
        """The unlocked row (width,) of the moment that was gone to."""
        return self.mixer.row(self.playing, self.passage, self.root)

    def rows(self, seconds: float, count: int) -> Array:
        """Go on for `seconds`; return rows (count, width), evenly spaced in time, the last at the end."""
        found: list[Array] = []
        for _ in range(count):
            left = seconds / count
            while left > NEARLY and (took := self._go(left)) is not None:
                left -= took
            found.append(self.row())
        return np.array(found)

    def _standing(self) -> int:
        return self.passage.standing() if self.passage else self.playing.now.standing(self.playing.phase)

    def _go(self, most: float = math.inf) -> float | None:
        """Go on to the next edge or for `most` seconds; return how long that takes, None if nothing goes on."""
        passage, playing = self.passage, self.playing
        if passage is not None:
            here, reach, pace = passage.passed, passage.next_edge(), passage.pace()
        else:
            here, reach, pace = playing.phase, edge_before(self._ways, playing), playing.rate
        if pace == 0.0:
            return None
        seconds = (reach - here) / pace
        if seconds > most:
            reach, seconds = here + most * pace, most
        self.root.move((passage or playing).go(reach), self._stride)
        self._arrive()
        return seconds

    def _arrive(self) -> None:
        if self.passage is not None:
            self.passage.old.wrap()
            self.passage.new.wrap()
            if self.passage.done:
                self.playing, self.passage = self.passage.arrive(), None
                self._renew_mixer()
        if self.passage is None:
            self.playing.wrap()
            if self._ways and begins(self._ways[0], self.playing):
                way = self._ways.pop(0)
                self.passage = Passage(way, self.playing, self._entered(way.target))
                self._renew_mixer().begin(self.passage)

    def _renew_mixer(self) -> PoseMixer:
        self.mixer = PoseMixer(self.playing.now.verb.channels)
        return self.mixer
