"""The last millimetres: joints are turned a little so that a point is where it is asked ([Rose2001] section 4.3).

What the adverbs, the pseudo-examples and the search leave is met by inverse kinematics on the joints above the point,
within their limits. The correction is solved once for each point of the adverb space, at the keytime. It is eased in
and out around that keytime, and goes through players and bakes beside the weights, see `Verb.mixing`.
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
"""How fast joints may turn, in the largest speed that one of them has in the examples."""
ALWAYS = 0.1
"""By how much more turns may hurry a joint where the motion by itself is about that fast or faster, in that speed."""
CLOSE = 1e-5
"""Distance from the target that is left, in lengths of the chain."""
STEPS = 40
FADES = (0.01, 0.05)
"""How far beyond the hull of the examples the correction begins to fade, and has faded, in ranges of the adverbs."""
PARTS = 32
"""Parts of each segment in which speeds are taken."""
AT_ONCE = 500
"""Points that are solved for at once, as each needs the poses of a whole motion."""
RESTING = 1e-3
"""Radians a second below which a joint rests."""


@dataclass(frozen=True, eq=False)
class Touch:
    """Points that are to be somewhere at one keytime, the joints that turn for it, and when the turns are eased.

    Parameters
    ----------
    phase : generic time of the keytime.
    world : whether the travel since the start counts.
    places : the points, with the components of their places that are asked for.
    joints : (C,) the joints of the skeleton that turn.
    length : of the longest chain of these joints, performance units.
    before, after : generic time on both sides of the keytime for which the turns are held, and in which they are then
        eased; either may be infinite.
    cyclic : whether the keytime comes again in each cycle.
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
        """Return the share of the turns (T,) at generic times `phases` (T,): 1 at the keytime, without corners."""
        since = np.asarray(phases, dtype=np.float64) - self.phase
        if not self.cyclic:
            return self._eased(since)
        since = since - np.floor(since)
        after, before = self._eased(since), self._eased(since - 1.0)
        return after + before - after * before

    def _eased(self, since: Array) -> Array:
        """Return the share (T,) at generic times `since` (T,) the keytime, negative before it."""
        away = np.where(since < 0.0, -since - self.before[0], since - self.after[0])
        lasting = np.where(since < 0.0, self.before[1], self.after[1])
        return np.asarray(1.0 - smooth(np.clip(away / lasting, 0.0, 1.0)), dtype=np.float64)


@dataclass(frozen=True, eq=False)
class TouchingVerb(Verb):
    """A verb whose joints are turned so that it touches what its adverbs ask for, live and in bakes.

    In a verb graph its channels may be those of all verbs there. What is turned is found by the verb as it was built.

    Parameters
    ----------
    searched : the verb without corrections, as it was built, perhaps refined and searched.
    aim : what its adverbs ask for.
    touches : what is to be met.
    limits : of all joints; None where there are none.
    everywhere : whether to correct beyond the hull of the examples as well.
    faces : of that hull, in ranges of the adverbs; None to take the ranges in its place.
    fastest : largest speed of one of the joints in the examples, radians a second.
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
        """Return the weights at `adverbs` (..., D), and after them the rotation vectors of all joints that turn."""
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
        """Equal for verbs that have the same poses at the same adverbs and generic times."""
        return self.mixture, self.touches


def _mixed_by_blocks(verb: TouchingVerb, places: Array) -> Array:
    """Return what `TouchingVerb.mixing` does at `places` (P, D), a block of them at a time."""
    blocks = [places[begin : begin + AT_ONCE] for begin in range(0, max(len(places), 1), AT_ONCE)]
    return np.concatenate([_mixed(verb, block) for block in blocks])


def _mixed(verb: TouchingVerb, points: Array) -> Array:
    """Return what `TouchingVerb.mixing` does at `points` (B, D)."""
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
    """Return `verb` with its joints turned, wherever it is evaluated, for the places that `aim` asks for.

    Parameters
    ----------
    verb, aim : the verb, perhaps refined and searched, and what its adverbs ask for.
    limits : of all its joints; None if there are none.
    everywhere : whether to correct beyond the hull of the examples as well.
    hull : whether to compute that hull; without it the ranges of the adverbs are taken.

    Raises
    ------
    VerbError
        If no place is asked for, or no joint can be turned for it.
    """
    keytimes: dict[tuple[float, bool], list[MeasuredPlace]] = {}
    for place in aim.measure.places:
        keytimes.setdefault((place.phase, place.world), []).append(place)
    if not keytimes:
        raise VerbError(
            f"What the adverbs of verb '{verb.name}' measure is no place, so no bones can be turned to bring anything "
            "there. Let them measure where a bone is at a keytime, or set With IK to Off."
        )
    if len({phase for phase, _ in keytimes}) < len(keytimes):
        raise VerbError(
            f"Places of verb '{verb.name}' are measured at one keytime both from the start and from the root. "
            "Measure them all from the same, or set With IK to Off."
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
    """Return the places (C,) of some joints among the rotating ones of a verb."""
    rotating = verb.channels.rotating.tolist()
    return np.array([rotating.index(joint) for joint in joints.tolist()], dtype=np.intp)


def _turning(verb: Verb, places: list[MeasuredPlace]) -> NDArray[np.intp]:
    """Return the joints (C,) that turn for some places."""
    found: list[NDArray[np.intp]] = []
    for place in places:
        name, control = verb.channels.skeleton.names[place.joint], verb.channels.traveller_of(place.joint)
        columns = chain_columns(verb.channels, place.joint, place.offset)
        if control is not None or not len(columns):
            led, bare = "follows a control that is keyed by itself", "has no bone above it that the examples turn"
            why = bare if control is None else led
            raise VerbError(
                f"'{name}' of verb '{verb.name}' is to be brought to its target by turning the bones above it, but it "
                f"{why}. Measure a bone that hangs on such bones, or set With IK to Off."
            )
        found.append(verb.channels.rotating[columns])
    return np.unique(np.concatenate(found))


def _length(verb: Verb, places: list[MeasuredPlace]) -> float:
    """Return the length of the longest chain that carries one of the places, from its first joint that turns."""
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
    """Return for how long the turns are held before and after a keytime, and in how long they are then eased.

    They are held while all joints rest in all examples, so that what rests goes on resting, and eased within the next
    segment in which some do not. A keytime with a correction of its own ends it as well.
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
    """Return a generic time, in a cycle its beginning for its end."""
    return phase % 1.0 if cyclic else phase


