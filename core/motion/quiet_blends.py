"""Blends between walking and standing that are smooth: while a foot is planted, and without fast rotations.

A blend rotates each joint as in the motions, and also from one motion to the other. The sum exceeds the rotation in the
walk itself if the blend is short, or if a joint rotates fast while the weight changes fast, such as an ankle when a
foot leaves the ground. If contacts leave a choice of times, each candidate is therefore evaluated: the largest rotation
of any joint in a frame is computed.
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
"""Start and end of a blend in seconds."""
Stood = tuple[float, float, float]
"""Start and end of a stance in seconds, and the time when the body is over it."""

FRAME = 1.0 / 30.0
"""Duration of a frame in seconds: that of [Gruenvogel2003] section 8."""
LOOKS, ROUGHLY = 16, 4
"""Number of instants evaluated per frame, since frames may lie anywhere; and the stride of the first, rough pass."""
LASTING = 0.5
"""Minimum duration of a blend as a share of the desired one."""
GRID = 12
"""Number of equal parts of a stance at whose ends blends may begin and end."""
TOGETHER = 8
"""Number of blends evaluated together in the rough pass."""


def blends_within(near: Iterable[Stood], earliest: float, latest: float, least: float) -> list[Span]:
    """Return when walking and standing may be blended into each other, the best first.

    The best blend is within a stance and lasts `least` seconds or, if that is impossible, as long as it can. Of several
    such blends the one centred nearest to the instant when the body is over the foot is best, then the longest one. If
    no stance lasts long enough, which is at least half of `least`, the blend is the whole time from `earliest` to
    `latest`.
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
    """Return the largest angle in radians by which a joint rotates in a frame of a looped cycle."""
    times = np.arange(cycle.start, end_of(cycle) + 2.0 * FRAME, FRAME / LOOKS)
    looped = Loop(0, cycle)
    return float(_steps(rotations_of(looped.channels, looped.sample(times))[None]).max())


def quiet_stop(walking: Motion, stand: Motion, spans: Sequence[Span], most: float) -> Span:
    """Return the first of some spans in which standing can be blended in with no joint rotating more than `most`.

    If there is none, return the one with the smallest rotation.

    Parameters
    ----------
    walking : the motion before the blend.
    stand : standing, which hardly moves.
    spans : spans, the best first.
    most : largest rotation in radians in a frame.
    """
    first, last = min(begin for begin, _ in spans) - FRAME, max(end for _, end in spans) + FRAME
    times = np.arange(first, last + FRAME / LOOKS, FRAME / LOOKS)
    walked = quat.continuous(rotations_of(walking.channels, walking.sample(times)))
    stood = rotations_of(stand.channels, stand.sample([stand.start]))
    turns = quat.turns(quat.continuous(quat.align(quat.multiply(quat.conjugate(walked), stood), quat.IDENTITY)))

    def largest(some: Sequence[Span], every: int) -> Array:
        """Return for each of N blends the largest angle by which a joint rotates in a frame, sampled with a stride."""
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
    """Return the largest joint rotation (N, T) in a frame of rotations (N, T + LOOKS / every, R, 4), in radians."""
    frame = LOOKS // every
    cosines = np.abs(np.einsum("ntrc,ntrc->ntr", rotations[:, frame:], rotations[:, :-frame])).min(axis=-1)
    return 2.0 * np.arccos(np.minimum(cosines, 1.0))
