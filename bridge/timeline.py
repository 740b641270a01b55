"""The generated action: a verb's whole motion from the start frame on, computed with the adverbs as they change.

What a verb does at a frame depends on all frames before it, but a render asks for frames in any order and in other
processes. So the motion is computed at once, in sub-steps of a few milliseconds, and left to Blender to play.
"""

from collections.abc import Callable
from dataclasses import dataclass
from hashlib import blake2b

import numpy as np
from bpy.types import Action, Object, Scene
from numpy.typing import NDArray

from ..core.bounds import check_cycles, check_span, check_values
from ..core.errors import VerbError
from ..core.figure.channels import climb
from ..core.runtime.planted import Footing, Planted
from ..core.runtime.planting import plant_changing, plant_even
from ..core.verb.perform import perform
from ..core.verb.verb import Verb
from .annotate import scene_fps
from .content import action_digest
from .director import adverb_curves, origin_of, path_of, slider_values, stepped_adverbs
from .driven import heard_at
from .floor_mesh import footing_digest, footing_of
from .kept import DIGEST, begin_writing, note_written
from .naming import told_frame
from .tracks import tracks_of, write_tracks
from .versions import bag_for_write
from .write_pose import PosePlan, place

Array = NDArray[np.float64]

SUB_STEP = 0.005
FORMAT = 2


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


def play(verb: Verb, director: Object, origin: Array, frames: Array, scene: Scene) -> Played:
    """Play a verb as the director says, from its start frame on; before it the first pose is held.

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
        return play_changing(verb, director, origin, frames, scene, footing)
    start, adverbs = float(director.verbs_adverbs.start_frame), np.array(slider_values(director, verb.adverb_names))
    if footing is None:
        return play_even(verb, adverbs, origin, frames, start, scene_fps(scene))
    return play_even_planted(footing, verb, adverbs, origin, frames, start, scene_fps(scene))


def play_changing(
    verb: Verb, director: Object, origin: Array, frames: Array, scene: Scene, footing: Footing | None
) -> Played:
    """Play a verb while the director's adverbs change; parameters are those of `play`.

    Parameters
    ----------
    footing : what holds the verb's points, None if nothing does.
    """
    start, fps = float(director.verbs_adverbs.start_frame), scene_fps(scene)
    if footing is not None:
        return _play_planted(footing, verb, director, origin, frames, scene)
    heard = np.maximum(frames, start)
    leading = np.arange(start, heard[0])
    fine, rows = sub_steps(np.concatenate([leading, heard]), fps)
    rows = rows[len(leading) :]
    adverbs = adverb_values(director, verb.adverb_names, fine, scene)
    played = perform(verb, (fine - start) / fps, adverbs, 0.0, origin[[0, 1, 3]], rows)
    climb(verb.channels, played.values, origin[2])
    return Played(frames, adverbs[rows], played.phases, played.values, played.heights)


def _play_planted(footing: Footing, verb: Verb, director: Object, origin: Array, frames: Array, scene: Scene) -> Played:
    start, fps = float(director.verbs_adverbs.start_frame), scene_fps(scene)
    beyond = _swing(footing, verb, slider_values(director, verb.adverb_names)) * fps
    wanted, back = np.unique(np.maximum(frames, start), return_inverse=True)
    whole = np.arange(start, wanted[-1] + beyond + 1.0)
    fine, _ = sub_steps(np.union1d(whole, wanted), fps)
    rows = np.searchsorted(fine, wanted)
    adverbs = adverb_values(director, verb.adverb_names, fine, scene)
    planted = plant_changing(footing, verb, adverbs, origin, (fine - start) / fps, rows)
    at = planted.rows[back]
    return Played(frames, adverbs[rows][back], planted.phases[at], planted.locked()[back], planted.heights[at], planted)


def _swing(footing: Footing, verb: Verb, adverbs: tuple[float, ...]) -> float:
    """Seconds beyond the end in which it is seen where a swinging foot lands; only a floor makes use of it."""
    return verb.duration(adverbs) if verb.cyclic and footing.floor is not None else 0.0


def play_finely(verb: Verb, director: Object, origin: Array, end: float, scene: Scene) -> Played:
    """Play from the start frame to `end`, nothing held, and return every sub-step; the adverbs must be animated."""
    start = float(director.verbs_adverbs.start_frame)
    whole = np.append(np.arange(start, end), end)
    return play_changing(verb, director, origin, sub_steps(whole, scene_fps(scene))[0], scene, None)


def play_even(verb: Verb, adverbs: Array, origin: Array, frames: Array, start: float, fps: float) -> Played:
    """Play a verb at constant `adverbs` (D,): there is nothing to integrate."""
    motion = verb.motion(adverbs)
    times = (np.maximum(frames, start) - start) / fps
    phases = motion.phase(times)
    values = place(verb.channels, motion.sample_phases(phases), origin)
    return Played(frames, np.tile(adverbs, (len(frames), 1)), phases, values, motion.path(phases)[:, 3])


def play_even_planted(
    footing: Footing,
    verb: Verb,
    adverbs: Array,
    origin: Array,
    frames: Array,
    start: float,
    fps: float,
    cycles: int = 0,
) -> Played:
    """The same with its points held; `cycles` are those that it is said to repeat, 0 if it is not."""
    heard, back = np.unique(np.maximum(frames, start), return_inverse=True)
    times = (heard - start) / fps
    before = times - cycles * verb.duration(adverbs)
    planted = plant_even(footing, verb, adverbs, origin, times, before=before)
    at = planted.rows[back]
    tiled = np.tile(adverbs, (len(frames), 1))
    return Played(frames, tiled, planted.phases[at], planted.locked()[back], planted.heights[at], planted)


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
        If one is not a finite number.
    """
    values = np.tile(np.array(slider_values(director, names), dtype=np.float64), (len(frames), 1))
    curves = adverb_curves(director)
    stepped = stepped_adverbs(director, names)
    for column, name in enumerate(names):
        if path_of(name) in curves and name not in stepped:
            values[:, column] = [curves[path_of(name)].evaluate(frame) for frame in frames]
    if stepped:
        whole = np.arange(np.floor(frames[0]), np.ceil(frames[-1]) + 1.0)
        heard = heard_at(director, stepped, whole, scene)
        for name, column in zip(stepped, heard.T, strict=True):
            values[:, names.index(name)] = np.interp(frames, whole, column)
    for column, name in enumerate(names):
        bad = np.flatnonzero(~np.isfinite(values[:, column]))
        if len(bad):
            raise VerbError(
                f"Adverb '{name}' of '{director.name}' is not a finite number at frame {told_frame(frames[bad[0]])}."
                " Mend its key"
                " or driver there."
            )
    return values


