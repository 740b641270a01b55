"""Reading an action over a span of frames: rotations as quaternions, locations, scales and single values."""

from dataclasses import dataclass

import numpy as np
from bpy.types import Action, Object
from numpy.typing import NDArray

from ...core.bounds import FRAMES, VALUES
from ...core.errors import ActionError, listed, quoted
from ...core.figure import quaternion as quat
from ..blender.animation import ROTATIONS
from ..blender.naming import told_frame
from ..data.curves import (
    HUGE,
    OBJECT,
    SAME_FRAME,
    WRAPPED_GAP,
    Keyed,
    animated,
    components,
    gather,
    key_ends,
    key_frames,
    merged,
    subdivided,
)
from ..rig.parts import UNEVEN, Part, quaternions
from ..rig.rig import Rig

Array = NDArray[np.float64]

MARGIN = 3.0
SHORTEST = 3.0


@dataclass(frozen=True, eq=False)
class Reading:
    """How an action moves an armature at some frames. Owners are names of bones, or `OBJECT` for the object.

    Parameters
    ----------
    frames : (F,) increasing, at most one frame apart, with up to three frames on either side of the span.
    rotations : for each owner its rotations (F, 4) from rest, without sign flips.
    locations, scales : for each owner an array (F, 3) in the owner's units; the object's scale is left out.
    values : for each data path and component its values (F,).
    owners : for each data path and component the bone that it belongs to.
    switches : data path and component of values that are not interpolated.
    complaints : messages on what was guessed or left out.
    """

    frames: Array
    rotations: dict[str, Array]
    locations: dict[str, Array]
    scales: dict[str, Array]
    values: dict[tuple[str, int], Array]
    owners: dict[tuple[str, int], str]
    switches: frozenset[tuple[str, int]]
    complaints: tuple[str, ...]


def read_action(
    action: Action,
    armature: Object,
    rig: Rig,
    start: float,
    end: float,
    keyed: Keyed | None = None,
    margin: float = MARGIN,
) -> Reading:
    """Read everything an action animates on an armature, over a span and a margin around it.

    Parameters
    ----------
    action, armature : the action, and the armature it is read for; neither is changed, and nothing is assigned.
    rig : the armature as it was read.
    start, end : first and last frame of the span.
    keyed : the action's curves, if they are gathered already.
    margin : frames to read on either side of the span, as far as there are keys.

    Raises
    ------
    ActionError
        If the action is empty or made for other bones, has no keys in the span or invalid ones, or if the span is
        too short.
    """
    keyed = keyed or gather(action, armature)
    _check_bones(keyed, rig)
    low, high = _window(keyed, start, end, margin)
    parts = [(OBJECT, rig.object), *rig.bones.items()]
    turned_by = {owner: prop for owner, part in parts if (prop := _rotation_property(keyed, part))}
    sampled = {
        owner: _own_rotations(keyed, part, turned_by[owner], low, high) for owner, part in parts if owner in turned_by
    }
    complaints = _of_other_modes(keyed, rig, turned_by)
    frames = _grid(keyed, [times for times, _ in sampled.values()], low, high)
    values, switches, left_out = _values(keyed, armature, frames)
    complaints += left_out
    scales = _vectors(keyed, rig, "scale", frames)
    complaints += _of_object_scale(keyed, armature, scales.pop(OBJECT, None))
    return Reading(
        frames,
        {owner: resampled(times, rotations, frames) for owner, (times, rotations) in sampled.items()},
        _vectors(keyed, rig, "location", frames),
        scales,
        values,
        {key: keyed.owners[key] for key in values},
        switches,
        tuple(complaints),
    )


def whole_span(action: Action, keyed: Keyed) -> tuple[float, float]:
    """Return the first and last frame of an action: of its manual frame range, else of its keys.

    Raises
    ------
    ActionError
        If it has no keys.
    """
    if action.use_frame_range:
        return action.frame_start, action.frame_end
    if not keyed.has_keys:
        raise ActionError(f"Action '{action.name}' has no keys. Key something, or choose another action.")
    return key_ends(keyed.all_curves())


