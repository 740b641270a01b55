"""Directing: sliders move the armature at once, and the generated action follows."""

import bpy
import numpy as np
import pytest
from blender.layering import add_layer
from blender.performance import OPS, biped_with_graph
from blender.stage import built_verb, drag, go_to, joints_of, miss_of, part, walking_biped


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
        assert miss_of(armature, frame) < 1e-5


def test_a_moved_slider_moves_the_armature_before_the_action_is_written(armature, director):
    go_to(23)
    before = part("bridge.session.timeline").made_from(director.verbs_adverbs.generated)
    was = joints_of(armature, ["Hand_L"])
    drag(director, mood=0.8, slope=-0.5)
    assert part("bridge.session.timeline").made_from(director.verbs_adverbs.generated) == before
    assert np.abs(joints_of(armature, ["Hand_L"]) - was).max() > 0.02
    assert miss_of(armature, 23) < 1e-5


def test_key_keys_the_sliders_that_the_verb_has(armature, director):
    part("bridge.authoring.definitions").use_adverb(armature.verbs_adverbs.verbs["walk"], "turn", False)
    assert bpy.ops.verbs_adverbs.adverbs_key() == {"FINISHED"}
    keyed = {curve.data_path for curve in part("bridge.data.adverb_values").adverb_curves(director).values()}
    assert keyed == {'["mood"]', '["slope"]'}


def test_a_moved_slider_moves_the_body_too(armature, director):
    body = next(child for child in bpy.data.objects if child.type == "MESH")

    def vertices() -> np.ndarray:
        seen = body.evaluated_get(bpy.context.evaluated_depsgraph_get()).data.vertices
        found = np.empty(3 * len(seen), dtype=np.float32)
        seen.foreach_get("co", found)
        return found

    go_to(23)
    was = vertices()
    drag(director, mood=0.8)
    moved = vertices()
    assert np.abs(moved - was).max() > 0.02
    part("bridge.session.live").flush()
    go_to(23)
    assert np.abs(vertices() - moved).max() < 1e-5


def test_the_action_follows_when_the_hand_rests(armature, director):
    go_to(23)
    drag(director, mood=-0.6)
    assert part("bridge.session.live").flush() == 1
    assert part("bridge.session.live").flush() == 0
    for frame in (23, 5, 44):
        go_to(frame)
        assert miss_of(armature, frame) < 1e-5


@pytest.mark.parametrize("mode", ["XYZ", "ZYX", "AXIS_ANGLE"])
def test_sliders_and_timeline_respect_every_rotation_mode(mode):
    armature = walking_biped()
    for bone in list(armature.pose.bones)[::2]:
        bone.rotation_mode = mode
    bpy.ops.verbs_adverbs.live_on()
    director = armature.verbs_adverbs.director
    go_to(20)
    assert miss_of(armature, 20) < 1e-5
    drag(director, mood=0.9)
    assert miss_of(armature, 20) < 1e-5


def test_a_placed_and_turned_director_carries_the_performance(armature, director):
    go_to(30)
    was = joints_of(armature, ["Hips", "Head"])
    director.location, director.rotation_euler.z = (2.0, -1.0, 0.5), 0.7
    bpy.context.view_layer.update()
    assert part("bridge.session.live").flush() == 1
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
    part("bridge.session.live").flush()
    bpy.context.view_layer.update()
    assert np.abs(joints_of(armature, ["Hips", "Toes_L"]) - expected).max() < 1e-5


def _hang(thing, place, turn) -> None:
    """Hang an object on a new one that is placed and turned on the floor."""
    thing.parent = bpy.data.objects.new(f"{thing.name} carrier", None)
    bpy.context.collection.objects.link(thing.parent)
    thing.parent.location, thing.parent.rotation_euler.z = place, turn
    bpy.context.view_layer.update()


def test_a_director_on_another_parent_than_its_armature_puts_the_character_where_it_stands():
    armature = walking_biped()
    _hang(armature, (1.0, 2.0, 0.0), 0.5)
    bpy.ops.verbs_adverbs.live_on()
    director = armature.verbs_adverbs.director

    def seen_from_director() -> np.ndarray:
        go_to(30)
        from_world = np.array(director.matrix_world.inverted())
        return joints_of(armature, ["Hips", "Toes_L"]) @ from_world[:3, :3].T + from_world[:3, 3]

    was = seen_from_director()
    _hang(director, (-3.0, 0.7, 0.0), -1.2)
    director.matrix_parent_inverse.identity()
    director.location, director.rotation_euler.z = (0.4, -0.3, 0.0), 0.8
    bpy.context.view_layer.update()
    part("bridge.session.live").flush()
    assert np.abs(seen_from_director() - was).max() < 1e-4


