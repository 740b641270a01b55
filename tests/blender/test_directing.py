"""Directing: sliders move the armature at once, and switching off gives everything back."""

import bpy
import numpy as np
import pytest
from blender.action_hash import digests
from blender.stage import built_verb, core_joints, go_to, joints_of, part, pose_of, walking_biped

REST = ("location", "rotation_quaternion", "rotation_euler", "rotation_axis_angle", "scale")


def _state(armature) -> dict:
    """Everything that must come back."""
    data = armature.animation_data
    settings = ("use_nla", "action_blend_type", "action_extrapolation", "action_influence")
    slot = getattr(data, "action_slot", None)
    return {
        "bones": {b.name: [tuple(getattr(b, n)) for n in REST] + [b.rotation_mode] for b in armature.pose.bones},
        "object": [tuple(getattr(armature, n)) for n in REST],
        "action": data and data.action and data.action.name,
        "slot": slot and slot.identifier,
        "settings": data and [getattr(data, n) for n in settings],
        "matrices": pose_of(armature).tobytes(),
        "actions": sorted(bpy.data.actions.keys()),
    }


def _expected(armature, frame: float) -> np.ndarray:
    """Joints (J, 3) of the verb at the director's sliders, by core."""
    verb = built_verb(armature)
    director = armature.verbs_adverbs.director
    motion = verb.motion([director[name] for name in verb.adverb_names])
    start = director.verbs_adverbs.start_frame
    return core_joints(verb, motion.sample(np.array([(frame - start) / 24.0])))[0]


def _miss(armature, frame: float) -> float:
    names = built_verb(armature).channels.skeleton.names
    return float(np.abs(joints_of(armature, names) - _expected(armature, frame)).max())


def _drag(director, **sliders: float) -> None:
    for name, value in sliders.items():
        director[name] = value
    director.update_tag()
    bpy.context.view_layer.update()


@pytest.fixture
def armature():
    return walking_biped()


@pytest.fixture
def director(armature):
    assert bpy.ops.verbs_adverbs.live_on() == {"FINISHED"}
    return armature.verbs_adverbs.director


def test_the_timeline_plays_the_verb_at_the_sliders(armature, director):
    for frame in (1, 17, 60, 2):
        go_to(frame)
        assert _miss(armature, frame) < 1e-5


def test_a_moved_slider_moves_the_armature_before_the_action_is_written(armature, director):
    go_to(23)
    before = part("bridge.timeline").made_from(director.verbs_adverbs.generated)
    was = joints_of(armature, ["Hand_L"])
    _drag(director, mood=0.8, slope=-0.5)
    assert part("bridge.timeline").made_from(director.verbs_adverbs.generated) == before
    assert np.abs(joints_of(armature, ["Hand_L"]) - was).max() > 0.02
    assert _miss(armature, 23) < 1e-5


def test_a_moved_slider_moves_the_body_too(armature, director):
    body = next(child for child in bpy.data.objects if child.type == "MESH")

    def vertices() -> np.ndarray:
        seen = body.evaluated_get(bpy.context.evaluated_depsgraph_get()).data.vertices
        found = np.empty(3 * len(seen), dtype=np.float32)
        seen.foreach_get("co", found)
        return found

    go_to(23)
    was = vertices()
    _drag(director, mood=0.8)
    moved = vertices()
    assert np.abs(moved - was).max() > 0.02
    part("bridge.live").flush()
    go_to(23)
    assert np.abs(vertices() - moved).max() < 1e-5


def test_the_action_follows_when_the_hand_rests(armature, director):
    go_to(23)
    _drag(director, mood=-0.6)
    assert part("bridge.live").flush() == 1
    assert part("bridge.live").flush() == 0
    for frame in (23, 5, 44):
        go_to(frame)
        assert _miss(armature, frame) < 1e-5


@pytest.mark.parametrize("mode", ["XYZ", "ZYX", "AXIS_ANGLE"])
def test_sliders_and_timeline_respect_every_rotation_mode(mode):
    armature = walking_biped()
    for bone in list(armature.pose.bones)[::2]:
        bone.rotation_mode = mode
    bpy.ops.verbs_adverbs.live_on()
    director = armature.verbs_adverbs.director
    go_to(20)
    assert _miss(armature, 20) < 1e-5
    _drag(director, mood=0.9)
    assert _miss(armature, 20) < 1e-5


