"""Find examples that the others do not predict, and the annotation mistakes that would explain this.

Each example is left out and predicted by the others: the prediction mixes the joint positions of the others with their
weights at the place of the one left out. Then the effect of one change on all predictions is tried: two examples with
exchanged adverbs, a keytime moved, or a cycle that begins at another keytime. The change after which the examples
predict each other best is the likely mistake. It is assumed, and the next one is searched, until none helps much. The
papers leave this to the animator's eye; the method is our own.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..figure.channels import world_joints
from ..progress import ToldProgress, untold
from .left_out import weights_without
from .radial_bases import Kernel
from .verb import Verb

Array = NDArray[np.float64]
Mistake = Literal["adverbs", "keytime", "start", "unknown"]

SAMPLES = 16
"""Number of generic times at which examples and predictions are compared."""
FEWEST, MOST = 5, 60
"""Minimum number of examples for a meaningful usual distance, and the maximum for a short running time."""
SHIFTS = (-0.8, -0.6, -0.4, -0.2, 0.2, 0.4, 0.6, 0.8)
"""Positions tried for a keytime, as shares of the interval to its neighbours."""
EXCHANGED = 8
"""Number of worst predicted examples of which all pairs are tried with exchanged adverbs."""
CLEAR = {"adverbs": (1.2, 0.4), "keytime": (1.06, 0.14), "start": (1.2, 0.4)}
"""Factor by which a change must bring the changed examples closer to their predictions, and decrease of the sum over
all examples in usual distances. In generated and in captured walks that are annotated well, moved keytimes reach at
most 1.07 and 0.12; where one is off by four frames of thirty a second, at least 1.07 and 0.15."""
ALONE = 3.0
"""Multiple of the usual distance from which an example is reported even if no change explains it."""
ROUNDS = 3
"""Maximum number of mistakes that are searched in turn."""
SLIGHT = 1e-3
"""Weight below which an example does not contribute to a prediction."""
LOOKING = 0.8
"""Share of the work that is spent sampling the examples."""


@dataclass(frozen=True)
class Suspicion:
    """The likely mistake in one example, or in two that were exchanged.

    Parameters
    ----------
    mistake : ``'adverbs'`` if two examples have each other's values, ``'keytime'`` if one is misplaced, ``'start'`` if
        the cycle begins at another keytime; ``'unknown'`` if no change explains why the others do not predict it.
    examples : rows of the examples.
    error : mean distance of the joints from their prediction, in performance units.
    mended : what this distance would be without the mistake.
    keytime : index of the keytime, -1 if the mistake concerns none.
    shift : generic time by which the keytime is too early.
    """

    mistake: Mistake
    examples: tuple[int, ...]
    error: float
    mended: float
    keytime: int = -1
    shift: float = 0.0


class _Change(NamedTuple):
    mistake: Mistake
    keytime: int
    shift: float


class _Tried(NamedTuple):
    """A change of some examples, its decrease of the total distance, and the samples and weights after it."""

    gain: float
    told: Suspicion
    looks: Array
    weights: Array


class _Explained(NamedTuple):
    """How well the examples predict each other.

    Parameters
    ----------
    weights : (N, N) row i predicts example i; 0 where the others cannot predict it.
    known : (N,) whether the others can predict each example.
    apart : (N, P, 3) differences from the prediction to the example.
    errors : (N,) mean lengths of these, 0 if there is no prediction.
    """

    weights: Array
    known: NDArray[np.bool_]
    apart: Array
    errors: Array

    @property
    def usual(self) -> float:
        """Usual distance of an example from its prediction."""
        return float(np.median(self.errors[self.known]))


def _explained(looks: Array, weights: Array) -> _Explained:
    """Predict each of the examples, with samples `looks` (N, P, 3), by the others under `weights` (N, N)."""
    known: NDArray[np.bool_] = np.isfinite(weights).all(axis=1)
    used = np.where(known[:, None], weights, 0.0)
    apart = looks - np.tensordot(used, looks, axes=1)
    errors = _lengths(apart)
    errors[~known] = 0.0
    return _Explained(used, known, apart, errors)


def can_judge(verb: Verb) -> bool:
    """Return whether a verb has adverbs, and enough examples to predict each other."""
    return FEWEST <= len(verb.places) <= MOST and bool(verb.adverb_names)


def suspicions(
    verb: Verb, kernel: Kernel, degree: int, radius_factor: float, progress: ToldProgress = untold
) -> tuple[Suspicion, ...]:
    """Return the likely mistakes in the examples of a verb, the worst first; empty for few examples.

    Parameters
    ----------
    verb : with N examples.
    kernel, degree, radius_factor : those of its basis, as `cardinal_basis` takes them.
    progress : called with the fraction that is done (see `core.progress`) and a description of the current work.
    """
    if not can_judge(verb):
        return ()
    count = len(verb.places)
    weights = weights_without(verb, kernel, degree, radius_factor)
    changes = list(_changes(verb))
    changed: dict[int, Array] = {}
    for row in range(count):
        progress(LOOKING * row / count, "Looking at the examples")
        changed[row] = _looks(verb, row, changes)
    looks = np.array([changed[row][0] for row in range(count)])
    told: list[Suspicion] = []
    named: set[int] = set()
    for done in range(ROUNDS):
        progress(LOOKING + (1.0 - LOOKING) * done / ROUNDS, "Comparing them")
        now = _explained(looks, weights)
        if now.known.sum() < FEWEST:
            return tuple(told)
        free = [row for row in range(count) if now.known[row] and row not in named]
        tried = [*_retimed(changes, changed, looks, weights, now, free), *_exchanged(looks, weights, now, free)]
        best = max(tried, key=lambda one: one.gain, default=None)
        if best is None or not _is_clear(best, now.usual):
            break
        if best.told.mistake == "keytime":
            timed = _as_timed(verb, best, looks, weights, now)
            best = timed if _is_clear(timed, now.usual) else best
        told.append(best.told)
        named |= set(best.told.examples)
        looks, weights = best.looks, best.weights
    now = _explained(looks, weights)
    alone = [
        row for row in np.argsort(-now.errors).tolist() if now.errors[row] > ALONE * now.usual and row not in named
    ]
    told += [Suspicion("unknown", (row,), float(now.errors[row]), float(now.errors[row])) for row in alone]
    return tuple(told)


def _is_clear(tried: _Tried, usual: float) -> bool:
    (times, share), told = CLEAR[tried.told.mistake], tried.told
    return told.error > times * told.mended and tried.gain > share * usual


def _changes(verb: Verb) -> Iterator[_Change]:
    """Yield a moved keytime, and another start of the cycle, for each keytime but the first and last."""
    generic = verb.phrasing.generic.tolist()
    for row in range(1, len(generic) - 1):
        before, after = generic[row] - generic[row - 1], generic[row + 1] - generic[row]
        for share in SHIFTS:
            yield _Change("keytime", row, share * (after if share > 0.0 else before))
        if verb.cyclic:
            yield _Change("start", row, 0.0)


def _looks(verb: Verb, row: int, changes: list[_Change]) -> Array:
    """Return joints (1 + C, P, 3) relative to the root at all generic times, for one example unchanged and changed."""
    even = np.linspace(0.0, 1.0, SAMPLES, endpoint=False)
    phases = np.array([even, *(_changed(verb, even, change) for change in changes)])
    weights = np.tile(np.eye(len(verb.places))[row], (phases.size, 1))
    joints = world_joints(verb.channels, verb.sample_phases(phases.ravel(), weights))
    joints[..., :2] -= joints[:, :1, :2]
    return np.asarray(joints.reshape(len(phases), -1, 3), dtype=np.float64)


def _changed(verb: Verb, even: Array, change: _Change) -> Array:
    """Return the generic times (S,) at which an example is sampled after a change."""
    generic, row = verb.phrasing.generic, change.keytime
    if change.mistake == "keytime":
        moved = generic.copy()
        moved[row] += change.shift
        return np.interp(even, generic, moved)
    return np.interp(even, generic, np.concatenate([generic[row:], 1.0 + generic[1 : row + 1]])) % 1.0


def _retimed(
    changes: list[_Change],
    changed: Mapping[int, Array],
    looks: Array,
    weights: Array,
    now: _Explained,
    free: list[int],
) -> Iterator[_Tried]:
    """Yield the best change of each `free` example by itself."""
    for row in free:
        touched = np.flatnonzero((np.abs(now.weights[:, row]) > SLIGHT) | (np.arange(len(looks)) == row))
        part = (touched == row) - now.weights[touched, row]
        moved = changed[row][1:] - looks[row]
        errors = _lengths(now.apart[touched][:, None] + part[:, None, None, None] * moved[None])
        errors[~now.known[touched]] = 0.0
        gains = now.errors[touched].sum() - errors.sum(axis=0)
        best = int(gains.argmax())
        after = looks.copy()
        after[row] = changed[row][1 + best]
        mended = float(errors[touched.tolist().index(row), best])
        told = Suspicion(changes[best].mistake, (row,), float(now.errors[row]), mended, *changes[best][1:])
        yield _Tried(float(gains[best]), told, after, weights)


def _as_timed(verb: Verb, best: _Tried, looks: Array, weights: Array, now: _Explained) -> _Tried:
    """Return a keytime change adjusted to the durations of the others, if that moves it in the same direction.

    Poses show that a keytime is misplaced, and in which direction, but its position only roughly: in the generated walk
    poses miss it by up to four frames of thirty a second, and durations by less than one.
    """
    (row,), keytime, shift = best.told.examples, best.told.keytime, best.told.shift
    own, others = verb.phrasing.segments[row], verb.phrasing.lengths(now.weights[row])
    stretches = np.diff(verb.phrasing.generic)
    around = slice(keytime - 1, keytime + 1)
    late = float(others[keytime - 1] / others[around].sum() * own[around].sum() - own[keytime - 1])
    segment = keytime if late > 0.0 else keytime - 1
    if late * shift <= 0.0:
        return best
    changes = [_Change("keytime", keytime, float(late / own[segment] * stretches[segment]))]
    return next(_retimed(changes, {row: _looks(verb, row, changes)}, looks, weights, now, [row]))


def _exchanged(looks: Array, weights: Array, now: _Explained, free: list[int]) -> Iterator[_Tried]:
    """Yield each pair of the worst predicted examples, with exchanged adverbs.

    The set of places does not change, so the weights are the old ones with two rows and columns exchanged.
    """
    worst = sorted(free, key=lambda row: -now.errors[row])[:EXCHANGED]
    for pair in combinations(worst, 2):
        order = np.arange(len(looks))
        order[list(pair)] = pair[::-1]
        there = weights[np.ix_(order, order)]
        then = _explained(looks, there)
        both = now.known & then.known
        gain = float(now.errors[both].sum() - then.errors[both].sum())
        error, mended = (float(found.errors[list(pair)].mean()) for found in (now, then))
        yield _Tried(gain, Suspicion("adverbs", pair, error, mended), looks, there)


def _lengths(apart: Array) -> Array:
    return np.asarray(np.linalg.norm(apart, axis=-1).mean(axis=-1), dtype=np.float64)
