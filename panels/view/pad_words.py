"""Text on the adverb pad: adverbs and the meaning of their ends, examples at their dots, names of the bars."""

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from math import pi
from typing import TYPE_CHECKING, NamedTuple

import blf

from ...bridge.blender.naming import told_number
from ...operators.view.pad import Square
from ..sidebar import fitting
from .shapes import Color, shortened, width_of, write

if TYPE_CHECKING:
    from ...bridge.authoring.pad import Ground, Pad

LETTERS, LINE, EDGE = 11.0, 15.0, 8.0
"""Pixels of letters, of lines and of the edge around the square."""
WIDEST = "-0.0000"
"""A number as wide as any that is written at the right of a name."""
BARS = 3
"""Number of weights shown as bars."""
NAMED, SMALL, GAP, DOT, HOVERED = 3, 10.0, 4.0, 6.0, 12.0
"""Number of dots near the point that are named; pixels of letters of their names, between a dot and its name, of the
largest dot and of the point, and around a dot within which the mouse is over it."""
WEIGHED = 0.02
"""Smallest weight of an example that is named without the mouse over it."""
CELLS = 64
"""Number of steps of the point along each side, after which names of dots are placed anew."""
OF_SIDE = 0.62
"""Share of the square that the name of a dot takes at most; that under the mouse may take all of it."""


_kept: "tuple[tuple[object, ...], Words] | None" = None
"""What all words were placed for last, and where."""
_named_last: "tuple[tuple[object, ...], list[Label]] | None" = None
"""The same of the names of the dots."""
_lying: "tuple[Ground, Square, dict[int, tuple[float, float]]] | None" = None
"""The ground and square of the dots that were found last, and where these lie."""


class Word(NamedTuple):
    """A text, and the pixels at which it begins."""

    text: str
    x: float
    y: float


class Words(NamedTuple):
    """What is written, grouped by size, colour and direction."""

    rows: list[Word]
    ends_across: list[Word]
    ends_upward: list[Word]
    names: list[Word]


class Label(NamedTuple):
    """The name of a dot, and the pixels of its lower left and upper right corner."""

    text: str
    left: float
    bottom: float
    right: float
    top: float


@lru_cache(maxsize=1)
def largest(pad: "Pad") -> list[tuple[str, float]]:
    """Names of the examples that have the largest weights, and these weights."""
    if pad.ground is None:
        return []
    pairs = zip(pad.ground.names, pad.weights.tolist(), strict=True)
    return sorted(pairs, key=lambda pair: -abs(pair[1]))[:BARS]


def rows_below(pad: "Pad") -> int:
    """Return the number of the row below the square in which the names of the bars begin."""
    return 3 if any(pad.ends[0]) else 2


def words_of(square: Square, scale: float, pad: "Pad", mouse: tuple[float, float] | None) -> Words:
    """Return all words of a pad, and where they stand; placed anew only if something has changed.

    Parameters
    ----------
    mouse : pixels at which the mouse is, None if it is not over the pad.
    """
    global _kept
    told = pad, square, scale, mouse
    if _kept is None or _kept[0] != told:
        _kept = told, _words(square, scale, pad, mouse)
    return _kept[1]


def write_words(words: Words, scale: float, color: Color) -> None:
    """Write the words of a pad."""
    small, (red, green, blue, *_) = SMALL * scale, color
    _write(words.rows, LETTERS * scale, color)
    _write(words.ends_across, small, (red, green, blue, 0.7))
    if words.ends_upward:
        blf.enable(0, blf.ROTATION)
        blf.rotation(0, 0.5 * pi)
        _write(words.ends_upward, small, (red, green, blue, 0.7))
        blf.disable(0, blf.ROTATION)
    _write(words.names, small, (1.0, 1.0, 1.0, 0.95))


def forget_words() -> None:
    """Forget the last texts."""
    global _kept, _named_last, _lying
    _kept = _named_last = _lying = None
    largest.cache_clear()


def _write(words: Sequence[Word], size: float, color: Color) -> None:
    blf.size(0, size)
    blf.color(0, *color)
    for text, x, y in words:
        write(text, x, y)


def _words(square: Square, scale: float, pad: "Pad", mouse: tuple[float, float] | None) -> Words:
    """All texts of a pad, with their positions."""
    size, small = LETTERS * scale, SMALL * scale
    room, right = square.side - width_of(WIDEST, size), square.x + square.side
    rows: list[Word] = []
    for y, name, value in _rows(square, scale, pad):
        rows += [Word(shortened(name, room, size), square.x, y), Word(value, right - width_of(value, size), y)]
    found = _kept_labels(square, scale, pad, mouse, small) if pad.ground is not None else []
    names = [Word(label.text, label.left, label.bottom + 0.15 * small) for label in found]
    return Words(rows, *_ends(square, scale, pad, small), names)


def _kept_labels(
    square: Square, scale: float, pad: "Pad", mouse: tuple[float, float] | None, size: float
) -> list[Label]:
    """The names of the dots, placed anew only if the point or the mouse has moved a bit, or other dots weigh most."""
    global _named_last
    cell = tuple(round(CELLS * share) for share in pad.point)
    told = pad.ground, square, scale, cell, [name for name, _ in largest(pad)], mouse
    if _named_last is None or _named_last[0] != told:
        _named_last = told, labels(square, scale, pad, mouse, lambda text: width_of(text, size))
    return _named_last[1]


