"""The rows of a performance that are judged, and where they put the joints of the figure.

Of the extension only the rows are taken, with which points stand and which step home. The places of the joints follow
from the rows and from Blender's bones at rest by the forward kinematics below, without the extension's code.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from bpy.types import Object
from numpy.typing import NDArray

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]

TRAVEL = ("travel x", "travel y", "heading")
"""Columns of the travel over the floor: metres, metres, and radians about Z. The root is in the heading's frame."""


@dataclass(frozen=True, eq=False)
class Figure:
    """The bones of an armature at rest, parents before children.

    Parameters
    ----------
    bones : (J,) names.
    parents : (J,) index of each bone's parent, -1 for none.
    rests : (J, 4, 4) frame of each bone in its parent's, without scale, metres; of one without a parent in the world.
    root : name of the bone that travels.
    """

    bones: tuple[str, ...]
    parents: NDArray[np.intp]
    rests: Array
    root: str

    def chain(self, bone: int) -> tuple[int, ...]:
        """Bones from `bone` up to the topmost, both included."""
        found = [bone]
        while self.parents[found[-1]] >= 0:
            found.append(int(self.parents[found[-1]]))
        return tuple(found)


@dataclass(frozen=True, eq=False)
class Rows:
    """The rows of a performance that is judged.

    Parameters
    ----------
    times : (T,) seconds, evenly spaced.
    values : (T, C) a row for each time.
    columns : (C,) names: those of `TRAVEL`, ``'BONE x'`` to ``'BONE z'`` of a location and ``'BONE turn w'`` to
        ``'BONE turn z'`` of a rotation from rest, which of the root are its whole location and rotation.
    verbs : (T,) name of the verb that plays; in a transition that of the verb that is entered.
    left : (T,) name of the verb that is left in a transition, empty outside of transitions.
    points : (K,) names of the points that can stand. `bones` (K,) carry them, and `offsets` (K, 3) are their places in
        the bones' frames, in metres.
    support : (T, K) which points stand, as the player tells it.
    stepping : (T, K) which points step home, as the player tells it; they do not stand meanwhile.
    """

    times: Array
    values: Array
    columns: tuple[str, ...]
    verbs: tuple[str, ...]
    left: tuple[str, ...]
    points: tuple[str, ...]
    bones: tuple[str, ...]
    offsets: Array
    support: Mask
    stepping: Mask

    @cached_property
    def named(self) -> Mapping[str, Array]:
        """Values (T,) of each column, by the column's name."""
        return dict(zip(self.columns, self.values.T, strict=True))


def figure_of(armature: Object, root: str) -> Figure:
    """Read the bones of an armature at rest."""
    frames: dict[str, Array] = {}
    for bone in armature.data.bones:
        frame = np.array(armature.matrix_world @ bone.matrix_local)
        frame[:3, :3] /= np.cbrt(np.linalg.det(frame[:3, :3]))
        frames[bone.name] = frame
    names = tuple(frames)
    above = [bone.parent.name if bone.parent else "" for bone in armature.data.bones]
    rests = [np.linalg.inv(frames[p]) @ frames[n] if p else frames[n] for n, p in zip(names, above, strict=True)]
    parents = np.array([names.index(parent) if parent else -1 for parent in above], dtype=np.intp)
    return Figure(names, parents, np.array(rests), root)


def rows_of(graph: Any, recording: Any) -> Rows:
    """Return the rows of a recording, with the player's reports of transitions, points that stand and steps home."""
    times, names = recording.times, [point.name for point in graph.points]
    down = np.array([rows_between(times, told(recording, name, "down", "up")) for name in names]).T
    stepping = np.array([_inside(times, told(recording, name, "lift", "home", "up")) for name in names]).T
    return Rows(
        times=times,
        values=recording.values,
        columns=column_names(graph.channels),
        verbs=recording.verbs,
        left=left_verbs(recording),
        points=tuple(names),
        bones=tuple(graph.channels.skeleton.names[point.joint] for point in graph.points),
        offsets=np.array([point.offset for point in graph.points]),
        support=down & ~stepping,
        stepping=stepping,
    )


def column_names(channels: Any) -> tuple[str, ...]:
    """Names that the columns of the extension's rows have here."""
    if channels.travelling:
        raise ValueError("Rows of a control rig cannot be judged: its controls do not follow the root.")
    bones = channels.skeleton.names
    found = [*TRAVEL, *(f"{bones[0]} {axis}" for axis in "xyz")]
    found += [f"{bones[joint]} turn {part}" for joint in channels.rotating for part in "wxyz"]
    for scalar in channels.scalars:
        location = scalar.kind == "location" and scalar.joint > 0
        found.append(f"{bones[scalar.joint]} {'xyz'[scalar.axis]}" if location else f"other: {scalar.label}")
    return tuple(found)


