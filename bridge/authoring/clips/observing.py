"""Observing an action: the positions of feet, root and joints at each frame."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import numpy as np
from bpy.types import Action, Object
from numpy.typing import NDArray

from ....core.detect.bone_roles import BonePoint, BoneRoles, FigureBones, FootRoles
from ....core.detect.find_roles import standing_figure
from ....core.detect.observed import Foot, Observed, guessed_heel, leg_length, observe
from ....core.errors import RigError
from ....core.figure import quaternion as quat
from ....core.figure.channels import Channels
from ....core.figure.lock_point import LockPoint
from ....core.figure.skeleton import point_positions
from ....core.verb.example import Take, frames_of
from ...action.channels import Span, read_channels
from ...action.examples import on_controls
from ...action.read_action import read_action, resampled, whole_span
from ...data.curves import Keyed, gather, key_ends
from ...data.schema import ROOT_IS_OBJECT
from ...rig.evaluated import evaluated_frames, is_constrained
from ...rig.rig import Rig, guess_root, read_rig

Array = NDArray[np.float64]

EVEN = 1e-3


@dataclass(frozen=True, eq=False)
class Sight:
    """A whole action, with the positions of the body over time.

    Parameters
    ----------
    observed : positions of feet, root and joints, at evenly spaced times in seconds from the first frame.
    start : first frame.
    fps : frames per second.
    points : for each foot the ends of bones on which its points can be contacts, None where there is none.
    """

    observed: Observed
    start: float
    fps: float
    points: tuple[tuple[BonePoint | None, ...], ...]

    def frame(self, seconds: float) -> float:
        """Return the frame of the action at a time in seconds from its first frame."""
        return self.start + seconds * self.fps


def look_at(armature: Object, action: Action, roles: BoneRoles, fps: float) -> Sight:
    """Read a whole action, and compute the positions of feet, root and joints; the file is not changed.

    Parameters
    ----------
    armature, action : the armature, and an action that moves it.
    roles : roles of the armature's bones.
    fps : frame rate of the action's keys, in frames per second.

    Raises
    ------
    VerbsError
        If the action cannot be read, or no foot is known.
    """
    keyed = gather(action, armature)
    rig, channels, take, start = read_whole(armature, action, body_root(armature, keyed, roles.root), fps, keyed)
    marked = [name for foot in roles.feet for name in (foot.ankle, foot.ball.bone)]
    frames = seen_frames(armature, action, marked, channels, take, start, fps)
    feet = tuple(_foot(rig, foot, frames) for foot in roles.feet)
    observed = observe(action.name, take.times, frames, headings_of(frames), feet, _leg(rig, roles))
    deforming = [joint for name, joint in rig.joints.items() if joint and armature.data.bones[name].use_deform]
    if deforming:
        observed = replace(observed, joints=observed.joints[:, [0, *deforming]])
    points = tuple((foot.ball,) if _is_ankle(foot) else (foot.heel, foot.ball) for foot in roles.feet)
    if is_constrained(armature, marked):
        points = on_controls(armature, channels, take, points, observed.paths, observed.leg)
    return Sight(observed, start, fps, points)


def standing_in(armature: Object, actions: Iterable[Action], fps: float) -> Iterator[FigureBones]:
    """Yield the figure of an armature in its average pose in each of some actions.

    Parameters
    ----------
    armature, actions : the armature, and actions that move it; the file is not changed.
    fps : frame rate of the actions' keys, in frames per second.

    Raises
    ------
    VerbsError
        If an action cannot be read.
    """
    for action in actions:
        keyed = gather(action, armature)
        rig, channels, take, start = read_whole(armature, action, body_root(armature, keyed), fps, keyed)
        names = [name for name in rig.joints if name in rig.bones]
        frames = seen_frames(armature, action, names, channels, take, start, fps)
        places = [rig.point(name, end) for end in ("HEAD", "TAIL") for name in names]
        heads, tails = np.split(
            np.stack([point_positions(*frames, joint, offset) for joint, offset in places], axis=1), 2, axis=1
        )
        row = {name: place for place, name in enumerate(names)}
        parents = [row.get(rig.bones[name].parent, -1) for name in names]
        yield standing_figure(names, parents, heads, tails, headings_of(frames))


def headings_of(frames: tuple[Array, Array]) -> Array:
    """Return the headings (T,) of the root, unwrapped, from positions and orientations of all joints."""
    root = frames[1][:, 0]
    return np.unwrap(quat.yaw_of(quat.multiply(root, quat.conjugate(quat.mean(root)))))


def read_whole(
    armature: Object, action: Action, root: str, fps: float, keyed: Keyed | None = None
) -> tuple[Rig, Channels, Take, float]:
    """Read an action from its first key to its last, or over its manual frame range.

    Returns
    -------
    rig, channels : the armature as it was read, and what is animated.
    take : the motion at evenly spaced times, in seconds from the first frame.
    start : the first frame.
    """
    keyed = keyed or gather(action, armature)
    start, end = whole_span(action, keyed)
    rig = read_rig(armature, root)
    reading = read_action(action, armature, rig, start, end, keyed)
    channels, (take,), _ = read_channels(rig, armature, [Span(reading, action.name, start, fps)])
    return rig, channels, _evenly(take, (end - start) / fps), start


def seen_frames(
    armature: Object, action: Action, bones: Iterable[str], channels: Channels, take: Take, start: float, fps: float
) -> tuple[Array, Array]:
    """Return positions (T, J, 3) and orientations (T, J, 4) of all joints in a take of an action.

    They are evaluated by Blender if constraints act on one of the `bones`, else read from the keys. Other parameters
    are those of `read_whole`, or its results.
    """
    if is_constrained(armature, bones):
        return evaluated_frames(armature, action, channels.skeleton.names, start + take.times * fps, fps)
    return frames_of(take, channels)


def body_root(armature: Object, keyed: Keyed, role: str = "") -> str:
    """Return the root of a body: the user's choice, else the bone found for that role, else the one that translates."""
    return armature.verbs_adverbs.root or role or guess_root(armature, [(keyed, *key_ends(keyed.all_curves()))])


