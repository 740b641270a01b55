"""The generated action: the whole motion of a verb or score, written for Blender to play, and what it is made from.

What happens at a frame depends on all frames before it, but a render asks for frames in any order and in other
processes. So the whole motion is computed in advance, and Blender plays it.
"""

from collections.abc import Callable, Hashable, Sequence
from math import floor

import bpy
import numpy as np
from bpy.types import Action, FCurve, Object, Scene
from numpy.typing import NDArray

from ...core.bounds import check_cycles, check_span, check_values
from ...core.verb.verb import Verb
from ..action.generated_action import DIGEST, ROOT, UNTIL, begin_writing, note_written, written_until
from ..action.tracks import Keys, write_keys
from ..action.write_pose import PosePlan, root_frame
from ..authoring.graph import start_of
from ..blender import store
from ..blender.jobs import attempted, remembered
from ..blender.versions import bag_for_write
from ..data.adverb_values import adverb_curves, bounds_of, check_said, path_of, slider_values, stepped_adverbs
from ..data.annotate import scene_fps
from ..data.content import action_content, place_of_curves
from ..data.director import goes_by_itself, origin_of
from ..data.frames.counting import counting_of, last_frame
from ..data.schema import ROOT_IS_OBJECT
from ..layers.gestures import place_of_curve
from ..rig.evaluated import heard_at
from .floor_mesh import feet_digest

Array = NDArray[np.float64]

EVALUATED, HEARD = 100_000, 500
"""Numbers of frames at which keys, and drivers, are evaluated at a time."""
FORMAT = 3
"""Incremented whenever the same data would give a different generated action, so that all are rewritten."""
PARTLY = "part of "
"""Prefix of the digest of an action that holds only the first part of its motion."""
SETTINGS = "seed", "settle", "lock_feet", "steps_home", "hinged_knees"
"""Settings of a performance that affect how its score is played."""
Places = tuple[object, ...]
"""Memory addresses of data, and numbers such as frames."""


def is_animated(director: Object, names: tuple[str, ...]) -> bool:
    """Return whether any of the adverbs is keyed or driven."""
    keyed = adverb_curves(director)
    return any(path_of(name) in keyed for name in names) or bool(stepped_adverbs(director, names))


def adverb_values(director: Object, names: tuple[str, ...], frames: Array, scene: Scene) -> Array:
    """Return adverb values (F, D) at `frames` (F,) of a director's keys; drivers are evaluated at scene frames.

    Raises
    ------
    VerbError
        If one is not a finite number, or too large.
    """
    values = np.tile(np.array(slider_values(director, names), dtype=np.float64), (len(frames), 1))
    curves, keys = adverb_curves(director), "" if attempted() is None else _keys_of(director)
    stepped = stepped_adverbs(director, names)
    for column, name in enumerate(names):
        if path_of(name) in curves and name not in stepped:
            curve, what = curves[path_of(name)], (name, keys)
            values[:, column] = _in_parts(director, what, frames, EVALUATED, lambda part, c=curve: _evaluated(c, part))
    if stepped:
        there = counting_of(director, scene).in_scene(frames)
        whole = np.arange(np.floor(there[0]), np.ceil(there[-1]) + 1.0)
        what = stepped, keys
        heard = _in_parts(director, what, whole, HEARD, lambda part: heard_at(director, stepped, part, scene))
        for name, column in zip(stepped, heard.T, strict=True):
            values[:, names.index(name)] = np.interp(there, whole, column)
    for column, name in enumerate(names):
        low, high = bounds_of(director, name)
        for row in np.flatnonzero(~((values[:, column] >= low) & (values[:, column] <= high)))[:1]:
            check_said(director, name, float(values[row, column]), float(frames[row]))
    return values


def heard_values(
    director: Object,
    names: tuple[str, ...],
    frames: Array,
    read: tuple[Array, Array],
    scene: Scene,
    between: bool = False,
) -> Array:
    """Return adverb values (T, D) at `frames` (T,) of a scene; before the beginning the first values.

    Parameters
    ----------
    read : frames (F,) of the director's keys, from the beginning on, and adverb values (F, D) that were read at them.
    between : whether to interpolate linearly between readings.
    """
    counting, (fine, adverbs) = counting_of(director, scene), read
    heard = np.maximum(frames, counting.start)
    if not counting.agrees or counting.reads != counting.rate:
        return adverb_values(director, names, counting.in_keys(heard), scene)
    if between:
        columns = [np.interp(heard, fine, column) for column in adverbs.T]
        return np.stack(columns, axis=-1) if columns else np.zeros((len(frames), 0))
    return adverbs[(heard - counting.start).astype(np.intp)]


