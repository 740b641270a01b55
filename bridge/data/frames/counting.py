"""Counting frames: directors, and the actions with their keys, go on counting as when their frames were made.

In Blender keys stay on their frames when the frame rate of a scene changes, so they come sooner or later. What a
director plays keeps its seconds instead: a frame that was set at 24 frames a second is read as so many 24ths of a
second from frame 0 on, whatever the scene counts now.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from math import ceil, floor
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import bpy
from bpy.types import Object, PropertyGroup, Scene

from ...blender.animation import keyed_in
from ..annotate import SLOWEST, scene_fps
from ..current import is_linked, is_newer, scene_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]
Frames = TypeVar("Frames", float, "Array")

SAME_RATE = 1e-7
"""Share by which two rates differ that are the same: rates are stored in single precision."""
QUICKEST = 1e5
"""Most frames in a second that are taken for a rate."""
ROUNDING = 1e-12
"""By how many seconds, and by what share of them, numbers differ that are the same moment."""
NEARLY = 1e-6
"""By how many frames a moment may lie beside a whole frame that is meant to be that."""


class Counting(NamedTuple):
    """How the frames of a director lie in those of its scene; all of them are counted from 0 seconds on.

    Parameters
    ----------
    fps : frames of the scene in a second.
    rate : frames of the director's keys in a second.
    reads : how many times a second keyed and driven sliders are read.
    start : frame of the scene at which the performance begins; it may lie between frames.
    begin : the same moment in frames of the keys.
    """

    fps: float
    rate: float
    reads: float
    start: float
    begin: float

    @property
    def agrees(self) -> bool:
        """Whether keys and scene count the same frames."""
        return self.rate == self.fps

    def in_keys(self, frame: Frames) -> Frames:
        """The moment of a frame of the scene, in frames of the keys; an array likewise."""
        return frame * (self.rate / self.fps)

    def in_scene(self, frame: Frames) -> Frames:
        """The moment of a frame of the keys, in frames of the scene; an array likewise."""
        return frame * (self.fps / self.rate)

    def seconds(self, frame: float) -> float:
        """Seconds since the beginning at a frame of the keys, 0 before it."""
        import numpy as np

        passed = max(frame - self.begin, 0.0) / self.rate
        plain = self.rate == self.fps == self.reads
        return passed if plain else float(on_readings(np.array([passed]), self.reads)[0])

    def readings(self, last: float, often: int = 1) -> tuple[Array, Array]:
        """When sliders are read up to a frame of the scene, and beyond.

        Parameters
        ----------
        last : the frame.
        often : number of readings in the time of one.

        Returns
        -------
        frames : (F,) of the keys, from `begin` on.
        seconds : (F,) since the beginning.
        """
        import numpy as np

        each = self.rate / self.reads
        count = ceil(max(self.in_keys(last) - self.begin, 0.0) / each * often) + 1
        frames = self.begin + np.arange(count) / often * each
        return frames, (frames - self.begin) / self.rate


def on_readings(seconds: Array, reads: float, often: int = 1) -> Array:
    """Return `seconds` (T,) on the very numbers at which sliders are read, where they are the same but for rounding.

    What is read at a moment counts from that moment on, so it must not come before or after it by chance.

    Parameters
    ----------
    reads, often : how many times a second, and how often in the time of each, sliders are read.
    """
    import numpy as np

    whole, rest = np.divmod(np.round(seconds * reads * often), often)
    there = (whole + rest / often) / reads
    return np.where(np.abs(there - seconds) <= ROUNDING * (1.0 + seconds), there, seconds)


def counting_of(director: Object, scene: Scene | None = None) -> Counting:
    """How the frames of a director lie in those of a scene, of the one that it is in when that is left out."""
    own, fps = director.verbs_adverbs, scene_fps(scene or scene_of(director, bpy.context.scene))
    counted = counted_in(director)
    made = known_rate(own.counted, fps)
    rate = known_rate(counted, made)
    reads = _rate(counted.reads, counted.reads_base, rate)
    start = exact(own.start_frame, own.start_between)
    return Counting(fps, rate, reads, start * (fps / made), start * (rate / made))


def counted_in(director: Object) -> PropertyGroup:
    """Where it is stored how a director's keys are counted: on the action that has them, else on the director."""
    action = keyed_in(director)
    return (director if action is None else action).verbs_adverbs.counted


def exact(frame: int, between: PropertyGroup) -> float:
    """The moment that is stored as a whole frame and by how much it lies after that."""
    return frame + between.beyond if between.frame == frame else float(frame)


