"""NLA strips beside a verb: bakes play what was seen, and what cannot be assigned is refused first."""

import bpy
import numpy as np
import pytest
from blender.performance import performing_biped
from blender.stage import go_to, part, poses_at, state_of, walking_biped

OPS = bpy.ops.verbs_adverbs
FRAMES = (1, 17, 40)


@pytest.fixture
def armature():
    return walking_biped()


def _strip_of(owner, action):
    """An NLA strip, chosen as by a click on it."""
    data = owner.animation_data_create()
    track = data.nla_tracks.new()
    strip = track.strips.new(action.name, 1, action)
    track.select = strip.select = True
    data.nla_tracks.active = track
    return strip


def _edit_strip(owner, action) -> None:
    """Let a strip be edited, as by Tab over it."""
    _strip_of(owner, action)
    part("bridge.blender.versions").assign_action(owner, None)
    owner.animation_data.use_tweak_mode = True
    assert owner.animation_data.use_tweak_mode
    go_to(9)


def _leave_strip(owner) -> None:
    owner.animation_data.use_tweak_mode = False


def _actions() -> list:
    return sorted(bpy.data.actions.keys())


def _seen(armature) -> np.ndarray:
    return poses_at(armature, FRAMES)


def _shove(armature) -> None:
    """Strips that add: the object two units to the side, the hips half a unit; and settings of the NLA."""
    action = bpy.data.actions.new("shove")
    bag = part("bridge.blender.versions").bag_for_write(armature, action)
    for path, value in (("location", 2.0), ('pose.bones["Hips"].location', 0.5)):
        curve = part("bridge.blender.versions").fcurve_ensure(bag, path, 0, "shove")
        curve.keyframe_points.insert(1, value)
        curve.update()
    walk = armature.verbs_adverbs.verbs[0].examples[0].action
    _strip_of(armature, action).blend_type = "ADD"
    part("bridge.blender.versions").assign_action(armature, walk)
    armature.animation_data.action_blend_type, armature.animation_data.action_influence = "ADD", 0.5
    armature.animation_data.action_extrapolation = "NOTHING"
    armature.location.x = 0.0
    go_to(1)


def _bake_cycles(_armature) -> None:
    assert OPS.bake(name="baked", length="RANGE", frame_start=1, frame_end=45) == {"FINISHED"}


def _bake_performance(_armature) -> None:
    assert OPS.bake_performance(name="baked", frame_start=1, frame_end=45) == {"FINISHED"}


@pytest.mark.parametrize("performs", [False, True])
def test_a_bake_over_strips_plays_what_was_seen_and_says_what_was_changed_for_that(performs, capfd):
    armature = performing_biped(wave=20) if performs else walking_biped()
    if performs:
        OPS.live_off()
    _shove(armature)
    OPS.live_on()
    seen = _seen(armature)
    capfd.readouterr()
    (_bake_performance if performs else _bake_cycles)(armature)
    said = capfd.readouterr().out
    assert armature.animation_data.action == bpy.data.actions["baked"]
    assert np.abs(_seen(armature) - seen).max() < 2e-3
    for part_of_it in ("'Biped'", "NLA strips were turned off", "was Add", "was Nothing", "was 0.5"):
        assert part_of_it in said
    (track,) = armature.animation_data.nla_tracks
    assert not track.mute and [strip.action.name for strip in track.strips] == ["shove"]


def test_without_strips_a_bake_changes_no_setting_and_says_nothing_of_them(armature, capfd):
    _strip_of(armature, bpy.data.actions["Walk happy"])
    armature.animation_data.nla_tracks[0].mute = True
    OPS.live_on()
    capfd.readouterr()
    _bake_cycles(armature)
    assert "settings" not in capfd.readouterr().out
    assert armature.animation_data.use_nla


def test_while_a_strip_is_edited_no_bake_is_made_that_could_not_be_assigned(armature):
    _edit_strip(armature, armature.animation_data.action)
    actions, before = _actions(), state_of(armature)
    with pytest.raises(RuntimeError, match="NLA strip of 'Biped' is in tweak mode"):
        OPS.bake(name="baked")
    assert (_actions(), state_of(armature)) == (actions, before)
    assert OPS.bake(name="aside", assign=False) == {"FINISHED"}
    assert bpy.data.actions["aside"].use_fake_user
    _leave_strip(armature)
    assert OPS.bake(name="baked") == {"FINISHED"}


def test_while_a_strip_is_edited_no_performance_is_baked_that_could_not_be_assigned():
    armature = performing_biped(wave=20)
    OPS.live_off()
    _edit_strip(armature, armature.animation_data.action)
    actions = _actions()
    with pytest.raises(RuntimeError, match="NLA strip of 'Biped' is in tweak mode"):
        OPS.bake_performance(name="baked")
    assert _actions() == actions


