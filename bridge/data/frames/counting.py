"""Frame rates: directors, and the actions with their keys, keep the frame rate at which their frames were set.

In Blender keys stay on their frames when the frame rate of a scene changes, so they play earlier or later. What a
director plays keeps its timing instead: a frame that was set at 24 frames a second is read as that many 24ths of a
second from frame 0 on, whatever the scene's rate is now.
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
"""Relative tolerance for equal frame rates, which are stored in single precision."""
QUICKEST = 1e5
"""Highest number of frames per second that is accepted as a rate."""
ROUNDING = 1e-12
"""Absolute tolerance in seconds, and relative tolerance, for equal times."""
NEARLY = 1e-6
"""Tolerance in frames within which a time counts as a whole frame."""


class Counting(NamedTuple):
    """How the frames of a director map to those of its scene; both are counted from 0 seconds on.

    Parameters
    ----------
    fps : frame rate of the scene, in frames per second.
    rate : frame rate of the director's keys, in frames per second.
    reads : how many times a second keyed and driven sliders are sampled.
    start : frame of the scene at which the performance begins; it may be a subframe.
    begin : the same time in frames of the keys.
    """

    fps: float
    rate: float
    reads: float
    start: float
    begin: float

    @property
    def agrees(self) -> bool:
        """Whether keys and scene have the same frame rate."""
        return self.rate == self.fps

    def in_keys(self, frame: Frames) -> Frames:
        """Return a frame of the scene, or an array of them, in frames of the keys."""
        return frame * (self.rate / self.fps)

    def in_scene(self, frame: Frames) -> Frames:
        """Return a frame of the keys, or an array of them, in frames of the scene."""
        return frame * (self.fps / self.rate)

    def seconds(self, frame: float) -> float:
        """Return the seconds since the beginning at a frame of the keys, 0 for earlier frames."""
        import numpy as np

        passed = max(frame - self.begin, 0.0) / self.rate
        plain = self.rate == self.fps == self.reads
        return passed if plain else float(on_readings(np.array([passed]), self.reads)[0])

    def readings(self, last: float, often: int = 1) -> tuple[Array, Array]:
        """Return when sliders are sampled up to a frame of the scene, and beyond.

        Parameters
        ----------
        last : the frame.
        often : number of samples in the interval of one.

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
    """Return `seconds` (T,) snapped to the exact times at which sliders are sampled, where only rounding differs.

    A sample counts from its own time on, so rounding must not put a time before or after it by chance.

    Parameters
    ----------
    reads, often : how many times a second, and how often in each of these intervals, sliders are sampled.
    """
    import numpy as np

    whole, rest = np.divmod(np.round(seconds * reads * often), often)
    there = (whole + rest / often) / reads
    return np.where(np.abs(there - seconds) <= ROUNDING * (1.0 + seconds), there, seconds)


def counting_of(director: Object, scene: Scene | None = None) -> Counting:
    """Return how the frames of a director map to those of a scene, by default the one that it is in."""
    own, fps = director.verbs_adverbs, scene_fps(scene or scene_of(director, bpy.context.scene))
    counted = counted_in(director)
    made = known_rate(own.counted, fps)
    rate = known_rate(counted, made)
    reads = _rate(counted.reads, counted.reads_base, rate)
    start = exact(own.start_frame, own.start_between)
    return Counting(fps, rate, reads, start * (fps / made), start * (rate / made))


def counted_in(director: Object) -> PropertyGroup:
    """Return the group with the frame rate of a director's keys: on the action that has them, else on the director."""
    action = keyed_in(director)
    return (director if action is None else action).verbs_adverbs.counted


def exact(frame: int, between: PropertyGroup) -> float:
    """Return the time that is stored as a whole frame and a subframe offset."""
    return frame + between.beyond if between.frame == frame else float(frame)


