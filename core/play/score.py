"""Scores: timed commands, adverbs and handles for a player; playback is reproducible."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from heapq import merge
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..graph.verb_graph import VerbGraph
from ..progress import Progress, untold
from .graph_player import SETTLE, GraphPlayer
from .player import AskAdverbs, Asked, AskVerb, Handles, Player, Span, Stretch
from .recorded_motion import Recording, recording_of

Array = NDArray[np.float64]

ROWS = 512
"""Number of rows that are played at a time."""
HANDLES = {"stride": 1.0, "tempo": 1.0, "nudge x": 0.0, "nudge y": 0.0}
"""Names of a player's handles, and their neutral values."""
RATE = 60.0
"""Frames a second at which adverbs and handles are read by default."""


@dataclass(frozen=True)
class Command:
    """A command to play a verb, at a time.

    Parameters
    ----------
    seconds : since the performance began.
    verb : its name.
    label : description of the command in errors, such as ``'at frame 30'``; if empty, errors give its time in seconds.
    """

    seconds: float
    verb: str
    label: str = ""


@dataclass(frozen=True, eq=False)
class Track:
    """A number over time, such as an adverb: linear between its points, constant before the first and after the last.

    Parameters
    ----------
    seconds : (K,) since the performance began, increasing.
    values : (K,)
    """

    seconds: Array
    values: Array

    def __post_init__(self) -> None:
        """Store contiguous arrays, since columns of a table would be copied for every requested value."""
        for name in ("seconds", "values"):
            object.__setattr__(self, name, np.ascontiguousarray(getattr(self, name)))

    def at(self, seconds: Array) -> Array:
        """Return the values (T,) at `seconds` (T,)."""
        return np.asarray(np.interp(seconds, self.seconds, self.values), dtype=np.float64)

    @property
    def first(self) -> float:
        """Value at time 0."""
        return float(self.at(np.zeros(1))[0])


@dataclass(frozen=True, eq=False)
class Score:
    """The commands of a figure in a performance.

    Parameters
    ----------
    verb : name of the first verb.
    commands : commands in any order; of those at the same time the last is used.
    adverbs : tracks by name; other adverbs are at the middle of their range.
    seed : random seed of choices without a command.
    origin : initial x, y, z and heading.
    settle : settling time of adverbs in seconds.
    at_once : names of adverbs that do not settle but jump.
    handles : tracks by the names in `HANDLES`; other handles are neutral.
    straight : whether adverbs move linearly from one sample to the next, if they do not settle.
    lead : as for `GraphPlayer`.
    rate : frames a second.
    between : number of times per frame that adverbs and handles are sampled. Between samples they are constant, unless
        `straight`.
    """

    verb: str
    commands: tuple[Command, ...] = ()
    adverbs: Mapping[str, Track] = field(default_factory=dict[str, Track])
    seed: int = 0
    origin: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)
    settle: float = SETTLE
    at_once: frozenset[str] = frozenset()
    handles: Mapping[str, Track] = field(default_factory=dict[str, Track])
    rate: float = RATE
    between: int = 1
    straight: bool = False
    lead: int = 0

    def asked(self, until: float, after: float = -math.inf) -> Iterator[tuple[float, Asked]]:
        """Yield the commands with their times in order: after the time `after` and up to `until`, in seconds.

        A command comes before adverbs and handles that are sampled at the same time.
        """
        for time, what in merge(self._commanded(), self._read(until, after), key=lambda asked: asked[0]):
            if time > until:
                return
            if time > after:
                yield time, what

    def _commanded(self) -> Iterator[tuple[float, Asked]]:
        """Yield the commands in order of time."""
        for command in sorted(self.commands, key=lambda command: command.seconds):
            yield command.seconds, AskVerb(command.verb, command.label or f"at {command.seconds:.2f} s")

    def _read(self, until: float, after: float) -> Iterator[tuple[float, Asked]]:
        """Yield the samples of adverbs and handles in order of time, from shortly before `after` to `until`."""
        changing = {name: track for name, track in self.adverbs.items() if len(track.values) > 1}
        steady = AskAdverbs({name: track.first for name, track in self.adverbs.items()})
        yield 0.0, steady
        often = self.between
        first = int(max(after, 0.0) * self.rate * often) // ROWS * ROWS
        for begin in range(first, int(until * self.rate * often) + 2 if changing or self.handles else 0, ROWS):
            whole, rest = np.divmod(np.arange(begin, begin + ROWS + 1), often)
            seconds = (whole + rest / often) / self.rate
            adverbs = {name: track.at(seconds).tolist() for name, track in changing.items()}
            handles = [
                self.handles[name].at(seconds).tolist() if name in self.handles else [neutral] * (ROWS + 1)
                for name, neutral in HANDLES.items()
            ]
            for row, moment in enumerate(seconds.tolist()[:ROWS]):
                if moment > until:
                    return
                if changing:
                    asked = AskAdverbs({name: column[row] for name, column in adverbs.items()}, at_once=self.at_once)
                    if self.straight:
                        then = {name: column[row + 1] for name, column in adverbs.items()}
                        asked = replace(asked, then=then, until=float(seconds[row + 1]))
                    yield moment, asked
                if self.handles:
                    yield moment, Handles(*(column[row] for column in handles))


