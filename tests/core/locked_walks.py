"""The generated walk, played and with its feet held: what the tests of locks measure."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np
from verbs_adverbs.core.feet.fading import LEAST_GAP
from verbs_adverbs.core.feet.live_locks import LiveLocks
from verbs_adverbs.core.feet.locks import Span, lock_motion
from verbs_adverbs.core.feet.spans import lock_points, planted_spans
from verbs_adverbs.core.figure import quaternion as quat
from verbs_adverbs.core.figure.channels import rotations_of, world_joints, world_points
from verbs_adverbs.core.verb.build import build_verb
from verbs_adverbs.core.verb.perform import perform
from verbs_adverbs.core.verb.verb import Verb

from .walks import ADVERBS, biped_channels, walk_examples

RATE = 60.0
Floor = Callable[[np.ndarray], np.ndarray]


@cache
def walk() -> Verb:
    return build_verb("walk", biped_channels(), walk_examples(), ADVERBS, [[-1, 1], [-1, 1]])


@dataclass(frozen=True, eq=False)
class Played:
    verb: Verb
    times: np.ndarray
    values: np.ndarray
    spans: list[Span]

    def locked(self, floor: Floor | None = None) -> np.ndarray:
        points = lock_points(self.verb)
        return lock_motion(self.verb.channels, points, self.times, self.values, self.spans, floor)

    def point(self, values: np.ndarray, index: int) -> np.ndarray:
        contact = self.verb.contacts[index]
        return world_points(self.verb.channels, values, contact.joint, contact.offset)

    def held(self, index: int) -> list[np.ndarray]:
        """Rows of each window of a point."""
        rows = [np.flatnonzero((self.times >= s.begin) & (self.times <= s.end)) for s in self.spans if s.point == index]
        return [r for r in rows if len(r) > 1]


def play(adverbs: Callable[[np.ndarray], np.ndarray] | tuple[float, float], seconds: float = 5.0) -> Played:
    times = np.arange(int(seconds * RATE) + 1) / RATE
    points = adverbs(times) if callable(adverbs) else np.tile(np.array(adverbs), (len(times), 1))
    played = perform(walk(), times, points)
    weights = walk().weights(points)
    spans = planted_spans(walk(), times, played.phases, weights, played.values)
    return Played(walk(), times, played.values, spans)


def swinging(times: np.ndarray) -> np.ndarray:
    """Adverbs that go from end to end of their ranges every five seconds."""
    return np.stack([np.sin(0.4 * np.pi * times), np.cos(0.4 * np.pi * times)], axis=-1)


def fed(played: Played, floor: Floor | None = None) -> np.ndarray:
    """The same through the locks frame by frame, which are told everything at the same instants."""
    locks = LiveLocks(played.verb.channels, lock_points(played.verb), floor)
    events = [(s.begin, True, s) for s in played.spans] + [(s.end, False, s) for s in played.spans]
    events = sorted((e for e in events if np.isfinite(e[0])), key=lambda e: (e[0], e[1]))
    for span in sorted({s.point: s for s in reversed(played.spans)}.values(), key=lambda s: s.begin):
        locks.expect(span.point, span.begin, span.opening, span.clearance, span.drop)
    now, rows = 0.0, []
    for time, row in zip(played.times, played.values, strict=True):
        while events and events[0][0] <= time:
            instant, opens, span = events.pop(0)
            locks.advance(instant - now)
            now = instant
            if opens:
                locks.switch_on(span.point, span.opening, span.clearance, span.drop)
                continue
            locks.switch_off(span.point, span.closing)
            later = [s for s in played.spans if s.point == span.point and s.begin >= span.end]
            if later:
                after = later[0]
                locks.expect(after.point, after.begin - now, after.opening, after.clearance, after.drop)
        locks.advance(float(time) - now)
        now = float(time)
        rows.append(locks.apply(row))
        if not events or events[0][0] - now >= LEAST_GAP:
            locks.note(row)
    return np.array(rows)


def slip(played: Played, values: np.ndarray) -> float:
    """Largest speed over the floor of a held point, centimetres a second."""
    speeds = [0.0]
    for index in range(len(played.verb.contacts)):
        point = played.point(values, index)
        for rows in played.held(index):
            speeds.append(float(np.linalg.norm(np.diff(point[rows, :2], axis=0), axis=-1).max() * RATE * 100.0))
    return max(speeds)


def correction(played: Played, values: np.ndarray) -> float:
    """Largest turn of a joint from the unlocked motion, degrees."""
    given, made = (rotations_of(played.verb.channels, v) for v in (played.values, values))
    return float(np.degrees(quat.angle_between(given, made)).max())


def worst_pop(played: Played, values: np.ndarray) -> float:
    """By how many degrees a joint turns more in one frame than it does unlocked."""
    given, made = (rotations_of(played.verb.channels, v) for v in (played.values, values))
    return float(np.degrees(quat.angle_between(made[1:], made[:-1]) - quat.angle_between(given[1:], given[:-1])).max())


def root_step(played: Played, values: np.ndarray) -> float:
    """Largest step of the root in one frame."""
    return float(np.linalg.norm(np.diff(world_joints(played.verb.channels, values)[:, 0], axis=0), axis=-1).max())
