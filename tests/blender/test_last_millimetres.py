"""The last millimetres of a reach: a hand comes to where it is asked, within the limits of its bones, and is told."""

import bpy
import numpy as np
import pytest
from blender.figurine import assert_says
from blender.reaching import built, hand_at, keytime_frame, reaching_biped, the_verb
from blender.stage import go_to, part
from mathutils import Matrix

OPS = bpy.ops.verbs_adverbs
MILLIMETRE = 1e-3
ARM = ("UpperArm_R", "LowerArm_R")


@pytest.fixture
def armature():
    """The biped that reaches, the limits that it comes with taken away."""
    found = reaching_biped()
    for bone in found.pose.bones:
        bone.use_ik_limit_x = bone.use_ik_limit_y = bone.use_ik_limit_z = False
    return found


def own(armature):
    return the_verb(armature).refinement


def remarks(armature) -> str:
    OPS.verb_build()
    return " ".join(line.text for line in the_verb(armature).results)


def wide_limits(armature) -> None:
    for bone in armature.pose.bones:
        for letter in "xyz":
            setattr(bone, f"use_ik_limit_{letter}", True)
            setattr(bone, f"ik_min_{letter}", -2.9)
            setattr(bone, f"ik_max_{letter}", 2.9)


def live(armature, place) -> float:
    """Put a verb on the timeline that reaches for a place; return the frame of the keytime."""
    OPS.live_on()
    for name, value in zip("xyz", place, strict=True):
        armature.verbs_adverbs.director[name] = value
    part("bridge.session.live").flush()
    return keytime_frame(armature, place)


def off(armature, place) -> float:
    """Return how far the hand is from a place at the keytime, as Blender evaluates the timeline."""
    return float(np.linalg.norm(hand_at(armature, live(armature, place)) - place))


PLACES = ((-0.33, -0.52, 1.12), (-0.12, -0.42, 1.28), (-0.25, -0.45, 1.2))


def test_they_are_off_at_first_and_change_nothing_stored(armature):
    assert own(armature).last_millimetres == "NONE"
    before = built(armature).signature
    own(armature).last_millimetres = "EVERYWHERE"
    assert built(armature).signature != before
    own(armature).last_millimetres = "NONE"
    assert built(armature).signature == before


def test_the_hand_is_where_it_is_asked_on_the_timeline(armature):
    wide_limits(armature)
    before = [off(armature, place) for place in PLACES]
    own(armature).last_millimetres = "BETWEEN"
    after = [off(armature, place) for place in PLACES]
    print(f"off by {before} m without, {after} with")
    assert min(before) > 5.0 * MILLIMETRE
    assert max(after) < MILLIMETRE


def test_what_is_baked_meets_the_target_too(armature):
    own(armature).last_millimetres = "BETWEEN"
    frame = live(armature, PLACES[0])
    shown = hand_at(armature, round(frame))
    assert OPS.bake(length="RANGE", frame_start=1, frame_end=40, animated=True, assign=True) == {"FINISHED"}
    assert np.linalg.norm(hand_at(armature, round(frame)) - shown) < MILLIMETRE


def test_without_limits_that_is_told(armature):
    own(armature).last_millimetres = "BETWEEN"
    assert_says(remarks(armature), "None of the parents of 'Hand_R' has rotation limits", "IK limits or Limit Rotation")
    wide_limits(armature)
    assert "rotation limits" not in remarks(armature)


def test_limits_that_cross_are_told_and_the_verb_plays_without(armature):
    own(armature).last_millimetres = "BETWEEN"
    limit = armature.pose.bones[ARM[1]].constraints.new("LIMIT_ROTATION")
    limit.owner_space, limit.use_limit_x, limit.min_x, limit.max_x = "LOCAL", True, 0.7, 0.2
    assert_says(
        remarks(armature),
        ARM[1],
        "With IK has no effect",
        "contradict each other",
        "40.11°",
        "11.46°",
        "angles in common",
    )
    limit.min_x = 0.1
    assert "contradict each other" not in remarks(armature)


def test_limits_that_cross_elsewhere_are_no_matter(armature):
    own(armature).last_millimetres = "BETWEEN"
    limit = armature.pose.bones["UpperLeg_R"].constraints.new("LIMIT_ROTATION")
    limit.owner_space, limit.use_limit_x, limit.min_x, limit.max_x = "LOCAL", True, 0.7, 0.2
    assert "contradict each other" not in remarks(armature)
    assert off(armature, PLACES[0]) < MILLIMETRE


def test_a_change_of_limits_builds_the_verb_again(armature):
    own(armature).last_millimetres = "BETWEEN"
    before = built(armature).verb
    armature.pose.bones[ARM[0]].use_ik_limit_y = True
    armature.pose.bones[ARM[0]].ik_max_y = 0.4
    limits = built(armature).verb.limits
    assert before.limits is None
    assert limits.high[built(armature).rig.joints[ARM[0]], 1] == pytest.approx(0.4)


def test_a_limit_that_changes_while_the_verb_plays_changes_what_is_played(armature):
    elbow = armature.pose.bones[ARM[1]]

    def bent() -> float:
        bpy.context.view_layer.update()
        part("bridge.session.live").flush()
        go_to(frame)
        return elbow.matrix_basis.to_euler().x

    frame = live(armature, PLACES[0])
    plain = bent()
    own(armature).last_millimetres = "BETWEEN"
    free = bent()
    assert abs(free - plain) > 0.05
    limit, half_way = elbow.constraints.new("LIMIT_ROTATION"), 0.5 * (plain + free)
    limit.owner_space, limit.use_limit_x = "LOCAL", True
    limit.min_x, limit.max_x = sorted((half_way, half_way + 10.0 * (plain - half_way)))
    assert bent() == pytest.approx(half_way, abs=1e-3)
    limit.mute = True
    assert bent() == pytest.approx(free, abs=1e-3)


def test_choosing_it_is_one_step_to_undo_and_what_was_played_before_comes_back(armature):
    bpy.ops.ed.undo_push(message="before")
    plain = built(armature).signature
    own(armature).last_millimetres = "EVERYWHERE"
    assert built(armature).signature != plain
    bpy.ops.ed.undo_push(message="chosen")
    bpy.ops.ed.undo()
    armature = bpy.data.objects["Biped"]
    assert own(armature).last_millimetres == "NONE"
    assert built(armature).signature == plain


def test_a_performance_with_a_command_reaches_as_well(armature):
    own(armature).last_millimetres = "BETWEEN"
    built(armature)
    frame = live(armature, PLACES[1])
    director = armature.verbs_adverbs.director
    director.verbs_adverbs.performance.active = True
    part("bridge.session.live").flush()
    assert np.linalg.norm(hand_at(armature, frame) - PLACES[1]) < MILLIMETRE


def test_targets_that_are_not_met_are_told_why(armature):
    OPS.target_add()
    wide_limits(armature)
    own(armature).last_millimetres = "EVERYWHERE"
    built(armature)

    def said(place) -> str:
        target = the_verb(armature).targets[0]
        target.object.matrix_world = Matrix.Translation(place)
        bpy.context.view_layer.update()
        return part("bridge.authoring.reach_report").target_problem(armature, the_verb(armature), target)

    assert said(PLACES[2]) == ""
    assert said(PLACES[0]) == ""
    assert_says(said((-0.25, -2.0, 1.2)), "m out of reach from")
    assert_says(said((0.0, 0.0, 1.2)), "is inside the body")
    own(armature).last_millimetres = "BETWEEN"
    built(armature)
    assert_says(said((-0.25, -0.75, 1.3)), "outside the region of the examples")
