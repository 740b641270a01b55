"""The interface of players, which are stateful; their commands and results."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import MOST_CHOICES, LayerError, VerbError, quoted
from ..figure.channels import Channels
from ..graph.overlay import Overlay
from .adverb_smoothing import checked_adverbs

Array = NDArray[np.float64]


@dataclass(frozen=True)
class AskVerb:
    """A command to play a verb: the shortest path to it becomes the plan.

    Parameters
    ----------
    name : name of the verb.
    label : description of the command in errors, such as ``'at frame 30'``; omitted if empty.
    """

    name: str
    label: str = ""


@dataclass(frozen=True, eq=False)
class AskAdverbs:
    """A command to change adverbs. Names that no verb has are ignored.

    Parameters
    ----------
    values : values by name, which the adverbs get at once, or settle to.
    then : values to which the adverbs then move linearly; given only if adverbs do not settle.
    until : time in seconds at which they arrive there; given only with `then`.
    at_once : names of adverbs that do not settle but jump to their values.
    """

    values: Mapping[str, float]
    then: Mapping[str, float] | None = None
    until: float = 0.0
    at_once: frozenset[str] = frozenset()


class Handles(NamedTuple):
    """Controls of a player besides its adverbs.

    Parameters
    ----------
    stride : factor on displacement and climb.
    tempo : positive factor on the clock of the verbs.
    nudge_x, nudge_y : velocity in metres a second, in performance space, added to the velocity of the root.
    """

    stride: float = 1.0
    tempo: float = 1.0
    nudge_x: float = 0.0
    nudge_y: float = 0.0


NEUTRAL = Handles()
"""Handles without effect."""


TEMPOS = 0.01, 100.0
"""Smallest and largest tempo."""


Wish = Literal["start", "instead", "after", "stop", "stop_hard"]


@dataclass(frozen=True)
class AskLayer:
    """A command to a layer.

    Parameters
    ----------
    name : name of the layer.
    what : ``'start'``; ``'instead'``, which first stops the layers that hold what this one needs; ``'after'``, which
        waits until those are over; ``'stop'``, which ends it as its settings say; or ``'stop_hard'``, which ends it at
        once.
    """

    name: str
    what: Wish


@dataclass(frozen=True, eq=False)
class AskModel:
    """A command to the motion model that moves the figure, for players that have one.

    Parameters
    ----------
    what : ``'start'``; ``'change'``, of parameters; ``'stop'``, which lets it finish properly; or ``'stop_hard'``,
        which ends it at once.
    parameters : values by name that are given with a start or a change.
    """

    what: Literal["start", "change", "stop", "stop_hard"]
    parameters: Mapping[str, float | str] = field(default_factory=dict[str, float | str])


@dataclass(frozen=True, eq=False)
class AskPlays:
    """A command to a layer to play another motion that moves the same channels.

    The present player is told, and switches by itself if it can; otherwise it continues until the layer is started
    again.

    Parameters
    ----------
    name : name of the layer.
    plays : the motion that it plays from now on, as in `Layer`.
    """

    name: str
    plays: object


Asked = AskVerb | AskAdverbs | AskLayer | AskModel | AskPlays | Handles
"""Commands to a player: a verb, adverbs, a layer or what it plays, a motion model, or handles."""


@dataclass(frozen=True)
class Happening:
    """An event during playback, reported between rows.

    Parameters
    ----------
    time : time in seconds.
    kind : ``'transition'`` or ``'verb'`` when one begins, ``'keytime'`` when one is passed, ``'down'`` or ``'up'`` when
        a point is planted or lifted, ``'lift'`` or ``'home'`` when a step home begins or ends;
        ``'started'``, ``'executing'``, ``'stopping'``, ``'finished'``, ``'queued'`` or ``'refused'`` of a layer.
    name : name of the verb (for a transition, the one entered), the keytime, the point, or the layer.
    text : sentence on why a layer was refused.
    other : name of the layer that holds what the refused one needs.
    """

    time: float
    kind: str
    name: str
    text: str = ""
    other: str = ""


@dataclass(frozen=True, eq=False)
class Stretch:
    """Playback of a player at some times.

    Parameters
    ----------
    times : (T,) seconds, not decreasing.
    values : (T, width) rows of values.
    support : (T,) bits of the planted points.
    verbs : (T,) name of the playing verb; in a transition, of the one entered.
    phases : (T,) generic time of that verb, increasing by 1 in each cycle.
    heights : (T,) height of the ground under the root, which is included in the root's height in `values`.
    happenings : events since the previously requested times, up to the last of these, in order of time.
    """

    times: Array
    values: Array
    support: NDArray[np.intp]
    verbs: tuple[str, ...]
    phases: Array
    heights: Array
    happenings: tuple[Happening, ...]


def checked(what: Asked, time: float, layers: tuple[str, ...]) -> Asked:
    """Return a checked command from `time` on, with copies of its values.

    `layers` are the names of the existing layers.

    Raises
    ------
    VerbError
        If a number is not finite, or the tempo is out of bounds.
    LayerError
        If there is no such layer.
    """
    if isinstance(what, AskAdverbs):
        then = None if what.then is None else checked_adverbs(what.then)
        return AskAdverbs(checked_adverbs(what.values), then, what.until, what.at_once)
    if isinstance(what, AskLayer | AskPlays):
        _check_layer(what.name, layers)
    elif isinstance(what, Handles):
        _check_handles(what, time)
    return what


def _check_handles(handles: Handles, time: float) -> None:
    """Check the handles of a player from `time` on."""
    slowest, quickest = TEMPOS
    if all(map(math.isfinite, handles)) and slowest <= handles.tempo <= quickest:
        return
    raise VerbError(
        f"At {time:.2f} s the steering has the values {', '.join(f'{n} {v:g}' for n, v in handles._asdict().items())}. "
        f"Correct its curves there: all must be finite numbers, and the tempo between {slowest:g} and {quickest:g}."
    )


def _check_layer(name: str, known: tuple[str, ...]) -> None:
    """Check that the layer called `name` is among those that are `known`."""
    if name not in known:
        there = f"Choose one of {quoted(known, MOST_CHOICES)}" if known else "Add it first"
        raise LayerError(f"There is no layer '{name}'. {there}.")


class Instant(Protocol):
    """The state of a player at one time, with regard to its points."""

    @property
    def time(self) -> float:
        """Time in seconds."""
        ...

    @property
    def name(self) -> str:
        """Name of the playing verb or model; in a transition, of the one entered."""
        ...

    @property
    def crossing(self) -> float:
        """Duration in seconds of the playing transition; 0 if there is none."""
        ...

    def left(self, point: int) -> float:
        """Return the seconds for which the planted point of this index will stay planted."""
        ...

    def ground(self, bit: int, row: Array, height_of: Callable[[Array], float]) -> tuple[float, float]:
        """Return clearance and drop of the point of `bit`, which becomes planted.

        These are its height over the ground, and how far it will still sink. `row` (width,) is that of this time,
        without locks, and `height_of` returns the point's height in a row.
        """
        ...


class Span(Protocol):
    """What is played between two cuts, with the same planted points throughout."""

    @property
    def begin(self) -> Instant:
        """State at its beginning."""
        ...

    @property
    def until(self) -> float:
        """End time in seconds; may be infinite."""
        ...

    @property
    def times(self) -> Sequence[float]:
        """Times in seconds at which its steps begin, and at which the last one ends."""
        ...

    @property
    def ends(self) -> Sequence[float]:
        """Times in seconds at which its steps would end without further commands."""
        ...

    @property
    def standing(self) -> int:
        """Bits of the planted points."""
        ...

    @property
    def way(self) -> object:
        """Object that identifies the span; only its copies that are cut or under another overlay share it."""
        ...

    @property
    def over(self) -> Overlay | None:
        """Overlay of its rows."""
        ...

    def of(self, time: float) -> "Span":
        """Return its step at a time within it; where two steps meet, the second."""
        ...

    def follows(self, before: Any) -> bool:
        """Return whether its first row is known to equal the last row of the span `before`, up to rounding."""
        ...

    def moment(self, time: float) -> Instant:
        """Return the state at a time within it."""
        ...

    def under(self, over: Overlay | None) -> "Span":
        """Return it with another overlay of its rows."""
        ...


class Player(Protocol):
    """The interface of players: time only moves forward, and each command takes effect at its own time.

    Scores and recordings need only this. The choice of requested rows has no effect: a time gives the same row, up to
    rounding, whatever other times are requested.

    A command that `command` rejects changes nothing. If `play` or `advance` has raised an error, the player may be in
    an intermediate state: discard it.
    """

    @property
    def channels(self) -> Channels:
        """Meaning of the columns of the rows."""
        ...

    @property
    def time(self) -> float:
        """Present time in seconds."""
        ...

    def command(self, time: float, what: Asked) -> None:
        """Give a command for the present time, at which it takes effect at once, or for a later one."""
        ...

    def play(self, until: float) -> Sequence[Span]:
        """Advance to a time without computing rows; return the pieces played since the present, in order."""
        ...

    def advance(self, times: ArrayLike) -> Stretch:
        """Play, and return the rows at `times` (T,), which must not decrease and not be before `time`."""
        ...
