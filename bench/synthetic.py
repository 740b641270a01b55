"""Verbs of random, smooth, seeded motion: the measurements do not depend on the content of the motion."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..core.figure import quaternion as quat
from ..core.figure.channels import Channels
from ..core.figure.skeleton import Skeleton
from ..core.motion.bspline import Curve
from ..core.motion.timewarp import Phrasing
from ..core.verb.build import DEFAULT_OPTIONS
from ..core.verb.cardinal_basis import cardinal_basis
from ..core.verb.mixture import make_mixture
from ..core.verb.verb import Verb, VerbReport

Array = NDArray[np.float64]

ADVERBS = ("energy", "turn", "slope")
KEYTIMES = ("R_down", "L_up", "L_down", "R_up", "R_down")
CONTROL_POINTS = DEFAULT_OPTIONS.control_points


@dataclass(frozen=True, eq=False)
class Synthetic:
    """A cyclic verb and the data that it is made from.

    Parameters
    ----------
    verb : with quaternion channels.
    places : (N, D) places of the examples.
    ranges : (D,) extent of each adverb.
    vectors : (N, C + 3, 3 + 3 J) control points of root location and rotation vectors, the first three repeated.
    segments : (N, S) seconds between keytimes.
    generic : (S + 1,) generic times of the keytimes.
    """

    verb: Verb
    places: Array
    ranges: Array
    vectors: Array
    segments: Array
    generic: Array


def make_synthetic(joints: int, examples: int, seed: int = 1) -> Synthetic:
    """Return a verb of `joints` joints and `examples` examples over three adverbs, built like new verbs."""
    random = np.random.default_rng(seed)
    places = random.uniform(-1.0, 1.0, (examples, len(ADVERBS)))
    ranges = np.full(len(ADVERBS), 2.0)
    mean = 0.4 * random.standard_normal((CONTROL_POINTS, 3 + 3 * joints))
    own = mean + 0.1 * random.standard_normal((examples, CONTROL_POINTS, 3 + 3 * joints))
    vectors = np.concatenate([own, own[:, :3]], axis=1)
    segments = random.uniform(0.1, 0.4, (examples, len(KEYTIMES) - 1))
    generic = np.concatenate([[0.0], np.cumsum(segments.mean(axis=0))])
    generic /= generic[-1]
    channels = chain(joints)
    rotations = quat.exp(vectors[..., 3:].reshape(examples, -1, joints, 3)).reshape(examples, -1, 4 * joints)
    curves = tuple(Curve(np.concatenate([v[:, :3], q], axis=1), True) for v, q in zip(vectors, rotations, strict=True))
    basis = cardinal_basis(places, ranges, kernel=DEFAULT_OPTIONS.kernel, degree=DEFAULT_OPTIONS.degree)
    verb = Verb(
        name="synthetic",
        channels=channels,
        adverb_names=ADVERBS,
        adverb_ranges=np.stack([-0.5 * ranges, 0.5 * ranges], axis=1),
        example_names=tuple(f"example {index}" for index in range(examples)),
        places=places,
        basis=basis,
        phrasing=Phrasing(segments, generic, cyclic=True),
        keytime_names=KEYTIMES,
        cyclic=True,
        mixture=make_mixture(channels, curves),
        drifts=np.zeros((examples, len(KEYTIMES) - 1, 4)),
        contacts=(),
        reference=quat.IDENTITY,
        report=VerbReport((), (), (), (), basis.condition),
    )
    return Synthetic(verb, places, ranges, vectors, segments, generic)


def chain(joints: int) -> Channels:
    """Return channels of a chain of joints that all rotate."""
    names = tuple(f"joint {index}" for index in range(joints))
    offsets = np.tile([0.0, 0.1, 0.0], (joints, 1))
    rests = np.tile(quat.IDENTITY, (joints, 1))
    skeleton = Skeleton(names, np.arange(-1, joints - 1), offsets, rests, offsets)
    return Channels(skeleton, np.arange(joints), (), rests)


def wandering(count: int, seed: int = 2, adverbs: int = len(ADVERBS)) -> list[tuple[float, ...]]:
    """Return adverbs (count, D) on a smooth path between the examples, as from hands on sliders."""
    random = np.random.default_rng(seed)
    steps = np.arange(count)[:, None] / 60.0
    rates, starts = random.uniform(0.3, 1.0, (2, adverbs))
    return [tuple(row) for row in (0.8 * np.sin(2.0 * np.pi * rates * steps + 7.0 * starts)).tolist()]
