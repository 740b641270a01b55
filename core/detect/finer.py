"""Clips of few frames a second, looked at between their frames."""

from dataclasses import replace

import numpy as np

from ..motion.resample import resample
from .observed import Observed

RATE = 120.0
"""Frames a second that are enough for what lasts as long as the smoothing does."""


def finer(observed: Observed) -> Observed:
    """The same clip at `RATE` frames a second or more, by cubic splines through its frames."""
    parts = int(np.ceil(observed.step * RATE - 1e-6))
    if parts <= 1:
        return observed
    count = len(observed.times)
    rows, wanted = np.arange(float(count)), np.arange(parts * (count - 1) + 1) / parts
    moving = np.concatenate([*observed.paths, np.swapaxes(observed.joints, 0, 1)])
    spread = np.swapaxes(resample(rows, np.swapaxes(moving, 0, 1), wanted), 0, 1)
    cuts = np.cumsum([len(path) for path in observed.paths])
    *paths, joints = np.split(spread, cuts)
    times = observed.times[0] + observed.step * wanted
    return replace(
        observed,
        times=times,
        paths=tuple(paths),
        joints=np.swapaxes(joints, 0, 1),
        headings=resample(rows, observed.headings, wanted),
    )
