"""Layers for tests: waves and a carry of the generated figure, and motions whose rows the test makes itself."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property

import numpy as np
from scipy.spatial.transform import Rotation
from verbs_adverbs.core.biped.figure import JOINTS, Generated, biped_skeleton, rest_orientations
from verbs_adverbs.core.biped.walk import WALK_ADVERBS, WALK_EXAMPLES, walk
from verbs_adverbs.core.figure.channels import Channels
from verbs_adverbs.core.graph.overlay import Below
from verbs_adverbs.core.graph.verb_graph import VerbGraph, compile_graph
from verbs_adverbs.core.layers.claims import Claims
from verbs_adverbs.core.layers.layer import Layer, PlaysVerb
from verbs_adverbs.core.layers.mask import joints_of, mask_of
from verbs_adverbs.core.play.graph_player import GraphPlayer
from verbs_adverbs.core.play.player import AskAdverbs, Handles
from verbs_adverbs.core.verb.build import build_verb
from verbs_adverbs.core.verb.verb import Verb

from .graphs import example_of, generated_transitions, generated_verbs
from .walks import biped_channels

ARM = ("UpperArm_R",)
BOTH = ("UpperArm_R", "UpperArm_L")
HANDS = ("Hand_L", "Hand_R")
HAND_JOINTS = tuple(JOINTS[bone] for bone in HANDS)
CARRIED = {"UpperArm": (0.15, 1.15, 0.0), "LowerArm": (0.0, 0.0, -1.5)}
"""Rotation vectors, about the axes of the figure, by which the bones of the left arm are turned from rest, that of the
lower one in the frame of the upper one, while something is carried: upper arms hang, and lower arms point ahead."""


def masked(bones: Sequence[str], taper: int = 0, with_children: bool = True) -> np.ndarray:
    return mask_of(biped_skeleton(), bones, taper, with_children)


def waving(name: str = "hail", bones: Sequence[str] = ARM, **more: object) -> Layer:
    mask = masked(bones)
    plays = PlaysVerb(generated_verbs()[2], int(more.pop("passes", 1)), bool(more.pop("follows", False)))
    return Layer(name, plays, mask, **{"claims": Claims(joints_of(biped_skeleton(), mask)), **more})  # type: ignore[arg-type]


@cache
def carry_takes() -> tuple[Generated, ...]:
    """A walk whose arms are held in front and sway a little, over the adverbs of the walk."""
    made = []
    for place in WALK_EXAMPLES:
        one = walk(*place)
        rotations = one.rotations.copy()
        sway = 0.06 * np.sin(2.0 * np.pi * one.times / (one.keytimes[-1] - one.keytimes[0]))
        for side, sign in (("L", 1.0), ("R", -1.0)):
            for bone, vector in CARRIED.items():
                turn = np.array(vector) * [1.0, sign, sign] + sway[:, None] * [0.0, 0.0, sign]
                rest = Rotation.from_quat(np.roll(rest_orientations()[JOINTS[f"{bone}_{side}"]], -1))
                turned = rest.inv() * Rotation.from_rotvec(turn) * rest
                rotations[:, JOINTS[f"{bone}_{side}"]] = np.roll(turned.as_quat(), 1, axis=-1)
        made.append(replace(one, rotations=rotations))
    return tuple(made)


@cache
def carry_verb() -> Verb:
    """The walk with arms in front as a verb."""
    examples = [example_of(one) for one in carry_takes()]
    return build_verb("carry", biped_channels(), examples, tuple(WALK_ADVERBS), [[-1, 1]] * len(WALK_ADVERBS))


def carrying(bones: Sequence[str] = BOTH, follows: bool = True, **more: object) -> Layer:
    mask = masked(bones)
    claims = Claims(joints_of(biped_skeleton(), mask), (HANDS,))
    return Layer("carry", PlaysVerb(carry_verb(), 0, follows), mask, **{"claims": claims, **more})  # type: ignore[arg-type]


@cache
def walking() -> VerbGraph:
    return compile_graph(generated_verbs(), generated_transitions())


def player(
    graph: VerbGraph, adverbs: Mapping[str, float] | None = None, start: str = "walk", **more: object
) -> GraphPlayer:
    return GraphPlayer(graph, adverbs or {}, np.random.default_rng(5), start, **more)  # type: ignore[arg-type]


@dataclass(frozen=True, eq=False)
class Made:
    """A motion of random smooth rotations, made by SciPy, of some joints only: what a layer plays.

    Parameters
    ----------
    seed : of the rotations.
    bones : that it turns; the root is always among its channels.
    angle : radians by which each joint turns to and fro at most.
    """

    seed: int
    bones: tuple[str, ...]
    angle: float = 0.8

    @cached_property
    def channels(self) -> Channels:
        rotating = np.array(sorted({0, *(JOINTS[bone] for bone in self.bones)}), dtype=np.intp)
        return replace(biped_channels(), rotating=rotating)

    @property
    def reference(self) -> np.ndarray:
        return np.array([1.0, 0.0, 0.0, 0.0])

    @property
    def adverbs(self) -> Mapping[str, float]:
        return {}

    @property
    def usual(self) -> np.ndarray:
        return self.at(np.linspace(0.0, 3.0, 40))

    def at(self, times: np.ndarray) -> np.ndarray:
        rng, rows = np.random.default_rng(self.seed), np.zeros((len(times), self.channels.width))
        for row in range(len(self.channels.rotating)):
            axis, pace, begin = rng.normal(size=3), rng.uniform(1.0, 3.0), rng.uniform(0.0, 6.0)
            axis *= self.angle / np.linalg.norm(axis)
            turned = Rotation.from_rotvec(np.sin(pace * times + begin)[:, None] * axis).as_quat()
            rows[:, 6 + 4 * row : 10 + 4 * row] = np.roll(turned, 1, axis=-1)
        return rows

    def begin(self, time: float, adverbs: Mapping[str, float], settle: float) -> "MadePlayer":
        return MadePlayer(self, time)


class MadePlayer:
    """Plays what `Made` is, from a time on, without end."""

    def __init__(self, made: Made, time: float) -> None:
        self.made, self.begun = made, time

    @property
    def channels(self) -> Channels:
        return self.made.channels

    def rows(self, below: Below) -> np.ndarray:
        return self.made.at(below.times - self.begun)

    def left(self) -> float:
        return np.inf

    def fork(self) -> "MadePlayer":
        return self

    def hear(self, time: float, what: AskAdverbs | Handles) -> None: ...

    def play(self, until: float) -> None: ...

    def forget(self, before: float) -> None: ...

    def finish(self) -> None: ...

    def again(self) -> None: ...
