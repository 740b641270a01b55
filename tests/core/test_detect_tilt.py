"""A small tilt that the floor of all clips shares is told; a ramp, and a floor that is level, are not."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from verbs_adverbs.core.detect.contacts import Stands, common_tilt, told_tilt
from verbs_adverbs.core.detect.detection import detect
from verbs_adverbs.core.detect.observed import Observed

from .detected import captured_clip, in_place, known_walk, moved

TILT = 0.019
DIRECTIONS = (0.0, 1.5, 3.0, 4.0)
FILES = (
    "bn2_walk-turn-left_normal_006", "bn2_walk-turn-right_normal_029", "bn2_walk_normal_007", "bn2_walk_active_006",
    "bn2_walk-turn-left_exhausted_010", "bn2_walk-turn-right_active_014", "bn2_run_normal_048",
)  # fmt: skip


def tilted(seen: Observed, towards: float, tilt: float = TILT) -> Observed:
    """A motion on a floor that rises by `tilt` towards an angle from X."""

    def raised(places: np.ndarray) -> np.ndarray:
        rise = tilt * (places[..., 0] * np.cos(towards) + places[..., 1] * np.sin(towards))
        return places + rise[..., None] * np.array([0.0, 0.0, 1.0])

    return replace(seen, paths=tuple(raised(path) for path in seen.paths), joints=raised(seen.joints))


def stands(clips: list[Observed]) -> list[Stands]:
    return [detect(clip).stands for clip in clips]


def generated(slope: float = 0.0, directions: tuple[float, ...] = DIRECTIONS) -> list[Observed]:
    return [moved(known_walk(0.0, slope, 0.0).observed, angle) for angle in directions]


@pytest.mark.parametrize("towards", [0.0, 2.0])
def test_a_tilt_is_found_where_bodies_go_several_ways(towards: float):
    tilt = common_tilt(stands([tilted(clip, towards) for clip in generated()]))
    assert tilt is not None
    assert np.abs(tilt - TILT * np.array([np.cos(towards), np.sin(towards)])).max() < 0.001


def test_the_floor_of_captured_clips_is_level_and_its_tilt_is_found(mocap: Path, tell):
    clips = [captured_clip(mocap, f"locomotion/{file}.bvh")[1] for file in FILES]
    assert common_tilt(stands(clips)) is None
    tilt = common_tilt(stands([tilted(clip, 0.5) for clip in clips]))
    assert tilt is not None
    tell(f"  captured clips tilted by 1.90 %: {100.0 * np.linalg.norm(tilt):.2f} % is found")
    assert np.linalg.norm(tilt - TILT * np.array([np.cos(0.5), np.sin(0.5)])) < 0.004


@pytest.mark.parametrize("slope", [0.09, 0.2, 1.0])
def test_a_ramp_along_the_way_of_each_stays(slope: float):
    assert common_tilt(stands(generated(slope))) is None


def test_what_cannot_be_told_from_a_ramp_stays():
    one_way = generated(directions=(1.5, 1.5, 1.5 + np.pi))
    assert common_tilt(stands([tilted(clip, 1.5 - 0.5 * np.pi) for clip in one_way[:2]])) is None


@pytest.mark.parametrize("tilt", [0.004, 0.05])
def test_a_hill_stays_and_less_than_a_hundredth_is_not_told(tilt: float):
    assert common_tilt(stands([tilted(clip, 0.0, tilt) for clip in generated()])) is None


def test_floors_that_move_tell_nothing():
    assert common_tilt(stands([tilted(in_place(clip), 0.0) for clip in generated()])) is None
    assert common_tilt([]) is None


def test_the_tilt_is_told_with_its_direction():
    assert "rises by about 1.9 % towards -Y" in told_tilt(np.array([0.003, -0.019]))
