"""Render and display events: each frame as of its time stamp, and a frame rate that follows the load."""

from collections.abc import Callable

import numpy as np
import pytest
from verbs_adverbs.core.play.simulator import EASE, RENDER, ROOM, Frame, Frames

from .main_loop import MainLoop, WaitingClock

LIGHT, HEAVY = 0.012, 0.12


class _Stage:
    """Frames on a virtual clock whose rendering takes as long as `cost` says at a time stamp."""

    def __init__(
        self, cost: Callable[[float], float], display_cost: float = 0.0, tells: bool = False, **rates: float
    ) -> None:
        self.clock = WaitingClock()
        self.simulator = MainLoop(self.clock)
        self.rendered: list[tuple[float, float]] = []
        self.displayed: list[tuple[float, float]] = []
        self.told: list[tuple[float, float]] = []
        self.cost, self.display_cost = cost, display_cost
        self.frames = Frames(self.simulator, self._render, self._display, self._tell if tells else None, **rates)

    def _render(self, stamp: float) -> None:
        self.rendered.append((stamp, self.clock.now()))
        self.clock.spend(self.cost(stamp))

    def _display(self, stamp: float) -> None:
        self.displayed.append((stamp, self.clock.now()))
        self.clock.spend(self.display_cost)

    def _tell(self, stamp: float) -> None:
        self.told.append((stamp, self.clock.now()))

    def played(self, seconds: float) -> list[Frame]:
        self.frames.start(0.0)
        self.simulator.run_until(seconds)
        return list(self.frames.shown)


def _between(frames: list[Frame], begin: float, end: float) -> np.ndarray:
    """Seconds from one frame to the next, of those with time stamps from `begin` to `end`."""
    return np.diff([frame.time for frame in frames if begin <= frame.time <= end])


def test_a_frame_is_rendered_as_soon_as_its_event_is_reached_and_displayed_when_the_clock_reaches_its_time_stamp():
    stage = _Stage(lambda stamp: 0.004)
    stage.played(1.0)
    assert [stamp for stamp, _ in stage.rendered[: len(stage.displayed)]] == [stamp for stamp, _ in stage.displayed]
    for (_, displayed), (_, rendered) in zip(stage.displayed[1:], stage.rendered[2:], strict=False):
        assert rendered == displayed
    assert all(clock == stamp for stamp, clock in stage.displayed[1:])


def test_a_light_load_plays_at_the_fastest_rate():
    gaps = _between(_Stage(lambda stamp: 0.004, fastest=50.0).played(3.0), 0.1, 3.0)
    assert np.abs(gaps - 0.02).max() < 1e-9


def test_under_a_tenfold_load_the_rate_settles_lower_and_comes_up_again():
    stage = _Stage(lambda stamp: HEAVY if 3.0 <= stamp < 9.0 else LIGHT)
    frames = stage.played(16.0)
    light, heavy, again = (_between(frames, *span) for span in ((1.0, 3.0), (4.0, 8.5), (13.0, 16.0)))
    assert np.abs(light - 1.0 / 60.0).max() < 1e-9
    assert np.abs(heavy - ROOM * HEAVY).max() < 1e-9
    assert np.abs(again - 1.0 / 60.0).max() < 1e-4


def test_under_any_load_each_frame_is_evaluated_at_its_time_stamp_and_shown_no_earlier():
    rng = np.random.default_rng(3)
    stage = _Stage(lambda stamp: float(rng.choice([LIGHT, HEAVY])), display_cost=0.005)
    frames = stage.played(20.0)
    assert [f.time for f in frames] == [stamp for stamp, _ in stage.rendered[: len(frames)]]
    assert (np.diff([f.time for f in frames]) > 0.0).all()
    assert all(f.displayed >= f.time and f.displayed >= f.rendered for f in frames)


def test_once_the_rate_has_settled_no_frame_is_late():
    stage = _Stage(lambda stamp: HEAVY, display_cost=0.01)
    frames = [f for f in stage.played(10.0) if f.time > 1.0]
    assert max(f.displayed - f.time for f in frames) < 0.01 + 1e-9
    assert np.abs(_between(frames, 0.0, 10.0) - ROOM * (HEAVY + 0.01)).max() < 1e-9


