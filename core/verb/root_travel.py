"""The travel of keyed motions: recovered from the feet of in-place examples, or taken from the root path of clips."""

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ..errors import ExampleError
from ..figure import quaternion as quat
from ..figure.channels import Channels, columns_in
from ..figure.skeleton import point_positions
from ..motion.clip import Clip
from ..motion.resampling import correlated, smoothed_path
from ..motion.travel import compose, headings_of, path_of, relative
from .canonical import move_travelling_set
from .example import Contact, Example, Take, frames_of

Array = NDArray[np.float64]
SWAY = 0.3
"""Seconds over which the root's path is smoothed, to remove its sway."""
STEADY = 0.1
"""Standard deviation, in seconds, of the weights that average speeds around the end of a contact."""
LEAST_TURN = np.radians(6.0)
"""Turn of the planted feet in radians, over an in-place example, from which it counts as one of the body, not as
slip."""


def with_travel(example: Example, channels: Channels) -> Example:
    """Return an in-place example as one that travels, with its travel recovered from the planted feet.

    The root moves over the floor opposite to the sliding of the feet in contact. From one frame to the next the planted
    feet move over the floor as one rigid body. Its turn follows from the positions of the points and the rotations of
    the joints that carry them, and its travel is the remaining motion of the points. Where nothing is in contact, turn
    and travel are interpolated from one contact to the next, between averages around the contacts' ends. Feet that turn
    by less than 6 degrees in all count as slipping (captured feet slip by up to 5); the walk then goes straight on, or
    turns as its root does.

    Raises
    ------
    ExampleError
        If it has no contact window during which its travel can be measured.
    """
    take = example.take
    middles = 0.5 * (take.times[1:] + take.times[:-1])
    planted = np.array([_planted(contact, example, middles) for contact in example.contacts])
    if not planted.any():
        raise ExampleError(
            f"Example '{example.name}' is in place, but no contact shows how fast it goes. Mark when each foot is down."
        )
    centre = np.append(take.root[:, :2].mean(axis=0), 0.0)
    steps = np.diff(take.times)[:, None]
    speeds = _floor_motion(example, channels, centre, planted) / steps
    held = planted.any(axis=0)
    carried = _between_contacts(middles, held, speeds)
    carried[held] = speeds[held]
    carried[:, 2] -= _slip_rate(carried[:, 2] * steps[:, 0], example)
    path = path_of(carried * steps)
    around = np.concatenate([take.root[:, :2] - centre[:2], np.zeros((len(path), 1))], axis=-1)
    root = np.concatenate([compose(path, around)[:, :2] + centre[:2], take.root[:, 2:]], axis=-1)
    rotations = take.rotations.copy()
    heading = quat.from_yaw(path[:, 2])
    rotations[:, 0] = quat.multiply(heading, rotations[:, 0])
    scalars = take.scalars
    if channels.travelling:
        scalars = _with_moved_controls(channels, scalars, path, heading, centre)
        rows = channels.travelling_rows
        rotations[:, rows] = quat.multiply(heading[:, None], rotations[:, rows])
    return replace(example, take=replace(take, root=root, rotations=rotations, scalars=scalars), kind="travelling")


def _between_contacts(times: Array, held: NDArray[np.bool_], speeds: Array) -> Array:
    """Return speeds (T, 3) at `times` (T,) between contacts, from averages around the ends of the contacts.

    A single frame is unreliable: a captured foot jitters by as much as it turns in one frame.

    Parameters
    ----------
    times : (T,) seconds, about evenly spaced.
    held : (T,) whether something is in contact.
    speeds : (T, 3) speeds, valid where something is in contact.
    """
    width = STEADY * (len(times) - 1) / max(float(times[-1] - times[0]), 1e-12)
    reach = np.arange(-math.ceil(3.0 * width), math.ceil(3.0 * width) + 1)
    counted = np.zeros((len(times), 4))
    counted[held, :3], counted[held, 3] = speeds[held], 1.0
    sums = correlated(counted, np.exp(-0.5 * (reach / max(width, 1e-12)) ** 2))[held]
    found = np.zeros_like(speeds)
    for axis in range(3):
        found[:, axis] = np.interp(times, times[held], sums[:, axis] / sums[:, 3])
    return found


def _with_moved_controls(channels: Channels, scalars: Array, path: Array, heading: Array, centre: Array) -> Array:
    """Return scalars (F, S) whose travelling set follows `path` (F, 3), rotated by `heading` (F, 4) about `centre`."""
    moved, columns = scalars.copy(), channels.travelling_places - channels.scalar_columns.start
    places = quat.rotate(heading[:, None], scalars[:, columns] - centre) + centre
    places[..., :2] += path[:, None, :2]
    moved[:, columns] = places
    return moved


