"""Dragged, performed, played by the timeline or baked: every bone is in the same place, turned in the same way."""

from dataclasses import dataclass
from functools import partial
from pathlib import Path

import bpy
import numpy as np
import pytest
from blender.figurine import assign
from blender.performance import OPS, add_graph, begin_with, biped_with_verbs
from blender.performer import begin, command, end, play, session, take
from blender.stage import drag, go_to, opened_again, part, pose_of, poses_at, rested, walking_biped
from corruption.state import curves
from mathutils import Quaternion

PLACE, ANGLE = 1e-4, 0.01
MOVED = 1e-3
FPS, LAST = 30, 150
"""A frame is two ticks, so that there is a tick at every frame."""
COMMANDS = {0.71: "wave", 3.7: "walk"}
HANDS = {"mood": (0.3, 0.9, 0.8), "turn": (0.5, 1.2, 0.6), "energy": (1.5, 2.4, 0.7)}
"""When a slider begins to move and comes to rest, in seconds, and where."""
RISE, TREAD = 0.12, 0.36
WALKED, LANDED = 60, 32
on_floors_with_hands = pytest.mark.parametrize(
    ("floor", "keyed"),
    [
        pytest.param("level", False, marks=pytest.mark.long, id="level, sliders at rest"),
        pytest.param("level", True, id="level, sliders moved"),
        pytest.param("stairs", False, id="stairs, sliders at rest"),
        pytest.param("stairs", True, marks=pytest.mark.long, id="stairs, sliders moved"),
    ],
)


@dataclass(frozen=True, eq=False)
class Shown:
    """What was seen of a performance, at frames from 1 on.

    Parameters
    ----------
    poses : (LAST, J, 4, 4)
    passing : (LAST,) whether a transition played.
    stepping : (LAST,) whether a foot stepped home.
    """

    poses: np.ndarray
    passing: np.ndarray
    stepping: np.ndarray


_shown: dict[str, Shown] = {}


def performed(floor: str, moved: bool):
    """The biped whose take plays, and what was seen while it was performed."""
    name = f"performed on {floor}{', sliders moved' if moved else ''}"
    return opened_again(name, partial(_perform, name, floor, moved)), _shown[name]


def _perform(name: str, floor: str, moved: bool) -> None:
    bpy.context.scene.render.fps = FPS
    add_graph()
    bpy.context.scene.frame_end = LAST
    armature = bpy.context.object
    begin_with(armature, "walk")
    director = part("bridge.data.director").ensure_director(armature)
    stand_on(director, floor)
    asked = {}
    for slider, (begins, ends, goal) in HANDS.items() if moved else ():
        for share in np.linspace(0.0, 1.0, round(FPS * (ends - begins))):
            value = goal * (0.5 - 0.5 * np.cos(np.pi * share))
            asked[begins + share * (ends - begins)] = partial(drag, director, **{slider: value})
    asked |= {seconds: partial(command, armature, verb) for seconds, verb in COMMANDS.items()}
    poses, moments = {}, {}

    def see() -> None:
        frame = 1.0 + FPS * session().frames.shown[-1].time
        if abs(frame - round(frame)) < 1e-6:
            poses[round(frame)], moments[round(frame)] = pose_of(armature), take().status

    assert play(begin(armature), LAST / FPS, asked, each=see) and end() == []
    assert list(poses) == list(range(1, LAST + 1))
    seen, toes = np.array(list(poses.values())), [armature.pose.bones.find(name) for name in ("Toes_L", "Toes_R")]
    passing = np.array([moment.transition is not None for moment in moments.values()])
    waving = np.array([moment.verb.name == "wave" for moment in moments.values()]) & ~passing
    places = seen[:, toes][..., :3, 3]
    steps = np.linalg.norm(np.diff(places, axis=0, prepend=places[:1]), axis=-1).max(axis=-1)
    _shown[name] = Shown(seen, passing, waving & (steps > MOVED))


