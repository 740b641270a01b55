"""The motion buffer of [Gruenvogel2003] section 3: rows that are made some frames before they are shown.

In the paper a command takes effect at the first posture that is not in the buffer. Here it shows in the next frame: a
player stays behind at the beginning of the rows that are ahead of it, and plays on from there when it is asked for
something new.
"""

from collections.abc import Sequence
from itertools import chain
from math import ceil, inf

import numpy as np

from ..play.adverb_smoothing import NEARLY
from ..play.block import AnyPiece
from ..play.graph_player import GraphPlayer
from ..play.piece import Piece, pieces_at
from ..play.player import Stretch
from .constrained_player import AnyPlayer, ConstrainedPlayer
from .playing_together import advance_all

QUIET = 0.1
"""Seconds for which nothing has been asked of a player before rows are made ahead of it."""
TOGETHER = 48
"""Rows, about, that are made ahead in one frame, unless there are very many players."""
SLACK = 0.25
"""Share of a frame's time by which a frame may come sooner or later than wanted, where its row is made."""


class BufferedPlayer:
    """A player, and the rows that were made ahead of it.

    Parameters
    ----------
    player : at its present time; from now on it is asked for rows by a `MotionBuffer` alone.
    """

    def __init__(self, player: AnyPlayer) -> None:
        self._player = self._ahead = player
        self._rows: Stretch | None = None
        self._pieces: Sequence[AnyPiece] = ()
        self._shown, self._since = -inf, inf
        self._asked = _below(self._player).asked

    @property
    def player(self) -> AnyPlayer:
        """The player at the time of the row that was handed out last; what it is asked for shows in the next frame."""
        if self._player.time < self._shown:
            self._player.play(self._shown)
            self._player.happened()
        return self._player

    @property
    def piece(self) -> Piece:
        """What plays at the time of the row that was handed out last."""
        if self._player.time >= self._shown:
            return _below(self._player).piece.of(self._shown)
        return self._pieces[int(pieces_at(self._pieces, np.array([self._shown]))[0])].of(self._shown)

    @property
    def layers(self) -> tuple[str, ...]:
        """Names of the layers that play at that time, from the lowest to the highest."""
        now, ahead = _below(self._player).layers, _below(self._ahead).layers
        return _below(self.player).layers if now or ahead else now

    @property
    def is_ahead(self) -> bool:
        """Whether rows are made that are not handed out yet."""
        return self._rows is not None

    def is_quiet(self, time: float) -> bool:
        """Whether nothing has been asked for in some time up to `time`, and nothing will be by now."""
        return time - self._since >= QUIET and _below(self._player).asked[1] <= self._shown

    def begin(self, until: float) -> tuple[AnyPlayer, Sequence[AnyPiece]]:
        """Begin to make rows up to a time; return the player that is to make them, and the pieces it has played."""
        self._ahead = self.player.fork()
        self._pieces = _below(self._ahead).play(until)
        return self._ahead, self._pieces

    def fill(self, rows: Stretch) -> None:
        """Keep the rows that were begun."""
        self._rows = rows

    def hand_out(self, time: float) -> Stretch | None:
        """Return the row at a time; None if it is not made, or if something was asked for since: it is thrown away."""
        if self._asked != _below(self._player).asked:
            self._drop(time)
        if self._rows is None:
            return None
        times = self._rows.times
        row = int(np.searchsorted(times, time - NEARLY))
        if row == len(times) or times[row] > time + NEARLY:
            self._drop(time)
            return None
        found = _part(self._rows, row, self._shown)
        self._shown = float(times[row])
        if row == len(times) - 1:
            self._player, self._rows = self._ahead, None
        return found

    def note(self, time: float) -> None:
        """Note that the player itself has been asked for the row at a time."""
        self._shown, self._since = time, min(self._since, time)

    def _drop(self, time: float) -> None:
        """Throw the rows away: the player has to play on to what is shown, and to wait until it is quiet again."""
        if self._rows is not None:
            _ = self.player
        self._rows, self._asked, self._since = None, _below(self._player).asked, time


class MotionBuffer:
    """Makes the rows of players that are shown on one clock, some of them ahead.

    Parameters
    ----------
    size : how many frames are made at once of a player that nothing new is asked of; 1 for none ahead.
    """

    def __init__(self, size: int = 1) -> None:
        self.size = size
        self._times = list[float]()

    def near(self, time: float, interval: float) -> float:
        """Return the time at which the next frame is to be, if it is wanted at `time`.

        Parameters
        ----------
        time : seconds.
        interval : from one frame to the next, seconds.
        """
        return next((made for made in self._times if abs(made - time) <= SLACK * interval), time)

    def advance(self, players: Sequence[BufferedPlayer], time: float, interval: float) -> list[Stretch]:
        """Return the row of each player at `time`, with what has happened since the row before.

        Parameters
        ----------
        players : all that are shown; others may be given later.
        time : seconds, later than that of the row before.
        interval : seconds, after which the next row will be wanted, if all goes well.
        """
        planned = any(abs(made - time) <= NEARLY for made in self._times)
        self._times = [made for made in self._times if made > time + NEARLY] if planned else []
        found = [player.hand_out(time) for player in players]
        missing = [place for place, row in enumerate(found) if row is None]
        filled = self._due(players, missing, time) if self.size > 1 else []
        if filled:
            while len(self._times) < self.size - 1:
                self._times.append((self._times[-1] if self._times else time) + interval)
            times = [time, *self._times[: self.size - 1]]
            ahead, pieces = zip(*[players[place].begin(times[-1]) for place in filled], strict=True)
            for place, rows in zip(filled, advance_all(ahead, times, pieces), strict=True):
                players[place].fill(rows)
                found[place] = players[place].hand_out(time)
        alone = [place for place in missing if found[place] is None]
        if alone:
            for place, row in zip(alone, advance_all([players[place].player for place in alone], [time]), strict=True):
                found[place] = row
                players[place].note(time)
        return [row for row in found if row is not None]

    def _due(self, players: Sequence[BufferedPlayer], missing: Sequence[int], time: float) -> list[int]:
        """Return the indices of those players, of `missing` ones, of which rows are to be made at a time.

        Players are filled in groups, since many rows together are made quicker, but few groups in one frame, so that no
        frame takes much longer than the others.
        """
        room = max(TOGETHER // self.size, 1)
        groups = [range(first, min(first + room, len(players))) for first in range(0, len(players), room)]
        empty = [group for group in groups if not any(players[place].is_ahead for place in group)]
        due = [[place for place in missing if place in group and players[place].is_quiet(time)] for group in empty]
        return list(chain(*[group for group in due if group][: ceil(len(groups) / self.size)]))


def _below(player: AnyPlayer) -> GraphPlayer:
    """Return the player that goes through the verb graph."""
    return player.player if isinstance(player, ConstrainedPlayer) else player


def _part(rows: Stretch, row: int, after: float) -> Stretch:
    """Return one of some rows, with what has happened after a time up to it."""
    here, time = slice(row, row + 1), float(rows.times[row])
    happened = tuple(told for told in rows.happenings if after < told.time <= time)
    return Stretch(
        rows.times[here],
        rows.values[here],
        rows.support[here],
        rows.verbs[here],
        rows.phases[here],
        rows.heights[here],
        happened,
    )
