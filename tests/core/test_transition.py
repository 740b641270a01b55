"""Transitions: how long regions last, and how the old verb fades."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from verbs_adverbs.core.graph.transition import Region, fade, region_shares
from verbs_adverbs.core.motion.timewarp import clock_time

SEEDS = st.integers(0, 10_000)


def _phrased(seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Lengths (S,) and generic times (S + 1,) of some segments."""
    rng = np.random.default_rng(seed)
    count = int(rng.integers(1, 6))
    generic = np.concatenate([[0.0], np.sort(rng.uniform(0.05, 0.95, count - 1)), [1.0]])
    return rng.uniform(0.1, 1.0, count), generic


@settings(max_examples=100)
@given(SEEDS, st.floats(0.0, 0.999), st.floats(0.0, 1.0))
def test_a_region_lasts_from_the_clock_time_of_its_begin_to_that_of_its_end(seed: int, begin: float, length: float):
    lengths, generic = _phrased(seed)
    keytimes = np.concatenate([[0.0], np.cumsum(lengths)])
    for cyclic, end in ((True, begin + length), (False, min(begin + length, 1.0))):
        region = Region(begin, end)
        begins, ends = clock_time([begin, end], keytimes, generic, cyclic)
        assert abs(region_shares(region, generic, cyclic) @ lengths - (ends - begins)) < 1e-9


@given(SEEDS, st.floats(0.0, 0.999))
def test_a_whole_cycle_lasts_as_long_wherever_it_begins(seed: int, begin: float):
    lengths, generic = _phrased(seed)
    region = Region(begin, begin + 1.0)
    assert abs(region_shares(region, generic, True) @ lengths - lengths.sum()) < 1e-9
    assert np.abs(region_shares(region, generic, True) - 1.0).max() < 1e-9


@given(st.floats(0.0, 1.0), st.floats(0.0, 1.0))
def test_the_old_verb_fades_from_all_to_nothing_and_never_comes_back(one: float, other: float):
    assert fade(0.0) == 1.0 and abs(fade(1.0)) < 1e-12 and abs(fade(0.5) - 0.5) < 1e-12
    early, late = sorted((one, other))
    assert 0.0 <= fade(late) <= fade(early) <= 1.0
    assert abs(fade(one) + fade(1.0 - one) - 1.0) < 1e-12