def test_one_slow_frame_is_late_once_and_the_rate_comes_back_by_and_by():
    stage = _Stage(lambda stamp: 0.3 if 2.0 <= stamp < 2.0 + 1.0 / 60.0 else LIGHT)
    frames = stage.played(6.0)
    late = [f for f in frames if f.displayed > f.time + 1e-9]
    assert len(late) == 2 and late[0] is frames[0]
    gaps = _between(frames, late[1].time, 6.0)[1:]
    assert (np.diff(gaps) < 1e-9).all()
    assert gaps[1] > gaps[0] * (1.0 - EASE) and gaps[-1] < 1.01 / 60.0


def test_what_is_rendered_is_told_between_rendering_and_display():
    stage = _Stage(lambda stamp: 0.004, tells=True)
    stage.played(2.0)
    assert [stamp for stamp, _ in stage.told] == [stamp for stamp, _ in stage.rendered][1:]
    rendered = dict(stage.rendered)
    assert all(clock == pytest.approx(rendered[stamp] + 0.004) for stamp, clock in stage.told)


def test_frames_that_come_too_late_are_shown_but_not_told():
    stage = _Stage(lambda stamp: HEAVY if stamp < 2.0 else LIGHT, tells=True, slowest=60.0)
    stage.played(4.0)
    shown = [stamp for stamp, _ in stage.displayed]
    told = {stamp for stamp, _ in stage.told}
    assert not [stamp for stamp in told if stamp < 2.0]
    late = [stamp for stamp in shown if stamp not in told]
    assert max(late) < 2.2 and len(told) > 90


def test_work_between_the_frames_counts_as_load():
    stage = _Stage(lambda stamp: LIGHT)

    def busy(stamp: float) -> None:
        stage.clock.spend(0.03)
        stage.simulator.add(stage.clock.now() + 0.03, busy, "sync")

    stage.simulator.add(0.0, busy, "sync")
    frames = stage.played(10.0)
    assert np.mean(_between(frames, 2.0, 10.0)) > 0.035


@pytest.mark.parametrize(("cost", "interval"), [(0.0, 0.05), (10.0, 0.25)])
def test_the_rate_stays_between_the_slowest_and_the_fastest(cost: float, interval: float):
    stage = _Stage(lambda stamp: cost, fastest=20.0, slowest=4.0)
    stage.played(60.0)
    assert stage.frames.interval == interval and stage.frames.rate == 1.0 / interval


def test_stopped_frames_are_neither_rendered_nor_displayed_and_may_start_again():
    stage = _Stage(lambda stamp: 0.004)
    shown = len(stage.played(1.0))
    rendered = len(stage.rendered)
    stage.frames.stop()
    stage.simulator.run_until(2.0)
    assert (len(stage.rendered), len(stage.displayed)) == (rendered, shown)
    stage.frames.start(2.0)
    stage.simulator.run_until(3.0)
    assert stage.displayed[shown][0] == 2.0 and len(stage.displayed) > shown + 50


def test_a_frame_that_is_rendered_when_frames_are_stopped_is_not_displayed():
    stage = _Stage(lambda stamp: 0.004)
    stage.frames.start(0.2)
    stage.simulator.add(0.2, lambda stamp: stage.frames.stop(), "sync", RENDER)
    stage.simulator.run_until(1.0)
    assert len(stage.rendered) == 1 and not stage.displayed


def test_frames_may_be_stopped_and_started_by_what_they_render():
    stage = _Stage(lambda stamp: 0.004)
    stage.frames.start(0.0)
    stage.simulator.add(0.5, lambda stamp: stage.frames.start(1.0))
    stage.cost = lambda stamp: (stage.frames.stop() if stamp >= 2.0 else None) or 0.004
    stage.simulator.run_until(4.0)
    stamps = [stamp for stamp, _ in stage.displayed]
    assert stamps == sorted(set(stamps)) and 1.9 < max(stamps) < 2.0
    assert not [stamp for stamp in stamps if 0.55 < stamp < 1.0] and stage.simulator.next is None


def test_a_polled_simulator_shows_frames_at_the_polls_that_follow_their_time_stamps():
    stage = _Stage(lambda stamp: 0.004, fastest=30.0)
    stage.frames.start(0.0)
    for tick in range(600):
        stage.clock.wait_until(tick / 100.0)
        stage.simulator.due()
    late = [frame.displayed - frame.time for frame in stage.frames.shown]
    assert len(late) > 120 and min(late) >= 0.0 and max(late) <= 0.01 + 0.004
