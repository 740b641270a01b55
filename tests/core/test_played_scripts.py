"""What players play stays what it was: random scripts beside the rows that were written before the player changed."""

from functools import cache

import numpy as np
import pytest

from .played_scripts import REFERENCE, SCRIPTS, TALL, happened, played_at_once, script

NEAR, SAME_TIME = 1e-9 * TALL, 1e-9


@cache
def reference() -> dict[str, np.ndarray]:
    with np.load(REFERENCE, allow_pickle=False) as stored:
        return dict(stored)


@pytest.mark.parametrize("seed", range(SCRIPTS))
def test_a_script_is_played_as_before(seed: int):
    stretch, before = played_at_once(script(seed)), reference()
    lines, seconds = happened(stretch)
    assert lines == before["happened"][seed]
    first = sum(told.count("\n") + 1 for told in before["happened"][:seed].tolist())
    assert np.abs(seconds - before["seconds"][first : first + len(seconds)]).max() < SAME_TIME
    assert np.array_equal(stretch.support, before["support"][seed])
    assert np.abs(stretch.phases - before["phases"][seed]).max() < NEAR
    assert np.abs(stretch.values - before["values"][seed]).max() < NEAR