def _evaluated(curve: FCurve, frames: Array) -> Array:
    return np.array([curve.evaluate(frame) for frame in frames])


def _in_parts(director: Object, what: Hashable, frames: Array, size: int, look: Callable[[Array], Array]) -> Array:
    """Return what `look` returns for frames (F,), called with `size` of them at a time, so that a job can pause.

    `what` identifies the data read, including their version, as they may be edited while the job pauses.
    """
    of = (director.session_uid, what, len(frames), float(frames[0]), float(frames[-1]))
    begins = range(0, len(frames), size)
    return np.concatenate(
        [remembered((*of, begin), lambda part=frames[begin : begin + size]: look(part)) for begin in begins]
    )


def frame_span(director: Object, scene: Scene, width: int) -> Array:
    """Return the frames (T,) of the generated action: from the start frame to the end of the scene or preview range.

    Parameters
    ----------
    width : number of values in each row.

    Raises
    ------
    VerbError
        If there are too many.
    """
    start, end = floor(counting_of(director, scene).start), last_frame(director, scene)
    check_span(director.name, start, end, scene_fps(scene), f"the last frame of scene '{scene.name}'")
    check_values(f"The performance of '{director.name}'", end - start + 1, width)
    return np.arange(start, end + 1, dtype=np.float64)


def check_repeats(verb: Verb, frames: Array, start: float, fps: float) -> None:
    """Check that a verb is not repeated too often from frame `start` to the last of `frames` (T,)."""
    if verb.cyclic:
        seconds = max(float(frames[-1]) - start, 0.0) / fps
        check_cycles(verb.name, seconds, float(verb.phrasing.shortest.sum()))


def digest_of(director: Object, armature: Object, root: str, signature: str, scene: Scene) -> str:
    """Return a digest of everything the generated action is made from; of driven adverbs only that they are driven.

    Parameters
    ----------
    root : name of the bone, or of the object, that carries the travel.
    signature : digest of the verb or score.

    Raises
    ------
    RigError
        If the armature has no such root, or cannot be read.
    """
    (even, stepped, keys), frames = _asked(director), _frames_told(director, scene)
    places = [np.round(a, 6).tolist() for a in (origin_of(director, armature), root_frame(armature, root))]
    modes, feet = [(bone.name, bone.rotation_mode) for bone in armature.pose.bones], feet_digest(director)
    modes.append((ROOT_IS_OBJECT, armature.rotation_mode))
    parts = (FORMAT, signature, modes, even, stepped, keys, frames, places, feet)
    return store.digest_of(parts)


def score_digest(director: Object, armature: Object) -> str:
    """Return a digest of a director's score: its keys, sliders without keys, where, when and how it begins.

    It is fast enough for a panel: keys are cached until Blender reports a change, and of a floor only the name and
    location are included. A location controlled by other objects is left out, since it differs at each frame.

    Raises
    ------
    VerbError
        If a slider holds no number.
    """
    own, begins = director.verbs_adverbs.performance, start_of(armature)
    place = np.round(origin_of(director, armature), 6).tolist() if goes_by_itself(director, armature) else []
    settings = [getattr(own, name) for name in SETTINGS], begins.uid if begins is not None else ""
    stands = [] if own.floor is None else [own.floor.name, np.round(own.floor.matrix_world, 6).tolist()]
    told = place, tuple(counting_of(director)), settings, stands, _asked(director, False)
    return store.digest_of(told)


def _asked(director: Object, thorough: bool = True) -> tuple[list[tuple[str, float]], tuple[str, ...], str]:
    """Return values of sliders without keys and drivers, sliders only Blender can evaluate, and a digest of keys."""
    names, curves = tuple(item.name for item in director.verbs_adverbs.adverbs), adverb_curves(director)
    keyed = {name for name in names if path_of(name) in curves}
    stepped = stepped_adverbs(director, names)
    values = dict(zip(names, slider_values(director, names), strict=True))
    even = [(name, value) for name, value in values.items() if name not in keyed and name not in stepped]
    return even, stepped, _keys_of(director, thorough)


