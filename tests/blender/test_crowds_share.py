"""What many characters have in common is read once when all are switched on, and a change of it is seen by all."""

import bpy
import pytest
from blender.crowding import chosen, crowd_of, keys_of, walking_crowd
from blender.stage import part

COUNT, LAST = 4, 12


@pytest.fixture
def crowd():
    return walking_crowd(LAST, [0.2 * place for place in range(COUNT)])


@pytest.fixture
def floor():
    mesh = bpy.data.meshes.new("Floor")
    mesh.from_pydata([(-50, -50, 0), (50, -50, 0), (50, 50, 0), (-50, 50, 0)], [], [(0, 1, 2, 3)])
    found = bpy.data.objects.new("Floor", mesh)
    bpy.context.collection.objects.link(found)
    return found


def on_together(crowd) -> list:
    assert bpy.ops.verbs_adverbs.live_on(every=True) == {"FINISHED"}
    return [keys_of(one) for one in crowd]


def off_together() -> None:
    assert bpy.ops.verbs_adverbs.live_off(every=True) == {"FINISHED"}


def on_alone(crowd) -> list:
    """Keys of all, each switched on by itself, with nothing that was read or played before."""
    found = []
    for one in crowd:
        part("bridge.blender.store").forget_made("performed")
        part("bridge.data.content").forget_actions()
        part("bridge.session.switching").switch_on(one, "walk", bpy.context.scene)
        found.append(keys_of(one))
    return found


def raised(action) -> None:
    """Move some keys of an action as scripts can, without Blender's notice."""
    curve = next(one for one in part("bridge.blender.versions").curves_of(action) if "Arm" in one.data_path)
    for key in curve.keyframe_points:
        key.co.y += 0.2


def test_a_change_of_a_shared_example_that_blender_does_not_tell_is_seen_by_all(crowd):
    before = on_together(crowd)
    off_together()
    for row in crowd[0].verbs_adverbs.verbs["walk"].examples:
        raised(row.action)
    after = on_together(crowd)
    assert all(now != then for now, then in zip(after, before, strict=True))
    off_together()
    assert after == on_alone(crowd)


def test_a_change_of_a_shared_example_while_all_play_is_seen_by_all(crowd):
    before = on_together(crowd)
    for row in crowd[0].verbs_adverbs.verbs["walk"].examples:
        raised(row.action)
    part("bridge.data.content").forget_actions()
    assert part("bridge.session.live").flush() == COUNT
    assert all(keys_of(one) != then for one, then in zip(crowd, before, strict=True))


def test_the_keys_of_shared_examples_are_looked_at_once_for_all(crowd, monkeypatch):
    content, looked = part("bridge.data.content"), list[str]()
    glance = content._glance
    on_together(crowd)
    off_together()
    part("bridge.blender.store").forget()
    monkeypatch.setattr(content, "_glance", lambda action, owner: looked.append(action.name) or glance(action, owner))
    on_together(crowd)
    examples = {row.action.name for row in crowd[0].verbs_adverbs.verbs["walk"].examples}
    assert examples <= set(looked)
    assert max(looked.count(name) for name in examples) <= 3  # read, looked at, and read with care to build the verb


def test_one_floor_is_read_once_for_all_and_a_change_of_it_is_seen_by_all(crowd, floor, monkeypatch):
    floor_mesh, read = part("bridge.session.floor_mesh"), list[str]()
    faces_of = floor_mesh.corners_of
    monkeypatch.setattr(floor_mesh, "corners_of", lambda face: read.append("") or faces_of(face))
    for one in crowd:
        one.verbs_adverbs.director.verbs_adverbs.performance.floor = floor
    bpy.context.view_layer.update()
    before = on_together(crowd)
    assert len(read) == 1
    off_together()
    for vertex in floor.data.vertices:
        vertex.co.z = 0.1 * vertex.co.x
    floor.data.update()
    bpy.context.view_layer.update()
    after = on_together(crowd)
    assert len(read) == 2
    assert all(now != then for now, then in zip(after, before, strict=True))
    off_together()
    assert after == on_alone(crowd)


def test_characters_of_one_floor_whose_spaces_differ_stand_on_it_each_in_its_own(crowd, floor):
    for place, one in enumerate(crowd):
        space = bpy.data.objects.new("Space", None)
        space.location.z = 0.05 * place
        bpy.context.collection.objects.link(space)
        one.parent = one.verbs_adverbs.director.parent = space
        one.verbs_adverbs.director.verbs_adverbs.performance.floor = floor
    bpy.context.view_layer.update()
    chosen(*crowd)
    together = on_together(crowd)
    off_together()
    assert together == on_alone(crowd)


def test_a_copied_character_shares_all_verbs_of_the_first():
    assert bpy.ops.verbs_adverbs.add_biped(wave=True, stand=True) == {"FINISHED"}
    verbs, first = part("bridge.authoring.verbs"), bpy.context.object
    assert bpy.ops.verbs_adverbs.director_add() == {"FINISHED"}
    built = [verbs.verb_for(first, item) for item in first.verbs_adverbs.verbs]
    again = crowd_of(first, 2)[1]
    assert [verbs.verb_for(again, item) for item in again.verbs_adverbs.verbs] == built


def test_bakes_are_looked_for_once_until_something_changes(crowd, monkeypatch):
    again, looked = part("bridge.session.bakes.bake_again"), list[str]()
    bakes_of = again.bakes_of
    monkeypatch.setattr(again, "bakes_of", lambda one: looked.append(one.name) or bakes_of(one))
    chosen(crowd[0])
    assert not bpy.ops.verbs_adverbs.bake_again.poll() and not bpy.ops.verbs_adverbs.bake_again.poll()
    assert looked == [crowd[0].name]
    assert bpy.ops.verbs_adverbs.bake() == {"FINISHED"}
    assert all(bpy.ops.verbs_adverbs.bake_again.poll() for _ in range(3))
    assert looked == [crowd[0].name] * 2
    chosen(crowd[1])
    assert not bpy.ops.verbs_adverbs.bake_again.poll()
