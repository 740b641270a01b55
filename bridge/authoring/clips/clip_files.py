"""Motion files: each is imported by Blender's own importer, and inspected for its scale, up axis and frame rate."""

import contextlib
import io
import tempfile
from collections.abc import Container, Generator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, NamedTuple

import bpy
import numpy as np
from bpy.types import ID, Action, Bone, FCurve, Object, Scene
from bpy_extras.io_utils import axis_conversion
from mathutils import Vector
from numpy.typing import NDArray

from ....core.detect.bone_roles import FigureBones
from ....core.detect.stature import Stature, stature_of
from ....core.errors import ClipError, UntimedError, VerbsError, quoted
from ....core.figure import quaternion as quat
from ....core.motion.bvh_text import read_bvh_text
from ...blender.animation import assigned_curves, keyed_in
from ...blender.versions import bag_of, curves_of, slot_of
from ...data.annotate import scene_fps
from ...data.bones.names import OBJECT, parse_path
from ...data.curves import gather, key_ends
from ...rig.evaluated import evaluated_frames
from ...rig.roles import rest_bones

Array = NDArray[np.float64]
Up = Literal["X", "Y", "Z", "-X", "-Y", "-Z"]

ENDINGS = BVH, FBX = ".bvh", ".fbx"
FORWARD: dict[Up, Up] = {"X": "Y", "Y": "-Z", "Z": "Y", "-X": "Y", "-Y": "-Z", "-Z": "Y"}
"""Forward axis for Blender's BVH importer (it becomes Blender's Y), for each up axis of a file."""
UPWARD: tuple[Up, ...] = ("X", "Y", "Z")
DOWNWARD: tuple[Up, ...] = ("-X", "-Y", "-Z")
UNITS = {"metres": 1.0, "centimetres": 0.01, "inches": 0.0254, "feet": 0.3048, "millimetres": 0.001}
"""Metres per unit, for each unit that motion files use."""
USUAL, SMALLEST, TALLEST, FASTEST = 1.7, 1.0, 2.4, 10.0
"""Height in metres of a typical figure, of the shortest and of the tallest person; fastest speed in metres a second."""
USUAL_RATE = 30.0
"""Frame rate assumed for inspecting a file that does not give one."""
LOOKS = np.linspace(0.2, 0.8, 4)
"""Fractions of a clip at which its figure is sampled; at the ends captures often have a different pose."""
PACED = 0.5, 1.0
"""Fractions of the list of files at which a figure's speed is sampled too."""
NEARLY = 1e-3
"""Relative tolerance within which a frame rate counts as whole, since files round the frame time."""


class Clip(NamedTuple):
    """An imported clip: its armature, its action, the frames per second of its keys, and what was repaired.

    Its name is that of its file, or of its take if the file has several.
    """

    armature: Object
    action: Action
    fps: float
    remarks: tuple[str, ...]
    name: str


@dataclass(frozen=True)
class Figure:
    """What is known of a clip's figure before it is kept.

    Parameters
    ----------
    up : axis that points up in the file; always Blender's own for FBX files, which define it.
    tall : its height in the file's units.
    speed : its travel speed, in the file's units per second.
    fps : frames per second.
    timed : whether the file gives these; if not, `USUAL_RATE` was used.
    bones : their number.
    legs : whether it has legs that show which way is up.
    """

    up: Up
    tall: float
    speed: float
    fps: float
    timed: bool
    bones: int
    legs: bool

    @property
    def unit(self) -> str:
        """Name of the unit in which the figure's height is closest to a person's."""
        return min(UNITS, key=lambda name: abs(np.log(max(self.tall, 1e-9) * UNITS[name] / USUAL)))

    def is_odd(self, scale: float) -> bool:
        """Return whether the figure's size or speed at a scale is impossible for a person."""
        return not SMALLEST <= scale * self.tall <= TALLEST or scale * self.speed > FASTEST


