"""Locks over motion models: feet stand still whatever is commanded and whatever is laid over the walk."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from verbs_adverbs.core.errors import LayerError
from verbs_adverbs.core.feet.constrained_player import ConstrainedPlayer, Knees
from verbs_adverbs.core.feet.playing_together import advance_all
from verbs_adverbs.core.figure.channels import all_rotations, rotations_of, world_joints
from verbs_adverbs.core.figure.lock_point import LockPoint
from verbs_adverbs.core.layers.model_below_layers import ModelPlayer
from verbs_adverbs.core.layers.model_players import LayeredModel, layered_model
from verbs_adverbs.core.motion.clip import end_of
from verbs_adverbs.core.play.player import Asked, AskLayer, AskModel, Stretch

from .layered import ARM, waving
from .model_clips import LEGS, biped_walk, captured_walk
from .test_model_players import gesture, wave_model

RATE = 60.0
PHASES = 20
Script = Sequence[tuple[float, Asked]]


@dataclass
class Walk:
    """A figure that walks, and what it is told."""

    figure: LayeredModel
    slow: float
    fast: float
    style: str

    @property
    def script(self) -> Script:
        return (
            (0.5, AskModel("start", {"speed": self.slow})),
            (4.3, AskModel("change", {"speed": self.fast})),
            (7.1, AskModel("change", {"style": self.style})),
            (11.2, AskModel("stop")),
            (14.0, AskModel("start", {"speed": self.slow})),
            (16.4, AskModel("stop")),
        )


@pytest.fixture(params=["biped", "captured"])
def walk(request: pytest.FixtureRequest) -> Walk:
    if request.param == "biped":
        return Walk(layered_model(biped_walk(), []), 1.24, 1.74, "happy")
    return Walk(layered_model(captured_walk(request.getfixturevalue("mocap")), []), 1.2, 1.6, "active")


def locked(figure: LayeredModel, script: Script, knees: Knees = "hinge") -> ConstrainedPlayer[ModelPlayer]:
    player = ConstrainedPlayer(ModelPlayer(figure, settle=0.0), knees=knees)
    for time, what in script:
        player.command(time, what)
    return player


def walked(figure: LayeredModel, script: Script, until: float, knees: Knees = "hinge") -> Stretch:
    return locked(figure, script, knees).advance(np.arange(round(until * RATE) + 1) / RATE)


def bare(figure: LayeredModel, script: Script, until: float) -> Stretch:
    player = ModelPlayer(figure, settle=0.0)
    for time, what in script:
        player.command(time, what)
    return player.advance(np.arange(round(until * RATE) + 1) / RATE)


def slips(figure: LayeredModel, shown: Stretch, values: np.ndarray) -> np.ndarray:
    """Centimetres a second by which each point moves over the floor from row to row while it is held."""
    joints, found = world_joints(figure.channels, values), list[np.ndarray]()
    for index, point in enumerate(figure.points):
        held = shown.support >> index & 1 == 1
        pair = held[1:] & held[:-1]
        changes = [told.time for told in shown.happenings if told.name == point.name]
        for time in changes:
            pair &= (shown.times[:-1] >= time) | (shown.times[1:] <= time)
        for lift in (told.time for told in shown.happenings if told.kind == "lift" and told.name == point.name):
            pair &= (shown.times[1:] <= lift) | (shown.times[:-1] >= min(t for t in changes if t > lift))
        ways = np.linalg.norm(np.diff(joints[:, point.joint, :2], axis=0), axis=-1)
        found.append(100.0 * ways[pair] / np.diff(shown.times)[pair])
    return np.concatenate(found)


def steps(figure: LayeredModel, values: np.ndarray, rows: int) -> np.ndarray:
    """Degrees (T - rows, J) by which each joint turns within so many rows."""
    turns = all_rotations(figure.channels, values)
    pair = [Rotation.from_quat(part.reshape(-1, 4)[:, [1, 2, 3, 0]]) for part in (turns[:-rows], turns[rows:])]
    return np.degrees((pair[0].inv() * pair[1]).magnitude()).reshape(len(values) - rows, -1)


@pytest.mark.parametrize("knees", ["hinge", "free"])
def test_feet_stand_still_whatever_is_commanded(walk: Walk, knees: Knees, tell):
    shown, plain = walked(walk.figure, walk.script, 20.0, knees), bare(walk.figure, walk.script, 20.0)
    now, before = (slips(walk.figure, shown, values) for values in (shown.values, plain.values))
    tell(
        f"feet that stand slip {now.mean():.2f} cm/s, at most {now.max():.2f}; without locks {before.mean():.2f}, "
        f"at most {before.max():.0f}; knees {knees}"
    )
    assert len(now) > 1000 and now.max() < 0.1 and before.mean() > 1.0
    both = (1 << len(walk.figure.points)) - 1
    assert set(shown.support[shown.times > 17.5].tolist()) == {both}


def test_feet_stand_as_still_with_three_layers_as_with_none():
    plain = layered_model(biped_walk(), [])
    nod = waving("nod", ("Head",), passes=0)
    three = layered_model(biped_walk(), [gesture(wave_model(), ARM), waving("hail", ("UpperArm_L",), passes=0), nod])
    walk = Walk(plain, 1.24, 1.74, "happy")
    started = [(2.0 + 0.4 * number, AskLayer(name, "start")) for number, name in enumerate(("wave", "hail", "nod"))]
    alone, under = walked(plain, walk.script, 20.0), walked(three, (*walk.script, *started), 20.0)
    assert slips(three, under, under.values).max() < 0.1 and slips(plain, alone, alone.values).max() < 0.1
    turns, others = rotations_of(plain.channels, alone.values), rotations_of(three.channels, under.values)
    names = [plain.channels.skeleton.names[joint] for joint in plain.channels.rotating]
    legs = [name in LEGS for name in names]
    differ = np.abs(turns - others).max(axis=(0, 2))
    assert differ[legs].max() < 1e-9
    assert all(differ[names.index(name)] > 0.02 for name in ("UpperArm_L", "UpperArm_R", "Head"))


def test_no_joint_turns_faster_for_locks_in_a_stop_than_in_the_cycle(walk: Walk, tell):
    start = (0.0, AskModel("start", {"speed": walk.slow}))
    run = walk.figure.model.begin(0.0, {"speed": walk.slow})
    clip = walk.figure.model.walk_cycles[0].clip
    ends = clip.sample([clip.start, end_of(clip)])[:, :2]
    period = float(np.linalg.norm(ends[1] - ends[0])) / walk.slow
    ratios, took, slipped = [], [], []
    most = steps(walk.figure, bare(walk.figure, [start], run.calm + 3.0 * period).values, 2).max()
    for number in range(PHASES):
        time = run.calm + (1.0 + number / PHASES) * period
        shown = walked(walk.figure, [start, (time, AskModel("stop"))], time + 3.0)
        ratios.append(float(steps(walk.figure, shown.values, 2)[shown.times[2:] > time].max() / most))
        both = (1 << len(walk.figure.points)) - 1
        took.append((shown.times[shown.support != both].max() - time) / (0.5 * period))
        slipped.append(slips(walk.figure, shown, shown.values).max())
    tell(
        f"stops at {PHASES} phases with locks: joint steps up to {max(ratios):.3f} of the cycle's, both feet stand "
        f"after {max(took):.2f} steps, slip up to {max(slipped):.2f} cm/s"
    )
    assert max(ratios) < 1.002 and max(took) <= 1.0 and max(slipped) < 0.1


def test_rows_do_not_depend_on_which_others_are_asked_for(walk: Walk):
    whole = walked(walk.figure, walk.script, 18.0)
    player, rng, parts, at = locked(walk.figure, walk.script), np.random.default_rng(3), [], 0
    while at < len(whole.times):
        count = int(rng.integers(1, 120))
        parts.append(player.advance(whole.times[at : at + count]).values)
        at += count
    assert np.abs(np.concatenate(parts) - whole.values).max() < 1e-6
    sparse = locked(walk.figure, walk.script).advance(whole.times[::7])
    assert np.abs(sparse.values - whole.values[::7]).max() < 1e-6


def test_a_fork_goes_on_by_itself_and_together_is_as_alone(walk: Walk):
    one = locked(walk.figure, walk.script[:1])
    early, late = np.arange(300) / RATE, np.arange(300, 600) / RATE
    one.advance(early)
    other, third = one.fork(), one.fork()
    other.command(5.0, AskModel("stop"))
    alone = third.advance(late).values
    both = advance_all([one, other], late)
    assert np.abs(both[0].values - alone).max() < 1e-6
    stopped = locked(walk.figure, (walk.script[0], (5.0, AskModel("stop")))).advance(late).values
    assert np.abs(both[1].values - stopped).max() < 1e-6
    assert np.linalg.norm(both[1].values[-1, :2] - both[0].values[-1, :2]) > 1.0


def test_a_layer_of_a_fork_is_not_seen_in_what_it_was_forked_from():
    figure = layered_model(biped_walk(), [gesture(wave_model(), ARM)])
    one = locked(figure, [(0.0, AskModel("start")), (1.0, AskLayer("wave", "start"))])
    one.advance(np.arange(181) / RATE)
    other, late = one.fork(), np.arange(181, 300) / RATE
    other.command(3.01, AskLayer("wave", "stop_hard"))
    stopped = locked(figure, [(0.0, AskModel("start")), (1.0, AskLayer("wave", "start"))])
    stopped.command(3.01, AskLayer("wave", "stop_hard"))
    assert np.abs(other.advance(late).values - stopped.advance(late).values).max() < 1e-6
    waving_on = locked(figure, [(0.0, AskModel("start")), (1.0, AskLayer("wave", "start"))]).advance(late)
    assert np.abs(one.advance(late).values - waving_on.values).max() < 1e-6 and one.player.layers == ("wave",)
    assert other.player.layers == ()


def test_points_stand_without_locks_where_the_tree_has_them_in_contact(walk: Walk):
    shown, player = bare(walk.figure, walk.script, 20.0), ModelPlayer(walk.figure, settle=0.0)
    for time, what in walk.script:
        player.command(time, what)
    player.play(20.0)
    times = shown.times[:-1] + 1e-4
    told = player.run.tree.marks_within(0.0, 20.0)
    for index, point in enumerate(walk.figure.points):
        spans = [mark for mark in told if mark.kind == "contact" and mark.name == point.name]
        down = np.any([(times >= mark.start) & (times < mark.end) for mark in spans], axis=0)
        rows = shown.support[:-1] >> index & 1 == 1
        near = np.min([np.abs(times - end) for mark in spans for end in (mark.start, mark.end)], axis=0) < 1e-3
        assert np.array_equal(down[~near], rows[~near]) and near.mean() < 0.1 and 0.3 < down.mean() < 1.0


def test_feet_that_are_left_behind_by_a_stop_step_home():
    figure = layered_model(biped_walk(), [])
    script = [(0.0, AskModel("start")), (3.4, AskModel("stop"))]
    shown, plain = walked(figure, script, 8.0), bare(figure, script, 8.0)
    kinds = [told.kind for told in shown.happenings if told.time > 3.4 and told.kind in ("lift", "home")]
    assert kinds[:2] == ["lift", "home"] and kinds.count("lift") == kinds.count("home")
    here, home = (world_joints(figure.channels, one.values[-1:])[0] for one in (shown, plain))
    assert max(np.linalg.norm(here[point.joint] - home[point.joint]) for point in figure.points) < 0.05


def test_a_point_that_no_bone_carries_is_told_of_and_can_be_given():
    model = biped_walk()
    renamed = replace(
        model,
        walk_cycles=tuple(
            replace(one, clip=replace(one.clip, marks=tuple(replace(m, name=m.name[::-1]) for m in one.clip.marks)))
            for one in model.walk_cycles
        ),
    )
    with pytest.raises(LayerError, match="'L_seoT' of 'walk' is in contact, but no bone has its name"):
        layered_model(renamed, [])
    index = model.stand.channels.skeleton.index
    points = [LockPoint(f"{side}_seoT", index(f"Toes_{side}"), np.array([0.0, 0.02, 0.0])) for side in "LR"]
    assert layered_model(renamed, [], points=points).points[0] is points[0]
