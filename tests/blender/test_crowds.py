"""A dozen characters in one file: switched on and off together, copied, renamed, deleted and undone."""

import bpy
import numpy as np
import pytest
from blender.crowding import chosen, keys_of, walking_crowd
from blender.stage import go_to, miss_of, part

COUNT, LAST = 12, 30
EXACT = 1e-5


@pytest.fixture
def crowd():
    """Armatures that share their actions, each with a director whose slider has a value of its own."""
    armatures = walking_crowd(LAST, [1.6 * place / COUNT - 0.8 for place in range(COUNT)])
    go_to(1)
    bpy.ops.ed.undo_push(message="a crowd")
    return armatures


def named(armatures):
    """The same armatures after an undo, which makes all objects anew."""
    return [bpy.data.objects[name] for name in armatures]


def generated(armatures):
    return [one.verbs_adverbs.director.verbs_adverbs.generated for one in armatures]


def all_play(armatures) -> None:
    assert [one.animation_data.action for one in armatures] == generated(armatures)
    assert len(set(generated(armatures))) == len(armatures)
    for frame in (7, 19):
        go_to(frame)
        assert max(miss_of(armature, frame) for armature in armatures) < EXACT


def poses(armatures):
    return np.array([[tuple(bone.matrix.col[3]) for bone in one.pose.bones] for one in armatures])


def on(**how) -> None:
    assert bpy.ops.verbs_adverbs.live_on(every=True, **how) == {"FINISHED"}


def test_all_that_are_selected_are_switched_on_in_one_step_and_play_what_each_would_alone(crowd):
    names, before = [one.name for one in crowd], [one.animation_data.action for one in crowd]
    chosen(crowd[3])
    assert bpy.ops.verbs_adverbs.live_on() == {"FINISHED"}
    alone = keys_of(crowd[3])
    assert bpy.ops.verbs_adverbs.live_off() == {"FINISHED"}
    chosen(*crowd)
    bpy.ops.ed.undo_push(message="before")
    on()
    bpy.ops.ed.undo_push(message="on")
    all_play(crowd)
    assert keys_of(crowd[3]) == alone
    bpy.ops.ed.undo()
    crowd = named(names)
    assert not any(one.verbs_adverbs.director.verbs_adverbs.live for one in crowd)
    assert [one.animation_data.action.name for one in crowd] == [action.name for action in before]
    assert not [action for action in bpy.data.actions if part("bridge.action.generated_action").is_generated(action)]


def test_switched_off_together_all_are_what_they_were(crowd):
    were, acted = poses(crowd), [one.animation_data.action for one in crowd]
    actions = set(bpy.data.actions)
    on()
    go_to(9)
    go_to(1)
    assert bpy.ops.verbs_adverbs.live_off(every=True) == {"FINISHED"}
    bpy.context.view_layer.update()
    assert [one.animation_data.action for one in crowd] == acted
    assert np.array_equal(poses(crowd), were)
    assert set(bpy.data.actions) == actions
    assert part("bridge.session.live_characters").directors() == []


@pytest.mark.parametrize("bake", ["bake", "bake_performance"])
def test_all_that_are_selected_are_baked_as_each_would_be_alone(crowd, bake, capfd):
    crowd, baked = crowd[:3], getattr(bpy.ops.verbs_adverbs, bake)
    how = {"frame_start": 1, "frame_end": LAST} | ({"length": "RANGE"} if bake == "bake" else {})
    chosen(crowd[1])
    assert baked(**how) == {"FINISHED"}
    alone = keys_of(crowd[1])
    bpy.ops.ed.undo_push(message="alone")
    chosen(*crowd)
    assert baked(every=True, name="take", **how) == {"FINISHED"}
    assert "Baked 3 characters" in capfd.readouterr().out
    assert [one.animation_data.action.name for one in crowd] == [f"take {one.name}" for one in crowd]
    assert keys_of(crowd[1]) == alone
    assert keys_of(crowd[0]) != alone


def test_if_one_of_several_cannot_be_baked_none_is(crowd, capfd):
    crowd[2].verbs_adverbs.director["mood"] = 1e12
    before = {one: one.animation_data.action for one in crowd}, set(bpy.data.actions)
    with pytest.raises(RuntimeError):
        bpy.ops.verbs_adverbs.bake(every=True, length="RANGE", frame_start=1, frame_end=LAST)
    assert ({one: one.animation_data.action for one in crowd}, set(bpy.data.actions)) == before


