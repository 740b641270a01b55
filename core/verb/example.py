"""Examples: an annotated motion placed in the adverb space ([Rose1998] section 3, [Rose2001] eq. 1)."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ..figure.channels import Channels
from ..figure.skeleton import forward_kinematics
from ..motion.bspline import Encoding

Array = NDArray[np.float64]
Kind = Literal["travelling", "in_place", "stationary"]


@dataclass(frozen=True, eq=False)
class Contact:
    """A point of an end effector that stands still on the floor during some windows.

    Parameters
    ----------
    point : its name.
    joint : index of the joint that carries it.
    offset : (3,) where it is in the joint's frame, performance units.
    windows : spans in seconds from the example's start; they may reach over its ends.
    """

    point: str
    joint: int
    offset: Array
    windows: tuple[tuple[float, float], ...]


@dataclass(frozen=True, eq=False)
class Take:
    """Channels of one action as they were keyed, over an example's span and a margin around it.

    Parameters
    ----------
    times : (F,) seconds from the start of the span, increasing.
    rotations : (F, R, 4) unit quaternions; the root's, joint 0, absolute in performance space.
    root : (F, 3) position of the root in performance space.
    scalars : (F, S)
    """

    times: Array
    rotations: Array
    root: Array
    scalars: Array


def frames_of(take: Take, channels: Channels) -> tuple[Array, Array]:
    """Positions (F, J, 3) and orientations (F, J, 4) of all joints of a take, in performance space."""
    count = len(take.times)
    rotations = np.array(np.broadcast_to(channels.static, (count, *channels.static.shape)))
    rotations[:, channels.rotating] = take.rotations
    locations = np.zeros((count, len(channels.skeleton.names), 3))
    columns, joints, axes = channels.location_scalars
    locations[:, joints, axes] = take.scalars[:, columns]
    locations[:, 0] = take.root
    return forward_kinematics(channels.skeleton, rotations, locations)


@dataclass(frozen=True, eq=False)
class Example:
    """A motion M_i with its keytimes K_m and its place p_i in the adverb space.

    Parameters
    ----------
    name : how to name it to the user.
    adverbs : (D,) its place, in the order and units of the verb's adverbs.
    keytime_names : (M,)
    keytimes : (M,) seconds from the start of the span, the first 0, the last its duration.
    take : the data.
    contacts : points that stand still.
    kind : whether its root carries it along, its feet slide under it, or it stays.
    cyclic : the last keytime marks the same event as the first.
    control_points : of its curves, 0 for as many as the verb's options say.
    encoding : of its curves.
    """

    name: str
    adverbs: Array
    keytime_names: tuple[str, ...]
    keytimes: Array
    take: Take
    contacts: tuple[Contact, ...]
    kind: Kind
    cyclic: bool
    control_points: int = 0
    encoding: Encoding = "cubic_b_spline"
