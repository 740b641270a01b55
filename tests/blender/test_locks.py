"""Planted points stand still in the same way under sliders, on the timeline and in bakes."""

import bpy
import numpy as np
import pytest
from blender.stage import FPS, built_verb, core_joints, drag, go_to, joints_of, part, pose_of, walking_biped

END = 60
BETWEEN = {"mood": 0.6, "turn": 0.5}
SLIDES = 0.15


@pytest.fixture
def armature():
    return walking_biped()


@pytest.fixture
def director(armature):
    assert bpy.ops.verbs_adverbs.live_on() == {"FINISHED"}
    return armature.verbs_adverbs.director


def _flush() -> int:
    return part("bridge.session.live").flush()


def _frames(armature, frames) -> np.ndarray:
    names, found = built_verb(armature).channels.skeleton.names, []
    for frame in frames:
        go_to(float(frame))
        found.append(joints_of(armature, names))
    return np.array(found)


def _slip(armature, joints: np.ndarray, adverbs: dict[str, float]) -> float:
    """Largest speed over the floor, centimetres a second, of a planted point between frames that it stands in."""
    verb, worst = built_verb(armature), 0.0
    motion = verb.motion([adverbs.get(name, 0.0) for name in verb.adverb_names])
    phases = motion.phase(np.arange(len(joints)) / FPS)
    for contact, windows in zip(verb.contacts, motion.windows, strict=True):
        for begin, end in windows:
            since = phases - begin
            inside = since - np.floor(since) < end - begin
            steps = np.linalg.norm(np.diff(joints[:, contact.joint, :2], axis=0), axis=-1) * FPS * 100.0
            worst = max(worst, float(steps[inside[1:] & inside[:-1]].max()))
    return worst


def _lock(director, locks: bool) -> None:
    director.verbs_adverbs.performance.lock_feet = locks
    director.update_tag()
    _flush()


def _ramp():
    """A mesh that rises by a tenth of what one goes along -Y, which is where the biped walks."""
    mesh = bpy.data.meshes.new("ramp")
    corners = [(x, y, -0.1 * y) for x, y in ((-9.0, 9.0), (9.0, 9.0), (9.0, -9.0), (-9.0, -9.0))]
    mesh.from_pydata(corners, [], [(0, 3, 2, 1)])
    ramp = bpy.data.objects.new("ramp", mesh)
    bpy.context.collection.objects.link(ramp)
    bpy.context.view_layer.update()
    return ramp


def test_between_the_examples_feet_slide_without_locks_and_stand_with_them(armature, director, tell):
    drag(director, **BETWEEN)
    assert _flush() == 1
    locked = _slip(armature, _frames(armature, range(1, END + 1)), BETWEEN)
    _lock(director, False)
    free = _slip(armature, _frames(armature, range(1, END + 1)), BETWEEN)
    tell(f"  half-way between turns and moods: {free:.2f} cm/s unlocked, {locked:.3f} cm/s locked")
    assert free > 1.0
    assert locked < SLIDES


def _stands(director) -> list[tuple[str, float, float]]:
    """Point, and seconds from which to which it stands, of what plays."""
    marks = part("bridge.session.live_characters").characters[director.session_uid].played.recording.marks
    return [(mark.name, mark.start, mark.end) for mark in marks if mark.kind == "contact"]


def test_feet_stand_while_the_adverbs_change(armature, director):
    for frame, value in ((1, -1.0), (50, 1.0)):
        director["turn"] = value
        director.keyframe_insert('["turn"]', frame=frame)
    _flush()
    joints = _frames(armature, range(1, END + 1))
    moved = 0.0
    for point, begin, end in _stands(director):
        joint = built_verb(armature).channels.skeleton.names.index(point)
        rows = [r for r in range(END) if begin <= r / FPS <= end]
        if len(rows) > 1:
            moved = max(moved, float(np.ptp(joints[rows, joint, :2], axis=0).max()))
    assert moved < 1e-4


@pytest.mark.parametrize("sliders", [BETWEEN, {"mood": -0.7, "slope": 0.5, "turn": -0.9}, {"mood": 1.6, "turn": 1.4}])
def test_a_dragged_slider_shows_what_the_timeline_will_hold(armature, director, sliders):
    shown = []
    names = built_verb(armature).channels.skeleton.names
    frames = (1, 2, 5, 9, 14, 17, 21, 26, 30, 33, 38, 41, 47, 53, 60)
    for frame in frames:
        drag(director, mood=0.0, slope=0.0, turn=0.0)
        _flush()
        go_to(frame)
        drag(director, **sliders)
        shown.append(joints_of(armature, names))
    _flush()
    assert np.abs(_frames(armature, frames) - np.array(shown)).max() < 1e-4


def test_a_keyed_slider_that_is_dragged_leaves_planted_feet_where_they_are(armature, director):
    for frame in (1, 60):
        director["turn"] = 0.5
        director.keyframe_insert('["turn"]', frame=frame)
    _flush()
    go_to(20)
    standing = [point for point, begin, end in _stands(director) if begin + 0.15 < 19.0 / FPS < end]
    names = [armature.pose.bones[point].name for point in standing]
    before, free = joints_of(armature, names), joints_of(armature, ["Head"])
    drag(director, turn=0.9)
    assert names and np.abs(joints_of(armature, names) - before).max() < 1e-4
    assert np.abs(joints_of(armature, ["Head"]) - free).max() > 0.01


