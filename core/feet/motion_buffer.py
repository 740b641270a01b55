"""The motion buffer of [Gruenvogel2003] section 3: rows that are computed some frames before they are shown.

In the paper a command takes effect at the first posture that is not in the buffer. Here it shows in the next frame: a
player stays at the beginning of the rows computed ahead of it, and plays on from there when it gets a new command.
"""

from collections.abc import Sequence
from itertools import chain
from math import ceil, inf

import numpy as np

from ..play.adverb_smoothing import NEARLY
from ..play.block import AnyPiece
from ..play.piece import Piece, pieces_at
from ..play.player import Stretch
from .constrained_player import AnyPlayer, below
from .playing_together import advance_all

QUIET = 0.1
"""Seconds without late frames, and without commands to a player, after which rows are computed ahead of the player."""
TOGETHER = 48
"""Approximate number of rows computed ahead in one frame, unless there are very many players."""
SLACK = 0.25
"""Share of a frame's duration by which a frame may be moved to the time of a computed row."""


class BufferedPlayer:
    """A player, and the rows computed ahead of it.

    Parameters
    ----------
    player : player at its present time; from now on only a `MotionBuffer` requests its rows.

    Attributes
    ----------
    behind : the player at the beginning of the rows ahead of it; it has received all commands.
    """

    def __init__(self, player: AnyPlayer) -> None:
        self.behind = self._ahead = player
        self._rows: Stretch | None = None
        self._pieces: Sequence[AnyPiece] = ()
        self._shown, self._since = player.time, inf
        self._asked = below(player).asked

    def caught_up(self) -> AnyPlayer:
        """Advance the player to the last row handed out, and return it.

        Commands that it then gets show in the next frame.
        """
        if self.behind.time < self._shown:
            self.behind.play(self._shown)
            self.behind.happened()
        return self.behind

    @property
    def piece(self) -> Piece:
        """The piece that plays at the time of the last row handed out."""
        if self.behind.time >= self._shown:
            return below(self.behind).piece.of(self._shown)
        return self._pieces[int(pieces_at(self._pieces, np.array([self._shown]))[0])].of(self._shown)

    @property
    def layers(self) -> tuple[str, ...]:
        """Names of the layers that play at that time, from the lowest to the highest."""
        some = below(self.behind).layers or below(self._ahead).layers
        return below(self.caught_up()).layers if some else ()

    @property
    def is_ahead(self) -> bool:
        """Whether there are computed rows that have not been handed out."""
        return self._rows is not None

    def is_quiet(self, time: float) -> bool:
        """Return whether there were no commands for some time up to `time`, and none are pending."""
        return time - self._since >= QUIET and below(self.behind).asked[1] <= self._shown

    def begin(self, until: float) -> tuple[AnyPlayer, Sequence[AnyPiece]]:
        """Begin to compute rows up to a time; return the player that will compute them, and the pieces played."""
        self._ahead = self.caught_up().fork()
        self._pieces = below(self._ahead).play(until)
        return self._ahead, self._pieces

    def fill(self, rows: Stretch) -> None:
        """Store the rows that were begun."""
        self._rows = rows

    def hand_out(self, time: float) -> Stretch | None:
        """Return the row at a time, None if it is not computed. After a new command all rows are discarded."""
        if self._asked != below(self.behind).asked:
            self._drop(time)
        if self._rows is None:
            return None
        times = self._rows.times
        row = int(np.searchsorted(times, time - NEARLY))
        if row == len(times) or times[row] > time + NEARLY:
            self._drop(time)
            return None
        found = _part(self._rows, row, self._shown if row else -inf)
        self._shown = float(times[row])
        if row == len(times) - 1:
            self.behind, self._rows = self._ahead, None
        return found

    def played(self, row: Stretch, since: float) -> Stretch:
        """Record the `row` that the player has computed, and return it with only the events that are new."""
        found = row if since >= self._shown else _part(row, 0, self._shown)
        self._shown = float(row.times[0])
        self._since = min(self._since, self._shown)
        return found

    def _drop(self, time: float) -> None:
        """Discard the rows, and wait until it is quiet again."""
        self._rows, self._asked, self._since = None, below(self.behind).asked, time


class MotionBuffer:
    """Computes the rows of players that are shown on one clock, some of them ahead.

    Parameters
    ----------
    size : number of frames computed at once for a player without new commands; 1 for none ahead.
    """

    def __init__(self, size: int = 1) -> None:
        self.size = size
        self._times = list[float]()

    def near(self, time: float, interval: float) -> float:
        """Return the time of the next frame if it is requested at `time`.

        Parameters
        ----------
        time : time in seconds.
        interval : from one frame to the next, seconds.
        """
        return next((made for made in self._times if abs(made - time) <= SLACK * interval), time)

    def advance(self, players: Sequence[BufferedPlayer], time: float, interval: float) -> list[Stretch]:
        """Return the row of each player at `time`, with the events since the previous row.

        Parameters
        ----------
        players : all players that are shown; others may be added later.
        time : time in seconds, later than that of the previous row.
        interval : expected time in seconds until the next row is requested.
        """
        planned = any(abs(made - time) <= NEARLY for made in self._times)
        self._times = [made for made in self._times if made > time + NEARLY] if planned else []
        found = [player.hand_out(time) for player in players]
        missing = [place for place, row in enumerate(found) if row is None]
        filled = self._due(players, missing, time) if self.size > 1 else []
        if filled:
            while len(self._times) < self.size - 1:
                self._times.append((self._times[-1] if self._times else time) + interval)
            times = [time, *self._times]
            ahead, pieces = zip(*[players[place].begin(times[-1]) for place in filled], strict=True)
            for place, rows in zip(filled, advance_all(ahead, times, pieces), strict=True):
                players[place].fill(rows)
                found[place] = players[place].hand_out(time)
        alone = [place for place in missing if found[place] is None]
        if alone:
            behind = [players[place].behind for place in alone]
            begun = [player.time for player in behind]
            for place, row, since in zip(alone, advance_all(behind, [time]), begun, strict=True):
                found[place] = players[place].played(row, since)
        return [row for row in found if row is not None]

    def _due(self, players: Sequence[BufferedPlayer], missing: Sequence[int], time: float) -> list[int]:
        """Return the indices of those of the `missing` players whose rows are computed in the frame at `time`.

        Players are filled in groups, since many rows are computed faster together, but with few groups per frame, so
        that no frame takes much longer than the others.
        """
        room = max(TOGETHER // self.size, 1)
        groups = [range(first, min(first + room, len(players))) for first in range(0, len(players), room)]
        empty = [group for group in groups if not any(players[place].is_ahead for place in group)]
        due = [[place for place in missing if place in group and players[place].is_quiet(time)] for group in empty]
        return list(chain(*[group for group in due if group][: ceil(len(groups) / self.size)]))


def _part(rows: Stretch, row: int, after: float) -> Stretch:
    """Return the row with the index `row`, with the events later than `after` up to the time of that row."""
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
