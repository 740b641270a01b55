"""Which examples of a verb probably begin or end at a wrong frame."""

import numpy as np
from verbs_adverbs.core.verb.build import doubtful_ends

WELL_FITTED = 1.5


def doubted(seams: list[float], errors: list[float] | None = None) -> list[int]:
    found = doubtful_ends(np.array(seams), np.array(errors or [WELL_FITTED] * len(seams)))
    return np.flatnonzero(found).tolist()


def test_cycles_that_close_alike_are_trusted_however_wide_they_are():
    assert doubted([14.0, 21.0, 9.0, 26.0]) == []


def test_a_cycle_that_stands_out_among_the_others_is_doubted():
    assert doubted([0.2, 16.0, 0.3]) == [1]


def test_a_small_seam_is_trusted_though_it_stands_out():
    assert doubted([0.1, 5.0, 0.1], [1.0, 9.0, 1.0]) == []


def test_a_wide_seam_is_doubted_where_the_curves_miss_the_example():
    assert doubted([14.0, 16.0, 12.0], [1.0, 5.9, 1.0]) == [1]


def test_a_very_wide_seam_is_doubted_even_in_the_only_example():
    assert doubted([40.0]) == [0] and doubted([20.0]) == []


def test_an_example_that_is_no_cycle_has_no_seam_to_doubt():
    assert doubted([0.0, 0.0], [9.0, 9.0]) == []
