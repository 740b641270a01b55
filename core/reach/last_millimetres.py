"""The last millimetres: joints are rotated slightly so that a point meets its target ([Rose2001] section 4.3).

The error left by the adverbs, the pseudo-examples and the search is removed by inverse kinematics on the joints above
the point, within their limits. The correction is solved once for each point of the adverb space, at the keytime. It is
eased in and out around that keytime, and is passed through players and bakes with the weights; see `Verb.mixing`.
"""

import math
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import VerbError
from ..figure import quaternion as quat
from ..figure.chain_inverse_kinematics import chain_columns, reach
from ..figure.channels import FIRST_ROTATION, rotations_of, world_points
from ..figure.joint_limits import JointLimits
from ..figure.lock_point import LockPoint
from ..figure.vector_components import smooth
from ..verb.verb import Verb
from .measures import Aim, MeasuredPlace, once_each, values_at
from .refine import beyond_hull, hull_faces

Array = NDArray[np.float64]

FASTER = 1.3
"""Maximum joint speed, as a multiple of the largest joint speed in the examples."""
ALWAYS = 0.1
"""Speed that corrections may always add, as a multiple of the same, even if the motion itself is that fast."""
CLOSE = 1e-5
"""Tolerated distance from the target, in lengths of the chain."""
STEPS = 40
FADES = (0.01, 0.05)
"""Distances beyond the hull of the examples where the correction begins to fade and is gone, in adverb ranges."""
PARTS = 32
"""Number of parts of each segment in which speeds are measured."""
AT_ONCE = 500
"""Number of points that are solved together; limited since each needs the poses of a whole motion."""
RESTING = 1e-3
"""Speed in radians a second below which a joint counts as at rest."""


@dataclass(frozen=True, eq=False)
class Touch:
    """Points with targets at one keytime, the joints that rotate to reach them, and the easing of the rotations.

    Parameters
    ----------
    phase : generic time of the keytime.
    world : whether to include the travel since the start.
    places : the points, with the components of their positions that have targets.
    joints : (C,) the joints of the skeleton that rotate.
    length : length of the longest chain of these joints, performance units.
    before : two spans of generic time before the keytime: in which the rotations are held, and in which, before that,
        they are eased in; either may be infinite.
    after : likewise after the keytime: in which they are held, and in which they are then eased out.
    cyclic : whether the keytime repeats in each cycle.
    """

    phase: float
    world: bool
    places: tuple[MeasuredPlace, ...]
    joints: NDArray[np.intp]
    length: float
    before: tuple[float, float]
    after: tuple[float, float]
    cyclic: bool

    def shares(self, phases: Array) -> Array:
        """Return the smooth weight (T,) of the rotations at generic times `phases` (T,); 1 at the keytime."""
        since = np.asarray(phases, dtype=np.float64) - self.phase
        if not self.cyclic:
            return self._eased(since)
        since = since - np.floor(since)
        after, before = self._eased(since), self._eased(since - 1.0)
        return after + before - after * before

    def _eased(self, since: Array) -> Array:
        """Return the weight (T,) at generic times `since` (T,) relative to the keytime, negative before it."""
        away = np.where(since < 0.0, -since - self.before[0], since - self.after[0])
        lasting = np.where(since < 0.0, self.before[1], self.after[1])
        return np.asarray(1.0 - smooth(np.clip(away / lasting, 0.0, 1.0)), dtype=np.float64)


