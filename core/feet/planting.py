"""Playing a verb so that its points can be held: rows at the instants at which they come down and are lifted.

A cyclic verb has been going on before it starts, for a cycle: so what stands at the start stands where it came down,
and whole cycles end as they began.
"""

import numpy as np
from numpy.typing import NDArray

from ..figure.channels import climb
from ..progress import PIECE, Progress, share_of, untold
from ..verb.perform import perform, played_pieces
from ..verb.phrasing import share_windows
from ..verb.travel import compose
from ..verb.verb import Verb, VerbMotion
from .fading import FADE
from .holding import RUN_UP
from .planted import EDGE, Footing, Planted, just_before
from .spans import planted_spans

Array = NDArray[np.float64]

REFINEMENTS = 2
SLOWEST = 1e-6
LOOK = 0.15
"""Share of the work that goes into finding once when windows open and close."""
SPANNING = 0.8
"""Share of the work that is done when only the rows at which they do are still wanted."""
MOMENTS = np.arange(128) / 128.0
NONE: Array = np.zeros(0)


def plant_even(
    footing: Footing,
    verb: Verb,
    adverbs: Array,
    origin: Array,
    times: Array,
    reach: float = np.inf,
    before: Array = NONE,
    progress: Progress | None = None,
) -> Planted:
    """Play a verb at constant adverbs.

    Parameters
    ----------
    footing : what will hold its points.
    adverbs : (D,)
    origin : (4,) x, y, z and heading at the start.
    times : (T,) seconds from the start at which the result is wanted, increasing from 0 or later.
    reach : how many cycles before the first of `times` are looked at; no more than there are.
    before : seconds before the first of `times` that count as shown, as `times` themselves do.
    progress : called with the fraction that is done, as `core.progress` says.
    """
    motion = verb.motion(adverbs)
    lead = motion.duration if verb.cyclic else 0.0
    behind = reach * motion.duration if _comes_free(footing, motion) else np.inf
    first = max(-lead, float(times[0]) - behind)
    last = float(times[-1]) + (lead if footing.floor is not None else 0.0)
    opens, closes = _even_changes(motion, first, last)
    leading = before[(before < times[0]) & just_before(before, closes, RUN_UP)]
    grid = np.concatenate([[first], _edges(opens, closes), leading, [last]])
    grid = np.union1d(times, grid[(grid >= first) & (grid <= last)])
    return _even(footing, motion, origin, grid, np.searchsorted(grid, times), progress or untold)


def _even(
    footing: Footing, motion: VerbMotion, origin: Array, grid: Array, rows: NDArray[np.intp], progress: Progress
) -> Planted:
    phases = motion.phase(grid)
    heights, values = np.empty(len(grid)), np.empty((len(grid), motion.channels.width))
    for begin in range(0, len(grid), PIECE):
        piece = slice(begin, begin + PIECE)
        path = motion.path(phases[piece])
        part = motion.verb.sample_phases(phases[piece], motion.weights)
        part[:, :3] = compose(origin[[0, 1, 3]], path[:, :3])
        climb(motion.channels, part, path[:, 3] + origin[2])
        values[piece], heights[piece] = part, path[:, 3]
        progress(SPANNING * min(begin + PIECE, len(grid)) / len(grid))
    weights = np.broadcast_to(motion.weights, (len(grid), len(motion.weights)))
    spans = planted_spans(motion.verb, grid, phases, weights, values, share_of(progress, SPANNING, 1.0))
    return Planted(footing, grid, phases, values, heights, spans, rows)


def _comes_free(footing: Footing, motion: VerbMotion) -> bool:
    """Whether every leg is free of locks long enough, once a cycle, for them to fade; then older ones do not matter."""
    if not motion.verb.cyclic:
        return False
    free = 0.5 * FADE / motion.duration
    for leg in footing.legs:
        windows = np.concatenate([motion.windows[point] for point in leg])
        since = MOMENTS[:, None] - windows[:, 0]
        down = (since - np.floor(since) < windows[:, 1] - windows[:, 0]).any(axis=1)
        rows = np.flatnonzero(np.tile(down, 2))
        if len(rows) and np.diff(rows).max() - 1 < free * len(MOMENTS):
            return False
    return True


def _even_changes(motion: VerbMotion, first: float, last: float) -> tuple[Array, Array]:
    """Seconds at which windows open and close between `first` and `last`."""
    cycles = np.zeros(1)
    if motion.verb.cyclic:
        begin, end = np.floor(motion.phase([first, last])).tolist()
        cycles = np.arange(begin - 1.0, end + 2.0, dtype=np.float64)
    windows = np.concatenate([w.reshape(-1, 2) for w in motion.windows])
    opens, closes = (motion.clock((windows[:, column] + cycles[:, None]).ravel()) for column in (0, 1))
    return opens, closes