def test_a_renamed_adverb_keeps_its_value_and_its_keys(armature, director):
    director["mood"] = 0.25
    director.keyframe_insert('["mood"]', frame=1)
    director["mood"] = 0.75
    director.keyframe_insert('["mood"]', frame=40)
    armature.verbs_adverbs.active_adverb = armature.verbs_adverbs.adverbs.find("mood")
    assert bpy.ops.verbs_adverbs.adverb_rename(name="spirit") == {"FINISHED"}
    assert "mood" not in director and director["spirit"] == 0.75
    assert set(part("bridge.data.adverb_values").adverb_curves(director)) == {'["spirit"]'}
    part("bridge.session.live").flush()
    assert not part("bridge.session.live_characters").problem_of(director)


def test_sliders_come_and_go_with_the_adverbs(armature, director):
    definitions = part("bridge.authoring.definitions")
    definitions.add_adverb(armature, "hurry", 0.0, 10.0, 4.0, unit="m/s")
    told = director.id_properties_ui("hurry").as_dict()
    assert director["hurry"] == 4.0
    assert (told["soft_min"], told["soft_max"], told["default"]) == (0.0, 10.0, 4.0)
    assert told["description"] == "Value of 'hurry' (m/s)"
    definitions.remove_adverb(armature, armature.verbs_adverbs.adverbs.find("hurry"))
    assert "hurry" not in director


def test_a_driver_elsewhere_follows_a_renamed_adverb(armature, director):
    other = bpy.data.objects.new("other", None)
    bpy.context.collection.objects.link(other)
    driver = other.driver_add("location", 0).driver
    driver.expression = "value"
    variable = driver.variables.new()
    variable.name, variable.targets[0].id, variable.targets[0].data_path = "value", director, '["mood"]'
    definitions = part("bridge.authoring.definitions")
    definitions.rename_adverb(armature, armature.verbs_adverbs.adverbs.find("mood"), "spirit")
    assert variable.targets[0].data_path == '["spirit"]'
    drag(director, spirit=0.5)
    assert abs(other.location.x - 0.5) < 1e-6


@pytest.mark.parametrize("held", ["happy", [1.0, 2.0]], ids=str)
def test_a_slider_that_holds_no_number_is_told_until_it_does(armature, director, held):
    director["mood"] = held
    assert part("bridge.session.sliders").notice_moved(director, bpy.context.scene) is None
    part("bridge.session.live").flush()
    assert (
        part("bridge.session.live_characters")
        .problem_of(director)
        .startswith(f"The value of slider 'mood' of '{director.name}' is not a number")
    )
    director["mood"] = 0.5
    part("bridge.session.live").flush()
    assert part("bridge.session.live_characters").problem_of(director) == ""


def test_the_first_drag_after_opening_shows_the_pose_of_a_score_of_one_verb(armature, director):
    definitions, walk = part("bridge.authoring.definitions"), armature.verbs_adverbs.verbs["walk"]
    for used in (False, True):
        definitions.use_adverb(walk, "mood", used)
    assert [one.name for one in walk.adverbs] == ["slope", "turn", "mood"]
    director.verbs_adverbs.performance.active = True
    go_to(23)
    for _ in range(2):
        part("bridge.session.live").forget_characters()
        assert part("bridge.session.live").flush() <= 1
    was = joints_of(armature, ["Hand_L"])
    drag(director, mood=0.8)
    assert np.abs(joints_of(armature, ["Hand_L"]) - was).max() > 0.02


def test_what_was_stopped_stays_so_until_a_slider_is_known_to_have_been_moved(armature, director):
    character = part("bridge.session.live_characters").characters[director.session_uid]
    state = character.sliders
    character.hold(None, None)
    character.stopped = "what is computed for long"
    drag(director, mood=0.3)
    assert character.stopped
    character.hold(state, None)
    drag(director, mood=0.4)
    assert not character.stopped


def test_a_keyed_slider_dragged_beyond_the_last_frame_shows_what_it_shows_there(armature, director):
    for frame, mood in ((1, -1.0), (50, 1.0)):
        director["mood"] = mood
        director.keyframe_insert('["mood"]', frame=frame)
    part("bridge.session.live").flush()
    shown = []
    for frame in (bpy.context.scene.frame_end, bpy.context.scene.frame_end + 1_000_000):
        go_to(frame)
        drag(director, mood=0.1)
        shown.append(joints_of(armature, ["Hand_L", "Foot_R"]))
    assert np.abs(shown[0] - shown[1]).max() < 1e-6


def test_key_keys_the_sliders_of_layers_where_the_verb_itself_has_none():
    armature = biped_with_graph()
    assert OPS.live_on(verb="stand") == {"FINISHED"}
    assert not len(armature.verbs_adverbs.verbs["stand"].adverbs) and not OPS.adverbs_key.poll()
    add_layer(armature, "walk")
    director = armature.verbs_adverbs.director
    director["mood"] = 0.4
    assert OPS.adverbs_key() == {"FINISHED"}
    keyed = part("bridge.data.adverb_values").adverb_curves(director)
    heeded = {f'["{used.name}"]' for used in armature.verbs_adverbs.verbs["walk"].adverbs}
    assert set(keyed) == heeded and abs(keyed['["mood"]'].evaluate(1) - 0.4) < 1e-6
