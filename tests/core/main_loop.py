"""The main loop of [Rose1998] section 6, which waits for its clock; Perform, which must not block, polls instead."""

from verbs_adverbs.core.play.simulator import Simulator, VirtualClock


class WaitingClock(VirtualClock):
    """A virtual clock that goes on when it is waited for."""

    def wait_until(self, seconds: float) -> None:
        """Go on to `seconds` at once; never back."""
        self._now = max(self._now, seconds)


class MainLoop(Simulator):
    """A simulator that waits for its clock where events ask for it."""

    clock: WaitingClock

    def run_until(self, end: float) -> None:
        """Handle all events up to the time stamp `end`; wait for the clock where they ask for it, and at the end."""
        while (event := self.next) and event.time <= end:
            if event.kind == "sync":
                self.clock.wait_until(event.time)
            self._reach(event, self.clock.now())
        self.clock.wait_until(end)
