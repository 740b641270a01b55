"""Keytimes and contacts of a bake, so that it can be an example again."""

from collections.abc import Callable
from typing import Protocol

import numpy as np
from bpy.types import Action, Object, PropertyGroup
from numpy.typing import NDArray

from ...core.bounds import BAKED_EXAMPLES
from ...core.motion.timewarp import share_windows
from ...core.verb.verb import ContactWindows, Verb
from ..data.annotate import add_contact, add_example, add_keytime, add_window, rename_keytime, set_value
from ..data.schema import ROOT_IS_OBJECT
from ..rig.roles import end_at, roles_of
from .request import Played

Array = NDArray[np.float64]

SAME_FRAME = 1e-3
STILL = 1e-6
NEARLY = 1e-3


class Timed(Protocol):
    """The timing of a bake: the part of `bake.Rendition` that this file needs."""

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


def annotate_cycles(armature: Object, action: Action, verb: Verb, timed: Timed, kind: str, fps: float) -> None:
    """Mark whole baked cycles as examples, only the first ones if there are very many; all of a non-cyclic verb.

    Parameters
    ----------
    kind : of the examples.
    fps : frames per second of the bake.
    """
    first, last = timed.played.frames[[0, -1]]
    skeleton, feet = verb.channels.skeleton, roles_of(armature).feet
    on_bones = [one for one in verb.contacts if skeleton.names[one.joint] != ROOT_IS_OBJECT]
    points = [(one, end_at(armature, skeleton, one.joint, one.offset, feet)) for one in on_bones]
    cycle = 0
    while len(action.verbs_adverbs.examples) < BAKED_EXAMPLES:
        frames = timed.frame_of(cycle + verb.phrasing.generic)
        if not frames[-1] <= last + SAME_FRAME:
            break
        if frames[0] >= first - SAME_FRAME:
            _annotate(action, verb, points, timed, cycle, frames, kind, fps)
        cycle += 1
        if not verb.cyclic:
            break
    action.verbs_adverbs.active_example = 0


def _annotate(
    action: Action,
    verb: Verb,
    points: list[tuple[ContactWindows, str]],
    timed: Timed,
    cycle: int,
    frames: Array,
    kind: str,
    fps: float,
) -> None:
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
    for contact, end in points:
        point = add_contact(action, item, verb.channels.skeleton.names[contact.joint], end)
        for window in share_windows(contact.windows, weights):
            begin, finish = _window_frames(timed, cycle + window, frames)
            add_window(action, item, point, begin, finish, snap=False)
    item.active_contact = item.active_keytime = 0


def _window_frames(timed: Timed, window: Array, frames: Array) -> tuple[float, float]:
    """Return the frames of a contact window; one ending after the last frame gets its share of the cycle's length."""
    begin, finish = (float(frame) for frame in timed.frame_of(window))
    if not np.isfinite(finish):
        finish = begin + float(np.ptp(window)) * float(np.ptp(frames))
    return begin, finish


def annotate_performance(armature: Object, action: Action, performed: Played, fps: float) -> PropertyGroup:
    """Mark a baked performance as one example: a keytime where the transition to each verb begins, and its contacts."""
    frames, recording = performed.frames, performed.recording
    first, last = float(frames[0]), float(frames[-1])
    item = add_example(action, action.name, first, last, fps)
    travel = performed.values[:, :3]
    item.kind = "TRAVELLING" if np.abs(travel - travel[0]).max() > STILL else "STATIONARY"
    entered = [(performed.frame(h.time), h.name) for h in recording.happenings if h.kind == "transition"]
    rename_keytime(action, item.keytimes[0], recording.verbs[0])
    for frame, name in entered:
        if first + NEARLY < frame < last - NEARLY and frame > item.keytimes[-2].frame + NEARLY:
            add_keytime(action, item, name, frame)
    _add_contacts(armature, action, item, performed, first, last)
    item.active_contact = item.active_keytime = 0
    return item


def _add_contacts(
    armature: Object, action: Action, item: PropertyGroup, performed: Played, first: float, last: float
) -> None:
    skeleton, feet = performed.request.graph.channels.skeleton, roles_of(armature).feet
    for point in performed.request.graph.points:
        bone = skeleton.names[point.joint]
        if bone == ROOT_IS_OBJECT:
            continue
        end = end_at(armature, skeleton, point.joint, point.offset, feet)
        for down, up in _stands(performed, point.name):
            begin, finish = max(down, first), min(up, last)
            if finish - begin > NEARLY:
                add_window(action, item, add_contact(action, item, bone, end), begin, finish, snap=False)


def _stands(performed: Played, point: str) -> list[tuple[float, float]]:
    """Return the frames in which a point is planted; one put down as soon as it is lifted stays planted."""
    marks = [mark for mark in performed.recording.marks if mark.kind == "contact" and mark.name == point]
    found: list[tuple[float, float]] = []
    for mark in marks:
        down, up = performed.frame(mark.start), performed.frame(mark.end)
        if found and down - found[-1][1] < NEARLY:
            down = found.pop()[0]
        found.append((down, up))
    return found
