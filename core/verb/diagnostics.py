"""How far a verb can be trusted: leaving examples out, and extrapolation."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import BasisError
from ..figure import quaternion as quat
from ..figure.channels import TRAVEL, Channels, rotations_of, with_rotations, world_joints
from ..motion.timewarp import generic_keytimes
from .basis import cardinal_basis
from .build import DEFAULT_OPTIONS, VerbOptions, canonical_examples, prepare_examples
from .example import Example
from .travel import segment_path
from .verb import Verb

Array = NDArray[np.float64]
Scheme = Callable[[Array, Array], Array]


@dataclass(frozen=True)
class LeftOut:
    """Mean joint distances of each example as the others predict it, in performance units; NaN where they cannot.

    Parameters
    ----------
    relative : (N,) with root position and heading taken away, over generic time.
    world : (N,) with travel from a common start.
    """

    relative: tuple[float, ...]
    world: tuple[float, ...]


def nearest(places: Array, point: Array) -> Array:
    """Weights (N,) that take the nearest example alone."""
    return np.eye(len(places))[int(np.argmin(np.linalg.norm(places - point, axis=1)))]


def inverse_distance(places: Array, point: Array) -> Array:
    """Weights (N,) by inverse squared distance (Shepard)."""
    shares = 1.0 / np.maximum(np.sum((places - point) ** 2, axis=1), 1e-12)
    return shares / shares.sum()


def radial_scheme(options: VerbOptions) -> Scheme:
    """The cardinal basis of `options`, solved anew for the places that it is given."""

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
    """Predict every example from the others by each of the `schemes`, which take places (N - 1, D) and a point (D,)."""
    taken = prepare_examples(name, channels, examples, adverb_names)
    ranges = np.asarray(adverb_ranges, dtype=np.float64).reshape(-1, 2)
    places = np.array([e.adverbs for e in taken]) / (ranges[:, 1] - ranges[:, 0])
    segments = np.array([np.diff(e.keytimes) for e in taken])
    generic = generic_keytimes(segments, options.timing)
    most = max(options.control_points, *(e.control_points for e in taken))
    canonicals = canonical_examples(channels, taken, generic, replace(options, control_points=most))
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
            mixed = _mixed(channels, weights, values[rest], drifts[rest], generic)
            rows.append(_distances(channels, mixed, values[left]))
        result[label] = LeftOut(tuple(r[0] for r in rows), tuple(r[1] for r in rows))
    return result


def _weights(scheme: Scheme, places: Array, point: Array) -> Array | None:
    """Weights (N - 1,), or None where these examples cannot be interpolated."""
    try:
        return scheme(places, point) if len(places) else None
    except BasisError:
        return None


def _mixed(channels: Channels, weights: Array, values: Array, drifts: Array, generic: Array) -> Array:
    mixed = np.tensordot(weights, values, axes=1)
    phases = np.linspace(0.0, 1.0, len(mixed))
    mixed[:, :3] = segment_path(np.tensordot(weights, drifts, axes=1), generic, phases, cyclic=False)[:, :3]
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
    """How far `adverbs` (D,) lie outside the examples: twice the sum of negative weights, 0 if there are none."""
    return float(np.abs(verb.weights(adverbs)).sum() - 1.0)


def root_relative(channels: Channels, values: Array) -> Array:
    """Joint positions (T, J, 3) with the travel taken away: the pose in the heading's frame."""
    still = values.copy()
    still[:, TRAVEL] = 0.0
    return world_joints(channels, still)