def _evenly(take: Take, seconds: float) -> Take:
    """Resample a take from second 0 to `seconds`, evenly, at about its usual step."""
    step = float(np.median(np.diff(take.times)))
    return take_at(take, np.linspace(0.0, seconds, max(int(round(seconds / step)), 1) + 1))


def take_at(take: Take, times: Array) -> Take:
    """Resample a take at `times` (T,) in seconds."""
    step = float(np.median(np.diff(take.times)))
    if len(times) == len(take.times) and np.abs(times - take.times).max() < EVEN * step:
        return take
    columns = np.swapaxes(take.rotations, 0, 1)
    rotations = np.stack([resampled(take.times / step, column, times / step) for column in columns], axis=1)
    root, scalars = (
        np.stack([np.interp(times, take.times, column) for column in values.T], axis=-1)
        if values.shape[1]
        else np.zeros((len(times), 0))
        for values in (take.root, take.scalars)
    )
    return Take(times, rotations, root, scalars)


def _foot(rig: Rig, foot: FootRoles, frames: tuple[Array, Array]) -> Foot:
    ball, hip, (places, turned) = _point(rig, "ball", foot.ball), _joint(rig, foot.thigh), frames
    if _is_ankle(foot):
        return Foot(foot.side, (ball,), hip)
    if foot.heel is not None:
        return Foot(foot.side, (_point(rig, "heel", foot.heel), ball), hip)
    balls = point_positions(places, turned, ball.joint, ball.offset)[:, None]
    shown = np.concatenate([places, balls], axis=1), np.concatenate([turned, turned[:, [ball.joint]]], axis=1)
    return Foot(foot.side, (guessed_heel("heel", shown, _joint(rig, foot.ankle), places.shape[1]), ball), hip)


def _is_ankle(foot: FootRoles) -> bool:
    """Return whether only the ankle of a foot is known."""
    return foot.heel is None and foot.ball == BonePoint(foot.ankle)


def _point(rig: Rig, name: str, point: BonePoint) -> LockPoint:
    _joint(rig, point.bone)
    return LockPoint(name, *rig.point(point.bone, point.end))


def _leg(rig: Rig, roles: BoneRoles) -> float:
    if not roles.feet:
        return 1.0
    foot = roles.feet[0]
    return leg_length(rig.skeleton, _joint(rig, foot.thigh), _joint(rig, foot.ankle))


def _joint(rig: Rig, bone: str) -> int:
    if bone not in rig.joints:
        where = "the object itself" if rig.root == ROOT_IS_OBJECT else f"the root '{rig.root}'"
        raise RigError(f"Bone '{bone}' of '{rig.armature}' does not follow {where}. Choose another bone under Feet.")
    return rig.joints[bone]
