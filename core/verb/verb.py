"""Verbs: motions parameterised by adverbs ([Rose1998] sections 3 and 4, [Rose2001] section 3)."""

import math
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..figure.channels import Channels, climb
from ..motion.clip import Mark, in_order
from ..motion.timewarp import Phrasing, clock_time, generic_time, share_heights, share_windows
from ..motion.travel import compose, segment_path
from .cardinal_basis import CardinalBasis
from .mixture import Mixture
from .radial_bases import Kernel

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class ContactWindows:
    """Windows in generic time in which one point of the figure is planted, for each of a verb's N examples.

    Parameters
    ----------
    point : name of the contact point.
    joint : index of the joint that carries the point.
    offset : (3,) position of the point in the joint's frame.
    windows : (N, W, 2) generic times at which each window begins and ends. In a cycle a window may reach beyond [0, 1].
    clearances : (N, W) mean height of the point over the example's ground in each window, in performance units.
    drops : (N, W) how far the point sinks from the beginning of the window to the height at which it is held.
    """

    point: str
    joint: int
    offset: Array
    windows: Array
    clearances: Array
    drops: Array

    def heights(self, weights: Array) -> tuple[Array, Array]:
        """Return the clearances and the drops (..., W) under `weights` (..., N), clamped to the examples' range."""
        return share_heights(self.clearances, weights), share_heights(self.drops, weights)


@dataclass(frozen=True)
class VerbReport:
    """Measurements and warnings of the builder.

    Parameters
    ----------
    fit_degrees : (N,) largest error of the curves against each example in canonical form, in the rotation of a joint
        relative to its parent, in degrees.
    fit_distance : (N,) the same in the position of a joint, in performance units.
    seam_degrees : (N,) largest joint rotation in degrees by which each cycle failed to close; it was spread over the
        cycle.
    seam_distance : (N,) root displacement, in performance units, by which each cycle failed to close; it was spread
        likewise.
    condition : condition number of the system of radial bases.
    complaints : sentences that tell the animator what is doubtful about the examples.
    bent : a sentence for each example on the bones that play about 3 degrees or more from how they were keyed.
    fits : a sentence on the kernel that predicts the examples best; empty if they are too few.
    better : name and degree of a kernel that predicts the examples clearly better than the verb's own, None if there is
        none.
    left_out : (N,) mean distances of joints, in performance units and relative to the root, from each example to its
        prediction by the others; NaN where they cannot predict it. Empty if the examples are too few.
    slips : (N,) largest displacement of a contact point over the floor from the middle of its window's positions, in
        each example as the verb plays it without locking feet, in performance units; empty without contact points.
    """

    fit_degrees: tuple[float, ...]
    fit_distance: tuple[float, ...]
    seam_degrees: tuple[float, ...]
    seam_distance: tuple[float, ...]
    condition: float
    complaints: tuple[str, ...] = ()
    bent: tuple[str, ...] = ()
    fits: str = ""
    better: tuple[Kernel, int] | None = None
    left_out: tuple[float, ...] = ()
    slips: tuple[float, ...] = ()


WHOLE = 1.0 - 1e-6
"""Minimum generic duration of a window for a contact point to count as planted through a whole cycle."""


