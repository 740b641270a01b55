"""The discrete event simulator, sentence by sentence of [Rose1998] section 6."""

from collections.abc import Callable
from time import sleep

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from verbs_adverbs.core.play.simulator import Kind, WallClock

from .main_loop import MainLoop, WaitingClock

KINDS: tuple[Kind, ...] = ("normal", "sync", "optional")
STAMPS = st.floats(0.0, 100.0)


class _Told:
    """A simulator on a virtual clock, and what its events said: name, time stamp and clock time."""

    def __init__(self) -> None:
        self.clock = WaitingClock()
        self.simulator = MainLoop(self.clock)
        self.said: list[tuple[str, float, float]] = []

    def tells(self, name: str, costs: float = 0.0) -> Callable[[float], None]:
        def tell(stamp: float) -> None:
            self.said.append((name, stamp, self.clock.now()))
            self.clock.spend(costs)

        return tell


EXECUTED: dict[Kind, Callable[[float, float], list[float]]] = {
    "normal": lambda stamp, clock: [clock],
    "sync": lambda stamp, clock: [max(stamp, clock)],
    "optional": lambda stamp, clock: [clock] if clock <= stamp else [],
}
"""When an event is executed: as it is reached whatever the clock says; not before the clock is there; if at all."""


@pytest.mark.parametrize("kind", KINDS)
@given(st.floats(0.0, 10.0), st.floats(0.0, 10.0))
def test_events_are_executed_when_their_kind_says(kind: Kind, stamp: float, clock: float):
    told = _Told()
    told.clock.spend(clock)
    told.simulator.add(stamp, told.tells(kind), kind)
    told.simulator.run_until(20.0)
    assert told.said == [(kind, stamp, time) for time in EXECUTED[kind](stamp, clock)]


@given(st.lists(st.tuples(STAMPS, st.sampled_from(KINDS)), max_size=30))
def test_events_are_processed_in_the_order_of_their_time_stamps(events: list[tuple[float, Kind]]):
    told = _Told()
    for stamp, kind in events:
        told.simulator.add(stamp, told.tells(kind), kind)
    told.simulator.run_until(100.0)
    assert [stamp for _, stamp, _ in told.said] == sorted(stamp for stamp, _ in events)
    assert told.simulator.next is None


@given(st.floats(-1e6, 1e6))
def test_the_callback_gets_the_time_stamp_as_its_parameter(stamp: float):
    found: list[float] = []
    simulator = MainLoop(WaitingClock())
    simulator.add(stamp, found.append)
    simulator.run_until(1e6)
    assert found == [stamp]


def test_a_slow_event_makes_later_ones_late_and_optional_ones_fall_out():
    told = _Told()
    told.simulator.add(1.0, told.tells("slow", costs=5.0), "sync")
    told.simulator.add(2.0, told.tells("optional"), "optional")
    told.simulator.add(3.0, told.tells("late"), "sync")
    told.simulator.add(7.0, told.tells("in time"), "optional")
    told.simulator.add(8.0, told.tells("waits"), "sync")
    told.simulator.run_until(10.0)
    assert told.said == [("slow", 1.0, 1.0), ("late", 3.0, 6.0), ("in time", 7.0, 6.0), ("waits", 8.0, 8.0)]


def test_of_one_time_stamp_the_lowest_priority_comes_first_then_what_was_added_first():
    told = _Told()
    for name, priority in (("c", 1), ("d", 1), ("a", 0), ("e", 2), ("b", 0)):
        told.simulator.add(1.0, told.tells(name), "normal", priority)
    told.simulator.run_until(1.0)
    assert [name for name, _, _ in told.said] == ["a", "b", "c", "d", "e"]


def test_an_event_may_add_others_and_cancel_them():
    told = _Told()
    later = told.simulator.add(3.0, told.tells("later"))

    def first(stamp: float) -> None:
        told.simulator.add(stamp, told.tells("now"))
        told.simulator.add(4.0, told.tells("after"))
        later.cancel()

    told.simulator.add(1.0, first)
    told.simulator.run_until(10.0)
    assert [name for name, _, _ in told.said] == ["now", "after"]


