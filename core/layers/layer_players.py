"""What plays in a layer: a verb on its own time or in step with what lies below, or a motion model."""

import math
from collections.abc import Mapping
from copy import copy
from dataclasses import replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ..figure import quaternion as quat
from ..figure.channels import Channels, rotations_of, with_rotations
from ..graph.overlay import Below
from ..graph.verb_graph import VerbGraph
from ..play.graph_player import GraphPlayer
from ..play.piece import Piece, pieces_at
from ..play.piece_rows import mixing_at, rows_of
from ..play.player import AskAdverbs

Array = NDArray[np.float64]


class LayerPlayer(Protocol):
    """What plays in a layer from when that is started on."""

    @property
    def channels(self) -> Channels:
        """What the columns of its rows mean."""
        ...

    def hear(self, time: float, what: AskAdverbs) -> None:
        """Hear what adverbs, or parameters, are asked for at the present time."""
        ...

    def play(self, until: float) -> None:
        """Play up to a time."""
        ...

    def left(self) -> float:
        """Return the seconds until it is over by itself, at the present rate; infinite if it is never."""
        ...

    def forget(self, before: float) -> None:
        """Forget what was played before a time; no rows from then are asked for any more."""
        ...

    def finish(self) -> None:
        """Let it come to a proper end, if it has one."""
        ...

    def again(self) -> None:
        """Let it go on as if it had just been started, after the present pass."""
        ...

    def rows(self, below: Below) -> Array:
        """Return rows (T, width of its channels) at the times of what lies below."""
        ...

    def fork(self) -> "LayerPlayer":
        """Return one that goes on by itself from the present."""
        ...


class VerbPlayer:
    """Plays a verb in a layer: a number of times, or until it is stopped.

    Parameters
    ----------
    graph : of the verb alone.
    time : seconds at which it begins.
    adverbs : values by name to begin with.
    settle : seconds in which they settle.
    passes : how often it is played; 0 for until it is stopped.
    follows : whether its generic time is that of what lies below, so that it keeps step; it is never over then.
    """

    def __init__(
        self,
        graph: VerbGraph,
        time: float,
        adverbs: Mapping[str, float],
        settle: float,
        passes: int,
        follows: bool,
    ) -> None:
        self._graph, self._settle, self._times, self._follows = graph, settle, passes, follows
        self._wanted = {name: adverbs[name] for name in graph.verbs[0].adverb_names if name in adverbs}
        self._passes, self._played = passes, 0
        self._begun: list[tuple[float, GraphPlayer, list[Piece]]] = []
        self._begin(time)

    @property
    def channels(self) -> Channels:
        """What the columns of its rows mean."""
        return self._graph.channels

    def hear(self, time: float, what: AskAdverbs) -> None:
        """Hear what adverbs are asked for at the present time."""
        names = self._graph.verbs[0].adverb_names
        self._wanted |= {name: value for name, value in what.values.items() if name in names}
        began, player, _ = self._begun[-1]
        player.command(time - began, replace(what, until=what.until - began))

    def play(self, until: float) -> None:
        """Play up to a time."""
        while True:
            began, player, pieces = self._begun[-1]
            fresh = player.play(max(until - began, player.time))
            while pieces and pieces[-1].begin.time >= fresh[0].begin.time:
                pieces.pop()
            pieces.extend(fresh)
            playing = pieces[-1].begin.playing
            if playing.now.verb.cyclic or playing.phase < 1.0 or self._played + 1 >= (self._passes or math.inf):
                break
            self._played += 1
            self._begin(began + pieces[-1].begin.time)

    def forget(self, before: float) -> None:
        """Forget what was played before a time; no rows from then are asked for any more."""
        while len(self._begun) > 1 and self._begun[1][0] < before:
            self._begun.pop(0)
        began, _, pieces = self._begun[0]
        del pieces[: next((n for n, piece in enumerate(pieces) if piece.until > before - began), 0)]

    def left(self) -> float:
        """Return the seconds until it is over by itself, at the present rate; infinite if it is never."""
        playing = self._begun[-1][1].moment.playing
        if not self._passes or self._follows:
            return math.inf
        return playing.seconds_until(1.0) + (self._passes - 1 - self._passed) * sum(playing.now.lengths)

    def finish(self) -> None:
        """Let it end after the present pass; what keeps step with something else has no end."""
        self._passes = self._passed + 1

    def again(self) -> None:
        """Let it go on as if it had just been started, after the present pass."""
        self._passes = self._times and self._passed + 1 + self._times

    @property
    def _passed(self) -> int:
        """Number of passes that are over."""
        playing = self._begun[-1][1].moment.playing
        return playing.cycle if playing.now.verb.cyclic else self._played

    def rows(self, below: Below) -> Array:
        """Return rows (T, width) at the times of what lies below; if it follows, at the generic times there."""
        begins = np.array([began for began, _, _ in self._begun])
        which = np.maximum(np.searchsorted(begins, below.times, side="right") - 1, 0)
        values = np.empty((len(below.times), self.channels.width))
        for number, (began, player, pieces) in enumerate(self._begun):
            rows = np.flatnonzero(which == number)
            if len(rows):
                times = np.clip(below.times[rows] - began, 0.0, player.time)
                at = pieces_at(pieces, times)
                made = rows_of(pieces, at, times).values
                values[rows] = self._in_step(pieces, at, times, made, below, rows) if self._follows else made
        return values

    def fork(self) -> "VerbPlayer":
        """Return one that goes on by itself from the present."""
        made = copy(self)
        made._wanted = dict(self._wanted)
        made._begun = [(began, player.fork(), list(pieces)) for began, player, pieces in self._begun]
        return made

    def _begin(self, time: float) -> None:
        """Begin a pass at a time."""
        verb = self._graph.verbs[0]
        player = GraphPlayer(self._graph, self._wanted, np.random.default_rng(0), verb.name, settle=self._settle)
        self._begun.append((time, player, [player.piece]))

    def _in_step(
        self, pieces: list[Piece], at: NDArray[np.intp], times: Array, made: Array, below: Below, rows: NDArray[np.intp]
    ) -> Array:
        """Return rows (T, width) `made` at `times` with poses at the generic times of what lies below."""
        mixing = mixing_at(pieces, [piece.begin.playing for piece in pieces], at, at, times)
        verb, weights = self._graph.verbs[0], below.weights[rows]
        values = made.copy()
        values[:, 3:] = verb.poses(below.phases[0, rows], mixing)
        turning = np.flatnonzero(weights < 1.0)
        if len(turning):
            entered = values[turning].copy()
            entered[:, 3:] = verb.poses(below.phases[1, rows[turning]], mixing[turning])
            values[turning] = _cross_faded(self.channels, values[turning], entered, weights[turning])
        return values


def _cross_faded(channels: Channels, old: Array, new: Array, weights: Array) -> Array:
    """Return rows (T, width) of one verb at two generic times, mixed by the weights (T,) of the first."""
    share = weights[:, None]
    mixed = share * old + (1.0 - share) * new
    mixed[:, channels.held_columns] = np.where(share >= 0.5, old, new)[:, channels.held_columns]
    turns = rotations_of(channels, old), rotations_of(channels, new)
    chords = share[..., None] * turns[0] + (1.0 - share[..., None]) * quat.align(turns[1], turns[0])
    return with_rotations(channels, mixed, quat.normalize(chords))
