"""Characters from another file: an override keeps nothing that is stored on it, so it is refused in words."""

import bpy
import pytest
from blender.performance import biped_with_graph
from blender.stage import go_to, part, state_of, walking_biped

OPS = bpy.ops.verbs_adverbs
HARMLESS = {"add_biped", "keytime_jump", "structure_copy", "tell"}
"""Operators that write nothing on the armature and its director."""


def _only(armature) -> None:
    for other in bpy.context.selected_objects:
        other.select_set(False)
    armature.select_set(True)
    bpy.context.view_layer.objects.active = armature


def _linked_from(path, *names: str) -> list:
    with bpy.data.libraries.load(str(path), link=True) as (_there, wanted):
        wanted.objects = list(names)
    return list(wanted.objects)


def _override_of(path):
    """A library override of the biped in a file, active in an empty one."""
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    (linked,) = _linked_from(path, "Biped")
    found = linked.override_create()
    bpy.context.scene.collection.objects.link(found)
    _only(found)
    return found


@pytest.fixture
def override(tmp_path):
    walking_biped()
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "library.blend"))
    return _override_of(tmp_path / "library.blend")


def _everything() -> dict:
    state = state_of(bpy.context.object)
    return {**state, "data": sorted((type(one).__name__, one.name_full) for one in bpy.data.user_map())}


def test_no_operator_works_on_an_override_and_each_says_why(override):
    before = _everything()
    stored = sorted(override.verbs_adverbs.keys())
    willing = []
    for name in sorted(set(dir(OPS)) - HARMLESS):
        if getattr(OPS, name).poll():
            willing.append(name)
    assert willing == []
    with pytest.raises(RuntimeError, match="'Biped' is a library override.*Make Local"):
        OPS.live_on()
    with pytest.raises(RuntimeError, match="'Biped' is a library override"):
        OPS.bake()
    assert _everything() == before
    assert sorted(override.verbs_adverbs.keys()) == stored


def test_made_local_it_plays_and_is_given_back_after_saving_and_loading(override, tmp_path):
    assert not OPS.live_on.poll()
    assert bpy.ops.object.make_local(type="SELECT_OBJECT") == {"FINISHED"}
    go_to(9)
    before = state_of(override)
    assert OPS.live_on() == {"FINISHED"}
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "user.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "user.blend"))
    assert OPS.live_off() == {"FINISHED"}
    assert {**state_of(bpy.context.object), "actions": before["actions"]} == before


def test_a_live_character_that_is_linked_and_overridden_is_left_as_its_file_has_it(tmp_path):
    armature = walking_biped()
    OPS.live_on()
    armature.verbs_adverbs.director["mood"] = 0.5
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "library.blend"))
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    linked, director = _linked_from(tmp_path / "library.blend", "Biped", "Biped director")
    override, boss = linked.override_create(remap_local_usages=True), director.override_create(remap_local_usages=True)
    for one in (override, boss):
        bpy.context.scene.collection.objects.link(one)
    boss.verbs_adverbs.directs, override.verbs_adverbs.director = override, boss
    _only(override)
    played = override.animation_data.action
    assert played is not None and played.library is not None
    before = _everything()
    boss.update_tag()
    bpy.context.view_layer.update()
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "user.blend"))
    assert _everything() == before
    assert (override.animation_data.action, boss.verbs_adverbs.live) == (played, True)
    _only(boss)
    assert not OPS.live_off.poll()
    with pytest.raises(RuntimeError, match="is a library override"):
        OPS.live_off()


def test_an_override_among_those_to_be_performed_is_refused_in_words(tmp_path):
    biped_with_graph()
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "library.blend"))
    ours = biped_with_graph()
    (linked,) = _linked_from(tmp_path / "library.blend", "Biped")
    override = linked.override_create()
    bpy.context.scene.collection.objects.link(override)
    _only(ours)
    override.select_set(True)
    objects = sorted(bpy.data.objects.keys())
    performing, errors = part("bridge.session.performance"), part("core.errors")
    with pytest.raises(errors.VerbsError, match="is a library override"):
        performing.begin(performing.armatures_of(bpy.context), bpy.context.scene)
    assert sorted(bpy.data.objects.keys()) == objects


def test_an_overridden_action_is_not_annotated(override):
    with bpy.data.libraries.load(bpy.data.libraries[0].filepath, link=True) as (there, wanted):
        wanted.actions = [name for name in there.actions if name == "Walk happy"]
    action = wanted.actions[0].override_create()
    override.animation_data_create().action = action
    count = len(action.verbs_adverbs.examples)
    with pytest.raises(RuntimeError, match="Action 'Walk happy' is a library override"):
        OPS.example_add()
    assert len(action.verbs_adverbs.examples) == count