class _Clock(NamedTuple):
    """Frame rate and frame of a scene, which importers change."""

    scene: Scene
    rate: tuple[int, float]
    frame: tuple[int, float]

    @classmethod
    def of(cls, scene: Scene) -> "_Clock":
        return cls(scene, (scene.render.fps, scene.render.fps_base), (scene.frame_current, scene.frame_subframe))

    def give_back(self) -> None:
        """Restore them; the frame only if it differs, since setting a frame discards changes that are not keyed."""
        self.scene.render.fps, self.scene.render.fps_base = self.rate
        if (self.scene.frame_current, self.scene.frame_subframe) != self.frame:
            self.scene.frame_set(self.frame[0], subframe=self.frame[1])


class Before:
    """The data in the file, and what an import changes in the scene, so that all of that can be restored."""

    def __init__(self, scene: Scene) -> None:
        self.scene, self._clock, self._layer = scene, _Clock.of(scene), bpy.context.view_layer
        self._active = self._layer.objects.active
        self._selected = {one.session_uid for one in self._layer.objects if one.select_get()}
        self._known, self._made, self._rests = _present(), set[int](), False

    def resting(self, share: float, told: str) -> Generator[tuple[float, str], None, None]:
        """Yield once; data that others add to the file before it resumes is theirs."""
        self._made |= _present() - self._known
        self._rests = True
        yield share, told
        self._rests = False
        self._known |= _present()

    def give_back(self) -> None:
        """Remove what was added since, and restore the scene's rate, frame and selection, as far as they exist."""
        self.remove_new()
        with suppress(ReferenceError):
            self._clock.give_back()
            for one in self._layer.objects:
                one.select_set(one.session_uid in self._selected)
            self._layer.objects.active = self._active

    def remove_new(self, kept: Container[ID] = ()) -> None:
        """Remove what was added to the file since, except what is `kept`."""
        new = self._made if self._rests else self._made | (_present() - self._known)
        bpy.data.batch_remove([one for one in _all_data() if one.session_uid in new and one not in kept])
        self._made = set()
        bpy.context.view_layer.update()


def _present() -> set[int]:
    return {one.session_uid for one in _all_data()}


def _all_data() -> list[ID]:
    """Return everything in the file that an importer may add to."""
    kinds = (bpy.data.objects, bpy.data.armatures, bpy.data.actions, bpy.data.meshes, bpy.data.materials)
    more = (bpy.data.images, bpy.data.textures, bpy.data.collections, bpy.data.cameras, bpy.data.lights)
    others = (bpy.data.shape_keys, bpy.data.worlds, bpy.data.node_groups, bpy.data.curves)
    found: Any = [one for kind in (*kinds, *more, *others) for one in kind]
    return found


def import_clip(path: Path, scene: Scene, scale: float = 1.0, up: Up = "Y", rate: float = 0.0) -> Clip:
    """Import a file of motion, and return the first of its clips; see `import_clips`."""
    return import_clips(path, scene, scale, up, rate)[0]


