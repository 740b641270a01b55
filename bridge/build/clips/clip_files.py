"""Files of motion: each is imported by Blender's own importer, and looked at for its scale, up axis and frame rate."""

import contextlib
import io
from collections.abc import Container, Generator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, NamedTuple

import bpy
import numpy as np
from bpy.types import ID, Action, Object, Scene
from numpy.typing import NDArray

from ....core.errors import ClipError, VerbsError
from ....core.figure import quaternion as quat
from ...data.annotate import scene_fps
from ...data.curves import gather, key_ends
from ...rig.evaluated import evaluated_frames

Array = NDArray[np.float64]
Up = Literal["X", "Y", "Z"]

ENDINGS = BVH, FBX = ".bvh", ".fbx"
FORWARD: dict[Up, str] = {"X": "Y", "Y": "-Z", "Z": "Y"}
"""Axis of a BVH file that becomes Blender's Y, for each axis that points up in it."""
SEEN_AS: tuple[Up, ...] = ("X", "Z", "Y")
"""Axis that points up in a BVH file if the figure stands along Blender's X, Y or Z when Y is taken to point up."""
UNITS = {"metres": 1.0, "centimetres": 0.01, "inches": 0.0254, "feet": 0.3048, "millimetres": 0.001}
"""Metres of each unit that files of motion are in."""
USUAL, SMALLEST, TALLEST, FASTEST = 1.7, 1.0, 2.4, 10.0
"""Metres of a usual figure, of the smallest and of the tallest person, and metres a second of the fastest."""
LOOKS = np.linspace(0.2, 0.8, 4)
"""Shares of a clip at which its figure is looked at; at its ends captures often have another pose."""
PACED = 0.5, 1.0
"""Shares of the list of files at which a figure's pace is looked at too."""
NEARLY = 1e-3
"""Share of a frame rate by which it may miss a whole number because the file rounds the seconds of a frame."""


class Clip(NamedTuple):
    """An imported clip: its armature, its action, and the frames per second at which its keys lie."""

    armature: Object
    action: Action
    fps: float


@dataclass(frozen=True)
class Figure:
    """What can be told of a clip's figure before it is kept.

    Parameters
    ----------
    up : axis that points up in the file; always Blender's own in FBX files, which say it themselves.
    tall : its height in the file's units.
    speed : of its way, in the file's units a second.
    fps : frames per second.
    bones : their number.
    """

    up: Up
    tall: float
    speed: float
    fps: float
    bones: int

    @property
    def unit(self) -> str:
        """Name of the unit in which the figure is most nearly as tall as people are."""
        return min(UNITS, key=lambda name: abs(np.log(max(self.tall, 1e-9) * UNITS[name] / USUAL)))

    def is_odd(self, scale: float) -> bool:
        """Whether the figure's size or pace at a scale are those of no person."""
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
        """Give them back; the frame only if it is another one, since to set a frame undoes what is not keyed."""
        self.scene.render.fps, self.scene.render.fps_base = self.rate
        if (self.scene.frame_current, self.scene.frame_subframe) != self.frame:
            self.scene.frame_set(self.frame[0], subframe=self.frame[1])


class Before:
    """What the file has in it, and what of the scene an import changes, so that all of that can be given back."""

    def __init__(self, scene: Scene) -> None:
        self._clock, self._layer = _Clock.of(scene), bpy.context.view_layer
        self._active = self._layer.objects.active
        self._selected = {one.session_uid for one in self._layer.objects if one.select_get()}
        self._known, self._made, self._rests = _present(), set[int](), False

    def resting(self, share: float, told: str) -> Generator[tuple[float, str], None, None]:
        """Yield once; what others add to the file until it goes on is theirs."""
        self._made |= _present() - self._known
        self._rests = True
        yield share, told
        self._rests = False
        self._known |= _present()

    def give_back(self) -> None:
        """Remove what was added since, and give the scene back its rate, frame and selection, as far as it is there."""
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
    """Everything in the file that an importer may add to."""
    kinds = (bpy.data.objects, bpy.data.armatures, bpy.data.actions, bpy.data.meshes, bpy.data.materials)
    more = (bpy.data.images, bpy.data.textures, bpy.data.collections, bpy.data.cameras, bpy.data.lights)
    others = (bpy.data.shape_keys, bpy.data.worlds, bpy.data.node_groups, bpy.data.curves)
    found: Any = [one for kind in (*kinds, *more, *others) for one in kind]
    return found


