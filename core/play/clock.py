"""Clocks: the wall's, which is read here and nowhere else, a virtual one for bakes and tests, and one that waits."""

import time
from typing import Protocol


class Clock(Protocol):
    """What tells the seconds since a performance began."""

    def now(self) -> float:
        """Seconds."""
        ...

    def wait_until(self, seconds: float) -> None:
        """Come back when it is `seconds` or later."""
        ...


class WallClock:
    """Begins at 0 when it is made, and goes on by itself."""

    def __init__(self) -> None:
        self._start = time.perf_counter()

    def now(self) -> float:
        """Seconds since it was made."""
        return time.perf_counter() - self._start

    def wait_until(self, seconds: float) -> None:
        """Sleep until it is `seconds`."""
        while (left := seconds - self.now()) > 0.0:
            time.sleep(left)


class VirtualClock:
    """Begins at 0 and goes on only when it is waited for, or when something is said to take time."""

    def __init__(self) -> None:
        self._now = 0.0

    def now(self) -> float:
        """Seconds that have been waited for or spent."""
        return self._now

    def wait_until(self, seconds: float) -> None:
        """Go on to `seconds` at once; never back."""
        self._now = max(self._now, seconds)

    def spend(self, seconds: float) -> None:
        """Go on by `seconds`, as if work had taken them."""
        self._now += seconds


class HeldClock:
    """Stands at 0 until it is let go, and then goes with another clock.

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
        """Let it go from now on."""
        self._start = self._clock.now()

    def now(self) -> float:
        """Seconds since it was let go, 0 before."""
        return 0.0 if self._start is None else self._clock.now() - self._start

    def wait_until(self, seconds: float) -> None:
        """Wait as the other clock does; not at all while it stands."""
        if self._start is not None:
            self._clock.wait_until(self._start + seconds)
