"""The sheet: a grid of ghosts over two adverbs of what a character plays, with its examples among them."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from bpy.types import Object, Scene
from numpy.typing import NDArray

from ....core.figure import quaternion as quat
from ....core.verb.ghosts import ghost_corners, ghost_rows
from ....core.verb.speed_and_turn import rates
from ....core.verb.verb import Verb
from ...authoring.pad import ends_of, range_of, verb_of_pad
from ...blender.store import latest
from ...data.adverb_values import slider_values
from ...data.director import director_of, origin_of
from .neighbours import sticks_for
from .standing import generic_now

Array = NDArray[np.float64]

APART, BEHIND = 0.8, 1.2
"""Distance between ghosts, and from the character's start to the first row, as fractions of their height."""
ABOVE = 0.06
"""Distance of names above ghosts, as a fraction of their height."""
OTHERS, EXAMPLES = (0.72, 0.74, 0.78, 0.55), (1.0, 0.62, 0.1, 0.9)
"""Colours of the ghosts of a sheet, and of the examples among them."""
ABOVE_EACH_OTHER, ASIDE = 1.2, 0.9
"""Distance between rows of an upright sheet, as a share of the ghosts' height; and radians by which they are turned."""
BEFORE, UNDER = 0.65, 0.15
"""How far before the first row and column, or under the first row, values are written, in steps from ghost to ghost."""
RIGHT_ANGLE, STANDS = 0.5 * np.pi, 0.05
"""A quarter of a turn in radians, and metres a second below which a verb goes nowhere."""
NOWHERE = (0.0, 0.0, 0.0, 0.0)
SAME = 1e-3
"""Fraction of an adverb's range by which an example may differ from its slider and still belong to the sheet."""


@dataclass(frozen=True, eq=False)
class Sheet:
    """A grid of ghosts on the floor behind a character's start, higher values to the right and farther back.

    Parameters
    ----------
    names : (P,) example name of each ghost, empty for those that are not examples.
    corners : (P, B, 6, 3) of their sticks in performance space.
    labels : texts with their positions (3,): the adverbs' values before the first row and left of the first column, the
        first and last with their meaning, and the names of the examples above their ghosts.
    """

    names: tuple[str, ...]
    corners: Array
    labels: tuple[tuple[str, tuple[float, ...]], ...]

    @property
    def colors(self) -> list[tuple[float, ...]]:
        """Red, green, blue and opacity of each ghost."""
        return [EXAMPLES if name else OTHERS for name in self.names]


class Asked(NamedTuple):
    """Requested properties of a sheet.

    Parameters
    ----------
    columns, rows : number of each, 2 or more.
    generic : generic time of all ghosts, from 0 to 1; None for the character's.
    upright : whether rows are stacked vertically, with figures turned sideways, to be viewed from the front.
    """

    columns: int
    rows: int
    generic: float | None
    upright: bool = False


@dataclass(frozen=True, eq=False)
class _Lattice:
    """The static part of a sheet.

    Parameters
    ----------
    names, places : names of the ghosts, and their positions (P, D) in adverb space.
    floor : (P, 3) where they stand, relative to the character's start.
    values, marks : values of each adverb, and the positions (n, 3) of their labels.
    size : height of a ghost, performance units.
    """

    names: tuple[str, ...]
    places: Array
    floor: Array
    values: tuple[Array, Array]
    marks: tuple[Array, Array]
    size: float


def sheet_of(armature: Object, adverbs: tuple[str, str], asked: Asked, scene: Scene) -> Sheet | None:
    """Return the sheet of two adverbs of what an armature's director plays; the same object while nothing changes.

    Other adverbs are taken from the sliders. Returns None if the verb is not built.

    Parameters
    ----------
    adverbs : the ones that increase to the right and to the back.
    asked : its columns and rows, the generic time of its ghosts, and their arrangement.

    Raises
    ------
    VerbError
        If a slider holds no number.
    """
    director = director_of(armature)
    verb = verb_of_pad(armature)
    if verb is None or not set(adverbs) <= set(verb.adverb_names):
        return None
    sliders = slider_values(director, verb.adverb_names)
    ranges = range_of(armature, adverbs[0]), range_of(armature, adverbs[1])
    others = [value for name, value in zip(verb.adverb_names, sliders, strict=True) if name not in adverbs]
    lattice = latest(
        ("lattice",),
        (verb, adverbs, asked[:2], asked.upright, ranges, others),
        lambda: _lattice(verb, adverbs, asked, ranges, np.array(sliders)),
    )
    origin = NOWHERE if asked.upright else tuple(origin_of(director, armature))
    now = generic_now(director, verb, scene) if asked.generic is None else asked.generic
    phase, ends = now or 0.0, tuple(ends_of(armature, name) for name in adverbs)

    def sheet() -> Sheet:
        corners = _corners(verb, lattice, phase, ASIDE if asked.upright else 0.0)
        return _placed(lattice, corners, _labels(lattice, adverbs, ends, corners), np.array(origin))

    return latest(("sheet",), (lattice, phase, origin, ends), sheet)


