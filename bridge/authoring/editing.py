"""New actions from others by the clip operators: loop, reverse, smooth, warp, blend and embed.

The source actions are only read. If the current example of the action is known, what is edited is
its span, and its keytimes and contacts are copied; else it is the whole action.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from bpy.types import Action, Object, PropertyGroup, Scene
from numpy.typing import NDArray

from ...core.bounds import FRAMES, check_values
from ...core.errors import ActionError
from ...core.figure.channels import TRAVEL, Channels
from ...core.motion.clip import Mark, Motion, at_common_contact, end_of, in_order, interpolated
from ...core.motion.clip_filter import filtered, low_pass
from ...core.motion.clip_mixing import blend, embed
from ...core.motion.clip_operators import Part, loop, revert, time_warp
from ...core.motion.travel import compose, headings_of
from ...core.verb.root_travel import clip_of
from ..action.channels import TRAVELS, Span, motion_of, read_channels, size_of, way_of
from ..action.examples import read_from_to, span_of
from ..action.read_action import Reading, read_action, whole_span
from ..action.tracks import Track, baked_tracks, new_action, rest_track, write_tracks
from ..action.write_pose import make_plan
from ..blender.animation import REST
from ..blender.naming import told_frame
from ..blender.versions import bag_unassigned
from ..data.annotate import fps_of, scene_fps, set_value
from ..data.curves import OBJECT, Keyed, gather, parse_path
from ..data.markers import effective_keytimes, effective_span
from ..data.schema import ROOT_IS_OBJECT
from ..data.structure import NEARLY, Layout, contacts_of, write_layout
from ..rig.rig import Rig, above, guess_root, read_rig
from .clips.observing import take_at

Array = NDArray[np.float64]

SEPARATOR = "|"
"""Separator between bone and end in the name of a contact's mark."""
TURNS = np.radians(20.0)
"""Turn of the root above which a motion counts as travelling."""


@dataclass(frozen=True, eq=False)
class Source:
    """Actions of an armature as motions that clip operators can be applied to.

    Parameters
    ----------
    clips : one for each action, beginning at second 0.
    origin : (3,) start of the first: x, y and heading in performance space.
    start : first frame of the first.
    fps : frames per second.
    layout : kind of the source's example, for the new one, and whether it is a cycle.
    bounds : smallest and largest stretch factor of its phases if it is a gesture, None if there is none.
    values : names and values of its adverbs.
    keyed : bones that the actions key, `OBJECT` for the object, and the root if a parent of it is keyed.
    rests : tracks with one rest key for all transforms that the actions key.
    complaints : sentences about what was guessed or left out.
    """

    clips: tuple[Motion, ...]
    origin: Array
    start: float
    fps: float
    layout: tuple[str, bool]
    bounds: tuple[float, float] | None
    values: tuple[tuple[str, float], ...]
    keyed: frozenset[str]
    rests: tuple[Track, ...]
    complaints: tuple[str, ...]


def read_source(armature: Object, actions: Sequence[tuple[Action, PropertyGroup | None]], scene: Scene) -> Source:
    """Read actions of an armature, each with the example whose span to use or None for the whole, as motions.

    Raises
    ------
    VerbsError
        If one cannot be read, or their frame rates differ.
    """
    keyed = [gather(action, armature) for action, _ in actions]
    ends = [
        effective_span(item) if item is not None else whole_span(action, curves)
        for (action, item), curves in zip(actions, keyed, strict=True)
    ]
    fps = _rate(actions, scene)
    whole = [
        read_from_to(item, curves) if item is not None else span
        for (_, item), curves, span in zip(actions, keyed, ends, strict=True)
    ]
    root = armature.verbs_adverbs.root or guess_root(armature, [(k, *e) for k, e in zip(keyed, whole, strict=True)])
    rig = read_rig(armature, root)
    spans = [
        span_of(armature, rig, action, item, curves)
        if item is not None
        else Span(read_action(action, armature, rig, *span, curves), action.name, span[0], fps)
        for (action, item), span, curves in zip(actions, ends, keyed, strict=True)
    ]
    readings = [span.reading for span in spans]
    channels, takes, _ = read_channels(rig, armature, spans)
    takes = [take_at(take, _times(*e, fps)) for take, e in zip(takes, ends, strict=True)]
    clips, origins = list[Motion](), list[Array]()
    for (action, item), take, reading, (start, end), read in zip(actions, takes, readings, ends, whole, strict=True):
        own, says = _own(channels, rig, reading), _moves_root(rig, reading)
        marks = _marks(armature, item, start, end, fps)
        span = float(take.times[0]), float(take.times[-1])
        made = partial(interpolated, own, span, marks=marks, name=action.name, moves_root=says)
        clip, origin = clip_of(take, channels, own, takes[0].rotations[0, 0], _travels(rig, reading, *read), made)
        clips.append(Part(0.0, (end - start) / fps, clip))
        origins.append(origin)
    item = actions[0][1]
    return Source(
        tuple(clips),
        origins[0],
        ends[0][0],
        fps,
        ("STATIONARY", False) if item is None else (item.kind, item.cyclic),
        None if item is None else (item.shortest, item.longest),
        () if item is None or len(actions) > 1 else tuple((value.name, value.value) for value in item.values),  # pyright: ignore[reportGeneralTypeIssues]
        _keyed(rig, keyed, clips),
        tuple(_rests(rig, keyed, ends[0][0])),
        tuple(dict.fromkeys(sentence for reading in readings for sentence in reading.complaints)),
    )


