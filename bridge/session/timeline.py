"""The generated action: a verb's whole motion from the start frame on, computed with the adverbs as they change.

What a verb does at a frame depends on all frames before it, but a render asks for frames in any order and in other
processes. So the motion is computed at once, in sub-steps of a few milliseconds, and left to Blender to play.
"""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field, replace
from hashlib import blake2b

import numpy as np
from bpy.types import Action, FCurve, Object, Scene
from numpy.typing import NDArray

from ...core.bounds import check_cycles, check_span, check_values
from ...core.feet.planted import Footing, Planted, place
from ...core.feet.planting import plant_changing, plant_even
from ...core.figure.channels import Channels, climb
from ...core.progress import Progress, share_of, untold
from ...core.verb.perform import perform, played_pieces
from ...core.verb.verb import Verb
from ..action.tracks import Keys, write_keys
from ..action.write_pose import PosePlan, root_frame
from ..blender.jobs import computed, remembered
from ..blender.versions import bag_for_write
from ..data.adverb_values import adverb_curves, bounds_of, check_said, path_of, slider_values, stepped_adverbs
from ..data.annotate import scene_fps
from ..data.content import action_digest
from ..data.director import last_frame, origin_of
from ..data.driven import heard_at
from ..data.kept import DIGEST, ROOT, begin_writing, note_written
from ..data.schema import ROOT_IS_OBJECT
from .floor_mesh import footing_digest, footing_of

Array = NDArray[np.float64]

SUB_STEP = 0.005
EVALUATED, HEARD = 100_000, 500
"""Frames at which a key, or a driver, is looked at in one go."""
FORMAT = 3
PLAYING = 0.4
"""Share of the computation in which a verb is played, before its points are held."""


@dataclass(frozen=True, eq=False)
class Played:
    """A performance at some frames.

    Parameters
    ----------
    frames : (T,) increasing.
    adverbs : (T, D)
    phases : (T,) generic time.
    values : (T, width) in performance space.
    heights : (T,) climbed since the start, part of the root's height in `values`.
    planted : what its points are held with, None if they are not.
    """

    frames: Array
    adverbs: Array
    phases: Array
    values: Array
    heights: Array
    planted: Planted | None = None

    def at(self, channels: Channels, origin: Array) -> "Played":
        """The same from a place of its own (4,), x, y, z and heading, when it was played from 0 and without a floor."""
        planted = self.planted.at(origin) if self.planted is not None else None
        return replace(self, values=place(channels, self.values, origin), planted=planted)


AT_ZERO = np.zeros(4)
ALIKE, SHARED = 4, 5_000_000
"""Performances that are kept for characters that differ in nothing but their place, and values that one may have."""
_alike: dict[tuple[object, ...], Played] = {}


def forget_played() -> None:
    """Drop the performances that are kept for characters that are alike."""
    _alike.clear()


