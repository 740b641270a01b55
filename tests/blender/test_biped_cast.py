"""The biped's further verbs as they are added in Blender: they build, measure what they say, and are undone at once."""

import bpy
import numpy as np
import pytest
from blender.stage import go_to, opened_again, part

OPS = bpy.ops.verbs_adverbs
GROUPS = ("GOING", "STRIKES", "GESTURES", "ALL")
OLD = {"stand", "walk", "wave", "reach"}
MEASURING = ("punch", "kick", "lift")
MILLIMETRE = 1e-3
FIT = 5.0 * MILLIMETRE
"""How far the curves of a verb may be from its examples where these are measured."""


def add(**more) -> bpy.types.Object:
    assert OPS.add_biped(stand=True, wave=True, reach=True, **more) == {"FINISHED"}
    return bpy.context.object


def everybody():
    """Return the biped with all its verbs and the suggested transitions."""
    return opened_again("biped cast", lambda: add(cast="ALL", join=True))


def built(armature, name: str):
    return part("bridge.authoring.verbs").built_for(armature, armature.verbs_adverbs.verbs[name])


def all_data() -> dict[str, list[str]]:
    kinds = ("actions", "armatures", "meshes", "objects", "materials")
    return {kind: sorted(item.name for item in getattr(bpy.data, kind)) for kind in kinds}


def tail_of(armature, bone: str) -> np.ndarray:
    seen = armature.evaluated_get(bpy.context.evaluated_depsgraph_get())
    return np.array(seen.matrix_world @ seen.pose.bones[bone].tail)


@pytest.mark.parametrize("group", [pytest.param(one, marks=() if one == "ALL" else pytest.mark.long) for one in GROUPS])
def test_the_verbs_of_a_group_build_without_complaints(group: str):
    armature = add(cast=group)
    names = {verb.name for verb in armature.verbs_adverbs.verbs}
    assert names == OLD | set(part("core.biped.cast").GROUPS[group])
    for name in names - OLD:
        found = built(armature, name)
        assert [line.text for line in found.lines if line.kind != "INFO"] == [], name
        assert found.verb.report.complaints == (), name


@pytest.mark.long
@pytest.mark.parametrize("name", MEASURING)
def test_examples_have_the_values_that_blender_measures(name: str):
    armature = everybody()
    verb = armature.verbs_adverbs.verbs[name]
    assert any(used.measure != "NONE" for used in verb.adverbs)
    for reference in verb.examples:
        armature.animation_data.action = reference.action
        example = reference.action.verbs_adverbs.examples[0]
        for used in (used for used in verb.adverbs if used.measure != "NONE"):
            (frame,) = (at.frame for at in example.keytimes if at.name == used.keytime)
            go_to(frame)
            assert frame == pytest.approx(round(frame), abs=1e-3)
            (told,) = (value.value for value in example.values if value.name == used.name)
            place = tail_of(armature, used.bone)["XYZ".index(used.measure)]
            assert place == pytest.approx(told, abs=0.1 * MILLIMETRE), (reference.action.name, used.name)


@pytest.mark.long
@pytest.mark.parametrize("name", MEASURING)
def test_measuring_the_verb_hardly_changes_its_values(name: str):
    armature = everybody()
    armature.verbs_adverbs.active_verb = list(armature.verbs_adverbs.verbs).index(armature.verbs_adverbs.verbs[name])
    before = built(armature, name).verb.places.copy()
    assert OPS.measure() == {"FINISHED"}
    assert OPS.verb_build() == {"FINISHED"}
    after = built(armature, name).verb.places
    print(name, np.abs(after - before).max(axis=0))
    assert 0.0 < np.abs(after - before).max() < FIT


def test_adding_everything_is_one_step_to_undo():
    bpy.ops.ed.undo_push(message="before")
    before = all_data()
    assert OPS.add_biped("EXEC_DEFAULT", True, stand=True, cast="ALL", join=True) == {"FINISHED"}
    assert len(bpy.data.actions) > 50
    bpy.ops.ed.undo()
    assert all_data() == before
    bpy.ops.ed.redo()
    assert len(bpy.context.object.verbs_adverbs.verbs) == 16


@pytest.mark.long
def test_a_second_biped_has_verbs_and_examples_of_its_own():
    first, second = add(cast="ALL", join=True), add(cast="ALL", join=True)
    shared = {ref.action for verb in first.verbs_adverbs.verbs for ref in verb.examples} & {
        ref.action for verb in second.verbs_adverbs.verbs for ref in verb.examples
    }
    assert first != second and not shared
    assert len(first.verbs_adverbs.transitions) == len(second.verbs_adverbs.transitions)
    for name in ("punch", "run"):
        assert built(second, name).verb.report.complaints == ()
        assert np.array_equal(built(first, name).verb.places, built(second, name).verb.places)


def test_all_verbs_are_joined_to_standing_and_can_be_performed():
    armature = everybody()
    status = part("bridge.authoring.graph").graph_for(armature)
    assert status.complaints == ()
    joined = {(way.source, way.target) for way in status.graph.transitions}
    for verb in armature.verbs_adverbs.verbs:
        if verb.name != "stand":
            assert {(verb.name, "stand"), ("stand", verb.name)} <= joined


@pytest.mark.long
@pytest.mark.parametrize("name", ["punch", "kick", "point", "lift", "look", "sit", "reach"])
def test_what_is_begun_is_finished_before_it_is_left(name: str):
    graph = part("bridge.authoring.graph").graph_for(everybody()).graph
    (verb,) = (verb for verb in graph.verbs if verb.name == name)
    (way,) = (way for way in graph.transitions if (way.source, way.target) == (name, "stand"))
    assert way.leaves.begin > verb.phrasing.generic[-2]


def test_without_standing_the_first_verb_is_joined_and_one_verb_to_none():
    assert OPS.add_biped(walk=False, cast="STRIKES", join=True) == {"FINISHED"}
    assert len(bpy.context.object.verbs_adverbs.transitions) == 2
    assert OPS.add_biped(join=True) == {"FINISHED"}
    assert len(bpy.context.object.verbs_adverbs.transitions) == 0


@pytest.mark.long
@pytest.mark.parametrize("fps", [1, 8, 240])
def test_it_can_be_added_at_any_rate_of_frames(fps: int):
    bpy.context.scene.render.fps = fps
    assert OPS.add_biped(walk=False, stand=True, cast="STRIKES", join=True) == {"FINISHED"}
    assert {verb.name for verb in bpy.context.object.verbs_adverbs.verbs} == {"stand", "punch", "kick"}


def test_arms_and_legs_have_limits_for_inverse_kinematics_and_the_trunk_has_none():
    bones = add().pose.bones
    limited = {bone.name for bone in bones if bone.use_ik_limit_x and bone.use_ik_limit_y and bone.use_ik_limit_z}
    kinds = {name.partition("_")[0] for name in limited}
    assert kinds == {"Shoulder", "UpperArm", "LowerArm", "Hand", "UpperLeg", "LowerLeg", "Foot", "Toes"}
    assert len(limited) == 2 * len(kinds)
    for bone in bones:
        assert bone.ik_min_x <= 0.0 <= bone.ik_max_x
    left, right = bones["LowerArm_L"], bones["LowerArm_R"]
    assert (left.ik_min_z, left.ik_max_z) == pytest.approx((-right.ik_max_z, -right.ik_min_z))