def import_clip(path: Path, scene: Scene, scale: float = 1.0, up: Up = "Y") -> Clip:
    """Import a file of motion; the scene's frame rate and frame stay.

    Parameters
    ----------
    path : a BVH or FBX file.
    scale : by which its lengths are multiplied.
    up : axis that points up in it; FBX files say that themselves.

    Raises
    ------
    ClipError
        If Blender cannot import it, or it holds no motion of one figure.
    """
    clock, known = _Clock.of(scene), set(bpy.data.objects)
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            _import(path, scale, up)
    except Exception as error:
        said = [line for line in str(error).splitlines() if line.strip() and not line.startswith("Location:")]
        why = said[-1].removeprefix("Exception: ") if said else type(error).__name__
        raise ClipError(f"Blender cannot import '{path}': {why}") from error
    finally:
        # Keys of an FBX file lie at whole rates: its importer heeds the rest of the rate in the scene alone.
        fps = float(scene.render.fps) if path.suffix.lower() == FBX else scene_fps(scene)
        clock.give_back()
    made = [one for one in bpy.data.objects if one not in known and one.type == "ARMATURE"]
    if len(made) != 1 or made[0].animation_data is None or made[0].animation_data.action is None:
        raise ClipError(f"'{path}' holds no motion of a figure.")
    return _checked(path, Clip(made[0], made[0].animation_data.action, fps))


def _checked(path: Path, clip: Clip) -> Clip:
    """Return a clip, unless it is a single pose, or what carries its armature moves too."""
    first, last = key_ends(gather(clip.action, clip.armature).all_curves())
    if last <= first:
        raise ClipError(f"'{path}' holds one frame: it is a pose and no motion.")
    above = clip.armature.parent
    if above is not None and above.animation_data is not None and above.animation_data.action is not None:
        raise ClipError(f"'{path}' moves '{above.name}', which carries its armature. Bake it onto the root bone first.")
    return clip


def _import(path: Path, scale: float, up: Up) -> None:
    if path.suffix.lower() == FBX:
        bpy.ops.import_scene.fbx(filepath=str(path), global_scale=scale, anim_offset=0.0)
        return
    axes: Any = {"axis_up": up, "axis_forward": FORWARD[up]}
    at = {"frame_start": 1, "update_scene_fps": True, "update_scene_duration": False}
    bpy.ops.import_anim.bvh(filepath=str(path), global_scale=scale, **axes, **at)


def first_figure(paths: Sequence[Path], scene: Scene) -> Figure:
    """Look at the figure of the first of some files that can be read; nothing of it stays.

    Raises
    ------
    VerbsError
        If none can be read; it says why the first one cannot.
    """
    errors: list[VerbsError] = []
    for path in paths:
        try:
            return _figure_in(path, scene)
        except VerbsError as error:
            errors.append(error)
    raise errors[0]


def figure_and_pace(paths: Sequence[Path], scene: Scene) -> Figure:
    """As `first_figure`, with the speed of the fastest of a few files, since the first may hardly move."""
    figure = first_figure(paths, scene)
    speeds = [figure.speed]
    for index in sorted({round(share * (len(paths) - 1)) for share in PACED} - {0}):
        with suppress(VerbsError):
            speeds.append(_figure_in(paths[index], scene).speed)
    return replace(figure, speed=max(speeds))


def _figure_in(path: Path, scene: Scene) -> Figure:
    """As `first_figure`, of one file. Medians are taken, since a root may stay behind while the body walks away."""
    before = Before(scene)
    try:
        clip = import_clip(path, scene)
        names = [bone.name for bone in clip.armature.data.bones]
        first, last = key_ends(gather(clip.action, clip.armature).all_curves())
        frames = np.round(first + (last - first) * LOOKS)
        heads, turns = evaluated_frames(clip.armature, clip.action, names, frames, clip.fps)
        scale = clip.armature.matrix_basis.median_scale
        along = [(0.0, scale * bone.length, 0.0) for bone in clip.armature.data.bones]
        places = np.concatenate([heads, heads + quat.rotate(turns, np.array(along))], axis=1)
    finally:
        before.give_back()
    centres = np.median(places, axis=1)
    spreads = np.median(np.abs(places - centres[:, None]), axis=(0, 1))
    standing = int(spreads.argmax()) if path.suffix.lower() == BVH else 2
    tall = float(np.median(np.ptp(places[..., standing], axis=1)))
    way = np.linalg.norm(np.diff(np.delete(centres, standing, axis=1), axis=0), axis=1).sum()
    seconds = max(float(frames[-1] - frames[0]), 1.0) / clip.fps
    return Figure(SEEN_AS[standing], tall, float(way) / seconds, clip.fps, len(names))


def whole_rate(fps: float) -> tuple[int, float]:
    """Frames per second and their base, as a scene stores them, of a file's frame rate."""
    whole = max(round(fps), 1)
    return whole, 1.0 if abs(whole / fps - 1.0) < NEARLY else whole / fps