@dataclass(frozen=True, eq=False)
class TouchingVerb(Verb):
    """A verb whose joints are rotated to reach the targets of its adverbs, live and in bakes.

    In a verb graph its channels may be those of all verbs there. Corrections are solved with the verb as it was built.

    Parameters
    ----------
    searched : the verb without corrections, as it was built, perhaps refined and searched.
    aim : targets of its adverbs.
    touches : points and targets at each keytime.
    limits : limits of all joints; None if there are none.
    everywhere : whether to correct beyond the hull of the examples as well.
    faces : faces of that hull, in ranges of the adverbs; None to use the ranges instead.
    fastest : largest speed of any of the joints in the examples, radians a second.
    """

    searched: Verb
    aim: Aim
    touches: tuple[Touch, ...]
    limits: JointLimits | None
    everywhere: bool
    faces: tuple[Array, Array] | None
    fastest: float

    def weights(self, adverbs: ArrayLike) -> Array:
        """Return the weights (..., N) of the examples at `adverbs` (..., D)."""
        return self.searched.weights(adverbs)

    def mixing(self, adverbs: ArrayLike) -> Array:
        """Return the weights at `adverbs` (..., D), followed by the rotation vectors of all corrected joints."""
        return once_each(adverbs, lambda places: _mixed_by_blocks(self, places))

    def poses(self, phases: Array, weights: Array) -> Array:
        """Return poses (T, width - 3) at generic times `phases` (T,), corrected if `weights` is from `mixing`."""
        count = len(self.example_names)
        made = super().poses(phases, weights[..., :count])
        more = np.atleast_2d(weights)[:, count:]
        if not more.any():
            return made
        first = 0
        for touch in self.touches:
            turns = more[:, first : first + 3 * len(touch.joints)].reshape(len(more), -1, 3)
            first += 3 * len(touch.joints)
            columns = (FIRST_ROTATION - 3 + 4 * _rows(self, touch.joints)[:, None] + np.arange(4)).reshape(-1)
            eased = quat.exp(touch.shares(phases)[:, None, None] * turns)
            given = made[:, columns].reshape(len(phases), -1, 4)
            turned = quat.multiply(eased, given)
            if self.limits is not None:
                turned = self.limits.part(touch.joints).nearest(turned, given)
            made[:, columns] = turned.reshape(len(phases), -1)
        return made

    @property
    def motion_key(self) -> object:
        """Key that is equal for verbs with the same poses at the same adverbs and generic times."""
        return self.mixture, self.touches


def _mixed_by_blocks(verb: TouchingVerb, places: Array) -> Array:
    """Return the result of `TouchingVerb.mixing` at `places` (P, D), computed in blocks."""
    blocks = [places[begin : begin + AT_ONCE] for begin in range(0, max(len(places), 1), AT_ONCE)]
    return np.concatenate([_mixed(verb, block) for block in blocks])


def _mixed(verb: TouchingVerb, points: Array) -> Array:
    """Return the result of `TouchingVerb.mixing` at `points` (B, D)."""
    weights, shares = verb.weights(points), in_hull(verb, points)
    parts = [weights]
    for touch in verb.touches:
        turns = _solved(verb, touch, points, weights) * shares[:, None, None]
        turns *= _bearable(verb, touch, weights, turns)[:, None, None]
        parts.append(turns.reshape(len(points), -1))
    return np.concatenate(parts, axis=1)


def touching(
    verb: Verb, aim: Aim, limits: JointLimits | None, everywhere: bool = False, hull: bool = True
) -> TouchingVerb:
    """Return `verb` with its joints rotated at every evaluation to reach the targets of `aim`.

    Parameters
    ----------
    verb : the verb, perhaps refined and searched.
    aim : targets of its adverbs.
    limits : limits of all its joints; None if there are none.
    everywhere : whether to correct beyond the hull of the examples as well.
    hull : whether to compute that hull; otherwise the ranges of the adverbs are used.

    Raises
    ------
    VerbError
        If there is no target, or no joint can be rotated to reach it.
    """
    keytimes: dict[tuple[float, bool], list[MeasuredPlace]] = {}
    for place in aim.measure.places:
        keytimes.setdefault((place.phase, place.world), []).append(place)
    if not keytimes:
        raise VerbError(
            f"The adverbs of verb '{verb.name}' do not measure a position, so IK has no target. Let them measure where "
            "a bone is at a keytime, or set With IK to Off."
        )
    if len({phase for phase, _ in keytimes}) < len(keytimes):
        raise VerbError(
            f"Verb '{verb.name}' measures positions at one keytime both From the Start and From the Root. Use the same "
            "for all of them, or set With IK to Off."
        )
    turning = {key: _turning(verb, places) for key, places in keytimes.items()}
    every = np.unique(np.concatenate(list(turning.values())))
    speeds = _joint_speeds(verb, np.eye(len(verb.example_names)), every)
    still = speeds.max(axis=(0, 1)).reshape(-1, PARTS).max(axis=1) <= RESTING
    touches = tuple(
        Touch(phase, world, tuple(places), turning[phase, world], _length(verb, places), *eases, verb.cyclic)
        for (phase, world), places in keytimes.items()
        for eases in [_eases(verb, phase, still, {_at(phase, verb.cyclic) for phase, _ in keytimes})]
    )
    own = {field.name: getattr(verb, field.name) for field in fields(Verb)}
    extents = np.ptp(verb.adverb_ranges, axis=1)
    faces = hull_faces(verb.places / extents) if hull else None
    return TouchingVerb(
        **own,
        searched=verb,
        aim=aim,
        touches=touches,
        limits=limits,
        everywhere=everywhere,
        faces=faces,
        fastest=float(speeds.max()),
    )


