"""Exclusive claims of layers, the resolution of conflicts between them, and correction of claimed distances."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import inf
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ..errors import quoted
from ..figure import quaternion as quat
from ..figure.chain_inverse_kinematics import LARGEST_TURN, moved
from ..figure.channels import Channels, rotations_of, with_rotations, world_frames, world_joints
from ..figure.skeleton import Skeleton
from .mixing import Mixer

Held = Literal["refuse", "wait", "replace", "share"]
"""Resolution for a layer that is started while another holds what it needs: it is refused, it waits until the other is
over, the other is faded out, or both are mixed."""


@dataclass(frozen=True)
class Claims:
    """What a motion of a layer or motion model cannot share while it plays.

    Parameters
    ----------
    joints : names of joints that no other motion may move.
    distances : pairs of names of joints whose distance is kept as in its own motion; the joints that lead to them are
        among `joints`.
    """

    joints: frozenset[str] = frozenset()
    distances: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Refusal:
    """The reason why a layer was not started.

    Parameters
    ----------
    time : time of the request in seconds.
    layer : name of the layer.
    holder : name of the layer that holds what it needs.
    joints : names of the joints that both need.
    until : time in seconds at which the holder will be over, infinite if it plays until it is stopped.
    """

    time: float
    layer: str
    holder: str
    joints: tuple[str, ...]
    until: float

    def __str__(self) -> str:
        end = "until it is stopped" if self.until == inf else f"for another {self.until - self.time:.1f} s"
        return (
            f"'{self.layer}' could not start: '{self.holder}' is using {quoted(self.joints)} {end}. Stop "
            f"'{self.holder}' first, or let '{self.layer}' wait for it."
        )


def common_joints(one: Claims, other: Claims) -> frozenset[str]:
    """Return the names of the joints that both claim."""
    return one.joints & other.joints


def told(skeleton: Skeleton, joints: Iterable[str]) -> tuple[str, ...]:
    """Return names of joints in order, those nearest to the root first."""
    return tuple(sorted(joints, key=skeleton.index))


def way_out(
    asking: str, holder: str, priorities: tuple[int, int], usual: Held, table: Mapping[tuple[str, str], Held]
) -> Held:
    """Return how to resolve a conflict of a layer with one that holds what it needs.

    Parameters
    ----------
    asking : name of the layer that is started.
    holder : name of the layer that holds what it needs.
    priorities : priorities of both; a layer of higher priority than the holder replaces it.
    usual : the asking layer's own setting.
    table : settings of pairs of layers, by the names of the asking one and of the holder; these have precedence.
    """
    if (asking, holder) in table:
        return table[asking, holder]
    return "replace" if priorities[0] > priorities[1] else usual


Array = NDArray[np.float64]

CLOSE = 1e-5
"""Tolerance of a distance, as a share of that distance."""
STEPS = 24
"""Maximum number of linear steps."""


def _distances(channels: Channels, values: Array, pair: tuple[int, int]) -> Array:
    """Return the distance (T,) between two joints in rows (T, width)."""
    places = world_joints(channels, values)[:, list(pair)]
    return np.linalg.norm(places[:, 0] - places[:, 1], axis=-1)


def _turning_joints(channels: Channels, mask: Array, pair: tuple[int, int]) -> tuple[NDArray[np.intp], Array]:
    """Return which of the rotating joints (C,) change the distance between two joints, and which of the two they move.

    These are joints with full weight in a mask (J,) that are above exactly one of the two.

    Returns
    -------
    columns : (C,) indices among the rotating joints.
    sides : (C,) 1 for joints above the second of the pair, -1 for those above the first.
    """
    one, other = (set(channels.skeleton.chain(joint)[1:]) for joint in pair)
    sides = [(joint in other) - float(joint in one) for joint in channels.rotating.tolist()]
    columns = np.flatnonzero((np.array(sides) != 0.0) & (mask[channels.rotating] >= 1.0))
    return columns, np.array(sides)[columns]


def kept_apart(mixer: Mixer, values: Array, layer: Array, weights: Array, joints_apart: tuple[str, str]) -> Array:
    """Return rows (T, width) in which two joints have the distance of a layer's own motion, as nearly as possible.

    Controls of the travelling set that carry them move along the line between the two; if there are none, the joints
    above them rotate as little as needed.

    Parameters
    ----------
    mixer : mixer of the layer.
    values : (T, width) rows after mixing.
    layer : (T, own width) rows of the layer.
    weights : (T,) weights of the layer. The distance is faded in with the layer.
    joints_apart : names of the two joints.

    Notes
    -----
    Linear steps, the smallest rotations that change the distance as needed, are damped by the remaining error times the
    curvature of the circles about the joints. So they end at a stretched chain if the distance is out of reach, and do
    not overshoot.
    """
    whole, skeleton = mixer.whole, mixer.whole.skeleton
    pair = skeleton.index(joints_apart[0]), skeleton.index(joints_apart[1])
    columns, sides = _turning_joints(whole, mixer.mask, pair)
    moving = _moving_controls(mixer, pair)
    if not len(columns) and not any(moving):
        return values
    wanted = _distances(mixer.own, layer, pair)
    if any(moving):
        return _controls_apart(mixer, values, weights, wanted, pair)
    joints, rotations, made = whole.rotating[columns], rotations_of(whole, values).copy(), values
    rows = np.arange(len(values))
    for step in range(STEPS):
        places, frames = world_frames(whole, made[rows])
        line = places[:, pair[1]] - places[:, pair[0]]
        length = np.linalg.norm(line, axis=-1)
        if step == 0:
            wanted = length + weights * (wanted - length)
        off = np.abs(wanted[rows] - length) > CLOSE * wanted[rows]
        if not off.any():
            break
        rows, line, length, places, frames = rows[off], line[off], length[off], places[off], frames[off]
        along = (line / np.maximum(length, np.finfo(np.float64).tiny)[:, None])[:, None]
        ends = np.where(sides[:, None] > 0.0, places[:, pair[1], None], places[:, pair[0], None])
        arms, more = ends - places[:, joints], wanted[rows] - length
        slopes = sides[:, None] * np.asarray(np.cross(arms, along), dtype=np.float64)
        bent = np.abs(more) * np.sqrt(np.square(arms).sum(axis=(1, 2)))
        turns = slopes * (more / (np.square(slopes).sum(axis=(1, 2)) + bent))[:, None, None]
        largest = np.linalg.norm(turns, axis=-1).max(axis=1)
        turns *= np.minimum(1.0, LARGEST_TURN / np.maximum(largest, LARGEST_TURN))[:, None, None]
        above = quat.multiply(frames[:, skeleton.parents[joints]], skeleton.rests[joints])
        turned = quat.multiply(quat.exp(quat.rotate(quat.conjugate(above), turns)), rotations[rows[:, None], columns])
        rotations[rows[:, None], columns] = quat.normalize(turned)
        made = with_rotations(whole, values, rotations)
    return made


def _moving_controls(mixer: Mixer, pair: tuple[int, int]) -> list[bool]:
    """Return, for each of two joints, whether a travelling control of full weight in the layer carries it alone."""
    controls = [mixer.whole.traveller_of(joint) for joint in pair]
    joints = mixer.whole.travelling_joints
    return [controls[0] != controls[1] and one is not None and bool(mixer.mask[joints[one]] >= 1.0) for one in controls]


def _controls_apart(mixer: Mixer, values: Array, weights: Array, own: Array, pair: tuple[int, int]) -> Array:
    """Return rows (T, width) in which controls move two joints to a distance `own` (T,), by weights (T,)."""
    whole, moving = mixer.whole, _moving_controls(mixer, pair)
    places = world_joints(whole, values)[:, list(pair)]
    line = places[:, 1] - places[:, 0]
    apart = np.maximum(np.linalg.norm(line, axis=-1), np.finfo(np.float64).tiny)
    more = (weights * (own / apart - 1.0) / sum(moving))[:, None] * line
    for joint, moves, way in zip(pair, moving, (-more, more), strict=True):
        control = whole.traveller_of(joint)
        if control is not None and moves:
            values = moved(whole, values, control, way)
    return values