def in_hull(verb: TouchingVerb, points: Array) -> Array:
    """Return the share (B,) of the correction at `points` (B, D): 1 between the examples, fading to 0 beyond."""
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
    """Return rotation vectors (B, C, 3), in the axes of joints at rest, that bring what is touched to its targets.

    Parameters
    ----------
    points, weights : (B, D) adverbs that ask, and (B, N) weights of the examples there.
    """
    values = values_at(verb.searched, weights, touch.phase, touch.world)
    solved = reached(verb, touch, values, targets_of(verb, touch, points, values))
    rows = _rows(verb.searched, touch.joints)
    given, made = (rotations_of(verb.searched.channels, each)[:, rows] for each in (values, solved))
    return quat.log(quat.multiply(made, quat.conjugate(given)))


def targets_of(verb: TouchingVerb, touch: Touch, points: Array, values: Array) -> Array:
    """Return where (P, B, 3) the points are to be: as asked, along axes for which nothing is asked where they are."""
    asked = verb.aim.asked(points)
    targets = np.stack([world_points(verb.searched.channels, values, p.joint, p.offset) for p in touch.places])
    for target, place in zip(targets, touch.places, strict=True):
        target[:, list(place.axes)] = asked[:, list(place.components)]
    return targets


def reached(verb: TouchingVerb, touch: Touch, values: Array, targets: Array) -> Array:
    """Return rows (B, width) with joints turned so that the points are on `targets` (P, B, 3), or near to them."""
    channels = verb.searched.channels
    named = [LockPoint(channels.skeleton.names[p.joint], p.joint, p.offset) for p in touch.places]
    return reach(channels, values, named, targets, tolerance=CLOSE * touch.length, iterations=STEPS, limits=verb.limits)


def _joint_speeds(verb: Verb, weights: Array, joints: NDArray[np.intp]) -> Array:
    """Return how fast (B, C, S * PARTS) some joints turn under `weights` (B, N), radians a second."""
    phases, seconds = _parts(verb, weights)
    values = verb.sample_phases(np.tile(phases, len(weights)), np.repeat(weights, len(phases), axis=0))
    turns = rotations_of(verb.channels, values)[:, _rows(verb, joints)].reshape(len(weights), len(phases), -1, 4)
    return np.moveaxis(quat.angle_between(turns[:, :-1], turns[:, 1:]) / seconds[..., None], 1, 2)


def _parts(verb: Verb, weights: Array) -> tuple[Array, Array]:
    """Return the generic times (S * PARTS + 1,) between which speeds are taken, and the seconds between them (B, ...).

    Each segment has `PARTS` parts of even length.
    """
    generic = verb.phrasing.generic
    phases = np.interp(np.arange(PARTS * (len(generic) - 1) + 1) / PARTS, np.arange(len(generic)), generic)
    return phases, np.repeat(verb.phrasing.lengths(weights) / PARTS, PARTS, axis=1)


def _bearable(verb: TouchingVerb, touch: Touch, weights: Array, turns: Array) -> Array:
    """Return the largest share (B,) of `turns` (B, C, 3) with which no joint turns too fast, at most 1.

    Easing adds its own speed to that of the motion under `weights` (B, N); both together may be `FASTER` times the
    largest speed in the examples. A mixture may be as fast by itself, and then `ALWAYS` times that speed is added at
    most, since a target should not be missed for what others did.
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
