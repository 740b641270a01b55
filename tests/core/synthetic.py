"""Random skeletons, smooth motions and examples, which are the same whenever the seed is the same."""

from collections.abc import Sequence
from functools import cache

import numpy as np
from verbs_adverbs.core.figure import quaternion as quat
from verbs_adverbs.core.figure.channels import Channels, Scalar
from verbs_adverbs.core.figure.skeleton import Skeleton
from verbs_adverbs.core.motion.travel import arc, compose
from verbs_adverbs.core.verb.build import VerbOptions, build_verb
from verbs_adverbs.core.verb.example import Contact, Example, Take
from verbs_adverbs.core.verb.verb import Verb

RATE = 60.0
MARGIN = 6
NAMES = ("down", "pass", "up", "end")


def random_rotations(rng: np.random.Generator, *shape: int) -> np.ndarray:
    """Uniformly distributed unit quaternions (*shape, 4)."""
    return quat.normalize(rng.normal(size=(*shape, 4)))


def random_skeleton(rng: np.random.Generator, joints: int, loose: bool = False) -> Skeleton:
    """A random tree; with `loose`, one joint besides the root has no parent."""
    parents = np.array([-1] + [int(rng.integers(0, j)) for j in range(1, joints)], dtype=np.intp)
    if loose and joints > 2:
        parents[joints // 2] = -1
    offsets, rests = rng.uniform(-0.5, 0.5, (joints, 3)), random_rotations(rng, joints)
    offsets[0], rests[0] = 0.0, quat.IDENTITY
    return Skeleton(tuple(f"joint {j}" for j in range(joints)), parents, offsets, rests, rng.normal(size=(joints, 3)))


def random_channels(rng: np.random.Generator, joints: int = 5, scalars: Sequence[Scalar] = ()) -> Channels:
    """Return random channels in which all joints but the last rotate."""
    rotating = np.arange(max(1, joints - 1), dtype=np.intp)
    return Channels(random_skeleton(rng, joints), rotating, tuple(scalars), random_rotations(rng, joints))


def waves(rng: np.random.Generator, phases: np.ndarray, shape: tuple[int, ...], size: float) -> np.ndarray:
    """Smooth values (T, *shape) of period 1 in `phases` (T,): three harmonics of random size and shift."""
    total = np.zeros((len(phases), *shape))
    for order in (1, 2, 3):
        angle = 2.0 * np.pi * order * phases.reshape((-1,) + (1,) * len(shape))
        total += rng.normal(size=shape) * size / order**2 * np.cos(angle + rng.uniform(0.0, 6.3, shape))
    return total


def make_example(
    name: str,
    adverbs: Sequence[float],
    seed: int,
    channels: Channels,
    duration: float = 1.2,
    drift: Sequence[float] = (1.5, 0.2, 0.6),
    shares: Sequence[float] = (0.0, 0.3, 0.55, 1.0),
    sway: float = 0.05,
    climb: float = 0.0,
    **changes: object,
) -> Example:
    """Return an example that moves smoothly around a pose, which is the same for all examples on `channels`.

    The motion is exactly periodic except for `drift` (3,) a cycle. `sway` is how far the root strays from its arc;
    `changes` are further fields of the example.
    """
    rng = np.random.default_rng(seed)
    count = int(np.ceil(duration * RATE))
    times = np.arange(-MARGIN, count + MARGIN + 1) / RATE
    phases = times / duration
    rotating = len(channels.rotating)
    middle = random_rotations(np.random.default_rng(99), rotating)
    rotations = quat.multiply(quat.exp(waves(rng, phases, (rotating, 3), 0.25)), middle)
    path = compose(rng.normal(size=3), arc(np.array(drift, dtype=np.float64), phases))
    heading = quat.from_yaw(path[:, 2])
    rotations[:, 0] = quat.multiply(heading, rotations[:, 0])
    place = waves(rng, phases, (3,), sway) + np.array([0.0, 0.0, 1.0])
    root = quat.rotate(heading, place) + np.stack([path[:, 0], path[:, 1], climb * phases], axis=-1)
    scalars = 0.5 + waves(rng, phases, (len(channels.scalars),), 0.3)
    fields: dict[str, object] = {
        "name": name,
        "adverbs": np.array(adverbs, dtype=np.float64),
        "keytime_names": NAMES,
        "keytimes": duration * np.array(shares),
        "take": Take(times, quat.continuous(rotations), root, scalars),
        "contacts": (),
        "kind": "travelling",
        "cyclic": True,
    }
    return Example(**(fields | changes))  # type: ignore[arg-type]


def contact(joint: int, *windows: tuple[float, float], point: str = "toe") -> Contact:
    """A contact of the origin of `joint` in `windows` of seconds."""
    return Contact(point, joint, np.zeros(3), tuple(windows))


PLACES = ((0.0, 0.0), (-1.0, 0.1), (1.0, -0.2), (0.1, 1.0), (-0.2, -1.0), (0.8, 0.9))


def some_examples(seed: int, channels: Channels, count: int = 6, **changes: object) -> list[Example]:
    """Examples in two adverbs that differ in length, phrasing, travel and pose."""
    rng = np.random.default_rng(seed)
    found: list[Example] = []
    for index, place in enumerate(PLACES[:count]):
        middle = np.sort(rng.uniform([0.2, 0.5], [0.4, 0.8]))
        fields: dict[str, object] = {
            "duration": float(rng.uniform(0.8, 1.6)),
            "drift": (1.5 + rng.normal() * 0.3, 0.1 * rng.normal(), 0.5 * rng.normal()),
            "shares": (0.0, *middle, 1.0),
        }
        found.append(make_example(f"example {index + 1}", place, 100 * seed + index, channels, **(fields | changes)))  # type: ignore[arg-type]
    return found


@cache
def some_verb(seed: int = 1, count: int = 6, options: VerbOptions | None = None, **changes: object) -> Verb:
    """Build a verb of two adverbs, each from -1 to 1, from `some_examples`; it is built once for the same arguments."""
    channels = random_channels(np.random.default_rng(seed))
    examples = some_examples(seed, channels, count, **changes)
    return build_verb("walk", channels, examples, ("mood", "slope"), [[-1, 1], [-1, 1]], options or VerbOptions())


def planar_distance(ours: np.ndarray, theirs: np.ndarray) -> float:
    """Largest distance of points (..., 3) from others, after these are moved and turned over the floor to fit best."""
    a, b = (points.reshape(-1, 3) for points in (ours, theirs))
    p, q = (points[:, 0] + 1j * points[:, 1] for points in (a, b))
    p, q = p - p.mean(), q - q.mean()
    turn = np.vdot(p, q)
    apart = p * (turn / abs(turn)) - q
    return float(np.hypot(np.abs(apart), a[:, 2] - b[:, 2]).max())
