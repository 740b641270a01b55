"""A bake is baked again in place: its users keep it, and edits of it are never written over unasked."""

import bpy
import numpy as np
import pytest
from blender.action_hash import keys_in
from blender.performance import begin_with, biped_with_graph
from blender.stage import go_to, opened_again, part, poses_at, saved_and_loaded

OPS = bpy.ops.verbs_adverbs
END = 120
WALK, WAVE, DELETED = 20, 80, 55
ARM = "UpperArm_L"


def _make() -> None:
    armature = biped_with_graph()
    bpy.context.scene.frame_end = END
    begin_with(armature, "stand")
    for verb, frame in (("walk", WALK), ("wave", WAVE)):
        assert OPS.command_add(verb=verb, frame=frame) == {"FINISHED"}
    armature.verbs_adverbs.director.verbs_adverbs.performance.active = True
    assert OPS.bake_performance(name="baked", frame_start=1, frame_end=END) == {"FINISHED"}


@pytest.fixture
def armature():
    """The biped with a baked performance of 120 frames, assigned."""
    return opened_again("baked performance", _make)


def _poses(armature, frames=range(1, END + 1)) -> np.ndarray:
    return poses_at(armature, frames)


def _later(armature, by: float = 30.0) -> None:
    """Move the command to wave later, as by dragging its key."""
    curve = part("bridge.data.commands").command_curve(armature.verbs_adverbs.director)
    key = next(key for key in curve.keyframe_points if key.co[0] == WAVE)
    key.co[0] += by
    curve.update()


def _key_arm(armature, frame: float, degrees: float) -> None:
    """Turn an arm from where it is seen, and key it as an animator does."""
    from mathutils import Quaternion

    go_to(frame)
    bone = armature.pose.bones[ARM]
    bone.rotation_quaternion = bone.rotation_quaternion @ Quaternion((1.0, 0.0, 0.0), np.radians(degrees))
    assert bone.keyframe_insert("rotation_quaternion", frame=frame)


def _apart(before: list, again: list) -> set[float]:
    """Frames at which keys of a curve differ by a bit; where only one has a key, by more than a single key rounds."""
    known, found = dict(before), dict(again)
    apart = {frame for frame in known.keys() & found.keys() if known[frame] != found[frame]}
    alone = before[0][1] if len(before) == 1 else again[0][1] if len(again) == 1 else np.inf
    more = {**known, **found}
    return apart | {frame for frame in known.keys() ^ found.keys() if abs(more[frame] - alone) > 1e-7}


def _curve(action, bone: str, index: int, prop: str = "rotation_quaternion"):
    curves = part("bridge.blender.versions").curves_of(action)
    path = f'pose.bones["{bone}"].{prop}'
    return next(c for c in curves if (c.data_path, c.array_index) == (path, index))


def _edit(action) -> None:
    """Edit by hand: two keys moved up, one deleted, one added between frames, one made smooth, a whole curve raised."""
    curve = _curve(action, ARM, 1)
    for frame in (40, 41):
        next(key for key in curve.keyframe_points if key.co[0] == frame).co[1] += 0.2
    curve.keyframe_points.insert(60.5, 0.3)
    curve.update()
    other = _curve(action, "UpperArm_R", 1)
    other.keyframe_points.remove(next(key for key in other.keyframe_points if key.co[0] == DELETED))
    next(key for key in other.keyframe_points if key.co[0] == 70).interpolation = "BEZIER"
    other.update()
    root = _curve(action, "Hips", 1, "location")
    for key in root.keyframe_points:
        key.co[1] += 0.05
    root.update()


def _passed_on(armature, folder, loads: bool):
    return saved_and_loaded(folder) if loads else armature


@pytest.mark.parametrize("loads", [False, True])
def test_a_correction_in_a_layer_outlasts_baking_again(armature, tmp_path, loads):
    action = armature.animation_data.action
    before, seen = keys_in(action), _poses(armature)
    assert OPS.bake_correct() == {"FINISHED"}
    armature = _passed_on(armature, tmp_path, loads)
    assert np.abs(_poses(armature) - seen).max() < 1e-5
    for frame, degrees in ((30, 0.0), (40, 35.0), (50, 0.0)):
        _key_arm(armature, frame, degrees)
    corrections = armature.animation_data.action
    corrected, keyed = _poses(armature), keys_in(corrections)
    assert np.abs(corrected - seen)[34:45].max() > 0.05
    _later(armature)
    armature = _passed_on(armature, tmp_path, loads)
    assert OPS.bake_again() == {"FINISHED"}
    armature = _passed_on(armature, tmp_path, loads)
    action, corrections = bpy.data.actions["baked"], armature.animation_data.action
    again = keys_in(action)
    assert keys_in(corrections) == keyed
    (strip,) = (strip for track in armature.animation_data.nla_tracks for strip in track.strips)
    assert strip.action == action and (strip.frame_start, strip.frame_end) == (1.0, END)
    assert before.keys() == again.keys()
    changed = {frame for key in before for frame in _apart(before[key], again[key])}
    assert changed and min(changed) >= WAVE
    now = _poses(armature)
    assert np.abs(now[: WAVE - 1] - corrected[: WAVE - 1]).max() < 1e-6
    assert np.abs(now[WAVE:] - corrected[WAVE:]).max() > 0.05


