"""Points that stand on the ground at the moment, and the locks that hold them there."""

import math
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from ..feet.live_locks import LiveLocks
from ..figure.lock_point import LockPoint
from ..figure.skeleton import Skeleton
from .course import Course
from .playing import Playing

Array = NDArray[np.float64]

SETTLED_AFTER = 0.6
"""Seconds for which a point has to stand before it may step home."""
LEFT_AFTER = 0.5
"""Seconds for which it has to go on standing."""
TOO_FAR = 0.047
"""Share of its leg's length from where its verb has it that a standing point bears."""
STRADDLES = 0.5
"""The same if it can step home: more sinks the root by an eighth of the leg."""
FLEETING = 0.2
"""Seconds that are too few for a step home."""
LOOKS_EVERY = 0.1
"""Seconds between two looks whether a foot is to step home: where the frames lie does not matter."""
NEARLY = 1e-9


class Feet:
    """Switches the locks as points come to stand and leave, and lets feet that are left behind step home.

    Parameters
    ----------
    points : (K,) that can stand.
    skeleton : that they belong to.
    locks : that hold them, None for none.
    """

    def __init__(self, points: Sequence[LockPoint], skeleton: Skeleton, locks: LiveLocks | None) -> None:
        self.standing = 0
        self._kept = 0
        self._landings: dict[int, float] = {}
        self._points = tuple(points)
        self._locks = locks
        self._limbs = limbs(points, skeleton)
        self._stood = [0.0] * len(self._points)
        self._look = 0.0

    def stand(
        self,
        standing: int,
        passes: bool,
        course: Callable[[], Course],
        ground: Callable[[int], tuple[float, float]],
        values: Callable[[], Array],
        tell: Callable[[str, str], None],
    ) -> bool:
        """Lock the points that come to stand, let go of those that leave for more than a moment; return whether any do.

        Parameters
        ----------
        standing : bits of the points that stand now.
        passes : whether a transition plays.
        course : gives what is played.
        ground : gives clearance and drop of the window in which the point of a bit stands.
        values : gives the unlocked row (width,) of this moment.
        tell : hears kind and name of a `Happening`.
        """
        leaving, self._kept = self.standing & ~standing & (-1 if passes else self._kept), 0
        for point in range(len(self._points) if self._locks is not None else 0):
            if leaving >> point & 1 and self._returns(point, course()):
                self._kept |= 1 << point
        standing |= self._kept
        changed, self.standing = self.standing ^ standing, standing
        if not changed:
            return False
        row = None if self._locks is None else values()
        for point in range(len(self._points)):
            if changed >> point & 1:
                stands = bool(standing >> point & 1)
                self._stood[point] = 0.0
                self._landings.pop(point, None)
                tell("down" if stands else "up", self._points[point].name)
                if self._locks is None or row is None:
                    continue
                if stands:
                    self._locks.switch_on(point, row, *ground(1 << point))
                else:
                    self._locks.switch_off(point, row)
        return True

    def advance(self, seconds: float) -> None:
        """Let time pass."""
        self._look += seconds
        for point in self._landings:
            self._landings[point] -= seconds
        for point in range(len(self._points)):
            self._stood[point] += seconds
        if self._locks is not None:
            self._locks.advance(seconds)

    @property
    def until_look(self) -> float:
        """Seconds until it is time to look whether a foot is to step home, or has."""
        return math.inf if self._locks is None else min(LOOKS_EVERY - self._look, *self._landings.values(), math.inf)

    def look(self, playing: Playing | None, values: Callable[[], Array], tell: Callable[[str, str], None]) -> None:
        """When it is time, let the limb that has stood longest step home if it stands too far off; one at a time.

        Parameters
        ----------
        playing : the verb that plays alone, None in a transition.
        values : gives the unlocked row (width,) of this moment.
        tell : hears kind and name of a `Happening`.
        """
        for point in [point for point in self._landings if self._landings[point] <= NEARLY]:
            del self._landings[point]
            tell("home", self._points[point].name)
        if self._locks is None or LOOKS_EVERY - self._look > NEARLY:
            return
        self._look = 0.0
        if playing is None or any(self._locks.is_stepping(point) for point in range(len(self._points))):
            return
        for limb in sorted(self._limbs, key=lambda limb: -max(self._stood[point] for point in limb)):
            down = [point for point in limb if self.standing >> point & 1]
            if not down or any(self._stood[p] < SETTLED_AFTER or _left(playing, p) < LEFT_AFTER for p in down):
                continue
            row = values()
            if any(self._locks.distance(p, row) > TOO_FAR * self._locks.length(p) for p in down):
                for point in down:
                    self._landings[point] = self._locks.step_home(point, row)
                    tell("lift", self._points[point].name)
                return

    def _returns(self, point: int, ahead: Course) -> bool:
        """Whether a point stands again in a moment, and bears it."""
        seconds = ahead.until_stands(1 << point)
        if self._locks is None or seconds is None or seconds >= FLEETING:
            return False
        passage, playing = ahead.passage, ahead.passage.new if ahead.passage else ahead.playing
        look = LOOKS_EVERY + (passage.seconds if passage else 0.0)
        bears = STRADDLES if _left(playing, point) >= look + LEFT_AFTER else TOO_FAR
        return self._locks.distance(point, ahead.row()) <= bears * self._locks.length(point)


def limbs(points: Sequence[LockPoint], skeleton: Skeleton) -> list[list[int]]:
    """Indices of `points` grouped by limb: one joint of a limb carries the other."""
    found: list[list[int]] = []
    for index, point in enumerate(points):
        own = _chain(point.joint, skeleton)
        for limb in found:
            other = points[limb[0]].joint
            if other in own or point.joint in _chain(other, skeleton):
                limb.append(index)
                break
        else:
            found.append([index])
    return found


def _left(playing: Playing, point: int) -> float:
    """Seconds for which a point that stands goes on standing, as far as the verb that plays can tell."""
    if not playing.rate:
        return math.inf
    return (playing.now.stands_until(playing.phase, 1 << point) - playing.phase) / playing.rate


def _chain(joint: int, skeleton: Skeleton) -> set[int]:
    chain: set[int] = set()
    while joint > 0:
        chain.add(joint)
        joint = int(skeleton.parents[joint])
    return chain
