"""The animation engine of [Gruenvogel2003] section 3: time in frames, a motion buffer, and one whole posture a frame.

The paper runs the motion controller, the motion buffer and the submitter in a thread each. Here all three are events of
one loop, the simulator: a posture takes less than a frame to make, threads of Python would take turns anyhow, and the
order of events, and with it what is seen, is the same in every run. What the buffer is for stays: so many frames are
made ahead, and a command takes effect at the first frame that is not in it.
"""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from math import isfinite

import numpy as np
from numpy.typing import NDArray

from ..errors import LayerError
from ..figure.channels import climb
from ..motion.travel import compose, relative
from ..play.player import Asked, Player
from ..play.simulator import Simulator
from ..verb.verb import placed

Array = NDArray[np.float64]

AT_HOME: Array = np.zeros(4)
"""Place of the figure that nobody has put elsewhere: how far x, y, heading and height are off."""


@dataclass(frozen=True)
class Reset:
    """An engine command: everything goes back to the beginning."""


@dataclass(frozen=True)
class Position:
    """An engine command: the figure goes on elsewhere.

    Parameters
    ----------
    x, y, z : of the ground under the root, performance units.
    heading : radians, to the left.
    """

    x: float
    y: float
    z: float
    heading: float


@dataclass(frozen=True, eq=False)
class Posture:
    """What the figure looks like in one frame.

    Parameters
    ----------
    frame : number of the frame, from 0 on; a reset does not change how they are counted.
    values : (width,) the row, in the channels of the player.
    """

    frame: int
    values: Array


class Engine:
    """Makes and hands over the postures of one figure, one each frame.

    Parameters
    ----------
    begin : returns the player at its beginning; called again at each reset.
    submit : what takes a posture in each frame.
    simulator : whose clock tells when frames are due. The engine adds an event for each.
    rate : frames a second.
    ahead : number of frames that are made before they are due.
    """

    def __init__(
        self,
        begin: Callable[[], Player],
        submit: Callable[[Posture], None],
        simulator: Simulator,
        rate: float = 30.0,
        ahead: int = 0,
    ) -> None:
        self._begin, self._submit, self._simulator = begin, submit, simulator
        self._rate, self._ahead = rate, ahead
        self._player, self._since = begin(), 0
        self._buffer: deque[Posture] = deque()
        self._made, self._place = 0, AT_HOME
        self._wanted: Position | None = None
        self._simulator.add(0.0, lambda _: self._show(0), "sync")

    def command(self, what: Asked | Reset | Position) -> None:
        """Ask for something from the first frame on that is not made yet.

        Raises what the player's `command` raises, and what is refused changes nothing.

        Raises
        ------
        LayerError
            If a position is not made of finite numbers.
        """
        if isinstance(what, Reset):
            self._player, self._since = self._begin(), self._made
            self._place, self._wanted = AT_HOME, None
        elif isinstance(what, Position):
            if not all(map(isfinite, (what.x, what.y, what.z, what.heading))):
                raise LayerError("The figure cannot be put there: a coordinate is no finite number. Give another one.")
            self._wanted = what
        else:
            self._player.play(self._seconds())
            self._player.command(self._seconds(), what)

    def _seconds(self) -> float:
        """Return the time of the player at the first frame that is not made yet."""
        return (self._made - self._since) / self._rate

    def _show(self, frame: int) -> None:
        """Hand over the posture of a frame, and make those that are to be in the buffer then."""
        while self._made <= frame + self._ahead:
            self._buffer.append(self._posture())
        self._submit(self._buffer.popleft())
        self._simulator.add((frame + 1) / self._rate, lambda _: self._show(frame + 1), "sync")

    def _posture(self) -> Posture:
        """Make the next posture."""
        stretch = self._player.advance([self._seconds()])
        if self._wanted is not None:
            there = np.array([self._wanted.x, self._wanted.y, self._wanted.heading])
            back = relative(stretch.values[0, :3], np.zeros(3))
            self._place = np.append(compose(there, back), self._wanted.z - stretch.heights[0])
            self._wanted = None
        values = placed(stretch.values, self._place[:3]) if np.any(self._place) else stretch.values
        climb(self._player.channels, values, self._place[3])
        self._made += 1
        return Posture(self._made - 1, values[0])
