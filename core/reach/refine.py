"""Refinement: the worst point of the adverb space is searched and mended, again and again ([Rose2001] section 4.3)."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..errors import VerbError
from ..verb.verb import Verb
from .aim import Aim
from .distortion import Distortion, distortion
from .hull import inside_hull
from .pseudo import PseudoExamples, local_radius, none_of, with_pseudo_examples
from .samples import scattered, with_faces
from .search import search

Array = NDArray[np.float64]

FACES = 0.04
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
        that leaves the least squared error is kept. Wide ones mend smooth distortions with few pseudo-examples, narrow
        ones keep the effect local.
    refit : fit the hyperplanes again with every pseudo-example, instead of keeping those of the examples.
    tolerance : distance from the target at which the search for weights ends, in percent of the diagonal.
    """

    count: int = 20
    percent: float = 0.0
    samples: int = 1500
    hull: bool = False
    radius_factors: tuple[float, ...] = (2.0, 3.0, 4.0, 6.0)
    refit: bool = False
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
        If the verb is refined already, or its measure is not a number at a sample.
    """
    _check_unrefined(verb)
    places = sample_points(verb, options.samples, options.hull) if points is None else points
    pseudo, now, found = none_of(verb), verb, _checked(verb, distortion(verb, aim, places), places)
    stages = [_stage(pseudo, found)]
    best = stages[0].maximum, now, pseudo
    untried = np.ones(len(places), dtype=np.bool_)
    while len(pseudo.places) < options.count and found.maximum > options.percent and untried.any():
        if go_on and not go_on(stages[-1]):
            break
        worst = int(np.where(untried, found.percent, -1.0).argmax())
        untried[worst] = False
        mended = _mended(verb, now, aim, options, places, pseudo, places[worst])
        if mended is None:
            break
        now, pseudo, found = mended
        stages.append(_stage(pseudo, found))
        if stages[-1].maximum < best[0]:
            best = stages[-1].maximum, now, pseudo
    return Refinement(best[1], best[2], tuple(stages))


def sample_points(verb: Verb, count: int, hull: bool = False) -> Array:
    """Points (count, D) over the ranges of the adverbs, some on their faces; with `hull` (at most count, D) of them."""
    drawn = scattered(verb.adverb_ranges, DRAWN * count if hull else count)
    points = with_faces(verb.adverb_ranges, drawn, FACES)
    return points[inside_hull(verb.places, verb.adverb_ranges, points)][:count] if hull else points


def _mended(
    first: Verb, now: Verb, aim: Aim, options: RefineOptions, points: Array, pseudo: PseudoExamples, place: Array
) -> tuple[Verb, PseudoExamples, Distortion] | None:
    """The verb with one more pseudo-example at `place` (D,); None where none can be put in."""
    weights = search(now, aim, place[None], options.tolerance * aim.diagonal / 100.0).weights[0]
    choices: list[tuple[Verb, PseudoExamples, Distortion]] = []
    for factor in options.radius_factors:
        joined = pseudo.joined(place, weights, local_radius(first.basis, pseudo, place, factor))
        verb = with_pseudo_examples(first, joined, options.refit)
        if verb is not None:
            choices.append((verb, joined, distortion(verb, aim, points)))
    return min(choices, key=lambda choice: float(np.mean(choice[2].percent ** 2)), default=None)


def _stage(pseudo: PseudoExamples, found: Distortion) -> Stage:
    return Stage(len(pseudo.places), found.average, found.maximum)


def _check_unrefined(verb: Verb) -> None:
    if len(verb.basis.centres) != len(verb.example_names):
        raise VerbError(
            f"Verb '{verb.name}' has pseudo-examples already. Refine it from the verb that its examples alone make."
        )


def _checked(verb: Verb, found: Distortion, points: Array) -> Distortion:
    for row in np.flatnonzero(~np.isfinite(found.percent)):
        place = ", ".join(f"{n} {v:g}" for n, v in zip(verb.adverb_names, points[row], strict=True))
        raise VerbError(
            f"What is measured of verb '{verb.name}' at {place} is not a number. "
            "Choose a measure that all of its motions have, or a smaller region."
        )
    return found
