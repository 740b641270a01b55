"""Analysis of a clip: its kind, contacts, events and cycles, with sentences on anything doubtful."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..errors import listed
from ..verb.example import Kind
from .contacts import Event, FootContacts, Stands, Windows, events_of, find_contacts, stands_of
from .cycles import (
    EXACT,
    GOING,
    LINGERS,
    NEARLY_CLOSED,
    Cycle,
    closes,
    closing_of,
    completed,
    contacts_within,
    find_cycles,
    repeated,
    within_clip,
)
from .ground import SLOWEST, STEADY, Ground, find_ground
from .observed import Observed, finer, gaussian_means, noise_of

GONE = 0.75
"""Leg lengths, about a step, from its start within which a figure counts as stationary."""
STAYS, CALM, LEAST_IDLE = 0.06, 0.35, 2.0
"""Limits of an idle: leg lengths that a foot point may leave its usual position, leg lengths that a joint may, and the
minimum duration in seconds."""

TREMBLING = 0.015
"""Noise in leg lengths above which contacts are doubtful; captures have less than a fifth of it."""
AGAINST = -0.5
"""Cosine between travel and foot direction below which a figure goes backward."""
HAIR = 0.02
"""Seconds, half a frame of animation, by which a point may be planted before the strike that begins a cycle."""
LONG_STAND = 0.25
"""Share of a cycle by which a contact may last longer than the same one a cycle earlier; more is standing."""
CROSSED = 0.03
"""Leg lengths by which a left hip must be right of the other for the sides to count as swapped; feet may cross."""


@dataclass(frozen=True, eq=False)
class Detection:
    """Results for a clip; times are seconds in the clip's own time.

    Parameters
    ----------
    name : name of the clip.
    kind : kind of example, a guess that the user may correct.
    cyclic : whether the motion is a cycle, also a guess.
    backward : whether the figure travels in the direction of its heels.
    contacts : contacts of each foot.
    events : strikes and toe-offs in order of time.
    cycles : all usable cycles, best closing first, beginning with either foot.
    stands : where its feet were planted.
    ends : times of its first and last frame in seconds.
    period : period of the clip in seconds if it is a loop, else 0.
    remarks : sentences on what is missing, surplus or doubtful.
    """

    name: str
    kind: Kind
    cyclic: bool
    backward: bool
    contacts: tuple[FootContacts, ...]
    events: tuple[Event, ...]
    cycles: tuple[Cycle, ...]
    stands: Stands
    ends: tuple[float, float]
    period: float
    remarks: tuple[str, ...]


def detect(observed: Observed) -> Detection:
    """Find contacts, events and cycles in a clip, and guess its kind. Lengths are in lengths of the figure's legs.

    A loop without a whole cycle is repeated, so that cycles can be found across its end. It may end one frame before
    its first pose returns.
    """
    clip = observed
    observed = finer(clip)
    keyed = float(observed.times[-1])
    seen, found = observed, _analyse(observed)
    loop = None if found.cycles else _around(clip)
    if loop is not None:
        clip, seen, found = loop
        observed = finer(clip)
    first, last = float(observed.times[0]), float(observed.times[-1])
    cycles = found.cycles if seen is observed else within_clip(clip, found.cycles, keyed)
    kind = _guess_kind(seen, found.ground)
    remarks = () if kind == "stationary" or seen is not observed else found.remarks
    inside = tuple(event for event in found.events if first - clip.step <= event.time <= last)
    return Detection(
        name=observed.name,
        kind=kind,
        cyclic=bool(cycles) or closes(clip, LINGERS if kind == "stationary" else GOING),
        backward=kind != "stationary" and _goes_backward(seen, found.ground),
        contacts=contacts_within(observed, found.contacts),
        events=inside,
        cycles=cycles,
        stands=stands_of(seen, found.contacts, found.ground),
        ends=(first, last),
        period=0.0 if seen is observed else last - first,
        remarks=_doubts(clip) + remarks + _remarks(observed, found.contacts, inside, cycles, kind),
    )


def _around(clip: Observed) -> "tuple[Observed, Observed, _Findings] | None":
    """Return a looping clip, its threefold repetition, and what is found in the repetition; None if it is not a loop.

    A possible loop without its first pose at the end counts only if the repetition contains a cycle. The same holds for
    a clip that returns to exactly its first pose with another velocity, as where a hand-keyed foot lands there.
    """
    best: tuple[Observed, Observed, _Findings] | None = None
    for loop in dict.fromkeys((completed(clip), clip)):
        whole = closes(loop)
        if whole or closing_of(loop) <= EXACT:
            again = repeated(finer(loop))
            found = _analyse(again)
            if found.cycles:
                return loop, again, found
            best = (loop, again, found) if whole and loop is clip else best
    return best


@dataclass(frozen=True, eq=False)
class _Findings:
    ground: Ground
    contacts: tuple[FootContacts, ...]
    events: tuple[Event, ...]
    cycles: tuple[Cycle, ...]
    remarks: tuple[str, ...]


def _analyse(observed: Observed) -> _Findings:
    ground = find_ground(observed)
    contacts = find_contacts(observed, ground)
    events = events_of(contacts, float(observed.times[0]), float(observed.times[-1]))
    return _Findings(ground, contacts, events, *find_cycles(observed, events))


def _doubts(clip: Observed) -> tuple[str, ...]:
    """Return sentences on what is doubtful about the clip itself."""
    told: list[str] = []
    noise = noise_of(clip.paths) / clip.leg
    if noise > TREMBLING:
        told.append(
            f"The feet of '{clip.name}' jitter by {100.0 * noise:.0f} % of the leg length from frame to frame, so "
            "contacts are unreliable. Smooth its curves, or mark its keytimes by hand."
        )
    if set(clip.feet) == {"L", "R"}:
        left, right = (clip.asides[clip.feet.index(side)] for side in "LR")
        if left - right < -CROSSED * clip.leg:
            told.append(
                f"Left and right are swapped in '{clip.name}': the hip of foot 'L' is to the right of the hip of foot "
                "'R'. Swap their bones under Feet."
            )
    return tuple(told)


def _guess_kind(observed: Observed, ground: Ground) -> Kind:
    """Guess the kind of example: stationary, travelling, or in place if the floor moves like a treadmill."""
    body = gaussian_means(observed.times, ground.body[:, :2], STEADY)
    way = np.cumsum(0.5 * (body[1:] + body[:-1]) * observed.step, axis=0)
    farthest = float(np.linalg.norm(way, axis=1).max())
    if farthest < GONE * observed.leg or ground.speed < SLOWEST * observed.leg:
        return "stationary"
    return "travelling" if ground.drift is None else "in_place"


def restlessness(observed: Observed, found: Detection) -> float:
    """Return how much a figure moves, as a share of what an idle allows; above 1, or infinite, the clip is not an idle.

    The feet stay where they are, and no joint goes far from its usual position.
    """
    lasts = float(observed.times[-1] - observed.times[0])
    if found.kind != "stationary" or lasts < LEAST_IDLE or not all(foot.windows for foot in found.contacts):
        return math.inf
    feet = max(_strays(np.moveaxis(paths, 0, 1)) for paths in observed.paths)
    return max(feet / STAYS, _strays(observed.joints) / CALM) / observed.leg


def _strays(places: NDArray[np.float64]) -> float:
    """Return the largest distance of points (T, P, 3) from their medians."""
    return float(np.linalg.norm(places - np.median(places, axis=0), axis=-1).max())


def _goes_backward(observed: Observed, ground: Ground) -> bool:
    """Return whether the body travels opposite to the direction of its feet, if that is known."""
    feet = [paths for names, paths in zip(observed.points, observed.paths, strict=True) if len(names) > 1]
    if not feet:
        return False
    pointing = np.sum([paths[1, :, :2] - paths[0, :, :2] for paths in feet], axis=0)
    body = ground.body[:, :2]
    along = np.sum(pointing * body)
    across = np.sum(np.linalg.norm(pointing, axis=1) * np.linalg.norm(body, axis=1))
    return bool(along < AGAINST * across)


def _remarks(
    observed: Observed,
    contacts: Sequence[FootContacts],
    events: Sequence[Event],
    cycles: Sequence[Cycle],
    kind: Kind,
) -> tuple[str, ...]:
    """Return sentences on why a clip has no cycle, or which foot is unknown or never touches the floor."""
    told: list[str] = []
    unused = [foot.foot for foot in contacts if not foot.windows]
    if len(unused) == len(contacts):
        told.append(
            f"No foot of '{observed.name}' ever touches the floor. Check the heel and toe bones under Feet, or mark "
            "its keytimes by hand."
        )
    elif unused:
        told.append(
            f"Foot '{unused[0]}' of '{observed.name}' never touches the floor. Check its heel and toe bones under Feet."
        )
    if len(observed.feet) == 1:
        told.append(
            f"Only foot '{observed.feet[0]}' of '{observed.name}' is known, so the cycle is based on its steps only. "
            "Choose the other foot's bones under Feet."
        )
    if not cycles and kind != "stationary" and not unused:
        downs = [event for event in events if event.what == "down"]
        strikes = listed(f"'{event.name}' at {event.time:.2f} s" for event in downs) or "none"
        told.append(
            f"'{observed.name}' has no whole cycle, only these foot strikes: {strikes}. Use a longer piece, mark its "
            "keytimes by hand, or copy those of a similar action with Copy to Other Actions."
        )
        apart = closing_of(observed)
        if EXACT < apart <= NEARLY_CLOSED:
            told[-1] += (
                f" If it is a loop, make its last pose match its first: they differ by {100.0 * apart:.1f} % of the "
                "leg length."
            )
    return tuple(told)


def windows_of_cycle(windows: Windows, cycle: Cycle, clip: Detection) -> Windows:
    """Return the contact windows that begin within a cycle, each at full length.

    In a loop, windows a whole number of periods away and those that begin slightly before the cycle also count.
    Otherwise a window that is cut off by the end of the clip, or that continues as a long stand, gets the end of the
    same contact one cycle earlier.
    """
    slack, period, (first, last) = 1e-6, clip.period, clip.ends
    if period > 0.0:
        hair = min(HAIR, 0.5 * cycle.duration)
        turns = ((begin, end, math.ceil((cycle.start - hair - begin) / period)) for begin, end in windows)
        around = {(round(begin + turn * period, 6), end + turn * period) for begin, end, turn in turns}
        return tuple(window for window in _apart(sorted(around)) if window[0] < cycle.end - hair)
    earlier = [b for a, b in windows if a <= last - cycle.duration + slack and b >= last - cycle.duration]
    before = [b for a, b in windows if a <= cycle.start + slack <= b]
    found: list[tuple[float, float]] = []
    for begin, end in windows:
        if not cycle.start - slack <= begin < cycle.end - slack:
            continue
        if begin <= first + slack and any(a < cycle.end - slack < b for a, b in windows):
            continue
        if end >= last - slack and earlier:
            end = max(end, earlier[0] + cycle.duration)
        if end > cycle.end and before and end - before[0] > (1.0 + LONG_STAND) * cycle.duration:
            end = before[0] + cycle.duration
        found.append((begin, end))
    return tuple(found)


def _apart(windows: Sequence[tuple[float, float]]) -> Windows:
    """Return sorted windows without those that begin within the previous one; those are copies from another period."""
    found: list[tuple[float, float]] = []
    for begin, end in windows:
        if not found or begin >= found[-1][1]:
            found.append((begin, end))
    return tuple(found)