def test_a_bake_is_told_that_is_older_than_its_score(armature, tmp_path):
    def outdated() -> bool:
        part("bridge.blender.store").forget_answers()
        part("bridge.data.content").forget_actions()
        return part("bridge.session.bakes.bake_again").is_outdated(armature, "baked")

    assert not outdated()
    armature = saved_and_loaded(tmp_path)
    assert not outdated()
    _later(armature)
    assert outdated()
    assert OPS.bake_again() == {"FINISHED"} and not outdated()
    director = armature.verbs_adverbs.director
    director["mood"] = 0.5
    assert outdated()
    director["mood"] = 0.0
    director.verbs_adverbs.performance.active_command = 1
    bpy.context.scene.frame_end += 10
    assert not outdated()
    director.verbs_adverbs.performance.lock_feet = False
    assert outdated()
    director.verbs_adverbs.performance.lock_feet = True
    director.verbs_adverbs.start_frame += 1
    assert outdated()
    director.verbs_adverbs.start_frame -= 1
    assert not outdated()
    director.location.x += 1.0
    bpy.context.view_layer.update()
    assert outdated()


def test_edits_by_hand_are_told_in_numbers_and_not_written_over(armature):
    action = armature.animation_data.action
    frames = [*range(1, END + 1), 60.5]
    before, whole = _poses(armature, frames), len(_curve(action, "Hips", 1, "location").keyframe_points)
    _edit(action)
    after, edited = _poses(armature, frames), keys_in(action)
    with pytest.raises(RuntimeError) as refused:
        OPS.bake_again()
    told = str(refused.value)
    assert keys_in(action) == edited
    assert f"{2 + 1 + whole} keys changed, 1 key added, 1 key removed" in told
    for bone in (ARM, "UpperArm_R", "Hips"):
        assert f"'{bone}'" in told
    assert "frames 1 to 120" in told and "0.05 units" in told
    names = [bone.name for bone in armature.pose.bones]
    turns = [_turn(before, after, names, bone) for bone in (ARM, "UpperArm_R")]
    degrees = float(told.split("by up to ")[1].split(" degrees")[0])
    assert abs(degrees - max(turns)) < 0.006 * max(turns)


def _turn(before: np.ndarray, after: np.ndarray, names: list[str], bone: str) -> float:
    """Largest angle in degrees by which a bone turned against its parent, from matrices in the world."""
    row, above = names.index(bone), names.index(bpy.data.objects["Biped"].pose.bones[bone].parent.name)

    def local(poses: np.ndarray) -> np.ndarray:
        return np.linalg.inv(poses[:, above, :3, :3]) @ poses[:, row, :3, :3]

    one, other = local(before), local(after)
    cosines = (np.trace(np.swapaxes(one, 1, 2) @ other, axis1=1, axis2=2) - 1.0) / 2.0
    return float(np.degrees(np.arccos(np.clip(cosines, -1.0, 1.0))).max())


def test_edits_kept_in_a_layer_show_as_they_were_and_the_score_goes_on_below(armature, tmp_path):
    action = armature.animation_data.action
    before = keys_in(action)
    _edit(action)
    edited = _poses(armature)
    assert OPS.bake_again(edits="LAYER") == {"FINISHED"}
    assert keys_in(action) == before
    assert _are_close(_poses(armature), edited)
    armature = saved_and_loaded(tmp_path)
    assert _are_close(_poses(armature), edited)
    _later(armature)
    assert OPS.bake_again() == {"FINISHED"}
    now = _poses(armature)
    assert _are_close(now[: WAVE - 1], edited[: WAVE - 1])
    assert np.abs(now[WAVE:] - edited[WAVE:]).max() > 0.05


def _are_close(poses: np.ndarray, wanted: np.ndarray) -> bool:
    """Whether poses differ by rounding alone; where one key was deleted, by no more than such a turn can be told.

    Blender takes the angle of a turn in an NLA strip from a cosine in single precision, so it is lost below a twentieth
    of a degree.
    """
    apart = np.abs(poses - wanted).reshape(len(poses), -1).max(axis=1)
    return apart[DELETED - 1] < 1e-3 and np.delete(apart, DELETED - 1).max() < 1e-5


def test_edits_stay_where_another_action_is_baked_and_in_a_copy_where_they_are_replaced(armature):
    action = armature.animation_data.action
    before = keys_in(action)
    _edit(action)
    edited = keys_in(action)
    assert OPS.bake_again(edits="NEW") == {"FINISHED"}
    other = armature.animation_data.action
    assert other != action and keys_in(other) == before
    assert keys_in(action) == edited and action.use_fake_user
    assert OPS.bake_again(action="baked", edits="REPLACE") == {"FINISHED"}
    copy = bpy.data.actions["baked edited"]
    assert keys_in(action) == before
    assert keys_in(copy) == edited and copy.use_fake_user and copy.verbs_adverbs.bake.kind == "NONE"


def test_a_renamed_bone_is_no_edit(armature):
    armature.data.bones[ARM].name = "Arm left"
    action = armature.animation_data.action
    assert part("bridge.session.bakes.bake_again").told_edits(armature, action) == []
    _curve(action, "Arm left", 1).keyframe_points[4].co[1] += 0.1
    with pytest.raises(RuntimeError, match="1 key changed, on 'Arm left', in frame 5"):
        OPS.bake_again()


def test_what_is_stored_of_a_bake_is_small_beside_its_keys(armature):
    action = armature.animation_data.action
    record = action.verbs_adverbs.bake
    keys = sum(len(keys) for keys in keys_in(action).values())
    assert len(record.written) < 80 * keys / 14
    written = part("bridge.action.baked_curves").unpacked(record.written)
    stored = {(one.path, one.index): list(zip(one.frames, one.values, strict=True)) for one in written}
    assert stored == keys_in(action)
    assert part("bridge.action.baked_curves").unpacked(record.written[:-40]) is None
