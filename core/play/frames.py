"""Render and display events, whose rate follows the load ([Rose1998] section 6)."""

from collections import deque
from dataclasses import dataclass

from .simulator import Callback, Event, Simulator

FASTEST, SLOWEST = 60.0, 2.0
ROOM = 1.1
"""How much longer a frame is given than the last ones needed."""
EASE = 0.25
"""Share of the way by which the time that a frame is given comes down to what the last one needed."""
KEPT = 10_000
RENDER, DISPLAY = 100, 101
"""Priorities: at one time stamp, all else happens before the frame is rendered."""


@dataclass(frozen=True)
class Frame:
    """One frame that was shown, in seconds.

    Parameters
    ----------
    time : its time stamp.
    rendered, displayed : what the clock said.
    """

    time: float
    rendered: float
    displayed: float


class Frames:
    """Renders each frame as its event is reached, and displays it when the clock reaches its time stamp.

    The render event measures the clock time since the last frame was rendered, less what was waited for the clock. That
    is how long a frame takes, and the next time stamp comes as much later and a little more. If the work becomes more,
    the next frame is given that time at once; if it becomes less, frames come faster by and by. A frame that comes too
    late does not push back those that follow: the next time stamp is counted from the clock.

    Parameters
    ----------
    simulator : whose queue the events go on.
    render : sets the pose at a time stamp and draws it, unseen.
    display : shows what was rendered.
    fastest, slowest : frames a second.
    """

    def __init__(
        self,
        simulator: Simulator,
        render: Callback,
        display: Callback,
        fastest: float = FASTEST,
        slowest: float = SLOWEST,
    ) -> None:
        self.shown: deque[Frame] = deque(maxlen=KEPT)
        self.interval = 1.0 / fastest
        self._shortest, self._longest = 1.0 / fastest, 1.0 / slowest
        self._simulator, self._render, self._display = simulator, render, display
        self._pending: tuple[Event, ...] = ()
        self._last: tuple[float, float] | None = None

    @property
    def rate(self) -> float:
        """Frames a second at the moment."""
        return 1.0 / self.interval

    def start(self, time: float) -> None:
        """Put the first frame on the queue, with time stamp `time`."""
        self.stop()
        self._insert(time)

    def stop(self) -> None:
        """Render and display nothing more."""
        for event in self._pending:
            event.cancel()
        self._pending, self._last = (), None

    def _insert(self, time: float) -> None:
        add = self._simulator.add
        self._pending = add(time, self._on_render, "normal", RENDER), add(time, self._on_display, "sync", DISPLAY)

    def _on_render(self, time: float) -> None:
        display = self._pending[-1]
        self._render(time)
        if display.cancelled:
            return
        now = self._simulator.clock.now()
        self._measure(now)
        self._last = time, now
        self._insert(max(time, now) + self.interval)
        self._pending = (display, *self._pending)

    def _on_display(self, time: float) -> None:
        rendered = self._last[1] if self._last else time
        self._display(time)
        self.shown.append(Frame(time, rendered, self._simulator.clock.now()))

    def _measure(self, now: float) -> None:
        if self._last is None:
            return
        time, rendered = self._last
        needed = ROOM * (now - rendered - max(time - rendered, 0.0))
        if needed < self.interval:
            needed = self.interval + EASE * (needed - self.interval)
        self.interval = min(max(needed, self._shortest), self._longest)
