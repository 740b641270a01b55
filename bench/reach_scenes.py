"""Generated reaches, reproducible from a seed: an arm in the plane, and whole figures."""

import numpy as np

from ..core.figure import quaternion as quat
from ..core.figure.channels import Channels
from ..core.figure.skeleton import Skeleton
from ..core.reach.measures import Aim, aim_at_adverbs, end_effector
from ..core.reach.refine import lattice
from ..core.verb.build import build_verb
from ..core.verb.example import Example, Take
from ..core.verb.verb import Verb

KEYTIMES = (0.0, 0.4, 1.0)
REACHED = 0.4
"""Generic time of the reach's keytime: the examples have the same phrasing."""
LINKS = np.array([0.5, 0.4, 0.25])
ARM_REGION = np.array([[0.35, 0.8], [-0.3, 0.3]])


def arm_channels() -> Channels:
    """Return channels of three links in the x-y plane, on a fixed root; the last joint is the end effector."""
    count = len(LINKS) + 2
    offsets = np.zeros((count, 3))
    offsets[2:, 0] = LINKS
    parents = np.arange(-1, count - 1, dtype=np.intp)
    rests = np.tile(quat.IDENTITY, (count, 1))
    skeleton = Skeleton(("root", "upper", "lower", "hand", "tip"), parents, offsets, rests, np.ones((count, 3)))
    return Channels(skeleton, np.arange(4, dtype=np.intp), (), rests)


def arm_point(angles: np.ndarray) -> np.ndarray:
    """Return the end effector (..., 2) of the arm at its joints' angles (..., 3)."""
    total = np.cumsum(angles, axis=-1)
    return np.stack([np.cos(total) @ LINKS, np.sin(total) @ LINKS], axis=-1)


def arm_angles(point: np.ndarray, hand: float) -> np.ndarray:
    """Return angles (3,) that bring the end effector to `point` (2,) with the last link in direction `hand`."""
    wrist = point - LINKS[2] * np.array([np.cos(hand), np.sin(hand)])
    distance = np.linalg.norm(wrist)
    inner = np.arccos((distance**2 - LINKS[0] ** 2 - LINKS[1] ** 2) / (2.0 * LINKS[0] * LINKS[1]))
    first = np.arctan2(wrist[1], wrist[0]) - np.arctan2(LINKS[1] * np.sin(inner), LINKS[0] + LINKS[1] * np.cos(inner))
    return np.array([first, inner, hand - first - inner])


def held_pose(name: str, adverbs: np.ndarray, turns: np.ndarray, axis: np.ndarray) -> Example:
    """Return a held pose: each joint behind the root is rotated by one of `turns` (R - 1,) about `axis` (3,)."""
    times = np.linspace(-0.1, 1.1, 73)
    rotations = np.concatenate([quat.IDENTITY[None], quat.from_axis_angle(axis, turns)])
    take = Take(times, np.tile(rotations, (len(times), 1, 1)), np.zeros((len(times), 3)), np.zeros((len(times), 0)))
    return Example(name, adverbs, ("start", "reach", "end"), np.array(KEYTIMES), take, (), "stationary", False)


def arm_reach(seed: int, region: np.ndarray = ARM_REGION) -> tuple[Verb, Aim]:
    """Return the arm with its tip at the corners of a rectangle in different styles; x and y are the targets."""
    rng = np.random.default_rng(seed)
    examples: list[Example] = []
    for index, corner in enumerate(lattice(region, 2)):
        hand = 0.5 * np.arctan2(corner[1], corner[0]) + rng.uniform(-0.2, 0.2)
        angles = arm_angles(corner, hand)
        examples.append(held_pose(f"corner {index + 1}", arm_point(angles), angles, np.array([0.0, 0.0, 1.0])))
    verb = build_verb("arm", arm_channels(), examples, ("x", "y"), region)
    return verb, aim_at_adverbs(verb, end_effector(4, np.zeros(3), REACHED, axes=(0, 1)), ("x", "y"))
