"""The interface of players, which are what depends on history; what they can be asked for, and what they return."""

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
    """A command to play a verb: the shortest way there becomes the plan.

    Parameters
    ----------
    name : of the verb.
    label : what complaints call the command, such as ``'at frame 30'``; if empty they do not mention it.
    """

    name: str
    label: str = ""


@dataclass(frozen=True, eq=False)
class AskAdverbs:
    """A command to change adverbs. Names that no verb has are ignored.

    Parameters
    ----------
    values : by name, which the adverbs get at once, or settle to.
    then, until : values that the adverbs move to in a straight line from there, and the seconds at which they are to
        have them. Given only where adverbs do not settle.
    at_once : names of adverbs that do not settle but jump to their values.
    """

    values: Mapping[str, float]
    then: Mapping[str, float] | None = None
    until: float = 0.0
    at_once: frozenset[str] = frozenset()


class Handles(NamedTuple):
    """How a player is steered, besides its adverbs.

    Parameters
    ----------
    stride : factor on displacement and climb.
    tempo : positive factor on the clock of the verbs.
    nudge_x, nudge_y : velocity in metres a second, in performance space, that is added to the root's.
    """

    stride: float = 1.0
    tempo: float = 1.0
    nudge_x: float = 0.0
    nudge_y: float = 0.0


NEUTRAL = Handles()
"""Handles that change nothing."""


TEMPOS = 0.01, 100.0
"""Smallest and largest tempo."""


Wish = Literal["start", "instead", "after", "stop", "stop_hard"]


@dataclass(frozen=True)
class AskLayer:
    """A command to a layer.

    Parameters
    ----------
    name : of the layer.
    what : ``'start'``; ``'instead'``, which stops those that have what it needs first; ``'after'``, which waits until
        these are over; ``'stop'``, which lets it end as the layer says; or ``'stop_hard'``, which ends it at once.
    """

    name: str
    what: Wish


@dataclass(frozen=True, eq=False)
class AskModel:
    """A command to the motion model that moves the figure, of a player that has one.

    Parameters
    ----------
    what : ``'start'``; ``'change'``, of parameters; ``'stop'``, which lets it finish properly; or ``'stop_hard'``,
        which ends it at once.
    parameters : values by name, of those that a start or a change gives.
    """

    what: Literal["start", "change", "stop", "stop_hard"]
    parameters: Mapping[str, float | str] = field(default_factory=dict[str, float | str])


@dataclass(frozen=True, eq=False)
class AskPlays:
    """A command to a layer to play something else that moves the same.

    What plays in it already is told, and goes over to that by itself if it can; else it goes on until the layer is
    started anew.

    Parameters
    ----------
    name : of the layer.
    plays : what it plays from now on, as a layer does.
    """

    name: str
    plays: object


Asked = AskVerb | AskAdverbs | AskLayer | AskModel | AskPlays | Handles
"""What a player can be commanded: a verb, adverbs, a layer or what it plays, a motion model, or handles."""


@dataclass(frozen=True)
class Happening:
    """Something that happened while playing, to be reported between rows.

    Parameters
    ----------
    time : seconds.
    kind : ``'transition'`` or ``'verb'`` when one begins, ``'keytime'`` when one is passed, ``'down'`` or ``'up'`` when
        a point comes to stand or leaves the ground, ``'lift'`` or ``'home'`` when a step home begins or ends;
        ``'started'``, ``'executing'``, ``'stopping'``, ``'finished'``, ``'queued'`` or ``'refused'`` of a layer.
    name : of the verb (for a transition the one that it leads to), the keytime, the point, or the layer.
    text : sentence that says why a layer was refused.
    other : name of the layer that has what the refused one needs.
    """

    time: float
    kind: str
    name: str
    text: str = ""
    other: str = ""


@dataclass(frozen=True, eq=False)
class Stretch:
    """What a player played at some times.

    Parameters
    ----------
    times : (T,) seconds, not decreasing.
    values : (T, width) rows of values.
    support : (T,) bits of the points that stand.
    verbs : (T,) name of the verb that plays, in a transition of the one that is entered.
    phases : (T,) generic time of that verb, increasing by 1 in each cycle.
    heights : (T,) height of the ground under the root, which is part of the root's height in `values`.
    happenings : what happened since the times that were asked for before, up to the last of these, in order of time.
    """

    times: Array
    values: Array
    support: NDArray[np.intp]
    verbs: tuple[str, ...]
    phases: Array
    heights: Array
    happenings: tuple[Happening, ...]


def checked(what: Asked, time: float, layers: tuple[str, ...]) -> Asked:
    """Return what is asked for from `time` on, with copies of its values, after checking it.

    `layers` are the names of those that there are.

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
    """Check how a player is to be steered from `time` on."""
    slowest, quickest = TEMPOS
    if all(map(math.isfinite, handles)) and slowest <= handles.tempo <= quickest:
        return
    raise VerbError(
        f"At {time:.2f} s the steering says {', '.join(f'{n} {v:g}' for n, v in handles._asdict().items())}. Mend its"
        f" curves there: all must be finite numbers, and the tempo between {slowest:g} and {quickest:g}."
    )


def _check_layer(name: str, known: tuple[str, ...]) -> None:
    """Check that the layer called `name` is among those that are `known`."""
    if name not in known:
        there = f"Choose one of {quoted(known, MOST_CHOICES)}" if known else "Add it first"
        raise LayerError(f"There is no layer '{name}'. {there}.")


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


class Player(Protocol):
    """The interface of what plays: its time only goes forward, and each command takes effect at its own time.

    This is what scores and recordings need. Which rows are asked for changes nothing: a time gives the same row,
    but for rounding, whichever others it is asked for with.

    A command that `command` refuses changes nothing. A player whose `play` or `advance` has raised an error may have
    come half of the way: throw it away, and ask nothing more of it.
    """

    @property
    def channels(self) -> Channels:
        """What the columns of the rows mean."""
        ...

    @property
    def time(self) -> float:
        """Seconds up to which it has played."""
        ...

    def command(self, time: float, what: Asked) -> None:
        """Ask for something at a time that has not been passed; at the present time it takes effect at once."""
        ...

    def play(self, until: float) -> Sequence[Span]:
        """Play up to a time without making rows; return the pieces that were played from the present on, in order."""
        ...

    def advance(self, times: ArrayLike) -> Stretch:
        """Play on, and return the rows at `times` (T,), which do not decrease and are not before `time`."""
        ...
