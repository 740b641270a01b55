"""Reaches: errors compared with [Rose2001] section 4, and the cost of refined verbs and searches."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from ..core.play.verb_now import Pacer
from ..core.reach.measures import Aim, Distortion, distortion
from ..core.reach.pseudo_examples import PseudoExamples, local_radius, refined_basis, without
from ..core.reach.refine import RefineOptions, lattice, refine, scattered
from ..core.reach.search import exact
from ..core.verb.cardinal_basis import CardinalBasis
from ..core.verb.verb import Verb
from ..dev.figure import Figure
from .reach_figures import BOARD, SPACE, board_reach, space_reach
from .reach_scenes import ARM_REGION, arm_reach
from .timing import interleaved

Array = NDArray[np.float64]
Pair = tuple[float, float]

FRAMES, ROUNDS = 200, 100
SEARCHES = 20
MANY = (20, 200, 1000)
EVALUATED = 200
THIRD_OF_A_FRAME = 5500.0
"""Microseconds at 60 frames a second; the rest is for the pose and for Blender."""


@dataclass(frozen=True, eq=False)
class Scene:
    """One line of the paper's results; errors are average and maximum in percent of the region's diagonal.

    Parameters
    ----------
    name : name of the reach.
    make : makes the verb, and its targets.
    points : (P, D) lattice of points not used in the refinement.
    alone, both : number of pseudo-examples without and with a search at run time.
    exchanges : exchanges of the refinement.
    start : the paper's errors before any correction.
    paper_alone, paper_both : the paper's errors with pseudo-examples, and hybrid, in words.
    alone_bound, both_bound : upper bounds of ours.
    """

    name: str
    make: Callable[[int], tuple[Verb, Aim]]
    points: Array
    alone: int
    both: int
    exchanges: int
    start: Pair
    paper_alone: str
    paper_both: str
    alone_bound: Pair
    both_bound: Pair


SCENES = (
    Scene(
        *("arm in the plane", arm_reach, lattice(ARM_REGION, 47), 20, 20, 6, (6.85, 14.15)),
        *("2.39 / not told", "0.40 / not told", (0.35, 1.0), (0.03, 0.2)),
    ),
    Scene(
        *("board, whole figure", board_reach, lattice(BOARD, 29), 40, 40, 15, (8.11, 23.86)),
        *("0.25 / 0.69", "0.10 / 0.48", (0.2, 0.6), (0.1, 0.45)),
    ),
    Scene(
        *("space, whole figure", space_reach, lattice(SPACE, 12), 40, 20, 6, (5.27, 8.98)),
        *("0.51 / 1.41", "0.053 / 0.96", (0.5, 1.4), (0.02, 0.2)),
    ),
)


def reach_figures() -> Iterator[Figure]:
    """Yield the table of errors, and the costs."""
    for scene in SCENES:
        yield from _errors(scene)
    yield from _costs()
    yield from _many()


def _errors(scene: Scene) -> Iterator[Figure]:
    verb, aim = scene.make(1)
    points = scene.points
    before = distortion(verb, aim, points)
    refined = {
        count: refine(verb, aim, RefineOptions(count=count, exchanges=scene.exchanges)).verb
        for count in {scene.alone, scene.both}
    }
    alone = distortion(refined[scene.alone], aim, points)
    few = refined[scene.both]
    both = distortion(exact(few, aim), aim, points)
    yield from _pair(f"{scene.name}: start", before, scene.start, "as bad as the paper's", at_least=True)
    name = f"{scene.name}: {scene.alone} pseudo-examples"
    yield from _pair(name, alone, scene.alone_bound, f"the paper's {scene.paper_alone}")
    yield from _pair(f"{scene.name}: {scene.both}, hybrid", both, scene.both_bound, f"the paper's {scene.paper_both}")


def _pair(name: str, found: Distortion, bound: Pair, beside: str, at_least: bool = False) -> Iterator[Figure]:
    yield Figure(f"{name}, average", found.average, bound[0], "%", beside, at_least)
    yield Figure(f"{name}, maximum", found.maximum, bound[1], "%", beside, at_least)


def _costs() -> Iterator[Figure]:
    """Yield the cost of a pose with 20 pseudo-examples relative to none, of a frame's search, and of the refinement."""
    verb, aim = space_reach(1)
    begin = time.perf_counter()
    refined = refine(verb, aim, RefineOptions(count=20)).verb
    seconds = time.perf_counter() - begin
    points = np.random.default_rng(4).uniform(*verb.adverb_ranges.T, (FRAMES, len(verb.adverb_names)))
    path = [tuple(point) for point in points.tolist()]
    reached = float(verb.phrasing.generic[1])
    poses = {name: Pacer(which, {}) for name, which in (("plain", verb), ("refined", refined))}

    def played(pacer: Pacer) -> Callable[[], None]:
        def play() -> None:
            for adverbs in path:
                now = pacer.at(dict(zip(verb.adverb_names, adverbs, strict=True)))
                now.verb.poses(np.array([reached]), now.weights)

        return play

    best = interleaved({name: played(pacer) for name, pacer in poses.items()}, ROUNDS)
    plain, more = best["plain"] / FRAMES, best["refined"] / FRAMES
    said = f"{more * 1e6:.1f} of {plain * 1e6:.1f} us, adverbs moving"
    yield Figure("pose with 20 pseudo-examples beside none", more / plain, 1.3, "", said)

    yield from _searches(refined, aim, points)
    yield Figure("refining the reach in space to 20", seconds, 5.0, "s", "three adverbs, eight examples, 1500 samples")


