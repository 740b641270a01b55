"""The state of a performed character at one time, for the overlay of the 3D views."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ....core.graph.transition import Transition
from ....core.motion.timewarp import clock_time
from ....core.play.piece import Piece
from ....core.play.player import Handles
from ....core.play.playing_verb import Playing
from ....core.verb.verb import Verb
from ...data.frames.counting import Counting


@dataclass(frozen=True)
class Status:
    """The state of a player at one time, for the overlay of the 3D views.

    Parameters
    ----------
    verb : the verb that plays; during a transition the one being entered.
    generic : generic time of that verb, accumulated over its cycles.
    transition : the current transition, with its elapsed fraction, None if the verb plays alone.
    plan : upcoming transitions.
    standing : names of the points that are planted.
    layers : names of the layers that play.
    wait : seconds until the first planned transition begins, without further requests; None during a transition, and if
        nothing is planned.
    seconds, frame : time since the take began, and the scene frame at which the timeline will show this.
    """

    verb: Verb
    generic: float
    transition: tuple[Transition, float] | None
    plan: tuple[Transition, ...]
    standing: tuple[str, ...]
    layers: tuple[str, ...] = ()
    wait: float | None = None
    seconds: float = 0.0
    frame: int = 0

    @property
    def title(self) -> str:
        """Name of the verb, or of both verbs of the transition with its elapsed fraction."""
        if self.transition is None:
            return self.verb.name
        way, passed = self.transition
        return f"{way.source} → {self.verb.name} {100.0 * passed:.0f} %"

    @property
    def coming(self) -> str:
        """The verbs that come next, and how soon; empty if none is planned."""
        if not self.plan:
            return ""
        soon = "" if self.wait is None else f" in {self.wait:.1f} s"
        return f"then {self.plan[0].target}{soon}{''.join(f' → {way.target}' for way in self.plan[1:])}"

    @property
    def share(self) -> float:
        """Played fraction of the verb, or of its current cycle, from 0 to 1."""
        return self.generic % 1.0 if self.verb.cyclic else min(self.generic, 1.0)


def status_of(
    piece: Piece, time: float, standing: tuple[str, ...], layers: tuple[str, ...], counting: Counting
) -> Status:
    """Return the state of a player at a time.

    Parameters
    ----------
    piece : the piece that plays at that time.
    time : seconds since the take began.
    standing, layers : names of the points that are planted, and of the layers that play.
    counting : the director's frame counting.
    """
    moment, plan = piece.moment(time), piece.setting.ways
    playing, passage = moment.playing, moment.passage
    transition = (passage.transition, passage.passed) if passage else None
    wait = _wait(playing, plan[0], piece.setting.handles) if plan and transition is None else None
    at = time, round(counting.start + time * counting.fps)
    return Status(playing.now.verb, playing.cycle + playing.phase, transition, plan, standing, layers, wait, *at)


def _wait(playing: Playing, way: Transition, handles: Handles) -> float:
    """Return the seconds until the first planned transition from a verb playing alone, at the present adverbs."""
    now = playing.now
    keytimes, phases = np.cumsum([0.0, *now.lengths]), (playing.phase, way.leaves.begin)
    here, there = clock_time(phases, keytimes, np.array(now.generic), now.verb.cyclic).tolist()
    away = (there - here) % float(keytimes[-1]) if now.verb.cyclic else max(there - here, 0.0)
    return away / handles.tempo
