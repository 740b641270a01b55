"""Finding the channels shared by several examples, including the travelling set, and making takes from them."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from bpy.types import Object
from numpy.typing import NDArray

from ...core.errors import quoted
from ...core.figure import quaternion as quat
from ...core.figure.channels import Channels, Scalar, Traveller
from ...core.figure.skeleton import Skeleton
from ...core.verb.example import NEARLY, Take, around, round_of
from ..blender.animation import REST
from ..data.bones.names import OBJECT, bone_path
from ..data.curves import animated
from ..data.schema import ROOT_IS_OBJECT
from ..rig.parts import rotation_of
from ..rig.rig import Rig, above
from .read_action import MARGIN, Reading

Array = NDArray[np.float64]

STILL_ANGLE = 1e-4
STILL_SHARE = 1e-6
AXES = "XYZ"
TRAVELS = 0.1
"""How far the root must travel for still controls to be left behind, as a fraction of the figure's size."""
WIDE_SEAM = 10.0
"""Degrees by which a joint may miss its first pose at the end of a loop without a message."""
STANDS = 1e-3
"""How far a control may move and still count as still, as a fraction of the root's travel."""


def motion_of(rig: Rig, reading: Reading, name: str) -> tuple[Array, Array]:
    """Return position (F, 3) and rotation (F, 4) of a bone or the root in performance space, with all bones above."""
    frame = _transforms_of(rig, reading, OBJECT)
    for bone in () if name == ROOT_IS_OBJECT else (*above(rig.bones, name), name):
        frame = frame @ rig.bones[bone].rest @ _transforms_of(rig, reading, bone)
    return frame[:, :3, 3], quat.continuous(rotation_of(frame))


def _transforms_of(rig: Rig, reading: Reading, owner: str) -> Array:
    """Return transforms (F, 4, 4) from rest of a bone or the object; the object's scale is always the rig's."""
    part = rig.object if owner == OBJECT else rig.bones[owner]
    count = len(reading.frames)
    location = reading.locations.get(owner, np.tile(part.values["location"], (count, 1)))
    rotation = reading.rotations.get(owner, np.tile(part.rotation, (count, 1)))
    scale = part.values["scale"] if owner == OBJECT else reading.scales.get(owner, part.values["scale"])
    return part.transform(location, rotation, scale)


def travelling_set(rig: Rig, readings: Sequence[Reading]) -> tuple[Traveller, ...]:
    """Find the controls that are keyed to travel along with the root, although they are not below it.

    Only the topmost of them are returned. A control that stays still while the root moves away does not belong to the
    set: it stays where it is.

    Parameters
    ----------
    rig : the armature as it was read.
    readings : (N,) readings of all examples of a verb.
    """
    keyed = {name for reading in readings for name in (*reading.locations, *reading.rotations)}
    loose = [name for name in rig.loose if name in keyed]
    if not loose:
        return ()
    size = size_of(rig)
    ways = [(reading, way_of(motion_of(rig, reading, rig.root)[0])) for reading in readings]
    away = [(reading, way) for reading, way in ways if way > TRAVELS * size]
    going = {name for name in loose if not away or any(_goes(rig, reading, name, way) for reading, way in away)}
    chosen = [name for name in loose if name in going and not going & set(above(rig.bones, name))]
    root = rig.place_at_rest(rig.root)
    return tuple(Traveller(rig.joints[n], float(np.linalg.norm(rig.place_at_rest(n) - root))) for n in chosen)


def size_of(rig: Rig) -> float:
    """Return the approximate size of a figure, performance units."""
    return float(np.linalg.norm(rig.skeleton.offsets, axis=1).max() + np.linalg.norm(rig.skeleton.tails, axis=1).max())


def way_of(places: Array) -> float:
    """Return the diagonal of the floor rectangle that positions (F, 3) span."""
    return float(np.linalg.norm(np.ptp(places[:, :2], axis=0)))


def _goes(rig: Rig, reading: Reading, name: str, way: float) -> bool:
    return way_of(motion_of(rig, reading, name)[0]) > STANDS * way


