"""Knees as hinges: the axis and direction in which each knee bends are learnt from the poses of examples."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from . import quaternion as quat
from .leg_kinematics import chain_rotations, in_space, moved_steps, positions
from .legs import Legs
from .two_bone_limbs import CLEARLY_BENT, limbs_of
from .vector_components import Vector

Array = NDArray[np.float64]

AGREEING = 0.7
"""Length of the mean axis, as a share of its length if all axes agree, below which a knee is not a hinge."""


@dataclass(frozen=True, eq=False)
class ExamplePoses:
    """Poses from which the bending of a figure's joints is learnt.

    Parameters
    ----------
    rows : (T, width) values of the figure's channels.
    scalars : columns of the scalars.
    """

    rows: Array
    scalars: slice


@lru_cache(maxsize=16)
def knee_hinges(legs: Legs, poses: ExamplePoses) -> Sequence[Vector | None]:
    """Return the axis of unit length about which the knee of each leg (G,) bends, in the frame of the bone above it.

    A pose is weighted by the sine of the knee's bend, and counts only where the knee is clearly bent. The result is
    None for a leg that is not a limb, whose knee is never clearly bent, or whose knee bends in all directions. It is
    cached for the same legs and poses.
    """
    count, rows = len(legs.members), poses.rows
    space = in_space(legs, chain_rotations(legs, rows))
    flat = positions(legs, space, moved_steps(legs, rows, poses.scalars))
    places = flat.reshape(len(rows), count, -1, 3)
    found: list[Vector | None] = []
    for leg, limb in enumerate(limbs_of(legs)):
        if limb is None:
            found.append(None)
            continue
        hip, knee, end = (places[:, leg, place] for place in (limb.hip, limb.knee, limb.end))
        thigh, shin = knee - hip, end - knee
        sizes = np.linalg.norm(thigh, axis=1) * np.linalg.norm(shin, axis=1)
        axes = np.cross(thigh, shin) / np.maximum(sizes, np.finfo(np.float64).tiny)[:, None]
        sines = np.linalg.norm(axes, axis=1)
        bearer = space[:, legs.carriers.reshape(count, -1)[leg, limb.knee]]
        local = quat.rotate(quat.conjugate(bearer), axes)[sines > CLEARLY_BENT]
        x, y, z = local.sum(axis=0).tolist()
        size = (x * x + y * y + z * z) ** 0.5
        agree = size > AGREEING * sines[sines > CLEARLY_BENT].sum()
        found.append((x / size, y / size, z / size) if agree else None)
    return tuple(found)
