"""The errors of [Rose2001] section 4 on generated reaches: an arm in the plane, a hand on a board, a hand in space."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..bench.reach_figures import BOARD, SPACE, board_reach, space_reach
from ..bench.reach_scenes import ARM_REGION, arm_reach
from ..core.figure.channels import world_joints
from ..core.reach.measures import Aim, Distortion, distortion, distortion_of
from ..core.reach.refine import Refinement, RefineOptions, lattice, refine, refining
from ..core.reach.search import exact, search_line
from ..core.verb.verb import Verb
from .reach_grids import Plot, Warped

Array = NDArray[np.float64]

SEED = 1
COUNT, MOST, EVERY = 20, 100, 5
TITLES = ("Examples alone", "One line", f"{COUNT} pseudo-examples", f"{COUNT} and Exactly")


@dataclass(frozen=True, eq=False)
class Reached:
    """One of the paper's three tasks.

    Parameters
    ----------
    name : what is reached with.
    make : the verb, and what is asked of it.
    region : (D, 2) ranges of the adverbs.
    grid : (D,) places along each adverb that are drawn; 1 for the middle alone.
    lines : adverbs along which lines are drawn.
    judged : places along each adverb at which the errors are computed; the refinement does not look at these.
    paper : average and largest error in percent of the paper's examples alone, line search, pseudo-examples and hybrid.
    """

    name: str
    make: Callable[[int], tuple[Verb, Aim]]
    region: Array
    grid: tuple[int, ...]
    lines: tuple[int, ...]
    judged: int
    paper: tuple[tuple[float, float], ...]


NOT_TOLD = np.nan
REACHES = (
    Reached(
        *("Arm in the plane", arm_reach, ARM_REGION, (10, 13), (0, 1), 71),
        ((6.85, 14.15), (1.13, 4.73), (2.39, NOT_TOLD), (0.40, NOT_TOLD)),
    ),
    Reached(
        *("Hand on a board", board_reach, BOARD, (14, 13), (0, 1), 71),
        ((8.11, 23.86), (3.9, 11.9), (0.25, 0.69), (0.10, 0.48)),
    ),
    Reached(
        *("Hand in space", space_reach, SPACE, (11, 1, 9), (0, 2), 17),
        ((5.27, 8.98), (1.03, 3.22), (0.51, 1.41), (0.053, 0.96)),
    ),
)


def warped_rows() -> list[list[Warped]]:
    """What each task asks for and gets: by its examples alone, searched on a line, refined, and played exactly."""
    return [list(_warped(task)) for task in REACHES]


def _warped(task: Reached) -> Iterator[Warped]:
    verb, aim = task.make(SEED)
    refined = refine(verb, aim, RefineOptions(count=COUNT))
    pairs = zip(task.region, task.grid, strict=True)
    along = [np.linspace(*ends, count) if count > 1 else np.array([ends.mean()]) for ends, count in pairs]
    drawn = np.stack(np.meshgrid(*along, indexing="ij"), axis=-1)
    ways = (
        (verb.weights, False),
        (lambda points: search_line(verb, aim, points, 0.0).weights, False),
        (refined.verb.weights, True),
        (exact(refined.verb, aim).weights, True),
    )
    for title, (weights, with_pseudo), told in zip(TITLES, ways, task.paper, strict=True):
        judged, shown = (
            distortion_of(verb, aim, points, weights(points))
            for points in (lattice(task.region, task.judged), drawn.reshape(-1, len(task.region)))
        )
        yield Warped(
            title=title,
            name=f"{task.name}: in percent of the diagonal of its region, {aim.diagonal:.2f} m",
            asked=shown.asked.reshape(*task.grid, -1),
            achieved=shown.achieved.reshape(*task.grid, -1),
            percent=shown.percent.reshape(task.grid),
            lines=task.lines,
            errors=(judged.average, judged.maximum),
            paper=told,
            poses=_poses(verb, weights),
            parents=verb.channels.skeleton.parents,
            examples=aim.asked(verb.places),
            pseudo=aim.asked(refined.pseudo.places) if with_pseudo else np.zeros((0, aim.asked(verb.places).shape[1])),
        )


def _poses(verb: Verb, weights: Callable[[Array], Array]) -> Array:
    """Joints (., J, 3) at the reach's keytime: of an arm in all examples, of a figure as it reaches for the middle."""
    middle = weights(verb.adverb_ranges.mean(axis=1)[None])
    shares = np.eye(len(verb.places)) if verb.name == "arm" else middle
    phases = np.full(len(shares), verb.phrasing.generic[1])
    return world_joints(verb.channels, verb.sample_phases(phases, shares))


def plots() -> list[Plot]:
    """The errors over the number of pseudo-examples, up to a hundred, of each task."""
    return [_plot(task) for task in REACHES]


def _plot(task: Reached) -> Plot:
    verb, aim = task.make(SEED)
    points = lattice(task.region, task.judged)
    found: dict[int, Refinement] = {one.stages[-1].count: one for one in refining(verb, aim, RefineOptions(count=MOST))}
    counts = [count for count in range(0, MOST + 1, EVERY) if count in found]
    alone = [distortion(found[count].verb, aim, points) for count in counts]
    searched = [distortion(exact(found[count].verb, aim), aim, points) for count in counts]
    return Plot(
        title=f"{task.name}: percent of the diagonal, {aim.diagonal:.2f} m",
        counts=np.array(counts),
        alone=_errors(alone),
        searched=_errors(searched),
        paper_alone=task.paper[2],
        paper_searched=task.paper[3],
    )


def _errors(found: list[Distortion]) -> Array:
    return np.array([(one.average, one.maximum) for one in found])