def _searches(refined: Verb, aim: Aim, points: Array) -> Iterator[Figure]:
    """Yield the cost of *Exactly* per frame, for either search."""
    for name, by in (("least squares", "least_squares"), ("lines", "line")):
        verb = exact(refined, aim, by)

        def search(verb: Verb = verb) -> None:
            for point in points[:SEARCHES]:
                verb.weights(point)

        one = interleaved({"search": search}, ROUNDS // 10)["search"] / SEARCHES
        many = interleaved({"search": lambda verb=verb: verb.weights(points)}, ROUNDS // 10)["search"] / FRAMES
        said = f"one frame; {many * 1e6:.0f} us each of {FRAMES} at once"
        yield Figure(f"played exactly by {name}, in a frame", one * 1e6, THIRD_OF_A_FRAME, "us", said)


def _many() -> Iterator[Figure]:
    """Yield the cost of weights with few and many pseudo-examples, point by point and for many points at once."""
    verb = space_reach(1)[0]
    points = np.random.default_rng(5).uniform(*verb.adverb_ranges.T, (EVALUATED, len(verb.adverb_names)))
    bases = {str(count): _with_scattered(verb, count) for count in MANY}

    def one_by_one(basis: CardinalBasis) -> Callable[[], None]:
        def evaluate() -> None:
            for row in range(EVALUATED):
                basis.weights(points[row : row + 1])

        return evaluate

    ways = {
        "one point": {name: one_by_one(basis) for name, basis in bases.items()},
        f"{EVALUATED} points at once": {name: partial(basis.weights, points) for name, basis in bases.items()},
    }
    for way, tasks in ways.items():
        best = {name: seconds / EVALUATED * 1e6 for name, seconds in interleaved(tasks, ROUNDS).items()}
        few, *_, most = best.values()
        times = ", ".join(f"{each:.2f} us" for each in best.values())
        said = f"{times} a point with {', '.join(best)}"
        yield Figure(f"weights with {MANY[-1]} pseudo-examples beside {MANY[0]}, {way}", most / few, 2.0, "", said)


def _with_scattered(verb: Verb, count: int) -> CardinalBasis:
    """Return the basis of a verb with `count` pseudo-examples over its adverb space that barely change the weights."""
    places = scattered(verb.adverb_ranges, count)
    changes = np.random.default_rng(6).normal(scale=0.02, size=(count, len(verb.example_names)))
    weights = verb.basis.weights(places) + changes - changes.mean(axis=1, keepdims=True)
    pseudo = PseudoExamples(places, weights, np.ones(count))
    radii = [local_radius(verb.basis, without(pseudo, index), place, 2.0) for index, place in enumerate(places)]
    basis = refined_basis(verb.basis, replace(pseudo, radii=np.array(radii)))
    if basis is None:
        raise RuntimeError(f"No basis of {count} pseudo-examples is exact.")
    return basis