def frame_span(director: Object, scene: Scene, width: int) -> Array:
    """Frames (T,) of the generated action: from the start frame to the scene's end.

    Parameters
    ----------
    width : how many curves it has.

    Raises
    ------
    VerbError
        If there are too many.
    """
    start = director.verbs_adverbs.start_frame
    end = max(scene.frame_end, start)
    check_span(director.name, start, end, scene_fps(scene), f"the last frame of scene '{scene.name}'")
    check_values(f"The performance of '{director.name}'", end - start + 1, width)
    return np.arange(start, end + 1, dtype=np.float64)


def digest_of(director: Object, armature: Object, plan: PosePlan, signature: str, scene: Scene) -> str:
    """Digest of all that the generated action is made from; of driven adverbs only that they are driven.

    Parameters
    ----------
    signature : of the verb or score.
    """
    names = tuple(item.name for item in director.verbs_adverbs.adverbs)
    keyed = {name for name in names if path_of(name) in adverb_curves(director)}
    stepped = stepped_adverbs(director, names)
    values = dict(zip(names, slider_values(director, names), strict=True))
    even = [(name, value) for name, value in values.items() if name not in keyed and name not in stepped]
    data = director.animation_data
    keys = action_digest(data.action, director, thorough=True) if data and data.action else ""
    frames = (director.verbs_adverbs.start_frame, scene.frame_end, scene_fps(scene))
    origin = np.array(origin_of(director, armature))
    places = [np.round(a, 6).tolist() for a in (origin, plan.solve, plan.turn)]
    modes, feet = [s.mode for s in plan.sets], footing_digest(director)
    parts = (FORMAT, signature, plan.bone_count, modes, even, stepped, keys, frames, places, feet)
    return blake2b(repr(parts).encode(), digest_size=16).hexdigest()


def made_from(action: Action | None) -> str:
    """Digest of what a generated action was made from, empty when there is none."""
    return str(action.get(DIGEST, "")) if action else ""


def write_generated(
    armature: Object,
    director: Object,
    plan: PosePlan,
    played: Played,
    digest: str,
    progress: Callable[[float], None] | None = None,
) -> Action:
    """Write a performance into the director's generated action, made when there is none, and assign it."""
    tracks = tracks_of(plan, played.values, played.frames)
    action, leave = begin_writing(armature, director, {(track.path, i) for track in tracks for i in track.indices})
    note_written(action, write_tracks(bag_for_write(armature, action), tracks, progress, leave=leave))
    action[DIGEST] = digest
    armature.update_tag(refresh={"OBJECT", "DATA", "TIME"})
    return action