def stand_on(director, floor: str) -> None:
    """Level ground, or stairs up along -Y, where the biped walks."""
    if floor == "stairs":
        edges = [(place, RISE * max(step, 0)) for step in range(-8, 24) for place in (step, step + 1)]
        corners = [(side, -TREAD * place, height) for place, height in edges for side in (-9.0, 9.0)]
        faces = [(2 * row, 2 * row + 1, 2 * row + 3, 2 * row + 2) for row in range(len(edges) - 1)]
        mesh = bpy.data.meshes.new("Stairs")
        mesh.from_pydata(corners, [], faces)
        director.verbs_adverbs.performance.floor = flight = bpy.data.objects.new("Stairs", mesh)
        bpy.context.scene.collection.objects.link(flight)
    bpy.context.view_layer.update()


def assert_same(ones: np.ndarray, others: np.ndarray, frames) -> None:
    """Bones (T, J, 4, 4) in the same places, turned in the same way."""
    assert ones.shape == others.shape
    away = np.linalg.norm(ones[..., :3, 3] - others[..., :3, 3], axis=-1).max(axis=-1)
    turn = np.swapaxes(ones[..., :3, :3], -1, -2) @ others[..., :3, :3]
    axis = np.stack([turn[..., i, j] - turn[..., j, i] for i, j in ((2, 1), (0, 2), (1, 0))], axis=-1)
    cosine = np.trace(turn, axis1=-2, axis2=-1) - 1.0
    turned = np.degrees(np.arctan2(np.linalg.norm(axis, axis=-1), cosine)).max(axis=-1)
    wrong = np.flatnonzero(~((away < PLACE) & (turned < ANGLE)))
    said = [f"frame {list(frames)[row]}: {away[row]:.2g} m, {turned[row]:.2g} degrees" for row in wrong]
    assert not said, f"{len(said)} of {len(ones)} differ: {'; '.join(said[:8])}"


def assert_dragged_as_played(armature, frames, hands, folder: Path) -> None:
    """Sliders moved at a frame show what the timeline plays there when the hand has come to rest.

    Parameters
    ----------
    hands : for each frame, values of the sliders that are moved.
    """
    director, shown, then = armature.verbs_adverbs.director, [], []
    for frame, hand in zip(frames, hands, strict=True):
        go_to(frame)
        before = pose_of(armature)
        drag(director, **hand)
        shown.append(pose_of(armature))
        assert np.abs(shown[-1] - before).max() > MOVED, f"frame {frame}: nothing has moved"
        rested(folder)
        go_to(frame)
        then.append(pose_of(armature))
    assert_same(np.array(shown), np.array(then), frames)


def some(which: np.ndarray, count: int) -> list[int]:
    """So many of the frames from 1 on for which `which` (T,) holds, spread evenly."""
    frames = 1 + np.flatnonzero(which)
    assert len(frames) >= count
    return frames[np.linspace(0, len(frames) - 1, count).round().astype(int)].tolist()


@on_floors_with_hands
def test_the_timeline_plays_what_was_performed(floor: str, keyed: bool):
    armature, seen = performed(floor, keyed)
    assert (np.diff(seen.passing.astype(int)) > 0).sum() >= 2 and seen.stepping.sum() > 10
    assert_same(poses_at(armature, range(1, LAST + 1)), seen.poses, range(1, LAST + 1))


@on_floors_with_hands
def test_the_bake_of_a_take_holds_what_the_timeline_plays(floor: str, keyed: bool):
    armature, _ = performed(floor, keyed)
    before = poses_at(armature, range(1, LAST + 1))
    assert OPS.bake_performance(frame_end=LAST) == {"FINISHED"}
    assert not armature.verbs_adverbs.director.verbs_adverbs.live
    assert_same(poses_at(armature, range(1, LAST + 1)), before, range(1, LAST + 1))


