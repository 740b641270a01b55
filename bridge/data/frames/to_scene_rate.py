"""Converting what a director stores to the frames with the same times at the frame rate of its scene."""

from collections.abc import Iterable
from math import ceil

import bpy
import numpy as np
from bpy.types import Action, FCurve, FModifier, Object, PropertyGroup, Scene

from ....core.errors import GraphError, listed
from ...blender.animation import keyed_in, nla_strips
from ...blender.naming import told_frame
from ...blender.versions import all_curves_of, assign_action, assigned_slot_name
from ..annotate import scene_fps
from ..commands import check_editable
from ..current import is_linked
from ..markers import LAST_FRAME
from .counting import (
    NEARLY,
    counting_of,
    exact,
    is_stored_rate,
    known_rate,
    note_rate,
    split_frame,
)

POINTS = ("co", "handle_left", "handle_right")
RANGE = ("frame_end", "frame_start", "blend_in", "blend_out")
STRETCHED = {"NOISE": ("scale", "offset"), "STEPPED": ("frame_step", "frame_offset"), "LIMITS": ("min_x", "max_x")}
"""Modifier properties that are in frames, by modifier type, and those of the restricted range that all have."""
TOLD = 3
"""Most curves that a sentence names."""


def rates_told(director: Object, scene: Scene) -> str:
    """Return a sentence that says that a director and its scene differ in frame rate; empty if they do not."""
    counting = counting_of(director, scene)
    made = known_rate(director.verbs_adverbs.counted, counting.fps)
    if counting.agrees and made == counting.fps:
        return ""
    other = counting.rate if not counting.agrees else made
    return (
        f"The score runs at {_told(other)} fps, but scene '{scene.name}' at {_told(counting.fps)} fps. The motion "
        f"keeps its timing in seconds: a key at frame {_told(other)} plays at scene frame {_told(counting.fps)}."
    )


def _told(rate: float) -> str:
    return f"{rate:.3f}".rstrip("0").rstrip(".")


def move_to_rate(director: Object, scene: Scene, takes: Iterable[Action]) -> str:
    """Move a director's keys, start frame and takes to the frames with the same times at a scene's frame rate.

    Sliders are sampled as often as before, so that playback is the same. An action that moves other things too is
    left unchanged, and the director gets a copy of it.

    Parameters
    ----------
    takes : of the director's armature.

    Returns
    -------
    How many actions were moved, in a sentence.

    Raises
    ------
    VerbsError
        If a key cannot be moved, or something would end up outside Blender's frame limits. Nothing has changed then.
    """
    check_editable(director, "its keys cannot be moved")
    own, played, fps = director.verbs_adverbs, keyed_in(director), scene_fps(scene)
    others = [action for action in takes if action != played and not is_linked(action) and not _is_shared(action)]
    made = known_rate(own.counted, fps)
    begins, stops = exact(own.start_frame, own.start_between), exact(own.performance.stop_frame, own.stop_between)
    for what, frame in (("starts", begins), ("should stop", stops)):
        _check_room(f"'{director.name}' {what}", frame, fps / made)
    for action in (*([played] if played is not None else []), *others):
        _check_movable(action, fps / known_rate(action.verbs_adverbs.counted, made))
    note_rate(director, scene)
    if played is not None and _is_shared(played):
        played = assign_action(director, played.copy(), assigned_slot_name(director)).action
    moved = [*([played] if played is not None else []), *others]
    for action in moved:
        counted = action.verbs_adverbs.counted
        rate = known_rate(counted, made)
        move_action(action, fps / rate)
        _count_as(counted, rate, scene)
    own.start_frame = split_frame(begins * (fps / made), own.start_between)
    own.performance.stop_frame = split_frame(stops * (fps / made), own.stop_between)
    _count_as(own.counted, made, scene)
    director.update_tag()
    return f"Converted {len(moved)} action{'' if len(moved) == 1 else 's'} to {_told(fps)} fps"


def _is_shared(action: Action) -> bool:
    """Return whether an action moves anything but directors, is a verb's example, or is used in NLA strips."""
    return any(
        not isinstance(user, Object)
        or user.verbs_adverbs.directs is None
        or any(strip.action == action for strip in nla_strips(user))
        for user in bpy.data.user_map(subset=[action])[action]
    )


