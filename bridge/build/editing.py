"""New actions from others by the clip operators: looped, reverted, smoothed, warped, blended and embedded.

The actions that they are made from are only read. Where the current example of the action is known, what is edited is
its span, and its keytimes and contacts are carried over; else it is the whole action.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from bpy.types import Action, Object, PropertyGroup
from numpy.typing import NDArray

from ...core.bounds import FRAMES, check_values
from ...core.errors import ActionError
from ...core.figure.channels import TRAVEL, Channels
from ...core.motion.clip import Mark, Motion, end_of, in_order
from ...core.motion.clip_filter import filtered, low_pass
from ...core.motion.clip_mixing import at_common_contact, blend, embed
from ...core.motion.clip_operators import Part, loop, revert, time_warp
from ...core.motion.travel import compose, headings_of
from ...core.verb.root_travel import clip_of
from ..action.channels import TRAVELS, Span, motion_of, read_channels
from ..action.read_action import Reading, read_action
from ..action.tracks import baked_tracks, new_action, write_tracks
from ..action.write_pose import make_plan
from ..blender.naming import told_frame
from ..blender.versions import bag_unassigned
from ..data.curves import OBJECT, Keyed, gather, key_ends
from ..data.markers import effective_keytimes, effective_span, effective_windows
from ..data.schema import ROOT_IS_OBJECT
from ..data.structure import NEARLY, Layout, write_layout
from ..rig.rig import Rig, guess_root, read_rig
from .mirroring import still_object
from .observing import take_at

Array = NDArray[np.float64]

SEPARATOR = "|"
"""Between bone and end in the name of a contact's mark."""
TURNS = np.radians(20.0)
"""Turn of the root from which on a motion counts as one that goes somewhere."""


@dataclass(frozen=True, eq=False)
class Motions:
    """Actions of an armature as motions that clip operators can be applied to.

    Parameters
    ----------
    clips : one for each action, beginning at second 0.
    origin : (3,) where the first begins: x, y and heading in performance space.
    start : frame at which the first begins.
    fps : frames a second.
    kind, cyclic : of the example that new ones are made of.
    root : name of the root.
    keyed_object : transforms of the object that the first action keys.
    """

    clips: tuple[Motion, ...]
    origin: Array
    start: float
    fps: float
    kind: str
    cyclic: bool
    root: str
    keyed_object: frozenset[str]


def read_motions(armature: Object, actions: Sequence[tuple[Action, PropertyGroup | None]], fps: float) -> Motions:
    """Read actions of an armature, each with the example whose span is meant or None for the whole, as motions.

    Raises
    ------
    VerbsError
        If one cannot be read.
    """
    keyed = [gather(action, armature) for action, _ in actions]
    ends = [_ends(action, item, curves) for (action, item), curves in zip(actions, keyed, strict=True)]
    root = armature.verbs_adverbs.root or guess_root(armature, [(k, *e) for k, e in zip(keyed, ends, strict=True)])
    rig = read_rig(armature, root)
    readings = [
        read_action(action, armature, rig, *e, k) for (action, _), e, k in zip(actions, ends, keyed, strict=True)
    ]
    spans = [Span(r, action.name, e[0], fps) for r, (action, _), e in zip(readings, actions, ends, strict=True)]
    channels, takes, _ = read_channels(rig, armature, spans)
    lengths = [(end - start) / fps for start, end in ends]
    even = [take_at(take, _frames(length, fps)) for take, length in zip(takes, lengths, strict=True)]
    facing, clips, origins = even[0].rotations[0, 0], list[Motion](), list[Array]()
    for (action, item), take, reading, (start, _), length in zip(actions, even, readings, ends, lengths, strict=True):
        own, marks = _own(channels, rig, reading), _marks(action, item, start, fps)
        clip, origin = clip_of(take, channels, own, facing, _travels(rig, reading), marks, action.name)
        clips.append(Part(0.0, length, clip))
        origins.append(origin)
    item = actions[0][1]
    kind, cyclic = ("STATIONARY", False) if item is None else (item.kind, item.cyclic)
    placed = frozenset(keyed[0].transforms.get(OBJECT, ()))
    return Motions(tuple(clips), origins[0], ends[0][0], fps, kind, cyclic, root, placed)


