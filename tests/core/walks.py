"""The generated walk as examples of a verb."""

import numpy as np
from verbs_adverbs.core.biped.figure import JOINTS, biped_skeleton
from verbs_adverbs.core.biped.walk import walk
from verbs_adverbs.core.figure import quaternion as quat
from verbs_adverbs.core.figure.channels import Channels
from verbs_adverbs.core.verb.example import Contact, Example, Take

ADVERBS = ("mood", "turn")


def biped_channels() -> Channels:
    """Return the channels of the biped, in which all joints rotate."""
    count = len(biped_skeleton().names)
    return Channels(biped_skeleton(), np.arange(count, dtype=np.intp), (), np.tile(quat.IDENTITY, (count, 1)))


def scattered_walk(count: int) -> np.ndarray:
    """Return rows (count, width) of a walk, each somewhere on the floor and with any heading."""
    rng, made, channels = np.random.default_rng(1), walk(0.3, 0.0, 0.2), biped_channels()
    rows = np.zeros((count, channels.width))
    at = np.resize(np.arange(len(made.times)), count)
    rows[:, :3] = rng.uniform(-3.0, 3.0, (count, 3))
    rows[:, 5] = made.root[at, 2]
    rows[:, 6:] = made.rotations[at].reshape(count, -1)
    return rows


def walk_example(mood: float, turn: float, slope: float = 0.0) -> Example:
    """Return one cycle of a generated walk as an example, with its contacts."""
    made = walk(mood, slope, turn)
    take = Take(made.times, made.rotations, made.root, np.zeros((len(made.times), 0)))
    contacts = tuple(Contact(p.bone, JOINTS[p.bone], np.zeros(3), p.windows) for p in made.plants)
    place = np.array([mood, turn])
    names, keytimes = made.keytime_names, made.keytimes
    return Example(made.name, place, names, keytimes, take, contacts, "travelling", True)


def walk_examples() -> list[Example]:
    """Return five examples of the walk: plain, sad, happy, to the right and to the left."""
    return [walk_example(*place) for place in ((0.0, 0.0), (-1.0, 0.0), (1.0, 0.0), (0.0, -1.0), (0.0, 1.0))]