def test_those_that_cannot_play_stay_as_they_were_and_the_others_go_on(crowd):
    crowd[4].verbs_adverbs.director["mood"] = 1e12
    on()
    live = [one.verbs_adverbs.director.verbs_adverbs.live for one in crowd]
    assert live == [place != 4 for place in range(COUNT)]
    all_play([*crowd[:4], *crowd[5:]])


def test_what_is_computed_is_stopped_without_a_trace(crowd):
    switching, scene, before = part("bridge.session.switching"), bpy.context.scene, set(bpy.data.objects)
    part("bridge.blender.store").forget_made("performed")
    job = part("bridge.blender.jobs").Job(
        "operator", "Switch On", lambda: switching.switch_on_together(dict.fromkeys(crowd, "walk"), scene)
    )
    assert not job.attempt(0.0)
    assert not job.go_on()
    job.stop()
    assert set(bpy.data.objects) == before
    assert not any(one.verbs_adverbs.director.verbs_adverbs.live for one in crowd)
    done = job.attempt(0.0)
    while not done:
        done = job.go_on()
    all_play(crowd)


def test_half_of_them_are_deleted_and_come_back_by_undo(crowd):
    on()
    bpy.ops.ed.undo_push(message="on")
    names = [one.name for one in crowd]
    gone = crowd[::2]
    chosen(*gone, *(one.verbs_adverbs.director for one in gone))
    assert bpy.ops.object.delete() == {"FINISHED"}
    bpy.ops.ed.undo_push(message="half")
    live = part("bridge.session.live")
    live.flush()
    all_play(named(names[1::2]))
    assert len(part("bridge.session.live_characters").directors()) == COUNT // 2
    bpy.ops.ed.undo()
    live.flush()
    all_play(named(names))


def test_copies_of_all_of_them_with_and_without_directors_and_new_names(crowd):
    on()
    live, scene = part("bridge.session.live"), bpy.context.scene
    for linked in (True, False):
        chosen(*crowd[:3], *(one.verbs_adverbs.director for one in crowd[:3]))
        assert bpy.ops.object.duplicate(linked=linked) == {"FINISHED"}
        crowd = [*crowd, *(one for one in bpy.context.selected_objects if one.type == "ARMATURE")]
    chosen(*crowd[3:5])
    assert bpy.ops.object.duplicate() == {"FINISHED"}
    undirected = list(bpy.context.selected_objects)
    live.flush()
    all_play(crowd)
    assert not set(generated(crowd)) & {one.animation_data.action for one in undirected}
    for place, one in enumerate(crowd):
        one.name, one.verbs_adverbs.director.name = f"dancer {place}", f"boss {COUNT - place}"
        one.verbs_adverbs.director["slope"] = 0.01 * place
    live.flush()
    scene.frame_set(1)
    all_play(crowd)


def test_two_view_layers_and_two_scenes_show_the_same_characters(crowd):
    home, other = bpy.context.scene, bpy.data.scenes.new("other")
    other.frame_end, other.render.fps = 2 * LAST, home.render.fps
    second = home.view_layers.new("second")
    for one in crowd[:4]:
        other.collection.objects.link(one)
        other.collection.objects.link(one.verbs_adverbs.director)
    on()
    all_play(crowd)
    live, made = part("bridge.session.live"), [keys_of(one) for one in crowd]
    bpy.context.window.scene = other
    live.flush()
    bpy.context.window.scene = home
    live.flush()
    assert [keys_of(one) for one in crowd] == made
    home.frame_set(13)
    second.update()
    for one in crowd:
        shown = [one.evaluated_get(layer.depsgraph).pose.bones[3].matrix for layer in home.view_layers]
        assert np.allclose(*map(np.array, shown), atol=EXACT)
    bpy.context.window.view_layer = second
    chosen(*crowd)
    assert bpy.ops.verbs_adverbs.live_off(every=True) == {"FINISHED"}
    assert not [action for action in bpy.data.actions if part("bridge.action.generated_action").is_generated(action)]
