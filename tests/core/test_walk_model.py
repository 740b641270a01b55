"""The walk of a motion model: the paper's three expressions on generated and on captured clips, and stops."""

import re
from dataclasses import dataclass, field, replace
from math import inf

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from verbs_adverbs.core.errors import ClipError
from verbs_adverbs.core.figure.channels import all_rotations, world_joints
from verbs_adverbs.core.layers.walk_model import WalkModel, WalkRun
from verbs_adverbs.core.motion.base_motion import BaseMotion
from verbs_adverbs.core.motion.clip import Clip, Motion, end_of
from verbs_adverbs.core.motion.clip_operators import Loop, TimeWarp

from .model_clips import biped_climb, biped_stand, biped_walk, captured_walk, recorded_biped_walk

RATE = 30.0
PHASES = 20
ASKED = {"biped": ("neutral", "happy", 1.24, 1.74), "captured": ("normal", "active", 1.2, 1.6)}
OTHERS = {"biped": "sad", "captured": "exhausted"}
NUMBERS = re.compile(r"-?\d+(\.\d+)?(e-?\d+)?")


@dataclass
class Walk:
    """A walk with two styles and two speeds that it is told."""

    model: WalkModel
    first: str
    second: str
    slow: float
    fast: float
    third: str

    def begun(self, time: float = 0.0) -> WalkRun:
        return self.model.begin(time, {"speed": self.slow, "style": self.first})

    def period(self, style: str, speed: float) -> float:
        """Seconds of a cycle at a speed, from where the clip's root is at its ends."""
        clip = next(one.clip for one in self.model.walk_cycles if one.style == style)
        return float(np.linalg.norm(np.diff(roots(clip, [clip.start, end_of(clip)])[:, :2], axis=0))) / speed


@pytest.fixture(params=["biped", "captured"])
def walk(request: pytest.FixtureRequest) -> Walk:
    which = request.param
    model = biped_walk() if which == "biped" else captured_walk(request.getfixturevalue("mocap"))
    return Walk(model, *ASKED[which], OTHERS[which])


def joints(motion: Motion, times: np.ndarray) -> np.ndarray:
    return world_joints(motion.channels, motion.sample(times))


def roots(motion: Motion, times: object) -> np.ndarray:
    return joints(motion, np.asarray(times))[:, 0]


def toes(motion: Motion, times: np.ndarray) -> np.ndarray:
    """Places (T, 2, 3) of both balls of the feet."""
    index = motion.channels.skeleton.index
    return joints(motion, times)[:, [index("Toes_L"), index("Toes_R")]]


def steps(motion: Motion, begin: float, end: float) -> np.ndarray:
    """Largest angle in degrees by which each joint turns in a frame, wherever frames lie."""
    times = np.arange(begin, end, 1.0 / (20.0 * RATE))
    pair = [all_rotations(motion.channels, motion.sample(times + later)) for later in (0.0, 1.0 / RATE)]
    turns = [Rotation.from_quat(rows.reshape(-1, 4)[:, [1, 2, 3, 0]]) for rows in pair]
    angles = (turns[0].inv() * turns[1]).magnitude().reshape(len(times), -1)
    return np.degrees(angles.max(axis=0))


def played(walk: Walk, style: str, speed: float) -> Motion:
    """A cycle at a speed, by itself."""
    clip = next(one.clip for one in walk.model.walk_cycles if one.style == style)
    keys = ((clip.start, 0.0), (end_of(clip), walk.period(style, speed)))
    return Loop(0, TimeWarp(keys, clip))


def largest(walk: Walk, *kinds: tuple[str, float]) -> float:
    return max(float(steps(played(walk, *kind), 0.0, walk.period(*kind)).max()) for kind in kinds)


def same(one: Motion, other: Motion, times: np.ndarray) -> bool:
    return bool(np.abs(one.sample(times) - other.sample(times)).max() < 1e-9)


def shape(tree: Motion) -> str:
    """A printed tree without its numbers."""
    return NUMBERS.sub("", str(tree)).replace("{: , : }", "W").replace(" ", "").replace("(,,,,", "(").replace("(,", "(")


CYCLE = "Loop(TimeWarp(W,WalkCycle))"


