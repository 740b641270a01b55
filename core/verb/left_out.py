"""How well a verb's examples predict each other: which kernel fits them best, and which examples contradict each other.

Each example is left out in turn and predicted by the others with the verb's existing curves, so that only small bases
are solved again. Curves are not refitted, unlike in the demo's `leave_one_out`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ..errors import BasisError, shortened
from ..figure.channels import climb, world_joints, world_points
from ..motion.travel import segment_path
from .cardinal_basis import cardinal_basis
from .radial_bases import Kernel
from .trust import flat_told
from .verb import Verb

Array = NDArray[np.float64]

SAMPLES = 12
"""Number of generic times at which predictions are compared, and of those in each window at which a point is
measured."""
TRIED: tuple[tuple[Kernel, int], ...] = (("kriging", 0), ("kriging", 1), ("cubic_b_spline", 1))
"""Kernels and degrees compared with the verb's own."""
FEWEST, MOST = 5, 100
"""Minimum number of examples for a meaningful mean error, and the maximum number for a short running time."""
NOTHING = 1e-3
"""Share of the largest difference between poses below which the usual difference counts as none."""
CLEARLY, SURELY = 0.05, 2.0
"""Share of the error, and number of standard errors of the difference, by which another kernel must be better."""
ALIKE = 0.01
"""Share of the error below which one kernel counts as predicting as well as another."""
UNSURE = 1e8
"""Condition number of the radial basis system above which weights are unreliable."""
SUDDEN, UNLIKE = 6.0, 1.0 / 3.0
"""How many times more steeply than usual contradicting examples differ, and the minimum difference between them as a
share of the usual difference between examples."""


def diagnosed(verb: Verb, kernel: Kernel, degree: int, radius_factor: float) -> Verb:
    """Return the verb with a report on how well its examples predict each other and how far its feet slip.

    Parameters
    ----------
    kernel, degree, radius_factor : those of its basis, as `cardinal_basis` takes them.
    """
    errors = kernel_errors(verb, kernel, degree, radius_factor)
    better = better_kernel(errors)
    report = replace(
        verb.report,
        fits=" ".join([what_fits(errors), *(better_told(better, errors[0]) if errors else ())]),
        better=(better.kernel, better.degree) if better is not None else None,
        complaints=(*verb.report.complaints, *contradictions(verb), *crowded(verb), *flat_told(verb)),
        left_out=distances_left_out(errors, len(verb.places)),
        slips=_foot_slips(verb),
    )
    return replace(verb, report=report)


def _foot_slips(verb: Verb) -> tuple[float, ...]:
    """Return the largest slips (N,) of contact points in each example, in performance units; empty without points.

    A slip is the distance over the floor from the middle of the point's positions during its window.
    """
    if not verb.contacts:
        return ()
    return tuple(_slip(verb, place) for place in verb.places)


def _slip(verb: Verb, place: Array) -> float:
    motion = verb.motion(place)
    largest = 0.0
    for contact, windows in zip(verb.contacts, motion.windows, strict=True):
        if not len(windows):
            continue
        phases = np.linspace(windows[:, 0], windows[:, 1], SAMPLES, axis=1)
        values = motion.sample_phases(phases.ravel())
        points = world_points(verb.channels, values, contact.joint, contact.offset)[:, :2].reshape(*phases.shape, 2)
        ways = np.linalg.norm(points - points.mean(axis=1, keepdims=True), axis=-1)
        largest = max(largest, float(ways.max()))
    return largest


@dataclass(frozen=True, eq=False)
class KernelErrors:
    """Mean distances of joints between each example and its prediction by the others, in performance units.

    Parameters
    ----------
    kernel, degree : of the basis that predicts.
    examples : (M,) rows of the examples that the others can predict with every compared kernel.
    relative : (M,) distances of these examples with root position and heading removed.
    world : (M,) distances including the travel from a common start.
    """

    kernel: Kernel
    degree: int
    examples: NDArray[np.intp]
    relative: Array
    world: Array

    @property
    def mean(self) -> float:
        """Mean of the relative distances."""
        return float(self.relative.mean())

    @property
    def name(self) -> str:
        """Name of the kernel in messages."""
        return f"{self.kernel.replace('_', ' ').title().replace('B Spline', 'B-Spline')} of degree {self.degree}"


