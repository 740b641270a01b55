"""The interface of players whose points can be held: what locks need to know of what plays below them."""

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..figure.channels import Channels
from ..figure.knee_hinges import ExamplePoses
from ..figure.lock_point import LockPoint
from .piece_rows import Rows
from .player import Asked, Happening, Instant, Span, Stretch

Array = NDArray[np.float64]


class Foresight(Protocol):
    """What will be played if nothing more is asked for."""

    def until_stands(self, bit: int, within: float = ...) -> float | None:
        """Return when the point of `bit` comes to stand next; None if not within about so many seconds."""
        ...

    def at(self, time: float) -> Instant:
        """Return the state at a time up to which has been looked ahead."""
        ...

    def rows(self, times: Array) -> Array:
        """Return rows (T, width), without locks, at `times` (T,) up to which has been looked ahead."""
        ...


class Holdable(Protocol):
    """A `Player` whose points can be held. It takes spans of its own kind alone, which is what `Any` stands for."""

    @property
    def channels(self) -> Channels:
        """What the columns of the rows mean."""
        ...

    @property
    def points(self) -> tuple[LockPoint, ...]:
        """The points that can stand, in the order of their bits."""
        ...

    @property
    def poses(self) -> ExamplePoses:
        """Poses from which it is learnt how knees bend."""
        ...

    @property
    def time(self) -> float:
        """Seconds up to which it has played."""
        ...

    @property
    def piece(self) -> Span:
        """What plays."""
        ...

    def command(self, time: float, what: Asked) -> None:
        """Ask for something; see `Player`."""
        ...

    def play(self, until: float) -> Sequence[Any]:
        """Play up to a time; see `Player`."""
        ...

    def advance(self, times: ArrayLike) -> Stretch:
        """Play on, and return the rows without locks; see `Player`."""
        ...

    def happened(self) -> tuple[Happening, ...]:
        """Return what has happened since this was last called, in order of time."""
        ...

    def ahead(self, piece: Any, time: float) -> Foresight:
        """Return what will be played from a time within `piece` on."""
        ...

    def rows(self, pieces: Sequence[Any], which: NDArray[np.intp], times: Array) -> Rows:
        """Return rows at `times` (T,), each in its own piece, of one player of this kind or of many; see `rows_of`."""
        ...

    def fork(self) -> Any:
        """Return one that goes on by itself from the present, and knows of no command that is still to come."""
        ...
