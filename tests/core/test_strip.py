"""Strips of poses: beside each other in the order of time, each as it stands, within the picture."""

import numpy as np
from verbs_adverbs.core.figure import quaternion as quat
from verbs_adverbs.core.figure.channels import Channels
from verbs_adverbs.core.figure.skeleton import Skeleton
from verbs_adverbs.core.figure.strip import strip

SIZE, POSES = 96, 4


def pole(length: float) -> Channels:
    """Channels of a single bone that stands on the floor, upright without a rotation."""
    upright = quat.from_axis_angle(np.array([1.0, 0.0, 0.0]), 0.5 * np.pi)[None]
    still = np.array([quat.IDENTITY])
    tails = quat.rotate(upright, np.array([[0.0, length, 0.0]]))
    skeleton = Skeleton(("pole",), np.array([-1]), np.zeros((1, 3)), still, tails)
    return Channels(skeleton, np.array([0]), (), still)


def drawn(length: float, travel: float = 0.0) -> np.ndarray:
    channels = pole(length)
    poses = np.zeros((POSES, channels.width))
    poses[:, 0] = travel * np.arange(POSES)
    return strip(channels, poses, SIZE)


def test_each_pose_is_drawn_once_from_blue_to_orange_and_nothing_at_the_edges():
    seen = drawn(1.7)
    row = seen[SIZE // 2, :, 3] > 0.5
    assert np.count_nonzero(np.diff(row.astype(int)) == 1) == POSES
    assert seen.min() >= 0.0 and seen.max() <= 1.0
    assert not seen[[0, -1]][..., 3].any() and not seen[:, [0, -1], 3].any()
    lit = np.flatnonzero(row)
    blue, red = seen[SIZE // 2, :, 2] - seen[SIZE // 2, :, 0], seen[SIZE // 2, :, 0] - seen[SIZE // 2, :, 2]
    assert np.argmax(np.where(row, blue, -1.0)) < lit.mean() < np.argmax(np.where(row, red, -1.0))


def test_neither_size_nor_travel_changes_the_picture():
    assert np.allclose(drawn(1.7), drawn(170.0, travel=300.0), atol=1e-5)


def test_what_has_no_length_leaves_the_picture_empty():
    assert not drawn(0.0).any()