def kernel_errors(verb: Verb, kernel: Kernel, degree: int, radius_factor: float) -> tuple[KernelErrors, ...]:
    """Predict each example of a verb from the others, with the verb's kernel and degree, then with others.

    Parameters
    ----------
    verb : with N examples.
    kernel, degree, radius_factor : those of its basis, as `cardinal_basis` takes them.

    Returns
    -------
    Errors of the verb's own kernel and degree, then of those in `TRIED`; empty if fewer than 5 can be predicted.
    """
    if not FEWEST <= len(verb.places) <= MOST or not verb.adverb_names:
        return ()
    choices: list[tuple[Kernel, int]] = [(kernel, degree), *(tried for tried in TRIED if tried != (kernel, degree))]
    weights = np.array([weights_without(verb, *choice, radius_factor) for choice in choices])
    predicted = np.flatnonzero(np.isfinite(weights).all(axis=(0, 2)))
    if len(predicted) < FEWEST:
        return ()
    rows = np.concatenate([np.eye(len(verb.places))[predicted], *weights[:, predicted]])
    parts = (np.split(joints, 1 + len(choices)) for joints in _joints(verb, rows))
    (still, *relative), (real, *world) = parts
    return tuple(
        KernelErrors(*choice, predicted, _mean_distances(pose, still), _mean_distances(place, real))
        for choice, pose, place in zip(choices, relative, world, strict=True)
    )


def what_fits(errors: Sequence[KernelErrors]) -> str:
    """Return a sentence that compares the kernel that best predicts left-out examples with the verb's own.

    The verb's own is the first of `errors`. The sentence is empty if `errors` is.
    """
    if not errors:
        return ""
    best, own = min(errors, key=lambda error: error.mean), errors[0]
    if best is own:
        return "This verb's kernel predicts left-out examples best."
    ratio = own.mean / max(best.mean, 1e-12)
    if ratio < 1.0 + ALIKE:
        return "This verb's kernel predicts left-out examples as well as any other."
    apart = f"{100.0 * (ratio - 1.0):.0f} % larger" if ratio < 2.0 else f"{ratio:.0f} times as large"
    return f"Kernel {best.name} predicts left-out examples best; with this verb's kernel the error is {apart}."


def better_kernel(errors: Sequence[KernelErrors]) -> KernelErrors | None:
    """Return the kernel that predicts the examples clearly better than the verb's own (the first of `errors`), if any.

    This is the one with the smallest error of those that are better by 5 % and by two standard errors of the
    difference, and not worse in the distances `world`.
    """
    better = [error for error in errors[1:] if _clearly_better(error, errors[0])]
    return min(better, key=lambda error: error.mean, default=None)


def better_told(best: KernelErrors | None, own: KernelErrors) -> tuple[str, ...]:
    """Return a sentence on how much better a kernel is than the verb's own; none if there is no such kernel."""
    if best is None:
        return ()
    gain = 100.0 * (1.0 - best.mean / own.mean)
    return (
        f"With kernel {best.name} the examples predict each other {gain:.0f} % better than with {own.name}. Choose it "
        "under How It Is Built.",
    )


def distances_left_out(errors: Sequence[KernelErrors], count: int) -> tuple[float, ...]:
    """Return the distance of each of `count` examples from its prediction with the verb's own kernel.

    NaN for an example that the others cannot predict; empty without `errors`.
    """
    if not errors:
        return ()
    found = np.full(count, np.nan)
    found[errors[0].examples] = errors[0].relative
    return tuple(found.tolist())


def crowded(verb: Verb) -> tuple[str, ...]:
    """Return a sentence on the two examples that are nearest to each other, if that makes the weights unreliable."""
    if verb.report.condition <= UNSURE or len(verb.places) < 2:
        return ()
    scaled = verb.places / np.ptp(verb.adverb_ranges, axis=1)
    first, second = np.triu_indices(len(scaled), 1)
    nearest = int(np.linalg.norm(scaled[first] - scaled[second], axis=1).argmin())
    one, other = (verb.example_names[int(rows[nearest])] for rows in (first, second))
    return (
        f"Examples '{one}' and '{other}' have such similar adverb values that the weights between them are unreliable. "
        "Make their values differ more, or leave one of them out.",
    )