def stop_seconds(director: Object) -> float | None:
    """Seconds from the beginning to when a director's character is to stand at its target, None if that is not said."""
    own, fps = director.verbs_adverbs, scene_fps(scene_of(director, bpy.context.scene))
    stop = exact(own.performance.stop_frame, own.stop_between)
    seconds = (stop - exact(own.start_frame, own.start_between)) * (1.0 / known_rate(own.counted, fps))
    return seconds if stop > 0.0 else None


def put_start(director: Object, frame: float, scene: Scene) -> None:
    """Let a director's performance begin at a frame of a scene."""
    own, fps = director.verbs_adverbs, scene_fps(scene)
    own.start_frame = split_frame(frame * (known_rate(own.counted, fps) / fps), own.start_between)


def split_frame(frame: float, between: PropertyGroup) -> int:
    """Return the whole frame of a moment, and store by how much it lies after that."""
    whole = floor(frame + NEARLY)
    beyond = frame - whole if frame - whole > NEARLY else 0.0
    if beyond or between.frame == whole:
        between.frame, between.beyond = whole, beyond
    return whole


@contextmanager
def told_for_now(director: Object, verb_name: str, start: int | None, scene: Scene) -> Iterator[None]:
    """Set a director's verb, and its start frame if one is given, and set both back afterwards."""
    before = told_to(director)
    tell(director, verb_name, start, scene)
    try:
        yield
    finally:
        tell_again(director, before)


def told_to(director: Object) -> tuple[str, int, int, float]:
    """What a director is told to play, and from when on."""
    own = director.verbs_adverbs
    return own.verb, own.start_frame, own.start_between.frame, own.start_between.beyond


def tell(director: Object, verb_name: str, start: int | None, scene: Scene) -> None:
    """Set a director's verb, and where it begins if a frame of the scene is given for that."""
    director.verbs_adverbs.verb = verb_name
    if start is not None:
        put_start(director, start, scene)


def tell_again(director: Object, told: tuple[str, int, int, float]) -> None:
    """Set again what `told_to` returned."""
    own = director.verbs_adverbs
    if told != told_to(director):
        own.verb, own.start_frame, own.start_between.frame, own.start_between.beyond = told


def note_rate(director: Object, scene: Scene) -> None:
    """Store on a director, and on the action with its keys, at which rate their frames were made, if that is not known.

    Until now the scene has said so.
    """
    own, action = director.verbs_adverbs, keyed_in(director)
    if is_linked(director) or is_newer(own):
        return
    if not own.counted.fps:
        own.counted.fps, own.counted.fps_base = scene.render.fps, scene.render.fps_base
    keys = action.verbs_adverbs if action is not None and not is_linked(action) else None
    if keys is not None and not keys.counted.fps and not keys.examples and not is_newer(keys):
        keys.counted.fps, keys.counted.fps_base = own.counted.fps, own.counted.fps_base


def note_rates(directors: Iterable[Object], preferred: Scene) -> None:
    """Store for directors at which rate their frames were made, see `note_rate`; each counts in a scene that it is in.

    Parameters
    ----------
    preferred : the scene for those that are in it.
    """
    for director in directors:
        if director.verbs_adverbs.directs is not None:
            note_rate(director, scene_of(director, preferred))


def known_rate(counted: PropertyGroup, otherwise: float) -> float:
    """Frames in a second at which frames were made; `otherwise` if that is not known."""
    return _rate(counted.fps, counted.fps_base, otherwise)


def _rate(frames: float, base: float, otherwise: float) -> float:
    """Frames in a second that are stored with what they are divided by; `otherwise` if they are no other rate."""
    if not is_stored_rate(frames, base):
        return otherwise
    rate = frames / base
    return otherwise if abs(rate - otherwise) <= SAME_RATE * otherwise else rate


def is_stored_rate(frames: float, base: float) -> bool:
    """Whether two stored numbers are a rate and what it is divided by; others may have written them."""
    return base > 0.0 and SLOWEST <= frames / base <= QUICKEST


def last_frame(director: Object, scene: Scene) -> int:
    """Last frame that a director plays: the scene's, or that of the preview range if it is later."""
    preview = scene.frame_preview_end if scene.use_preview_range else scene.frame_end
    return max(scene.frame_end, preview, ceil(counting_of(director, scene).start))


def beyond_end(director: Object, scene: Scene) -> str:
    """Sentence that says why nothing moves if the current frame is after the last one; else empty."""
    last = last_frame(director, scene)
    if scene.frame_current <= last:
        return ""
    armature = director.verbs_adverbs.directs
    return (
        f"Frame {scene.frame_current} is after the last played frame, {last}, so {armature.name} stands still. "
        "Increase the End of the scene or of the preview range."
    )