def _check_bones(keyed: Keyed, rig: Rig) -> None:
    animated = sorted(keyed.bones())
    missing = [name for name in animated if name not in rig.bones]
    if missing and len(missing) == len(animated):
        raise ActionError(
            f"Action '{keyed.action}' was made for another armature: '{rig.armature}' has none of its bones, such as "
            f"{quoted(missing)}. Choose an action of this armature, or press Map Bones if its bones were renamed."
        )
    if missing:
        raise ActionError(
            f"Action '{keyed.action}' animates bones that '{rig.armature}' does not have: {quoted(missing)}. Press Map "
            "Bones if they were renamed, or delete their curves."
        )


def _window(keyed: Keyed, start: float, end: float, margin: float) -> tuple[float, float]:
    """Return the first and last frame to read: the span, and a margin around it as far as there are keys."""
    if not (SHORTEST - SAME_FRAME <= end - start <= HUGE and abs(start) <= HUGE):
        raise ActionError(
            f"Frames {told_frame(start)} to {told_frame(end)} of action '{keyed.action}' are too few: a motion needs "
            f"at least {SHORTEST:g} frames. Move the ends further apart, or scale the keys."
        )
    curves = keyed.all_curves()
    _check_read(keyed.action, len(curves), end - start)
    low, high = start - margin, end + margin
    if any(curve.goes_on for curve in curves):
        return low, high
    first, last = key_ends(curves)
    if last - start <= SAME_FRAME or end - first <= SAME_FRAME:
        raise ActionError(
            f"Action '{keyed.action}' has no keys in frames {told_frame(start)} to {told_frame(end)}: its keys are in "
            f"frames {told_frame(first)} to {told_frame(last)}. Move the ends of the example onto them."
        )
    return min(start, max(low, first)), max(end, min(high, last))