@pytest.mark.parametrize("which", ["biped", "captured"])
def test_trees_are_the_expressions_of_the_paper(which: str, request: pytest.FixtureRequest):
    model = recorded_biped_walk() if which == "biped" else captured_walk(request.getfixturevalue("mocap"))
    first, second, slow, fast = ASKED[which]
    run = model.begin(3.0, {"speed": slow, "style": first})
    assert shape(run.tree) == f"Blend(TimeShift(WalkStart),{CYCLE})" and "TimeShift(3, WalkStart)" in str(run.tree)
    faster = model.change(run, run.calm + 0.3, {"speed": fast})
    assert shape(faster.tree) == f"Blend(TimeShift({CYCLE}),{CYCLE})"
    styled = model.change(faster, faster.calm + 0.3, {"style": second})
    cycle = f"TimeWarp(W,WalkCycle_{second})"
    assert shape(styled.tree) == f"Blend(TimeShift(TimeWarp(W,WalkCycle)),Loop({cycle}))"
    again = model.change(model.begin(3.0, {"speed": slow, "style": first}), run.calm + 0.3, {"speed": fast})
    assert again.tree == faster.tree != run.tree


def test_the_root_goes_as_fast_as_commanded(walk: Walk, tell):
    run, model = walk.begun(), walk.model
    told = [(run, walk.slow)]
    told.append((model.change(run, run.calm + 2.2, {"speed": walk.fast}), walk.fast))
    told.append((model.change(told[-1][0], told[-1][0].calm + 3.1, {"style": walk.second}), walk.fast))
    told.append(
        (model.change(told[-1][0], told[-1][0].calm + 2.7, {"speed": walk.slow, "style": walk.third}), walk.slow)
    )
    found: list[float] = []
    for one, speed in told:
        seconds = 3.0 * walk.period(str(one.parameters["style"]), speed)
        times = np.arange(one.calm, one.calm + seconds, 1.0 / RATE)
        places = roots(one.tree, times)
        along = (places[:, :2] - places[0, :2]) @ (places[-1, :2] - places[0, :2])
        way = np.linalg.norm(places[-1, :2] - places[0, :2])
        found.append(float(np.diff(along / way).mean() * RATE / speed))
    tell(f"speeds found over commanded: {np.round(found, 3).tolist()}")
    assert np.abs(np.array(found) - 1.0).max() < 0.03


@pytest.mark.parametrize("what", ["speed", "style", "both"])
def test_no_joint_turns_faster_in_a_blend_than_in_the_walks_at_that_speed(walk: Walk, what: str, tell):
    run, model = walk.begun(), walk.model
    told = {"speed": {"speed": walk.fast}, "style": {"style": walk.second}}
    values = told.get(what, {"speed": walk.fast, "style": walk.second})
    pair = (walk.first, walk.slow), (str(values.get("style", walk.first)), float(values.get("speed", walk.slow)))
    most, period = largest(walk, *pair), walk.period(walk.first, walk.slow)
    ratios: list[float] = []
    for share in np.arange(4) / 4.0:
        time = run.calm + (1.0 + share) * period
        changed = model.change(run, time, values)
        assert time <= changed.stages[-1].blends and changed.calm - time < 2.0 * period
        ratios.append(float(steps(changed.tree, time, changed.calm + 0.1).max()) / most)
    tell(f"{what}: largest joint step over that of the cycles {max(ratios):.3f}")
    assert max(ratios) < 1.02


def test_the_foot_that_stands_in_a_blend_hardly_slips(walk: Walk, tell):
    run, model = walk.begun(), walk.model
    slips: list[float] = []
    for values in ({"speed": walk.fast}, {"style": walk.second}):
        stage = model.change(run, run.calm + 0.5, values)
        times = np.linspace(stage.stages[-1].blends, stage.stages[-1].settled, 50)
        places = toes(stage.tree, times)
        slips.append(float(np.linalg.norm(places - places[0], axis=-1).max(axis=0).min()))
    tell(f"slip in a change of speed {100 * slips[0]:.1f} cm, of style {100 * slips[1]:.1f} cm")
    assert slips[0] < 0.03 and slips[1] < 0.05


