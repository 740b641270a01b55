"""Gestures of the talking biped by name, and kinematics of their own by which tests judge them."""

from collections.abc import Callable

import numpy as np
from scipy.spatial.transform import Rotation
from verbs_adverbs.core.biped import talking
from verbs_adverbs.core.biped.figure import BONES, Generated

MADE: dict[str, tuple[Callable[..., Generated], tuple[tuple[float, ...], ...], tuple[str, ...], np.ndarray]] = {
    "beat": (talking.beat, talking.BEAT_EXAMPLES, talking.BEAT_ADVERBS, talking.BEAT_RANGES),
    "indicate": (talking.indicate, talking.INDICATE_EXAMPLES, talking.INDICATE_ADVERBS, talking.INDICATE_RANGES),
    "offer": (talking.offer, talking.OFFER_EXAMPLES, talking.OFFER_ADVERBS, talking.OFFER_RANGES),
    "count": (talking.count, talking.COUNT_EXAMPLES, talking.COUNT_ADVERBS, talking.COUNT_RANGES),
    "shrug": (talking.shrug, talking.SHRUG_EXAMPLES, talking.SHRUG_ADVERBS, talking.SHRUG_RANGES),
    "greet": (talking.greet, talking.GREET_EXAMPLES, talking.GREET_ADVERBS, talking.GREET_RANGES),
}
"""What makes each gesture, its examples, its adverbs and their ranges (D, 2)."""


def examples_of(gesture: str, rate: float) -> list[Generated]:
    """Return the examples of a gesture."""
    make, places, _, _ = MADE[gesture]
    return [make(*place, rate=rate) for place in places]


def _at_rest() -> dict[str, Rotation]:
    """Return the orientation of each bone at rest: Y along it, Z as nearly as it can towards where it says."""
    found = {}
    for bone in BONES:
        y = np.subtract(bone.tail, bone.head)
        y = y / np.linalg.norm(y)
        z = bone.z_axis - y * np.dot(y, bone.z_axis)
        z = z / np.linalg.norm(z)
        found[bone.name] = Rotation.from_matrix(np.stack([np.cross(y, z), y, z], axis=-1))
    return found


def ends_of(motion: Generated) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Return head and tail (T, 3) of each bone in the character's space: the root above the origin."""
    rests, turned, heads, found = _at_rest(), {}, {}, {}
    for joint, bone in enumerate(BONES):
        own = Rotation.from_quat(motion.rotations[:, joint][:, [1, 2, 3, 0]])
        if not bone.parent:
            turned[bone.name] = own
            heads[bone.name] = motion.root * np.array([0.0, 0.0, 1.0])
        else:
            above = turned[bone.parent] * rests[bone.parent].inv()
            parent = next(one for one in BONES if one.name == bone.parent)
            turned[bone.name] = above * rests[bone.name] * own
            heads[bone.name] = heads[bone.parent] + above.apply(np.subtract(bone.head, parent.head))
        along = (turned[bone.name] * rests[bone.name].inv()).apply(np.subtract(bone.tail, bone.head))
        found[bone.name] = (heads[bone.name], heads[bone.name] + along)
    return found