@pytest.mark.parametrize("kind", KINDS)
def test_a_cancelled_event_is_skipped_and_not_waited_for(kind: Kind):
    told = _Told()
    told.simulator.add(5.0, told.tells(kind), kind).cancel()
    assert told.simulator.next is None
    assert told.simulator.due(9.0) == 0
    told.simulator.run_until(1.0)
    assert told.said == [] and told.clock.now() == 1.0


def test_running_ends_at_the_time_asked_for_and_goes_on_from_there():
    told = _Told()
    for stamp in (1.0, 2.0, 3.0):
        told.simulator.add(stamp, told.tells("sync"), "sync")
    told.simulator.run_until(2.5)
    assert told.clock.now() == 2.5 and len(told.said) == 2
    told.simulator.run_until(4.0)
    assert told.clock.now() == 4.0 and told.said[-1] == ("sync", 3.0, 3.0)


def test_polling_ends_at_a_sync_event_that_is_not_due_and_never_waits():
    told = _Told()
    told.simulator.add(1.0, told.tells("a"), "sync")
    told.simulator.add(2.0, told.tells("b"), "normal")
    told.simulator.add(3.0, told.tells("c"), "sync")
    told.simulator.add(3.5, told.tells("d"), "normal")
    assert told.simulator.due(0.5) == 0
    assert told.simulator.due(1.0) == 2
    assert told.simulator.due(2.9) == 0
    assert told.simulator.due(10.0) == 2
    assert [name for name, _, _ in told.said] == ["a", "b", "c", "d"]
    assert told.clock.now() == 0.0


def test_polling_skips_optional_events_that_are_passed():
    told = _Told()
    told.simulator.add(1.0, told.tells("passed"), "optional")
    told.simulator.add(2.0, told.tells("not yet"), "optional")
    told.simulator.due(1.5)
    assert [name for name, _, _ in told.said] == ["not yet"]


def test_polling_comes_back_even_if_every_event_takes_longer_than_it_has():
    told = _Told()

    def slow(stamp: float) -> None:
        told.tells("slow", costs=1.0)(stamp)
        told.simulator.add(stamp + 0.1, slow, "sync")

    told.simulator.add(0.0, slow, "sync")
    assert told.simulator.due() == 1
    assert told.simulator.due() == 10


@given(st.integers(0, 1000), st.floats(0.01, 3.0))
def test_polling_often_does_what_running_does(seed: int, step: float):
    rng = np.random.default_rng(seed)
    stamps, kinds = rng.uniform(0.0, 9.0, 20).tolist(), rng.integers(0, 2, 20)
    events = [(stamp, KINDS[kind]) for stamp, kind in zip(stamps, kinds, strict=True)]
    ran, polled = _Told(), _Told()
    for told in (ran, polled):
        for stamp, kind in events:
            told.simulator.add(stamp, told.tells(kind), kind)
    ran.simulator.run_until(9.0)
    for now in np.arange(0.0, 9.0 + 2.0 * step, step):
        polled.clock.wait_until(float(now))
        polled.simulator.due()
    assert [said[:2] for said in polled.said] == [said[:2] for said in ran.said]
    assert all(0.0 <= late[2] - there[2] <= step for late, there in zip(polled.said, ran.said, strict=True))


def test_an_event_that_fails_does_not_come_again():
    simulator, found = MainLoop(WaitingClock()), []

    def fail(stamp: float) -> None:
        raise ZeroDivisionError

    simulator.add(1.0, fail)
    simulator.add(2.0, found.append)
    with pytest.raises(ZeroDivisionError):
        simulator.run_until(5.0)
    simulator.run_until(5.0)
    assert found == [2.0]


def test_the_wall_clock_goes_forward():
    clock = WallClock()
    before = clock.now()
    sleep(0.002)
    assert 0.0 <= before < before + 0.002 <= clock.now()