def import_clips(path: Path, scene: Scene, scale: float = 1.0, up: Up = "Y", rate: float = 0.0) -> tuple[Clip, ...]:
    """Import a file of motion: one clip, or one for each take of an FBX file, of one armature.

    The scene's frame rate and frame stay.

    Parameters
    ----------
    path : a BVH or FBX file.
    scale : by which its lengths are multiplied.
    up : axis that points up in it; FBX files say that themselves.
    rate : frame rate for BVH files that do not give one, in frames per second; 0 if the user entered none.

    Raises
    ------
    ClipError
        If Blender cannot import it, or it has no motion of one figure; an `UntimedError` if its rate is not known.
    """
    clock, known = _Clock.of(scene), _present()
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            remarks = _import(path, scale, up, rate)
    except VerbsError:
        raise
    except Exception as error:
        said = [line for line in str(error).splitlines() if line.strip() and not line.startswith("Location:")]
        why = said[-1].removeprefix("Exception: ") if said else type(error).__name__
        raise ClipError(f"Blender cannot import '{path}': {why}") from error
    finally:
        # Keys of an FBX file are at whole rates: its importer applies the fraction of the rate only in the scene.
        fps = float(scene.render.fps) if path.suffix.lower() == FBX else scene_fps(scene)
        clock.give_back()
    made = [one for one in bpy.data.objects if one.session_uid not in known and one.type == "ARMATURE"]
    moving = [one for one in made if keyed_in(one) is not None]
    if not moving:
        raise ClipError(f"'{path}' contains no animated figure. Choose another file.")
    if len(moving) > 1:
        names = quoted(one.name for one in moving)
        raise ClipError(f"'{path}' contains {len(moving)} moving figures: {names}. Export each to its own file.")
    actions = [one for one in bpy.data.actions if one.session_uid not in known and _moves_bones(one, moving[0])]
    if not actions:
        raise ClipError(f"'{path}' has no bone animation for '{moving[0].name}'. Export it with bone keys.")
    carrier = moving_carrier(moving[0])
    if carrier is not None:
        raise ClipError(
            f"'{path}' animates '{carrier.name}', the parent of its armature. Bake this motion to the root bone first."
        )
    take_over_scale(moving[0], actions)
    return _checked(path, moving[0], actions, fps, remarks)


def _moves_bones(action: Action, armature: Object) -> bool:
    bones = armature.data.bones
    return any(parse_path(curve.data_path)[0] in bones for curve in curves_of(action, armature))


def _checked(
    path: Path, armature: Object, actions: Sequence[Action], fps: float, remarks: tuple[str, ...]
) -> tuple[Clip, ...]:
    """Return the clips of a file, unless all are single poses."""
    ends = [key_ends(gather(action, armature).all_curves()) for action in actions]
    names = _names_of(path, actions)
    poses = [name for name, (first, last) in zip(names, ends, strict=True) if last <= first]
    if len(poses) == len(actions):
        raise ClipError(f"'{path}' has only one frame, so it is a pose and not a motion. Choose another file.")
    if poses:
        remarks += (f"Single poses in '{path.name}' were left out: {quoted(poses)}.",)
    whole = [(action, name) for action, name in zip(actions, names, strict=True) if name not in poses]
    return tuple(Clip(armature, action, fps, remarks, name) for action, name in whole)


def _names_of(path: Path, actions: Sequence[Action]) -> list[str]:
    """Return names for the takes of a file: the part that is unique to each, or the name of the file."""
    if len(actions) == 1:
        return [path.stem]
    words = [action.name.split("|") for action in actions]
    shared = set(words[0]).intersection(*words)
    names = ["|".join(word for word in own if word not in shared) for own in words]
    return [name or action.name for name, action in zip(names, actions, strict=True)]


def _import(path: Path, scale: float, up: Up, rate: float) -> tuple[str, ...]:
    """Import a file with Blender's importer, a BVH file in its repaired form; return what was repaired."""
    if path.suffix.lower() == FBX:
        bpy.ops.import_scene.fbx(filepath=str(path), global_scale=scale, anim_offset=0.0)
        return ()
    axes: Any = {"axis_up": up, "axis_forward": FORWARD[up]}
    at = {"frame_start": 1, "update_scene_fps": True, "update_scene_duration": False}
    mended = read_bvh_text(path.read_bytes(), path.name, rate)
    # On Windows a file that could not be imported stays open, so it cannot be deleted.
    with tempfile.TemporaryDirectory(prefix="verbs_adverbs_", ignore_cleanup_errors=True) as folder:
        copy = Path(folder) / path.name
        copy.write_text(mended.text, encoding="utf-8")
        bpy.ops.import_anim.bvh(filepath=str(copy), global_scale=scale, **axes, **at)
    return mended.remarks


