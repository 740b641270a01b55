"""Foot strikes and toe-offs in the order of time."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from .contacts import FootContacts


@dataclass(frozen=True)
class Event:
    """A foot comes down, or leaves the floor.

    Parameters
    ----------
    foot : its name.
    what : ``'down'`` or ``'up'``.
    time : seconds.
    """

    foot: str
    what: Literal["down", "up"]
    time: float

    @property
    def name(self) -> str:
        """What its keytime is called, such as ``'R_down'``."""
        return f"{self.foot}_{self.what}"


def events_of(contacts: Sequence[FootContacts], first: float, last: float) -> tuple[Event, ...]:
    """Events within a clip from `first` to `last` seconds; a contact that the clip's ends cut has none there."""
    found = [
        event
        for foot in contacts
        for begin, end in foot.windows
        for event in (Event(foot.foot, "down", begin), Event(foot.foot, "up", end))
        if first < event.time < last
    ]
    return tuple(sorted(found, key=lambda event: (event.time, event.what)))
