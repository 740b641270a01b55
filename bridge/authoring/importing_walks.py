"""From a folder of captured walks to verbs: files move one armature, without first poses; cycles become examples."""

from collections.abc import Generator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import chain, pairwise
from pathlib import Path
from typing import NamedTuple

import bpy
import numpy as np
from bpy.types import Action, FCurve, Object, PropertyGroup, Scene

from ...core.errors import ClipError, ExampleError, VerbError, VerbsError, shortened
from ..blender.versions import curves_of
from ..data.annotate import scene_fps
from ..data.curves import SAME_FRAME, gather, key_ends
from ..data.frames.to_scene_rate import move_action
from ..rig.evaluated import evaluated_frames
from ..rig.roles import rest_bones
from .building import build_unplaced
from .clips.clip_files import NEARLY, Before, Clip, Up, import_clips, stood_up, whole_rate
from .clips.finding import Clip as SeenClip
from .clips.finding import clip_of, feet_of, is_idle, mark_examples, restlessness_of
from .clips.likeness import roles_in
from .conforming import conform_actions, is_same
from .definitions import add_reference, add_verb, keep_in_step, remove_reference, remove_verb
from .measuring import measure_travel
from .transitions import suggest_all

Steps = Generator[tuple[float, str], None, "Imported"]
"""Yields the fraction that is done and the next step; closing it early reverts everything."""

WALK, RUN, BACKWARD, STAND = "walk", "run", " backward", "stand"
NO_WALK = (
    "None of the files has a walk with a whole cycle. Include walks, or import idles and gestures with Blender's own "
    "importer, with the same scale and up axis, and bring them onto a walking character with Copy from Other "
    "Armatures."
)
FLIES = 0.05
"""Fraction of a cycle without a foot down above which it is a run: fast walks have hardly any double support."""
MOST_VERBS = 5
"""Largest number of gaits, by the order in which feet land, that become verbs of their own."""
IMPORTS, LOOKS, BUILDS = 0.5, 0.9, 0.95
"""Progress when all files are imported, when all are analysed, and when the verbs are measured."""


@dataclass
class Imported:
    """The result of an import.

    Parameters
    ----------
    armature : the armature that the clips move.
    verbs : number of examples of each verb that was made, by its name; the one with the most clips comes first.
    left : for each file that is in no verb, a sentence that says why.
    unmatched : a sentence for each file with bones that have no counterpart on the armature, or the reverse.
    doubtful : other warnings, and sentences about what else is left out.
    """

    armature: Object
    verbs: dict[str, int] = field(default_factory=dict)
    left: list[str] = field(default_factory=list)
    unmatched: list[str] = field(default_factory=list)
    doubtful: list[str] = field(default_factory=list)


def import_walks(scene: Scene, paths: Sequence[Path], scale: float, up: Up, rate: float = 0.0) -> Steps:
    """Import walks onto one armature, make verbs of them and add transitions; if anything fails, nothing has changed.

    In a file without any action the scene gets the frame rate of the first file; otherwise the imported keys are moved
    so that they keep their timing.

    Parameters
    ----------
    paths : BVH and FBX files.
    scale, up, rate : those of `import_clips`.

    Raises
    ------
    VerbsError
        If none of the files contains a walk.
    """
    before = Before(scene)
    fresh = not bpy.data.actions
    try:
        files = _Files(paths, scale, up, rate)
        made, actions = yield from _onto_one_armature(before, scene, files, fresh)
        yield from _make_verbs(before, scene, made, actions)
    except BaseException:
        before.give_back()
        raise
    return made


class _Files(NamedTuple):
    """Files of walks, and the import settings."""

    paths: Sequence[Path]
    scale: float
    up: Up
    rate: float


def _onto_one_armature(
    whole: Before, scene: Scene, files: _Files, fresh: bool
) -> Generator[tuple[float, str], None, tuple[Imported, list[Action]]]:
    """Import files one by one; the first armature with legs is kept, and the others' actions are converted to it.

    Files before that armature that cannot be used are tried again afterwards.
    """
    made: Imported | None = None
    actions: list[Action] = []
    errors: dict[Path, VerbsError] = {}
    again: list[Path] = []
    for place, path in enumerate(chain(files.paths, again)):
        if made is None and place == len(files.paths):
            break
        yield from whole.resting(IMPORTS * min(place / len(files.paths), 1.0), f"Importing '{path.name}'")
        before = Before(scene)
        try:
            read_as = files.scale, files.up, files.rate
            clips = import_clips(path, scene, *read_as)
            if made is None:
                _check_legs(clips[0])
                if fresh:
                    scene.render.fps, scene.render.fps_base = whole_rate(clips[0].fps)
            elif not is_same(made.armature, clips[0].armature):
                clips = [stood_up(clips[0], path, before, *read_as), *clips[1:]]
            one = made or Imported(clips[0].armature)
            actions += _taken_over(one, clips, scene, before)
            one.doubtful += clips[0].remarks
            if made is None:
                made = one
                one.armature.name = one.armature.data.name = path.parent.name or "Figure"
            errors.pop(path, None)
        except VerbsError as error:
            before.give_back()
            errors[path] = error
            again += [path] if made is None else []
    left = [f"'{path.name}' was left out. {error}" for path, error in errors.items()]
    if made is None:
        told = " ".join(shortened(left, "{count} more files were left out."))
        raise ClipError(told or "No file was chosen. Choose BVH or FBX files of walks.")
    made.left += left
    return made, actions


