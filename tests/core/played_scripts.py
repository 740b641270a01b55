"""Random scripts for every kind of player, and what was played of them: layers, floors, transitions and gestures.

What `write` wrote before the player was changed is the reference.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from verbs_adverbs.core.biped.talking import beat, indicate, offer, shrug
from verbs_adverbs.core.feet.constrained_player import ConstrainedPlayer
from verbs_adverbs.core.feet.playing_together import advance_all
from verbs_adverbs.core.gesture.body_planner import Request, usual_manners
from verbs_adverbs.core.gesture.gesture import gesture_of
from verbs_adverbs.core.gesture.plan import plan_of
from verbs_adverbs.core.gesture.plan_layer import PlaysPlan
from verbs_adverbs.core.graph.verb_graph import VerbGraph
from verbs_adverbs.core.layers.layer import Layer
from verbs_adverbs.core.layers.layer_set import with_layers
from verbs_adverbs.core.play.graph_player import GraphPlayer
from verbs_adverbs.core.play.player import AskAdverbs, Asked, AskLayer, AskVerb, Handles, Stretch

from .graphs import generated_graph
from .layered import ARM, carrying, masked, waving
from .model_clips import biped_clip
from .stepping import FLOORS

REFERENCE = Path(__file__).parents[1] / "fixtures" / "played_scripts.npz"
SCRIPTS, SECONDS, ROWS = 50, 6.0, 24
TALL = 1.75
"""Metres from the biped's soles to the top of its head, about."""
ADVERBS = ("mood", "slope", "turn", "energy", "height")


@dataclass(frozen=True, eq=False)
class Script:
    """What is asked of one player: commands in order of time, and the seconds (T,) at which rows are wanted."""

    kind: str
    layered: bool
    ground: str | None
    knees: str
    settle: float
    start: str
    origin: tuple[float, float, float, float]
    adverbs: Mapping[str, float]
    asked: tuple[tuple[float, Asked], ...]
    times: np.ndarray


def script(seed: int) -> Script:
    """Draw a script."""
    rng = np.random.default_rng(1000 + seed)
    settle, layered = float(rng.choice([0.8, 0.8, 0.3, 0.0])), bool(rng.random() < 0.5)
    asked = [
        (time, _asked(rng, time, settle, layered))
        for time in np.sort(rng.uniform(0.0, SECONDS - 0.5, rng.integers(5, 18))).tolist()
    ]
    return Script(
        str(rng.choice(["blended", "inertialised"])),
        layered,
        [None, "level", "level", "ramp", "stairs"][seed % 5],
        str(rng.choice(["hinge", "hinge", "free"])),
        settle,
        str(rng.choice(["walk", "walk", "stand"])),
        (float(rng.uniform(-2.0, 2.0)), float(rng.uniform(-2.0, 2.0)), 0.0, float(rng.uniform(-3.0, 3.0))),
        {name: float(rng.uniform(-1.0, 1.0)) for name in ADVERBS},
        tuple(asked),
        np.sort(rng.uniform(0.0, SECONDS, ROWS)),
    )


def _asked(rng: np.random.Generator, time: float, settle: float, layered: bool) -> Asked:
    drawn, values = rng.random(), {str(rng.choice(ADVERBS)): float(rng.uniform(-1.0, 1.0)) for _ in range(2)}
    if drawn < 0.3:
        return AskVerb(str(rng.choice(["walk", "walk", "stand", "wave"])))
    if drawn < 0.6 or not (layered or drawn < 0.7):
        if settle == 0.0 and rng.random() < 0.7:
            return AskAdverbs(values, {name: float(rng.uniform(-1.0, 1.0)) for name in values}, time + 0.25)
        return AskAdverbs(values)
    if drawn < 0.7:
        return Handles(*rng.uniform(0.8, 1.3, 2).tolist(), *rng.uniform(-0.1, 0.1, 2).tolist())
    layer = str(rng.choice(["nod", "hail", "carry", "talk"]))
    if drawn < 0.78:
        return AskAdverbs({f"{layer} weight": float(rng.uniform(0.0, 1.0))})
    return AskLayer(layer, str(rng.choice(["start", "start", "instead", "after", "stop", "stop_hard"])))  # type: ignore[arg-type]


@cache
def graph_of(kind: str, layered: bool) -> VerbGraph:
    """The generated graph, under a nod, a wave, a carry and talking if it is `layered`."""
    graph = generated_graph(kind)
    if not layered:
        return graph
    made = {"beat": beat(0.6, 0.5), "point": indicate(-0.5), "offer": offer(1.0), "shrug": shrug(0.8)}
    gestures = {name: gesture_of(name, biped_clip(one, name), ["Hand_R"]) for name, one in made.items()}
    manners = usual_manners(list(gestures.values()))
    words = ((0.9, "beat"), (1.7, "point"), (2.8, "offer"), (4.6, "shrug"))
    plan = plan_of([Request(time, (gestures[name],), f"'{name}'") for time, name in words], manners)
    talk = Layer("talk", PlaysPlan(plan, manners), masked(("Spine",)), fade_in=0.0, fade_out=0.2)
    nod = waving("nod", ("Neck",), mode="additive", passes=2)
    return with_layers(graph, [nod, waving("hail", ARM), carrying(when_held="wait"), talk])


def player_of_script(one: Script) -> GraphPlayer | ConstrainedPlayer[GraphPlayer]:
    """A player that has been asked for everything, in its time."""
    graph, rng = graph_of(one.kind, one.layered), np.random.default_rng(7)
    player: GraphPlayer | ConstrainedPlayer[GraphPlayer]
    player = GraphPlayer(graph, one.adverbs, rng, one.start, one.origin, one.settle)
    if one.ground is not None:
        player = ConstrainedPlayer(player, FLOORS[one.ground], knees=one.knees)  # type: ignore[arg-type]
    for time, what in one.asked:
        player.command(time, what)
    return player


def played_at_once(one: Script) -> Stretch:
    """All rows of a script, asked for together."""
    return advance_all([player_of_script(one)], one.times)[0]


def happened(stretch: Stretch) -> tuple[str, np.ndarray]:
    """What happened, a line each, sorted by what it is and then by time; and the seconds of each."""
    told = sorted((f"{one.kind} {one.name} {one.other}".rstrip(), one.time) for one in stretch.happenings)
    return "\n".join(line for line, _ in told), np.array([time for _, time in told])


def write(path: Path) -> None:
    """Play all scripts, and write their rows."""
    stretches = [played_at_once(script(seed)) for seed in range(SCRIPTS)]
    lines, seconds = zip(*map(happened, stretches), strict=True)
    np.savez_compressed(
        path,
        values=np.array([one.values for one in stretches]),
        phases=np.array([one.phases for one in stretches]),
        support=np.array([one.support for one in stretches], dtype=np.int32),
        happened=np.array(lines),
        seconds=np.concatenate(seconds),
    )
