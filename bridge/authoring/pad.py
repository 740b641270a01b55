"""The adverb pad: two adverbs of what a director plays as a square, with the examples and the trust at each point."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from bpy.types import Object, PropertyGroup
from numpy.typing import NDArray

from ...core.errors import VerbError
from ...core.verb.trust import trust
from ...core.verb.verb import Verb
from ..blender.store import latest
from ..data.adverb_values import check_said, slider_values, stepped_adverbs
from ..data.director import director_of
from .definitions import verb_to_play
from .verbs import kept_verb

Array = NDArray[np.float64]

CELLS = 24
"""Vertices of the shading along each side."""


@dataclass(frozen=True, eq=False)
class Ground:
    """The background of a pad, valid as long as neither the verb nor the other adverbs change.

    Parameters
    ----------
    names : example names (N,).
    dots : (N, 2) their positions, as fractions of the square.
    trusted : (CELLS, CELLS) trust, row by row, starting at the lowest value of the second adverb.
    """

    names: tuple[str, ...]
    dots: Array
    trusted: Array


@dataclass(frozen=True, eq=False)
class Pad:
    """A pad as it is drawn.

    Parameters
    ----------
    adverbs : names of the horizontal and the vertical adverb.
    ranges : lowest and highest value of each.
    ends : labels of these, such as sad and happy; empty if there are none.
    point : position of the sliders, as fractions of the square; below 0 or above 1 outside the ranges.
    ground : its background, None before the verb is built.
    weights : (N,) of the examples at the sliders.
    """

    adverbs: tuple[str, str]
    ranges: tuple[tuple[float, float], tuple[float, float]]
    ends: tuple[tuple[str, str], tuple[str, str]]
    point: tuple[float, float]
    ground: Ground | None
    weights: Array


def adverbs_to_choose(armature: Object | None) -> list[str]:
    """Return the adverbs that have a range, of the verb that moves an armature; none if no verb is enabled."""
    director = director_of(armature) if armature is not None else None
    if armature is None or director is None or not director.verbs_adverbs.live:
        return []
    verb = armature.verbs_adverbs.verbs.get(verb_to_play(armature, director))
    names = [used.name for used in verb.adverbs] if verb is not None else []
    items = armature.verbs_adverbs.adverbs
    return [name for name in names if name in items and items[name].minimum != items[name].maximum]


def adverbs_of_pad(armature: Object | None, first: str, second: str) -> tuple[str, str] | None:
    """Return the two adverbs of a pad: the requested ones, or else the first ones of what is played.

    None if no verb is enabled, or it has only one adverb. If both are the same, the horizontal one is kept.
    """
    known = adverbs_to_choose(armature)
    if len(known) < 2:
        return None
    x = first if first in known else next(name for name in known if name != second)
    y = second if second in known and second != x else next(name for name in known if name != x)
    return x, y


def verb_of_pad(armature: Object, director: Object | None = None) -> Verb | None:
    """Return the verb that a director plays alone or begins with, as last built; None if it was never built.

    Parameters
    ----------
    director : the armature's, if the caller knows it.
    """
    return kept_verb(armature, armature.verbs_adverbs.verbs[verb_to_play(armature, director)])


def pad_of(armature: Object, adverbs: tuple[str, str]) -> Pad:
    """Return the pad of two adverbs of what an armature's director plays; the same object as long as nothing changes.

    Raises
    ------
    VerbError
        If a slider is not a number.
    """
    director = director_of(armature)
    verb, items = verb_of_pad(armature, director), armature.verbs_adverbs.adverbs
    ranges, ends = zip(*(_sides_of(items[name]) for name in adverbs), strict=True)
    known = verb if verb is not None and set(adverbs) <= set(verb.adverb_names) else None
    names = known.adverb_names if known is not None else adverbs
    values = slider_values(director, names)

    def pad() -> Pad:
        there = dict(zip(names, values, strict=True))
        point = share_of_range(there[adverbs[0]], ranges[0]), share_of_range(there[adverbs[1]], ranges[1])
        place = np.array(values)
        ground = _ground(known, adverbs, ranges, place) if known is not None else None
        weights = known.weights(place) if known is not None else np.zeros(0)
        return Pad(adverbs, ranges, ends, point, ground, weights)

    return latest(("pad",), (known, names, values, adverbs, ranges, ends), pad)


def set_point(director: Object, adverbs: tuple[str, str], values: Sequence[float]) -> None:
    """Set the sliders of two adverbs.

    Raises
    ------
    VerbError
        If a driver or an NLA strip controls one of them, or a value is not valid for the adverb.
    """
    moved = stepped_adverbs(director, adverbs)
    if moved:
        raise VerbError(
            f"Slider '{moved[0]}' of '{director.name}' is controlled by a driver, a target or an NLA strip. Change "
            "that instead, or choose other adverbs for the pad."
        )
    for name, value in zip(adverbs, values, strict=True):
        check_said(director, name, value)
    for name, value in zip(adverbs, values, strict=True):
        director[name] = float(value)
    director.update_tag()


def range_of(armature: Object, adverb: str) -> tuple[float, float]:
    """Return the lowest and highest value of an adverb, in this order."""
    return _sides_of(armature.verbs_adverbs.adverbs[adverb])[0]


def ends_of(armature: Object, adverb: str) -> tuple[str, str]:
    """Return the labels of the ends of `range_of`."""
    return _sides_of(armature.verbs_adverbs.adverbs[adverb])[1]


def _sides_of(adverb: PropertyGroup) -> tuple[tuple[float, float], tuple[str, str]]:
    """Return lowest and highest value of an adverb, in this order, and their labels; either may be stored first."""
    low, high = adverb.minimum, adverb.maximum
    ends = adverb.low_end, adverb.high_end
    return ((low, high), ends) if low <= high else ((high, low), ends[::-1])


def share_of_range(value: float, extent: tuple[float, float]) -> float:
    """Return the position of a value in a range: 0 at its first end, 1 at its second."""
    return (value - extent[0]) / (extent[1] - extent[0])


def _ground(verb: Verb, adverbs: tuple[str, str], ranges: tuple[tuple[float, float], ...], values: Array) -> Ground:
    """Return the background of a pad, computed again only when it changes."""
    columns = [verb.adverb_names.index(name) for name in adverbs]
    others = [value for column, value in enumerate(values.tolist()) if column not in columns]

    def ground() -> Ground:
        sides = [np.linspace(low, high, CELLS) for low, high in ranges]
        points = np.tile(values, (CELLS * CELLS, 1))
        points[:, columns[0]], points[:, columns[1]] = np.tile(sides[0], CELLS), np.repeat(sides[1], CELLS)
        lows, highs = np.array(ranges).T
        dots = (verb.places[:, columns] - lows) / (highs - lows)
        return Ground(verb.example_names, dots, trust(verb, points).reshape(CELLS, CELLS))

    return latest(("ground",), (verb, adverbs, ranges, others), ground)