@dataclass(frozen=True, eq=False)
class Verb:
    """A verb: N example motions that can be mixed at any point of an adverb space of D adverbs.

    It is immutable. `build_verb` checks everything, and evaluators do not check again.

    Parameters
    ----------
    name : the user's name for it.
    channels : meaning of the columns of its motions.
    adverb_names : (D,)
    adverb_ranges : (D, 2) minimum and maximum set by the user.
    example_names : (N,)
    places : (N, D) places of the examples in the adverb space.
    basis : gives the weights of the examples at a point of the adverb space.
    phrasing : lengths of the S segments between keytimes.
    keytime_names : (M,) with M = S + 1.
    cyclic : whether the motion is a cycle, which repeats forever.
    mixture : the examples' curves, over generic time, of all columns but travel.
    drifts : (N, S, 4) uniform drift of each example over each whole segment: displacement x and y in the heading's
        frame and climb in performance units, turn in radians; in the order x, y, turn, climb.
    contacts : planted points, and when they are planted.
    reference : (4,) rotation of the root at heading 0.
    report : measurements of the builder.
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

    @cached_property
    def stands(self) -> bool:
        """Whether it is a cycle in which all contact points stay on the floor in every example."""
        lasting = [np.ptp(contact.windows, axis=-1).max(axis=1, initial=0.0).min() for contact in self.contacts]
        return self.cyclic and bool(lasting) and min(lasting) >= WHOLE

    def weights(self, adverbs: ArrayLike) -> Array:
        """Return the weights (..., N) of the examples at `adverbs` (..., D)."""
        points = np.asarray(adverbs, dtype=np.float64)
        flat = self.basis.weights(points.reshape(math.prod(points.shape[:-1]), len(self.adverb_names)))
        return flat.reshape(points.shape[:-1] + (len(self.example_names),))

    def mixing(self, adverbs: ArrayLike) -> Array:
        """Return the input of poses at `adverbs` (..., D): the weights (..., N), followed by any corrections.

        Here there are none; see `TouchingVerb`. The results at two places may be interpolated linearly.
        """
        return self.weights(adverbs)

    @property
    def motion_key(self) -> object:
        """Key that is equal for verbs with the same poses at the same adverbs and generic times, under any name."""
        return self.mixture, self.basis, self.phrasing

    def keytimes(self, adverbs: ArrayLike) -> Array:
        """Return the keytimes (..., M) in seconds, the first 0, at `adverbs` (..., D)."""
        return self.phrasing.keytimes(self.weights(adverbs))

    def duration(self, adverbs: ArrayLike) -> float:
        """Return the duration in seconds of one cycle, or of the whole motion, at `adverbs` (D,)."""
        return float(self.keytimes(adverbs)[-1])

    def motion(self, adverbs: ArrayLike) -> "VerbMotion":
        """Return the motion of the verb at one point `adverbs` (D,) of its adverb space."""
        mixing = self.mixing(adverbs)
        weights = mixing[: len(self.example_names)]
        windows = tuple(share_windows(c.windows, weights) for c in self.contacts)
        return VerbMotion(self, mixing, self.phrasing.keytimes(weights), windows)

    def sample_phases(self, phases: Array, weights: Array) -> Array:
        """Return poses (T, width) at generic times `phases` (T,), with travel 0; for `weights` see `poses`."""
        values = np.zeros((len(phases), self.channels.width))
        values[:, 3:] = self.poses(phases, weights)
        return values

    def poses(self, phases: Array, weights: Array) -> Array:
        """Return poses (T, width - 3), without travel, at generic times `phases` (T,).

        Parameters
        ----------
        phases : (T,) generic times.
        weights : (T, N) or (N,) weights of the examples, or a result of `mixing`.
        """
        return self.mixture.sample(self.phrasing.curve_times(phases, weights), weights)


@dataclass(frozen=True, eq=False)
class VerbMotion:
    """A verb at one point of its adverb space: a `Motion`. A cycle continues beyond its ends in both directions.

    Parameters
    ----------
    verb : the verb.
    mixing : input of its poses, see `Verb.mixing`; the weights (N,) of the examples come first.
    keytimes : (M,) seconds.
    windows : for each contact (W, 2), begin and end in generic time.
    """

    verb: Verb
    mixing: Array
    keytimes: Array
    windows: tuple[Array, ...]

    @property
    def weights(self) -> Array:
        """Weights (N,) of the examples."""
        return self.mixing[: len(self.verb.example_names)]

    @property
    def channels(self) -> Channels:
        """Meaning of the columns of the values."""
        return self.verb.channels

    @property
    def start(self) -> float:
        """Start time of the motion in seconds: always 0."""
        return 0.0

    @property
    def duration(self) -> float:
        """Duration in seconds of one cycle or of the whole motion."""
        return float(self.keytimes[-1])

    @property
    def marks(self) -> tuple[Mark, ...]:
        """Keytimes and contacts of one cycle, in order of time."""
        return tuple(sorted(self._marks(), key=lambda mark: (mark.start, mark.end)))

    @property
    def moves_root(self) -> bool:
        """Whether it moves the root: always."""
        return True

    def marks_within(self, begin: float, end: float) -> tuple[Mark, ...]:
        """Return keytimes and contacts that overlap the seconds from `begin` to `end`, in order of time."""
        length = self.duration
        cycles = range(math.floor(begin / length) - 1, math.floor(end / length) + 1) if self.verb.cyclic else (0,)
        every = (
            replace(mark, start=mark.start + number * length, end=mark.end + number * length)
            for number in cycles
            for mark in self._marks()
        )
        return in_order(mark for mark in every if mark.start <= end and mark.end >= begin)

    def _marks(self) -> list[Mark]:
        """Return the keytimes and contacts of one cycle."""
        named = zip(self.verb.keytime_names, self.keytimes, strict=True)
        found = [Mark("keytime", name, float(time), float(time)) for name, time in named]
        for contact, windows in zip(self.verb.contacts, self.windows, strict=True):
            for begin, end in self.clock(windows):
                found.append(Mark("contact", contact.point, float(begin), float(end)))
        return found

    def phase(self, times: ArrayLike) -> Array:
        """Return the generic time (T,) at `times` (T,) in seconds; it grows by 1 in each cycle."""
        return generic_time(times, self.keytimes, self.verb.phrasing.generic, self.verb.cyclic)

    def clock(self, phases: ArrayLike) -> Array:
        """Return the seconds (...) at generic times `phases` (...)."""
        return clock_time(phases, self.keytimes, self.verb.phrasing.generic, self.verb.cyclic)

    def sample(self, times: ArrayLike) -> Array:
        """Return values (T, width) at `times` (T,) in seconds, with the travel since time 0."""
        return self.sample_phases(self.phase(np.asarray(times, dtype=np.float64)))

    def sample_phases(self, phases: Array) -> Array:
        """Return values (T, width) at generic times `phases` (T,), with the travel since generic time 0."""
        values = self.verb.sample_phases(phases, self.mixing)
        path = self.path(phases)
        values[:, :3] = path[:, :3]
        climb(self.channels, values, path[:, 3])
        return values

    def path(self, phases: Array) -> Array:
        """Return the travel (T, 4) since generic time 0 at `phases` (T,): x, y, heading and the height climbed."""
        drifts = np.tensordot(self.weights, self.verb.drifts, axes=1)
        return segment_path(drifts, self.verb.phrasing.generic, phases, self.verb.cyclic)


def placed(values: Array, origin: Array) -> Array:
    """Return a copy of `values` (T, width) whose travel begins at `origin` (3,): x, y and heading."""
    moved = values.copy()
    moved[:, :3] = compose(origin, values[:, :3])
    return moved
