"""Poses of two verbs are mixed whatever the signs of their quaternions."""

import numpy as np
from verbs_adverbs.core.figure import quaternion as quat
from verbs_adverbs.core.figure.channels import Channels, Scalar
from verbs_adverbs.core.play.pose_mixer import PoseBlend

from .synthetic import random_channels, random_rotations

SCALARS = (
    Scalar("Smile", -1, "value", 0, False, "smile"),
    Scalar("Switch", -1, "value", 0, True, "switch"),
    Scalar("Lift", 1, "location", 2, False, "lift"),
)


def _channels() -> Channels:
    return random_channels(np.random.default_rng(2), 6, SCALARS)


def _pose(channels: Channels, seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    turns = random_rotations(rng, len(channels.rotating)).reshape(-1)
    return np.concatenate([rng.normal(size=3), turns, rng.normal(size=3)]).astype(np.float32)


def _turns(channels: Channels, pose: np.ndarray) -> np.ndarray:
    return pose[3 : 3 + 4 * len(channels.rotating)].reshape(-1, 4)


def _mixed(channels: Channels, old: np.ndarray, new: np.ndarray, weight: float) -> np.ndarray:
    blend, out = PoseBlend(channels), np.empty(channels.width - 3)
    blend.begin(old, new)
    blend.take(old)
    blend.mix(new, weight, out)
    return out


def test_the_ends_are_the_poses_themselves():
    channels = _channels()
    for seed in range(20):
        old, new = _pose(channels, seed), _pose(channels, 100 + seed)
        for weight, wanted in ((1.0, old), (0.0, new)):
            found = _mixed(channels, old, new, weight)
            angles = quat.angle_between(_turns(channels, found), quat.normalize(_turns(channels, wanted)))
            assert angles.max() < 1e-3
            assert np.abs(found - wanted)[[0, 1, 2, -3, -1]].max() < 1e-6


def test_signs_of_quaternions_do_not_matter():
    channels = _channels()
    old, new = _pose(channels, 1), _pose(channels, 2)
    flipped = new.copy()
    _turns(channels, flipped)[::2] *= -1.0
    assert np.allclose(_mixed(channels, old, new, 0.4), _mixed(channels, old, flipped, 0.4), atol=1e-6)


def test_the_middle_lies_on_the_nearer_way():
    channels = _channels()
    old, new = _pose(channels, 3), _pose(channels, 4)
    middle = _turns(channels, _mixed(channels, old, new, 0.5))
    ways = [quat.angle_between(middle, quat.normalize(_turns(channels, pose))) for pose in (old, new)]
    whole = quat.angle_between(quat.normalize(_turns(channels, old)), quat.normalize(_turns(channels, new)))
    assert np.abs(ways[0] - ways[1]).max() < 1e-3
    assert np.abs(ways[0] + ways[1] - whole).max() < 1e-3


def test_switches_go_over_at_once_in_the_middle():
    channels = _channels()
    old, new = _pose(channels, 5), _pose(channels, 6)
    assert _mixed(channels, old, new, 0.51)[-2] == old[-2]
    assert _mixed(channels, old, new, 0.49)[-2] == new[-2]


def test_a_joint_that_turns_past_the_half_circle_does_not_flip():
    """While the new verb turns a joint from 170 to 190 degrees away, the mixture goes on where it was going."""
    channels = _channels()
    old = _pose(channels, 7)
    blend, found = PoseBlend(channels), list[np.ndarray]()
    for index, degrees in enumerate(np.linspace(170.0, 190.0, 41)):
        new = old.copy()
        away = quat.from_axis_angle(np.array([0.0, 0.0, 1.0]), np.radians(degrees))
        _turns(channels, new)[:] = quat.align(quat.multiply(_turns(channels, old), away), _turns(channels, old))
        if not index:
            blend.begin(old, new)
        out = np.empty(channels.width - 3)
        if degrees > 180.0:
            _turns(channels, new)[:] *= -1.0
        blend.take(old)
        blend.mix(new, 0.5, out)
        found.append(_turns(channels, out).copy())
    steps = quat.angle_between(np.array(found[1:]), np.array(found[:-1]))
    assert np.degrees(steps).max() < 1.0


def test_a_joint_far_past_the_half_circle_is_never_undone():
    channels = _channels()
    old = _pose(channels, 8)
    new = old.copy()
    _turns(channels, new)[:] *= -1.0
    blend, out = PoseBlend(channels), np.empty(channels.width - 3)
    blend.begin(old, old)
    blend.take(old)
    blend.mix(new, 0.5, out)
    assert np.isfinite(out).all()
    assert quat.angle_between(_turns(channels, out), quat.normalize(_turns(channels, old))).max() < 1e-3