def plant_changing(
    footing: Footing,
    verb: Verb,
    adverbs: Array,
    origin: Array,
    fine: Array,
    rows: NDArray[np.intp],
    progress: Progress | None = None,
) -> Planted:
    """Play a verb while its adverbs change.

    Parameters
    ----------
    footing : what will hold its points.
    adverbs : (F, D)
    origin : (4,) x, y, z and heading at the start.
    fine : (F,) seconds from the start, from 0 on in small steps.
    rows : (T,) those of `fine` at which the result is wanted.
    progress : called with the fraction that is done, as `core.progress` says.
    """
    tell = progress or untold
    clock, points = fine, adverbs
    opens, closes = _changes(verb, clock, points, True, share_of(tell, 0.0, LOOK))
    for index in range(1, REFINEMENTS + 1):
        clock, points = _with(fine, adverbs, np.concatenate([opens, closes]))
        opens, closes = _changes(verb, clock, points, False, share_of(tell, index * LOOK, (index + 1) * LOOK))
    edges = _edges(opens, closes)
    edges = edges[(edges > 0.0) & (edges < fine[-1])]
    clock, points = _with(fine, adverbs, edges)
    chosen = np.searchsorted(clock, np.union1d(fine[rows], edges))
    told = share_of(tell, (REFINEMENTS + 1) * LOOK, SPANNING)
    played = perform(verb, clock, points, 0.0, origin[[0, 1, 3]], chosen, told)
    climb(verb.channels, played.values, origin[2])
    lead = _lead_in(footing, verb, adverbs[0], origin)
    times = np.concatenate([lead.times, played.times])
    phases, heights = np.concatenate([lead.phases, played.phases]), np.concatenate([lead.heights, played.heights])
    values = np.concatenate([lead.values, played.values])
    weights = np.empty((len(times), len(verb.example_names)))
    weights[: len(lead.times)] = verb.weights(adverbs[0])
    for begin in range(0, len(chosen), PIECE):
        piece = chosen[begin : begin + PIECE]
        weights[len(lead.times) + begin :][: len(piece)] = verb.weights(points[piece])
        tell(SPANNING)
    spans = planted_spans(verb, times, phases, weights, values, share_of(tell, SPANNING, 1.0))
    return Planted(footing, times, phases, values, heights, spans, np.searchsorted(times, fine[rows]))


def _with(fine: Array, adverbs: Array, more: Array) -> tuple[Array, Array]:
    """Seconds and adverbs with rows at `more` seconds among those (F,) and (F, D) that are known."""
    clock = np.union1d(fine, more)
    points = np.empty((len(clock), adverbs.shape[1]))
    for index in range(adverbs.shape[1]):
        points[:, index] = np.interp(clock, fine, adverbs[:, index])
    return clock, points


def _lead_in(footing: Footing, verb: Verb, adverbs: Array, origin: Array) -> Planted:
    """The rows before the start."""
    motion = verb.motion(adverbs)
    first = -motion.duration if verb.cyclic else 0.0
    grid = np.append(_edges(*_even_changes(motion, first, 0.0)), first)
    grid = np.unique(grid[(grid >= first) & (grid < 0.0)])
    return _even(footing, motion, origin, grid, np.zeros(0, dtype=np.intp), untold)


def _changes(verb: Verb, times: Array, adverbs: Array, ahead: bool, progress: Progress) -> tuple[Array, Array]:
    """Seconds at which windows open and close when a verb is played; `ahead` as for `_passed`."""
    opens: list[Array] = []
    closes: list[Array] = []
    for piece, weights, phases in played_pieces(verb, times, adverbs, lap=2):
        clock, first = times[piece], int(piece.start > 0)
        for contact in verb.contacts:
            windows = share_windows(contact.windows, weights)
            for window in np.moveaxis(windows, 1, 0):
                opens.append(_passed(clock, phases - window[:, 0], verb.cyclic, ahead, first))
                closes.append(_passed(clock, phases - window[:, 1], verb.cyclic, ahead, first))
        progress(piece.stop / len(times))
    return np.concatenate(opens), np.concatenate(closes)


def _passed(times: Array, since: Array, cyclic: bool, ahead: bool, begin: int) -> Array:
    """Seconds at which `since` (F,) passes 0, or any whole number, from row `begin` on.

    Windows like to open and close at keytimes, where the rate changes. Looking `ahead` at the rate of the step before
    is exact there; between rows it is interpolated.
    """
    cycles = np.floor(since) if cyclic else (since >= 0.0).astype(np.float64) - 1.0
    rows = begin + np.flatnonzero(np.diff(cycles[begin:]) > 0.0)
    first = np.maximum(rows - 1, 0) if ahead else rows
    rates = (since[first + 1] - since[first]) / (times[first + 1] - times[first])
    found = times[rows] + (cycles[rows] + 1.0 - since[rows]) / np.maximum(rates, SLOWEST)
    return np.minimum(found, times[rows + 1])


def _edges(opens: Array, closes: Array) -> Array:
    """Seconds around these instants at which rows are needed."""
    return np.concatenate([opens - EDGE, opens + EDGE, closes - RUN_UP, closes + EDGE])
