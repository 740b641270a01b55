"""Keytimes found on control rigs, whose feet are moved by constraints: in the pose that Blender shows."""

import bpy
import numpy as np
import pytest
from blender.captured import find, played_frames
from blender.control_rig import FPS, key_walk, make_control_rig, part
from blender.rigify_rig import key_as_fk, key_rigify_walk, make_rigify
from blender.stage import drag, go_to
from verbs_adverbs.demo.operate import do

FRAMES = 1.0
MOODS = (-1.0, 1.0)
SLIP = 1.0
"""Centimetres a second."""


@pytest.mark.parametrize("in_place", [False, True])
def test_keytimes_of_a_rigify_walk_are_found(in_place: bool, tell):
    armature = make_rigify()
    bpy.context.scene.render.fps = round(FPS)
    written = key_rigify_walk(armature, part("core.biped.walk").walk(0.0, rate=FPS), in_place=in_place)
    objects, scenes = len(bpy.data.objects), len(bpy.data.scenes)
    find(written.action.name, verb="walk")
    (example,) = written.action.verbs_adverbs.examples
    assert [keytime.name for keytime in example.keytimes] == list(written.generated.keytime_names)
    wanted = [written.frame(float(seconds)) for seconds in written.generated.keytimes]
    off = [keytime.frame - frame for keytime, frame in zip(example.keytimes, wanted, strict=True)]
    tell(f"  Rigify{' in place' if in_place else ''}: keytimes at most {np.abs(off).max():.2f} frames off")
    assert np.abs(off).max() <= FRAMES
    assert example.kind == ("IN_PLACE" if in_place else "TRAVELLING")
    assert (len(bpy.data.objects), len(bpy.data.scenes)) == (objects, scenes)


def test_a_rigify_walk_in_the_mirror_has_its_feet_on_the_other_side():
    armature = make_rigify()
    bpy.context.scene.render.fps = round(FPS)
    written = key_rigify_walk(armature, part("core.biped.walk").walk(0.0, rate=FPS))
    find(written.action.name)
    do("action_mirror")
    made = bpy.data.actions[f"{written.action.name} mirrored"]
    frames = np.arange(6.0, 26.0, 5.0)
    names = [bone.name for bone in armature.pose.bones]
    rows = [[names.index(f"DEF-foot.{side}") for side in order] for order in ("LR", "RL")]
    seen = played_frames(armature, made, frames)[0][:, rows[0]]
    expected = played_frames(armature, written.action, frames)[0][:, rows[1]] * np.array([-1.0, 1.0, 1.0])
    assert np.abs(seen - expected).max() < 0.02


@pytest.mark.parametrize("fk", [False, True])
def test_contacts_of_a_rigify_walk_are_written_where_they_can_be_locked_at_once(fk: bool, tell):
    armature = make_rigify()
    bpy.context.scene.render.fps = round(FPS)
    written = [key_rigify_walk(armature, part("core.biped.walk").walk(mood, rate=FPS)) for mood in MOODS]
    if fk:
        written = [key_as_fk(armature, example) for example in written]
    find(*(example.action.name for example in written), verb="walk")
    bones = {contact.bone for example in written for contact in example.action.verbs_adverbs.examples[0].contacts}
    tell(f"  Rigify, {'FK' if fk else 'IK'}: contacts on {', '.join(sorted(bones))}")
    chains = [{bone, *(above.name for above in armature.data.bones[bone].parent_recursive)} for bone in bones]
    assert all(chain & {f"foot_{'fk' if fk else 'ik'}.{side}" for side in "LR"} for chain in chains)
    do("measure_travel")
    verb = part("bridge.authoring.verbs").verb_for(armature, armature.verbs_adverbs.verbs["walk"])
    assert not verb.report.complaints
    do("live_on")
    told = part("bridge.authoring.verbs").status(armature, armature.verbs_adverbs.verbs["walk"])
    assert [line for line in told.lines if line.kind != "INFO"] == []
    slips = [_slip(armature, verb, locks) for locks in (False, True)]
    tell(f"  its balls slip by {slips[0]:.2f} cm/s free, {slips[1]:.2f} cm/s locked")
    assert slips[0] > 2.0 * SLIP
    assert slips[1] < SLIP


def test_contacts_of_a_rig_of_ones_own_are_written_on_the_targets_of_its_ik():
    armature = make_control_rig()
    bpy.context.scene.render.fps = round(FPS)
    written = key_walk(armature, part("core.biped.walk").walk(0.0, rate=FPS))
    find(written.action.name)
    contacts = written.action.verbs_adverbs.examples[0].contacts
    assert {(contact.bone, contact.end) for contact in contacts} == {(f"foot_ik.{side}", "TAIL") for side in "LR"}


def _slip(armature, verb, locks: bool) -> float:
    """Largest speed over the floor of the deforming toes while their contacts are closed, between the examples."""
    director, frames = armature.verbs_adverbs.director, np.arange(1.0, 49.0)
    director.verbs_adverbs.performance.lock_feet = locks
    middle = float(verb.places[:, 0].mean())
    drag(director, **{verb.adverb_names[0]: middle})
    part("bridge.session.live").flush()
    phases = verb.motion([middle]).phase((frames - 1.0) / FPS)
    worst = 0.0
    for contact, windows in zip(verb.contacts, verb.motion([middle]).windows, strict=True):
        bone = verb.channels.skeleton.names[contact.joint]
        if "heel" in contact.point:
            continue
        places = np.array([_toes(armature, bone[-1], frame) for frame in frames])
        steps = np.linalg.norm(np.diff(places[:, :2], axis=0), axis=-1) * FPS * 100.0
        for begin, end in windows:
            inside = (phases - begin) % 1.0 < end - begin
            worst = max(worst, float(steps[inside[1:] & inside[:-1]].max()))
    return worst


def _toes(armature, side: str, frame: float) -> np.ndarray:
    go_to(frame)
    seen = armature.evaluated_get(bpy.context.evaluated_depsgraph_get())
    return np.array(seen.matrix_world @ seen.pose.bones[f"DEF-toe.{side}"].head)
