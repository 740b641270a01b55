"""Prediction of what a figure does without further commands: its path over the ground, and its footprints."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..errors import VerbsError
from ..feet.constrained_player import AnyPlayer, ConstrainedPlayer, below
from ..feet.footholds_off_edges import Floor
from ..feet.footprints import Footprint, Footprints
from ..figure.lock_point import names_of
from ..graph.verb_graph import VerbGraph
from ..play.graph_player import GraphPlayer
from ..play.player import AskAdverbs
from ..play.recorded_motion import Recording
from .steering import Steering

Array = NDArray[np.float64]

SECONDS = 3.0
"""Seconds ahead for which a path is predicted."""
RATE = 30.0
"""Steps a second in predicting a figure that is not steered."""
EAGER, STEPS = 2.0, 4
"""EAGER: limit of the time predicted in one call, as a multiple of the elapsed time, so that no frame takes long.
STEPS: number of steps predicted in addition if the figure is not steered, since each is then cheap."""


@dataclass(frozen=True, eq=False)
class Way:
    """The path of a figure from some time on.

    Parameters
    ----------
    times : (T,) seconds, increasing.
    places : (T, 3) positions of the root on the ground, in performance space.
    prints : footprints in order of time.
    """

    times: Array
    places: Array
    prints: tuple[Footprint, ...]

    def after(self, time: float, seconds: float = math.inf) -> "Way":
        """Return the part of the given length from a time on, or as much of it as is known."""
        begin, end = np.searchsorted(self.times, (time, time + seconds)).tolist()
        prints = tuple(one for one in self.prints if time < one.time <= time + seconds)
        return Way(self.times[begin:end], self.places[begin:end], prints)

    def followed_by(self, later: "Way") -> "Way":
        """Return this path followed by one that begins at its end."""
        times, places = np.concatenate([self.times, later.times]), np.concatenate([self.places, later.places])
        return Way(times, places, (*self.prints, *later.prints))


@dataclass(frozen=True)
class Steered:
    """Steering of a figure frame by frame, continued from the present.

    Parameters
    ----------
    steering : steering towards its goal.
    asked : function that returns the command that the player gets at every frame, before it is steered.
    frame : number of the next steered frame; frame 0 is at 0 seconds.
    fps : frames a second.
    """

    steering: Steering
    asked: Callable[[GraphPlayer], AskAdverbs]
    frame: int
    fps: float


class WayAhead:
    """Play a copy of a player ahead of it, a few steps at a time, and store its path and footprints.

    The player itself is not changed. As long as it gets no commands that its copy does not know, it will do the same as
    the copy, which therefore only needs to be advanced by the elapsed time. Full rows are computed only where feet
    land.

    Parameters
    ----------
    plays : player, with or without locks.
    steered : its steering; None if it is not steered.
    """

    def __init__(self, plays: AnyPlayer, steered: Steered | None = None) -> None:
        self._plays = plays.fork()
        self._player = below(self._plays)
        self._floor = plays.locks.floor if isinstance(plays, ConstrainedPlayer) else None
        self._prints = Footprints(self._player.graph, self._floor, _standing(plays))
        self._steering = None if steered is None else steered.steering.fork()
        self._steered, self._frame = steered, 0 if steered is None else steered.frame
        self._over, self._now = False, plays.time
        self.way = Way(np.zeros(0), np.zeros((0, 3)), ())

    def is_behind(self, now: float) -> bool:
        """Return whether more time has passed than could be predicted; the prediction is then of no further use."""
        return self._plays.time < now

    def extend(self, now: float) -> None:
        """Drop the path before `now`, and predict until it is known for `SECONDS` ahead.

        Only part of the missing path is predicted per call, more if more time has passed since the last call.
        """
        steered, until = self._steered, now + SECONDS
        passed = min(max(now - self._now, 0.0), SECONDS) * (RATE if steered is None else steered.fps)
        most = max(math.ceil(EAGER * passed), 1) + (STEPS if steered is None else 0)
        self._now, self.way = now, self.way.after(now)
        times, places, prints = list[float](), list[tuple[float, float, float]](), list[Footprint]()
        try:
            while not self._over and len(times) < most and self._plays.time < until:
                prints += self._step()
                root = self._player.moment.root
                times.append(self._plays.time)
                places.append((root.place.real, root.place.imag, root.height))
        except VerbsError:
            self._over = True
        if times:
            found = np.array(places)
            if self._floor is not None:
                found[:, 2] = self._floor(found[:, :2])
            self.way = self.way.followed_by(Way(np.array(times), found, tuple(prints)))

    def _step(self) -> list[Footprint]:
        """Play one step, steered like the player; return the footprints of the feet that land during it."""
        plays, steered, steering = self._plays, self._steered, self._steering
        if steered is None or steering is None:
            plays.play(plays.time + 1.0 / RATE)
        else:
            time = self._frame / steered.fps
            plays.play(time)
            self._player.command(time, steered.asked(self._player))
            steering.before_step(self._player, time, 1.0 / steered.fps)
            self._frame += 1
        landings = self._prints.landings(plays.happened())
        if not landings:
            return []
        times = np.array([plays.time])
        return self._prints.of(times, plays.advance(times).values, landings)


def _standing(plays: AnyPlayer) -> Sequence[str]:
    """Return the names of the planted points; one that steps home is not planted."""
    if not isinstance(plays, ConstrainedPlayer):
        return names_of(plays.points, plays.piece.standing)
    stepping = {plays.points[point].name for point in plays.locks.steps}
    return [name for name in plays.standing if name not in stepping]


def way_of_recording(
    graph: VerbGraph,
    recording: Recording,
    floor: Floor | None = None,
    since: float = -math.inf,
    until: float = math.inf,
) -> Way:
    """Return the path and footprints of a figure in a recording.

    Parameters
    ----------
    graph : graph that was played.
    recording : recording of the graph's playback, from the beginning.
    floor : heights of the ground; None for the examples' own.
    since, until : times in seconds between which the path is wanted.
    """
    shown = slice(*np.searchsorted(recording.times, (since, until)).tolist())
    times, values, prints = recording.times[shown], recording.values[shown], Footprints(graph, floor)
    places = np.column_stack([values[:, :2], recording.heights[shown] if floor is None else floor(values[:, :2])])
    last = float(times[-1]) if len(times) else -math.inf
    landings = [told for told in prints.landings(recording.happenings) if since <= told.time <= last]
    return Way(times, places, tuple(prints.of(times, values, landings)))
