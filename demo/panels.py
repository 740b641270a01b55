"""Panels of the sheet for built verbs: a lattice of figures over two adverbs, or over one adverb and time."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .body import build_of, front_of
from .sheet import Axis, SheetFigure, SheetPanel, lattice

Array = NDArray[np.float64]

FROM_THE_SIDE, FROM_THE_FRONT = 58.0, 24.0
ON_PLANE = 0.02
"""How far from the panel's plane an example may lie that is shown, as a share of the adverb's range."""


@dataclass(frozen=True)
class Wording:
    """Words for the ends of an adverb, and the slope of the floor along -Y that a value of it means."""

    low: str
    high: str
    rise: Callable[[float], float] = lambda value: 0.0


def sheet_panel(
    verb: Any,
    joints_of: Callable[[Any, Array], Array],
    across: int,
    up: int | None,
    words: dict[str, Wording],
    phase: float,
    others: Sequence[float] = (),
) -> SheetPanel:
    """Make the panel of a verb.

    Parameters
    ----------
    verb : the built verb.
    joints_of : core's `world_joints`.
    across, up : the adverbs shown across and up the panel; without `up`, generic time goes up.
    words : words for the ends of adverbs, by name.
    phase : generic time of the poses.
    others : (D,) where the adverbs are that are not shown; 0 by default.
    """
    aside = np.array(others or np.zeros(len(verb.adverb_names)))
    columns, rows = 7, 5
    low, high = _extent(verb, across)
    if up is None:
        return _over_time(verb, joints_of, across, words, columns)
    bottom, top = _extent(verb, up)
    shown = _shown(verb, across, up, aside)
    places = (verb.places[shown][:, [across, up]] - [low, bottom]) / [high - low, top - bottom]
    figures: list[SheetFigure] = []
    for x, y, number in lattice(columns, rows, places):
        adverbs = aside.copy()
        adverbs[[across, up]] = low + x * (high - low), bottom + y * (top - bottom)
        if number >= 0:
            adverbs = verb.places[shown[number]]
        rise = sum(words[n].rise(float(v)) for n, v in zip(verb.adverb_names, adverbs, strict=True) if n in words)
        joints = joints_of(verb.channels, verb.motion(adverbs).sample_phases(np.array([phase])))[0]
        figures.append(SheetFigure(joints, (x, y), number >= 0, _caption(verb, shown, number), rise))
    return SheetPanel(
        title=verb.name.replace("_", " "),
        subtitle=f"{_counted(verb, shown)}, seen {phase:.0%} into the motion",
        across=_axis(verb, across, words),
        up=_axis(verb, up, words),
        columns=columns,
        rows=rows,
        parents=verb.channels.skeleton.parents,
        yaw=FROM_THE_SIDE if verb.cyclic else FROM_THE_FRONT,
        figures=figures,
    )


def reach_panel(verb: Any, joints_of: Callable[[Any, Array], Array]) -> SheetPanel:
    """Make the panel of a reach whose adverbs x, y and z say where the hand is: over x and z, as far ahead as it goes.

    The poses are those of the reach's keytime ([Rose1998] figure 4).
    """
    words = {n: Wording(*(f"{_shortly(e):g} m" for e in _extent(verb, i))) for i, n in enumerate(verb.adverb_names)}
    return sheet_panel(verb, joints_of, 0, 2, words, float(verb.phrasing.generic[1]), verb.places.min(axis=0).tolist())


def facing_front(verb: Any, joints_of: Callable[[Any, Array], Array]) -> Callable[[Any, Array], Array]:
    """Return a function like `joints_of` without travel, with the figure turned so that it faces -Y at heading 0."""
    middle = verb.motion(verb.places.mean(axis=0))
    start = joints_of(verb.channels, _standing(middle.sample_phases(np.zeros(1))))[0]
    build = build_of(start, verb.channels.skeleton.parents)
    front = front_of(start, build) if build else np.array([0.0, -1.0, 0.0])
    turn = -np.pi / 2.0 - np.arctan2(front[1], front[0])
    cosine, sine = np.cos(turn), np.sin(turn)
    rotation = np.array([[cosine, -sine, 0.0], [sine, cosine, 0.0], [0.0, 0.0, 1.0]])
    return lambda channels, values: joints_of(channels, _standing(values)) @ rotation.T


def _standing(values: Array) -> Array:
    still = values.copy()
    still[:, :3] = 0.0
    return still


def _over_time(
    verb: Any, joints_of: Callable[[Any, Array], Array], across: int, words: dict[str, Wording], columns: int
) -> SheetPanel:
    low, high = _extent(verb, across)
    rows = 4
    nearest = {round((float(p[across]) - low) / (high - low) * (columns - 1)): i for i, p in enumerate(verb.places)}
    figures: list[SheetFigure] = []
    for column in range(columns):
        adverbs = (
            verb.places[nearest[column]]
            if column in nearest
            else np.array([low + column / (columns - 1) * (high - low)])
        )
        phases = np.linspace(0.0, 1.0, rows, endpoint=not verb.cyclic)
        poses = joints_of(verb.channels, verb.motion(adverbs).sample_phases(phases))
        for row, joints in enumerate(poses):
            place = column / (columns - 1), 1.0 - row / (rows - 1)
            figures.append(SheetFigure(joints, place, column in nearest))
    return SheetPanel(
        title=verb.name.replace("_", " "),
        subtitle=f"{len(verb.places)} examples, one cycle from top to bottom",
        across=_axis(verb, across, words),
        up=Axis("time", "end", "start"),
        columns=columns,
        rows=rows,
        parents=verb.channels.skeleton.parents,
        figures=figures,
    )


def _extent(verb: Any, adverb: int) -> tuple[float, float]:
    low, high = float(verb.places[:, adverb].min()), float(verb.places[:, adverb].max())
    return (low, high) if high > low else (low - 0.5, high + 0.5)


def _shown(verb: Any, across: int, up: int, aside: Array) -> NDArray[np.intp]:
    """Indices of the examples that lie in the panel's plane, or as near to it as a measured place may be."""
    others = [i for i in range(len(verb.adverb_names)) if i not in (across, up)]
    away = np.abs(verb.places - aside) / np.ptp(verb.adverb_ranges, axis=1)
    return np.flatnonzero(np.all(away[:, others] < ON_PLANE, axis=1))


def _counted(verb: Any, shown: Sequence[int]) -> str:
    count = len(verb.places)
    return f"{count} examples" if len(shown) == count else f"{len(shown)} of {count} examples lie on this plane"


def _caption(verb: Any, shown: Sequence[int], number: int) -> str:
    if number < 0:
        return ""
    values = [f"{_shortly(value):+g}" for value in verb.places[shown[number]].tolist()]
    return "  ".join(values)


def _shortly(value: float) -> float:
    """Return a value with two digits that count, and none beyond thousandths: what is measured is never quite 0."""
    return round(float(f"{value:.2g}"), 3) + 0.0


def _axis(verb: Any, adverb: int, words: dict[str, Wording]) -> Axis:
    name = verb.adverb_names[adverb]
    low, high = _extent(verb, adverb)
    ends = words.get(name, Wording(f"{low:+.2g}", f"{high:+.2g}"))
    return Axis(name, ends.low, ends.high)
