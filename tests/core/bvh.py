"""A small reader of captured motion: BVH files as arrays, with Z up and in metres, as far as the tests need it."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from verbs_adverbs.core.figure import quaternion as quat
from verbs_adverbs.core.figure.channels import Channels
from verbs_adverbs.core.figure.skeleton import Skeleton, forward_kinematics

Z_UP = quat.from_axis_angle([1.0, 0.0, 0.0], np.pi / 2.0)
METRES = 0.01


@dataclass(frozen=True, eq=False)
class Captured:
    """The motion of one file. The hips are joint 0, whatever carries them; rotations (T, J, 4) are from the parent."""

    skeleton: Skeleton
    rate: float
    rotations: np.ndarray
    root: np.ndarray

    @property
    def times(self) -> np.ndarray:
        return np.arange(len(self.root)) / self.rate

    def frames(self) -> tuple[np.ndarray, np.ndarray]:
        """Positions (T, J, 3) and orientations (T, J, 4) of all joints."""
        locations = np.zeros((*self.rotations.shape[:2], 3))
        locations[:, 0] = self.root
        return forward_kinematics(self.skeleton, self.rotations, locations)

    @property
    def channels(self) -> Channels:
        count = len(self.skeleton.names)
        return Channels(self.skeleton, np.arange(count, dtype=np.intp), (), np.tile(quat.IDENTITY, (count, 1)))


def read_bvh(path: Path) -> Captured:
    """Read a file whose joints have six channels each: three for the place, then the turns about Z, X and Y."""
    head, _, body = path.read_text(encoding="utf-8").partition("MOTION")
    names, parents = _hierarchy(head)
    rows = body.split("\n")
    rate = 1.0 / float(next(row for row in rows if row.startswith("Frame Time")).split(":")[1])
    data = np.array([row.split() for row in rows if row and row[0] in "-0123456789"], dtype=np.float64)
    data = data.reshape(len(data), len(names), 6)
    places = METRES * data[..., :3]
    turns = quat.from_euler(np.radians(data[..., [4, 5, 3]]), "YXZ")
    hips = names.index("Hips")
    place, turn = places[:, 0], turns[:, 0]
    for joint in range(1, hips + 1):
        place, turn = place + quat.rotate(turn, places[:, joint]), quat.multiply(turn, turns[:, joint])
    kept = slice(hips, None)
    offsets = places[0, kept].copy()
    offsets[0] = 0.0
    count = len(names) - hips
    tails = np.tile([0.03, 0.0, 0.0], (count, 1))
    above = np.maximum(np.array(parents[kept]) - hips, -1).astype(np.intp)
    skeleton = Skeleton(tuple(names[kept]), above, offsets, np.tile(quat.IDENTITY, (count, 1)), tails)
    rotations = turns[:, kept].copy()
    rotations[:, 0] = quat.multiply(Z_UP, turn)
    return Captured(skeleton, round(rate, 3), quat.continuous(rotations), quat.rotate(Z_UP, place))


def _hierarchy(text: str) -> tuple[list[str], list[int]]:
    names: list[str] = []
    parents: list[int] = []
    open_: list[int] = []
    for line in text.splitlines():
        words = line.split()
        if words[:1] in (["ROOT"], ["JOINT"]):
            parents.append(open_[-1] if open_ else -1)
            names.append(words[1])
        elif words[:1] == ["{"]:
            open_.append(len(names) - 1)
        elif words[:1] == ["}"]:
            open_.pop()
    return names, parents