@on_floors_with_hands
def test_a_slider_dragged_under_a_score_shows_what_the_timeline_then_plays(floor: str, keyed: bool, tmp_path: Path):
    armature, seen = performed(floor, keyed)
    early = np.arange(LAST) < 115
    walking = early & ~seen.passing & (np.arange(LAST) < np.argmax(seen.passing))
    frames = [*some(walking, 3), *some(seen.passing & early, 3), *some(seen.stepping & early, 3)]
    more = {} if keyed else {"mood": 0.3, "turn": -0.5}
    sides = [1.0 if row % 2 else -1.0 for row in range(len(frames))]
    hands = [{name: side * value for name, value in {"slope": 0.5, "height": 0.6, **more}.items()} for side in sides]
    assert_dragged_as_played(armature, frames, hands, tmp_path)


@pytest.mark.parametrize("floor", ["level", pytest.param("stairs", marks=pytest.mark.long)])
def test_keyed_sliders_that_nobody_moves_change_nothing(floor: str):
    armature, _ = performed(floor, True)
    director = armature.verbs_adverbs.director
    for frame in (13, 27, 48, 66, 112):
        go_to(frame)
        before = pose_of(armature)
        drag(director, **{name: director[name] for name in HANDS})
        assert np.array_equal(pose_of(armature), before), f"frame {frame}"


@pytest.fixture(params=["level", pytest.param("stairs", marks=pytest.mark.long)])
def walker(request):
    """A biped that walks on the timeline, without a score."""
    armature = walking_biped()
    stand_on(part("bridge.data.director").ensure_director(armature), request.param)
    assert bpy.ops.verbs_adverbs.live_on() == {"FINISHED"}
    return armature


def key_turn(armature, folder: Path) -> None:
    director = armature.verbs_adverbs.director
    for frame, value in ((1, -0.6), (25, 0.7), (WALKED, -0.1)):
        director["turn"] = value
        director.keyframe_insert('["turn"]', frame=frame)
    rested(folder)


@pytest.mark.parametrize("keyed", [False, True], ids=["even", "keyed"])
def test_a_slider_dragged_over_a_verb_shows_what_the_timeline_then_plays(walker, keyed: bool, tmp_path: Path):
    hands = {"mood": 0.7, "slope": -0.5} if keyed else {"mood": 0.7, "slope": -0.5, "turn": 0.6}
    if keyed:
        key_turn(walker, tmp_path)
    frames = (1, 4, 9, 15, 22, 28, 33, 41, 50, WALKED)
    sides = [1.0 if row % 2 else -1.0 for row in range(len(frames))]
    each = [{name: side * value for name, value in hands.items()} for side in sides]
    assert_dragged_as_played(walker, frames, each, tmp_path)


def test_a_keyed_slider_of_a_verb_that_nobody_moves_changes_nothing(walker, tmp_path: Path):
    key_turn(walker, tmp_path)
    director = walker.verbs_adverbs.director
    for frame in (3, 14, 26, 43):
        go_to(frame)
        before = pose_of(walker)
        drag(director, turn=director["turn"])
        assert np.array_equal(pose_of(walker), before), f"frame {frame}"


@pytest.mark.parametrize("keyed", [False, True], ids=["even", "keyed"])
def test_the_bake_of_a_verb_holds_what_the_timeline_plays(walker, keyed: bool, tmp_path: Path):
    drag(walker.verbs_adverbs.director, mood=0.6, turn=0.5)
    rested(tmp_path)
    if keyed:
        key_turn(walker, tmp_path)
    before = poses_at(walker, range(1, WALKED + 1))
    assert OPS.bake(length="RANGE", frame_start=1.0, frame_end=float(WALKED)) == {"FINISHED"}
    assert not walker.verbs_adverbs.director.verbs_adverbs.live
    assert_same(poses_at(walker, range(1, WALKED + 1)), before, range(1, WALKED + 1))


@pytest.mark.parametrize("settle", [0.8, pytest.param(0.3, marks=pytest.mark.long)])
def test_a_verb_alone_plays_as_in_a_graph_of_nothing_else(walker, settle: float, tmp_path: Path):
    """From where each foot has come down again: before the first frame one has gone on for a cycle, the other not."""
    performance = walker.verbs_adverbs.director.verbs_adverbs.performance
    performance.settle = settle
    key_turn(walker, tmp_path)
    alone = poses_at(walker, range(LANDED, WALKED + 1))
    performance.active = True
    rested(tmp_path)
    assert_same(poses_at(walker, range(LANDED, WALKED + 1)), alone, range(LANDED, WALKED + 1))
    performance.active, performance.settle = False, 0.0
    rested(tmp_path)
    assert np.abs(poses_at(walker, range(LANDED, WALKED + 1)) - alone).max() > 10.0 * MOVED


