"""Refinement: pseudo-examples are added one by one where a verb's error is largest ([Rose2001] section 4.3)."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import VerbError
from ..verb.verb import Verb
from .measures import Aim, Distortion, distortion
from .pseudo_examples import (
    PseudoExamples,
    RefinedVerb,
    RefinementTask,
    exchange,
    fit_radii,
    local_radius,
    none_of,
    refined_verb,
)
from .search import search

Array = NDArray[np.float64]

FACES = 0.04
NEAR = 0.1
DRAWN = 16
"""Number of points drawn for each one needed, if only those between the examples are kept."""
ON_THE_FACE = 1e-9
FLAT = 1e-10


def lattice(ranges: ArrayLike, count: int) -> Array:
    """Return the points (count ** D, D) of a regular lattice over `ranges` (D, 2), including the ends."""
    low, high = np.asarray(ranges, dtype=np.float64).reshape(-1, 2).T
    places = np.indices((count,) * len(low)).reshape(len(low), -1).T
    return np.asarray(low + places / (count - 1) * (high - low), dtype=np.float64)


def scattered(ranges: ArrayLike, count: int) -> Array:
    """Return quasi-random points (count, D) over `ranges` (D, 2) by Roberts' additive recurrence.

    Its steps are the powers of 1 / g, where g is the root of x^(D + 1) = x + 1 (the golden ratio for D = 1).
    """
    low, high = np.asarray(ranges, dtype=np.float64).reshape(-1, 2).T
    dimension = len(low)
    root = 1.5
    for _ in range(40):
        root = (1.0 + root) ** (1.0 / (dimension + 1))
    steps = root ** -np.arange(1.0, dimension + 1.0)
    shares = (0.5 + np.arange(1, count + 1)[:, None] * steps) % 1.0
    return low + shares * (high - low)


def with_faces(ranges: ArrayLike, points: Array, share: float) -> Array:
    """Move those of `points` (P, D) that are within `share` of a range from one of its ends onto that end.

    Errors are largest on the faces and corners of the region, which scattered points never reach.
    """
    low, high = np.asarray(ranges, dtype=np.float64).reshape(-1, 2).T
    near = share * (high - low)
    return np.where(points < low + near, low, np.where(points > high - near, high, points))


def crowded_at_faces(ranges: ArrayLike, points: Array) -> Array:
    """Move every other one of `points` (P, D) towards the faces of `ranges` (D, 2), like Chebyshev points.

    Weights change fastest there, and with few points oscillations of a basis could go unnoticed.
    """
    low, high = np.asarray(ranges, dtype=np.float64).reshape(-1, 2).T
    shares = (points - low) / (high - low)
    drawn = 0.5 - 0.5 * np.cos(np.pi * shares)
    return np.where((np.arange(len(points)) % 2 == 0)[:, None], low + drawn * (high - low), points)


def inside_hull(places: ArrayLike, ranges: ArrayLike, points: ArrayLike) -> NDArray[np.bool_]:
    """Return which of `points` (P, D) lie in the convex hull of `places` (N, D) or on its faces.

    Parameters
    ----------
    places : places of the examples, which span the adverb space.
    ranges : (D, 2) ranges of the adverbs, by whose extents places are divided.
    points : points to test.
    """
    extents = np.ptp(np.asarray(ranges, dtype=np.float64).reshape(-1, 2), axis=1)
    faces = hull_faces(np.asarray(places, dtype=np.float64) / extents)
    return beyond_hull(faces, np.asarray(points, dtype=np.float64) / extents) <= ON_THE_FACE


def beyond_hull(faces: tuple[Array, Array], points: Array) -> Array:
    """Return the largest distance (P,) of `points` (P, D) beyond any face; at most 0 inside.

    `faces` is the result of `hull_faces` for places that are divided by the same extents as the points.
    """
    normals, offsets = faces
    return np.asarray(np.max(points @ normals.T - offsets, axis=1, initial=-np.inf), dtype=np.float64)


def hull_faces(places: Array) -> tuple[Array, Array]:
    """Return the faces of the convex hull of `places` (N, D): outward normals (F, D) and offsets (F,), with duplicates.

    Every D places span a hyperplane, which is a face if all other places lie on one side of it. The number of
    hyperplanes grows as N to the power D, which is small for examples made by people.
    """
    count, dimension = places.shape
    corners = places[np.array(list(combinations(range(count), dimension)), dtype=np.intp)]
    edges = corners[:, 1:] - corners[:, :1]
    normals = np.stack([_cofactor(edges, axis) for axis in range(dimension)], axis=-1)
    lengths = np.linalg.norm(normals, axis=1)
    kept = lengths > FLAT
    normals = normals[kept] / lengths[kept, None]
    offsets = np.einsum("fd,fd->f", normals, corners[kept, 0])
    heights = places @ normals.T - offsets[:, None].T
    low, high = np.all(heights >= -ON_THE_FACE, axis=0), np.all(heights <= ON_THE_FACE, axis=0)
    return np.concatenate([normals[high], -normals[low]]), np.concatenate([offsets[high], -offsets[low]])


def _cofactor(edges: Array, axis: int) -> Array:
    """Return component `axis` (C,) of the normals to `edges` (C, D - 1, D)."""
    return np.asarray((-1.0) ** axis * np.linalg.det(np.delete(edges, axis, axis=2)), dtype=np.float64)


@dataclass(frozen=True)
class RefineOptions:
    """Options of a refinement. Percentages are of the diagonal of the region of targets.

    Parameters
    ----------
    count : largest number of pseudo-examples.
    percent : stop when no error is larger than this.
    samples : number of points of the adverb space at which errors are computed.
    hull : use only points between the examples, not throughout the ranges of the adverbs. Errors are largest outside
        the hull of the examples, and pseudo-examples would be spent there.
    radius_factors : radii to try for each pseudo-example, in distances to its nearest neighbour; the one with the
        lowest cost is kept. Large radii correct smooth errors with few pseudo-examples, small ones keep the effect
        local.
    refit : fit the hyperplanes again with every pseudo-example, instead of keeping those of the examples.
    joint_radii : fit the radii of all pseudo-examples together whenever one is added; otherwise each keeps its own.
    exchanges : largest number of times at the end that the least useful pseudo-example is moved to where the error is
        largest.
    tolerance : error at which the search for the weights of a pseudo-example ends.
    """

    count: int = 20
    percent: float = 0.0
    samples: int = 1500
    hull: bool = False
    radius_factors: tuple[float, ...] = (2.0, 3.0, 4.0, 6.0)
    refit: bool = False
    joint_radii: bool = True
    exchanges: int = 6
    tolerance: float = 1e-3


DEFAULT_REFINEMENT = RefineOptions()


@dataclass(frozen=True)
class Stage:
    """Errors with a given number of pseudo-examples, in percent of the diagonal of the region of targets."""

    count: int
    average: float
    maximum: float


@dataclass(frozen=True, eq=False)
class Refinement:
    """A refined verb and the stages of its refinement.

    Parameters
    ----------
    verb : verb of the stage with the smallest maximum error; it is still exact at the examples.
    pseudo : pseudo-examples of that verb.
    stages : errors without pseudo-examples, with one, and so on, including stages after the best.
    """

    verb: Verb
    pseudo: PseudoExamples
    stages: tuple[Stage, ...]


def refine(
    verb: Verb, aim: Aim, options: RefineOptions = DEFAULT_REFINEMENT, points: Array | None = None
) -> Refinement:
    """Add pseudo-examples to `verb` where it differs most from the targets of its adverbs.

    Parameters
    ----------
    verb : verb built from its examples alone.
    aim : targets of the adverbs.
    options : when to stop, and how each pseudo-example is added.
    points : (P, D) points at which errors are computed; by default those of `sample_points`.

    Raises
    ------
    VerbError
        If the verb is already refined, no example lies in the region, or the measure is NaN at a point.
    """
    *_, last = refining(verb, aim, options, points)
    return last


def refining(
    verb: Verb, aim: Aim, options: RefineOptions = DEFAULT_REFINEMENT, points: Array | None = None
) -> Iterator[Refinement]:
    """Refine like `refine`, and yield the best result so far after each stage; the first has no pseudo-examples."""
    _check_unrefined(verb)
    places = sample_points(verb, options.samples, options.hull) if points is None else points
    task = RefinementTask(verb, aim, places, options.refit)
    now = RefinedVerb(verb, none_of(verb), _checked(verb, distortion(verb, aim, places), places))
    stages, best = [_stage(now)], now
    yield Refinement(best.verb, best.pseudo, tuple(stages))
    improved = _improved(task, now, options)
    while now.found.maximum > options.percent:
        later = next(improved, None)
        if later is None:
            return
        now = later
        stages.append(_stage(now))
        best = min(best, now, key=lambda found: found.found.maximum)
        yield Refinement(best.verb, best.pseudo, tuple(stages))


def _improved(task: RefinementTask, now: RefinedVerb, options: RefineOptions) -> Iterator[RefinedVerb]:
    """Yield the verb with one more pseudo-example each time, then with one moved to a better place each time."""
    while len(now.pseudo.places) < options.count:
        more = _with_one_more(task, now, options, 1)
        if more is None:
            return
        now = more
        yield now
    for _ in range(options.exchanges if options.count else 0):
        better = exchange(task, now, lambda fewer: _with_one_more(task, fewer, options, 2))
        if better is None:
            return
        now = better
        yield now


def sample_points(verb: Verb, count: int, hull: bool = False) -> Array:
    """Return points (count, D) over the ranges of the adverbs, more densely near and on the faces.

    With `hull`, return at most `count` points between the examples, evenly spread.
    """
    drawn = with_faces(verb.adverb_ranges, scattered(verb.adverb_ranges, DRAWN * count if hull else count), FACES)
    points = drawn if hull else crowded_at_faces(verb.adverb_ranges, drawn)
    return points[inside_hull(verb.places, verb.adverb_ranges, points)][:count] if hull else points


def _with_one_more(task: RefinementTask, now: RefinedVerb, options: RefineOptions, steps: int) -> RefinedVerb | None:
    """Add a pseudo-example where the error is largest, then fit all radii in `steps`; None if none can be added."""
    taken = np.any(np.all(task.points[:, None] == now.pseudo.places, axis=-1), axis=1)
    if taken.all():
        return None
    place = task.points[int(np.where(taken, -1.0, now.found.percent).argmax())]
    tolerance = options.tolerance * task.aim.diagonal / 100.0
    weights = search(now.verb, task.aim, place[None], tolerance).weights[0]
    choices: list[RefinedVerb] = []
    for factor in options.radius_factors:
        radius = local_radius(task.first.basis, now.pseudo, place, factor)
        choice = refined_verb(task, now.pseudo.joined(place, weights, radius))
        if choice is not None:
            choices.append(choice)
    if not choices:
        return None
    best = min(choices, key=lambda choice: choice.cost)
    for _ in range(steps if options.joint_radii else 0):
        best = fit_radii(task, best)
    return best


def _stage(now: RefinedVerb) -> Stage:
    return Stage(len(now.pseudo.places), now.found.average, now.found.maximum)


def _check_unrefined(verb: Verb) -> None:
    if len(verb.basis.centres) != len(verb.example_names):
        raise VerbError(f"Verb '{verb.name}' already has pseudo-examples. Refine the verb without them.")
    low, high = verb.adverb_ranges.T
    margin = NEAR * (high - low)
    if not np.all((verb.places >= low - margin) & (verb.places <= high + margin), axis=1).any():
        region = ", ".join(f"{n} {a:g} to {b:g}" for n, a, b in zip(verb.adverb_names, low, high, strict=True))
        raise VerbError(
            f"No example of verb '{verb.name}' is in the region {region}. Set the ranges of its adverbs to the "
            "measured values of its examples, or add examples there."
        )


def _checked(verb: Verb, found: Distortion, points: Array) -> Distortion:
    for row in np.flatnonzero(~np.isfinite(found.percent)):
        place = ", ".join(f"{n} {v:g}" for n, v in zip(verb.adverb_names, points[row], strict=True))
        raise VerbError(
            f"The measure of verb '{verb.name}' at {place} is not a number. Choose a measure that all of its motions "
            "have, or a smaller region."
        )
    return found
