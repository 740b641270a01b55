"""How far a verb can be trusted: predicting examples that are left out, extrapolation, and sliding contacts."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..core.errors import BasisError
from ..core.figure import quaternion as quat
from ..core.figure.channels import TRAVEL, Channels, rotations_of, with_rotations, world_joints, world_points
from ..core.motion.timewarp import Phrasing
from ..core.motion.travel import segment_path
from ..core.verb.build import DEFAULT_OPTIONS, VerbOptions, canonical_examples, phrasing_of, prepare_examples
from ..core.verb.cardinal_basis import cardinal_basis
from ..core.verb.example import Example
from ..core.verb.verb import Verb

Array = NDArray[np.float64]
Scheme = Callable[[Array, Array], Array]
SAMPLES = 64


@dataclass(frozen=True)
class LeftOut:
    """Mean distances of joints between each example and its prediction by the others, in performance units.

    They are NaN where the other examples cannot predict it.

    Parameters
    ----------
    relative : (N,) distances without root position and heading, over generic time.
    world : (N,) distances with the travel from a common start.
    """

    relative: tuple[float, ...]
    world: tuple[float, ...]


def nearest(places: Array, point: Array) -> Array:
    """Weights (N,) that are 1 for the nearest example and 0 for the others."""
    return np.eye(len(places))[int(np.argmin(np.linalg.norm(places - point, axis=1)))]


def inverse_distance(places: Array, point: Array) -> Array:
    """Weights (N,) by inverse squared distance (Shepard)."""
    shares = 1.0 / np.maximum(np.sum((places - point) ** 2, axis=1), 1e-12)
    return shares / shares.sum()


def radial_scheme(options: VerbOptions) -> Scheme:
    """Return a scheme that uses the cardinal basis of `options`, solved for the places that it is given."""

    def weigh(places: Array, point: Array) -> Array:
        """Weights (N,) of examples at `places` (N, D) in the point (D,); adverbs are scaled already."""
        basis = cardinal_basis(
            places,
            np.ones(places.shape[1]),
            kernel=options.kernel,
            degree=options.degree,
            radius_factor=options.radius_factor,
        )
        return basis.weights(point[None])[0]

    return weigh


def leave_one_out(
    name: str,
    channels: Channels,
    examples: Sequence[Example],
    adverb_names: Sequence[str],
    adverb_ranges: ArrayLike,
    schemes: Mapping[str, Scheme],
    options: VerbOptions = DEFAULT_OPTIONS,
) -> dict[str, LeftOut]:
    """Predict each example from the others by each of the `schemes`, functions of places (N - 1, D) and a point."""
    taken = prepare_examples(name, channels, examples, adverb_names)
    ranges = np.asarray(adverb_ranges, dtype=np.float64).reshape(-1, 2)
    places = np.array([e.adverbs for e in taken]) / (ranges[:, 1] - ranges[:, 0])
    phrasing = phrasing_of(taken, options)
    most = max(options.control_points, *(e.control_points for e in taken))
    canonicals, _ = canonical_examples(channels, taken, phrasing, replace(options, control_points=most))
    values = np.array([c.values for c in canonicals])
    drifts = np.array([np.diff(c.shares)[:, None] * c.drift for c in canonicals])
    result: dict[str, LeftOut] = {}
    for label, scheme in schemes.items():
        rows: list[tuple[float, float]] = []
        for left in range(len(taken)):
            rest = np.flatnonzero(np.arange(len(taken)) != left)
            weights = _weights(scheme, places[rest], places[left])
            if weights is None:
                rows.append((np.nan, np.nan))
                continue
            mixed = _mixed(
                channels, weights, values[rest], drifts[rest], replace(phrasing, segments=phrasing.segments[rest])
            )
            rows.append(_distances(channels, mixed, values[left]))
        result[label] = LeftOut(tuple(r[0] for r in rows), tuple(r[1] for r in rows))
    return result


def _weights(scheme: Scheme, places: Array, point: Array) -> Array | None:
    """Weights (N - 1,) by a scheme, or None if these examples cannot be interpolated."""
    try:
        return scheme(places, point) if len(places) else None
    except BasisError:
        return None


def _mixed(channels: Channels, weights: Array, values: Array, drifts: Array, phrasing: Phrasing) -> Array:
    mixed = np.tensordot(weights, values, axes=1)
    phases = phrasing.generic_times(np.linspace(0.0, 1.0, len(mixed)), phrasing.lengths(weights))
    mixed[:, :3] = segment_path(np.tensordot(weights, drifts, axes=1), phrasing.generic, phases, cyclic=False)[:, :3]
    return with_rotations(channels, mixed, quat.normalize(rotations_of(channels, mixed)))


def _distances(channels: Channels, ours: Array, theirs: Array) -> tuple[float, float]:
    def mean_distance(a: Array, b: Array) -> float:
        """Mean distance of the points (..., 3) of two sets, in performance units."""
        return float(np.linalg.norm(a - b, axis=-1).mean())

    relative = mean_distance(_at_root(channels, ours), _at_root(channels, theirs))
    return relative, mean_distance(world_joints(channels, ours), world_joints(channels, theirs))


def _at_root(channels: Channels, values: Array) -> Array:
    joints = root_relative(channels, values)
    joints[..., :2] -= joints[:, :1, :2]
    return joints


def extrapolation(verb: Verb, adverbs: ArrayLike) -> float:
    """How far `adverbs` (D,) lie outside the examples: twice the sum of the negative weights, 0 if there are none."""
    return float(np.abs(verb.weights(adverbs)).sum() - 1.0)


def root_relative(channels: Channels, values: Array) -> Array:
    """Joint positions (T, J, 3) without the travel, in the frame of the heading."""
    still = values.copy()
    still[:, TRAVEL] = 0.0
    return world_joints(channels, still)


def contact_slip(verb: Verb, adverbs: ArrayLike) -> Array:
    """Mean speed over the floor of each contact point in each of its windows.

    Parameters
    ----------
    verb : the verb.
    adverbs : (D,) place in its adverb space.

    Returns
    -------
    (K,) speeds in performance units per second, for all K windows of all contacts.
    """
    motion = verb.motion(adverbs)
    speeds: list[float] = []
    for contact, windows in zip(verb.contacts, motion.windows, strict=True):
        for begin, end in windows:
            phases = np.linspace(float(begin), float(end), SAMPLES)
            points = world_points(verb.channels, motion.sample_phases(phases), contact.joint, contact.offset)
            length = np.linalg.norm(np.diff(points[:, :2], axis=0), axis=-1).sum()
            seconds = np.diff(motion.clock(phases[[0, -1]]))[0]
            speeds.append(float(length / seconds))
    return np.array(speeds)
