"""How far back locks matter: what must have been played, so that a row has the locks that it would have after all."""

import math
from collections.abc import Sequence

import numpy as np

from ..figure.legs import limbs
from ..play.graph_player import GraphPlayer
from ..play.held_points import Span
from .easing_curves import FADE

MOMENTS = 128
"""Instants of a cycle that are looked at."""


def comes_free(player: GraphPlayer) -> bool:
    """Whether all limbs come free of locks in each cycle, for so long that locks of earlier cycles do not matter."""
    playing = player.moment.playing
    if not playing.now.verb.cyclic or not playing.rate:
        return False
    moments = np.arange(MOMENTS) / MOMENTS
    stands = np.array([playing.now.standing(phase) for phase in moments.tolist()])
    free = FADE * MOMENTS / sum(playing.now.lengths)
    for limb in limbs(player.graph.points, player.channels.skeleton):
        rows = np.flatnonzero(np.tile(stands & sum(1 << point for point in limb), 2))
        if len(rows) and np.diff(rows).max() - 1 < free:
            return False
    return True


def matters_from(player: GraphPlayer, pieces: Sequence[Span], time: float) -> float:
    """Return the time from which on locks have a bearing on the row at `time`; minus infinity if all of them have.

    Locks of a limb from before it was last free, for as long as a correction fades, have left nothing. On a floor there
    is more that lasts.

    Parameters
    ----------
    player : that has played the pieces.
    pieces : in order, up to `time`.
    """
    found = time
    for limb in limbs(player.graph.points, player.channels.skeleton):
        bits, end = sum(1 << point for point in limb), time
        for piece in reversed(pieces):
            if piece.standing & bits:
                end = piece.begin.time
            elif end - piece.begin.time >= FADE:
                break
        else:
            return -math.inf
        found = min(found, end - FADE)
    return found
