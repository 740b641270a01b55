"""Players in a layer: of a verb in its own time or in step with the motion below, or of a motion model."""

import math
from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ..figure import quaternion as quat
from ..figure.channels import Channels, climb, rotations_of, with_rotations
from ..graph.overlay import Below
from ..graph.verb_graph import VerbGraph
from ..play.block import AnyPiece
from ..play.graph_player import GraphPlayer
from ..play.inertialisation import Inertia, inertia_of
from ..play.piece import Piece, pieces_at
from ..play.piece_rows import mixed_poses, mixing_at, rows_of, single_steps
from ..play.player import AskAdverbs, AskPlays, Handles
from ..play.playing_verb import Playing

Array = NDArray[np.float64]

SEAM = 0.3
"""Maximum seconds in which the offset from the end of a pass decays in the next one."""


class LayerPlayer(Protocol):
    """A player in a layer, from the start of the layer."""

    @property
    def channels(self) -> Channels:
        """Meaning of the columns of its rows."""
        ...

    def hear(self, time: float, what: AskAdverbs | AskPlays | Handles) -> None:
        """Handle a command at the present time: adverbs or parameters, a tempo, or another motion."""
        ...

    def play(self, until: float) -> None:
        """Advance to a time."""
        ...

    def left(self) -> float:
        """Return the seconds until it ends by itself, at the present rate; infinite if it never does."""
        ...

    def forget(self, before: float) -> None:
        """Discard history before a time, for which no rows will be requested any more."""
        ...

    def finish(self) -> None:
        """Let it finish properly, if it has an end."""
        ...

    def again(self) -> None:
        """Let it continue after the present pass as if it had just been started."""
        ...

    def rows(self, below: Below) -> Array:
        """Return rows (T, width of its channels) at the times of the motion below."""
        ...

    def fork(self) -> "LayerPlayer":
        """Return an independent copy that continues from the present."""
        ...


@dataclass(frozen=True, eq=False)
class Pass:
    """One pass of a verb in a layer, from its beginning: played once if it is not a cycle.

    Parameters
    ----------
    began : start time in seconds.
    player : player of the verb; its time begins at 0.
    pieces : pieces that it has played, as far as they are kept; the last one plays.
    inertia : decaying offset from the end of the previous pass, None if there was none.
    """

    began: float
    player: GraphPlayer
    pieces: list[AnyPiece]
    inertia: Inertia | None = None

    def play(self, until: float) -> None:
        """Advance to a time."""
        fresh = self.player.play(max(until - self.began, self.player.time))
        while self.pieces and self.pieces[-1].begin.time >= fresh[0].begin.time:
            self.pieces.pop()
        self.pieces.extend(fresh)

    def forget(self, before: float) -> None:
        """Discard history before a time."""
        before -= self.began
        del self.pieces[: next((n for n, piece in enumerate(self.pieces) if piece.until > before), 0)]

    def fork(self) -> "Pass":
        """Return an independent copy that continues from the present."""
        return replace(self, player=self.player.fork(), pieces=list(self.pieces))


