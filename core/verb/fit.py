"""Examples in canonical form, over generic time and without travel, and curves fitted to them ([Rose1998] sec. 3)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ..errors import ExampleError, listed, shortened
from ..figure import quaternion as quat
from ..figure.channels import Channels, rotations_of, with_rotations, world_joints
from ..motion.bspline import Curve, design_matrix, fit_curve
from ..motion.resampling import resample
from ..motion.timewarp import clock_time, generic_time
from .example import Example
from .root_travel import arc, compose, headings_of, rotate_plane

Array = NDArray[np.float64]

GOAL_DEGREES = 0.8
"""Error of a joint's rotation below which its curve is good enough."""
GOAL_SHARE = 0.0025
"""Error of a joint's place, as a share of the figure's size, below which the curves are good enough."""
ROUNDS = 12
"""Largest number of rounds of re-weighted least squares."""
LEAST_WEIGHT = 0.05
"""Least weight of a sample in re-weighted least squares; the mean weight is 1."""
LEAST_GRADE = 0.03
"""Climb of a cycle, as a share of its displacement, from which on the cycle counts as going up or down."""
CLOSING = 100.0
"""How many times more it counts that the path ends as the root does than that the root stays near the path."""


@dataclass(frozen=True, eq=False)
class Canonical:
    """One example in canonical form, sampled at G + 1 evenly spaced generic times from 0 to 1.

    Parameters
    ----------
    values : (G + 1, width) with the travel since the start; the last row of a cycle is its first row, after one more
        travel.
    drift : (4,) even drift of the whole motion per duration: x and y in the heading's frame, turn and climb. The climb
        is not part of `values`.
    shares : (M,) share of the duration that has passed at each keytime.
    windows : of each contact, begin and end of its windows in generic time.
    seam_degrees, seam_distance : largest joint rotation in degrees, and root displacement in performance units, by
        which the cycle failed to close and which were spread over it.
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
    """Sample an example over generic time, take its travel out of its root, and close it if it is a cycle.

    Travel is even in clock time: the heading turns evenly, and the root moves at an even pace along an arc, up or down
    where a cycle climbs by more than 3 % of its displacement. What the root does besides belongs to the pose.

    Parameters
    ----------
    example : with keytimes and contacts.
    channels : what it animates.
    generic : (M,) generic times of its keytimes.
    reference : (4,) root rotation of heading 0.
    samples : G.
    close : whether to spread the seam of a cycle over all of it.

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
    climbed = _climb_of_cycle(example, root, drift)
    path = np.concatenate([travel[:, :2], climbed * share], axis=-1)
    root = quat.rotate(heading, root - path)
    if channels.travelling:
        _move_travelling_set(channels, rotations, scalars, heading, path)
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
    relative = compose(_inverse_travel(travel[0]), travel)
    values = np.concatenate([relative, root, rotations.reshape(len(times), -1), scalars], axis=-1)
    windows = tuple(generic_windows(c.windows, example, generic) for c in example.contacts)
    shares = example.keytimes / example.keytimes[-1]
    return Canonical(values, np.append(drift, climbed), shares, windows, seam_degrees, seam_distance)


def _move_travelling_set(channels: Channels, rotations: Array, scalars: Array, heading: Array, path: Array) -> None:
    """Put the travelling set of rotations (G + 1, R, 4) and scalars (G + 1, S) into the heading's frame, in place.

    `heading` (G + 1, 4) undoes the heading, `path` (G + 1, 3) is the place of the heading's frame.
    """
    rows, columns = channels.travelling_rows, channels.travelling_places - channels.scalar_columns.start
    rotations[:, rows] = quat.multiply(heading[:, None], rotations[:, rows])
    scalars[:, columns] = quat.rotate(heading[:, None], scalars[:, columns] - path[:, None])


