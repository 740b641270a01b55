"""What plans of gestures are judged by: kinematics, and an exhaustive search by linear programmes, of their own.

Nothing here is shared with the planner but the gestures and the bounds of their warps, which are what is asked for.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np
from scipy.optimize import linprog
from scipy.spatial.transform import Rotation
from verbs_adverbs.core.figure.channels import Channels
from verbs_adverbs.core.gesture.gesture import Gesture

START, READY, STROKE_START, STROKE, STROKE_END, RELAX, END = range(7)
LEAST, MOST = 0.7, 1.5
"""How many times as long as recorded a phase may last at least and at most."""
STEEPEST = 1.5
"""How much faster than on average a weight changes at most that goes from rest to rest by a cubic."""
LOOKS = 60.0
"""Looks a second by which it is told how fast a gesture is."""
WAYS = [(relaxed, prepared) for relaxed in (True, False) for prepared in (True, False)]
"""Whether the first of two gestures is relaxed, and the second one prepared."""


def rotations(channels: Channels, rows: np.ndarray) -> Rotation:
    """Rotations (T * R,) of the joints that rows (T, width) turn, the root's in the frame of the heading."""
    turns = rows[:, channels.rotation_columns].reshape(-1, 4)
    return Rotation.from_quat(turns[:, [1, 2, 3, 0]])


def hand_paths(channels: Channels, rows: np.ndarray, hand: int) -> np.ndarray:
    """Places (T, 3) of a joint in the character's space."""
    skeleton, joints = channels.skeleton, channels.rotating.tolist()
    turns = rotations(channels, rows).as_quat().reshape(len(rows), len(joints), 4)
    place, joint = np.zeros((len(rows), 3)), hand
    while joint >= 0:
        turn = Rotation.from_quat(turns[:, joints.index(joint)])
        if joint == 0:
            return turn.apply(place) + rows[:, 3:6]
        rest = Rotation.from_quat(skeleton.rests[joint][[1, 2, 3, 0]])
        place = (rest * turn).apply(place)
        joint, offset = int(skeleton.parents[joint]), skeleton.offsets[joint]
        place = place + offset
    raise AssertionError


def widest(first: Rotation, second: Rotation, frames: int) -> np.ndarray:
    """Largest angle (T,) in radians by which any joint turns between rotations (T * R,)."""
    return (first.inv() * second).magnitude().reshape(frames, -1).max(axis=1)


def quickest(channels: Channels, rows: np.ndarray, later: np.ndarray) -> float:
    """Largest angle in degrees by which any joint turns from rows (T, width) to later ones."""
    return float(np.degrees(widest(rotations(channels, rows), rotations(channels, later), len(rows)).max()))


@dataclass(frozen=True, eq=False)
class Judged:
    """A gesture as the judge knows it."""

    gesture: Gesture

    @cached_property
    def spans(self) -> np.ndarray:
        return np.diff(self.gesture.sync)

    @cached_property
    def _synced(self) -> np.ndarray:
        return self.gesture.motion.sample(self.gesture.sync)

    def turned(self, point: int) -> Rotation:
        return rotations(self.gesture.motion.channels, self._synced[point : point + 1])

    @cache  # noqa: B019
    def place(self, hand: int, point: int) -> np.ndarray:
        return hand_paths(self.gesture.motion.channels, self._synced[point : point + 1], hand)[0]

    @cached_property
    def speeds(self) -> tuple[float, float]:
        """The fastest that a hand of its moves, and that a joint turns, a second."""
        times = np.linspace(
            self.gesture.sync[START], self.gesture.sync[END], 2 + int(np.ptp(self.gesture.sync) * LOOKS)
        )
        channels, rows = self.gesture.motion.channels, self.gesture.motion.sample(times)
        step = times[1] - times[0]
        paths = [hand_paths(channels, rows, hand) for hand in self.gesture.hands]
        ways = [np.linalg.norm(np.diff(path, axis=0), axis=1).max() for path in paths]
        angle = widest(rotations(channels, rows[:-1]), rotations(channels, rows[1:]), len(rows) - 1).max()
        return float(max(ways)) / step, float(angle) / step


