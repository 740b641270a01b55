"""The handles by which a player is steered, and how far and how fast they may be moved."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from ..graph.transition import Transition
from ..graph.verb_graph import VerbGraph


class Steerable(Protocol):
    """A player that plays a verb graph and has handles.

    Attributes
    ----------
    stride : factor on the displacement over the floor.
    tempo : factor on the clock of the verbs.
    nudge : metres a second added to the root over the floor, in performance space.
    """

    stride: float
    tempo: float
    nudge: tuple[float, float]

    @property
    def graph(self) -> VerbGraph:
        """What it plays."""
        ...

    @property
    def travel(self) -> tuple[float, float, float]:
        """The root's x, y and heading."""
        ...

    @property
    def verb(self) -> str:
        """The verb that plays; during a transition the one that is entered."""
        ...

    @property
    def phase(self) -> float:
        """Generic time of that verb."""
        ...

    @property
    def transition(self) -> tuple[Transition, float] | None:
        """The transition that plays and the share of it that has passed, None if a verb plays alone."""
        ...

    @property
    def plan(self) -> tuple[Transition, ...]:
        """Transitions that are still to come."""
        ...

    @property
    def adverbs(self) -> Mapping[str, float]:
        """Values of the moment, smoothed if the player does that."""
        ...

    def set_adverbs(self, adverbs: Mapping[str, float]) -> None:
        """Ask for other values."""
        ...

    def command(self, verb: str) -> None:
        """Ask for a verb."""
        ...


@dataclass(frozen=True)
class Limits:
    """How much a figure may be bent to go where it is asked to.

    Parameters
    ----------
    stride, tempo : smallest and largest factor.
    change : by how much a factor may change in a second.
    nudge : share of the speed of the moment by which the root may be helped along; standing figures are never moved.
    """

    stride: tuple[float, float] = (0.75, 1.3)
    tempo: tuple[float, float] = (0.75, 1.35)
    change: float = 1.5
    nudge: float = 0.05


@dataclass(frozen=True)
class Helm:
    """How the handles are to stand.

    Parameters
    ----------
    turn : value of the steering adverb; None leaves it alone.
    stride, tempo : factors, bounded by the limits.
    nudge : metres a second in performance space.
    """

    turn: float | None = None
    stride: float = 1.0
    tempo: float = 1.0
    nudge: complex = 0j

    def move(self, player: Steerable, adverb: str, limits: Limits, seconds: float) -> None:
        """Move the player's handles towards this, as far as `seconds` allow."""
        if self.turn is not None:
            player.set_adverbs({adverb: self.turn})
        player.stride = _towards(player.stride, self.stride, limits.change * seconds)
        player.tempo = _towards(player.tempo, self.tempo, limits.change * seconds)
        player.nudge = (self.nudge.real, self.nudge.imag)


NEUTRAL = Helm()


def clip(value: float, bounds: tuple[float, float]) -> float:
    """`value` within `bounds`."""
    return min(max(value, bounds[0]), bounds[1])


def _towards(value: float, goal: float, most: float) -> float:
    return clip(goal, (value - most, value + most))