def _travel(example: Example, rotations: Array, root: Array, passed: Array, reference: Array) -> tuple[Array, Array]:
    """Return the path (G + 1, 3) of the travel in performance space, x, y and heading, and its drift (3,).

    Parameters
    ----------
    example : its kind, and whether it is a cycle.
    rotations, root : (G + 1, 4) and (G + 1, 3) of the root.
    passed : (G + 1,) share of the duration that has passed.
    reference : (4,) root rotation of heading 0.
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
    """Return the height that a cycle gains, 0 on the flat, where a smaller gain is only the seam of the motion."""
    if not example.cyclic or example.kind == "stationary":
        return 0.0
    climbed = float(root[-1, 2] - root[0, 2])
    return climbed if abs(climbed) > LEAST_GRADE * float(np.linalg.norm(drift[:2])) else 0.0


def _even_travel(root: Array, passed: Array, heading: float, turn: float, cyclic: bool) -> tuple[Array, Array]:
    """Return the path (G + 1, 3) and drift (3,) of even pace and turn that stay nearest to the root (G + 1, 2).

    In the complex plane the path is ``start + velocity * along``, linear in start and velocity. The root of a cycle
    must be as far from the path at its end as at its start, turned with the heading: the straight way from its first
    place to its last would be wrong, since a root beside the path goes round the same centre on another circle. The
    path of another motion goes as far as its root. Near a whole turn an arc hardly gets anywhere, so that this
    condition would ask for an excessive velocity or none at all; so it is weighted the less, the less the path can do
    about it, and what is left over is pose, or the seam of a cycle.

    Parameters
    ----------
    root : (G + 1, 2) place over the floor.
    passed : (G + 1,) share of the duration that has passed.
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
    """Raise if a joint of a closed cycle ends in the other hemisphere of quaternions (G + 1, R, 4) than it began."""
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
    """Return contact windows in generic time, each of them once.

    Windows of a cycle are moved by whole cycles to begin in [0, 1) and may end beyond 1; of those that then overlap the
    one nearest to the middle is kept. Windows of other motions are cut to [0, 1].

    Parameters
    ----------
    windows : begin and end in seconds.
    example : its keytimes, and whether it is a cycle.
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
    """Whether two windows of a cycle overlap, in this or in a neighbouring cycle."""
    return any(begin < other_end + k and other_begin + k < end for k in (-1.0, 0.0, 1.0))


def with_values(canonical: Canonical, values: Array) -> Canonical:
    """Return the example with other values (G + 1, width)."""
    return replace(canonical, values=values)


def hold_switches(channels: Channels, names: Sequence[str], canonicals: Sequence[Canonical]) -> list[str]:
    """Give each channel that is never blended one value in all examples, and say where examples differed.

    The value is that with which the first example begins.

    Parameters
    ----------
    channels : which scalars are held.
    names : (N,) of the examples.
    canonicals : (N,) whose values are changed in place.

    Returns
    -------
    sentences, one for each channel in which examples differ
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
                f"'{scalar.label}' is never blended, but is {what} and {value:g} in '{names[0]}'. The verb holds"
                f" {value:g}."
            )
    return list(shortened(complaints, "{count} more channels that are never blended differ between examples."))


def fit_canonical(channels: Channels, canonical: Canonical, example: Example, control_points: int) -> Curve:
    """Return the curve, over generic time, of the pose columns of one example.

    [Rose1998] section 3.1 does not say how its B-splines were fitted. Here it is least squares. For joints that are
    missed by about a degree or more it is least squares again with more weight where the error is large (Lawson's
    iteration): a quick turn of one joint is then spread over its surroundings rather than cut off. The same is done for
    all joints above the one that is farthest from where it should be, as long as that is more than 0.25 % of the
    figure's size.

    Parameters
    ----------
    channels : what the columns mean.
    canonical : the example over generic time; the last row of a cycle, which repeats its first, is left out.
    example : gives the encoding, and the number of control points if it has one of its own.
    control_points : NumCP otherwise.
    """
    times = np.linspace(0.0, 1.0, len(canonical.values))
    rows = slice(None, -1) if example.cyclic else slice(None)
    count = example.control_points or control_points
    values = canonical.values[rows]
    curve = fit_curve(times[rows], values[:, 3:], count, example.cyclic, example.encoding)
    matrix = design_matrix(times[rows], count, example.cyclic, example.encoding)
    controls = curve.controls[:count].copy()
    weights = np.ones((len(values), len(channels.rotating)))
    wanted = rotations_of(channels, values)
    fitted = (matrix @ controls[:, 3 : 3 + 4 * wanted.shape[1]]).reshape(wanted.shape)
    missed = np.degrees(quat.angle_between(quat.normalize(fitted), wanted)).max(axis=0)
    for joint in np.flatnonzero(missed >= GOAL_DEGREES):
        columns = slice(3 + 4 * joint, 7 + 4 * joint)
        controls[:, columns] = _fit_rotations(
            matrix, values[:, 3:][:, columns], controls[:, columns], weights[:, joint]
        )
    controls = _fit_places(channels, matrix, values, controls, weights)
    closed = np.concatenate([controls, controls[:3]]) if example.cyclic else controls
    return Curve(closed, example.cyclic, example.encoding)


