"""Masks: how much a layer says of each joint of the figure, tapering along the spine."""

from collections.abc import Collection

import numpy as np
from numpy.typing import NDArray

from ..errors import LayerError, quoted
from ..figure.skeleton import Skeleton

Array = NDArray[np.float64]


def mask_of(skeleton: Skeleton, chosen: Collection[str], taper: int = 0, with_children: bool = True) -> Array:
    """Return the weights (J,) of the joints, from 0, which leaves a joint to what lies below, to 1.

    Parameters
    ----------
    skeleton : Skeleton of J joints.
    chosen : names of joints that the layer has wholly.
    taper : number of joints above the chosen ones that it has in part, less and less towards the root. An arm that
        waves takes the shoulder and a bit of the spine with it then. The root is never among them.
    with_children : whether it also has all joints that hang on the chosen ones.

    Raises
    ------
    LayerError
        If nothing is chosen, or the skeleton has no joint of a name.
    """
    missing = [name for name in chosen if name not in skeleton.names]
    if missing or not chosen:
        told = f"names {quoted(missing)}, which the figure does not have" if missing else "has no bones"
        raise LayerError(f"A mask {told}. Choose bones that the armature has; one may have been renamed.")
    weights = np.zeros(len(skeleton.names))
    tops = [skeleton.index(name) for name in chosen]
    weights[hanging_on(skeleton, tops) if with_children else tops] = 1.0
    for top in tops:
        above = skeleton.chain(top)[1:]
        for step, joint in enumerate(joint for joint in above[:taper] if joint != 0):
            weights[joint] = max(weights[joint], 1.0 - (step + 1.0) / (taper + 1.0))
    return weights


def hanging_on(skeleton: Skeleton, tops: Collection[int]) -> list[int]:
    """Return some joints of a skeleton and all that hang on them, in the order of the hierarchy."""
    found: set[int] = set()
    for joint, parent in enumerate(skeleton.parents.tolist()):
        if joint in tops or parent in found:
            found.add(joint)
    return sorted(found)


def joints_of(skeleton: Skeleton, mask: Array) -> frozenset[str]:
    """Return the names of the joints that a mask (J,) has wholly."""
    return frozenset(name for name, weight in zip(skeleton.names, mask, strict=True) if weight >= 1.0)