def _rate(actions: Sequence[tuple[Action, PropertyGroup | None]], scene: Scene) -> float:
    """Return the frame rate at which actions were made; raise if their rates differ."""
    rates = [scene_fps(scene) if item is None else fps_of(item, scene) for _, item in actions]
    if max(rates) - min(rates) > NEARLY:
        told = " and ".join(f"'{action.name}' at {rate:g}" for (action, _), rate in zip(actions, rates, strict=True))
        raise ActionError(
            f"The actions have different frame rates: {told}. Convert one of them to the other's frame rate first."
        )
    return rates[0]


def write_motion(armature: Object, motion: Motion, source: Source, name: str) -> Action:
    """Write a motion to a new action of an armature, with an example if it has keytimes; it is not assigned.

    Parameters
    ----------
    motion : a finite motion made from those of `source`, with second 0 at its first frame.
    source : gives its start and frame rate.
    name : name of the action.

    Raises
    ------
    VerbsError
        If it is too long. No action is left behind.
    """
    frames, values = _rows(armature, motion, source)
    baked = baked_tracks(make_plan(armature, motion.channels), values, frames, 0.0, 0.0)
    tracks = [track for track in baked if parse_path(track.path)[0] in source.keyed]
    paths = {track.path for track in tracks}
    tracks += [track for track in source.rests if track.path not in paths]
    layout = _layout(motion, source)
    with new_action(name) as made:
        write_tracks(bag_unassigned(armature, made), tracks, handles=True)
        made.use_fake_user = True
        if layout is not None:
            item = write_layout(made, None, made.name, layout, source.fps)
            for adverb, value in source.values:
                set_value(made, item, adverb, value)
    return made


def _layout(motion: Motion, source: Source) -> Layout | None:
    """Return the example defined by the marks of a motion, None if there are fewer than two keytimes."""
    end = end_of(motion)
    marks = motion.marks_within(motion.start - NEARLY / source.fps, end + NEARLY / source.fps)
    keytimes: list[tuple[str, float]] = []
    for mark in marks:
        frame = source.start + min(mark.start, end) * source.fps
        if mark.kind == "keytime" and (not keytimes or frame > keytimes[-1][1] + NEARLY):
            keytimes.append((mark.name, frame))
    if len(keytimes) < 2:
        return None
    windows: dict[tuple[str, str], list[tuple[float, float]]] = {}
    for mark in marks:
        down, up = (source.start + min(max(time, motion.start), end) * source.fps for time in (mark.start, mark.end))
        if mark.kind == "contact" and up > down + NEARLY:
            bone, _, side = mark.name.rpartition(SEPARATOR)
            windows.setdefault((bone, side), []).append((down, up))
    contacts = tuple((bone, side, tuple(spans)) for (bone, side), spans in windows.items())
    kind, cyclic = source.layout
    return Layout(kind, cyclic and keytimes[0][0] == keytimes[-1][0], tuple(keytimes), contacts, source.bounds)