def contradictions(verb: Verb) -> tuple[str, ...]:
    """Return a sentence for each pair of examples with nearly the same adverbs but different poses.

    The poses then change many times more steeply between these two than between the verb's other examples. Each example
    is named once, the steepest pairs first.
    """
    count = len(verb.places)
    if not FEWEST <= count <= MOST or not verb.adverb_names:
        return ()
    poses, _ = _joints(verb, np.eye(count))
    first, second = np.triu_indices(count, 1)
    unlike = np.concatenate([_mean_distances(poses[row + 1 :], poses[row : row + 1]) for row in range(count - 1)])
    scaled = verb.places / (verb.adverb_ranges[:, 1] - verb.adverb_ranges[:, 0])
    steep: Array = unlike / np.linalg.norm(scaled[first] - scaled[second], axis=1)
    usual = float(np.median(steep))
    if np.median(unlike) < NOTHING * unlike.max():
        return ()
    doubtful: NDArray[np.bool_] = (steep > SUDDEN * usual) & (unlike > UNLIKE * float(np.median(unlike)))
    told: list[str] = []
    named: set[int] = set()
    for pair in np.argsort(-steep):
        rows = {int(first[pair]), int(second[pair])}
        if doubtful[pair] and not rows & named:
            named |= rows
            names = " and ".join(f"'{verb.example_names[row]}'" for row in sorted(rows))
            told.append(
                f"Examples {names} have nearly the same adverb values but different poses: between them the motion "
                f"changes {steep[pair] / usual:.0f} times as fast as is usual in this verb. Check their values, add an "
                "adverb that tells them apart, or leave one of them out."
            )
    return shortened(told, "{count} more pairs of examples have nearly the same adverb values but different poses.")


def _clearly_better(error: KernelErrors, own: KernelErrors) -> bool:
    """Return whether a kernel's errors are significantly smaller than those of a verb's own kernel."""
    gains = own.relative - error.relative
    chance = float(gains.std(ddof=1)) / np.sqrt(len(gains))
    enough = float(gains.mean()) > max(CLEARLY * own.mean, SURELY * chance)
    return enough and float(error.world.mean()) <= float(own.world.mean())


def weights_without(verb: Verb, kernel: Kernel, degree: int, radius_factor: float) -> Array:
    """Return weights (N, N): row i predicts example i, with 0 for itself; NaN where the others cannot predict it."""
    count = len(verb.places)
    extents = verb.adverb_ranges[:, 1] - verb.adverb_ranges[:, 0]
    weights = np.zeros((count, count))
    for left in range(count):
        rest = np.flatnonzero(np.arange(count) != left)
        try:
            basis = cardinal_basis(
                verb.places[rest], extents, kernel=kernel, degree=degree, radius_factor=radius_factor
            )
        except BasisError:
            weights[left] = np.nan
            continue
        weights[left, rest] = basis.weights(verb.places[left][None])[0]
    return weights


def _joints(verb: Verb, weights: Array) -> tuple[Array, Array]:
    """Return joint positions (R, S, J, 3) under `weights` (R, N): relative to the root, and in the world."""
    phases = np.linspace(0.0, 1.0, SAMPLES)
    values = verb.sample_phases(np.tile(phases, len(weights)), np.repeat(weights, SAMPLES, axis=0))
    relative = world_joints(verb.channels, values)
    relative[..., :2] -= relative[:, :1, :2]
    drifts, generic = np.tensordot(weights, verb.drifts, axes=1), verb.phrasing.generic
    paths = segment_path(drifts, generic, phases, cyclic=False).reshape(-1, 4)
    values[:, :3] = paths[:, :3]
    climb(verb.channels, values, paths[:, 3])
    shape = (len(weights), SAMPLES, -1, 3)
    return relative.reshape(shape), world_joints(verb.channels, values).reshape(shape)


def _mean_distances(ours: Array, theirs: Array) -> Array:
    """Return the mean distances (R,) between points (R, S, J, 3)."""
    return np.asarray(np.linalg.norm(ours - theirs, axis=-1).mean(axis=(1, 2)), dtype=np.float64)