def player_of(graph: VerbGraph, score: Score) -> GraphPlayer:
    """Return a player at the beginning of a score, to which no command has been given yet.

    Raises
    ------
    GraphError
        If the graph lacks the first verb of the score.
    VerbError
        If an adverb is not a finite number.
    """
    first = {name: track.first for name, track in score.adverbs.items()}
    rng = np.random.default_rng(score.seed)
    return GraphPlayer(graph, first, rng, score.verb, score.origin, score.settle, score.lead)


def play_score(player: Player, score: Score, until: float) -> Sequence[Span]:
    """Play `score` from the player's present time to `until`, without computing rows; raises the errors of `record`.

    Returns
    -------
    The played pieces, in order.
    """
    _tell(player, score, until)
    return player.play(until)


def _tell(player: Player, score: Score, until: float) -> None:
    """Give a player the commands of a score up to a time."""
    for time, what in score.asked(until, player.time if player.time > 0.0 else -math.inf):
        player.command(time, what)


class Passing(NamedTuple):
    """Generic time over clock time while a score of one verb is played.

    Parameters
    ----------
    times : (P,) seconds.
    phases : (P,) generic times then, linear in between, increasing by 1 in each cycle.
    adverbs : (P, D) values since each of these times, or since shortly before while they settle.
    """

    times: Array
    phases: Array
    adverbs: Array


def passing(player: GraphPlayer, score: Score, until: float, progress: Progress | None = None) -> Passing:
    """Return generic time over clock time while `score` is played.

    Parameters
    ----------
    player : player at its beginning.
    score : score to play.
    until : time in seconds up to which it is played.
    progress : called with the fraction that is done, as `core.progress` says.
    """
    times, phases, adverbs, tell = list[float](), list[float](), list[list[float]](), progress or untold
    portion = ROWS / (score.rate * score.between)
    while player.time < until:
        end = min(max(player.time, 0.0) + portion, until)
        _tell(player, score, end)
        for piece in (part for played in player.play(end) for part in played.parts):
            if times and piece.begin.time < times[-1]:
                continue
            times.append(piece.begin.time)
            phases.append(piece.begin.playing.cycle + piece.begin.playing.phase)
            adverbs.append([piece.setting.adverbs[name] for name in piece.begin.playing.now.verb.adverb_names])
        tell(max(player.time, 0.0) / until)
    playing = player.moment.playing
    now = [player.adverbs[name] for name in playing.now.verb.adverb_names]
    whole = [*phases, playing.cycle + playing.phase]
    return Passing(np.array([*times, player.time]), np.array(whole), np.array([*adverbs, now]))


def record(
    player: Player,
    score: Score,
    times: ArrayLike,
    progress: Progress | None = None,
    reached: Callable[[], None] | None = None,
) -> Recording:
    """Play `score` and return the recording at `times`.

    Choices depend on the score's seed and on the number of earlier choices, and each command takes effect at its own
    time: neither later parts of the score nor the requested rows change anything.

    Parameters
    ----------
    player : player at its beginning, such as one from `player_of`, or a `ConstrainedPlayer` of one.
    score : score to play.
    times : (T,) seconds since the performance began, 0 or more, not decreasing.
    progress : called with the fraction that is done, as `core.progress` says.
    reached : called at intervals, when the player has been given all commands up to its time.

    Raises
    ------
    GraphError
        If a command requests a verb to which no path leads at that time.
    VerbError
        If an adverb is not a finite number.
    """
    clock, tell = np.asarray(times, dtype=np.float64), progress or untold
    asked, stretches = score.asked(float(clock[-1])), list[Stretch]()
    heard = next(asked, None)
    for begin in range(0, len(clock), ROWS):
        piece = clock[begin : begin + ROWS]
        while heard is not None and heard[0] <= piece[-1]:
            player.command(*heard)
            heard = next(asked, None)
        stretches.append(player.advance(piece))
        tell(min(begin + ROWS, len(clock)) / len(clock))
        if reached is not None:
            reached()
    return recording_of(player.channels, stretches)
