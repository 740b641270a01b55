"""Layers: what they are called, what is refused at once, and what is told of them at a frame."""

import bpy
import pytest
from blender.layering import ARM, add_layer, apart, ask, poses, state, waving
from blender.performance import OPS, biped_with_graph
from blender.performer import begin, character, end, play, session, take
from blender.stage import go_to, part, state_of


def add_tail(armature) -> None:
    """Add a bone that no action moves, and select it alone in Pose Mode."""
    bpy.ops.object.mode_set(mode="EDIT")
    made = armature.data.edit_bones.new("Tail")
    made.parent, made.head, made.tail = armature.data.edit_bones["Hips"], (0.0, 0.2, 1.0), (0.0, 0.5, 1.0)
    bpy.ops.object.mode_set(mode="POSE")
    for bone in armature.pose.bones:
        chosen = bone if "select" in bone.bl_rna.properties else bone.bone
        chosen.select = bone.name == "Tail"


@pytest.fixture
def armature():
    return waving()


def test_bones_that_the_verb_does_not_move_are_refused_at_once_and_nothing_has_changed(armature):
    layer, wave = add_layer(armature, "wave"), armature.verbs_adverbs.verbs["wave"].uid
    add_tail(armature)
    before = state_of(armature)
    for refused in (OPS.layer_bones, lambda: OPS.layer_add(verb=wave)):
        with pytest.raises(RuntimeError, match="wave.* has no effect.*Choose bones that it moves"):
            refused()
        assert state_of(armature) == before and len(armature.verbs_adverbs.layers) == 1
        assert [bone.text for bone in layer.bones] == ["Shoulder_R"] and layer.name == "wave"


def test_a_bone_collection_is_the_mask_in_edit_mode_too(armature):
    made = armature.data.collections.new("Waving")
    for name in ARM[1:]:
        made.assign(armature.data.bones[name])
    ask(add_layer(armature, "wave", collection="Waving"), "start", 20)
    signature = part("bridge.layers.layers").layers_signature
    before = signature(armature)
    bpy.ops.object.mode_set(mode="EDIT")
    assert signature(armature) == before
    armature.data.collections["Waving"].unassign(armature.data.edit_bones["Hand_R"])
    assert signature(armature) != before


def test_a_start_that_is_refused_is_a_warning_and_the_frame_is_told_until_it_is_mended(armature, capfd):
    first, second = add_layer(armature, "wave", times=0), add_layer(armature, "wave")
    ask(first, "start", 10)
    capfd.readouterr()
    ask(second, "start", 40)
    told = capfd.readouterr().out
    assert "Warning: 'wave 2' could not start: 'wave' is using 'Shoulder_R'" in told and "Info" not in told
    assert OPS.performance_write() == {"FINISHED"}
    refused = part("bridge.session.live_characters").refused_at
    go_to(20)
    assert state(armature, second).kind == "off" and refused(armature, second) == (40.0,)
    ask(second, "instead", 40)
    assert "Info: Start Instead 'wave 2' at frame 40" in capfd.readouterr().out
    assert OPS.performance_write() == {"FINISHED"} and refused(armature, second) == ()


def test_a_start_late_on_a_long_timeline_is_not_played_at_once_but_told_when_that_is_computed(armature, capfd):
    bpy.context.scene.frame_end = 800
    first, second = add_layer(armature, "wave", times=0), add_layer(armature, "wave")
    ask(first, "start", 10)
    capfd.readouterr()
    ask(second, "start", 780)
    assert "Info: Start 'wave 2' at frame 780" in capfd.readouterr().out
    assert OPS.performance_write() == {"FINISHED"}
    assert part("bridge.session.live_characters").refused_at(armature, second) == (780.0,)


def test_a_stop_is_told_at_its_own_frame_and_until_the_layer_is_over(armature):
    layer = add_layer(armature, "wave", times=3)
    for wish, frame in (("start", 20), ("stop", 40), ("start", 45), ("stop", 60)):
        ask(layer, wish, frame)
    assert OPS.performance_write() == {"FINISHED"}
    kinds = {}
    for frame in (39, 40, 44, 45, 59, 60, 70, 190):
        go_to(frame)
        kinds[frame] = state(armature, layer).kind
    wanted = ("executing", "stopping", "stopping", "executing", "executing", "stopping", "stopping", "finished")
    assert tuple(kinds.values()) == wanted
    keys = part("bridge.data.commands").layer_keys(armature.verbs_adverbs.director, layer)
    assert keys == [(20.0, "start"), (40.0, "stop"), (45.0, "start"), (60.0, "stop")]


def test_the_verb_that_plays_alone_is_baked_with_its_layers_as_it_plays():
    armature = biped_with_graph()
    assert OPS.start_verb(verb=armature.verbs_adverbs.verbs["stand"].uid) == {"FINISHED"}
    assert OPS.live_on(verb="walk") == {"FINISHED"}
    ask(add_layer(armature, "wave"), "start", 30)
    frames = [2, 20, 45, 80]
    seen = poses(armature, frames)
    assert OPS.bake_performance(frame_start=1, frame_end=90) == {"FINISHED"}
    assert max(apart(seen, poses(armature, frames)).values()) < 1e-4


def test_a_layer_is_added_under_a_name_whose_sliders_have_no_keys(armature):
    for name in ("greeting", "wave"):
        layer = add_layer(armature, "wave")
        layer.name = name
        ask(layer, "start", 30)
        assert OPS.layer_remove() == {"FINISHED"}
    armature.verbs_adverbs.verbs["wave"].name = "greeting"
    assert add_layer(armature, "greeting").name == "greeting 2"


