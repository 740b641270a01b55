"""The pose of the moment: of one verb or of two, with what is left of an older one."""

import numpy as np
from numpy.typing import NDArray

from ..figure.channels import Channels, climb
from .inertia import Inertia
from .passage import Passage
from .playing import Playing
from .pose_blend import PoseBlend
from .root_path import Drift, RootPath

Array = NDArray[np.float64]

INTERVAL = 0.004
"""Seconds between the poses from which speeds are taken."""


class PoseMixer:
    """Rows of values from what plays.

    Parameters
    ----------
    channels : of all that plays.
    """

    def __init__(self, channels: Channels) -> None:
        self._channels = channels
        self._blend = PoseBlend(channels)
        self._inertia: Inertia | None = None

    def row(self, playing: Playing, passage: Passage | None, root: RootPath) -> Array:
        """Values (width,) of `playing`, or of `passage` if there is one, at `root`."""
        values = np.empty(self._channels.width)
        values[0], values[1], values[2] = root.place.real, root.place.imag, root.heading
        pose = values[3:]
        if passage is None:
            pose[:] = playing.now.pose(playing.phase)
        elif not passage.blended:
            pose[:] = passage.new.now.pose(passage.new.phase)
        else:
            self._blend.take(passage.old.now.pose(passage.old.phase))
            self._blend.mix(passage.new.now.pose(passage.new.phase), passage.weight, pose)
        if self._inertia is not None:
            self._inertia.apply(pose)
        climb(self._channels, values, root.height)
        return values

    def advance(self, seconds: float, drift: Drift) -> Drift:
        """Let `seconds` pass, in which what plays makes `drift`; return what the figure makes."""
        if self._inertia is None:
            return drift
        more = self._inertia.go(seconds)
        if self._inertia.over:
            self._inertia = None
        return _sum(drift, more)

    def begin(self, passage: Passage) -> None:
        """Get ready for `passage`, whose old verb has just come to where it is left."""
        old, new = passage.old, passage.new
        if passage.blended:
            before = old.now.pose(old.phase).copy()
            self._blend.begin(before, new.now.pose(new.phase))
            return
        (rate, pace), (new_rate, new_pace) = old.arriving(), new.leaving()
        poses = np.array([_sampled(old, -rate), _sampled(new, new_rate)])
        if self._inertia is not None:
            poses[0] = self._inertia.continued(poses[0], -INTERVAL)
            pace = _sum(pace, self._inertia.pace())
        drift = (pace[0] - new_pace[0], pace[1] - new_pace[1], pace[2] - new_pace[2])
        self._inertia = Inertia(self._channels, poses, INTERVAL, drift, passage.seconds)


def _sampled(playing: Playing, rate: float) -> Array:
    """Poses (3, width - 3) here, and one and two intervals on at `rate`, negative for back."""
    poses = np.empty((3, playing.now.verb.channels.width - 3))
    for count, pose in enumerate(poses):
        pose[:] = playing.now.pose(playing.phase + count * INTERVAL * rate)
    return poses


def _sum(first: Drift, second: Drift) -> Drift:
    return first[0] + second[0], first[1] + second[1], first[2] + second[2]
