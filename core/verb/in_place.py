"""Examples animated on the spot: their travel and turn are what the planted feet go and turn backward."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ..errors import ExampleError
from ..figure import quaternion as quat
from ..figure.channels import Channels
from ..figure.skeleton import point_positions
from .example import Contact, Example, Take, frames_of
from .travel import compose, rotate_plane

Array = NDArray[np.float64]

LEAST_TURN = np.radians(6.0)


def with_travel(example: Example, channels: Channels) -> Example:
    """The same example travelling: its root moves as the feet in contact do, the other way round.

    From one frame to the next the planted feet move over the floor as one rigid body. Its turn is told by the places of
    the points and by the rotations of the joints that carry them; the travel is what the points then still move. Where
    nothing is in contact, turn and travel are carried over from one contact to the next. Feet that turn by less than 6
    degrees in all are taken to slip (captured ones do by up to 5): the walk goes straight on, or as its own root turns.

    Raises
    ------
    ExampleError
        If it has no contact windows to tell its travel from.
    """
    take = example.take
    middles = 0.5 * (take.times[1:] + take.times[:-1])
    planted = np.array([_planted(contact, example, middles) for contact in example.contacts])
    if not planted.any():
        raise ExampleError(
            f"Example '{example.name}' is in place, but no contact tells how fast it goes. Mark when each foot is down."
        )
    centre = np.append(take.root[:, :2].mean(axis=0), 0.0)
    steps = np.diff(take.times)[:, None]
    speeds = _moves(example, channels, centre, planted) / steps
    rows = np.flatnonzero(planted.any(axis=0))
    carried = np.zeros_like(speeds)
    for axis in range(3):
        carried[:, axis] = np.interp(middles, middles[rows], speeds[rows, axis])
    carried[:, 2] -= _slip_of(carried[:, 2] * steps[:, 0], example)
    path = _followed(carried * steps)
    around = np.concatenate([take.root[:, :2] - centre[:2], np.zeros((len(path), 1))], axis=-1)
    root = np.concatenate([compose(path, around)[:, :2] + centre[:2], take.root[:, 2:]], axis=-1)
    rotations = take.rotations.copy()
    heading = quat.from_yaw(path[:, 2])
    rotations[:, 0] = quat.multiply(heading, rotations[:, 0])
    scalars = take.scalars
    if channels.travelling:
        scalars = _brought_along(channels, scalars, path, heading, centre)
        rows = channels.travelling_rows
        rotations[:, rows] = quat.multiply(heading[:, None], rotations[:, rows])
    return replace(example, take=replace(take, root=root, rotations=rotations, scalars=scalars), kind="travelling")


def _brought_along(channels: Channels, scalars: Array, path: Array, heading: Array, centre: Array) -> Array:
    """Scalars (F, S) whose travelling set is moved along the path (F, 3) and turned by its heading about `centre`."""
    moved, columns = scalars.copy(), channels.travelling_places - channels.scalar_columns.start
    places = quat.rotate(heading[:, None], scalars[:, columns] - centre) + centre
    places[..., :2] += path[:, None, :2]
    moved[:, columns] = places
    return moved


def _moves(example: Example, channels: Channels, centre: Array, planted: Array) -> Array:
    """What brings the planted feet back to where they were a frame before: travel and turn (F - 1, 3) about `centre`.

    The least squares' turn has the angle of a sum of complex numbers: of what each point's place and each joint's
    rotation say, by the square of the lever that says it, the distance from the points' middle and the bone's length.
    """
    shares = planted / np.maximum(planted.sum(axis=0), 1.0)
    places, rotations = _feet(example.contacts, example.take, channels)
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


def _slip_of(turns: Array, example: Example) -> float:
    """Radians a second of `turns` (F - 1,) that are slip: their mean over the example where they add up to little."""
    headings = np.concatenate([[0.0], np.cumsum(turns)])
    begin, end = np.interp(example.keytimes[[0, -1]], example.take.times, headings)
    return float(end - begin) / float(example.keytimes[-1]) if abs(end - begin) < LEAST_TURN else 0.0


def _followed(moves: Array) -> Array:
    """Path (F, 3) of `moves` (F - 1, 3), each done in the heading that the ones before have led to."""
    headings = np.concatenate([[0.0], np.cumsum(moves[:, 2])])
    steps = rotate_plane(moves[:, :2], headings[:-1])
    return np.concatenate([np.concatenate([np.zeros((1, 2)), np.cumsum(steps, axis=0)]), headings[:, None]], axis=-1)


def _planted(contact: Contact, example: Example, times: Array) -> Array:
    duration = example.keytimes[-1]
    inside = np.zeros(len(times), dtype=bool)
    for begin, end in contact.windows:
        for cycle in (-duration, 0.0, duration) if example.cyclic else (0.0,):
            inside |= (times >= begin + cycle) & (times <= end + cycle)
    return inside.astype(np.float64)


def _feet(contacts: tuple[Contact, ...], take: Take, channels: Channels) -> tuple[Array, Array]:
    """Places (C, F, 3) of the contact points and orientations (C, F, 4) of the joints that carry them."""
    positions, orientations = frames_of(take, channels)
    places = [point_positions(positions, orientations, contact.joint, contact.offset) for contact in contacts]
    return np.array(places), np.array([orientations[:, contact.joint] for contact in contacts])
