"""Feet come down where and when it was foretold two steps before, and foretelling changes nothing.

What is foretold is judged by the feet alone: a foot has come down where its ball has become low and slow.
"""

from dataclasses import dataclass

import numpy as np
import pytest
from verbs_adverbs.core.feet.footholds_off_edges import Floor
from verbs_adverbs.core.feet.footprints import Footprint
from verbs_adverbs.core.figure.channels import world_joints, world_points
from verbs_adverbs.core.graph.verb_graph import VerbGraph
from verbs_adverbs.core.play.player import AskAdverbs
from verbs_adverbs.core.steer.goals import StandOnMark
from verbs_adverbs.core.steer.steering import Steering
from verbs_adverbs.core.steer.way_ahead import Steered, WayAhead

from .graphs import generated_graph, random_graph
from .stepping import Stepped, stepped

RATE, FINE = 30, 2
"""Frames a second that are shown, and rows for each of them from which it is judged when feet come down."""
WITHIN, FRAME = 0.03, 1.0 / 30.0
POINTS = np.radians(4.0)
LOW, SLOW, AGAIN = 0.02, 0.15, 0.25
"""Metres over the ground and metres a second below which a ball stands, and seconds before it can come down again."""
SECONDS = 3.2


def _level(places: np.ndarray) -> np.ndarray:
    return np.zeros(len(places))


def _stairs(up: float) -> Floor:
    """Stairs along -Y, up or down, on whose treads the walk does not fit by itself."""
    return lambda places: up * 0.13 * np.floor(-places[:, 1] / 0.4)


@dataclass(frozen=True)
class Fall:
    """A foot that has come down: when, which of both, where its ball is, and in which row."""

    time: float
    side: int
    place: np.ndarray
    row: int


def _falls(times: np.ndarray, paths: np.ndarray, floor: Floor, height: float) -> list[Fall]:
    """Falls, in order of time, of two balls with paths (T, 2, 3) that stand at a height over the floor."""
    found: list[Fall] = []
    for foot, side in ((0, 1), (1, -1)):
        path = paths[:, foot]
        speed = np.linalg.norm(np.diff(path, axis=0), axis=-1) / np.diff(times)
        stands = (speed < SLOW) & (path[1:, 2] - floor(path[1:, :2]) < height + LOW)
        for row in np.flatnonzero(stands[1:] & ~stands[:-1]) + 1:
            ended = [fall.time for fall in found if fall.side == side and times[row] - fall.time < AGAIN]
            if not ended:
                found.append(Fall(times[row], side, path[row + 1], row + 1))
    return sorted(found, key=lambda fall: fall.time)


@dataclass(frozen=True)
class Foretold:
    """Rows of a walk at fine times, and what was foretold at each shown frame: the time, and the footprints."""

    graph: VerbGraph
    times: np.ndarray
    values: np.ndarray
    told: list[tuple[float, tuple[Footprint, ...]]]

    def falls(self, floor: Floor) -> list[Fall]:
        points = sorted(self.graph.points, key=lambda point: point.name)
        paths = np.stack([world_points(self.graph.channels, self.values, p.joint, p.offset) for p in points], axis=1)
        lowest = float((paths[..., 2] - floor(paths[..., :2].reshape(-1, 2)).reshape(len(paths), 2)).min())
        return _falls(self.times, paths, floor, max(lowest, 0.0))

    def misses(self, floor: Floor) -> list[tuple[float, float]]:
        """Metres over the ground and seconds by which each foot missed where it was foretold two steps before."""
        falls, found = self.falls(floor), list[tuple[float, float]]()
        for before, between, fall in zip(falls, falls[1:], falls[2:], strict=False):
            told = [prints for time, prints in self.told if before.time <= time < between.time]
            own = [one for prints in told for one in prints if one.side == fall.side and one.time > before.time + AGAIN]
            if not own:
                continue
            print_ = own[0]
            found.append((float(np.hypot(*(fall.place[:2] - print_.place[:2]))), abs(print_.time - fall.time)))
            assert abs(print_.place[2] - floor(fall.place[None, :2])[0]) < WITHIN
            assert abs(np.angle(np.exp(1j * (print_.heading - self._pointing(fall))))) < POINTS
        return found

    def _pointing(self, fall: Fall) -> float:
        """Direction from the ankle to the ball of a foot that has come down."""
        names, joints = self.graph.channels.skeleton.names, world_joints(self.graph.channels, self.values[[fall.row]])
        ankle, ball = (joints[0, names.index(f"{bone}_{'L' if fall.side > 0 else 'R'}")] for bone in ("Foot", "Toes"))
        return float(np.arctan2(*(ball - ankle)[1::-1]))