def told(recording: Any, name: str, begins: str, *ends: str) -> list[tuple[float, float]]:
    """Seconds from each happening of the kind `begins` of a point to the next of one of the kinds `ends`."""
    found: list[tuple[float, float]] = []
    begin: float | None = None
    for happening in recording.happenings:
        if happening.name == name and happening.kind == begins and begin is None:
            begin = happening.time
        elif happening.name == name and happening.kind in ends and begin is not None:
            found.append((begin, happening.time))
            begin = None
    return found if begin is None else [*found, (begin, np.inf)]


def rows_between(times: Array, spans: Sequence[tuple[float, float]]) -> Mask:
    """Rows (T,) that lie in spans of seconds, including the ends."""
    return np.any([np.zeros_like(times, dtype=np.bool_), *((times >= a) & (times <= b) for a, b in spans)], axis=0)


def _inside(times: Array, spans: Sequence[tuple[float, float]]) -> Mask:
    """Rows (T,) that lie inside spans of seconds, without the ends, at which a point still or again stands."""
    return np.any([np.zeros_like(times, dtype=np.bool_), *((times > a) & (times < b) for a, b in spans)], axis=0)


def left_verbs(recording: Any) -> tuple[str, ...]:
    """Names of the verbs that are left (T,) at each time, empty outside of transitions."""
    left = [""] * len(recording.times)
    verb = recording.verbs[0]
    changes = [h for h in recording.happenings if h.kind in ("transition", "verb")]
    for begin, end in zip(changes, [*changes, None][1:], strict=True):
        if begin.kind == "verb":
            verb = begin.name
            continue
        until = np.inf if end is None else end.time
        for row in np.flatnonzero((recording.times >= begin.time) & (recording.times <= until)):
            left[row] = verb
    return tuple(left)


def frames_of(figure: Figure, named: Mapping[str, Array]) -> Array:
    """Frames (T, J, 4, 4) of all bones in the world, from columns (T,) by name."""
    made = np.tile(np.eye(4), (len(named[TRAVEL[0]]), len(figure.bones), 1, 1))
    for bone, (name, parent) in enumerate(zip(figure.bones, figure.parents, strict=True)):
        own = made[:, bone]
        own[:, :3, :3] = matrices(turns_of(named, name))
        own[:, :3, 3] = _columns(named, [f"{name} {axis}" for axis in "xyz"], (0.0, 0.0, 0.0))
        if name == figure.root:
            made[:, bone] = _travelled(named) @ own
        else:
            made[:, bone] = figure.rests[bone] @ own
            if parent >= 0:
                made[:, bone] = made[:, parent] @ made[:, bone]
    return made


def turns_of(named: Mapping[str, Array], bone: str) -> Array:
    """Unit quaternions (T, 4) of a bone's rotation from rest; a bone without such columns stays at rest."""
    turns = _columns(named, [f"{bone} turn {part}" for part in "wxyz"], (1.0, 0.0, 0.0, 0.0))
    return turns / np.linalg.norm(turns, axis=-1, keepdims=True)


def matrices(turns: Array) -> Array:
    """Rotation matrices (T, 3, 3) of unit quaternions (T, 4)."""
    w, x, y, z = turns.T
    made = [
        [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)],
        [2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)],
        [2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)],
    ]
    return np.moveaxis(np.array(made), -1, 0)


def point_places(figure: Figure, rows: Rows, frames: Array) -> Array:
    """Places (T, K, 3) of the points that can stand."""
    held = [figure.bones.index(name) for name in rows.bones]
    turned = np.einsum("tkij,kj->tki", frames[:, held, :3, :3], rows.offsets)
    return frames[..., :3, 3][:, held] + turned


def write_rows(path: Path, figure: Figure, held: Rows, free: Rows) -> None:
    """Write what is judged to a file of arrays: all of `Rows`, the rows without locks, and the figure."""
    fields = {name: np.array(getattr(held, name)) for name in Rows.__dataclass_fields__}
    rest = {f"figure_{name}": np.array(getattr(figure, name)) for name in Figure.__dataclass_fields__}
    np.savez_compressed(path, unlocked=free.values, **fields, **rest)


def _columns(named: Mapping[str, Array], names: Sequence[str], otherwise: Sequence[float]) -> Array:
    """Columns (T, N) by name; missing ones are filled with a constant."""
    alike = np.ones(len(named[TRAVEL[0]]))
    pairs = zip(names, otherwise, strict=True)
    return np.stack([named[name] if name in named else value * alike for name, value in pairs], axis=-1)


def _travelled(named: Mapping[str, Array]) -> Array:
    """Frames (T, 4, 4) of the heading at its place on the floor."""
    x, y, heading = (named[name] for name in TRAVEL)
    made = np.tile(np.eye(4), (len(x), 1, 1))
    made[:, 0, 0] = made[:, 1, 1] = np.cos(heading)
    made[:, 1, 0], made[:, 0, 1] = np.sin(heading), -np.sin(heading)
    made[:, 0, 3], made[:, 1, 3] = x, y
    return made
