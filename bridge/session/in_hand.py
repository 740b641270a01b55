"""Which directors are being performed at the moment; light enough for what Blender calls all the time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy
from bpy.types import Object

from ..data.current import is_linked

if TYPE_CHECKING:
    from .performing import Session

session: Session | None = None
"""What is performed now, None when nothing is."""

_uids: set[int] = set()


def is_in_hand(director: Object) -> bool:
    """Whether a director is being performed, so that its score does not play."""
    return director.session_uid in _uids


def half_done() -> list[Object]:
    """Directors that the file says are being performed, though nobody performs them."""
    return [
        one
        for one in bpy.data.objects
        if one.verbs_adverbs.performance.in_hand and not is_linked(one) and not is_in_hand(one)
    ]


def take_in_hand(director: Object) -> None:
    """From now on a performance moves the director's armature."""
    _uids.add(director.session_uid)
    director.verbs_adverbs.performance.in_hand = True


def forget() -> None:
    """Drop the performance without a trace; for when the file that it played in is gone."""
    global session
    session = None
    _uids.clear()


def let_go(uid: int, director: Object | None) -> None:
    """The performance of a director is over.

    Parameters
    ----------
    uid : its session identifier.
    director : None when it is gone.
    """
    _uids.discard(uid)
    if director is not None:
        director.verbs_adverbs.performance.in_hand = False
