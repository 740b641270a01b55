"""Gestures: motions with the phases of [Kallmann2005] figure 1, between instants named after BML's sync points.

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
from ..figure.skeleton import Skeleton, forward_kinematics
from ..motion.clip import SYNC_POINTS, Motion, end_of

Array = NDArray[np.float64]

START, READY, STROKE_START, STROKE, STROKE_END, RELAX, END = range(len(SYNC_POINTS))
SHORTEST, LONGEST = 0.7, 1.5
"""Default bounds of a gesture's length, as multiples of its own length."""
WITHIN = 1e-6
"""Rounding tolerance in seconds by which an instant may be outside the motion."""
AT_ONCE = 8
"""Number of gestures analysed at once, which bounds the memory used."""
ALIKE = 1.0 - 1e-15
"""Cosine of half an angle above which the angle counts as 0, for rounding."""
EVERY = 1.0 / 60.0
"""Seconds between the poses from which the speed of a gesture is measured."""


@dataclass(frozen=True, eq=False)
class Gesture:
    """A motion with the phases of a gesture.

    Parameters
    ----------
    name : its name in messages.
    motion : the motion.
    sync : (7,) times of the sync points in seconds of the motion.
    hands : joints at the ends of the stroking limbs. How far they have to move between two gestures determines how long
        that takes.
    bounds : bounds of the length of each phase, as multiples of its recorded length.
    size : its size relative to the largest of its kind, from 0 to 1.
    mask : (J,) weight of each joint; None for everything that the motion moves.
    """

    name: str
    motion: Motion
    sync: Array
    hands: tuple[int, ...]
    bounds: tuple[float, float] = (SHORTEST, LONGEST)
    size: float = 1.0
    mask: Array | None = None

    def lasting(self, squeezed: float) -> float:
        """Return the length of phases squeezed by a share of what the bounds allow, relative to the recorded one."""
        return 1.0 - squeezed * (1.0 - self.bounds[0])

    @cached_property
    def known(self) -> "Known":
        """The poses and speeds of the gesture that planning uses."""
        return _learnt([self])[0]


@dataclass(frozen=True, eq=False)
class Known:
    """Data on the motion of a gesture that planning uses.

    Parameters
    ----------
    rotations : (7, J, 4) rotations of all joints at the sync points, in the character's space.
    places : (7, J, 3) positions of all joints at the sync points, in the character's space.
    hand_speed : largest speed of a hand in that space, in units a second.
    turn_speed : largest angular speed of any joint, in radians a second.
    """

    rotations: Array
    places: Array
    hand_speed: float
    turn_speed: float


def learn(gestures: Sequence[Gesture]) -> None:
    """Analyse gestures whose data will be needed, several at a time, which is faster than one by one."""
    alike: dict[tuple[int, int], dict[int, Gesture]] = {}
    for one in gestures:
        if "known" not in vars(one):
            alike.setdefault((id(one.motion.channels), id(one.mask)), {})[id(one)] = one
    for several in alike.values():
        new = list(several.values())
        for first in range(0, len(new), AT_ONCE):
            some = new[first : first + AT_ONCE]
            for one, known in zip(some, _learnt(some), strict=True):
                vars(one)["known"] = known  # Where the cached property stores it.


def _learnt(gestures: Sequence[Gesture]) -> list[Known]:
    """Return the data on gestures with the same channels and mask."""
    channels, mask, count = gestures[0].motion.channels, gestures[0].mask, len(SYNC_POINTS)
    clocks = [_looks(one) for one in gestures]
    rows = [one.motion.sample(np.concatenate([one.sync, clock])) for one, clock in zip(gestures, clocks, strict=True)]
    turns, places = poses_of(channels, np.concatenate([one[:count] for one in rows]), mask)
    moving, shifting = _level(channels, np.concatenate([one[count:] for one in rows]), mask)
    limbs, part = _limbs(channels.skeleton, [hand for one in gestures for hand in one.hands])
    paths, _ = forward_kinematics(part, moving[:, limbs], shifting[:, limbs])
    steps = np.zeros((len(paths), len(channels.skeleton.names)))
    steps[1:, limbs] = np.linalg.norm(np.diff(paths, axis=0), axis=-1)
    angles = np.append(0.0, largest_turn(moving[:-1], moving[1:]))
    found, first = list[Known](), 0
    for number, (one, clock) in enumerate(zip(gestures, clocks, strict=True)):
        sync, during = slice(count * number, count * (number + 1)), slice(first + 1, first + len(clock))
        first, step = first + len(clock), float(clock[1] - clock[0])
        speeds = float(steps[during, list(one.hands)].max()) / step, float(angles[during].max()) / step
        found.append(Known(turns[sync].copy(), places[sync].copy(), *speeds))
    return found


def _looks(gesture: Gesture) -> Array:
    """Return the times (T,) at which the speed of a gesture is sampled."""
    begin, end = float(gesture.sync[START]), float(gesture.sync[END])
    return np.linspace(begin, end, 2 + int((end - begin) / EVERY))


def largest_turn(first: Array, second: Array) -> Array:
    """Return the largest angle (...) in radians by which any joint rotates between rotations (..., J, 4), broadcast."""
    return _angles(np.abs(np.einsum("...jc,...jc->...j", first, second)).min(axis=-1))