def _rows(square: Square, scale: float, pad: "Pad") -> Iterator[tuple[float, str, str]]:
    """Yield heights, names and values: the upward adverb above the square, the other one below it, then the bars."""
    first = rows_below(pad)
    yield square.y + square.side + 0.5 * EDGE * scale, pad.adverbs[1], _value(pad, 1)
    yield square.y - (first - 1) * LINE * scale, pad.adverbs[0], _value(pad, 0)
    for row, (name, weight) in enumerate(largest(pad)):
        yield square.y - (row + first) * LINE * scale, name, f"{round(100.0 * weight)} %"


def _ends(square: Square, scale: float, pad: "Pad", size: float) -> tuple[list[Word], list[Word]]:
    """What the ends of the adverbs mean: below the square from left to right, and upward beside it."""
    half, x, y = 0.5 * square.side - GAP * scale, square.x - 0.6 * EDGE * scale, square.y - LINE * scale
    across, upward = ([shortened(text, half, size) for text in ends] for ends in pad.ends)
    from_end = [square.side - width_of(texts[1], size) for texts in (across, upward)]
    beside = [Word(across[0], square.x, y), Word(across[1], square.x + from_end[0], y)]
    above = [Word(upward[0], x, square.y), Word(upward[1], x, square.y + from_end[1])]
    return [word for word in beside if word.text], [word for word in above if word.text]


def labels(
    square: Square,
    scale: float,
    pad: "Pad",
    mouse: tuple[float, float] | None,
    width_of: Callable[[str], float],
) -> list[Label]:
    """Return names for the dot under the mouse and for those with the largest weights, none over another.

    A name that finds no free place is left out, except that of the dot under the mouse.

    Parameters
    ----------
    width_of : tells how many pixels wide a text is.
    """
    if pad.ground is None:
        return []
    dots = dots_in(square, pad.ground)
    named = _named(scale, pad, dots, mouse)
    x, y = (origin + square.side * min(max(share, 0.0), 1.0) for origin, share in zip(square, pad.point, strict=False))
    reach = DOT * scale
    point = Label("", x - reach, y - reach, x + reach, y + reach)
    made: list[Label] = []
    for index, pointed in named:
        text = fitting(pad.ground.names[index], (1.0 if pointed else OF_SIDE) * square.side, width_of)
        free = _places(text, dots[index], square, scale, width_of(text))
        taken = made if pointed else [point, *made]
        found = next((one for one in free if not any(_overlap(one, other) for other in taken)), None)
        if found is not None:
            made.append(found)
    return made


def dots_in(square: Square, ground: "Ground") -> dict[int, tuple[float, float]]:
    """Pixels of the dots in the square by the index of their example, found anew only if they lie elsewhere."""
    global _lying
    if _lying is None or _lying[0] is not ground or _lying[1] != square:
        inside = ((index, dot) for index, dot in enumerate(ground.dots.tolist()) if 0.0 <= min(dot) <= max(dot) <= 1.0)
        lying = {index: (square.x + square.side * x, square.y + square.side * y) for index, (x, y) in inside}
        _lying = ground, square, lying
    return _lying[2]


def _named(
    scale: float, pad: "Pad", dots: dict[int, tuple[float, float]], mouse: tuple[float, float] | None
) -> list[tuple[int, bool]]:
    """Indices of the examples that are named, and whether each is the one under the mouse, which comes first.

    Of examples whose dots are at one place, only one is named.
    """
    weights = pad.weights.tolist()
    inside = sorted(dots, key=weights.__getitem__, reverse=True)
    found: list[tuple[int, bool]] = []
    if mouse is not None and inside:
        nearest = min(inside, key=lambda index: _away(dots[index], mouse))
        found += [(nearest, True)] if _away(dots[nearest], mouse) <= HOVERED * scale else []
    for index in inside:
        if len(found) == NAMED or weights[index] < WEIGHED:
            break
        if all(_away(dots[index], dots[other]) > GAP for other, _ in found):
            found.append((index, False))
    return found


def _away(one: tuple[float, float], other: tuple[float, float]) -> float:
    return max(abs(one[0] - other[0]), abs(one[1] - other[1]))


@lru_cache(maxsize=256)
def _places(text: str, dot: tuple[float, float], square: Square, scale: float, width: float) -> tuple[Label, ...]:
    """Where the name of a dot may stand in the square: to its right or left, above, below, and farther off."""
    (x, y), gap, height = dot, (DOT + GAP) * scale, SMALL * scale
    across = min(max(x - 0.5 * width, square.x), square.x + square.side - width)
    level = min(max(y - 0.5 * height, square.y), square.y + square.side - height)
    near = (x + gap, level), (x - gap - width, level), (across, y + gap), (across, y - gap - height)
    every = (*near, (across, y + gap + 1.5 * height), (across, y - gap - 2.5 * height))
    made = (Label(text, left, bottom, left + width, bottom + height) for left, bottom in every)
    return tuple(one for one in made if square.holds(one.left, one.bottom) and square.holds(one.right, one.top))


def _overlap(one: Label, other: Label) -> bool:
    return one.left < other.right and other.left < one.right and one.bottom < other.top and other.bottom < one.top


def _value(pad: "Pad", axis: int) -> str:
    low, high = pad.ranges[axis]
    return told_number(low + pad.point[axis] * (high - low), high - low)