def _walked(player: Stepped, seconds: float, steering: Steering | None = None) -> Foretold:
    """Play on frame by frame, and look ahead at each of them, anew only when something was asked."""
    plays = player.held or player.player
    begin, times, rows, told = round(player.time * RATE), [], [], []
    steered = None if steering is None else Steered(steering, lambda _player: AskAdverbs({}), begin, RATE)
    ahead = WayAhead(plays, steered)
    for frame in range(begin, begin + round(seconds * RATE)):
        if steering is not None:
            steering.before_step(player.player, player.time, FRAME)
        ahead.extend(player.time)
        told.append((player.time, ahead.way.prints))
        fine = (frame + np.arange(1, FINE + 1) / FINE) / RATE
        rows.append(plays.advance(fine).values)
        times.append(fine)
    return Foretold(player.graph, np.concatenate(times), np.concatenate(rows), told)


CASES = {
    "on the level, in a turn": (True, _level, {"turn": 0.8, "mood": 0.5}),
    "on the level, unlocked": (False, _level, {}),
    "up stairs": (True, _stairs(1.0), {}),
    "down stairs, in a turn": (True, _stairs(-1.0), {"turn": 0.3}),
}


@pytest.mark.parametrize("case", CASES)
def test_feet_come_down_where_and_when_it_was_foretold_two_steps_before(case: str, tell):
    locked, floor, adverbs = CASES[case]
    player = stepped(generated_graph(), "walk", locked=locked, floor=None if floor is _level else floor)
    player.step(0.5)
    player.set_adverbs(adverbs)
    misses = np.array(_walked(player, SECONDS).misses(floor))
    ways, times = misses.T
    tell(
        f"footfalls {case}: {len(misses)}, {100 * ways.mean():.2f} cm on average and {100 * ways.max():.2f} at most;"
        f" {times.mean() / FRAME:.2f} frames and {times.max() / FRAME:.2f} at most"
    )
    assert len(misses) >= 3 and ways.max() < WITHIN and times.max() < FRAME


def test_a_steered_figure_goes_where_it_was_foretold():
    player, steering = stepped(generated_graph(), "walk", settle=0.3, locked=True), Steering("turn")
    steering.ask(StandOnMark((1.2, -2.5), None, "stand"))
    player.step(0.5)
    walked = _walked(player, 2.8, steering)
    ways, times = np.array(walked.misses(_level)).T
    assert len(ways) >= 3 and ways.max() < WITHIN
    assert times[:-1].max() < FRAME, "the last step, which closes the feet, comes down too slowly to have a moment"


def test_looking_ahead_changes_nothing_and_knows_choices_that_are_drawn():
    seen, unseen = (stepped(random_graph(3), "a", seed=5).player for _ in range(2))
    ahead, places, verbs = WayAhead(seen), list[np.ndarray](), set[str]()
    told = dict[float, np.ndarray]()
    for frame in range(1, 121):
        ahead.extend(seen.time)
        told |= {round(time, 6): place for time, place in zip(ahead.way.times, ahead.way.places, strict=True)}
        row = seen.advance([frame / RATE])
        # Sums of NumPy differ in their last bits with the place in memory of what is summed.
        assert np.abs(row.values - unseen.advance([frame / RATE]).values).max() < 1e-14
        places.append(told[round(frame / RATE, 6)][:2] - seen.travel[:2])
        verbs.add(seen.verb)
    assert len(verbs) > 1 and np.abs(places).max() < 1e-9


@pytest.mark.parametrize("rate", (60.0, 24.0, 2.0))
def test_the_way_is_known_without_holes_for_seconds_ahead_at_any_frame_rate(rate: float):
    player = stepped(generated_graph(), "walk").player
    ahead = WayAhead(player)
    for frame in range(1, round(4.0 * rate) + 1):
        player.play(frame / rate)
        ahead.extend(frame / rate)
    times = ahead.way.times
    assert np.diff(times) == pytest.approx(1.0 / 30.0) and times[0] < player.time + 1.0 / 30.0
    assert times[-1] > player.time + 2.9 and 5 <= len(ahead.way.prints) <= 6