def first_figure(paths: Sequence[Path], scene: Scene) -> Figure:
    """Inspect the first figure with legs in some files, or else the first of any kind; nothing of it is kept.

    Raises
    ------
    VerbsError
        If none can be read; the message says why the first one cannot.
    """
    errors, others = list[VerbsError](), list[Figure]()
    for path in paths:
        try:
            figure = _figure_in(path, scene)
        except VerbsError as error:
            errors.append(error)
            continue
        if figure.legs:
            return figure
        others.append(figure)
    if not others:
        raise errors[0]
    return others[0]


def figure_and_pace(paths: Sequence[Path], scene: Scene) -> Figure:
    """Like `first_figure`, with the speed of the fastest of a few files, since the first may hardly move."""
    figure = first_figure(paths, scene)
    speeds = [figure.speed]
    for index in sorted({round(share * (len(paths) - 1)) for share in PACED} - {0}):
        with suppress(VerbsError):
            speeds.append(_figure_in(paths[index], scene).speed)
    return replace(figure, speed=max(speeds))


def _figure_in(path: Path, scene: Scene) -> Figure:
    """Like `first_figure`, for one file. Medians are used, since a root may stay behind while the body walks away."""
    before, fbx = Before(scene), path.suffix.lower() == FBX
    try:
        timed = True
        try:
            clip = import_clip(path, scene)
        except UntimedError:
            clip, timed = import_clip(path, scene, rate=USUAL_RATE), False
        poses, seconds = _poses_in(clip, None if fbx else "Y")
    finally:
        before.give_back()
    stature = stature_of(poses)
    up, axis = ("Y", 2) if fbx else (_axis_of(stature), stature.axis)
    ends = np.array([np.concatenate([pose.heads, pose.tails]) for pose in poses])
    centres = np.delete(np.median(ends, axis=1), axis, axis=1)
    way = float(np.linalg.norm(np.diff(centres, axis=0), axis=1).sum())
    return Figure(up, stature.tall, way / seconds, clip.fps, timed, len(poses[0].names), stature.legs)


def stood_up(clip: Clip, path: Path, before: Before, scale: float, up: Up, rate: float) -> Clip:
    """Return a clip; if its figure's legs show that another axis is up in its file, import it again with that axis.

    Parameters
    ----------
    clip, path, scale, up, rate : the result of `import_clip`, and its arguments.
    before : the earlier state of the file, which is restored first in that case.
    """
    if path.suffix.lower() == FBX:
        return clip
    stature = stature_of(_poses_in(clip, up)[0])
    if not stature.legs or _axis_of(stature) == up:
        return clip
    before.give_back()
    return import_clip(path, before.scene, scale, _axis_of(stature), rate)


def _axis_of(stature: Stature) -> Up:
    return (UPWARD if stature.upward else DOWNWARD)[stature.axis]


def _poses_in(clip: Clip, up: Up | None) -> tuple[list[FigureBones], float]:
    """Return poses of a clip's figure in its file's axes, as imported with `up`, or in Blender's; and their seconds."""
    bones = rest_bones(clip.armature)
    first, last = key_ends(gather(clip.action, clip.armature).all_curves())
    frames = np.round(first + (last - first) * LOOKS)
    heads, turns = evaluated_frames(clip.armature, clip.action, bones.names, frames, clip.fps)
    scale = clip.armature.matrix_basis.median_scale
    along = np.array([(0.0, scale * clip.armature.data.bones[name].length, 0.0) for name in bones.names])
    axes = np.eye(3) if up is None else np.array(axis_conversion(FORWARD[up], up))
    ends = np.stack([heads, heads + quat.rotate(turns, along)]) @ axes
    seconds = max(float(frames[-1] - frames[0]), 1.0) / clip.fps
    return [replace(bones, heads=one, tails=other) for one, other in zip(*ends, strict=True)], seconds


