"""Generated reaches of a whole figure, reproducible from a seed: in space, and on a board."""

import numpy as np

from ..core.biped.figure import JOINTS, biped_skeleton, ease
from ..core.biped.standing import wave_keytimes, wave_pose
from ..core.figure import quaternion as quat
from ..core.figure.chain_inverse_kinematics import reach
from ..core.figure.channels import Channels, rotations_of, with_rotations
from ..core.figure.lock_point import LockPoint
from ..core.reach.measures import Aim, Measure, aim_at_adverbs, aim_at_plane, end_effector
from ..core.reach.refine import lattice
from ..core.verb.build import build_verb
from ..core.verb.example import Example, Take
from ..core.verb.verb import Verb

SPACE = np.array([[-0.5, 0.0], [-0.6, -0.35], [1.0, 1.4]])
"""Metres in front of the figure, which faces -Y and reaches with its right hand."""
BOARD = np.array([[-0.72, 0.32], [0.78, 1.72]])
BOARD_DISTANCE = -0.5
TOUCHES = 3
KNUCKLE = np.array([0.0, 0.09, 0.0])
KNUCKLE_OF_RIGHT = LockPoint("knuckle", JOINTS["Hand_R"], KNUCKLE)
_COUNT = len(biped_skeleton().names)
CHANNELS = Channels(biped_skeleton(), np.arange(_COUNT), (), np.tile(quat.IDENTITY, (_COUNT, 1)))


def reach_example(name: str, adverbs: np.ndarray, target: np.ndarray, seed: int) -> Example:
    """Return a reach of the right hand from standing to `target` (3,) and back, with its own style."""
    rng = np.random.default_rng(seed)
    energy, height = rng.uniform(-0.4, 0.4), 1.5 * (target[2] - 1.2) + rng.uniform(-0.2, 0.2)
    rotations, root = wave_pose(energy, height, np.array([0.0, wave_keytimes(energy)[1]]))
    values = np.zeros((2, CHANNELS.width))
    values[:, 3:6] = root
    values = with_rotations(CHANNELS, values, rotations)
    solved = reach(CHANNELS, values[1:], [KNUCKLE_OF_RIGHT], target[None, None], tolerance=1e-7, iterations=60)
    stand, there = quat.continuous(np.stack([rotations[0], rotations_of(CHANNELS, solved)[0]]))
    keytimes = np.array([0.0, rng.uniform(0.5, 0.7), rng.uniform(1.2, 1.4)])
    times = np.arange(-6, int(60 * keytimes[-1]) + 8) / 60.0
    share = ease(times / keytimes[1]) - ease((times - keytimes[1]) / (keytimes[2] - keytimes[1]))
    turn = quat.log(quat.multiply(there, quat.conjugate(stand)))
    moving = quat.multiply(quat.exp(share[:, None, None] * turn), stand)
    take = Take(times, moving, root[0] + share[:, None] * (root[1] - root[0]), np.zeros((len(times), 0)))
    return Example(name, adverbs, ("stand", "reach", "end"), keytimes, take, (), "stationary", False)


def hand_measure(verb: Verb) -> Measure:
    """Return the measure of the right knuckle's position at the keytime of the reach."""
    return end_effector(JOINTS["Hand_R"], KNUCKLE, float(verb.phrasing.generic[1]))


def _placed(names: tuple[str, ...], examples: list[Example], region: np.ndarray, axes: list[int]) -> Verb:
    """Return the verb with its examples at their measured positions, so that fitting errors are in the adverbs."""
    first = build_verb("reach", CHANNELS, examples, names, region)
    measured = hand_measure(first).of_examples(first)[:, axes]
    fields = [{**vars(e), "adverbs": place} for e, place in zip(examples, measured, strict=True)]
    return build_verb("reach", CHANNELS, [Example(**f) for f in fields], names, region)


def space_reach(seed: int) -> tuple[Verb, Aim]:
    """Return reaches of the hand to the corners of a box."""
    examples = [
        reach_example(f"corner {i + 1}", corner, corner, 100 * seed + i) for i, corner in enumerate(lattice(SPACE, 2))
    ]
    verb = _placed(("x", "y", "z"), examples, SPACE, [0, 1, 2])
    return verb, aim_at_adverbs(verb, hand_measure(verb), ("x", "y", "z"))


def board_reach(
    seed: int, places: np.ndarray | None = None, distances: np.ndarray | float = BOARD_DISTANCE
) -> tuple[Verb, Aim]:
    """Return reaches of the hand to points of an upright board: two adverbs control a point in space.

    Fitting errors of the examples' curves are compensated in their targets, so that all of them touch the board.

    Parameters
    ----------
    seed : seed of the styles of the examples.
    places : (N, 2) points where the examples touch the board, by default its corners.
    distances : (N,) Y position of the board at each of them; unless the default is used, it is not flat.
    """
    corners = lattice(BOARD, 2) if places is None else places
    targets = np.stack([corners[:, 0], np.broadcast_to(distances, len(corners)), corners[:, 1]], axis=-1)
    aimed = targets
    for _ in range(TOUCHES):
        examples = [
            reach_example(f"corner {i + 1}", corner, target, 100 * seed + i)
            for i, (corner, target) in enumerate(zip(corners, aimed, strict=True))
        ]
        verb = build_verb("reach", CHANNELS, examples, ("across", "up"), BOARD)
        aimed = aimed + targets - hand_measure(verb).of_examples(verb)
    directions = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    return verb, aim_at_plane(verb, hand_measure(verb), [0.0, BOARD_DISTANCE, 0.0], directions)
