"""The pose is noted once before each cut, however steps fall."""

from typing import cast

import numpy as np
import pytest
from verbs_adverbs.core.feet.fading import LEAST_GAP
from verbs_adverbs.core.feet.holding import RUN_UP
from verbs_adverbs.core.feet.live_locks import LiveLocks
from verbs_adverbs.core.feet.noting import NEARLY, Noting


class Clock:
    """Counts down to a cut, and hears when the pose is noted."""

    def __init__(self) -> None:
        self.to_cut = 0.0
        self.noted: list[float] = []

    def note(self, values: np.ndarray) -> None:
        self.noted.append(self.to_cut)


@pytest.mark.parametrize("tempo", [0.5, 1.0, 3.0])
@pytest.mark.parametrize("step", [0.005, 0.01, 1.0 / 60.0, 0.0037, 2.0])
def test_every_cut_has_one_note_before_it(step: float, tempo: float):
    clock = Clock()
    noting = Noting(cast(LiveLocks, clock))
    for cut in np.arange(1, 60) * step + 0.02:
        clock.to_cut, clock.noted = float(cut), []
        while clock.to_cut > NEARLY:
            left = step
            while left > 0.0 and clock.to_cut > NEARLY:
                taken = min(noting.up_to(clock.to_cut, left, tempo, lambda: np.zeros(1)), clock.to_cut)
                clock.to_cut, left = clock.to_cut - taken, left - taken
        noting.cut()
        assert len(clock.noted) == 1
        assert abs(clock.noted[0] - RUN_UP * tempo) < 2.0 * NEARLY


def test_a_cut_that_is_suddenly_nearer_is_noted_at_once_and_one_that_is_here_is_not():
    clock = Clock()
    noting = Noting(cast(LiveLocks, clock))
    assert noting.up_to(1.0, 0.1, 1.0, lambda: np.zeros(1)) == 0.1
    clock.to_cut = 0.6 * RUN_UP
    assert noting.up_to(clock.to_cut, 0.1, 1.0, lambda: np.zeros(1)) == 0.1
    assert clock.noted == [0.6 * RUN_UP]
    noting.cut()
    assert noting.up_to(0.5 * LEAST_GAP, 0.1, 1.0, lambda: np.zeros(1)) == 0.1
    assert len(clock.noted) == 1