@dataclass(frozen=True, eq=False)
class Asked:
    """All that a performance of a verb is computed from; no data of Blender's is looked at any more.

    Parameters
    ----------
    verb : what to play.
    footing : what holds its points, None if nothing does.
    origin : (4,) where it starts, as `director.origin_of` says.
    start, fps : the frame that it starts at, and frames per second.
    frames : (T,) increasing, at which the result is wanted.
    adverbs : (D,) that do not change, or (F, D) at `fine`.
    fine : (F,) frames from the start on in small steps, none where adverbs do not change.
    rows : those of `fine` that are the frames (T,) or, with a footing, those of them that differ.
    before : (B,) seconds that count as shown before the first of the frames; only even adverbs heed it.
    """

    verb: Verb
    footing: Footing | None
    origin: Array
    start: float
    fps: float
    frames: Array
    adverbs: Array
    fine: Array | None = None
    rows: NDArray[np.intp] = field(default_factory=lambda: np.zeros(0, dtype=np.intp))
    before: Array = field(default_factory=lambda: np.zeros(0))

    def compute(self, progress: Progress | None = None) -> Played:
        """Play it; `progress` as `core.progress` says."""
        steps = self.frames if self.fine is None else self.fine
        placed = self.footing is not None and self.footing.floor is not None
        if placed or len(steps) * self.verb.channels.width > SHARED:
            return self._computed(progress)
        told = (self.adverbs, self.frames, self.before, *((self.fine, self.rows) if self.fine is not None else ()))
        key = (self.verb, self.start, self.fps, self.footing is None, *(blake2b(array).digest() for array in told))
        played = _alike.pop(key, None) or replace(self, origin=AT_ZERO)._computed(progress)
        if len(_alike) >= ALIKE:
            _alike.pop(next(iter(_alike), key), None)
        _alike[key] = played
        return played.at(self.verb.channels, self.origin)

    def _computed(self, progress: Progress | None) -> Played:
        if self.footing is not None:
            return self._planted(self.footing, progress or untold)
        return self._even() if self.fine is None else self._changing(self.fine, progress)

    def _even(self) -> Played:
        motion = self.verb.motion(self.adverbs)
        phases = motion.phase((np.maximum(self.frames, self.start) - self.start) / self.fps)
        values = place(self.verb.channels, motion.sample_phases(phases), self.origin)
        return Played(self.frames, np.tile(self.adverbs, (len(phases), 1)), phases, values, motion.path(phases)[:, 3])

    def _changing(self, fine: Array, progress: Progress | None) -> Played:
        seconds, origin = (fine - self.start) / self.fps, self.origin
        played = perform(self.verb, seconds, self.adverbs, 0.0, origin[[0, 1, 3]], self.rows, progress)
        climb(self.verb.channels, played.values, origin[2])
        return Played(self.frames, self.adverbs[self.rows], played.phases, played.values, played.heights)

    def _planted(self, footing: Footing, progress: Progress) -> Played:
        wanted, back = np.unique(np.maximum(self.frames, self.start), return_inverse=True)
        playing, locking = share_of(progress, 0.0, PLAYING), share_of(progress, PLAYING, 1.0)
        if self.fine is None:
            times = (wanted - self.start) / self.fps
            planted = plant_even(
                footing, self.verb, self.adverbs, self.origin, times, before=self.before, progress=playing
            )
            adverbs = np.tile(self.adverbs, (len(back), 1))
        else:
            seconds = (self.fine - self.start) / self.fps
            planted = plant_changing(footing, self.verb, self.adverbs, self.origin, seconds, self.rows, playing)
            adverbs = self.adverbs[self.rows][back]
        at, locked = planted.rows[back], planted.locked(locking)
        values = locked if len(locked) == len(back) else locked[back]
        return Played(self.frames, adverbs, planted.phases[at], values, planted.heights[at], planted)


def gather(verb: Verb, director: Object, origin: Array, frames: Array, scene: Scene) -> Asked:
    """What a verb is to be played with as the director says, from its start frame on; before it the first pose is held.

    Parameters
    ----------
    verb : what to play.
    director : whose adverbs, start frame and floor count, and whether feet are locked.
    origin : (4,) where it starts, as `director.origin_of` says.
    frames : (T,) increasing, at which the result is wanted.
    scene : for the frame rate, and to evaluate drivers in.

    Raises
    ------
    VerbError
        If the verb would be repeated too often, or an adverb is not a finite number.
    """
    check_repeats(verb, frames, director.verbs_adverbs.start_frame, scene)
    footing = footing_of(director, verb)
    if is_animated(director, verb.adverb_names):
        return gather_changing(verb, director, origin, frames, scene, footing)
    start, adverbs = float(director.verbs_adverbs.start_frame), np.array(slider_values(director, verb.adverb_names))
    return Asked(verb, footing, origin, start, scene_fps(scene), frames, adverbs)