def test_a_placed_and_turned_director_carries_the_performance(armature, director):
    go_to(30)
    was = joints_of(armature, ["Hips", "Head"])
    director.location, director.rotation_euler.z = (2.0, -1.0, 0.5), 0.7
    bpy.context.view_layer.update()
    assert part("bridge.live").flush() == 1
    bpy.context.view_layer.update()
    turn = np.array([[np.cos(0.7), -np.sin(0.7), 0.0], [np.sin(0.7), np.cos(0.7), 0.0], [0.0, 0.0, 1.0]])
    expected = was @ turn.T + (2.0, -1.0, 0.5)
    assert np.abs(joints_of(armature, ["Hips", "Head"]) - expected).max() < 1e-5


@pytest.mark.parametrize("build_first", [True, False])
def test_a_character_that_was_placed_and_turned_starts_where_it_stands_and_faces_as_its_examples(build_first):
    armature = walking_biped()
    if build_first:
        built_verb(armature)
    armature.location, armature.rotation_euler.z = (1.0, 2.0, 0.0), 0.8
    armature.rotation_mode = "XYZ"
    names = list(armature.pose.bones.keys())
    go_to(12)
    example = joints_of(armature, names)
    bpy.ops.verbs_adverbs.live_on()
    go_to(12)
    played = joints_of(armature, names)
    assert np.abs((played - played[0]) - (example - example[0])).max() < 0.02
    go_to(1)
    assert np.linalg.norm(joints_of(armature, ["Hips"])[0, :2] - (1.0, 2.0)) < 0.1


def test_a_parent_of_the_armature_carries_director_and_character():
    armature = walking_biped()
    parent = bpy.data.objects.new("cart", None)
    bpy.context.collection.objects.link(parent)
    armature.parent = parent
    bpy.ops.verbs_adverbs.live_on()
    go_to(30)
    was = joints_of(armature, ["Hips", "Toes_L"])
    parent.location, parent.scale, parent.rotation_euler = (1.0, 2.0, 3.0), (2.0, 2.0, 2.0), (0.3, 0.2, 1.0)
    bpy.context.view_layer.update()
    moved = np.array(parent.matrix_world)
    expected = was @ moved[:3, :3].T + moved[:3, 3]
    assert np.abs(joints_of(armature, ["Hips", "Toes_L"]) - expected).max() < 1e-5
    part("bridge.live").flush()
    bpy.context.view_layer.update()
    assert np.abs(joints_of(armature, ["Hips", "Toes_L"]) - expected).max() < 1e-5


def test_switching_off_gives_everything_back(armature):
    go_to(9)
    armature.pose.bones["Head"].rotation_quaternion = (0.9, 0.1, 0.3, 0.2)
    armature.pose.bones["Hips"].location = (0.3, 0.2, 0.1)
    armature.location, armature.rotation_euler = (0.5, 0.0, 0.0), (0.0, 0.0, 0.4)
    armature.animation_data.action_influence = 0.75
    armature.update_tag(refresh={"OBJECT", "DATA"})
    bpy.context.view_layer.update()
    before, sources = _state(armature), digests()
    bpy.ops.verbs_adverbs.live_on()
    _drag(armature.verbs_adverbs.director, mood=0.5)
    part("bridge.live").flush()
    assert _state(armature) != before
    assert bpy.ops.verbs_adverbs.live_off() == {"FINISHED"}
    assert _state(armature) == before
    assert digests() == sources


def test_an_armature_without_action_is_given_back_without_one(armature):
    armature.animation_data_clear()
    for bone in armature.pose.bones:
        bone.rotation_quaternion = (0.9, 0.1, 0.0, 0.1)
    bpy.context.view_layer.update()
    before = _state(armature)
    bpy.ops.verbs_adverbs.live_on()
    bpy.ops.verbs_adverbs.live_off()
    assert armature.animation_data is None
    assert _state(armature) == before