@pytest.mark.parametrize("keyed", [False, True])
def test_a_bake_is_what_the_timeline_plays(armature, director, keyed):
    drag(director, **BETWEEN)
    if keyed:
        for frame, value in ((1, -1.0), (50, 1.0)):
            director["turn"] = value
            director.keyframe_insert('["turn"]', frame=frame)
    _flush()
    played = _frames(armature, range(1, END + 1))
    assert bpy.ops.verbs_adverbs.bake(length="RANGE", frame_start=1.0, frame_end=float(END)) == {"FINISHED"}
    assert np.abs(_frames(armature, range(1, END + 1)) - played).max() < 1e-4


@pytest.mark.parametrize("root", ["KEEP", "IN_PLACE"])
def test_whole_cycles_end_as_they_begin(armature, director, root):
    drag(director, mood=0.6, slope=-0.6)
    bpy.ops.verbs_adverbs.bake(cycles=2, root=root)
    last = armature.animation_data.action.frame_range[1]
    begun, ended = _frames(armature, [1.0, last])
    moved = ended - begun
    assert np.abs(moved - moved[0]).max() < 1e-4
    rows = _frames(armature, np.arange(last - 3.0, last + 4.0))
    jolts = np.abs(np.diff(rows, 2, axis=0)).max(axis=(1, 2))
    usual = np.abs(np.diff(_frames(armature, np.arange(1.0, last)), 2, axis=0)).max()
    assert jolts.max() < 1.2 * usual


def test_feet_that_are_not_locked_play_as_if_there_were_no_locks(armature, director):
    drag(director, **BETWEEN)
    _lock(director, False)
    verb = built_verb(armature)
    frames, adverbs = np.arange(1.0, END + 1.0), np.array([0.6, 0.0, 0.5])
    motion = verb.motion(adverbs)
    expected = core_joints(verb, motion.sample((frames - 1.0) / FPS))
    assert np.abs(_frames(armature, frames) - expected).max() < 1e-5
    go_to(20)
    drag(director, mood=0.1)
    drag(director, **BETWEEN)
    assert np.abs(joints_of(armature, verb.channels.skeleton.names) - expected[19]).max() < 1e-5


def test_a_bake_can_leave_the_feet_unlocked(armature, director):
    drag(director, **BETWEEN)
    verb = built_verb(armature)
    assert bpy.ops.verbs_adverbs.bake(lock_feet=False) == {"FINISHED"}
    frames = np.arange(1.0, 24.0)
    expected = core_joints(verb, verb.motion([0.6, 0.0, 0.5]).sample((frames - 1.0) / FPS))
    assert np.abs(_frames(armature, frames) - expected).max() < 1e-4


def test_a_verb_without_contacts_heeds_no_locks(director, armature):
    for reference in armature.verbs_adverbs.verbs["walk"].examples:
        reference.action.verbs_adverbs.examples[0].contacts.clear()
    _flush()
    assert not built_verb(armature).contacts
    assert not _stands(director)


def test_a_floor_carries_the_feet(armature, director):
    director.verbs_adverbs.performance.floor = _ramp()
    assert _flush() == 1
    verb, seen, heights = built_verb(armature), 0, []
    clearances = {c.point: float(c.clearances.mean()) for c in verb.contacts}
    for frame in range(1, END + 1):
        go_to(frame)
        for point, begin, end in _stands(director):
            if begin + 0.15 < (frame - 1.0) / FPS < end:
                (place,) = joints_of(armature, [point])
                heights.append(place[2] + 0.1 * place[1] - clearances[point])
                seen += 1
    assert verb.contacts and seen > 30
    assert np.abs(heights).max() < 1e-3
    go_to(40)
    drag(director, **BETWEEN)
    shown = pose_of(armature)
    _flush()
    go_to(40)
    assert np.abs(pose_of(armature) - shown).max() < 1e-4


def test_the_action_is_written_anew_when_the_floor_moves_or_locks_are_switched(armature, director):
    ramp = _ramp()
    director.verbs_adverbs.performance.floor = ramp
    assert _flush() == 1 and _flush() == 0
    ramp.location.z = 0.2
    bpy.context.view_layer.update()
    assert _flush() == 1 and _flush() == 0
    ramp.data.vertices[0].co.z += 1.0
    ramp.data.update()
    bpy.context.view_layer.update()
    assert _flush() == 1 and _flush() == 0
    director.verbs_adverbs.performance.lock_feet = False
    assert _flush() == 1 and _flush() == 0


def test_undo_takes_the_locks_back(armature, director):
    drag(director, **BETWEEN)
    _lock(director, False)
    go_to(20)
    free = pose_of(armature)
    bpy.ops.ed.undo_push(message="slides")
    _lock(director, True)
    go_to(20)
    locked = pose_of(armature)
    bpy.ops.ed.undo_push(message="locks")
    assert np.abs(locked - free).max() > 1e-3
    bpy.ops.ed.undo()
    go_to(20)
    assert np.abs(pose_of(bpy.data.objects["Biped"]) - free).max() < 1e-5
    bpy.ops.ed.redo()
    go_to(20)
    assert np.abs(pose_of(bpy.data.objects["Biped"]) - locked).max() < 1e-5
