"""The action that a live verb plays is the user's once he takes it: nothing writes it any more, nothing removes it."""

import bpy
import pytest
from blender.action_hash import digest
from blender.installed import MODULE
from blender.stage import drag, go_to, live_biped, miss_of, rested, saved_and_loaded

OPS = bpy.ops.verbs_adverbs


@pytest.fixture
def armature():
    return live_biped()


def push_down(armature) -> None:
    """As the NLA editor's Push Down does."""
    data = armature.animation_data
    action = data.action
    data.nla_tracks.new().strips.new("pushed down", 1, action)
    data.action = None


def rename(armature) -> None:
    armature.animation_data.action.name = "a good one"


def give_a_fake_user(armature) -> None:
    armature.animation_data.action.use_fake_user = True


def rename_and_give_a_fake_user(armature) -> None:
    rename(armature)
    give_a_fake_user(armature)


def assign_elsewhere(armature) -> None:
    """To another armature, as the Action Editor does."""
    other = bpy.data.objects.new("Other", armature.data)
    bpy.context.collection.objects.link(other)
    other.animation_data_create().action = armature.animation_data.action
    if hasattr(other.animation_data, "action_slot"):
        other.animation_data.action_slot = armature.animation_data.action_slot


TAKEN = [push_down, rename, give_a_fake_user, rename_and_give_a_fake_user, assign_elsewhere]


def is_there(content: str) -> bool:
    """Whether an action of this content is in the file."""
    return content in {digest(action) for action in bpy.data.actions}


@pytest.mark.parametrize("take", TAKEN)
def test_an_action_that_somebody_took_stays_when_the_verb_is_switched_off(armature, take, tmp_path):
    taken, content = armature.animation_data.action, digest(armature.animation_data.action)
    take(armature)
    assert OPS.live_off() == {"FINISHED"}
    assert armature.animation_data.action != taken
    armature = saved_and_loaded(tmp_path)
    assert is_there(content)
    if take is push_down:
        assert digest(armature.animation_data.nla_tracks[0].strips[0].action) == content
    if take is assign_elsewhere:
        assert digest(bpy.data.objects["Other"].animation_data.action) == content


@pytest.mark.parametrize("take", TAKEN)
def test_an_action_that_somebody_took_is_not_written_and_the_verb_plays_another(armature, take, tmp_path):
    taken, content = armature.animation_data.action, digest(armature.animation_data.action)
    take(armature)
    drag(armature.verbs_adverbs.director, mood=0.8)
    rested(tmp_path)
    assert digest(taken) == content
    assert armature.animation_data.action not in {taken, None}
    for frame in (12, 30):
        go_to(frame)
        assert miss_of(armature, frame) < 1e-5
    saved_and_loaded(tmp_path)
    assert is_there(content)


@pytest.mark.parametrize("take", [push_down, give_a_fake_user])
def test_an_action_that_somebody_took_stays_when_the_extension_is_disabled(armature, take, tmp_path):
    content = digest(armature.animation_data.action)
    take(armature)
    bpy.ops.preferences.addon_disable(module=MODULE)
    try:
        saved_and_loaded(tmp_path)
        assert is_there(content)
    finally:
        bpy.ops.preferences.addon_enable(module=MODULE)


def test_a_name_that_somebody_gave_is_kept(armature):
    rename(armature)
    assert OPS.live_off() == {"FINISHED"}
    assert bpy.data.actions["a good one"].use_fake_user


def test_what_is_played_is_kept_knowingly_and_the_verb_plays_on(armature, tmp_path):
    go_to(20)
    drag(armature.verbs_adverbs.director, mood=0.8)
    head = armature.pose.bones["Head"]
    head.scale = (1.5, 1.5, 1.5)
    head.keyframe_insert("scale", frame=20)
    assert OPS.generated_keep(name="happy walk") == {"FINISHED"}
    kept = bpy.data.actions["happy walk"]
    assert kept.use_fake_user and armature.animation_data.action not in {kept, None}
    content = digest(kept)
    drag(armature.verbs_adverbs.director, mood=-0.8)
    rested(tmp_path)
    assert digest(kept) == content
    assert OPS.live_off() == {"FINISHED"}
    armature = saved_and_loaded(tmp_path)
    assert digest(bpy.data.actions["happy walk"]) == content
    assert [action.name for action in bpy.data.actions if "performance" in action.name] == []
    armature.animation_data.action = bpy.data.actions["happy walk"]
    go_to(20)
    assert abs(armature.pose.bones["Head"].scale.x - 1.5) < 1e-6
    assert OPS.example_add() == {"FINISHED"}


def test_a_kept_action_is_named_after_armature_and_verb(armature):
    assert OPS.generated_keep() == {"FINISHED"}
    assert "Biped walk" in bpy.data.actions


def test_only_what_is_played_can_be_kept(armature):
    assert OPS.generated_keep.poll()
    assert OPS.live_off() == {"FINISHED"}
    assert not OPS.generated_keep.poll()


@pytest.mark.parametrize(
    "note", ["", "no note", "[]", "null", '{"name": 1}', '{"name": "x", "written": [1]}', '{"other": 2}', 3.5, [1, 2]]
)
def test_a_generated_action_whose_note_somebody_changed_is_kept_and_the_verb_plays_on(armature, note, capfd, tmp_path):
    action = armature.animation_data.action
    content = digest(action)
    for name in [name for name in action.keys() if name.startswith("verbs_adverbs") and name != "verbs_adverbs"]:
        action[name] = note
    drag(armature.verbs_adverbs.director, mood=0.4)
    rested(tmp_path)
    go_to(30)
    assert miss_of(armature, 30) < 1e-5
    assert OPS.live_off() == {"FINISHED"}
    assert is_there(content)
    assert "Traceback" not in capfd.readouterr().err
