"""Gestures: motions with the phases of [Kallmann2005] figure 1, between instants named as BML's sync points.

A gesture is prepared from `start` to `ready`, may wait until `stroke_start`, strokes with its emphasis at `stroke`
until `stroke_end`, may be held until `relax`, and is over at `end` (Vilhjalmsson and others, "The Behavior Markup
Language", 2007).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from math import isfinite

import numpy as np
from numpy.typing import NDArray

from ..errors import GestureError, quoted
from ..figure import quaternion as quat
from ..figure.channels import TRAVEL, Channels, all_locations, all_rotations
from ..figure.skeleton import forward_kinematics
from ..motion.clip import SYNC_POINTS, Motion, end_of

Array = NDArray[np.float64]

START, READY, STROKE_START, STROKE, STROKE_END, RELAX, END = range(len(SYNC_POINTS))
SHORTEST, LONGEST = 0.7, 1.5
"""How long a gesture may last at least and at most by default, as multiples of its own length."""
WITHIN = 1e-6
"""Seconds by which an instant may be outside the motion, for rounding."""
EVERY = 1.0 / 60.0
"""Seconds between poses from which it is learnt how fast a gesture moves."""


@dataclass(frozen=True, eq=False)
class Gesture:
    """A motion with the phases of a gesture.

    Parameters
    ----------
    name : what messages call it.
    motion : the motion.
    sync : (7,) seconds of the motion at the sync points.
    hands : joints at the ends of the limbs that stroke. How far they go between gestures tells how long that takes.
    bounds : how many times as long as recorded each of its phases may be at least and at most.
    size : how large it is beside the largest one of its kind, from 0 to 1.
    mask : (J,) weight of each joint; None for all that the motion moves.
    """

    name: str
    motion: Motion
    sync: Array
    hands: tuple[int, ...]
    bounds: tuple[float, float] = (SHORTEST, LONGEST)
    size: float = 1.0
    mask: Array | None = None

    def lasting(self, squeezed: float) -> float:
        """Return how many times as long as recorded phases last that are squeezed by a share of what bounds allow."""
        return 1.0 - squeezed * (1.0 - self.bounds[0])

    @cached_property
    def rotations(self) -> Array:
        """Rotations (7, J, 4) of all joints at the sync points."""
        return self._poses[0]

    @cached_property
    def places(self) -> Array:
        """Places (7, J, 3) of all joints at the sync points, in the character's space."""
        return self._poses[1]

    @cached_property
    def _poses(self) -> tuple[Array, Array]:
        return poses_of(self.motion.channels, self.motion.sample(self.sync), self.mask)

    @cached_property
    def speeds(self) -> tuple[float, float]:
        """How fast a hand moves at most, in the character's space, and any joint turns, in radians, per second."""
        begin, end = float(self.sync[START]), float(self.sync[END])
        times = np.linspace(begin, end, 2 + int((end - begin) / EVERY))
        turns, places = poses_of(self.motion.channels, self.motion.sample(times), self.mask)
        step = float(times[1] - times[0])
        ways = np.linalg.norm(np.diff(places[:, list(self.hands)], axis=0), axis=-1)
        angles = quat.angle_between(turns[:-1], turns[1:])
        return float(ways.max(initial=0.0)) / step, float(angles.max(initial=0.0)) / step


def poses_of(channels: Channels, values: Array, mask: Array | None) -> tuple[Array, Array]:
    """Return rotations (T, J, 4) and places (T, J, 3) of all joints, in rows of a gesture's motion.

    Joints that the gesture leaves to what lies below, by its mask (J,), count as if they were not turned.
    """
    level = values.copy()
    level[:, TRAVEL] = 0.0
    turns = all_rotations(channels, level)
    if mask is not None:
        turns[:, mask <= 0.0] = quat.IDENTITY
    return turns, forward_kinematics(channels.skeleton, turns, all_locations(channels, level))[0]


def gesture_of(
    name: str,
    motion: Motion,
    hands: Sequence[str],
    sync: Mapping[str, float] | None = None,
    bounds: tuple[float, float] = (SHORTEST, LONGEST),
    mask: Array | None = None,
) -> Gesture:
    """Return a motion as a gesture, checked.

    Parameters
    ----------
    name : what messages call it.
    motion : the motion, which has an end.
    hands : names of the joints at the ends of the limbs that stroke.
    sync : seconds of the motion by sync point; by default those of its keytimes with these names.
    bounds, mask : as of `Gesture`.

    Raises
    ------
    GestureError
        If a sync point lacks or is out of order or outside the motion, there is no stroke, bounds cross, or the figure
        has no such joints.
    """
    told = f"Gesture '{name}'"
    found = _keytimes(motion) if sync is None else dict(sync)
    lacking = [point for point in SYNC_POINTS if point not in found]
    if lacking:
        raise GestureError(f"{told} lacks {quoted(lacking, 7)}. Mark when each of its phases begins and ends.")
    times = np.array([found[point] for point in SYNC_POINTS], dtype=np.float64)
    _check_phases(name, motion, times)
    if not 0.0 < bounds[0] <= 1.0 <= bounds[1] < np.inf:
        raise GestureError(
            f"{told} may be {bounds[0]:g} to {bounds[1]:g} times as long as recorded. Give a first number above 0 and"
            " up to 1, and a second one from 1 on."
        )
    skeleton = motion.channels.skeleton
    strange = [hand for hand in hands if hand not in skeleton.names]
    if strange or not hands:
        raise GestureError(
            f"{told} moves {quoted(strange) or 'no hand'}, which its figure does not have. Choose bones."
        )
    joints = tuple(skeleton.index(hand) for hand in hands)
    return Gesture(name, motion, np.clip(times, motion.start, end_of(motion)), joints, bounds, 1.0, mask)


def _check_phases(name: str, motion: Motion, times: Array) -> None:
    """Raise if sync points (7,) are out of order or outside a motion, or there is no stroke."""
    for (point, time), (later, then) in pairwise(zip(SYNC_POINTS, times.tolist(), strict=True)):
        if not (isfinite(time) and isfinite(then) and then >= time):
            raise GestureError(
                f"'{later}' of gesture '{name}' ({then:.3f} s) comes before '{point}' ({time:.3f} s). Move one of them."
            )
    begin, end = motion.start, end_of(motion)
    outside = [p for p, time in zip(SYNC_POINTS, times, strict=True) if not begin - WITHIN <= time <= end + WITHIN]
    if outside:
        raise GestureError(
            f"{quoted(outside, 7)} of gesture '{name}' lies outside its motion, which plays from {begin:.3f} to"
            f" {end:.3f} s. Move it into the motion."
        )
    if not (
        times[STROKE_START] < times[STROKE_END] and times[START] < times[STROKE_START] and times[RELAX] < times[END]
    ):
        raise GestureError(
            f"Gesture '{name}' has no stroke, or nothing before or after it: 'start', 'stroke_start', 'stroke_end'"
            " and 'end' must be apart. Move them."
        )


def _keytimes(motion: Motion) -> dict[str, float]:
    """Return the first keytime of each name of a motion."""
    if not isfinite(motion.duration):
        return {}
    marks = motion.marks_within(motion.start, end_of(motion))
    return {mark.name: mark.start for mark in reversed(marks) if mark.kind == "keytime"}
