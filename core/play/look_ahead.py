"""Prediction of what a figure will do without further commands, to know when and where feet land."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from .block import AnyPiece
from .piece import Moment, Piece, entering, piece_from, pieces_at
from .piece_rows import rows_of
from .playing_verb import Playing
from .transition_queue import begins
from .transition_timing import Passage
from .verb_now import Pacer

Array = NDArray[np.float64]

LONGEST = 5.0
"""Seconds of look-ahead."""


class LookAhead:
    """Plays ahead from a time within a piece: verbs, the planned transitions and the root, at the present adverbs.

    Future commands and choices are unknown; a cycle without a plan repeats. Pieces are played only as far as needed.

    Parameters
    ----------
    piece : piece that plays at `time`.
    time : time in seconds from which to look ahead.
    pacers : pacers of the graph's verbs, by name.
    """

    def __init__(self, piece: AnyPiece, time: float, pacers: Mapping[str, Pacer]) -> None:
        piece = piece.of(time)
        self._begin, self._setting, self._pacers = time, piece.setting, pacers
        self._pieces: list[Piece] = []
        self._go(_resting(piece.moment(time)))

    def until_stands(self, bit: int, within: float = LONGEST) -> float | None:
        """Return the time in seconds at which the next piece begins in which the point of `bit` is planted.

        None if no such piece begins before `within` seconds, or slightly later.
        """
        index = 1
        while True:
            if index == len(self._pieces) and not self._go_on(within):
                return None
            piece = self._pieces[index]
            if piece.standing & bit:
                return piece.begin.time
            index += 1

    def at(self, time: float) -> Moment:
        """Return the state at a time that has been predicted."""
        return self._pieces[int(pieces_at(self._pieces, np.array([time]))[0])].moment(time)

    def rows(self, times: Array) -> Array:
        """Return rows (T, width), without locks, at `times` (T,) that have been predicted."""
        return rows_of(self._pieces, pieces_at(self._pieces, times), times).values

    def _go_on(self, within: float) -> bool:
        """Play one more piece, unless it begins more than `within` seconds ahead; return whether it was played."""
        last = self._pieces[-1]
        if last.until - self._begin > within:
            return False
        self._go(last.at(last.until))
        return True

    def _go(self, moment: Moment) -> None:
        """Play a piece from a state on, after wrapping a cycle, ending a transition, or beginning a planned one."""
        plays, setting = moment.plays, self._setting
        if isinstance(plays, Passage) and plays.done:
            plays = plays.arrived()
        if isinstance(plays, Playing):
            plays = plays.wrapped()
            if setting.ways and begins(setting.ways[0], plays):
                way, new = setting.ways[0], self._pacers[setting.ways[0].target].at(setting.adverbs)
                self._setting = setting = setting._replace(ways=setting.ways[1:])
                moment = entering(moment, plays, new, way)
            else:
                moment = moment._replace(plays=plays)
        self._pieces.append(piece_from(moment, setting))


def _resting(moment: Moment) -> Moment:
    """Return a state with its adverbs at rest at their present values."""
    plays = moment.plays
    if isinstance(plays, Playing):
        return moment._replace(plays=plays._replace(then=None))
    resting = replace(plays, old=plays.old._replace(then=None), new=plays.new._replace(then=None))
    return moment._replace(plays=resting)
