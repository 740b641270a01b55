"""A verb marked as an asset is found in another file and put on a character there, with its examples and no more."""

import bpy
import numpy as np
import pytest
from blender.action_hash import digests
from blender.figurine import assert_says, delete_bone, everything, refused
from blender.installed import USER_FOLDER
from blender.renaming import OPS, SAME, shown
from blender.stage import opened_again, part, walking_biped
from blender.test_copied_verbs import FAR, SIZE, other_rig

LIBRARY = USER_FOLDER / "walks as assets.blend"
KINDS = "actions", "armatures", "objects", "meshes", "materials", "collections", "scenes", "libraries"
EXAMPLE = 5
"""The example at whose place both characters are compared."""


def marked(name: str = "walk"):
    """Return the biped of a file in which its walk is marked, and the asset."""
    armature = walking_biped()
    assert OPS.verb_asset_mark() == {"FINISHED"}
    return armature, bpy.data.objects[name]


def library() -> str:
    """Return the path of a file with a biped whose walk is an asset; it is made once."""
    if not LIBRARY.is_file():
        marked()
        bpy.ops.wm.save_as_mainfile(filepath=str(LIBRARY), copy=True)
    return str(LIBRARY)


def character():
    """Return another biped without verbs, alone in its file."""
    return opened_again("a biped without verbs", _add)


def _add() -> None:
    bpy.context.scene.frame_end = 60
    assert OPS.add_biped(walk=False) == {"FINISHED"}
    bpy.context.object.name = "Other"


def names() -> dict[str, list[str]]:
    return {kind: sorted(getattr(bpy.data, kind).keys()) for kind in KINDS}


def at_example(armature) -> np.ndarray:
    """Matrices of all bones, as Blender shows the verb with the sliders at one of its examples."""
    verb = armature.verbs_adverbs.verbs["walk"]
    assert OPS.live_on(verb="walk") == {"FINISHED"}
    row = verb.examples[EXAMPLE]
    example = next(one for one in row.action.verbs_adverbs.examples if one.uid == row.example_uid)
    for value in example.values:
        armature.verbs_adverbs.director[value.name] = value.value
    assert OPS.live_off() == {"FINISHED"}
    return shown(armature, "walk")


def pixels(thing) -> np.ndarray:
    width, height = thing.preview.image_size
    return np.array(thing.preview.image_pixels_float).reshape(height, width, 4)


def test_a_marked_verb_is_a_copy_in_no_scene_with_a_picture_and_all_else_stays_as_it_was():
    armature = walking_biped()
    assert OPS.verb_build() == {"FINISHED"}
    before, kept, scene = everything(), digests(), list(bpy.context.scene.objects)
    assert OPS.verb_asset_mark() == {"FINISHED"}
    asset = bpy.data.objects["walk"]
    own = armature.verbs_adverbs.verbs["walk"]
    assert (asset.users_scene, asset.users_collection, asset.parent, asset.animation_data) == ((), (), None, None)
    assert asset.hide_render and asset.use_fake_user and asset.data == armature.data
    assert [row.action for row in asset.verbs_adverbs.verbs[0].examples] == [row.action for row in own.examples]
    assert asset.verbs_adverbs.director is None
    assert {tag.name for tag in asset.asset_data.tags} == {"verb", *own.adverbs.keys()}
    assert f"{len(own.examples)} examples" in asset.asset_data.description
    assert list(bpy.context.scene.objects) == scene and digests() == kept
    solid = pixels(asset)[..., 3] > 0.5
    assert 0.03 < solid.mean() < 0.5 and solid[:, :128].any() and solid[:, 128:].any()
    assert OPS.verb_asset_clear() == {"FINISHED"}
    assert everything() == before
    assert not OPS.verb_asset_clear.poll()


def test_constraints_of_an_asset_read_its_own_bones_and_no_other_object():
    armature = walking_biped()
    elbow, other = armature.pose.bones["Hand_L"].constraints.new("IK"), bpy.data.objects.new("Pole", None)
    elbow.target, elbow.subtarget = elbow.pole_target, elbow.pole_subtarget = armature, "Hips"
    far = armature.pose.bones["Hand_R"].constraints.new("IK")
    far.target, far.subtarget, far.pole_target = armature, "Hips", other
    armature.constraints.new("COPY_LOCATION").target = other
    assert OPS.verb_asset_mark() == {"FINISHED"}
    asset = bpy.data.objects["walk"]
    (kept,) = asset.pose.bones["Hand_L"].constraints
    assert kept.target == kept.pole_target == asset
    assert not asset.pose.bones["Hand_R"].constraints and not asset.constraints
    assert asset not in bpy.data.user_map(subset=[armature])[armature] and far.target == armature


def test_marking_again_brings_the_one_asset_up_to_date_and_leaves_what_the_user_wrote():
    armature, asset = marked()
    asset.asset_data.author, asset.asset_data.catalog_id = "Somebody", "7b3a6a5e-0d1c-4f0e-9f0e-3d1f2f5a9c11"
    asset.asset_data.tags.new("mine")
    verb = armature.verbs_adverbs.verbs["walk"]
    verb.examples.remove(0)
    verb.name = "stroll"
    assert OPS.verb_asset_mark() == {"FINISHED"}
    assert [one.name for one in bpy.data.objects if one.asset_data is not None] == ["stroll"]
    again = bpy.data.objects["stroll"]
    assert len(again.verbs_adverbs.verbs[0].examples) == len(verb.examples)
    assert (again.asset_data.author, again.asset_data.catalog_id[:8]) == ("Somebody", "7b3a6a5e")
    assert again.asset_data.tags.find("mine") >= 0


