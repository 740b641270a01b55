"""The channels that several readings have in common, and the readings as takes of them."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from bpy.types import Object
from numpy.typing import NDArray

from ...core.errors import quoted
from ...core.figure import quaternion as quat
from ...core.figure.channels import Channels, Scalar
from ...core.verb.example import Take
from ..data.curves import animated
from ..rig.parts import REST
from ..rig.rig import Rig
from .read_action import Reading
from .travelling_set import cut_loose, motion_of, travelling_set

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


def location_path(bone: str) -> str:
    """Data path of a bone's location."""
    return f'pose.bones["{bone}"].location'


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
    return channels, takes, tuple(missing)


def _rotations(rig: Rig, spans: Sequence[Span], travelling: set[int]) -> tuple[list[int], Array, list[str]]:
    """Joints that turn, the rotation (J, 4) of those that do not, and what is missing where."""
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
        f"Example '{example}' does not key {quoted(names)}, which others do: taken at rest there."
        for example, names in missing.items()
    ]
    return rotating, static, sentences


def _transforms(rig: Rig, spans: Sequence[Span], found: _Columns, going: dict[int, list[tuple[Array, Array]]]) -> None:
    """Locations and scales of joints, in performance units; what never leaves rest is left out.

    Of the travelling set, the places in performance space are `going`'s, for each span.
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
                path = location_path(name) if kind == "location" else f'pose.bones["{name}"].scale'
                label = f"{name} {kind} {AXES[axis]}"
                found.add(Scalar(label, joint, kind, axis, bool(high - low <= tolerance), path), columns)


def _places(name: str, joint: int, places: list[Array], found: _Columns) -> None:
    """Places (F, 3) in performance space of one of the travelling set, for each span."""
    for axis in range(3):
        scalar = Scalar(f"{name} location {AXES[axis]}", joint, "location", axis, False, location_path(name))
        found.add(scalar, [place[:, axis] for place in places])


def _values(rig: Rig, armature: Object, spans: Sequence[Span], found: _Columns) -> None:
    """Properties; switches and constants are held."""
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
    """Whether every example stays at 0 or at 1, as IK/FK properties do."""
    return all(np.ptp(column) == 0.0 and column[0] in (0.0, 1.0) for column in columns)


def _take(rig: Rig, span: Span, rotating: Sequence[int], going: dict[int, Array], columns: list[Array]) -> Take:
    reading, count = span.reading, len(span.reading.frames)
    root, heading = motion_of(rig, reading, rig.root)
    still, names = np.tile(quat.IDENTITY, (count, 1)), rig.skeleton.names
    own = (going[j] if j in going else reading.rotations.get(names[j], still) for j in rotating[1:])
    rotations = [heading, *own]
    scalars = np.stack(columns, axis=1) if columns else np.zeros((count, 0))
    return Take((reading.frames - span.start) / span.fps, np.stack(rotations, axis=1), root, scalars)