def cut_loose(skeleton: Skeleton, travelling: Sequence[Traveller]) -> Skeleton:
    """Return the skeleton with its travelling set detached: without parents, and at rest at the origin."""
    if not travelling:
        return skeleton
    joints = [traveller.joint for traveller in travelling]
    parents, offsets, rests = skeleton.parents.copy(), skeleton.offsets.copy(), skeleton.rests.copy()
    parents[joints], offsets[joints], rests[joints] = -1, 0.0, quat.IDENTITY
    return replace(skeleton, parents=parents, offsets=offsets, rests=rests)


@dataclass(frozen=True, eq=False)
class Span:
    """The reading of an example's action, and where the example begins.

    Parameters
    ----------
    reading : Reading
    example : name of the example in messages to the user.
    start : frame at which time is 0 seconds.
    fps : frames per second.
    around : first and last frame of an example that wraps around the end of a loop; the reading is that of the loop.
    """

    reading: Reading
    example: str
    start: float
    fps: float
    around: tuple[float, float] | None = None


@dataclass
class _Columns:
    """The scalar channels found so far, each with a column of values for every span."""

    scalars: list[Scalar] = field(default_factory=list)
    columns: list[list[Array]] = field(default_factory=list)

    def add(self, scalar: Scalar, columns: list[Array]) -> None:
        self.scalars.append(scalar)
        self.columns.append(columns)


def read_channels(
    rig: Rig, armature: Object, spans: Sequence[Span]
) -> tuple[Channels, tuple[Take, ...], tuple[str, ...]]:
    """Find the channels animated in any of the spans, and express each span in all of them.

    Properties that no span animates keep their present value. Bones that never leave their rest are static, and
    properties that have the same value all the time in all spans are held. A bone that only some spans key is at rest
    in the others.

    Parameters
    ----------
    rig, armature : the same armature, as it was read and in Blender.
    spans : (N,) the reading of each example.

    Returns
    -------
    channels : Channels
    takes : (N,) one for each span
    complaints : messages about bones that some examples do not key
    """
    travelling = travelling_set(rig, [span.reading for span in spans])
    going = {t.joint: [motion_of(rig, s.reading, rig.skeleton.names[t.joint]) for s in spans] for t in travelling}
    rotating, static, missing = _rotations(rig, spans, set(going))
    found = _Columns()
    _transforms(rig, spans, found, going)
    _values(rig, armature, spans, found)
    skeleton = cut_loose(rig.skeleton, travelling)
    channels = Channels(skeleton, np.array(rotating, dtype=np.intp), tuple(found.scalars), static, travelling)
    takes = tuple(
        _take(rig, span, rotating, {joint: own[i][1] for joint, own in going.items()}, [c[i] for c in found.columns])
        for i, span in enumerate(spans)
    )
    led = tuple(_led_around(span, take, channels, missing) for span, take in zip(spans, takes, strict=True))
    return channels, led, tuple(missing)


def _led_around(span: Span, take: Take, channels: Channels, told: list[str]) -> Take:
    """Return the take of a span, wrapped around the end of its loop if needed; a wide seam is reported."""
    if span.around is None:
        return take
    start, end = ((frame - span.start) / span.fps for frame in span.around)
    period = round_of(take, end - start)
    if abs(period - (end - start)) > NEARLY / span.fps:
        told.append(
            f"Example '{span.example}' lasts {(end - start) * span.fps:.1f} frames, but its looping action lasts "
            f"{period * span.fps:.1f}. Move one of the example's ends."
        )
    found, seam = around(take, channels, period, start, end, MARGIN / span.fps)
    if seam > WIDE_SEAM:
        told.append(
            f"Example '{span.example}' runs across the end of its action, where the pose jumps by {seam:.0f} degrees. "
            "The jump was spread over the cycle. If the action is not a loop, move the example's ends between its "
            "keys."
        )
    return found


def _rotations(rig: Rig, spans: Sequence[Span], travelling: set[int]) -> tuple[list[int], Array, list[str]]:
    """Return the joints that rotate, the rotation (J, 4) of those that do not, and messages on what is not keyed."""
    rotating, static = [0], np.array([part.rotation for part in rig.parts])
    static[0] = quat.IDENTITY
    missing: dict[str, list[str]] = {}
    for joint, name in list(enumerate(rig.skeleton.names))[1:]:
        if joint in travelling:
            rotating.append(joint)
            continue
        keyed = [span.reading.rotations[name] for span in spans if name in span.reading.rotations]
        if not keyed:
            continue
        absent = [span.example for span in spans if name not in span.reading.rotations]
        together = np.concatenate([*keyed, np.tile(quat.IDENTITY, (min(len(absent), 1), 1))])
        if quat.angle_between(quat.IDENTITY, together).max() < STILL_ANGLE:
            static[joint] = quat.IDENTITY
            continue
        rotating.append(joint)
        for example in absent:
            missing.setdefault(example, []).append(name)
    sentences = [
        (f"Example '{example}' does not key {quoted(names)}, but other examples do: the rest pose is used there.")
        for example, names in missing.items()
    ]
    return rotating, static, sentences