def stop_seconds(director: Object) -> float | None:
    """Return the seconds from the beginning to when a director's character should stop at its target, None if unset."""
    own, fps = director.verbs_adverbs, scene_fps(scene_of(director, bpy.context.scene))
    stop = exact(own.performance.stop_frame, own.stop_between)
    seconds = (stop - exact(own.start_frame, own.start_between)) * (1.0 / known_rate(own.counted, fps))
    return seconds if stop > 0.0 else None


def put_start(director: Object, frame: float, scene: Scene) -> None:
    """Set the start of a director's performance to a frame of a scene."""
    own, fps = director.verbs_adverbs, scene_fps(scene)
    own.start_frame = split_frame(frame * (known_rate(own.counted, fps) / fps), own.start_between)


def split_frame(frame: float, between: PropertyGroup) -> int:
    """Return the whole frame of a time, and store its subframe offset."""
    whole = floor(frame + NEARLY)
    beyond = frame - whole if frame - whole > NEARLY else 0.0
    if beyond or between.frame == whole:
        between.frame, between.beyond = whole, beyond
    return whole


@contextmanager
def told_for_now(director: Object, verb_name: str, start: int | None, scene: Scene) -> Iterator[None]:
    """Set a director's verb, and its start frame if one is given, and restore both afterwards."""
    before = told_to(director)
    tell(director, verb_name, start, scene)
    try:
        yield
    finally:
        tell_again(director, before)


def told_to(director: Object) -> tuple[str, int, int, float]:
    """Return what a director is set to play, and its start."""
    own = director.verbs_adverbs
    return own.verb, own.start_frame, own.start_between.frame, own.start_between.beyond


def tell(director: Object, verb_name: str, start: int | None, scene: Scene) -> None:
    """Set a director's verb, and its start if a frame of the scene is given."""
    director.verbs_adverbs.verb = verb_name
    if start is not None:
        put_start(director, start, scene)


def tell_again(director: Object, told: tuple[str, int, int, float]) -> None:
    """Restore what `told_to` returned."""
    own = director.verbs_adverbs
    if told != told_to(director):
        own.verb, own.start_frame, own.start_between.frame, own.start_between.beyond = told


def note_rate(director: Object, scene: Scene) -> None:
    """Store the frame rate at which their frames were set on a director and the action with its keys, if unknown.

    Until then it is the scene's.
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
    """Store for directors at which rate their frames were set, see `note_rate`; each uses a scene that it is in.

    Parameters
    ----------
    preferred : the scene to use for those that are in it.
    """
    for director in directors:
        if director.verbs_adverbs.directs is not None:
            note_rate(director, scene_of(director, preferred))


def known_rate(counted: PropertyGroup, otherwise: float) -> float:
    """Return the frame rate at which frames were set; `otherwise` if it is not known."""
    return _rate(counted.fps, counted.fps_base, otherwise)


def _rate(frames: float, base: float, otherwise: float) -> float:
    """Return the frame rate stored as frames per second and base; `otherwise` if invalid or about the same."""
    if not is_stored_rate(frames, base):
        return otherwise
    rate = frames / base
    return otherwise if abs(rate - otherwise) <= SAME_RATE * otherwise else rate


def is_stored_rate(frames: float, base: float) -> bool:
    """Return whether two stored numbers are a valid frame rate and base; other code may have written them."""
    return base > 0.0 and SLOWEST <= frames / base <= QUICKEST


def last_frame(director: Object, scene: Scene) -> int:
    """Return the last frame that a director plays: the scene's, or that of the preview range if it is later."""
    preview = scene.frame_preview_end if scene.use_preview_range else scene.frame_end
    return max(scene.frame_end, preview, ceil(counting_of(director, scene).start))


def beyond_end(director: Object, scene: Scene) -> str:
    """Return a sentence that says why nothing moves if the current frame is after the last one, else an empty text."""
    last = last_frame(director, scene)
    if scene.frame_current <= last:
        return ""
    armature = director.verbs_adverbs.directs
    return (
        f"Frame {scene.frame_current} is after the last played frame, {last}, so {armature.name} stands still. "
        "Increase the End of the scene or of the preview range."
    )