def test_a_stopped_walk_stands_on_both_feet_within_a_step(walk: Walk, tell):
    run, model = walk.begun(), walk.model
    period = walk.period(walk.first, walk.slow)
    height, most = toes(model.stand, np.zeros(1))[..., 2].max(), largest(walk, (walk.first, walk.slow))
    took, ratios, slips = [], [], []
    for number in range(PHASES):
        time = run.calm + (1.0 + number / PHASES) * period
        stopped = model.stop(run, time)
        times = np.arange(time, time + 2.0 * period, 0.005)
        places = toes(stopped.tree, times)
        fast = np.linalg.norm(np.diff(places, axis=0), axis=-1).max(axis=1) / 0.005 > 0.05
        high = places[1:, :, 2].max(axis=1) > height + 0.01
        took.append((times[1:][fast | high].max() - time) / (0.5 * period))
        ratios.append(float(steps(stopped.tree, time, stopped.ends + 0.1).max()) / most)
        low = places[(times >= stopped.stages[-1].blends) & (times <= stopped.ends)]
        slips.append(float(np.linalg.norm(low - low[0], axis=-1).max(axis=0).min()))
        assert same(stopped.tree, run.tree, np.linspace(0.0, time, 60))
        assert stopped.state(stopped.ends) == "finished" and stopped.state(time) == "executing"
        late = roots(stopped.tree, np.arange(stopped.ends, stopped.ends + 3.0, 0.1))
        assert np.linalg.norm(late - late[0], axis=-1).max() < 0.03
    tell(
        f"stops at {PHASES} phases: {min(took):.2f} to {max(took):.2f} steps, joint steps up to {max(ratios):.3f} of "
        f"the cycle's, the standing foot slips {100 * np.mean(slips):.0f} cm, at most {100 * max(slips):.0f} cm"
    )
    assert max(took) <= 1.0 and max(ratios) < 1.002 and max(slips) < 0.26


def test_in_a_stop_no_joint_turns_faster_than_in_the_cycle_in_whatever_style(walk: Walk, tell):
    model, found = walk.model, dict[tuple[str, float], float]()
    for kind in ((walk.third, walk.slow), (walk.second, walk.slow), (walk.third, walk.fast)):
        run, most = model.begin(0.0, {"style": kind[0], "speed": kind[1]}), largest(walk, kind)
        times = run.calm + (1.0 + np.arange(PHASES) / PHASES) * walk.period(*kind)
        ends = [(stopped.tree, time, stopped.ends + 0.1) for time in times for stopped in (model.stop(run, time),)]
        found[kind] = max(float(steps(*one).max()) for one in ends) / most
    told = {kind: round(most, 3) for kind, most in found.items()}
    tell(f"joint steps of stops over those of the cycles: {told}")
    assert max(found.values()) < 1.002


@pytest.mark.parametrize("model", [biped_walk, recorded_biped_walk])
@pytest.mark.parametrize("share", [0.0, 0.1, 0.3, 0.5, 0.9])
def test_a_walk_can_be_stopped_in_its_start_phase(model: object, share: float):
    walk = model()
    run = walk.begin(1.0, {})
    time = 1.0 + share * (run.executes - 1.0)
    assert run.state(time) == "started" and run.state(0.9) == "waiting"
    stopped = walk.stop(run, time)
    assert run.ends == inf and time < stopped.ends < inf and stopped.state(stopped.ends) == "finished"
    assert same(stopped.tree, run.tree, np.linspace(1.0, time, 30)) or share == 0.0
    late = toes(stopped.tree, np.arange(stopped.ends, stopped.ends + 1.0, 0.05))
    assert np.abs(np.diff(late, axis=0)).max() < 1e-3 and np.abs(late[..., 2] - 0.025).max() < 5e-3
    smooth(walk, stopped, 0.8, stopped.ends + 1.0)


def test_a_hard_stop_ends_on_that_frame(walk: Walk):
    run = walk.begun()
    for time in (0.2, run.calm + 0.77, run.calm + 1.31):
        cut = walk.model.stop_hard(run, time)
        assert cut.ends == time and abs(end_of(cut.tree) - time) < 1e-12 and cut.state(time) == "finished"
        assert same(cut.tree, run.tree, np.linspace(0.0, time, 50))
        assert np.abs(cut.tree.sample([time + 1.0]) - run.tree.sample([time])).max() < 1e-9
        with pytest.raises(ClipError, match="ended at .* Start it again"):
            walk.model.stop(cut, time + 0.1)