def test_while_a_strip_is_edited_no_example_is_shown(armature):
    _edit_strip(armature, armature.animation_data.action)
    before = state_of(armature)
    with pytest.raises(RuntimeError, match="NLA strip of 'Biped' is in tweak mode"):
        OPS.verb_example_show()
    assert state_of(armature) == before
    _leave_strip(armature)
    assert OPS.verb_example_show() == {"FINISHED"}


@pytest.mark.parametrize("change", ["command_add", "command_remove", "score_clear"])
def test_while_a_strip_of_the_director_is_edited_its_score_is_left_alone(change):
    armature = performing_biped(wave=20)
    director = armature.verbs_adverbs.director
    score = director.animation_data.action
    _edit_strip(director, score)
    options = {"verb": "walk", "frame": 30} if change == "command_add" else {}
    keys = [
        tuple(key.co) for curve in part("bridge.blender.versions").curves_of(score) for key in curve.keyframe_points
    ]
    with pytest.raises(RuntimeError, match="NLA strip of 'Biped director' is in tweak mode"):
        getattr(OPS, change)(**options)
    left = [
        tuple(key.co) for curve in part("bridge.blender.versions").curves_of(score) for key in curve.keyframe_points
    ]
    assert left == keys


def test_while_a_strip_of_the_director_is_edited_nothing_is_performed():
    armature = performing_biped(wave=20)
    director = armature.verbs_adverbs.director
    _edit_strip(director, director.animation_data.action)
    errors, performing = part("core.errors"), part("bridge.session.performing")
    with pytest.raises(errors.VerbsError, match="NLA strip of 'Biped director' is in tweak mode"):
        performing.begin([armature], bpy.context.scene)


def _raising(owner, path: str, index: int, value: float, name: str):
    """An action with one key, in a strip of its own; returns the track."""
    action, versions = bpy.data.actions.new(name), part("bridge.blender.versions")
    curve = versions.fcurve_ensure(versions.bag_unassigned(owner, action), path, index, name)
    curve.keyframe_points.insert(1, value)
    curve.update()
    strip = _strip_of(owner, action)
    slot = versions.slot_of(action, owner)
    if slot is not None:
        strip.action_slot = slot
    owner.animation_data.nla_tracks[-1].name = name
    return owner.animation_data.nla_tracks[-1]


def _crowded(armature) -> dict:
    """A muted and a solo track, a strip with animated influence, a driver of a bone that is played, a constraint."""
    muted = _raising(armature, 'pose.bones["Head"].scale', 0, 3.0, "muted")
    solo = _raising(armature, 'pose.bones["Hips"].location', 0, 0.7, "solo")
    faded = _raising(armature, 'pose.bones["Chest"].scale', 1, 2.0, "faded")
    muted.mute, solo.is_solo = True, True
    strip = faded.strips[0]
    strip.use_animated_influence = True
    for frame, influence in ((1, 0.0), (40, 1.0)):
        strip.influence = influence
        strip.keyframe_insert("influence", frame=frame)
    hand = armature.pose.bones["Hand_L"]
    driver = hand.driver_add("location", 0).driver
    driver.expression = "0.02 * frame"
    follower = armature.pose.bones["LowerArm_R"].constraints.new("COPY_ROTATION")
    follower.target, follower.subtarget = armature, "LowerArm_L"
    return _beside(armature)


def _beside(armature) -> dict:
    data = armature.animation_data
    ours = [track for track in data.nla_tracks if track.name in ("muted", "solo", "faded")]
    return {
        "strips": [(s.name, s.frame_start, s.frame_end, s.blend_type, s.action.name) for t in ours for s in t.strips],
        "influence": [tuple(k.co) for t in ours for s in t.strips for c in s.fcurves for k in c.keyframe_points],
        "drivers": [(d.data_path, d.array_index, d.driver.expression, d.is_valid) for d in data.drivers],
        "constraints": [(b.name, c.type, c.subtarget, c.mute) for b in armature.pose.bones for c in b.constraints],
    }


def test_a_bake_and_its_corrections_show_beside_tracks_drivers_and_constraints(capfd):
    armature = performing_biped(wave=20)
    OPS.live_off()
    beside = _crowded(armature)
    OPS.live_on()
    seen = _seen(armature)
    _bake_performance(armature)
    assert _beside(armature) == beside
    assert np.abs(_seen(armature) - seen).max() < 1e-5
    capfd.readouterr()
    assert OPS.bake_correct() == {"FINISHED"}
    assert "NLA tracks solo, faded had no effect before and are now muted" in capfd.readouterr().out
    assert _beside(armature) == beside
    assert np.abs(_seen(armature) - seen).max() < 1e-5
    assert OPS.bake_again() == {"FINISHED"}
    assert _beside(armature) == beside
    assert np.abs(_seen(armature) - seen).max() < 1e-5
    go_to(17)
    head = armature.pose.bones["Head"]
    head.location.x = 0.3
    head.keyframe_insert("location", frame=17)
    go_to(18)
    assert abs(head.location.x - 0.3) < 1e-6