@pytest.mark.parametrize("keyed", [False, True], ids=["even", "keyed"])
def test_only_what_changes_settles(walker, keyed: bool, tmp_path: Path):
    """Of a verb whose adverbs stay as they are the settings change nothing."""
    drag(walker.verbs_adverbs.director, mood=0.6, turn=0.5)
    rested(tmp_path)
    if keyed:
        key_turn(walker, tmp_path)
    before, performance = (
        poses_at(walker, range(1, WALKED + 1)),
        walker.verbs_adverbs.director.verbs_adverbs.performance,
    )
    performance.settle, performance.steps_home = 0.0, False
    rested(tmp_path)
    assert np.array_equal(poses_at(walker, range(1, WALKED + 1)), before) != keyed


def _spread(action: bpy.types.Action, degrees: float) -> None:
    """Turn both legs outwards at every key of an action."""
    legs: dict[str, dict[int, bpy.types.FCurve]] = {}
    for _, curve in curves(action):
        if "UpperLeg" in curve.data_path and curve.data_path.endswith("rotation_quaternion"):
            legs.setdefault(curve.data_path, {})[curve.array_index] = curve
    assert len(legs) == 2
    for path, parts in legs.items():
        turn = Quaternion((0.0, 0.0, 1.0), np.radians(-degrees if "_L" in path else degrees))
        for key in range(len(parts[0].keyframe_points)):
            told = Quaternion([parts[index].keyframe_points[key].co.y for index in range(4)]) @ turn
            for index in range(4):
                parts[index].keyframe_points[key].co.y = told[index]


@pytest.fixture
def straddler():
    """A biped that stands, with an adverb that sets its feet apart, keyed from one end to the other."""
    armature = biped_with_verbs()
    rig = armature.verbs_adverbs
    rig.active_verb = rig.verbs.find("stand")
    close = rig.verbs["stand"].examples[0].action
    wide = close.copy()
    _spread(wide, 12.0)
    assert OPS.adverb_add(name="wide") == {"FINISHED"}
    example = {"name": wide.name, "action": wide.name, "uid": wide.verbs_adverbs.examples[0].uid, "chosen": True}
    assert OPS.verb_examples_add(choices=[example]) == {"FINISHED"}
    for action, value in ((close, 0.0), (wide, 1.0)):
        assign(armature, action)
        assert OPS.value_set(adverb="wide", value=value) == {"FINISHED"}
    assert OPS.live_on(verb="stand") == {"FINISHED"}
    director = armature.verbs_adverbs.director
    for frame, value in ((20, 0.0), (44, 1.0)):
        director["wide"] = value
        director.keyframe_insert('["wide"]', frame=frame)
    return armature


def test_feet_of_a_verb_alone_step_home_as_in_a_graph_of_nothing_else(straddler, tmp_path: Path):
    director, frames = straddler.verbs_adverbs.director, range(1, 91)
    performance, toes = director.verbs_adverbs.performance, [straddler.pose.bones.find(f"Toes_{s}") for s in "LR"]
    rested(tmp_path)
    alone = poses_at(straddler, frames)
    places = alone[:, toes][..., :2, 3]
    assert (np.linalg.norm(places[-1] - places[0], axis=-1) > 0.1).all()
    performance.active = True
    begin_with(straddler, "stand")
    rested(tmp_path)
    assert_same(poses_at(straddler, frames), alone, frames)
    performance.active, performance.steps_home = False, False
    rested(tmp_path)
    stays = poses_at(straddler, frames)[:, toes][..., :2, 3]
    assert np.linalg.norm(stays - stays[0], axis=-1).max() < 0.02
