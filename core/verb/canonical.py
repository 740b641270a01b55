"""Examples in canonical form: over the curves' own time and without travel ([Rose1998] sec. 3)."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..errors import ExampleError, listed, shortened
from ..figure import quaternion as quat
from ..figure.channels import Channels
from ..motion.resampling import resample
from ..motion.timewarp import Phrasing, clock_time, generic_time
from ..motion.travel import arc, compose, headings_of, rotate_plane
from .example import Example

Array = NDArray[np.float64]

LEAST_GRADE = 0.03
"""Climb of a cycle, as a share of its displacement, above which it counts as going up or down."""
CLOSING = 100.0
"""Weight of the condition that path and root end together, relative to the condition that they stay near each other."""


@dataclass(frozen=True, eq=False)
class Canonical:
    """One example in canonical form, sampled at G + 1 evenly spaced times of the curves, from 0 to 1.

    Parameters
    ----------
    phases : (G + 1,) generic times of the samples, which differ slightly from the curves' own time near keytimes.
    values : (G + 1, width) rows including the travel since the start; the last row of a cycle is its first row, moved
        by the travel of one cycle.
    drift : (4,) uniform drift of the whole motion over its duration: x and y in the heading's frame, turn and climb.
        The climb is not part of `values`.
    shares : (M,) elapsed share of the duration at each keytime.
    windows : begin and end of each contact's windows in generic time.
    keyed : (G + 1, R, 4) rotations as keyed, without the heading, before the cycle was closed.
    seam_degrees : largest joint rotation in degrees by which the cycle failed to close; it was spread over the cycle.
    seam_distance : root displacement, in performance units, by which the cycle failed to close; it was spread likewise.
    """

    phases: Array
    values: Array
    drift: Array
    shares: Array
    windows: tuple[tuple[tuple[float, float], ...], ...]
    keyed: Array
    seam_degrees: float
    seam_distance: float


def canonical_form(
    example: Example, channels: Channels, phrasing: Phrasing, reference: Array, samples: int, close: bool = True
) -> Canonical:
    """Sample an example over the curves' own time, remove its travel from the root, and close it if it is a cycle.

    Travel is uniform in clock time: the heading turns at a constant rate, and the root moves at constant speed along an
    arc, up or down where a cycle climbs by more than 3 % of its displacement. Any other root motion belongs to the
    pose.

    Parameters
    ----------
    example : the example, with keytimes and contacts.
    channels : channels that it animates.
    phrasing : generic times of its keytimes, and the curves' own time near them.
    reference : (4,) root rotation at heading 0.
    samples : G.
    close : whether to spread the seam of a cycle over all of it.

    Raises
    ------
    ExampleError
        If a joint makes a full turn in one cycle.
    """
    generic = phrasing.generic
    phases = phrasing.generic_times(np.linspace(0.0, 1.0, samples + 1), np.diff(example.keytimes))
    clock = clock_time(phases, example.keytimes, generic)
    take = example.take
    rotations = quat.normalize(resample(take.times, take.rotations, clock))
    root = resample(take.times, take.root, clock)
    scalars = resample(take.times, take.scalars, clock)
    passed = clock / clock[-1]
    share = passed[:, None]
    travel, drift = _travel(example, rotations[:, 0], root, passed, reference)
    heading = quat.from_yaw(-travel[:, 2])
    rotations[:, 0] = quat.multiply(heading, rotations[:, 0])
    climbed = _climb_of_cycle(example, root, drift)
    path = np.concatenate([travel[:, :2], climbed * share], axis=-1)
    root = quat.rotate(heading, root - path)
    move_travelling_set(channels, rotations, scalars, heading, path)
    rotations = keyed = quat.continuous(rotations)
    seam_degrees = seam_distance = 0.0
    if example.cyclic and close:
        seam = quat.log(quat.multiply(quat.conjugate(rotations[0]), rotations[-1]))
        seam_degrees = float(np.degrees(np.linalg.norm(seam, axis=-1).max()))
        seam_distance = float(np.linalg.norm(root[-1] - root[0]))
        rotations = quat.multiply(rotations, quat.exp((0.5 - share)[..., None] * seam))
        rotations = quat.continuous(rotations)
        _check_whole_turns(example, channels, rotations)
        root = root + (0.5 - share) * (root[-1] - root[0])
        scalars = scalars + (0.5 - share) * (scalars[-1] - scalars[0])
    relative = compose(_inverse_travel(travel[0]), travel)
    values = np.concatenate([relative, root, rotations.reshape(len(phases), -1), scalars], axis=-1)
    windows = tuple(generic_windows(c.windows, example, generic) for c in example.contacts)
    shares = example.keytimes / example.keytimes[-1]
    return Canonical(phases, values, np.append(drift, climbed), shares, windows, keyed, seam_degrees, seam_distance)


def move_travelling_set(channels: Channels, rotations: Array, scalars: Array, heading: Array, path: Array) -> None:
    """Put the travelling set of rotations (G + 1, R, 4) and scalars (G + 1, S) into the heading's frame, in place.

    `heading` (G + 1, 4) undoes the heading; `path` (G + 1, 3) is the position of the heading's frame.
    """
    rows, columns = channels.travelling_rows, channels.travelling_places - channels.scalar_columns.start
    rotations[:, rows] = quat.multiply(heading[:, None], rotations[:, rows])
    scalars[:, columns] = quat.rotate(heading[:, None], scalars[:, columns] - path[:, None])


def _travel(example: Example, rotations: Array, root: Array, passed: Array, reference: Array) -> tuple[Array, Array]:
    """Return the path (G + 1, 3) of the travel in performance space, x, y and heading, and its drift (3,).

    Parameters
    ----------
    example : gives the kind of motion, and whether it is a cycle.
    rotations : (G + 1, 4) rotations of the root.
    root : (G + 1, 3) positions of the root.
    passed : (G + 1,) elapsed share of the duration.
    reference : (4,) root rotation at heading 0.
    """
    raw = headings_of(rotations, reference)
    if example.kind == "stationary":
        middle = np.full_like(raw, np.mean(raw))
        start = np.concatenate([root[0, :2], middle[:1]])
        return np.broadcast_to(start, (len(passed), 3)).copy(), np.zeros(3)
    turn = raw[-1] - raw[0]
    heading = float(raw.mean() - turn * (passed.mean() - 0.5)) - 0.5 * turn
    return _even_travel(root[:, :2], passed, heading, float(turn), example.cyclic)


def _climb_of_cycle(example: Example, root: Array, drift: Array) -> float:
    """Return the height that a cycle gains; 0 if the gain is so small that it is part of the seam."""
    if not example.cyclic or example.kind == "stationary":
        return 0.0
    climbed = float(root[-1, 2] - root[0, 2])
    return climbed if abs(climbed) > LEAST_GRADE * float(np.linalg.norm(drift[:2])) else 0.0


def _even_travel(root: Array, passed: Array, heading: float, turn: float, cyclic: bool) -> tuple[Array, Array]:
    """Return the path (G + 1, 3) and drift (3,) of constant speed and turn rate nearest to the root (G + 1, 2).

    In the complex plane the path is ``start + velocity * along``, linear in start and velocity. The root of a cycle
    must have the same offset from the path at its end as at its start, rotated with the heading. The straight line from
    its first to its last position would be wrong, since a root beside the path moves round the same centre on another
    circle. The path of other motions ends where the root ends. Near a full turn an arc gains almost no distance, so
    that this condition would require an excessive velocity or have no solution. It is therefore weighted by how much
    the path can contribute, and the rest becomes part of the pose, or of the seam of a cycle.

    Parameters
    ----------
    root : (G + 1, 2) position over the floor.
    passed : (G + 1,) elapsed share of the duration.
    heading : radians at the start.
    turn : radians over the whole motion.
    cyclic : whether the motion is a cycle.
    """
    place = root[:, 0] + 1j * root[:, 1]
    along = passed * np.sinc(0.5 * turn * passed / np.pi) * np.exp(0.5j * turn * passed)
    back = np.exp(1j * turn) if cyclic else 1.0
    ending = np.array([1.0 - back, along[-1]])
    weight = CLOSING * np.sqrt(len(place)) * np.linalg.norm(ending)
    system = np.concatenate([weight * ending[None], np.stack([np.ones_like(along), along], axis=-1)])
    wanted = np.concatenate([[weight * (place[-1] - back * place[0])], place])
    start, velocity = np.linalg.lstsq(system, wanted, rcond=None)[0]
    local = velocity * np.exp(-1j * heading)
    drift = np.array([local.real, local.imag, turn])
    return compose(np.array([start.real, start.imag, heading]), arc(drift, passed)), drift


def _inverse_travel(travel: Array) -> Array:
    """Return the travel (3,) that undoes `travel` (3,)."""
    back = rotate_plane(-travel[:2], np.asarray(-travel[2]))
    return np.concatenate([back, [-travel[2]]])


def _check_whole_turns(example: Example, channels: Channels, rotations: Array) -> None:
    """Raise if a joint of a closed cycle, `rotations` (G + 1, R, 4), ends in the other hemisphere than it starts in."""
    flipped = np.sum(rotations[0] * rotations[-1], axis=-1) < 0.0
    if flipped.any():
        joint = channels.skeleton.names[int(channels.rotating[np.flatnonzero(flipped)[0]])]
        raise ExampleError(
            f"Bone '{joint}' makes a full rotation in one cycle of example '{example.name}', which a cyclic curve "
            "cannot represent. Key it to rotate back again, or leave it out of the action."
        )


def generic_windows(
    windows: tuple[tuple[float, float], ...], example: Example, generic: Array
) -> tuple[tuple[float, float], ...]:
    """Return contact windows in generic time, without duplicates.

    Windows of a cycle are shifted by whole cycles to begin in [0, 1) and may end beyond 1; if several then overlap, the
    one nearest to the middle is kept. Windows of other motions are clipped to [0, 1].

    Parameters
    ----------
    windows : begin and end in seconds.
    example : gives the keytimes, and whether it is a cycle.
    generic : (M,) generic times of the keytimes.
    """
    found = np.array([generic_time(np.array(w), example.keytimes, generic, example.cyclic) for w in windows]).reshape(
        -1, 2
    )
    if not example.cyclic:
        cut = np.clip(found, 0.0, 1.0)
        return tuple((float(a), float(b)) for a, b in cut if b > a)
    chosen: list[tuple[float, float]] = []
    middles = found.mean(axis=1)
    for row in np.argsort(np.abs(middles - 0.5)):
        begin, end = found[row] - np.floor(found[row, 0])
        if end <= begin or any(_overlap(begin, end, a, b) for a, b in chosen):
            continue
        chosen.append((float(begin), float(min(end, begin + 1.0))))
    return tuple(sorted(chosen))


def _overlap(begin: float, end: float, other_begin: float, other_end: float) -> bool:
    """Return whether two windows of a cycle overlap, in this or in a neighbouring cycle."""
    return any(begin < other_end + k and other_begin + k < end for k in (-1.0, 0.0, 1.0))


def hold_switches(channels: Channels, names: Sequence[str], canonicals: Sequence[Canonical]) -> list[str]:
    """Give each channel that is never blended the same value in all examples, and report where examples differed.

    The value is the initial one of the first example.

    Parameters
    ----------
    channels : tell which scalars are held.
    names : (N,) names of the examples.
    canonicals : (N,) examples whose values are changed in place.

    Returns
    -------
    One sentence for each channel in which examples differ.
    """
    first = channels.scalar_columns.start
    complaints: list[str] = []
    for index, scalar in enumerate(channels.scalars):
        if not scalar.held:
            continue
        value = float(canonicals[0].values[0, first + index])
        odd: dict[str, float] = {}
        for name, canonical in zip(names, canonicals, strict=True):
            column = canonical.values[:, first + index]
            other = column[np.abs(column - value) > 1e-4]
            if len(other):
                odd[name] = float(other[0])
            column[:] = value
        if odd:
            what = listed(f"{other:g} in example '{name}'" for name, other in odd.items())
            complaints.append(
                f"'{scalar.label}' cannot be blended, but is {what} and {value:g} in '{names[0]}'. The verb uses "
                f"{value:g}."
            )
    return list(shortened(complaints, "{count} more channels that cannot be blended differ between examples."))