def _check_read(action: str, curves: int, frames: float) -> None:
    """Check that the given numbers of frames and curves are not too many to read.

    Raises
    ------
    ActionError
        If they are.
    """
    most = min(FRAMES, VALUES // max(curves, 1))
    if frames > most:
        raise ActionError(
            f"Action '{action}' is too long: {frames:.0f} frames with {curves} curves, where at most {most} frames can "
            "be read. Mark a shorter part, set the action's frame range by hand, or delete keys that are far away."
        )


def _rotation_property(keyed: Keyed, part: Part) -> str | None:
    """Return the property whose curves rotate a part: that of its rotation mode, else another keyed one, else None."""
    present = [prop for prop in ROTATIONS if keyed.curves(part.name, prop)]
    if not present or part.rotation_property in present:
        return part.rotation_property if present else None
    return next(p for p in ("rotation_quaternion", "rotation_axis_angle", "rotation_euler") if p in present)


def _of_other_modes(keyed: Keyed, rig: Rig, turned_by: dict[str, str]) -> list[str]:
    """Return messages on parts keyed by a property other than that of their rotation mode, one for each case."""
    alike: dict[tuple[str, str], list[str]] = {}
    for owner, prop in turned_by.items():
        part = rig.object if owner == OBJECT else rig.bones[owner]
        if prop != part.rotation_property:
            alike.setdefault((prop, part.mode), []).append(owner)
    return [
        f"Action '{keyed.action}' keys {prop} of {_who(owners)}, whose rotation mode is {mode}: the keys are used "
        f"anyway{', as XYZ Euler' if prop == 'rotation_euler' else ''}. Set the rotation mode that the action was made "
        "with."
        for (prop, mode), owners in alike.items()
    ]


def _who(owners: list[str]) -> str:
    bones = [owner for owner in owners if owner != OBJECT]
    named = [f"bone{'s' if len(bones) > 1 else ''} {quoted(bones)}"] if bones else []
    return " and ".join([*(["the object"] if OBJECT in owners else []), *named])


def _own_rotations(keyed: Keyed, part: Part, prop: str, low: float, high: float) -> tuple[Array, Array]:
    """Return frames (K,) between which a part's rotation may be interpolated, and its quaternions (K, 4) there."""
    curves = keyed.curves(part.name, prop)
    keys = key_frames(curves.values())
    keys = keys if len(keys) else np.arange(np.floor(low), high + 1.0)
    before, after = np.arange(keys[0] - 1.0, low - 1.0, -1.0)[::-1], np.arange(keys[-1] + 1.0, high + 1.0)
    keys = np.concatenate([before, keys, after])
    first, last = np.searchsorted(keys, low, "right") - 1, np.searchsorted(keys, high, "left")
    keys = keys[max(first, 0) : last + 1]
    values = components(curves, keys, part.values[prop])
    frames = subdivided(keys, _wrapped(prop, values, np.diff(keys)))
    if len(frames) > len(keys):
        values = components(curves, frames, part.values[prop])
    return frames, quat.continuous(quaternions(prop, values, part.mode))


def _wrapped(prop: str, values: Array, gaps: Array) -> NDArray[np.bool_]:
    """Find gaps (K - 1,) between keys in which the curves jump to other numbers for about the same rotation.

    The curves' values inside such a gap are not the intended motion.
    """
    if prop == "rotation_quaternion":
        jumps = np.einsum("kc,kc->k", values[1:], values[:-1]) < 0.0
    else:
        jumps = np.abs(np.diff(values, axis=0)).max(axis=1, initial=0.0) > np.pi
    return jumps & (gaps <= WRAPPED_GAP)


def _grid(keyed: Keyed, times: list[Array], low: float, high: float) -> Array:
    """Choose the frames of a reading: those of the keyed rotations, else of the locations, at least `low` to `high`.

    Where an end lies between two keys, the frames extend to the next key beyond it; an extra frame close to a key would
    bend the curve through both.
    """
    if not times:
        curves = [c for props in keyed.transforms.values() for c in props.get("location", {}).values()]
        times = [key_frames(curves)]
    found = merged(np.concatenate(times))
    inside = found[(found > low - 1.0) & (found < high + 1.0)]
    first = [low] if not len(inside) or inside[0] > low + SAME_FRAME else []
    last = [high] if not len(inside) or inside[-1] < high - SAME_FRAME else []
    return subdivided(np.concatenate([first, inside, last]))


def resampled(times: Array, rotations: Array, frames: Array) -> Array:
    """Interpolate quaternions (K, 4), given at `times` (K,), spherically to `frames` (F,); returns (F, 4)."""
    same = np.minimum(np.searchsorted(times, frames - SAME_FRAME), len(times) - 1)
    if (np.abs(times[same] - frames) <= SAME_FRAME).all():
        return rotations[same]
    before = np.clip(np.searchsorted(times, frames + SAME_FRAME, "right") - 1, 0, max(len(times) - 2, 0))
    after = np.minimum(before + 1, len(times) - 1)
    span = np.maximum(times[after] - times[before], SAME_FRAME)
    share = np.clip((frames - times[before]) / span, 0.0, 1.0)
    turn = quat.log(quat.multiply(quat.conjugate(rotations[before]), rotations[after]))
    return quat.continuous(quat.multiply(rotations[before], quat.exp(turn * share[:, None])))


def _vectors(keyed: Keyed, rig: Rig, prop: str, frames: Array) -> dict[str, Array]:
    """Return locations or scales (F, 3) of every owner that has curves for them, unless Blender ignores them."""
    found: dict[str, Array] = {}
    for owner, part in [(OBJECT, rig.object), *rig.bones.items()]:
        curves = keyed.curves(owner, prop)
        if curves and not (prop == "location" and part.connected):
            found[owner] = components(curves, frames, part.values[prop])
    return found


def _of_object_scale(keyed: Keyed, armature: Object, scale: Array | None) -> list[str]:
    """Return a complaint if an action keys a scale of the object other than its present one."""
    present = np.array(armature.scale)
    if scale is None or np.abs(scale - present).max() <= UNEVEN * present.max():
        return []
    return [
        f"Action '{keyed.action}' scales the object to {scale[0, 0]:g}, but the object's scale is {present[0]:g}, "
        "which is used instead. Set the scale that the action was made with."
    ]


def _values(
    keyed: Keyed, armature: Object, frames: Array
) -> tuple[dict[tuple[str, int], Array], frozenset[tuple[str, int]], list[str]]:
    """Return single values (F,) by data path and component, which of them are switches, and messages on omissions."""
    values: dict[tuple[str, int], Array] = {}
    switches: set[tuple[str, int]] = set()
    left: dict[str, dict[str, None]] = {}
    for key, curve in keyed.values.items():
        present, reason = animated(armature, *key)
        if present is None:
            left.setdefault(reason, {})[key[0]] = None
            continue
        values[key] = curve.at(frames)
        if not isinstance(present, float) or curve.stepped:
            switches.add(key)
    told = [
        f"Action '{keyed.action}' animates {listed(paths)}, {reason}; these curves are ignored."
        for reason, paths in left.items()
    ]
    return values, frozenset(switches), told
