"""Examples in canonical form: over generic time, root split from travel, cycles closed ([Rose1998] section 3.2)."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ..errors import ExampleError
from ..figure import quaternion as quat
from ..figure.channels import Channels
from ..motion.resample import resample
from ..motion.timewarp import clock_time, generic_time
from .example import Example
from .travel import arc, compose, headings_of, rotate_plane

Array = NDArray[np.float64]

LEAST_GRADE = 0.03
CLOSING = 100.0
"""How much more it counts that the path ends as the root does than that the root strays little from it."""


@dataclass(frozen=True, eq=False)
class Canonical:
    """One example sampled at G + 1 even generic times from 0 to 1.

    Parameters
    ----------
    values : (G + 1, width) its travel relative to the start; the last row of a cycle is its first, gone on.
    drift : (4,) displacement in the heading's frame, turn and climb of the whole motion, even in clock time; `values`
        leave the climb out.
    shares : (M,) share of its duration that has passed at each keytime.
    windows : contact windows in generic time, for each contact.
    seam_degrees, seam_distance : largest joint turn, and root displacement in performance units, that closing spread.
    """

    values: Array
    drift: Array
    shares: Array
    windows: tuple[tuple[tuple[float, float], ...], ...]
    seam_degrees: float
    seam_distance: float


def canonical_form(
    example: Example, channels: Channels, generic: Array, reference: Array, samples: int, close: bool = True
) -> Canonical:
    """Sample an example over generic time and split its root into travel and pose.

    In clock time the heading turns evenly and the root moves at an even pace along an arc, up or down where a cycle
    climbs by more than 3 % of its way; what it does beyond that is pose.

    Parameters
    ----------
    example : the annotated motion.
    generic : (M,) generic times of its keytimes.
    reference : (4,) root rotation of heading 0.
    samples : G.
    close : spread the seam of a cycle over all of it.

    Raises
    ------
    ExampleError
        If a joint makes a whole turn in one cycle.
    """
    times = np.linspace(0.0, 1.0, samples + 1)
    clock = clock_time(times, example.keytimes, generic)
    take = example.take
    rotations = quat.normalize(resample(take.times, take.rotations, clock))
    root = resample(take.times, take.root, clock)
    scalars = resample(take.times, take.scalars, clock)
    passed = clock / clock[-1]
    share = passed[:, None]
    travel, drift = _travel(example, rotations[:, 0], root, passed, reference)
    heading = quat.from_yaw(-travel[:, 2])
    rotations[:, 0] = quat.multiply(heading, rotations[:, 0])
    gained = _climb(example, root, drift)
    path = np.concatenate([travel[:, :2], gained * share], axis=-1)
    root = quat.rotate(heading, root - path)
    if channels.travelling:
        _bring_along(channels, rotations, scalars, heading, path)
    rotations = quat.continuous(rotations)
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
    relative = compose(_inverse(travel[0]), travel)
    values = np.concatenate([relative, root, rotations.reshape(len(times), -1), scalars], axis=-1)
    windows = tuple(generic_windows(c.windows, example, generic) for c in example.contacts)
    shares = example.keytimes / example.keytimes[-1]
    return Canonical(values, np.append(drift, gained), shares, windows, seam_degrees, seam_distance)


def _bring_along(channels: Channels, rotations: Array, scalars: Array, heading: Array, path: Array) -> None:
    """Put the travelling set of rotations (G + 1, R, 4) and scalars (G + 1, S) into the heading's frame, in place."""
    rows, columns = channels.travelling_rows, channels.travelling_places - channels.scalar_columns.start
    rotations[:, rows] = quat.multiply(heading[:, None], rotations[:, rows])
    scalars[:, columns] = quat.rotate(heading[:, None], scalars[:, columns] - path[:, None])


def _travel(example: Example, rotations: Array, root: Array, passed: Array, reference: Array) -> tuple[Array, Array]:
    """Path (G + 1, 3) of the travel in performance space, and its drift (3,)."""
    raw = headings_of(rotations, reference)
    if example.kind == "stationary":
        middle = np.full_like(raw, np.mean(raw))
        start = np.concatenate([root[0, :2], middle[:1]])
        return np.broadcast_to(start, (len(passed), 3)).copy(), np.zeros(3)
    turn = raw[-1] - raw[0]
    heading = float(raw.mean() - turn * (passed.mean() - 0.5)) - 0.5 * turn
    return _even_travel(root[:, :2], passed, heading, float(turn), example.cyclic)


def _climb(example: Example, root: Array, drift: Array) -> float:
    """Height that a cycle gains; what is less than a slope is the seam of a motion on the flat."""
    if not example.cyclic or example.kind == "stationary":
        return 0.0
    gained = float(root[-1, 2] - root[0, 2])
    return gained if abs(gained) > LEAST_GRADE * float(np.linalg.norm(drift[:2])) else 0.0


def _even_travel(root: Array, passed: Array, heading: float, turn: float, cyclic: bool) -> tuple[Array, Array]:
    """Path (G + 1, 3) and drift (3,) of even pace and turn from which the root (G + 1, 2) strays least.

    In the complex plane the path is ``start + velocity * along``, linear in both. A cycle's root must stray as far at
    its end as at its start, turned with the heading: the way from its first place to its last would be wrong, since a
    root beside the path goes round the same centre on another circle. The path of another motion goes as far as its
    root. Near a whole turn an arc hardly gets anywhere, and no velocity, or one out of all measure, would do that; so
    the condition weighs less the less the path can do about it, and what is left is pose, or the seam of a cycle.
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


def _inverse(travel: Array) -> Array:
    back = rotate_plane(-travel[:2], np.asarray(-travel[2]))
    return np.concatenate([back, [-travel[2]]])


def _check_whole_turns(example: Example, channels: Channels, rotations: Array) -> None:
    flipped = np.sum(rotations[0] * rotations[-1], axis=-1) < 0.0
    if flipped.any():
        joint = channels.skeleton.names[int(channels.rotating[np.flatnonzero(flipped)[0]])]
        raise ExampleError(
            f"Bone '{joint}' makes a whole turn in one cycle of example '{example.name}', which no cyclic curve can "
            "hold. Key it to turn there and back, or leave it out of the action."
        )


def generic_windows(
    windows: tuple[tuple[float, float], ...], example: Example, generic: Array
) -> tuple[tuple[float, float], ...]:
    """Contact windows in generic time, one of each; those of neighbouring cycles are brought into this one.

    Windows of a cycle begin in [0, 1) and may end beyond 1; others are cut to [0, 1].
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
    return any(begin < other_end + k and other_begin + k < end for k in (-1.0, 0.0, 1.0))


def with_values(canonical: Canonical, values: Array) -> Canonical:
    """The same example with other values (G + 1, width)."""
    return replace(canonical, values=values)
