"""Contacts in the examples: how high their points stand over the ground, and that they stand still."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..figure.channels import TRAVEL, Channels, world_points
from ..figure.inverse_kinematics import reach
from ..progress import Progress, untold
from .canonical import Canonical, with_values
from .example import Contact, Example
from .travel import arc, rotate_plane

Array = NDArray[np.float64]

ROWS = 640
"""Rows whose joints are turned at a time."""
SAMPLES = 17
NO_TURN = 1e-6
SAME_GROUND = 0.035
"""Share of a leg's length by which heights of one ground differ."""


def hold_contacts(
    canonicals: Sequence[Canonical],
    examples: Sequence[Example],
    channels: Channels,
    generic: Array,
    lowered: Sequence[Sequence[Array]],
    progress: Progress = untold,
) -> list[Canonical]:
    """Bring every contact point of all examples to rest within its windows.

    In each window the point is held where it is on average, lowered by `lowered`; between windows the correction goes
    smoothly from one to the next, so that nothing jumps. Only the joints between root and point turn.

    Parameters
    ----------
    canonicals, examples : in canonical form, and their points and whether they are cycles; all alike in these.
    channels : of the examples.
    generic : (M,) generic times of the keytimes.
    lowered : for each contact and each example (W,), by how much to lower the point in each window; performance units.
    progress : called with the fraction that is done, as `core.progress` says.
    """
    cyclic = examples[0].cyclic
    values = [canonical.values[:-1] if cyclic else canonical.values for canonical in canonicals]
    ends = np.cumsum([len(rows) for rows in values])[:-1]
    together = np.concatenate(values)
    for index, (contact, lower) in enumerate(zip(examples[0].contacts, lowered, strict=True)):
        points = world_points(channels, together, contact.joint, contact.offset)
        travels = np.split(together[:, TRAVEL], ends)
        parts = zip(np.split(points, ends), travels, canonicals, lower, strict=True)
        offsets = [
            _turned(_corrections(place, travel, c, generic, c.windows[index], low, cyclic), travel[:, 2])
            for place, travel, c, low in parts
        ]
        targets = points + np.concatenate(offsets)
        for begin in range(0, len(together), ROWS):
            progress((index + begin / len(together)) / len(examples[0].contacts))
            piece = slice(begin, begin + ROWS)
            together[piece] = reach(channels, together[piece], contact.joint, contact.offset, targets[piece])
    held = zip(canonicals, np.split(together, ends), strict=True)
    return [with_values(c, _gone_on(rows, c) if cyclic else rows) for c, rows in held]


def _gone_on(values: Array, canonical: Canonical) -> Array:
    """Rows of a cycle with its first row once more at the end, as far on as the cycle travels."""
    last = values[:1].copy()
    last[:, TRAVEL] = canonical.values[-1, TRAVEL]
    return np.concatenate([values, last])


def _turned(vectors: Array, headings: Array) -> Array:
    return np.concatenate([rotate_plane(vectors[:, :2], headings), vectors[:, 2:]], axis=-1)


def _corrections(
    points: Array,
    travel: Array,
    canonical: Canonical,
    generic: Array,
    windows: tuple[tuple[float, float], ...],
    lowered: Array,
    cyclic: bool,
) -> Array:
    """Corrections (G, 3) in the heading's frame: exact within windows, eased between them."""
    count = len(points)
    step = 1.0 / (count if cyclic else count - 1)
    local = _turned(points - np.pad(travel[:, :2], ((0, 0), (0, 1))), -travel[:, 2])
    result = np.zeros_like(points)
    known = np.zeros(count, dtype=bool)
    for (begin, end), lower in zip(windows, lowered, strict=True):
        rows = np.arange(int(np.ceil(begin / step - 1e-9)), int(np.floor(end / step + 1e-9)) + 1)
        if not len(rows):
            continue
        times = rows * step
        cycles = np.floor(times) if cyclic else np.zeros_like(times)
        passed = cycles + np.interp(times - cycles, generic, canonical.shares)
        path = arc(canonical.drift, passed)
        here = local[rows % count]
        world = _turned(here, path[:, 2]) + path[:, [0, 1, 3]]
        place = world.mean(axis=0) - np.array([0.0, 0.0, lower])
        result[rows % count] = _turned(place - world, -path[:, 2])
        known[rows % count] = True
    return _eased(result, known, cyclic)


