"""Contacts of generated walks are known, and found again: in every mood, slope and turn, however they are seen."""

import itertools
from dataclasses import replace

import numpy as np
import pytest
from verbs_adverbs.core.detect.detection import detect
from verbs_adverbs.core.detect.observed import Observed, smooth

from .detected import at_rate, cycles_from, found_events, in_place, known_walk, misses, moved, noisy, within

PLACES = list(itertools.product((-1.0, 0.0, 1.0), repeat=3))
SOME = [(mood, slope, (mood + slope + 4.0) % 3.0 - 1.0) for mood in (-1.0, 0.0, 1.0) for slope in (-1.0, 0.0, 1.0)]
"""Nine of them: each pair of adverbs in each pair of values."""
EDGE = 0.12
"""Seconds at a clip's ends whose events need not be found: a contact there may be too short to be one."""
USUAL, NOISY = 0.48, 0.6
"""Frames by which events may be off on the average, in walks as they are made and in whatever way they are seen."""
WAYS = {
    "as it is": lambda seen: seen,
    "turned": lambda seen: moved(seen, 2.15),
    "a hundred times smaller": lambda seen: moved(seen, 0.3, 0.01),
    "a hundred times larger": lambda seen: moved(seen, 0.3, 100.0),
    "on a tilted floor": lambda seen: moved(seen, 0.3, tilt=0.14),
    "at 24 frames": lambda seen: at_rate(seen, 24.0),
    "at 60 frames": lambda seen: at_rate(seen, 60.0),
    "at 120 frames": lambda seen: at_rate(seen, 120.0),
    "noisy": noisy,
    "noisy at 120 frames": lambda seen: noisy(at_rate(seen, 120.0)),
    "in place": in_place,
    "in place and noisy": lambda seen: noisy(in_place(seen)),
    "with legs taken for shorter": lambda seen: replace(seen, leg=0.7 * seen.leg),
    "with legs taken for longer": lambda seen: replace(seen, leg=1.4 * seen.leg),
}
FEW = ("turned", "in place", "noisy")
"""Those that say most; the others are tried by the long tests."""


@pytest.mark.parametrize("way", [pytest.param(w, marks=() if w in FEW else pytest.mark.long) for w in WAYS])
def test_strikes_and_toe_offs_are_found_within_a_frame_and_no_others(way: str, tell):
    differences: list[float] = []
    for place in PLACES if way == "as it is" else SOME:
        known = known_walk(*place)
        seen: Observed = WAYS[way](known.observed)
        found = found_events(detect(seen).contacts)
        differences.extend(misses(within(known.events, seen, EDGE), found))
        surplus = np.abs(misses(within(found, seen, EDGE), known.events))
        assert surplus.max() <= 1.0, (place, surplus)
    apart = np.abs(differences)
    tell(f"  generated walks {way}: {len(apart)} events, off by {np.mean(apart):.2f} frames, {apart.max():.2f} at most")
    assert apart.max() <= 1.0
    assert np.mean(apart) <= (USUAL if way == "as it is" else NOISY)


@pytest.mark.parametrize("place", [(0.0, 0.0, 0.0), (-1.0, 0.0, 1.0), (1.0, 1.0, 0.0)])
@pytest.mark.parametrize("rate", [24.0, 60.0, 120.0])
def test_walks_made_at_other_rates_have_the_same_events(place: tuple[float, float, float], rate: float):
    known = known_walk(*place, rate=rate)
    found = found_events(detect(known.observed).contacts)
    assert np.abs(misses(within(known.events, known.observed, EDGE), found)).max() <= 1.0


@pytest.mark.parametrize("way", ["as it is", "turned", "a hundred times smaller", "in place", "noisy"])
def test_a_walk_is_a_cycle_of_five_keytimes_and_its_kind_is_told(way: str):
    for place in SOME:
        known = known_walk(*place)
        found = detect(WAYS[way](known.observed))
        assert (found.kind, found.cyclic) == ("in_place" if way == "in place" else "travelling", True), place
        cycle = cycles_from(found, "R")[0]
        assert cycle.names == ("R_down", "L_up", "L_down", "R_up", "R_down")
        assert abs(cycle.duration - known.period) < 0.5 / 30.0
        assert not found.remarks


def test_one_cycle_that_begins_slowly_as_keyed_by_hand_is_a_cycle_of_its_own_length():
    """Its last pose is its first, and between them its speed jumps."""
    period = known_walk(0.0, 0.0, 0.0).period
    seen = in_place(known_walk(0.0, 0.0, 0.0, rate=24.0 / period, begin=0.0, cycles=1.0).observed)
    count = len(seen.times) - 1
    share = np.arange(count + 1) / count
    rows = count * share**1.4

    def slowed(paths: np.ndarray) -> np.ndarray:
        """Paths (T, ...) that start slowly."""
        before = np.minimum(rows.astype(int), count - 1)
        part = (rows - before).reshape(-1, *[1] * (paths.ndim - 1))
        return paths[before] + part * (paths[before + 1] - paths[before])

    paths = tuple(np.swapaxes(slowed(np.swapaxes(path, 0, 1)), 0, 1) for path in seen.paths)
    seen = replace(seen, joints=slowed(seen.joints), paths=paths, headings=slowed(seen.headings))
    found = detect(seen)
    assert found.cyclic and found.cycles[0].start == seen.times[0] and found.cycles[0].end == seen.times[-1]
    assert sorted(found.cycles[0].names[:-1]) == ["L_down", "L_up", "R_down", "R_up"]


def test_points_that_stand_still_do_so_within_their_contacts():
    known = known_walk(0.0, 0.0, 0.0, rate=120.0)
    for foot in detect(known.observed).contacts:
        for point in foot.points:
            assert point.still
            for begin, end in point.still:
                assert any(first <= begin and end <= last for first, last in point.windows)


def test_a_parabola_passes_the_smoothing_unchanged_up_to_its_ends():
    times = np.arange(12) / 30.0
    path = np.stack([3.0 - times, 2.0 * times**2, 0.0 * times], axis=-1)
    places, velocities = smooth(times, path)
    assert np.abs(places - path).max() < 1e-9
    assert np.abs(velocities - np.stack([-1.0 + 0.0 * times, 4.0 * times, 0.0 * times], axis=-1)).max() < 1e-8
