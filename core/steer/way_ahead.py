"""Where a figure goes next if nothing more is asked of it: its way over the ground, and the steps that it takes."""

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
"""Seconds ahead for which a way is told."""
RATE = 30.0
"""Steps a second that are played ahead of a figure that is not steered."""
EAGER, STEPS = 2.0, 4
"""How many times the time that has passed is played ahead in one go, at most, so that no frame takes long; and further
steps of a figure that is not steered, which take a small part of the time."""


@dataclass(frozen=True, eq=False)
class Way:
    """Where a figure goes from some time on.

    Parameters
    ----------
    times : (T,) seconds, increasing.
    places : (T, 3) of the root on the ground, in performance space.
    prints : where feet come to stand, in order of time.
    """

    times: Array
    places: Array
    prints: tuple[Footprint, ...]

    def after(self, time: float, seconds: float = math.inf) -> "Way":
        """Return the part from a time on that lasts so many seconds, or as long as is known."""
        begin, end = np.searchsorted(self.times, (time, time + seconds)).tolist()
        prints = tuple(one for one in self.prints if time < one.time <= time + seconds)
        return Way(self.times[begin:end], self.places[begin:end], prints)

    def followed_by(self, later: "Way") -> "Way":
        """Return this way and one that begins where it ends."""
        times, places = np.concatenate([self.times, later.times]), np.concatenate([self.places, later.places])
        return Way(times, places, (*self.prints, *later.prints))


@dataclass(frozen=True)
class Steered:
    """How a figure is steered frame after frame, as it goes on being steered.

    Parameters
    ----------
    steering : towards its goal.
    asked : what a player is asked for at every frame before it is steered.
    frame : number of the next frame at which it is steered; frame 0 is at 0 seconds.
    fps : frames a second.
    """

    steering: Steering
    asked: Callable[[GraphPlayer], AskAdverbs]
    frame: int
    fps: float


class WayAhead:
    """Plays a copy of a player ahead of it, a few steps at a time, and keeps the way and the steps that it takes.

    The player itself is left as it is. As long as nothing is asked of it that its copy does not know, it will do what
    the copy has done, and the copy needs to be played on only as far as time has passed. Whole rows are made only where
    feet land.

    Parameters
    ----------
    plays : player, with its points held or not.
    steered : how it is steered; None if it is left to itself.
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
        """Whether more time has passed than could be played on: then it is of no use any more."""
        return self._plays.time < now

    def extend(self, now: float) -> None:
        """Forget what lies before `now`, and play on until the way is known for `SECONDS` ahead.

        Of what is missing a small part is played at a time, more where more time has passed since this was called last.
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
        """Play one step, steered as the player will be; return the footprints of the feet that land meanwhile."""
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
    """Names of the points that stand; one that steps home does not."""
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
    """Return the way that a figure takes in what was recorded, with its steps.

    Parameters
    ----------
    graph : that was played.
    recording : of it, from its beginning on.
    floor : heights of the ground; None for the examples' own.
    since, until : seconds of which it is wanted.
    """
    shown = slice(*np.searchsorted(recording.times, (since, until)).tolist())
    times, values, prints = recording.times[shown], recording.values[shown], Footprints(graph, floor)
    places = np.column_stack([values[:, :2], recording.heights[shown] if floor is None else floor(values[:, :2])])
    last = float(times[-1]) if len(times) else -math.inf
    landings = [told for told in prints.landings(recording.happenings) if since <= told.time <= last]
    return Way(times, places, tuple(prints.of(times, values, landings)))