def write_motion(armature: Object, motion: Motion, source: Motions, name: str) -> Action:
    """Write a motion to a new action of an armature, with an example if it has keytimes; it is not assigned.

    Parameters
    ----------
    motion : a finite motion made of those of `source`.
    source : where it begins, and at which rate.
    name : of the action.

    Raises
    ------
    VerbsError
        If it is too long. No action is left behind.
    """
    frames, values = _rows(armature, motion, source)
    tracks = list(baked_tracks(make_plan(armature, motion.channels), values, frames, 0.0, 0.0))
    if source.keyed_object and source.root != ROOT_IS_OBJECT:
        tracks += still_object(source.keyed_object, frames[0])
    layout = _layout(motion, source)
    with new_action(name) as made:
        write_tracks(bag_unassigned(armature, made), tracks, handles=True)
        made.use_fake_user = True
        if layout is not None:
            write_layout(made, None, made.name, layout, source.fps)
    return made


def _layout(motion: Motion, source: Motions) -> Layout | None:
    """Return the example that the marks of a motion make, None if there are fewer than two keytimes."""
    marks = motion.marks_within(motion.start, end_of(motion) + NEARLY / source.fps)
    keytimes: list[tuple[str, float]] = []
    for mark in marks:
        frame = source.start + (mark.start - motion.start) * source.fps
        if mark.kind == "keytime" and (not keytimes or frame > keytimes[-1][1] + NEARLY):
            keytimes.append((mark.name, frame))
    if len(keytimes) < 2:
        return None
    windows: dict[tuple[str, str], list[tuple[float, float]]] = {}
    for mark in marks:
        if mark.kind == "contact":
            bone, _, end = mark.name.rpartition(SEPARATOR)
            down, up = (source.start + (time - motion.start) * source.fps for time in (mark.start, mark.end))
            windows.setdefault((bone, end), []).append((down, up))
    contacts = tuple((bone, end, tuple(spans)) for (bone, end), spans in windows.items())
    return Layout(source.kind, source.cyclic and len(source.clips) == 1, tuple(keytimes), contacts)


def _rows(armature: Object, motion: Motion, source: Motions) -> tuple[Array, Array]:
    """Return frames (T,) of the keys, and values (T, width) there in performance space."""
    count = motion.duration * source.fps
    if count > FRAMES:
        raise ActionError(f"The new action would have {count:.0f} frames; {FRAMES} can be. Make it shorter.")
    frames = source.start + np.append(np.arange(np.ceil(count - NEARLY)), count)
    check_values(f"The new action of '{armature.name}'", len(frames), motion.channels.width)
    values = motion.sample(motion.start + (frames - source.start) / source.fps)
    values[:, TRAVEL] = compose(source.origin, values[:, TRAVEL])
    return frames, values


def _ends(action: Action, item: PropertyGroup | None, keyed: Keyed) -> tuple[float, float]:
    """First and last frame of what is edited of an action."""
    if item is not None:
        return effective_span(action, item)
    return (action.frame_start, action.frame_end) if action.use_frame_range else key_ends(keyed.all_curves())


def _frames(seconds: float, fps: float) -> Array:
    """Return the times (T,) of frames from 0 on that cover so many `seconds`."""
    return np.arange(np.ceil(seconds * fps - NEARLY) + 1.0) / fps


def _travels(rig: Rig, reading: Reading) -> bool:
    """Whether the root goes or turns away from where it begins."""
    places, rotations = motion_of(rig, reading, rig.root)
    size = float(np.linalg.norm(rig.skeleton.offsets, axis=1).max() + np.linalg.norm(rig.skeleton.tails, axis=1).max())
    headings = headings_of(rotations, rotations[0])
    return float(np.linalg.norm(np.ptp(places[:, :2], axis=0))) > TRAVELS * size or abs(headings[-1]) > TURNS


def _own(channels: Channels, rig: Rig, reading: Reading) -> Channels:
    """Return those of the channels of several actions that one of them keys; the root and what goes with it stay."""
    names, going = rig.skeleton.names, set(channels.travelling_joints.tolist())
    rotating = [j for j in channels.rotating.tolist() if j in going | {0} or names[j] in reading.rotations]
    moved = {"location": reading.locations, "scale": reading.scales}
    scalars = tuple(
        one
        for one in channels.scalars
        if one.joint in going
        or (
            names[one.joint] in moved[one.kind] if one.kind in moved else (one.path, max(one.axis, 0)) in reading.values
        )
    )
    return replace(channels, rotating=np.array(rotating, dtype=np.intp), scalars=scalars)