def _rows(armature: Object, motion: Motion, source: Source) -> tuple[Array, Array]:
    """Return frames (T,) of the keys, ends and whole frames between, and values (T, width) in performance space."""
    begin, end = (source.start + time * source.fps for time in (motion.start, end_of(motion)))
    if end - begin > FRAMES:
        raise ActionError(
            f"The new action would have {end - begin:.0f} frames; at most {FRAMES} are possible. Make it shorter."
        )
    whole = np.arange(np.ceil(begin + NEARLY), end - NEARLY)
    frames = np.concatenate([[begin], whole, [end]])
    check_values(f"The new action of '{armature.name}'", len(frames), motion.channels.width)
    values = motion.sample((frames - source.start) / source.fps)
    values[:, TRAVEL] = compose(source.origin, values[:, TRAVEL])
    return frames, values


def _times(start: float, end: float, fps: float) -> Array:
    """Return the seconds (T,) since `start` of the whole frames from there to `end`, and of those just outside."""
    return (np.arange(np.floor(start + NEARLY), np.ceil(end - NEARLY) + 1.0) - start) / fps


def _travels(rig: Rig, reading: Reading, start: float, end: float) -> bool:
    """Return whether the root travels or turns away from its start."""
    rows = (reading.frames >= start - NEARLY) & (reading.frames <= end + NEARLY)
    places, rotations = (values[rows] for values in motion_of(rig, reading, rig.root))
    turned = headings_of(rotations, rotations[0])[-1]
    return way_of(places) > TRAVELS * size_of(rig) or bool(abs(turned) > TURNS)


def _moves_root(rig: Rig, reading: Reading) -> bool:
    """Return whether an action keys the root, or a parent of it."""
    carrying = () if rig.root == ROOT_IS_OBJECT else (rig.root, *above(rig.bones, rig.root))
    return bool({OBJECT, *carrying} & {*reading.rotations, *reading.locations})


def _own(channels: Channels, rig: Rig, reading: Reading) -> Channels:
    """Return the channels of several actions that at least one of them keys; the root's and related ones are kept."""
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


def _keyed(rig: Rig, keyed: Sequence[Keyed], clips: Sequence[Motion]) -> frozenset[str]:
    """Return the value of `Source.keyed`."""
    found = {owner for one in keyed for owner in (*one.transforms, *one.owners.values())}
    if any(clip.moves_root for clip in clips):
        found.add(OBJECT if rig.root == ROOT_IS_OBJECT else rig.root)
    return frozenset(found)


def _rests(rig: Rig, keyed: Sequence[Keyed], frame: float) -> Iterator[Track]:
    """Yield tracks with one rest key for keyed transforms, for those that stay at rest all the time."""
    for owner, prop in {(owner, prop) for one in keyed for owner, props in one.transforms.items() for prop in props}:
        if prop in REST and not (owner == OBJECT and (prop == "scale" or rig.root == ROOT_IS_OBJECT)):
            yield rest_track(owner, prop, frame)


def _marks(armature: Object, item: PropertyGroup | None, start: float, end: float, fps: float) -> tuple[Mark, ...]:
    """Return the keytimes and contacts of an example, in seconds from `start`.

    A contact of a cycle that extends beyond one end of it is present at the other end as well.
    """
    if item is None:
        return ()
    keytimes = ((name, (frame - start) / fps) for name, frame in effective_keytimes(item))
    found = [Mark("keytime", name, time, time) for name, time in keytimes]
    for bone, side, windows in contacts_of(armature, item):
        name = f"{bone}{SEPARATOR}{side}"
        for down, up in windows:
            for cycle in (start - end, 0.0, end - start) if item.cyclic else (0.0,):
                begin, finish = down + cycle, up + cycle
                if finish > start and begin < end:
                    found.append(Mark("contact", name, (begin - start) / fps, (finish - start) / fps))
    return in_order(found)


def value_paths(armature: Object, action: Action) -> set[str]:
    """Return the data paths of what an action keys besides transforms."""
    return {path for path, _ in gather(action, armature).values}