def test_a_verb_put_from_another_file_plays_there_as_it_did_and_nothing_else_stays():
    path = library()
    source = walking_biped()
    wanted = at_example(source)
    other = character()
    before = names()
    assert OPS.verb_put(library=path, asset="walk") == {"FINISHED"}
    verb = other.verbs_adverbs.verbs["walk"]
    actions = {row.action.name for row in verb.examples}
    assert all(bpy.data.actions[name].use_fake_user for name in actions)
    assert names() == {**before, "actions": sorted({*before["actions"], *actions})}
    assert np.abs(at_example(other) - wanted).max() < SAME


def test_an_asset_that_was_appended_is_put_by_the_panel_s_button_and_goes(tmp_path):
    path = library()
    other = character()
    before = names()
    with bpy.data.libraries.load(path, assets_only=True) as (there, here):
        assert there.objects == ["walk"]
        here.objects = there.objects
    appended = here.objects[0]
    assert pixels(appended)[..., 3].any()
    appended.asset_clear()
    bpy.context.scene.collection.objects.link(appended)
    assert OPS.verb_put(asset=appended.name) == {"FINISHED"}
    actions = {row.action.name for row in other.verbs_adverbs.verbs["walk"].examples}
    assert {**names(), "libraries": []} == {**before, "actions": sorted({*before["actions"], *actions})}
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "put.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "put.blend"))
    assert {row.action.name for row in bpy.data.objects["Other"].verbs_adverbs.verbs["walk"].examples} == actions


def test_in_its_own_file_a_marked_verb_is_put_on_another_character_and_stays_marked():
    armature, asset = marked()
    other = other_rig()
    kept = digests()
    assert OPS.verb_put(asset=asset.name) == {"FINISHED"}
    assert bpy.data.objects["walk"].asset_data is not None
    assert {name: value for name, value in digests().items() if name in kept} == kept
    legs = [row for row, bone in enumerate(armature.data.bones) if bone.name.startswith("UpperLeg")]
    bpy.context.view_layer.objects.active = armature
    theirs = shown(armature, "walk")
    bpy.context.view_layer.objects.active = other
    ways = [seen[:, legs][..., :3, 3] - seen[:, :1, :3, 3] for seen in (shown(other, "walk"), theirs)]
    assert np.abs(ways[0] - SIZE * ways[1]).max() < FAR


@pytest.mark.parametrize("missing", ["hand", "file", "blend", "asset", "verb"])
def test_what_cannot_be_put_is_refused_in_words_and_nothing_stays(missing, capfd):
    path, asset, said = library(), "walk", ("no longer exists", "Refresh")
    other = character()
    if missing == "hand":
        delete_bone(other, "Foot_L")
        said = ("no bone that corresponds to", "'Foot_L'")
    elif missing == "file":
        path = path.replace("walks", "no walks")
    elif missing == "blend":
        path, said = __file__, ("cannot be read as a blend file",)
    else:
        asset, said = ("nothing" if missing == "asset" else "Biped"), ("contains no verb",)
    before, stored = names(), everything()
    assert_says(refused(OPS.verb_put, capfd, library=path, asset=asset), *said)
    assert names() == before and everything() == stored


def test_putting_a_verb_is_one_step_of_undo():
    path = library()
    character()
    before = everything()
    bpy.ops.ed.undo_push(message="a character")
    assert OPS.verb_put(library=path, asset="walk") == {"FINISHED"}
    bpy.ops.ed.undo_push(message="put")
    after = everything()
    bpy.ops.ed.undo()
    assert everything() == before
    bpy.ops.ed.redo()
    assert everything() == after


def test_an_asset_outlives_undo_saving_and_the_extension_being_off(tmp_path):
    marked()
    bpy.ops.ed.undo_push(message="marked")
    assert part("bridge.data.verb_assets").marked_for(bpy.context.object.verbs_adverbs.verbs["walk"].uid)
    bpy.context.scene.frame_set(3)
    bpy.ops.ed.undo_push(message="another frame")
    bpy.ops.ed.undo()
    drawn = pixels(bpy.data.objects["walk"])
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "marked.blend"))
    bpy.ops.preferences.addon_disable(module=part("core").__name__.removesuffix(".core"))
    try:
        bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "marked.blend"))
        assert bpy.data.objects["walk"].asset_data is not None
        bpy.ops.wm.save_mainfile()
    finally:
        bpy.ops.preferences.addon_enable(module=part("core").__name__.removesuffix(".core"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "marked.blend"))
    assert bpy.data.objects["walk"].verbs_adverbs.asset_of == bpy.data.objects["Biped"].verbs_adverbs.verbs["walk"].uid
    assert np.abs(pixels(bpy.data.objects["walk"]) - drawn).max() == 0.0