def gather_changing(
    verb: Verb, director: Object, origin: Array, frames: Array, scene: Scene, footing: Footing | None
) -> Asked:
    """The same while the director's adverbs change; parameters are those of `gather`.

    Parameters
    ----------
    footing : what holds the verb's points, None if nothing does.
    """
    start, fps = float(director.verbs_adverbs.start_frame), scene_fps(scene)
    heard = np.maximum(frames, start)
    if footing is None:
        leading = np.arange(start, heard[0])
        fine, rows = sub_steps(np.concatenate([leading, heard]), fps)
        rows = rows[len(leading) :]
    else:
        beyond = _swing(footing, verb, slider_values(director, verb.adverb_names)) * fps
        wanted = np.unique(heard)
        fine, _ = sub_steps(np.union1d(np.arange(start, wanted[-1] + beyond + 1.0), wanted), fps)
        rows = np.searchsorted(fine, wanted)
    adverbs = adverb_values(director, verb.adverb_names, fine, scene)
    return Asked(verb, footing, origin, start, fps, frames, adverbs, fine, rows)


def _swing(footing: Footing, verb: Verb, adverbs: tuple[float, ...]) -> float:
    """Seconds beyond the end in which it is seen where a swinging foot lands; only a floor makes use of it."""
    return verb.duration(adverbs) if verb.cyclic and footing.floor is not None else 0.0


@dataclass(frozen=True, eq=False)
class Passing:
    """How a verb's time passes while its adverbs change.

    Parameters
    ----------
    frames : (F,) in small steps.
    adverbs : (F, D)
    phases : (F,) generic time.
    """

    frames: Array
    adverbs: Array
    phases: Array


def pass_finely(verb: Verb, director: Object, end: float, scene: Scene) -> Passing:
    """How a verb's time passes from the start frame to `end`; the adverbs must be animated."""
    start, fps = float(director.verbs_adverbs.start_frame), scene_fps(scene)
    fine, _ = sub_steps(np.append(np.arange(start, end), end), fps)
    adverbs = adverb_values(director, verb.adverb_names, fine, scene)

    def passed(tell: Progress) -> Array:
        phases = np.empty(len(fine))
        for piece, _, found in played_pieces(verb, (fine - start) / fps, adverbs):
            phases[piece] = found
            tell(piece.stop / len(fine))
        return phases

    key = ("passed", id(verb), start, fps, end, blake2b(np.ascontiguousarray(adverbs)).digest())
    return Passing(fine, adverbs, computed(key, passed))


def check_repeats(verb: Verb, frames: Array, start: float, scene: Scene) -> None:
    """Check that a verb is not repeated too often from frame `start` to the last of `frames` (T,)."""
    if verb.cyclic:
        seconds = max(float(frames[-1]) - start, 0.0) / scene_fps(scene)
        check_cycles(verb.name, seconds, float(verb.phrasing.shortest.sum()))


def sub_steps(frames: Array, fps: float) -> tuple[Array, NDArray[np.intp]]:
    """Frames with every gap cut into equal parts of at most `SUB_STEP` seconds, and the rows where `frames` are."""
    gaps = np.diff(frames)
    counts = np.ceil(gaps / fps / SUB_STEP - 1e-9).astype(np.intp)
    ends = np.cumsum(counts)
    share = (np.arange(ends[-1] if len(ends) else 0) - np.repeat(ends - counts, counts)) / np.repeat(counts, counts)
    fine = np.repeat(frames[:-1], counts) + share * np.repeat(gaps, counts)
    return np.append(fine, frames[-1]), np.concatenate([[0], ends]).astype(np.intp)


def is_animated(director: Object, names: tuple[str, ...]) -> bool:
    """Whether an adverb is keyed or driven."""
    keyed = adverb_curves(director)
    return any(path_of(name) in keyed for name in names) or bool(stepped_adverbs(director, names))


def adverb_values(director: Object, names: tuple[str, ...], frames: Array, scene: Scene) -> Array:
    """Adverb values (F, D) at `frames` (F,).

    Raises
    ------
    VerbError
        If one is not a finite number, or beyond all bounds.
    """
    values = np.tile(np.array(slider_values(director, names), dtype=np.float64), (len(frames), 1))
    curves = adverb_curves(director)
    stepped = stepped_adverbs(director, names)
    for column, name in enumerate(names):
        if path_of(name) in curves and name not in stepped:
            curve = curves[path_of(name)]
            values[:, column] = _in_parts(director, name, frames, EVALUATED, lambda part, c=curve: _evaluated(c, part))
    if stepped:
        whole = np.arange(np.floor(frames[0]), np.ceil(frames[-1]) + 1.0)
        heard = _in_parts(director, stepped, whole, HEARD, lambda part: heard_at(director, stepped, part, scene))
        for name, column in zip(stepped, heard.T, strict=True):
            values[:, names.index(name)] = np.interp(frames, whole, column)
    for column, name in enumerate(names):
        low, high = bounds_of(director, name)
        for row in np.flatnonzero(~((values[:, column] >= low) & (values[:, column] <= high)))[:1]:
            check_said(director, name, float(values[row, column]), float(frames[row]))
    return values


