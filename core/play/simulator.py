"""The main loop: a discrete event simulator, and clocks that time stamps are compared with ([Rose1998] section 6)."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import Literal, Protocol

Callback = Callable[[float], None]
Kind = Literal["normal", "sync", "optional"]


class Clock(Protocol):
    """Gives the seconds since a performance began, and waits for them."""

    def now(self) -> float:
        """Return the present time in seconds."""
        ...

    def wait_until(self, seconds: float) -> None:
        """Return when it is `seconds` or later."""
        ...


class WallClock:
    """A clock that is at 0 when it is made, and follows real time."""

    def __init__(self) -> None:
        self._start = time.perf_counter()

    def now(self) -> float:
        """Return the seconds since the clock was made."""
        return time.perf_counter() - self._start

    def wait_until(self, seconds: float) -> None:
        """Sleep until it is `seconds`."""
        while (left := seconds - self.now()) > 0.0:
            time.sleep(left)


class VirtualClock:
    """A clock that begins at 0 and goes on only when it is waited for, or told that time was spent."""

    def __init__(self) -> None:
        self._now = 0.0

    def now(self) -> float:
        """Return the seconds that have been waited for or spent."""
        return self._now

    def wait_until(self, seconds: float) -> None:
        """Go on to `seconds` at once; never back."""
        self._now = max(self._now, seconds)

    def spend(self, seconds: float) -> None:
        """Go on by `seconds`, as if work had taken them."""
        self._now += seconds


class HeldClock:
    """A clock that stands at 0 until it is let go, and then follows another clock.

    Parameters
    ----------
    clock : the other one.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._start: float | None = None

    @property
    def held(self) -> bool:
        """Whether it stands."""
        return self._start is None

    def let_go(self) -> None:
        """Let it follow the other clock from now on."""
        self._start = self._clock.now()

    def now(self) -> float:
        """Return the seconds since it was let go, 0 before."""
        return 0.0 if self._start is None else self._clock.now() - self._start

    def wait_until(self, seconds: float) -> None:
        """Wait as the other clock does; not at all while it stands."""
        if self._start is not None:
            self._clock.wait_until(self._start + seconds)


@dataclass(eq=False)
class Event:
    """Something that happens once, at a time stamp.

    Parameters
    ----------
    time : time stamp in seconds.
    callback : called with the time stamp.
    kind : ``'normal'`` happens when it is reached, whatever the clock says; ``'sync'`` waits for the clock to reach the
        time stamp; ``'optional'`` is left out if the clock has passed the time stamp, and is otherwise like a normal
        one.
    cancelled : if so it is skipped.
    """

    time: float
    callback: Callback
    kind: Kind
    cancelled: bool = False

    def cancel(self) -> None:
        """Skip this event when it is reached."""
        self.cancelled = True


class Simulator:
    """Handles events in the order of their time stamps, then of their priorities, then as they were added.

    Parameters
    ----------
    clock : that time stamps are compared with.
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
        """The event that will be handled next; None when the queue is empty."""
        while self._queue and self._queue[0][-1].cancelled:
            heappop(self._queue)
        return self._queue[0][-1] if self._queue else None

    def run_until(self, end: float) -> None:
        """Handle all events up to the time stamp `end`; wait for the clock where they ask for it, and at the end."""
        while (event := self.next) and event.time <= end:
            if event.kind == "sync":
                self.clock.wait_until(event.time)
            self._reach(event, self.clock.now())
        self.clock.wait_until(end)

    def due(self, now: float | None = None) -> int:
        """Handle the events that need not wait: those up to the first sync event later than `now`.

        For callers that must not block. The time counts as `now` throughout, so that events which take longer than the
        time between them cannot keep the caller here.

        Parameters
        ----------
        now : seconds; by default what the clock says at the call.

        Returns
        -------
        how many events were handled
        """
        moment, count = self.clock.now() if now is None else now, 0
        while (event := self.next) and not (event.kind == "sync" and event.time > moment):
            self._reach(event, moment)
            count += 1
        return count

    def _reach(self, event: Event, now: float) -> None:
        """Take an event off the queue, and handle it unless it is optional and late."""
        heappop(self._queue)
        if event.kind != "optional" or now <= event.time:
            event.callback(event.time)
