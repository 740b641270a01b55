"""Whichever times are asked for, and however steps are planned together: the same is played, and the same happens."""

from dataclasses import replace

import numpy as np
import pytest
from verbs_adverbs.core.feet.playing_together import advance_all
from verbs_adverbs.core.play import block, steps_ahead
from verbs_adverbs.core.play.player import AskAdverbs, Happening
from verbs_adverbs.core.play.transition_timing import Passage

from .played_scripts import ADVERBS, SECONDS, TALL, Script, happened, player_of_script, script

LATER = 1e-5
NEAR, SAME_TIME = 1e-9 * TALL, 1e-9
FEW, MANY = 40, 500
READINGS = 24.0, 30.0, 60.0


def told(seed: int) -> Script:
    """A script of its own, in which sliders may also be read at every frame for a while."""
    one, rng = script(10_000 + seed), np.random.default_rng(seed)
    if rng.random() < 0.4:
        return one
    (begin, end), rate = np.sort(rng.uniform(0.0, SECONDS, 2)), float(rng.choice(READINGS))
    times = np.arange(np.ceil(begin * rate), end * rate) / rate
    names = list(rng.choice(ADVERBS, 2, replace=False))
    swings = {name: np.sin(rng.uniform(0.5, 4.0) * times + rng.uniform(0.0, 6.0)) for name in names}
    straight = one.settle == 0.0 and bool(rng.random() < 0.5)
    read: list[tuple[float, AskAdverbs]] = []
    for row, time in enumerate(times[:-1].tolist()):
        values, then = ({name: float(swing[at]) for name, swing in swings.items()} for at in (row, row + 1))
        read.append((time, AskAdverbs(values, then, float(times[row + 1])) if straight else AskAdverbs(values)))
    on_frames = [
        (round(time * rate) / rate if rng.random() < 0.5 else time, what)
        for time, what in one.asked
        if not isinstance(what, AskAdverbs)
    ]
    others = [asked for asked in one.asked if isinstance(asked[1], AskAdverbs)]
    others += [(time, AskAdverbs({"mood": float(rng.uniform(-1.0, 1.0))})) for time, _ in read if rng.random() < 0.05]
    return replace(one, asked=tuple(sorted([*on_frames, *others, *read], key=lambda asked: asked[0])))


def in_pieces(one: Script, rng: np.random.Generator) -> tuple[np.ndarray, list[Happening]]:
    """Rows, and what happened: some rows at a time, and each command is given when its time is near."""
    waiting, values, happenings = list(one.asked), list[np.ndarray](), list[Happening]()
    player, first = player_of_script(replace(one, asked=())), 0
    while first < len(one.times):
        count = int(rng.choice([1, 1, 1, 2, 7, len(one.times)]))
        times = one.times[first : first + count]
        while waiting and waiting[0][0] <= times[-1] + float(rng.choice([0.0, 0.3])):
            player.command(*waiting.pop(0))
        stretch = advance_all([player], times)[0]
        values.append(stretch.values)
        happenings += stretch.happenings
        first += count
    return np.concatenate(values), happenings


def assert_same(monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    one, rng = told(seed), np.random.default_rng(20_000 + seed)
    monkeypatch.setattr(block, "LEAST", 10**6)
    plain = advance_all([player_of_script(one)], one.times)[0]
    monkeypatch.setattr(block, "LEAST", int(rng.integers(1, 5)))
    monkeypatch.setattr(steps_ahead, "MOST", int(rng.integers(2, 65)))
    whole = advance_all([player_of_script(one)], one.times)[0]
    values, happenings = in_pieces(one, rng)
    lines, seconds = happened(plain)
    for rows, also in ((whole.values, whole), (values, replace(whole, happenings=tuple(happenings)))):
        assert np.abs(rows - plain.values).max() < NEAR
        assert happened(also)[0] == lines and np.abs(happened(also)[1] - seconds).max(initial=0.0) < SAME_TIME


def test_scripts_play_blocks_in_which_points_are_let_go():
    blocks, fine, left = 0, 0, 0
    for seed in range(FEW):
        one = told(seed)
        player = player_of_script(one)
        played = [piece for piece in getattr(player, "player", player).play(SECONDS) if isinstance(piece, block.Block)]
        blocks += len(played)
        fine += sum(isinstance(piece.begin.plays, Passage) or piece.begin.inertia is not None for piece in played)
        told_up = [on.time for on in advance_all([player_of_script(one)], one.times)[0].happenings if on.kind == "up"]
        left += sum(any(piece.begin.time < time - LATER < piece.until - LATER for piece in played) for time in told_up)
    assert blocks - fine > 5 * FEW and fine > FEW and left > 0


@pytest.mark.parametrize("seed", range(FEW))
def test_any_times_and_blocks_play_the_same(monkeypatch: pytest.MonkeyPatch, seed: int):
    assert_same(monkeypatch, seed)


@pytest.mark.long
@pytest.mark.parametrize("first", range(FEW, MANY, 20))
def test_any_times_and_blocks_of_many_scripts_play_the_same(monkeypatch: pytest.MonkeyPatch, first: int):
    for seed in range(first, first + 20):
        assert_same(monkeypatch, seed)