def test_a_layer_is_not_renamed_to_a_name_whose_sliders_have_keys_but_back_to_its_own(armature):
    for name in ("greeting", "hail"):
        layer = add_layer(armature, "wave")
        layer.name = name
        ask(layer, "start", 30)
    assert OPS.layer_remove() == {"FINISHED"}
    (layer,) = armature.verbs_adverbs.layers
    layer.name = "hail"
    assert layer.name == "hail 2"
    layer.name = "greeting"
    assert layer.name == "greeting" and OPS.performance_write() == {"FINISHED"}
    paths = [curve.data_path for curve in part("bridge.data.adverb_values").all_curves(armature.verbs_adverbs.director)]
    assert sorted(path for path in paths if "plays" in path) == ['["greeting plays"]', '["hail plays"]']


def test_while_performing_a_refusal_is_told_until_that_layer_itself_has_news():
    armature = biped_with_graph()
    assert OPS.start_verb(verb=armature.verbs_adverbs.verbs["walk"].uid) == {"FINISHED"}
    first, second = add_layer(armature, "wave", times=0), add_layer(armature, "wave")
    clock, told = begin(armature), []

    def asked(layer, wish: str):
        return lambda: OPS.layer_ask(wish=wish, layer=layer.name)

    orders = {1.0: asked(first, "start"), 1.1: asked(second, "start"), 3.0: asked(second, "after")}
    assert play(clock, 4.0, orders, each=lambda: told.append((session().frames.shown[-1].time, character().problem)))
    kinds = [one.kind for one in take().layers_heard if one.name == first.name]
    assert kinds == ["started", "executing"] and end() == []
    assert {"'wave 2' could not start" in problem for time, problem in told if 1.3 < time < 2.9} == {True}
    assert {problem for time, problem in told if time < 1.0 or time > 3.3} == {""}


def test_a_layer_is_never_called_as_another_one_nor_longer_than_its_sliders_can_be(armature):
    first, second = add_layer(armature, "wave"), add_layer(armature, "wave")
    second.name = "wave"
    assert (first.name, second.name) == ("wave", "wave 2")
    second.name = "w" * 60
    ask(second, "start", 20)
    assert OPS.performance_write() == {"FINISHED"}
    director = armature.verbs_adverbs.director
    assert f"{second.name} plays" in director and f"{second.name} weight" in director
    assert "wave 2 plays" not in director


@pytest.mark.parametrize("verb", ["look", "nod"])
def test_a_verb_of_the_head_alone_becomes_a_layer_of_the_neck_that_holds_nothing(verb: str):
    assert OPS.add_biped(cast="GESTURES") == {"FINISHED"}
    layer = add_layer(bpy.context.object, verb)
    assert [bone.text for bone in layer.bones] == ["Neck"] and not layer.apart


def test_the_box_is_seen_between_the_hands_while_they_carry_and_as_wide_as_they_are_apart():
    assert OPS.add_biped(cast="GESTURES") == {"FINISHED"}
    armature, box = bpy.context.object, bpy.data.objects["Biped box"]
    assert OPS.live_on(verb="walk") == {"FINISHED"}
    layer = add_layer(armature, "carry")
    ask(layer, "start", 30)
    ask(layer, "stop", 90)
    armature.verbs_adverbs.director["carry_width"] = 0.3
    assert OPS.performance_write() == {"FINISHED"}
    seen = {}
    for frame in (1, 15, 30, 60, 80, 110, 140):
        go_to(frame)
        found = box.evaluated_get(bpy.context.evaluated_depsgraph_get())
        seen[frame] = not (found.hide_viewport or found.hide_render)
        hands = [armature.evaluated_get(bpy.context.evaluated_depsgraph_get()).pose.bones[f"Hand_{s}"] for s in "LR"]
        if seen[frame]:
            middle = sum((0.5 * (armature.matrix_world @ (h.head + h.tail)) / 2.0 for h in hands), hands[0].head * 0.0)
            assert (found.matrix_world.translation - middle).length < 1e-4
            assert abs(found.dimensions.z + 0.06 - (hands[0].head - hands[1].head).length) < 1e-4
    assert [frame for frame, shown in seen.items() if shown] == [60, 80]


@pytest.mark.parametrize("size", [0.5, 2.0])
def test_the_box_of_a_larger_or_smaller_biped_is_as_wide_as_its_hands_are_apart(size: float):
    assert OPS.add_biped(cast="GESTURES") == {"FINISHED"}
    armature = bpy.context.object
    armature.scale = (size,) * 3
    assert OPS.live_on(verb="carry") == {"FINISHED"}
    go_to(20)
    graph = bpy.context.evaluated_depsgraph_get()
    box, seen = bpy.data.objects["Biped box"].evaluated_get(graph), armature.evaluated_get(graph)
    one, other = (seen.matrix_world @ seen.pose.bones[f"Hand_{side}"].head for side in "LR")
    assert not box.hide_viewport and not box.hide_render
    assert abs(box.matrix_world.to_scale().z + 0.06 * size - (one - other).length) < 1e-4


def test_a_biped_without_carry_has_no_box_and_the_box_can_be_deleted():
    assert OPS.add_biped(wave=True, cast="STRIKES") == {"FINISHED"}
    assert not [one for one in bpy.data.objects if "box" in one.name]
    assert OPS.add_biped(cast="ALL") == {"FINISHED"}
    bpy.data.objects.remove(next(one for one in bpy.data.objects if "box" in one.name))
    assert OPS.live_on(verb="carry") == {"FINISHED"}
