"""Rows that are made ahead are what is played without them, and a command shows in the next frame all the same."""

from dataclasses import dataclass, field, replace

import numpy as np
import pytest
from verbs_adverbs.core.feet.motion_buffer import BufferedPlayer, MotionBuffer
from verbs_adverbs.core.feet.playing_together import advance_all
from verbs_adverbs.core.play.player import Asked, Happening

from .played_scripts import TALL, Script, happened, player_of_script
from .test_any_times import told

NEAR, SAME_TIME = 1e-9 * TALL, 1e-9
FEW, MANY = 24, 500
FOUND = 292, 334, 393
"""A layer's second pass that begins while adverbs move, and commands that cut short steps in which feet are held."""
SIZES = 2, 5, 12, 16, 40
FRAME = 1.0 / 60.0


@dataclass
class Shown:
    """What was shown of one script."""

    player: BufferedPlayer
    waiting: list[tuple[float, Asked]]
    frames: list[float] = field(default_factory=list[float])
    rows: list[np.ndarray] = field(default_factory=list[np.ndarray])
    happenings: list[Happening] = field(default_factory=list[Happening])


def show(scripts: list[Script], rng: np.random.Generator, size: int) -> tuple[list[Shown], int]:
    """Show scripts frame by frame; all but the last leave in turn. Returns them, and how many frames were ahead.

    Frames come evenly, but for a little, and now and then one is late; a command is given when its time is near.
    """
    shown = [Shown(BufferedPlayer(player_of_script(replace(one, asked=()))), list(one.asked)) for one in scripts]
    begin, end = scripts[0].times[0], min(one.times[-1] for one in scripts)
    leaves = [end * (place + 1) / len(scripts) for place in range(len(scripts))]
    buffer, frame, ahead, early = MotionBuffer(size), float(begin), 0, float(rng.choice([0.0, 0.3]))
    while frame <= end:
        there = [one for one, until in zip(shown, leaves, strict=True) if frame <= until]
        for one in there:
            while one.waiting and one.waiting[0][0] <= frame + early:
                one.player.caught_up().command(*one.waiting.pop(0))
        for one, stretch in zip(there, buffer.advance([one.player for one in there], frame, FRAME), strict=True):
            assert stretch.times.tolist() == pytest.approx([frame], abs=1e-9)
            one.frames.append(frame)
            one.rows.append(stretch.values[0])
            one.happenings += stretch.happenings
        ahead += sum(one.player.is_ahead for one in there)
        late = 1.7 * FRAME if rng.random() < 0.02 else float(rng.uniform(-0.1, 0.1)) * FRAME
        frame = buffer.near(frame + FRAME + late, FRAME)
    return shown, ahead


def assert_same(seeds: list[int]) -> int:
    rng = np.random.default_rng(seeds[0])
    scripts = [told(seed) for seed in seeds]
    found, ahead = show(scripts, rng, int(rng.choice(SIZES)))
    for one, mine in zip(scripts, found, strict=True):
        plain = advance_all([player_of_script(one)], np.array(mine.frames))[0]
        assert np.abs(np.array(mine.rows) - plain.values).max() < NEAR
        lines, seconds = happened(plain)
        also = happened(replace(plain, happenings=tuple(mine.happenings)))
        assert also[0] == lines and np.abs(also[1] - seconds).max(initial=0.0) < SAME_TIME
    return ahead


@pytest.mark.parametrize("seed", [*range(FEW), *FOUND])
def test_what_is_made_ahead_is_what_is_played(seed: int):
    assert assert_same([seed]) > 0


def test_several_that_are_shown_on_one_clock_play_what_each_plays_alone():
    assert assert_same([100, 101, 102]) > 0


@pytest.mark.long
@pytest.mark.parametrize("first", range(FEW, MANY, 20))
def test_what_is_made_ahead_in_many_scripts_is_what_is_played(first: int):
    for seed in range(first, min(first + 20, MANY)):
        assert_same([seed])
