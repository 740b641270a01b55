"""Measures, computed from a verb's motions, and aims: the target values that adverbs request, and errors from them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import MOST_CHOICES, VerbError, listed, quoted
from ..figure.channels import climb, world_points
from ..motion.travel import arc, compose
from ..verb.speed_and_turn import Rates, rates_of
from ..verb.verb import Verb

Array = NDArray[np.float64]

UNMOVED = 1e-6


@dataclass(frozen=True, eq=False)
class MeasuredPlace:
    """A point of the figure at one instant, with the components of its position that are measured.

    Parameters
    ----------
    joint : index of the joint that carries the point.
    offset : (3,) position of the point in the joint's frame.
    phase : the instant in generic time.
    world : whether to include the travel since the start.
    axes : which of x, y and z are measured.
    components : indices of these components in the measure.
    """

    joint: int
    offset: Array
    phase: float
    world: bool
    axes: tuple[int, ...]
    components: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Measure:
    """A vector computed from each motion of a verb, such as a hand position: x_e(p) in [Rose2001] section 4.

    Parameters
    ----------
    labels : (M,) names of the components in messages to the user.
    units : (M,) units of the components; lengths are in performance units.
    of_weights : function from a verb and weights (B, N) of its examples to values (B, M). It also accepts the result of
        `Verb.mixing`, and then includes its corrections.
    joints : joints that the measure depends on, if it depends on particular joints.
    places : the points whose positions are measured, in performance units, with their components.
    """

    labels: tuple[str, ...]
    units: tuple[str, ...]
    of_weights: Callable[[Verb, Array], Array]
    joints: tuple[int, ...] = ()
    places: tuple[MeasuredPlace, ...] = ()

    def at(self, verb: Verb, adverbs: ArrayLike) -> Array:
        """Return the values (B, M) of `verb` at `adverbs` (B, D)."""
        return self.of_weights(verb, verb.mixing(adverbs))

    def of_examples(self, verb: Verb) -> Array:
        """Return the values (N, M) of the examples as the verb reproduces them."""
        return self.of_weights(verb, np.eye(len(verb.example_names)))


def combine(*measures: Measure) -> Measure:
    """Make one measure of all components of `measures`, in their order."""

    def of_weights(verb: Verb, weights: Array) -> Array:
        """Return the values (B, M) of all measures."""
        return np.concatenate([measure.of_weights(verb, weights) for measure in measures], axis=-1)

    labels = tuple(label for measure in measures for label in measure.labels)
    units = tuple(unit for measure in measures for unit in measure.units)
    joints = tuple(joint for measure in measures for joint in measure.joints)
    firsts = np.cumsum([0, *(len(measure.labels) for measure in measures)]).tolist()
    places = tuple(
        replace(place, components=tuple(first + component for component in place.components))
        for first, measure in zip(firsts, measures, strict=False)
        for place in measure.places
    )
    return Measure(labels, units, of_weights, joints, places)


def end_effector(
    joint: int, offset: ArrayLike, phase: float, world: bool = False, axes: Sequence[int] = (0, 1, 2)
) -> Measure:
    """Measure the position of a point of the figure at one instant of the motion.

    Parameters
    ----------
    joint : index of the joint that carries the point.
    offset : (3,) position of the point in the joint's frame.
    phase : the instant in generic time from 0 to 1; `verb.phrasing` has those of the keytimes.
    world : whether to include the travel since the start; otherwise the position is relative to root and heading.
    axes : components to measure; `(2,)` is the height alone.
    """
    place, chosen = np.asarray(offset, dtype=np.float64), list(axes)

    def of_weights(verb: Verb, weights: Array) -> Array:
        """Return the values (B, M) of the point."""
        return world_points(verb.channels, values_at(verb, weights, phase, world), joint, place)[:, chosen]

    there = MeasuredPlace(joint, place, phase, world, tuple(chosen), tuple(range(len(chosen))))
    return Measure(tuple("xyz"[axis] for axis in chosen), ("m",) * len(chosen), of_weights, (joint,), (there,))


def once_each(adverbs: ArrayLike, found: Callable[[Array], Array]) -> Array:
    """Return the results (..., V) of `found` for `adverbs` (..., D); it is called once, with the distinct places."""
    points = np.asarray(adverbs, dtype=np.float64)
    places, rows = np.unique(points.reshape(-1, points.shape[-1]), axis=0, return_inverse=True)
    values = found(places)
    return values[rows.reshape(-1)].reshape(points.shape[:-1] + (values.shape[1],))


def values_at(verb: Verb, weights: Array, phase: float, world: bool) -> Array:
    """Return rows (B, width) at generic time `phase` under `weights` (B, N), with the travel until then if `world`."""
    values = verb.sample_phases(np.full(len(weights), phase), weights)
    if world:
        path = travel_at(verb, weights, phase)
        values[:, :3] = path[:, :3]
        climb(verb.channels, values, path[:, 3])
    return values


def travel_at(verb: Verb, weights: Array, phase: float) -> Array:
    """Return the travel (B, 4) from the start to generic time `phase` of the first cycle, under `weights` (B, N)."""
    drifts = np.tensordot(weights[:, : len(verb.drifts)], verb.drifts, axes=1)
    generic = verb.phrasing.generic
    shares = np.clip((phase - generic[:-1]) / np.diff(generic), 0.0, 1.0)
    path = np.zeros((len(weights), 4))
    for index, share in enumerate(shares):
        path = compose(path, arc(drifts[:, index], share))
    return path


def speed() -> Measure:
    """Measure the speed over the floor in metres a second."""
    return _of_rates("speed", "m/s", lambda found: found.speed)


def turn_rate() -> Measure:
    """Measure the turn rate in radians a second, positive to the left."""
    return _of_rates("turn rate", "rad/s", lambda found: found.turn_rate)


def slope() -> Measure:
    """Measure the slope of the path in radians."""
    return _of_rates("slope", "rad", lambda found: np.arctan2(found.travel[..., 3], found.length))


def _of_rates(label: str, unit: str, choose: Callable[[Rates], Array]) -> Measure:
    def of_weights(verb: Verb, weights: Array) -> Array:
        """Return the values (B, 1) of one rate."""
        return choose(rates_of(verb, weights[:, : len(verb.drifts)]))[:, None]

    return Measure((label,), (unit,), of_weights)


@dataclass(frozen=True, eq=False)
class Aim:
    """The target value of a measure for adverbs p: ``origin + p @ directions``.

    Each adverb may control a component of its own, or two adverbs together a point in a plane. Adverbs without a
    target, such as a mood, have a row of zeros, and no search changes them.

    Parameters
    ----------
    measure : measure of M components.
    origin : (M,) target where all adverbs are 0.
    directions : (D, M) derivative of the target by each adverb.
    scale : (M,) divisors of errors: ones if all components have the same unit, otherwise the extent of each.
    diagonal : length of the diagonal of the region of targets, in the same scale.
    """

    measure: Measure
    origin: Array
    directions: Array
    scale: Array
    diagonal: float

    def asked(self, adverbs: Array) -> Array:
        """Return the targets (..., M) of `adverbs` (..., D)."""
        return self.origin + adverbs @ self.directions

    def misses(self, verb: Verb, weights: Array, targets: Array) -> Array:
        """Return the scaled errors v_e (B, M): the measure under `weights` (B, N) minus `targets` (B, M)."""
        return (self.measure.of_weights(verb, weights) - targets) / self.scale

    @property
    def backward(self) -> Array:
        """Matrix (M, D) from a scaled change of the target to the change of adverbs that yields it (pseudo-inverse)."""
        return np.linalg.pinv(self.directions / self.scale)

    @property
    def moving(self) -> NDArray[np.intp]:
        """Indices of the adverbs that change the target."""
        return np.flatnonzero(np.any(self.directions != 0.0, axis=1))


def aim_at_adverbs(verb: Verb, measure: Measure, adverbs: Sequence[str]) -> Aim:
    """Let each of `adverbs` (M,) set the target of the component of `measure` with the same index.

    Raises
    ------
    VerbError
        If the verb lacks an adverb, the numbers of adverbs and components differ, or a component never varies.
    """
    if len(adverbs) != len(measure.labels):
        raise VerbError(
            f"Verb '{verb.name}' has {len(measure.labels)} measured values ({listed(measure.labels)}) but "
            f"{len(adverbs)} adverbs for them. Name one adverb for each."
        )
    directions = np.zeros((len(verb.adverb_names), len(adverbs)))
    for column, name in enumerate(adverbs):
        directions[_index(verb, name), column] = 1.0
    _check_numbers(verb, measure)
    _check_moved(verb, measure, adverbs)
    return aim_at_plane(verb, measure, np.zeros(len(adverbs)), directions)


def aim_at_plane(verb: Verb, measure: Measure, origin: ArrayLike, directions: ArrayLike) -> Aim:
    """Let adverbs p set the target ``origin + p @ directions``, (M,) and (D, M), on a line, on a plane or in space.

    Raises
    ------
    VerbError
        If an example's measure is not a number.
    """
    start, steps = np.asarray(origin, dtype=np.float64), np.asarray(directions, dtype=np.float64)
    _check_numbers(verb, measure)
    extents = np.abs(steps).T @ (verb.adverb_ranges[:, 1] - verb.adverb_ranges[:, 0])
    scale = np.ones(len(start)) if len(set(measure.units)) == 1 else np.where(extents > 0.0, extents, 1.0)
    return Aim(measure, start, steps, scale, float(np.linalg.norm(extents / scale)))


def _index(verb: Verb, name: str) -> int:
    if name not in verb.adverb_names:
        known = quoted(verb.adverb_names, MOST_CHOICES) or "none"
        raise VerbError(f"Verb '{verb.name}' has no adverb '{name}' to measure. Choose one of its adverbs: {known}.")
    return verb.adverb_names.index(name)


def _check_moved(verb: Verb, measure: Measure, adverbs: Sequence[str]) -> None:
    """Raise if an adverb controls a component that is equal in all examples, since no mixture can change it."""
    for label, name, values in zip(measure.labels, adverbs, measure.of_examples(verb).T, strict=True):
        if np.ptp(values) <= UNMOVED * max(1.0, float(np.abs(values).max())):
            raise VerbError(
                f"Adverb '{name}' of verb '{verb.name}' measures the {label}, which is the same in all examples, so no "
                "blend of them can change it. Measure a bone that moves differently, or another keytime."
            )


def _check_numbers(verb: Verb, measure: Measure) -> None:
    count = len(verb.channels.skeleton.names)
    if not all(0 <= joint < count for joint in measure.joints):
        raise VerbError(
            f"The bone to measure is not among the {count} bones of verb '{verb.name}'. Choose a bone that its "
            "examples animate, or a child of one."
        )
    bad = ~np.isfinite(measure.of_examples(verb))
    for row, column in np.argwhere(bad):
        raise VerbError(
            f"The {measure.labels[column]} measured in example '{verb.example_names[row]}' of verb '{verb.name}' is "
            "not a number. Measure something that every example has at that time."
        )


@dataclass(frozen=True, eq=False)
class Distortion:
    """Errors of a verb from its targets at some points of the adverb space.

    Parameters
    ----------
    asked : (P, M) targets in the measure's units.
    achieved : (P, M) values reached, in the measure's units.
    percent : (P,) distance between them in percent of the diagonal of the region of targets.
    """

    asked: Array
    achieved: Array
    percent: Array

    @property
    def average(self) -> float:
        """Mean of `percent`."""
        return float(self.percent.mean())

    @property
    def maximum(self) -> float:
        """Largest of `percent`."""
        return float(self.percent.max())


def distortion(verb: Verb, aim: Aim, points: Array) -> Distortion:
    """Return the distortion of `verb` at `points` (P, D) of its adverb space."""
    return distortion_of(verb, aim, points, verb.mixing(points))


def distortion_of(verb: Verb, aim: Aim, points: Array, weights: Array) -> Distortion:
    """Return the distortion of given `weights` (P, N) from the targets of `points` (P, D)."""
    asked = aim.asked(points)
    achieved = aim.measure.of_weights(verb, weights)
    return Distortion(asked, achieved, percent(aim, achieved - asked))


def percent(aim: Aim, misses: Array) -> Array:
    """Return the lengths (P,) of `misses` (P, M) in percent of the diagonal of the region of targets."""
    return 100.0 / aim.diagonal * np.linalg.norm(misses / aim.scale, axis=-1)