def whole_rate(fps: float) -> tuple[int, float]:
    """Return a file's frame rate as frames per second and their base, as a scene stores them."""
    whole = max(round(fps), 1)
    return whole, 1.0 if abs(whole / fps - 1.0) < NEARLY else whole / fps


EVEN = 1e-3
"""Relative tolerance for equal scales."""


def moving_carrier(armature: Object) -> Object | None:
    """Return the object above an armature that has an action of its own, None if there is none."""
    above = armature.parent
    while above is not None:
        if not all(_is_still(curve) for curve in assigned_curves(above)):
            return above
        above = above.parent
    return None


def take_over_scale(armature: Object, actions: Sequence[Action]) -> None:
    """Move all scale and parent transforms of a figure to its armature object; the figure looks as before.

    Nothing is changed if the object itself moves, since its parents rotate and scale its path too.

    Parameters
    ----------
    armature : the armature, as imported.
    actions : the actions that move it.
    """
    bpy.context.view_layer.update()
    factor = _factor(armature, actions)
    own = [(action, curve) for action in actions for curve in curves_of(action, armature) if _moves(curve, OBJECT)]
    if (armature.parent is None and factor == 1.0) or not all(_is_still(curve) for _, curve in own):
        return
    place = armature.matrix_world.copy()
    for action, curve in own:
        bag_of(action, slot_of(action, armature)).fcurves.remove(curve)  # pyright: ignore[reportAttributeAccessIssue]
    armature.parent = None
    armature.matrix_world = place
    armature.scale *= factor
    for bone in _topmost(armature) if factor != 1.0 else ():
        _shrink(armature, bone, actions, factor)


def _topmost(armature: Object) -> list[Bone]:
    return [bone for bone in armature.data.bones if bone.parent is None]  # pyright: ignore[reportAttributeAccessIssue]


def _moves(curve: FCurve, owner: str, prop: str = "") -> bool:
    """Return whether a curve animates the given property, or any property, of a bone or the object."""
    bone, rest = parse_path(curve.data_path)
    return bone == owner and rest == (prop or rest)


def _is_still(curve: FCurve) -> bool:
    values = [key.co[1] for key in curve.keyframe_points]
    return not values or np.ptp(values) <= EVEN * max(np.abs(values).max(), EVEN)


def _factor(armature: Object, actions: Sequence[Action]) -> float:
    """Return the constant scale that all root bones share; 1 if there is none."""
    found: list[float] = []
    for bone in _topmost(armature):
        for action in actions:
            curves = [curve for curve in curves_of(action, armature) if _moves(curve, bone.name, "scale")]
            found += [key.co[1] for curve in curves for key in curve.keyframe_points]
            found += [1.0] * (3 - len(curves))
    least, most = min(found, default=1.0), max(found, default=1.0)
    even = least > 0.0 and most - least <= EVEN * most
    return most if even and abs(most - 1.0) > EVEN else 1.0


def _shrink(armature: Object, bone: Bone, actions: Sequence[Action], factor: float) -> None:
    """Remove a scale from a root bone, since its object has that scale now."""
    rest: Vector = bone.matrix_local.to_3x3().transposed() @ bone.head_local
    posed = armature.pose.bones[bone.name]  # pyright: ignore[reportOptionalMemberAccess]
    posed.location, posed.scale = (posed.location + rest) / factor - rest, (1.0, 1.0, 1.0)
    for curve in (curve for action in actions for curve in curves_of(action, armature)):
        if _moves(curve, bone.name, "location"):
            _write(curve, factor, rest[curve.array_index])
        elif _moves(curve, bone.name, "scale"):
            _write(curve, factor, 0.0)


def _write(curve: FCurve, factor: float, rest: float) -> None:
    """Divide the values of a curve and its handles by a factor, relative to a rest position."""
    for key in curve.keyframe_points:
        for point in (key.co, key.handle_left, key.handle_right):
            point[1] = (point[1] + rest) / factor - rest
    curve.update()
