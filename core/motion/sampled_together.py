"""Several motions sampled at once, each at its own times: similar clips cost hardly more than one of them."""

from collections.abc import Hashable, Sequence

import numpy as np
from numpy.typing import NDArray

from ..figure import quaternion as quat
from ..figure.channels import rotations_of
from .bspline import locate
from .clip import Clip, Motion
from .clip_operators import Part, TimeShift, TimeWarp

Array = NDArray[np.float64]
WHEN = (TimeShift, TimeWarp, Part)
"""Operators that change only the timing of a motion."""
FEW = 64
"""Number of rows up to which sampling clips together is worthwhile, and needs little memory."""
NEIGHBOURS = np.arange(4)
"""Control points of a span, relative to its first one."""


def leaf_of(motion: Motion) -> Motion:
    """Return the motion below operators that change only its timing."""
    while isinstance(motion, WHEN):
        motion = motion.clip
    return motion


def leaf_times(motion: Motion, times: Array) -> Array:
    """Return the times (T,) of the motion below such operators that are shown at `times` (T,)."""
    while isinstance(motion, WHEN):
        times, motion = motion.own(times), motion.clip
    return times


def sampled(motions: Sequence[Motion], times: Sequence[Array]) -> list[Array]:
    """Return rows (T, width) of each of some motions at its own times (T,), the same number for all."""
    alike: dict[Hashable, list[int]] = {}
    for number, motion in enumerate(motions):
        kind = number if not isinstance(motion, Clip) or motion.held is not None else _kind(motion)
        alike.setdefault(kind, []).append(number)
    found = list(times)
    for numbers in alike.values():
        clips = [motion for number in numbers if isinstance(motion := motions[number], Clip)]
        if len(clips) < 2 or len(times[0]) > FEW:
            for number in numbers:
                found[number] = motions[number].sample(times[number])
            continue
        for number, rows in zip(
            numbers, _together(clips, np.array([times[number] for number in numbers])), strict=True
        ):
            found[number] = rows
    return found


def _kind(clip: Clip) -> Hashable:
    """Return a key that is equal for clips that can be sampled together."""
    return id(clip.channels), clip.curve.encoding, clip.curve.periodic


def _together(clips: Sequence[Clip], times: Array) -> Array:
    """Return rows (M, T, width) of M clips at `times` (M, T), as from `Clip.sample`."""
    starts, durations, spans = np.array([(one.start, one.duration, one.curve.spans) for one in clips]).T[..., None]
    curve, channels = clips[0].curve, clips[0].channels
    first, basis = locate((times - starts) / durations, spans.astype(np.intp), curve.periodic, curve.encoding)
    near = first[..., None] + NEIGHBOURS
    controls = np.array([one.curve.controls[rows] for one, rows in zip(clips, near, strict=True)])
    values = np.einsum("mtk,mtkw->mtw", basis, controls)
    rows = values.reshape(-1, channels.width)
    turns = quat.normalize(rotations_of(channels, rows))
    rows[:, channels.rotation_columns] = turns.reshape(len(rows), -1)
    return values
