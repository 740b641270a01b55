"""A bake is baked again in place: its users keep it, and edits of it are never written over unasked."""

import bpy
import numpy as np
import pytest
from blender.action_hash import keys_in
from blender.performance import begin_with, biped_with_graph
from blender.stage import go_to, opened_again, part, pose_of, saved_and_loaded

OPS = bpy.ops.verbs_adverbs
END = 120
WALK, WAVE = 20, 80
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
    found = []
    for frame in frames:
        go_to(frame)
        found.append(pose_of(armature))
    return np.array(found)


def _later(armature, by: float = 10.0) -> None:
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
    """Frames at which keys of a curve differ by a bit; where only one has a key, by more than that one key may round."""
    known, found = dict(before), dict(again)
    apart = {frame for frame in known.keys() & found.keys() if known[frame] != found[frame]}
    alone = before[0][1] if len(before) == 1 else again[0][1] if len(again) == 1 else np.inf
    more = {**known, **found}
    return apart | {frame for frame in known.keys() ^ found.keys() if abs(more[frame] - alone) > 1e-7}


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
