"""Render and display events of frames, whose rate follows the load ([Rose1998] section 6)."""

from collections import deque
from dataclasses import dataclass

from .simulator import Callback, Event, Simulator

FASTEST, SLOWEST = 60.0, 2.0
"""Frames a second that are the most and the least by default."""
ROOM = 1.1
"""How many times longer a frame is given than the last one needed."""
EASE = 0.25
"""Share of the way by which the time that a frame is given comes down to what the last one needed."""
KEPT = 10_000
"""Frames whose times are remembered."""
RENDER, TELL, DISPLAY = 100, 101, 102
"""Priorities: at one time stamp, everything else happens before the frame is rendered."""


@dataclass(frozen=True)
class Frame:
    """One frame that was shown.

    Parameters
    ----------
    time : its time stamp in seconds.
    rendered, displayed : seconds of the clock at which it was.
    """

    time: float
    rendered: float
    displayed: float


class Frames:
    """Renders each frame when its event is reached, and displays it when the clock reaches its time stamp.

    The render event measures the clock time since the last frame was rendered, less the time spent waiting for the
    clock. That is how long a frame takes, and the next time stamp comes so much later, and a little more. If there is
    more work, the next frame is given that time at once; if there is less, frames come faster by and by. A frame that
    comes too late does not delay those that follow: the next time stamp is counted from the clock.

    Parameters
    ----------
    simulator : whose queue the events are put on.
    render : sets the pose at a time stamp and draws it, unseen.
    display : shows what was rendered.
    tell : says in words what was rendered; an optional event, left out where a frame comes too late.
    fastest, slowest : frames a second.
    """

    def __init__(
        self,
        simulator: Simulator,
        render: Callback,
        display: Callback,
        tell: Callback | None = None,
        fastest: float = FASTEST,
        slowest: float = SLOWEST,
    ) -> None:
        self.shown: deque[Frame] = deque(maxlen=KEPT)
        self.interval = 1.0 / fastest
        self._shortest, self._longest = 1.0 / fastest, 1.0 / slowest
        self._simulator, self._render, self._display, self._tell = simulator, render, display, tell
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
        tells = () if self._tell is None else (add(time, self._tell, "optional", TELL),)
        rendered, displayed = add(time, self._on_render, "normal", RENDER), add(time, self._on_display, "sync", DISPLAY)
        self._pending = rendered, *tells, displayed

    def _on_render(self, time: float) -> None:
        """Render the frame, and put the next one on the queue."""
        shown = self._pending[1:]
        self._render(time)
        if shown[-1].cancelled:
            return
        now = self._simulator.clock.now()
        self._measure(now)
        self._last = time, now
        self._insert(max(time, now) + self.interval)
        self._pending = (*shown, *self._pending)

    def _on_display(self, time: float) -> None:
        """Show the frame that was rendered last, and remember when."""
        rendered = self._last[1] if self._last else time
        self._display(time)
        self.shown.append(Frame(time, rendered, self._simulator.clock.now()))

    def _measure(self, now: float) -> None:
        """Set the interval to the next frame from how long this one took, which was rendered at `now`."""
        if self._last is None:
            return
        time, rendered = self._last
        needed = ROOM * (now - rendered - max(time - rendered, 0.0))
        if needed < self.interval:
            needed = self.interval + EASE * (needed - self.interval)
        self.interval = min(max(needed, self._shortest), self._longest)
