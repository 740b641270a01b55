"""The interface of players whose points can be held: the data that locks need about the motion below them."""

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
    """A prediction of what will be played without further commands."""

    def until_stands(self, bit: int, within: float = ...) -> float | None:
        """Return when the point of `bit` is next planted; None if not within about the given seconds."""
        ...

    def at(self, time: float) -> Instant:
        """Return the state at a time that has been predicted."""
        ...

    def rows(self, times: Array) -> Array:
        """Return rows (T, width), without locks, at `times` (T,) that have been predicted."""
        ...


class Holdable(Protocol):
    """A `Player` whose points can be held. It accepts only spans of its own kind, represented by `Any`."""

    @property
    def channels(self) -> Channels:
        """Meaning of the columns of the rows."""
        ...

    @property
    def points(self) -> tuple[LockPoint, ...]:
        """The points that can be planted, in the order of their bits."""
        ...

    @property
    def poses(self) -> ExamplePoses:
        """Poses from which the bending of knees is learnt."""
        ...

    @property
    def time(self) -> float:
        """Present time in seconds."""
        ...

    @property
    def piece(self) -> Span:
        """The playing span."""
        ...

    def command(self, time: float, what: Asked) -> None:
        """Give a command; see `Player`."""
        ...

    def play(self, until: float) -> Sequence[Any]:
        """Advance to a time; see `Player`."""
        ...

    def advance(self, times: ArrayLike) -> Stretch:
        """Play, and return the rows without locks; see `Player`."""
        ...

    def happened(self) -> tuple[Happening, ...]:
        """Return the events since the last call, in order of time."""
        ...

    def ahead(self, piece: Any, time: float) -> Foresight:
        """Return a prediction from a time within `piece` on."""
        ...

    def rows(self, pieces: Sequence[Any], which: NDArray[np.intp], times: Array) -> Rows:
        """Return rows at `times` (T,), each in its own piece, of one or many players of this kind; see `rows_of`."""
        ...

    def fork(self) -> Any:
        """Return an independent copy that continues from the present, without pending commands."""
        ...
