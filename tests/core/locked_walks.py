"""The generated walk, played with and without locked feet, and measures of what the locks do."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np
from verbs_adverbs.core.feet.constrained_player import ConstrainedPlayer
from verbs_adverbs.core.feet.footholds_off_edges import Floor
from verbs_adverbs.core.figure import quaternion as quat
from verbs_adverbs.core.figure.channels import rotations_of, world_joints, world_points
from verbs_adverbs.core.graph.verb_graph import graph_of
from verbs_adverbs.core.motion.clip import Mark
from verbs_adverbs.core.play.score import Score, Track, player_of, record
from verbs_adverbs.core.verb.build import build_verb
from verbs_adverbs.core.verb.verb import Verb

from .walks import ADVERBS, biped_channels, walk_examples

RATE = 60.0


@cache
def walk() -> Verb:
    return build_verb("walk", biped_channels(), walk_examples(), ADVERBS, [[-1, 1], [-1, 1]])


def tracks(adverbs: np.ndarray, times: np.ndarray) -> dict[str, Track]:
    """Adverbs (T, 2) of the walk that change from time to time, or even ones (2,)."""
    rows = np.atleast_2d(adverbs)
    return {name: Track(times[: len(rows)], rows[:, index]) for index, name in enumerate(ADVERBS)}


@dataclass(frozen=True, eq=False)
class Played:
    """A verb that was played.

    Parameters
    ----------
    verb, score : what was played.
    times : (T,) seconds.
    values : (T, width) unlocked.
    windows : when points stand.
    """

    verb: Verb
    score: Score
    times: np.ndarray
    values: np.ndarray
    windows: tuple[Mark, ...]

    def locked(self, floor: Floor | None = None) -> np.ndarray:
        player = ConstrainedPlayer(player_of(graph_of(self.verb), self.score), floor, steps=False)
        return record(player, self.score, self.times).values

    def point(self, values: np.ndarray, index: int) -> np.ndarray:
        contact = self.verb.contacts[index]
        return world_points(self.verb.channels, values, contact.joint, contact.offset)

    def stands(self, index: int) -> list[Mark]:
        """Windows in which a contact point stands."""
        return [window for window in self.windows if window.name == self.verb.contacts[index].point]

    def held(self, index: int) -> list[np.ndarray]:
        """Rows of the frames in each window in which a contact point stands."""
        windows = self.stands(index)
        rows = [np.flatnonzero((self.times >= w.start) & (self.times <= w.end)) for w in windows]
        return [r for r in rows if len(r) > 1]


def play(
    adverbs: Callable[[np.ndarray], np.ndarray] | tuple[float, float], seconds: float = 5.0, verb: Verb | None = None
) -> Played:
    verb = verb or walk()
    times = np.arange(int(seconds * RATE) + 1) / RATE
    points = adverbs(times) if callable(adverbs) else np.array(adverbs)
    score = Score(verb.name, adverbs=tracks(points, times), settle=0.0, rate=RATE, straight=True)
    free = record(player_of(graph_of(verb), score), score, times)
    held = record(ConstrainedPlayer(player_of(graph_of(verb), score), steps=False), score, times)
    windows = tuple(mark for mark in held.marks if mark.kind == "contact")
    return Played(verb, score, times, free.values, windows)


def swinging(times: np.ndarray) -> np.ndarray:
    """Adverbs that swing through their whole ranges once every five seconds."""
    return np.stack([np.sin(0.4 * np.pi * times), np.cos(0.4 * np.pi * times)], axis=-1)


def slip(played: Played, values: np.ndarray) -> float:
    """Largest speed over the floor of a point in its windows, in centimetres a second."""
    speeds = [0.0]
    for index in range(len(played.verb.contacts)):
        point = played.point(values, index)
        for rows in played.held(index):
            speeds.append(float(np.linalg.norm(np.diff(point[rows, :2], axis=0), axis=-1).max() * RATE * 100.0))
    return max(speeds)


def correction(played: Played, values: np.ndarray) -> float:
    """Largest angle in degrees by which a joint differs from the unlocked motion."""
    given, made = (rotations_of(played.verb.channels, v) for v in (played.values, values))
    return float(np.degrees(quat.angle_between(given, made)).max())


def worst_pop(played: Played, values: np.ndarray) -> float:
    """Largest angle in degrees by which a joint turns more from one frame to the next than in the unlocked motion."""
    given, made = (rotations_of(played.verb.channels, v) for v in (played.values, values))
    return float(np.degrees(quat.angle_between(made[1:], made[:-1]) - quat.angle_between(given[1:], given[:-1])).max())


def root_step(played: Played, values: np.ndarray) -> float:
    """Largest distance that the root moves from one frame to the next."""
    return float(np.linalg.norm(np.diff(world_joints(played.verb.channels, values)[:, 0], axis=0), axis=-1).max())
