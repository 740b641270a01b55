"""The engine: one whole posture a frame, a buffer, commands at the first frame that is not in it, reset, position."""

from dataclasses import dataclass, field

import numpy as np
import pytest
from verbs_adverbs.core.errors import GraphError, LayerError, VerbError
from verbs_adverbs.core.layers.engine import Engine, Position, Posture, Reset
from verbs_adverbs.core.play.player import AskAdverbs, AskLayer, AskVerb
from verbs_adverbs.core.play.simulator import Simulator, VirtualClock

from .layered import player
from .test_layer_scripts import layered, script

RATE = 30.0


@dataclass
class Shown:
    """An engine on a virtual clock, and what it has handed over."""

    ahead: int
    postures: list[Posture] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.simulator = Simulator(VirtualClock())
        self.made = 0
        self.engine = Engine(self.begun, self.postures.append, self.simulator, RATE, self.ahead)

    def begun(self):
        self.made += 1
        return player(layered(), settle=0.0)

    def go(self, frame: int) -> None:
        self.simulator.run_until(frame / RATE)

    @property
    def rows(self) -> np.ndarray:
        return np.array([posture.values for posture in self.postures])


@pytest.mark.parametrize("ahead", [0, 1, 4])
@pytest.mark.parametrize(
    "what", [AskAdverbs({"mood": 0.9}), AskLayer("hail", "stop_hard"), Position(1, 2, 3, 0.5), Reset()]
)
def test_a_command_shows_exactly_at_the_first_frame_that_is_not_in_the_buffer(what: object, ahead: int):
    one, plain = Shown(ahead), Shown(ahead)
    for each in (one, plain):
        each.engine.command(AskLayer("hail", "start"))
        each.go(20)
    one.engine.command(what)  # type: ignore[arg-type]
    for each in (one, plain):
        each.go(30)
    assert [posture.frame for posture in one.postures] == list(range(31))
    differs = np.flatnonzero(np.any(one.rows != plain.rows, axis=1))
    assert differs[0] == 20 + ahead + 1
    assert one.made == 1 + (what == Reset())


@pytest.mark.parametrize("seeds", [range(3), pytest.param(range(3, 15), marks=pytest.mark.long)])
@pytest.mark.parametrize("ahead", [0, 1, 4])
def test_postures_are_those_of_the_player_whose_commands_come_at_whole_frames(ahead: int, seeds: range):
    for seed in seeds:
        shown, plain, begun = Shown(ahead), player(layered(), settle=0.0), 0
        for time, what in script(seed):
            shown.go(int(time * RATE))
            shown.engine.command(what)
            begun = int(time * RATE) + ahead + 1
            plain.command(begun / RATE, what)
        shown.go(210)
        rows = plain.advance(np.arange(211) / RATE).values
        assert begun and np.abs(shown.rows - rows).max() < 1e-6


def test_a_reset_goes_back_to_the_beginning_also_of_what_was_put_elsewhere():
    one = Shown(2)
    one.go(10)
    one.engine.command(Position(5.0, 0.0, 1.0, 2.0))
    one.engine.command(AskLayer("carry", "start"))
    one.go(20)
    one.engine.command(Reset())
    one.go(60)
    assert np.array_equal(one.rows[23:34], one.rows[:11])


def test_a_figure_that_is_put_elsewhere_goes_on_as_it_did_from_there():
    one, plain = Shown(0), Shown(0)
    one.go(14)
    one.engine.command(Position(3.0, -2.0, 0.5, np.pi / 2.0))
    one.go(50)
    plain.go(50)
    moved, still = one.rows[15:], plain.rows[15:]
    assert np.allclose(moved[0, :3], [3.0, -2.0, np.pi / 2.0])
    ways, others = moved[:, :2] - moved[0, :2], still[:, :2] - still[0, :2]
    turn = np.pi / 2.0 - still[0, 2]
    turned = others @ np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    assert np.allclose(ways, turned, atol=1e-12)
    assert np.allclose(moved[:, 5] - still[:, 5], 0.5) and np.array_equal(moved[:, 6:], still[:, 6:])


def test_what_cannot_be_done_is_refused_at_once_and_changes_nothing():
    one, plain = Shown(4), Shown(4)
    one.go(10)
    for what, error in (
        (AskLayer("bow", "start"), LayerError),
        (AskVerb("fly"), GraphError),
        (AskAdverbs({"mood": np.nan}), VerbError),
        (Position(np.inf, 0.0, 0.0, 0.0), LayerError),
    ):
        with pytest.raises(error):
            one.engine.command(what)
    one.go(40)
    plain.go(40)
    assert np.array_equal(one.rows, plain.rows)
