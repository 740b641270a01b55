"""Rows that are made ahead are what is played without them, and a command shows in the next frame all the same."""

from dataclasses import replace

import numpy as np
import pytest
from verbs_adverbs.core.feet.motion_buffer import BufferedPlayer, MotionBuffer
from verbs_adverbs.core.feet.playing_together import advance_all
from verbs_adverbs.core.play.player import Happening

from .played_scripts import TALL, Script, happened, player_of_script
from .test_any_times import told

NEAR, SAME_TIME = 1e-9 * TALL, 1e-9
FEW, MANY = 24, 500
SIZES = 2, 5, 12, 16, 40


def frames_of(one: Script, rng: np.random.Generator) -> np.ndarray:
    """Times of frames: mostly even, now and then one comes late."""
    gaps = np.full(int(60 * one.times[-1]), 1.0 / 60.0)
    gaps[rng.random(len(gaps)) < 0.02] *= 2.7
    times = np.concatenate([[one.times[0]], one.times[0] + np.cumsum(gaps)])
    return times[times <= one.times[-1]]


def buffered(
    scripts: list[Script], frames: np.ndarray, size: int
) -> tuple[list[np.ndarray], list[list[Happening]], int]:
    """Rows of each script at some frames, what happened, and how many frames were not made by the player itself."""
    players = [BufferedPlayer(player_of_script(replace(one, asked=()))) for one in scripts]
    buffer, waiting, rows = MotionBuffer(size), [list(one.asked) for one in scripts], [[] for _ in scripts]
    happenings: list[list[Happening]] = [[] for _ in scripts]
    ahead = 0
    for frame in frames.tolist():
        for player, asked in zip(players, waiting, strict=True):
            while asked and asked[0][0] <= frame:
                player.player.command(*asked.pop(0))
        for place, stretch in enumerate(buffer.advance(players, frame, 1.0 / 60.0)):
            assert stretch.times.tolist() == pytest.approx([frame], abs=1e-9)
            rows[place].append(stretch.values[0])
            happenings[place] += stretch.happenings
        ahead += sum(player.is_ahead for player in players)
    return [np.array(own) for own in rows], happenings, ahead


def assert_same(seeds: list[int]) -> int:
    rng = np.random.default_rng(seeds[0])
    scripts = [told(seed) for seed in seeds]
    frames = frames_of(min(scripts, key=lambda one: one.times[-1]), rng)
    found, happenings, ahead = buffered(scripts, frames, int(rng.choice(SIZES)))
    for one, rows, also in zip(scripts, found, happenings, strict=True):
        plain = advance_all([player_of_script(one)], frames)[0]
        assert np.abs(rows - plain.values).max() < NEAR
        lines, seconds = happened(plain)
        mine = happened(replace(plain, happenings=tuple(also)))
        assert mine[0] == lines and np.abs(mine[1] - seconds).max(initial=0.0) < SAME_TIME
    return ahead


@pytest.mark.parametrize("seed", range(FEW))
def test_what_is_made_ahead_is_what_is_played(seed: int):
    assert assert_same([seed]) > 0


def test_several_that_are_shown_on_one_clock_play_what_each_plays_alone():
    assert assert_same([100, 101, 102]) > 0


@pytest.mark.long
@pytest.mark.parametrize("first", range(FEW, MANY, 20))
def test_what_is_made_ahead_in_many_scripts_is_what_is_played(first: int):
    for seed in range(first, min(first + 20, MANY)):
        assert_same([seed])