def _check_legs(clip: Clip) -> None:
    """Check that the legs of a clip's figure are known, since no other clip can be converted to it without them."""
    roles = roles_in(clip.armature, [clip.action], clip.fps)
    if not roles.feet:
        raise ClipError(" ".join(roles.remarks))


def _taken_over(made: Imported, clips: Sequence[Clip], scene: Scene, before: Before) -> Sequence[Action]:
    """Convert a file's actions to the first armature, at the scene's frame rate; remove their own armature."""
    actions: Sequence[Action] = [clip.action for clip in clips]
    own, fps = clips[0].armature, clips[0].fps
    factor = scene_fps(scene) / fps
    for action in actions if abs(factor - 1.0) >= NEARLY else ():
        move_action(action, factor)
    for action, clip in zip(actions, clips, strict=True):
        action.name = clip.name
    if own != made.armature:
        if not (is_same(made.armature, own) and _as_large(made.armature, own)):
            conformed = conform_actions(made.armature, actions, scene_fps(scene), own)
            made.unmatched += conformed.unmatched
            made.doubtful += [text for text in conformed.warnings if text not in conformed.unmatched]
            actions = conformed.actions
        before.remove_new(actions)
    for action, clip in zip(actions, clips, strict=True):
        action.name, action.use_fake_user = clip.name, True
        told = leave_out_first_pose(made.armature, action, scene_fps(scene), factor)
        made.doubtful += [told] if told else []
    return actions


def _as_large(armature: Object, other: Object) -> bool:
    return (armature.scale - other.scale).length <= NEARLY * armature.scale.length


def _make_verbs(
    whole: Before, scene: Scene, made: Imported, actions: Sequence[Action]
) -> Generator[tuple[float, str], None, None]:
    """Mark examples, add them to verbs by the order in which their feet land, measure, and add transitions."""
    armature, fps = made.armature, scene_fps(scene)
    roles = feet_of(armature, actions, fps)
    clips: list[SeenClip] = []
    for index, action in enumerate(actions):
        share = IMPORTS + (LOOKS - IMPORTS) * index / len(actions)
        yield from whole.resting(share, f"Looking for steps in '{action.name}'")
        try:
            clips.append(clip_of(armature, action, roles, fps))
        except VerbsError as error:
            made.left.append(f"'{action.name}' was not added to a verb. {error}")
    left = [clip for clip in clips if clip.cycles]
    others = [clip for clip in clips if not clip.cycles]
    idle = min((clip for clip in others if is_idle(clip)), key=restlessness_of, default=None)
    made.left += [_without_steps(clip) for clip in others if clip is not idle]
    while left and len(made.verbs) < MOST_VERBS:
        left = _add_verb(made, left)
    made.left += [
        f"'{clip.action.name}' steps differently from the others, so it was not added to a verb." for clip in left
    ]
    for name in list(made.verbs):
        yield from whole.resting(LOOKS, f"Measuring '{name}'")
        _measure(made, name)
    if not made.verbs:
        raise ExampleError(" ".join([NO_WALK, *made.left[:2]]))
    going = list(made.verbs)
    if idle is not None:
        _add_stand(made, idle)
    keep_in_step(armature)
    if len(made.verbs) > 1:
        yield from whole.resting(BUILDS, "Looking for transitions")
        try:
            suggest_all(armature)
        except VerbsError as error:
            made.doubtful.append(str(error))
            with suppress(VerbsError):
                suggest_all(armature, {(one, other) for one in going for other in going})
    armature.verbs_adverbs.active_verb = armature.verbs_adverbs.verbs.find(next(iter(made.verbs)))


def _add_verb(made: Imported, clips: Sequence[SeenClip]) -> list[SeenClip]:
    """Add a verb of the clips with the same order of steps, and return the others."""
    found = mark_examples(clips)
    made.doubtful += found.adrift
    first, example = found.examples[0]
    backward = next(clip.detection.backward for clip in clips if clip.action == first)
    verb = add_verb(made.armature, _free_name(made, example, backward))
    for action, item in found.examples:
        add_reference(verb, action, item)
    made.verbs[verb.name] = len(found.examples)
    marked = {action for action, _ in found.examples}
    return [clip for clip in clips if clip.action not in marked]