def _evaluated(curve: FCurve, frames: Array) -> Array:
    return np.array([curve.evaluate(frame) for frame in frames])


def _in_parts(director: Object, what: Hashable, frames: Array, size: int, look: Callable[[Array], Array]) -> Array:
    """What `look` finds of a director at `frames` (F,), so many of them at a time, so that a job can pause between."""
    of = (director.session_uid, what, len(frames), float(frames[0]), float(frames[-1]))
    begins = range(0, len(frames), size)
    return np.concatenate(
        [remembered((*of, begin), lambda part=frames[begin : begin + size]: look(part)) for begin in begins]
    )


def frame_span(director: Object, scene: Scene, width: int) -> Array:
    """Frames (T,) of the generated action: from the start frame to the scene's end, or its preview range's.

    Parameters
    ----------
    width : how many curves it has.

    Raises
    ------
    VerbError
        If there are too many.
    """
    start = director.verbs_adverbs.start_frame
    end = last_frame(director, scene)
    check_span(director.name, start, end, scene_fps(scene), f"the last frame of scene '{scene.name}'")
    check_values(f"The performance of '{director.name}'", end - start + 1, width)
    return np.arange(start, end + 1, dtype=np.float64)


def digest_of(director: Object, armature: Object, root: str, signature: str, scene: Scene) -> str:
    """Digest of all that the generated action is made from; of driven adverbs only that they are driven.

    Parameters
    ----------
    root : of the verb or score, which carries the travel.
    signature : of the verb or score.

    Raises
    ------
    RigError
        If the armature has no such root, or cannot be read.
    """
    names, curves = tuple(item.name for item in director.verbs_adverbs.adverbs), adverb_curves(director)
    keyed = {name for name in names if path_of(name) in curves}
    stepped = stepped_adverbs(director, names)
    values = dict(zip(names, slider_values(director, names), strict=True))
    even = [(name, value) for name, value in values.items() if name not in keyed and name not in stepped]
    data = director.animation_data
    keys = action_digest(data.action, director, thorough=True) if data and data.action else ""
    frames = (director.verbs_adverbs.start_frame, last_frame(director, scene), scene_fps(scene))
    places = [np.round(a, 6).tolist() for a in (origin_of(director, armature), root_frame(armature, root))]
    modes, feet = [(bone.name, bone.rotation_mode) for bone in armature.pose.bones], footing_digest(director)
    modes.append((ROOT_IS_OBJECT, armature.rotation_mode))
    parts = (FORMAT, signature, modes, even, stepped, keys, frames, places, feet)
    return blake2b(repr(parts).encode(), digest_size=16).hexdigest()


def made_from(action: Action | None) -> str:
    """Digest of what a generated action was made from, empty when there is none."""
    return str(action.get(DIGEST, "")) if action else ""


def root_of(action: Action | None) -> str:
    """What carries the travel in a generated action; empty when there is none."""
    return str(action.get(ROOT, "")) if action else ""


def write_generated(armature: Object, director: Object, plan: PosePlan, keys: Sequence[Keys], digest: str) -> Action:
    """Write the keys of a performance into the director's generated action, made when there is none, and assign it."""
    action, leave = begin_writing(armature, director, {(one.path, one.index) for one in keys})
    note_written(action, write_keys(bag_for_write(armature, action), keys, leave=leave))
    action[DIGEST], action[ROOT] = digest, plan.channels.skeleton.names[0]
    armature.update_tag(refresh={"OBJECT", "DATA", "TIME"})
    return action
