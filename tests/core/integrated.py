"""Travel added up step by step: the oracle of what is integrated in closed form."""

import numpy as np
from verbs_adverbs.core.motion.travel import rotate_plane


def integrate(increments: np.ndarray, start: np.ndarray | None = None) -> np.ndarray:
    """Path (T + 1, 4) that `increments` (T, 4) make from `start` (4,), or from nowhere.

    Each step is an arc: the displacement is turned by the heading at its middle and shortened to the chord.
    """
    origin = np.zeros(4) if start is None else start
    others = np.cumsum(np.concatenate([origin[None, 2:], increments[:, 2:]]), axis=0)
    middle = 0.5 * (others[1:, 0] + others[:-1, 0])
    steps = rotate_plane(increments[:, :2], middle) * np.sinc(0.5 * increments[:, 2:3] / np.pi)
    places = np.cumsum(np.concatenate([origin[None, :2], steps]), axis=0)
    return np.concatenate([places, others], axis=-1)