def _measure(made: Imported, name: str) -> None:
    """Measure the travel of a verb, without the examples that cannot be built, which are reported."""
    armature = made.armature
    verb = armature.verbs_adverbs.verbs[name]
    try:
        measure_travel(armature, verb)
    except VerbError as error:
        made.doubtful += [str(error)] if made.verbs[name] > 1 else []
    except VerbsError:
        unusable = _unusable(armature, verb)
        if not unusable:
            raise
        for row, why in reversed(unusable.items()):
            made.left.append(f"'{verb.examples[row].action.name}' was not added to a verb. {why}")
            remove_reference(verb, row)
        made.verbs[name] -= len(unusable)
        if made.verbs[name]:
            _measure(made, name)
        else:
            del made.verbs[name]
            remove_verb(armature, armature.verbs_adverbs.verbs.find(name))


def _unusable(armature: Object, verb: PropertyGroup) -> dict[int, str]:
    """Return the rows of examples of a verb that cannot be built together with the earlier ones, with the reasons."""
    found: dict[int, str] = {}
    for one in verb.examples:
        one.enabled = False
    for row, one in enumerate(verb.examples):
        one.enabled = True
        try:
            build_unplaced(armature, verb)
        except VerbsError as error:
            found[row], one.enabled = str(error), False
    for one in verb.examples:
        one.enabled = True
    return found


def _add_stand(made: Imported, idle: SeenClip) -> None:
    """Add a standing verb from an idle."""
    ((action, example),) = mark_examples([idle]).examples
    verb = add_verb(made.armature, STAND)
    add_reference(verb, action, example)
    made.verbs[verb.name] = 1


def _free_name(made: Imported, example: PropertyGroup, backward: bool) -> str:
    """Return the name of a verb by how the feet land in its first example: a run has moments in which none is down."""
    usual = RUN if _flight([(keytime.name, keytime.frame) for keytime in example.keytimes]) > FLIES else WALK
    usual += BACKWARD if backward else ""
    return usual if usual not in made.verbs else f"{usual} {len(made.verbs) + 1}"


def _flight(keytimes: Sequence[tuple[str, float]]) -> float:
    """Return the fraction of a cycle in which no foot is down, from its keytimes such as ``L_up`` and ``R_down``."""
    steps = [(*name.rpartition("_")[::2], frame) for name, frame in keytimes]
    first = {foot: end for foot, end, _ in reversed(steps)}
    down = {foot for foot, end in first.items() if end == "up"}
    flight = 0.0
    for (foot, end, frame), (_, _, later) in pairwise(steps):
        down = down | {foot} if end == "down" else down - {foot}
        flight += 0.0 if down else later - frame
    return flight / (keytimes[-1][1] - keytimes[0][1])


def _without_steps(clip: SeenClip) -> str:
    """Return a sentence that says why a clip is in no verb."""
    name = clip.action.name
    if clip.detection.kind == "stationary":
        return f"'{name}' stays in place, so it is not a walk and was not added to a verb."
    why = clip.detection.remarks[0] if clip.detection.remarks else ""
    return f"'{name}' has no whole cycle, so it was not added to a verb. {why}".rstrip()


LOOKED = 10
"""Frames at the beginning of a clip that are compared."""
JUMP, SEEN = 3.0, 0.05
"""Ratio of the first step to the largest of the next ones, and to the figure's size, above which it is a jump."""


def leave_out_first_pose(armature: Object, action: Action, fps: float, step: float) -> str:
    """Drop the first frame of an action if the motion jumps away from it; return a sentence that says so.

    Parameters
    ----------
    armature, action : an imported action, and the armature that it moves.
    fps : frames of the scene per second.
    step : number of these between two frames of the file.
    """
    first, last = key_ends(gather(action, armature).all_curves())
    if last - first < LOOKED * step:
        return ""
    bones = rest_bones(armature)
    heads, _ = evaluated_frames(armature, action, bones.names, first + step * np.arange(LOOKED + 1.0), fps)
    heads = heads - heads[:, :1] * np.array([1.0, 1.0, 0.0])
    steps = np.sqrt(np.mean(np.sum(np.diff(heads, axis=0) ** 2, axis=-1), axis=-1))
    size = float(np.ptp(heads[-1], axis=0).max())
    if steps[0] < max(JUMP * float(steps[1:].max()), SEEN * size):
        return ""
    for curve in curves_of(action, armature):
        _begin_at(curve, first + step)
    return (
        f"The first frame of '{action.name}' was left out, because it is a separate pose that the motion jumps away "
        "from."
    )


def _begin_at(curve: FCurve, frame: float) -> None:
    """Remove the keys of a curve before a frame, and add one at the frame if it has none."""
    value, keys = curve.evaluate(frame), curve.keyframe_points
    if not any(abs(key.co[0] - frame) <= SAME_FRAME for key in keys):
        keys.insert(frame, value)
    for key in [key for key in keys if key.co[0] < frame - SAME_FRAME][::-1]:
        keys.remove(key)
    curve.update()