def _eased(corrections: Array, known: NDArray[np.bool_], cyclic: bool) -> Array:
    rows = np.flatnonzero(known)
    if not len(rows):
        return corrections
    count = len(known)
    if cyclic:
        rows = np.concatenate([[rows[-1] - count], rows, [rows[0] + count]])
    wanted = np.arange(count)
    left = np.clip(np.searchsorted(rows, wanted, side="right") - 1, 0, len(rows) - 1)
    right = np.clip(left + 1, 0, len(rows) - 1)
    gap = np.maximum(rows[right] - rows[left], 1)
    u = np.clip((wanted - rows[left]) / gap, 0.0, 1.0)[:, None]
    ease = u * u * (3.0 - 2.0 * u)
    return corrections[rows[left] % count] * (1.0 - ease) + corrections[rows[right] % count] * ease


def stand_heights(
    channels: Channels,
    canonicals: Sequence[Canonical],
    contact: Contact,
    windows: Sequence[Array],
    generic: Array,
    cyclic: bool,
) -> tuple[list[Array], list[Array]]:
    """Clearances and drops of a contact point in all examples.

    The ground of an example is where its root starts, at height 0, and climbs evenly along its way: what stands ahead
    of the root stands the higher for it.

    Parameters
    ----------
    channels : of the examples.
    canonicals : the examples in canonical form.
    contact : which point.
    windows : for each example (W, 2) of the point, in generic time.
    generic : (M,) generic times of the keytimes.
    cyclic : whether windows may lie in neighbouring cycles.

    Returns
    -------
    clearances : for each example (W,) mean height of the point over the ground in each window.
    drops : for each example (W,) how far it sinks from the beginning of the window to its mean height.
    """
    together = world_points(channels, np.concatenate([c.values for c in canonicals]), contact.joint, contact.offset)
    points = np.split(together, np.cumsum([len(c.values) for c in canonicals])[:-1])
    every = zip(points, canonicals, windows, strict=True)
    found = [_heights_of(place, canonical, mine, generic, cyclic) for place, canonical, mine in every]
    return [clearances for clearances, _ in found], [drops for _, drops in found]


def _heights_of(
    points: Array, canonical: Canonical, windows: Array, generic: Array, cyclic: bool
) -> tuple[Array, Array]:
    """Clearances (W,) and drops (W,) of one example's point, which is at `points` (G, 3)."""
    heights, grounds = points[:, 2], _ground_under(points, canonical)
    phases = windows[:, :1] + np.linspace(0.0, 1.0, SAMPLES) * (windows[:, 1:] - windows[:, :1])
    cycles = np.floor(phases) if cyclic else np.zeros_like(phases)
    within = phases - cycles
    rows = np.linspace(0.0, 1.0, len(heights))
    over, ground = np.interp(within, rows, heights), np.interp(within, rows, grounds)
    climbed = canonical.drift[3] * (cycles + np.interp(within, generic, canonical.shares))
    lifted = over + climbed
    return (over - ground).mean(axis=1), lifted[:, 0] - lifted.mean(axis=1)


def _ground_under(points: Array, canonical: Canonical) -> Array:
    """Heights (G,) of the ground under points (G, 3), over the ground under the root at the same time.

    It is known along the way of one cycle before and behind the root, and taken to be level farther off.
    """
    x, y, turn, climb = canonical.drift
    length = float(np.hypot(x, y))
    if climb == 0.0 or length == 0.0:
        return np.zeros(len(points))
    travel = canonical.values[:, TRAVEL]
    local = rotate_plane(points[:, :2] - travel[:, :2], -travel[:, 2]) @ np.array([[x, -y], [y, x]]) / length
    ahead, left = local.T
    if abs(turn) > NO_TURN:
        radius = length / abs(turn)
        ahead = radius * np.arctan2(ahead, radius - np.sign(turn) * left)
    return climb * np.clip(ahead / length, -1.0, 1.0)


def over_one_ground(clearances: Array, length: float) -> Array:
    """How far a point stands too high in each window, to be at one height over the ground in all examples.

    What stands on the floor touches it with the same part of the sole; that examples differ by a little comes from the
    capture, or from closing their cycles. Where a point stands much higher or lower, it is left there.

    Parameters
    ----------
    clearances : (...) as `stand_heights` says, of all windows.
    length : of the leg.
    """
    over = clearances - np.median(clearances)
    return np.where(np.abs(over) < SAME_GROUND * length, over, 0.0)