def _rows(verb: Verb, joints: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return the indices (C,) of some joints among the rotating joints of a verb."""
    rotating = verb.channels.rotating.tolist()
    return np.array([rotating.index(joint) for joint in joints.tolist()], dtype=np.intp)


def _turning(verb: Verb, places: list[MeasuredPlace]) -> NDArray[np.intp]:
    """Return the joints (C,) that rotate to reach some places."""
    found: list[NDArray[np.intp]] = []
    for place in places:
        name, control = verb.channels.skeleton.names[place.joint], verb.channels.traveller_of(place.joint)
        columns = chain_columns(verb.channels, place.joint, place.offset)
        if control is not None or not len(columns):
            led, bare = "follows a separately keyed control", "has no parent that the examples rotate"
            why = bare if control is None else led
            raise VerbError(
                f"IK cannot bring '{name}' of verb '{verb.name}' to its target, because it {why}. Measure a bone whose "
                "parents rotate in the examples, or set With IK to Off."
            )
        found.append(verb.channels.rotating[columns])
    return np.unique(np.concatenate(found))


def _length(verb: Verb, places: list[MeasuredPlace]) -> float:
    """Return the length of the longest chain that moves one of the places, from its first rotating joint."""
    lengths: list[float] = []
    for place in places:
        turning = set(verb.channels.rotating[chain_columns(verb.channels, place.joint, place.offset)].tolist())
        chain = verb.channels.skeleton.chain(place.joint)
        links = np.linalg.norm(verb.channels.skeleton.offsets[list(chain)], axis=1)
        top = max(step for step, joint in enumerate(chain) if joint in turning)
        lengths.append(float(links[:top].sum() + np.linalg.norm(place.offset)))
    return max(lengths)


def _eases(
    verb: Verb, phase: float, still: NDArray[np.bool_], asked: set[float]
) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return how long the rotations are held before and after a keytime, and how long they are then eased.

    They are held while all joints rest in all examples, so that resting joints stay at rest, and are eased within the
    next segment in which a joint moves. Holding and easing also end at another keytime that has its own correction.
    """
    generic, count = verb.phrasing.generic.tolist(), len(still)
    here = int(np.argmin(np.abs(verb.phrasing.generic - phase)))
    both: list[tuple[float, float]] = []
    for way in (-1, 1):
        held, segment = 0.0, here if way > 0 else here - 1
        for _ in range(count):
            if not verb.cyclic and not 0 <= segment < count:
                break
            one = segment % count
            length = generic[one + 1] - generic[one]
            if not still[one] or _at(generic[one + (way > 0)], verb.cyclic) in asked:
                both.append((held, length))
                break
            held, segment = held + length, segment + way
        if len(both) < (way + 3) // 2:
            both.append((math.inf, 1.0))
    return both[0], both[1]


def _at(phase: float, cyclic: bool) -> float:
    """Return a generic time; the end of a cycle becomes its beginning."""
    return phase % 1.0 if cyclic else phase


def in_hull(verb: TouchingVerb, points: Array) -> Array:
    """Return the weight (B,) of the correction at `points` (B, D): 1 between the examples, fading to 0 beyond."""
    if verb.everywhere:
        return np.ones(len(points))
    extents = np.ptp(verb.adverb_ranges, axis=1)
    if verb.faces is not None:
        beyond = beyond_hull(verb.faces, points / extents)
    else:
        low, high = verb.adverb_ranges.T
        beyond = np.max(np.maximum(low - points, points - high) / extents, axis=1)
    return np.asarray(1.0 - smooth(np.clip((beyond - FADES[0]) / (FADES[1] - FADES[0]), 0.0, 1.0)), dtype=np.float64)


def _solved(verb: TouchingVerb, touch: Touch, points: Array, weights: Array) -> Array:
    """Return rotation vectors (B, C, 3), in the rest axes of the joints, that bring the points to their targets.

    Parameters
    ----------
    points : (B, D) requested adverbs.
    weights : (B, N) weights of the examples there.
    """
    values = values_at(verb.searched, weights, touch.phase, touch.world)
    solved = reached(verb, touch, values, targets_of(verb, touch, points, values))
    rows = _rows(verb.searched, touch.joints)
    given, made = (rotations_of(verb.searched.channels, each)[:, rows] for each in (values, solved))
    return quat.log(quat.multiply(made, quat.conjugate(given)))


def targets_of(verb: TouchingVerb, touch: Touch, points: Array, values: Array) -> Array:
    """Return targets (P, B, 3) of the points; along axes without a target, their current positions."""
    asked = verb.aim.asked(points)
    targets = np.stack([world_points(verb.searched.channels, values, p.joint, p.offset) for p in touch.places])
    for target, place in zip(targets, touch.places, strict=True):
        target[:, list(place.axes)] = asked[:, list(place.components)]
    return targets


def reached(verb: TouchingVerb, touch: Touch, values: Array, targets: Array) -> Array:
    """Return rows (B, width) with joints rotated so that the points are at `targets` (P, B, 3), or near them."""
    channels = verb.searched.channels
    named = [LockPoint(channels.skeleton.names[p.joint], p.joint, p.offset) for p in touch.places]
    return reach(channels, values, named, targets, tolerance=CLOSE * touch.length, iterations=STEPS, limits=verb.limits)


def _joint_speeds(verb: Verb, weights: Array, joints: NDArray[np.intp]) -> Array:
    """Return speeds (B, C, S * PARTS) of some joints under `weights` (B, N), radians a second."""
    phases, seconds = _parts(verb, weights)
    values = verb.sample_phases(np.tile(phases, len(weights)), np.repeat(weights, len(phases), axis=0))
    turns = rotations_of(verb.channels, values)[:, _rows(verb, joints)].reshape(len(weights), len(phases), -1, 4)
    return np.moveaxis(quat.angle_between(turns[:, :-1], turns[:, 1:]) / seconds[..., None], 1, 2)


def _parts(verb: Verb, weights: Array) -> tuple[Array, Array]:
    """Return generic times (S * PARTS + 1,) between which speeds are measured, and seconds between them (B, ...).

    Each segment has `PARTS` parts of even length.
    """
    generic = verb.phrasing.generic
    phases = np.interp(np.arange(PARTS * (len(generic) - 1) + 1) / PARTS, np.arange(len(generic)), generic)
    return phases, np.repeat(verb.phrasing.lengths(weights) / PARTS, PARTS, axis=1)


def _bearable(verb: TouchingVerb, touch: Touch, weights: Array, turns: Array) -> Array:
    """Return the largest share (B,) of `turns` (B, C, 3), at most 1, with which no joint rotates too fast.

    Easing adds its own speed to that of the motion under `weights` (B, N); the sum may be `FASTER` times the largest
    speed in the examples. A mixture may already be that fast by itself; then up to `ALWAYS` times that speed is still
    added, since a target should not be missed because of other joints.
    """
    shares = np.ones(len(weights))
    amounts = np.linalg.norm(turns, axis=-1)
    open_ = np.flatnonzero(amounts.max(axis=1, initial=0.0) > 0.0)
    if not len(open_):
        return shares
    phases, seconds = _parts(verb, weights[open_])
    added = amounts[open_, :, None] * (np.abs(np.diff(touch.shares(phases))) / seconds)[:, None]
    own = _joint_speeds(verb.searched, weights[open_], touch.joints)
    room = np.maximum(FASTER * verb.fastest - own, ALWAYS * verb.fastest)
    most = np.where(added > 0.0, room / np.where(added > 0.0, added, 1.0), 1.0)
    shares[open_] = np.minimum(most.min(axis=(1, 2)), 1.0)
    return shares
