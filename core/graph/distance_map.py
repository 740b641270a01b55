"""The distance map of two verbs: how much they differ in each possible transition, and suggested transitions."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ..bounds import SUGGESTED_SECONDS
from ..errors import GraphError
from ..figure import quaternion as quat
from ..figure.channels import ROOT_LOCATION, TRAVEL, world_joints
from ..progress import Progress, share_of, untold
from ..verb.verb import Verb, VerbMotion
from .check_graph import two_skeletons
from .transition import Region, Transition, fade
from .verb_graph import in_common

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]

RATE = 30.0
SECONDS = 0.4
PACE_SECONDS = 0.15
"""Seconds by which velocity differences are multiplied to make them distances."""
DISAGREEMENT = 2.0
"""Penalty of regions in which the contacts never agree, in units of the average distance between two regions."""


@dataclass(frozen=True, eq=False)
class Axis:
    """One verb of a map, sampled at even time steps; a region may begin at each of the first rows.

    Parameters
    ----------
    motion : the verb at the adverbs at which it is compared.
    step : seconds from one row to the next.
    steps : length of a region in steps.
    begins : (B,) generic times at which a region can begin, ascending from 0.
    usual : rows at which suggested regions may begin; regions at other rows would cut off most of a verb that is not
        cyclic.
    """

    motion: VerbMotion
    step: float
    steps: int
    begins: Array
    usual: range

    @property
    def cyclic(self) -> bool:
        """Whether the verb is a cycle."""
        return self.motion.verb.cyclic

    def region(self, row: int) -> Region:
        """Return the region that begins at a row."""
        begin, end = self.motion.phase(np.array([row, row + self.steps]) * self.step).tolist()
        return Region(begin, end)

    def region_from(self, begin: float) -> Region:
        """Return the region, with the duration of the map's regions, that begins at a generic time from 0 to 1.

        If this is too late in a verb that is not cyclic, the region begins at the latest time at which it fits.
        """
        begin = begin % 1.0 if self.cyclic else min(begin, float(self.begins[-1]))
        ends = self.motion.clock(np.array([begin])) + self.steps * self.step
        end = float(self.motion.phase(ends)[0])
        return Region(begin, end if self.cyclic else min(end, 1.0))

    def row(self, begin: float) -> int:
        """Return the row nearest to a generic time."""
        apart = np.abs(self.begins - begin)
        return int(np.argmin(np.minimum(apart, 1.0 - apart) if self.cyclic else apart))


@dataclass(frozen=True, eq=False)
class DistanceMap:
    """How much two verbs differ in the regions of a transition, for all pairs of rows at which these may begin.

    This is the distance map of motion graphs (Kovar, Gleicher and Pighin: Motion Graphs, SIGGRAPH 2002, section 3) over
    generic time: distances between windows of joints, without the heading and position of the root.

    Parameters
    ----------
    leaves : the verb that is left, with B rows.
    enters : the verb that is entered, with C rows.
    distances : (B, C) root mean squares, over the joints and the region, of two kinds of differences: in position, and
        in velocity times 0.15 s; in performance units.
    differs : (B, C) shares of the region in which the contacts of the verbs differ.
    """

    leaves: Axis
    enters: Axis
    distances: Array
    differs: Array

    @property
    def usual(self) -> tuple[slice, slice]:
        """The rows and columns at which suggested transitions begin."""
        rows, columns = self.leaves.usual, self.enters.usual
        return slice(rows.start, rows.stop), slice(columns.start, columns.stop)

    @cached_property
    def differences(self) -> Array:
        """The costs (B, C) of transitions: the distances, increased where contacts differ."""
        average = self.distances[self.usual].mean()
        return self.distances + DISAGREEMENT * average * self.differs


def distance_map(
    source: Verb,
    target: Verb,
    seconds: float = SECONDS,
    progress: Progress = untold,
) -> DistanceMap:
    """Compare two verbs in pose, velocity and contacts at every pair of rows where a transition may join them.

    Each is compared at the mean of its examples' adverbs.

    Parameters
    ----------
    source, target : verbs A and B on one skeleton, or the same verb twice.
    seconds : duration of a transition, which is less where a verb is too short.
    progress : called with the fraction that is done, as `core.progress` says.

    Raises
    ------
    GraphError
        If the verbs have different skeletons, or one is too long.
    """
    if differ := two_skeletons(source, target):
        raise GraphError(differ)
    motions = [verb.motion(verb.places.mean(axis=0)) for verb in in_common([source, target])]
    _check_lengths(motions)
    durations, parts = _durations(motions), [1 if motion.verb.cyclic else 2 for motion in motions]
    longest = min(d / part for d, part in zip(durations, parts, strict=True))
    steps = max(1, round(min(seconds, longest) * RATE))
    rows = [max(part * steps, round(d * RATE)) for d, part in zip(durations, parts, strict=True)]
    points = sorted({c.point for c in source.contacts} & {c.point for c in target.contacts})
    leaves, enters = (
        _axis(motion, count, steps, entered)
        for motion, count, entered in zip(motions, rows, (False, True), strict=True)
    )
    left, entered = _sampled(leaves, points), _sampled(enters, points)
    progress(0.4)
    squares = _squares(left[0], entered[0])
    progress(0.6)
    differ = np.sum(left[1][:, None] != entered[1], axis=-1) / max(1, len(points))
    shape = len(leaves.begins), len(enters.begins)
    distances = np.sqrt(_over_regions(squares, shape, steps, share_of(progress, 0.7, 0.85)))
    differs = _over_regions(differ, shape, steps, share_of(progress, 0.85, 1.0))
    return DistanceMap(leaves, enters, distances, differs)


def _check_lengths(motions: list[VerbMotion]) -> None:
    for motion in motions:
        if not motion.duration <= SUGGESTED_SECONDS:
            raise GraphError(
                f"Verb '{motion.verb.name}' lasts {motion.duration:.0f} seconds, but transitions can only be suggested "
                f"for verbs of up to {SUGGESTED_SECONDS:.0f}. Set the regions by hand, or mark shorter examples."
            )


def _durations(motions: list[VerbMotion]) -> list[float]:
    """Return the durations; for two cycles with the same keytimes, twice their mean, so that their regions match."""
    one, other = (motion.verb for motion in motions)
    durations = [motion.duration for motion in motions]
    alike = one.cyclic and other.cyclic and one.keytime_names == other.keytime_names
    return [0.5 * sum(durations)] * 2 if alike else durations


def _axis(motion: VerbMotion, rows: int, steps: int, entered: bool) -> Axis:
    """Sample `motion` at `rows` steps."""
    cyclic, step, half = motion.verb.cyclic, motion.duration / rows, rows // 2
    count = rows if cyclic else rows - steps + 1
    usual = range(count) if cyclic else range(half - steps + 1) if entered else range(half, count)
    return Axis(motion, step, steps, motion.phase(np.arange(count) * step), usual)


def _sampled(axis: Axis, points: list[str]) -> tuple[Array, Mask]:
    """Return features (T, F) and planted points (T, P) at all rows covered by regions."""
    motion, cyclic = axis.motion, axis.cyclic
    times = np.arange(len(axis.begins) + axis.steps) * axis.step
    phases = motion.phase(times)
    windows = {contact.point: own for contact, own in zip(motion.verb.contacts, motion.windows, strict=True)}
    planted = [_inside(phases, windows[point], cyclic) for point in points]
    mask = np.array(planted, dtype=np.bool_).reshape(len(points), len(times)).T
    return _features(motion, times, axis.step), mask


def _inside(phases: Array, windows: Array, cyclic: bool) -> Mask:
    """Return which of `phases` (T,) lie in one of the `windows` (W, 2)."""
    passed = phases[:, None] - windows[:, 0]
    passed = passed - np.floor(passed) if cyclic else passed
    return np.any((passed >= 0.0) & (passed <= windows[:, 1] - windows[:, 0]), axis=1)


def _features(motion: VerbMotion, times: Array, step: float) -> Array:
    """Return positions and velocities of the joints (T, 6 J), relative to heading and position of the root."""
    begin, end = (-np.inf, np.inf) if motion.verb.cyclic else (0.0, motion.duration)
    early, late = np.maximum(times - step, begin), np.minimum(times + step, end)
    values = motion.sample(times)
    paths = [world_joints(motion.channels, motion.sample(instants)) for instants in (early, late)]
    turns = quat.from_yaw(-values[:, TRAVEL][:, 2])[:, None]
    places = world_joints(motion.channels, values)
    places[..., :2] -= places[:, :1, :2].copy()
    velocities = (paths[1] - paths[0]) / (late - early)[:, None, None]
    both = np.stack([quat.rotate(turns, places), PACE_SECONDS * quat.rotate(turns, velocities)], axis=1)
    return both.reshape(len(times), -1) / np.sqrt(places.shape[1])


def _squares(one: Array, other: Array) -> Array:
    """Return the squared distances (T, U) between features (T, F) and (U, F)."""
    squares = np.sum(one**2, axis=1)[:, None] + np.sum(other**2, axis=1) - 2.0 * one @ other.T
    return np.maximum(squares, 0.0)


def _over_regions(values: Array, shape: tuple[int, int], steps: int, progress: Progress) -> Array:
    """Return, for each pair of rows at which two regions begin, the mean of `values` (T, U) row by row over both."""
    total = np.zeros(shape)
    for step in range(steps):
        total += values[step : step + shape[0], step : step + shape[1]]
        progress((step + 1) / steps)
    return total / steps


OVERLAP = 2.0 / 3.0
"""Minimum distance between the beginnings of two suggested regions, as a share of their length."""
LONGEST, QUIET, SLIGHT, GENTLE = 1.0, 1.1, 0.05, 1.0
"""A standing verb may be left at any time if the root never accelerates much more than in the best transition. LONGEST:
seconds of the longest transition that is tried. QUIET: allowed ratio of the two accelerations. SLIGHT: acceleration
that is always allowed. GENTLE: how much more the root may accelerate in the longest transition than in the entered
verb. Accelerations are in performance units per second squared."""
AGREES = 0.1
"""How much less the contacts may agree at the end of a longer transition."""
ROUNDING = 1e-3
"""Difference, as a share of the average distance, below which two regions count as equal and the earlier one wins."""


@dataclass(frozen=True)
class Suggestion:
    """A suggested transition, and how similar the verbs are in its regions.

    Parameters
    ----------
    transition : the suggested transition.
    distance : root mean square, over the joints and the region, of two kinds of differences: in position, and in
        velocity times 0.15 s; in performance units.
    agreement : share of the region in which the contacts of both verbs are the same.
    """

    transition: Transition
    distance: float
    agreement: float


def suggest_transitions(
    source: Verb,
    target: Verb,
    count: int = 3,
    seconds: float = SECONDS,
    progress: Progress = untold,
) -> tuple[Suggestion, ...]:
    """Find the regions in which two verbs are most similar in pose, velocity and contacts, the best first.

    Each suggestion is better than the average pair of regions, and each leaves the source at a different time. A verb
    that is not cyclic is left in its second half and entered in its first. If the source stands still, the best
    suggestion leaves it at any time, and lasts up to a second if necessary.

    Parameters
    ----------
    source, target : verbs A and B on one skeleton, or the same verb twice.
    count : largest number of suggestions.
    seconds : duration of a transition, which is less where a verb is too short.
    progress : called with the fraction that is done, as `core.progress` says.

    Raises
    ------
    GraphError
        If the verbs have different skeletons, or one is too long.
    """
    return suggestions_on(distance_map(source, target, seconds, progress), count)


def suggestions_on(compared: DistanceMap, count: int) -> tuple[Suggestion, ...]:
    """Return the best transitions of a map, as `suggest_transitions` does."""
    leaves, enters = compared.leaves, compared.enters
    scores = compared.differences[compared.usual].copy()
    average = float(scores.mean())
    found: list[Suggestion] = []
    places: list[tuple[int, int]] = []
    while len(found) < count and scores.min() <= average:
        near_best = scores.reshape(-1) <= scores.min() + ROUNDING * average
        row, column = divmod(int(np.flatnonzero(near_best)[0]), scores.shape[1])
        begins = leaves.usual[row], enters.usual[column]
        places.append(begins)
        transition = Transition(
            leaves.motion.verb.name, enters.motion.verb.name, leaves.region(begins[0]), enters.region(begins[1])
        )
        agreement = 1.0 - float(compared.differs[begins])
        found.append(Suggestion(transition, float(compared.distances[begins]), agreement))
        scores[_apart(leaves, row) < OVERLAP * leaves.steps] = np.inf
    if found and leaves.motion.verb.stands and leaves.steps > 1:
        found[0] = _from_anywhere(compared, found[0], *places[0])
    return tuple(found)


def _from_anywhere(compared: DistanceMap, best: Suggestion, row: int, column: int) -> Suggestion:
    """Return the best suggestion, changed to leave a standing verb at any time; unchanged if that would cause a jolt.

    Where the verb sways away from the entered pose, the transition must be longer, so that the root does not accelerate
    more than in the best transition, whose regions begin at `row` and `column`.
    """
    usual, most = compared.leaves.steps, _most_steps(compared, row, column)
    left, entered = (
        axis.motion.sample(axis.step * np.arange(len(axis.begins) + most))[:, ROOT_LOCATION]
        for axis in (compared.leaves, compared.enters)
    )
    allowed = max(QUIET * float(_accelerations(compared, left, entered, column, usual)[row]), SLIGHT)
    own = np.diff(entered[column : column + most + 1], n=2, axis=0) / compared.enters.step**2
    gentle = GENTLE + float(np.linalg.norm(own, axis=-1).max())
    for steps in range(usual, most + 1):
        hardest = float(_accelerations(compared, left, entered, column, steps).max())
        if hardest <= (gentle if steps == most else allowed):
            leaves, enters = (replace(axis, steps=steps) for axis in (compared.leaves, compared.enters))
            way = replace(best.transition, leaves=leaves.region(row), enters=enters.region(column), anywhere=True)
            return replace(best, transition=way)
    return best


def _most_steps(compared: DistanceMap, row: int, column: int) -> int:
    """Return how many steps a transition may last before contacts differ, or most of a non-cyclic verb is over."""
    enters, usual = compared.enters, compared.leaves.steps
    steps, longest = usual, min(LONGEST / enters.step, len(compared.leaves.begins))
    while steps + 1 <= longest:
        last = column + steps + 1 - usual
        if last not in enters.usual and not enters.cyclic:
            break
        if compared.differs[row, last % len(enters.begins)] > compared.differs[row, column] + AGREES:
            break
        steps += 1
    return steps


def _accelerations(
    compared: DistanceMap, left: NDArray[np.float64], entered: NDArray[np.float64], column: int, steps: int
) -> NDArray[np.float64]:
    """Return the largest accelerations (B,) of the root in transitions that leave the source at each row.

    `left` and `entered` (T, 3) are the positions of the root in both verbs, starting at their first rows.
    """
    within = np.arange(steps + 1)
    old = fade(within / steps)[:, None]
    rows = np.arange(len(compared.leaves.begins))
    path = old * left[rows[:, None] + within] + (1.0 - old) * entered[column + within]
    return np.linalg.norm(np.diff(path, n=2, axis=1), axis=-1).max(axis=1) / compared.leaves.step**2


def _apart(axis: Axis, row: int) -> NDArray[np.intp]:
    """Return the steps from a row to each row where suggested regions begin, the short way round in a cycle."""
    steps = np.abs(np.arange(len(axis.usual)) - row)
    return np.minimum(steps, len(steps) - steps) if axis.cyclic else steps
