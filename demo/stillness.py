"""Finding when a point stands still from the motion itself, not from the contacts marked in examples.

The rule is the one by which the captures were marked. A point stands while it is slower than a threshold (20 cm/s, in
runs 60 cm/s, averaged over a fifteenth of a second, which is two rows of a capture) and less than 4 cm above the
height at which it rests. Gaps of less than 0.07 s are filled, and stretches of less than 0.08 s are dropped.
"""

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]

SPEED, RUNNING_SPEED = 0.20, 0.60
HEIGHT = 0.04
REACH = 1.0 / 30.0
LONGEST_GAP, BRIEFEST = 0.07, 0.08


def still_rows(times: Array, places: Array, heights: Array, speeds: Array) -> Mask:
    """Rows (T,) in which a point stands still.

    Parameters
    ----------
    times : (T,) seconds, evenly spaced.
    places : (T, 3) places in metres.
    heights : (T,) metres above the height at which it rests.
    speeds : (T,) metres per second under which it counts as still.
    """
    step = float(times[1] - times[0])
    still = (_pace(times, places) < speeds) & (heights < HEIGHT)
    for first, end in runs(~still):
        if first > 0 and end < len(still) and (end - first) * step < LONGEST_GAP:
            still[first:end] = True
    for first, end in runs(still):
        if (end - first) * step < BRIEFEST:
            still[first:end] = False
    return still


def stand_heights(times: Array, places: Array, speed: float) -> list[float]:
    """Median height of a point in each stretch in which it is slow and near its lowest heights, on a level floor.

    Parameters
    ----------
    times, places : as for `still_rows`.
    speed : metres per second under which it counts as still.
    """
    low = places[:, 2] < places[:, 2].min() + HEIGHT
    return [float(np.median(places[first:end, 2])) for first, end in runs((_pace(times, places) < speed) & low)]


def _pace(times: Array, places: Array) -> Array:
    """Speeds (T,) of a point in metres per second."""
    step = float(times[1] - times[0])
    reach = max(1, round(REACH / step))
    padded = np.pad(places, ((reach, reach), (0, 0)), mode="edge")
    return np.linalg.norm(padded[2 * reach :] - padded[: -2 * reach], axis=-1) / (2.0 * reach * step)


def runs(mask: Mask) -> list[tuple[int, int]]:
    """First rows and ends (exclusive) of the stretches in which `mask` (T,) is true."""
    edges = np.flatnonzero(np.diff(np.concatenate([[0], mask.astype(np.int8), [0]])))
    return [(int(first), int(end)) for first, end in edges.reshape(-1, 2)]