def warp_frames(armature: Object, action: Action, item: PropertyGroup | None) -> list[tuple[str, float]]:
    """Return names and frames that a time warp can move: of the example's keytimes, else of markers and both ends."""
    if item is not None:
        return list(effective_keytimes(item))
    first, last = whole_span(action, gather(action, armature))
    markers = sorted((float(one.frame), one.name) for one in action.pose_markers if first < one.frame < last)
    return [("start", first), *((name, frame) for frame, name in markers), ("end", last)]


def looped(source: Source, times: int, overlap: float) -> Motion:
    """Return the motion repeated `times` times, each pass blended into the next one over `overlap` frames."""
    (clip,), over = source.clips, overlap / source.fps
    if overlap <= 0.0:
        return loop(times, clip)
    _check_length(source, 0, overlap)
    return _overlapping(clip, times, over)


def _overlapping(clip: Motion, times: int, over: float) -> Motion:
    """Return passes of a motion, each blended into the next one over `over` seconds, by joining halves recursively."""
    if times == 1:
        return clip
    first, second = (_overlapping(clip, count, over) for count in (times // 2, times - times // 2))
    step = first.duration - over
    return blend(first, second, step, first.duration, 0.0, step)


def reverted(source: Source) -> Motion:
    """Return the motion played backwards."""
    return revert(0.0, source.clips[0])


def from_its_end(source: Source) -> Source:
    """Return the motions with the first one's end as their start, so that the reversed motion covers the same path."""
    clip = source.clips[0]
    return replace(source, origin=compose(source.origin, clip.sample([end_of(clip)])[0, TRAVEL]))


def smoothed(source: Source, cutoff: float) -> Motion:
    """Return the motion low-pass filtered at `cutoff` hertz; a cycle is smoothed across its seam."""
    clip, coefficients = source.clips[0], low_pass(cutoff, source.fps)
    made = filtered(coefficients, source.fps, clip)
    return Part(0.0, clip.duration, replace(made, clip=loop(0, clip))) if source.layout[1] else made


def warped(source: Source, keys: Sequence[tuple[float, float]], smooth: bool) -> Motion:
    """Return the motion with each frame of `keys` moved to another one."""
    seconds = [((own - source.start) / source.fps, (moved - source.start) / source.fps) for own, moved in keys]
    return time_warp(seconds, source.clips[0], smooth)


def blended(source: Source, frames: float, at_contact: bool) -> Motion:
    """Return the first motion blended into the second, over this many `frames` or while the same foot is down in both.

    Raises
    ------
    ActionError
        If they are to be blended at a contact, and no point is planted in both.
    """
    first, second = source.clips
    if not at_contact:
        _check_length(source, 0, frames)
        _check_length(source, 1, frames)
        begin = first.duration - frames / source.fps
        return blend(first, second, begin, first.duration, 0.0, begin)
    found = at_common_contact(first, second)
    if found is None:
        raise ActionError(
            f"'{first}' and '{second}' have no contacts in common. Mark examples with contacts in both, or blend over "
            "a number of frames."
        )
    begin, end, starts = found
    return blend(first, second, begin, end, 0.0, starts)


def embedded(source: Source, begin: float, frames: float) -> Motion:
    """Return the first motion with the whole second one embedded from frame `begin` on, eased over `frames`."""
    first, second = source.clips
    starts, ease = (begin - source.start) / source.fps, frames / source.fps
    ends = starts + second.duration
    _check_length(source, 1, 2.0 * frames)
    last = source.start + (first.duration - second.duration) * source.fps
    if last < source.start - NEARLY:
        raise ActionError(f"'{second}' is longer than '{first}' and cannot be embedded in it. Loop '{first}' first.")
    if not source.start - NEARLY <= begin <= last + NEARLY:
        raise ActionError(
            f"'{second}' cannot be embedded in '{first}' at frame {told_frame(begin)}. Choose a frame from "
            f"{told_frame(source.start)} to {told_frame(np.floor(last))}."
        )
    return embed(first, second, (starts, starts + ease, ends - ease, ends), 0.0, starts)


def _check_length(source: Source, index: int, frames: float) -> None:
    """Raise unless one of the motions is longer than this many `frames`."""
    motion = source.clips[index]
    lasts = motion.duration * source.fps
    if frames >= lasts - NEARLY:
        raise ActionError(
            f"'{motion}' has {told_frame(lasts)} frames, too few to blend over {frames:g}. Blend over fewer frames."
        )
