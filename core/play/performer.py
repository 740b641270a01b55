"""A player on the simulator's clock: frames, commands, and what changes between frames, as events."""

import math
from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from .graph_player import GraphPlayer
from .simulator import Event, Simulator

Array = NDArray[np.float64]

CHANGE, COMMAND = 0, 10
"""Priorities: what is due of itself at one time stamp comes before what is asked for."""


class Performer:
    """Plays up to the time stamps of events, and predicts the next transition or contact as an event of its own.

    A prediction holds as long as adverbs and plan stay; when they change it is cancelled and made anew. Where nobody is
    told nothing is predicted: the player meets what changes by itself. `Frames` is to be given `render`.

    Parameters
    ----------
    simulator : whose queue the events go on.
    player : that performs.
    start : time stamp at which it begins.
    changed : called with the time stamp, the kind and the name of each predicted event when it has come about; None if
        nobody is to be told.
    """

    def __init__(
        self,
        simulator: Simulator,
        player: GraphPlayer,
        start: float = 0.0,
        changed: Callable[[float, str, str], None] | None = None,
    ) -> None:
        self.player = player
        self.values: Array = player.values()
        self._simulator = simulator
        self._moment = start
        self._changed = changed
        self._pending: Event | None = None
        self._predict()

    def render(self, time: float) -> None:
        """Play up to the time stamp `time`; `values` (width,) is then the row to be shown."""
        self.play_to(time)
        self.values = self.player.values()
        if self.player.settling:
            self._predict()

    def command(self, verb: str) -> None:
        """Ask for a verb now.

        Raises
        ------
        GraphError
            If no way leads there.
        """
        self.player.command(verb)
        self._predict()

    def command_at(self, time: float, verb: str) -> Event:
        """Ask for a verb at a time stamp; what `command` raises comes out of the simulator then."""

        def obey(moment: float) -> None:
            """Do it at its moment."""
            self.play_to(moment)
            self.command(verb)

        return self._simulator.add(time, obey, "normal", COMMAND)

    def set_adverbs(self, adverbs: Mapping[str, float]) -> None:
        """Give adverbs by name new values now.

        Raises
        ------
        VerbError
            If one is not a finite number.
        """
        self.player.set_adverbs(adverbs)
        self._predict()

    def play_to(self, time: float) -> None:
        """Play up to the time stamp `time`, if it lies ahead."""
        self.player.step(max(time - self._moment, 0.0))
        self._moment = max(time, self._moment)

    def stop(self) -> None:
        """Predict nothing more."""
        if self._pending is not None:
            self._pending.cancel()
        self._pending = None

    def _predict(self) -> None:
        self.stop()
        changed = self._changed
        change = self.player.next_change() if changed is not None else None
        if changed is None or change is None:
            return
        seconds, kind, name = change
        later = max(self._moment + seconds, math.nextafter(self._moment, math.inf))

        def arrive(moment: float) -> None:
            """Come to what was predicted, and predict what comes after it."""
            self.play_to(moment)
            changed(moment, kind, name)
            self._predict()

        self._pending = self._simulator.add(later, arrive, "normal", CHANGE)
