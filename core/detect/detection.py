"""What is found in one clip: its kind, its contacts, its events and its cycles, and what is doubtful in sentences."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..errors import MOST_CHOICES, listed
from ..verb.example import Kind
from .contacts import Event, FootContacts, Windows, events_of, find_contacts
from .cycles import Cycle, closes, contacts_within, find_cycles, repeated, within_clip
from .ground import SLOWEST, Ground, find_ground
from .observed import Observed, finer
from .smooth import averaged
from .treadmill import STEADY

GONE = 0.75
"""Leg lengths from its start, about a step: a figure that stays within sways, bows or shifts its feet."""


@dataclass(frozen=True, eq=False)
class Detection:
    """What was found in a clip; times are seconds in the clip's own time.

    Parameters
    ----------
    name : of the clip.
    kind : a guess, for the user to correct.
    cyclic : likewise.
    contacts : of each foot.
    events : strikes and toe-offs in the order of time.
    cycles : every usable one, those that close best first, whichever foot begins them.
    remarks : what is missing, surplus or doubtful, each a sentence.
    """

    name: str
    kind: Kind
    cyclic: bool
    contacts: tuple[FootContacts, ...]
    events: tuple[Event, ...]
    cycles: tuple[Cycle, ...]
    remarks: tuple[str, ...]


def detect(observed: Observed) -> Detection:
    """Find contacts, events and cycles in a clip, and guess its kind; all lengths count by its legs.

    A clip that holds no whole cycle but closes by itself is looked at as it repeats.
    """
    whole = closes(observed)
    clip, observed = observed, finer(observed)
    seen = observed
    found = _look_at(seen)
    if whole and not found.cycles:
        seen = repeated(observed)
        found = _look_at(seen)
    first, last = float(observed.times[0]), float(observed.times[-1])
    cycles = found.cycles if seen is observed else within_clip(clip, found.cycles)
    kind = _guess_kind(seen, found.ground)
    remarks = () if kind == "stationary" or seen is not observed else found.remarks
    inside = tuple(event for event in found.events if first - clip.step <= event.time <= last)
    return Detection(
        name=observed.name,
        kind=kind,
        cyclic=bool(cycles) or whole,
        contacts=contacts_within(observed, found.contacts),
        events=inside,
        cycles=cycles,
        remarks=remarks + _troubles(observed, found.contacts, inside, cycles, kind),
    )


@dataclass(frozen=True, eq=False)
class _Seen:
    ground: Ground
    contacts: tuple[FootContacts, ...]
    events: tuple[Event, ...]
    cycles: tuple[Cycle, ...]
    remarks: tuple[str, ...]


def _look_at(observed: Observed) -> _Seen:
    ground = find_ground(observed)
    contacts = find_contacts(observed, ground)
    events = events_of(contacts, float(observed.times[0]), float(observed.times[-1]))
    return _Seen(ground, contacts, events, *find_cycles(observed, events))


def _guess_kind(observed: Observed, ground: Ground) -> Kind:
    """Kind of example: a figure that goes somewhere over its floor travels, or is in place where the floor passes."""
    body = averaged(observed.times, ground.body[:, :2], STEADY)
    way = np.cumsum(0.5 * (body[1:] + body[:-1]) * observed.step, axis=0)
    farthest = float(np.linalg.norm(way, axis=1).max())
    if farthest < GONE * observed.leg or ground.speed < SLOWEST * observed.leg:
        return "stationary"
    return "travelling" if ground.drift is None else "in_place"


def _troubles(
    observed: Observed,
    contacts: Sequence[FootContacts],
    events: Sequence[Event],
    cycles: Sequence[Cycle],
    kind: Kind,
) -> tuple[str, ...]:
    """Why a clip has no cycle, or not all that a walk should have."""
    told: list[str] = []
    unused = [foot.foot for foot in contacts if not foot.windows]
    if len(unused) == len(contacts):
        told.append(
            f"No foot of '{observed.name}' ever touches the floor. Check the heel and toe bones, or mark its keytimes "
            "by hand."
        )
    elif unused:
        told.append(f"Foot '{unused[0]}' of '{observed.name}' never touches the floor. Check its heel and toe bones.")
    if len(observed.feet) == 1:
        told.append(
            f"Only foot '{observed.feet[0]}' of '{observed.name}' is known: its steps alone make the cycle. Name the "
            "other foot's bones as well."
        )
    if not cycles and kind != "stationary" and not unused:
        downs = [event for event in events if event.what == "down"]
        strikes = listed(f"'{event.name}' at {event.time:.2f} s" for event in downs) or "none"
        told.append(
            f"'{observed.name}' holds no whole cycle, only these strikes: {strikes}. Choose a longer span, or mark its "
            "keytimes by hand."
        )
    return tuple(told)


def windows_of_cycle(windows: Windows, cycle: Cycle, first: float, last: float) -> Windows:
    """Contact windows that begin within a cycle, each whole.

    What the clip's ends, `first` and `last` seconds, cut off is taken from the same contact a cycle before.
    """
    slack = 1e-6
    found: list[tuple[float, float]] = []
    for begin, end in windows:
        if not cycle.start - slack <= begin < cycle.end - slack:
            continue
        if begin <= first + slack and any(a < cycle.end - slack < b for a, b in windows):
            continue
        earlier = [b for a, b in windows if a <= last - cycle.duration + slack and b >= last - cycle.duration]
        if end >= last - slack and earlier:
            end = max(end, earlier[0] + cycle.duration)
        found.append((begin, end))
    return tuple(found)


@dataclass(frozen=True, eq=False)
class Agreement:
    """Which cycle of each clip goes into a verb with the others'.

    Parameters
    ----------
    names : (M,) keytimes that they share, none if no clip has a cycle.
    chosen : of each clip the cycle that closes best, None where none has this structure.
    remarks : of each clip that has none, a sentence.
    """

    names: tuple[str, ...]
    chosen: tuple[Cycle | None, ...]
    remarks: tuple[str, ...]


def agree(clips: Sequence[Detection], preferred: str = "R") -> Agreement:
    """Choose cycles of one structure in as many clips as have it; a clip that begins with the other foot is shifted.

    Parameters
    ----------
    clips : what was found in each.
    preferred : foot that begins the cycles where either could.
    """
    counts = Counter(order for clip in clips for order in {(cycle.lead, cycle.names) for cycle in clip.cycles})
    lead, names = max(counts, key=lambda order: (counts[order], order[0] == preferred, order), default=("", ()))
    chosen = tuple(
        next((cycle for cycle in clip.cycles if (cycle.lead, cycle.names) == (lead, names)), None) for clip in clips
    )
    left_out = [clip for clip, cycle in zip(clips, chosen, strict=True) if cycle is None]
    return Agreement(names, chosen, tuple(_without(clip, lead, names) for clip in left_out))


def _without(clip: Detection, lead: str, names: tuple[str, ...]) -> str:
    if not clip.cycles:
        return f"'{clip.name}' holds no whole cycle. Mark its keytimes by hand."
    best = next((cycle for cycle in clip.cycles if cycle.lead == lead), clip.cycles[0])
    if best.lead != lead:
        return (
            f"'{clip.name}' holds a whole cycle from '{best.names[0]}' at {best.start:.2f} s alone, the others begin "
            f"with '{names[0]}'. Make it half a cycle longer, or leave it out."
        )
    return (
        f"The events of '{clip.name}' come as {listed(best.names, MOST_CHOICES)}, those of the others as"
        f" {listed(names, MOST_CHOICES)}: a "
        "walk and a run, perhaps. Make verbs of their own of them."
    )