def test_what_was_saved_comes_back_after_reloading(armature, tmp_path):
    go_to(9)
    armature.pose.bones["Head"].rotation_quaternion = (0.9, 0.1, 0.3, 0.2)
    before = _state(armature)
    bpy.ops.verbs_adverbs.live_on()
    _drag(armature.verbs_adverbs.director, mood=0.5)
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "live.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "live.blend"))
    armature = bpy.data.objects["Biped"]
    assert _miss(armature, 9) < 1e-5
    bpy.context.view_layer.objects.active = armature
    assert bpy.ops.verbs_adverbs.live_off() == {"FINISHED"}
    assert _state(armature) == before


def test_a_verb_that_cannot_be_built_leaves_the_scene_as_it_was(armature):
    part("bridge.definitions").add_verb(armature, "nothing")
    before, objects = _state(armature), sorted(bpy.data.objects.keys())
    with pytest.raises(RuntimeError, match="has no examples"):
        bpy.ops.verbs_adverbs.live_on(verb="nothing")
    assert _state(armature) == before
    assert sorted(bpy.data.objects.keys()) == objects


def test_an_action_that_somebody_assigns_meanwhile_is_neither_overwritten_nor_replaced(armature, director):
    action = next(a for a in bpy.data.actions if a != director.verbs_adverbs.generated)
    sources = digests(a for a in bpy.data.actions if a != director.verbs_adverbs.generated)
    part("bridge.versions").assign_action(armature, action)
    _drag(director, mood=0.3)
    assert part("bridge.live").flush() == 0
    assert armature.animation_data.action == action
    assert "Another action" in part("bridge.live").problem_of(director)
    assert sources == digests(a for a in bpy.data.actions if a != director.verbs_adverbs.generated)


def test_a_renamed_adverb_keeps_its_value_and_its_keys(armature, director):
    director["mood"] = 0.25
    director.keyframe_insert('["mood"]', frame=1)
    director["mood"] = 0.75
    director.keyframe_insert('["mood"]', frame=40)
    definitions, directing = part("bridge.definitions"), part("bridge.director")
    definitions.rename_adverb(armature, armature.verbs_adverbs.adverbs.find("mood"), "spirit")
    directing.keep_in_step(armature)
    assert "mood" not in director and director["spirit"] == 0.75
    assert set(directing.adverb_curves(director)) == {'["spirit"]'}
    part("bridge.live").flush()
    assert not part("bridge.live").problem_of(director)


def test_sliders_come_and_go_with_the_adverbs(armature, director):
    definitions, directing = part("bridge.definitions"), part("bridge.director")
    definitions.add_adverb(armature, "hurry", 0.0, 10.0, 4.0, unit="m/s")
    directing.keep_in_step(armature)
    told = director.id_properties_ui("hurry").as_dict()
    assert director["hurry"] == 4.0
    assert (told["soft_min"], told["soft_max"], told["default"]) == (0.0, 10.0, 4.0)
    definitions.remove_adverb(armature, armature.verbs_adverbs.adverbs.find("hurry"))
    directing.keep_in_step(armature)
    assert "hurry" not in director


def test_nothing_is_listened_to_while_nothing_is_live(armature):
    handlers = part("bridge.handlers")
    bpy.context.view_layer.update()
    assert handlers._live_names() == []
    bpy.ops.verbs_adverbs.live_on()
    bpy.ops.verbs_adverbs.live_off()
    assert handlers._live_names() == []


def test_a_deleted_director_ends_the_session_without_an_error(armature, director, capfd):
    bpy.data.objects.remove(director)
    armature.update_tag()
    bpy.context.view_layer.update()
    assert part("bridge.live").flush() == 0
    assert part("bridge.director").director_of(armature) is None
    assert "Traceback" not in capfd.readouterr().err


def test_undo_takes_back_slider_and_performance(armature):
    bpy.ops.ed.undo_push(message="before")
    bpy.ops.verbs_adverbs.live_on()
    bpy.ops.ed.undo_push(message="on")
    _drag(armature.verbs_adverbs.director, mood=0.9)
    part("bridge.live").flush()
    bpy.ops.ed.undo_push(message="dragged")
    bpy.ops.ed.undo()
    armature = bpy.data.objects["Biped"]
    assert armature.verbs_adverbs.director["mood"] == 0.0
    go_to(20)
    assert _miss(armature, 20) < 1e-5
    bpy.ops.ed.undo()
    armature = bpy.data.objects["Biped"]
    assert armature.verbs_adverbs.director is None
    assert armature.animation_data.action.name.startswith("Walk")
