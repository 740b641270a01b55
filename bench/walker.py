"""A walking figure of as many joints as are wanted: the generated walk of the biped, whose fingers move as well."""

import numpy as np
from numpy.typing import NDArray

from ..core.biped.figure import BONES, JOINTS, biped_skeleton
from ..core.biped.walk import WALK_ADVERBS, WALK_EXAMPLES, walk
from ..core.figure import quaternion as quat
from ..core.figure.channels import Channels
from ..core.figure.skeleton import Skeleton
from ..core.graph.verb_graph import VerbGraph, compile_graph
from ..core.verb.build import build_verb
from ..core.verb.example import Contact, Example, Take

Array = NDArray[np.float64]

PHALANGES = 3
HAND, PHALANX, CURL = 0.17, 0.03, 0.3


def make_walker(joints: int) -> VerbGraph:
    """The graph of a walk over mood, slope and turn, from fifteen examples.

    Parameters
    ----------
    joints : of the figure, at least those of the biped; the others are fingers.
    """
    skeleton = _skeleton(joints)
    channels = Channels(skeleton, np.arange(joints), (), np.tile(quat.IDENTITY, (joints, 1)))
    examples = [_example(place, joints) for place in WALK_EXAMPLES]
    verb = build_verb("walk", channels, examples, tuple(WALK_ADVERBS), [[-1.0, 1.0]] * len(WALK_ADVERBS))
    return compile_graph([verb], [])


def _skeleton(joints: int) -> Skeleton:
    biped, count = biped_skeleton(), joints - len(BONES)
    hands = (JOINTS["Hand_L"], JOINTS["Hand_R"])
    chained = [index % PHALANGES > 0 for index in range(count)]
    first = len(BONES)
    parents = [first + i - 1 if on else hands[i // PHALANGES % 2] for i, on in enumerate(chained)]
    knuckles = [(0.01 * (index // PHALANGES // 2 - 2), HAND, 0.0) for index in range(count)]
    offsets = [(0.0, PHALANX, 0.0) if on else knuckle for on, knuckle in zip(chained, knuckles, strict=True)]
    return Skeleton(
        (*biped.names, *(f"Finger {index}" for index in range(count))),
        np.array([*biped.parents, *parents], dtype=np.intp),
        np.concatenate([biped.offsets, np.reshape(offsets, (count, 3))]),
        np.concatenate([biped.rests, np.tile(quat.IDENTITY, (count, 1))]),
        np.concatenate([biped.tails, np.tile([0.0, PHALANX, 0.0], (count, 1))]),
    )


def _example(place: tuple[float, float, float], joints: int) -> Example:
    made = walk(*place)
    fingers = np.zeros((len(made.times), joints - len(BONES), 3))
    turns = 2.0 * np.pi * made.times[:, None] / made.duration + np.arange(fingers.shape[1])
    fingers[..., 0] = CURL * (1.0 + 0.5 * np.sin(turns))
    rotations = np.concatenate([made.rotations, quat.exp(fingers)], axis=1)
    contacts = [Contact(p.bone, JOINTS[p.bone], np.zeros(3), p.windows) for p in made.plants]
    return Example(
        name=made.name,
        adverbs=np.array(place, dtype=np.float64),
        keytime_names=made.keytime_names,
        keytimes=made.keytimes,
        take=Take(made.times, rotations, made.root, np.zeros((len(made.times), 0))),
        contacts=tuple(contacts),
        kind="travelling",
        cyclic=True,
    )
