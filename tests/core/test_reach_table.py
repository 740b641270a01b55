"""Errors of an arm, a hand on a board and a hand in space beside [Rose2001]: start, line search, refined, and hybrid.

And what inverse kinematics on top of each of them leaves, where joints are only turned between the examples.

All are in percent of the region's diagonal, over 5,000 random points, by the forward kinematics of these tests.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import product

import numpy as np
import pytest
from verbs_adverbs.bench.reach_figures import board_reach, space_reach
from verbs_adverbs.bench.reach_scenes import arm_reach
from verbs_adverbs.core.reach.last_millimetres import touching
from verbs_adverbs.core.reach.measures import Aim
from verbs_adverbs.core.reach.refine import RefineOptions, lattice, refine
from verbs_adverbs.core.reach.search import exact, search_line
from verbs_adverbs.core.verb.verb import Verb

from .reached import ARM, IN_SPACE, ON_BOARD, Off, Region, drawn, misses, off

Made = tuple[str, int, Region, Verb, Aim]

SCENES: dict[str, tuple[Region, Callable[[int], tuple[Verb, Aim]]]] = {
    "arm": (ARM, arm_reach),
    "board": (ON_BOARD, board_reach),
    "space": (IN_SPACE, space_reach),
}
START = {"arm": (6.85, 14.15), "board": (8.11, 23.86), "space": (5.27, 8.98)}
"""The paper's, which ours should be no easier than."""
LINE = {"arm": (1.125, 4.725), "board": (3.9, 11.9), "space": (1.03, 3.22)}
ALONE = {"arm": (2.39, np.inf), "board": (0.25, 0.69), "space": (0.51, 1.41)}
HYBRID = {"arm": (0.4, np.inf), "board": (0.1, 0.48), "space": (0.053, 0.96)}
"""The paper's; it does not tell the largest of the arm. How many pseudo-examples it has is drawn, but not told."""
LEFT = {"arm": 0.35, "board": 0.91, "space": 0.22}
"""Share of the average error that one line may leave; the paper's are 0.16, 0.48 and 0.20."""
ON_TOP = 0.01
"""Percent, a seventh of a millimetre at most."""
COUNTS, FEW, TOPPED = (5, 10, 20, 40, 100), 20, (5, 20, 100)
SEARCHED_TO = 0.0101
"""Percent below which *Exactly* searches no more, and rounding.

The board has four examples, so that their weights have no more freedom than the target: it may be missed by more."""


def _cases() -> Iterator[object]:
    for name, seed in product(SCENES, (1, 2, 3, 4)):
        yield pytest.param((name, seed), marks=[] if seed == 1 else pytest.mark.long, id=f"{name}-{seed}")


@pytest.fixture(scope="module", params=_cases())
def made(request: pytest.FixtureRequest) -> Made:
    name, seed = request.param
    region, make = SCENES[name]
    return name, seed, region, *make(seed)


def _within(found: Off, bound: tuple[float, float]) -> bool:
    return found.average <= bound[0] and found.maximum <= bound[1]


def _on_top(region: Region, verb: Verb, aim: Aim, points: np.ndarray) -> Off:
    made = touching(verb, aim, None)
    return off(region, made, points, made.mixing(points))


def test_a_line_leaves_a_share_of_the_error_at_the_start(made: Made, tell: Callable[[str], None]):
    name, seed, region, verb, aim = made
    points = drawn(region, seed)
    start = off(region, verb, points)
    one, many = (off(region, verb, points, search_line(verb, aim, points, 0.0, lines).weights) for lines in (1, 4))
    tell(f"{name} {seed}: start {start} ({START[name]}); a line {one} ({LINE[name]}); four lines {many}")
    top = _on_top(region, verb, aim, points)
    tell(f"{name} {seed}: start with IK on top {top}")
    assert start.average > START[name][0]
    assert start.maximum > START[name][1]
    assert one.average <= LEFT[name] * start.average
    assert one.maximum < start.maximum
    assert many.average < one.average
    assert top.maximum <= ON_TOP