def smooth(model: WalkModel, run: WalkRun, begin: float, end: float) -> None:
    """Fail if any joint or the root jumps."""
    times = np.arange(begin, end, 1.0 / 600.0)
    rows = all_rotations(model.stand.channels, run.tree.sample(times))
    dots = np.abs((rows[1:] * rows[:-1]).sum(axis=-1))
    assert np.degrees(2.0 * np.arccos(np.clip(dots, 0.0, 1.0))).max() < 3.0
    assert np.linalg.norm(np.diff(roots(run.tree, times), axis=0), axis=-1).max() < 0.015


@pytest.mark.parametrize("seed", range(6))
def test_whatever_is_commanded_whenever_nothing_jumps_and_the_past_stays(seed: int):
    rng = np.random.default_rng(seed)
    model = (biped_walk, recorded_biped_walk)[seed % 2]()
    run, time = model.begin(0.0, {}), 0.0
    for _ in range(12):
        time += float(rng.choice([0.03, 0.2, 0.7, 1.6]))
        before = run
        if run.ends < inf:
            run = model.begin(time, {"style": str(rng.choice(["neutral", "happy", "sad"]))}, after=run)
        elif rng.uniform() < 0.25:
            run = model.stop(run, time)
        else:
            values = {"speed": float(rng.uniform(0.7, 2.0)), "style": str(rng.choice(["neutral", "happy", "sad"]))}
            run = model.change(run, time, dict([list(values.items())[int(rng.integers(2))]]))
        assert same(run.tree, before.tree, np.linspace(0.0, time, 200))
        assert len(run.stages) == len(run.trees)
    smooth(model, run, -0.1, run.calm + 1.5)


def test_of_two_commands_within_a_pass_the_later_one_counts(walk: Walk):
    run, model = walk.begun(), walk.model
    time = run.calm + 0.1
    twice = model.change(model.change(run, time, {"speed": walk.fast}), time + 0.05, {"speed": 1.1 * walk.slow})
    once = model.change(run, time + 0.05, {"speed": 1.1 * walk.slow})
    assert twice.tree == once.tree and twice.parameters == once.parameters
    back = model.change(model.change(run, time, {"speed": walk.fast}), time + 0.05, {"speed": walk.slow})
    assert same(back.tree, run.tree, np.linspace(0.0, time + 5.0, 200))


def test_a_speed_commanded_in_the_start_phase_is_the_speed_after_it(walk: Walk):
    run = walk.begun()
    for time in (0.0, 0.3 * run.executes, 0.95 * run.executes):
        faster = walk.model.change(run, time, {"speed": walk.fast})
        seconds = 3.0 * walk.period(walk.first, walk.fast)
        places = roots(faster.tree, [faster.calm, faster.calm + seconds])
        assert abs(np.linalg.norm(places[1] - places[0]) / seconds / walk.fast - 1.0) < 0.03
        assert same(faster.tree, run.tree, np.linspace(0.0, time, 50)[:-1])


def test_a_walk_starts_again_where_it_has_stopped(walk: Walk):
    run, model = walk.begun(), walk.model
    stopped = model.stop(run, run.calm + 1.0)
    again = model.begin(stopped.ends - 0.1, {"speed": walk.slow}, after=stopped)
    assert again.started == stopped.ends and again.state(again.started - 0.05) == "waiting" and again.ends == inf
    assert same(again.tree, stopped.tree, np.linspace(0.0, again.started, 100))
    places = roots(again.tree, [again.started - 1e-6, again.started + 1e-6, again.calm + 2.0])
    assert np.linalg.norm(places[1] - places[0]) < 1e-4 and np.linalg.norm(places[2] - places[1]) > walk.slow
    cut = model.stop_hard(run, run.calm + 0.9)
    risen = model.begin(cut.ends + 0.5, {"speed": walk.slow}, after=cut)
    assert same(risen.tree, run.tree, np.linspace(0.0, cut.ends, 100))
    assert same(risen.tree, cut.tree, np.linspace(0.0, risen.started, 100)[:-1])
    smooth(model, risen, cut.ends, risen.calm + 1.0)
    with pytest.raises(ClipError, match="is still running .* Stop it before"):
        model.begin(run.calm + 2.0, {}, after=run)