def _transforms(rig: Rig, spans: Sequence[Span], found: _Columns, going: dict[int, list[tuple[Array, Array]]]) -> None:
    """Add the locations and scales of joints, in performance units, to `found`, unless they stay at rest.

    For joints of the travelling set, `going` holds the positions in performance space to add, for each span.
    """
    small = STILL_SHARE * float(np.linalg.norm(rig.skeleton.offsets, axis=1).sum() + rig.skeleton.tails[0, 1])
    for name, joint in rig.joints.items():
        for kind in ("location", "scale"):
            if joint == 0 and kind == "location":
                continue
            if joint in going and kind == "location":
                _places(name, joint, [places for places, _ in going[joint]], found)
                continue
            tracks = [getattr(span.reading, kind + "s").get(name) for span in spans]
            if all(track is None for track in tracks):
                continue
            unit, tolerance = (rig.scale, small) if kind == "location" else (1.0, STILL_SHARE)
            for axis in range(3):
                rest = REST[kind][axis]
                columns = [
                    np.full(len(span.reading.frames), rest) if track is None else track[:, axis] * unit
                    for track, span in zip(tracks, spans, strict=True)
                ]
                low, high = min(c.min() for c in columns), max(c.max() for c in columns)
                if max(high - rest, rest - low) <= tolerance:
                    continue
                label, held = f"{name} {kind} {AXES[axis]}", bool(high - low <= tolerance)
                found.add(Scalar(label, joint, kind, axis, held, bone_path(name, kind)), columns)


def _places(name: str, joint: int, places: list[Array], found: _Columns) -> None:
    """Add the positions (F, 3) in performance space of a control of the travelling set, one array for each span."""
    for axis in range(3):
        scalar = Scalar(f"{name} location {AXES[axis]}", joint, "location", axis, False, bone_path(name, "location"))
        found.add(scalar, [place[:, axis] for place in places])


def _values(rig: Rig, armature: Object, spans: Sequence[Span], found: _Columns) -> None:
    """Add the animated properties to `found`; switches and constants become held channels."""
    for path, axis in sorted({key for span in spans for key in span.reading.values}):
        key = (path, axis)
        owner = next(span.reading.owners[key] for span in spans if key in span.reading.owners)
        missing = float(animated(armature, path, axis)[0] or 0.0)
        columns = [span.reading.values.get(key, np.full(len(span.reading.frames), missing)) for span in spans]
        switch = any(key in span.reading.switches for span in spans) or _looks_like_switch(columns)
        first = [float(column[0]) for column in columns]
        held = switch or max(np.abs(column - first[0]).max() for column in columns) <= STILL_SHARE
        found.add(Scalar(path, rig.joints.get(owner, -1), "value", axis, bool(held), path), columns)


def _looks_like_switch(columns: list[Array]) -> bool:
    """Return whether the value stays at 0 or at 1 in each example, like an IK/FK switch."""
    return all(np.ptp(column) == 0.0 and column[0] in (0.0, 1.0) for column in columns)


def _take(rig: Rig, span: Span, rotating: Sequence[int], going: dict[int, Array], columns: list[Array]) -> Take:
    reading, count = span.reading, len(span.reading.frames)
    root, heading = motion_of(rig, reading, rig.root)
    still, names = np.tile(quat.IDENTITY, (count, 1)), rig.skeleton.names
    own = (going[j] if j in going else reading.rotations.get(names[j], still) for j in rotating[1:])
    rotations = [heading, *own]
    scalars = np.stack(columns, axis=1) if columns else np.zeros((count, 0))
    return Take((reading.frames - span.start) / span.fps, np.stack(rotations, axis=1), root, scalars)
