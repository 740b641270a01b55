"""Cycles of a gait: from one foot's strike to its next, with every other event once between."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ..errors import shortened
from ..figure import quaternion as quat
from .contacts import Event
from .observed import Observed

Array = NDArray[np.float64]

UNEVEN = 1.5
"""Times the clip's usual length, or its inverse: a cycle beyond that is a start, a stop or a stumble."""


@dataclass(frozen=True)
class Cycle:
    """One cycle with its keytimes.

    Parameters
    ----------
    lead : foot whose strike begins it.
    names : (M,) of the keytimes.
    keytimes : (M,) seconds in the clip's own time; the last is the next cycle's first.
    closing : distance of the joints between the poses at both ends, root mean square, in leg lengths.
    wraps : it reaches over the end of a clip that closes by itself: the clip must be repeated to hold it.
    """

    lead: str
    names: tuple[str, ...]
    keytimes: tuple[float, ...]
    closing: float
    wraps: bool = False

    @property
    def start(self) -> float:
        """Seconds of its first keytime."""
        return self.keytimes[0]

    @property
    def end(self) -> float:
        """Seconds of its last keytime."""
        return self.keytimes[-1]

    @property
    def duration(self) -> float:
        """Seconds from start to end."""
        return self.end - self.start


def find_cycles(observed: Observed, events: Sequence[Event]) -> tuple[tuple[Cycle, ...], tuple[str, ...]]:
    """Every usable cycle of a clip, those that close best first, and what makes others unusable, in a few sentences."""
    whole: list[Cycle] = []
    remarks: list[str] = []
    for lead in observed.feet:
        downs = [index for index, event in enumerate(events) if event.foot == lead and event.what == "down"]
        for first, last in zip(downs, downs[1:], strict=False):
            odd = _odd_events(observed.feet, lead, events[first + 1 : last])
            if odd:
                remarks.append(_remark(observed.name, events[first], events[last], odd))
            else:
                whole.append(_cycle(observed, lead, events[first : last + 1]))
    even, uneven = _of_usual_length(observed.name, whole)
    odd_ones = shortened(remarks, f"{{count}} more stretches between strikes of '{observed.name}' are no whole cycles.")
    uneven_ones = shortened(uneven, f"{{count}} more cycles of '{observed.name}' are of unusual length.")
    return tuple(sorted(even, key=lambda cycle: cycle.closing)), odd_ones + uneven_ones


def _odd_events(feet: Sequence[str], lead: str, between: Sequence[Event]) -> list[str]:
    """What is missing or comes too often between two strikes of `lead`."""
    counts = Counter(event.name for event in between)
    wanted = [f"{lead}_up"] + [f"{foot}_{what}" for foot in feet if foot != lead for what in ("down", "up")]
    odd = [f"'{name}' is missing" for name in wanted if counts[name] == 0]
    return odd + [f"'{name}' comes {counts[name]} times" for name in wanted if counts[name] > 1]


def _remark(name: str, first: Event, last: Event, odd: Sequence[str]) -> str:
    return (
        f"Between '{first.name}' at {first.time:.2f} s and at {last.time:.2f} s of '{name}' {' and '.join(odd)}: that "
        "is no whole cycle. Use another one, or mark the contacts there by hand."
    )


def _of_usual_length(name: str, cycles: Sequence[Cycle]) -> tuple[list[Cycle], list[str]]:
    usual = float(np.median([cycle.duration for cycle in cycles])) if cycles else 0.0
    even: list[Cycle] = []
    remarks: list[str] = []
    for cycle in cycles:
        if usual / UNEVEN <= cycle.duration <= usual * UNEVEN:
            even.append(cycle)
        else:
            remarks.append(
                f"The cycle of '{name}' from '{cycle.names[0]}' at {cycle.start:.2f} s lasts {cycle.duration:.2f} s "
                f"where others last {usual:.2f} s: a start, a stop or a stumble. Use another one."
            )
    return even, remarks


def _cycle(observed: Observed, lead: str, events: Sequence[Event]) -> Cycle:
    times = tuple(event.time for event in events)
    return Cycle(lead, tuple(event.name for event in events), times, closing(observed, times[0], times[-1]))


def closing(observed: Observed, start: float, end: float) -> float:
    """Root-mean-square distance of the joints between two poses, heading and place over the floor taken away.

    Parameters
    ----------
    observed : the motion.
    start, end : seconds of the poses.

    Returns
    -------
    In leg lengths.
    """
    first, last = (_pose(observed, time) for time in (start, end))
    return float(np.linalg.norm(first - last)) / np.sqrt(len(first)) / observed.leg


def _pose(observed: Observed, time: float) -> Array:
    """Joints (J, 3) at a moment, in the heading's frame, the root above the origin at its height over the floor."""
    row = (time - observed.times[0]) / observed.step
    below = int(np.clip(np.floor(row), 0, len(observed.times) - 2))
    share = row - below
    joints = (1.0 - share) * observed.joints[below] + share * observed.joints[below + 1]
    heading = (1.0 - share) * observed.headings[below] + share * observed.headings[below + 1]
    return quat.rotate(quat.from_yaw(-heading), joints - joints[0])


def moved(cycle: Cycle, seconds: float, wraps: bool) -> Cycle:
    """The same cycle `seconds` later."""
    return replace(cycle, keytimes=tuple(time + seconds for time in cycle.keytimes), wraps=wraps)
