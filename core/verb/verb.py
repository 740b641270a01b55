"""Verbs: motions parameterised by adverbs ([Rose1998] sections 3 and 4, [Rose2001] section 3)."""

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..figure.channels import Channels, climb
from ..motion.motion import Mark
from ..motion.timewarp import clock_time, generic_time
from .basis import CardinalBasis
from .live_weights import LiveWeights
from .mixture import Mixture
from .phrasing import Phrasing, share_heights, share_windows
from .travel import compose, segment_path

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class ContactWindows:
    """When a point stands still, in generic time.

    Parameters
    ----------
    point : its name.
    joint, offset : which joint carries it, and (3,) where in its frame.
    windows : (N, W, 2) begin and end of each window in each example.
    clearances : (N, W) mean height of the point over the example's ground in each window.
    drops : (N, W) how far it is to sink from the beginning of the window to where it stands on the floor.
    """

    point: str
    joint: int
    offset: Array
    windows: Array
    clearances: Array
    drops: Array

    def heights(self, weights: Array) -> tuple[Array, Array]:
        """Clearances and drops (..., W) under `weights` (..., N), kept within the examples'."""
        return share_heights(self.clearances, weights), share_heights(self.drops, weights)


@dataclass(frozen=True)
class VerbReport:
    """What the builder found out.

    Parameters
    ----------
    fit_degrees, fit_distance : (N,) largest error of the curves against the examples in canonical form: degrees of any
        joint from its parent, and performance units at any joint.
    seam_degrees, seam_distance : (N,) what closing the cycle had to spread.
    condition : condition number of the radial system.
    complaints : what the animator should know, in words.
    """

    fit_degrees: tuple[float, ...]
    fit_distance: tuple[float, ...]
    seam_degrees: tuple[float, ...]
    seam_distance: tuple[float, ...]
    condition: float
    complaints: tuple[str, ...] = field(default=())


@dataclass(frozen=True, eq=False)
class Verb:
    """A built verb; immutable, and its evaluators trust it.

    Parameters
    ----------
    name : how the user calls it.
    channels : of its motions.
    adverb_names : (D,)
    adverb_ranges : (D, 2) minimum and maximum that the user gave.
    example_names : (N,)
    places : (N, D) the examples in the adverb space.
    basis : weights over the adverb space.
    phrasing : lengths of the segments between keytimes.
    keytime_names : (M,)
    cyclic : whether it goes on for ever.
    mixture : the examples' pose curves.
    drifts : (N, S, 4) displacement in the heading's frame, turn and climb of each example in each segment.
    contacts : points that stand still.
    reference : (4,) rotation of the root at heading 0.
    report : what the builder found out.
    """

    name: str
    channels: Channels
    adverb_names: tuple[str, ...]
    adverb_ranges: Array
    example_names: tuple[str, ...]
    places: Array
    basis: CardinalBasis
    phrasing: Phrasing
    keytime_names: tuple[str, ...]
    cyclic: bool
    mixture: Mixture
    drifts: Array
    contacts: tuple[ContactWindows, ...]
    reference: Array
    report: VerbReport

    def weights(self, adverbs: ArrayLike) -> Array:
        """Weights (..., N) of the examples at `adverbs` (..., D)."""
        points = np.asarray(adverbs, dtype=np.float64)
        flat = self.basis.weights(points.reshape(math.prod(points.shape[:-1]), len(self.adverb_names)))
        return flat.reshape(points.shape[:-1] + (len(self.example_names),))

    def live_weights(self, values: Array) -> LiveWeights:
        """Weights pose by pose, and `values` (N, V) of the examples mixed by them."""
        return LiveWeights(self.basis, values)

    def keytimes(self, adverbs: ArrayLike) -> Array:
        """Keytimes (..., M) in seconds, the first 0, at `adverbs` (..., D)."""
        return self.phrasing.keytimes(self.weights(adverbs))

    def duration(self, adverbs: ArrayLike) -> float:
        """Seconds that one cycle, or the whole motion, takes at `adverbs` (D,)."""
        return float(self.keytimes(adverbs)[-1])

    def motion(self, adverbs: ArrayLike) -> "VerbMotion":
        """The verb at one point (D,) of its adverb space, as a motion."""
        weights = self.weights(adverbs)
        windows = tuple(share_windows(c.windows, weights) for c in self.contacts)
        return VerbMotion(self, weights, self.phrasing.keytimes(weights), windows)

    def sample_phases(self, phases: Array, weights: Array) -> Array:
        """Poses (T, width) at generic `phases` (T,) under `weights` (T, N) or (N,), without travel."""
        values = np.zeros((len(phases), self.channels.width))
        values[:, 3:] = self.mixture.sample(phases, weights)
        return values


@dataclass(frozen=True, eq=False)
class VerbMotion:
    """A verb at one point of its adverb space; cyclic ones go on beyond their duration in both directions.

    Parameters
    ----------
    verb : the verb.
    weights : (N,)
    keytimes : (M,) seconds.
    windows : (W, 2) of each contact, in generic time.
    """

    verb: Verb
    weights: Array
    keytimes: Array
    windows: tuple[Array, ...]

    @property
    def channels(self) -> Channels:
        """Of the verb."""
        return self.verb.channels

    @property
    def start(self) -> float:
        """Always 0."""
        return 0.0

    @property
    def duration(self) -> float:
        """Seconds of one cycle or of the whole motion."""
        return float(self.keytimes[-1])

    @property
    def marks(self) -> tuple[Mark, ...]:
        """Keytimes and contacts of one cycle, in order of time."""
        return tuple(sorted(self._marks(), key=lambda mark: (mark.start, mark.end)))

    def _marks(self) -> list[Mark]:
        named = zip(self.verb.keytime_names, self.keytimes, strict=True)
        found = [Mark("keytime", name, float(time), float(time)) for name, time in named]
        for contact, windows in zip(self.verb.contacts, self.windows, strict=True):
            for begin, end in self.clock(windows):
                found.append(Mark("contact", contact.point, float(begin), float(end)))
        return found

    def phase(self, times: ArrayLike) -> Array:
        """Generic time (T,) at `times` (T,) in seconds, one unit a cycle."""
        return generic_time(times, self.keytimes, self.verb.phrasing.generic, self.verb.cyclic)

    def clock(self, phases: ArrayLike) -> Array:
        """Seconds (T,) at generic `phases` (T,)."""
        return clock_time(phases, self.keytimes, self.verb.phrasing.generic, self.verb.cyclic)

    def sample(self, times: ArrayLike) -> Array:
        """Values (T, width) at `times` (T,) in seconds; travel from the start."""
        return self.sample_phases(self.phase(np.asarray(times, dtype=np.float64)))

    def sample_phases(self, phases: Array) -> Array:
        """Values (T, width) at generic `phases` (T,); travel from generic time 0."""
        values = self.verb.sample_phases(phases, self.weights)
        path = self.path(phases)
        values[:, :3] = path[:, :3]
        climb(self.channels, values, path[:, 3])
        return values

    def path(self, phases: Array) -> Array:
        """Travel (T, 4) at generic `phases` (T,): x, y, heading and the height climbed."""
        drifts = np.tensordot(self.weights, self.verb.drifts, axes=1)
        return segment_path(drifts, self.verb.phrasing.generic, phases, self.verb.cyclic)


def placed(values: Array, origin: Array) -> Array:
    """`values` (T, width) whose travel begins at `origin` (3,): x, y and heading."""
    moved = values.copy()
    moved[:, :3] = compose(origin, values[:, :3])
    return moved