@pytest.mark.long
def test_pseudo_examples_and_the_hybrid_are_better_than_the_papers(made: Made, tell: Callable[[str], None]):
    name, seed, region, verb, aim = made
    points, found, tops = drawn(region, seed), dict[int, Off](), dict[int | str, Off]()
    for count in COUNTS:
        refined = refine(verb, aim, RefineOptions(count=count)).verb
        found[count] = off(region, refined, points)
        if count in TOPPED:
            tops[count] = _on_top(region, refined, aim, points)
        if count == FEW:
            tops["hybrid"] = _on_top(region, exact(refined, aim), aim, points)
            both = {by: off(region, exact(refined, aim, by), points) for by in ("least_squares", "line")}
    said = "; ".join(f"{count} pseudo {one}" for count, one in found.items())
    tell(f"{name} {seed}: {said} ({ALONE[name]})")
    said = "; ".join(f"{FEW} and {by} {one}" for by, one in both.items())
    tell(f"{name} {seed}: {said} ({HYBRID[name]})")
    tell(f"{name} {seed}, IK on top: " + "; ".join(f"{count} {one}" for count, one in tops.items()))
    assert max(one.maximum for one in tops.values()) <= ON_TOP
    assert _within(found[100], ALONE[name])
    assert found[40].average <= ALONE[name][0]
    assert _within(both["least_squares"], HYBRID[name])
    assert both["least_squares"].maximum <= SEARCHED_TO or name == "board"
    assert [found[count].average for count in COUNTS] == sorted((one.average for one in found.values()), reverse=True)


def test_an_arm_that_starts_as_the_papers_is_left_where_the_papers_is(tell: Callable[[str], None]):
    region = ARM.part(0.7)
    points = drawn(region, 1)
    found = []
    for seed in (1, 2, 3, 4):
        verb, aim = arm_reach(seed, region.ranges)
        start = off(region, verb, points)
        found.append((start, off(region, verb, points, search_line(verb, aim, points, 0.0).weights)))
    tell("; ".join(f"arm, smaller {seed}: start {a}; a line {b}" for seed, (a, b) in enumerate(found, 1)))
    for start, line in found:
        assert line.average / start.average < 0.25


def test_no_adverbs_whatever_halve_the_error_of_a_flat_board(tell: Callable[[str], None]):
    """A hand that is mixed between the corners leaves the board as an arc its chord: no p' brings it back."""
    points = drawn(ON_BOARD, 1)[:500]
    low, high = ON_BOARD.ranges.T
    everywhere = lattice(np.stack([low - (high - low), high + (high - low)], axis=-1), 91)
    verb, _ = board_reach(1)
    start = off(ON_BOARD, verb, points)
    reached = misses(ON_BOARD, verb, everywhere) + np.pad(everywhere, ((0, 0), (0, 1)))
    nearest = [float(np.linalg.norm(reached - np.append(point, 0.0), axis=1).min()) for point in points]
    best = 100.0 * float(np.mean(nearest)) / float(np.linalg.norm(high - low))
    tell(f"board: start {start}; the best adverbs of {len(everywhere)} {best:.2f} on average")
    assert best > 0.75 * start.average


def _bent(places: np.ndarray) -> np.ndarray:
    """Where a board is along Y that lies half way between a plane and a sphere about the shoulder, at (..., 2)."""
    squared = 0.62**2 - np.sum((places - np.array([-0.2, 1.42])) ** 2, axis=-1)
    return 0.5 * (-0.5 - np.sqrt(squared))


@dataclass(frozen=True, eq=False)
class _Bent(Aim):
    def asked(self, adverbs: np.ndarray) -> np.ndarray:
        asked = super().asked(adverbs)
        asked[..., 1] = _bent(adverbs)
        return asked


@pytest.mark.parametrize("seed", [1, *(pytest.param(seed, marks=pytest.mark.long) for seed in (2, 3, 4))])
def test_a_line_leaves_about_half_of_the_error_of_a_board_that_bends_with_the_arm(
    seed: int, tell: Callable[[str], None]
):
    region = replace(ON_BOARD, ranges=np.array([[-0.55, 0.15], [1.07, 1.77]]))
    points, corners = drawn(region, seed), lattice(region.ranges, 2)
    verb, flat = board_reach(seed, corners, _bent(corners))
    aim = _Bent(**vars(flat))

    def missed(weights: np.ndarray) -> tuple[float, float]:
        found = misses(region, verb, points, weights)
        found[:, 2] += -0.5 - _bent(points)
        percent = 100.0 * np.linalg.norm(found, axis=1) / np.hypot(0.7, 0.7)
        return float(percent.mean()), float(percent.max())

    start, line = missed(verb.weights(points)), missed(search_line(verb, aim, points, 0.0).weights)
    tell(f"bent board {seed}: start {start[0]:.2f} / {start[1]:.2f}; a line {line[0]:.2f} / {line[1]:.2f}")
    assert line[0] <= 0.52 * start[0]
    assert line[1] <= 0.65 * start[1]