def turns_between(first: Array, second: Array) -> Array:
    """Return the largest angles (N, M) in radians by which joints rotate from each (N, J, 4) to each (M, J, 4)."""
    cosines = np.matmul(first.transpose(1, 0, 2), second.transpose(1, 2, 0))
    return _angles(np.abs(cosines, out=cosines).min(axis=0))


def _angles(cosines: Array) -> Array:
    """Return angles (...) in radians from the cosines (...) of their halves."""
    return 2.0 * np.arccos(np.where(cosines < ALIKE, cosines, 1.0))


def poses_of(channels: Channels, values: Array, mask: Array | None) -> tuple[Array, Array]:
    """Return rotations (T, J, 4) and positions (T, J, 3) of all joints, in rows of a gesture's motion.

    Joints that the gesture does not move, by its mask (J,), count as not rotated.
    """
    turns, shifts = _level(channels, values, mask)
    return turns, forward_kinematics(channels.skeleton, turns, shifts)[0]


def _level(channels: Channels, values: Array, mask: Array | None) -> tuple[Array, Array]:
    """Return rotations (T, J, 4) and translations (T, J, 3) of all joints in rows, without travel."""
    level = values.copy()
    level[:, TRAVEL] = 0.0
    turns = all_rotations(channels, level)
    if mask is not None:
        turns[:, mask <= 0.0] = quat.IDENTITY
    return turns, all_locations(channels, level)


def _limbs(skeleton: Skeleton, hands: Sequence[int]) -> tuple[list[int], Skeleton]:
    """Return the joints from the root to some hands, and a skeleton of these alone."""
    joints = sorted({joint for hand in set(hands) for joint in skeleton.chain(hand)})
    return joints, skeleton.part(tuple(joints))


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
    name : its name in messages.
    motion : the motion, which is finite.
    hands : names of the joints at the ends of the stroking limbs.
    sync : times of the motion in seconds by sync point; by default those of its keytimes with these names.
    bounds, mask : as for `Gesture`.

    Raises
    ------
    GestureError
        If a sync point is missing, out of order or outside the motion, there is no stroke, bounds cross, or the figure
        has no such joints.
    """
    found = _keytimes(motion) if sync is None else dict(sync)
    times = phases_of(name, found, (motion.start, end_of(motion)))
    check_bounds(name, bounds)
    skeleton = motion.channels.skeleton
    strange = [hand for hand in hands if hand not in skeleton.names]
    if strange or not hands:
        raise GestureError(
            f"Gesture '{name}' moves {quoted(strange) or 'no hand'}, which its figure does not have. Choose its hand "
            "bones again."
        )
    joints = tuple(skeleton.index(hand) for hand in hands)
    return Gesture(name, motion, np.clip(times, motion.start, end_of(motion)), joints, bounds, 1.0, mask)


def phases_of(name: str, sync: Mapping[str, float], span: tuple[float, float]) -> Array:
    """Return the instants (7,) of the sync points of a gesture, checked.

    Parameters
    ----------
    name : its name in messages.
    sync : times in seconds by sync point.
    span : start and end of the motion in seconds.

    Raises
    ------
    GestureError
        If a sync point is missing, out of order or outside the motion, or there is no stroke.
    """
    lacking = [point for point in SYNC_POINTS if point not in sync]
    if lacking:
        raise GestureError(
            f"Gesture '{name}' lacks the keytimes {quoted(lacking, 7)}. Add them, or press Find Gesture Phases."
        )
    times = np.array([sync[point] for point in SYNC_POINTS], dtype=np.float64)
    for (point, time), (later, then) in pairwise(zip(SYNC_POINTS, times.tolist(), strict=True)):
        if not (isfinite(time) and isfinite(then) and then >= time):
            raise GestureError(
                f"'{later}' of gesture '{name}' ({then:.3f} s) comes before '{point}' ({time:.3f} s). Move one of them."
            )
    begin, end = span
    outside = [p for p, time in zip(SYNC_POINTS, times, strict=True) if not begin - WITHIN <= time <= end + WITHIN]
    if outside:
        raise GestureError(
            f"{quoted(outside, 7)} of gesture '{name}' is outside its motion, which lasts from {begin:.3f} to "
            f"{end:.3f} s. Move it inside."
        )
    if not (
        times[STROKE_START] < times[STROKE_END] and times[START] < times[STROKE_START] and times[RELAX] < times[END]
    ):
        raise GestureError(
            f"Gesture '{name}' has no stroke, or nothing before or after it: 'start', 'stroke_start', 'stroke_end' and "
            "'end' must be at different times. Move them apart."
        )
    return times


def check_bounds(name: str, bounds: tuple[float, float]) -> None:
    """Check the bounds of a gesture's relative length.

    Raises
    ------
    GestureError
        If the lower bound is not above 0 and at most 1, or the upper one is less than 1.
    """
    if not 0.0 < bounds[0] <= 1.0 <= bounds[1] < np.inf:
        raise GestureError(
            f"Gesture '{name}' may last {bounds[0]:g} to {bounds[1]:g} times its recorded length. Set Shortest above 0 "
            "and up to 1, and Longest to 1 or more."
        )


def _keytimes(motion: Motion) -> dict[str, float]:
    """Return, by name, the time of a motion's first keytime of that name."""
    if not isfinite(motion.duration):
        return {}
    marks = motion.marks_within(motion.start, end_of(motion))
    return {mark.name: mark.start for mark in reversed(marks) if mark.kind == "keytime"}
