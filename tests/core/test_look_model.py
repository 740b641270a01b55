"""The motion model look: joints such as neck and head turn to a place, within ellipses, whatever lies below."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from verbs_adverbs.core.aim.gaze import GazeJoint
from verbs_adverbs.core.biped.figure import rest_orientations
from verbs_adverbs.core.errors import ClipError, RigError
from verbs_adverbs.core.feet.constrained_player import ConstrainedPlayer
from verbs_adverbs.core.figure.channels import Channels, rotations_of, world_frames, world_joints
from verbs_adverbs.core.graph.overlay import Below
from verbs_adverbs.core.layers.layer import Layer
from verbs_adverbs.core.layers.look_model import LookModel
from verbs_adverbs.core.layers.model_below_layers import ModelPlayer
from verbs_adverbs.core.layers.model_players import PlaysModel, layered_model
from verbs_adverbs.core.motion.clip import Motion, interpolated
from verbs_adverbs.core.play.player import AskAdverbs, AskLayer, AskModel

from .layered import ARM, masked
from .model_clips import biped_stand, biped_walk, captured_walk
from .test_gaze import EYES as SEEING
from .test_gaze import with_eyes
from .test_model_players import gesture, wave_model

FRONT = (0.0, -1.0, 0.0)
TURN = ("Neck", "Head")
RATE = 60.0
EYES = np.array([0.0, 0.0, 1.55])


def look(**more: object) -> LookModel:
    return LookModel(biped_stand(), FRONT, **more)  # type: ignore[arg-type]


def frames(channels: Channels, rows: np.ndarray, name: str) -> tuple[np.ndarray, Rotation]:
    """Where a joint is (T, 3), and how it is turned in performance space."""
    places, turns = world_frames(channels, rows)
    index = channels.skeleton.index(name)
    return places[:, index], Rotation.from_quat(turns[:, index][:, [1, 2, 3, 0]])


def over(model: LookModel, rows: np.ndarray, channels: Channels, place: np.ndarray) -> np.ndarray:
    """Rows (T, width) of a figure that has looked at a place for long."""
    run = model.begin(0.0, dict(zip("xyz", place.tolist(), strict=True)))
    count = len(rows)
    none = np.zeros((3, count))
    made = run.rows(Below(channels, np.full(count, 9.0), rows, none[0], none[1:], np.ones(count)))
    whole, own = rows.copy(), run.tree.channels
    first = channels.rotation_columns.start
    for row, joint in enumerate(own.rotating.tolist()):
        if row:
            column = first + 4 * channels.rotating.tolist().index(joint)
            whole[:, column : column + 4] = rotations_of(own, made)[:, row]
    return whole


def off(stand: Motion, channels: Channels, rows: np.ndarray, place: np.ndarray, ahead: np.ndarray) -> np.ndarray:
    """Degrees (T) by which a figure looks past a place: its eyes are half as high as the head, on the face."""
    heads, turned = frames(channels, rows, "Head")
    straight = frames(stand.channels, stand.sample([0.0]), "Head")[1]
    gaze = (turned * straight.inv()).apply(ahead)
    tail = channels.skeleton.tails[channels.skeleton.index("Head")]
    eyes = heads + turned.apply(0.5 * tail) + 0.4 * np.linalg.norm(tail) * gaze
    wanted = place - eyes
    return np.degrees(np.arccos(np.clip((gaze * wanted).sum(-1) / np.linalg.norm(wanted, axis=-1), -1.0, 1.0)))


def swings(channels: Channels, rows: np.ndarray, stand: Motion) -> dict[str, np.ndarray]:
    """How far (T, 3) neck and head are turned from how they stand on what carries them: up, aside, and laid over."""
    found: dict[str, np.ndarray] = {}
    for name, above in (("Neck", "Chest"), ("Head", "Neck")):
        turned = [
            frames(one.channels, values, above)[1].inv() * frames(one.channels, values, name)[1]
            for one, values in ((stand, stand.sample([0.0])),)
        ]
        now = frames(channels, rows, above)[1].inv() * frames(channels, rows, name)[1]
        carries = frames(stand.channels, stand.sample([0.0]), above)[1]
        found[name] = (carries * now * turned[0].inv() * carries.inv()).as_rotvec()[:, [0, 2, 1]]
    return found


def some_places(count: int, widest: float, highest: float, seed: int = 1) -> np.ndarray:
    """Places in front of the figure that stands at the origin, so many radians aside and high at most."""
    rng = np.random.default_rng(seed)
    aside, up, far = (
        rng.uniform(-widest, widest, count),
        rng.uniform(-highest, highest, count),
        rng.uniform(1, 8, count),
    )
    way = np.stack([np.sin(aside) * np.cos(up), -np.cos(aside) * np.cos(up), np.sin(up)], axis=-1)
    return EYES + far[:, None] * way


def test_a_figure_that_stands_looks_at_the_place():
    model, stand, worst = look(), biped_stand(), 0.0
    for place in some_places(200, 1.0, 0.4):
        rows = over(model, stand.sample([0.0]), stand.channels, place)
        worst = max(worst, float(off(stand, stand.channels, rows, place, np.array(FRONT))[0]))
    assert worst < 1e-4


def test_a_figure_that_walks_looks_at_the_place_and_holds_its_head_upright_on_its_chest():
    walk, stand = biped_walk(), biped_stand()
    rows = walk.begin(0.0, {}).tree.sample(np.linspace(2.0, 6.0, 241))
    for place in some_places(20, 0.6, 0.3):
        place = place + [0.0, -20.0, 0.0]
        seen = over(look(), rows, stand.channels, place)
        assert off(stand, stand.channels, seen, place, np.array(FRONT)).max() < 1e-4
        turns = swings(stand.channels, seen, stand)
        assert all(np.abs(turned[:, 2]).max() < 1e-6 for turned in turns.values())


def test_neck_and_head_stay_in_their_ellipses_and_share_the_turn():
    limits, stand = ((0.2, 0.5), (0.4, 0.3)), biped_stand()
    joints = tuple(GazeJoint(name, wide, high, wide, 0.0) for name, (high, wide) in zip(TURN, limits, strict=True))
    model, ratios = look(joints=joints), []
    for place in some_places(400, np.pi, 1.5, seed=2):
        rows = over(model, stand.sample([0.0]), stand.channels, place)
        turns = swings(stand.channels, rows, stand)
        for name, (high, wide) in zip(TURN, limits, strict=True):
            assert float(np.square(turns[name][0, :2] / [high, wide]).sum()) < 1.0 + 1e-9
            assert abs(turns[name][0, 2]) < 1e-6
        total = np.abs(turns["Neck"][0, 1]) + np.abs(turns["Head"][0, 1])
        if total > 0.1:
            ratios.append(np.abs(turns["Neck"][0, 1]) / total)
    assert 0.4 < np.median(ratios) < 0.8 and min(ratios) > 0.2


@pytest.mark.parametrize(
    ("high", "turns"), [(0.0, 1), *(pytest.param(high, 2, marks=pytest.mark.long) for high in (-1.0, 0.0, 0.8))]
)
def test_a_place_that_goes_round_the_figure_turns_the_head_without_a_jump(high: float, turns: int):
    model, stand, heads = look(), biped_stand(), []
    for angle in np.linspace(-turns * np.pi, turns * np.pi, turns * 720 + 1):
        place = EYES + [3.0 * np.sin(angle), -3.0 * np.cos(angle), high]
        rows = over(model, stand.sample([0.0]), stand.channels, place)
        heads.append(frames(stand.channels, rows, "Head")[1].as_quat()[0])
    turned = Rotation.from_quat(heads)
    steps = np.degrees((turned[:-1].inv() * turned[1:]).magnitude())
    assert steps.max() < 4.0 and np.degrees(turned.magnitude()).max() > 40.0


def test_eyes_look_at_the_place_and_the_head_turns_less_far():
    channels, _ = with_eyes()
    count = len(channels.skeleton.names)
    row = np.concatenate([np.zeros(5), [1.0], rest_orientations()[0], np.tile([1.0, 0.0, 0.0, 0.0], count - 1)])
    pose = np.tile(row, (2, 1))
    stand, place = interpolated(channels, (0.0, 1.0), pose, (), "Stand"), np.array([2.0, -2.0, 1.5])
    turned = []
    for eyes in ((), SEEING):
        rows = over(LookModel(stand, FRONT, eyes=eyes), pose[:1], channels, place)
        turned.append(np.degrees(swings(channels, rows, stand)["Head"][0, 1]))
        for name in eyes:
            at, now = frames(channels, rows, name)
            gaze = (now * frames(channels, pose[:1], name)[1].inv()).apply(FRONT)
            cosine = np.sum(gaze * (place - at)) / np.linalg.norm(place - at)
            assert np.degrees(np.arccos(min(cosine, 1.0))) < 1e-4
    assert 0.0 < turned[1] < turned[0] - 2.0


def test_turns_are_eased_and_what_was_before_a_command_stays():
    model = look()
    run = model.begin(1.0, {"x": 2.0, "y": -2.0, "z": 1.2})
    other = model.change(run, 1.4, {"x": -2.0})
    stopped = model.stop(other, 3.0)
    assert other.state(1.2) == "started" and other.state(2.5) == "executing" and stopped.state(3.7) == "finished"
    times = np.arange(0.9, 4.0, 1.0 / 240.0)
    rows = [one.tree.sample(times) for one in (run, other, stopped)]
    for before, after, until in ((rows[0], rows[1], 1.4), (rows[1], rows[2], 3.0)):
        assert np.abs(before - after)[times <= until].max() < 1e-12 < np.abs(before - after).max()
    twice = model.change(model.change(run, 1.4, {"x": 5.0}), 1.4, {"x": -2.0})
    assert np.abs(twice.tree.sample(times) - rows[1]).max() < 1e-12
    turned = [Rotation.from_quat(rotations_of(run.tree.channels, rows[2])[:, k][:, [1, 2, 3, 0]]) for k in (1, 2)]
    for turns in turned:
        speeds = np.degrees((turns[:-1].inv() * turns[1:]).magnitude()) * 240.0
        assert 20.0 < speeds.max() < 300.0 and np.abs(np.diff(speeds)).max() < 12.0
        assert speeds[(times[1:] < 1.0) | (times[:-1] > 3.6)].max() < 1e-9


def walker(layers: list[Layer]) -> ConstrainedPlayer[ModelPlayer]:
    player = ModelPlayer(layered_model(biped_walk(), layers), settle=0.0)
    player.command(0.0, AskModel("start", {"speed": 1.24}))
    return ConstrainedPlayer(player, knees="hinge")


def looking_layer() -> Layer:
    model = look()
    return Layer("look", PlaysModel(model), masked(("Neck",)), claims=model.claims({}))


def test_a_look_over_a_walk_stays_with_a_place_that_the_figure_passes_and_leaves_the_rest_alone():
    place = np.array([2.5, -7.0, 1.3])
    told = {f"look {name}": float(value) for name, value in zip("xyz", place, strict=True)}
    one, plain = walker([looking_layer(), gesture(wave_model(), ARM)]), walker([])
    one.command(0.5, AskAdverbs(told))
    one.command(1.0, AskLayer("look", "start"))
    one.command(1.5, AskLayer("wave", "start"))
    times = np.arange(round(6.0 * RATE)) / RATE
    rows, other = one.advance(times).values, plain.advance(times).values
    stand, channels = biped_stand(), one.channels
    ahead = np.array(FRONT)
    missed = off(stand, channels, rows, place, ahead)
    eyes = frames(channels, rows, "Head")[0]
    aside = np.degrees(np.arctan2(place[0] - eyes[:, 0], eyes[:, 1] - place[1]))
    near = (times > 2.0) & (aside < 55.0)
    assert near.sum() > 60 and missed[near].max() < 0.05 and missed[times < 1.0].min() > 5.0
    names = [channels.skeleton.names[joint] for joint in channels.rotating]
    differ = np.abs(rotations_of(channels, rows) - rotations_of(plain.channels, other)).max(axis=(0, 2))
    changed = {name for name, by in zip(names, differ, strict=True) if by > 1e-9}
    assert {"Neck", "Head", "UpperArm_R"} <= changed and not {"Chest", "Spine", "UpperLeg_L", "Toes_R"} & changed
    assert np.array_equal(rows[:, :6], other[:, :6])
    steps = np.linalg.norm(np.diff(world_joints(channels, rows)[:, channels.skeleton.index("Head")], axis=0), axis=-1)
    assert steps.max() < 0.05


def test_a_captured_figure_looks_at_the_place(mocap):
    stand = captured_walk(mocap).stand
    rows = stand.sample([0.0])
    walk = captured_walk(mocap).walk_cycles[0].clip
    ends = walk.sample([walk.start, walk.start + walk.duration])
    way = np.append(ends[1, :2] - ends[0, :2], 0.0)
    ahead = way / np.linalg.norm(way)
    model = LookModel(stand, tuple(ahead.tolist()))
    side = np.cross([0.0, 0.0, 1.0], ahead)
    for aside in (-0.9, -0.3, 0.4, 0.8):
        place = frames(stand.channels, rows, "Head")[0][0] + 3.0 * (np.cos(aside) * ahead + np.sin(aside) * side)
        place[2] += 0.3
        seen = over(model, rows, stand.channels, place)
        assert off(stand, stand.channels, seen, place, ahead)[0] < 1e-4


def test_what_a_look_cannot_do_is_told_in_a_sentence():
    neck, head = (GazeJoint(name, 1.0, 0.4, 0.6, 0.0) for name in TURN)
    with pytest.raises(RigError, match="no joint 'Throat'. Choose one that"):
        look(joints=(GazeJoint("Throat", 1.0, 0.4, 0.6, 0.0), head))
    with pytest.raises(RigError, match="'Head' is not a parent of 'Neck'. List joints from the torso"):
        look(joints=(head, neck))
    with pytest.raises(RigError, match="Eye 'Hand_L' is not a child of 'Head'. Name the head last"):
        look(eyes=("Hand_L",))
    with pytest.raises(RigError, match="'Head' is invalid: the ellipse has a half-axis of 229.2° about y. Give"):
        look(joints=(neck, GazeJoint("Head", 1.0, 0.1, 4.0, 0.0)))
    model = look()
    with pytest.raises(ClipError, match="The x of 'look' cannot be 'nan'. Give a number"):
        model.begin(0.0, {"x": float("nan")})
    run = model.stop(model.begin(0.0, {}), 1.0)
    with pytest.raises(ClipError, match="ended at .* Start it again"):
        model.change(run, run.ends + 0.1, {"x": 1.0})
    with pytest.raises(ClipError, match="'walk' is not a look"):
        model.stop(biped_walk().begin(0.0, {}), 0.5)
    assert model.begin(3.0, {}, after=run).state(3.1) == "started"
    assert str(model.begin(0.0, {"x": 1.0, "y": 2.0, "z": 3.0}).tree) == "Look(1, 2, 3)"
