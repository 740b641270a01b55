"""Contacts in the examples: their points are held still, and their heights over the ground are measured."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ..errors import listed
from ..figure import quaternion as quat
from ..figure.chain_inverse_kinematics import reach
from ..figure.channels import ROOT_LOCATION, TRAVEL, Channels, rotations_of, world_points
from ..figure.lock_point import LockPoint
from ..figure.skeleton import metre_of
from ..motion.travel import arc, rotate_over_floor, rotate_plane
from ..progress import Progress, untold
from .canonical import Canonical
from .example import Contact, Example

Array = NDArray[np.float64]

ROOT = 0.2
"""Share of the correction by which the root moves when points are held; see `reach`."""
LARGEST_TURN = 10.0
"""Maximum joint rotation in degrees for holding the points of an example."""
LARGEST_SHIFT = 0.025
"""Maximum root displacement for holding the points of an example, as a share of the leg length."""
TOLD = 1.5
"""Multiple of the allowed correction above which there is a warning; below it, less than a third of the slip remains,
and the report says how much."""
TRIES, EASED = 4, 1.02
"""Number of passes that scale down excessive corrections, and a factor beyond proportional scaling."""
CLOSE = 1e-5
"""Tolerance of the position of a held point, in metres for a figure of ordinary size."""
ROWS = 640
"""Number of rows that are solved at a time."""
SAMPLES = 17
"""Number of instants of a contact window at which heights are measured."""
NO_TURN = 1e-6
"""Turn in radians per cycle below which a path counts as straight."""
SAME_GROUND = 0.035
"""Share of the leg length within which heights over the ground count as equal."""


def hold_contacts(
    canonicals: Sequence[Canonical],
    examples: Sequence[Example],
    channels: Channels,
    generic: Array,
    lowered: Sequence[Sequence[Array]],
    leg: float,
    progress: Progress = untold,
) -> tuple[list[Canonical], list[str]]:
    """Hold every contact point of all examples still within its windows; return the examples, and warnings.

    In each window the point is held at its mean position, lowered by `lowered`. Between windows the correction is eased
    from one to the next, so that nothing jumps. The joints between the root and the points rotate, and the root moves a
    little (see `reach`). Where that would rotate a joint by more than 10 degrees, or move the root by more than a
    fortieth of a leg (2 cm), all corrections of that example are scaled down, and the points still slip.

    Parameters
    ----------
    canonicals : the examples in canonical form.
    examples : the original examples, which give the points and whether each is a cycle.
    channels : what they animate.
    generic : (M,) generic times of the keytimes.
    lowered : for each contact and each example (W,), by how much to lower the point in each window, in performance
        units.
    leg : length of a leg, performance units.
    progress : called with the fraction that is done; see `core.progress`.
    """
    cyclic = examples[0].cyclic
    points = [LockPoint(contact.point, contact.joint, contact.offset) for contact in examples[0].contacts]
    rows = [canonical.values[:-1] if cyclic else canonical.values for canonical in canonicals]
    moves = [
        np.array([
            _moves_of(channels, mine, point, canonical, generic, canonical.windows[k], lowered[k][place], cyclic)
            for k, point in enumerate(points)
        ])
        for place, (mine, canonical) in enumerate(zip(rows, canonicals, strict=True))
    ]  # fmt: skip
    moved, complaints = _moved_points(channels, rows, points, moves, leg, progress), list[str]()
    for place, example in enumerate(examples):
        here = channels, rows[place], points, moves[place], leg, example.name
        moved[place], more = _within_bounds(moved[place], *here)
        complaints += more
    held = zip(canonicals, moved, strict=True)
    return [replace(c, values=_with_closing_row(rows, c) if cyclic else rows) for c, rows in held], complaints


def _moved_points(
    channels: Channels,
    rows: Sequence[Array],
    points: Sequence[LockPoint],
    moves: Sequence[Array],
    leg: float,
    progress: Progress = untold,
) -> list[Array]:
    """Return rows (G, width) of all examples with P points moved by `moves` (P, G, 3) in performance space."""
    tolerance = CLOSE * metre_of(leg)
    together, wanted = np.concatenate(rows), np.concatenate(moves, axis=1)
    places = np.array([world_points(channels, together, point.joint, point.offset) for point in points])
    for begin in range(0, len(together), ROWS):
        progress(begin / len(together))
        piece = slice(begin, begin + ROWS)
        targets = places[:, piece] + wanted[:, piece]
        together[piece] = reach(channels, together[piece], points, targets, ROOT, tolerance)
    return np.split(together, np.cumsum([len(mine) for mine in rows])[:-1])


def _within_bounds(
    held: Array, channels: Channels, rows: Array, points: Sequence[LockPoint], moves: Array, leg: float, name: str
) -> tuple[Array, list[str]]:
    """Return the rows `held` (G, width) of an example, with less correction if it exceeds its bounds, and any warning.

    Parameters
    ----------
    held : (G, width) rows with the points moved.
    rows : (G, width) rows without this.
    points : P of them.
    moves : (P, G, 3) displacements of the points.
    leg : length of a leg.
    name : name of the example.
    """
    complaints: list[str] = []
    for _ in range(TRIES):
        turned = np.degrees(quat.angle_between(rotations_of(channels, held), rotations_of(channels, rows))).max(axis=0)
        shifted = float(np.linalg.norm(held[:, ROOT_LOCATION] - rows[:, ROOT_LOCATION], axis=-1).max()) / leg
        excess = max(float(turned.max()) / LARGEST_TURN, shifted / LARGEST_SHIFT)
        if excess <= 1.0:
            break
        if not complaints and excess > TOLD:
            bone = channels.skeleton.names[int(channels.rotating[int(turned.argmax())])]
            what = f"rotate bone '{bone}' by {turned.max():.0f} degrees"
            if shifted / LARGEST_SHIFT > turned.max() / LARGEST_TURN:
                what = f"move the root by {100.0 * shifted:.1f} % of the leg length"
            named = listed(f"'{point.name}'" for point in points)
            complaints.append(
                f"Holding {named} still in example '{name}' would {what}. At most {LARGEST_TURN:.0f} degrees and "
                f"{100.0 * LARGEST_SHIFT:.1f} % are allowed, so these contacts still slip. Check their windows."
            )
        moves = moves / (EASED * excess)
        held = _moved_points(channels, [rows], points, [moves], leg)[0]
    return held, complaints


def _with_closing_row(values: Array, canonical: Canonical) -> Array:
    """Return the rows of a cycle with the first row repeated at the end, moved by the travel of the cycle."""
    last = values[:1].copy()
    last[:, TRAVEL] = canonical.values[-1, TRAVEL]
    return np.concatenate([values, last])


def _moves_of(
    channels: Channels,
    values: Array,
    point: LockPoint,
    canonical: Canonical,
    generic: Array,
    windows: tuple[tuple[float, float], ...],
    lowered: Array,
    cyclic: bool,
) -> Array:
    """Return displacements (G, 3) of a point, in performance space, that hold it still in its windows.

    Between two windows they are eased from those of the first to those of the second.

    Parameters
    ----------
    values : (G, width) rows of the motion.
    point : what is held.
    canonical : the example, which gives the drift and the keytimes.
    generic : (M,) generic times of the keytimes.
    windows : begin and end of each, in generic time.
    lowered : (W,) how far to lower the point in each window, performance units.
    cyclic : whether the motion is a cycle.
    """
    points, travel = world_points(channels, values, point.joint, point.offset), values[:, TRAVEL]
    count = len(points)
    turns = np.arange(-1.0, 3.0)[:, None] if cyclic else np.zeros((1, 1))
    phases = (canonical.phases[:count] + turns).reshape(-1)
    local = rotate_over_floor(points - np.pad(travel[:, :2], ((0, 0), (0, 1))), -travel[:, 2])
    result = np.zeros_like(points)
    known = np.zeros(count, dtype=bool)
    for (begin, end), lower in zip(windows, lowered, strict=True):
        rows = np.flatnonzero((phases >= begin - 1e-9) & (phases <= end + 1e-9))
        if not len(rows):
            continue
        times = phases[rows]
        cycles = np.floor(times) if cyclic else np.zeros_like(times)
        passed = cycles + np.interp(times - cycles, generic, canonical.shares)
        path = arc(canonical.drift, passed)
        here = local[rows % count]
        world = rotate_over_floor(here, path[:, 2]) + path[:, [0, 1, 3]]
        place = world.mean(axis=0) - np.array([0.0, 0.0, lower])
        result[rows % count] = rotate_over_floor(place - world, -path[:, 2])
        known[rows % count] = True
    return rotate_over_floor(_ease_between_windows(result, known, cyclic), travel[:, 2])


def _ease_between_windows(corrections: Array, known: NDArray[np.bool_], cyclic: bool) -> Array:
    """Return the corrections (G, 3) with those that are not `known` (G,) eased between known neighbours."""
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
    """Measure the height of a contact point over the ground in its windows, in all examples.

    The ground of an example has height 0 where its root starts, and climbs uniformly along its path, so it is higher
    ahead of the root.

    Parameters
    ----------
    channels : channels that the examples animate.
    canonicals : the examples in canonical form.
    contact : which point.
    windows : for each example (W, 2), begin and end of the point's windows in generic time.
    generic : (M,) generic times of the keytimes.
    cyclic : whether windows may lie in neighbouring cycles.

    Returns
    -------
    clearances : for each example (W,), mean height of the point over the ground in each window, performance units.
    drops : for each example (W,), how far the point sinks from the beginning of the window to its mean height.
    """
    together = world_points(channels, np.concatenate([c.values for c in canonicals]), contact.joint, contact.offset)
    points = np.split(together, np.cumsum([len(c.values) for c in canonicals])[:-1])
    every = zip(points, canonicals, windows, strict=True)
    found = [_heights_of(place, canonical, mine, generic, cyclic) for place, canonical, mine in every]
    return [clearances for clearances, _ in found], [drops for _, drops in found]


def _heights_of(
    points: Array, canonical: Canonical, windows: Array, generic: Array, cyclic: bool
) -> tuple[Array, Array]:
    """Return clearances (W,) and drops (W,) of one example's point, whose positions are `points` (G, 3)."""
    heights, grounds = points[:, 2], _ground_under(points, canonical)
    phases = windows[:, :1] + np.linspace(0.0, 1.0, SAMPLES) * (windows[:, 1:] - windows[:, :1])
    cycles = np.floor(phases) if cyclic else np.zeros_like(phases)
    within = phases - cycles
    rows = canonical.phases
    over, ground = np.interp(within, rows, heights), np.interp(within, rows, grounds)
    climbed = canonical.drift[3] * (cycles + np.interp(within, generic, canonical.shares))
    lifted = over + climbed
    return (over - ground).mean(axis=1), lifted[:, 0] - lifted.mean(axis=1)


def _ground_under(points: Array, canonical: Canonical) -> Array:
    """Return heights (G,) of the ground under `points` (G, 3), relative to the ground under the root at the same time.

    The ground climbs along the path up to one cycle ahead of and behind the root, and is level beyond.
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
    """Return how much too high a point is in each window, for all examples to share one height over the ground.

    A planted point touches the floor with the same part of the sole, so small differences between examples come from
    capture or from closing the cycles. A point that is much higher or lower is not changed: the result is 0.

    Parameters
    ----------
    clearances : (...) clearances of all windows, as returned by `stand_heights`.
    length : length of the leg, in the same units.
    """
    over = clearances - np.median(clearances)
    return np.where(np.abs(over) < SAME_GROUND * length, over, 0.0)