def _marks(action: Action, item: PropertyGroup | None, start: float, fps: float) -> tuple[Mark, ...]:
    """Return the keytimes and contacts of an example, in seconds from `start`."""
    if item is None:
        return ()
    keytimes = ((name, (frame - start) / fps) for name, frame in effective_keytimes(action, item))
    found = [Mark("keytime", name, time, time) for name, time in keytimes]
    for contact in item.contacts:
        for down, up in effective_windows(action, item, contact):
            name = f"{contact.bone}{SEPARATOR}{contact.end}"
            found.append(Mark("contact", name, (down - start) / fps, (up - start) / fps))
    return in_order(found)


def warp_frames(action: Action, item: PropertyGroup | None) -> list[tuple[str, float]]:
    """Return names and frames that a time warp can move: of the example's keytimes, else of markers and both ends."""
    if item is not None:
        return list(effective_keytimes(action, item))
    first, last = (float(frame) for frame in action.frame_range)
    markers = sorted((float(one.frame), one.name) for one in action.pose_markers if first < one.frame < last)
    return [("start", first), *((name, frame) for frame, name in markers), ("end", last)]


def looped(source: Motions, times: int, overlap: float) -> Motion:
    """Return the motion played so many `times`, each pass blended into the next one over `overlap` frames."""
    (clip,), over = source.clips, overlap / source.fps
    if overlap <= 0.0:
        return loop(times, clip)
    _check_length(source, 0, overlap, 1)
    step, made = clip.duration - over, clip
    for number in range(1, times):
        made = blend(made, clip, number * step, number * step + over, 0.0, number * step)
    return made


def reverted(source: Motions) -> Motion:
    """Return the motion played backwards."""
    return revert(0.0, source.clips[0])


def from_its_end(source: Motions) -> Motions:
    """Return the motions as if the first began where it ends, so that backwards it goes over the same ground."""
    clip = source.clips[0]
    return replace(source, origin=compose(source.origin, clip.sample([end_of(clip)])[0, TRAVEL]))


def smoothed(source: Motions, cutoff: float) -> Motion:
    """Return the motion without what is quicker than `cutoff` hertz."""
    return filtered(low_pass(cutoff, source.fps), source.fps, source.clips[0])


def warped(source: Motions, keys: Sequence[tuple[float, float]], smooth: bool) -> Motion:
    """Return the motion with each frame of `keys` moved to another one."""
    seconds = [((own - source.start) / source.fps, (moved - source.start) / source.fps) for own, moved in keys]
    return time_warp(seconds, source.clips[0], smooth)


def blended(source: Motions, frames: float, at_contact: bool) -> Motion:
    """Return the first motion blended into the second, over so many `frames` or while the same foot stands in both.

    Raises
    ------
    ActionError
        If they are to be blended at a contact, and no point stands in both.
    """
    first, second = source.clips
    if not at_contact:
        _check_length(source, 0, frames, 1)
        _check_length(source, 1, frames, 1)
        begin = first.duration - frames / source.fps
        return blend(first, second, begin, first.duration, 0.0, begin)
    found = at_common_contact(first, second)
    if found is None:
        raise ActionError(
            f"No contact of '{first}' is one of '{second}' too. Mark examples with contacts in both, or blend over a"
            " number of frames."
        )
    begin, end, starts = found
    return blend(first, second, begin, end, 0.0, starts)


def embedded(source: Motions, begin: float, frames: float) -> Motion:
    """Return the first motion with the whole second one in it from the frame `begin` on, each eased over `frames`."""
    first, second = source.clips
    starts, ease = (begin - source.start) / source.fps, frames / source.fps
    ends = starts + second.duration
    _check_length(source, 1, frames, 2)
    first_frame, last_frame = source.start, source.start + (first.duration - second.duration) * source.fps
    if not first_frame - NEARLY <= begin <= last_frame + NEARLY:
        raise ActionError(
            f"'{second}' lasts {second.duration * source.fps:g} frames, and cannot be embedded in '{first}' from frame "
            f"{told_frame(begin)} on. "
            + (
                f"Choose a frame from {told_frame(first_frame)} to {told_frame(last_frame)}."
                if last_frame >= first_frame
                else "It is longer than that."
            )
        )
    return embed(first, second, (starts, starts + ease, ends - ease, ends), 0.0, starts)


def _check_length(source: Motions, index: int, frames: float, times: int) -> None:
    """Raise if one of the motions does not last so many `frames` so many `times`."""
    motion = source.clips[index]
    lasts = motion.duration * source.fps
    if times * frames > lasts + NEARLY:
        most = told_frame(lasts / times)
        raise ActionError(
            f"'{motion}' lasts {told_frame(lasts)} frames: too few to blend over {frames:g}. Set at most {most}."
        )
