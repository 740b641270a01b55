"""A rig in one file is directed in another: linked, overridden, saved and loaded between any two steps."""

from itertools import product

import bpy
import numpy as np
import pytest
from blender.bakes_to_lose import key_arm, keyed
from blender.library_shot import LAST, OPS, again, another, director_of, motion_of, rig_file, shot_of
from blender.losses import only
from blender.stage import state_of

SAME = 1e-5
MOVED = 0.02
STANDS, LATER, WAVES = 30, 40, 75


def _move_command(armature, frame: float, to: float) -> None:
    action = director_of(armature).animation_data.action
    curves = action.fcurves if hasattr(action, "fcurves") else action.layers[0].strips[0].channelbags[0].fcurves
    (point,) = [
        p for curve in curves for p in curve.keyframe_points if "command" in curve.data_path and p.co[0] == frame
    ]
    point.co_ui = to, point.co[1]


def _baked(armature):
    known = set(bpy.data.actions)
    assert OPS.bake_performance(frame_start=1, frame_end=LAST, annotate=False) == {"FINISHED"}
    (made,) = set(bpy.data.actions) - known
    assert armature.animation_data.action == made and made.library is None
    return motion_of(armature)


@pytest.mark.parametrize("how", ["collection", pytest.param("object", marks=pytest.mark.long)])
def test_a_shot(how, tmp_path):
    path = rig_file(tmp_path)
    armature = shot_of(path, how)
    assert OPS.start_verb(verb=armature.verbs_adverbs.verbs["walk"].uid) == {"FINISHED"}
    armature = again(tmp_path)
    for verb, frame in (("stand", STANDS), ("wave", WAVES)):
        assert OPS.command_add(verb=verb, frame=frame) == {"FINISHED"}
        armature = again(tmp_path)
    director_of(armature).verbs_adverbs.performance.active = True
    assert OPS.live_on() == {"FINISHED"}
    played = motion_of(armature)
    armature = again(tmp_path)
    assert np.abs(motion_of(armature) - played).max() <= SAME
    first = _baked(armature)
    assert np.abs(first - played).max() <= 1e-3
    armature = again(tmp_path)
    assert np.abs(motion_of(armature) - first).max() <= SAME
    _move_command(armature, STANDS, LATER)
    armature = again(tmp_path)
    second = _baked(armature)
    frames = np.arange(1, LAST + 1, 3)
    assert np.array_equal(second[frames < STANDS], first[frames < STANDS])
    assert np.abs(second - first).max() > MOVED


@pytest.mark.parametrize(
    ("directed", "stands", "apart"),
    [("", STANDS, 0.0), ("live", 80, 1e-7)],
    ids=["directed in the shot alone", "directed in the library"],
)
def test_a_shot_is_corrected_in_a_layer_and_baked_again(directed, stands, apart, tmp_path):
    """The walk that the library's director begins at frame 12 can be left for standing at frame 88, and a cycle later.

    There components that had one key in the first bake have many in the second: single floats round these otherwise.
    """
    armature = shot_of(rig_file(tmp_path, directed))
    if not directed:
        assert OPS.start_verb(verb=armature.verbs_adverbs.verbs["walk"].uid) == {"FINISHED"}
        armature = again(tmp_path)
    assert OPS.command_add(verb="stand", frame=stands) == {"FINISHED"}
    armature = again(tmp_path)
    director_of(armature).verbs_adverbs.performance.active = True
    armature = again(tmp_path)
    first = _baked(armature)
    armature = again(tmp_path)
    assert np.array_equal(motion_of(armature), first)
    assert OPS.bake_correct() == {"FINISHED"}
    armature = again(tmp_path)
    for frame, degrees in ((7, 0.0), (16, 40.0), (64, 0.0)):
        key_arm(armature, frame, degrees)
        armature = again(tmp_path)
    corrected, keys = motion_of(armature), keyed(armature.animation_data.action)
    assert np.abs(corrected - first).max() > MOVED
    _move_command(armature, stands, stands + 10)
    armature = again(tmp_path)
    assert OPS.bake_again() == {"FINISHED"}
    armature = again(tmp_path)
    second, frames = motion_of(armature), np.arange(1, LAST + 1, 3)
    assert keyed(armature.animation_data.action) == keys
    assert np.abs(second - corrected)[frames < stands].max() <= apart
    assert np.abs(second - corrected).max() > MOVED


@pytest.mark.parametrize(
    ("directed", "how"),
    [
        ("live", "collection"),
        *(
            pytest.param(*one, marks=pytest.mark.long)
            for one in product(("still", "live"), ("collection", "hierarchy", "object"))
            if one != ("live", "collection")
        ),
    ],
)
def test_a_director_in_the_library_is_taken_over(directed, how, tmp_path):
    path = rig_file(tmp_path, directed)
    if directed == "still":
        assert OPS.live_on() == {"FINISHED"}
    theirs = motion_of(bpy.context.object)
    armature = shot_of(path, how)
    bpy.context.scene.frame_set(40)
    before = state_of(armature)
    if directed == "live":
        assert np.abs(motion_of(armature) - theirs).max() <= SAME
        bpy.context.scene.frame_set(40)
    assert OPS.live_on() == {"FINISHED"}
    assert np.abs(motion_of(armature) - theirs).max() <= SAME
    armature = again(tmp_path)
    assert np.abs(motion_of(armature) - theirs).max() <= SAME
    director = director_of(armature)
    assert (round(director["mood"], 6), tuple(director.location)) == (0.6, (0.5, -0.25, 0.0))
    assert director.animation_data.action.library is None
    director["mood"] = -0.8
    assert OPS.command_add(verb="stand", frame=50) == {"FINISHED"}
    directed_here = motion_of(again(tmp_path))
    assert np.abs(directed_here - theirs).max() > MOVED
    assert OPS.live_off() == {"FINISHED"}
    bpy.context.scene.frame_set(40)
    armature = again(tmp_path)
    after = state_of(armature)
    assert {**after, "actions": 0} == {**before, "actions": 0}


def test_several_overrides_whose_rig_has_a_director_are_switched_on_with_as_few_updates_as_one(tmp_path):
    path = rig_file(tmp_path, "still")
    shot_of(path)
    updates, counts = list[object](), list[int]()

    def heard(scene, _depsgraph) -> None:
        updates.append(scene)

    for more in (0, 2):
        for _ in range(more):
            only(another(path))
        for one in bpy.data.objects:
            one.select_set(one.library is None and one.type == "ARMATURE")
        bpy.app.handlers.depsgraph_update_post.append(heard)
        assert OPS.live_on(every=True) == {"FINISHED"}
        bpy.app.handlers.depsgraph_update_post.remove(heard)
        counts.append(len(updates))
        updates.clear()
        assert OPS.live_off(every=True) == {"FINISHED"}
    assert counts[1] == counts[0]
