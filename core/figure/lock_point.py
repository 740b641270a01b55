"""Points of a figure that can be locked in place, including points carried by a control."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .channels import FIRST_ROTATION, Channels
from .skeleton import forward_kinematics, point_positions

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class LockPoint:
    """A point of the figure that is held still while it is in contact with the floor.

    Parameters
    ----------
    name : name of the contact point.
    joint : index of the joint that carries the point.
    offset : (3,) position of the point in the joint's frame, performance units.
    """

    name: str
    joint: int
    offset: NDArray[np.float64]


def names_of(points: Sequence[LockPoint], bits: int) -> tuple[str, ...]:
    """Return the names of those of `points` whose bits are set, in the order of the bits."""
    return tuple(point.name for index, point in enumerate(points) if bits >> index & 1)


class ControlPoint:
    """A point on a control of the travelling set, or on a descendant of the control.

    Parameters
    ----------
    channels : channels of the rows.
    point : the point.

    Attributes
    ----------
    control : index, in the travelling set, of the control that carries it.
    """

    def __init__(self, channels: Channels, point: LockPoint) -> None:
        control = channels.traveller_of(point.joint)
        assert control is not None
        self.control = control
        chain = channels.skeleton.chain(point.joint)[::-1]
        place = {joint: index for index, joint in enumerate(chain)}
        self._skeleton, self._offset = channels.skeleton.part(chain), point.offset
        self._still = channels.static[list(chain)]
        turning = [(place[int(j)], row) for row, j in enumerate(channels.rotating) if int(j) in place]
        self._turning = [index for index, _ in turning]
        self._rotations = FIRST_ROTATION + 4 * np.array([row for _, row in turning])[:, None] + np.arange(4)
        first = channels.scalar_columns.start
        moving = [(first + i, place[s.joint], s.axis) for i, s in enumerate(channels.scalars) if s.joint in place]
        moving = [told for told in moving if channels.scalars[told[0] - first].kind == "location"]
        self._columns, self._joints, self._axes = np.array(moving, dtype=np.intp).reshape(-1, 3).T

    def local(self, rows: Array) -> Array:
        """Return the position (T, 3) of the point in the heading's frame, in rows (T, width)."""
        rotations = np.tile(self._still, (len(rows), 1, 1))
        rotations[:, self._turning] = rows[:, self._rotations]
        locations = np.zeros((len(rows), len(self._still), 3))
        locations[:, self._joints, self._axes] = rows[:, self._columns]
        return point_positions(*forward_kinematics(self._skeleton, rotations, locations), -1, self._offset)