class Judge:
    """Judges how many gestures of a sequence can be kept, of those that it knows."""

    def __init__(self, gestures: Sequence[Gesture]) -> None:
        self.known = {id(gesture): Judged(gesture) for gesture in gestures}
        hands, turns = zip(*(one.speeds for one in self.known.values()), strict=True)
        self.hand_speed, self.turn_speed = max(hands), max(turns)

    def _way(self, first: Judged, leaves: int, second: Judged, enters: int, hands: frozenset[int]) -> float:
        """Seconds that hands and joints need from a pose to a pose at the greatest speeds."""
        angle = float((first.turned(leaves).inv() * second.turned(enters)).magnitude().max())
        way = max(float(np.linalg.norm(first.place(hand, leaves) - second.place(hand, enters))) for hand in hands)
        return STEEPEST * max(angle / self.turn_speed, way / self.hand_speed)

    def _rules(
        self, said: Sequence[tuple[float, Judged]], ways: Sequence[tuple[bool, bool]], hands: frozenset[int]
    ) -> tuple[list[dict[int, float]], list[float]]:
        """Rows of a linear programme, coefficients by variable and what they may be at most.

        Variables are all instants: 7 of each gesture, of which those of phases that are dropped stand by themselves.
        """
        rows, most = list[dict[int, float]](), list[float]()

        def apart(earlier: int, later: int, least: float, longest: float = np.inf) -> None:
            rows.append({earlier: 1.0, later: -1.0})
            most.append(-least)
            if longest < np.inf:
                rows.append({earlier: -1.0, later: 1.0})
                most.append(longest)

        for n, (_, one) in enumerate(said):
            for phase, span in enumerate(one.spans.tolist()):
                holds = phase in (READY, STROKE_END)
                apart(7 * n + phase, 7 * n + phase + 1, LEAST * span, np.inf if holds else MOST * span)
        for n, (relaxed, prepared) in enumerate(ways):
            (_, one), (_, other) = said[n], said[n + 1]
            leaves, enters = (END if relaxed else STROKE_END), (START if prepared else STROKE_START)
            apart(7 * n + leaves, 7 * n + 7 + enters, 0.0)
            if not (relaxed and prepared):
                apart(7 * n + leaves, 7 * n + 7 + STROKE_START, self._way(one, leaves, other, STROKE_START, hands))
        return rows, most

    def _solved(
        self,
        said: Sequence[tuple[float, Judged]],
        ways: Sequence[tuple[bool, bool]],
        hands: frozenset[int],
        gap: bool = False,
    ) -> float | None:
        """Whether all instants can be placed, by linear programming; the least gap between two if that is asked for."""
        rows, most = self._rules(said, ways, hands)
        matrix = np.zeros((len(rows), 7 * len(said)))
        for number, row in enumerate(rows):
            matrix[number, list(row)] = list(row.values())
        bounds = [(time, time) if point == STROKE else (None, None) for time, _ in said for point in range(7)]
        goal = np.zeros(matrix.shape[1])
        if gap:
            bounds[7 + STROKE] = (None, None)
            goal[7 + STROKE] = 1.0
        found = linprog(goal, matrix, most, bounds=bounds)
        return float(found.fun) if found.status == 0 else None

    @cache  # noqa: B019
    def least_gap(self, first: Judged, second: Judged, way: tuple[bool, bool], hands: frozenset[int]) -> float:
        """Least seconds between the emphases of two gestures in one of the ways."""
        found = self._solved([(0.0, first), (0.0, second)], [way], hands, gap=True)
        assert found is not None
        return found

    def most(self, said: Sequence[tuple[float, Gesture]]) -> int:
        """How many gestures can be kept at most, of some at their words in order of time.

        Subsets are tried from the largest on, with each way between two, until all instants of one can be placed. What
        two of a subset rule out by themselves is ruled out in it, as further instants only add to what must hold.
        """
        words = [(time, self.known[id(gesture)]) for time, gesture in said]
        hands = frozenset(hand for _, one in words for hand in one.gesture.hands)
        follows = [
            [
                (later, way)
                for later in range(number + 1, len(words))
                for way in WAYS
                if words[later][0] - time >= self.least_gap(one, words[later][1], way, hands) - 1e-9
            ]
            for number, (time, one) in enumerate(words)
        ]
        longest = [1] * len(words)
        for number in reversed(range(len(words))):
            longest[number] = 1 + max((longest[later] for later, _ in follows[number]), default=0)

        def possible(chosen: list[int], ways: list[tuple[bool, bool]], lacking: int) -> bool:
            if not lacking:
                return self._solved([words[n] for n in chosen], ways, hands) is not None
            return any(
                possible([*chosen, later], [*ways, way], lacking - 1)
                for later, way in follows[chosen[-1]]
                if longest[later] >= lacking
            )

        for size in range(max(longest), 0, -1):
            if any(possible([n], [], size - 1) for n in range(len(words)) if longest[n] >= size):
                return size
        return 0
