"""The interface of players whose points can be held: what locks need to know of what plays below them."""

from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..figure.channels import Channels
from ..figure.knee_hinges import ExamplePoses
from ..figure.lock_point import LockPoint
from ..graph.overlay import Overlay
from .piece_rows import Rows
from .player import Asked, Happening, Stretch

Array = NDArray[np.float64]


class Instant(Protocol):
    """The state of a player at one time, as far as its points go."""

    @property
    def time(self) -> float:
        """Seconds."""
        ...

    @property
    def name(self) -> str:
        """Name of what plays; in a transition of what is entered."""
        ...

    @property
    def crossing(self) -> float:
        """Seconds that the transition takes which plays; 0 if none does."""
        ...

    def left(self, point: int) -> float:
        """Return the seconds for which the point of this index, which stands, will go on standing."""
        ...

    def ground(self, bit: int, row: Array, height_of: Callable[[Array], float]) -> tuple[float, float]:
        """Return clearance and drop of the point of `bit`, which comes to stand.

        These are its height over the ground, and how far it still sinks. `row` (width,) is that of this time, without
        locks, and `height_of` returns the point's height in a row.
        """
        ...


class Span(Protocol):
    """What is played between two cuts: the same points stand throughout."""

    @property
    def begin(self) -> Instant:
        """Its beginning."""
        ...

    @property
    def until(self) -> float:
        """Seconds at which it ends; may be infinite."""
        ...

    @property
    def times(self) -> Sequence[float]:
        """Seconds at which each of its steps begins, and at which the last one ends."""
        ...

    @property
    def ends(self) -> Sequence[float]:
        """Seconds at which each of its steps would end if nothing were asked for before."""
        ...

    @property
    def standing(self) -> int:
        """Bits of the points that stand."""
        ...

    @property
    def way(self) -> object:
        """What it shares with nothing but itself, cut or under something else."""
        ...

    @property
    def over(self) -> Overlay | None:
        """What is laid over its rows."""
        ...

    def of(self, time: float) -> "Span":
        """Return its step of a time within it; where two meet, the second."""
        ...

    def follows(self, before: Any) -> bool:
        """Whether its first row is known to be the last one of a span `before`, but for rounding."""
        ...

    def moment(self, time: float) -> Instant:
        """Return the state at a time within it."""
        ...

    def under(self, over: Overlay | None) -> "Span":
        """Return it with something else laid over its rows."""
        ...


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
