"""Gestures of the biped from which tests plan sentences: a motion from rest to a pose, a stroke, a hold, and back."""

from functools import cache

import numpy as np
from scipy.spatial.transform import Rotation
from verbs_adverbs.core.figure import quaternion as quat
from verbs_adverbs.core.figure.channels import Channels, Scalar
from verbs_adverbs.core.gesture.gesture import Gesture, gesture_of
from verbs_adverbs.core.motion.clip import SYNC_POINTS, Clip, fit_clip

from .walks import biped_channels

TIMES = dict(zip(SYNC_POINTS, (0.0, 0.4, 0.5, 0.7, 0.8, 1.0, 1.5), strict=True))
"""Sync points of the made gestures, seconds."""


@cache
def channels() -> Channels:
    return biped_channels()


def made(name: str, raised: tuple[float, float, float], struck: tuple[float, float, float], size: float = 1.0) -> Clip:
    """A clip in which the right arm goes from rest to `raised`, strikes to `struck`, both turns, and goes back."""
    whole = channels()
    times = np.linspace(0.0, TIMES["end"], 181)
    back = np.array(struck) + 0.03 * (np.array(raised) - np.array(struck))
    knots = np.array([0.0, 0.45, 0.7, 0.9, 1.5])
    poses = np.array([np.zeros(3), raised, struck, back, np.zeros(3)]) * size
    piece = np.clip(np.searchsorted(knots, times, side="right") - 1, 0, 3)
    share = (times - knots[piece]) / np.diff(knots)[piece]
    share = (share * share * (3.0 - 2.0 * share))[:, None]
    turn = poses[piece] + share * (poses[piece + 1] - poses[piece])
    rotations = np.tile(quat.IDENTITY, (len(times), len(whole.rotating), 1))
    row = whole.rotating.tolist().index(whole.skeleton.index("UpperArm_R"))
    rotations[:, row] = quat.exp(turn)
    values = np.zeros((len(times), whole.width))
    values[:, whole.rotation_columns] = rotations.reshape(len(times), -1)
    return fit_clip(whole, times, values, name=name)


@cache
def gestures() -> dict[str, Gesture]:
    """Three gestures of different places: a beat, pointing, and offering."""
    clips = {
        "beat": made("beat", (0.3, 0.0, 0.9), (0.3, 0.0, 0.5)),
        "point": made("point", (0.2, 0.6, 0.9), (0.2, 0.9, 1.6)),
        "offer": made("offer", (-0.6, -0.3, 0.5), (-1.1, -0.3, 0.8)),
    }
    return {name: gesture_of(name, clip, ["Hand_R"], TIMES) for name, clip in clips.items()}


def hand_of(gesture: Gesture, time: float = 0.0, row: np.ndarray | None = None) -> np.ndarray:
    """Place (3,) of the right hand in the character's space, at a time of a gesture's motion or in a row."""
    whole, skeleton = gesture.motion.channels, gesture.motion.channels.skeleton
    values = gesture.motion.sample([time])[0] if row is None else row
    turns = Rotation.from_quat(values[whole.rotation_columns].reshape(-1, 4)[:, [1, 2, 3, 0]])
    rows, place, joint = whole.rotating.tolist(), np.zeros(3), skeleton.index("Hand_R")
    while joint > 0:
        rest = Rotation.from_quat(skeleton.rests[joint][[1, 2, 3, 0]])
        place = skeleton.offsets[joint] + (rest * turns[rows.index(joint)]).apply(place)
        joint = int(skeleton.parents[joint])
    return turns[0].apply(place)


def of_one_joint(joint: str, angle: float, hand: str, scalars: tuple[Scalar, ...] = (), rests: float = 0.0) -> Gesture:
    """A gesture of one joint alone, besides the root, that turns up to an angle about two axes; numbers go with it.

    It begins and ends where the joint has done the share `rests` of the way.
    """
    whole = channels()
    own = Channels(whole.skeleton, np.array([0, whole.skeleton.index(joint)]), scalars, whole.static, whole.travelling)
    times = np.linspace(0.0, TIMES["end"], 181)
    knots = np.array([TIMES[point] for point in ("start", "stroke_start", "stroke", "relax", "end")])
    heights = np.array([rests, 0.6, 1.0, 0.95, rests])
    piece = np.clip(np.searchsorted(knots, times, side="right") - 1, 0, 3)
    share = (times - knots[piece]) / np.diff(knots)[piece]
    height = heights[piece] + share * share * (3.0 - 2.0 * share) * (heights[piece + 1] - heights[piece])
    values = np.zeros((len(times), own.width))
    values[:, 6] = 1.0
    values[:, 10:14] = quat.exp(angle * height[:, None] * np.array([0.6, 0.0, 0.8]))
    values[:, own.scalar_columns] = height[:, None]
    return gesture_of(joint, fit_clip(own, times, values, name=joint), [hand], TIMES)
