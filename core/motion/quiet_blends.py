"""When walking and standing are blended into each other: while a foot stands, and without haste.

A blend turns each joint as the motions do, and besides from one into the other. The sum is more than the walk itself
turns joints by if the blend is short, or if a joint turns fast already while the weight changes fast, as ankles do when
a foot leaves the ground. Where contacts leave a choice of times, each choice is therefore looked at before it is taken:
the largest angle is computed by which a joint will turn in a frame.
"""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from ..figure import quaternion as quat
from ..figure.channels import rotations_of
from .clip import Motion, end_of
from .clip_operators import Loop
from .fade import Ramp

Array = NDArray[np.float64]
Span = tuple[float, float]
"""Seconds between which a blend lies."""
Stood = tuple[float, float, float]
"""Seconds between which a foot stands, and at which the body is over it."""

FRAME = 1.0 / 30.0
"""Seconds of a frame: those of [Gruenvogel2003] section 8."""
LOOKS, ROUGHLY = 16, 4
"""Instants at which is looked in a frame, for frames may lie anywhere; and every how manieth of them at first."""
LASTING = 0.5
"""Share of the time that a blend should last which it lasts at least."""
GRID = 12
"""Equal parts of a stance between which blends may begin and end."""
TOGETHER = 8
"""Blends that are looked at roughly together."""


def blends_within(near: Iterable[Stood], earliest: float, latest: float, least: float) -> list[Span]:
    """Return when walking and standing may be blended into each other, the best first.

    That is in a stance, for so many seconds at `least` or as nearly as long as is possible, but for half as many; then
    around the instant at which the body is over the foot, as near to it as can be; and then as long as can be. Where no
    stance lasts so long it is the whole time from `earliest` to `latest`.
    """
    found: dict[Span, tuple[float, float, float]] = {}
    for begins, ends, over in near:
        low, high = max(begins, earliest), min(ends, latest)
        shortest = LASTING * min(least, latest - earliest)
        if high - low < shortest:
            continue
        half = 0.5 * min(least, high - low)
        half = max(half, min(over - low, high - over))
        centre = min(max(over, low + half), high - half)
        times = np.linspace(low, high, GRID + 1).tolist()
        grid = ((begin, end) for number, begin in enumerate(times) for end in times[number + 1 :])
        for begin, end in ((centre - half, centre + half), *grid):
            if end - begin >= shortest:
                aside = round(abs(0.5 * (begin + end) - over), 6)
                found[begin, end] = round(max(least - (end - begin), 0.0), 6), aside, begin - end
    return sorted(found, key=lambda span: (found[span], span)) or [(earliest, latest)]


def largest_step(cycle: Motion) -> float:
    """Return the largest angle in radians by which a joint turns in a frame of a cycle that is repeated."""
    times = np.arange(cycle.start, end_of(cycle) + 2.0 * FRAME, FRAME / LOOKS)
    looped = Loop(0, cycle)
    return float(_steps(rotations_of(looped.channels, looped.sample(times))[None]).max())


def quiet_stop(walking: Motion, stand: Motion, spans: Sequence[Span], most: float) -> Span:
    """Return the first of some spans in which standing can be blended in so that no joint turns by more than `most`.

    If there is none, it is that in which they turn least.

    Parameters
    ----------
    walking : what is played before.
    stand : standing, which hardly moves.
    spans : the best first.
    most : radians in a frame.
    """
    first, last = min(begin for begin, _ in spans) - FRAME, max(end for _, end in spans) + FRAME
    times = np.arange(first, last + FRAME / LOOKS, FRAME / LOOKS)
    walked = quat.continuous(rotations_of(walking.channels, walking.sample(times)))
    stood = rotations_of(stand.channels, stand.sample([stand.start]))
    turns = quat.turns(quat.continuous(quat.align(quat.multiply(quat.conjugate(walked), stood), quat.IDENTITY)))

    def largest(some: Sequence[Span], every: int) -> Array:
        """Return the largest angle (N,) by which a joint turns in a frame of some blends, if one looks so rarely."""
        clock = times[::every]
        weights = np.array([Ramp(*span, True).weight(clock) for span in some])
        steps = _steps(quat.multiply(walked[::every], quat.exp(weights[..., None, None] * turns[::every])), every)
        frame = LOOKS // every
        blended = np.array([(clock[frame:] > begin) & (clock[:-frame] < end) for begin, end in some])
        return np.where(blended, steps, 0.0).max(axis=1)

    least = np.inf, spans[0]
    for number in range(0, len(spans), TOGETHER):
        some = spans[number : number + TOGETHER]
        for span, found in zip(some, largest(some, ROUGHLY).tolist(), strict=True):
            step = float(largest([span], 1)[0]) if found <= most else found
            if step <= most:
                return span
            least = min(least, (step, span))
    return least[1]


def _steps(rotations: Array, every: int = 1) -> Array:
    """Return the largest angle (N, T) by which any joint of rotations (N, T + LOOKS / every, R, 4) turns in a frame."""
    frame = LOOKS // every
    cosines = np.abs(np.einsum("ntrc,ntrc->ntr", rotations[:, frame:], rotations[:, :-frame])).min(axis=-1)
    return 2.0 * np.arccos(np.minimum(cosines, 1.0))
