"""Scores: what is asked of a figure, and when; performed, they give the same again and again."""

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import GraphError
from ..feet.live_locks import LiveLocks
from ..graph.verb_graph import VerbGraph
from ..progress import Progress, untold
from .graph_player import SETTLE, GraphPlayer
from .recording import Recorder, Recording

Array = NDArray[np.float64]

TOLD_EVERY = 8
"""Rows between two calls of who is told how far a performance has come."""
HANDLES = {"stride": 1.0, "tempo": 1.0, "nudge x": 0.0, "nudge y": 0.0}
"""Handles of a player, and where they are neutral."""


@dataclass(frozen=True)
class Command:
    """A verb that is asked for.

    Parameters
    ----------
    seconds : since the performance began.
    verb : its name.
    told : how the command is called in complaints, such as ``'at frame 30'``; by its seconds when empty.
    """

    seconds: float
    verb: str
    told: str = ""


@dataclass(frozen=True, eq=False)
class Track:
    """An adverb over time: straight between its points, even outside them.

    Parameters
    ----------
    seconds : (K,) since the performance began, increasing.
    values : (K,)
    """

    seconds: Array
    values: Array

    def __post_init__(self) -> None:
        """Columns of a table would be copied as a whole for every value that is asked for."""
        for name in ("seconds", "values"):
            object.__setattr__(self, name, np.ascontiguousarray(getattr(self, name)))

    def at(self, seconds: float) -> float:
        """Value at one moment."""
        return float(np.interp(seconds, self.seconds, self.values))


@dataclass(frozen=True, eq=False)
class Score:
    """A performance as it was asked for.

    Parameters
    ----------
    verb : to begin with.
    commands : in any order; of those at one moment the last counts.
    adverbs : by name; others are in the middle of their range.
    seed : of what nobody asks for.
    origin : x, y, z and heading to begin at.
    settle : seconds in which an adverb that jumps settles.
    handles : of the player, by the names in `HANDLES`; others are neutral.
    """

    verb: str
    commands: tuple[Command, ...] = ()
    adverbs: Mapping[str, Track] = field(default_factory=dict[str, Track])
    seed: int = 0
    origin: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)
    settle: float = SETTLE
    handles: Mapping[str, Track] = field(default_factory=dict[str, Track])

    def handles_at(self, seconds: float) -> tuple[float, ...]:
        """All handles at one moment, in the order of `HANDLES`."""
        return tuple(self.handles[name].at(seconds) if name in self.handles else HANDLES[name] for name in HANDLES)

    def adverbs_at(self, seconds: float) -> dict[str, float]:
        """Adverbs by name at one moment."""
        return {name: track.at(seconds) for name, track in self.adverbs.items()}


def perform_score(
    graph: VerbGraph,
    score: Score,
    times: ArrayLike,
    locks: LiveLocks | None = None,
    progress: Progress | None = None,
) -> Recording:
    """Play `score` and write down what is to be seen at `times`.

    Choices depend on the score's seed and on how many were made before, adverbs and handles are read at `times`, and
    commands are heard at their own moments: what comes later in the score changes nothing of what comes before.

    Parameters
    ----------
    graph : the verb graph.
    score : what to play.
    times : (T,) seconds since the performance began, 0 or more, not decreasing.
    locks : hold the points that stand, fresh for this performance; None to let them slide.
    progress : called with the fraction that is done, as `core.progress` says.

    Raises
    ------
    GraphError
        If a command asks for a verb to which no way leads at that moment.
    VerbError
        If an adverb is not a finite number.
    """
    moments, tell = np.asarray(times, dtype=np.float64).tolist(), progress or untold
    recorder, rng = Recorder(graph.channels, len(moments)), np.random.default_rng(score.seed)
    player = GraphPlayer(
        graph, score.adverbs_at(0.0), rng, score.verb, score.origin, locks, score.settle, recorder.hear
    )
    waiting = deque(sorted(score.commands, key=lambda command: command.seconds))
    moment = 0.0
    for row, time in enumerate(moments):
        while waiting and waiting[0].seconds <= time:
            command = waiting.popleft()
            player.step(command.seconds - moment)
            moment = max(command.seconds, moment)
            _obey(player, command)
        player.step(time - moment)
        moment = time
        player.set_adverbs(score.adverbs_at(time))
        if score.handles:
            set_handles(player, score.handles_at(time))
        recorder.write(time, player.values(), player)
        if row % TOLD_EVERY == 0:
            tell(row / len(moments))
    return recorder.recording()


def handles_of(player: GraphPlayer) -> tuple[float, ...]:
    """How the handles of a player stand, in the order of `HANDLES`."""
    return (player.stride, player.tempo, *player.nudge)


def set_handles(player: GraphPlayer, values: tuple[float, ...]) -> None:
    """Move the handles of a player, in the order of `HANDLES`."""
    player.stride, player.tempo, *nudge = values
    player.nudge = (nudge[0], nudge[1])


def _obey(player: GraphPlayer, command: Command) -> None:
    try:
        player.command(command.verb)
    except GraphError as error:
        which = command.told or f"at {command.seconds:.2f} s"
        raise GraphError(f"The command {which} cannot be followed. {error} Or move the command.") from error