def _floor_motion(example: Example, channels: Channels, centre: Array, planted: Array) -> Array:
    """Return the motion (F - 1, 3), x, y and turn about `centre`, that moves planted feet back by one frame.

    In least squares over points and joints the turn is the angle of a sum of complex numbers, one per point position
    and one per joint rotation. Each is weighted by its squared lever arm: the distance from the centroid of the points,
    or the bone length.

    Parameters
    ----------
    example : the example in place.
    channels : channels that it animates.
    centre : (3,) mean position of the root over the floor.
    planted : (C, F - 1) 1 where a contact point is planted between two frames, else 0.
    """
    shares = planted / np.maximum(planted.sum(axis=0), 1.0)
    positions, orientations = frames_of(example.take, channels)
    places = np.array([point_positions(positions, orientations, c.joint, c.offset) for c in example.contacts])
    rotations = np.array([orientations[:, contact.joint] for contact in example.contacts])
    points = places[..., 0] - centre[0] + 1j * (places[..., 1] - centre[1])
    before, after = points[:, :-1], points[:, 1:]
    middle_before, middle_after = np.sum(shares * before, axis=0), np.sum(shares * after, axis=0)
    turned = np.sum(shares * (before - middle_before) * np.conj(after - middle_after), axis=0)
    yaws = quat.yaw_of(quat.multiply(rotations[:, :-1], quat.conjugate(rotations[:, 1:])))
    bones = np.linalg.norm(channels.skeleton.tails[[c.joint for c in example.contacts]], axis=-1)
    turned += np.sum(shares * bones[:, None] ** 2 * np.exp(1j * yaws), axis=0)
    turns = np.arctan2(turned.imag, turned.real)
    travel = middle_before - middle_after * np.exp(1j * turns)
    return np.stack([travel.real, travel.imag, turns], axis=-1)


def _slip_rate(turns: Array, example: Example) -> float:
    """Return the slip in radians a second of `turns` (F - 1,): their mean if their sum is small, else 0."""
    headings = np.concatenate([[0.0], np.cumsum(turns)])
    begin, end = np.interp(example.keytimes[[0, -1]], example.take.times, headings)
    return float(end - begin) / float(example.keytimes[-1]) if abs(end - begin) < LEAST_TURN else 0.0


def _planted(contact: Contact, example: Example, times: Array) -> Array:
    """Return 1 for the `times` (T,) at which a contact point is planted, and 0 for the others."""
    duration = example.keytimes[-1]
    inside = np.zeros(len(times), dtype=bool)
    for begin, end in contact.windows:
        for cycle in (-duration, 0.0, duration) if example.cyclic else (0.0,):
            inside |= (times >= begin + cycle) & (times <= end + cycle)
    return inside.astype(np.float64)


def clip_of(
    take: Take, channels: Channels, own: Channels, facing: Array, travels: bool, made: Callable[[Array], Clip]
) -> tuple[Clip, Array]:
    """Return a take as a clip at evenly spaced times.

    Its travel is the smoothed path of the root, so that swaying belongs to the pose.

    Parameters
    ----------
    take : the take, in `channels`.
    channels : channels of all takes that were read together.
    own : channels of this take.
    facing : (4,) rotation of the root at heading 0.
    travels : whether the root moves the figure along; otherwise the clip stays where it begins.
    made : function that makes the clip from values (T, width) of its own channels.

    Returns
    -------
    clip : Clip
    origin : (3,) travel at second 0, in performance space.
    """
    headings = headings_of(take.rotations[:, 0], facing)
    path = np.concatenate([take.root[:, :2], headings[:, None]], axis=-1)
    begin = int(np.searchsorted(take.times, 0.0))
    path = smoothed_path(take.times, path, SWAY)[0] if travels else np.tile(path[begin], (len(path), 1))
    after = min(max(begin, 1), len(path) - 1)
    share = -take.times[after - 1] / (take.times[after] - take.times[after - 1])
    origin = path[after - 1] + share * (path[after] - path[after - 1])
    back = quat.from_yaw(-path[:, 2])
    rotations, scalars = take.rotations.copy(), take.scalars.copy()
    rotations[:, 0] = quat.multiply(back, rotations[:, 0])
    shift = np.append(path[:, :2], np.zeros((len(path), 1)), axis=1)
    move_travelling_set(channels, rotations, scalars, back, shift)
    place = quat.rotate(back, take.root - shift)
    values = np.concatenate([relative(origin, path), place, rotations.reshape(len(path), -1), scalars], axis=1)
    return made(values[:, columns_in(own, channels)]), origin
