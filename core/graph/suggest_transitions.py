"""Suggesting transitions: the regions in which two verbs are most alike."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..bounds import SUGGESTED_SECONDS
from ..errors import GraphError
from ..figure import quaternion as quat
from ..figure.channels import TRAVEL, world_joints
from ..verb.verb import Verb, VerbMotion
from .check_graph import two_skeletons
from .transition import Region, Transition
from .verb_graph import in_common

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]

RATE = 30.0
SECONDS = 0.4
PACE_SECONDS = 0.15
"""Seconds: a difference in velocity counts as the distance that it makes in this time."""
DISAGREEMENT = 2.0
"""Penalty on regions in which the contacts never agree, in units of the average distance between two regions."""
OVERLAP = 2.0 / 3.0
"""Least distance between the beginnings of two suggested regions, as a share of their length."""
ROUNDING = 1e-3
"""Difference, as a share of the average distance, below which two regions count as equal and the earlier one wins."""


@dataclass(frozen=True)
class Suggestion:
    """A suggested transition, and how alike the verbs are in its regions.

    Parameters
    ----------
    transition : the suggested transition.
    distance : root mean square over joints and region of the differences in place, and of those in velocity times
        0.15 s, in performance units.
    agreement : share of the region in which the contacts of both verbs are the same.
    """

    transition: Transition
    distance: float
    agreement: float


@dataclass(frozen=True, eq=False)
class _Track:
    """A verb sampled at even steps: features (T, F), planted points (T, P), and the rows where a region may begin."""

    motion: VerbMotion
    step: float
    features: Array
    planted: Mask
    begins: NDArray[np.intp]

    def region(self, row: int, steps: int) -> Region:
        """Return the region of `steps` steps that begins at a row."""
        begin, end = self.motion.phase(np.array([row, row + steps]) * self.step).tolist()
        return Region(begin, end)

    def apart(self, row: int) -> NDArray[np.intp]:
        """Return the steps (B,) between `row` and each row where a region may begin, the short way round a cycle."""
        steps = np.abs(self.begins - row)
        return np.minimum(steps, len(self.begins) - steps) if self.motion.verb.cyclic else steps


def suggest_transitions(
    source: Verb,
    target: Verb,
    count: int = 3,
    seconds: float = SECONDS,
    adverbs: Mapping[str, float] | None = None,
) -> tuple[Suggestion, ...]:
    """Find the regions in which two verbs are most alike in pose, velocity and contacts, the best first.

    Each suggestion is better than two regions are on average, and leaves the source at another time. A verb that is not
    cyclic is left in its second half and entered in its first.

    Parameters
    ----------
    source, target : verbs A and B on one skeleton, or the same verb twice.
    count : largest number of suggestions.
    seconds : duration of a transition, which is less where a verb is too short.
    adverbs : values at which the verbs are compared, by default the mean of each verb's examples.

    Raises
    ------
    GraphError
        If the verbs are of two skeletons, or one lasts too long.
    """
    if differ := two_skeletons(source, target):
        raise GraphError(differ)
    motions = [verb.motion(_place(verb, adverbs or {})) for verb in in_common([source, target])]
    _check_lengths(motions)
    durations, parts = _durations(motions), [1 if motion.verb.cyclic else 2 for motion in motions]
    longest = min(d / part for d, part in zip(durations, parts, strict=True))
    steps = max(1, round(min(seconds, longest) * RATE))
    rows = [max(part * steps, round(d * RATE)) for d, part in zip(durations, parts, strict=True)]
    points = sorted({c.point for c in source.contacts} & {c.point for c in target.contacts})
    leaves = _track(motions[0], rows[0], steps, points, entered=False)
    enters = _track(motions[1], rows[1], steps, points, entered=True)
    squares = _over_regions(_squares(leaves.features, enters.features), leaves, enters, steps)
    differ = np.sum(leaves.planted[:, None] != enters.planted, axis=-1) / max(1, len(points))
    differs = _over_regions(differ, leaves, enters, steps)
    distances = np.sqrt(squares)
    scores = distances + DISAGREEMENT * distances.mean() * differs
    average = float(scores.mean())
    found: list[Suggestion] = []
    while len(found) < count and scores.min() <= average:
        near_best = scores.reshape(-1) <= scores.min() + ROUNDING * average
        row, column = divmod(int(np.flatnonzero(near_best)[0]), scores.shape[1])
        begins = int(leaves.begins[row]), int(enters.begins[column])
        transition = Transition(
            source.name, target.name, leaves.region(begins[0], steps), enters.region(begins[1], steps)
        )
        found.append(Suggestion(transition, float(distances[row, column]), 1.0 - float(differs[row, column])))
        scores[leaves.apart(begins[0]) < OVERLAP * steps] = np.inf
    return tuple(found)


def _place(verb: Verb, adverbs: Mapping[str, float]) -> Array:
    middle = verb.places.mean(axis=0)
    return np.array([adverbs.get(name, float(middle[i])) for i, name in enumerate(verb.adverb_names)])


def _check_lengths(motions: list[VerbMotion]) -> None:
    for motion in motions:
        if not motion.duration <= SUGGESTED_SECONDS:
            raise GraphError(
                f"Verb '{motion.verb.name}' lasts {motion.duration:.0f} seconds; transitions are suggested for verbs of"
                f" up to {SUGGESTED_SECONDS:.0f}. Set the regions by hand, or mark shorter examples."
            )


def _durations(motions: list[VerbMotion]) -> list[float]:
    """Return the durations; for two cycles with the same keytimes their mean, so that regions are equal shares."""
    one, other = (motion.verb for motion in motions)
    durations = [motion.duration for motion in motions]
    alike = one.cyclic and other.cyclic and one.keytime_names == other.keytime_names
    return [0.5 * sum(durations)] * 2 if alike else durations


def _track(motion: VerbMotion, rows: int, steps: int, points: list[str], entered: bool) -> _Track:
    """Sample `motion` in `rows` steps, and `steps` more if it is a cycle."""
    cyclic, step = motion.verb.cyclic, motion.duration / rows
    times = np.arange(rows + (steps if cyclic else 1)) * step
    half = rows // 2
    first, last = (0, rows - 1) if cyclic else (0, half - steps) if entered else (half, rows - steps)
    phases = motion.phase(times)
    planted = [_inside(phases, windows, cyclic) for windows in _windows(motion, points)]
    mask = np.array(planted, dtype=np.bool_).reshape(len(points), len(times)).T
    return _Track(motion, step, _features(motion, times, step), mask, np.arange(first, last + 1, dtype=np.intp))


def _windows(motion: VerbMotion, points: list[str]) -> list[Array]:
    by_name = {c.point: windows for c, windows in zip(motion.verb.contacts, motion.windows, strict=True)}
    return [by_name[point] for point in points]


def _inside(phases: Array, windows: Array, cyclic: bool) -> Mask:
    """Tell which of `phases` (T,) lie in one of the `windows` (W, 2)."""
    passed = phases[:, None] - windows[:, 0]
    passed = passed - np.floor(passed) if cyclic else passed
    return np.any((passed >= 0.0) & (passed <= windows[:, 1] - windows[:, 0]), axis=1)


def _features(motion: VerbMotion, times: Array, step: float) -> Array:
    """Return places and velocities of the joints (T, 6 J), relative to heading and place of the root."""
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


def _over_regions(values: Array, leaves: _Track, enters: _Track, steps: int) -> Array:
    """Return the mean of `values` (T, U) over two regions side by side, for each pair of rows where they may begin."""
    total = np.zeros((len(leaves.begins), len(enters.begins)))
    for step in range(steps):
        total += values[np.ix_(leaves.begins + step, enters.begins + step)]
    return total / steps