class VerbPlayer:
    """Plays a verb in a layer: a number of times, or until it is stopped.

    A verb that is not a cycle and is played several times need not begin in the pose in which it ends: the difference
    decays during the next pass.

    Parameters
    ----------
    graph : graph of the verb alone.
    time : start time in seconds.
    adverbs : initial values by name.
    settle : settling time in seconds.
    passes : number of passes; 0 to play until it is stopped.
    follows : whether it uses the generic time of the motion below to stay in step; then it never ends.
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
        self._passes, self._played, self._tempo = passes, 0, 1.0
        player = self._player(self._wanted)
        self._begun = [Pass(time, player, [player.piece])]

    @property
    def channels(self) -> Channels:
        """Meaning of the columns of its rows."""
        return self._graph.channels

    def hear(self, time: float, what: AskAdverbs | AskPlays | Handles) -> None:
        """Handle adverbs or a tempo at the present time; commands for another verb are ignored."""
        if isinstance(what, AskPlays):
            return
        names, last = self._graph.verbs[0].adverb_names, self._begun[-1]
        if isinstance(what, Handles):
            self._tempo = what.tempo
            last.player.command(time - last.began, Handles(tempo=what.tempo))
            return
        self._wanted |= {name: value for name, value in what.values.items() if name in names}
        what = what if what.then is None else replace(what, until=what.until - last.began)
        last.player.command(time - last.began, what)

    def play(self, until: float) -> None:
        """Advance to a time."""
        self._begun[-1].play(until)
        while self._ended and not self._follows and self._played + 1 < (self._passes or math.inf):
            self._played += 1
            self._begin_again()
            self._begun[-1].play(until)

    def forget(self, before: float) -> None:
        """Discard history before a time, for which no rows will be requested any more."""
        while len(self._begun) > 1 and self._begun[1].began < before:
            self._begun.pop(0)
        self._begun[0].forget(before)

    def left(self) -> float:
        """Return the seconds until it ends by itself, at the present rate; infinite if it never does."""
        if not self._passes or self._follows:
            return math.inf
        playing = self._playing
        further = (self._passes - 1 - self._passed) * sum(playing.now.lengths)
        return (playing.seconds_until(1.0) + further) / self._tempo

    def finish(self) -> None:
        """Let it end after the present pass; a verb in step with the motion below has no end."""
        self._passes = self._passed + 1

    def again(self) -> None:
        """Let it continue after the present pass as if it had just been started."""
        self._passes = self._times and self._passed + 1 + self._times

    @property
    def _playing(self) -> Playing:
        return self._begun[-1].player.moment.playing

    @property
    def _ended(self) -> bool:
        """Whether the present pass of a verb that is not a cycle is over."""
        playing = self._begun[-1].pieces[-1].begin.playing
        return not playing.now.verb.cyclic and playing.phase >= 1.0

    @property
    def _passed(self) -> int:
        """Number of passes that are over."""
        return self._playing.cycle if self._playing.now.verb.cyclic else self._played

    def rows(self, below: Below) -> Array:
        """Return rows (T, width) at the times of the motion below; if it follows, at its generic times."""
        if len(self._begun) == 1:
            return self._of_pass(self._begun[0], below)
        which = np.searchsorted([one.began for one in self._begun], below.times, side="right") - 1
        values = np.empty((len(below.times), self.channels.width))
        for number, one in enumerate(self._begun):
            rows = np.flatnonzero(np.maximum(which, 0) == number)
            if len(rows):
                values[rows] = self._of_pass(one, below.part(rows))
        return values

    def _of_pass(self, one: Pass, below: Below) -> Array:
        """Return rows (T, width) of a pass at the times of the motion below."""
        times = np.clip(below.times - one.began, 0.0, one.player.time)
        pieces, at = single_steps(one.pieces, pieces_at(one.pieces, times), times)
        made = rows_of(pieces, at, times)
        climb(self.channels, made.values, -made.heights)
        values = self._in_step(pieces, at, times, made.values, below) if self._follows else made.values
        if one.inertia is not None:
            values[:, 3:] = one.inertia.applied(values[:, 3:], times)
        return values

    def fork(self) -> "VerbPlayer":
        """Return an independent copy that continues from the present."""
        made = copy(self)
        made._wanted, made._begun = dict(self._wanted), [one.fork() for one in self._begun]
        return made

    def _player(self, adverbs: Mapping[str, float]) -> GraphPlayer:
        """Return a player at the beginning of the verb."""
        name = self._graph.verbs[0].name
        return GraphPlayer(self._graph, adverbs, np.random.default_rng(0), name, settle=self._settle)

    def _begin_again(self) -> None:
        """Begin the next pass at the end of the last one."""
        last = self._begun[-1]
        piece = next(piece for piece in last.pieces if piece.begin.playing.phase >= 1.0)
        ended, player = piece.begin, self._player(piece.setting.adverbs)
        player.command(0.0, AskAdverbs(self._wanted))
        player.command(0.0, Handles(tempo=self._tempo))
        seconds = min(SEAM, 0.5 * sum(ended.playing.now.lengths))
        inertia = inertia_of(self.channels, ended.playing, player.piece.begin.playing, seconds, 0.0, None)
        self._begun.append(Pass(last.began + ended.time, player, [player.piece], inertia))

    def _in_step(self, pieces: list[Piece], at: NDArray[np.intp], times: Array, made: Array, below: Below) -> Array:
        """Return rows (T, width) `made` at `times` with poses at the generic times of the motion below."""
        mixing = mixing_at(pieces, [piece.begin.playing for piece in pieces], at, at, times)
        verb, weights = self._graph.verbs[0], below.weights
        values = made.copy()
        values[:, 3:] = verb.poses(below.phases[0], mixing)
        turning = np.flatnonzero(weights < 1.0)
        if len(turning):
            old, new = values[turning], values[turning]
            new[:, 3:] = verb.poses(below.phases[1, turning], mixing[turning])
            turns = rotations_of(self.channels, old), rotations_of(self.channels, new)
            new = with_rotations(self.channels, new, quat.align(turns[1], turns[0]))
            values[turning, 3:] = mixed_poses(self.channels, old[:, 3:], new[:, 3:], weights[turning])
        return values
