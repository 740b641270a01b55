"""Keytimes and contacts carried over to a bake, so that it can be an example again."""

from collections.abc import Callable
from typing import Protocol

import numpy as np
from bpy.types import Action
from numpy.typing import NDArray

from ...core.bounds import BAKED_EXAMPLES
from ...core.verb.phrasing import share_windows
from ...core.verb.verb import Verb
from ..data.annotate import add_example, add_keytime, rename_keytime, set_value
from ..data.contacts import add_contact, add_window
from ..data.schema import ROOT_IS_OBJECT

Array = NDArray[np.float64]

SAME_FRAME = 1e-3
AT_HEAD = 1e-6


class Timed(Protocol):
    """How the time of a bake runs, as `bake.Rendition` tells it."""

    @property
    def frame_of(self) -> Callable[[Array], Array]:
        """Frames (n,) of generic times (n,)."""
        ...

    @property
    def adverbs_at(self) -> Callable[[float], Array]:
        """Adverbs (D,) at a frame."""
        ...

    @property
    def played(self) -> object:
        """What was keyed, with its `frames`."""
        ...


def annotate_cycles(action: Action, verb: Verb, timed: Timed, kind: str, fps: float) -> None:
    """Mark whole cycles that were baked as examples, the first of very many; of a verb that is not cyclic the whole.

    Parameters
    ----------
    kind : of the examples.
    fps : frames per second of the bake.
    """
    first, last = timed.played.frames[[0, -1]]
    cycle = 0
    while len(action.verbs_adverbs.examples) < BAKED_EXAMPLES:
        frames = timed.frame_of(cycle + verb.phrasing.generic)
        if not frames[-1] <= last + SAME_FRAME:
            break
        if frames[0] >= first - SAME_FRAME:
            _annotate(action, verb, timed, cycle, frames, kind, fps)
        cycle += 1
        if not verb.cyclic:
            break
    action.verbs_adverbs.active_example = 0


def _annotate(action: Action, verb: Verb, timed: Timed, cycle: int, frames: Array, kind: str, fps: float) -> None:
    item = add_example(action, verb.name, float(frames[0]), float(frames[-1]), fps)
    item.kind, item.cyclic = kind, verb.cyclic
    for name, frame in zip(verb.keytime_names[1:-1], frames[1:-1], strict=True):
        add_keytime(action, item, name, float(frame))
    for row in (0, -1):
        rename_keytime(action, item.keytimes[row], verb.keytime_names[row])
    adverbs = timed.adverbs_at(0.5 * float(frames[0] + frames[-1]))
    for name, value in zip(verb.adverb_names, adverbs, strict=True):
        set_value(action, item, name, float(value))
    weights = verb.weights(adverbs)
    for contact in verb.contacts:
        bone = verb.channels.skeleton.names[contact.joint]
        if bone == ROOT_IS_OBJECT:
            continue
        point = add_contact(action, item, bone, end_of(contact.offset))
        for window in share_windows(contact.windows, weights):
            begin, finish = _window_frames(timed, cycle + window, frames)
            add_window(action, item, point, begin, finish, snap=False)
    item.active_contact = item.active_keytime = 0


def end_of(offset: Array) -> str:
    """Which end of its bone a contact point is that lies at `offset` (3,) from the head."""
    return "HEAD" if np.abs(offset).max() < AT_HEAD else "TAIL"


def _window_frames(timed: Timed, window: Array, frames: Array) -> tuple[float, float]:
    """Frames of a contact window; one that ends after what was played gets its share of the cycle's length."""
    begin, finish = (float(frame) for frame in timed.frame_of(window))
    if not np.isfinite(finish):
        finish = begin + float(np.ptp(window)) * float(np.ptp(frames))
    return begin, finish
