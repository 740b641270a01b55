"""Layout of a drawn verb graph: boxes in columns by distance from the first verb, without overlaps."""

from collections.abc import Collection, Mapping, Sequence

Place = tuple[float, float]

ROWS = 3
"""Maximum number of boxes in a column; the rest go into the next column."""
BESIDE, BELOW = 110.0, 60.0
"""Gaps between boxes: between columns, where the links run, and within a column."""


def arrange(
    sizes: Mapping[str, Place],
    ways: Collection[tuple[str, str]],
    start: str,
    fixed: Mapping[str, Place],
) -> dict[str, Place]:
    """Return the upper left corner of each box that is not fixed; x points right, y up.

    Parameters
    ----------
    sizes : width and height of every box, in the order used within a column.
    ways : pairs of linked boxes, from the first to the second.
    start : box in the first column; the first box if none has that name.
    fixed : corners of boxes that stay where they are; no other box overlaps them.
    """
    places: dict[str, Place] = {}
    left = 0.0
    for column in _columns(list(sizes), ways, start):
        width = max(sizes[name][0] for name in column)
        top = 0.5 * (sum(sizes[name][1] for name in column) + BELOW * (len(column) - 1))
        for name in column:
            if name not in fixed:
                corner = _lowered((left, top), sizes[name], [(fixed[one], sizes[one]) for one in fixed if one in sizes])
                places[name] = corner
                top = corner[1]
            top -= sizes[name][1] + BELOW
        left += width + BESIDE
    return places


def _columns(names: Sequence[str], ways: Collection[tuple[str, str]], start: str) -> list[list[str]]:
    """Return boxes grouped by their number of links from the start; unreachable boxes come last."""
    reached = [start] if start in names else list(names[:1])
    layers, seen = [reached], set(reached)
    while layers[-1]:
        following = [name for name in names if name not in seen and any((one, name) in ways for one in layers[-1])]
        layers.append(following)
        seen |= set(following)
    layers.append([name for name in names if name not in seen])
    return [layer[at : at + ROWS] for layer in layers for at in range(0, len(layer), ROWS)]


def _lowered(corner: Place, size: Place, others: Sequence[tuple[Place, Place]]) -> Place:
    """Return the corner, lowered until a box of this size overlaps none of the others."""
    x, y = corner
    while True:
        under = [
            (at, wide)
            for at, wide in others
            if x < at[0] + wide[0] and at[0] < x + size[0] and y - size[1] < at[1] and at[1] - wide[1] < y
        ]
        if not under:
            return x, y
        y = min(at[1] - wide[1] for at, wide in under) - BELOW