def _check_movable(action: Action, factor: float) -> None:
    sampled = [curve.data_path for curve in all_curves_of(action) if len(curve.sampled_points) > 0]
    if sampled:
        raise GraphError(
            f"These curves of action '{action.name}' have samples instead of keys, which cannot be moved: "
            f"{listed(sampled, TOLD)}. Convert them in the Graph Editor (Key > Samples to Keys) first."
        )
    _check_room(f"The take '{action.name}' ends", action.verbs_adverbs.take.last_frame, factor)
    for marker in action.pose_markers:
        _check_room(f"The marker '{marker.name}' of '{action.name}' is", marker.frame, factor)
    for frame in (action.frame_start, action.frame_end) if action.use_frame_range else ():
        _check_room(f"The frame range of '{action.name}' starts or ends", frame, factor)


def _check_room(what: str, frame: float, factor: float) -> None:
    """Check that a moved frame is within Blender's limits; `what` begins the message."""
    if not abs(frame * factor) <= LAST_FRAME:
        raise GraphError(
            f"{what} at frame {told_frame(frame)} and would move to frame {told_frame(frame * factor)}, which is too "
            "large for Blender. Move it to an earlier frame first."
        )


def _count_as(counted: PropertyGroup, rate: float, scene: Scene) -> None:
    """Store a scene's frame rate, and that sliders are still sampled at the earlier `rate`."""
    if not is_stored_rate(counted.reads, counted.reads_base):
        known = is_stored_rate(counted.fps, counted.fps_base)
        counted.reads, counted.reads_base = (counted.fps, counted.fps_base) if known else (rate, 1.0)
    counted.fps, counted.fps_base = scene.render.fps, scene.render.fps_base
    if counted.reads / counted.reads_base == counted.fps / counted.fps_base:
        counted.reads, counted.reads_base = 0.0, 1.0


def move_action(action: Action, factor: float) -> None:
    """Multiply the frames of everything in an action by a factor."""
    note, timed = action.verbs_adverbs.take, action.use_frame_range
    for curve in all_curves_of(action):
        _move_keys(curve, factor)
        for modifier in curve.modifiers:
            _move_modifier(modifier, factor)
        curve.update()
    for marker in action.pose_markers:
        marker.frame = round(marker.frame * factor)
    if timed:
        action.frame_start, action.frame_end = action.frame_start * factor, action.frame_end * factor
    note.last_frame = ceil(note.last_frame * factor - NEARLY)


def _move_keys(curve: FCurve, factor: float) -> None:
    points = curve.keyframe_points
    values = np.empty(2 * len(points), dtype=np.float32)
    for name in POINTS:
        points.foreach_get(name, values)
        moved = values.astype(np.float64).reshape(-1, 2) * (factor, 1.0)
        points.foreach_set(name, moved.astype(np.float32).ravel())
    for point in points:
        if point.interpolation == "ELASTIC":
            point.period *= factor


def _move_modifier(modifier: FModifier, factor: float) -> None:
    """Convert a modifier's properties in frames, so that it has the same effect at the same times."""
    before = {name: getattr(modifier, name) for name in STRETCHED.get(modifier.type, ()) + RANGE}
    for _ in range(2):  # Blender moves the other end along if a range would end before it begins
        for name, value in before.items():
            setattr(modifier, name, value * factor)
    if modifier.type == "GENERATOR":
        modifier.coefficients = _stretched(modifier, factor).tolist()
    elif modifier.type == "FNGENERATOR":
        modifier.phase_multiplier /= factor
    elif modifier.type == "ENVELOPE":
        for point in modifier.control_points:
            point.frame *= factor


def _stretched(modifier: FModifier, factor: float) -> np.ndarray:
    """Return coefficients of a generator modifier that gives the same value at a moved frame as before.

    Those of a polynomial belong to rising powers of the frame. Those of a product are pairs whose first one is
    multiplied by the frame.
    """
    coefficients = np.array(modifier.coefficients, dtype=np.float64)
    if modifier.mode == "POLYNOMIAL":
        return coefficients * factor ** -np.arange(len(coefficients), dtype=np.float64)
    coefficients[::2] /= factor
    return coefficients
