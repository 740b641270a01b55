"""Feet stand through verbs, transitions and changing adverbs, and step home when they are left behind."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Literal
from unittest.mock import patch

import numpy as np
import pytest
from verbs_adverbs.core.feet import constrained_player
from verbs_adverbs.core.feet.easing_curves import LEAST_GAP
from verbs_adverbs.core.feet.foot_locks import FootLocks
from verbs_adverbs.core.feet.footholds_off_edges import Floor
from verbs_adverbs.core.feet.joint_locks import RUN_UP
from verbs_adverbs.core.figure.channels import world_joints, world_points
from verbs_adverbs.core.figure.legs import limbs
from verbs_adverbs.core.graph.distance_map import suggest_transitions
from verbs_adverbs.core.graph.transition import fade
from verbs_adverbs.core.graph.verb_graph import VerbGraph, compile_graph
from verbs_adverbs.core.play.playing_verb import Playing
from verbs_adverbs.core.play.recorded_motion import Recording
from verbs_adverbs.core.play.score import Command, Score
from verbs_adverbs.core.play.transition_timing import begun
from verbs_adverbs.core.play.verb_now import Pacer

from .graphs import generated_graph, generated_verbs
from .stepping import Stepped, performed, stepped

RATE = 60.0
SELDOM = 20
"""Frames of which one is drawn."""
COMMANDS = {60: "stand", 300: "wave", 560: "walk", 700: "stand"}


class Watched(FootLocks):
    """Locks that remember when they were switched, and what they were told."""

    def __init__(self, graph: VerbGraph, floor: Floor | None = None) -> None:
        super().__init__(graph.channels, graph.points, floor)
        self.switched: list[tuple[float, int, bool]] = []
        self.noted: list[float] = []
        self.expected: dict[int, tuple[float, np.ndarray]] = {}
        self.missed: list[tuple[float, float]] = []

    def lock(self, point: int, time: float, row: np.ndarray, clearance: float = 0.0, drop: float = 0.0) -> None:
        self.switched.append((time, point, True))
        if point in self.expected:
            landing, expected = self.expected.pop(point)
            self.missed.append((abs(landing - time), float(np.abs(expected - row).max())))
        super().lock(point, time, row, clearance, drop)

    def release(self, point: int, time: float, row: np.ndarray) -> None:
        self.switched.append((time, point, False))
        super().release(point, time, row)

    def note(self, time: float, row: np.ndarray) -> None:
        self.noted.append(time)
        super().note(time, row)

    def expect(self, point: int, time: float, landing: float, rows: np.ndarray, clearance: float, drop: float) -> None:
        self.expected[point] = landing, rows[-1]
        super().expect(point, time, landing, rows, clearance, drop)


def _watched(
    start: str, adverbs: Mapping[str, float] | None = None, floor: Floor | None = None, kind: str = "blended"
) -> tuple[Stepped, Watched]:
    """A player of the generated graph at its beginning, and its locks."""
    graph = generated_graph(kind)
    locks = Watched(graph, floor)
    with patch.object(constrained_player, "FootLocks", lambda *_told: locks):
        player = stepped(graph, start, adverbs, locked=True, floor=floor)
    return player, locks


def _played(
    kind: Literal["blended", "inertialised"], locked: bool, frames: int = 860
) -> tuple[np.ndarray, list[Sequence[str]], np.ndarray]:
    """Rows, names of the points that stand, and whether any steps home, of walking, standing, waving and walking."""
    graph = generated_graph(kind)
    player = stepped(graph, "walk", {"mood": 0.3}, locked=locked)
    rows: list[np.ndarray] = []
    standing: list[Sequence[str]] = []
    stepping: list[bool] = []
    for frame in range(frames):
        if frame in COMMANDS:
            player.command(COMMANDS[frame])
        rows.append(player.values())
        standing.append(player.standing if locked else ())
        stepping.append(bool(player.stepping))
        player.step(1.0 / RATE)
    return np.array(rows), standing, np.array(stepping)


@pytest.mark.parametrize("kind", ["blended", "inertialised"])
def test_feet_that_stand_do_not_slide(kind: Literal["blended", "inertialised"]):
    graph = generated_graph(kind)
    rows, standing, stepping = _played(kind, True)
    free, _, _ = _played(kind, False)
    for point in graph.points:
        down = np.array([point.name in names for names in standing])
        held = down[1:] & down[:-1] & ~stepping[1:] & ~stepping[:-1]
        places = [world_points(graph.channels, played, point.joint, point.offset)[:, :2] for played in (rows, free)]
        speeds = [np.linalg.norm(np.diff(place, axis=0), axis=1) for place in places]
        assert held.sum() > 400
        assert speeds[0][held].max() * RATE < 0.005
        assert speeds[1][held].max() * RATE > 0.1


@pytest.mark.parametrize("kind", ["blended", "inertialised"])
def test_locks_do_not_pop(kind: Literal["blended", "inertialised"]):
    graph = generated_graph(kind)
    bends = [
        np.linalg.norm(np.diff(world_joints(graph.channels, _played(kind, locked)[0]), 2, axis=0), axis=-1).max()
        for locked in (True, False)
    ]
    assert bends[0] < 1.5 * bends[1]


def test_locks_are_switched_at_the_instants_of_the_verb_not_at_frames():
    graph = generated_graph()
    player, locks = _watched("walk")
    for _ in range(37):
        player.step(0.1)
    motion = graph.verb("walk").motion([0.0, 0.0, 0.0])
    names = [point.name for point in graph.points]
    found = [one for one in locks.switched if one[0] > 0.0]
    assert len(found) >= 10
    for seconds, point, on in found:
        index = [contact.point for contact in graph.verb("walk").contacts].index(names[point])
        edge = motion.windows[index][0, 0 if on else 1]
        instants = motion.clock(edge + np.arange(-1.0, 6.0))
        assert np.abs(instants - seconds).min() < 1e-9


@pytest.mark.parametrize("kind", ["blended", "inertialised"])
@pytest.mark.parametrize("floor", [None, lambda places: 0.1 * places[:, 1]], ids=["level", "ramp"])
def test_before_every_release_the_pose_is_noted_wherever_frames_lie(kind: str, floor: Floor | None):
    player, locks = _watched("walk", {"mood": 0.3}, floor, kind)
    for frame in range(860):
        if frame in COMMANDS:
            player.command(COMMANDS[frame])
        player.step(1.0 / RATE)
    released = [time for time, _, on in locks.switched if not on]
    assert len(released) >= 8
    for time in released:
        before = time - np.array(locks.noted)
        assert min(before[before > 0.0]) == pytest.approx(RUN_UP) or _changed_just_before(time, locks, before)


def _changed_just_before(time: float, locks: Watched, noted: np.ndarray) -> bool:
    """Whether another point was switched so shortly before that the pose could not be noted as early as else."""
    since = [time - other for other, _, _ in locks.switched if 0.0 < time - other < RUN_UP]
    return bool(since) and (min(since) < LEAST_GAP or bool(np.isclose(noted, min(since)).any()))


def test_over_a_floor_landings_are_foreseen():
    player, locks = _watched("walk", {"turn": 0.5, "slope": -0.3}, lambda places: 0.1 * places[:, 1])
    for _ in range(300):
        player.step(1.0 / RATE)
        assert np.isfinite(player.values()).all()
    assert len(locks.missed) >= 6
    assert max(seconds for seconds, _ in locks.missed) < 1e-9
    assert max(away for _, away in locks.missed) < 1e-5


def test_a_point_that_stands_in_both_verbs_goes_on_standing():
    player, locks = _watched("stand")
    player.command("wave")
    for _ in range(120):
        player.step(1.0 / RATE)
    assert player.verb == "wave" and player.transition is None
    assert locks.switched == [(0.0, 0, True), (0.0, 1, True)]


def test_feet_left_behind_step_home_one_after_the_other():
    player, locks = _watched("walk")
    player.step(0.5)
    player.command("stand")
    lifted: set[int] = set()
    for _ in range(600):
        player.step(1.0 / RATE)
        player.values()
        assert len(player.stepping) <= 1
        lifted |= player.stepping
    row = player.unlocked()
    assert player.verb == "stand" and lifted
    assert max(locks.distances([point], player.time, row)[0] for point in range(2)) < 0.04


@cache
def _suggested(seconds: float) -> VerbGraph:
    """The generated verbs with the transitions that are suggested; but for waves a command alone leaves them."""
    verbs = generated_verbs()
    pairs = [(one, other) for one in verbs for other in verbs if one is not other]
    found = [made.transition for pair in pairs for made in suggest_transitions(*pair, seconds=seconds)]
    return compile_graph(verbs, [replace(way, likelihood=float(way.source == "wave")) for way in found])


@cache
def _passing(seconds: float, start: str, target: str) -> Recording:
    """What is performed when one verb is left for another."""
    graph, score = _suggested(seconds), Score(start, (Command(0.4, target),))
    return performed(graph, score, np.arange(0.0, 2.5, 1.0 / RATE), locked=True)


SUGGESTED = [(0.2, "walk", "wave"), (0.4, "walk", "wave"), (0.2, "walk", "stand"), (0.4, "walk", "stand")]


def _stands(recording: Recording, point: str) -> np.ndarray:
    return np.array([(mark.start, mark.end) for mark in recording.marks if mark.name == point])


@pytest.mark.parametrize(("seconds", "start", "target"), SUGGESTED)
def test_who_stops_lets_no_foot_go_for_less_than_a_step_takes(seconds: float, start: str, target: str):
    graph, recording = _suggested(seconds), _passing(seconds, start, target)
    stands = [_stands(recording, point.name) for point in graph.points]
    lifted = np.concatenate([each[1:, 0] - each[:-1, 1] for each in stands])
    assert target in recording.verbs and len(lifted)
    assert lifted.min() > 0.3


@pytest.mark.parametrize(("seconds", "start", "target"), SUGGESTED)
def test_what_is_written_down_as_standing_does_not_step_home(seconds: float, start: str, target: str):
    graph, recording = _suggested(seconds), _passing(seconds, start, target)
    for point in graph.points:
        places = world_points(graph.channels, recording.values, point.joint, point.offset)[:, :2]
        begins = [h.name == point.name and h.kind in ("down", "home") for h in recording.happenings]
        assert len(_stands(recording, point.name)) == sum(begins)
        for begin, end in _stands(recording, point.name):
            held = places[(recording.times >= begin) & (recording.times <= end)]
            assert np.linalg.norm(held - held[0], axis=1).max(initial=0.0) < 0.002


def test_no_foot_is_kept_that_would_be_left_far_behind():
    graph = _suggested(0.2)
    player = stepped(graph, "walk", locked=True)
    player.command("stand")
    for _ in range(120):
        player.step(1.0 / RATE)
        assert player.unlocked()[5] - player.values()[5] < 0.06
    assert player.verb == "stand"


def test_points_of_one_leg_are_one_limb():
    graph = generated_graph()
    names = {point.name: index for index, point in enumerate(graph.points)}
    heel = type(graph.points[0])("heel", graph.channels.skeleton.names.index("Foot_L"), np.zeros(3))
    found = limbs((*graph.points, heel), graph.channels.skeleton)
    assert [names["Toes_L"], 2] in found and [names["Toes_R"]] in found


def test_only_a_verb_that_is_faint_leaves_standing_what_it_has_in_the_air():
    graph = generated_graph()
    points = {point.name: index for index, point in enumerate(graph.points)}
    weights: dict[bool, list[float]] = {True: [], False: []}
    for way in graph.transitions:
        middle = dict.fromkeys(("mood", "slope", "turn", "energy", "height"), 0.0)
        old, new = (Pacer(graph.verb(name), points).at(middle) for name in (way.source, way.target))
        passage = begun(way, Playing(old, way.leaves.begin), new, np.ones(len(graph.channels.rotating)))
        while not passage.done:
            by_old, by_new, weight = passage.old.standing, passage.new.standing, fade(passage.passed)
            assert passage.standing & by_old & by_new == by_old & by_new
            for point in points.values():
                if (by_old ^ by_new) >> point & 1:
                    in_the_air = weight if by_new >> point & 1 else 1.0 - weight
                    weights[bool(passage.standing >> point & 1)].append(in_the_air)
            passage = passage.gone(min(passage.next_edge(), passage.passed + 0.005))
    assert min(map(len, weights.values())) > 100
    assert max(weights[True]) < 0.15 + 1e-9
    assert min(weights[False]) > 0.15 - 1e-9


def test_feet_that_come_to_stand_in_transitions_stand_on_the_ground():
    graph = generated_graph()
    rows, standing, stepping = _played("blended", True)
    for point in graph.points:
        down = np.array([point.name in names for names in standing])
        settled = np.array([down[max(0, frame - 7) : frame + 1].all() for frame in range(len(down))]) & ~stepping
        heights = world_points(graph.channels, rows, point.joint, point.offset)[:, 2]
        clearances = [c.clearances.ravel() for v in graph.verbs for c in v.contacts if c.point == point.name]
        rest = np.median(np.concatenate(clearances))
        assert settled.sum() > 400
        assert np.abs(heights[settled] - rest).max() < 0.012


@pytest.mark.parametrize("kind", ["blended", "inertialised"])
def test_where_frames_lie_does_not_matter_to_what_locks_make(kind: Literal["blended", "inertialised"]):
    rows, _, _ = _played(kind, True)
    graph = generated_graph(kind)
    player = stepped(graph, "walk", {"mood": 0.3}, locked=True)
    for frame in range(0, len(rows), SELDOM):
        assert np.abs(player.values() - rows[frame]).max() < 1e-4
        for later in range(frame, frame + SELDOM):
            if later in COMMANDS:
                player.command(COMMANDS[later])
            player.step(1.0 / RATE)


@pytest.mark.parametrize("seed", [4, 7, 19, 39])
def test_where_frames_lie_does_not_matter_while_adverbs_settle(seed: int):
    """A point whose contact begins or ends because an adverb has settled is held or let go then, not a frame later."""
    rows = [_wandering(seed, cuts) for cuts in (1, 2, 3)]
    assert np.abs(rows[1] - rows[0]).max() < 1e-4
    assert np.abs(rows[2] - rows[0]).max() < 1e-4


def _wandering(seed: int, cuts: int) -> np.ndarray:
    """Rows at 30 frames a second, each cut into so many steps, while adverbs and verbs are asked for at random."""
    rng, graph = np.random.default_rng(seed), generated_graph()
    player = stepped(graph, "walk", locked=True, settle=0.2)
    rows: list[np.ndarray] = []
    for _ in range(300):
        if rng.random() < 0.3:
            player.set_adverbs({name: rng.uniform(-1.0, 1.0) for name in ("mood", "slope", "turn")})
        if rng.random() < 0.02:
            player.command(("stand", "walk", "wave")[int(rng.integers(3))])
        rows.append(player.values())
        for _ in range(cuts):
            player.step(1.0 / 30.0 / cuts)
    return np.array(rows)


@pytest.mark.parametrize("step", [0.01, 0.037, 0.5])
def test_steps_that_end_where_the_pose_is_noted_change_nothing(step: float):
    """A hundred frames a second end now and then just where the pose before a release is noted."""
    graph = generated_graph()
    ends: list[np.ndarray] = []
    for pace in (step, 4.0):
        player = stepped(graph, "walk", locked=True)
        player.command("stand")
        for _ in range(8):
            moment = player.time + 0.5
            while moment - player.time > 1e-9:
                player.step(min(pace, moment - player.time))
            ends.append(player.values())
    assert np.abs(np.array(ends[:8]) - np.array(ends[8:])).max() < 1e-9