def test_a_walk_uphill_keeps_to_its_ramp_whatever_is_commanded():
    cycles = BaseMotion(biped_climb(), "uphill"), BaseMotion(biped_walk().walk_cycles[0].clip, "level")
    model, slope = WalkModel((), cycles, (), biped_stand()), np.tan(np.radians(12.0))

    def lowest(run: WalkRun, begin: float, end: float, ramp: float) -> np.ndarray:
        places = toes(run.tree, np.arange(begin, end, 0.02))
        return (places[..., 2] + ramp * places[..., 1]).min(axis=1)

    run = model.begin(0.0, {})
    floor = float(lowest(run, run.calm, run.calm + 1.0, slope).min())
    assert abs(floor) < 0.05
    for speed in (1.6, 0.8, 1.2):
        run = model.change(run, run.calm + 1.7, {"speed": speed})
        assert np.abs(lowest(run, run.calm, run.calm + 3.0, slope) - floor).max() < 0.01
    stopped = model.stop(run, run.calm + 2.3)
    high = lowest(stopped, stopped.ends, stopped.ends + 1.0, 0.0)
    assert np.abs(high - lowest(run, stopped.ends - 0.1, stopped.ends, 0.0).mean()).max() < 0.10
    again = model.begin(stopped.ends + 0.5, {"style": "level"}, after=stopped)
    assert np.abs(lowest(again, again.calm, again.calm + 2.0, 0.0) - high.mean()).max() < 0.01
    level = model.change(run, run.calm + 1.0, {"style": "level"})
    assert np.ptp(lowest(level, level.calm, level.calm + 3.0, 0.0)) < 0.01


@dataclass(frozen=True)
class Counted:
    """A clip that counts the rows it is asked for."""

    clip: Clip
    rows: list[int] = field(default_factory=list, compare=False)

    def __str__(self) -> str:
        return str(self.clip)

    def __getattr__(self, name: str) -> object:
        return getattr(self.clip, name)

    def sample(self, times: object) -> np.ndarray:
        self.rows.append(np.size(times))
        return self.clip.sample(times)


def test_a_command_samples_a_few_blends_at_most():
    plain, counts = biped_walk(), []
    cycles = tuple(replace(one, clip=Counted(one.clip, counts)) for one in plain.walk_cycles)
    model = WalkModel((), cycles, (), Counted(biped_stand(), counts), frozenset())
    run = model.begin(0.0, {})
    for number in range(20):
        counts.clear()
        values = {"speed": 1.0 + 0.02 * number}
        run = model.change(run, 5.0 + 1.7 * number, values)
        assert sum(counts) < 1000 and len(str(run.tree)) < 300
    stopped = model.stop(run, 45.0)
    assert np.isfinite(stopped.tree.sample(np.linspace(0.0, 50.0, 500))).all()


def test_what_a_walk_cannot_do_is_told_in_a_sentence():
    model = biped_walk()
    run = model.begin(0.0, {})
    with pytest.raises(ClipError, match="'walk' has no parameter 'sped', only 'speed', 'style'. Choose"):
        model.begin(0.0, {"sped": 1.0})
    with pytest.raises(ClipError, match="'walk' has no style 'angry', only 'neutral', 'happy', 'sad'. Choose"):
        model.change(run, 1.0, {"style": "angry"})
    for wrong in (float("nan"), "fast"):
        with pytest.raises(ClipError, match="speed of 'walk' cannot be .* Give a number"):
            model.change(run, 1.0, {"speed": wrong})
    with pytest.raises(ClipError, match=r"cannot be 0. Choose a number from 0\.196 to 5\.02"):
        model.change(run, 1.0, {"speed": 0.0})
    with pytest.raises(ClipError, match="takes no command at nan s"):
        model.stop(run, float("nan"))
    cycle, stand = model.walk_cycles[0], biped_stand()
    with pytest.raises(ClipError, match="'WalkCycle' of 'walk' cannot be blended: it has no contacts. Mark"):
        WalkModel((), (BaseMotion(replace(cycle.clip, marks=())),), (), stand)
    with pytest.raises(ClipError, match="'Stand' of 'walk' stays in place, so it has no speed. Give"):
        WalkModel((), (BaseMotion(stand),), (), stand)
    fewer = replace(stand.channels, rotating=stand.channels.rotating[:-1])
    with pytest.raises(
        ClipError, match="must move the same bones, but only one of WalkCycle and Stand moves 'Toes_R'. Key"
    ):
        WalkModel((), (cycle,), (), replace(stand, channels=fewer))
    with pytest.raises(ClipError, match="'walk' has no cycle. Give it"):
        WalkModel((), (), (), stand)