def _keys_of(director: Object, thorough: bool = True) -> str:
    """Return a digest of a director's own keys, all of them reread if `thorough`; empty if it has none."""
    data = director.animation_data
    return action_content(data.action, director, thorough).digest if data and data.action else ""


def _frames_told(director: Object, scene: Scene) -> tuple[float, ...]:
    """Return the frames a director plays and their counting, for a digest; the rest is added where it matters."""
    counting, start = counting_of(director, scene), director.verbs_adverbs.start_frame
    told = start, last_frame(director, scene), counting.fps
    counts = counting.agrees and counting.reads == counting.rate and counting.start == start
    return told if counts else (*told, *counting)


def made_from(action: Action | None) -> str:
    """Return the stored digest of what a generated action was made from; empty if there is no action."""
    return str(action.get(DIGEST, "")) if action else ""


def begun_from(action: Action | None) -> str:
    """Return the stored digest of a generated action with only the first part of a motion; empty for others."""
    told = made_from(action)
    return told.removeprefix(PARTLY) if told.startswith(PARTLY) else ""


def root_of(action: Action | None) -> str:
    """Return the bone or object that carries the travel in a generated action; empty if there is no action."""
    return str(action.get(ROOT, "")) if action else ""


def rows_written(action: Action | None, digest: str, begins: float) -> int:
    """Return the number of frames, from `begins` on, in a generated action with the first part of a digest's motion."""
    until = written_until(action)
    return int(until - begins) + 1 if until is not None and made_from(action) == PARTLY + digest else 0


def write_generated(
    armature: Object,
    director: Object,
    plan: PosePlan,
    keys: Sequence[Keys],
    digest: str,
    until: float | None = None,
) -> Action:
    """Write keys into the director's generated action and assign it; it is created if there is none.

    Parameters
    ----------
    plan : plan for converting rows to keys of the armature.
    keys : keys of each F-curve.
    digest : digest of what they were made from, see `digest_of`.
    until : last frame of the keys if they are only the first part of the motion; such an action is out of date.
    """
    action, leave = begin_writing(armature, director, {(one.path, one.index) for one in keys})
    note_written(action, write_keys(bag_for_write(armature, action), keys, leave=leave))
    action[DIGEST], action[ROOT] = digest if until is None else PARTLY + digest, plan.channels.skeleton.names[0]
    if until is not None:
        action[UNTIL] = until
    elif UNTIL in action:
        del action[UNTIL]
    armature.update_tag(refresh={"OBJECT", "DATA", "TIME"})
    return action


def places_of(director: Object, scene: Scene) -> Places | None:
    """Return memory addresses of the data a live director's generated action is made from; None if they are not enough.

    Undo reloads only data-blocks that differ. Such a data-block stays at its address, but everything it owns is
    allocated anew while the old data still exist. So comparing these addresses after every undo shows which data-blocks
    were reloaded. That is not enough where other objects matter: a floor, a parent of the director's own, drivers,
    targets and looks.
    """
    own = director.verbs_adverbs
    armature, data = own.directs, director.animation_data
    names = tuple(item.name for item in own.adverbs)
    looks = any(word.look_at is not None for word in own.speech.words)
    if own.performance.floor is not None or looks or stepped_adverbs(director, names):
        return None
    verbs = armature.verbs_adverbs.verbs
    if not goes_by_itself(director, armature) or not armature.data.bones or any(item.targets for item in verbs):
        return None
    keys = place_of_curves(data.action) if data is not None and data.action is not None else 0
    generated = place_of_curves(own.generated) if own.generated is not None else 0
    return (
        own.as_pointer(),
        armature.verbs_adverbs.as_pointer(),
        armature.data.bones[0].as_pointer(),
        keys,
        generated,
        place_of_curve(director),
        (last_frame(director, scene), scene_fps(scene), scene_fps(bpy.context.scene)),
        tuple(row.action.verbs_adverbs.as_pointer() for item in verbs for row in item.examples if row.action),
    )
