"""Refinement: the worst point of the adverb space is searched and mended, again and again ([Rose2001] section 4.3)."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..errors import VerbError
from ..verb.verb import Verb
from .aim import Aim, Distortion, distortion
from .mended import Mended, Mending, exchange, fit_radii, mended
from .pseudo import PseudoExamples, local_radius, none_of
from .samples import crowded_at_faces, inside_hull, scattered, with_faces
from .search import search

Array = NDArray[np.float64]

FACES = 0.04
NEAR = 0.1
DRAWN = 16
"""Points that are drawn for each that is wanted where only those between the examples count."""


@dataclass(frozen=True)
class RefineOptions:
    """How a verb is refined.

    Parameters
    ----------
    count : pseudo-examples at most.
    percent : stop when no sample is missed by more, in percent of the diagonal of the target region.
    samples : how many points of the adverb space are looked at.
    hull : look only between the examples, not throughout the ranges of the adverbs: what lies beyond all examples is
        missed by most, and would take the pseudo-examples from where they serve.
    radius_factors : supports that are tried for each pseudo-example, in distances to its nearest neighbour; the one
        that leaves the least cost is kept. Wide ones mend smooth distortions with few pseudo-examples, narrow
        ones keep the effect local.
    refit : fit the hyperplanes again with every pseudo-example, instead of keeping those of the examples.
    joint_radii : fit the radii of all pseudo-examples together whenever one comes in; else each keeps its own.
    exchanges : at the end, how often at most the pseudo-example that serves least is put where the verb is worst.
    tolerance : distance from the target at which the search for weights ends, in percent of the diagonal.
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
    """Errors on the samples with so many pseudo-examples, in percent of the diagonal of the target region."""

    count: int
    average: float
    maximum: float


@dataclass(frozen=True, eq=False)
class Refinement:
    """A refined verb and how it came about.

    Parameters
    ----------
    verb : the best of all stages, never with a larger maximum than at the start; its examples keep their weights.
    pseudo : what was put into it.
    stages : without pseudo-examples, with one, and so on; those after the best are included.
    """

    verb: Verb
    pseudo: PseudoExamples
    stages: tuple[Stage, ...]


def refine(
    verb: Verb,
    aim: Aim,
    options: RefineOptions = DEFAULT_REFINEMENT,
    points: Array | None = None,
    go_on: Callable[[Stage], bool] | None = None,
) -> Refinement:
    """Put pseudo-examples into `verb` where it misses what it is asked by most.

    Parameters
    ----------
    verb : built from its examples alone.
    aim : what is asked of what.
    options : when to stop, and how each pseudo-example is put in.
    points : (P, D) samples to look at; by default some spread over the ranges of all adverbs, or between the examples.
    go_on : called at each stage; the refinement ends where it says no.

    Raises
    ------
    VerbError
        If the verb is refined already, no example stands in the region, or its measure is not a number at a sample.
    """
    *_, last = _while(refining(verb, aim, options, points), go_on)
    return last


def _while(found: Iterator[Refinement], go_on: Callable[[Stage], bool] | None) -> Iterator[Refinement]:
    for one in found:
        yield one
        if go_on and not go_on(one.stages[-1]):
            return


def refining(
    verb: Verb, aim: Aim, options: RefineOptions = DEFAULT_REFINEMENT, points: Array | None = None
) -> Iterator[Refinement]:
    """The same stage by stage, the best so far each time; the first has no pseudo-examples yet."""
    _check_unrefined(verb)
    places = sample_points(verb, options.samples, options.hull) if points is None else points
    task = Mending(verb, aim, places, options.refit)
    now = Mended(verb, none_of(verb), _checked(verb, distortion(verb, aim, places), places))
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


def _improved(task: Mending, now: Mended, options: RefineOptions) -> Iterator[Mended]:
    """One pseudo-example more each time, and at the end one in a better place."""
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
    """Points (count, D) over the ranges of the adverbs, more of them near and on their faces; or between the examples.

    With `hull` as many as `count` of those between the examples, and evenly spread.
    """
    drawn = with_faces(verb.adverb_ranges, scattered(verb.adverb_ranges, DRAWN * count if hull else count), FACES)
    points = drawn if hull else crowded_at_faces(verb.adverb_ranges, drawn)
    return points[inside_hull(verb.places, verb.adverb_ranges, points)][:count] if hull else points


def _with_one_more(task: Mending, now: Mended, options: RefineOptions, steps: int) -> Mended | None:
    """One more pseudo-example where the verb is worst, then `steps` of all radii; None where none can be put in."""
    taken = np.any(np.all(task.points[:, None] == now.pseudo.places, axis=-1), axis=1)
    if taken.all():
        return None
    place = task.points[int(np.where(taken, -1.0, now.found.percent).argmax())]
    tolerance = options.tolerance * task.aim.diagonal / 100.0
    weights = search(now.verb, task.aim, place[None], tolerance).weights[0]
    choices: list[Mended] = []
    for factor in options.radius_factors:
        radius = local_radius(task.first.basis, now.pseudo, place, factor)
        choice = mended(task, now.pseudo.joined(place, weights, radius))
        if choice is not None:
            choices.append(choice)
    if not choices:
        return None
    best = min(choices, key=lambda choice: choice.cost)
    for _ in range(steps if options.joint_radii else 0):
        best = fit_radii(task, best)
    return best


def _stage(now: Mended) -> Stage:
    return Stage(len(now.pseudo.places), now.found.average, now.found.maximum)


def _check_unrefined(verb: Verb) -> None:
    if len(verb.basis.centres) != len(verb.example_names):
        raise VerbError(
            f"Verb '{verb.name}' has pseudo-examples already. Refine it from the verb that its examples alone make."
        )
    low, high = verb.adverb_ranges.T
    margin = NEAR * (high - low)
    if not np.all((verb.places >= low - margin) & (verb.places <= high + margin), axis=1).any():
        region = ", ".join(f"{n} {a:g} to {b:g}" for n, a, b in zip(verb.adverb_names, low, high, strict=True))
        raise VerbError(
            f"No example of verb '{verb.name}' stands in the region {region}. "
            "Set the ranges of its adverbs to where its examples are measured, or add examples there."
        )


def _checked(verb: Verb, found: Distortion, points: Array) -> Distortion:
    for row in np.flatnonzero(~np.isfinite(found.percent)):
        place = ", ".join(f"{n} {v:g}" for n, v in zip(verb.adverb_names, points[row], strict=True))
        raise VerbError(
            f"What is measured of verb '{verb.name}' at {place} is not a number. "
            "Choose a measure that all of its motions have, or a smaller region."
        )
    return found
