"""The channels that several readings have in common, and the readings as takes of them."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from bpy.types import Object
from numpy.typing import NDArray

from ..core.figure import quaternion as quat
from ..core.figure.channels import Channels, Scalar
from ..core.verb.example import Take
from .curves import OBJECT
from .parts import REST, rotation_of
from .properties import ROOT_IS_OBJECT
from .read_action import Reading
from .rig import Rig, listed

Array = NDArray[np.float64]

STILL_ANGLE = 1e-4
STILL_SHARE = 1e-6
AXES = "XYZ"


@dataclass(frozen=True, eq=False)
class Span:
    """A reading and where its example begins.

    Parameters
    ----------
    reading : Reading
    example : how to name it to the user.
    start : frame that is second zero.
    fps : frames per second.
    """

    reading: Reading
    example: str
    start: float
    fps: float


@dataclass
class _Columns:
    """Scalars found so far, with a column for each span."""

    scalars: list[Scalar] = field(default_factory=list)
    columns: list[list[Array]] = field(default_factory=list)

    def add(self, scalar: Scalar, columns: list[Array]) -> None:
        self.scalars.append(scalar)
        self.columns.append(columns)


def read_channels(
    rig: Rig, armature: Object, spans: Sequence[Span]
) -> tuple[Channels, tuple[Take, ...], tuple[str, ...]]:
    """Unite what some spans animate.

    What no span animates stays as it is; bones that never leave their rest are static, and properties that are the same
    all the time in all spans are held; a bone that is keyed in some spans only takes its rest in the others.

    Parameters
    ----------
    rig, armature : the same armature, read and in Blender.
    spans : (N,) readings with their examples.

    Returns
    -------
    channels : Channels
    takes : (N,) of the readings
    complaints : sentences
    """
    rotating, static, missing = _rotations(rig, spans)
    found = _Columns()
    _transforms(rig, spans, found)
    _values(rig, armature, spans, found)
    channels = Channels(rig.skeleton, np.array(rotating, dtype=np.intp), tuple(found.scalars), static)
    takes = tuple(_take(rig, span, rotating, [c[i] for c in found.columns]) for i, span in enumerate(spans))
    return channels, takes, tuple(missing)


def root_motion(rig: Rig, reading: Reading) -> tuple[Array, Array]:
    """Position (F, 3) and rotation (F, 4) of the root in performance space: the object, ancestors and the root."""
    frame = _transforms_of(rig, reading, OBJECT)
    for name in () if rig.root == ROOT_IS_OBJECT else (*rig.ancestors, rig.root):
        frame = frame @ rig.bones[name].rest @ _transforms_of(rig, reading, name)
    return frame[:, :3, 3], quat.continuous(rotation_of(frame))


def _transforms_of(rig: Rig, reading: Reading, owner: str) -> Array:
    """Transforms (F, 4, 4) from rest of a bone or the object; the object's scale is the rig's at all times."""
    part = rig.object if owner == OBJECT else rig.bones[owner]
    count = len(reading.frames)
    location = reading.locations.get(owner, np.tile(part.values["location"], (count, 1)))
    rotation = reading.rotations.get(owner, np.tile(part.rotation, (count, 1)))
    scale = part.values["scale"] if owner == OBJECT else reading.scales.get(owner, part.values["scale"])
    return part.transform(location, rotation, scale)


def _rotations(rig: Rig, spans: Sequence[Span]) -> tuple[list[int], Array, list[str]]:
    """Joints that turn, the rotation (J, 4) of those that do not, and what is missing where."""
    rotating, static = [0], np.array([part.rotation for part in rig.parts])
    static[0] = quat.IDENTITY
    missing: dict[str, list[str]] = {}
    for joint, name in list(enumerate(rig.skeleton.names))[1:]:
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
        f"Example '{example}' does not key {listed(names)}, which others do: taken at rest there."
        for example, names in missing.items()
    ]
    return rotating, static, sentences


def _transforms(rig: Rig, spans: Sequence[Span], found: _Columns) -> None:
    """Locations and scales of joints, in performance units; what never leaves rest is left out."""
    small = STILL_SHARE * float(np.linalg.norm(rig.skeleton.offsets, axis=1).sum() + rig.skeleton.tails[0, 1])
    for name, joint in rig.joints.items():
        for kind in ("location", "scale"):
            if joint == 0 and kind == "location":
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
                path = f'pose.bones["{name}"].{kind}'
                label = f"{name} {kind} {AXES[axis]}"
                found.add(Scalar(label, joint, kind, axis, bool(high - low <= tolerance), path), columns)


def _values(rig: Rig, armature: Object, spans: Sequence[Span], found: _Columns) -> None:
    """Properties; switches and constants are held."""
    for path, axis in sorted({key for span in spans for key in span.reading.values}):
        key = (path, axis)
        owner = next(span.reading.owners[key] for span in spans if key in span.reading.owners)
        present = armature.path_resolve(path)
        present = present[axis] if hasattr(present, "__len__") and not isinstance(present, str) else present
        missing = float(present) if isinstance(present, bool | int | float) else 0.0
        columns = [span.reading.values.get(key, np.full(len(span.reading.frames), missing)) for span in spans]
        switch = any(key in span.reading.switches for span in spans) or _looks_like_switch(columns)
        first = [float(column[0]) for column in columns]
        held = switch or max(np.abs(column - first[0]).max() for column in columns) <= STILL_SHARE
        found.add(Scalar(path, rig.joints.get(owner, -1), "value", axis, bool(held), path), columns)


def _looks_like_switch(columns: list[Array]) -> bool:
    """Whether every example stays at 0 or at 1, as IK/FK properties do."""
    return all(np.ptp(column) == 0.0 and column[0] in (0.0, 1.0) for column in columns)


def _take(rig: Rig, span: Span, rotating: Sequence[int], columns: list[Array]) -> Take:
    reading, count = span.reading, len(span.reading.frames)
    root, heading = root_motion(rig, reading)
    still = np.tile(quat.IDENTITY, (count, 1))
    rotations = [heading, *(reading.rotations.get(rig.skeleton.names[joint], still) for joint in rotating[1:])]
    scalars = np.stack(columns, axis=1) if columns else np.zeros((count, 0))
    return Take((reading.frames - span.start) / span.fps, np.stack(rotations, axis=1), root, scalars)
