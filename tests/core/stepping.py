"""Players stepped frame by frame, as a performance in a window does it."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike
from verbs_adverbs.core.feet.constrained_player import ConstrainedPlayer
from verbs_adverbs.core.feet.footholds_off_edges import Floor
from verbs_adverbs.core.graph.transition import Transition
from verbs_adverbs.core.graph.verb_graph import VerbGraph, graph_of
from verbs_adverbs.core.play.graph_player import SETTLE, GraphPlayer
from verbs_adverbs.core.play.player import AskAdverbs, AskVerb, Handles, Happening
from verbs_adverbs.core.play.recorded_motion import Recording
from verbs_adverbs.core.play.score import Score, Track, player_of, record
from verbs_adverbs.core.verb.verb import Verb

Origin = tuple[float, float, float, float]
FLOORS: dict[str, Floor | None] = {
    "level": None,
    "ramp": lambda places: -np.tan(np.radians(10.0)) * places[:, 1],
    "stairs": lambda places: 0.12 * np.floor(-places[:, 1] / 0.36),
}


class Stepped:
    """A player that is asked for one row after the other, each at its present moment.

    Parameters
    ----------
    player : what is played.
    locked : whether points that stand are held.
    floor : heights of the ground, for points that are held.

    Attributes
    ----------
    heard : what has happened so far.
    """

    def __init__(self, player: GraphPlayer, locked: bool = False, floor: Floor | None = None) -> None:
        self.player = player
        self.held = ConstrainedPlayer(player, floor) if locked else None
        self.heard: list[Happening] = []

    @property
    def graph(self) -> VerbGraph:
        return self.player.graph

    @property
    def time(self) -> float:
        return self.player.time

    @property
    def verb(self) -> str:
        return self.player.verb

    @property
    def phase(self) -> float:
        return self.player.phase

    @property
    def transition(self) -> tuple[Transition, float] | None:
        return self.player.transition

    @property
    def travel(self) -> tuple[float, float, float]:
        return self.player.travel

    @property
    def plan(self) -> tuple[Transition, ...]:
        return self.player.plan

    @property
    def adverbs(self) -> Mapping[str, float]:
        return self.player.adverbs

    @property
    def handles(self) -> Handles:
        return self.player.handles

    @property
    def until(self) -> float:
        """Seconds at which the next thing changes of itself."""
        return self.player.piece.until

    @property
    def standing(self) -> tuple[str, ...]:
        """Names of the points that are held."""
        assert self.held is not None
        self.step(0.0)
        return self.held.standing

    @property
    def stepping(self) -> set[int]:
        """Points that are on their way home."""
        return set(self.held.locks.steps) if self.held is not None else set()

    def command(self, verb: str) -> None:
        """Ask for a verb now."""
        self.player.command(self.time, AskVerb(verb))

    def set_adverbs(self, adverbs: Mapping[str, float]) -> None:
        """Ask for adverbs now."""
        self.player.command(self.time, AskAdverbs(adverbs))

    def move_handles(self, **handles: float) -> None:
        """Move some of the handles now."""
        self.player.command(self.time, self.handles._replace(**handles))

    def step(self, seconds: float) -> None:
        """Go on by `seconds`."""
        self.step_to(self.time + seconds)

    def step_to(self, time: float) -> None:
        """Go on to a time."""
        player = self.held or self.player
        player.play(time)
        self.heard += player.happened()

    def values(self) -> np.ndarray:
        """Row (width,) of the present moment, points that stand held if they are."""
        stretch = (self.held or self.player).advance([self.time])
        self.heard += stretch.happenings
        return stretch.values[0]

    def unlocked(self) -> np.ndarray:
        """Row (width,) of the present moment as the verbs have it."""
        return self.player.ahead(self.player.piece, self.time).rows(np.array([self.time]))[0]

    def happened(self, kind: str) -> list[str]:
        """Names of what happened so far of one kind."""
        return [one.name for one in self.heard if one.kind == kind]


def stepped(
    graph: VerbGraph,
    start: str,
    adverbs: Mapping[str, float] | None = None,
    seed: int = 0,
    origin: Origin = (0.0, 0.0, 0.0, 0.0),
    settle: float = SETTLE,
    locked: bool = False,
    floor: Floor | None = None,
) -> Stepped:
    """What is played of a graph from the verb `start` on."""
    rng = np.random.default_rng(seed)
    return Stepped(GraphPlayer(graph, adverbs or {}, rng, start, origin, settle), locked, floor)


def performed(
    graph: VerbGraph, score: Score, times: ArrayLike, locked: bool = False, floor: Floor | None = None
) -> Recording:
    """What is to be seen of a score at `times` (T,)."""
    player = player_of(graph, score)
    return record(ConstrainedPlayer(player, floor) if locked else player, score, times)


def played(verb: Verb, times: ArrayLike, adverbs: Sequence[float] | np.ndarray) -> Recording:
    """One verb alone at even adverbs, from its beginning on."""
    tracks = {
        name: Track(np.zeros(1), np.array([value])) for name, value in zip(verb.adverb_names, adverbs, strict=True)
    }
    return performed(graph_of(verb), Score(verb.name, adverbs=tracks), times)
