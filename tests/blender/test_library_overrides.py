"""Characters from another file: what is edited there and what is directed here, and sentences about both."""

import bpy
import pytest
from blender.losses import only
from blender.stage import go_to, part, state_of, walking_biped

OPS = bpy.ops.verbs_adverbs
HARMLESS = {
    "add_biped", "camera_follow", "keytime_jump", "reach_render", "sheet_render", "structure_copy", "tell", "verb_put",
    "walks_import",
}  # fmt: skip
"""Operators that write nothing on the armature and its director, or that look for a character of their own."""
DIRECTING = {"bake", "command_add", "director_add", "live_on", "perform", "start_verb", "stop_verb"}
DIRECTING |= {"say", "talk", "words_file", "words_markers", "words_strips"}
"""Operators that need no more than a verb to direct."""


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
    only(found)
    return found


@pytest.fixture
def override(tmp_path):
    walking_biped()
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "library.blend"))
    return _override_of(tmp_path / "library.blend")


def _everything() -> dict:
    state = state_of(bpy.context.object)
    return {**state, "data": sorted((type(one).__name__, one.name_full) for one in bpy.data.user_map())}


def test_what_a_rig_stores_is_edited_in_its_file_and_all_that_directs_it_works_here(override):
    before = _everything()
    OPS.live_on.poll()
    stored = sorted(override.verbs_adverbs.keys())
    willing = {name for name in set(dir(OPS)) - HARMLESS if getattr(OPS, name).poll()}
    assert willing == DIRECTING
    for author in ("verb_add", "adverb_add", "transitions_suggest", "feet_find", "layer_add", "verb_build", "refine"):
        with pytest.raises(RuntimeError, match="'Biped' is a library override, .* edited in '.*library.blend'. Open"):
            getattr(OPS, author)()
    assert _everything() == before
    assert sorted(override.verbs_adverbs.keys()) == stored


def test_without_an_override_it_is_said_that_one_must_be_made(override):
    (linked,) = _linked_from(bpy.data.libraries[0].filepath, "Biped")
    bpy.context.scene.collection.objects.link(linked)
    only(linked)
    before = _everything()
    willing = [name for name in set(dir(OPS)) - HARMLESS if getattr(OPS, name).poll()]
    assert willing == []
    for name in ("live_on", "bake", "command_add", "verb_add"):
        with pytest.raises(RuntimeError, match="is linked, .*Object > Library Override > Make"):
            getattr(OPS, name)()
    errors = part("core.errors")
    with pytest.raises(errors.RigError, match="is linked, so"):
        part("bridge.session.switching").switch_on(linked, "walk", bpy.context.scene)
    assert _everything() == before


def test_made_local_it_plays_and_is_given_back_after_saving_and_loading(override, tmp_path):
    assert bpy.ops.object.make_local(type="SELECT_OBJECT") == {"FINISHED"}
    go_to(9)
    before = state_of(override)
    assert OPS.live_on() == {"FINISHED"}
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "user.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "user.blend"))
    assert OPS.verb_add.poll()
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
    only(override)
    played = override.animation_data.action
    assert played is not None and played.library is not None
    before = _everything()
    boss.update_tag()
    bpy.context.view_layer.update()
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "user.blend"))
    assert _everything() == before
    assert (override.animation_data.action, boss.verbs_adverbs.live) == (played, True)
    only(boss)
    with pytest.raises(RuntimeError, match="No verb is switched on"):
        OPS.live_off()


def test_an_overridden_action_is_not_annotated(override):
    with bpy.data.libraries.load(bpy.data.libraries[0].filepath, link=True) as (there, wanted):
        wanted.actions = [name for name in there.actions if name == "Walk happy"]
    action = wanted.actions[0].override_create()
    override.animation_data_create().action = action
    count = len(action.verbs_adverbs.examples)
    with pytest.raises(RuntimeError, match="Action 'Walk happy' is a library override"):
        OPS.example_add()
    assert len(action.verbs_adverbs.examples) == count
