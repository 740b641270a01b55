"""The main loop: a discrete event simulator with its clocks, and the events of frames ([Rose1998] section 6)."""

import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import Literal, Protocol

Callback = Callable[[float], None]
Kind = Literal["normal", "sync", "optional"]

FASTEST, SLOWEST = 60.0, 2.0
"""Default maximum and minimum of frames a second."""
ROOM = 1.1
"""Time planned for a frame, as a multiple of the time that the last one took."""
EASE = 0.25
"""Share by which the time planned for a frame decreases towards the time that the last one took."""
KEPT = 10_000
"""Number of frames whose times are kept."""
RENDER, TELL, DISPLAY = 100, 101, 102
"""Priorities: at one time stamp, everything else happens before the frame is rendered."""


class Clock(Protocol):
    """Gives the seconds since a performance began."""

    def now(self) -> float:
        """Return the present time in seconds."""
        ...


class WallClock:
    """A clock that starts at 0 when it is made, and follows real time."""

    def __init__(self) -> None:
        self._start = time.perf_counter()

    def now(self) -> float:
        """Return the seconds since the clock was made."""
        return time.perf_counter() - self._start


class VirtualClock:
    """A clock that begins at 0 and goes on only when it is told that time was spent."""

    def __init__(self) -> None:
        self._now = 0.0

    def now(self) -> float:
        """Return the seconds that have been spent."""
        return self._now

    def spend(self, seconds: float) -> None:
        """Advance by `seconds`, as if work had taken them."""
        self._now += seconds


class HeldClock:
    """A clock that is held at 0 until it is released, and then follows another clock.

    Parameters
    ----------
    clock : the other one.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._start: float | None = None

    @property
    def held(self) -> bool:
        """Whether it is held."""
        return self._start is None

    def let_go(self) -> None:
        """Release it to follow the other clock from now on."""
        self._start = self._clock.now()

    def now(self) -> float:
        """Return the seconds since it was released, 0 before."""
        return 0.0 if self._start is None else self._clock.now() - self._start


@dataclass(eq=False)
class Event:
    """Something that happens once, at a time stamp.

    Parameters
    ----------
    time : time stamp in seconds.
    callback : called with the time stamp.
    kind : ``'normal'`` is handled when it is reached, whatever the clock shows; ``'sync'`` waits for the clock to reach
        the time stamp; ``'optional'`` is skipped if the clock has passed the time stamp, and is otherwise like a normal
        one.
    cancelled : whether it is skipped.
    """

    time: float
    callback: Callback
    kind: Kind
    cancelled: bool = False

    def cancel(self) -> None:
        """Skip this event when it is reached."""
        self.cancelled = True


class Simulator:
    """Handles events in order of time stamp, then of priority, then of insertion.

    Parameters
    ----------
    clock : clock that time stamps are compared with.
    """

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self._queue: list[tuple[float, int, int, Event]] = []
        self._added = 0

    def add(self, time: float, callback: Callback, kind: Kind = "normal", priority: int = 0) -> Event:
        """Put an event on the queue and return it; of those with one time stamp the lowest `priority` comes first."""
        event = Event(time, callback, kind)
        heappush(self._queue, (time, priority, self._added, event))
        self._added += 1
        return event

    @property
    def next(self) -> Event | None:
        """The next event to be handled; None if the queue is empty."""
        while self._queue and self._queue[0][-1].cancelled:
            heappop(self._queue)
        return self._queue[0][-1] if self._queue else None

    def due(self, now: float | None = None) -> int:
        """Handle the events that need not wait: those up to the first sync event later than `now`.

        This is for callers that must not block. The time stays `now` throughout, so that events that take longer than
        the time between them cannot trap the caller here.

        Parameters
        ----------
        now : seconds; by default the time of the clock at the call.

        Returns
        -------
        Number of events handled.
        """
        moment, count = self.clock.now() if now is None else now, 0
        while (event := self.next) and not (event.kind == "sync" and event.time > moment):
            self._reach(event, moment)
            count += 1
        return count

    def _reach(self, event: Event, now: float) -> None:
        """Remove an event from the queue, and handle it unless it is optional and late."""
        heappop(self._queue)
        if event.kind != "optional" or now <= event.time:
            event.callback(event.time)


@dataclass(frozen=True)
class Frame:
    """One frame that was shown.

    Parameters
    ----------
    time : its time stamp in seconds.
    rendered : clock time in seconds at which it was rendered.
    displayed : clock time in seconds at which it was displayed.
    """

    time: float
    rendered: float
    displayed: float


class Frames:
    """Renders each frame when its event is reached, and displays it when the clock reaches its time stamp.

    The render event measures the clock time since the last frame was rendered, without the time spent waiting for the
    clock. This is the duration of a frame, and the next time stamp follows after that duration and a little more. If
    there is more work, the next frame gets the additional time at once; if there is less, the frame rate increases
    gradually. A late frame does not delay those that follow: the next time stamp is relative to the clock.

    Parameters
    ----------
    simulator : simulator on whose queue the events are put.
    render : sets the pose at a time stamp and draws it, unseen.
    display : shows what was rendered.
    tell : reports what was rendered; an optional event, skipped if a frame is late.
    fastest, slowest : frames a second.
    near : receives the time stamp planned for a frame and the seconds from one frame to the next; returns its actual
        time stamp. By default it is unchanged.
    """

    def __init__(
        self,
        simulator: Simulator,
        render: Callback,
        display: Callback,
        tell: Callback | None = None,
        fastest: float = FASTEST,
        slowest: float = SLOWEST,
        near: Callable[[float, float], float] | None = None,
    ) -> None:
        self.shown: deque[Frame] = deque(maxlen=KEPT)
        self.interval = 1.0 / fastest
        self._shortest, self._longest = 1.0 / fastest, 1.0 / slowest
        self._simulator, self._render, self._display, self._tell = simulator, render, display, tell
        self._near = near
        self._pending: tuple[Event, ...] = ()
        self._last: tuple[float, float] | None = None

    @property
    def rate(self) -> float:
        """Present frame rate in frames a second."""
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
        wanted = max(time, now) + self.interval
        self._insert(wanted if self._near is None else self._near(wanted, self.interval))
        self._pending = (*shown, *self._pending)

    def _on_display(self, time: float) -> None:
        """Show the frame that was rendered last, and record the time."""
        rendered = self._last[1] if self._last else time
        self._display(time)
        self.shown.append(Frame(time, rendered, self._simulator.clock.now()))

    def _measure(self, now: float) -> None:
        """Set the interval to the next frame from the duration of this one, which was rendered at `now`."""
        if self._last is None:
            return
        time, rendered = self._last
        needed = ROOM * (now - rendered - max(time - rendered, 0.0))
        if needed < self.interval:
            needed = self.interval + EASE * (needed - self.interval)
        self.interval = min(max(needed, self._shortest), self._longest)