def _lattice(
    verb: Verb, adverbs: tuple[str, str], asked: Asked, ranges: tuple[tuple[float, float], ...], at: Array
) -> _Lattice:
    """Lay out ghosts at all values of two adverbs, and at the examples that match the sliders in all others."""
    counts, pair = asked[:2], [verb.adverb_names.index(name) for name in adverbs]
    lows, highs = np.array(ranges).T
    extent = np.ptp(verb.adverb_ranges, axis=1)
    off = np.abs(verb.places - at) / np.where(extent > 0.0, extent, 1.0)
    off[:, pair] = 0.0
    inside = (verb.places[:, pair] >= lows) & (verb.places[:, pair] <= highs)
    examples = np.flatnonzero((off <= SAME).all(axis=1) & inside.all(axis=1))
    last = np.array(counts) - 1.0
    found = (verb.places[examples][:, pair] - lows) / (highs - lows) * last
    grid = np.stack(np.meshgrid(np.arange(counts[0]), np.arange(counts[1])), axis=-1).reshape(-1, 2).astype(float)
    near = np.abs(grid[:, None] - found[None]).max(axis=2, initial=0.0) if len(found) else np.ones((len(grid), 1))
    grid = grid[near.min(axis=1) >= 0.5]
    steps = np.concatenate([grid, found])
    places = np.tile(at, (len(steps), 1))
    places[:, pair] = lows + steps / last * (highs - lows)
    places[len(grid) :] = verb.places[examples]
    names = ("",) * len(grid) + tuple(verb.example_names[index] for index in examples)
    corners, _ = ghost_corners(verb.channels, sticks_for(verb), ghost_rows(verb, at[None], np.zeros(1)))
    size = float(np.ptp(corners[..., 2])) if corners.size else 1.0
    turned = _quarter_turns(verb, at)

    def on_floor(steps: Array) -> Array:
        across, up, none = (steps[:, 0] - 0.5 * last[0]) * APART * size, steps[:, 1], np.zeros(len(steps))
        if asked.upright:
            return np.column_stack([across, none, ABOVE_EACH_OTHER * size * up])
        return quat.rotate(quat.from_yaw(turned), np.column_stack([across, (BEHIND + APART * up) * size, none]))

    columns, rows = (np.arange(count, dtype=np.float64) for count in counts)
    before = UNDER if asked.upright else BEFORE
    front, left = (columns, np.full(len(columns), -before)), (np.full(len(rows), -BEFORE), rows)
    values = np.linspace(lows[0], highs[0], counts[0]), np.linspace(lows[1], highs[1], counts[1])
    marks = on_floor(np.column_stack(front)), on_floor(np.column_stack(left))
    return _Lattice(names, places, on_floor(steps), values, marks, size)


def _quarter_turns(verb: Verb, at: Array) -> float:
    """Return the angle, in steps of 90 degrees, from -Y to about a verb's direction, so a sheet is behind its start."""
    found = rates(verb, at[None])
    return round(found.course.item() / RIGHT_ANGLE + 1.0) * RIGHT_ANGLE if found.speed.item() > STANDS else 0.0


def _corners(verb: Verb, lattice: _Lattice, phase: float, aside: float) -> Array:
    """Return corners (P, B, 6, 3) of a lattice's ghosts, turned to the left, relative to the character's start."""
    rows = ghost_rows(verb, lattice.places, np.full(len(lattice.places), phase))
    rows[:, 2] = aside
    corners, _ = ghost_corners(verb.channels, sticks_for(verb), rows)
    return corners + lattice.floor[:, None, None]


def _labels(
    lattice: _Lattice, adverbs: tuple[str, str], ends: tuple[tuple[str, str], ...], corners: Array
) -> list[tuple[str, Array]]:
    """Return texts and their positions (3,): values of both adverbs, and the names of examples above their ghosts."""
    found = list[tuple[str, Array]]()
    for adverb, words, values, marks in zip(adverbs, ends, lattice.values, lattice.marks, strict=True):
        texts = [f"{value:.2g}" for value in values.tolist()]
        for end, word in zip((0, -1), words, strict=True):
            texts[end] = f"{adverb} {texts[end]}" + (f" ({word})" if word else "")
        found += zip(texts, marks, strict=True)
    tops = corners[..., 2].max(axis=(1, 2)) + ABOVE * lattice.size if corners.size else lattice.floor[:, 2]
    for name, floor, top in zip(lattice.names, lattice.floor, tops, strict=True):
        if name:
            found.append((name, np.array([*floor[:2], top])))
    return found


def _placed(lattice: _Lattice, corners: Array, labels: list[tuple[str, Array]], origin: Array) -> Sheet:
    """Place a whole sheet relative to an origin (4,): x, y, z and heading."""
    turn = quat.from_yaw(origin[3])
    written = [(text, tuple((origin[:3] + quat.rotate(turn, place)).tolist())) for text, place in labels]
    return Sheet(lattice.names, origin[:3] + quat.rotate(turn, corners), tuple(written))
