"""The travelling set of an armature: animated controls that neither carry the root nor follow it."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ...core.figure import quaternion as quat
from ...core.figure.channels import Traveller
from ...core.figure.skeleton import Skeleton
from ..data.curves import OBJECT
from ..data.schema import ROOT_IS_OBJECT
from ..rig.parts import rotation_of
from ..rig.rig import Rig, above
from .read_action import Reading

Array = NDArray[np.float64]

TRAVELS = 0.1
"""Share of the figure's size beyond which a root that moves leaves behind what stands still."""
STANDS = 1e-3
"""Share of that way within which a control stands still."""


def motion_of(rig: Rig, reading: Reading, name: str) -> tuple[Array, Array]:
    """Position (F, 3) and rotation (F, 4) of a bone or the root in performance space, by all that is above it."""
    frame = _transforms_of(rig, reading, OBJECT)
    for bone in () if name == ROOT_IS_OBJECT else (*above(rig.bones, name), name):
        frame = frame @ rig.bones[bone].rest @ _transforms_of(rig, reading, bone)
    return frame[:, :3, 3], quat.continuous(rotation_of(frame))


def _transforms_of(rig: Rig, reading: Reading, owner: str) -> Array:
    """Transforms (F, 4, 4) from rest of a bone or the object; the object's scale is the rig's at all times."""
    part = rig.object if owner == OBJECT else rig.bones[owner]
    count = len(reading.frames)
    location = reading.locations.get(owner, np.tile(part.values["location"], (count, 1)))
    rotation = reading.rotations.get(owner, np.tile(part.rotation, (count, 1)))
    scale = part.values["scale"] if owner == OBJECT else reading.scales.get(owner, part.values["scale"])
    return part.transform(location, rotation, scale)


def travelling_set(rig: Rig, readings: Sequence[Reading]) -> tuple[Traveller, ...]:
    """Controls that go where the root goes though they do not follow it: the topmost that are animated.

    A control that stands still wherever the root goes away from it is no part of it: it stays in its place.

    Parameters
    ----------
    rig : the armature, read.
    readings : (N,) of all examples of a verb.
    """
    keyed = {name for reading in readings for name in (*reading.locations, *reading.rotations)}
    loose = [name for name in rig.loose if name in keyed]
    if not loose:
        return ()
    size = float(np.linalg.norm(rig.skeleton.offsets, axis=1).max() + np.linalg.norm(rig.skeleton.tails, axis=1).max())
    ways = [(reading, _way(motion_of(rig, reading, rig.root)[0])) for reading in readings]
    away = [(reading, way) for reading, way in ways if way > TRAVELS * size]
    going = {name for name in loose if not away or any(_goes(rig, reading, name, way) for reading, way in away)}
    chosen = [name for name in loose if name in going and not going & set(above(rig.bones, name))]
    root = rig.place_at_rest(rig.root)
    return tuple(Traveller(rig.joints[n], float(np.linalg.norm(rig.place_at_rest(n) - root))) for n in chosen)


def _way(places: Array) -> float:
    """How far (F, 3) places are apart on the floor."""
    return float(np.linalg.norm(np.ptp(places[:, :2], axis=0)))


def _goes(rig: Rig, reading: Reading, name: str, way: float) -> bool:
    return _way(motion_of(rig, reading, name)[0]) > STANDS * way


def cut_loose(skeleton: Skeleton, travelling: Sequence[Traveller]) -> Skeleton:
    """A skeleton whose travelling set hangs on nothing and has its rest where performance space is."""
    if not travelling:
        return skeleton
    joints = [traveller.joint for traveller in travelling]
    parents, offsets, rests = skeleton.parents.copy(), skeleton.offsets.copy(), skeleton.rests.copy()
    parents[joints], offsets[joints], rests[joints] = -1, 0.0, quat.IDENTITY
    return replace(skeleton, parents=parents, offsets=offsets, rests=rests)