def _fit_rotations(matrix: Array, rotations: Array, controls: Array, weights: Array) -> Array:
    """Return control points (C, 4) of one joint for which its largest error against `rotations` (G, 4) is small.

    Parameters
    ----------
    matrix : (G, C) from control points to samples.
    rotations : (G, 4) that are wanted.
    controls : (C, 4) to begin with.
    weights : (G,) of the samples; changed in place to those that gave the result.
    """
    best, least = controls, np.inf
    kept = weights.copy()
    for _ in range(ROUNDS):
        errors = np.degrees(quat.angle_between(quat.normalize(matrix @ controls), rotations))
        largest = float(errors.max())
        if largest < least:
            best, least = controls, largest
            kept[:] = weights
        if least < GOAL_DEGREES:
            break
        weights[:] = _reweighted(weights, errors)
        controls = _weighted_least_squares(matrix, rotations, weights)
    weights[:] = kept
    return best


def _fit_places(channels: Channels, matrix: Array, values: Array, controls: Array, weights: Array) -> Array:
    """Return control points (C, columns) for which the largest error in the place of any joint is small.

    Parameters
    ----------
    channels : what the columns mean.
    matrix : (G, C) from control points to samples.
    values : (G, width) that are wanted.
    controls : (C, columns) to begin with.
    weights : (G, R) of the samples, for each rotating joint; changed in place.
    """
    wanted = world_joints(channels, values)
    goal = GOAL_SHARE * float(np.ptp(wanted[0], axis=0).max())
    column_of = {int(joint): column for column, joint in enumerate(channels.rotating)}
    best, least = controls, np.inf
    for _ in range(ROUNDS):
        fitted = np.concatenate([values[:, :3], matrix @ controls], axis=-1)
        fitted = with_rotations(channels, fitted, quat.normalize(rotations_of(channels, fitted)))
        errors = np.linalg.norm(world_joints(channels, fitted) - wanted, axis=-1)
        farthest = int(errors.max(axis=0).argmax())
        largest = float(errors.max())
        if largest < least:
            best, least = controls, largest
        if least <= goal:
            break
        controls = controls.copy()
        for joint in channels.skeleton.chain(farthest)[1:]:
            if joint in column_of:
                column = column_of[joint]
                columns = slice(3 + 4 * column, 7 + 4 * column)
                weights[:, column] = _reweighted(weights[:, column], errors[:, farthest])
                controls[:, columns] = _weighted_least_squares(matrix, values[:, 3:][:, columns], weights[:, column])
    return best


def _reweighted(weights: Array, errors: Array) -> Array:
    """Return weights (G,) that are larger where `errors` (G,) are; their mean is about 1."""
    changed = weights * (errors / errors.max() + LEAST_WEIGHT)
    return np.maximum(changed / changed.mean(), LEAST_WEIGHT)


def _weighted_least_squares(matrix: Array, data: Array, weights: Array) -> Array:
    """Return control points (C, n) with ``matrix @ controls`` nearest to `data` (G, n) by `weights` (G,)."""
    rows = np.sqrt(weights)[:, None]
    return np.asarray(np.linalg.lstsq(matrix * rows, data * rows, rcond=None)[0], dtype=np.float64)


def fit_errors(channels: Channels, canonical: Canonical, curve: Curve) -> tuple[float, float]:
    """Return the largest errors of a curve: of a joint's rotation in degrees, and of its place in performance units.

    A rotation is taken relative to the joint's parent.
    """
    times = np.linspace(0.0, 1.0, len(canonical.values))
    fitted = np.concatenate([canonical.values[:, :3], curve.sample(times)], axis=-1)
    fitted = with_rotations(channels, fitted, quat.normalize(rotations_of(channels, fitted)))
    distance = np.linalg.norm(world_joints(channels, fitted) - world_joints(channels, canonical.values), axis=-1)
    angles = quat.angle_between(rotations_of(channels, fitted), rotations_of(channels, canonical.values))
    return float(np.degrees(angles.max())), float(distance.max())
