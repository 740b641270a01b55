"""Verbs brought to common columns and a common heading, so that their poses can be mixed as they are."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ..figure import quaternion as quat
from ..figure.channels import Channels, Scalar
from ..verb.mixture import Group, Mixture
from ..verb.verb import Verb

Array = NDArray[np.float64]
Key = tuple[str, int, str, int]

SAME = 1e-6
REST = {"location": 0.0, "scale": 1.0}


def in_common(verbs: Sequence[Verb]) -> tuple[Verb, ...]:
    """`verbs`, all on one skeleton, with the columns of all of them and the heading of the first."""
    channels = union_channels(verbs)
    scalars = resting_scalars(channels, verbs)
    return tuple(conform(verb, channels, scalars, verbs[0].reference) for verb in verbs)


def union_channels(verbs: Sequence[Verb]) -> Channels:
    """Channels of whatever any of `verbs`, all on one skeleton, animates.

    A joint that none of them animates is among them too where the verbs hold it differently. A scalar is held if every
    verb that has it holds it.
    """
    first = verbs[0].channels
    statics = np.array([quat.align(verb.channels.static, first.static) for verb in verbs])
    moved = np.abs(statics - statics[0]).max(axis=(0, 2)) > SAME
    for verb in verbs:
        moved[verb.channels.rotating] = True
    scalars: dict[Key, Scalar] = {}
    for scalar in (scalar for verb in verbs for scalar in verb.channels.scalars):
        known = scalars.setdefault(_key(scalar), scalar)
        scalars[_key(scalar)] = replace(known, held=known.held and scalar.held)
    rotating = np.flatnonzero(moved).astype(np.intp)
    return Channels(first.skeleton, rotating, tuple(scalars.values()), first.static, first.travelling)


def resting_scalars(channels: Channels, verbs: Sequence[Verb]) -> Array:
    """Values (S,) of the scalars where a verb does not animate them.

    Locations and scales are at rest. A property keeps the value with which the first of `verbs` that has it begins, so
    that a switch which only some verbs hold stays as it is in the others.
    """
    values = np.zeros(len(channels.scalars))
    for index, scalar in enumerate(channels.scalars):
        owner = next(verb for verb in verbs if _key(scalar) in map(_key, verb.channels.scalars))
        place = [_key(own) for own in owner.channels.scalars].index(_key(scalar))
        column = owner.channels.scalar_columns.start + place
        begins = owner.sample_phases(np.zeros(1), np.eye(len(owner.example_names))[0])[0, column]
        values[index] = REST.get(scalar.kind, float(begins))
    return values


def conform(verb: Verb, channels: Channels, scalars: Array, reference: Array) -> Verb:
    """`verb` with the columns of `channels`, its headings counted from `reference`.

    What it does not animate keeps the static rotation that it has in this verb, or the value in `scalars`.

    Parameters
    ----------
    channels : those of the verb among them.
    scalars : (S,) values of scalars that the verb does not have.
    reference : (4,) rotation of the root at heading 0. The verb turns by as much as its own is turned about +Z from it.
    """
    turn = float(quat.yaw_of(quat.multiply(verb.reference, quat.conjugate(reference))))
    if _same_columns(verb.channels, channels) and abs(turn) < SAME:
        return verb
    taken, filled = _columns(verb.channels, channels, scalars)
    mixture = Mixture(channels, ())
    groups = tuple(_turned(channels, _widened(group, mixture, taken, filled), -turn) for group in verb.mixture.groups)
    drifts = verb.drifts.copy()
    drifts[..., :2] = quat.rotate(quat.from_yaw(-turn), _in_space(drifts[..., :2]))[..., :2]
    return replace(verb, channels=channels, mixture=replace(mixture, groups=groups), drifts=drifts, reference=reference)


def _key(scalar: Scalar) -> Key:
    return scalar.path, scalar.joint, scalar.kind, scalar.axis


def _same_columns(mine: Channels, theirs: Channels) -> bool:
    return (
        np.array_equal(mine.rotating, theirs.rotating)
        and mine.scalars == theirs.scalars
        and np.allclose(mine.static, theirs.static, atol=SAME)
    )


def _columns(mine: Channels, theirs: Channels, scalars: Array) -> tuple[NDArray[np.intp], Array]:
    """For each pose column of `theirs`, which of mine it is or -1, and its value where it is none of them."""
    rotating, keys = mine.rotating.tolist(), [_key(scalar) for scalar in mine.scalars]
    taken = [0, 1, 2]
    for joint in theirs.rotating.tolist():
        place = 3 + 4 * rotating.index(joint) if joint in rotating else None
        taken += [-1] * 4 if place is None else range(place, place + 4)
    first = 3 + 4 * len(rotating)
    taken += [first + keys.index(_key(s)) if _key(s) in keys else -1 for s in theirs.scalars]
    filled = np.concatenate([np.zeros(3), mine.static[theirs.rotating].reshape(-1), scalars])
    return np.array(taken, dtype=np.intp), filled


def _widened(group: Group, mixture: Mixture, taken: NDArray[np.intp], filled: Array) -> Group:
    """Control points of `group` in the columns of `mixture`."""
    controls = np.zeros((*group.controls.shape[:2], mixture.padded), dtype=np.float32)
    controls[..., 1 : 1 + mixture.columns] = np.where(taken >= 0, group.controls[..., 1 + taken], filled)
    return replace(group, controls=controls)


def _turned(channels: Channels, group: Group, turn: float) -> Group:
    """`group` with its root and travelling set turned by `turn` radians about +Z; a zero lies before its columns."""
    controls, heading = group.controls.copy(), quat.from_yaw(turn)
    controls[..., 1:4] = quat.rotate(heading, controls[..., 1:4])
    controls[..., 4:8] = quat.multiply(heading, controls[..., 4:8])
    for row, places in zip(channels.travelling_rows, channels.travelling_places - 2, strict=True):
        columns = slice(4 + 4 * row, 8 + 4 * row)
        controls[..., columns] = quat.multiply(heading, controls[..., columns])
        controls[..., places] = quat.rotate(heading, controls[..., places])
    return replace(group, controls=controls)


def _in_space(plane: Array) -> Array:
    return np.concatenate([plane, np.zeros_like(plane[..., :1])], axis=-1)
