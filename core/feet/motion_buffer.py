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
from ..play.piece import Piece, pieces_at
from ..play.player import Stretch
from .constrained_player import AnyPlayer, below
from .playing_together import advance_all

QUIET = 0.1
"""Seconds for which nothing was asked of a player, and no frame came late, before rows are made ahead of it."""
TOGETHER = 48
"""Rows, about, that are made ahead in one frame, unless there are very many players."""
SLACK = 0.25
"""Share of a frame's time by which a frame may come sooner or later than wanted, where its row is made."""


class BufferedPlayer:
    """A player, and the rows that were made ahead of it.

    Parameters
    ----------
    player : at its present time; from now on it is asked for rows by a `MotionBuffer` alone.

    Attributes
    ----------
    behind : the player where the rows that are ahead of it begin; it knows all that was asked for.
    """

    def __init__(self, player: AnyPlayer) -> None:
        self.behind = self._ahead = player
        self._rows: Stretch | None = None
        self._pieces: Sequence[AnyPiece] = ()
        self._shown, self._since = player.time, inf
        self._asked = below(player).asked

    def caught_up(self) -> AnyPlayer:
        """Let the player play on to the row that was handed out last, and return it.

        What it is asked for then shows in the next frame.
        """
        if self.behind.time < self._shown:
            self.behind.play(self._shown)
            self.behind.happened()
        return self.behind

    @property
    def piece(self) -> Piece:
        """What plays at the time of the row that was handed out last."""
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
        """Whether rows are made that are not handed out yet."""
        return self._rows is not None

    def is_quiet(self, time: float) -> bool:
        """Whether nothing was asked for in some time up to `time`, and nothing that was asked for is still to come."""
        return time - self._since >= QUIET and below(self.behind).asked[1] <= self._shown

    def begin(self, until: float) -> tuple[AnyPlayer, Sequence[AnyPiece]]:
        """Begin to make rows up to a time; return the player that is to make them, and the pieces it has played."""
        self._ahead = self.caught_up().fork()
        self._pieces = below(self._ahead).play(until)
        return self._ahead, self._pieces

    def fill(self, rows: Stretch) -> None:
        """Keep the rows that were begun."""
        self._rows = rows

    def hand_out(self, time: float) -> Stretch | None:
        """Return the row at a time; None if it is not made. If something was asked for since, all are thrown away."""
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
        """Note the row that the player itself has made, from the time `since` on, and return what is new in it."""
        found = row if since >= self._shown else _part(row, 0, self._shown)
        self._shown = float(row.times[0])
        self._since = min(self._since, self._shown)
        return found

    def _drop(self, time: float) -> None:
        """Throw the rows away, and wait until it is quiet again."""
        self._rows, self._asked, self._since = None, below(self.behind).asked, time


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
        """Return the indices of those players, of `missing` ones, of which rows are to be made at a time.

        Players are filled in groups, since many rows together are made quicker, but few groups in one frame, so that no
        frame takes much longer than the others.
        """
        room = max(TOGETHER // self.size, 1)
        groups = [range(first, min(first + room, len(players))) for first in range(0, len(players), room)]
        empty = [group for group in groups if not any(players[place].is_ahead for place in group)]
        due = [[place for place in missing if place in group and players[place].is_quiet(time)] for group in empty]
        return list(chain(*[group for group in due if group][: ceil(len(groups) / self.size)]))


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
