"""Performed and on the timeline, feet stand on the floor that was chosen."""

from contextlib import suppress

import bpy
import numpy as np
import pytest
from blender.figurine import assert_says, refused
from blender.performer import begin, end, play, session, shown_root, walker
from blender.stage import go_to, part

RISE, CLIMBED, NEAR = 0.1, 0.2, 0.03


@pytest.fixture
def armature():
    yield from walker(directed=True)


def ramp():
    """A wide ramp that rises in the direction in which the biped walks."""
    mesh = bpy.data.meshes.new("Ramp")
    corners = [(-5.0, 2.0), (5.0, 2.0), (5.0, -20.0), (-5.0, -20.0)]
    mesh.from_pydata([(x, y, -RISE * y) for x, y in corners], [], [(3, 2, 1, 0)])
    made = bpy.data.objects.new("Ramp", mesh)
    bpy.context.scene.collection.objects.link(made)
    return made


def performance_of(armature):
    return armature.verbs_adverbs.director.verbs_adverbs.performance


def test_a_ramp_is_climbed_live_and_on_the_timeline(armature):
    performance_of(armature).floor = ramp()
    bpy.context.view_layer.update()
    clock, level = begin(armature), shown_root(armature)[2]
    assert play(clock, 3.0)
    place, time = shown_root(armature), session().frames.shown[-1].time
    assert place[2] - level > CLIMBED and abs(place[2] - level + RISE * place[1]) < 0.1
    assert end() == []
    go_to(1.0 + 24.0 * time)
    assert np.abs(shown_root(armature) - place).max() < NEAR


def test_heights_are_those_of_the_mesh_and_of_its_edge_beyond(armature):
    performance_of(armature).floor = ramp()
    bpy.context.view_layer.update()
    floor = part("bridge.session.floor_mesh").floor_of(armature.verbs_adverbs.director)
    heights = floor(np.array([(0.0, 0.0), (1.0, -10.0), (9.0, -10.0)]))
    assert np.allclose(heights, (0.0, 1.0, 1.0), atol=1e-5)


def test_a_floor_without_faces_is_refused_and_nothing_has_changed(armature):
    bare = bpy.data.objects.new("Bare", bpy.data.meshes.new("Bare"))
    bpy.context.scene.collection.objects.link(bare)
    performance_of(armature).floor = bare
    with pytest.raises(part("core.errors").GraphError, match="no faces"):
        begin(armature)
    assert session() is None and not armature.verbs_adverbs.director.verbs_adverbs.live
    assert armature.animation_data.action.name.startswith("Walk")


def test_a_floor_that_was_deleted_is_none(armature):
    floor, mesh = ramp(), part("bridge.session.floor_mesh")
    performance_of(armature).floor = floor
    bpy.context.view_layer.update()
    director = armature.verbs_adverbs.director
    assert mesh.floor_of(director) is not None and mesh.floor_digest(director)
    with bpy.context.temp_override(selected_objects=[floor], active_object=floor, object=floor):
        bpy.ops.object.delete()
    assert performance_of(armature).floor == floor
    assert mesh.floor_of(director) is None and mesh.floor_digest(director) == ""


def test_a_floor_with_a_vertex_at_no_number_is_refused(armature):
    floor = ramp()
    floor.data.vertices[0].co.x = np.nan
    performance_of(armature).floor = floor
    bpy.context.view_layer.update()
    with pytest.raises(part("core.errors").GraphError, match="Floor 'Ramp' has vertices with invalid"):
        begin(armature)
    assert session() is None


@pytest.mark.parametrize("place", [1e30, float("nan")])
def test_a_director_that_stands_nowhere_near_a_floor_is_told(armature, place, capfd):
    performance_of(armature).floor = ramp()
    armature.verbs_adverbs.director.location.x = place
    bpy.context.view_layer.update()
    assert_says(refused(bpy.ops.verbs_adverbs.live_on, capfd), "'Biped director'", "extremely large location")


def test_a_foot_that_is_the_root_is_stepped_home_too(armature, capfd):
    assert bpy.ops.verbs_adverbs.root_set(root="Toes_L") == {"FINISHED"}
    assert bpy.ops.verbs_adverbs.command_add(verb="walk", frame=1) == {"FINISHED"}
    assert bpy.ops.verbs_adverbs.command_add(verb="stand", frame=40) == {"FINISHED"}
    armature.verbs_adverbs.director.verbs_adverbs.performance.active = True
    with suppress(RuntimeError):
        bpy.ops.verbs_adverbs.live_on()
    assert "Traceback" not in "".join(capfd.readouterr())
