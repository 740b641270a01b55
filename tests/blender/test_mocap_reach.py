"""Verbs of captured motion placed by their measures: what is asked for between the examples is what they do."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from blender.captured import captured_armature, source_of
from blender.stage import part

pytestmark = pytest.mark.long

UNSEEN = 61
AT_MOST = 30
PERFORMED = 12
DEGREE = np.pi / 180.0


class Asked:
    """A captured verb whose second adverb asks for what is measured, before and after refinement.

    Parameters
    ----------
    name : of the verb.
    measure_of : from a verb to its measure.
    unit : of the adverb, in that of the measure.
    """

    def __init__(self, mocap: Path, name: str, measure_of: Callable, unit: float = 1.0) -> None:
        source, first = source_of(captured_armature(mocap, name))
        self.measure, self.unit = measure_of(first), unit
        measured = self.measure.of_examples(first)[:, 0] / unit
        examples = [
            replace(example, adverbs=np.array([example.adverbs[0], value]))
            for example, value in zip(source.examples, measured, strict=True)
        ]
        ranges = [first.adverb_ranges[0], [measured.min(), measured.max()]]
        self.before = part("core.verb.build").build_verb(name, first.channels, examples, first.adverb_names, ranges)
        aim = part("core.reach.measures").aim_at_plane(self.before, self.measure, [0.0], [[0.0], [unit]])
        refinement = part("core.reach.refine")
        self.found = refinement.refine(self.before, aim, refinement.RefineOptions(count=AT_MOST, hull=True))
        lattice = part("core.reach.refine").lattice(self.before.adverb_ranges, UNSEEN)
        inside = part("core.reach.refine").inside_hull(self.before.places, self.before.adverb_ranges, lattice)
        self.points = lattice[inside]

    def misses(self, verb) -> np.ndarray:
        """By how much the motions at the unseen points miss, in the adverb's unit."""
        return np.abs(self.measure.at(verb, self.points)[:, 0] / self.unit - self.points[:, 1])

    def said(self, unit: str) -> str:
        before, after = self.misses(self.before), self.misses(self.found.verb)
        return (
            f"  {self.before.name}, {len(self.points)} points: {before.mean():.4f} {unit} off on average, "
            f"{before.max():.4f} at most; with {len(self.found.pseudo.places)} pseudo-examples "
            f"{after.mean():.4f} and {after.max():.4f}"
        )

    def keeps_its_examples(self) -> bool:
        verb = self.found.verb
        exact = np.abs(verb.weights(verb.places) - np.eye(len(verb.places))).max() < 1e-9
        return bool(exact) and len(self.found.pseudo.places) <= AT_MOST


def performed(verb, place: np.ndarray) -> tuple[float, float]:
    """Metres and degrees a second of one cycle that is played with the adverbs at rest."""
    seconds = verb.duration(place)
    values = verb.motion(place).sample(np.linspace(0.0, seconds, 400))
    way = np.hypot(*np.diff(values[:, :2], axis=0).T).sum()
    return way / seconds, np.degrees(values[-1, 2]) / seconds


def test_a_walk_asked_for_a_speed_walks_at_it(mocap: Path, tell: Callable[[str], None]):
    speed = part("core.reach.measures").speed()
    asked = Asked(mocap, "walk_energy_speed", lambda verb: speed)
    tell(asked.said("m/s"))
    assert asked.misses(asked.before).max() > 0.02
    assert asked.misses(asked.found.verb).max() <= 0.01
    assert asked.keeps_its_examples()
    for place in asked.points[:: len(asked.points) // PERFORMED]:
        assert abs(performed(asked.found.verb, place)[0] - place[1]) <= 0.01


def test_a_walk_asked_for_a_turn_turns_by_it(mocap: Path, tell: Callable[[str], None]):
    turn_rate = part("core.reach.measures").turn_rate()
    asked = Asked(mocap, "walk_energy_turn", lambda verb: turn_rate, DEGREE)
    tell(asked.said("degrees/s"))
    after = asked.misses(asked.found.verb)
    assert asked.misses(asked.before).max() > 4.0
    assert after.mean() <= 0.25
    assert after.max() <= 1.0
    assert asked.keeps_its_examples()
    for place in asked.points[:: len(asked.points) // PERFORMED]:
        assert abs(performed(asked.found.verb, place)[1] - place[1]) <= 1.0


def test_a_raised_hand_is_as_high_as_it_is_asked(mocap: Path, tell: Callable[[str], None]):
    end_effector, world_points = part("core.reach.measures").end_effector, part("core.figure.channels").world_points

    def height_of(verb):
        hand = verb.channels.skeleton.names.index("Hand_R")
        return end_effector(hand, np.zeros(3), float(verb.phrasing.generic[1]), axes=(2,))

    asked = Asked(mocap, "raise_right_hand", height_of)
    tell(asked.said("m"))
    verb = asked.found.verb
    assert asked.misses(asked.before).max() > 2.0 * asked.misses(verb).max()
    assert asked.misses(verb).max() <= 0.01
    assert asked.keeps_its_examples()
    hand = verb.channels.skeleton.names.index("Hand_R")
    for place in asked.points[:: len(asked.points) // PERFORMED]:
        values = verb.motion(place).sample(verb.keytimes(place)[1:2])
        assert abs(world_points(verb.channels, values, hand, np.zeros(3))[0, 2] - place[1]) <= 0.01
